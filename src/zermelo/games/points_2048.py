"""2048 for points, on four by four cells: merge tiles until no slide is possible.

There is one player and chance. The payoff are the points of the last board: a tile of 2^k is worth (k - 1) * 2^k, what
merging 2s into it scores. The game that people play scores 4 less for each new tile that came as a 4, which a board
does not tell; that is one or two parts in a hundred. Payoffs are bounded: more than MOST_POINTS, which nobody has
reached, count as that.
"""

from zermelo.game import ONGOING
from zermelo.games.twenty48 import RandomTiles

MOST_POINTS = 1 << 20

ROOM_POINTS = 16
"""What an empty cell is worth to the evaluation."""


class Points2048(RandomTiles):
    """Slide the tiles of a board and merge equal ones, for as many points as possible before the board is full."""

    width: int = 4
    height: int = 4

    margin = True
    payoff_bounds = (0, MOST_POINTS)

    def points(self, tiles):
        """The points of a board: a tile of 2^k is worth (k - 1) * 2^k."""
        points = 0
        for cell in range(self.cells):
            tile = tiles >> 4 * cell & 15
            points += (tile - 1) * (1 << tile) if tile else 0
        return min(points, MOST_POINTS)

    def result(self, state):
        return ONGOING  # until nothing can slide

    def stuck(self, state):
        return self.points(state.tiles)

    def evaluate(self, state):
        """The points so far, and the empty cells."""
        return min(self.points(state.tiles) + ROOM_POINTS * self.empty_cells(state.tiles), MOST_POINTS)
