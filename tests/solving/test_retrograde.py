"""Stages with loops: by un-moves, by links and by sweeps, in numbers of every width, with any number of threads."""

import hashlib

import numpy as np
import pytest

import zermelo as z
from solve_games import Rooms, Rounds, Squares, Ways
from zermelo import LOSS, ONGOING, Game
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import StateTables
from zermelo.solving.retrograde import backward_pass, worker_pool
from zermelo.solving.retrograde.entries import loss_entry, win_entry
from zermelo.solving.retrograde.narrow_numbers import CODES, COUNTS, reached_flag, undecided_from
from zermelo.solving.retrograde.propagation import propagate
from zermelo.solving.retrograde.solver_memory import LONGEST
from zermelo.solving.retrograde.stage_work import StageWork, longest_decision
from zermelo.solving.retrograde.wdl import INITIALISE, initialise
from zermelo.solving.retrograde.worker_pool import WorkerPool


def digest(solution):
    """A name for all entries and counts of a solution."""
    found = hashlib.sha256(repr(solution.header.counts).encode())
    for _, table in sorted(solution.tables.items()):
        found.update(np.ascontiguousarray(table.entries.array()))
    return found.hexdigest()


class Corridor(Game):
    """Walk down a corridor; who cannot, loses. From an odd door one may also go back two doors, for nothing."""

    doors: int = 300

    loops = True

    def initial(self):
        return self.doors

    def moves(self, door):
        if door > 0:
            yield door - 1
        if door % 2 == 1 and door + 2 <= self.doors:
            yield door + 2

    def play(self, door, to):
        return to

    def result(self, door):
        return LOSS if door == 0 else ONGOING

    def size(self, stage):
        return self.doors + 1

    def index(self, door):
        return door

    def at(self, stage, index):
        return index


class Stairway(Corridor):
    """The same with un-moves."""

    def predecessors(self, door):
        if door < self.doors:
            yield door + 1
        if door % 2 == 1 and door >= 3:
            yield door - 2


class Hub(Game):
    """From the hub one goes along a spoke, and from there out, which wins, or back."""

    spokes: int = 200

    loops = True

    def initial(self):
        return 0

    def moves(self, place):
        if place == 0:
            yield from range(1, self.spokes + 1)
        else:
            yield 0
            yield self.spokes + 1

    def play(self, place, to):
        return to

    def result(self, place):
        return LOSS if place > self.spokes else ONGOING

    def size(self, stage):
        return self.spokes + 2

    def index(self, place):
        return place

    def at(self, stage, index):
        return index

    def predecessors(self, place):
        if 0 < place <= self.spokes:
            yield 0
        else:
            yield from range(1, self.spokes + 1)


# -- three ways, one result --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [Rounds(), Rooms(), Squares(), Corridor(90)], ids=repr)
def test_sweeps_find_what_links_find(game, monkeypatch):
    linked = digest(z.solve(game, threads=2))
    monkeypatch.setattr(backward_pass, "LINK_MEMORY_SHARE", 0)
    monkeypatch.setattr(backward_pass, "begin_links", None)  # links are not even begun
    assert digest(z.solve(game, threads=2)) == linked


def test_links_that_turn_out_too_many_give_way_to_sweeps(monkeypatch):
    game, begun = Rounds(), []
    linked = digest(z.solve(game, threads=1))
    begin = backward_pass.begin_links

    def begin_links(work, pool):
        begun.append(begin(work, pool))
        return 1 << 40

    monkeypatch.setattr(backward_pass, "begin_links", begin_links)
    assert digest(z.solve(game, threads=1)) == linked
    assert max(begun) > 1000


def test_unmoves_find_what_links_find():
    with_unmoves, without = z.solve(Ways(), threads=1), z.solve(Squares(), threads=1)
    assert digest(with_unmoves) == digest(without)


@pytest.mark.parametrize("share", [0.5, 0.0])
@pytest.mark.parametrize("game", [Rounds(), Ways(), Stairway(700)], ids=repr)
def test_the_entries_do_not_depend_on_threads(game, share, monkeypatch):
    monkeypatch.setattr(backward_pass, "LINK_MEMORY_SHARE", share)
    monkeypatch.setattr(worker_pool, "MIN_CHUNK", 1)
    monkeypatch.setattr(worker_pool, "MAX_CHUNK", 64)
    monkeypatch.setattr(worker_pool, "SLICE", 1 << 16)
    assert len({digest(z.solve(game, threads=threads)) for threads in (1, 2, 3, 4)}) == 1


