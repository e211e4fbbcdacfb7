"""Learn to play 2048 for points, and measure it: the average score one ply deep.

    python bench/tiles.py OUT/2048.weights --seconds 600          # on all cores
    python bench/tiles.py OUT/large.weights --large --seconds 3600
    python bench/tiles.py OUT/2048.weights --start OUT/2048.weights --seconds 600
    python bench/tiles.py OUT/2048.weights --measure 100          # games with the weights of a file
    python bench/tiles.py none --measure 100                      # with the game's own evaluation

The network has the tuples of Szubert and Jaskowski (2014): rows and columns, and squares of two by two cells, with the
weights of tiles that the symmetries of the board exchange shared. It begins with the points of the board, a weight for
each tile, so what is learned are the points to come. States are those after a slide, before the new tile.

--large has the four tuples of six cells of Yeh and others (2016) instead, 46 million weights; tiles of 16384 and more
count as one there. Its weights begin with the points of their cells, each shared among the lookups that read the cell.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import zermelo as z
from zermelo.networks.network import Cell, Lookup, Network, Part, Shape
from zermelo.networks.weight_files import with_weights

WHOLE, CAPPED = tuple(range(16)), (*range(15), 14)
"""The digits of tiles: of each, and of those up to 16384."""

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


def tile_points(power: int) -> int:
    """The points of a tile of 2^power; 0 is an empty cell."""
    return max(0, (power - 1) * 2**power)


def first_network(game, large: bool) -> Network:
    """A network that evaluates a board by its points."""
    return _large_network(game) if large else _small_network(game)


def _small_network(game) -> Network:
    """Cells 16 to 31 are 0 to 15 once more, for a tuple of one cell that holds the points of a tile."""
    lookups = [Lookup(table, cells) for table, group in enumerate(GROUPS) for cells in images(group)]
    lookups += [Lookup(len(GROUPS), (16 + cell,)) for cell in range(16)]
    scale = float(game.payoff_bounds[1])
    cells = tuple(Cell((Part(0, 4 * cell, 4),), 0) for _ in range(2) for cell in range(16))
    shape = Shape(cells, (WHOLE,), tuple(lookups), (), 1, scale, unit=UNIT)
    weights = np.zeros((1, shape.set_weights), np.int16)
    weights[0, -16:] = [min(MOST, round(tile_points(power) / scale * UNIT)) for power in range(16)]
    return Network(game, shape, weights)


def _large_network(game) -> Network:
    """Each weight begins with its share of the points of its cells."""
    lookups = [Lookup(table, cells) for table, group in enumerate(LARGE_GROUPS) for cells in images(group)]
    readers = Counter(cell for lookup in lookups for cell in lookup.cells)
    scale = float(game.payoff_bounds[1])
    cells = tuple(Cell((Part(0, 4 * cell, 4),), 0) for cell in range(16))
    shape = Shape(cells, (CAPPED,), tuple(lookups), (), 1, scale, unit=UNIT)
    points = np.array([tile_points(power) for power in range(max(CAPPED) + 1)]) / scale * UNIT
    tables = []
    for group in LARGE_GROUPS:
        table = np.zeros(1)
        for cell in group:  # the digit of the first cell counts least
            table = (points[:, None] / readers[cell] + table).ravel()
        tables.append(np.rint(table).clip(-MOST, MOST).astype(np.int16))
    return Network(game, shape, np.concatenate(tables)[None])


def play(game, searched, seed: int) -> tuple[int, int, int]:
    """One game: its score as people count it, its slides, and its largest tile."""
    dice, limit = random.Random(seed), z.Limit(depth=1)
    state, fours, slides = game.initial(), 0, 0
    while True:
        if state.coming:
            tiles, odds = zip(*game.chances(state), strict=True)
            move = dice.choices(tiles, odds)[0]
            fours += move % 2
        else:
            if not list(game.moves(state)):
                break
            move = z.search(searched, state, limit, table=1).move  # a larger table would only be cleared more slowly
            slides += 1
        state = game.play(state, move)
    largest = max(state.tiles >> 4 * cell & 15 for cell in range(16))
    return game.points(state.tiles) - 4 * fours, slides, 1 << largest


class Measured:
    """What a process that plays games has: the game, and the game with the weights."""

    game: z.Game
    searched: z.Game

    @classmethod
    def open(cls, weights) -> None:
        cls.game = z.load("2048")
        cls.searched = with_weights(cls.game, weights)

    @classmethod
    def play(cls, seed: int) -> tuple[int, int, int, float]:
        began = time.process_time()
        return *play(cls.game, cls.searched, seed), time.process_time() - began


def measure(weights, games: int, threads: int | None) -> dict:
    """Play games one ply deep, in processes; print and return what they reached."""
    Measured.open(weights)
    first = z.position(Measured.game, "a1:2 b1:2")
    z.search(Measured.searched, first, z.Limit(depth=1), table=1)  # compiles, before every process needs the code
    processes, spawn = min(games, threads or os.cpu_count() or 1), multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, spawn, initializer=Measured.open, initargs=(weights,)) as pool:
        results = []
        for row in pool.map(Measured.play, range(games)):
            results.append(row)
            if len(results) % 20 == 0:
                print(f"{len(results)} games: {sum(score for score, *_ in results) / len(results):,.0f}", flush=True)
    scores = np.array([score for score, *_ in results])
    error = 1.96 * scores.std(ddof=1) / len(scores) ** 0.5 if games > 1 else 0.0
    reached = {tile: sum(row[2] >= tile for row in results) / games for tile in (2048, 4096, 8192, 16384)}
    shares = ", ".join(f"{tile} {share:.0%}" for tile, share in reached.items() if share)
    slides, seconds = sum(row[1] for row in results), sum(row[3] for row in results)
    print(f"{games} games, one ply: {scores.mean():,.0f} +- {error:,.0f} points, at most {scores.max():,}; {shares}")
    print(f"{slides / seconds:,.0f} slides a CPU second")
    return {"games": games, "mean": float(scores.mean()), "error": float(error), "reached": reached,
            "scores": scores.tolist(), "slides": slides, "cpu_seconds": seconds}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--large", action="store_true", help="tuples of six cells")
    parser.add_argument("--start", type=Path, help="weights that are learned further")
    parser.add_argument("--measure", type=int, default=0, help="games to play with the file")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="a file for the learning curve and the scores")
    given = parser.parse_args()
    game, record = z.load("2048"), {}
    if given.seconds:
        cpu = time.process_time()
        learned = z.learn(
            game, start=given.start or first_network(game, given.large), seconds=given.seconds, exploration=0.0,
            opening=0, trace=0.5, plies=1 << 16, seed=given.seed, threads=given.threads,
            on_point=lambda point: print(f"{point.games:,} games, {point.plies:,} plies", flush=True),
        )  # fmt: skip
        learned.save(given.file)
        record["learning"] = learned.facts
        print(
            f"{learned.facts['games']:,} games, {learned.facts['plies']:,} plies, {time.process_time() - cpu:.0f} CPU s"
        )
    if given.measure:
        record["measured"] = measure(None if str(given.file) == "none" else given.file, given.measure, given.threads)
    if given.json:
        given.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
