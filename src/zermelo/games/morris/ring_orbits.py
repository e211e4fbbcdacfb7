"""The index of two sets of points on the rings of morris, up to symmetry.

Of two disjoint sets the larger comes first. The least of its images represents them all, and the representatives of one
size are numbered in order. The smaller set is ranked among the points that are left:

    number of the representative * C(points left, smaller set) + rank of the smaller set

If a representative is symmetric, several ranks describe the same pair of sets; the least of them is used, and the
others are unused numbers. The two sets are one word, the larger above the smaller.
"""

from functools import cached_property
from itertools import pairwise
from math import comb

from zermelo.games.morris.ring_boards import ONE_PLAYER, PLAYER_BITS, Rings
from zermelo.games.support.subset_ranking import rank_of, subset_at


class Orbits(Rings):
    """The index, without rules, of sets of up to `men` points each."""

    men = 9

    def number(self, word, more, less):
        """Return the number of a word among those with `more` points in the larger set and `less` in the smaller."""
        word = self.least(word)
        stones, others = word >> PLAYER_BITS, word & ONE_PLAYER
        rank = rank_of(others, self.points & ~stones, self.choose)
        upper = self.uppers[stones >> 8]
        number = self.starts[more, upper] + self.ranks[upper, stones & 0xFF]
        return int(number * self.choose[self.point_count - more, less] + rank)

    def word_at(self, index, more, less):
        """Return the word with this number: the inverse of `number`."""
        ranks = int(self.choose[self.point_count - more, less])
        stones = int(self.representatives[self.firsts[more] + index // ranks])
        others = subset_at(index % ranks, less, self.points & ~stones, self.choose)
        return stones << PLAYER_BITS | others

    def subspace_size(self, mine, theirs):
        """Return how many numbers two sets with these numbers of points take."""
        more, less = max(mine, theirs), min(mine, theirs)
        return int((self.firsts[more + 1] - self.firsts[more]) * self.choose[self.point_count - more, less])

    # -- tables ------------------------------------------------------------------------------------------------

    @cached_property
    def point_count(self):
        return 9 if self.rings == 1 else 8 * self.rings

    @cached_property
    def representatives(self):
        """Every set of up to `men` points that is the least of its images, by number of points and then by size.

        The highest byte of such a word is the least of its own images.
        """
        import numpy as np

        below = 8 * (self.rings - 1)
        highest = [word for word in range(512 if self.rings == 1 else 256) if self.least(word) == word]
        upper, lower = np.array(highest, np.int64)[:, None], np.arange(1 << below, dtype=np.int64)
        words = (upper << below | lower)[_popcounts(upper) + _popcounts(lower) <= self.men]
        for number in range(1, self.images):
            words = words[words <= self.image(words, number)]
        words.sort()
        return words[np.argsort(_popcounts(words), kind="stable")].astype(np.int32)

    @cached_property
    def firsts(self):
        """Where the representatives of each size begin."""
        import numpy as np

        return np.searchsorted(_popcounts(self.representatives), range(self.men + 2)).astype(np.int64)

    # The number of a representative among those with as many points is looked up in two steps. `uppers` numbers what
    # stands above the outermost ring. Representatives with the same upper are neighbours: `starts` has the first, and
    # `ranks` the place among them, which is how many smaller outermost rings with as many points go with that upper.

    @cached_property
    def uppers(self):
        import numpy as np

        uppers = np.zeros((self.points >> 8) + 1, np.int16)
        found = np.unique(self.representatives >> 8)
        uppers[found] = range(len(found))
        return uppers

    @cached_property
    def starts(self):
        import numpy as np

        uppers = self.uppers[self.representatives >> 8]
        parts = [uppers[first:after] for first, after in pairwise(self.firsts)]
        return np.array([np.searchsorted(part, range(self.uppers.max() + 1)) for part in parts], np.int32)

    @cached_property
    def ranks(self):
        import numpy as np

        found = np.zeros((self.uppers.max() + 1, 256), np.uint8)
        found[self.uppers[self.representatives >> 8], self.representatives & 0xFF] = 1
        for count in range(9):
            rings = _popcounts(np.arange(256)) == count
            found[:, rings] = found[:, rings].cumsum(1) - found[:, rings]
        return found

    @cached_property
    def choose(self):
        import numpy as np

        rows = [[comb(n, k) for k in range(self.men + 1)] for n in range(self.point_count + 1)]
        return np.array(rows, np.int64)


def _popcounts(words):
    """The bits of each word of an array: the sums of neighbouring pairs of bits, then of fours, and so on."""
    for width in (1, 2, 4, 8, 16):
        mask = sum(((1 << width) - 1) << at for at in range(0, 31, 2 * width))
        words = (words & mask) + (words >> width & mask)
    return words
