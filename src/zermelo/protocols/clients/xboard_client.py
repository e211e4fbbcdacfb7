"""Zermelo as the client of a chess program that speaks the protocol of XBoard."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence

from zermelo import rules
from zermelo.game import Game, GameError, Move, State
from zermelo.play.clock import MoveTime
from zermelo.protocols.clients.external_program import ExternalProgram, NoAnswer, ProgramError, Resignation
from zermelo.protocols.clients.program_client import DEFAULT_GO, HANDSHAKE_SECONDS, ProgramClient
from zermelo.protocols.move_words import move_word, read_word
from zermelo.protocols.xboard import MATE
from zermelo.value import Value

FEATURE_SECONDS = 2.0
"""Seconds after which a program that announces no features has none; so the protocol says."""

NUDGE_SECONDS, NUDGES = 0.3, 8
"""Seconds after which a program is told something again, so many times; then twice as long each time."""

STARTS = (0.3, 5.0), (1.0, 10.0), (3.0, HANDSHAKE_SECONDS)
"""For each start of a program, seconds before it is greeted and those that it may then be silent: GNU Chess 6.2 hangs
in some of its starts."""

ANSWER = re.compile(r"(?:move|My move is\s*:)\s*(\S+)|(resign)\b.*|(Illegal move.*|Error.*)", re.IGNORECASE)

THOUGHT = re.compile(r"\d+[.&]?\s+([-+]?\d{1,7})\s+\d+\s+\d+\s")
"""What a program thinks: depth, centipawns, centiseconds, nodes, line."""


class XboardClient(ProgramClient):
    """A program that plays chess."""

    def __init__(self, command: Sequence[str], game: Game, options: Mapping[str, object] | None = None) -> None:
        self.features: dict[str, str] = {}
        self._start: State = None
        self._told: list[Move] | None = None
        """The moves that the program knows since `_start`; None before a game."""
        self._pings = 0
        super().__init__(command, game, options)

    def _shake_hands(self, options: Mapping[str, object]) -> None:
        for pause, patience in STARTS:
            try:
                self._greet(pause, patience)
                break
            except NoAnswer:
                if patience == STARTS[-1][1]:
                    raise
                self.program.close()
                self.program = ExternalProgram(self.command)
        self.name = self.features.get("myname", self.name)[:80]
        self.reusable = self.features.get("reuse") != "0"
        for name, value in options.items():
            self.program.send(f"option {name}={value}")

    def _greet(self, pause: float, patience: float) -> None:
        """Read what the program can do, until it says that this is all, or says nothing."""
        self.features.clear()
        time.sleep(pause)
        self.program.send("xboard")  # and a little later the first nudge
        seconds = patience  # for the first line: it has to start
        while self.features.get("done") != "1":
            try:
                line = self._read_nudging(lambda line: line.startswith("feature"), seconds, "protover 2")
            except ProgramError:
                if self.program.running and self.features and self.features.get("done") != "0":
                    return
                raise
            for name, quote, plain in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', line):
                self.features[name] = quote or plain
            seconds = HANDSHAKE_SECONDS if self.features.get("done") == "0" else FEATURE_SECONDS

    def _read_nudging(self, wanted: Callable[[str], bool], seconds: float, nudge: str) -> str:
        """The next line that is wanted. Now and then a nudge is said, which changes nothing: GNU Chess 6.2 overlooks
        lines that come together, until others come, and ends where some fifteen wait.
        """
        end, nudges = time.monotonic() + seconds, 0
        while True:
            pause = NUDGE_SECONDS * 2 ** max(0, nudges - NUDGES)
            try:
                left = max(min(pause, end - time.monotonic()), 0.001)
                return self.program.read_until(wanted, left)
            except NoAnswer:
                if time.monotonic() >= end:
                    raise NoAnswer(f"does not answer within {seconds:.3g} s") from None
            self.program.send(nudge)
            nudges += 1

    def new_game(self) -> None:
        self._told = None
        self.program.send("new")
        self.program.send("force")
        self.program.send("post")
        if self.features.get("ping") == "1":
            self._pings += 1  # an answer that comes twice, as in GNU Chess, is none to the next one
            ping, pong = f"ping {self._pings}", f"pong {self._pings}"
            self.program.send(ping)
            self._read_nudging(lambda line: line == pong, HANDSHAKE_SECONDS, "post")

    def _choose(self, start: State, moves: Sequence[Move], allowed: MoveTime) -> Move:
        """Only moves that the program does not know are sent."""
        state = self._tell_moves(start, moves)
        self._set_time(allowed, rules.mover(self.game, state) or 0)
        self.program.send("go")
        self.value = None
        answer = self.program.read_until(self._moved, allowed.patience)
        move = self._read_move(state, answer)
        self._told = [*moves, move]
        return move

    def _moved(self, line: str) -> bool:
        """Whether a line is the answer; on the way the program says what it thinks."""
        if (found := THOUGHT.match(line)) is not None:
            self.value = _value(int(found[1]))
        return ANSWER.fullmatch(line) is not None

    def _tell_moves(self, start: State, moves: Sequence[Move]) -> State:
        """Tell the program where the game stands, anew where it has another line; return the state."""
        if self._told is None or start != self._start or list(moves[: len(self._told)]) != self._told:
            if self._told is not None:
                self.new_game()
            if start != rules.initial_state(self.game):
                if self.features.get("setboard") != "1":
                    raise ProgramError("cannot begin in the middle of a game: it has no command for that")
                self.program.send(f"setboard {self.game.state_text(start)}")
            self._start, self._told = start, []
        else:
            self.program.send("force")
        state = start
        prefix = "usermove " if self.features.get("usermove") == "1" else ""
        for ply, move in enumerate(moves):
            if ply >= len(self._told):
                self.program.send(prefix + move_word(self.game, state, move))
            state = self.game.play(state, move)
        self._told = list(moves)
        return state

    def _set_time(self, allowed: MoveTime, player: int) -> None:
        """Say what the move may take. Fixed times are whole seconds in this protocol, so they are sent as a clock."""
        if allowed.clocks is not None:
            own, other = allowed.clocks[player], allowed.clocks[1 - player]
            minutes, rest = divmod(int(own.seconds), 60)
            self.program.send(f"level {own.moves or 0} {minutes}:{rest:02} {own.increment:g}")
            self.program.send(f"time {round(100 * own.left)}")
            self.program.send(f"otim {round(100 * other.left)}")
            return
        wanted = allowed.limit or DEFAULT_GO
        if wanted.seconds is not None:
            self.program.send(f"st {max(int(wanted.seconds), 1)}")
        if wanted.depth is not None:
            self.program.send(f"sd {wanted.depth}")

    def _read_move(self, state: State, answer: str) -> Move:
        found = ANSWER.fullmatch(answer)
        if found is None or found[2]:
            self.reusable = False  # GNU Chess says its move afterwards, which the next game would take for its own
            raise Resignation("resigns")
        try:
            return read_word(self.game, state, found[1] or "")
        except GameError:
            raise self._illegal(answer, state) from None


def _value(centipawns: int) -> Value:
    """The value that a score stands for.

    >>> str(_value(35)), str(_value(MATE + 3)), str(_value(-MATE - 3))
    ('+0.35', 'win in 5', 'loss in 6')
    """
    if abs(centipawns) < MATE:
        return Value.estimate(centipawns / 100)
    moves = abs(centipawns) - MATE
    return Value.win(max(2 * moves - 1, 0)) if centipawns > 0 else Value.loss(2 * moves)
