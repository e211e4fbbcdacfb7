"""Bear-offs, when both players have all checkers at home: their values in tables, which evaluations read.

    two-sided   up to TWO_SIDED checkers each: the exact expectation of the player on roll
    one-sided   up to 15 checkers: the probability of needing 1, 2, 3 ... rolls, by the plays that need fewest on
                average. Two such distributions give the probability of being first, but for plays that a player who is
                behind would make otherwise.

The number of a position is the sum of C(b, k) for k from 1 to 6; b is k - 1 plus the checkers on the k highest points.
Every play leads to a smaller number, and positions of up to n checkers are the first C(n + 6, 6). The words of a table:

    binomials, BINOMIAL_ROW for each b | one-sided, ROLLS shorts for each position | two-sided, a short for each pair
"""

import math

CHECKERS, HOME_POINTS = 15, 6

TWO_SIDED = 5
"""The most checkers of a player in the two-sided table."""

ROLLS = 16
"""Numbers of a distribution: the least rolls, and the probabilities of that many and each one more."""

FULL = 65535
"""A probability of 1."""

BINOMIAL_ROW, BINOMIAL_ROWS = 8, 24
ONE_SIDED_POSITIONS = math.comb(CHECKERS + HOME_POINTS, HOME_POINTS)
TWO_SIDED_POSITIONS = math.comb(TWO_SIDED + HOME_POINTS, HOME_POINTS)
ONE_SIDED_START = BINOMIAL_ROW * BINOMIAL_ROWS
TWO_SIDED_START = ONE_SIDED_START + ONE_SIDED_POSITIONS * ROLLS // 4
TABLE_WORDS = TWO_SIDED_START + (TWO_SIDED_POSITIONS**2 + 3) // 4

SAFE_CHECKERS = 8
"""A player with this number of checkers left needs three rolls, and a gammon before is next to impossible."""


def is_home(near, far):
    """Return whether no checker is beyond point 6."""
    return far == 0 and near >> 4 * (HOME_POINTS + 1) == 0


def position_number(near, table, start):
    """Return the number of a position at home."""
    number = total = 0
    for k in range(1, HOME_POINTS + 1):
        total += near >> 4 * (HOME_POINTS + 1 - k) & 15
        number += table[start + BINOMIAL_ROW * (total + k - 1) + k]
    return number


def checkers_at_home(near):
    """Return how many checkers are on points 1 to 6."""
    total = 0
    for point in range(1, HOME_POINTS + 1):
        total += near >> 4 * point & 15
    return total


def bear_off_value(near, their_near, checkers, table, start):
    """Return the expectation of the player on roll, of one point; nan where the tables do not cover the position."""
    mine, theirs = checkers_at_home(near), checkers_at_home(their_near)
    if mine == 0 or theirs == 0:
        return math.nan
    safe = (mine < checkers or theirs >= SAFE_CHECKERS) and (theirs < checkers or mine >= SAFE_CHECKERS)
    if not safe:  # a gammon is possible
        return math.nan
    one, two = position_number(near, table, start), position_number(their_near, table, start)
    if mine <= TWO_SIDED and theirs <= TWO_SIDED:
        pairs = table.shorts(start + TWO_SIDED_START, TWO_SIDED_POSITIONS * TWO_SIDED_POSITIONS)
        return 2.0 * pairs[one * TWO_SIDED_POSITIONS + two] / FULL - 1.0
    return 2.0 * first_probability(one, two, table, start) - 1.0


def first_probability(one, two, table, start):
    """Return the probability that the player on roll needs no more rolls than the other, by their distributions."""
    rolls = table.shorts(start + ONE_SIDED_START, ONE_SIDED_POSITIONS * ROLLS)
    mine, theirs = one * ROLLS, two * ROLLS
    later, needed = 1.0, rolls[theirs]  # the probability that the other player needs i rolls or more
    won = 0.0
    for i in range(1, ROLLS):
        turn = rolls[mine] + i - 1
        while needed < turn:
            place = needed - rolls[theirs] + 1
            later -= rolls[theirs + place] / FULL if place < ROLLS else 0.0
            needed += 1
        won += rolls[mine + i] / FULL * max(later, 0.0)
    return min(won, 1.0)
