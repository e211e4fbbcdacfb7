"""What the clients of all protocols share: a program that is started, greeted and asked for moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from zermelo.game import Game, Move, State
from zermelo.limits import Limit
from zermelo.play.clock import Clock, MoveTime
from zermelo.protocols.clients.external_program import ExternalProgram, ProgramError, quoted
from zermelo.value import Value

HANDSHAKE_SECONDS = 30.0
"""Seconds for a program to start, on a busy machine."""

DEFAULT_GO = Limit(seconds=1)
"""What a move may take where nothing else is said."""


class ProgramClient(ABC):
    """A program that plays a game. What goes wrong with it raises ProgramError."""

    def __init__(self, command: Sequence[str], game: Game, options: Mapping[str, object] | None = None) -> None:
        self.game = game
        self.command = command
        self.name = command[0]
        self.value: Value | None = None
        """What the program said of its last move; None if it said nothing."""
        self.reusable = True
        """Whether the program can play another game; else it is started anew for that."""
        self.program = ExternalProgram(command)
        try:
            self._shake_hands(options or {})
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def _shake_hands(self, options: Mapping[str, object]) -> None:
        """Begin the protocol, learn the name of the program and set its options."""

    @abstractmethod
    def new_game(self) -> None:
        """Announce a new game."""

    def choose(
        self,
        start: State,
        moves: Sequence[Move],
        limit: Limit | None = None,
        clocks: Sequence[Clock] | None = None,
        seconds: float = HANDSHAKE_SECONDS,
    ) -> Move:
        """Return the program's move after these moves from `start`. After `seconds` it is given up."""
        return self._choose(start, moves, MoveTime(limit, clocks, seconds))

    @abstractmethod
    def _choose(self, start: State, moves: Sequence[Move], allowed: MoveTime) -> Move:
        """Ask the program for a move and read its answer."""

    def _illegal(self, answer: str, state: State) -> ProgramError:
        """Return the error about an answer that is no legal move."""
        return ProgramError(f"answers {quoted(answer)}, which is no legal move in {self.game.state_text(state)}")

    def close(self) -> None:
        """End the program."""
        self.program.close("quit")
