"""Entries: the value of a state, as one small number.

    0           no state has this number
    4 .. 7      a draw: by repetition (4), or one that the mover (+1), the other player (+2) or both can force to an end
    8 + 2n      the mover wins in n plies
    9 + 2n      the mover loses in n plies

While a stage is being solved, its states have codes instead, some of which are undecided (`narrow_numbers.py`). Games
of points store the payoff above the base of the stage, plus one. Games of chance store the expectation itself, a float.
Where distances are not kept (`wdl`), two bits are enough: WON, LOST, EVEN.
"""

from __future__ import annotations

from typing import Any

from zermelo.value import Value

NOTHING = 0
REPEATS = 4
MINE, THEIRS = 1, 2
"""Flags of a draw: who can force an end that is drawn."""

TIE = REPEATS + MINE + THEIRS
DECIDED = 8
"""The least entry of a win or a loss."""

WON, LOST, EVEN = 1, 2, 3
"""Entries of two bits."""


WDL_ENTRIES = {WON: DECIDED, LOST: DECIDED + 1, EVEN: REPEATS}
"""The entries under which counts list those of two bits."""


def win_entry(plies: int) -> int:
    """Return the entry of a win in `plies` plies."""
    return DECIDED + 2 * plies


def loss_entry(plies: int) -> int:
    """Return the entry of a loss in `plies` plies."""
    return DECIDED + 1 + 2 * plies


def plies_of(entry: int) -> int:
    """Return the plies to the end of a decided state."""
    return entry - DECIDED >> 1


def is_win(entry: int) -> bool:
    """Return whether the mover wins a decided state."""
    return not entry & 1


def negated(entry: int) -> int:
    """Return the entry seen by the other player."""
    if entry >= DECIDED:
        return entry ^ 1
    return entry & REPEATS | (entry & MINE) << 1 | (entry & THEIRS) >> 1


def terminal_entry(payoff: int) -> int:
    """Return the entry of a terminal state."""
    if payoff > 0:
        return DECIDED
    return TIE if payoff == 0 else DECIDED + 1


def drop_distances(entries: Any, library: Any = None) -> Any:
    """Return the entries of an array, of NumPy or a `library` like it, in two bits: WON, LOST, EVEN."""
    np = library or _numpy()
    decided = np.where(entries & 1 == 0, np.uint8(WON), np.uint8(LOST))
    drawn = np.where(entries >= REPEATS, np.uint8(EVEN), np.uint8(NOTHING))
    return np.where(entries >= DECIDED, decided, drawn)


def value_of(entry: int) -> Value:
    """Return the value that an entry stands for."""
    if entry >= DECIDED:
        return Value.win(plies_of(entry)) if is_win(entry) else Value.loss(plies_of(entry))
    return Value.draw_by_repetition() if entry == REPEATS else Value.draw()


ENTRY_TYPES = {8: "uint8", 16: "uint16", 32: "uint32", 64: "uint64"}
"""The type of an array of entries with `bits` bits each."""


def pack_entries(entries: Any, width: int, library: Any = None) -> Any:
    """Pack the entries of an array into int64 words, `width` bits each: 2, 8, 16 or 32."""
    np = library or _numpy()
    words = np.zeros(-(-len(entries) * width // 64), np.int64)
    write_entries(words, 0, entries, width, np)
    return words


def write_entries(words: Any, start: int, entries: Any, width: int, library: Any = None) -> None:
    """Write packed entries from number `start` on, a multiple of four."""
    np = library or _numpy()
    if width == 2:
        padded = np.zeros(-(-len(entries) // 4) * 4, np.uint8)
        padded[: len(entries)] = entries
        quarters = padded.reshape(-1, 4)
        octets = words.view(np.uint8)[start // 4 : start // 4 + len(quarters)]
        octets[:] = quarters[:, 0] | quarters[:, 1] << 2 | quarters[:, 2] << 4 | quarters[:, 3] << 6
    else:
        words.view(ENTRY_TYPES[width])[start : start + len(entries)] = entries


def _numpy() -> Any:
    """NumPy, which a search does not import."""
    import numpy

    return numpy


def entries_at(words: Any, numbers: Any, width: int) -> Any:
    """Return the packed entries with these numbers."""
    import numpy as np

    if width == 2:
        return words.view(np.uint8)[numbers >> 2] >> (2 * (numbers & 3)).astype(np.uint8) & 3
    return words.view(ENTRY_TYPES[width])[numbers]


def unpack_entries(words: Any, width: int, count: int) -> Any:
    """Return `count` entries as an int32 array: the inverse of `pack_entries`."""
    import numpy as np

    if width == 2:
        octets = words.view(np.uint8)
        return np.stack([octets >> shift & 3 for shift in (0, 2, 4, 6)], axis=1).reshape(-1)[:count].astype(np.int32)
    return words.view({8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}[width])[:count].astype(np.int32)


def entry_width(greatest: int) -> int:
    """Return the least width that holds all entries up to this one."""
    return next(width for width in (8, 16, 32) if greatest < 1 << width)
