"""Codes and counts: what is known of the states of a stage while it is being solved, in kernels.

A *code* is the entry of a state (entries.py), or one of the sixteen greatest numbers of its width while the state is
not decided: four flags. A *count* is how many successors in the stage are not known to be lost for the mover. Both
begin with eight bits and become wider when a number does not fit. Where moves stay in a stage of a game without
`predecessors`, there are links besides: lists of predecessors, and where the list of each state ends.

    work:      address and length of the codes, their bits | the same of the counts | address and length of the ends of
               the lists of links | address and length of the links
    code:      an entry, or undecided_from(width) + flags
    link:      2 * predecessor + 1 if the move changes the player
"""

from __future__ import annotations

from zermelo.solving.retrograde.entries import MINE

CODES, CODE_BITS, COUNTS, COUNT_BITS, LINK_ENDS, LINKS = 0, 2, 3, 5, 6, 8
WORK_SIZE = 10

DRAWABLE, BLOCKED, LATE = 4, 8, 2
"""Flags of an undecided state, beside MINE: some move to a later stage draws; some such draw is not one that the other
player can force to an end; some such move loses, in more than one ply."""

FLAGS = MINE | LATE | DRAWABLE | BLOCKED
NEW = 2
"""While draws are propagated, how far above MINE and THEIRS the same flags stand for what was found since."""


def undecided_from(width: int) -> int:
    """Return the least code of an undecided state."""
    return (1 << min(width, 31)) - 1 - FLAGS


def reached_flag(width: int) -> int:
    """Return the flag, in a count, of a number to which some move of its stage leads. Counts are below it."""
    return 1 << min(width - 1, 30)


def narrow(words, width, i):
    """Return the i-th number of an array of codes or counts."""
    if width == 8:
        return words.octets(0, 8 * len(words))[i]
    if width == 16:
        return words.shorts(0, 4 * len(words))[i]
    return words.ints(0, 2 * len(words))[i]


def set_narrow(words, width, i, number):
    """Write the i-th number."""
    if width == 8:
        words.octets(0, 8 * len(words))[i] = number
    elif width == 16:
        words.shorts(0, 4 * len(words))[i] = number
    else:
        words.ints(0, 2 * len(words))[i] = number


def add_narrow(words, width, i, number):
    """Add to the i-th number atomically; return what it was before."""
    if width == 8:
        return words.octets(0, 8 * len(words)).fetch_add(i, number)
    if width == 16:
        return words.shorts(0, 4 * len(words)).fetch_add(i, number)
    return words.ints(0, 2 * len(words)).fetch_add(i, number)


def or_narrow(words, width, i, flags):
    """Set flags of the i-th number atomically; return what it was before."""
    if width == 8:
        return words.octets(0, 8 * len(words)).fetch_or(i, flags)
    if width == 16:
        return words.shorts(0, 4 * len(words)).fetch_or(i, flags)
    return words.ints(0, 2 * len(words)).fetch_or(i, flags)


def clear_narrow(words, width, i, flags):
    """Clear flags of the i-th number atomically; return what it was before."""
    if width == 8:
        return words.octets(0, 8 * len(words)).fetch_and(i, ~flags)
    if width == 16:
        return words.shorts(0, 4 * len(words)).fetch_and(i, ~flags)
    return words.ints(0, 2 * len(words)).fetch_and(i, ~flags)
