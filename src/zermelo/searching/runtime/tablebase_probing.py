"""Tablebase probing: a search asks a database about every state before it searches further.

`with_tablebase` makes a copy of the game whose class overrides `_probe`, the rule that kernels call. Compiled, `_probe`
follows the addresses in a thread's memory to the state tables of the solver; where the rules do not compile, it asks
the Solution.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from zermelo.game import Game, GameError
from zermelo.rules import canonical, has_chance, has_distance
from zermelo.searching.runtime.thread_memory import SCRATCH, SCRATCH_WORDS, TABLEBASE
from zermelo.solving.enumeration.table_access import (
    BASE,
    BITS,
    ENTRIES,
    NOT_FOUND,
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


def with_tablebase(game: Game, solution: Any) -> Game:
    """Return a copy of the game that probes the solution, or the game itself for None.

    Raise GameError unless the solution, or its file, is one of this game.
    """
    if solution is None:
        return game
    solution = checked_solution("search", game, solution)
    compiled = solution.header.method != "interpreted"
    packing = solution.header.packing
    if packing is not None and not 16 + len(packing.fields) * 2 < SCRATCH_WORDS:
        raise GameError(f"{game!r}: its states have more numbers than a search packs for a database.")
    probe = _probe_solution if not compiled else _probe_expectation if has_chance(game) else _probe_score
    probing_class = type(type(game).__name__, (type(game),), {"_probe": probe, "__module__": type(game).__module__})
    copy: Game = probing_class(**{field.name: getattr(game, field.name) for field in fields(game) if field.init})  # type: ignore[arg-type]
    attributes = {"_original": game, "_solution": solution}
    if "native" in game.__dict__:  # set for this game alone, not for its class
        attributes["native"] = game.native
    if compiled:
        attributes["_state_tables"] = solution.state_tables()
    for name, value in attributes.items():
        object.__setattr__(copy, name, value)
    return copy


def checked_solution(caller: str, game: Game, solution: Any) -> Solution:
    """Return the solution, opened if it is a file. Raise GameError in the name of `caller` if it is of another game."""
    from pathlib import Path

    from zermelo.solving.solution import Solution

    if isinstance(solution, str | Path):
        solution = Solution.open(solution, game)
    if not isinstance(solution, Solution):
        raise GameError(f"{caller} of {game!r}: database must be a Solution or its file, not {solution!r}.")
    if solution.game != game:
        raise GameError(f"{caller} of {game!r}: the database is one of {solution.game!r}.")
    return solution


def original(game: Game) -> Game:
    """Return the game that the caller passed, without its tablebase."""
    passed: Game = game.__dict__.get("_original", game)
    return passed


def attach_tablebase(game: Game, memory: Words) -> Words:
    """Write the address of the game's state tables, if it has any, into a thread's memory, and return the memory."""
    tables = game.__dict__.get("_state_tables")
    if tables is not None:
        memory[TABLEBASE], memory[TABLEBASE + 1] = tables.address, len(tables)
    return memory


# -- the rule that kernels call -------------------------------------------------------------------------------------


def _probe_score(self, state, ply, memory):
    """Bounds of a score, with distances counted from the root; they are equal where the database has the state."""
    tables = memory.follow(TABLEBASE)
    here = canonical(self, state)
    record = record_of(tables, self.stage(here))
    entry = NOTHING
    if record != 0 and tables[record + BITS] != 0:
        number = number_of(self, here, tables, record, memory.part(memory[SCRATCH], SCRATCH_WORDS))
        if number != NOT_FOUND:
            entry = entry_of(tables, record, number)
    if entry == NOTHING:
        return -INFINITY, INFINITY
    if not has_distance(self):
        return entry - 1 + tables[record + BASE], entry - 1 + tables[record + BASE]
    if tables[record + BITS] == 2:
        if entry == WON:
            return DECISIVE, WIN_SCORE - ply
        if entry == LOST:
            return ply - WIN_SCORE, -DECISIVE
        return 0, 0
    if entry < DECIDED:
        return 0, 0
    score = WIN_SCORE - ply - plies_of(entry)
    return (score, score) if is_win(entry) else (-score, -score)


def _probe_expectation(self, state, ply, memory):
    """Bounds of an expectation."""
    tables = memory.follow(TABLEBASE)
    here = canonical(self, state)
    record = record_of(tables, self.stage(here))
    low, high = float(-INFINITY), float(INFINITY)
    if record != 0 and tables[record + BITS] != 0:
        number = number_of(self, here, tables, record, memory.part(memory[SCRATCH], SCRATCH_WORDS))
        if number != NOT_FOUND:
            low = tables.follow(record + ENTRIES).reals(0, tables[record + ENTRIES + 1])[number]
            high = tables.follow(record + UPPERS).reals(0, tables[record + UPPERS + 1])[number]
            low = high = (low + high) / 2
    return low, high


def _probe_solution(self: Any, state: Any, ply: int, memory: Words) -> Any:
    """The same bounds from a Solution whose states are Python objects."""
    value = self._solution._value(state)
    if value is None:
        return -INFINITY, INFINITY
    score = later(value.score, ply) if has_distance(self) else value.score
    return score, score
