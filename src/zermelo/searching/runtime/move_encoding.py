"""Move encoding: moves and chance outcomes of any type as int64 codes for kernels.

An int is its own code, so that interpreted and compiled searches see the same numbers; any other move or outcome is
encoded by its index in the list of moves or outcomes, plus FIRST_CODE.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from zermelo.game import Game, Move, State
from zermelo.rules import (
    bounded,
    checked_evaluation,
    has_chance,
    legal_actions,
    listed_chances,
    rule_error,
    whole_number,
)
from zermelo.value import INFINITY, Score

FIRST_CODE = 1 << 60
"""The code of the first move that is no int; ints as large as that are encoded too."""


MAX_ORDER = 1 << 40
"""The greatest order of a move; what is beyond it is as good."""


class EncodedGame(Game):
    """A game whose moves are codes; interpreted kernels search it in place of the original game."""

    game: Any

    def __repr__(self) -> str:
        return repr(self.game)

    def has(self, rule: str) -> bool:
        return bool(self.game.has(rule))

    def initial(self) -> State:
        return self.game.initial()

    def moves(self, state: State) -> Iterable[int]:
        return [_encode(move, place) for place, move in enumerate(self._listed("moves", state))]

    def candidates(self, state: State) -> Iterable[int]:
        if not self.game.has("candidates"):
            return self.moves(state)
        candidates = list(self._listed("candidates", state))
        if all(_is_word(move) for move in candidates):
            return candidates
        places: list[Move] = list(self._listed("moves", state))
        for move in candidates:
            if move not in places:
                raise rule_error(self.game, "candidates", state, move, "moves of this state alone")
        return [_encode(move, places.index(move)) for move in candidates]

    def _listed(self, rule: str, state: State) -> Iterable[Move]:
        return bounded(self.game, rule, state, getattr(self.game, rule)(state))

    def chances(self, state: State) -> Iterable[tuple[int, float]]:
        chances = enumerate(listed_chances(self.game, state))
        return [(_encode(outcome, place), probability) for place, (outcome, probability) in chances]

    def decode(self, state: State, code: int) -> Move:
        """Decode a move or an outcome of chance."""
        return legal_actions(self.game, state)[code - FIRST_CODE] if code >= FIRST_CODE else code

    def decode_line(self, state: State, codes: Iterable[int]) -> tuple[Move, ...]:
        """Decode the moves of a line."""
        moves = []
        for code in codes:
            moves.append(self.decode(state, code))
            state = self.game.play(state, moves[-1])
        return tuple(moves)

    def play(self, state: State, move: int) -> State:
        return self.game.play(state, self.decode(state, move))

    def result(self, state: State) -> int:
        return whole_number(self.game, "result", state, self.game.result(state))

    def stuck(self, state: State) -> int:
        return whole_number(self.game, "stuck", state, self.game.stuck(state))

    def order(self, state: State, move: int) -> int:
        answer = self.game.order(state, self.decode(state, move))
        try:
            return max(-MAX_ORDER, min(MAX_ORDER, int(answer)))
        except (TypeError, ValueError, OverflowError):
            raise rule_error(self.game, "order", state, answer, "a whole number") from None

    def noisy(self, state: State, move: int) -> bool:
        return bool(self.game.noisy(state, self.decode(state, move)))

    def evaluate(self, state: State) -> Score:
        return _clamped(checked_evaluation(self.game, state, self.game.evaluate(state)))

    def bounds(self, state: State) -> tuple[Score, Score]:  # type: ignore[override]
        """Expectations may lie between whole numbers; other scores cannot, and their bounds are rounded inwards."""
        scores = self.game.bounds(state)
        try:
            low, high = (_clamped(score) for score in scores)
            return (float(low), float(high)) if has_chance(self.game) else (math.ceil(low), math.floor(high))
        except (TypeError, ValueError):
            raise rule_error(self.game, "bounds", state, scores, "two scores, (low, high)") from None

    def skip(self, state: State) -> State:
        skipped = self.game.skip(state)
        if type(skipped) is not type(state):
            raise rule_error(self.game, "skip", state, skipped, "a state")
        return skipped

    def __getattribute__(self, name: str) -> Any:
        """Delegate everything that does not concern moves to the game."""
        if name in _DELEGATED:
            return getattr(object.__getattribute__(self, "game"), name)
        return object.__getattribute__(self, name)


def has_int_moves(game: Game, state: State) -> bool:
    """Whether the moves of a state are ints, as compiled code returns them; bools and NumPy numbers are not."""
    return all(type(move) is int for move in game.moves(state))


def decode_moves(game: Game, state: State, codes: Iterable[int]) -> tuple[Move, ...]:
    """Decode a line of a kernel into moves of the game, or of the game that an EncodedGame stands for."""
    if isinstance(game, EncodedGame):
        return game.decode_line(state, codes)
    if has_int_moves(game, state):
        return tuple(codes)
    moves = []
    for code in codes:
        moves.append(next(move for move in game.moves(state) if move == code))
        state = game.play(state, moves[-1])
    return tuple(moves)


def _clamped(score: Any) -> Score:
    """Clamp a score to INFINITY, the greatest that kernels handle. Raise ValueError for NaN."""
    code = score if isinstance(score, int | float) else float(score)
    if code != code:
        raise ValueError(score)
    return max(-INFINITY, min(INFINITY, code))


def _encode(move: Move, place: int) -> int:
    return move if _is_word(move) else FIRST_CODE + place


def _is_word(move: Move) -> bool:
    return type(move) is int and abs(move) < FIRST_CODE


_DELEGATED = frozenset({
    "mover", "is_chance", "features", "forcing", "symmetries", "canonical", "key", "stage", "loops",
    "margin", "reductions", "futility", "singular", "replies", "alternates", "payoff_bounds", "weights", "state_text",
    "_probe",
})  # fmt: skip
