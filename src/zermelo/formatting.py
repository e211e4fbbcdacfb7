"""Pretty: what a notebook shows of an object, its picture or what `print` shows; and values as people write them."""

from __future__ import annotations

import math
import re
from typing import Any

_NUMPY = re.compile(r"\bnp\.(?:(?:u?int|float)\d+\(([^()]*)\)|(True|False)_)")


class Pretty:
    """A class whose objects show their `str` in IPython, where their `repr` would be a long list of fields."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """IPython asks each class in turn: its own `__repr__`, which a dataclass has, would come before the base's."""
        super().__init_subclass__(**options)
        setattr(cls, "_repr_pretty_", Pretty._repr_pretty_)  # noqa: B010

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str | None:
        """The picture in a notebook, of what has one; a notebook shows the text of anything else."""
        from zermelo.show.notebook_display import html

        return html(self)


def written(value: Any) -> str:
    """The value as Python writes it, but for the numbers in it that are NumPy's: np.int64(9) is 9.

    Equal sets are written alike, in one order of their elements.

    >>> import numpy as np
    >>> written((np.int64(9), [np.float64(0.5)], np.bool_(True), "x"))
    "(9, [0.5], True, 'x')"
    >>> written((frozenset({-1, 8, 0}),))
    '(frozenset({-1, 0, 8}),)'
    """
    return _NUMPY.sub(r"\1\2", _ordered(value))


def _ordered(value: Any) -> str:
    """The value as Python writes it, the elements of sets in one order."""
    if type(value) is tuple:
        return f"({', '.join(map(_ordered, value))}{',' * (len(value) == 1)})"
    if type(value) is frozenset and value:
        return f"frozenset({{{', '.join(sorted(map(_ordered, value), key=_place))}}})"
    return repr(value)


def _place(text: str) -> tuple[float, int, str]:
    """Where an element of a set is written: numbers by their size, then the rest."""
    try:
        return float(text), len(text), text
    except ValueError:
        return math.inf, len(text), text


def brief(text: str, most: int = 80) -> str:
    """The text, or so much of the beginning of a long one as a sentence can bear.

    >>> brief("A(B(3, 12), C(8, 2))", 12)
    'A(B(3, 12) …'
    """
    return text if len(text) <= most else f"{text[: most - 2]} …"


SAID = 400
"""Letters of an exception's words that a sentence can bear."""

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def one_line(text: str) -> str:
    """The text without line breaks and colour codes; what cannot be shown or encoded is marked.

    >>> one_line("two\\n  lines"), one_line("a \\x1b[31mred\\x1b[0m \\ud800")
    ('two lines', 'a red \ufffd')
    """
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(_COLOURS.sub("", text).split()))


def said(error: BaseException, most: int = SAID) -> str:
    """What an exception says, in a line that can be shown; an author's may say anything, or raise in its own text."""
    try:
        return brief(one_line(str(error)), most)
    except BaseException as own:
        return f"its own text raises {type(own).__name__}"


def counted(count: int, one: str, more: str = "") -> str:
    """A number of things in words.

    >>> counted(1, "leaf", "leaves"), counted(2, "leaf", "leaves"), counted(0, "node")
    ('1 leaf', '2 leaves', '0 nodes')
    """
    return f"{count} {one if count == 1 else more or one + 's'}"


def size_text(size: float) -> str:
    """Bytes in three digits.

    >>> size_text(512), size_text(1_234_567), size_text(69_763_700_000)
    ('512 bytes', '1.23 MB', '69.8 GB')
    """
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= 0.9995 * unit:
            return f"{size / unit:.3g} {name}" if size < 999.5 * unit else f"{size / unit:,.0f} {name}"
    return f"{size:.0f} bytes"
