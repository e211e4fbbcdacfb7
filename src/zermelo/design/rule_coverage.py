"""Dead rules: lines of the rules that no game reaches."""

from __future__ import annotations

import linecache
import random
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from zermelo import rules
from zermelo.game import ONGOING, Game
from zermelo.play.record import replayed

RULES = ("moves", "play", "result", "stuck", "is_chance", "chances", "mover")
"""The rules that decide how a game goes; others only evaluate, write or draw."""

GAME_PLIES = 300


@dataclass(frozen=True)
class DeadLine:
    """A line of a rule that was never executed, though its rule was called."""

    rule: str
    number: int
    text: str


def dead_lines(game: Game, games: Iterable[dict[str, Any]], seconds: float, seed: int = 0) -> list[DeadLine]:
    """The lines of the rules that neither these games nor random ones reach within `seconds`. The rules are
    interpreted for it.
    """
    codes = {code: name for name in RULES for code in _codes(getattr(type(game), name, None))}
    seen: dict[CodeType, set[int]] = {code: set() for code in codes}
    with _tracing(seen):
        for record in games:
            replayed(game, record)
        _play_random(game, seconds, seed)
    found = []
    for code, name in codes.items():
        if seen[code]:
            found += [_line(code, name, number) for number in sorted(_executable(code) - seen[code])]
    return [line for line in found if not line.text.startswith(("raise ", "def ", "assert "))]


def _codes(function: Any) -> list[CodeType]:
    """The code of a rule that the author wrote, with the functions inside it."""
    code = getattr(function, "__code__", None)
    if code is None or function.__module__ == "zermelo.game":
        return []
    found, queue = [], [code]
    while queue:
        each = queue.pop()
        found.append(each)
        queue += [const for const in each.co_consts if isinstance(const, CodeType)]
    return found


def _executable(code: CodeType) -> set[int]:
    """The lines of a function, without its head."""
    return {line for _, _, line in code.co_lines() if line is not None and line != code.co_firstlineno}


def _line(code: CodeType, rule: str, number: int) -> DeadLine:
    return DeadLine(rule, number, linecache.getline(code.co_filename, number).strip())


class _tracing:
    """Notes the lines of some functions that are executed."""

    def __init__(self, seen: dict[CodeType, set[int]]) -> None:
        self.seen = seen

    def __enter__(self) -> None:
        self.before = sys.gettrace()
        sys.settrace(self._call)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self.before)

    def _call(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        lines = self.seen.get(frame.f_code)
        if lines is None:
            return None

        def note(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
            lines.add(frame.f_lineno)
            return note

        return note


def _play_random(game: Game, seconds: float, seed: int) -> None:
    dice, end = random.Random(seed), time.monotonic() + seconds
    while True:
        state = rules.initial_state(game)
        for _ in range(GAME_PLIES):
            actions = rules.legal_actions(game, state)
            if not actions or rules.payoff(game, state) != ONGOING:
                break
            state = game.play(state, dice.choice(actions))
        if time.monotonic() > end:
            return
