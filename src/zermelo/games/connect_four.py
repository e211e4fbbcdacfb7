"""Connect Four: four in a row, and stones fall.

A state is two bitboards. Bit column * (height + 1) + row is a cell; the row above the board stays empty
and keeps lines from running on from one column into the next. On the 7x6 board:

     6 13 20 27 34 41 48     always empty
     5 12 19 26 33 40 47     top row
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42     bottom row
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import has_bit, popcount
from zermelo.board import Grid
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.rows import read_rows
from zermelo.value import DRAW, LOSS, loss_in, win_in


class State(NamedTuple):
    mine: int  # stones of the player to move
    mask: int  # all stones


class ConnectFour(Game):
    """Drop a stone into a column; four in a row, in any direction, win."""

    width: int = 7
    height: int = 6

    alternates = True

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or self.width * (self.height + 1) > 63:
            raise GameError(
                f"{self!r}: width and height must be at least 1 and width * (height + 1) at most 63, to fit in a word."
            )

    def initial(self):
        return State(0, 0)

    def moves(self, state):
        for column in range(self.width):
            if not state.mask >> (column * (self.height + 1) + self.height - 1) & 1:
                yield column

    def play(self, state, column):
        return State(state.mine ^ state.mask, state.mask | state.mask + (1 << column * (self.height + 1)))

    def result(self, state):
        if self.four(state.mine ^ state.mask):
            return LOSS
        return DRAW if state.mask == self.cells else ONGOING

    def mover(self, state):
        return popcount(state.mask) & 1

    def stage(self, state):
        return popcount(state.mask)

    def four(self, stones):
        for step in (1, self.height, self.height + 1, self.height + 2):
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    @cached_property
    def cells(self):
        return sum((1 << self.height) - 1 << column * (self.height + 1) for column in range(self.width))

    # -- judgement and sameness --------------------------------------------------------------------------------

    def evaluate(self, state):
        """Ten for each empty cell that completes a four and one for each stone in the middle, less the opponent's."""
        theirs = state.mine ^ state.mask
        threats = popcount(self.threats(state.mine, state.mask)) - popcount(self.threats(theirs, state.mask))
        return 10 * threats + popcount(state.mine & self.middle) - popcount(theirs & self.middle)

    def threats(self, stones, mask):
        """The empty cells that would complete four of these stones, whether they can be played yet or not."""
        threats = stones << 1 & stones << 2 & stones << 3
        for step in (self.height, self.height + 1, self.height + 2):
            above = stones << step & stones << 2 * step
            below = stones >> step & stones >> 2 * step
            threats |= above & (stones << 3 * step | stones >> step)
            threats |= below & (stones >> 3 * step | stones << step)
        return threats & (self.cells ^ mask)

    @cached_property
    def middle(self):
        """The middle column, or the two of them."""
        columns = {(self.width - 1) // 2, self.width // 2}
        return sum((1 << self.height) - 1 << column * (self.height + 1) for column in columns)

    # -- what the rules prove ----------------------------------------------------------------------------------

    def bounds(self, state):
        """A win now, two cells to stop or none to go to, and otherwise how soon anything can end."""
        if self.threats(state.mine, state.mask) & self.possible(state.mask):
            return win_in(1), win_in(1)
        if not self.sound(state):
            return loss_in(2), loss_in(2)
        left = self.width * self.height - popcount(state.mask)
        low, high = (loss_in(4) if left >= 4 else 0), (win_in(3) if left >= 3 else 0)
        even = self.height % 2 == 0 and left % 2 == 0
        if even and not self.four(state.mine | self.cells & ~state.mask & ~self.answered(state.mask)):
            high = min(high, 0)
        return low, high

    def candidates(self, state):
        """A move that wins at once, or those that do not lose at once, or, where all do, one of them."""
        sound = self.threats(state.mine, state.mask) & self.possible(state.mask)
        if not sound:
            sound = self.sound(state)
        if not sound:
            sound = self.possible(state.mask)
            sound &= -sound
        for column in range(self.width):
            if sound >> column * (self.height + 1) & (1 << self.height) - 1:
                yield column

    def sound(self, state):
        """The cells that can be played without losing at the next ply: stop the one threat, feed none."""
        wins = self.threats(state.mine ^ state.mask, state.mask)
        cells = self.possible(state.mask)
        forced = cells & wins
        if forced:
            if forced & forced - 1:
                return 0
            cells = forced
        return cells & ~(wins >> 1)

    def possible(self, mask):
        """The cell on top of each column that is not full."""
        return mask + self.bottom & self.cells

    def answered(self, mask):
        """Cells that the opponent of the mover can have, by answering on top of every move in a column of even height.

        With an even board and an even number of stones, a move in a column of odd height leaves another such
        column to answer in, so there is always an answer.
        """
        cells = 0
        for column in range(self.width):
            if not mask + self.bottom >> column * (self.height + 1) & self.uneven & (1 << self.height) - 1:
                cells |= (self.uneven & (1 << self.height) - 1) << column * (self.height + 1)
        return cells & ~mask

    @cached_property
    def uneven(self):
        """The cells with an odd number of cells below them: the second, fourth, ... row."""
        return sum(self.bottom << row for row in range(1, self.height, 2))

    @cached_property
    def bottom(self):
        return sum(1 << column * (self.height + 1) for column in range(self.width))

    def order(self, state, column):
        """The move that makes the most threats first, and of equals the one nearest the middle."""
        cell = self.possible(state.mask) & (1 << self.height) - 1 << column * (self.height + 1)
        threats = popcount(self.threats(state.mine | cell, state.mask))
        return 16 * threats - abs(2 * column - (self.width - 1))

    def key(self, state):
        """No two positions have the same: the stones of the mover, and one bit above each column."""
        return state.mine + state.mask + self.bottom

    def canonical(self, state):
        """The position or its mirror image."""
        image = State(self.mirrored(state.mine), self.mirrored(state.mask))
        return image if self.key(image) < self.key(state) else state

    def symmetries(self, state):
        yield State(self.mirrored(state.mine), self.mirrored(state.mask))

    def mirrored(self, stones):
        image = 0
        for column in range(self.width):
            stack = stones >> column * (self.height + 1) & (1 << self.height) - 1
            image |= stack << (self.width - 1 - column) * (self.height + 1)
        return image

    # -- looking and writing -----------------------------------------------------------------------------------

    def board(self, state):
        theirs = state.mine ^ state.mask
        first, second = (theirs, state.mine) if self.mover(state) else (state.mine, theirs)
        rows = []
        for row in range(self.height - 1, -1, -1):
            cells = [column * (self.height + 1) + row for column in range(self.width)]
            rows.append("".join("X" if has_bit(first, i) else "O" if has_bit(second, i) else "." for i in cells))
        return Grid(tuple(rows), tuple(str(column + 1) for column in range(self.width)), drop=True)

    def squares(self, state, column):
        landing = popcount(state.mask >> column * (self.height + 1) & (1 << self.height) - 1)
        return ((self.height - 1 - landing) * self.width + column,)

    def move_text(self, state, column):
        return str(column + 1)

    def state_text(self, state):
        return "/".join(self.board(state).cells)

    def parse_state(self, text):
        first, second = (
            sum(1 << column * (self.height + 1) + row for column, row in cells)
            for cells in read_rows(self, text, self.width, self.height)
        )
        mask = first | second
        state = State(first if popcount(first) == popcount(second) else second, mask)
        bottom = sum(1 << column * (self.height + 1) for column in range(self.width))
        if mask & ~(mask << 1 | bottom):
            raise GameError(f"{self!r}: {text!r} cannot arise, since a stone hangs in the air.")
        if self.four(state.mine):
            raise GameError(f"{self!r}: {text!r} cannot arise, since the player to move has won already.")
        return state
