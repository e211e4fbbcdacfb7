"""Network: a learned evaluation of one game, as plain data."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import Any, NamedTuple

import numpy as np

from zermelo.game import Game
from zermelo.networks.network_format import (
    CELL_BITS,
    CELL_STARTS,
    CELLS,
    DIGIT_STARTS,
    DIGITS,
    HEADER,
    HIDDEN,
    INPUT_STARTS,
    KIND,
    LAYERS,
    LEVEL_SCALES,
    LEVELS,
    LOOKUP_STARTS,
    LOOKUP_TABLES,
    LOOKUPS,
    PARTS,
    PAYOFF_SCALE,
    PHASES,
    PLACES,
    SET_WEIGHTS,
    STAGE_STARTS,
    STAGES,
    TABLE,
    TUPLES,
    UNIT,
    VIEWS,
    WEIGHT_UNIT,
    WEIGHTS,
)
from zermelo.word_arrays import Words


class Part(NamedTuple):
    """Bits of a state's words: which word, the lowest bit, and how many."""

    word: int
    shift: int
    bits: int


class Cell(NamedTuple):
    """A cell: the parts of its raw code, the lowest first, and the number of its digit table."""

    parts: tuple[Part, ...]
    table: int

    @property
    def bits(self) -> int:
        return sum(part.bits for part in self.parts)


class Lookup(NamedTuple):
    """A tuple, or its image under a symmetry: the number of its table of weights, and its cells."""

    table: int
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Shape:
    """What a network reads of a state, and how its weights are arranged."""

    cells: tuple[Cell, ...]
    digits: tuple[tuple[int, ...], ...]
    """Digit tables: the digit of each raw code."""
    lookups: tuple[Lookup, ...] = ()
    phases: tuple[int, ...] = ()
    """The numbers of filled cells at which a new phase begins; none for a single phase."""
    views: int = 1
    """2 where each player has weights of their own."""
    payoff_scale: float = 0.0
    """The largest payoff, in games of points or of chance; 0 where a game is won, drawn or lost."""
    hidden: int = 0
    """The size of the hidden layer; 0 for a network of tuples."""
    levels: tuple[float, ...] = ()
    """The scales of the game's features, if a layered network reads them: the largest that was seen of each."""
    stages: tuple[int, ...] = ()
    """The stages at which a new phase begins, instead of numbers of filled cells."""
    unit: int = UNIT
    """A weight of 1, as it is stored; a layered network has no other unit than UNIT."""

    @property
    def radices(self) -> list[int]:
        """The number of digits of each cell."""
        return [max(self.digits[cell.table]) + 1 for cell in self.cells]

    @property
    def sets(self) -> int:
        return (len(self.phases) + len(self.stages) + 1) * self.views

    @cached_property
    def table_sizes(self) -> list[int]:
        """The weights of each table; of a layered network, of all its layers."""
        radices = self.radices
        if self.hidden:
            return [(sum(radices) + len(self.levels) + 2) * self.hidden + 1]
        sizes: dict[int, int] = {}
        for table, cells in self.lookups:
            sizes[table] = prod(radices[cell] for cell in cells)
        return [sizes[table] for table in range(len(sizes))]

    @property
    def set_weights(self) -> int:
        return sum(self.table_sizes)

    def to_dict(self) -> dict[str, Any]:
        """Return a record for JSON."""
        return asdict(self)

    # -- the words that kernels read -------------------------------------------------------------------------------

    def words(self) -> tuple[list[int], int]:
        """Return the words before the weights, and where the weights begin."""
        words = [0] * HEADER
        words[KIND], words[CELLS], words[VIEWS] = LAYERS if self.hidden else TUPLES, len(self.cells), self.views
        words[LOOKUPS], words[HIDDEN], words[SET_WEIGHTS] = len(self.lookups), self.hidden, self.set_weights
        words[LEVELS], words[STAGES], words[WEIGHT_UNIT] = len(self.levels), len(self.stages), self.unit
        words[PAYOFF_SCALE] = int(np.float64(self.payoff_scale).view(np.int64))

        def put(place: int, numbers: Any) -> None:
            words[place] = len(words)
            words.extend(numbers)

        put(PARTS, [number for cell in self.cells for number in _part_words(cell)])
        put(CELL_STARTS, accumulate((len(cell.parts) for cell in self.cells), initial=0))
        starts = list(accumulate((len(table) for table in self.digits), initial=0))
        put(DIGIT_STARTS, (starts[cell.table] for cell in self.cells))
        put(DIGITS, _octets([digit for table in self.digits for digit in table]))
        put(PHASES, _octets([sum(n >= first for first in self.phases) for n in range(len(self.cells) + 1)]))
        put(INPUT_STARTS, accumulate(self.radices, initial=0))
        put(LEVEL_SCALES, [int(word) for word in np.array(self.levels, np.float64).view(np.int64)])
        put(STAGE_STARTS, self.stages)
        offsets = list(accumulate(self.table_sizes, initial=0))
        put(LOOKUP_STARTS, accumulate((len(each.cells) for each in self.lookups), initial=0))
        put(LOOKUP_TABLES, (offsets[each.table] for each in self.lookups))
        put(PLACES, [place for each in self.lookups for place in self._places(each)])
        words[WEIGHTS] = len(words)
        return words, len(words)

    def _places(self, lookup: Lookup) -> list[int]:
        """The factor of each cell's digit, and the cell."""
        factors = accumulate((self.radices[cell] for cell in lookup.cells[:-1]), lambda a, b: a * b, initial=1)
        return [factor << CELL_BITS | cell for factor, cell in zip(factors, lookup.cells, strict=True)]


