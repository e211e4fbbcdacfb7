"""Perft on a GPU: states are expanded breadth first, some at a time, and a thread counts the last two plies of one."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo import bits, rules
from zermelo.game import ONGOING, Game, State
from zermelo.native.device.cuda import cuda_game
from zermelo.native.device.device_check import check_device
from zermelo.native.device.device_functions import load_state, store_state
from zermelo.native.device.device_platform import arrays
from zermelo.rules import count_moves

CHUNK_STATES = 1 << 21
"""States that are expanded together: their successors stay on the device."""


def perft_on_device(game: Game, state: State, depth: int) -> int:
    """Count as `perft` does, for a depth of at least 1. Raise GameError if there is no GPU."""
    check_device(f"perft of {game!r}", game)
    xp, device, length = arrays(), cuda_game(game), rules.state_length(game)
    first = xp.asarray(np.array([bits.signed(int(number)) for number in rules.numbers(state)], np.int64))
    waiting, total = [(first, depth)], 0
    while waiting:
        rows, plies = waiting.pop()
        count = len(rows) // length
        if count > CHUNK_STATES and plies > 2:
            waiting += [
                (rows[start * length : (start + CHUNK_STATES) * length], plies)
                for start in range(0, count, CHUNK_STATES)
            ]
            continue
        counts = xp.zeros(count, xp.int64)
        device.run(count_successors, count, 2 if plies == 2 else 1, length, rows, counts)
        if plies <= 2:
            total += int(counts.sum())
            continue
        ends = xp.cumsum(counts)
        if successors := int(ends[-1]):
            after = xp.empty(successors * length, xp.int64)
            device.run(store_successors, count, length, rows, ends, after)
            waiting.append((after, plies - 1))
    return total


def successors_of(game: Any, state: Any) -> int:
    """The number of moves, or outcomes, of a state; none once the game is over."""
    count = 0
    if game.result(state) == ONGOING:
        if game.is_chance(state):
            for _, _ in game.chances(state):
                count += 1
        else:
            count = count_moves(game, state)
    return count


def count_successors(game: Any, place: int, plies: int, length: int, rows: Any, counts: Any) -> None:
    """Count the move sequences of one or two plies from a state."""
    state = load_state(game, rows, place * length)
    total = 0
    if plies == 1:
        total = successors_of(game, state)
    elif game.result(state) == ONGOING:
        if game.is_chance(state):
            for outcome, _ in game.chances(state):
                total += successors_of(game, game.play(state, outcome))
        else:
            for move in game.moves(state):
                total += successors_of(game, game.play(state, move))
    counts[place] = total


def store_successors(game: Any, place: int, length: int, rows: Any, ends: Any, after: Any) -> None:
    """Write the successors of a state, one after the other, where those of the states before it end."""
    state = load_state(game, rows, place * length)
    at = ends[place - 1] if place > 0 else 0
    if game.result(state) == ONGOING:
        if game.is_chance(state):
            for outcome, _ in game.chances(state):
                store_state(game, game.play(state, outcome), after, at * length)
                at += 1
        else:
            for move in game.moves(state):
                store_state(game, game.play(state, move), after, at * length)
                at += 1
