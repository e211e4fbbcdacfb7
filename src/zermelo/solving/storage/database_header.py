"""The header of a database: which game it is of, how it was solved, and how the file is laid out.

Nothing else reads the JSON of a solution. `DatabaseHeader.read` checks that every part has the right type, is in its
range and agrees with the others; `DatabaseHeader.check_game` compares it with the rules that it is used with. Kernels
use lengths, widths and shifts unchecked, so all of them are bounded here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, NamedTuple

from zermelo import rules
from zermelo.files import Damaged, FileError
from zermelo.game import Game
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import MAX_STAGES
from zermelo.solving.game_identity import GameIdentity
from zermelo.solving.plan import EXPECTATION, MARGIN, WDL
from zermelo.solving.retrograde.entries import REPEATS, loss_entry
from zermelo.value import DECISIVE, WIN_SCORE

FILE_KIND = "solution"

METHODS = ("dense", "reachable", "interpreted")
ORDERS = ("acyclic", "retrograde", "intervals")
VALUES = (WDL, MARGIN, EXPECTATION)
WIDTHS = {WDL: (8, 16, 32), MARGIN: (8, 16, 32), EXPECTATION: (64,)}
"""Bits of an entry; two where distances are not kept."""

MAX_ENTRY = loss_entry(WIN_SCORE - DECISIVE)
"""The entry of the longest loss that is one: beyond it, a score would be no proof."""

MAX_TEXT_LENGTH = 1 << 20
MAX_STAGE_LENGTH = (1 << 40) - 1
"""States of a stage that a table has room for."""


class StageRecord(NamedTuple):
    """How the entries of a stage are stored: how many there are, in how many bits, and what entry 1 stands for."""

    stage: int
    length: int
    bits: int
    base: int

    @property
    def words(self) -> int:
        """Items of the section that has the entries."""
        return self.length if self.bits == 64 else -(-self.length * self.bits // 64)


class EntryCount(NamedTuple):
    """How many states of a stage have an entry, or a margin, and how many positions they stand for."""

    stage: int
    entry: int
    states: int
    positions: int


@dataclass(frozen=True)
class DatabaseHeader:
    """What a solution says of itself: of which game it is, how that was solved, and how the file is laid out."""

    name: str | None
    """The name of a game of the catalogue; games of others have none."""
    game: str
    rules: str
    python: str
    behaviour: str
    method: str
    order: str
    values: str
    why: str
    staged: bool
    wdl: bool
    error: float
    packing: Packing | None
    stages: tuple[StageRecord, ...]
    counts: tuple[EntryCount, ...]
    created: str
    numbering: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return a record for JSON."""
        return {
            "kind": FILE_KIND,
            **{field.name: getattr(self, field.name) for field in fields(self)},
            "packing": None if self.packing is None else self.packing.to_list(),
            "stages": [record._asdict() for record in self.stages],
            "counts": [list(count) for count in self.counts],
        }

    @property
    def identity(self) -> GameIdentity:
        """The game that the solution was made for."""
        return GameIdentity(self.game, self.rules, self.python, self.behaviour, self.numbering)

    @staticmethod
    def game_name(data: dict[str, Any]) -> str:
        """Return the game that the JSON of a header names, even if the header is not valid."""
        return str(data.get("game", "no solution of a game"))

    @classmethod
    def read(cls, path: Any, data: dict[str, Any]) -> DatabaseHeader:
        """Return the header of a file. Raise FileError if it is none, and Damaged if it contradicts itself."""
        if data.get("kind") != FILE_KIND:
            raise FileError(f"{path} holds no solution of a game.")
        return _Reader(path, data).header()

    def check_game(self, path: Any, game: Game) -> None:
        """Raise Damaged if the header cannot be that of this game: kernels rely on both."""
        values = EXPECTATION if rules.has_chance(game) else MARGIN if game.margin else WDL
        compiled = self.method != "interpreted"
        right = self.values == values and self.staged == (compiled and game.has("stage"))
        right = right and (self.order == "acyclic") != game.loops
        if compiled:
            right = right and (self.method == "dense") == rules.has_index(game)
        if self.packing is not None:
            right = right and len(self.packing.fields) == len(list(rules.numbers(rules.initial_state(game))))
        if not right:
            raise Damaged(f"{path} is damaged: its header is not that of a solution of {game!r}.")
        if self.method == "dense":
            for record in self.stages:
                self._check_size(path, game, record)

    def _check_size(self, path: Any, game: Game, record: StageRecord) -> None:
        try:
            size = int(game.size(record.stage))
        except Exception:  # whatever the rule does with a stage that is none
            size = 0
        if size != record.length:
            stage = f"stage {record.stage} has {size:,} numbers, and the file {record.length:,}"
            raise Damaged(f"{path} is damaged: {stage}.")

    def allows(self, record: StageRecord, entry: float) -> bool:
        """Return whether a state of the stage can have this entry, or whether it marks a number without a state."""
        if self.values == EXPECTATION:
            return not math.isinf(entry)
        if self.values == MARGIN:
            return abs(entry - 1 + record.base) < DECISIVE
        return self.wdl or entry == 0 or REPEATS <= entry <= MAX_ENTRY

    def sections(self) -> dict[str, tuple[str, int]]:
        """Return the sections that the header requires: dtype and number of items, -1 for any number."""
        found: dict[str, tuple[str, int]] = {}
        for record in self.stages:
            if self.method == "interpreted":
                found["states"] = "|u1", -1
            elif self.packing is not None:
                found[f"keys_{record.stage}"] = "<i8", record.length * self.packing.words
            entries = "<f8" if self.values == EXPECTATION else "<i8"
            found[f"entries_{record.stage}"] = entries, record.words
            if self.values == EXPECTATION:
                found[f"uppers_{record.stage}"] = entries, record.words
        return found


