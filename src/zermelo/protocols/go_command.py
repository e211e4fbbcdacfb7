"""The command `go`: what a search may take."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game import GameError
from zermelo.limits import Limit
from zermelo.play.clock import Clock
from zermelo.protocols.dialects import Dialect

MIN_SECONDS = 0.001
"""What a clock shows at least: a move has to be made all the same."""

MAX_NUMBER = 1 << 40
"""Above every number that means something; more digits are not read."""


@dataclass(frozen=True)
class GoCommand:
    """The limit of a search, the clocks of both players in seconds, and whether the GUI ends the search."""

    limit: Limit
    left: tuple[float | None, float | None] = (None, None)
    increment: tuple[float, float] = (0.0, 0.0)
    moves_to_go: int | None = None
    infinite: bool = False
    ponder: bool = False

    @classmethod
    def read(cls, words: list[str], dialect: Dialect) -> GoCommand:
        """Read the words after `go`. Raise GameError for a number that is none; unknown words are ignored.

        >>> from zermelo.protocols.dialects import UCI
        >>> go = GoCommand.read("wtime 60000 btime 30000 winc 1000 binc 1000 movestogo 20".split(), UCI)
        >>> go.left, go.increment, go.moves_to_go, go.limit.unlimited
        ((60.0, 30.0), (1.0, 1.0), 20, True)
        >>> GoCommand.read(["movetime", "250"], UCI).limit
        Limit(seconds=0.25, depth=None, nodes=None)
        """
        numbers: dict[str, int] = {}
        clocks = [f"{side}{word}" for side in dialect.sides for word in ("time", "inc")]
        known = ["movetime", "depth", "nodes", "mate", "movestogo", *clocks]
        for word, value in zip(words, [*words[1:], ""], strict=False):
            if word in known:
                numbers[word] = _number(word, value)
        depth = numbers.get("depth", 2 * numbers["mate"] - 1 if numbers.get("mate", 0) > 0 else None)
        time = numbers.get("movetime")
        limit = Limit(
            None if time is None else max(time / 1000, MIN_SECONDS),
            None if depth is None else max(depth, 1),
            None if "nodes" not in numbers else max(numbers["nodes"], 1),
        )
        times = [numbers.get(f"{side}time") for side in dialect.sides]
        left = tuple(None if time is None else time / 1000 for time in times)
        increment = tuple(max(numbers.get(f"{side}inc", 0), 0) / 1000 for side in dialect.sides)
        moves = numbers.get("movestogo")
        return cls(
            limit,
            (left[0], left[1]),
            (increment[0], increment[1]),
            None if moves is None else max(moves, 1),
            "infinite" in words,
            "ponder" in words,
        )

    @property
    def waits_for_stop(self) -> bool:
        """Whether the answer waits until the GUI asks for it: also where nothing else ends the search."""
        return self.infinite or self.ponder or (self.limit.unlimited and self.left == (None, None))

    def clock(self, player: int, overhead: float) -> Clock | None:
        """The clock of the player to move; None where none counts."""
        left = self.left[player]
        if left is None or self.infinite or self.ponder or not self.limit.unlimited:
            return None
        return Clock(max(left - overhead, MIN_SECONDS), self.increment[player], self.moves_to_go)

    def seconds(self, player: int, overhead: float) -> float | None:
        """Seconds for a move once pondering is over; None without a limit of time."""
        if self.limit.seconds is not None:
            return self.limit.seconds
        left = self.left[player]
        if left is None:
            return None
        return Clock(max(left - overhead, MIN_SECONDS), self.increment[player], self.moves_to_go).budget().soft


def _number(word: str, text: str) -> int:
    try:
        return max(min(int(text[:15]), MAX_NUMBER), -MAX_NUMBER)
    except ValueError:
        raise GameError(f"go {word} needs a number.") from None
