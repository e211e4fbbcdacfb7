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

from zermelo.bits import has_bit, popcount, unsigned
from zermelo.board import EMPTY, Grid
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.grid_notation import cells_of, read_rows
from zermelo.games.support.parameters import check_types
from zermelo.games.support.winning_lines import lines_in
from zermelo.value import DRAW, LOSS, loss_in, win_in

RACK_COLOURS = ("red", "yellow")
"""The colours of the stones, those of the first player first."""


class State(NamedTuple):
    mine: int  # stones of the player to move
    mask: int  # all stones


class ConnectFour(Game):
    """Drop a stone into a column; four in a row, in any direction, win."""

    width: int = 7
    height: int = 6

    alternates = True

    def __post_init__(self) -> None:
        check_types(self)
        if self.width < 1 or self.height < 1 or self.width * (self.height + 1) > 64:
            raise GameError(
                f"{self!r}: width and height must be at least 1 and width * (height + 1) at most 64, to fit in a word."
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

    # -- evaluation and symmetry -------------------------------------------------------------------------------

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

    # -- static bounds and candidates --------------------------------------------------------------------------

    def bounds(self, state):
        """Follow forced moves to a win, a loss or a choice; there the earliest end of the game bounds the value."""
        plies = 0
        sound = self.sound(state)
        while sound and not sound & sound - 1 and not self.wins(state) and state.mask | sound != self.cells:
            state = State(state.mine ^ state.mask, state.mask | sound)
            sound = self.sound(state)
            plies += 1
        left = self.width * self.height - popcount(state.mask)
        low, high = (loss_in(plies + 4) if left >= 4 else 0), (win_in(plies + 3) if left >= 3 else 0)
        if self.wins(state):
            low = high = win_in(plies + 1)
        elif not sound:
            low = high = loss_in(plies + 2)
        elif self.height % 2 == 0 and left % 2 == 0:
            high = min(high, self.claimeven_bound(state, plies + left))
        return (-high, -low) if plies % 2 else (low, high)

    def wins(self, state):
        """The cells that win at once."""
        return self.threats(state.mine, state.mask) & self.possible(state.mask)

    def claimeven_bound(self, state, last):
        """An upper bound for the mover if the opponent answers every move on top of it; ply `last` fills the board.

        On a board of even height with an even number of stones, a move that fills a column up to an even height leaves
        another column in which the opponent can do the same. So the opponent gets every cell of an even row, but
        for those that can be played now. If the mover cannot make four of all the others, there is no win; if the
        opponent's make four, there is a loss, and the cells above them stay empty.
        """
        theirs = state.mine ^ state.mask
        answers = self.even & ~state.mask & ~self.possible(state.mask)
        if self.four(self.cells & ~theirs & ~answers):
            return win_in(0)
        for row in range(1, self.height, 2):
            if self.four(theirs | answers & (self.bottom << row + 1) - self.bottom):
                return loss_in(last - (self.height - 1 - row))
        return 0

    def candidates(self, state):
        """A move that wins at once; else the moves that do not lose at once; else one move."""
        sound = self.wins(state)
        if not sound:
            sound = self.sound(state)
        if not sound:
            sound = self.possible(state.mask)
            sound &= -sound
        for column in range(self.width):
            if sound >> column * (self.height + 1) & (1 << self.height) - 1:
                yield column

    def sound(self, state):
        """The cells that can be played without losing at the next ply: block the only threat, enable none."""
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

    @cached_property
    def even(self):
        """The cells of the second, fourth, ... row."""
        return sum(self.bottom << row for row in range(1, self.height, 2))

    @cached_property
    def bottom(self):
        return sum(1 << column * (self.height + 1) for column in range(self.width))

    def order(self, state, column):
        """The move that makes the most threats first, those playable soon counting most; of equals, the middle one.

        A threat right above one of the opponent's is never played.
        """
        cell = self.possible(state.mask) & (1 << self.height) - 1 << column * (self.height + 1)
        mask = state.mask | cell
        theirs = self.threats(state.mine ^ state.mask, state.mask) & ~cell
        threats = self.threats(state.mine | cell, mask) & ~(theirs << 1)
        soon = self.possible(mask) << 1
        weight = 12 * popcount(threats & soon) + 5 * popcount(threats & soon << 1) + 3 * popcount(threats)
        return 16 * weight - abs(2 * column - (self.width - 1))

    def key(self, state):
        """A unique key: the stones of the mover, and one bit above each column."""
        return state.mine + state.mask + self.bottom

    def canonical(self, state):
        """The position or its mirror image."""
        image = State(self.mirrored(state.mine), self.mirrored(state.mask))
        return image if unsigned(self.key(image)) < unsigned(self.key(state)) else state

    def symmetries(self, state):
        yield State(self.mirrored(state.mine), self.mirrored(state.mask))

    def mirrored(self, stones):
        """The stones with columns in reverse order, swapped in pairs."""
        step, column = self.height + 1, (1 << self.height) - 1
        image = stones & column << self.width // 2 * step if self.width % 2 else 0
        for left in range(self.width // 2):
            right = self.width - 1 - left
            image |= (stones & column << left * step) << (right - left) * step
            image |= stones >> (right - left) * step & column << left * step
        return image

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        theirs = state.mine ^ state.mask
        first, second = (theirs, state.mine) if self.mover(state) else (state.mine, theirs)
        rows = []
        for row in range(self.height - 1, -1, -1):
            cells = [column * (self.height + 1) + row for column in range(self.width)]
            rows.append("".join("X" if has_bit(first, i) else "O" if has_bit(second, i) else "." for i in cells))
        return Grid(
            tuple(rows), tuple(str(column + 1) for column in range(self.width)), drop=True, colours=RACK_COLOURS
        )

    def squares(self, state, column):
        landing = popcount(state.mask >> column * (self.height + 1) & (1 << self.height) - 1)
        return ((self.height - 1 - landing) * self.width + column,)

    def highlights(self, state):
        return lines_in(self.board(state).cells, 4)

    def move_text(self, state, column):
        return str(column + 1)

    def state_text(self, state):
        return "/".join(self.board(state).cells)

    def parse_state(self, text):
        marks = "".join(reversed(read_rows(self, text, self.width, self.height)))
        columns = EMPTY.join(marks[column :: self.width] for column in range(self.width))
        first, second = cells_of(columns, "X"), cells_of(columns, "O")
        mask = first | second
        state = State(first if popcount(first) == popcount(second) else second, mask)
        if mask & ~(mask << 1 | self.bottom):
            raise GameError(f"{self!r}: {text!r} cannot arise, since a stone hangs in the air.")
        if self.four(state.mine):
            raise GameError(f"{self!r}: {text!r} cannot arise, since the player to move has won already.")
        return state
