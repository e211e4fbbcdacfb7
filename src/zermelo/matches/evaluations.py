"""Other evaluations of a game: players that search the same game and judge its states differently."""

from __future__ import annotations

from zermelo.game import Game, GameError
from zermelo.games.registry import load
from zermelo.networks.weight_files import Weights, with_weights


def evaluating(game: Game, evaluation: Game | str | None, weights: Weights) -> Game:
    """The game that is searched: the one that is played, or the same with another evaluation."""
    searched = load(evaluation) if isinstance(evaluation, str) else evaluation or game
    if type(searched.initial()) is not type(game.initial()):
        raise GameError(
            f"{searched!r} cannot evaluate states of {game!r}: its states are of another kind. A game as a player is "
            "Zermelo with the evaluation of that game."
        )
    return with_weights(searched, weights)
