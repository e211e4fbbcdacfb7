"""The mean of a sample, and how far off it may be."""

from __future__ import annotations

import math
from collections.abc import Sequence


def mean_and_error(sample: Sequence[float]) -> tuple[float, float]:
    """The mean, and half of its 95 % confidence interval; the half of a sample of one is 0.

    >>> mean_and_error([1, 3]), mean_and_error([5])
    ((2.0, 1.96), (5.0, 0.0))
    """
    n, mean = len(sample), sum(sample) / len(sample)
    return mean, 1.96 * math.sqrt(sum((each - mean) ** 2 for each in sample) / max(n - 1, 1) / n)
