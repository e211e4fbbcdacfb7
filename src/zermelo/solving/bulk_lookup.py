"""The values of many states at once: located by a kernel where that is worth compiling, found and unpacked by NumPy."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo import rules
from zermelo.game import GameError, State
from zermelo.solving.enumeration.state_location import MISFIT, locate_states
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_rows import row_width, state_maker, state_rows
from zermelo.solving.enumeration.state_tables import StateTables
from zermelo.solving.enumeration.table_access import NOT_FOUND
from zermelo.solving.plan import EXPECTATION
from zermelo.solving.retrograde.solver_memory import new_memory
from zermelo.word_arrays import Words

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution
    from zermelo.solving.storage.entry_tables import Table

VALUES = np.dtype([("score", "f8"), ("outcome", "i1"), ("plies", "i4"), ("repetition", "?")])
"""A row of the array: the parts of a Value."""

NO_OUTCOME = 2
"""The outcome of an expectation, which is neither won nor drawn nor lost, and of a state that was not solved."""

NO_PLIES = -1
"""The plies of a value that has none."""

STATES_AT_A_TIME = 1 << 16
"""States that are located together; a multiple of what is tried interpreted first."""

TRIED_STATES = 1 << 10
COMPILE_SECONDS = 3
"""The kernel is compiled if the states that are left would take longer than this."""


def value_array(length: int) -> np.recarray[Any, Any]:
    """An array for this many values, none of them known."""
    return np.full(length, np.array((np.nan, NO_OUTCOME, NO_PLIES, False), VALUES)).view(np.recarray)


def look_up(solution: Solution, states: Iterable[State] | Any, strict: bool) -> np.recarray[Any, Any]:
    """Return the values of states as a record array, see `Solution.values`."""
    given = _given(solution, states)
    found = value_array(len(given))
    start, done, compiled = time.monotonic(), 0, False
    while done < len(given):
        size = STATES_AT_A_TIME if compiled else TRIED_STATES
        part = given[done : done + size]
        if not compiled or not _look_up_compiled(solution, part, found[done : done + size]):
            _look_up_interpreted(solution, part, found[done : done + size], strict)
        if strict and np.isnan(missing := found.score[done : done + size]).any():
            raise solution._not_solved(_state(solution, part, int(np.flatnonzero(np.isnan(missing))[0])))
        done += len(part)
        left = (time.monotonic() - start) / done * (len(given) - done)
        compiled = compiled or (left > COMPILE_SECONDS and solution.header.method != "interpreted")
    return found


def _given(solution: Solution, states: Iterable[State] | Any) -> Sequence[State] | Any:
    """The states as a list, or as an array with a row for each."""
    if not isinstance(states, Iterable) or (isinstance(states, tuple) and hasattr(states, "_fields")):
        raise GameError(f"{solution.game!r}: `values` takes many states, not {states!r}; solution[state] takes one.")
    if not isinstance(states, np.ndarray) or states.dtype == object:
        return list(states)
    width = row_width(solution.game)
    rows = states.reshape(-1, 1) if states.ndim == 1 and width == 1 else states
    if rows.ndim != 2 or rows.shape[1] != width or rows.dtype.kind not in "biu":
        raise GameError(
            f"{solution.game!r}: a state is a row of {width} whole numbers, and the array of {states.dtype} has the "
            f"shape {states.shape}."
        )
    return rows


def _state(solution: Solution, part: Sequence[State] | Any, i: int) -> State:
    return state_maker(solution.game)(part[i].tolist()) if isinstance(part, np.ndarray) else part[i]


# -- where states are ------------------------------------------------------------------------------------------------


def _look_up_interpreted(solution: Solution, part: Sequence[State] | Any, found: Any, strict: bool) -> None:
    states = list(map(state_maker(solution.game), part.tolist())) if isinstance(part, np.ndarray) else part
    words = 1 if solution.header.packing is None else solution.header.packing.words
    stages, places = np.zeros(len(states), np.int64), np.full((len(states), words), NOT_FOUND, np.int64)
    kind = type(rules.initial_state(solution.game))
    for i, state in enumerate(states):
        try:
            state = state if type(state) is kind else solution._checked_state(state)
            stage = solution.stage_of(state)
            if stage in solution.tables and (place := solution.tables[stage].locate(solution.game.canonical(state))):
                stages[i], places[i] = stage, place
        except GameError:  # raised for what is no state
            if strict:
                raise
    _read_values(solution, stages, places, found)


def _look_up_compiled(solution: Solution, part: Sequence[State] | Any, found: Any) -> bool:
    """Look states up by the kernel. Return False if it cannot: rules do not compile, or states are unlike others."""
    game, header = solution.game, solution.header
    rows = part.astype(np.int64) if isinstance(part, np.ndarray) else state_rows(game, part)
    if rows is None:
        return False
    packing = header.packing or Packing((), 1)
    stages, places = np.zeros(len(rows), np.int64), np.zeros((len(rows), packing.words), np.int64)
    width = rows.shape[1]
    tables, memory = StateTables(repr(game), packing, 0).words, new_memory(width, packing.words, 1, 0)
    flat = Words(np.ascontiguousarray(rows).reshape(-1))
    arguments = (flat, width, header.staged, Words(stages), Words(places.reshape(-1)), tables, memory)
    if not locate_states.ready(game, *arguments):
        return False
    try:
        locate_states.call_compiled(game, *arguments)
    except Exception:  # raised by a rule for what is no state; interpreted, the first one is known
        return False
    if (places[:, 0] == MISFIT).any():
        return False
    _read_values(solution, stages, places, found)
    return True


# -- what is stored of them ------------------------------------------------------------------------------------------


def _read_values(solution: Solution, stages: Any, places: Any, found: Any) -> None:
    """Fill in the values of the states with these stages, and keys or numbers."""
    for stage in np.unique(stages).tolist():
        table = solution.tables.get(stage)
        if table is None:
            continue
        here = np.flatnonzero(stages == stage)
        numbers = table.find_many(places[here])
        here, numbers = here[numbers != NOT_FOUND], numbers[numbers != NOT_FOUND]
        found[here] = stored_values(solution, table, numbers)


def stored_values(solution: Solution, table: Table, places: Any) -> Any:
    """The values at these places of a table, as a record array."""
    entries = table.entries_at(places)
    found = value_array(len(places))
    if solution.header.values == EXPECTATION:
        if np.isinf(entries).any():
            raise solution._damaged(float(entries[np.isinf(entries)][0]))
        found.score = (entries + table.uppers_at(places)) / 2
        return found
    distinct, which = np.unique(entries, return_inverse=True)
    values = value_array(len(distinct))
    for row, entry in zip(values, distinct.tolist(), strict=True):
        value = solution._value_of_entry(table, entry)
        if value is not None:
            plies = NO_PLIES if value.plies is None else value.plies
            row.score, row.outcome, row.plies, row.repetition = value.score, value.outcome, plies, value.repetition
    return values[which]
