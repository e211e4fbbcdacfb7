"""The catalog of a server: which games requests can reach, under which names, and within which limits.

A request names a game by a short name and literal parameters, `connect_four(5, 4)`. Files and modules are named on
the command line alone: nothing in a request is ever imported or executed.
"""

from __future__ import annotations

import difflib
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from typing import Any

from zermelo import __version__
from zermelo.app.commands.game_commands import DEFAULT_GAME, hint_to_name_game, report_rule_on_interrupt
from zermelo.app.error_messages import describe_error
from zermelo.app.output import say
from zermelo.app.rule_watchdog import RuleTimeout, interrupting_watchdog
from zermelo.app.web.gallery import gallery_facts
from zermelo.app.web.solved_games import SolvedGames
from zermelo.checking import glance
from zermelo.formatting import shortened
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.games.registry import GAMES, Entry, catalog, entry_of, load, name_of
from zermelo.games.support import game_spec
from zermelo.play.engine import Engine
from zermelo.solving.solution import Solution

TYPED_TREE_GAME = "game_tree"
"""The game that is always served: Learn shows trees that people type."""

MAX_CACHED_GAMES = 64
"""Games, with their parameters, that stay loaded for the next request."""

MAX_COMPILED_GAMES = 24
"""Games, with their parameters, that are compiled; compiled code is never freed, so later ones are interpreted."""

MAX_PARAMETER = 1000
"""The largest number that a parameter may be, except a seed."""

MAX_PARAMETER_LENGTH = 64
"""Values that a tuple as a parameter may hold."""

CHECK_TIMEOUT = 5.0
"""Seconds that a rule may take when a game is first checked."""

MAX_LEGAL_MOVES = 1000
"""Legal moves of a state that can be shown."""


COMPILER_POLL_SECONDS = 0.2
"""Seconds between two looks at whether a wait for the compiler is still wanted."""


class UnknownGame(GameError):
    """No game of this name is served."""


@dataclass
class LoadedGame:
    """A game ready to be played: its name, its solution if there is one, and the engine that compiles its search.

    A game that stays interpreted has no engine.
    """

    name: str
    source: str
    """The text that names it on the command line, relative to the folder where the server was started."""
    game: Game
    opened: Solution | None
    """The solution of a database that was opened with the server."""
    engine: Engine | None
    compilation_started: bool = False
    solved: SolvedGames | None = None

    @property
    def solution(self) -> Solution | None:
        """Its solution: that of a database, or one that a visitor has asked for."""
        return self.opened or (self.solved.find(self.name, self.game) if self.solved else None)

    def keep_solution(self, solution: Solution) -> None:
        """Keep a solution for all requests, in all processes of the server."""
        if self.solved is None:
            self.opened = solution
        else:
            self.solved.add(self.name, solution)

    @property
    def compiling(self) -> bool:
        """Whether its search will be compiled, and is not yet."""
        return self.engine is not None and (not self.compilation_started or self.engine.compiling)

    def wait_for_compiler(self, seconds: float, stopped: Callable[[], bool] = lambda: False) -> None:
        """Wait until the search is compiled, for some seconds at most, or until `stopped`."""
        end = time.monotonic() + seconds
        while self.engine is not None and self.compiling and not stopped():
            left = end - time.monotonic()
            if left <= 0:
                return
            self.engine.wait_for_compiler(min(left, COMPILER_POLL_SECONDS))


