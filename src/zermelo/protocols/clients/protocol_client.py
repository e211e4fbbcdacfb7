"""Zermelo as the client of an engine: an external program that speaks UCI or UGI chooses moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zermelo import rules
from zermelo.game import Game, GameError, Move, State
from zermelo.play.clock import MoveTime
from zermelo.protocols.clients.external_program import ProgramError
from zermelo.protocols.clients.program_client import DEFAULT_GO, HANDSHAKE_SECONDS, ProgramClient
from zermelo.protocols.dialects import UCI, Dialect
from zermelo.protocols.move_words import is_chess, move_word, read_uci_word, read_word, uci_variant, uci_word
from zermelo.protocols.search_info import read_score


class ProtocolClient(ProgramClient):
    """A program that speaks UCI or UGI."""

    def __init__(
        self, dialect: Dialect, command: Sequence[str], game: Game, options: Mapping[str, object] | None = None
    ) -> None:
        self.dialect = dialect
        super().__init__(command, game, options)

    def _shake_hands(self, options: Mapping[str, object]) -> None:
        self.program.send(self.dialect.name)
        self.program.read_until(self._heard, HANDSHAKE_SECONDS)
        if self._is_variant:
            self.program.send(f"setoption name UCI_Variant value {uci_variant(self.game)}")
        for name, value in options.items():
            self.program.send(f"setoption name {name} value {value}")
        self._wait_until_ready()

    @property
    def _is_variant(self) -> bool:
        """Whether a program for chess is to play another game."""
        return self.dialect is UCI and not is_chess(self.game)

    def _heard(self, line: str) -> bool:
        """Whether the greeting is over; on the way the program says its name."""
        if line.startswith("id name "):
            self.name = line.removeprefix("id name ").strip()[:80]
        return line == self.dialect.confirmation

    def _wait_until_ready(self) -> None:
        self.program.send("isready")
        self.program.read_until(lambda line: line == "readyok", HANDSHAKE_SECONDS)

    def new_game(self) -> None:
        self.program.send(self.dialect.new_game)
        self._wait_until_ready()

    def _choose(self, start: State, moves: Sequence[Move], allowed: MoveTime) -> Move:
        words, state = [], start
        spell = uci_word if self._is_variant else move_word
        for move in moves:
            words.append(spell(self.game, state, move))
            state = self.game.play(state, move)
        first = rules.initial_state(self.game)
        if self._is_variant and start != first:
            raise ProgramError("cannot begin in the middle of a game: its states are not those of Zermelo")
        place = "startpos" if start == first else f"fen {self.game.state_text(start)}"
        self.program.send(f"position {place}" + (f" moves {' '.join(words)}" if words else ""))
        nothing_said = allowed.limit is None and allowed.clocks is None
        self.program.send(self.dialect.go(DEFAULT_GO if nothing_said else allowed.limit, allowed.clocks))
        self.value = None
        answer = self.program.read_until(self._moved, allowed.patience)
        return self._read_move(state, answer)

    def _moved(self, line: str) -> bool:
        """Whether a line is the answer; on the way the program says what it thinks."""
        self.value = read_score(self.dialect, line) or self.value
        return line.split(" ")[0] == "bestmove"

    def _read_move(self, state: State, answer: str) -> Move:
        word = [*answer.split(), ""][1]
        read = read_uci_word if self._is_variant else read_word
        try:
            return read(self.game, state, word)
        except GameError:
            raise self._illegal(answer, state) from None
