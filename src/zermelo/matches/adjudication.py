"""Adjudication: games that end before the rules end them, since both players agree how they will.

Both must say so, each about several of its own moves in a row; so nobody can claim a game by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.arguments import check_int, check_number
from zermelo.game import GameError


@dataclass(frozen=True)
class Resignation:
    """A player has lost who is behind by `points` in the last `moves` evaluations of both players."""

    points: float
    moves: int


@dataclass(frozen=True)
class DrawAgreement:
    """A game is drawn where the last `moves` evaluations of both are at most `points`, from a ply on."""

    points: float
    moves: int
    ply: int = 0


class Adjudication:
    """The evaluations of both players in one game, each seen by the first player, and what they agree on.

    >>> told = Adjudication(Resignation(5, 2))
    >>> for side, points in ((0, 6.0), (1, 4.0), (0, 7.0), (1, 8.0), (0, 9.0), (1, 9.0)):
    ...     told.note(side, points)
    >>> told.winner
    0
    """

    def __init__(self, resign: Resignation | None = None, draw: DrawAgreement | None = None) -> None:
        self.resign, self.draw = resign, draw
        self.evaluations: tuple[list[float | None], list[float | None]] = ([], [])

    def note(self, side: int, evaluation: float | None) -> None:
        """Note what a player says of its move; None is no answer."""
        self.evaluations[side].append(evaluation)

    @property
    def winner(self) -> int | None:
        """The side that has won by agreement; None if there is none."""
        if self.resign is None:
            return None
        last = self._last(self.resign.moves)
        points = self.resign.points
        if last and min(last) >= points:
            return 0
        return 1 if last and max(last) <= -points else None

    def drawn(self, plies: int) -> bool:
        """Whether the game is a draw by agreement after a number of plies."""
        if self.draw is None or plies < self.draw.ply:
            return False
        last = self._last(self.draw.moves)
        return bool(last) and max(map(abs, last)) <= self.draw.points

    def _last(self, moves: int) -> list[float]:
        """The last evaluations of both; nothing where one has made fewer moves, or has not told all."""
        last = [each for side in self.evaluations for each in side[-moves:]]
        told = [each for each in last if each is not None]
        return told if len(told) == 2 * moves else []


def checked_resignation(where: str, given: Sequence[float] | None) -> Resignation | None:
    """The rule that an argument names. Raise GameError if it is none."""
    if given is None:
        return None
    points, moves = _numbers(where, "resign", given, 2)
    check_number(f"{where}, resign", above_zero=True, points=points)
    check_int(f"{where}, resign", least=1, moves=moves)
    return Resignation(points, moves)


def checked_draw(where: str, given: Sequence[float] | None) -> DrawAgreement | None:
    """The rule that an argument names. Raise GameError if it is none."""
    if given is None:
        return None
    points, moves, ply = _numbers(where, "draw", given, 3)
    check_number(f"{where}, draw", least=0, points=points)
    check_int(f"{where}, draw", least=1, moves=moves)
    check_int(f"{where}, draw", least=0, ply=ply)
    return DrawAgreement(points, moves, ply)


def _numbers(where: str, name: str, given: Sequence[float], count: int) -> list[Any]:
    if not isinstance(given, tuple | list) or len(given) != count:
        wanted = "points and moves" if count == 2 else "points, moves and a ply"
        raise GameError(f"{where}: {name} must be {wanted}, not {given!r}.")
    return list(given)
