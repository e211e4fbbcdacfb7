"""Compute the tables of bear-offs from the rules of the game, by dynamic programming over positions in their order.

python -m zermelo.games.backgammon.bear_off_solver      # writes bear_off.table beside this file, in half a minute
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.games.backgammon.backgammon_rules import Backgammon, State
from zermelo.games.backgammon.bear_off import (
    CHECKERS,
    FULL,
    HOME_POINTS,
    ONE_SIDED_POSITIONS,
    ONE_SIDED_START,
    ROLLS,
    TABLE_WORDS,
    TWO_SIDED_POSITIONS,
    TWO_SIDED_START,
    position_number,
)
from zermelo.games.backgammon.bear_off_file import TABLE_FILE, binomials, save_table
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import moves_into
from zermelo.word_arrays import Words

MAX_ROLLS = 40
"""More rolls than any bear-off needs: fifteen checkers on point 6 need 90 pips, three with each roll."""

MAX_PLAYS = 160
"""More plays than a roll has at home: the steps of a doublet choose four times from six points."""

ROLL_CODES = 21


@kernel
def solve_alone(game, positions, table, mean_words, chance_words, lists, moves):
    """Find the fewest rolls on average from each position, their distribution, and all successors.

    `positions` holds the near word of each position in order. `lists` has, for the first positions and each roll, the
    number of different plays and the positions that they lead to.
    """
    listed = len(lists) // (ROLL_CODES * MAX_PLAYS)
    size, away = len(positions), CHECKERS << 4  # the other player is out of the way
    means, chances = mean_words.reals(0, size), chance_words.reals(0, size * MAX_ROLLS)
    for number in range(1, size):
        means[number] = 1.0
        roll = 0
        for high in range(1, 7):
            for low in range(1, high + 1):
                odds = 1 / 36 if high == low else 1 / 18
                here = State(positions[number], 0, away, 0, 10 * high + low, 0)
                plays = moves_into(game, here, moves)
                best, at = 0, (number * ROLL_CODES + roll) * MAX_PLAYS
                if number < listed:
                    lists[at] = plays
                for i in range(plays):
                    after = game.play(here, moves[i])
                    there = position_number(after.their_near, table, 0)
                    if number < listed:
                        lists[at + 1 + i] = there
                    if i == 0 or means[there] < means[best]:
                        best = there
                means[number] = means[number] + odds * means[best]
                for k in range(MAX_ROLLS - 1):
                    place = number * MAX_ROLLS + k + 1
                    chances[place] = chances[place] + odds * chances[best * MAX_ROLLS + k]
                roll += 1
    return size


@kernel
def solve_together(game, size, lists, value_words):
    """Find the expectation of the player on roll for each pair of the first `size` positions."""
    values = value_words.reals(0, size * size)
    for total in range(2, 2 * size - 1):
        for one in range(max(1, total - size + 1), min(total, size)):
            two = total - one
            expected = 0.0
            roll = 0
            for high in range(1, 7):
                for low in range(1, high + 1):
                    at = (one * ROLL_CODES + roll) * MAX_PLAYS
                    best = -1.0
                    for i in range(lists[at]):
                        there = lists[at + 1 + i]
                        value = 1.0 if there == 0 else -values[two * size + there]
                        best = max(best, value)
                    expected += best * (1 / 36 if high == low else 1 / 18)
                    roll += 1
            values[one * size + two] = expected
    return size


def solve_bear_offs(most: int = CHECKERS) -> tuple[Any, Any, Any]:
    """Return the mean rolls, their distributions, and the expectations of pairs: positions of up to `most` checkers."""
    game = Backgammon()
    size = math.comb(most + HOME_POINTS, HOME_POINTS)
    pairs = min(size, TWO_SIDED_POSITIONS)
    positions, table = Words(home_positions()[:size]), Words(binomials())
    means, chances, values = Words.zeros(size), Words.zeros(size * MAX_ROLLS), Words.zeros(pairs * pairs)
    chances.reals(0, 1)[0] = 1.0
    lists = Words.zeros(pairs * ROLL_CODES * MAX_PLAYS)
    solve_alone(game, positions, table, means, chances, lists, Words.zeros(MAX_PLAYS))
    solve_together(game, pairs, lists, values)
    reals = [words.array.view(np.float64) for words in (means, chances, values)]
    return reals[0], reals[1].reshape(size, MAX_ROLLS), reals[2].reshape(pairs, pairs)


def home_positions() -> Any:
    """The near words of all positions at home, in the order of their numbers."""
    found = np.zeros(ONE_SIDED_POSITIONS, np.int64)
    table = Words(binomials())
    for counts in _counts(HOME_POINTS, CHECKERS):
        near = CHECKERS - sum(counts) | sum(count << 4 * (point + 1) for point, count in enumerate(counts))
        found[position_number(near, table, 0)] = near
    return found


def _counts(points: int, most: int) -> Any:
    """All ways to put checkers on points, up to a number of them."""
    if points == 0:
        yield ()
        return
    for checkers in range(most + 1):
        for rest in _counts(points - 1, most - checkers):
            yield checkers, *rest


def table_words(chances: Any, values: Any) -> Any:
    """The table that evaluations read."""
    words = np.zeros(TABLE_WORDS, np.int64)
    words[:ONE_SIDED_START] = binomials()
    shorts = words.view(np.uint16)
    rows = shorts[4 * ONE_SIDED_START : 4 * TWO_SIDED_START].reshape(ONE_SIDED_POSITIONS, ROLLS)
    first = (chances > 0).argmax(axis=1)
    rows[:, 0] = first
    for i in range(1, ROLLS):
        column = np.minimum(first + i - 1, MAX_ROLLS - 1)
        rows[:, i] = np.rint(chances[np.arange(len(chances)), column] * FULL)
    shorts[4 * TWO_SIDED_START :][: values.size] = np.rint((values.ravel() + 1) / 2 * FULL)
    return words


if __name__ == "__main__":
    _, distributions, expectations = solve_bear_offs()
    save_table(Path(__file__).parent / TABLE_FILE, table_words(distributions, expectations))
