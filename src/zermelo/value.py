"""Values: a band of ints inside, words outside. The only file that knows the numbers.

A *score* is the number a search compares. It is always seen by the player to move.

    +1_000_000 - n      the mover wins in n plies        (win_in(n))
    -900_000 .. 900_000 estimates, margins, expectations; 0 is a draw
    -1_000_000 + n      the mover loses in n plies       (loss_in(n))

So a shorter win is a higher score and a longer loss is a higher score than a shorter one, which
is all that "best play" means beyond winning. Games with `margin = True` and games of chance have no
distance: their score is the payoff itself, or its expectation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

WIN = 1
DRAW = 0
LOSS = -1

WIN_SCORE = 1_000_000
"""The score of a game won on the spot."""

DECISIVE = 900_000
"""Scores at or beyond this are proven wins, at or below its negative proven losses."""

INFINITY = 2_000_000
"""Beyond every score: the open window of a search."""

EXACT, LOWER, UPPER = "exact", "lower", "upper"
"""What a search's score says of the true one: it is the true score, or the true score is at least or at most that."""

ESTIMATE, UNKNOWN = "estimate", "unknown"
"""Nothing is proven of the true score: the score is an estimate, or there is none."""

Score = int | float


def win_in(plies: int) -> int:
    """The score of a win `plies` from here, for the player to move.

    >>> win_in(1) > win_in(3) > DRAW > loss_in(4) > loss_in(2)
    True
    """
    return WIN_SCORE - plies


def loss_in(plies: int) -> int:
    """The score of a loss `plies` from here, for the player to move."""
    return plies - WIN_SCORE


def ending(payoff: int, plies: int) -> int:
    """The score of a win, draw or loss that the rules declare `plies` from here."""
    if payoff > 0:
        return WIN_SCORE - plies
    if payoff < 0:
        return plies - WIN_SCORE
    return 0


