"""A perfect game, which gets on: its points are not put off for ever.

Of points no distance is stored, and a best move may lead round in a circle, where the points that a player could force
are never paid. So the states that best moves lead to are walked, and their distances are found from the ends backward.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo import rules
from zermelo.game import ONGOING, Move, State

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution

MAX_WALKED = 5_000
"""States that are walked. Where the end is farther away, the first best move is played."""


def perfect_line(solution: Solution, state: State, *, ranked: bool) -> list[Move]:
    """Return a best move by turns, until the game ends, repeats, or chance moves.

    With `ranked`, a player to whom play without end is not worth as much plays towards the end.
    """
    ranks = plies_to_end(solution, state) if ranked and solution.value(state).score else {}
    moves: list[Move] = []
    seen = set()
    while state not in seen and (best := solution.best(state)):
        seen.add(state)
        moves.append(_nearest(solution, state, best, ranks))
        state = solution.game.play(state, moves[-1])
    return moves


def plies_to_end(solution: Solution, state: State) -> dict[State, int]:
    """Return in how many plies one player forces the end, by best moves of both, for the states where that is known.

    `state` is worth points to that player. All states that best moves lead to are worth as many, and all their ends pay
    as many.
    """
    after = _walk(solution, state)
    ranks = {each: 0 for each in after if rules.payoff(solution.game, each) != ONGOING}
    before: dict[State, list[State]] = {}
    for each, successors in after.items():
        for successor in successors:
            before.setdefault(successor, []).append(each)
    left = {each: 1 if solution.value(each).score > 0 else len(successors) for each, successors in after.items()}
    reached = list(ranks)
    for each in reached:  # the list grows during the loop, in the order of the plies
        for earlier in before.get(each, ()):
            left[earlier] -= 1
            if left[earlier] == 0:
                ranks[earlier] = ranks[each] + 1
                reached.append(earlier)
    return ranks


def _walk(solution: Solution, state: State) -> dict[State, list[State]]:
    """Return the states that best moves lead to, the nearest MAX_WALKED, with their successors by best moves."""
    after: dict[State, list[State]] = {}
    waiting, listed = [state], {state}
    for each in waiting:  # the list grows during the loop
        if len(after) == MAX_WALKED:
            break
        after[each] = list(dict.fromkeys(solution.game.play(each, move) for move in solution.best(each)))
        waiting += [successor for successor in after[each] if successor not in listed]
        listed.update(after[each])
    return after


def _nearest(solution: Solution, state: State, best: list[Move], ranks: dict[State, int]) -> Move:
    """Return the first of the best moves that lead nearest to the end; the first of all where no end is in sight."""
    known = [move for move in best if solution.game.play(state, move) in ranks]
    return min(known, key=lambda move: ranks[solution.game.play(state, move)]) if state in ranks else best[0]
