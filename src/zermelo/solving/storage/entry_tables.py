"""Tables: the states of one stage with their entries, in memory or in an open archive."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Any, Protocol

import numpy as np

from zermelo.game import Game, State
from zermelo.solving.enumeration.compressed_keys import CompressedKeys
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.retrograde.entries import unpack_entries
from zermelo.solving.storage.database_header import StageRecord
from zermelo.solving.storage.stage_records import KEYS_PER_BLOCK, decode_keys

PLACES_AT_A_TIME = 1 << 16
"""Entries that are unpacked together; a multiple of those in a word."""


class Column:
    """An array of a solution: one in memory, or one in an archive that is read block by block."""

    def __init__(self, source: Any, name: str = "") -> None:
        self.source = source
        self.name = name

    def item(self, i: int) -> Any:
        return self.source.item(self.name, i) if self.name else self.source[i]

    def read(self, start: int, stop: int) -> Any:
        return self.source.read(self.name, start, stop) if self.name else self.source[start:stop]

    def array(self) -> Any:
        return self.source.array(self.name) if self.name else np.asarray(self.source)

    def items_at(self, numbers: Any) -> Any:
        """The items with these numbers, an array of them; of an archive, each block is read once."""
        if not self.name:
            return self.source[numbers]
        entry = self.source.entry(self.name)
        found = np.empty(len(numbers), entry.dtype)
        blocks = numbers // entry.per_block
        for block in np.unique(blocks).tolist():
            start = block * entry.per_block
            here = blocks == block
            items = self.source.read(self.name, start, min(start + entry.per_block, entry.length))
            found[here] = items[numbers[here] - start]
        return found


class Table(Protocol):
    """What a solution asks of the states of a stage: `place` is a number below `length`."""

    record: StageRecord
    bits: int
    base: int
    length: int

    def find(self, state: State) -> int | None: ...
    def locate(self, state: State) -> tuple[int, ...] | None: ...
    def state(self, place: int) -> State: ...
    def entry(self, place: int) -> Any: ...
    def upper(self, place: int) -> float: ...
    def places(self) -> Iterator[int]: ...
    def find_many(self, located: Any) -> Any: ...
    def entries_at(self, places: Any) -> Any: ...
    def uppers_at(self, places: Any) -> Any: ...
    def batches(self) -> Iterator[tuple[Any, list[State]]]: ...
    def where(self, entry: int, limit: int) -> list[int]: ...


class EntryTable:
    """The entries of a stage, by place."""

    def __init__(self, row: StageRecord, entries: Column, uppers: Column | None) -> None:
        self.record = row
        self.bits, self.base, self.length = row.bits, row.base, row.length
        self.entries = entries
        self.uppers = uppers

    def entry(self, place: int) -> Any:
        """The entry at a place: a number, or where chance takes part the lower bound."""
        if self.bits == 64:
            return float(self.entries.item(place))
        bit = place * self.bits
        return int(self.entries.item(bit >> 6)) >> (bit & 63) & (1 << self.bits) - 1

    def upper(self, place: int) -> float:
        assert self.uppers is not None
        return float(self.uppers.item(place))

    def entries_at(self, places: Any) -> Any:
        """The entries at these places, an array of them."""
        if self.bits == 64:
            return self.entries.items_at(places)
        bits = places * self.bits
        return self.entries.items_at(bits >> 6) >> (bits & 63) & (1 << self.bits) - 1

    def uppers_at(self, places: Any) -> Any:
        """The upper bounds at these places, an array of them."""
        assert self.uppers is not None
        return self.uppers.items_at(places)

    def find_many(self, located: Any) -> Any:
        """The places of states, by what `locate` returned for each as a row; -1 for a state that has none."""
        places = located[:, 0]
        return np.where((places >= 0) & (places < self.length), places, -1)

    def all(self) -> Any:
        """All entries as an array of int32."""
        return unpack_entries(self.entries.array(), self.bits, self.length)

    def places(self) -> Iterator[int]:
        """The places of states, in order. Entries are unpacked some at a time, to keep memory small."""
        if self.bits == 64:
            yield from range(self.length)
            return
        for start in range(0, self.length, PLACES_AT_A_TIME):
            count = min(PLACES_AT_A_TIME, self.length - start)
            words = self.entries.read(start * self.bits // 64, -(-(start + count) * self.bits // 64))
            yield from (start + int(place) for place in np.flatnonzero(unpack_entries(words, self.bits, count)))

    def state(self, place: int) -> State:
        """The state at a place."""
        raise NotImplementedError

    def batches(self) -> Iterator[tuple[Any, list[State]]]:
        """The places of states and the states there, some at a time, in order."""
        places = self.places()
        while some := list(islice(places, KEYS_PER_BLOCK)):
            yield np.array(some, np.int64), [self.state(place) for place in some]

    def where(self, entry: int, limit: int) -> list[int]:
        """The first places that have an entry."""
        return [int(place) for place in np.flatnonzero(self.all() == entry)[:limit]]


class KeyedTable(EntryTable):
    """States that stand in the order of their keys."""

    def __init__(
        self, game: Game, packing: Packing, keys: Column, row: StageRecord, entries: Column, uppers: Column | None
    ) -> None:
        super().__init__(row, entries, uppers)
        self.game = game
        self.packing = packing
        self.keys = keys
        self._stored = bool(keys.name)

    def key(self, place: int) -> tuple[int, ...]:
        """The key at a place."""
        words = self.packing.words
        if words > 1 or not self._stored:
            return tuple(map(int, self.keys.read(place * words, (place + 1) * words)))
        start = place // KEYS_PER_BLOCK * KEYS_PER_BLOCK
        return (int(self.keys.read(start, place + 1).sum()),)

    def locate(self, state: State) -> tuple[int, ...] | None:
        """The key of a state; None if it has none."""
        return self.packing.key(state)

    def find_many(self, located: Any) -> Any:
        order, queries = _sorted_keys(located)
        places = np.full(len(queries), -1, np.int64)
        if isinstance(self.keys.source, CompressedKeys):
            places[order] = self.keys.source.find_many(queries)
            return places
        size = KEYS_PER_BLOCK if self._stored else self.length
        parts = [(0, -(-self.length // size), 0, len(queries))]
        while parts:  # bisect the blocks, each of which is read once at most
            first, last, low, high = parts.pop()
            if first == last or low == high:
                continue
            middle = (first + last) // 2
            keys = _comparable(self._keys(middle * size, min((middle + 1) * size, self.length)))
            start = low + int(np.searchsorted(queries[low:high], keys[0]))
            stop = low + int(np.searchsorted(queries[low:high], keys[-1], side="right"))
            found = np.minimum(np.searchsorted(keys, queries[start:stop]), len(keys) - 1)
            hits = keys[found] == queries[start:stop]
            places[order[start:stop][hits]] = middle * size + found[hits]
            parts += [(first, middle, low, start), (middle + 1, last, stop, high)]
        return places

    def _keys(self, start: int, stop: int) -> Any:
        """The keys of the places start to stop - 1, a row each; `start` is that of a block."""
        words = self.packing.words
        keys = self.keys.read(start * words, stop * words)
        return (decode_keys(keys, words) if self._stored else keys).reshape(-1, words)

    def find(self, state: State) -> int | None:
        key = self.packing.key(state)
        if key is None:
            return None
        if isinstance(self.keys.source, CompressedKeys):
            place = self.keys.source.find(key[0])
            return None if place < 0 else place
        place = bisect_left(range(self.length), key, key=self.key)
        return place if place < self.length and self.key(place) == key else None

    def state(self, place: int) -> State:
        return self.packing.state(self.game, self.key(place))

    def batches(self) -> Iterator[tuple[Any, list[State]]]:
        for start in range(0, self.length, KEYS_PER_BLOCK):
            stop = min(start + KEYS_PER_BLOCK, self.length)
            keys = self._keys(start, stop).tolist()
            yield np.arange(start, stop), [self.packing.state(self.game, key) for key in keys]

    def sorted_keys(self) -> Any:
        """All keys, as tables store them."""
        array = self.keys.array()
        return decode_keys(array, self.packing.words) if self._stored else array


class IndexedTable(EntryTable):
    """States that a rule numbers."""

    def __init__(self, game: Game, stage: int, row: StageRecord, entries: Column, uppers: Column | None) -> None:
        super().__init__(row, entries, uppers)
        self.game = game
        self.stage = stage

    def find(self, state: State) -> int | None:
        place = int(self.game.index(state))
        return place if 0 <= place < self.length else None

    def locate(self, state: State) -> tuple[int, ...] | None:
        """The number of a state."""
        place = self.find(state)
        return None if place is None else (place,)

    def state(self, place: int) -> State:
        return self.game.at(self.stage, place)

    def places(self) -> Iterator[int]:
        for place in super().places():
            if self.bits != 64 or self.find(self.state(place)) == place:
                yield place


class ListedTable(EntryTable):
    """States that are kept as they are, in games that do not compile."""

    def __init__(self, states: list[State], row: StageRecord, entries: Column, uppers: Column | None) -> None:
        super().__init__(row, entries, uppers)
        self.states = states
        self.numbers = {state: number for number, state in enumerate(states)}

    def find(self, state: State) -> int | None:
        return self.numbers.get(state)

    def locate(self, state: State) -> tuple[int, ...] | None:
        """The place of a state in the list."""
        place = self.numbers.get(state)
        return None if place is None else (place,)

    def state(self, place: int) -> State:
        return self.states[place]


def _comparable(keys: Any) -> Any:
    """Keys, a row each, as an array that NumPy sorts as tables do: by the first word, then by the others."""
    if keys.shape[1] == 1:
        return keys[:, 0]
    unsigned = keys.view(np.uint64) ^ np.uint64(1 << 63)
    return np.ascontiguousarray(unsigned.astype(">u8")).view(f"S{8 * keys.shape[1]}")[:, 0]


def _sorted_keys(keys: Any) -> tuple[Any, Any]:
    """The order in which keys are sorted, and the sorted keys."""
    comparable = _comparable(np.ascontiguousarray(keys))
    order = np.argsort(comparable, kind="stable")
    return order, comparable[order]