def _part_words(cell: Cell) -> list[int]:
    lefts = accumulate((part.bits for part in cell.parts), initial=0)
    parts = zip(cell.parts, lefts, strict=False)
    return [word for part, left in parts for word in (part.word, part.shift, (1 << part.bits) - 1, left)]


def _octets(numbers: list[int]) -> list[int]:
    data = bytes(numbers) + bytes(-len(numbers) % 8)
    return [int(word) for word in np.frombuffer(data, np.int64)]


def has_endings(game: Game) -> bool:
    """Return whether a game has a table of endings (see learned_game.py)."""
    return hasattr(type(game), "ending_table")


@dataclass(frozen=True, eq=False)
class Network:
    """A learned evaluation: a shape and its weights, whole numbers of its unit, one row for each set.

    `facts` tell how it was trained. `z.search(game, weights=network)` and everything else that takes `weights` searches
    with it; `save` writes it to a file.
    """

    game: Game
    shape: Shape
    weights: Any
    facts: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def words(self) -> Words:
        """The network as kernels read it."""
        head, start = self.shape.words()
        table = start + (self.weights.size + 1) // 2
        endings = self.game.ending_table.array if has_endings(self.game) else ()  # type: ignore[attr-defined]
        memory = np.zeros(table + len(endings), np.int64)
        memory[:start] = head
        memory[start:table].view(np.int32)[: self.weights.size] = self.weights.ravel()
        memory[table:], memory[TABLE] = endings, table
        return Words(memory)

    @cached_property
    def digest(self) -> str:
        """A hash of shape and weights."""
        digest = hashlib.sha256(json.dumps(self.shape.to_dict()).encode())
        digest.update(np.ascontiguousarray(self.weights, np.int16).tobytes())
        return digest.hexdigest()

    def save(self, path: Any) -> None:
        """Write the network to a file: all of it, or nothing if that fails."""
        from zermelo.networks.network_file import save_weights

        save_weights(self, path)

    def __getstate__(self) -> dict[str, Any]:
        """What was learned, without the memory that kernels read."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __repr__(self) -> str:
        kind = f"{self.shape.hidden} hidden units" if self.shape.hidden else f"{len(self.shape.table_sizes)} tuples"
        return f"<Network of {self.game!r}: {kind}, {self.weights.size:,} weights>"
