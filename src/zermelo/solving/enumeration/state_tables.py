"""State tables: for each stage the keys and entries of its states, as arrays that kernels reach by address."""

from __future__ import annotations

from typing import Any

from zermelo.bits import signed
from zermelo.game import GameError
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.table_access import (
    BASE,
    BITS,
    ENTRIES,
    FIELD_COUNT,
    FIELD_SIZE,
    FIELD_TABLE,
    FIRST_STAGE,
    KEY_WORDS,
    KEYS,
    RECORD_SIZE,
    SLOTS,
    STAGE_COUNT,
    UPPERS,
)
from zermelo.word_arrays import Words

MAX_STAGES = 1 << 22
LOAD_FACTOR = 0.8
"""How full a table of keys may be."""

MAX_SLOTS = (1 << 40) - 1
"""Slots of a table, which 64-bit arithmetic can choose from."""

MAX_NUMBERS = (1 << 31) - 1
"""Slots of a table whose numbers are listed, in 32 bits each."""


class StateTables:
    """The state tables of all stages. Kernels get `words`, which hold addresses; `arrays` keeps the arrays alive."""

    def __init__(self, name: str, packing: Packing, first: int) -> None:
        self.name = name
        self.packing = packing
        self.arrays: dict[int, dict[int, Any]] = {}
        self._lay_out(first, 64)

    def _lay_out(self, first: int, count: int) -> None:
        fields = self.packing.fields
        self.words = Words.zeros(FIELD_TABLE + FIELD_SIZE * len(fields) + RECORD_SIZE * count)
        self.words[FIRST_STAGE], self.words[STAGE_COUNT] = first, count
        self.words[FIELD_COUNT], self.words[KEY_WORDS] = len(fields), self.packing.words
        for number, field in enumerate(fields):
            at = FIELD_TABLE + FIELD_SIZE * number
            steps = list(field.steps) if field.used >= 0 else []
            while steps and not steps[-1]:
                steps.pop()
            ones = signed((1 << field.width) - 1)
            place = signed(field.low), field.mask, field.shift, field.word, ones
            ternary = field.digit, field.bits, max(field.partner, 0), -field.inside
            for i, word in enumerate((*place, *ternary, len(steps), *steps)):
                self.words[at + i] = word

    def record(self, stage: int) -> int:
        """Return the offset of the record of a stage in `words`; `words` grow if it has none yet."""
        first, count = self.words[FIRST_STAGE], self.words[STAGE_COUNT]
        if not first <= stage < first + count:
            self._grow(min(first, stage), max(first + count - 1, stage))
        return FIELD_TABLE + FIELD_SIZE * self.words[FIELD_COUNT] + RECORD_SIZE * (stage - self.words[FIRST_STAGE])

    def _grow(self, first: int, last: int) -> None:
        check_stages(self.name, first, last)
        old, skipped = self.words, self.words[FIRST_STAGE] - first
        self._lay_out(first, min(MAX_STAGES, 2 * (last - first + 1)))
        head = FIELD_TABLE + FIELD_SIZE * old[FIELD_COUNT]
        records = old.array[head:]
        at = head + RECORD_SIZE * skipped
        self.words.array[at : at + len(records)] = records

    def set_keys(self, stage: int, keys: Any, slots: int) -> None:
        """Set the hash table of keys of a stage. Where a rule numbers them, `slots` is how many numbers it uses."""
        self._set(stage, KEYS, keys)
        self.words[self.record(stage) + SLOTS] = slots

    def set_entries(self, stage: int, entries: Any, bits: int, base: int = 0, uppers: Any = None) -> None:
        """Set the entries of the states of a stage."""
        self._set(stage, ENTRIES, entries)
        if uppers is not None:
            self._set(stage, UPPERS, uppers)
        record = self.record(stage)
        self.words[record + BITS], self.words[record + BASE] = bits, base

    def clear(self, stage: int) -> None:
        """Remove a stage."""
        self.arrays.pop(stage, None)
        record = self.record(stage)
        for i in range(RECORD_SIZE):
            self.words[record + i] = 0

    def slots(self, stage: int) -> int:
        return self.words[self.record(stage) + SLOTS]

    def keys(self, stage: int) -> Any:
        return self.arrays[stage][KEYS]

    def _set(self, stage: int, part: int, array: Any) -> None:
        record = self.record(stage)
        self.arrays.setdefault(stage, {})[part] = array
        self.words[record + part] = int(array.ctypes.data)
        self.words[record + part + 1] = len(array)


def check_stages(name: str, first: int, last: int) -> None:
    """Raise GameError if stages are numbered too far apart for a table of them."""
    if last - first >= MAX_STAGES:
        raise GameError(f"solve of {name}: `stage` runs from {first} to {last}; number the stages closely.")


def slots_for(name: str, count: int, most: int = MAX_SLOTS) -> int:
    """Return the number of slots of a table for `count` keys. Raise GameError if no table holds them."""
    slots = max(64, int(count / LOAD_FACTOR) + 1)
    if slots > most:
        raise GameError(f"solve of {name}: a stage with {count:,} states is more than a table holds.")
    return slots
