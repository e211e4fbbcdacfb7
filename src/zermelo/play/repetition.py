"""Repetition: a game that goes round is drawn when the same state comes a third time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zermelo import rules
from zermelo.game import Game, Move, State
from zermelo.searching import Line, Report
from zermelo.value import Value

REPETITIONS = 3


def repeated(game: Game, states: Sequence[State]) -> bool:
    """Whether the last of the states of a game has come so often that it is drawn. Dice may bring a state back, too,
    without play going round.

    """
    if not game.loops or rules.has_chance(game):
        return False
    last = _position(game, states[-1])
    return [_position(game, state) for state in states].count(last) >= REPETITIONS


def _position(game: Game, state: State) -> State:
    """What must come back: the state, or what is left of one that also counts moves, with the player to move.

    A board that comes back as its mirror image has not come back.
    """
    return state if game.has("symmetries") else (game.canonical(state), rules.mover(game, state))


def repeating(game: Game, state: State, history: Sequence[State]) -> list[Move]:
    """The moves that draw by repetition, after the states of `history` have been played."""
    if len(history) < 2 * (REPETITIONS - 1):
        return []
    before = [*history, state]
    return [move for move in rules.legal_actions(game, state) if repeated(game, [*before, game.play(state, move)])]


def with_draws(report: Report, drawn: Sequence[Move]) -> Report:
    """The report with these moves as the draws that they are; what else is as good goes first."""
    others = [line for line in report.lines if line.pv[0] not in drawn]
    draws = [Line(Value.draw_by_repetition().seen_by(report.value.player), (move,)) for move in drawn]
    lines = sorted([*others, *draws], key=lambda line: -line.value.score)
    return replace(report, lines=tuple(lines[: max(len(report.lines), 1)]))
