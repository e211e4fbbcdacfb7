"""Capture and recapture: a lower estimate of the number of states from random games.

Chao's estimator compares the number of states seen once with the number seen twice. It is for games in which play
repeats and which are too large to be counted, since samples of their stages say nothing.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from zermelo import bits
from zermelo.game import ONGOING, Game
from zermelo.keys import state_key
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, chances_into, moves_into
from zermelo.solving.random_play import random_games
from zermelo.solving.retrograde.solver_memory import MAX_MOVES, move_list, new_memory
from zermelo.word_arrays import Words

SAMPLE_PLIES = 200
SAMPLE_GAMES = (200, 5_000, 100_000)
"""Numbers of random games: the next is tried while too few states are seen twice."""

MIN_SEEN_TWICE = 10
"""States that must be seen twice for an estimate."""


def states_of_random_games(game: Game, *, compiled: bool) -> int:
    """Return a lower estimate of the number of states."""
    states, plies = 1, SAMPLE_PLIES
    for samples in SAMPLE_GAMES if compiled else SAMPLE_GAMES[:2]:
        by_plies, keys = _sampled(game, samples, plies, compiled)
        found = [_chao(np.array(column)) for column in by_plies if column.any()]
        states, enough = _together(found, _chao(keys))
        if enough:
            break
        plies = SAMPLE_PLIES if game.loops else min(SAMPLE_PLIES, 2 * len(found) + 2)
    return 1 + states


class _Chao(NamedTuple):
    """What a sample says: the distinct keys in it, an estimate of all, and whether enough were seen twice."""

    distinct: int
    states: int
    enough: bool


def _together(found: list[_Chao], pooled: _Chao) -> tuple[int, bool]:
    """Estimate the states from the sample of each number of plies and from all of them, and whether that is enough.

    Where no state is seen after two numbers of plies, the estimates of all numbers are added up. Else all samples are
    one. No number of plies has more states than there are, which helps where most samples are of the opening.
    """
    enough = all(each.enough for each in found)
    if pooled.distinct == sum(each.distinct for each in found):
        return sum(each.states for each in found), enough
    return max(each.states for each in (pooled, *found)), enough and pooled.enough


def _sampled(game: Game, samples: int, plies: int, compiled: bool) -> tuple[list[Any], Any]:
    """Return the keys of the states of random games by their number of plies, and all of them; 0 is none."""
    if samples == SAMPLE_GAMES[0] or not compiled:
        by_plies = _sampled_keys(game, samples)
        return by_plies, np.concatenate(by_plies)
    seen, memory = Words.zeros(samples * plies), new_memory(0, 0, 1024, 0)
    sample_games(game, game.initial(), samples, plies, seen, memory)
    return list(seen.array.reshape(samples, plies).T), seen.array


def _chao(keys: Any) -> _Chao:
    """Estimate the number of distinct keys by those seen once and twice.

    The keys are sorted in place, since they may be many. 0 is none.
    """
    keys.sort()
    below, above = np.searchsorted(keys, 0), np.searchsorted(keys, 0, "right")
    counts = zip(_repetitions(keys[:below]), _repetitions(keys[above:]), strict=True)
    distinct, once, twice = (one + other for one, other in counts)
    states = distinct + once * max(once - 1, 0) // (2 * (twice + 1))
    return _Chao(distinct, states, once < MIN_SEEN_TWICE or twice >= MIN_SEEN_TWICE)


def _repetitions(keys: Any) -> tuple[int, int, int]:
    """Return how many distinct keys there are among sorted ones, how many stand there once, and how many twice."""
    first = np.ones(len(keys) + 2, bool)  # whether a key is the first of its kind; after the last, a new kind begins
    np.not_equal(keys[1:], keys[:-1], out=first[1 : len(keys)])
    here, next, last = first[:-2], first[1:-1], first[2:]
    return int(here.sum()), int((here & next).sum()), int((here & ~next & last).sum())


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
