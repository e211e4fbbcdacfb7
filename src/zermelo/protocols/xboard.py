"""Zermelo as an engine of XBoard and WinBoard, by the Chess Engine Communication Protocol (CECP), version 2."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from zermelo.formatting import one_line
from zermelo.game import Game, GameError
from zermelo.protocols.engine_base import EngineBase, sentences

if TYPE_CHECKING:
    from zermelo.play.clock import Clock
    from zermelo.searching.report import Report
    from zermelo.value import Value

FEATURES = (
    "setboard=1 ping=1 usermove=1 san=0 colors=0 sigint=0 sigterm=0 reuse=1 analyze=1 memory=1 smp=1 playother=1 "
    'variants="normal" egt="syzygy"'
)
"""What the engine can do, and how it wants to be told moves."""

IGNORED = {"xboard", "accepted", "rejected", "random", "hard", "easy", "computer", "name", "rating", "ics", "white",
           "black", "variant", "draw", "hint", "bk", "pause", "resume", "result"}  # fmt: skip
"""Commands that need no answer, or whose answer may be missing."""

OWN_COMMANDS = {"Hash", "Threads", "Ponder"}
"""Options that XBoard sets by commands of their own: memory, cores, hard and easy."""

MATE = 100_000
"""What a mate is worth in centipawns, more the sooner it comes."""


class XboardProtocol(EngineBase):
    """Plays the side that it is told to play, on a clock."""

    def __init__(self, load: Callable[[], Game], write: Callable[[str], object], name: str = "Zermelo") -> None:
        self.side: int | None = 1
        """The side that the engine plays; None while it only watches."""
        self.posts = False
        self.analyzing = False
        self.level: tuple[int | None, float, float] = (None, 300.0, 0.0)
        self.left: float | None = None
        self.seconds: float | None = None
        self.depth: int | None = None
        super().__init__(load, write, name)

    def _complain(self, sentence: str) -> None:
        self._say(f"telluser {sentence}")

    def _obey(self, words: list[str]) -> None:
        name, *rest = words
        command = {"?": self._move_now, "exit": self._leave_analysis}.get(name)
        if command is None and name.isidentifier():
            command = getattr(self, f"_on_{name}", None)
        if command is not None:
            command(rest)
        elif name not in IGNORED:
            self._say(f"Error (unknown command): {one_line(name)[:80]}")

    # -- settings ----------------------------------------------------------------------------------------------------

    def _on_protover(self, words: list[str]) -> None:
        from zermelo.protocols.engine_options import OPTIONS

        self._say(f'feature myname="{self.name}" {FEATURES}')
        for option in OPTIONS:
            if option.name not in OWN_COMMANDS:
                self._say(option.feature())
        self._say("feature done=1")

    def _on_ping(self, words: list[str]) -> None:
        """Answer when all before it is done; a search that runs may go on. No clock runs before the first answer."""
        if self._unprepared and not self._searching:
            self._wait_for_compiler()
        self._say(f"pong {' '.join(words)}")

    def _on_post(self, words: list[str]) -> None:
        self.posts = True

    def _on_nopost(self, words: list[str]) -> None:
        self.posts = False

    def _on_memory(self, words: list[str]) -> None:
        self._set("Hash", words)

    def _on_cores(self, words: list[str]) -> None:
        self._set("Threads", words)

    def _on_option(self, words: list[str]) -> None:
        """NAME=VALUE"""
        name, _, value = " ".join(words).partition("=")
        self._set(name, value.split())
        self._analyze_again()

    def _on_egtpath(self, words: list[str]) -> None:
        """The folder of endgame tables of a kind. XBoard always names one, also where there is none."""
        kind, *folder = words or [""]
        if kind == "syzygy" and os.path.isdir(" ".join(folder)):
            self._set("SyzygyPath", folder)

    def _set(self, name: str, words: list[str]) -> None:
        """Set an option. It holds from the next search on."""
        self.options.set(["name", name, "value", *words])

    def _on_level(self, words: list[str]) -> None:
        """MOVES TIME INCREMENT: moves of a control, minutes or minutes:seconds, seconds after each move."""
        found = re.fullmatch(r"(\d{1,6}) (\d{1,6})(?::(\d{1,2}))? (\d{1,6}(?:\.\d{1,6})?)", " ".join(words))
        if found is None:
            raise GameError("level needs moves, minutes and an increment, as in `level 40 5 0`.")
        seconds = 60.0 * int(found[2]) + int(found[3] or 0)
        self.level = (int(found[1]) or None, max(seconds, 1.0), float(found[4]))
        self.left = self.seconds = None

    def _on_st(self, words: list[str]) -> None:
        self.seconds = max(_whole(words), 1)

    def _on_sd(self, words: list[str]) -> None:
        self.depth = max(_whole(words), 1)

    def _on_time(self, words: list[str]) -> None:
        self.left = _whole(words) / 100

    def _on_otim(self, words: list[str]) -> None:
        """The opponent's clock does not change how the engine plays."""

    # -- the position ------------------------------------------------------------------------------------------------

    def _on_new(self, words: list[str]) -> None:
        self._cancel()
        self.line.set("", ())
        self.side, self.depth, self.seconds, self.left, self.analyzing = 1, None, None, None, False

    def _on_setboard(self, words: list[str]) -> None:
        self._cancel()
        try:
            self.line.set(" ".join(words), ())
        except GameError as error:
            self._say(f"tellusererror Illegal position: {one_line(str(error))}")
        self._analyze_again()

    def _on_force(self, words: list[str]) -> None:
        self.side = None
        self._cancel()

    def _on_usermove(self, words: list[str]) -> None:
        self._cancel()
        try:
            self.line.set(self.line.start, [*self.line.words, *words[:1]])
        except GameError:
            self._say(f"Illegal move: {' '.join(words)[:80]}")
            self._analyze_again()
            return
        for line in self._result():
            self._say(line)
        self._analyze_again()
        self._move_if_due()

    def _on_undo(self, words: list[str]) -> None:
        self._take_back(1)

    def _on_remove(self, words: list[str]) -> None:
        self._take_back(2)

    def _take_back(self, plies: int) -> None:
        self._cancel()
        self.line.set(self.line.start, self.line.words[: max(len(self.line.words) - plies, 0)])
        self._analyze_again()

    def _result(self) -> list[str]:
        """How the game ended, if it has."""
        from zermelo import rules
        from zermelo.game import ONGOING
        from zermelo.play.repetition import repeated

        payoff = rules.payoff(self.game, self.line.state)
        if payoff == ONGOING:
            return ["1/2-1/2 {Draw by repetition}"] if repeated(self.game, self.line.states) else []
        if payoff == 0:
            return ["1/2-1/2 {Draw}"]
        winner = self.line.player if payoff > 0 else 1 - self.line.player
        return ["1-0 {White mates}" if winner == 0 else "0-1 {Black mates}"]

    # -- searching ---------------------------------------------------------------------------------------------------

    def _on_go(self, words: list[str]) -> None:
        self._cancel()
        self.side = self.line.player
        self._move_if_due()

    def _on_playother(self, words: list[str]) -> None:
        self._cancel()
        self.side = 1 - self.line.player

    def _move_now(self, words: list[str]) -> None:
        if not self.analyzing:
            self._stop()

    def _on_analyze(self, words: list[str]) -> None:
        self._cancel()
        self.side, self.analyzing, self.posts = None, True, True
        self._analyze_again()

    def _leave_analysis(self, words: list[str]) -> None:
        self.analyzing = False
        self._cancel()

    def _move_if_due(self) -> None:
        """Begin to think if it is the engine's turn and the game goes on."""
        from zermelo.limits import Limit

        if self.side != self.line.player or not self._moves(self.line.state):
            return
        self._cancel()
        clock = self._clock() if self.seconds is None and self.depth is None else None
        self._start(Limit(self.seconds, self.depth), clock, self._post, self._play)

    def _clock(self) -> Clock:
        from zermelo.play.clock import Clock

        moves, seconds, increment = self.level
        own_moves = (len(self.line.words) + 1 - (self.side or 0)) // 2
        to_go = None if moves is None else moves - own_moves % moves
        return Clock(
            max((seconds if self.left is None else self.left) - self.options.overhead, 0.001), increment, to_go
        )

    def _analyze_again(self) -> None:
        """Analyse the position as it is now, until something else is wanted."""
        from zermelo.limits import Limit

        if self.analyzing and self._moves(self.line.state):
            self._cancel()
            self._start(Limit(), None, self._post, self._end_analysis, waits=True)

    def _play(self, state: Any, found: Report | Exception | None) -> Iterator[str]:
        """Play the move, and say it."""
        from zermelo.protocols.move_words import move_word

        yield from self._end_analysis(state, found)
        move = self._any_move(state) if found is None or isinstance(found, Exception) else found.move
        if move is not None:
            word = move_word(self.game, state, move)
            self.line.set(self.line.start, [*self.line.words, word])
            yield f"move {word}"
            yield from self._result()

    def _end_analysis(self, state: Any, found: Report | Exception | None) -> list[str]:
        """Say no more than what went wrong."""
        return [f"telluser {sentence}" for sentence in sentences(found)]

    def _post(self, report: Report) -> Iterator[str]:
        """What the search thinks of the best moves: depth, centipawns, centiseconds, nodes, line."""
        if self.posts:
            from zermelo.protocols.search_info import pv_words

            depth, hundredths = max(report.depth, 1), round(100 * report.seconds)
            for line in report.lines[: self.options.values["MultiPV"]]:
                words = " ".join(pv_words(report, line))
                yield f"{depth} {post_score(line.value)} {hundredths} {report.nodes} {words}"


def post_score(value: Value) -> int:
    """The score in centipawns, mates as XBoard writes them.

    >>> from zermelo.value import Value
    >>> [post_score(value) for value in (Value.win(1), Value.loss(4), Value.draw(), Value.estimate(-0.35))]
    [100001, -100002, 0, -35]
    """
    from zermelo.value import DECISIVE, WIN_SCORE

    score = value.score
    if abs(score) < DECISIVE:
        return round(100 * score)
    moves = (round(WIN_SCORE - abs(score)) + 1) // 2 if abs(score) > DECISIVE else 0
    return (1 if score > 0 else -1) * (MATE + moves)


def _whole(words: list[str]) -> int:
    if len(words) != 1 or not re.fullmatch(r"-?\d{1,9}", words[0]):
        raise GameError("A whole number is needed.")
    return int(words[0])
