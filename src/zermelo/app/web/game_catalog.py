"""Served: which games can be reached by requests, under which names, and within which bounds.

A request names a game by a short name and literal parameters, `connect_four(5, 4)`. Files and modules are named on
the command line alone: nothing that a request says is ever imported or executed.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from zermelo import __version__
from zermelo.app.commands.game_commands import naming_the_game, telling_where
from zermelo.app.error_messages import complaint
from zermelo.app.output import say
from zermelo.app.rule_watchdog import Overtime, ending
from zermelo.checking import glance
from zermelo.formatting import shortened
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.games.registry import GAMES, Entry, catalog, entry_of, load, name_of
from zermelo.games.support import game_spec
from zermelo.play.engine import Engine
from zermelo.solving.solution import Solution

TREES = "game_tree"
"""The game that is always served: a tree that somebody typed is a game, and has nothing to hide."""

FIRST = "connect_four"
"""The game that is shown first where none was named."""

KEPT = 64
"""Games with their parameters that are kept for the next request."""

COMPILED = 24
"""Games with their parameters that get machine code, which is never given back; those after them are interpreted."""

LARGEST = 1000
"""The largest number that a parameter may be, but for a seed."""

LONGEST = 64
"""How many values a tuple of parameters may hold."""

PATIENCE = 5.0
"""Seconds that a rule may take when a game is first looked at."""

MOST_LEGAL = 1000
"""Legal moves of a state that can be shown."""


class UnknownGame(GameError):
    """No game of this name is served."""


@dataclass
class Ready:
    """A game that can be played: the text that names it, its solution if there is one, and who makes its machine code.

    Nobody does where it is to be interpreted.
    """

    name: str
    source: str
    """The text that names it on the command line, seen from where the server was started."""
    game: Game
    solution: Solution | None
    engine: Engine | None
    prepared: bool = False

    @property
    def cold(self) -> bool:
        """Whether machine code may still be on its way."""
        return self.engine is not None and (not self.prepared or self.engine.preparing)


class Served:
    """The games of a server by their names, and solutions of some of them."""

    def __init__(
        self,
        entries: dict[str, Entry],
        games: Sequence[Game],
        solutions: Sequence[Solution] = (),
        folders: dict[type[Game], str] | None = None,
    ) -> None:
        self.entries = entries
        self.solutions = solutions
        self.folders = folders or {}
        self.games = games
        self.named = list(dict.fromkeys(map(self.text, games)))
        self.default = self.named[0] if games else FIRST
        self.load = lru_cache(KEPT)(self._load)
        self._native: set[Game] = set()
        self._preparing: Engine | None = None
        self._lock = threading.Lock()

    def _load(self, text: str) -> Ready:
        """The game that the text of a request names; `load` remembers some."""
        parsed = game_spec.parse(text)
        entry = self._named(parsed)
        _check_parameters(parsed, list(entry.parameters))
        game = game_spec.make(entry.game, parsed)
        check_width(game, game.initial())
        glance(game)
        engine = Engine(game) if self._may_compile(game) else None
        source = name_of(game, self.folders.get(entry.game, ""))
        return Ready(self.text(game), source, game, self.solution(game), engine)

    def prepare(self, ready: Ready) -> None:
        """Have the game's machine code made in the background, once, and not while another game's is being made.

        The compiler makes one at a time, and the game that is played should not wait for those that were looked at.
        """
        with self._lock:
            idle = self._preparing is None or not self._preparing.preparing
            if idle and ready.engine is not None and not ready.prepared:
                ready.prepared = True
                self._preparing = ready.engine
                ready.engine.prepare()

    def _named(self, parsed: game_spec.Spec) -> Entry:
        wanted = parsed.target
        if parsed.kind == "name":
            for name, entry in self.entries.items():
                if wanted in (name, entry.game.__name__):
                    return entry
        raise UnknownGame(f"There is no game called {shortened(wanted)} here; the games are {', '.join(self.entries)}.")

    def text(self, game: Game) -> str:
        """The text by which requests name a game."""
        for name, entry in self.entries.items():
            if entry.game is type(game):
                given = {key: getattr(game, key) for key in entry.parameters}
                changed = [f"{key}={value!r}" for key, value in given.items() if value != entry.parameters[key]]
                return f"{name}({', '.join(changed)})" if changed else name
        raise UnknownGame(f"{game!r} is not served here.")

    def solution(self, game: Game) -> Solution | None:
        """The solution of this very game, where one was opened."""
        return next((solution for solution in self.solutions if solution.game == game), None)

    def has_solution(self, entry: Entry) -> bool:
        """Whether there is a solution of a game of this name, whatever its parameters."""
        return any(type(solution.game) is entry.game for solution in self.solutions)

    def listing(self) -> dict[str, Any]:
        """The games with their parameters, for those who choose one."""
        from zermelo.app.web import handlers, serialisation

        listed = [
            {
                "name": entry.name,
                "title": serialisation.heading(entry.name),
                "usage": entry.usage,
                "description": entry.description,
                "parameters": handlers.parameters(entry),
                "database": self.has_solution(entry),
            }
            for entry in self.entries.values()
        ]
        return {"games": listed, "default": self.default, "version": __version__}

    def _may_compile(self, game: Game) -> bool:
        """Whether the game gets machine code; one that comes too late is marked as not to be compiled."""
        with self._lock:
            if game.native is False:
                return False
            if game not in self._native and len(self._native) >= COMPILED:
                if game.native:
                    raise GameError(f"{game!r} says native = True, but this server has compiled all the games it may.")
                object.__setattr__(game, "native", False)
                return False
            self._native.add(game)
            return True


def served(texts: Sequence[str] = (), databases: Iterable[Path] = (), *, looked_at: bool = True) -> Served:
    """What is served: the games that the texts name, the first of them first shown; all of Zermelo's where none is.

    A solution makes its game one of them. Games are `looked_at` first: what goes wrong at once is an error.
    """
    games = [load(text) for text in texts]
    if looked_at:
        with ending(PATIENCE).watching(), telling_where():
            for sentence in filter(None, map(look_at, games)):
                say(sentence)
        for game in games:
            Engine(game).insist()
    folders = {type(game): _folder(text) for game, text in zip(games, texts, strict=True)}
    with naming_the_game("as well: `zermelo serve my_game.py:MyGame --database FILE`"):
        solutions = tuple(_opened(path, games) for path in databases)
    games += [solution.game for solution in solutions]
    entries: dict[str, Entry] = {}
    if not texts:
        entries = {entry.name: entry for entry in catalog()}
    for game in games:
        _add(entries, type(game))
    entries.setdefault(TREES, next(entry for entry in catalog() if entry.name == TREES))
    return Served(entries, games, solutions, folders)


def _folder(text: str) -> str:
    """The folder of a game's file as it was typed; none where that tells more than where the server was started.

    >>> _folder("games/frost.py:Frost(3)"), _folder("/home/ada/frost.py"), _folder("nim")
    ('games/', '', '')
    """
    parsed = game_spec.parse(text)
    typed = Path(parsed.target)
    if parsed.kind != "file" or typed.is_absolute() or parsed.target.startswith("~"):
        return ""
    return parsed.target.removesuffix(typed.name)


def named_by_file(texts: Sequence[str]) -> bool:
    """Whether some of the games are somebody's own, whose rules may do anything."""
    return any(game_spec.parse(text).kind != "name" for text in texts)


