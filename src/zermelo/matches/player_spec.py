"""The texts that name the players of a match.

A text is a list of settings with commas between them. These are the players:

    depth=4, seconds=0.1, nodes=2000      Zermelo within a limit; several may be given
    level=3                               Zermelo as a player of that strength, from 1 to 10
    zermelo                               Zermelo with the limit or the clock of the match
    monte_carlo,nodes=500                 Monte Carlo tree search
    random                                any legal move
    my_player.py:MyPlayer(n=3)            a class of your own
    uci:stockfish, ugi:./my_engine -x     another program; all that follows the colon is its command
    xboard:gnuchess, gtp:..., gnubg:gnubg the same by other protocols

Settings of Zermelo: level, style, seed, threads, table, database, syzygy, book (a file, or none), weights (a file,
numbers with colons between them, or none), evaluation (a game whose `evaluate` is used), search (alpha_beta or
monte_carlo). Monte Carlo: seed, exploration, rave, playout_plies, table, weights. Every player may have a
`name`, and a program has its own options, as in option.Hash=64.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zermelo.arguments import check_int
from zermelo.formatting import shortened
from zermelo.game import Game, GameError
from zermelo.games.registry import GAMES, TextError
from zermelo.limits import Limit
from zermelo.play.levels import FULL_STRENGTH, check_level
from zermelo.play.style import STYLES

LIMITS = ("seconds", "depth", "nodes")
ZERMELO_SETTINGS = (
    "level", "style", "seed", "threads", "table", "database", "book", "syzygy", "weights", "evaluation", "search",
)  # fmt: skip
MONTE_CARLO_SETTINGS = ("seed", "exploration", "rave", "playout_plies", "table", "weights")
KINDS = ("zermelo", "monte_carlo", "random")
PROTOCOLS = ("uci", "ugi", "xboard", "gtp", "gnubg")
TEXT_SETTINGS = ("name", "style", "table", "database", "book", "syzygy", "weights", "evaluation", "search")
"""Settings whose values are no numbers."""
PLAYERS_IN_WORDS = (
    "a text such as depth=4, zermelo or random, a class that is made with the game and has a method choose(state), an "
    "object with that method, or a function of game and state"
)


@dataclass(frozen=True)
class PlayerSpec:
    """A player as it was named: kind, limit and settings. `target` is the text of a class, an object, or a command."""

    kind: str
    name: str
    limit: Limit | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    target: Any = None
    text: str = ""
    """The text it was read from; empty for an object, which no other process can make."""

    @property
    def identity(self) -> str:
        """What tells it from other players, in a record: its text without folders, which are private."""
        return without_folders(self.text) or self.name


def without_folders(text: str) -> str:
    """A player's text with the names of files alone.

    >>> without_folders("name=A,/home/ada/my_player.py:Player"), without_folders("uci:/usr/games/engine -x ../net")
    ('name=A,my_player.py:Player', 'uci:engine -x net')
    """
    return re.sub(r"[^\s:=,]*[/\\](?=[^/\\\s])", "", text)


def player_spec(player: Any) -> PlayerSpec:
    """The spec of a player: a text, a mapping of settings, a game to evaluate with, a class, a function or an object.

    >>> spec = player_spec("depth=4,style=trickiest")
    >>> spec.kind, spec.name, spec.limit.depth, spec.settings
    ('zermelo', 'depth=4,style=trickiest', 4, {'style': 'trickiest'})
    >>> player_spec("option.Hash=16,nodes=100,uci:stockfish --quiet").target
    'uci:stockfish --quiet'
    >>> player_spec({"depth": 2, "name": "short"}).name
    'short'
    """
    if isinstance(player, PlayerSpec):
        return player
    if isinstance(player, str):
        return _from_text(player)
    if isinstance(player, Mapping):
        return _from_settings("zermelo", {str(key): value for key, value in player.items()}, None, "")
    if isinstance(player, Game):
        return _from_settings("zermelo", {"evaluation": player}, None, "")
    if isinstance(player, type) and issubclass(player, Game):
        name = player.__name__
        raise GameError(
            f'{name} is a game, not a player: write z.match({name}(), "depth=4", "random"), the game first. A player '
            f"is {PLAYERS_IN_WORDS}; an instance, {name}(), is Zermelo with the evaluation of that game."
        )
    if callable(player) or callable(getattr(player, "choose", None)):
        name = getattr(player, "__name__", None) or getattr(player, "name", None) or type(player).__name__
        return PlayerSpec("object", str(name), target=player)
    raise GameError(f"{player!r} is no player; write a text such as 'depth=4', or give a class with a `choose` method.")


def _from_text(text: str) -> PlayerSpec:
    settings: dict[str, Any] = {}
    kind, target, rest = "zermelo", None, text.strip()
    while rest:
        if rest.split(":")[0] in PROTOCOLS:
            kind, target, rest = "program", rest, ""
            continue
        part, rest = _first_part(rest)
        key, equals, value = part.partition("=")
        if part in KINDS:
            kind = part
        elif equals and "(" not in key and ":" not in key:
            if key.strip() in settings:
                raise TextError(f"The player {shortened(text)!r} has {key.strip()} twice.")
            settings[key.strip()] = _value(key.strip(), value.strip())
        elif ":" in part:
            kind, target = "class", part
        else:
            raise _no_player(part, text)
    if not text.strip():
        raise TextError("A player has no empty name; write for example depth=4, seconds=0.1 or random.")
    return _from_settings(kind, settings, target, text.strip())


def _no_player(part: str, text: str) -> TextError:
    """What is said of a part of a player's text that is none of those that it may have."""
    if part.partition("(")[0].strip() in GAMES:
        return a_game_no_player(part)
    if part.endswith(".py"):
        return TextError(f"{shortened(part)!r} names no class; the player in a file is written {part}:MyPlayer.")
    return TextError(
        f"{shortened(part)!r} in the player {shortened(text)!r} is no setting such as depth=4, none of "
        f"{', '.join(KINDS)}, no class such as my_player.py:MyPlayer and no program such as uci:stockfish."
    )


