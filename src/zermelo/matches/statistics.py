"""Statistics of matches: Elo differences with intervals, likelihood of superiority, sequential tests.

A player scores 1 for a win, 1/2 for a draw and 0 for a loss. Two games from one opening with colours swapped are a
pair, and a pair scores 0, 1/2, 1, 3/2 or 2. The games of a pair are not independent, since the opening may favour a
side; pairs are. So the counts of the five scores of pairs, the *pentanomial*, give narrower and more honest intervals
than wins, draws and losses, the *trinomial*. Both are a Sample: how often each score was seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

from zermelo.arguments import check_int, check_number
from zermelo.game import GameError

LOGISTIC = 400 / math.log(10)
"""Elo points for a factor of e in the odds of winning."""

CONFIDENCE = 0.95
"""Probability with which an interval holds the true difference."""

DEFAULT_ERROR = 0.05
"""The probability of each wrong answer of a sequential test."""

UNSEEN = 1e-3
"""What a score counts for that was never seen: without it one result of a kind would be a proof."""

BISECTIONS = 44
"""Halvings of an interval, after which a root has twelve digits."""


def elo(score: float) -> float:
    """The Elo difference at which a player expects this score, between 0 and 1.

    >>> round(elo(0.75)), elo(0.5), elo(1.0)
    (191, 0.0, inf)
    """
    if score <= 0 or score >= 1:
        return math.inf if score > 0.5 else -math.inf
    return LOGISTIC * math.log(score / (1 - score))


def expected_score(difference: float) -> float:
    """The score that a player expects who is stronger by this number of Elo points.

    >>> round(expected_score(200), 2), expected_score(0)
    (0.76, 0.5)
    """
    return 1 / (1 + math.exp(-difference / LOGISTIC))


@dataclass(frozen=True)
class Sample:
    """How often each score was seen: counts by score, from all lost to all won, in equal steps.

    >>> sample = Sample.of_games(wins=8, draws=9, losses=3)
    >>> sample.score, round(sample.elo), [round(bound) for bound in sample.interval()]
    (0.625, 89, [-19, 218])
    """

    counts: tuple[float, ...]

    @classmethod
    def of_games(cls, wins: int, draws: int, losses: int) -> Sample:
        """The trinomial: games by their result."""
        check_int("Sample.of_games", least=0, wins=wins, draws=draws, losses=losses)
        return cls((losses, draws, wins))

    @classmethod
    def of_pairs(cls, counts: Sequence[int]) -> Sample:
        """The pentanomial: pairs of games by their score, of 0, 1/2, 1, 3/2 and 2 points."""
        if len(counts) != 5:
            raise GameError(
                f"Sample.of_pairs takes five counts, of pairs with 0, 1/2, 1, 3/2 and 2 points, not {counts!r}."
            )
        for count in counts:
            check_int("Sample.of_pairs", least=0, count=count)
        return cls(tuple(counts))

    @property
    def size(self) -> float:
        return sum(self.counts)

    @property
    def scores(self) -> list[float]:
        """The score that each count is of, as a share of what could be won."""
        last = len(self.counts) - 1
        return [number / last for number in range(len(self.counts))]

    @property
    def score(self) -> float:
        """The mean score; 1/2 of nothing."""
        if not self.size:
            return 0.5
        return sum(count * score for count, score in zip(self.counts, self.scores, strict=True)) / self.size

    @property
    def standard_error(self) -> float:
        """The standard deviation of the mean score; infinite of nothing."""
        if not self.size:
            return math.inf
        mean = self.score
        spread = sum(count * (score - mean) ** 2 for count, score in zip(self.counts, self.scores, strict=True))
        return math.sqrt(spread) / self.size

    @property
    def elo(self) -> float:
        """The Elo difference that the mean score stands for; infinite if every game was won."""
        return elo(self.score)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The lower and the upper bound of the Elo difference, by the normal approximation.

        Where all scores are the same, there is no spread to approximate. The bounds are then the scores of a player
        whose other results, all won or all lost, are so rare that it is improbable to have seen none.

        >>> [round(bound) for bound in Sample.of_pairs((0, 0, 20, 0, 0)).interval()]
        [-59, 59]
        """
        check_number("Sample.interval", above_zero=True, below=1, confidence=confidence)
        if not self.size:
            return -math.inf, math.inf
        if max(self.counts) == self.size:
            unseen = 1 - ((1 - confidence) / 2) ** (1 / self.size)
            return elo(self.score * (1 - unseen)), elo(self.score + (1 - self.score) * unseen)
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.standard_error
        return elo(self.score - reach), elo(self.score + reach)

    @property
    def likelihood_of_superiority(self) -> float:
        """The probability that the player is the stronger one, given these results (LOS)."""
        if self.score in (0, 1):
            return abs(self.score - math.pow(0.5, self.size + 1))
        error = self.standard_error
        if error in (0, math.inf):
            return 0.5 if self.score == 0.5 else float(self.score > 0.5)
        return NormalDist().cdf((self.score - 0.5) / error)


