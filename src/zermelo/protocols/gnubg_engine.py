"""Zermelo as an external player of gnubg: it connects to a port, sends positions, and reads plays.

gnubg asks for three things: a play where dice are thrown, `roll` or `double` before a roll, and `take` or `drop` where
the cube was turned. The rules here have no cube, so Zermelo never doubles. It takes where it expects to lose no more
than half a point: with the cube turned that is what dropping costs.
"""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, cast

from zermelo.game import Game, State
from zermelo.protocols.engine_base import EngineBase

if TYPE_CHECKING:
    from zermelo.limits import Limit

MAX_CONNECTIONS = 16
"""Players at once; further connections are closed."""

NO_PLAY = ""
"""The answer where nothing can move. gnubg records nonsense for any other word."""

TAKE_POINT = 0.5
"""Points of a game without the cube that the player who doubled may expect at most for a take."""


class GnubgEngine(EngineBase):
    """Answers the lines of one connection."""

    def __init__(self, load: Callable[[], Game], write: Callable[[str], object], limit: Limit) -> None:
        self.limit = limit
        super().__init__(load, write)

    def _complain(self, sentence: str) -> None:
        self._say(f"Error: {sentence}")

    def _obey(self, words: list[str]) -> None:
        """Answer a line. gnubg ends each one by a zero byte, which begins the next."""
        from zermelo.protocols.fibs_board import read_board

        line = " ".join(words).strip("\0")
        if not line:
            return
        state, doubled = read_board(self.game, line)
        if doubled:
            self._say("take" if self._expectation(state) <= TAKE_POINT else "drop")
        elif self.game.is_chance(state):
            self._say("roll")
        else:
            self.engine.limit = self.limit
            report = self.engine.choose(state)
            self._say(self.game.move_text(state, report.move) if report.move else NO_PLAY)

    def _expectation(self, state: State) -> float:
        """What the player who is to roll can expect, by all rolls and plays."""
        from zermelo.limits import Limit

        state = state._replace(dice=0)
        self.engine.limit, total = Limit(depth=1), 0.0
        for roll, probability in self.game.chances(state):
            total += probability * self.engine.choose(self.game.play(state, roll)).value.score
        return total


class GnubgServer(socketserver.ThreadingTCPServer):
    """Listens at an address, and plays at each connection."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, address: tuple[str, int], load: Callable[[], Game], limit: Limit) -> None:
        self.load, self.limit = load, limit
        self.free = threading.BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__(address, _Connection)


class _Connection(socketserver.StreamRequestHandler):
    server: GnubgServer

    def handle(self) -> None:
        if not self.server.free.acquire(blocking=False):
            return
        try:
            engine = GnubgEngine(self.server.load, self._write, self.server.limit)
            engine.run(cast("BinaryIO", self.rfile))
        except OSError:
            pass  # gnubg has gone
        finally:
            self.server.free.release()

    def _write(self, line: str) -> None:
        self.wfile.write(line.encode() + b"\n")
