"""Handlers of requests about solutions: solving a game, its statistics, and perfect play."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

from zermelo.app.web import serialisation
from zermelo.app.web.game_catalog import LoadedGame
from zermelo.app.web.pools.search_pool import Job, SearchControl
from zermelo.app.web.request_errors import ApiError
from zermelo.game import Game, GameError, State
from zermelo.games.support.position_text import RULE_ERRORS
from zermelo.solving.estimation.size_estimate import estimate
from zermelo.solving.plan import EXPECTATION
from zermelo.solving.progress import Progress
from zermelo.solving.solution import Solution
from zermelo.solving.solve_api import solve

MAX_SOLVED_STATES = 3_000_000
"""States of the largest game that a visitor may have solved."""

SOLVE_MEMORY = "1GB"
SOLVE_SECONDS = 300.0
"""Seconds without news after which a solve counts as endless; compiling its kernels is the longest silence."""

HEARTBEAT = 2.0
"""Seconds without news after which the last progress is sent again: clients and proxies give up a silent connection."""

PERFECT_TREE_NODES, PERFECT_TREE_BRANCHES = 80, 3
"""Nodes of a tree of perfect play, and best moves that are shown of a state."""

ZUGZWANG_STATES, ZUGZWANG_SECONDS = 4000, 1.5
"""States that are examined for zugzwang, and how long."""

EXAMPLES = 6
"""Positions that are shown of each kind."""

OTHER_PLAYER = {"w": "b", "b": "w", "X": "O", "O": "X"}
"""How notations name the player to move, and the other one."""


class SolveStopped(Exception):
    """The client has stopped the solve."""


def solve_game(loaded: LoadedGame) -> Job:
    """Solve a game that is small enough, with its progress; the solution is kept for all requests."""

    def job(control: SearchControl) -> Iterator[Any]:
        if loaded.solution is None:
            for found in _solving(loaded, control):
                if isinstance(found, Solution):
                    loaded.keep_solution(found)
                else:
                    yield found
        yield {"phase": "done", "states": 0, "solved": 0, "expected": None, "seconds_left": None}

    return job


def _solving(loaded: LoadedGame, control: SearchControl) -> Iterator[dict[str, Any] | Solution]:
    """Yield the progress of a solve, which runs in a thread of its own, then the solution."""
    game = loaded.game
    news: SimpleQueue[dict[str, Any] | Solution | BaseException] = SimpleQueue()

    def listen(progress: Progress) -> None:
        if control.stopped:
            raise SolveStopped
        if progress.states > MAX_SOLVED_STATES:
            raise too_large(loaded, f"more than {MAX_SOLVED_STATES:,} states")
        news.put(serialisation.solve_progress(progress))

    def run() -> None:
        try:
            for quick in (True, False):  # no solve is refused because of a rough estimate, nor is its figure shown
                if control.stopped:
                    raise SolveStopped
                needed = estimate(game, quick=quick)
                if needed.states <= MAX_SOLVED_STATES:
                    break
            else:
                raise too_large(loaded, needed.states_text)
            news.put(solve(game, memory=SOLVE_MEMORY, force=True, progress=listen))
        except BaseException as error:
            news.put(error)

    control.announce_duration(SOLVE_SECONDS)
    threading.Thread(target=run, daemon=True, name="solve").start()
    found: dict[str, Any] | Solution | BaseException
    found = {"phase": "preparing", "states": 0, "solved": 0, "expected": None, "seconds_left": None}
    while not isinstance(found, BaseException):
        yield found
        if isinstance(found, Solution):
            return
        try:
            found = news.get(timeout=HEARTBEAT)
            control.announce_duration(SOLVE_SECONDS)
        except Empty:
            if control.stopped:
                return
    if not isinstance(found, SolveStopped):
        raise found


def too_large(loaded: LoadedGame, states: str) -> GameError:
    name = serialisation.title(loaded)
    return GameError(f"{name} is too large to be solved here: it has {states}, and {MAX_SOLVED_STATES:,} are the most.")


# -- statistics ------------------------------------------------------------------------------------------------------


def statistics(solution: Solution) -> dict[str, Any]:
    """Counts of a solution, by stage and by distance, and positions that stand out."""
    by_stage = [{"stage": stage, **_outcomes(solution, stage)} for stage in sorted(_stages(solution))]
    distances = [
        {"outcome": name, "plies": plies, "states": count} for (name, plies), count in solution.distances().items()
    ]
    return serialisation.json_record({
        "states": len(solution),
        "positions": solution.positions,
        "outcomes": solution.outcomes(),
        "stages": by_stage if len(by_stage) > 1 else [],
        "distances": distances,
        "longest": [serialisation.thumbnail(solution, state) for state in solution.longest(EXAMPLES)],
        "zugzwang": zugzwang(solution),
    })  # fmt: skip


def _stages(solution: Solution) -> set[int]:
    """The stages whose outcomes are counted; expectations are not."""
    return set() if solution.header.values == EXPECTATION else {count.stage for count in solution.header.counts}


def _outcomes(solution: Solution, stage: int) -> dict[str, int]:
    """The states of a stage that are won, drawn and lost for the player to move."""
    counts = solution.counts(stage)
    found = {"win": 0, "draw": 0, "loss": 0}
    for name, number in counts.items():
        points = None if name in ("win", "draw", "draw by repetition", "loss", "states") else int(name)
        if points is not None:
            name = "win" if points > 0 else "loss" if points < 0 else "draw"
        if name != "states":
            found["draw" if name.startswith("draw") else name] += number
    return found


def zugzwang(solution: Solution) -> dict[str, Any]:
    """Positions in which the player to move would rather pass, among some that are spread over the solution.

    The position after a pass is read in the game's own notation, with the other player to move; a game whose notation
    does not name the player has none.
    """
    game, end = solution.game, time.monotonic() + ZUGZWANG_SECONDS
    examined, found = 0, []
    step = max(1, len(solution) // ZUGZWANG_STATES)
    for state in islice(solution, 0, None, step) if step < 100 else ():
        passed = _passed(game, state) if time.monotonic() < end else None
        if passed is None:
            break
        examined += 1
        if passed in solution and _prefers(solution, passed, state):
            found.append(state)
    examples = [serialisation.thumbnail(solution, state) for state in found[:EXAMPLES]]
    return {"examined": examined, "found": len(found), "examples": examples}


def _passed(game: Game, state: State) -> State | None:
    """The same position with the other player to move, as the game's notation writes it; None if it cannot."""
    words = game.state_text(state).split(" ")
    named = [place for place, word in enumerate(words) if place and word in OTHER_PLAYER]
    if len(named) != 1:
        return None
    words[named[0]] = OTHER_PLAYER[words[named[0]]]
    try:
        return game.parse_state(" ".join(words))
    except RULE_ERRORS:
        return state  # the other player cannot be to move here: it counts as no zugzwang


