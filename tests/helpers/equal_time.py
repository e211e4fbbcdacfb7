"""Matches at equal time: the engine against a minimax of the textbook."""

from __future__ import annotations

import random
import time

from zermelo import Game, Limit, textbook
from zermelo.play import Engine, Session


def points_of_engine(game: Game, slow: Game, depth: int, games: int, plies: int = 200) -> float:
    """What the engine gets out of so many games, 1 for a win and a half for a draw or one that goes on too long.

    Every game begins with six random plies, sides change from game to game, and for each move the engine has as long as
    minimax took for its last one.
    """
    points = 0.0
    for seed in range(games):
        session = Session(game, seed=seed)
        dice = random.Random(seed)
        for _ in range(6):
            session.play(dice.choice(session.moves))
        points += _points(session, slow, depth, seed % 2, plies)
    return points


def _points(session: Session, slow: Game, depth: int, side: int, plies: int) -> float:
    seconds = 0.1  # for a first move, before minimax has taken any
    while session.outcome is None and len(session.history) < plies:
        if session.player == side:
            engine = Engine(session.game, Limit(seconds=seconds))
            session.play(engine.choose(session.state, history=session.states).move)
        else:
            start = time.perf_counter()
            move = textbook.minimax(slow, session.state, depth=depth).move
            seconds = max(time.perf_counter() - start, 0.01)
            session.play(move)
    winner = None if session.outcome is None else session.outcome.winner
    return 0.5 if winner is None else float(winner == side)