class GameCatalog:
    """The games of a server by name, and the solutions of some of them."""

    def __init__(
        self,
        entries: dict[str, Entry],
        games: Sequence[Game],
        solutions: Sequence[Solution] = (),
        folders: dict[type[Game], str] | None = None,
        solved: SolvedGames | None = None,
    ) -> None:
        self.entries = entries
        self.solutions = solutions
        self.folders = folders or {}
        self.games = games
        self.solved = solved or SolvedGames()
        self.named = list(dict.fromkeys(map(self.text, games)))
        self.default = self.named[0] if games else DEFAULT_GAME
        self.load = lru_cache(MAX_CACHED_GAMES)(self._load)
        self.load_to_draw = lru_cache(MAX_CACHED_GAMES)(lambda text: self._load(text, compiled=False))
        self._native: set[Game] = set()
        self._compiling: Engine | None = None
        self._lock = threading.Lock()

    def _load(self, text: str, *, compiled: bool = True) -> LoadedGame:
        """Load the game that the text of a request names; `load` caches it.

        A game that is only drawn is not `compiled`: a gallery of all games would take the places of those in play.
        """
        parsed = game_spec.parse(text)
        entry = self._entry(parsed)
        _check_parameters(parsed, list(entry.parameters))
        game = game_spec.make(entry.game, parsed)
        check_width(game, game.initial())
        glance(game)
        engine = Engine(game) if compiled and self._may_compile(game) else None
        source = name_of(game, self.folders.get(entry.game, ""))
        return LoadedGame(self.text(game), source, game, self.solution(game), engine, solved=self.solved)

    def compile_in_background(self, loaded: LoadedGame) -> None:
        """Compile the search of a game in the background, once, and not while another game is compiling.

        The compiler runs one job at a time, and the game in play should not wait for those that were only visited.
        """
        with self._lock:
            idle = self._compiling is None or not self._compiling.compiling
            if idle and loaded.engine is not None and not loaded.compilation_started:
                loaded.compilation_started = True
                self._compiling = loaded.engine
                loaded.engine.prepare()

    def _entry(self, parsed: game_spec.Spec) -> Entry:
        wanted = parsed.target
        if parsed.kind == "name":
            for entry in (self.entries.get(wanted), *self.entries.values()):  # a name goes before a class
                if entry is not None and wanted in (entry.name, entry.game.__name__):
                    return entry
        near = difflib.get_close_matches(wanted.lower(), self.entries, 1)
        hint = f"did you mean {near[0]}?" if near else f"the games are {', '.join(self.entries)}."
        raise UnknownGame(f"There is no game called {shortened(wanted)} here; {hint}")

    def text(self, game: Game) -> str:
        """The text by which requests name a game."""
        for name, entry in self.entries.items():
            if entry.game is type(game):
                given = {key: getattr(game, key) for key in entry.parameters}
                changed = [f"{key}={value!r}" for key, value in given.items() if value != entry.parameters[key]]
                return f"{name}({', '.join(changed)})" if changed else name
        raise UnknownGame(f"{game!r} is not served here.")

    def solution(self, game: Game) -> Solution | None:
        """The solution of the game, if one was opened."""
        return next((solution for solution in self.solutions if solution.game == game), None)

    def has_solution(self, entry: Entry) -> bool:
        """Whether a solution of the game was opened, with any parameters."""
        return any(type(solution.game) is entry.game for solution in self.solutions)

    def listing(self) -> dict[str, Any]:
        """The record of /api/games: the games with their parameters, and the one shown first."""
        from zermelo.app.web import handlers, serialisation

        listed = [
            {
                "name": entry.name,
                "title": serialisation.display_name(entry.name),
                "usage": entry.usage,
                "description": entry.description,
                "parameters": handlers.parameters(entry),
                "database": self.has_solution(entry),
                **gallery_facts(entry),
            }
            for entry in self.entries.values()
        ]
        return {
            "games": listed,
            "default": self.default,
            "version": __version__,
            "threads": handlers.available_threads(),
        }

    def _may_compile(self, game: Game) -> bool:
        """Whether the game is compiled; one beyond MAX_COMPILED_GAMES is marked as interpreted."""
        with self._lock:
            if game.native is False:
                return False
            if game not in self._native and len(self._native) >= MAX_COMPILED_GAMES:
                if game.native:
                    raise GameError(f"{game!r} says native = True, but this server has compiled all the games it may.")
                object.__setattr__(game, "native", False)
                return False
            self._native.add(game)
            return True


def open_catalog(
    texts: Sequence[str] = (), databases: Iterable[Path] = (), *, check: bool = True, solved: SolvedGames | None = None
) -> GameCatalog:
    """Load the games that the texts name, or all of Zermelo's, and open the databases, whose games are added.

    With `check`, raise GameError if the rules of a named game go wrong at once. `solved` are the games that visitors
    have had solved; none at first.
    """
    games = [load(text) for text in texts]
    if check:
        with interrupting_watchdog(CHECK_TIMEOUT).running(), report_rule_on_interrupt():
            for warning in filter(None, map(check_game, games)):
                say(warning)
        for game in games:
            Engine(game).require_native()
    folders = {type(game): _folder(text) for game, text in zip(games, texts, strict=True)}
    with hint_to_name_game("as well: `zermelo serve my_game.py:MyGame --database FILE`"):
        solutions = tuple(_opened(path, games) for path in databases)
    games += [solution.game for solution in solutions]
    entries: dict[str, Entry] = {}
    if not texts:
        entries = {entry.name: entry for entry in catalog()}
    for game in games:
        _add(entries, type(game))
    entries.setdefault(TYPED_TREE_GAME, next(entry for entry in catalog() if entry.name == TYPED_TREE_GAME))
    return GameCatalog(entries, games, solutions, folders, solved)


