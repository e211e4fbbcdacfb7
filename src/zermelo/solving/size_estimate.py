"""Size estimates: the number of states of a game, and the memory and disk that solving it takes.

Where no rule numbers the states, random games are sampled. Chao's estimator compares the number of states seen once
with the number seen twice. It is a lower estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import bits, rules
from zermelo.formatting import size_text
from zermelo.game import ONGOING, Game, GameError
from zermelo.keys import state_key
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, chances_into, moves_into
from zermelo.solving.enumeration.number_ranges import ranges_of
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import LOAD_FACTOR
from zermelo.solving.plan import Plan, plan
from zermelo.solving.random_play import random_games
from zermelo.solving.retrograde.solver_memory import MAX_MOVES, move_list, new_memory
from zermelo.word_arrays import Words

SAMPLE_PLIES = 200
SAMPLE_GAMES = (200, 5_000, 100_000)
"""Numbers of random games: the next is tried while too few states are seen twice."""

MIN_SEEN_TWICE = 10
"""States that must be seen twice for an estimate."""


@dataclass(frozen=True)
class Estimate:
    """States, and bytes of memory and of disk that solving them takes."""

    states: int
    memory: int
    disk: int

    def __str__(self) -> str:
        memory, disk = size_text(self.memory), size_text(self.disk)
        return f"at least about {self.states:,} states, {memory} of memory and {disk} of disk"


class TooLarge(GameError):
    """A solve that would not fit: why, and what each option that is left would do about it."""

    def __init__(self, why: str, ways: dict[str, str]) -> None:
        super().__init__(f"{why}; {', '.join(f'{option} {effect}' for option, effect in ways.items())}.")
        self.why = why
        self.ways = ways


def estimate(game: Game, wdl: bool = False, stage: int | None = None, packing: Packing | None = None) -> Estimate:
    """Estimate what solving a game takes; `packing` is that of its states, if it is known already.

    >>> import zermelo as z
    >>> estimate(z.load("tic_tac_toe")).states > 500
    True
    """
    chosen = plan(game, wdl)
    if chosen.method == "dense":
        return _numbered(game, wdl, stage)
    return _sampled(game, chosen, packing)


def available_memory() -> int:
    """Return the bytes of memory that are available."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    from zermelo.solving.storage.store import memory_size

    return memory_size()


def _numbered(game: Game, wdl: bool, stage: int | None) -> Estimate:
    """Sum the sizes of the stages that random games reach."""
    stages = {int(game.stage(game.initial())) if stage is None else stage}
    for states in random_games(game, 100, SAMPLE_PLIES, seed=1):
        stages.update(int(game.stage(state)) for state, _ in states)
    sizes = [int(game.size(each)) for each in stages if stage is None or each >= stage]
    kept = sum(sizes) // (4 if wdl else 1)
    links = 0 if rules.has_predecessors(game) or not game.loops else 60
    return Estimate(sum(sizes), kept + max(sizes) * (48 + links), kept)


def _sampled(game: Game, chosen: Plan, packing: Packing | None) -> Estimate:
    layers, plies = [1], SAMPLE_PLIES
    compiled = chosen.method == "reachable"
    for samples in SAMPLE_GAMES if compiled else SAMPLE_GAMES[:2]:
        layers, enough = _layers(game, samples, plies, bool(game.loops), compiled)
        if enough:
            break
        plies = min(SAMPLE_PLIES, 2 * len(layers)) if not game.loops else SAMPLE_PLIES
    states = sum(layers)
    if chosen.method == "interpreted":
        return Estimate(states, 1000 * states, 20 * states)
    key = 8 * (packing or Packing.fitting(ranges_of(game))).words / LOAD_FACTOR
    if chosen.step or (game.loops and not game.has("stage")):  # all stages are one, at the latest in the end
        return Estimate(states, int(states * (2 * key + 60)), int(states * 8))
    return Estimate(states, int(2 * max(layers) * (2 * key + 20)), int(states * 8))


def _layers(game: Game, samples: int, plies: int, pooled: bool, compiled: bool) -> tuple[list[int], bool]:
    """Estimate the states after each number of plies, or in all (`pooled`), and whether the samples are enough."""
    if samples == SAMPLE_GAMES[0] or not compiled:
        keys = _sampled_keys(game, samples)
    else:
        seen, memory = Words.zeros(samples * plies), new_memory(0, 0, 1024, 0)
        sample_games(game, game.initial(), samples, plies, seen, memory)
        keys = list(seen.array.reshape(samples, plies).T)
    columns = [column[column != 0] for column in keys]
    found = [_chao(column) for column in columns if len(column)]
    if pooled:  # no number of plies has more than all together, and late ones are not swamped by the opening
        found.append(_chao(np.concatenate(columns)))
        return [1, max(count for count, _ in found)], all(enough for _, enough in found)
    return [1, *(count for count, _ in found)], all(enough for _, enough in found)


def _chao(keys: Any) -> tuple[int, bool]:
    """Estimate the number of distinct keys by those seen once and twice, and whether enough were seen twice."""
    _, numbers = np.unique(keys, return_counts=True)
    once, twice = int((numbers == 1).sum()), int((numbers == 2).sum())
    return len(numbers) + once * max(once - 1, 0) // (2 * (twice + 1)), once < MIN_SEEN_TWICE or twice >= MIN_SEEN_TWICE


def _sampled_keys(game: Game, samples: int) -> list[Any]:
    """Return the keys of the states of random games by their number of plies, interpreted."""
    columns: list[list[int]] = [[] for _ in range(SAMPLE_PLIES)]
    for states in random_games(game, samples, SAMPLE_PLIES, seed=1, folded=True):
        for column, (state, _) in zip(columns, islice(states, 1, None), strict=False):
            column.append(state_key(game, state) or 1)
    return [np.array(column, np.int64) for column in columns]


@kernel(kinds="state int int words words")
def sample_games(game, state, samples, plies, seen, memory):
    """Play random games, and write the key of every state to `seen` by game and ply."""
    moves, weights = move_list(memory, 0), move_list(memory, 1).reals(0, memory[MAX_MOVES])
    seed = 1
    for sample in range(samples):
        here = state
        for ply in range(plies):
            if game.result(here) != ONGOING:
                break
            chance = game.is_chance(here)
            count = chances_into(game, here, moves, weights) if chance else moves_into(game, here, moves)
            count = min(count, memory[MAX_MOVES])
            if count == 0:
                break
            seed = bits.signed(bits.mix(bits.add(seed, 0x9E3779B97F4A7C15)))
            here = canonical(game, game.play(here, moves[(seed >> 11 & 0xFFFFFFFFFFFF) % count]))
            seen[sample * plies + ply] = state_key(game, here) | 1
    return samples


def free_disk(path: Path) -> int:
    """Return the free bytes of the disk of a path; without limit if no folder exists, which writing reports."""
    import shutil

    folder = path.resolve().parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free if folder.is_dir() else 1 << 63