class _Reader:
    """The JSON of a header, taken apart piece by piece."""

    def __init__(self, path: Any, data: dict[str, Any]) -> None:
        self.path = path
        self.data = data

    def header(self) -> DatabaseHeader:
        method, values = self.one_of("method", METHODS), self.one_of("values", VALUES)
        wdl, staged = self.flag("wdl"), self.flag("staged")
        stages = self.stages(method, values, wdl)
        self.require("stages", staged or [record.stage for record in stages] == [0])
        self.require("wdl", not wdl or (values == WDL and method != "interpreted"))
        return DatabaseHeader(
            name=self.name(),
            **{name: self.text(name) for name in ("game", "rules", "python", "behaviour", "why", "created")},
            method=method,
            order=self.one_of("order", ORDERS),
            values=values,
            staged=staged,
            wdl=wdl,
            error=self.error(values),
            packing=self.packing(method),
            stages=stages,
            counts=self.counts(method, values, stages),
            numbering=self.text("numbering") if "numbering" in self.data else "",
        )

    def require(self, name: str, right: bool) -> None:
        if not right:
            raise Damaged(f"{self.path} is damaged: its header has no {name!r} that a solution could have.")

    def get(self, name: str, fits: Callable[[Any], bool]) -> Any:
        self.require(name, name in self.data and fits(self.data[name]))
        return self.data[name]

    def text(self, name: str) -> str:
        found: str = self.get(name, lambda text: isinstance(text, str) and len(text) <= MAX_TEXT_LENGTH)
        self.require(name, name == "game" or found.isprintable())  # nothing that a terminal would obey
        return found

    def name(self) -> str | None:
        return None if self.data.get("name", "") is None else self.text("name")

    def one_of(self, name: str, words: Sequence[str]) -> str:
        found: str = self.get(name, lambda word: isinstance(word, str) and word in words)
        return found

    def flag(self, name: str) -> bool:
        found: bool = self.get(name, lambda flag: isinstance(flag, bool))
        return found

    def error(self, values: str) -> float:
        error = self.get("error", lambda number: type(number) in (int, float) and 0 <= number < 1)
        self.require("error", (error > 0) == (values == EXPECTATION))
        return float(error)

    def packing(self, method: str) -> Packing | None:
        rows = self.data.get("packing", 0)
        self.require("packing", (rows is None) == (method != "reachable"))
        if rows is None:
            return None
        self.require("packing", are_rows(rows, 4, 5, 8))
        packing = Packing.from_list(rows)
        self.require("packing", packing.is_valid)
        return packing

    def stages(self, method: str, values: str, wdl: bool) -> tuple[StageRecord, ...]:
        rows = self.get("stages", lambda rows: isinstance(rows, list) and len(rows) > 0)
        records = []
        for row in rows:
            self.require(
                "stages", isinstance(row, dict) and set(row) == set(StageRecord._fields) and are_ints([*row.values()])
            )
            records.append(StageRecord(**row))
        numbers = [record.stage for record in records]
        self.require("stages", all(a < b for a, b in pairwise(numbers)))
        self.require("stages", numbers[-1] - numbers[0] < MAX_STAGES)
        self.require("stages", all(is_record(record, values, wdl) for record in records))
        return tuple(records)

    def counts(self, method: str, values: str, stages: tuple[StageRecord, ...]) -> tuple[EntryCount, ...]:
        rows = self.get("counts", lambda rows: are_rows(rows, 4))
        counts = tuple(EntryCount(*row) for row in rows)
        self.require("counts", len({(count.stage, count.entry) for count in counts}) == len(counts))
        left = {record.stage: record.length for record in stages}
        for count in counts:
            self.require("counts", count.stage in left and is_entry(values, count.entry))
            self.require("counts", 0 < count.states <= left[count.stage] and count.states <= count.positions < 1 << 62)
            left[count.stage] -= count.states
        self.require("counts", method == "dense" or not any(left.values()))  # a rule may number what is no state
        return counts


def is_record(record: StageRecord, values: str, wdl: bool) -> bool:
    """Whether the entries of a stage can be stored so."""
    right = abs(record.stage) < 1 << 62 and 0 < record.length <= MAX_STAGE_LENGTH
    right = right and (-DECISIVE < record.base < DECISIVE if values == MARGIN else record.base == 0)
    return right and record.bits in ((2,) if wdl else WIDTHS[values])


def is_entry(values: str, entry: int) -> bool:
    """Whether counts can list this: an entry, points, or 0 for expectations."""
    if values == MARGIN:
        return -DECISIVE < entry < DECISIVE
    return entry == 0 if values == EXPECTATION else REPEATS <= entry <= MAX_ENTRY


def are_ints(row: Any) -> bool:
    """Whether a row of JSON consists of whole numbers of a sensible size."""
    return isinstance(row, list) and all(type(number) is int and abs(number) < 1 << 64 for number in row)


def are_rows(rows: Any, *lengths: int) -> bool:
    """Whether JSON is a list of such rows, each of one of these lengths."""
    return isinstance(rows, list) and all(are_ints(row) and len(row) in lengths for row in rows)
