"""zermelo uci, ugi, xboard and gtp: an engine at the other end of two pipes.

The greeting must come at once, so nothing is imported here that it does not need.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from zermelo import __version__
from zermelo.game import Game
from zermelo.protocols.engine_base import EngineBase

NAME = f"Zermelo {__version__}"


def speak(protocol: str, text: str) -> NoReturn:
    """Obey the commands of the standard input until `quit`. Raise GameError if the text names no game."""

    def load() -> Game:
        from zermelo.games.registry import load as load_game

        return load_game(text)

    def write(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    with suppress(BrokenPipeError):  # the GUI has gone
        engine = new_engine(protocol, load, write)
        engine.run(sys.stdin.buffer)
        engine.check_loaded()
    os._exit(0)  # a compiler in the background must not keep the process


def new_engine(protocol: str, load: Callable[[], Game], write: Callable[[str], object]) -> EngineBase:
    """The engine of a protocol."""
    if protocol == "xboard":
        from zermelo.protocols.xboard import XboardProtocol

        return XboardProtocol(load, write, NAME)
    if protocol == "gtp":
        from zermelo.protocols.gtp import GtpProtocol

        return GtpProtocol(load, write, "Zermelo", __version__)
    from zermelo.protocols.dialects import DIALECTS
    from zermelo.protocols.engine_protocol import EngineProtocol

    return EngineProtocol(DIALECTS[protocol], load, write, NAME)
