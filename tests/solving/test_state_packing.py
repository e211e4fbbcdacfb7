"""Packing: the numbers of a state as a key, with and without the bits that are never set."""

import random

import pytest

import zermelo as z
from solve_games import Layers, Meeting, Sparse, Stakes
from zermelo.solving.enumeration import number_ranges, state_packing
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


@pytest.mark.parametrize("game", [Stakes(), Layers()], ids=repr)
def test_two_boards_are_a_number_in_base_3(game):
    packing = Packing.fitting(ranges_of(game))
    assert packing.words == 1
    assert {field.digit for field in packing.fields} == {1, 2}
    assert packing.is_valid
    assert Packing.from_list(packing.to_list()) == packing
    source, seen = random.Random(1), {}
    for _ in range(2000):
        cells = [source.randrange(3) for _ in range(game.cells)]
        mine, theirs = (sum(1 << i for i, cell in enumerate(cells) if cell == side) for side in (1, 2))
        state = game.initial()._replace(mine=mine, theirs=mine | theirs if isinstance(game, Layers) else theirs)
        (key,) = packing.key(state)
        assert packing.state(game, (key,)) == state
        assert seen.setdefault(key, state) == state
    odd = game.initial()._replace(mine=5, theirs=2 if isinstance(game, Layers) else 4)
    assert packing.key(odd) is None


@pytest.mark.parametrize("game", [Stakes(), Layers()], ids=repr)
def test_values_in_base_3_are_those_of_two_words(game, tmp_path, monkeypatch):
    solution = z.solve(game, tmp_path / "file", threads=2)
    assert solution.header.packing.words == 1
    z.verify(solution)
    monkeypatch.setattr(state_packing, "MAX_PAIRED", 0)
    wide = z.solve(game, threads=2)
    assert wide.header.packing.words == 2
    assert solution.outcomes() == wide.outcomes()
    states = list(wide)
    assert (solution.values(states) == wide.values(states)).all()
    assert all(solution[state] == wide[state] for state in states[::97])


def test_boards_that_meet_after_all(monkeypatch):
    """Few random games show no state in which the two numbers share a bit; the solve begins again."""
    monkeypatch.setattr(number_ranges, "RANGE_GAMES", 1)
    monkeypatch.setattr(number_ranges, "MANY_GAMES", 1)
    game = Meeting()
    assert Packing.fitting(ranges_of(game)).words == 1
    solution = z.solve(game, threads=1)
    assert solution.header.packing.words == 2
    assert any(state.mine & state.theirs for state in solution)


@pytest.mark.parametrize("change", [(5, -1), (5, 0), (5, 2), (6, 0), (6, 3), (6, 2), (7, 2), (7, 0), (1, 40), (4, 7)])
def test_base_3_that_kernels_must_not_see(change):
    rows = Packing.fitting(ranges_of(Layers())).to_list()
    place, number = change
    rows[0][place] = number
    assert not Packing.from_list(rows).is_valid
