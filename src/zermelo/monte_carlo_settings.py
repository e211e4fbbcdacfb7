"""MonteCarlo: how Monte Carlo tree search plays a game."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.arguments import check_int, check_number
from zermelo.game import Game, GameError


@dataclass(frozen=True)
class MonteCarlo:
    """The settings of Monte Carlo tree search; as the fact `monte_carlo` of a game, they make engines search by it.

    `exploration` is the weight of moves that were tried less. `rave` is the number of visits after which the playouts
    of a move count as much as all those in which it was played later (RAVE); 0 is without. A playout that is not over
    after `playout_plies` ends with the static evaluation; where a game is won, drawn or lost, an evaluation of
    `evaluation_scale` counts as half a win.

    >>> MonteCarlo(rave=500)
    MonteCarlo(exploration=1.4, rave=500, playout_plies=1000, evaluation_scale=1.0)
    """

    exploration: float = 1.4
    rave: float = 0.0
    playout_plies: int = 1000
    evaluation_scale: float = 1.0

    def __post_init__(self) -> None:
        check_number("MonteCarlo", least=0, exploration=self.exploration, rave=self.rave)
        check_number("MonteCarlo", above_zero=True, evaluation_scale=self.evaluation_scale)
        check_int("MonteCarlo", least=0, playout_plies=self.playout_plies)


def own_settings(game: Game) -> MonteCarlo | None:
    """Return the game's fact `monte_carlo`. Raise GameError if it is something else."""
    if game.monte_carlo is not None and not isinstance(game.monte_carlo, MonteCarlo):
        raise GameError(f"{game!r}: monte_carlo must be a MonteCarlo or None, not {game.monte_carlo!r}.")
    return game.monte_carlo
