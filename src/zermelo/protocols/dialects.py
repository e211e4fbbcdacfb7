"""UCI and UGI: two dialects of one protocol, and what `go` says in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a greeting needs neither
    from zermelo.limits import Limit
    from zermelo.play.clock import Clock


@dataclass(frozen=True)
class Dialect:
    """The words of a protocol: its name, how a new game is announced, how the players are called."""

    name: str
    sides: tuple[str, str]
    plies_to_mate: bool
    """Whether a mate is counted in plies; in chess it is counted in moves."""

    @property
    def confirmation(self) -> str:
        return f"{self.name}ok"

    @property
    def new_game(self) -> str:
        return f"{self.name}newgame"

    def go(self, limit: Limit | None, clocks: Sequence[Clock] | None = None) -> str:
        """The command that asks for a move: on the clocks of both players, or within a limit.

        >>> from zermelo.limits import Limit
        >>> from zermelo.play.clock import Clock
        >>> UCI.go(Limit(seconds=0.25, depth=8))
        'go movetime 250 depth 8'
        >>> UGI.go(None, (Clock(60, 1), Clock(45, 1)))
        'go p1time 60000 p2time 45000 p1inc 1000 p2inc 1000'
        """
        words = ["go"]
        if clocks is not None:
            for word, times in (("time", [c.left for c in clocks]), ("inc", [c.increment for c in clocks])):
                for side, seconds in zip(self.sides, times, strict=True):
                    words += [f"{side}{word}", milliseconds(seconds)]
            if (moves := clocks[0].moves_to_go) is not None:
                words += ["movestogo", str(moves)]
        if limit is not None:
            words += [] if limit.seconds is None else ["movetime", milliseconds(limit.seconds)]
            words += [] if limit.depth is None else ["depth", str(limit.depth)]
            words += [] if limit.nodes is None else ["nodes", str(limit.nodes)]
        return " ".join(words)


UCI = Dialect("uci", ("w", "b"), plies_to_mate=False)
UGI = Dialect("ugi", ("p1", "p2"), plies_to_mate=True)
DIALECTS = {dialect.name: dialect for dialect in (UCI, UGI)}


def milliseconds(seconds: float) -> str:
    """Seconds in whole milliseconds, at least one."""
    return str(max(round(1000 * seconds), 1) if seconds > 0 else 0)
