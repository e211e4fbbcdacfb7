"""Indexed: a game with any kind of moves, as one whose moves are ints of the machine.

An int stays what it is, so that interpreted and compiled searches see the same numbers; another move is its place in
the list of moves, counted from FIRST on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zermelo.game import Game, Move, State

FIRST = 1 << 60
"""The number of the first move that is no int; ints as large as that are not taken for one."""


class Indexed(Game):
    """Stands in for a game inside kernels, which keep moves in words; it is always interpreted."""

    game: Any

    def has(self, rule: str) -> bool:
        return bool(self.game.has(rule))

    def initial(self) -> State:
        return self.game.initial()

    def moves(self, state: State) -> Iterable[int]:
        return [_number(move, place) for place, move in enumerate(self.game.moves(state))]

    def candidates(self, state: State) -> Iterable[int]:
        listed = list(self.game.moves(state))
        return [_number(move, listed.index(move)) for move in self.game.candidates(state)]

    def move(self, state: State, number: int) -> Move:
        """The move of the game that a number stands for."""
        return list(self.game.moves(state))[number - FIRST] if number >= FIRST else number

    def line(self, state: State, numbers: Iterable[int]) -> tuple[Move, ...]:
        """The moves that the numbers of a line stand for."""
        moves = []
        for number in numbers:
            moves.append(self.move(state, number))
            state = self.game.play(state, moves[-1])
        return tuple(moves)

    def play(self, state: State, move: int) -> State:
        return self.game.play(state, move if self.game.is_chance(state) else self.move(state, move))

    def result(self, state: State) -> int:
        return int(self.game.result(state))

    def order(self, state: State, move: int) -> int:
        return int(self.game.order(state, self.move(state, move)))

    def noisy(self, state: State, move: int) -> bool:
        return bool(self.game.noisy(state, self.move(state, move)))

    def __getattribute__(self, name: str) -> Any:
        """Whatever does not concern moves is the game's own."""
        if name in _DELEGATED:
            return getattr(object.__getattribute__(self, "game"), name)
        return object.__getattribute__(self, name)


def _number(move: Move, place: int) -> int:
    return move if type(move) is int and abs(move) < FIRST else FIRST + place


_DELEGATED = frozenset({
    "stuck", "mover", "is_chance", "chances", "evaluate", "features", "forcing", "skip", "bounds",
    "symmetries", "canonical", "key", "stage", "loops", "margin", "reductions", "alternates", "payoff_bounds",
    "weights", "state_text",
})  # fmt: skip
