"""Marks with the values of moves, on the squares that the moves lead to."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.board import Marks, Tag
from zermelo.game import Game, Move, State
from zermelo.show.clicks import stepwise
from zermelo.show.move_steps import steps_of
from zermelo.value import DECISIVE, DRAW, LOSS, LOWER, UNKNOWN, UPPER, WIN, Value, number

BOUND_SIGNS = {LOWER: "≥", UPPER: "≤"}
OUTCOME_TONES = {WIN: "win", DRAW: "draw", LOSS: "loss", None: "estimate"}


def tag_of(value: Value) -> Tag:
    """Return a value in a few characters: W7 is a win in seven plies, = a draw.

    >>> [tag_of(value).text for value in (Value.win(7), Value.loss(12), Value.draw(), Value.estimate(0.35))]
    ['W7', 'L12', '=', '+0.35']
    >>> tag_of(Value.margin(-3)), tag_of(Value.at_least(DECISIVE)).text, tag_of(Value.at_most(2)).text
    (Tag(text='-3', tone='loss', label='-3'), 'W', '≤+2')
    """
    return Tag(_short(value), OUTCOME_TONES[value.outcome], str(value))


def _short(value: Value) -> str:
    if value.bound == UNKNOWN:
        return "?"
    if value.outcome in (WIN, LOSS) and abs(value.score) >= DECISIVE:
        return f"{'W' if value.outcome == WIN else 'L'}{'' if value.plies is None else value.plies}"
    if value.outcome == DRAW:
        return "="
    return f"{BOUND_SIGNS.get(value.bound, '')}{number(value.score)}"


def target_square(squares: tuple[int, ...]) -> int | None:
    """Return the target square of a move: the second, of from, to and taken, or the only one.

    >>> target_square((3, 7, 5)), target_square((4,)), target_square(())
    (7, 4, None)
    """
    return squares[min(1, len(squares) - 1)] if squares else None


def value_marks(game: Game, state: State, values: Mapping[Move, Value]) -> Marks:
    """Return marks with the best value on each target square, and arrows for the best move.

    >>> from zermelo.games.registry import load
    >>> game = load("tic_tac_toe")
    >>> {square: tag.text for square, tag in value_marks(game, game.initial(), {4: Value.draw()}).values.items()}
    {4: '='}
    """
    best: dict[int, Value] = {}
    for move, value in values.items():
        target = target_square(game.squares(state, move))
        if target is not None and (target not in best or value > best[target]):
            best[target] = value
    tags = {target: tag_of(value) for target, value in best.items()}
    chosen = game.squares(state, max(values, key=lambda move: values[move].score)) if values else ()
    arrows = steps_of(chosen if stepwise(game.board(state)) else chosen[:2])
    return Marks(arrows=tuple(arrows), values=tags)
