"""Games that come with Zermelo, a file or a folder each, and the registry of their names."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.games.awari import Awari
    from zermelo.games.backgammon.backgammon_rules import Backgammon, Hypergammon
    from zermelo.games.backgammon.cube_rules import CubeBackgammon
    from zermelo.games.breakthrough import Breakthrough
    from zermelo.games.cant_stop.cant_stop_rules import CantStop
    from zermelo.games.checkers.checkers_rules import Checkers
    from zermelo.games.chess.chess_rules import Chess
    from zermelo.games.chess_endgame.chess_endgame_rules import ChessEndgame
    from zermelo.games.chomp import Chomp
    from zermelo.games.connect_four import ConnectFour
    from zermelo.games.connect_k import ConnectK
    from zermelo.games.dobutsu_shogi.dobutsu_rules import DobutsuShogi
    from zermelo.games.domineering.domineering_rules import Domineering
    from zermelo.games.dots_and_boxes.dots_and_boxes_rules import DotsAndBoxes
    from zermelo.games.einstein import EinStein
    from zermelo.games.fanorona.fanorona_rules import Fanorona
    from zermelo.games.fox_and_geese import FoxAndGeese
    from zermelo.games.game_tree.tree_game import GameTree
    from zermelo.games.gomoku import Gomoku
    from zermelo.games.hare_and_hounds import HareAndHounds
    from zermelo.games.hex import Hex
    from zermelo.games.hexapawn import Hexapawn
    from zermelo.games.kalah import Kalah
    from zermelo.games.kayles import DawsonsKayles, Kayles
    from zermelo.games.l_game import LGame
    from zermelo.games.morris.morris_games import (
        LaskerMorris,
        NineMensMorris,
        SixMensMorris,
        ThreeMensMorris,
        TwelveMensMorris,
    )
    from zermelo.games.mu_torere import MuTorere
    from zermelo.games.nannon import Nannon
    from zermelo.games.nim import Nim
    from zermelo.games.othello import Othello
    from zermelo.games.pig import Pig
    from zermelo.games.points_2048 import Points2048
    from zermelo.games.pop_out import PopOut
    from zermelo.games.quarto import Quarto
    from zermelo.games.random_tree import RandomTree
    from zermelo.games.sim import Sim
    from zermelo.games.teeko import Teeko
    from zermelo.games.three_musketeers import ThreeMusketeers
    from zermelo.games.tic_tac_toe import TicTacToe
    from zermelo.games.twenty48 import Drop48, Twenty48
    from zermelo.games.y import Y

__all__ = [
    "Awari",
    "Backgammon",
    "Breakthrough",
    "CantStop",
    "Checkers",
    "Chess",
    "ChessEndgame",
    "Chomp",
    "ConnectFour",
    "ConnectK",
    "CubeBackgammon",
    "DawsonsKayles",
    "DobutsuShogi",
    "Domineering",
    "DotsAndBoxes",
    "Drop48",
    "EinStein",
    "Fanorona",
    "FoxAndGeese",
    "GameTree",
    "Gomoku",
    "HareAndHounds",
    "Hex",
    "Hexapawn",
    "Hypergammon",
    "Kalah",
    "Kayles",
    "LGame",
    "LaskerMorris",
    "MuTorere",
    "Nannon",
    "Nim",
    "NineMensMorris",
    "Othello",
    "Pig",
    "Points2048",
    "PopOut",
    "Quarto",
    "RandomTree",
    "Sim",
    "SixMensMorris",
    "Teeko",
    "ThreeMensMorris",
    "ThreeMusketeers",
    "TicTacToe",
    "TwelveMensMorris",
    "Twenty48",
    "Y",
]


def __getattr__(name: str) -> Any:
    """Import a game's class on first use."""
    if name not in __all__:
        raise AttributeError(f"module 'zermelo.games' has no attribute {name!r}")
    from zermelo.games.registry import GAMES

    module = next(place.partition(":")[0] for place in GAMES.values() if place.endswith(f":{name}"))
    globals()[name] = getattr(importlib.import_module(module), name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
