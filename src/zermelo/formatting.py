"""Text for people: notebook display, plain reprs, one-line messages, counts and sizes."""

from __future__ import annotations

import math
import re
from typing import Any

_NUMPY = re.compile(r"\bnp\.(?:(?:u?int|float)\d+\(([^()]*)\)|(True|False)_)")


class Pretty:
    """A base class whose objects show their `str` in IPython, instead of a `repr` with every field."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Set the hook on every subclass: IPython would prefer a dataclass's own `__repr__` to the hook of its base."""
        super().__init_subclass__(**options)
        setattr(cls, "_repr_pretty_", Pretty._repr_pretty_)  # noqa: B010

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str | None:
        """The picture of an object that has one; otherwise None, and the notebook shows the text."""
        from zermelo.show.notebook_display import html

        return html(self)


def plain_repr(value: Any) -> str:
    """The `repr` of a value with NumPy's numbers as Python's: np.int64(9) is 9.

    Equal sets have equal text: their elements are sorted.

    >>> import numpy as np
    >>> plain_repr((np.int64(9), [np.float64(0.5)], np.bool_(True), "x"))
    "(9, [0.5], True, 'x')"
    >>> plain_repr((frozenset({-1, 8, 0}),))
    '(frozenset({-1, 0, 8}),)'
    """
    return _NUMPY.sub(r"\1\2", _sorted_repr(value))


def _sorted_repr(value: Any) -> str:
    """The `repr` of a value, with the elements of sets sorted."""
    if type(value) is tuple:
        return f"({', '.join(map(_sorted_repr, value))}{',' * (len(value) == 1)})"
    if type(value) is frozenset and value:
        return f"frozenset({{{', '.join(sorted(map(_sorted_repr, value), key=_sort_key))}}})"
    return repr(value)


def _sort_key(text: str) -> tuple[float, int, str]:
    """Sort key of an element of a set: numbers by size, then the rest."""
    try:
        return float(text), len(text), text
    except ValueError:
        return math.inf, len(text), text


def shortened(text: str, most: int = 80) -> str:
    """The text, cut to `most` letters if it is longer.

    >>> shortened("A(B(3, 12), C(8, 2))", 12)
    'A(B(3, 12) …'
    """
    return text if len(text) <= most else f"{text[: most - 2]} …"


MAX_ERROR_LENGTH = 400
"""Letters of an exception's text in an error message."""

_COLOUR_CODES = re.compile(r"\x1b\[[0-9;]*m")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def one_line(text: str) -> str:
    """The text without line breaks and colour codes. Characters that cannot be shown or encoded are replaced.

    >>> one_line("two\\n  lines"), one_line("a \\x1b[31mred\\x1b[0m \\ud800")
    ('two lines', 'a red \ufffd')
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", " ".join(_COLOUR_CODES.sub("", text).split()))


def exception_text(error: BaseException, most: int = MAX_ERROR_LENGTH) -> str:
    """The text of an exception on one line, shortened. An author's exception may raise in its own `__str__`."""
    try:
        return shortened(one_line(str(error)), most)
    except BaseException as own:
        return f"its own text raises {type(own).__name__}"


def count_text(count: int, one: str, more: str = "") -> str:
    """A number with its noun, singular or plural.

    >>> count_text(1, "leaf", "leaves"), count_text(2, "leaf", "leaves"), count_text(0, "node")
    ('1 leaf', '2 leaves', '0 nodes')
    """
    return f"{count} {one if count == 1 else more or one + 's'}"


def percent_text(part: int, whole: int) -> str:
    """A share in percent, rounded, but never to all or to nothing if it is neither.

    >>> percent_text(1, 3), percent_text(0, 3), percent_text(1, 1000), percent_text(999, 1000)
    ('33 %', '0 %', 'under 1 %', 'over 99 %')
    """
    share = round(100 * part / whole)
    if share in (0, 100) and 0 < part < whole:
        return "over 99 %" if share else "under 1 %"
    return f"{share} %"


def duration_text(seconds: float) -> str:
    """A time with the unit that suits it, in two digits.

    >>> duration_text(0.2), duration_text(74), duration_text(9_000), duration_text(4e5), duration_text(1e9)
    ('a second', '74 s', '2.5 hours', '4.6 days', '32 years')
    """
    if seconds <= 1:
        return "a second"
    for name, unit, until in (("s", 1, 100), ("min", 60, 100), ("hours", 3600, 72), ("days", 86400, 730)):
        if seconds < until * unit:
            number = seconds / unit
            return f"{number:.2g} {name}" if number < 99.5 else f"{number:.0f} {name}"
    years = seconds / (365.25 * 86400)
    return f"{years:.2g} years" if years < 99.5 else f"{years:,.0f} years" if years < 1e6 else f"{years:.0e} years"


def size_text(size: float) -> str:
    """A number of bytes with a unit, in three digits.

    >>> size_text(512), size_text(1_234_567), size_text(69_763_700_000)
    ('512 bytes', '1.23 MB', '69.8 GB')
    """
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= 0.9995 * unit:
            return f"{size / unit:.3g} {name}" if size < 999.5 * unit else f"{size / unit:,.0f} {name}"
    return f"{size:.0f} bytes"
