"""zermelo uci, ugi, xboard, gtp and nboard: an engine at the other end of two pipes; zermelo gnubg: one at a socket.

The greeting must come at once, so nothing is imported here that it does not need.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from zermelo import __version__
from zermelo.game import Game, GameError
from zermelo.protocols.engine_base import EngineBase

if TYPE_CHECKING:
    from zermelo.limits import Limit

NAME = f"Zermelo {__version__}"

SWITCH_INTERVAL = 0.0005
"""Seconds until a thread that loads or compiles lets the one go on that obeys the GUI; 5 ms is Python's own."""


def speak(protocol: str, text: str) -> NoReturn:
    """Obey the commands of the standard input until `quit`. Raise GameError if the text names no game."""

    def write(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    sys.setswitchinterval(SWITCH_INTERVAL)
    with suppress(BrokenPipeError):  # the GUI has gone
        engine = new_engine(protocol, _loader(text), write)
        engine.run(sys.stdin.buffer)
        engine.check_loaded()
    os._exit(0)  # a compiler in the background must not keep the process


def wait_for_gnubg(host: str, port: int, limit: Limit) -> None:
    """Be a player for every gnubg that connects, until Ctrl-C. Raise GameError if nothing can listen there."""
    from zermelo.app.output import say
    from zermelo.protocols.gnubg_engine import GnubgServer

    try:
        server = GnubgServer((host, port), _loader("backgammon"), limit)
    except (OSError, OverflowError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise GameError(f"`zermelo gnubg` cannot listen at {host}, port {port}: {problem}.") from None
    with server:
        place = f"{host}:{server.server_address[1]}"
        say(f"Zermelo waits for gnubg; type there: set player 0 external {place} (Ctrl-C ends it).")
        server.serve_forever()


def _loader(text: str) -> Callable[[], Game]:
    """What loads the game of a text."""

    def load() -> Game:
        from zermelo.games.registry import load as load_game

        return load_game(text)

    return load


def new_engine(protocol: str, load: Callable[[], Game], write: Callable[[str], object]) -> EngineBase:
    """The engine of a protocol."""
    if protocol == "xboard":
        from zermelo.protocols.xboard import XboardProtocol

        return XboardProtocol(load, write, NAME)
    if protocol == "gtp":
        from zermelo.protocols.gtp import GtpProtocol

        return GtpProtocol(load, write, "Zermelo", __version__)
    if protocol == "nboard":
        from zermelo.protocols.nboard import NboardProtocol

        return NboardProtocol(load, write, NAME)
    from zermelo.protocols.dialects import DIALECTS
    from zermelo.protocols.engine_protocol import EngineProtocol

    return EngineProtocol(DIALECTS[protocol], load, write, NAME)
