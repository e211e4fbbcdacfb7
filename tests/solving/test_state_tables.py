"""State tables: stages that begin anywhere, and tables with more slots than 32 bits can number."""

import array
import random

import pytest

import zermelo as z
from solve_games import Rounds, Stairs
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import MAX_STAGES, StateTables, slots_for
from zermelo.solving.enumeration.table_access import find_slot, home_slot, insert
from zermelo.word_arrays import Words


def words_of(*numbers):
    return Words(array.array("q", numbers))


class Towers(Stairs):
    """Stairs whose lowest stage is far up."""

    def stage(self, spot):
        return 20_000_000 + (0 if spot.game == 0 else spot.place + 1)


def test_stages_may_begin_anywhere(tmp_path):
    towers, stairs = z.solve(Towers(), tmp_path / "file"), z.solve(Stairs())
    assert towers.value() == stairs.value()
    assert towers.counts() == stairs.counts()
    assert min(towers.tables) == 20_000_000
    assert z.verify(towers, sample=0).checked == len(stairs)


def test_stages_that_are_far_apart_are_refused():
    tables = StateTables("Towers()", Packing((), 1), 20_000_000)
    tables.record(20_000_000 + MAX_STAGES - 1)
    with pytest.raises(z.GameError, match="from 20000000 to 24194304; number the stages closely"):
        tables.record(20_000_000 + MAX_STAGES)


@pytest.mark.parametrize("slots", [64, 1000, (1 << 31) + 7, (1 << 40) - 1])
@pytest.mark.parametrize("words", [1, 2])
def test_keys_are_spread_over_all_slots(slots, words):
    homes = [home_slot(words_of(n, n * n), words, slots) for n in range(2000)]
    assert all(0 <= home < slots for home in homes)
    tenths = [0] * 10
    for home in homes:
        tenths[home * 10 // slots] += 1
    assert 140 < min(tenths) <= max(tenths) < 260
    assert len({home % 1024 for home in homes}) > min(slots, 1024) // 2  # low bits vary as well


def test_a_table_that_is_as_full_as_it_may_be_finds_every_key():
    slots, dice = slots_for("", 1000), random.Random(1)
    table, numbers = Words.zeros(slots), {}
    for first in dice.sample(range(1 << 62), 1000):
        key = words_of(first)
        numbers[first] = insert(table, 1, slots, key, home_slot(key, 1, slots))
    for first, number in numbers.items():
        key = words_of(first)
        assert find_slot(table, 1, slots, key, home_slot(key, 1, slots)) == number
    assert len(set(numbers.values())) == 1000


def test_a_stage_that_no_table_holds_is_a_sentence(monkeypatch):
    assert slots_for("Stairs()", 3 << 30) > 1 << 31
    with pytest.raises(z.GameError, match="a stage with 2,000,000,000,000 states is more than a table holds"):
        slots_for("Stairs()", 2 * 10**12)
    monkeypatch.setattr("zermelo.solving.retrograde.backward_pass.MAX_NUMBERS", 64)
    with pytest.raises(z.GameError, match="is more than a table holds"):
        z.solve(Rounds())
