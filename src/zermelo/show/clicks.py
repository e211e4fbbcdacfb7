"""Clicks: how a sequence of clicked squares becomes a move. The same on every board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.board import EMPTY, Board, Grid, Piles, Tables, parts_of
from zermelo.game import Game, Move, State
from zermelo.show.move_steps import follow, left_of


class Match(NamedTuple):
    """A move that matches the clicked squares, the squares that can be clicked next, and whether it is complete."""

    move: Move
    next: set[int]
    complete: bool


@dataclass(frozen=True)
class Clicks:
    """The squares clicked so far, and the legal moves that begin with them.

    A move is chosen once it is the only match and all its squares, or at least two of them, are clicked. If several
    moves have the same squares, the user chooses among their texts. A click that matches no move starts again. On
    tables a move consists of steps, all of which are clicked, in any order.

    >>> from zermelo.games.registry import load
    >>> game = load("connect_four")
    >>> clicks = Clicks.on(game, game.initial(), list(game.moves(game.initial())))
    >>> clicks.click(3).move, clicks.click(3).squares       # anywhere in a column where pieces fall
    (3, (38,))
    """

    board: Board | None
    moves: tuple[tuple[Move, tuple[int, ...]], ...]
    """Every legal move with its squares."""
    squares: tuple[int, ...] = ()

    @classmethod
    def on(cls, game: Game, state: State, moves: Sequence[Move]) -> Clicks:
        """Return the start, without a click, in a state with these legal moves."""
        return cls(game.board(state), tuple((move, tuple(game.squares(state, move))) for move in moves))

    def click(self, square: int) -> Clicks:
        """Add a square; the same one again takes it back, unless a move returns to it."""
        again = self.squares and square == self.squares[-1]
        if again and not self._with((*self.squares, square)).candidates:
            return self._with(self.squares[:-1])
        begun = len(self.squares) % 2 if stepwise(self.board) else 0  # a step that can begin elsewhere
        for before in (self.squares, self.squares[:-1] if begun else (), ()):
            for landing in self._meant(square):
                further = self._with((*before, landing))
                if further.candidates:
                    return further
        return self._with(())

    def anew(self) -> Clicks:
        """Nothing clicked."""
        return self._with(())

    @property
    def candidates(self) -> list[Move]:
        """The moves that begin with the squares clicked."""
        return [match.move for match in self._matches()]

    @property
    def move(self) -> Move | None:
        """The move that is meant, once that is certain."""
        matches = self._matches() if self.squares else []
        if len(matches) != 1:
            return None
        enough = len(self.squares) > 1 and not stepwise(self.board)
        return matches[0].move if matches[0].complete or enough else None

    @property
    def choices(self) -> list[Move]:
        """The moves among which no further click decides: those with exactly these squares, where there are several."""
        matches = self._matches() if self.squares else []
        return [match.move for match in matches if match.complete] if len(matches) > 1 else []

    @property
    def targets(self) -> list[int]:
        """The squares that can be clicked next."""
        return sorted(set().union(*(match.next for match in self._matches())))

    def _matches(self) -> list[Match]:
        if not stepwise(self.board):
            count = len(self.squares)
            begun = [(move, squares) for move, squares in self.moves if squares[:count] == self.squares]
            return [Match(move, set(squares[count : count + 1]), len(squares) == count) for move, squares in begun]
        left = left_of([squares for _, squares in self.moves], self.squares)
        return [
            Match(move, follow(steps, self.squares), not steps)
            for (move, _), steps in zip(self.moves, left, strict=True)
            if steps is not None
        ]

    def _with(self, squares: tuple[int, ...]) -> Clicks:
        return Clicks(self.board, self.moves, squares)

    def _meant(self, square: int) -> list[int]:
        """The square itself; also the one of its column on which a piece would land, or that of an equal pile."""
        twin = alike(self.board).get(square)
        if twin is not None:
            return [square, twin]
        first = 0
        for part in parts_of(self.board):
            if isinstance(part, Grid) and part.drop and first <= square < first + len(part):
                width, cells = len(part.cells[0]), "".join(part.cells)
                column = [at for at in range(first, first + len(part)) if (at - square) % width == 0]
                return [square, *(at for at in column if at != square and cells[at - first] == EMPTY)]
            first += 0 if part is None else len(part)
        return [square]


def alike(board: Board | None) -> dict[int, int]:
    """Return the squares of piles that equal an earlier one, each with the square of that pile.

    >>> from zermelo.board import Piles
    >>> alike(Piles((1, 2, 2), room=2))
    {4: 2, 5: 3}
    """
    found: dict[int, int] = {}
    first = 0
    for part in parts_of(board):
        if isinstance(part, Piles) and part.room:
            for pile, count in enumerate(part.counts):
                away = (pile - part.counts.index(count)) * part.room
                squares = range(first + pile * part.room, first + pile * part.room + count)
                found |= {square: square - away for square in squares if away}
        first += 0 if part is None else len(part)
    return found


def stepwise(board: Board | None) -> bool:
    """Return whether moves on a board are made of steps in any order.

    >>> from zermelo.board import Together
    >>> stepwise(Tables((2, -2))), stepwise(Together((Tables((2, -2)),))), stepwise(Grid(("..",)))
    (True, True, False)
    """
    return any(isinstance(part, Tables) for part in parts_of(board))
