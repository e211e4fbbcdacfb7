"""Steps: a move on tables consists of several, two squares each, which may be clicked in any order.

A checker that makes several steps may be sent to its last square at once. If two paths of it lead to the same position,
so that only one is a move, a step of the other path is accepted as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

Step = tuple[int, int]
"""The from-square and the to-square."""


def steps_of(squares: Sequence[int]) -> list[Step]:
    """Return the steps of a move, or the complete steps of a sequence of clicks.

    >>> steps_of((7, 4, 5))
    [(7, 4)]
    """
    return list(zip(squares[::2], squares[1::2], strict=False))


def left_of(moves: Sequence[Sequence[int]], clicked: Sequence[int]) -> list[list[Step] | None]:
    """Return the steps left of each move after these clicks, the last of which may begin a step; None for no match.

    >>> left_of([(7, 4, 5, 4), (12, 6, 6, 1)], (5, 4))
    [[(7, 4)], None]
    >>> left_of([(12, 6, 6, 1), (12, 7, 5, -1)], (12, 7))
    [[(7, 1)], [(5, -1)]]
    """
    plays, done = [steps_of(squares) for squares in moves], steps_of(clicked)
    found = [_left(steps, done) for steps in plays]
    if None in found:
        listed, results = {step for steps in plays for step in steps}, Counter(map(_change, plays))
        for number, steps in enumerate(plays):
            if found[number] is None and results[_change(steps)] == 1:
                found[number] = _another_way(steps, done, listed)
    if len(clicked) % 2:
        return [None if left is None or not ways(left, clicked[-1]) else left for left in found]
    return found


def follow(left: Sequence[Step], clicked: Sequence[int]) -> set[int]:
    """Return the squares to click next: where the checker can go, or which checkers can move.

    >>> follow([(12, 6), (6, 1)], ()), sorted(follow([(12, 6), (6, 1)], (12,)))
    ({12}, [1, 6])
    """
    if len(clicked) % 2:
        return set(ways(left, clicked[-1]))
    awaited = {target for _, target in left} - {target for _, target in steps_of(clicked)}
    return {origin for origin, _ in left if origin not in awaited}


def ways(left: Iterable[Step], origin: int) -> dict[int, list[Step]]:
    """Return the squares that a checker can reach by these steps, and the steps that lead there."""
    found: dict[int, list[Step]] = {}
    reached: list[tuple[int, list[Step]]] = [(origin, [])]
    for at, way in reached:
        for step in left:
            if step[0] == at and step[1] not in found:
                found[step[1]] = [*way, step]
                reached.append((step[1], found[step[1]]))
    return found


def _left(steps: list[Step], done: list[Step]) -> list[Step] | None:
    left = list(steps)
    for origin, target in done:
        way = ways(left, origin).get(target)
        if way is None:
            return None
        for step in way:
            left.remove(step)
    return left


def _another_way(steps: list[Step], done: list[Step], listed: set[Step]) -> list[Step] | None:
    """Return the steps left of the only move with its result when other `listed` steps were clicked: the one step that
    makes up the difference, or none; None if they do not lead there.
    """
    change = dict(_change([*steps, *((target, origin) for origin, target in done)]))
    if len(steps) == len(done) and not change:
        return []
    if len(steps) == len(done) + 1 and sorted(change.values()) == [-1, 1] and listed.issuperset(done):
        origin, target = sorted(change, key=change.__getitem__)
        return [(origin, target)]
    return None


def _change(steps: Iterable[Step]) -> frozenset[tuple[int, int]]:
    """Return the change in the number of checkers on each square."""
    change: Counter[int] = Counter()
    for origin, target in steps:
        change[target] += 1
        change[origin] -= 1
    return frozenset((square, more) for square, more in change.items() if more)