def _prefers(solution: Solution, passed: State, state: State) -> bool:
    """Whether the player to move gets a better outcome by a pass than by any move."""
    after, here = solution.value(passed).outcome, solution.value(state).outcome
    return passed != state and after is not None and here is not None and -after > here


# -- perfect play ----------------------------------------------------------------------------------------------------


def perfect_tree(solution: Solution, state: State, player: int) -> dict[str, Any]:
    """The best moves of a state, their best replies and so on: as many plies as fit into PERFECT_TREE_NODES."""
    if state not in solution:
        raise ApiError(422, f"{solution.game!r}: the solution does not have {solution.game.state_text(state)}.")
    depth, tree = 1, _best_moves(solution, state, player, 1)
    while True:
        deeper = _best_moves(solution, state, player, depth + 1)
        if _size(deeper) > PERFECT_TREE_NODES or _size(deeper) == _size(tree):
            return serialisation.json_record({"moves": tree})
        depth, tree = depth + 1, deeper


def _best_moves(solution: Solution, state: State, player: int, depth: int) -> list[dict[str, Any]]:
    game = solution.game
    if not depth or game.is_chance(state):
        return []
    found = []
    for move in solution.best(state)[:PERFECT_TREE_BRANCHES]:
        after = game.play(state, move)
        turn = serialisation.mover_after(game, after, player)
        known = solution.moves(state)[move]
        found.append({
            "text": game.move_text(state, move),
            "player": player,
            "value": serialisation.value(game, known, player),
            "moves": _best_moves(solution, after, turn, depth - 1),
        })  # fmt: skip
    return found


def _size(moves: list[dict[str, Any]]) -> int:
    return sum(1 + _size(move["moves"]) for move in moves)
