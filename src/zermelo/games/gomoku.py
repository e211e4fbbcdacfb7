"""Gomoku: five in a row on a large board.

The players mark free cells in turn; five in a row, along a row, a column or a diagonal, win, and a full board is a
draw. With `exactly`, a longer row does not count, as in standard gomoku; without, it does, as in free-style gomoku.

A board of 15 by 15 has more cells than a word has bits, so each player has a tuple of words, one for a row, the bottom
row first; bit c is column c from the left. A move is row * side + column.

A window is a place for five in a row: a cell to start from and a direction. All windows that start in one row, in one
direction, are looked at together: the words of the rows that they run through are shifted over each other, and how many
stones are in each is counted in binary, by three words that hold the digits of all counts.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import has_bit, ones, popcount
from zermelo.board import Grid
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.rows import read_rows
from zermelo.tuples import replace
from zermelo.value import DRAW, LOSS, loss_in, win_in

OPENING = 3
"""Up to so many stones the images of a position are looked for; later on, positions that are images hardly meet."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Rows up and columns to the right, from one cell of a line to the next."""

PROMISE = (0, 1000, 60, 8, 1)
"""What a window is worth that so many stones are missing from, and that is open to one player only."""


class State(NamedTuple):
    mine: tuple[int, ...]  # cells of the player to move, a word for each row
    theirs: tuple[int, ...]  # cells of the other player


