"""Zermelo plays and solves two-player zero-sum games of perfect information, with or without chance.

Write the rules once, as a plain Python class; see `Game`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from zermelo.game import ONGOING, Game, GameError
from zermelo.limits import Limit
from zermelo.value import DRAW, LOSS, WIN, Value, loss_in, win_in

if TYPE_CHECKING:
    from zermelo import bits, games, textbook, tuples
    from zermelo.checking import CheckError, check
    from zermelo.checking.solution_check import verify
    from zermelo.design.report_api import report
    from zermelo.files import FileError
    from zermelo.games.game_tree.tree_game import GameTree
    from zermelo.games.random_tree import RandomTree
    from zermelo.games.registry import catalog, load, position, positions
    from zermelo.learning.learn_api import learn
    from zermelo.matches.match_api import match
    from zermelo.matches.tournament_api import tournament
    from zermelo.matches.tuning import tune
    from zermelo.monte_carlo_settings import MonteCarlo
    from zermelo.native import kernel, warm_up
    from zermelo.native.interpretation import InterpretedWarning
    from zermelo.records.records_api import read_records, write_records
    from zermelo.searching import Line, Report, analyze, monte_carlo, prove, search, search_many
    from zermelo.searching.alphabeta.transposition_table import TranspositionTable
    from zermelo.searching.runtime.analysis_stream import Analysis
    from zermelo.show import plots
    from zermelo.show.board_picture import picture
    from zermelo.show.widget_api import widget
    from zermelo.simulation.perft_divide import divide, perft
    from zermelo.simulation.playouts_api import playouts
    from zermelo.simulation.playouts_result import Playouts
    from zermelo.solving import solve
    from zermelo.solving.estimation.size_estimate import Estimate, estimate
    from zermelo.solving.solution import Solution
    from zermelo.textbook import Trace

__version__ = "0.1.0"

# Loaded when first named, so that `import zermelo` stays quick and imports no compiler.
_LAZY = {
    "bits": "zermelo.bits",
    "games": "zermelo.games",
    "textbook": "zermelo.textbook",
    "tuples": "zermelo.tuples",
    **{name: f"zermelo.checking:{name}" for name in ("CheckError", "check")},
    **{name: f"zermelo.simulation.perft_divide:{name}" for name in ("divide", "perft")},
    **{
        name: f"zermelo.searching:{name}"
        for name in ("Line", "Report", "analyze", "monte_carlo", "prove", "search", "search_many")
    },
    "solve": "zermelo.solving:solve",
    **{name: f"zermelo.solving.estimation.size_estimate:{name}" for name in ("Estimate", "estimate")},
    "Analysis": "zermelo.searching.runtime.analysis_stream:Analysis",
    "FileError": "zermelo.files:FileError",
    "TranspositionTable": "zermelo.searching.alphabeta.transposition_table:TranspositionTable",
    "Playouts": "zermelo.simulation.playouts_result:Playouts",
    "playouts": "zermelo.simulation.playouts_api:playouts",
    "GameTree": "zermelo.games.game_tree.tree_game:GameTree",
    "InterpretedWarning": "zermelo.native.interpretation:InterpretedWarning",
    "RandomTree": "zermelo.games.random_tree:RandomTree",
    "catalog": "zermelo.games.registry:catalog",
    "learn": "zermelo.learning.learn_api:learn",
    "load": "zermelo.games.registry:load",
    "MonteCarlo": "zermelo.monte_carlo_settings:MonteCarlo",
    "match": "zermelo.matches.match_api:match",
    "tournament": "zermelo.matches.tournament_api:tournament",
    "tune": "zermelo.matches.tuning:tune",
    "report": "zermelo.design.report_api:report",
    "read_records": "zermelo.records.records_api:read_records",
    "write_records": "zermelo.records.records_api:write_records",
    "picture": "zermelo.show.board_picture:picture",
    "plots": "zermelo.show.plots",
    "position": "zermelo.games.registry:position",
    "positions": "zermelo.games.registry:positions",
    "kernel": "zermelo.native:kernel",
    "warm_up": "zermelo.native:warm_up",
    "Solution": "zermelo.solving.solution:Solution",
    "Trace": "zermelo.textbook:Trace",
    "verify": "zermelo.checking.solution_check:verify",
    "widget": "zermelo.show.widget_api:widget",
}

__all__ = [
    "DRAW", "LOSS", "ONGOING", "WIN", "Analysis", "CheckError", "Estimate", "FileError", "Game", "GameError",
    "GameTree", "InterpretedWarning", "Limit", "Line", "MonteCarlo", "Playouts", "RandomTree", "Report", "Solution",
    "Trace", "TranspositionTable", "Value",
    "analyze", "bits", "catalog", "check", "divide", "estimate", "games", "kernel", "learn", "load", "loss_in",
    "match", "monte_carlo", "perft", "picture", "playouts", "plots", "position", "positions", "prove", "read_records",
    "report", "search", "search_many", "solve", "textbook", "tournament", "tune", "tuples", "verify", "warm_up",
    "widget", "win_in", "write_records",
]  # fmt: skip


if not TYPE_CHECKING:  # or a type checker would accept every name

    def __getattr__(name: str) -> Any:
        if name not in _LAZY:
            raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
        module, _, attribute = _LAZY[name].partition(":")
        loaded = importlib.import_module(module)
        value = getattr(loaded, attribute) if attribute else loaded
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
