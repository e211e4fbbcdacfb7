"""Chance sampling: search a sample of the outcomes of a chance node that has many.

The sample of a state follows from its key and a seed, so it is the same wherever a search meets the state. So a search
that samples is a full search of a smaller game, and can use a table. Averaged over seeds, the expectation of a chance
node is unbiased; the maximum of several such expectations is biased slightly upwards.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo import bits
from zermelo.searching.runtime.thread_memory import SALT, SAMPLES
from zermelo.word_arrays import Reals, Words


class ChanceSampling(NamedTuple):
    """How many outcomes of a chance node are searched at most (0: all), and the seed of the sample."""

    samples: int = 0
    seed: int = 0

    def write_to(self, memory: Words) -> None:
        """Write the options into a thread's memory, with the salt of its keys."""
        memory[SAMPLES] = self.samples
        memory[SALT] = bits.signed(bits.mix(bits.add(bits.mix(self.seed), self.samples))) if self.samples else 0


ALL_OUTCOMES = ChanceSampling()
"""All outcomes are searched."""


def sample_outcomes(outcomes: Words, odds: Reals, count: int, samples: int, key: int) -> int:
    """Replace the outcomes by a sample, drawn by their odds, and return how many distinct ones it has.

    Stratified sampling: one outcome is drawn from each of `samples` equal shares of the probability, which is never
    less accurate than independent draws. The key is the source of randomness.
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
    """A pseudorandom number in [0, 1)."""
    return bits.shift_right(bits.mix(word), 32) / 4294967296.0
