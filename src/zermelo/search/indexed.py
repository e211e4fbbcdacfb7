"""Indexed: a game whose moves are not ints, as one whose moves are: the first is 0, the next 1, and so on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zermelo.game import Game, Move, State


class Indexed(Game):
    """Stands in for a game inside kernels, which keep moves in words; it is always interpreted."""

    game: Any

    def has(self, rule: str) -> bool:
        return bool(self.game.has(rule))

    def initial(self) -> State:
        return self.game.initial()

    def moves(self, state: State) -> Iterable[int]:
        return range(len(self.listed(state)))

    def candidates(self, state: State) -> Iterable[int]:
        listed = self.listed(state)
        return [listed.index(move) for move in self.game.candidates(state)]

    def listed(self, state: State) -> list[Move]:
        return list(self.game.moves(state))

    def play(self, state: State, move: int) -> State:
        if self.game.is_chance(state):
            return self.game.play(state, move)
        return self.game.play(state, self.listed(state)[move])

    def result(self, state: State) -> int:
        return int(self.game.result(state))

    def order(self, state: State, move: int) -> int:
        return int(self.game.order(state, self.listed(state)[move]))

    def noisy(self, state: State, move: int) -> bool:
        return bool(self.game.noisy(state, self.listed(state)[move]))

    def __getattribute__(self, name: str) -> Any:
        """Whatever does not concern moves is the game's own."""
        if name in _DELEGATED:
            return getattr(object.__getattribute__(self, "game"), name)
        return object.__getattribute__(self, name)


_DELEGATED = frozenset({
    "stuck", "mover", "is_chance", "chances", "evaluate", "features", "forcing", "skip", "bounds",
    "symmetries", "canonical", "key", "stage", "loops", "margin", "reductions", "alternates", "payoff_bounds",
    "weights", "state_text",
})  # fmt: skip
