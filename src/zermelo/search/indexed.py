"""Indexed: a game with any kind of moves, as one whose moves are ints of the machine.

An int stays what it is, so that interpreted and compiled searches see the same numbers; another move is its place in
the list of moves, counted from FIRST on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zermelo.game import Game, GameError, Move, State

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
        return self._whole("result", state, self.game.result(state))

    def stuck(self, state: State) -> int:
        return self._whole("stuck", state, self.game.stuck(state))

    def order(self, state: State, move: int) -> int:
        return self._whole("order", state, self.game.order(state, self.move(state, move)))

    def noisy(self, state: State, move: int) -> bool:
        return bool(self.game.noisy(state, self.move(state, move)))

    def evaluate(self, state: State) -> Any:
        judged = self.game.evaluate(state)
        try:
            return judged if isinstance(judged, int | float) else float(judged)
        except (TypeError, ValueError):
            raise self._wrong("evaluate", state, judged, "a number") from None

    def bounds(self, state: State) -> tuple[int, int]:
        scores = self.game.bounds(state)
        try:
            low, high = scores
            return int(low), int(high)
        except (TypeError, ValueError):
            raise self._wrong("bounds", state, scores, "two scores, (low, high)") from None

    def skip(self, state: State) -> State:
        skipped = self.game.skip(state)
        if type(skipped) is not type(state):
            raise self._wrong("skip", state, skipped, "a state")
        return skipped

    def _whole(self, rule: str, state: State, answer: Any) -> int:
        try:
            return int(answer)
        except (TypeError, ValueError):
            raise self._wrong(rule, state, answer, "a whole number") from None

    def _wrong(self, rule: str, state: State, answer: Any, wanted: str) -> GameError:
        return wrong_answer(self.game, rule, state, answer, wanted)

    def __getattribute__(self, name: str) -> Any:
        """Whatever does not concern moves is the game's own."""
        if name in _DELEGATED:
            return getattr(object.__getattribute__(self, "game"), name)
        return object.__getattribute__(self, name)


def wrong_answer(game: Game, rule: str, state: State, answer: Any, wanted: str) -> GameError:
    """The sentence for a rule that answers with something else than is asked for."""
    missing = " (is a `return` missing?)" if answer is None else ""
    return GameError(f"{game!r}: `{rule}` returned {answer!r}{missing} in {game.state_text(state)}, not {wanted}.")


def _number(move: Move, place: int) -> int:
    return move if type(move) is int and abs(move) < FIRST else FIRST + place


_DELEGATED = frozenset({
    "mover", "is_chance", "chances", "features", "forcing", "symmetries", "canonical", "key", "stage", "loops",
    "margin", "reductions", "alternates", "payoff_bounds", "weights", "state_text", "_known",
})  # fmt: skip
