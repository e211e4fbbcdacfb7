"""How cells are read from words: the same bits or the same fields for every square, and the digits of their codes."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import Any

import numpy as np

from zermelo.networks.network import Cell, Part
from zermelo.networks.network_format import MAX_RADIX, MAX_RAW_BITS

FIELD_SHARE, MIN_FIELDS = 0.9, 3
"""How many parts must begin where fields of a width do, and how many such places make it a width."""


def uniform_bits(
    squares: dict[int, tuple[Part, ...]], words: Any, codes: dict[int, Any]
) -> dict[int, tuple[Part, ...]]:
    """The same bit of several words for each square, where boards are kept in that way; else the parts as they were.

    At an edge of the board, a piece may never stand in random games, and fewer bits determine the square there. Its
    cell still needs the digits of the others.
    """
    used = sorted({part.word for parts in squares.values() for part in parts})
    single = sum(all(part.bits == 1 and part.shift == parts[0].shift for part in parts) for parts in squares.values())
    if len(used) > MAX_RAW_BITS or 2 * single < len(squares) or not squares:
        return squares
    raw = {shift: raw_codes(tuple(Part(word, shift, 1) for word in used), words) for shift in range(64)}
    found = {}
    for square, parts in squares.items():
        shifts = [parts[0].shift, *(shift for shift in range(64) if shift != parts[0].shift)]
        place = next((shift for shift in shifts if determines(raw[shift], codes[square])), None)
        if place is None:
            return squares
        found[square] = tuple(Part(word, place, 1) for word in used)
    return found if len({parts[0].shift for parts in found.values()}) == len(found) else squares


def whole_fields(
    squares: dict[int, tuple[Part, ...]], words: Any, codes: dict[int, Any]
) -> dict[int, tuple[Part, ...]]:
    """Fields of the same width for each square, where boards are kept in that way; else the parts as they were.

    In random games a square may never hold as much as its field can, and fewer bits determine it there.
    """
    width, first = _field_width([part.shift for parts in squares.values() for part in parts if part.bits > 1])
    found = {}
    for square, parts in squares.items():
        fields = sorted({(part.word, max(0, part.shift - first) // width) for part in parts}) if width else []
        for field in [*fields]:
            rest = [each for each in fields if each != field]
            if rest and determines(raw_codes(_field_parts(rest, width, first), words), codes[square]):
                fields = rest
        found[square] = _field_parts(fields, width, first)
        whole = 0 < sum(part.bits for part in found[square]) <= MAX_RAW_BITS
        if not whole or not determines(raw_codes(found[square], words), codes[square]):
            return squares
    return found


def _field_width(starts: list[int]) -> tuple[int, int]:
    """The width of fields that begin at these bits, and the first bit; 0 if they do not follow each other evenly."""
    for width in range(MAX_RAW_BITS // 2, 1, -1):
        first, number = Counter(start % width for start in starts).most_common(1)[0] if starts else (0, 0)
        if number >= FIELD_SHARE * len(starts) and len({*starts}) > MIN_FIELDS:
            return width, first
    return 0, 0


def _field_parts(fields: list[tuple[int, int]], width: int, first: int) -> tuple[Part, ...]:
    return tuple(Part(word, first + width * number, min(width, 64 - first - width * number)) for word, number in fields)


def determines(groups: Any, codes: Any) -> bool:
    return len(np.unique(groups * (codes.max() + 1) + codes)) == len(np.unique(groups))


def numbered_cells(sources: list[tuple[Part, ...]], words: Any) -> tuple[tuple[Cell, ...], tuple[tuple[int, ...], ...]]:
    """Cells with digit tables. Cells whose parts have the same widths share one, so that a digit means the same."""
    by_widths: dict[tuple[int, ...], Counter[int]] = {}
    for parts in sources:
        widths = tuple(part.bits for part in parts)
        by_widths.setdefault(widths, Counter()).update(raw_codes(parts, words).tolist())
    tables: list[tuple[int, ...]] = []
    numbers: dict[tuple[int, ...], int] = {}
    for widths, counts in by_widths.items():
        kept = sorted(code for code, _ in counts.most_common(MAX_RADIX))
        numbers[widths] = len(tables)
        tables.append(digit_table(kept, widths))
    cells = tuple(Cell(parts, numbers[tuple(part.bits for part in parts)]) for parts in sources)
    return cells, tuple(tables)


def digit_table(kept: list[int], widths: tuple[int, ...]) -> tuple[int, ...]:
    """The digit of every code: the number of the kept one whose parts differ least. What was never seen is like it."""
    codes, others = np.arange(1 << sum(widths)), np.array(kept)
    distances: Any = np.zeros((len(codes), len(kept)), np.int64)
    for left, bits in zip(accumulate(widths, initial=0), widths, strict=False):
        mask = (1 << bits) - 1
        distances += abs((codes[:, None] >> left & mask) - (others[None, :] >> left & mask))
    return tuple(distances.argmin(axis=1).tolist())


def raw_codes(parts: tuple[Part, ...], words: Any) -> Any:
    code, left = np.zeros(len(words), np.int64), 0
    for word, shift, bits in parts:
        code |= (words[:, word] >> np.uint64(shift) & np.uint64((1 << bits) - 1)).astype(np.int64) << left
        left += bits
    return code
