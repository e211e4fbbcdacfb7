"""The learned evaluations that ship with games: files in games/weights/, each of a game with its default parameters.

A game without weights imports nothing for them; what reads weights needs NumPy.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

from zermelo.game import Game
from zermelo.games.registry import GAMES, name_of
from zermelo.rules import evaluation_game

if TYPE_CHECKING:
    from zermelo.networks.feature_weights import FeatureWeights
    from zermelo.networks.network import Network
    from zermelo.networks.weight_files import Weights


BETTER = ("2048", "backgammon", "breakthrough", "checkers", "othello")
"""The games whose weights beat their own evaluation at equal depth (docs/learning.md): engines use these unasked."""


def evaluated(searched: Game, game: Game, weights: Weights | bool) -> Game:
    """Return the game to search, with these weights; True are those that engines use unasked, False and None none."""
    chosen = default_weights(game) if weights is True else None if weights is False else weights
    if chosen is None:
        return searched
    from zermelo.networks.weight_files import with_weights

    return with_weights(searched, chosen)


def default_weights(game: Game) -> Network | FeatureWeights | None:
    """Return the weights that engines use unasked; None if there are none, or the game itself evaluates better."""
    return own_weights(game) if name_of(evaluation_game(game), folder="") in BETTER else None


def own_weights(game: Game) -> Network | FeatureWeights | None:
    """Return the weights that ship with a game, or with the one whose evaluation it uses; None if there are none."""
    source = evaluation_game(game)
    name = name_of(source, folder="")
    return _read(source, name) if name in shipped_files() else None


@cache
def shipped_files() -> dict[str, Traversable]:
    """Return the files of weights that ship with games, by the names of the games."""
    folder: Any = files("zermelo.games") / "weights"
    found = {file.name.removesuffix(".weights"): file for file in folder.iterdir()} if folder.is_dir() else {}
    return {name: file for name, file in found.items() if name in GAMES}


@cache
def _read(game: Game, name: str) -> Network | FeatureWeights:
    from zermelo.networks.network_file import read_weights

    file = shipped_files()[name]
    return read_weights(file.read_bytes(), file.name, game, own=True)
