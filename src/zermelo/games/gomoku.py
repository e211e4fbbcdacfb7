"""Gomoku: five in a row on a large board.

The players mark free cells in turn; five in a row, along a row, a column or a diagonal, win, and a full board is a
draw. With `exactly`, a longer row does not count, as in standard gomoku; without, it does, as in free-style gomoku.

A board of 15 by 15 has more cells than a word has bits, so each player has a tuple of words, one for a row, the bottom
row first; bit c is column c from the left. A move is row * side + column.

A window is a place for five in a row: a cell to start from and a direction. A state holds the window score
of each player, `hope`: the sum over all windows in which the other player has no stone. It is updated incrementally: a
move changes only the windows through its cell, on four lines that are extracted from the rows.
"""

from functools import cached_property
from itertools import product
from typing import NamedTuple

from zermelo.bits import has_bit, ones, popcount
from zermelo.board import Grid
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.grid_notation import PLAYERS, cells_of, read_rows
from zermelo.games.support.parameters import check_types
from zermelo.games.support.winning_lines import lines_in
from zermelo.tuples import replace
from zermelo.value import DRAW, LOSS, loss_in, win_in

MAX_STONES_WITH_SYMMETRY = 3
"""Symmetries are used up to this number of stones; later, equivalent positions hardly ever meet."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Rows up and columns to the right, from one cell of a line to the next."""

WINDOW_VALUES = (0, 1000, 60, 8, 1)
"""The value of a window that is open to one player only, by the number of missing stones."""

THREAT_UNIT = 1 << 20
"""What a window with one missing stone adds to a window score: threats are counted from this bit on."""

WON_BIT = 1 << 40
"""The bit of a window score that is set once the player has won."""


class State(NamedTuple):
    mine: tuple[int, ...]  # cells of the player to move, a word for each row
    theirs: tuple[int, ...]  # cells of the other player
    hope: int  # window score of the player to move
    their_hope: int  # of the other player


