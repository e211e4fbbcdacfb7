"""The registry: games by name, and positions by their text.

The same text works in `zermelo.load`, on the command line and in the address of a page.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from zermelo.game import Game
from zermelo.games.support import game_files, game_spec
from zermelo.games.support.game_spec import TextError
from zermelo.games.support.position_text import position, positions

__all__ = ["GAMES", "Entry", "TextError", "catalog", "catalogued", "load", "name_of", "position", "positions"]

GAMES = {
    "tic_tac_toe": "zermelo.games.tic_tac_toe:TicTacToe",
    "connect_four": "zermelo.games.connect_four:ConnectFour",
    "connect_k": "zermelo.games.connect_k:ConnectK",
    "pop_out": "zermelo.games.pop_out:PopOut",
    "gomoku": "zermelo.games.gomoku:Gomoku",
    "nim": "zermelo.games.nim:Nim",
    "pig": "zermelo.games.pig:Pig",
    "backgammon": "zermelo.games.backgammon.backgammon_rules:Backgammon",
    "hypergammon": "zermelo.games.backgammon.backgammon_rules:Hypergammon",
    "cube_backgammon": "zermelo.games.backgammon.cube_rules:CubeBackgammon",
    "nannon": "zermelo.games.nannon:Nannon",
    "einstein": "zermelo.games.einstein:EinStein",
    "cant_stop": "zermelo.games.cant_stop.cant_stop_rules:CantStop",
    "twenty48": "zermelo.games.twenty48:Twenty48",
    "drop48": "zermelo.games.twenty48:Drop48",
    "2048": "zermelo.games.points_2048:Points2048",
    "kalah": "zermelo.games.kalah:Kalah",
    "three_mens_morris": "zermelo.games.morris.morris_games:ThreeMensMorris",
    "six_mens_morris": "zermelo.games.morris.morris_games:SixMensMorris",
    "nine_mens_morris": "zermelo.games.morris.morris_games:NineMensMorris",
    "lasker_morris": "zermelo.games.morris.morris_games:LaskerMorris",
    "twelve_mens_morris": "zermelo.games.morris.morris_games:TwelveMensMorris",
    "checkers": "zermelo.games.checkers.checkers_rules:Checkers",
    "fanorona": "zermelo.games.fanorona.fanorona_rules:Fanorona",
    "othello": "zermelo.games.othello:Othello",
    "domineering": "zermelo.games.domineering.domineering_rules:Domineering",
    "hex": "zermelo.games.hex:Hex",
    "y": "zermelo.games.y:Y",
    "breakthrough": "zermelo.games.breakthrough:Breakthrough",
    "hexapawn": "zermelo.games.hexapawn:Hexapawn",
    "chomp": "zermelo.games.chomp:Chomp",
    "kayles": "zermelo.games.kayles:Kayles",
    "dawsons_kayles": "zermelo.games.kayles:DawsonsKayles",
    "dots_and_boxes": "zermelo.games.dots_and_boxes.dots_and_boxes_rules:DotsAndBoxes",
    "sim": "zermelo.games.sim:Sim",
    "l_game": "zermelo.games.l_game:LGame",
    "hare_and_hounds": "zermelo.games.hare_and_hounds:HareAndHounds",
    "fox_and_geese": "zermelo.games.fox_and_geese:FoxAndGeese",
    "three_musketeers": "zermelo.games.three_musketeers:ThreeMusketeers",
    "mu_torere": "zermelo.games.mu_torere:MuTorere",
    "teeko": "zermelo.games.teeko:Teeko",
    "quarto": "zermelo.games.quarto:Quarto",
    "awari": "zermelo.games.awari:Awari",
    "dobutsu_shogi": "zermelo.games.dobutsu_shogi.dobutsu_rules:DobutsuShogi",
    "chess": "zermelo.games.chess.chess_rules:Chess",
    "chess_endgame": "zermelo.games.chess_endgame.chess_endgame_rules:ChessEndgame",
    "game_tree": "zermelo.games.game_tree.tree_game:GameTree",
    "random_tree": "zermelo.games.random_tree:RandomTree",
}
"""The class of each registered game, imported on first use."""

ADAPTERS = {"open_spiel": "zermelo.games.adapters.open_spiel:OpenSpiel"}
"""Names for games of other libraries: `open_spiel(tic_tac_toe)`. They are not in the catalogue."""

VARIANTS = {"zermelo.games.domineering.large_domineering:LargeDomineering": "domineering"}
"""Classes that a registered class makes for some of its parameters, and its name."""

MIN_PART = 3
"""Letters of a part of a name that is suggested."""

MAX_SUGGESTIONS = 3
"""Games that are suggested in place of one that there is not."""

REQUIRED = "required"
"""The default of a parameter that has none."""


@dataclass(frozen=True)
class Entry:
    """One game of the catalogue: its name, class, parameters with their defaults, and description."""

    name: str
    game: type[Game]
    parameters: dict[str, Any]
    description: str

    @property
    def usage(self) -> str:
        """The name with its parameters, as `load` reads it."""
        shown = [name if value is REQUIRED else f"{name}={value!r}" for name, value in self.parameters.items()]
        return f"{self.name}({', '.join(shown)})" if shown else self.name

    def to_dict(self) -> dict[str, Any]:
        parameters = {name: None if value is REQUIRED else value for name, value in self.parameters.items()}
        return {"name": self.name, "parameters": parameters, "usage": self.usage, "description": self.description}


def load(text: str) -> Game:
    """Return the game that a text names: a registered name, a file or a module, with parameters in brackets.

    A file is executed, once for each content. Raise GameError if the text names no game.

    >>> load("connect_four(width=5, height=4)")
    ConnectFour(width=5, height=4)
    """
    parsed = game_spec.parse(text)
    cls = _registered(parsed.target) if parsed.kind == "name" else game_files.class_of(parsed)
    return game_spec.make(cls, parsed)


def catalogued(text: str) -> Game | None:
    """Return the game of the catalogue that a text names; None for a file, a module or another library's game.

    Names from files and requests are loaded by this function only, so that no file and no request decides what is
    imported or executed.

    >>> catalogued("nim(piles=(1, 2))"), catalogued("my_game.py"), catalogued("os:path"), catalogued("open_spiel(hex)")
    (Nim(piles=(1, 2), misere=False), None, None, None)
    """
    parsed = game_spec.parse(text)
    if parsed.kind != "name" or parsed.target in ADAPTERS:
        return None
    return game_spec.make(_registered(parsed.target), parsed)


def catalog() -> list[Entry]:
    """Return every registered game.

    >>> [entry.name for entry in catalog()][:2]
    ['tic_tac_toe', 'connect_four']
    """
    return [entry_of(name, _registered(name)) for name in GAMES]


def name_of(game: Game, folder: str | None = None) -> str:
    """Return the text with which `load` finds the game again; the repr for a class inside a function.

    A `folder` replaces that of the game's file: "" leaves the file name alone.

    >>> name_of(load("connect_four(5, 4)")), name_of(load("connect_four"))
    ('connect_four(width=5, height=4)', 'connect_four')
    """
    cls = type(game)
    if "<locals>" in cls.__qualname__:  # inside a function, so that no text can name it
        return repr(game)
    home = f"{cls.__module__}:{cls.__qualname__}"
    known = {place: name for name, place in (GAMES | ADAPTERS).items()} | VARIANTS
    if cls.__module__.startswith(game_files.MODULE_PREFIX):
        file = Path(str(sys.modules[cls.__module__].__file__))
        home = f"{file if folder is None else folder + file.name}:{cls.__name__}"
    name = known.get(home, home)
    changed = [f"{key}={value!r}" for key, value in _parameters(game).items() if value != _defaults(cls).get(key)]
    return f"{name}({', '.join(changed)})" if changed else name


def _registered(name: str) -> type[Game]:
    place = GAMES.get(name) or ADAPTERS.get(name)
    if place is None:
        close = [f"{name}.py"] if Path(f"{name}.py").is_file() else _similar_names(name.lower().replace("-", "_"))
        hint = f"did you mean {' or '.join(close)}?" if close else f"the games are {', '.join(GAMES)}."
        raise TextError(f"There is no game called {name}; {hint}")
    module, _, cls = place.partition(":")
    found: type[Game] = getattr(importlib.import_module(module), cls)
    return found


def _similar_names(name: str) -> list[str]:
    """Return the games that are perhaps meant: of a similar name, one with this as a part, or such a description.

    >>> _similar_names("cube"), _similar_names("reversi_"), _similar_names("dice"), _similar_names("x")
    (['cube_backgammon'], [], ['cant_stop'], [])
    """
    import difflib

    found = difflib.get_close_matches(name, GAMES, n=MAX_SUGGESTIONS)
    if len(name) >= MIN_PART:
        found += [each for each in GAMES if (name in each or (each in name and len(each) >= MIN_PART))]
        if not found:
            found = [entry.name for entry in catalog() if name.replace("_", " ") in entry.description.lower()]
    return [*dict.fromkeys(found)][:MAX_SUGGESTIONS]


def entry_of(name: str, cls: type[Game]) -> Entry:
    """Return the catalogue entry of a class under this name."""
    description = (cls.__doc__ or "").strip().partition("\n")[0]
    made = description.startswith(f"{cls.__name__}(")  # by the dataclass, where the author wrote none
    return Entry(name, cls, _defaults(cls), "" if made else description)


def _defaults(cls: type[Game]) -> dict[str, Any]:
    """Return the parameters of a class with their defaults; REQUIRED if there is none."""
    found: dict[str, Any] = {}
    for field in fields(cls):  # type: ignore[arg-type]
        if field.init and field.default_factory is not MISSING:
            found[field.name] = field.default_factory()
        elif field.init:
            found[field.name] = REQUIRED if field.default is MISSING else field.default
    return found


def _parameters(game: Game) -> dict[str, Any]:
    return {field.name: getattr(game, field.name) for field in fields(game) if field.init}  # type: ignore[arg-type]