# -- numbers of every width -------------------------------------------------------------------------------------------


LONG = pytest.mark.slow  # that shorts are widened as bytes are, test_widening_keeps_every_number_and_flag shows


@pytest.mark.parametrize(
    ("kind", "doors", "threads"),
    [(Corridor, 300, 2), (Stairway, 300, 2), pytest.param(Stairway, 33_000, 1, marks=LONG)],
)
def test_distances_that_outgrow_a_byte_and_a_short(kind, doors, threads):
    """A code of eight bits holds 115 plies, one of sixteen 32,755."""
    solution = z.solve(kind(doors), threads=threads)
    for door in (*range(1, 260), doors - 1, doors):
        value = solution.value(door)
        assert (value.outcome, value.plies) == (1 if door % 2 else -1, door)


@pytest.mark.parametrize("spokes", [127, 128, pytest.param(40_000, marks=LONG)])
def test_counts_that_outgrow_a_byte_and_a_short(spokes):
    """A count of eight bits is below 128, one of sixteen below 32,768."""
    solution = z.solve(Hub(spokes), threads=2)
    assert str(solution.value(0)) == "loss in 2"
    assert str(solution.value(spokes)) == "win in 1"


@pytest.mark.parametrize("part", [CODES, COUNTS])
def test_widening_keeps_every_number_and_flag(part):
    pool, work = WorkerPool(2, 0, 1, 0), StageWork(100)
    work.allocate(COUNTS, 100, 8)
    first = undecided_from if part == CODES else reached_flag
    for width in (8, 16):
        before = work.numbers(part)[:100]
        before[:50], before[50:66] = range(50), range(first(width), first(width) + 16)
        work.widen(part, pool)
        assert work.width(part) == 2 * width
        assert work.numbers(part)[:50].tolist() == list(range(50))
        assert work.numbers(part)[50:66].tolist() == list(range(first(2 * width), first(2 * width) + 16))


# -- stages of more than 2**30 numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize("middle", [1 << 30, 1 << 31, 1 << 32])
def test_numbers_of_more_than_31_bits(middle):
    """Waves around a number that no int32 holds, in codes and counts that take no memory elsewhere."""
    game, start, stop = Stairway(1 << 33), middle - 40, middle + 40
    tables, pool, work = StateTables(repr(game), Packing((), 1), 0), WorkerPool(1, 0, 1, 0, 1), StageWork(middle + 100)
    tables.set_keys(0, np.zeros(1, np.int64), game.size(0))
    work.allocate(COUNTS, middle + 100, 8)
    memory = pool.memories[0]
    assert initialise(game, 0, start, stop, INITIALISE, tables.words, work.words, memory) == stop
    codes, counts = work.codes, work.counts
    assert set(codes[start:stop].tolist()) == {undecided_from(8)}
    flag = reached_flag(8)
    assert counts[middle : middle + 2].tolist() == [1 | flag, 2 | flag]
    counts[start - 40 : stop + 40] &= flag - 1
    codes[start] = loss_entry(0)
    for wave in range(40):
        assert propagate(game, 0, start, stop, wave, tables.words, work.words, memory) == stop
    assert memory[LONGEST] == 40
    expected = [loss_entry(plies) if plies % 2 == 0 else win_entry(plies) for plies in range(41)]
    assert codes[start : start + 41].tolist() == expected


def test_a_stage_may_have_more_numbers_than_31_bits_hold():
    """It is refused for its memory, not for its numbers."""
    with pytest.raises(z.GameError, match="would not fit"):
        z.solve(Stairway(1 << 38))


def test_the_longest_decision_leaves_out_undecided_states():
    work = StageWork(10)
    assert longest_decision(WorkerPool(1, 0, 1, 0), work) < 0
    work.codes[:] = undecided_from(8)
    work.codes[3], work.codes[4] = win_entry(7), loss_entry(4)
    assert longest_decision(WorkerPool(1, 0, 1, 0), work) == 7
