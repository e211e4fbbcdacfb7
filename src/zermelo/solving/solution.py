"""Solution: the exact value of every state of a game, and what follows from it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo import rules
from zermelo.arguments import checked_path
from zermelo.files import Damaged
from zermelo.formatting import Pretty
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.solving.plan import CHANCE, POINTS
from zermelo.solving.retrograde.entries import DECIDED, EVEN, LOST, WON, is_win, plies_of, value_of
from zermelo.value import DECISIVE, DRAW, LOSS, WIN, Value

if TYPE_CHECKING:
    from zermelo.solving.enumeration.stage_tables import Table
    from zermelo.solving.storage.database_header import Header

NAMES = {WIN: "win", DRAW: "draw", LOSS: "loss"}


class Solution(Pretty):
    """A solved game. States are looked up as they are; equivalent ones are found by what stands for them.

    >>> import zermelo as z
    >>> solution = z.solve(z.load("tic_tac_toe"))
    >>> print(solution.value(), len(solution), solution.counts())
    draw 765 {'win': 390, 'draw': 151, 'loss': 224}
    """

    def __init__(self, game: Game, header: Header, tables: dict[int, Table], path: Path | None = None) -> None:
        self.game = game
        self.header = header
        self.tables = tables
        self.path = path
        self.checked = path is None
        """All that the file holds was looked at."""
        self._state_tables: Any = None

    @classmethod
    def open(cls, path: str | Path, game: Game | None = None, *, check: bool = True) -> Solution:
        """The solution in a file, if it is whole and was made for these rules.

        `game` is needed where the file's own name of it is not in Zermelo's catalog. Without `check`, the parts of a
        large file are looked at when they are read.
        """
        from zermelo.solving.storage.database import opened

        return opened(checked_path("Solution.open", path), game, check)

    def save(self, path: str | Path) -> Solution:
        """Write the solution to a file; the solution that the file holds."""
        from zermelo.solving.storage.database import saved

        return saved(self, checked_path(f"save of {self!r}", path))

    # -- one state ---------------------------------------------------------------------------------------------------

    def value(self, state: State = None) -> Value:
        """The exact value of a state, for the player to move; of the initial one by default."""
        state = rules.given_state(self.game, state)
        found = self._value(state)
        if found is None:
            raise GameError(
                f"{self.game!r}: {self.game.state_text(state)} is not among the {len(self):,} states that were solved."
            )
        return found.seen_by(rules.mover(self.game, state))

    def moves(self, state: State = None) -> dict[Move, Value]:
        """The value of each move for the player who makes it, best first; of each outcome where chance moves."""
        state = rules.given_state(self.game, state)
        values = {}
        for move in rules.legal_actions(self.game, state):
            child = self.game.play(state, move)
            value = self.value(child)
            value = earlier(-value if rules.changes_player(self.game, state, child) else value)
            values[move] = value.seen_by(rules.mover(self.game, state))
        return dict(sorted(values.items(), key=lambda item: item[1].score, reverse=True))

    def best(self, state: State = None) -> list[Move]:
        """All best moves of a state: none where chance moves or the game is over."""
        state = rules.given_state(self.game, state)
        if self.game.result(state) != ONGOING or self.game.is_chance(state):
            return []
        values = self.moves(state)
        most = max((value.score for value in values.values()), default=None)
        return [move for move, value in values.items() if value.score == most]

    def follows(self, state: State = None) -> Value:
        """The value of a state as it follows from those of its successors, or from the rules where the game is over."""
        state = rules.given_state(self.game, state)
        payoff = rules.payoff(self.game, state)
        if payoff != ONGOING:
            if self.header.values in (POINTS, CHANCE):
                value = Value.margin(payoff)
            elif self.header.wdl and payoff != 0:
                value = Value.at_least(DECISIVE) if payoff > 0 else Value.at_most(-DECISIVE)
            else:
                value = Value.win(0) if payoff > 0 else Value.loss(0) if payoff < 0 else Value.draw()
            return value.seen_by(rules.mover(self.game, state))
        values = self.moves(state)
        if self.game.is_chance(state):
            return Value.expected(sum(weight * values[move].score for move, weight in self.game.chances(state)))
        return max(values.values(), key=lambda value: value.score)

    def check(self, state: State = None) -> None:
        """A sentence if the value of a state is not the one that follows from its successors."""
        state = rules.given_state(self.game, state)
        stored, should = self.value(state), self.follows(state)
        if abs(float(should.score) - float(stored.score)) > 2 * self.header.error:
            raise self.contradiction(state, f"{should} by its successors")

    def contradiction(self, state: State, should: str) -> GameError:
        """A sentence about a state whose value is another one."""
        return GameError(
            f"{self.path or 'the solution'} is wrong about {self.game!r}: {self.game.state_text(state)} is stored as "
            f"{self.value(state)}, and is {should}."
        )

    def line(self, state: State = None) -> list[Move]:
        """A perfect game from here: the first best move by turns, until it ends, repeats, or chance moves."""
        state = rules.given_state(self.game, state)
        moves: list[Move] = []
        seen = set()
        while state not in seen and (best := self.best(state)):
            seen.add(state)
            moves.append(best[0])
            state = self.game.play(state, best[0])
        return moves

    def __contains__(self, state: State) -> bool:
        try:
            return state is not None and self._value(rules.given_state(self.game, state)) is not None
        except GameError:
            return False

    def _value(self, state: State) -> Value | None:
        table = self.tables.get(self._stage(state))
        place = None if table is None else table.find(self.game.canonical(state))
        if table is None or place is None:
            return None
        return self._value_at(table, place)

    def _value_at(self, table: Table, place: int) -> Value | None:
        entry = table.entry(place)
        if not self.header.allows(table.record, entry):
            raise Damaged(f"{self.path or 'the solution'} is damaged: {entry} is no value of a state of {self.game!r}.")
        if self.header.values == CHANCE:
            return None if math.isnan(entry) else Value.expected((entry + table.upper(place)) / 2)
        if entry == 0:
            return None
        if self.header.values == POINTS:
            return Value.margin(entry - 1 + table.base)
        if table.bits == 2:
            return {WON: Value.at_least(DECISIVE), LOST: Value.at_most(-DECISIVE), EVEN: Value.draw()}[entry]
        return value_of(entry)

    def _stage(self, state: State) -> int:
        return int(self.game.stage(state)) if self.header.staged else 0

    def state_tables(self) -> Any:
        """The whole solution in memory, as compiled search reads it; made once."""
        if self._state_tables is None:
            from zermelo.solving.retrograde.database_loading import load_database

            self._state_tables = load_database(self).directory
        return self._state_tables.words

    # -- all states --------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many states were solved, equivalent ones counted once."""
        return sum(count.states for count in self.header.counts)

    @property
    def positions(self) -> int:
        """How many states were solved, each equivalent one counted, as far as `symmetries` names them."""
        return sum(count.positions for count in self.header.counts)

    def __iter__(self) -> Iterator[State]:
        for _, table, place in self._places():
            yield table.state(place)

    def items(self) -> Iterator[tuple[State, Value]]:
        """Every state with its value."""
        for _, table, place in self._places():
            state = table.state(place)
            value = self._value_at(table, place)
            assert value is not None
            yield state, value.seen_by(rules.mover(self.game, state))

    def _places(self) -> Iterator[tuple[int, Table, int]]:
        for stage, table in sorted(self.tables.items()):
            for place in table.places():
                yield stage, table, place

    def counts(self, stage: int | None = None, *, positions: bool = False) -> dict[str, int]:
        """How many states are won, drawn and lost for the player to move; in one stage only, where one is given.

        Draws by repetition are counted apart. In games of points the counts are by points. With `positions`, every
        equivalent state is counted.
        """
        found: dict[Any, int] = {}
        for name, _, number in self._named(stage, positions):
            found[name] = found.get(name, 0) + number
        order = ("win", "draw", "draw by repetition", "loss")
        return {str(name): found[name] for name in sorted(found, key=lambda n: order.index(n) if n in order else n)}

    def distances(self, stage: int | None = None, *, positions: bool = False) -> dict[tuple[str, int], int]:
        """How many states are won and lost so many plies from the end: {('win', 1): 20, ...}."""
        found: dict[tuple[str, int], int] = {}
        for name, plies, number in self._named(stage, positions):
            if plies is not None:
                found[name, plies] = found.get((name, plies), 0) + number
        return dict(sorted(found.items(), key=lambda item: item[0][::-1]))

    def _named(self, stage: int | None, positions: bool) -> Iterator[tuple[Any, int | None, int]]:
        """The rows of the header: what, how far away, and how many."""
        values = self.header.values
        for row_stage, entry, states, images in self.header.counts:
            if stage is not None and row_stage != stage:
                continue
            number = images if positions else states
            if values == CHANCE:
                yield "states", None, number
            elif values == POINTS:
                yield entry, None, number
            elif entry >= DECIDED:
                plies = None if self.header.wdl else plies_of(entry)
                yield ("win" if is_win(entry) else "loss"), plies, number
            else:
                yield str(value_of(entry)) if not self.header.wdl else "draw", None, number

    def longest(self, limit: int = 10) -> list[State]:
        """Some of the states that are farthest from their end, with best play on both sides."""
        decided = [(count.entry, count.stage) for count in self.header.counts if count.entry >= DECIDED]
        if self.header.values != "outcomes" or self.header.wdl or not decided:
            return []
        farthest = max(plies_of(entry) for entry, _ in decided)
        found: list[State] = []
        for entry, stage in sorted(decided):
            if plies_of(entry) == farthest:
                table = self.tables[stage if self.header.staged else 0]
                found += [table.state(place) for place in table.where(entry, limit - len(found))]
        return found[:limit]

    def summary(self) -> str:
        """What was solved, how, and what was found, in a few lines."""
        header = self.header
        start = self._value(rules.initial_state(self.game))
        lines = [
            f"{self.game!r}: {len(self):,} states ({self.positions:,} positions)",
            f"method: {header.method}, {header.order}: {header.why}",
        ]
        if start is not None:
            lines.append(f"value of the initial state: {start}")
        if header.values == CHANCE:
            lines.append(f"error: at most {header.error:.2g}, proven")
        else:
            lines.append(", ".join(f"{number:,} {name}" for name, number in self.outcomes().items()))
        if farthest := self.longest(1):
            lines.append(f"farthest from the end: {self.game.state_text(farthest[0])}, {self.value(farthest[0])}")
        return "\n".join(lines)

    def outcomes(self) -> dict[str, int]:
        """The counts; in a game of points those of wins, draws and losses, however many points they bring."""
        if self.header.values != POINTS:
            return self.counts()
        found = dict.fromkeys(NAMES.values(), 0)
        for points, _, number in self._named(None, False):
            found[NAMES[(points > 0) - (points < 0)]] += number
        return found

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return f"<Solution of {self.game!r}: {len(self):,} states>"

    def to_frame(self) -> Any:
        """A data frame of pandas, or of polars, with a row for each state."""
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
        """Wins and losses by their distance, drawn with Matplotlib; the axes."""
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
        start = self._value(rules.initial_state(self.game))
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


def earlier(value: Value) -> Value:
    """A successor's value as its predecessor's: a ply farther from the end."""
    if value.outcome in (WIN, LOSS) and value.plies is not None and abs(value.score) >= DECISIVE:
        return Value.win(value.plies + 1) if value.outcome == WIN else Value.loss(value.plies + 1)
    return value
