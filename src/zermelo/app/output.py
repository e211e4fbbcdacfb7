"""Output of the commands: tables and pictures for people, JSON for programs."""

from __future__ import annotations

import json
import math
import re
import sys
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo.game import Game
from zermelo.games.registry import name_of
from zermelo.value import LOWER, UNKNOWN, UPPER, Value

if TYPE_CHECKING:
    from rich.console import Console

Answer = TypeVar("Answer")


CONTROL_CHARACTERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Characters that control a terminal or the direction of text, except newlines and tabs."""


def visible(text: str) -> str:
    """Escape control characters, which files and rules may contain.

    >>> print(visible("nim" + chr(27) + "[2J"))
    nim\\x1b[2J
    """
    return CONTROL_CHARACTERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def console(stderr: bool = False) -> Console:
    """The terminal, as it is now: colour where it has colour, no markup and no highlighting of its own."""
    from zermelo.app.plain_console import PlainConsole  # Rich, which JSON does without

    return PlainConsole(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def unicode() -> bool:
    """Whether the terminal can show more than ASCII."""
    return "utf" in (getattr(sys.stdout, "encoding", "") or "").lower()


def say_error(sentence: str, details: str = "") -> None:
    """Print one red sentence on the error stream, and details below it if there are any."""
    say(sentence, style="red")
    if details:
        say(details)


def say(sentence: str, style: str | None = None) -> None:
    """Print a sentence on the error stream. Where nobody can read it, the command goes on, and ends as it would."""
    with suppress(OSError, ValueError):
        try:
            console(stderr=True).print(sentence, style=style)
        except (ImportError, MemoryError):  # there is no memory for Rich
            print(visible(sentence), file=sys.stderr)


def print_json(record: Any, *, on_one_line: bool = False) -> None:
    """Print a record as JSON; what JSON lacks is printed as text, infinities included."""
    indent = None if on_one_line else 2
    text = json.dumps(plain(record), indent=indent, ensure_ascii=False, allow_nan=False)
    print(CONTROL_CHARACTERS.sub(lambda found: json.dumps(found[0])[1:-1], text), flush=on_one_line)


def named(game: Game) -> str:
    """The text for `load` that names a game, without the folder of its file, which is private."""
    return name_of(game, folder="")


def plain(value: Any) -> Any:
    """The value as JSON types; what JSON lacks becomes text, infinities included."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    return value.item() if hasattr(value, "item") else str(value)


def short(amount: float) -> str:
    """An amount in three digits, with M for millions and k for thousands, and room for the unit.

    >>> short(650_000_000) + "leaves", short(150_000) + "nodes", short(12) + "nodes"
    ('650 M leaves', '150 k nodes', '12 nodes')
    """
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if amount >= 0.9995 * size:
            return f"{amount / size:.3g} {unit} "
    return f"{amount:.3g} "


def certainty(value: Value) -> str:
    """What is known of a value: all, or the bound it is; who wins but not how soon; or nothing for sure.

    >>> from zermelo.value import WIN, win_in
    >>> [certainty(value) for value in (Value.win(7), Value.at_most(0), Value(win_in(7), WIN), Value.estimate(7))]
    ['proven', 'proven', 'outcome proven', 'estimate']
    """
    if value.exact or value.bound in (LOWER, UPPER):
        return "proven"
    if value.bound == UNKNOWN:
        return "not proven"
    return "estimate" if value.outcome is None else "outcome proven"


def odds(probability: float) -> str:
    """A probability as people write it on dice, or in per cent.

    >>> odds(1 / 6), odds(0.123456)
    ('1/6', '12.3 %')
    """
    simple = Fraction(probability).limit_denominator(100)
    return str(simple) if abs(simple - probability) < 1e-9 else f"{100 * probability:.1f} %"
