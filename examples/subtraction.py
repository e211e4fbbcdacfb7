"""A subtraction game: take one, two or three matches; the player who takes the last one wins.

A state can be a single number. Try it:

    zermelo play examples/subtraction.py
    zermelo tree "examples/subtraction.py:Subtraction(start=5)" --algorithm alphabeta
"""

from zermelo import LOSS, ONGOING, Game
from zermelo.board import Piles


class Subtraction(Game):
    """Take from one to `most` matches; the player who takes the last one wins."""

    start: int = 21
    most: int = 3

    def initial(self):
        return self.start

    def moves(self, left):
        return range(1, min(self.most, left) + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else ONGOING

    def board(self, left):
        return Piles((left,))

    def squares(self, left, taken):
        return (0,)
