"""Learn to play 2048 for points, and measure it: the average score one ply deep.

    python bench/tiles.py OUT/2048.weights --seconds 600          # on all cores
    python bench/tiles.py OUT/large.weights --large --seconds 3600
    python bench/tiles.py OUT/2048.weights --start OUT/2048.weights --seconds 600
    python bench/tiles.py OUT/2048.weights --measure 100          # games with the weights of a file
    python bench/tiles.py none --measure 100                      # with the game's own evaluation

The network has the tuples of Szubert and Jaskowski (2014): rows and columns, and squares of two by two cells, with the
weights of tiles that the symmetries of the board exchange shared. It begins with the points of the board, a weight for
each tile, so what is learned are the points to come. States are those after a slide, before the new tile.

--large has the four tuples of six cells of Yeh and others (2016) instead, 30 million weights; tiles of 8192 and more
count as one there.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import numpy as np

import zermelo as z
from zermelo.networks.network import Cell, Lookup, Network, Part, Shape
from zermelo.networks.weight_files import with_weights

WHOLE, CAPPED = tuple(range(16)), (*range(14), 13, 13)
"""The digits of tiles: of each, and of those up to 8192."""

GROUPS = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5), (1, 2, 5, 6), (5, 6, 9, 10))
"""An outer and an inner row; the squares at a corner, at an edge and in the middle."""

LARGE_GROUPS = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
"""An outer and an inner row with two cells beside it; rectangles at a corner and at an edge."""

UNIT, MOST = 1 << 17, (1 << 15) - 1
"""Weights are stored in steps of 8 points, in 16 bits: more than 262,136 points do not fit."""


def images(group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The eight images of a group of cells."""
    found = []
    for image in range(8):
        cells = []
        for cell in group:
            row, column = divmod(cell, 4)
            row, column = (3 - row if image & 1 else row), (3 - column if image & 2 else column)
            cells.append(4 * column + row if image & 4 else 4 * row + column)
        found.append(tuple(cells))
    return found


def first_network(game, large: bool) -> Network:
    """A network that evaluates a board by its points. Cells 16 to 31 are 0 to 15 once more, with all their tiles."""
    groups = LARGE_GROUPS if large else GROUPS
    lookups = [Lookup(table, cells) for table, group in enumerate(groups) for cells in images(group)]
    lookups += [Lookup(len(groups), (16 + cell,)) for cell in range(16)]
    scale = float(game.payoff_bounds[1])
    cells = tuple(Cell((Part(0, 4 * cell, 4),), table) for table in (0, 1) for cell in range(16))
    shape = Shape(cells, (CAPPED if large else WHOLE, WHOLE), tuple(lookups), (), 1, scale, unit=UNIT)
    weights = np.zeros((1, shape.set_weights), np.int16)
    weights[0, -16:] = [min(MOST, max(0, round((power - 1) * 2**power / scale * UNIT))) for power in range(16)]
    return Network(game, shape, weights)


def play(game, weights, seed: int) -> tuple[int, int, int]:
    """One game: its score as people count it, its slides, and its largest tile."""
    dice, searched = random.Random(seed), with_weights(game, weights)
    state, fours, slides = game.initial(), 0, 0
    while True:
        if state.coming:
            tiles, odds = zip(*game.chances(state), strict=True)
            move = dice.choices(tiles, odds)[0]
            fours += move % 2
        else:
            if not list(game.moves(state)):
                break
            move = z.search(searched, state, z.Limit(depth=1)).move
            slides += 1
        state = game.play(state, move)
    largest = max(state.tiles >> 4 * cell & 15 for cell in range(16))
    return game.points(state.tiles) - 4 * fours, slides, 1 << largest


def measure(game, weights, games: int) -> None:
    began, results = time.process_time(), [play(game, weights, seed) for seed in range(games)]
    scores = np.array([score for score, _, _ in results])
    error = 1.96 * scores.std(ddof=1) / len(scores) ** 0.5
    reached = {tile: sum(largest >= tile for *_, largest in results) / games for tile in (2048, 4096, 8192, 16384)}
    shares = ", ".join(f"{tile} {share:.0%}" for tile, share in reached.items() if share)
    slides = sum(count for _, count, _ in results)
    print(f"{games} games, one ply: {scores.mean():,.0f} +- {error:,.0f} points, at most {scores.max():,}; {shares}")
    print(f"{slides / (time.process_time() - began):,.0f} slides a CPU second")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--large", action="store_true", help="tuples of six cells")
    parser.add_argument("--start", type=Path, help="weights that are learned further")
    parser.add_argument("--measure", type=int, default=0, help="games to play with the file")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    game = z.load("2048")
    if given.seconds:
        cpu = time.process_time()
        learned = z.learn(
            game, start=given.start or first_network(game, given.large), seconds=given.seconds, exploration=0.0,
            opening=0, trace=0.5, plies=1 << 16, seed=given.seed, threads=given.threads,
            on_point=lambda point: print(f"{point.games:,} games, {point.plies:,} plies", flush=True),
        )  # fmt: skip
        learned.save(given.file)
        print(
            f"{learned.facts['games']:,} games, {learned.facts['plies']:,} plies, {time.process_time() - cpu:.0f} CPU s"
        )
    if given.measure:
        measure(game, None if str(given.file) == "none" else given.file, given.measure)


if __name__ == "__main__":
    main()
