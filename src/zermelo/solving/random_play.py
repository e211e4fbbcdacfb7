"""Random games, interpreted: samples of the states of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator

from zermelo import rules
from zermelo.game import Game, Move, State


def random_games(
    game: Game, games: int, plies: int, *, seed: int, folded: bool = False
) -> Iterator[Iterator[tuple[State, list[Move]]]]:
    """Play `games` random games. Each yields its states with their moves, from the first to `plies` later.

    The last state of a game that ended has no moves. `folded` states are those that stand for all equivalent to them.
    """
    chooser = random.Random(seed)
    for _ in range(games):
        yield _one(game, plies, chooser, folded)


def _one(game: Game, plies: int, chooser: random.Random, folded: bool) -> Iterator[tuple[State, list[Move]]]:
    state = game.initial()
    for ply in range(plies + 1):
        moves = rules.legal_actions(game, state)
        yield state, moves
        if not moves or ply == plies:
            return
        state = game.play(state, chooser.choice(moves))
        state = game.canonical(state) if folded else state