def look_at(game: Game) -> str:
    """An error where the rules go wrong at once; a sentence where they do not end, which whoever asks them will see."""
    try:
        glance(game, raising=True)
    except Overtime as late:
        return f"{complaint(late).sentence} It is served all the same."
    return ""


def _opened(path: Path, games: list[Game]) -> Solution:
    """The solution in a file: of a game of the catalogue, or of one that was named."""
    try:
        return Solution.open(path)
    except GameError as refusal:
        for game in games:
            try:
                return Solution.open(path, game)
            except GameError:
                continue
        raise refusal


def _add(entries: dict[str, Entry], cls: type[Game]) -> None:
    """Give a class its name: the registered one, or that of the class in small letters."""
    if any(entry.game is cls for entry in entries.values()):
        return
    home = f"{cls.__module__}:{cls.__qualname__}"
    name = next((name for name, place in GAMES.items() if place == home), snake_case(cls.__name__))
    if name in entries:
        name = cls.__name__
    if name in entries:
        raise GameError(f"Two of the games are called {name}; rename one of the classes.")
    entries[name] = entry_of(name, cls)


def check_width(game: Game, state: State) -> None:
    """A sentence where a state has more moves than anybody can look at; a rule may go on yielding them for ever."""
    if game.result(state) == ONGOING:
        moves: Iterable[Any] = game.chances(state) if game.is_chance(state) else game.moves(state)
        if len(list(islice(moves, MOST_LEGAL + 1))) > MOST_LEGAL:
            raise GameError(f"{game!r}: {game.state_text(state)} has more than {MOST_LEGAL} moves, too many to show.")


def snake_case(name: str) -> str:
    """The name of a class as games are named.

    >>> snake_case("MyGame"), snake_case("KRKEnding2")
    ('my_game', 'krk_ending2')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _check_parameters(parsed: game_spec.Spec, names: list[str]) -> None:
    """A sentence for parameters that are too large to be meant well."""
    given = dict(zip(names, parsed.args, strict=False)) | parsed.parameters
    for name, value in given.items():
        for part in _parts(parsed.text, value):
            if isinstance(part, complex | bytes):
                raise game_spec.TextError(f"{parsed.text}: {part!r} cannot be a parameter.")
            if isinstance(part, int | float) and name != "seed" and not abs(part) <= LARGEST:  # nor what is no number
                raise game_spec.TextError(
                    f"{parsed.text}: the parameter {name} goes beyond {LARGEST}, which is the most."
                )


def _parts(text: str, value: Any) -> Iterator[Any]:
    """What a value consists of in the end."""
    if not isinstance(value, tuple | list | set | dict):
        yield value
        return
    if len(value) > LONGEST:
        raise game_spec.TextError(f"{text}: a parameter may hold {LONGEST} values at most.")
    for part in value.items() if isinstance(value, dict) else value:
        yield from _parts(text, part)
