"""Draws by repetition: a game that can cycle is drawn when the same state occurs a third time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from zermelo import rules
from zermelo.game import Game, Move, State
from zermelo.searching import Line, Report
from zermelo.value import Value

REPETITIONS = 3


def repeated(game: Game, states: Sequence[State]) -> bool:
    """Whether the last state has occurred often enough for a draw. Games with chance have no such draw: a state may
    repeat there without play cycling.
    """
    if not game.loops or rules.has_chance(game):
        return False
    last = _position(game, states[-1])
    return [_position(game, state) for state in states].count(last) >= REPETITIONS


def _position(game: Game, state: State) -> State:
    """What must repeat: the state, or the canonical form of one that also counts moves, with the player to move.

    A mirror image is no repetition.
    """
    return state if game.has("symmetries") else (game.canonical(state), rules.mover(game, state))


def repeating_moves(game: Game, state: State, history: Sequence[State]) -> list[Move]:
    """The moves that draw by repetition, after the states of `history` have been played."""
    if len(history) < 2 * (REPETITIONS - 1) or not game.loops or rules.has_chance(game):
        return []
    times = Counter(_position(game, each) for each in (*history, state))
    if max(times.values()) < REPETITIONS - 1:  # nearly always, and then no move is tried
        return []
    return [
        move
        for move in rules.legal_actions(game, state)
        if times[_position(game, game.play(state, move))] >= REPETITIONS - 1
    ]


def with_draws(report: Report, drawn: Sequence[Move]) -> Report:
    """The report with these moves as draws; other moves of the same value go first."""
    others = [line for line in report.lines if line.pv[0] not in drawn]
    draws = [Line(Value.draw_by_repetition().seen_by(report.value.player), (move,)) for move in drawn]
    lines = sorted([*others, *draws], key=lambda line: -line.value.score)
    return replace(report, lines=tuple(lines[: max(len(report.lines), 1)]))
