"""Solution: the exact value of every state of a game, and what follows from it."""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterable, Iterator, ValuesView
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from zermelo import rules
from zermelo.arguments import checked_path
from zermelo.files import Damaged, FileError
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.solving.plan import EXPECTATION, MARGIN
from zermelo.solving.retrograde.entries import EVEN, LOST, WON, value_of
from zermelo.solving.solution_statistics import SolutionStatistics
from zermelo.value import DECISIVE, LOSS, WIN, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from zermelo.solving.storage.database_header import DatabaseHeader
    from zermelo.solving.storage.entry_tables import Table


class NotSolved(GameError, KeyError):
    """A state is not among those that were solved."""

    __str__ = GameError.__str__  # not that of KeyError, which quotes the sentence


class Solution(SolutionStatistics):
    """A solved game: a mapping of states to exact values, seen by the player to move.

    An equivalent state has the value of the canonical one; `len` and iteration count the canonical ones alone.

    >>> import zermelo as z
    >>> solution = z.solve(z.load("tic_tac_toe"))
    >>> print(solution.value(), len(solution), solution.counts())
    draw 765 {'win': 390, 'draw': 151, 'loss': 224}
    >>> print(solution[z.position(solution.game, "b2 b1")])
    win in 5
    """

    def __init__(self, game: Game, header: DatabaseHeader, tables: dict[int, Table], path: Path | None = None) -> None:
        self.game = game
        self.header = header
        self.tables = tables
        self.path = path
        self.checked = path is None
        """Whether the whole file was checked."""
        self._state_tables: Any = None

    @classmethod
    def open(cls, path: str | Path, game: Game | None = None, *, check: bool = True) -> Solution:
        """Open the solution in a file. Raise FileError if it is damaged or was made for other rules.

        `game` is needed where the file's own name of it is not in Zermelo's catalog. Without `check`, each part of a
        large file is checked when it is read.
        """
        from zermelo.solving.storage.database import open_solution

        return open_solution(checked_path("Solution.open", path), game, check)

    def save(self, path: str | Path) -> Solution:
        """Write the solution to a file, and return the solution that the file holds."""
        from zermelo.solving.storage.database import save_solution

        return save_solution(self, checked_path(f"save of {self!r}", path))

    # -- one state ---------------------------------------------------------------------------------------------------

    def value(self, state: State = None) -> Value:
        """The value of a state for the player to move, the initial one by default. Raise GameError if it is none."""
        state = rules.given_state(self.game, state)
        found = self._value(state)
        if found is None:
            raise self._not_solved(state)
        return found.seen_by(rules.mover(self.game, state))

    def _not_solved(self, state: State) -> NotSolved:
        """Return the error about a state that is not among those that were solved."""
        return NotSolved(
            f"{self.game!r}: {self.game.state_text(state)} is not among the {len(self):,} states that were solved."
        )

    def __getitem__(self, state: State) -> Value:
        """The value of a state, for the player to move. Raise KeyError, which is a GameError too, if it is none."""
        state = self._checked_state(state)
        try:
            return self.value(state)
        except (NotSolved, FileError):
            raise
        except GameError as error:
            raise NotSolved(str(error)) from error

    def _checked_state(self, state: State) -> State:
        """The state that was given as a key. Raise NotSolved if it cannot be one."""
        if state is None:
            raise NotSolved(f"{self.game!r}: None is no state; `value()` is that of the initial one.")
        try:
            return rules.given_state(self.game, state)
        except GameError as error:
            raise NotSolved(str(error)) from error

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
            if self.header.values in (MARGIN, EXPECTATION):
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
        """Raise GameError if the value of a state is not the one that follows from its successors."""
        state = rules.given_state(self.game, state)
        stored, should = self.value(state), self.follows(state)
        if abs(float(should.score) - float(stored.score)) > 2 * self.header.error:
            raise self.contradiction(state, f"{should} by its successors")

    def contradiction(self, state: State, should: str) -> GameError:
        """Return the error about a state that has another value than the stored one."""
        return GameError(
            f"{self.path or 'the solution'} is wrong about {self.game!r}: {self.game.state_text(state)} is stored as "
            f"{self.value(state)}, and is {should}."
        )

    def line(self, state: State = None) -> list[Move]:
        """A perfect game from here: a best move by turns, until it ends, repeats, or chance moves.

        It is the first one, but where points can be put off for ever, it is one that leads to the end.
        """
        from zermelo.solving.retrograde.perfect_line import perfect_line

        ranked = self.header.values == MARGIN and self.header.order == "retrograde"
        return perfect_line(self, rules.given_state(self.game, state), ranked=ranked)

    def __contains__(self, state: object) -> bool:
        return self.get(state) is not None

    def _value(self, state: State) -> Value | None:
        table = self.tables.get(self.stage_of(state))
        place = None if table is None else table.find(self.game.canonical(state))
        if table is None or place is None:
            return None
        return self._value_at(table, place)

    def _value_at(self, table: Table, place: int) -> Value | None:
        entry = table.entry(place)
        if self.header.values != EXPECTATION:
            return self._value_of_entry(table, entry)
        if not self.header.allows(table.record, entry):
            raise self._damaged(entry)
        return None if math.isnan(entry) else Value.expected((entry + table.upper(place)) / 2)

    def _value_of_entry(self, table: Table, entry: int) -> Value | None:
        """Return the value that an entry of a table stands for; None if no state has it."""
        if not self.header.allows(table.record, entry):
            raise self._damaged(entry)
        if entry == 0:
            return None
        if self.header.values == MARGIN:
            return Value.margin(entry - 1 + table.base)
        if table.bits == 2:
            return {WON: Value.at_least(DECISIVE), LOST: Value.at_most(-DECISIVE), EVEN: Value.draw()}[entry]
        return value_of(entry)

    def _damaged(self, entry: float) -> Damaged:
        """Return the error about an entry that no state can have."""
        return Damaged(f"{self.path or 'the solution'} is damaged: {entry} is no value of a state of {self.game!r}.")

    def stage_of(self, state: State) -> int:
        """Return the stage in whose table a state is."""
        return int(self.game.stage(state)) if self.header.staged else 0

    def state_tables(self) -> Any:
        """The whole solution in memory, as compiled search reads it; made once."""
        if self._state_tables is None:
            from zermelo.solving.retrograde.database_loading import load_database

            self._state_tables = load_database(self).tables
        return self._state_tables.words

    # -- all states --------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of states that were solved, equivalent ones counted once."""
        return sum(count.states for count in self.header.counts)

    def __iter__(self) -> Iterator[State]:
        """Every state, of equivalent ones the canonical one. States are read from a file block by block."""
        for _, table in sorted(self.tables.items()):
            for _, states in table.batches():
                yield from states

    def items(self) -> ItemsView[State, Value]:
        """Every state with its value, in the order of iteration."""
        return _Items(self)

    @overload
    def values(self) -> ValuesView[Value]: ...
    @overload
    def values(self, states: Iterable[State] | NDArray[Any], *, strict: bool = True) -> np.recarray[Any, Any]: ...

    def values(
        self, states: Iterable[State] | NDArray[Any] | None = None, *, strict: bool = True
    ) -> ValuesView[Value] | np.recarray[Any, Any]:
        """The value of every state, in the order of iteration; or of the given states, as an array.

        States are given one by one, or as an integer array whose rows are their numbers. The array that is returned has
        a row for each, seen by the player to move, with the fields

            score       as that of a Value, such as 999,993 for a win in 7, the points, or the expectation; NaN if none
            outcome     1 for a win, 0 for a draw, -1 for a loss; 2 if none, as in games of chance
            plies       to the end; -1 if none
            repetition  whether play repeats for ever

        Raise GameError for the first state that was not solved; without `strict`, it has no value instead.

        >>> import zermelo as z
        >>> solution = z.solve(z.load("tic_tac_toe"))
        >>> found = solution.values(z.positions(solution.game, ["b2 b1", "b2 a1"]))
        >>> found.outcome.tolist(), found.plies.tolist()
        ([1, 0], [5, -1])
        """
        if states is None:
            return _Values(self)
        from zermelo.solving.bulk_lookup import look_up

        return look_up(self, states, strict)

    def _entries(self) -> Iterator[tuple[State, Value]]:
        for _, table in sorted(self.tables.items()):
            known: dict[tuple[Any, int | None], Value] = {}
            for places, states in table.batches():
                entries = table.entries_at(places).tolist()
                for place, state, entry in zip(places.tolist(), states, entries, strict=True):
                    mover = rules.mover(self.game, state)
                    found = known.get((entry, mover))
                    if found is None:
                        value = self._value_at(table, place)
                        if value is None:
                            raise self._without_value()
                        found = value.seen_by(mover)
                        if self.header.values != EXPECTATION:  # of which nearly all differ
                            known[entry, mover] = found
                    yield state, found

    def _without_value(self) -> Damaged:
        """Return the error about a state that has no value."""
        return Damaged(f"{self.path or 'the solution'} is damaged: a state of {self.game!r} has no value.")

    def to_csv(self, path: str | Path, *, best: bool = False) -> None:
        """Write a row for each state to a CSV file: its text, its numbers, and the fields of `values`.

        Cells are empty where a value has none, such as the plies of a draw. With `best`, a column lists the best moves,
        which takes much longer.
        """
        from zermelo.solving.table_export import write_csv

        write_csv(self, checked_path(f"to_csv of {self!r}", path), best)

    def to_parquet(self, path: str | Path, *, best: bool = False) -> None:
        """Write the same table to a Parquet file. Raise GameError if pyarrow is not installed."""
        from zermelo.solving.table_export import write_parquet

        write_parquet(self, checked_path(f"to_parquet of {self!r}", path), best)

    def __eq__(self, other: object) -> bool:
        """Whether this is the same object: to compare the values of all states would take too long."""
        return self is other

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return f"<Solution of {self.game!r}: {len(self):,} states>"


class _Items(ItemsView[State, Value]):
    """The items, without looking each state up again."""

    _mapping: Solution

    def __iter__(self) -> Iterator[tuple[State, Value]]:
        return self._mapping._entries()


class _Values(ValuesView[Value]):
    """The values, without looking each state up again."""

    _mapping: Solution

    def __iter__(self) -> Iterator[Value]:
        return (value for _, value in self._mapping._entries())


def earlier(value: Value) -> Value:
    """A successor's value as its predecessor's: a ply farther from the end."""
    if value.outcome in (WIN, LOSS) and value.plies is not None and abs(value.score) >= DECISIVE:
        return Value.win(value.plies + 1) if value.outcome == WIN else Value.loss(value.plies + 1)
    return value
