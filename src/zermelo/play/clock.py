"""Clocks: one player's time for a whole game, and how much of it the next move may take."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.arguments import check_int, check_number
from zermelo.games.registry import TextError
from zermelo.limits import Limit

EXPECTED_MOVES = 30
"""Moves that are planned for where no further time control is announced."""

SOFT_SHARE, HARD_SHARE = 0.6, 4.0
"""Factors of a fair share: after the first no iteration is begun, at the second the search ends. An iteration takes
about as long as all before it, or longer, so that on average a move takes its share."""

MOVE_OVERHEAD, OVERHEAD_DEVIATION = 0.01, 0.005
"""Seconds that a move costs beyond its search, and how far that is off on average, where they were not measured
(move_overhead.py). They are reserved for each move to come, less its increment."""

OVERHEAD_MOVES = 100
"""Moves for which overhead is reserved where no further time control is announced: long games must end in time too."""

MIN_BUDGET = 0.001
"""Seconds of a budget though no time is left: a move has to be made all the same, and one ply takes about as long."""

CLOCK_PATTERN = re.compile(
    r"(?:(?P<moves>[1-9]\d*)/)?(?P<time>\d+(?:\.\d+)?)(?P<unit>s?)(?:\+(?P<seconds>\d+(?:\.\d+)?))?"
)


class Budget(NamedTuple):
    """Seconds for one move: past `soft` no iteration is begun, at `hard` the search ends."""

    soft: float
    hard: float

    def part(self, parts: int) -> Budget:
        """One of `parts` equal parts."""
        return Budget(self.soft / parts, self.hard / parts)

    def over(self, spent: float, next_iteration: float) -> bool:
        """Whether to stop between two iterations: enough was spent, or the next one would not finish.

        >>> budget = Budget(soft=2, hard=8)
        >>> budget.over(1, 3), budget.over(1, 9), budget.over(2.5, 1)
        (False, True, True)
        """
        return spent >= self.soft or spent + next_iteration > self.hard


class Clock:
    """Seconds, an increment after each move, and the number of moves after which the seconds are added again.

    `start` and `stop` measure a move, and `flag` says that the time was exceeded. Without `moves`
    the seconds are for the whole game.

    >>> clock = Clock.parse("40/90+30")
    >>> clock.left, clock.increment, clock.moves_to_go
    (5400.0, 30.0, 40)
    >>> clock.spend(400)
    >>> print(clock, clock.moves_to_go)
    1:23:50 39
    """

    def __init__(
        self,
        seconds: float,
        increment: float = 0.0,
        moves: int | None = None,
        *,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        check_number("Clock", above_zero=True, seconds=seconds)
        check_number("Clock", least=0, increment=increment)
        check_int("Clock", least=1, optional=True, moves=moves)
        self.seconds = seconds
        self.increment = increment
        self.moves = moves
        self.timer = timer
        self.left = seconds
        self.moves_to_go = moves
        self.overhead = MOVE_OVERHEAD
        self.overhead_deviation = OVERHEAD_DEVIATION
        self.worst_overhead = 0.0
        self.flag = False
        self._started: float | None = None

    @classmethod
    def parse(cls, text: str) -> Clock:
        """The clock that `minutes+seconds` or `moves/minutes+seconds` names: seconds are added after each move.

        An `s` after the minutes makes them seconds.

        >>> Clock.parse("5+3").increment, Clock.parse("0.5").left, Clock.parse("10s+0.1").left
        (3.0, 30.0, 10.0)
        """
        found = CLOCK_PATTERN.fullmatch(text.strip()) if isinstance(text, str) else None
        if found is None or float(found["time"]) == 0:
            raise TextError(
                f"{text!r} is not a clock; write minutes+seconds, such as 5+3, or moves/minutes+seconds, such as "
                "40/90+30; an s makes seconds of the minutes, as in 10s+0.1."
            )
        moves = int(found["moves"]) if found["moves"] else None
        return cls((1 if found["unit"] else 60) * float(found["time"]), float(found["seconds"] or 0), moves)

    def budget(self) -> Budget:
        """Seconds for the next move: a fair share of the time left, bounded so that the game is never lost on time."""
        moves = self.moves_to_go or EXPECTED_MOVES
        usual, later = self.overhead + self.overhead_deviation, (self.moves_to_go or OVERHEAD_MOVES) - 1
        reserve = usual + 3 * self.overhead_deviation + later * max(usual - self.increment, 0)
        usable = self.left - min(max(reserve, self.worst_overhead, 0.02 * self.left), 0.98 * self.left)
        share = (usable + (moves - 1) * self.increment) / moves
        hard = max(min(HARD_SHARE * share, usable * max(1 / moves, 1 / 3)), MIN_BUDGET)
        return Budget(min(max(SOFT_SHARE * share, MIN_BUDGET), hard), hard)

    # -- measuring -------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the time of a move."""
        self._started = self.timer()

    @property
    def spent(self) -> float:
        """Seconds since the move began; 0 while the clock does not run."""
        return 0.0 if self._started is None else self.timer() - self._started

    def stop(self) -> None:
        """End the time of a move: subtract it, and add the increment."""
        spent, self._started = self.spent, None
        self.spend(spent)

    def spend(self, seconds: float) -> None:
        """Subtract the seconds of a move, and add the increment."""
        check_number("Clock.spend", least=0, seconds=seconds)
        if seconds > self.left:
            self.flag = True
        self.left = max(self.left - seconds, 0.0) + self.increment
        if self.moves_to_go is not None and self.moves is not None:
            self.moves_to_go -= 1
            if self.moves_to_go == 0:
                self.left += self.seconds
                self.moves_to_go = self.moves

    def __str__(self) -> str:
        """The time left: minutes and seconds, hours where there are any, tenths in the last ten seconds."""
        if self.left < 10:
            return f"0:{math.floor(self.left * 10) / 10:04.1f}"
        minutes, seconds = divmod(math.floor(self.left), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

    def __repr__(self) -> str:
        return f"Clock({self.left:g}, {self.increment:g}, {self.moves_to_go})"


@dataclass(frozen=True)
class MoveTime:
    """What a move may take: a limit, or the clocks of both players; and the seconds for which a program is awaited."""

    limit: Limit | None = None
    clocks: Sequence[Clock] | None = None
    patience: float = 60.0
