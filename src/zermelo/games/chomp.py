"""Chomp: bite off a bar of chocolate; the square in its corner is poisoned, and the player who eats it loses.

A bite takes a square and with it all squares below it, to its right, and below and to the right. So what is left of a
row is as long as what is left of the row above, or shorter, and a state is these lengths. With the poison at a1, after
a bite at c2 of a bar of four by three:

        a b c d
    1   ! # # #      4
    2   # #          2
    3   # #          2

A move is the number of a square, row by row from the top left.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.board import Grid, Piece
from zermelo.game import ONGOING, Game
from zermelo.games.support.grid_notation import COLUMN_LETTERS
from zermelo.games.support.parameters import check_whole
from zermelo.games.support.position_text import NoState
from zermelo.tuples import replace
from zermelo.value import WIN, loss_in, win_in

PIECES = (
    Piece("!", None, "☠", "poisoned square", "poison"),
    Piece("#", None, "■", "square of chocolate", "chocolate"),
)


class State(NamedTuple):
    rows: tuple[int, ...]  # how many squares are left of each row, the top row first


class Chomp(Game):
    """Bite off a bar of chocolate; the player who eats the poisoned square loses."""

    width: int = 5
    height: int = 4

    alternates = True

    def __post_init__(self) -> None:
        check_whole(self, width=(1, 20), height=(1, 20))

    def initial(self):
        return State((self.width,) * self.height)

    def moves(self, state):
        for row in range(self.height):
            for square in range(row * self.width, row * self.width + state.rows[row]):
                yield square

    def play(self, state, square):
        rows, row, column = state.rows, square // self.width, square % self.width
        while row < self.height and rows[row] > column:
            rows = replace(rows, row, column)
            row += 1
        return State(rows)

    def result(self, state):
        """After the last bite, which took the poison, the other player is to move, and has won."""
        return WIN if state.rows[0] == 0 else ONGOING

    def stage(self, state):
        return self.width * self.height - self.left(state)

    def left(self, state):
        """Return how many squares are left."""
        left = 0
        for row in state.rows:
            left += row
        return left

    # -- static bounds and evaluation --------------------------------------------------------------------------

    def known(self, state):
        """1 for a shape known to be won by the player to move, -1 for one known to be lost, 0 for any other.

        Lost: a hook, which is one row and one column with nothing between them, if both are as long: two equal piles of
        Nim; and two rows, or two columns, if one is longer by a square: every bite changes the difference, which the
        reply restores. Won: all other hooks and pairs, and any shape that a bite at b2, a3 or c1 turns into a lost one.
        And a rectangle: take the square farthest from the poison. If that does not win, some reply does, and since it
        takes that square too, it could have been the first bite (strategy stealing).
        """
        left, wide, high, second = self.left(state), state.rows[0], 0, 0
        for row in state.rows:
            high += row > 0
            second += row > 1  # how long the second column is
        across, down = wide - state.rows[min(1, self.height - 1)], high - second
        hook = left == wide + high - 1
        if (hook and wide == high) or (high == 2 and across == 1) or (wide == 2 and down == 1):
            return -1
        return int(hook or min(wide, high) <= 2 or wide == high or across == 1 or down == 1 or left == wide * high)

    def bounds(self, state):
        """The value of a known shape; and every bite takes a square, which bounds the plies."""
        left, known = self.left(state), self.known(state)
        return win_in(left) if known > 0 else loss_in(0), loss_in(left) if known < 0 else win_in(0)

    def evaluate(self, state):
        """The value of a known shape; for others, the more bites there are, the likelier that one of them wins."""
        known = self.known(state)
        return 100 * known if known else 99 * self.left(state) // (self.width * self.height)

    def order(self, state, square):
        """Small bites first: they leave the most to be decided."""
        return square // self.width + square % self.width

    # -- symmetry ----------------------------------------------------------------------------------------------

    def symmetries(self, state):
        """A square bar may be turned over, rows for columns."""
        if self.width == self.height:
            columns = state.rows
            for column in range(self.width):
                length = 0
                for row in state.rows:
                    length += row > column
                columns = replace(columns, column, length)
            yield State(columns)

    @cached_property
    def names(self):
        return tuple(COLUMN_LETTERS[: self.width])

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        rows = ["#" * row + "." * (self.width - row) for row in state.rows]
        rows[0] = rows[0].replace("#", "!", 1)
        return Grid(tuple(rows), self.names, tuple(str(row + 1) for row in range(self.height)), pieces=PIECES)

    def squares(self, state, square):
        return (square,)

    def move_text(self, state, square):
        return f"{self.names[square % self.width]}{square // self.width + 1}"

    def state_text(self, state):
        return " ".join(map(str, state.rows))

    def parse_state(self, text):
        words = text.replace(",", " ").strip("( )").split()
        rows = tuple(int(word) for word in words if word.isdecimal())
        steps = [self.width, *rows]
        if len(rows) != len(words) or len(rows) != self.height or steps != sorted(steps, reverse=True):
            example = self.state_text(self.initial())
            raise NoState(
                f"{self!r}: {text!r} does not describe a state, which is the length of each row, none longer than the "
                f"one above, such as {example!r}."
            )
        return State(rows)