def _folder(text: str) -> str:
    """The folder of a game's file as it was typed; empty for an absolute path, which is private.

    >>> _folder("games/frost.py:Frost(3)"), _folder("/home/ada/frost.py"), _folder("nim")
    ('games/', '', '')
    """
    parsed = game_spec.parse(text)
    typed = Path(parsed.target)
    if parsed.kind != "file" or typed.is_absolute() or parsed.target.startswith("~"):
        return ""
    return parsed.target.removesuffix(typed.name)


def named_by_file(texts: Sequence[str]) -> bool:
    """Whether some of the games are not Zermelo's own, so that their rules may do anything."""
    return any(game_spec.parse(text).kind != "name" for text in texts)


def check_game(game: Game) -> str:
    """Raise GameError if the rules go wrong at once; return a warning if they time out."""
    try:
        glance(game, raising=True)
    except RuleTimeout as late:
        return f"{describe_error(late).sentence} It is served all the same."
    return ""


def _opened(path: Path, games: list[Game]) -> Solution:
    """Open the solution of a game of Zermelo's own, or of one of `games`."""
    try:
        return Solution.open(path)
    except GameError as error:
        for game in games:
            try:
                return Solution.open(path, game)
            except GameError:
                continue
        raise error


def _add(entries: dict[str, Entry], cls: type[Game]) -> None:
    """Add a class under its registered name, or its own in snake case; a second one of a name gets a number."""
    if any(entry.game is cls for entry in entries.values()):
        return
    home = f"{cls.__module__}:{cls.__qualname__}"
    name = next((name for name, place in GAMES.items() if place == home), snake_case(cls.__name__))
    if name in entries:
        name = next(numbered for number in count(2) if (numbered := f"{name}_{number}") not in entries)
    entries[name] = entry_of(name, cls)


def check_width(game: Game, state: State) -> None:
    """Raise GameError if a state has more than MAX_LEGAL_MOVES; a rule may yield them without end."""
    if game.result(state) == ONGOING:
        moves: Iterable[Any] = game.chances(state) if game.is_chance(state) else game.moves(state)
        if len(list(islice(moves, MAX_LEGAL_MOVES + 1))) > MAX_LEGAL_MOVES:
            raise GameError(
                f"{game!r}: {game.state_text(state)} has more than {MAX_LEGAL_MOVES} moves, too many to show."
            )


def snake_case(name: str) -> str:
    """The name of a class as games are named.

    >>> snake_case("MyGame"), snake_case("KRKEnding2")
    ('my_game', 'krk_ending2')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _check_parameters(parsed: game_spec.Spec, names: list[str]) -> None:
    """Raise TextError for parameters beyond the limits."""
    given = dict(zip(names, parsed.args, strict=False)) | parsed.parameters
    for name, value in given.items():
        for part in _parts(parsed.text, value):
            if isinstance(part, complex | bytes):
                raise game_spec.TextError(f"{parsed.text}: {part!r} cannot be a parameter.")
            if (
                isinstance(part, int | float) and name != "seed" and not abs(part) <= MAX_PARAMETER
            ):  # which nan is not either
                raise game_spec.TextError(
                    f"{parsed.text}: the parameter {name} goes beyond {MAX_PARAMETER}, which is the most."
                )


def _parts(text: str, value: Any) -> Iterator[Any]:
    """Flatten a value: the parts that are no containers."""
    if not isinstance(value, tuple | list | set | dict):
        yield value
        return
    if len(value) > MAX_PARAMETER_LENGTH:
        raise game_spec.TextError(f"{text}: a parameter may hold {MAX_PARAMETER_LENGTH} values at most.")
    for part in value.items() if isinstance(value, dict) else value:
        yield from _parts(text, part)
