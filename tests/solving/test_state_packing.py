"""Packing: the numbers of a state as a key, with and without the bits that are never set."""

import random

import pytest

import zermelo as z
from solve_games import Sparse
from zermelo.solving.enumeration import number_ranges
from zermelo.solving.enumeration.number_ranges import ranges_of
from zermelo.solving.enumeration.state_packing import Field, Packing, Range, widened


def test_used_bits_are_brought_together():
    source = random.Random(1)
    for _ in range(2000):
        used = source.getrandbits(source.randrange(1, 64)) | 1 << source.randrange(63)
        number = source.getrandbits(63) & used
        field = Field(0, used.bit_count(), 0, 0, used)
        places = [place for place in range(63) if used >> place & 1]
        assert field.compress(number) == sum((number >> place & 1) << i for i, place in enumerate(places))
        assert field.expand(field.compress(number)) == number


def test_a_word_is_saved():
    packing = Packing.fitting(ranges_of(Sparse()))
    assert [field.bits for field in packing.fields] == [5, 5]
    assert packing.words == 1
    assert packing.is_valid
    assert Packing.from_list(packing.to_list()) == packing
    assert Packing.fitting([Range(each.low, each.high, 2**53 - 1) for each in ranges_of(Sparse())]).words == 2


def test_keys_keep_their_form_where_no_word_is_saved():
    """The files of games that fit into one word are what they were."""
    rows = Packing.fitting(ranges_of(z.load("connect_four(5,5)"))).to_list()
    assert rows == [[0, 31, 0, 31], [0, 31, 0, 0]]


@pytest.mark.parametrize("games", [1, 64])
def test_values_do_not_depend_on_what_random_games_showed(games, monkeypatch):
    """With one game, bits are missing at first; the solve begins again with those that were met."""
    plain = type("Plain", (Sparse,), {"native": False})()
    expected = z.solve(plain)
    monkeypatch.setattr(number_ranges, "RANGE_GAMES", games)
    monkeypatch.setattr(number_ranges, "MANY_GAMES", games)
    monkeypatch.setattr(number_ranges, "RANGE_PLIES", 3 if games == 1 else 400)
    solution = z.solve(Sparse(), threads=2)
    assert len(solution) == len(expected)
    assert all(solution.value(state) == expected.value(state) for state in expected)
    assert solution.header.packing.words == 1


def test_numbers_beyond_their_range_widen_it():
    ranges = [Range(0, 9, 15), Range(100, 100, 100)]
    assert widened(ranges, [[40, 100]])[0].high >= 40
    assert widened(ranges, [[9, 104]])[1].used == 108
    assert all(new.low < old.low and new.high > old.high for new, old in zip(widened(ranges, []), ranges, strict=True))


@pytest.mark.parametrize("used", [0, -2, 1 << 63, 7, 1 << 70])
def test_used_bits_that_kernels_must_not_see(used):
    rows = Packing.fitting(ranges_of(Sparse())).to_list()
    rows[0][4] = used
    assert not Packing.from_list(rows).is_valid
