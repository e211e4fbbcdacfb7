"""Rules at work: which rule is running, on which state and at which line, seen in an error or from another thread.

Rules are an author's Python, and may not end. A Warden looks at all threads now and then, and tells of a rule that has
been running for long.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from zermelo.game import OPTIONAL, REQUIRED, Game

LOOKS = 4
"""How often a warden looks while its patience lasts."""

RULES = frozenset((*REQUIRED, *OPTIONAL))
STATELESS = ("initial", "parse_state", "size", "at")
"""Rules whose first argument is no state."""


@dataclass(frozen=True)
class Rule:
    """A rule that is running, or was when an error came up, and the line of its author's file."""

    game: Game
    frame: types.FrameType
    file: str
    line: int

    @property
    def name(self) -> str:
        return self.frame.f_code.co_name

    @property
    def where(self) -> str:
        """The state the rule was asked about, where it takes one."""
        names = self.frame.f_code.co_varnames[1 : self.frame.f_code.co_argcount]
        if self.name in STATELESS or not names:
            return ""
        return f" in {self._words(self.frame.f_locals.get(names[0]))}"

    def _words(self, state: Any) -> str:
        try:
            text = repr(state) if self.name == "state_text" else self.game.state_text(state)
        except Exception:  # the rules are not to be relied on here
            text = repr(state)
        return " ".join(text.split())


def authors(game: Game) -> Game:
    """The game as its author wrote it: a search may work with one of its own that stands for it."""
    inside = getattr(game, "game", None)
    return inside if isinstance(inside, Game) and type(game).__module__.startswith("zermelo.searching.") else game


def rule_in(
    frames: Iterable[tuple[types.FrameType, int]], among: Iterable[types.FrameType] | None = None
) -> Rule | None:
    """The innermost rule of a stack, from its outermost frame on, or the innermost of some of its frames."""
    found: tuple[Game, types.FrameType] | None = None
    line, file = 0, ""
    for frame, number in frames:
        game = rules_game(frame) if among is None or frame in among else None
        if game is not None:
            found = game, frame
        if found is not None and frame.f_code.co_filename == found[1].f_code.co_filename:
            line, file = number, os.path.basename(frame.f_code.co_filename)
    return None if found is None else Rule(*found, file, line)


def rules_game(frame: types.FrameType) -> Game | None:
    """The game of which the frame runs a rule; None where it runs something else."""
    if frame.f_code.co_name not in RULES:
        return None
    game = frame.f_locals.get("self")
    return game if isinstance(game, Game) and authors(game) is game else None


# -- from another thread ---------------------------------------------------------------------------------------------


class Overtime(SystemExit):
    """Raised inside rules that take too long.

    No rule's own `except Exception` holds it up, and a thread that nobody waits for ends by it in silence.
    """


def interrupt(thread: int, why: str) -> None:
    """Raise Overtime in a thread, wherever it is in its Python."""
    kind = type("Overtime", (Overtime,), {"__str__": lambda _: why})
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))


Told = Callable[[int, Rule, float], None]
"""Hears of a thread, the rule that it is in, and for how many seconds it has been."""


class Warden:
    """Tells of every rule, once, that has been running for so many seconds."""

    def __init__(self, seconds: float, tell: Told) -> None:
        self.seconds, self.tell = seconds, tell
        self._since: dict[types.FrameType, float] = {}
        self._told: set[types.FrameType] = set()

    def look(self) -> None:
        """See which rules are running now, and which of them still are."""
        now = time.monotonic()
        stacks = {thread: _stack(top) for thread, top in sys._current_frames().items()}
        running = {frame for stack in stacks.values() for frame, _ in stack if rules_game(frame) is not None}
        self._since = {frame: self._since.get(frame, now) for frame in running}
        self._told &= running
        long = {frame for frame, since in self._since.items() if now - since >= self.seconds} - self._told
        for thread, stack in stacks.items():
            if rule := rule_in(stack, long):
                self._told |= long.intersection(frame for frame, _ in stack)
                self.tell(thread, rule, now - self._since[rule.frame])

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Look now and then as long as the block lasts."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(self.seconds / LOOKS):
                self.look()

        threading.Thread(target=watch, daemon=True, name="warden").start()
        try:
            yield
        finally:
            over.set()


def ending(seconds: float) -> Warden:
    """A warden that ends every rule that runs for so long, in whatever thread: of a request, a search, the compiler."""
    return Warden(seconds, lambda thread, *_: interrupt(thread, unended(seconds)))


def unended(seconds: float) -> str:
    """What is said of a rule that was ended."""
    return f"had not ended after {seconds:g} seconds"


def _stack(top: types.FrameType) -> list[tuple[types.FrameType, int]]:
    return list(traceback.walk_stack(top))[::-1]
