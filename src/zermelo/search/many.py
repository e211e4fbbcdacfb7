"""Many states proven in one compiled call."""

from __future__ import annotations

import time
from typing import Any

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.limits import Limit
from zermelo.search.deepening import Search
from zermelo.search.exact import prove_many
from zermelo.search.memory import AGE, DEEPEST, MOST, WIDEST, new_memory
from zermelo.search.report import Line, Report
from zermelo.search.table import new_table
from zermelo.value import Value


def prove_states(game: Game, states: list[State], megabytes: float) -> list[Report]:
    """A Report of each state: proven value, a best move, nodes, and its share of the time."""
    import numpy as np

    if not states:
        return []
    table = new_table(megabytes)
    rows = _rows(states)
    if rows is None or not _compiled(game, rows, table):
        return [_one_by_one(game, state, table) for state in states]
    count = len(states)
    scores, moves, nodes = (np.zeros(count, np.int64) for _ in range(3))
    start = time.perf_counter()
    width, done = 64, 0
    while done < count:
        memory = _memory(width)
        part = slice(done, None)
        done += prove_many(game, rows[part], scores[part], moves[part], nodes[part], 1.0, table, memory)
        if done < count and not memory[WIDEST]:
            raise GameError(
                f"{game!r}: {game.state_text(states[done])} can go on for more than {DEEPEST} plies, "
                "which is deeper than exact search goes."
            )
        width = max(width, 2 * memory[WIDEST])
    seconds = (time.perf_counter() - start) / count
    found = zip(states, scores.tolist(), moves.tolist(), nodes.tolist(), strict=True)
    return [_report(game, state, score, move, visited, seconds) for state, score, move, visited in found]


def _memory(width: int) -> Any:
    memory = new_memory(width)
    memory[AGE], memory[MOST] = 1, 1 << 62
    return memory


def _rows(states: list[State]) -> Any:
    """The numbers of each state in a row of words; None where they are not all whole numbers of 64 bits."""
    import numpy as np

    rows = [list(_numbers(state)) for state in states]
    if any(type(number) not in (int, bool) or not -(1 << 63) <= number < 1 << 63 for row in rows for number in row):
        return None
    return np.array(rows, np.int64)


def _numbers(part: Any) -> Any:
    if isinstance(part, tuple):
        for inner in part:
            yield from _numbers(inner)
    else:
        yield part


def _compiled(game: Game, rows: Any, table: Any) -> bool:
    """Whether the batch can run as machine code."""
    import numpy as np

    spare = np.zeros(1, np.int64)
    return bool(prove_many.ready(game, rows[:0], spare, spare, spare, 1.0, table, _memory(1)))


def _one_by_one(game: Game, state: State, table: Any) -> Report:
    search = Search(game, state, Limit(), table)
    search.prepare(exact=True)
    start = time.perf_counter()
    for _ in search.reports(start, exact=True):
        pass
    return search.report(time.perf_counter() - start)


def _report(game: Game, state: State, score: int, move: int, nodes: int, seconds: float) -> Report:
    value = Value.of(score, exact=True, margin=game.margin).seen_by(rules.mover(game, state))
    return Report(game, state, (Line(value, (move,)),), depth=0, nodes=nodes, seconds=seconds)
