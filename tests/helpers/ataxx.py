"""Ataxx on a small board: a stone copies itself to a neighbouring square or jumps two squares, and takes over all
neighbours of where it lands. Taking goes back and forth without end, which is what a rule `noisy` has to stand.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo import DRAW, LOSS, ONGOING, WIN, Game, bits

PASS = -1


class Stones(NamedTuple):
    mine: int  # one bit a square, seen by the player to move
    theirs: int
    passes: int


class Ataxx(Game):
    """Copy a stone or let it jump; the player with more stones on the full board wins."""

    width: int = 5

    loops = True

    @cached_property
    def squares_of_board(self):
        return self.width * self.width

    @cached_property
    def full(self):
        return (1 << self.squares_of_board) - 1

    @cached_property
    def near(self):
        return tuple(self.ring(square, 1) for square in range(self.squares_of_board))

    @cached_property
    def far(self):
        return tuple(self.ring(square, 2) for square in range(self.squares_of_board))

    def ring(self, square, distance):
        """The squares at this distance, as bits."""
        row, column = divmod(square, self.width)
        places = range(self.squares_of_board)
        apart = (max(abs(other // self.width - row), abs(other % self.width - column)) for other in places)
        return sum(1 << other for other, far in enumerate(apart) if far == distance)

    def initial(self):
        last = self.squares_of_board - 1
        return Stones(1 | 1 << last, 1 << self.width - 1 | 1 << last + 1 - self.width, 0)

    def moves(self, stones):
        some = False
        squares = self.squares_of_board
        for to in range(squares):
            if (stones.mine | stones.theirs) >> to & 1 == 0:
                if self.near[to] & stones.mine:
                    some = True
                    yield to * squares + to
                for start in range(squares):
                    if self.far[to] & stones.mine & 1 << start:
                        some = True
                        yield start * squares + to
        if not some:
            yield PASS

    def play(self, stones, move):
        if move == PASS:
            return Stones(stones.theirs, stones.mine, stones.passes + 1)
        start, to = move // self.squares_of_board, move % self.squares_of_board
        taken = self.near[to] & stones.theirs
        left = 0 if start == to else 1 << start
        return Stones(stones.theirs & ~taken, (stones.mine | 1 << to | taken) & ~left, 0)

    def result(self, stones):
        lead = self.evaluate(stones)
        return ONGOING if not self.over(stones) else WIN if lead > 0 else LOSS if lead < 0 else DRAW

    def over(self, stones):
        full = stones.mine | stones.theirs == self.full
        return full or stones.mine == 0 or stones.theirs == 0 or stones.passes == 2

    def evaluate(self, stones):
        return bits.popcount(stones.mine) - bits.popcount(stones.theirs)


class AtaxxForPoints(Ataxx):
    """The lead in stones is the payoff."""

    margin = True

    @cached_property
    def payoff_bounds(self):
        return -self.squares_of_board, self.squares_of_board

    def result(self, stones):
        return self.evaluate(stones) if self.over(stones) else ONGOING


class NoisyAtaxx(Ataxx):
    """The same, with quiescence: every move that takes over a stone is noisy."""

    def noisy(self, stones, move):
        return move != PASS and self.near[move % self.squares_of_board] & stones.theirs != 0


class InterpretedAtaxx(Ataxx):
    native = False


class InterpretedNoisyAtaxx(NoisyAtaxx):
    native = False