class Gomoku(Game):
    """Mark a cell of a large board; five in a row, in any direction, win."""

    side: int = 15
    in_a_row: int = 5
    exactly: bool = False

    alternates = True
    reductions = True

    def __post_init__(self) -> None:
        if isinstance(self.side, bool) or not isinstance(self.side, int) or not 5 <= self.side <= 19:
            raise GameError(f"{self!r}: side must be a whole number from 5 to 19.")
        if isinstance(self.in_a_row, bool) or self.in_a_row not in (3, 4, 5, 6, 7) or self.in_a_row > self.side:
            raise GameError(f"{self!r}: in_a_row must be 3 to 7, and at most the side.")
        if not isinstance(self.exactly, bool):
            raise GameError(f"{self!r}: exactly must be True or False.")

    def initial(self):
        return State(self.empty, self.empty)

    def moves(self, state):
        for row in range(self.side):
            for column in ones(self.free(state, row)):
                yield row * self.side + column

    def play(self, state, cell):
        row = cell // self.side
        return State(state.theirs, replace(state.mine, row, state.mine[row] | 1 << cell % self.side))

    def result(self, state):
        if self.has_row(state.theirs):
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

    def part(self, stones, row, up, right, step):
        """Which windows that start in this row, in this direction, have one of the stones so many steps on."""
        word = stones[row + up * step] if 0 <= row + up * step < self.side else 0
        if right * step > 0:
            return word >> right * step
        return word << -right * step

    def starts(self, row, up, right):
        """The columns in which windows of this row start."""
        if row + up * (self.in_a_row - 1) >= self.side:
            return 0
        columns = (1 << self.side) - 1
        if right > 0:
            columns >>= self.in_a_row - 1
        return columns if right >= 0 else columns & ~((1 << self.in_a_row - 1) - 1)

    def has_row(self, stones):
        for up, right in DIRECTIONS:
            for row in range(self.side):
                full = self.starts(row, up, right)
                step = 0
                while full and step < self.in_a_row:
                    full &= self.part(stones, row, up, right, step)
                    step += 1
                if full and self.exactly:
                    full &= ~self.part(stones, row, up, right, -1) & ~self.part(stones, row, up, right, self.in_a_row)
                if full:
                    return True
        return False

    def promise(self, stones, others, most):
        """What all windows are worth from which up to `most` of these stones are missing, and all of the others'."""
        total = 0
        for up, right in DIRECTIONS:
            for row in range(self.side):
                window = self.starts(row, up, right)
                ones_, twos, fours = 0, 0, 0
                for step in range(self.in_a_row if window else 0):
                    window &= ~self.part(others, row, up, right, step)
                    stone = self.part(stones, row, up, right, step)
                    fours ^= stone & ones_ & twos
                    twos ^= stone & ones_
                    ones_ ^= stone
                if window & (ones_ | twos | fours):
                    for missing in range(1, most + 1):
                        count = self.in_a_row - missing
                        such = window & (ones_ if count & 1 else ~ones_) & (twos if count & 2 else ~twos)
                        total += PROMISE[missing] * popcount(such & (fours if count & 4 else ~fours))
        return total

    def completes(self, stones, cell):
        """Whether a stone on this cell makes a row that wins."""
        row, column = cell // self.side, cell % self.side
        for up, right in DIRECTIONS:
            length = 1 + self.run(stones, row, column, up, right) + self.run(stones, row, column, -up, -right)
            if length == self.in_a_row or (length > self.in_a_row and not self.exactly):
                return True
        return False

    def run(self, stones, row, column, up, right):
        """How many of the stones follow on a cell in one direction."""
        length = 0
        row, column = row + up, column + right
        while 0 <= row < self.side and 0 <= column < self.side and stones[row] >> column & 1:
            length += 1
            row, column = row + up, column + right
        return length

    # -- what the rules prove ----------------------------------------------------------------------------------

    def winning(self, stones, others):
        """The first free cell on which these stones win at once; -1 if there is none."""
        if self.promise(stones, others, 1):
            for row in range(self.side):
                for column in ones((1 << self.side) - 1 & ~(stones[row] | others[row])):
                    if self.completes(stones, row * self.side + column):
                        return row * self.side + column
        return -1

    def bounds(self, state):
        if self.winning(state.mine, state.theirs) >= 0:
            return win_in(1), win_in(1)
        return loss_in(2), win_in(3)

    def candidates(self, state):
        """A move that wins at once, or those that stop the other player from doing so, or all."""
        win = self.winning(state.mine, state.theirs)
        stop = self.winning(state.theirs, state.mine) if win < 0 else -1
        if win >= 0:
            yield win
        else:
            for cell in self.moves(state):
                if stop < 0 or self.completes(state.theirs, cell):
                    yield cell

    def forcing(self, state):
        """The other player threatens to win."""
        return self.promise(state.theirs, state.mine, 1) > 0

    # -- judgement and sameness --------------------------------------------------------------------------------

    def evaluate(self, state):
        """The windows that are open to one player only, the more stones in them the better; being to move counts."""
        mine = self.promise(state.mine, state.theirs, 4 if self.in_a_row > 4 else self.in_a_row - 1)
        theirs = self.promise(state.theirs, state.mine, 4 if self.in_a_row > 4 else self.in_a_row - 1)
        return mine + mine // 4 - theirs

    def order(self, state, cell):
        """How far the move changes the evaluation: the windows through the cell that it fills, and those it closes."""
        row, column = cell // self.side, cell % self.side
        value = -abs(2 * row - (self.side - 1)) - abs(2 * column - (self.side - 1))
        for up, right in DIRECTIONS:
            for first in range(1 - self.in_a_row, 1):
                mine, theirs = 0, 0
                for step in range(first, first + self.in_a_row):
                    y, x = row + up * step, column + right * step
                    if not (0 <= y < self.side and 0 <= x < self.side):
                        mine, theirs = 1, 1
                        break
                    mine += state.mine[y] >> x & 1
                    theirs += state.theirs[y] >> x & 1
                if theirs == 0:
                    value += 9 << 3 * mine
                elif mine == 0:
                    value += 8 << 3 * theirs
        return value

    def symmetries(self, state):
        """The images of the square, as long as there are few stones."""
        if self.stage(state) <= OPENING:
            for turn in range(8):
                yield State(self.turned(state.mine, turn), self.turned(state.theirs, turn))

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

    # -- looking and writing -----------------------------------------------------------------------------------

    def board(self, state):
        first, second = (state.theirs, state.mine) if self.mover(state) else (state.mine, state.theirs)
        rows = [
            "".join(
                "X" if has_bit(first[row], i) else "O" if has_bit(second[row], i) else "." for i in range(self.side)
            )
            for row in range(self.side - 1, -1, -1)
        ]
        labels = tuple(str(row) for row in range(self.side, 0, -1))
        return Grid(tuple(rows), tuple("abcdefghijklmnopqrs"[: self.side]), labels)

    def squares(self, state, cell):
        return ((self.side - 1 - cell // self.side) * self.side + cell % self.side,)

    def move_text(self, state, cell):
        return f"{chr(ord('a') + cell % self.side)}{cell // self.side + 1}"

    def state_text(self, state):
        return "/".join(self.board(state).cells)

    def parse_state(self, text):
        rows = []
        for cells in read_rows(self, text, self.side, self.side):
            rows.append([0] * self.side)
            for column, row in cells:
                rows[-1][row] |= 1 << column
        first, second = map(tuple, rows)
        even = sum(map(popcount, first)) == sum(map(popcount, second))
        state = State(first, second) if even else State(second, first)
        if self.has_row(state.mine):
            raise GameError(f"{self!r}: {text!r} cannot arise, since the player to move has won already.")
        return state
