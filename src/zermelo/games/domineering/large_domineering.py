"""Domineering on boards that do not fit into one word: 63 cells in a low word, and up to 63 more in a high one.

`Domineering(8, 8)` makes a LargeDomineering. Its rules are those of Domineering; sets of cells are pairs of words here,
and the functions of this module are the operators of such pairs. No word has bit 63 set, so that no number is negative.

    cell    0 1 ... 61 62 | 63 64 ... 124 125
    word    low           | high
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import has_bit, ones, popcount, reverse, shift_right, signed
from zermelo.games.domineering.domineering_rules import WORD_CELLS, Domineering

WORD_MASK = (1 << WORD_CELLS) - 1
NO_CELLS = (0, 0)


class LargeState(NamedTuple):
    low: int  # the cells under dominoes, from 0 to 62
    high: int  # from 63 on


def shifted_down(cells, count):
    """Cells with their numbers less `count`."""
    low, high = cells
    if count >= WORD_CELLS:
        return high >> count - WORD_CELLS, 0
    return low >> count | high << WORD_CELLS - count & WORD_MASK, high >> count


def shifted_up(cells, count):
    """Cells with their numbers plus `count`, which is at most 62."""
    low, high = cells
    return low << count & WORD_MASK, (high << count | low >> WORD_CELLS - count) & WORD_MASK


def either(cells, others):
    return cells[0] | others[0], cells[1] | others[1]


def both(cells, others):
    return cells[0] & others[0], cells[1] & others[1]


def without(cells, others):
    return cells[0] & ~others[0], cells[1] & ~others[1]


def backwards(cells):
    """The cells in reverse order: cell 0 becomes cell 125."""
    return signed(shift_right(reverse(cells[1]), 1)), signed(shift_right(reverse(cells[0]), 1))


class LargeDomineering(Domineering):
    """Domineering on a board of up to 126 cells."""

    MAX_CELLS = 2 * WORD_CELLS

    def __repr__(self) -> str:
        return f"Domineering(height={self.height}, width={self.width})"

    def initial(self):
        return LargeState(0, 0)

    def moves(self, state):
        low, high = self.room(state, self.mover(state))
        for cell in ones(low):
            yield cell
        for cell in ones(high):
            yield WORD_CELLS + cell

    def play(self, state, cell):
        low, high = self.domino(cell, self.mover(state))
        return LargeState(state.low | low, state.high | high)

    def domino(self, cell, player):
        one = (1 << cell, 0) if cell < WORD_CELLS else (0, 1 << cell - WORD_CELLS)
        return either(one, shifted_up(one, 1 if player else self.width))

    def room(self, state, player):
        free = without(self.cells, (state.low, state.high))
        pairs = both(free, shifted_down(free, 1 if player else self.width))
        return without(pairs, self.last_column if player else NO_CELLS)

    def covered_cells(self, state):
        return state.low, state.high

    def is_covered(self, state, cell):
        return has_bit(state.low, cell) if cell < WORD_CELLS else has_bit(state.high, cell - WORD_CELLS)

    def count(self, cells):
        return popcount(cells[0]) + popcount(cells[1])

    @cached_property
    def cells(self):
        count = self.width * self.height
        return (1 << min(count, WORD_CELLS)) - 1, (1 << max(count - WORD_CELLS, 0)) - 1

    @cached_property
    def last_column(self):
        column = sum(1 << row * self.width + self.width - 1 for row in range(self.height))
        return column & WORD_MASK, column >> WORD_CELLS

    @cached_property
    def first_row(self):
        return (1 << self.width) - 1

    # -- evaluation ----------------------------------------------------------------------------------------------------

    def safe(self, rooms, others, player):
        step, across = (self.width, 1) if player else (1, self.width)
        reached = either(others, shifted_up(others, step))
        return without(rooms, either(reached, shifted_down(reached, across)))

    def most(self, rooms, player):
        step, count = 1 if player else self.width, 0
        while rooms[0] | rooms[1]:
            first = without(rooms, shifted_up(rooms, step))
            count += self.count(first)
            rooms = without(rooms, either(first, shifted_up(first, step)))
        return count

    # -- symmetry ------------------------------------------------------------------------------------------------------

    def symmetries(self, state):
        for image in range(1, 4):
            low, high = self.mirrored((state.low, state.high), image)
            yield LargeState(low, high)

    def canonical(self, state):
        least = state.low, state.high
        for image in range(1, 4):
            mirrored = self.mirrored((state.low, state.high), image)
            if mirrored < least:
                least = mirrored
        return LargeState(least[0], least[1])

    def mirrored(self, cells, image):
        """Mirrored left to right (image & 1) and top to bottom (image & 2): both are the cells in reverse order."""
        if image & 1:
            cells = shifted_down(backwards(cells), 2 * WORD_CELLS - self.width * self.height)
        return self.upside_down(cells) if image != 3 else cells

    def upside_down(self, cells):
        """Mirrored top to bottom, row by row."""
        found = NO_CELLS
        for _ in range(self.height):
            found = either(shifted_up(found, self.width), (cells[0] & self.first_row, 0))
            cells = shifted_down(cells, self.width)
        return found

    # -- notation ------------------------------------------------------------------------------------------------------

    def state_of(self, cells):
        return LargeState(cells & WORD_MASK, cells >> WORD_CELLS)
