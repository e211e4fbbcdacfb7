"""Who plays whom in a tournament: everybody, one against the others, or neighbours in the standings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

KINDS_OF_TOURNAMENT = ("round robin", "gauntlet", "swiss")


def round_robin(players: int) -> list[tuple[int, int]]:
    """Everybody against everybody.

    >>> round_robin(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(players), 2))


def gauntlet(players: int) -> list[tuple[int, int]]:
    """The first player against each of the others.

    >>> gauntlet(4)
    [(0, 1), (0, 2), (0, 3)]
    """
    return [(0, other) for other in range(1, players)]


def swiss_round(points: Sequence[float], met: Collection[frozenset[int]], resting: Collection[int] = ()) -> Round:
    """The next round of a Swiss tournament: players with as many points play, who have not met yet if that is possible.

    With an odd number of players, the last one in the standings who has not rested yet rests.

    >>> swiss_round([2, 2, 0, 0], {frozenset({0, 1})})
    ([(0, 2), (1, 3)], None)
    >>> swiss_round([1, 1, 0], set())
    ([(0, 1)], 2)
    """
    standings = sorted(range(len(points)), key=lambda player: (-points[player], player))
    rests = None
    if len(standings) % 2:
        fresh = [player for player in standings if player not in resting]
        rests = (fresh or standings)[-1]
        standings.remove(rests)
    pairs = _pair(standings, met)
    if pairs is None:  # everybody has met everybody
        pairs = list(zip(standings[::2], standings[1::2], strict=True))
    return pairs, rests


Round = tuple[list[tuple[int, int]], "int | None"]
"""The pairs of a round, and who rests."""


def _pair(standings: list[int], met: Collection[frozenset[int]]) -> list[tuple[int, int]] | None:
    """Pairs of neighbours in the standings who have not met, by backtracking; None if there are none."""
    if not standings:
        return []
    first, *others = standings
    for other in others:
        if frozenset({first, other}) not in met:
            rest = _pair([player for player in others if player != other], met)
            if rest is not None:
                return [(first, other), *rest]
    return None
