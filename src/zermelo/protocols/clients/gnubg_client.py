"""gnubg as a player of backgammon, by the socket of its command `external`.

gnubg is started as a text program and told to listen at a port of this machine. For each position it gets a line and
answers with a play. It knows no limit of time; its options say how far it looks ahead.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping, Sequence

from zermelo import rules
from zermelo.game import Game, GameError, Move, State
from zermelo.play.clock import MoveTime
from zermelo.protocols.clients.external_program import MAX_LINE, NoAnswer, ProgramError
from zermelo.protocols.clients.program_client import HANDSHAKE_SECONDS, ProgramClient
from zermelo.protocols.fibs_board import board_text
from zermelo.protocols.move_words import read_word

ARGUMENTS = ("--tty", "--quiet", "--no-rc")
"""Of every gnubg: no window, no sound, and no settings of the user's."""

SETTINGS = ("jacoby off", "evaluation chequerplay evaluation cubeful off")
"""Points count as in the rules here, where there is no cube."""

PLIES = "plies"
"""The option for how far it looks ahead: 0 are its own plays, 1 also each roll and reply."""

CONNECT_INTERVAL = 0.05
"""Seconds between two attempts to reach it."""

LOOPBACK = "127.0.0.1"


class GnubgClient(ProgramClient):
    """A running gnubg. Options are those of its command `set`. It says nothing of the values of its moves."""

    def __init__(self, command: Sequence[str], game: Game, options: Mapping[str, object] | None = None) -> None:
        self._socket: socket.socket | None = None
        self._unread = b""
        super().__init__([*command, *ARGUMENTS], game, options)

    def _shake_hands(self, options: Mapping[str, object]) -> None:
        for line in SETTINGS:
            self.program.send(f"set {line}")
        for name, value in options.items():
            setting = "evaluation chequerplay evaluation plies" if name == PLIES else name
            self.program.send(f"set {setting} {value}")
        self._connect(_free_port())
        self.name = f"gnubg, {self._ask('version', HANDSHAKE_SECONDS)}"[:80]

    def _connect(self, port: int) -> None:
        self.program.send(f"external {LOOPBACK}:{port}")
        end = time.monotonic() + HANDSHAKE_SECONDS
        while self.program.running and time.monotonic() < end:
            try:
                self._socket = socket.create_connection((LOOPBACK, port), HANDSHAKE_SECONDS)
                return
            except OSError:
                time.sleep(CONNECT_INTERVAL)
        raise ProgramError("does not listen at its port")

    def new_game(self) -> None:
        """Every position is sent whole, so nothing is to be announced; late answers are dropped."""
        self._unread = b""

    def _choose(self, start: State, moves: Sequence[Move], allowed: MoveTime) -> Move:
        """Where there is one play, gnubg is not asked."""
        state = start
        for move in moves:
            state = self.game.play(state, move)
        legal = rules.legal_actions(self.game, state)
        if len(legal) == 1:
            return legal[0]
        answer = self._ask(board_text(state), allowed.patience)
        try:
            return read_word(self.game, state, answer.strip())
        except GameError:
            raise self._illegal(answer, state) from None

    def _ask(self, line: str, seconds: float) -> str:
        """The first line of the answer to a line; what else it said before is dropped."""
        assert self._socket is not None
        self._unread = b""
        end = time.monotonic() + seconds
        try:
            self._socket.settimeout(max(seconds, 0.001))
            self._socket.sendall(line.encode() + b"\n")
            while b"\n" not in self._unread:
                self._socket.settimeout(max(end - time.monotonic(), 0.001))
                part = self._socket.recv(MAX_LINE)
                self._unread += part
                if not part:
                    raise ProgramError("has closed its connection")
                if len(self._unread) > MAX_LINE:
                    raise ProgramError(f"prints a line of more than {MAX_LINE} bytes")
        except TimeoutError:
            raise NoAnswer(f"does not answer within {seconds:.3g} s") from None
        except OSError:
            raise ProgramError("has closed its connection") from None
        return self._unread.partition(b"\n")[0].decode("utf-8", "replace")

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self.program.close()  # it listens again now, and hears no farewell


def _free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as listener:
        return int(listener.getsockname()[1])
