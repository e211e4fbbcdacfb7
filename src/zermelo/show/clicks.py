"""Clicks: how squares that a person points at, one after the other, become a move. The same on every board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.board import Board, Grid, Together
from zermelo.game import Game, Move, State


@dataclass(frozen=True)
class Clicks:
    """The squares clicked so far, and the legal moves that begin with them.

    A move is meant once it is the only one left and all its squares are clicked, or two at least, whatever else it
    touches. Where several have the same squares, a person chooses among their texts. A click that leads nowhere begins
    anew.

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
        """Nothing clicked yet, in a state with these legal moves."""
        return cls(game.board(state), tuple((move, tuple(game.squares(state, move))) for move in moves))

    def click(self, square: int) -> Clicks:
        """One square more; the same one again takes it back, unless a move comes back to it."""
        again = self.squares and square == self.squares[-1]
        if again and not self._with((*self.squares, square)).candidates:
            return self._with(self.squares[:-1])
        for before in (self.squares, ()):
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
        count = len(self.squares)
        return [move for move, squares in self.moves if squares[:count] == self.squares]

    @property
    def move(self) -> Move | None:
        """The move that is meant, once that is certain."""
        left = [(move, squares) for move, squares in self.moves if squares[: len(self.squares)] == self.squares]
        if not self.squares or len(left) != 1:
            return None
        move, squares = left[0]
        return move if len(self.squares) >= min(2, len(squares)) else None

    @property
    def choices(self) -> list[Move]:
        """The moves among which no further click decides: those with exactly these squares, where there are several."""
        exact = [move for move, squares in self.moves if self.squares and squares == self.squares]
        return exact if len(self.candidates) > 1 else []

    @property
    def targets(self) -> list[int]:
        """The squares that can be clicked next."""
        count = len(self.squares)
        follow = {squares[count] for _, squares in self.moves if squares[:count] == self.squares and squares[count:]}
        return sorted(follow)

    def _with(self, squares: tuple[int, ...]) -> Clicks:
        return Clicks(self.board, self.moves, squares)

    def _meant(self, square: int) -> list[int]:
        """The square itself; where pieces fall, the one of its column on which one would land."""
        first = 0
        for part in self.board.parts if isinstance(self.board, Together) else (self.board,):
            if isinstance(part, Grid) and part.drop and first <= square < first + len(part):
                width = len(part.cells[0])
                return [at for at in range(first, first + len(part)) if (at - square) % width == 0]
            first += 0 if part is None else len(part)
        return [square]
