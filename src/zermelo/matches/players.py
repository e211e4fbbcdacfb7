"""The players of a match: Zermelo, Monte Carlo, random, classes of the user's own, and other programs."""

from __future__ import annotations

import inspect
import random
import shlex
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from shutil import which
from typing import Any, NamedTuple, Protocol

from zermelo.formatting import exception_text
from zermelo.game import Game, GameError, Move
from zermelo.games.registry import TextError
from zermelo.games.support import game_files, game_spec
from zermelo.limits import Limit
from zermelo.matches.evaluations import evaluating
from zermelo.matches.player_spec import PlayerSpec, a_game_no_player
from zermelo.play.books.any_book import own_lines
from zermelo.play.clock import Clock, MoveTime
from zermelo.play.engine import MOVE_LIMIT, Engine
from zermelo.play.levels import FULL_STRENGTH
from zermelo.play.session import Session
from zermelo.protocols.clients.external_program import ProgramError, Resignation
from zermelo.protocols.clients.gnubg_client import GnubgClient
from zermelo.protocols.clients.gtp_client import GtpClient
from zermelo.protocols.clients.program_client import ProgramClient
from zermelo.protocols.clients.protocol_client import ProtocolClient
from zermelo.protocols.clients.xboard_client import XboardClient
from zermelo.protocols.dialects import DIALECTS
from zermelo.protocols.fibs_board import is_backgammon
from zermelo.protocols.move_words import is_chess, uci_variant
from zermelo.searching import Report, monte_carlo
from zermelo.value import Value

COMPILE_POLL = 0.02
"""Seconds between two looks at the compiler."""


class Forfeit(GameError):
    """A player loses its game. The text is said of the player: "raises KeyError: 3"."""

    fault = True


class Resigned(Forfeit):
    """A player gives its game up, as it may."""

    fault = False


class Choice(NamedTuple):
    """A move, and what the player thinks it is worth, for the one who makes it; None where it does not say."""

    move: Move
    value: Value | None = None


class Player(Protocol):
    """Chooses moves in one game after another. Forfeit, or any other exception, loses the game."""

    def begin(self, seed: int) -> None:
        """Prepare for a new game; no clock runs."""

    def choose(self, session: Session, allowed: MoveTime) -> Choice:
        """The move to play in the session's state."""

    def close(self) -> None:
        """End what the player has started."""


def make_player(spec: PlayerSpec, game: Game) -> Player:
    """The player of a spec. Raise GameError if it cannot be made."""
    if spec.kind == "zermelo":
        return ZermeloPlayer(game, spec.settings)
    if spec.kind == "monte_carlo":
        return MonteCarloPlayer(game, spec.settings)
    if spec.kind == "random":
        return RandomPlayer()
    if spec.kind == "program":
        return ProgramPlayer(game, spec)
    return OwnPlayer(game, _own_class(spec.target) if spec.kind == "class" else _maker(spec.target))


def check_player(spec: PlayerSpec, game: Game) -> None:
    """Raise GameError if a player cannot take part: a file that does not exist, a game other than chess for UCI."""
    if spec.kind == "zermelo":
        ZermeloPlayer(game, spec.settings)
    elif spec.kind == "class":
        _own_class(spec.target)
    elif spec.kind == "program":
        program_command(spec, game)


def program_command(spec: PlayerSpec, game: Game) -> list[str]:
    """The command line of a program. Raise GameError if there is none, or its protocol is not one of the game."""
    protocol, _, line = spec.target.partition(":")
    if (protocol == "xboard" and not is_chess(game)) or (protocol == "uci" and uci_variant(game) is None):
        raise GameError(f"{spec.name}: {protocol} is for chess, not for {game!r}; the protocol for any game is ugi.")
    if protocol == "gnubg" and not is_backgammon(game):
        raise GameError(f"{spec.name}: gnubg is for backgammon, not for {game!r}; the protocol for any game is ugi.")
    try:
        command = shlex.split(line)
    except ValueError as error:
        raise TextError(f"{spec.name}: the command {line!r} cannot be read: {error}.") from None
    if not command or which(command[0]) is None:
        raise TextError(f"{spec.name}: there is no program {(command or [line])[0]!r}.")
    return command


class ZermeloPlayer:
    """Zermelo's engine."""

    def __init__(self, game: Game, settings: Mapping[str, Any]) -> None:
        options = dict(settings)
        evaluation, weights = options.pop("evaluation", None), options.pop("weights", None)
        if weights is not None or evaluation is not None:  # in place of those that ship with the game
            options["weights"] = False
        searched = evaluating(game, evaluation, None if weights == "none" else weights)
        if options.get("book") == "none":
            options["book"] = False
        elif "book" not in options and own_lines(searched) is not None:
            options["book"] = False  # a match compares what players find; its openings are chosen for both
        self.engine = Engine(searched, **options)
        self.draws = self.engine.level < FULL_STRENGTH and self.engine.seed is None

    def begin(self, seed: int) -> None:
        """Compile the search before any clock runs. A level draws its moves by the seed of the game."""
        if self.draws:
            self.engine.seed = seed
        self.engine.prepare()
        while self.engine.compiling:
            time.sleep(COMPILE_POLL)

    def choose(self, session: Session, allowed: MoveTime) -> Choice:
        self.engine.limit = allowed.limit or MOVE_LIMIT
        self.engine.clock = None if allowed.clocks is None else _copy(allowed.clocks[session.player])
        return _of_report(self.engine.choose(session.state, history=session.states))

    def close(self) -> None: ...