def later(score: Score, plies: int = 1) -> Score:
    """The same score seen `plies` earlier in the game: wins and losses move away, the rest stays.

    >>> later(win_in(3)) == win_in(4), later(loss_in(2), 2) == loss_in(4), later(17)
    (True, True, 17)
    """
    if score >= DECISIVE:
        return score - plies
    if score <= -DECISIVE:
        return score + plies
    return score


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """What a state is worth to the player to move, in words and as a number.

    `score` is the number inside, `outcome` WIN, DRAW or LOSS (None for an estimate), `plies` the
    plies to the end under best play where they are known. `bound` says what the score proves. Values are ordered by
    score, and equal if score and bound are: who sees them makes no difference. An estimate of 0 is neither less nor
    greater than a draw, nor equal to it, since it proves nothing. Changing sides negates a value:

    >>> print(Value.win(7), -Value.win(7), Value.draw(), Value.draw_by_repetition(), Value.estimate(0.35), sep=", ")
    win in 7, loss in 7, draw, draw by repetition, +0.35
    >>> print(Value.at_least(DECISIVE), Value.at_most(0), Value.at_least(3), Value.unknown(), sep=", ")
    win, <= 0, >= +3, unknown
    >>> Value.win(7) > Value.win(9) > Value.estimate(3) > Value.draw() > Value.loss(4) > Value.loss(2)
    True
    >>> Value.win(7) == Value.win(7).seen_by(1), Value.draw() == Value.draw_by_repetition()
    (True, True)
    >>> Value.draw() == Value.estimate(0), Value.draw() <= Value.estimate(0), Value.draw() >= Value.estimate(0)
    (False, False, False)
    """

    score: Score
    outcome: int | None = None
    plies: int | None = None
    repetition: bool = False
    player: int | None = None
    """The player who sees the value, 0 or 1; None where the game has no `mover` rule to say it."""
    bound: str = ESTIMATE
    """What the score proves: 'exact' if it is the true score, 'lower' or 'upper' if the true score is at least or at
    most that, 'estimate' or 'unknown' if nothing is proven of the true score."""

    @property
    def exact(self) -> bool:
        """Whether the score is the true one: not an estimate, and not a bound."""
        return self.bound == EXACT

    @classmethod
    def win(cls, plies: int) -> Value:
        """A win `plies` from here."""
        return cls(win_in(plies), WIN, plies, bound=EXACT)

    @classmethod
    def loss(cls, plies: int) -> Value:
        """A loss `plies` from here."""
        return cls(loss_in(plies), LOSS, plies, bound=EXACT)

    @classmethod
    def draw(cls, plies: int | None = None) -> Value:
        """A draw."""
        return cls(0, DRAW, plies, bound=EXACT)

    @classmethod
    def draw_by_repetition(cls) -> Value:
        """A draw since neither player can force an end: play repeats for ever."""
        return cls(0, DRAW, repetition=True, bound=EXACT)

    @classmethod
    def margin(cls, points: int, plies: int | None = None) -> Value:
        """An exact payoff of `points`, in a game that counts them."""
        return cls(points, (points > 0) - (points < 0), plies, bound=EXACT)

    @classmethod
    def expected(cls, payoff: Score) -> Value:
        """The exact expectation of the payoff, in a game of chance."""
        return cls(payoff, bound=EXACT)

    @classmethod
    def estimate(cls, score: Score) -> Value:
        """A static evaluation, or what a search makes of some: not a proof."""
        return cls(score)

    @classmethod
    def at_least(cls, score: Score) -> Value:
        """A proven bound from below; DECISIVE is a win, however far away."""
        return cls(score, WIN if score > 0 else None, bound=LOWER)

    @classmethod
    def at_most(cls, score: Score) -> Value:
        """A proven bound from above; -DECISIVE is a loss, however far away."""
        return cls(score, LOSS if score < 0 else None, bound=UPPER)

    @classmethod
    def unknown(cls) -> Value:
        """No answer, not even an estimate; it compares as 0."""
        return cls(0, bound=UNKNOWN)

    @classmethod
    def of(cls, score: Score, *, exact: bool, margin: bool = False, chance: bool = False, bound: str = EXACT) -> Value:
        """The value that a search's score stands for. Points and expectations have no decisive scores.

        A decisive score is a proof though the search was not `exact`. As a bound it proves the outcome only where the
        true score lies beyond it, a win at the least or a loss at the most, and never the plies.

        >>> Value.of(win_in(3), exact=False, bound=LOWER).outcome, Value.of(win_in(3), exact=False, bound=UPPER).outcome
        (1, None)
        """
        if abs(score) >= DECISIVE and not (margin or chance):
            return cls._decisive(score, bound)
        if not exact or bound != EXACT:
            return cls.estimate(score)
        if chance:
            return cls.expected(score)
        if margin:
            return cls.margin(int(score))
        return cls.draw()

    @classmethod
    def _decisive(cls, score: Score, bound: str) -> Value:
        won = score > 0
        if bound == EXACT:
            plies = int(WIN_SCORE - abs(score))
            return cls.win(plies) if won else cls.loss(plies)
        return cls.at_least(score) if bound == LOWER else cls.at_most(score)

    def seen_by(self, player: int | None) -> Value:
        """The same value, with the number of the player who sees it: the one to move."""
        return replace(self, player=player)

    def for_player(self, player: int) -> Value:
        """The value as `player` (0 moves first) sees it.

        >>> print(Value.win(3).seen_by(1).for_player(0))
        loss in 3
        """
        if player not in (0, 1):
            raise ValueError(f"player is 0 (who moves first) or 1, not {player!r}.")
        if self.player is None:
            raise ValueError(
                "This value is seen by the player to move, and the game has no `mover` rule to say who that is; "
                "take the value or its negative."
            )
        return self if player == self.player else -self

    def __neg__(self) -> Value:
        return replace(
            self,
            score=-self.score,
            outcome=None if self.outcome is None else -self.outcome,
            player=None if self.player is None else 1 - self.player,
            bound={LOWER: UPPER, UPPER: LOWER}.get(self.bound, self.bound),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        return self.score == other.score and self.bound == other.bound

    def __hash__(self) -> int:
        return hash((self.score, self.bound))

    def __lt__(self, other: object) -> bool:
        return self.score < other.score if isinstance(other, Value) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.score > other.score if isinstance(other, Value) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self < other or self == other if isinstance(other, Value) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self > other or self == other if isinstance(other, Value) else NotImplemented

    def __str__(self) -> str:
        if self.bound == UNKNOWN:
            return "unknown"
        if self.bound in (LOWER, UPPER):
            return self._bound_text()
        if self.repetition:
            return "draw by repetition"
        if self.outcome == DRAW:
            return "draw"
        return number(self.score) if self.exact and self.plies is None else words(self.score)

    def _bound_text(self) -> str:
        if self.outcome is not None and abs(self.score) == DECISIVE:
            return words(self.score)
        return f"{'>=' if self.bound == LOWER else '<='} {words(self.score)}"

    def to_dict(self) -> dict[str, object]:
        """A record for JSON: the words beside the numbers."""
        names = {WIN: "win", DRAW: "draw", LOSS: "loss", None: None}
        return {
            "text": str(self),
            "outcome": names[self.outcome],
            "plies": self.plies,
            "score": self.score,
            "exact": self.exact,
            "repetition": self.repetition,
            "bound": self.bound,
        }


def number(score: Score) -> str:
    """A number as people write it beside a board: signed, an int whole, a float to two places.

    >>> number(3), number(-0.5), number(0), number(float("inf"))
    ('+3', '-0.50', '0', '+∞')
    """
    if abs(score) >= INFINITY:
        return "+∞" if score > 0 else "-∞"
    if score == 0:
        return "0"
    if isinstance(score, float) and not score.is_integer():
        return f"{score:+.2f}" if abs(score) >= 0.005 else f"{score:+.2g}"
    return f"{int(score):+d}"


def words(score: Score) -> str:
    """A score inside a search tree, in words: infinities, wins and losses by name, the rest as numbers.

    >>> words(win_in(5)), words(INFINITY), words(-3)
    ('win in 5', '+∞', '-3')
    """
    if not DECISIVE <= abs(score) <= WIN_SCORE:
        return number(score)
    if abs(score) == DECISIVE:  # a bound: won or lost, however far away
        return "win" if score > 0 else "loss"
    return f"{'win' if score > 0 else 'loss'} in {int(WIN_SCORE - abs(score))}"
