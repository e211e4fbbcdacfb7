"""Ataxx on a small board: a stone copies itself to a neighbouring square or jumps two squares, and takes over all
neighbours of where it lands. Taking goes back and forth without end, which is what a rule `noisy` has to stand.
"""

from typing import NamedTuple

from zermelo import DRAW, LOSS, ONGOING, WIN, Game, bits

SIZE = 5
SQUARES = SIZE * SIZE
FULL = (1 << SQUARES) - 1
PASS = -1


class Stones(NamedTuple):
    mine: int  # one bit a square, seen by the player to move
    theirs: int
    passes: int


def ring(square, distance):
    """The squares at this distance, as bits."""
    row, column = divmod(square, SIZE)
    apart = (max(abs(other // SIZE - row), abs(other % SIZE - column)) for other in range(SQUARES))
    return sum(1 << other for other, far in enumerate(apart) if far == distance)


NEAR = tuple(ring(square, 1) for square in range(SQUARES))
FAR = tuple(ring(square, 2) for square in range(SQUARES))


class Ataxx(Game):
    """Copy a stone or let it jump; the player with more stones on the full board wins."""

    loops = True

    def initial(self):
        return Stones(1 | 1 << SQUARES - 1, 1 << SIZE - 1 | 1 << SQUARES - SIZE, 0)

    def moves(self, stones):
        some = False
        for to in range(SQUARES):
            if (stones.mine | stones.theirs) >> to & 1 == 0:
                if NEAR[to] & stones.mine:
                    some = True
                    yield to * SQUARES + to
                for start in range(SQUARES):
                    if FAR[to] & stones.mine & 1 << start:
                        some = True
                        yield start * SQUARES + to
        if not some:
            yield PASS

    def play(self, stones, move):
        if move == PASS:
            return Stones(stones.theirs, stones.mine, stones.passes + 1)
        start, to = move // SQUARES, move % SQUARES
        taken = NEAR[to] & stones.theirs
        left = 0 if start == to else 1 << start
        return Stones(stones.theirs & ~taken, (stones.mine | 1 << to | taken) & ~left, 0)

    def result(self, stones):
        over = stones.mine | stones.theirs == FULL or stones.mine == 0 or stones.theirs == 0 or stones.passes == 2
        lead = self.evaluate(stones)
        return ONGOING if not over else WIN if lead > 0 else LOSS if lead < 0 else DRAW

    def evaluate(self, stones):
        return bits.popcount(stones.mine) - bits.popcount(stones.theirs)


class NoisyAtaxx(Ataxx):
    """The same, with quiescence: every move that takes over a stone is noisy."""

    def noisy(self, stones, move):
        return move != PASS and NEAR[move % SQUARES] & stones.theirs != 0


class InterpretedAtaxx(Ataxx):
    native = False


class InterpretedNoisyAtaxx(NoisyAtaxx):
    native = False
