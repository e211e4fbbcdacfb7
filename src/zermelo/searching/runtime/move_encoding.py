"""Indexed: a game with any kind of moves and chance outcomes, as one in which they are ints of the machine.

An int stays what it is, so that interpreted and compiled searches see the same numbers; another move is its place in
the list of moves, another outcome its place in the list of outcomes, counted from FIRST on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from zermelo.game import Game, Move, State
from zermelo.rules import bounded, checked_evaluation, has_chance, legal_actions, rule_error
from zermelo.value import INFINITY, Score

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
        return [_number(move, place) for place, move in enumerate(self._ended("moves", state))]

    def candidates(self, state: State) -> Iterable[int]:
        if not self.game.has("candidates"):
            return self.moves(state)
        chosen = list(self._ended("candidates", state))
        if all(_is_word(move) for move in chosen):
            return chosen
        places: list[Move] = list(self._ended("moves", state))
        for move in chosen:
            if move not in places:
                raise rule_error(self.game, "candidates", state, move, "moves of this state alone")
        return [_number(move, places.index(move)) for move in chosen]

    def _ended(self, rule: str, state: State) -> Iterable[Move]:
        return bounded(self.game, rule, state, getattr(self.game, rule)(state))

    def chances(self, state: State) -> Iterable[tuple[int, float]]:
        chances = enumerate(self.game.chances(state))
        return [(_number(outcome, place), probability) for place, (outcome, probability) in chances]

    def move(self, state: State, number: int) -> Move:
        """The move of the game, or the outcome of chance, that a number stands for."""
        return legal_actions(self.game, state)[number - FIRST] if number >= FIRST else number

    def line(self, state: State, numbers: Iterable[int]) -> tuple[Move, ...]:
        """The moves that the numbers of a line stand for."""
        moves = []
        for number in numbers:
            moves.append(self.move(state, number))
            state = self.game.play(state, moves[-1])
        return tuple(moves)

    def play(self, state: State, move: int) -> State:
        return self.game.play(state, self.move(state, move))

    def result(self, state: State) -> int:
        return self._whole("result", state, self.game.result(state))

    def stuck(self, state: State) -> int:
        return self._whole("stuck", state, self.game.stuck(state))

    def order(self, state: State, move: int) -> int:
        return self._whole("order", state, self.game.order(state, self.move(state, move)))

    def noisy(self, state: State, move: int) -> bool:
        return bool(self.game.noisy(state, self.move(state, move)))

    def evaluate(self, state: State) -> Score:
        return _limited(checked_evaluation(self.game, state, self.game.evaluate(state)))

    def bounds(self, state: State) -> tuple[Score, Score]:  # type: ignore[override]
        """Expectations may lie between whole numbers; other scores cannot, and their bounds are rounded inwards."""
        scores = self.game.bounds(state)
        try:
            low, high = (_limited(score) for score in scores)
            return (float(low), float(high)) if has_chance(self.game) else (math.ceil(low), math.floor(high))
        except (TypeError, ValueError):
            raise rule_error(self.game, "bounds", state, scores, "two scores, (low, high)") from None

    def skip(self, state: State) -> State:
        skipped = self.game.skip(state)
        if type(skipped) is not type(state):
            raise rule_error(self.game, "skip", state, skipped, "a state")
        return skipped

    def _whole(self, rule: str, state: State, answer: Any) -> int:
        try:
            return int(answer)
        except (TypeError, ValueError, OverflowError):
            raise rule_error(self.game, rule, state, answer, "a whole number") from None

    def __getattribute__(self, name: str) -> Any:
        """Whatever does not concern moves is the game's own."""
        if name in _DELEGATED:
            return getattr(object.__getattribute__(self, "game"), name)
        return object.__getattribute__(self, name)


def are_ints(game: Game, state: State) -> bool:
    """Whether the moves of a state are what machine code makes of them: bools and NumPy's numbers are not."""
    return all(type(move) is int for move in game.moves(state))


def moves_of(game: Game, state: State, numbers: Iterable[int]) -> tuple[Move, ...]:
    """The moves of the game, or of the one that an Indexed stands for, behind the numbers of a kernel's line."""
    if isinstance(game, Indexed):
        return game.line(state, numbers)
    if are_ints(game, state):
        return tuple(numbers)
    moves = []
    for number in numbers:
        moves.append(next(move for move in game.moves(state) if move == number))
        state = game.play(state, moves[-1])
    return tuple(moves)


def _limited(score: Any) -> Score:
    """A score that kernels can reckon with: beyond INFINITY, one is like another."""
    number = score if isinstance(score, int | float) else float(score)
    return max(-INFINITY, min(INFINITY, number))


def _number(move: Move, place: int) -> int:
    return move if _is_word(move) else FIRST + place


def _is_word(move: Move) -> bool:
    return type(move) is int and abs(move) < FIRST


_DELEGATED = frozenset({
    "mover", "is_chance", "features", "forcing", "symmetries", "canonical", "key", "stage", "loops",
    "margin", "reductions", "alternates", "payoff_bounds", "weights", "state_text", "_probe",
})  # fmt: skip
