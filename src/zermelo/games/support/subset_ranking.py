"""Ranks of subsets (the combinatorial number system): subsets of one size in the order of their words.

`choose[n, k]` is the table of binomial coefficients that both directions read.
"""

from zermelo.bits import msb, popcount


def rank_of(subset, free, choose):
    """Return the rank of a subset among all subsets of the free points with the same size."""
    rank, count = 0, 0
    while subset:
        point = subset & -subset
        count += 1
        rank += choose[popcount(free & point - 1), count]
        subset ^= point
    return int(rank)


def subset_at(rank, count, free, choose):
    """Return the subset of `count` free points with this rank: the inverse of `rank_of`."""
    subset, place = 0, popcount(free)
    while count > 0:
        place -= 1
        point = 1 << msb(free)
        free ^= point
        ranked = int(choose[place, count])
        if rank >= ranked:
            subset |= point
            rank -= ranked
            count -= 1
    return subset
