"""Draws: a few outcomes in place of all, where chance has many.

A state draws the same outcomes wherever a search meets it: they follow from its key and a seed. So a search that draws
is a full search of a smaller game, with a table like any other. Averaged over seeds, the expectation at a state of
chance is the true one; the best of several such expectations is, on average, a little too high.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo import bits
from zermelo.searching.runtime.thread_memory import SALT, SAMPLES
from zermelo.word_arrays import Reals, Words


class Draws(NamedTuple):
    """How many outcomes a search draws where chance moves, at most, and the seed; 0: it searches them all."""

    samples: int = 0
    seed: int = 0

    def put_into(self, memory: Words) -> None:
        memory[SAMPLES] = self.samples
        memory[SALT] = bits.signed(bits.mix(bits.add(bits.mix(self.seed), self.samples))) if self.samples else 0


WHOLE = Draws()
"""All outcomes are searched, none is drawn."""


def draw(outcomes: Words, odds: Reals, count: int, samples: int, key: int) -> int:
    """Replace the outcomes by `samples` of them, drawn by their odds, and return how many different ones were drawn.

    One is drawn from each of `samples` equal shares of the probability, which is never less accurate than drawing each
    from the whole. The key decides which: a state draws the same outcomes wherever it is met.
    """
    total = 0.0
    for i in range(count):
        total += odds[i]
    kept = 0
    drawn = 0
    reach = 0.0
    for i in range(count):
        reach += odds[i]
        before = drawn
        while drawn < samples and total * (drawn + fraction(bits.add(key, drawn))) / samples < reach:
            drawn += 1
        if drawn > before:
            outcomes[kept] = outcomes[i]
            odds[kept] = (drawn - before) / samples
            kept += 1
    return kept


def fraction(word: int) -> float:
    """A number from 0 up, below 1, that looks random."""
    return bits.shift_right(bits.mix(word), 32) / 4294967296.0
