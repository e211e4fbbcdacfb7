"""Worker: one process that answers questions about games, as the server sees it.

Both sides speak in lists of JSON, [word, number, ...], and every question has its number. A worker hears
["ask", n, question], ["late", n] and ["stop", n]; it tells ["alive", n] at once and now and then,
["lasts", n, seconds], ["found", n, record], ["refused", n, status, sentence, retry], and ["done", n] at the end.
What is said of a former question is passed over, by both: those who asked it may be heard when the next is being
answered.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from zermelo.app.web.rule_pool import SECONDS, Refusal
from zermelo.app.web.search_pool import Wanted
from zermelo.app.web.worker_channel import Channel, Nonsense, written
from zermelo.app.web.worker_main import ALIVE, Question, raise_failure, work
from zermelo.formatting import shortened
from zermelo.game import GameError

START = 60.0
"""Seconds that a worker may take to load its games."""

SILENCE = 5.0
"""Seconds without a word after which a worker is given up; at work it says that it is alive much more often."""

LAST_WORD = 1.0
"""Seconds that a worker has for its answer once it was told that it is late, or that nobody wants to know."""


class Lost(Refusal):
    """A worker has ended, talks nonsense or does not hear: an earlier question may have spoilt it."""

    def __init__(self, sentence: str) -> None:
        super().__init__(422, sentence)


class Worker:
    """One process: it has loaded all games, and answers one question at a time."""

    def __init__(self, texts: list[str], databases: list[str]) -> None:
        context = multiprocessing.get_context("spawn")
        self.channel, theirs = Channel.pair()
        self.process = context.Process(target=work, args=(theirs, texts, databases), daemon=True, name="games")
        self.process.start()
        theirs.close()
        self.hello: dict[str, Any] = {}
        self.about = " and ".join(texts)
        """The game that is asked about; all of them while they are loaded."""
        self.number = 0
        self.busy = self.lost = False
        self.since = 0.0
        """When it came to rest."""

    @property
    def alive(self) -> bool:
        return self.process.is_alive()

    def begin(self) -> None:
        """Wait until its games are loaded; a sentence where they cannot be."""
        try:
            told = self._next(time.monotonic() + START)
        except Refusal as ended:
            raise GameError(ended.sentence) from None
        if told is None:
            raise GameError(f"{self.about} did not load within {START:g} seconds.")
        raise_failure(told[2])
        self.hello = told[2]

    def answers(self, question: Question, wanted: Wanted) -> Iterator[Any]:
        """What it finds. A Refusal where the rules raise, take too long, or end the process."""
        number = self._ask(question)
        wanted.end = lambda: self._send(["stop", number])
        if wanted.stopped:  # before there was a way to end it
            wanted.end()
        due, late, heard = time.monotonic() + SECONDS, False, False
        while True:
            told = self._next(min(due, time.monotonic() + SILENCE))
            now = time.monotonic()
            rest: list[Any]
            kind, *rest = ["silent"] if told is None else self._of_now(told)
            heard |= told is not None and told[1] == number
            if kind == "found":
                yield rest[0]
            elif kind == "lasts":
                due = now + rest[0] + SECONDS  # for the rule that it is in by then
                wanted.lasts(rest[0])
            elif kind == "refused":
                raise Refusal(*rest)
            elif kind == "done":
                self.busy = False
                return
            elif now >= due and not late:
                due, late = now + LAST_WORD, True
                self._send(["late", number])
            elif now >= due or kind == "silent":
                self.lost = True
                raise given_up(self.about) if heard else Lost(given_up(self.about).sentence)

    def _ask(self, question: Question) -> int:
        """Ask the next question; its number."""
        self.busy = True
        self.about = shortened(question.game.strip() or self.hello["listing"]["default"])
        self.number += 1
        self._send(["ask", self.number, asdict(question)])
        return self.number

    def _of_now(self, told: list[Any]) -> list[Any]:
        """What is told of the present question, without its number; a former one's words only show that it is alive."""
        kind, number, *rest = told
        return [kind, *rest] if number == self.number else [ALIVE]

    def rest(self) -> bool:
        """Whether it is ready for the next question, in a moment at most."""
        if self.busy and not self.lost and self.alive:
            self._send(["stop", self.number])
            self._send(["late", self.number])
            until = time.monotonic() + LAST_WORD
            with contextlib.suppress(Refusal):
                while self.busy and (told := self._next(until)) is not None:
                    self.busy = self._of_now(told)[0] != "done"
        self.since = time.monotonic()
        return not self.busy and self.alive

    def end(self) -> None:
        self.process.kill()
        self.process.join(LAST_WORD)
        self.channel.close()

    def _next(self, until: float) -> list[Any] | None:
        """The next that it tells; None where it tells nothing by then."""
        try:
            return self.channel.next(until)
        except (EOFError, OSError):
            self.process.join(LAST_WORD)
            raise Lost(how_it_ended(self.about, self.process.exitcode)) from None
        except Nonsense:
            self.lost = True
            raise Lost(f"The process of {self.about} says what nobody understands: a rule may write to it.") from None

    def _send(self, message: list[Any]) -> None:
        with contextlib.suppress(OSError):  # it has ended, which is seen where it is heard
            self.channel.send(written(message))


def given_up(game: str) -> Refusal:
    """What is said of a worker that has fallen silent, or does not end."""
    return Refusal(422, f"The rules of {game} took longer than {SECONDS:g} seconds; only their process could be ended.")


def how_it_ended(game: str, code: int | None) -> str:
    """What is said of a worker that is no more.

    >>> how_it_ended("nim", -11)
    'The process of nim ended by signal 11: a rule may have ended it.'
    """
    how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
    return f"The process of {game} ended {how}: a rule may have ended it."