class Gomoku(Game):
    """Mark a cell of a large board; five in a row, in any direction, win."""

    side: int = 15
    in_a_row: int = 5
    exactly: bool = False

    alternates = True
    reductions = True

    def __post_init__(self) -> None:
        check_types(self)
        if not 5 <= self.side <= 19:
            raise GameError(f"{self!r}: side must be a whole number from 5 to 19.")
        if not 3 <= self.in_a_row <= min(7, self.side):
            raise GameError(f"{self!r}: in_a_row must be 3 to 7, and at most the side.")

    def initial(self):
        return State(self.empty, self.empty, 0, 0)

    def moves(self, state):
        for row in range(self.side):
            for column in ones(self.free(state, row)):
                yield row * self.side + column

    def play(self, state, cell):
        row, column = cell // self.side, cell % self.side
        hope, their_hope = self.scores_after(state, row, column)
        mine = replace(state.mine, row, state.mine[row] | 1 << column)
        return State(state.theirs, mine, their_hope, hope)

    def result(self, state):
        if state.their_hope & WON_BIT:
            return LOSS
        for row in range(self.side):
            if self.free(state, row):
                return ONGOING
        return DRAW

    @cached_property
    def empty(self):
        """The words of a player without stones."""
        return (0,) * self.side

    def mover(self, state):
        return self.stage(state) & 1

    def stage(self, state):
        stones = 0
        for row in range(self.side):
            stones += popcount(state.mine[row] | state.theirs[row])
        return stones

    def free(self, state, row):
        """The free cells of a row."""
        return (1 << self.side) - 1 & ~(state.mine[row] | state.theirs[row])

    # -- windows -----------------------------------------------------------------------------------------------

    def scores_after(self, state, row, column):
        """Return the window scores of both players after a stone on this cell."""
        mine, theirs = self.around(state.mine, row, column), self.around(state.theirs, row, column)
        hope, their_hope, size = state.hope, state.their_hope, self.in_a_row
        for i in range(4):
            for first in range(1, size + 1):
                stones = popcount(mine[i] >> first & self.window)
                others = popcount(theirs[i] >> first & self.window)
                if others == 0:
                    hope += self.window_values[stones + 1] - self.window_values[stones]
                    if stones + 1 == size and not (self.exactly and self.longer(mine[i] & ~theirs[i], first)):
                        hope |= WON_BIT
                elif stones == 0:
                    their_hope -= self.window_values[others]
        return hope, their_hope

    def around(self, stones, row, column):
        """The four lines through a cell, a bit for each stone from `in_a_row` cells before it to `in_a_row` after it.

        Cells off the board count as stones of both players, so that no window includes them.
        """
        reach = self.in_a_row
        across, down, rising, falling = 0, 0, 0, 0
        for step in range(-reach, reach + 1):
            word = -1
            if 0 <= row + step < self.side:
                word = (stones[row + step] << reach | self.beyond) >> column
            if step == 0:
                across = word
            down |= (word >> reach & 1) << reach + step
            rising |= (word >> reach + step & 1) << reach + step
            falling |= (word >> reach - step & 1) << reach + step
        return across, down, rising, falling

    def longer(self, stones, first):
        """Return whether the row that starts at this cell of a line continues at either end (an overline)."""
        return stones >> first - 1 & 1 or stones >> first + self.in_a_row & 1

    @cached_property
    def window(self):
        return (1 << self.in_a_row) - 1

    @cached_property
    def beyond(self):
        """The bits off the board in the word of a row that is shifted by `in_a_row`."""
        return ~((1 << self.side) - 1 << self.in_a_row)

    @cached_property
    def window_values(self):
        """What a window adds to the score of a player with 0, 1, 2, ... stones in it, if the other player has none."""
        missing = range(self.in_a_row, -1, -1)
        values = [
            THREAT_UNIT if left == 1 else WINDOW_VALUES[left] if left < min(self.in_a_row, 5) else 0 for left in missing
        ]
        return tuple(values)

    def all_windows(self, stones, others):
        """Return the window score of a player with these stones, counted from scratch."""
        mine, theirs = ({(y, x) for y in range(self.side) for x in ones(side[y])} for side in (stones, others))
        hope = 0
        for y, x in product(range(self.side), repeat=2):
            for up, right in DIRECTIONS:
                window = {(y + up * i, x + right * i) for i in range(self.in_a_row)}
                inside = all(0 <= row < self.side and 0 <= column < self.side for row, column in window)
                if inside and not window & theirs:
                    hope += self.window_values[len(window & mine)]
        return hope | WON_BIT if any(self.completes(stones, y * self.side + x) for y, x in mine) else hope

    def completes(self, stones, cell):
        """Return whether a stone on this cell wins."""
        row, column = cell // self.side, cell % self.side
        for up, right in DIRECTIONS:
            length = 1 + self.run(stones, row, column, up, right) + self.run(stones, row, column, -up, -right)
            if length == self.in_a_row or (length > self.in_a_row and not self.exactly):
                return True
        return False

    def run(self, stones, row, column, up, right):
        """Return how many consecutive stones follow a cell in one direction."""
        length = 0
        row, column = row + up, column + right
        while 0 <= row < self.side and 0 <= column < self.side and stones[row] >> column & 1:
            length += 1
            row, column = row + up, column + right
        return length

    # -- static bounds and candidates --------------------------------------------------------------------------

    def winning(self, stones, others, hope):
        """The first free cell on which these stones win at once; -1 if there is none."""
        if hope >= THREAT_UNIT:
            for row in range(self.side):
                for column in ones((1 << self.side) - 1 & ~(stones[row] | others[row])):
                    if self.completes(stones, row * self.side + column):
                        return row * self.side + column
        return -1

    def bounds(self, state):
        if self.winning(state.mine, state.theirs, state.hope) >= 0:
            return win_in(1), win_in(1)
        return loss_in(2), win_in(3)

    def candidates(self, state):
        """A move that wins at once, or those that stop the other player from doing so, or all."""
        win = self.winning(state.mine, state.theirs, state.hope)
        stop = self.winning(state.theirs, state.mine, state.their_hope) if win < 0 else -1
        if win >= 0:
            yield win
        else:
            for cell in self.moves(state):
                if stop < 0 or self.completes(state.theirs, cell):
                    yield cell

    def forcing(self, state):
        """The other player threatens to win."""
        return state.their_hope >= THREAT_UNIT

    # -- evaluation and symmetry -------------------------------------------------------------------------------

    def evaluate(self, state):
        """The windows open to one player only, by their stones; the mover's count a quarter more."""
        mine, theirs = self.score_of(state.hope), self.score_of(state.their_hope)
        return mine + mine // 4 - theirs

    def score_of(self, hope):
        """Return the value of a window score, threats included."""
        return WINDOW_VALUES[1] * (hope // THREAT_UNIT) + hope % THREAT_UNIT

    def order(self, state, cell):
        """How much the move changes the evaluation: the windows through the cell that it extends or blocks."""
        row, column = cell // self.side, cell % self.side
        value = -abs(2 * row - (self.side - 1)) - abs(2 * column - (self.side - 1))
        mine, theirs = self.around(state.mine, row, column), self.around(state.theirs, row, column)
        for i in range(4):
            for first in range(1, self.in_a_row + 1):
                stones = popcount(mine[i] >> first & self.window)
                others = popcount(theirs[i] >> first & self.window)
                if others == 0:
                    value += 9 << 3 * stones
                elif stones == 0:
                    value += 8 << 3 * others
        return value

    def symmetries(self, state):
        """The symmetries of the square, while there are few stones."""
        if self.stage(state) <= MAX_STONES_WITH_SYMMETRY:
            for turn in range(8):
                mine, theirs = self.turned(state.mine, turn), self.turned(state.theirs, turn)
                yield State(mine, theirs, state.hope, state.their_hope)

    def turned(self, stones, turn):
        """The cells mirrored left to right (turn & 1), top to bottom (turn & 2) and in the diagonal (turn & 4)."""
        image = self.empty
        for row in range(self.side):
            for column in ones(stones[row]):
                to, at = (self.side - 1 - row if turn & 2 else row), (self.side - 1 - column if turn & 1 else column)
                if turn & 4:
                    to, at = at, to
                image = replace(image, to, image[to] | 1 << at)
        return image

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        first, second = (state.theirs, state.mine) if self.mover(state) else (state.mine, state.theirs)
        rows = [
            "".join(
                "X" if has_bit(first[row], i) else "O" if has_bit(second[row], i) else "." for i in range(self.side)
            )
            for row in range(self.side - 1, -1, -1)
        ]
        labels = tuple(str(row) for row in range(self.side, 0, -1))
        return Grid(tuple(rows), tuple("abcdefghijklmnopqrs"[: self.side]), labels, sides=("Black", "White"))

    def squares(self, state, cell):
        return ((self.side - 1 - cell // self.side) * self.side + cell % self.side,)

    def highlights(self, state):
        return lines_in(self.board(state).cells, 5)

    def move_text(self, state, cell):
        return f"{chr(ord('a') + cell % self.side)}{cell // self.side + 1}"

    def state_text(self, state):
        return "/".join(self.board(state).cells)

    def parse_state(self, text):
        rows = read_rows(self, text, self.side, self.side)[::-1]
        first, second = (tuple(cells_of(row, mark) for row in rows) for mark in PLAYERS)
        even = sum(map(popcount, first)) == sum(map(popcount, second))
        mine, theirs = (first, second) if even else (second, first)
        state = State(mine, theirs, self.all_windows(mine, theirs), self.all_windows(theirs, mine))
        if state.hope & WON_BIT:
            raise GameError(f"{self!r}: {text!r} cannot arise, since the player to move has won already.")
        return state
