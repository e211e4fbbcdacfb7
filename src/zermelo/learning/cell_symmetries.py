"""The symmetries of a game as permutations of its cells, so that equivalent places share weights.

Candidates are the turns and reflections of the board. One counts if the `symmetries` rule makes it: all its states are
images of the sampled ones under it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from zermelo.game import Game
from zermelo.learning.board_squares import Place
from zermelo.learning.cell_sources import CellSources, state_words

Permutation = tuple[int, ...]
"""The cell that each cell comes from."""

MOVES: list[Callable[[float, float], Place]] = [
    lambda x, y: (x, y), lambda x, y: (-x, y), lambda x, y: (x, -y), lambda x, y: (-x, -y),
    lambda x, y: (y, x), lambda x, y: (-y, x), lambda x, y: (y, -x), lambda x, y: (-y, -x),
]  # fmt: skip
"""The symmetries of a square around its middle."""

MIN_STATES = 8
"""States that must confirm a symmetry."""


def cell_symmetries(game: Game, sources: CellSources) -> list[Permutation]:
    """Return the symmetries of a game, the identity first."""
    identity = tuple(range(len(sources.cells)))
    if not game.has("symmetries"):
        return [identity]
    pairs = [(state, image) for state in sources.samples for image in game.symmetries(state) if image != state]
    if not pairs:
        return [identity]
    states, images = (sources.read(state_words(game, [pair[side] for pair in pairs])) for side in (0, 1))
    candidates = {permutation: 0 for permutation in board_permutations(sources) if permutation != identity}
    explained = np.zeros(len(pairs), bool)
    for permutation in candidates:
        same = (images == states[:, permutation]).all(axis=1)
        candidates[permutation] = int(same.sum())
        explained |= same
    if not explained.all():  # the rule makes images that are none of the board
        return [identity]
    return [identity, *(each for each, count in candidates.items() if count >= min(MIN_STATES, len(pairs)))]


def board_permutations(sources: CellSources) -> list[Permutation]:
    """Return the turns and reflections of the board that map cells to cells."""
    placed = {place: cell for cell, place in enumerate(sources.places) if place is not None}
    if not placed:
        return []
    x, y = (sum((min(axis), max(axis))) / 2 for axis in zip(*placed, strict=True))
    found = []
    for move in MOVES:
        permutation = list(range(len(sources.cells)))
        for (u, v), cell in placed.items():
            a, b = move(u - x, v - y)
            permutation[cell] = placed.get((a + x, b + y), -1)
        same_digits = all(sources.cells[at].table == sources.cells[to].table for at, to in enumerate(permutation))
        if sorted(permutation) == list(range(len(permutation))) and same_digits:
            found.append(tuple(permutation))
    return found


def closure(permutations: list[Permutation]) -> list[Permutation]:
    """Return the group that permutations generate.

    >>> closure([(0, 1, 2), (1, 2, 0)])
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    found = dict.fromkeys(permutations)
    while True:
        new = [tuple(one[cell] for cell in two) for one, two in product(found, permutations)]
        if all(each in found for each in new):
            return [*found]
        found.update(dict.fromkeys(new))
