"""Zermelo as the client of a program that speaks GTP. Black is the first player."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import fields

from zermelo import rules
from zermelo.game import Game, GameError, Move, State
from zermelo.play.clock import MoveTime
from zermelo.protocols.clients.external_program import ProgramError, Resignation, quoted
from zermelo.protocols.clients.program_client import HANDSHAKE_SECONDS, ProgramClient
from zermelo.protocols.move_words import move_word, read_word

COLOUR_NAMES = ("black", "white")

MAX_ANSWER_LINES = 1000
"""Lines of one answer; boards are the longest."""


class GtpClient(ProgramClient):
    """A program that speaks GTP. It says nothing of the values of its moves."""

    def __init__(self, command: Sequence[str], game: Game, options: Mapping[str, object] | None = None) -> None:
        self._played: list[Move] | None = None
        super().__init__(command, game, options)

    def _shake_hands(self, options: Mapping[str, object]) -> None:
        self.name = self.ask("name")[:80]
        for name, value in options.items():
            self.ask(f"{name} {value}")

    def ask(self, command: str, seconds: float = HANDSHAKE_SECONDS) -> str:
        """The answer to a command. Raise ProgramError if the program refuses it, or does not answer in time."""
        self.program.send(command)
        end = time.monotonic() + seconds
        first = self.program.read_until(lambda line: line[:1] in ("=", "?") and line != "", seconds)
        lines = [first[1:].strip()]
        while line := self.program.read(max(end - time.monotonic(), 1)):  # an empty line ends it
            lines.append(line)
            if len(lines) > MAX_ANSWER_LINES:
                raise ProgramError(f"does not end its answer to {command!r}")
        if first.startswith("?"):
            raise ProgramError(f"refuses {command!r}: {quoted(lines[0])}")
        return " ".join(lines).strip()

    def new_game(self) -> None:
        """Announce a new game, on a board of the size that the game has."""
        names = {each.name for each in fields(self.game)}  # type: ignore[arg-type]
        for name in ("side", "size", "width"):
            if name in names:
                self.ask(f"boardsize {getattr(self.game, name)}")
                break
        self.ask("clear_board")
        self._played = []

    def _choose(self, start: State, moves: Sequence[Move], allowed: MoveTime) -> Move:
        """GTP knows limits of time only."""
        if start != rules.initial_state(self.game):
            raise ProgramError("cannot begin in the middle of a game: GTP has no command for that")
        if self._played is None or list(moves[: len(self._played)]) != self._played:
            self.new_game()
        state, player = start, 0
        for number, move in enumerate(moves):
            player = self._player(state, number)
            if number >= len(self._played or []):
                self.ask(f"play {COLOUR_NAMES[player]} {move_word(self.game, state, move)}")
            state = self.game.play(state, move)
        player = self._player(state, len(moves))
        self._set_time(allowed, player)
        answer = self.ask(f"genmove {COLOUR_NAMES[player]}", allowed.patience)
        return self._read_move(state, answer, moves)

    def _player(self, state: State, plies: int) -> int:
        mover = rules.mover(self.game, state)
        return plies % 2 if mover is None else mover

    def _set_time(self, allowed: MoveTime, player: int) -> None:
        if allowed.clocks is not None:
            clock = allowed.clocks[player]
            self.ask(f"time_left {COLOUR_NAMES[player]} {int(clock.left)} {clock.moves_to_go or 0}")
        elif allowed.limit is not None and allowed.limit.seconds is not None:
            self.ask(f"time_settings 0 {max(round(allowed.limit.seconds), 1)} 1")

    def _read_move(self, state: State, answer: str, moves: Sequence[Move]) -> Move:
        if answer.lower() == "resign":
            self._played = None
            raise Resignation("resigns")
        legal = rules.legal_actions(self.game, state)
        same = [move for move in legal if move_word(self.game, state, move).lower() == answer.lower()]
        try:
            move = same[0] if len(same) == 1 else read_word(self.game, state, answer)
        except GameError:
            raise self._illegal(answer, state) from None
        self._played = [*moves, move]
        return move
