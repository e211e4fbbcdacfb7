"""Backing: a game that was lent a database. A search asks it about every state before it looks farther.

The twin of a game has all its rules, and `_known`, which kernels ask: compiled, it follows the addresses that a
thread's memory holds to the shelves of the solver; where rules do not compile, it asks the solution.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from zermelo.game import Game, GameError
from zermelo.rules import canonical, has_chance, has_distance
from zermelo.searching.runtime.thread_memory import DATABASE, ROOM, SCRATCH
from zermelo.solving.enumeration.state_tables import (
    BASE,
    BITS,
    ENTRIES,
    NOWHERE,
    UPPERS,
    entry_of,
    number_of,
    record_of,
)
from zermelo.solving.retrograde.entries import DECIDED, LOST, NOTHING, WON, is_win, plies_of
from zermelo.value import DECISIVE, INFINITY, WIN_SCORE, later
from zermelo.word_arrays import Words

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution


def backed(game: Game, solution: Any) -> Game:
    """The game's twin, which knows what the solution says; the game itself for None."""
    if solution is None:
        return game
    solution = _opened(game, solution)
    compiled = solution.header.method != "interpreted"
    packing = solution.header.packing
    if packing is not None and not 16 + len(packing.fields) * 2 < ROOM:
        raise GameError(f"{game!r}: its states have more numbers than a search packs for a database.")
    known = _asks if not compiled else _looks_up_chance if has_chance(game) else _looks_up
    twin_class = type(type(game).__name__, (type(game),), {"_known": known, "__module__": type(game).__module__})
    twin: Game = twin_class(**{field.name: getattr(game, field.name) for field in fields(game) if field.init})  # type: ignore[arg-type]
    lending = {"_original": game, "_solution": solution}
    if compiled:
        lending["_shelves"] = solution.shelves()
    for name, value in lending.items():
        object.__setattr__(twin, name, value)
    return twin


def _opened(game: Game, solution: Any) -> Solution:
    from pathlib import Path

    from zermelo.solving.solution import Solution

    if isinstance(solution, str | Path):
        solution = Solution.open(solution, game)
    if not isinstance(solution, Solution):
        raise GameError(f"search of {game!r}: database must be a Solution or its file, not {solution!r}.")
    if solution.game != game:
        raise GameError(f"search of {game!r}: the database is one of {solution.game!r}.")
    return solution


def original(game: Game) -> Game:
    """The game as its author and the caller know it."""
    known: Game = game.__dict__.get("_original", game)
    return known


def lent(game: Game, memory: Words) -> Words:
    """A thread's memory with the address of the database, where the game was lent one."""
    shelves = game.__dict__.get("_shelves")
    if shelves is not None:
        memory[DATABASE], memory[DATABASE + 1] = shelves.address, len(shelves)
    return memory


# -- what kernels ask ------------------------------------------------------------------------------------------------


def _looks_up(self, state, ply, memory):
    """The bounds of a score, distances counted from the root: both the same where the state is on a shelf."""
    shelves = memory.follow(DATABASE)
    here = canonical(self, state)
    record = record_of(shelves, self.stage(here))
    entry = NOTHING
    if record != 0 and shelves[record + BITS] != 0:
        number = number_of(self, here, shelves, record, memory.part(memory[SCRATCH], ROOM))
        if number != NOWHERE:
            entry = entry_of(shelves, record, number)
    if entry == NOTHING:
        return -INFINITY, INFINITY
    if not has_distance(self):
        return entry - 1 + shelves[record + BASE], entry - 1 + shelves[record + BASE]
    if shelves[record + BITS] == 2:
        if entry == WON:
            return DECISIVE, WIN_SCORE - ply
        if entry == LOST:
            return ply - WIN_SCORE, -DECISIVE
        return 0, 0
    if entry < DECIDED:
        return 0, 0
    score = WIN_SCORE - ply - plies_of(entry)
    return (score, score) if is_win(entry) else (-score, -score)


def _looks_up_chance(self, state, ply, memory):
    """The bounds of an expectation."""
    shelves = memory.follow(DATABASE)
    here = canonical(self, state)
    record = record_of(shelves, self.stage(here))
    low, high = float(-INFINITY), float(INFINITY)
    if record != 0 and shelves[record + BITS] != 0:
        number = number_of(self, here, shelves, record, memory.part(memory[SCRATCH], ROOM))
        if number != NOWHERE:
            low = shelves.follow(record + ENTRIES).reals(0, shelves[record + ENTRIES + 1])[number]
            high = shelves.follow(record + UPPERS).reals(0, shelves[record + UPPERS + 1])[number]
            low = high = (low + high) / 2
    return low, high


def _asks(self: Any, state: Any, ply: int, memory: Words) -> Any:
    """The same, from a solution whose states are kept as they are."""
    value = self._solution._value(state)
    if value is None:
        return -INFINITY, INFINITY
    score = later(value.score, ply) if has_distance(self) else value.score
    return score, score