def a_game_no_player(text: str) -> TextError:
    """What is said of the text of a game where a player is to stand."""
    shown = shortened(text)
    return TextError(
        f"{shown!r} is a game, not a player. The game of a match is given by --game, in Python as the first argument; "
        "a player is written depth=4, zermelo, random, my_player.py:MyPlayer or uci:stockfish. For Zermelo with the "
        f"evaluation of this game write evaluation={shown}."
    )


def _first_part(text: str) -> tuple[str, str]:
    """What comes before the first comma outside brackets, and the rest."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            return text[:at].strip(), text[at + 1 :].strip()
    return text.strip(), ""


def _value(key: str, text: str) -> Any:
    """The value of a setting: a number where one is written."""
    if key in TEXT_SETTINGS or key.startswith("option."):
        return text
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    raise TextError(f"{key} must be a number, not {shortened(text)!r}.")


def _from_settings(kind: str, given: dict[str, Any], target: Any, text: str) -> PlayerSpec:
    settings = dict(given)
    name = str(settings.pop("name", "")) or without_folders(text) or _described(kind, given)
    bounds = {key: settings.pop(key) for key in LIMITS if key in settings}
    limit = Limit(**bounds) if bounds else None
    known: tuple[str, ...] = {"zermelo": ZERMELO_SETTINGS, "monte_carlo": MONTE_CARLO_SETTINGS}.get(kind, ())
    for key in settings:
        if key not in known and not (kind == "program" and key.startswith("option.")):
            raise TextError(f"The player {shortened(name)!r} has no setting {key!r}{_known_settings(kind, known)}.")
    if settings.get("style", "exact") not in STYLES:
        raise TextError(f"The player {shortened(name)!r}: style must be one of {', '.join(STYLES)}.")
    check_int(f"The player {shortened(name)!r}", optional=True, seed=settings.get("seed"))
    check_level(f"The player {shortened(name)!r}", settings.get("level", FULL_STRENGTH))
    return PlayerSpec(kind, shortened(name, 60), limit, settings, target, text)


def _known_settings(kind: str, known: tuple[str, ...]) -> str:
    names = ", ".join((*known, *LIMITS, "name")) if kind != "program" else "seconds, depth, nodes, name and option.NAME"
    return f"; it may have {names}"


def _described(kind: str, settings: Mapping[str, Any]) -> str:
    shown = [f"{key}={value!r}" if isinstance(value, Game) else f"{key}={value}" for key, value in settings.items()]
    return ",".join(shown) or kind
