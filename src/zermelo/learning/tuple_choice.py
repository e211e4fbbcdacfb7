"""Choose the tuples of a network: straight lines and random walks over neighbouring cells."""

from __future__ import annotations

import random
from dataclasses import replace
from math import prod

from zermelo.game import Game
from zermelo.learning.board_squares import Place, neighbours
from zermelo.learning.cell_sources import CellSources, find_cells, state_words
from zermelo.learning.cell_symmetries import Permutation, cell_symmetries, closure
from zermelo.networks.network import Lookup, Shape
from zermelo.networks.network_format import MAX_CELLS, MAX_HIDDEN, MAX_SCALE, MAX_SETS

TABLE_WEIGHTS = 6561
"""The most weights of a tuple: eight cells of three digits."""

MAX_LENGTH = 10
"""The most cells of a tuple."""

MAX_LOOKUPS = 96
"""Lookups of an evaluation: what it costs in a search."""

MAX_PHASES, PHASE_CELLS = 4, 8
"""Phases, and how many cells must be filled in one and empty in another to make a phase."""

LINE_SHARE = 0.5
"""The share of tuples that are straight lines."""


def choose_shape(
    game: Game,
    *,
    tuples: int = 24,
    weights: int = TABLE_WEIGHTS,
    hidden: int = 0,
    stages: tuple[int, ...] = (),
    seed: int = 0,
    scale: float = 0.0,
) -> Shape:
    """Choose the shape of a network for a game: its cells, and its tuples or the size of its hidden layer."""
    sources = find_cells(game, seed)
    phases = choose_phases(game, sources) if not hidden and not stages else ()
    shape = Shape(sources.cells, sources.digits, (), phases, sources.views, scale, hidden, stages=stages)
    if hidden:
        return replace(shape, levels=choose_levels(game, sources))
    chooser = _Chooser(sources, shape.radices, weights, random.Random(seed))
    group = closure(cell_symmetries(game, sources))
    return replace(shape, lookups=chooser.lookups(tuples, group))


def choose_levels(game: Game, sources: CellSources) -> tuple[float, ...]:
    """Return the scales of the game's features: the largest of each in random games. None if they are too many."""
    if not game.has("features"):
        return ()
    largest = [max(map(abs, column)) for column in zip(*map(game.features, sources.samples), strict=True)]
    room = min(MAX_HIDDEN, MAX_CELLS - len(sources.cells))
    scales = (min(max(float(size), 1 / MAX_SCALE), MAX_SCALE) if size else 1.0 for size in largest)
    return tuple(scales) if len(largest) <= room else ()


def choose_phases(game: Game, sources: CellSources) -> tuple[int, ...]:
    """Return the numbers of filled cells at which phases begin: quartiles of those in random games."""
    filled = sorted((sources.read(state_words(game, sources.samples)) != 0).sum(axis=1).tolist())
    spread = filled[-1] - filled[0]
    phases = min(MAX_PHASES, MAX_SETS // sources.views, 1 + spread // PHASE_CELLS)
    return tuple(sorted({filled[len(filled) * number // phases] for number in range(1, phases)} - {filled[0]}))


class _Chooser:
    """Draws tuples that cover all cells evenly."""

    def __init__(self, sources: CellSources, radices: list[int], weights: int, dice: random.Random) -> None:
        self.dice, self.radices, self.weights = dice, radices, weights
        self.placed = {place: cell for cell, place in enumerate(sources.places) if place is not None}
        self.places: dict[int, Place] = {cell: place for place, cell in self.placed.items()}
        numbers = [*self.places]
        near = neighbours([*self.places.values()], sources.hexagonal)
        self.near = {cell: [numbers[one] for one in near[at]] for at, cell in enumerate(numbers)}
        self.others = [cell for cell, place in enumerate(sources.places) if place is None]
        if not self.placed:  # nothing is known of where cells lie: those with adjacent numbers are neighbours
            self.near = {c: [n for n in (c - 1, c + 1) if 0 <= n < len(radices)] for c in range(len(radices))}
        self.covered = dict.fromkeys(range(len(radices)), 0)

    def lookups(self, tuples: int, group: list[Permutation]) -> tuple[Lookup, ...]:
        """Return the lookups of some tuples and of their images, as many as MAX_LOOKUPS allow."""
        found: list[Lookup] = []
        seen: set[frozenset[int]] = set()
        table = 0
        for cell in self.others if self.placed else []:
            found.append(Lookup(table, (cell,)))
            table += 1
        for _ in range(20 * tuples):
            if table >= tuples or (found and len(found) + len(group) > MAX_LOOKUPS):
                break
            cells = self._line() if self.placed and self.dice.random() < LINE_SHARE else self._walk()
            if (len(cells) < 2 and len(self.radices) > 1) or frozenset(cells) in seen:
                continue
            # all images, also those of the same cells in another order: equivalent states get the same evaluation
            images = dict.fromkeys(tuple(permutation[cell] for cell in cells) for permutation in group)
            for image in images:
                seen.add(frozenset(image))
                found.append(Lookup(table, image))
                for cell in image:
                    self.covered[cell] += 1
            table += 1
        return tuple(found)

    def _start(self) -> int:
        fewest = min(self.covered[cell] for cell in self.near)
        return self.dice.choice([cell for cell in self.near if self.covered[cell] == fewest])

    def _fits(self, cells: list[int]) -> bool:
        return len(cells) <= MAX_LENGTH and prod(self.radices[cell] for cell in cells) <= self.weights

    def _walk(self) -> list[int]:
        """A random walk over neighbouring cells."""
        cells = [self._start()]
        while self._fits(cells):
            border = sorted({near for cell in cells for near in self.near[cell]} - {*cells})
            if not border:
                return cells
            cells.append(self.dice.choice(border))
        return cells[:-1] or cells

    def _line(self) -> list[int]:
        """A straight line through a cell, as long as it fits."""
        start = self._start()
        if not self.near[start]:
            return [start]
        x, y = self.places[start]
        u, v = self.places[self.dice.choice(self.near[start])]
        cells = [start]
        for sign in (1, -1):
            step = 1
            while (place := (x + sign * step * (u - x), y + sign * step * (v - y))) in self.placed:
                if not self._fits([*cells, self.placed[place]]):
                    break
                cells.append(self.placed[place])
                step += 1
        return cells