# -- the sequential probability ratio test -----------------------------------------------------------------------------


class Verdict(StrEnum):
    """The state of a sequential test: which hypothesis it accepts."""

    UNDECIDED = "undecided"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test: is the difference `elo1` rather than `elo0`?

    After each pair the log-likelihood ratio of the two hypotheses is computed. It is generalised: the other parameters
    of the distribution take the values that make each hypothesis most likely. At `upper` elo1 is accepted, at `lower`
    it is rejected. A difference of elo0 is accepted with probability `alpha`, one of elo1 rejected with `beta`.

    >>> test = Sprt(-0.25, 1.25)
    >>> pairs = Sample.of_pairs((147, 3086, 14341, 3264, 150))
    >>> f"{test.ratio(pairs):.2f}", f"{test.upper:.2f}", str(test.verdict(pairs))
    ('2.97', '2.94', 'accepted')
    """

    elo0: float
    elo1: float
    alpha: float = DEFAULT_ERROR
    beta: float = DEFAULT_ERROR

    def __post_init__(self) -> None:
        check_number("Sprt", least=-1000, most=1000, elo0=self.elo0, elo1=self.elo1)
        check_number("Sprt", above_zero=True, below=0.5, alpha=self.alpha, beta=self.beta)
        if self.elo0 >= self.elo1:
            raise GameError(f"Sprt: elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}.")

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, sample: Sample) -> float:
        """The generalised log-likelihood ratio of elo1 against elo0."""
        if not sample.size:
            return 0.0
        counts = [count or UNSEEN for count in sample.counts]
        first = _tilt(counts, sample.scores, expected_score(self.elo0))
        second = _tilt(counts, sample.scores, expected_score(self.elo1))
        return sum(count * math.log(a / b) for count, a, b in zip(counts, first, second, strict=True))

    def verdict(self, sample: Sample) -> Verdict:
        """Whether elo1 is accepted or rejected, or more games are needed."""
        ratio = self.ratio(sample)
        if ratio >= self.upper:
            return Verdict.ACCEPTED
        return Verdict.REJECTED if ratio <= self.lower else Verdict.UNDECIDED


def _tilt(counts: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    """Divisors that turn the frequencies into the most likely distribution with this mean.

    That distribution has p[i] = frequency[i] / (1 + x * (score[i] - mean)), where x makes the mean right: the empirical
    likelihood of Owen (1988). The sum falls as x grows, from the pole at the highest score to that at the lowest.
    """
    away = [score - mean for score in scores]
    low, high = -1 / away[-1], -1 / away[0]
    for _ in range(BISECTIONS):
        x = (low + high) / 2
        if sum(count * each / (1 + x * each) for count, each in zip(counts, away, strict=True)) > 0:
            low = x
        else:
            high = x
    return [1 + x * each for each in away]
