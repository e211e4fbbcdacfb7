"""The index of two sets of cells of a square board, up to its eight symmetries.

The least image of the first set represents it, and the representatives with the same number of cells are numbered in
order. The second set is ranked among the cells that are left:

    number of the representative * C(cells left, second set) + rank of the second set

If a representative is symmetric, several ranks describe the same pair of sets; the least of them is used, and the
others are unused numbers. `turns` has the images.
"""

from functools import cached_property
from itertools import combinations
from math import comb

from zermelo.bits import ones, popcount
from zermelo.game import Game
from zermelo.games.support.board_symmetries import TURNS, image, square_images
from zermelo.games.support.subset_ranking import rank_of, subset_at


class SquareOrbits(Game):
    """The index, without rules, of sets of up to `most` cells each on `side` by `side` cells; a game defines both.

    The tables are as wide as there are sets of `most` cells. `most` is at most half of the board, so that these are the
    most numerous.
    """

    def least(self, first, second):
        """The image of both sets in which the first is least, and then the second."""
        turns = self.turns[popcount(first), rank_of(first, self.cells, self.choose)]
        least_first, least_second = 0, self.cells
        for turn in ones(turns):
            least_first = image(self.images, first, turn)
            least_second = min(least_second, image(self.images, second, turn))
        return least_first, least_second

    def number(self, first, second):
        """Return the number of two sets among those of the same sizes."""
        count = popcount(first)
        representative, others = self.least(first, second)
        left = self.choose[self.side * self.side - count, popcount(second)]
        number = self.numbers[count, rank_of(first, self.cells, self.choose)]
        return int(number * left + rank_of(others, self.cells & ~representative, self.choose))

    def sets_at(self, number, count, others):
        """Return the two sets with this number, of `count` and `others` cells."""
        left = int(self.choose[self.side * self.side - count, others])
        first = int(self.representatives[self.firsts[count] + number // left])
        return first, subset_at(number % left, others, self.cells & ~first, self.choose)

    def numbers_of(self, count, others):
        """Return how many numbers two sets of `count` and `others` cells take."""
        return int((self.firsts[count + 1] - self.firsts[count]) * self.choose[self.side * self.side - count, others])

    # -- tables ------------------------------------------------------------------------------------------------

    @cached_property
    def cells(self):
        return (1 << self.side * self.side) - 1

    @cached_property
    def images(self):
        return square_images(self.side)

    @cached_property
    def choose(self):
        import numpy as np

        rows = [[comb(n, k) for k in range(self.most + 1)] for n in range(self.side * self.side + 1)]
        return np.array(rows, np.int64)

    @cached_property
    def orbits(self):
        """For each number of cells, all sets in their order: an array of words, and one of their images by turn."""
        import numpy as np

        found = []
        for count in range(self.most + 1):
            sets = combinations([1 << cell for cell in range(self.side * self.side)], count)
            words = np.sort(np.array([sum(each) for each in sets], np.int64))
            parts = range(self.images.shape[1])
            turned = [sum(self.images[turn, part, words >> 8 * part & 255] for part in parts) for turn in range(TURNS)]
            found.append((words, np.array(turned)))
        return tuple(found)

    @cached_property
    def representatives(self):
        """Every set that is the least of its images, by number of cells and then by size."""
        import numpy as np

        return np.concatenate([words[words == turned.min(axis=0)] for words, turned in self.orbits]).astype(np.int32)

    @cached_property
    def firsts(self):
        """Where the representatives of each size begin."""
        import numpy as np

        counts = [int((words == turned.min(axis=0)).sum()) for words, turned in self.orbits]
        return np.cumsum([0, *counts]).astype(np.int64)

    @cached_property
    def numbers(self):
        """The number of the representative, by number of cells and rank."""
        import numpy as np

        numbers = np.zeros((self.most + 1, len(self.orbits[-1][0])), np.int32)
        for count, (words, turned) in enumerate(self.orbits):
            those = self.representatives[self.firsts[count] : self.firsts[count + 1]]
            numbers[count, : len(words)] = np.searchsorted(those, turned.min(axis=0))
        return numbers

    @cached_property
    def turns(self):
        """The turns that lead to the representative, one bit each, by number of cells and rank."""
        import numpy as np

        turns = np.zeros((self.most + 1, len(self.orbits[-1][0])), np.uint8)
        for count, (words, turned) in enumerate(self.orbits):
            for turn in range(TURNS):
                turns[count, : len(words)] |= (turned[turn] == turned.min(axis=0)).astype(np.uint8) << turn
        return turns
