"""Games that come with Zermelo, one file each, and the registry of their names."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.games.chess_endgame import ChessEndgame
    from zermelo.games.connect_four import ConnectFour
    from zermelo.games.game_tree import GameTree
    from zermelo.games.kalah import Kalah
    from zermelo.games.morris import NineMensMorris, SixMensMorris, ThreeMensMorris
    from zermelo.games.nim import Nim
    from zermelo.games.pig import Pig
    from zermelo.games.random_tree import RandomTree
    from zermelo.games.tic_tac_toe import TicTacToe

__all__ = [
    "ChessEndgame",
    "ConnectFour",
    "GameTree",
    "Kalah",
    "Nim",
    "NineMensMorris",
    "Pig",
    "RandomTree",
    "SixMensMorris",
    "ThreeMensMorris",
    "TicTacToe",
]


def __getattr__(name: str) -> Any:
    """A game's class, imported when it is first named."""
    if name not in __all__:
        raise AttributeError(f"module 'zermelo.games' has no attribute {name!r}")
    from zermelo.games.registry import GAMES

    module = next(place.partition(":")[0] for place in GAMES.values() if place.endswith(f":{name}"))
    globals()[name] = getattr(importlib.import_module(module), name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
