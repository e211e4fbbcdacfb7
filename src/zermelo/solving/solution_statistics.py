"""SolutionStatistics: counts, distances and summaries of a solved game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from zermelo import rules
from zermelo.formatting import Pretty
from zermelo.game import Game, GameError, State
from zermelo.solving.plan import EXPECTATION, MARGIN, WDL
from zermelo.solving.retrograde.entries import DECIDED, is_win, plies_of, value_of
from zermelo.value import DRAW, LOSS, WIN, Value

if TYPE_CHECKING:
    from zermelo.solving.storage.database_header import DatabaseHeader
    from zermelo.solving.storage.entry_tables import Table

NAMES = {WIN: "win", DRAW: "draw", LOSS: "loss"}


class SolutionStatistics(Pretty, Mapping[State, Value]):
    """What the header of a solution counts: it takes no look at the states themselves, but for `longest`."""

    game: Game
    header: DatabaseHeader
    tables: dict[int, Table]

    @property
    def positions(self) -> int:
        """How many states were solved, each equivalent one counted, as far as `symmetries` names them."""
        return sum(count.positions for count in self.header.counts)

    def counts(self, stage: int | None = None, *, positions: bool = False) -> dict[str, int]:
        """Count the states that are won, drawn and lost for the player to move, in all stages or in one.

        Draws by repetition are counted apart. In games of points the counts are by points. With `positions`, every
        equivalent state is counted.
        """
        found: dict[Any, int] = {}
        for name, _, number in self._named(stage, positions):
            found[name] = found.get(name, 0) + number
        order = ("win", "draw", "draw by repetition", "loss")
        return {str(name): found[name] for name in sorted(found, key=lambda n: order.index(n) if n in order else n)}

    def distances(self, stage: int | None = None, *, positions: bool = False) -> dict[tuple[str, int], int]:
        """Count the wins and losses by their plies to the end: {('win', 1): 20, ...}."""
        found: dict[tuple[str, int], int] = {}
        for name, plies, number in self._named(stage, positions):
            if plies is not None:
                found[name, plies] = found.get((name, plies), 0) + number
        return dict(sorted(found.items(), key=lambda item: item[0][::-1]))

    def _named(self, stage: int | None, positions: bool) -> Iterator[tuple[Any, int | None, int]]:
        """The rows of the header: the outcome, its distance, and the number of states."""
        values = self.header.values
        for row_stage, entry, states, images in self.header.counts:
            if stage is not None and row_stage != stage:
                continue
            number = images if positions else states
            if values == EXPECTATION:
                yield "states", None, number
            elif values == MARGIN:
                yield entry, None, number
            elif entry >= DECIDED:
                plies = None if self.header.wdl else plies_of(entry)
                yield ("win" if is_win(entry) else "loss"), plies, number
            else:
                yield str(value_of(entry)) if not self.header.wdl else "draw", None, number

    def longest(self, limit: int = 10) -> list[State]:
        """Return some of the states that are farthest from the end, with best play on both sides."""
        decided = [(count.entry, count.stage) for count in self.header.counts if count.entry >= DECIDED]
        if self.header.values != WDL or self.header.wdl or not decided:
            return []
        farthest = max(plies_of(entry) for entry, _ in decided)
        found: list[State] = []
        for entry, stage in sorted(decided):
            if plies_of(entry) == farthest:
                table = self.tables[stage if self.header.staged else 0]
                found += [table.state(place) for place in table.where(entry, limit - len(found))]
        return found[:limit]

    def summary(self) -> str:
        """Return the method and the results in a few lines."""
        header = self.header
        start = self.get(rules.initial_state(self.game))
        lines = [
            f"{self.game!r}: {len(self):,} states ({self.positions:,} positions)",
            f"method: {header.method}, {header.order}: {header.why}",
        ]
        if start is not None:
            lines.append(f"value of the initial state: {start}")
        if header.values == EXPECTATION:
            lines.append(f"error: at most {header.error:.2g}, proven")
        else:
            lines.append(", ".join(f"{number:,} {name}" for name, number in self.outcomes().items()))
        if farthest := self.longest(1):
            lines.append(f"farthest from the end: {self.game.state_text(farthest[0])}, {self[farthest[0]]}")
        return "\n".join(lines)

    def outcomes(self) -> dict[str, int]:
        """Return the counts; in a game of points, those of wins, draws and losses."""
        if self.header.values != MARGIN:
            return self.counts()
        found = dict.fromkeys(NAMES.values(), 0)
        for points, _, number in self._named(None, False):
            found[NAMES[(points > 0) - (points < 0)]] += number
        return found

    def to_frame(self) -> Any:
        """Return a data frame of pandas, or of polars, with a row for each state."""
        rows = [
            {"state": self.game.state_text(state), "outcome": NAMES.get(value.outcome, "") if value.outcome is not None
             else None, "plies": value.plies, "score": value.score}
            for state, value in self.items()
        ]  # fmt: skip
        for library in ("pandas", "polars"):
            try:
                module = __import__(library)
            except ImportError:
                continue
            return module.DataFrame(rows)
        raise GameError("to_frame makes a data frame, for which pandas or polars is needed: pip install pandas")

    def plot(self, axes: Any = None) -> Any:
        """Draw wins and losses by their distance with Matplotlib, and return the axes."""
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise GameError("plot draws with Matplotlib: pip install 'zermelo[plot]'") from None
        axes = axes if axes is not None else plt.subplots()[1]
        for name, sign in (("win", 1), ("loss", -1)):
            found = {plies: number for (outcome, plies), number in self.distances().items() if outcome == name}
            axes.bar(
                list(found), [sign * number for number in found.values()], label=f"{name} ({sum(found.values()):,})"
            )
        drawn = sum(number for name, number in self.counts().items() if name.startswith("draw"))
        axes.set(xlabel="plies to the end", ylabel="states", title=f"{self.game!r}, {drawn:,} drawn")
        axes.legend()
        return axes

    def to_dict(self) -> dict[str, Any]:
        """A record for JSON."""
        start = self.get(rules.initial_state(self.game))
        return {
            "game": repr(self.game),
            "method": f"{self.header.method}, {self.header.order}",
            "why": self.header.why,
            "states": len(self),
            "positions": self.positions,
            "value": None if start is None else start.to_dict(),
            "counts": {str(name): number for name, number in self.counts().items()},
            "distances": [[name, plies, number] for (name, plies), number in self.distances().items()],
            "error": self.header.error,
        }