class MonteCarloPlayer:
    """Monte Carlo tree search; its seed is that of the game where none is given."""

    def __init__(self, game: Game, settings: Mapping[str, Any]) -> None:
        self.game, self.settings, self.seed = game, dict(settings), 0

    def begin(self, seed: int) -> None:
        self.seed = self.settings.get("seed", seed)

    def choose(self, session: Session, allowed: MoveTime) -> Choice:
        limit = allowed.limit or MOVE_LIMIT
        if allowed.clocks is not None:
            limit = Limit(seconds=allowed.clocks[session.player].budget().soft)
        return _of_report(monte_carlo(self.game, session.state, limit, **{**self.settings, "seed": self.seed}))

    def close(self) -> None: ...


class RandomPlayer:
    """Any legal move, each with the same probability."""

    def __init__(self) -> None:
        self.dice = random.Random()

    def begin(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def choose(self, session: Session, allowed: MoveTime) -> Choice:
        del allowed
        return Choice(self.dice.choice(session.moves))

    def close(self) -> None: ...


class OwnPlayer:
    """A player of the user's own: made anew for each game, by its class or function.

    It is asked for a move by `choose(state)`, or called as `player(game, state)`, and answers with a move, the text of
    one, or a Report. A `history` argument gets the states before.
    """

    def __init__(self, game: Game, make: Callable[[Game], Callable[..., Any]]) -> None:
        self.game, self.make = game, make
        self.ask: Callable[..., Any] | None = None

    def begin(self, seed: int) -> None:
        random.seed(seed)  # so that a player which draws lots repeats its games
        self.ask = _said(lambda: self.make(self.game))

    def choose(self, session: Session, allowed: MoveTime) -> Choice:
        del allowed
        assert self.ask is not None
        ask, extra = self.ask, {"history": session.states} if _takes(self.ask, "history") else {}
        answer = _said(lambda: ask(session.state, **extra))
        if isinstance(answer, Report):
            return _of_report(answer)
        if isinstance(answer, str) and answer not in session.moves:
            with suppress(GameError):  # the referee says what is wrong with it
                return Choice(session.read(answer))
        return Choice(answer)

    def close(self) -> None: ...


class ProgramPlayer:
    """An external program. After a failure it is started anew for the next game."""

    def __init__(self, game: Game, spec: PlayerSpec) -> None:
        self.game, self.command = game, program_command(spec, game)
        self.protocol = spec.target.partition(":")[0]
        self.options = {key.removeprefix("option."): value for key, value in spec.settings.items()}
        self.client: ProgramClient | None = None

    def begin(self, seed: int) -> None:
        del seed
        with _failing(self):
            if self.client is None or not (self.client.program.running and self.client.reusable):
                self.close()
                self.client = self._start()
            self.client.new_game()

    def _start(self) -> ProgramClient:
        if self.protocol == "gtp":
            return GtpClient(self.command, self.game, self.options)
        if self.protocol == "gnubg":
            return GnubgClient(self.command, self.game, self.options)
        if self.protocol == "xboard":
            return XboardClient(self.command, self.game, self.options)
        return ProtocolClient(DIALECTS[self.protocol], self.command, self.game, self.options)

    def choose(self, session: Session, allowed: MoveTime) -> Choice:
        assert self.client is not None
        with _failing(self):
            moves = [turn.move for turn in session.history]
            move = self.client.choose(session.start, moves, allowed.limit, allowed.clocks, allowed.patience)
            return Choice(move, self.client.value)

    def close(self) -> None:
        if self.client is not None:
            self.client.close()
            self.client = None


class _failing:
    """A program that fails loses its game and is ended."""

    def __init__(self, player: ProgramPlayer) -> None:
        self.player = player

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, Resignation):
            raise Resigned(str(error)) from None
        if isinstance(error, ProgramError):
            self.player.close()
            raise Forfeit(str(error)) from None


def _of_report(report: Report) -> Choice:
    return Choice(report.move, report.value)


def _said(call: Callable[[], Any]) -> Any:
    """What a user's own code returns; what it raises is a Forfeit."""
    try:
        return call()
    except (Exception, SystemExit) as error:
        raise Forfeit(f"raises {type(error).__name__}: {exception_text(error, 200)}") from error


def _takes(function: Callable[..., Any], name: str) -> bool:
    try:
        return name in inspect.signature(function).parameters
    except (ValueError, TypeError):
        return False


def _maker(target: Any) -> Callable[[Game], Callable[..., Any]]:
    """What makes the player of an object for a game: a class is called with the game, anything else is the player."""
    if isinstance(target, type):
        return lambda game: _chooser(target(game))
    if callable(getattr(target, "choose", None)):
        return lambda game: target.choose
    return lambda game: lambda state: target(game, state)


def _chooser(made: Any) -> Callable[..., Any]:
    if not callable(getattr(made, "choose", None)):
        raise TypeError(f"{type(made).__name__} has no method choose(state)")
    return made.choose  # type: ignore[no-any-return]


def _own_class(text: str) -> Callable[[Game], Callable[..., Any]]:
    """What makes a player of the class or function that a text names. Raise GameError if there is none."""
    spec = game_spec.parse(text)
    found = game_files.member_of(spec)
    if isinstance(found, type) and issubclass(found, Game):
        raise a_game_no_player(text)
    if isinstance(found, type):
        return lambda game: _chooser(found(game, *spec.args, **spec.parameters))
    if callable(found):
        return lambda game: lambda state: found(game, state, *spec.args, **spec.parameters)
    raise TextError(f"{spec.cls} in {spec.target} is neither a class nor a function.")


def _copy(clock: Clock) -> Clock:
    """A clock that shows the same; a player cannot change the referee's."""
    copied = Clock(clock.seconds, clock.increment, clock.moves)
    copied.left, copied.moves_to_go = max(clock.left, 0.001), clock.moves_to_go
    return copied
