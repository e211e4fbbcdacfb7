"""The watchdog of rules: which rule is running, on which state and line, seen in an error or from another thread.

Rules are an author's Python, and may never return. A Watchdog polls all threads, and reports a rule that runs for long.
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

POLLS_PER_TIMEOUT = 4
"""How often a watchdog polls within its timeout."""

MOST_TIMEOUTS = 6
"""After how many timeouts rules are ended at the latest, though their process got little of a busy machine."""

RULES = frozenset((*REQUIRED, *OPTIONAL))
STATELESS = ("initial", "parse_state", "size", "at")
"""Rules whose first argument is no state."""


@dataclass(frozen=True)
class Rule:
    """A rule that is running, or was when an error was raised, and the line of its author's file."""

    game: Game
    frame: types.FrameType
    file: str
    line: int

    @property
    def name(self) -> str:
        return self.frame.f_code.co_name

    @property
    def where(self) -> str:
        """The state the rule was called with, where it takes one."""
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


def author_game(game: Game) -> Game:
    """The game as its author wrote it: a search may wrap it in a game of its own."""
    inside = getattr(game, "game", None)
    return inside if isinstance(inside, Game) and type(game).__module__.startswith("zermelo.searching.") else game


def rule_in(
    frames: Iterable[tuple[types.FrameType, int]], among: Iterable[types.FrameType] | None = None
) -> Rule | None:
    """The innermost rule of a stack, listed from its outermost frame on, or the innermost of `among`."""
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
    return game if isinstance(game, Game) and author_game(game) is game else None


# -- from another thread ---------------------------------------------------------------------------------------------


class RuleTimeout(SystemExit):
    """Raised inside rules that take too long.

    A SystemExit, since no rule's own `except Exception` catches it, and it ends a thread without a traceback.
    """


def interrupt(thread: int, why: str) -> None:
    """Raise RuleTimeout in a thread, wherever it is in its Python."""
    kind = type("RuleTimeout", (RuleTimeout,), {"__str__": lambda _: why})
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))


class Stopwatch:
    """Tells when rules have run for too long: by the clock, unless a busy machine left their process no time to run."""

    def __init__(self) -> None:
        self._start, self._processor = time.monotonic(), time.process_time()

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self._start

    def exceeds(self, timeout: float) -> bool:
        """Whether the timeout is over, and the process ran for half of it at least if the machine is busy."""
        if self.seconds < timeout:
            return False
        ran = time.process_time() - self._processor >= timeout / 2
        return ran or not is_busy() or self.seconds >= MOST_TIMEOUTS * timeout


def is_busy() -> bool:
    """Whether more programs want to run than the machine has cores."""
    from zermelo.play.move_overhead import crowding  # only a slow rule asks

    return crowding() > 1


OnLongRule = Callable[[int, Rule, float], None]
"""A callback with a thread, the rule that it runs, and the seconds since the rule was called."""


class Watchdog:
    """Reports every rule, once, that has been running for `seconds`."""

    def __init__(self, seconds: float, on_long_rule: OnLongRule) -> None:
        self.seconds, self.on_long_rule = seconds, on_long_rule
        self._since: dict[types.FrameType, Stopwatch] = {}
        self._reported: set[types.FrameType] = set()

    def poll(self) -> None:
        """Find the rules that are running now, and report those that have been for long."""
        stacks = {thread: _stack(top) for thread, top in sys._current_frames().items()}
        found = {frame for stack in stacks.values() for frame, _ in stack if rules_game(frame) is not None}
        self._since = {frame: self._since.get(frame) or Stopwatch() for frame in found}
        self._reported &= found
        long = {frame for frame, since in self._since.items() if since.exceeds(self.seconds)} - self._reported
        for thread, stack in stacks.items():
            if rule := rule_in(stack, long):
                self._reported |= long.intersection(frame for frame, _ in stack)
                self.on_long_rule(thread, rule, self._since[rule.frame].seconds)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Poll in a thread until the block ends."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(self.seconds / POLLS_PER_TIMEOUT):
                self.poll()

        threading.Thread(target=watch, daemon=True, name="rule watchdog").start()
        try:
            yield
        finally:
            over.set()


def interrupting_watchdog(seconds: float) -> Watchdog:
    """A watchdog that interrupts every rule that runs for so long, in any thread."""
    return Watchdog(seconds, lambda thread, *_: interrupt(thread, timeout_message(seconds)))


def timeout_of_this_thread(seconds: float) -> Watchdog:
    """A watchdog that interrupts every rule that runs for so long in the thread that asks for it."""
    here = threading.get_ident()
    return Watchdog(seconds, lambda thread, *_: interrupt(thread, timeout_message(seconds)) if thread == here else None)


def timeout_message(seconds: float) -> str:
    """What an error says of a rule that was interrupted."""
    return f"had not ended after {seconds:g} seconds"


def _stack(top: types.FrameType) -> list[tuple[types.FrameType, int]]:
    """The frames of a thread, outermost first; none where the thread ran on while they were read.

    Python 3.11 was once seen to hand out a `str` as the `f_back` of a frame whose thread was running.
    """
    try:
        return list(traceback.walk_stack(top))[::-1]
    except AttributeError:
        return []
