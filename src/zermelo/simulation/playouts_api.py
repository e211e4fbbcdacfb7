"""Playouts: random games from a state, on all cores or on a GPU, and what they tell of a game."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from zermelo import bits, rules
from zermelo.arguments import check_choice, check_int, checked_game, checked_threads
from zermelo.game import ONGOING, Game, State
from zermelo.native.compilability import to_native
from zermelo.native.interpretation import warn_if_interpreted
from zermelo.simulation.playouts_result import Playouts
from zermelo.simulation.random_games import (
    DECISIONS,
    DRAWS,
    LOSSES,
    MOVES,
    PAYOFFS,
    STUCK,
    TOTALS,
    UNFINISHED,
    WINS,
    chosen_place,
    first_word,
    next_word,
    play_games,
    play_on_device,
    random_outcome,
)
from zermelo.word_arrays import Words

MAX_PLIES = 10_000
"""Plies of a game after which it counts as unfinished, unless the caller says otherwise."""

BRANCHING_BINS = 1 << 12
"""States with more moves than this are counted together."""

MOST_GAMES = 1 << 20
"""Games that a thread plays at a time."""

DEVICE_THREADS = 132 * 2048 * 2
"""Threads of a launch on a GPU: twice those that the largest ones hold at a time."""

DEVICE_GAMES = 1 << 33
"""Games of a launch: a thread counts them in 32 bits."""


def playouts(
    game: Game,
    state: State = None,
    n: int = 10_000,
    *,
    on: str = "cpu",
    seed: int = 0,
    limit: int = MAX_PLIES,
    threads: int | None = None,
) -> Playouts:
    """Play `n` random games from `state` and return their statistics: outcomes, lengths and branching.

    Every move is equally likely, and chance has its own probabilities. A game that is not over after `limit` plies is
    unfinished. The games follow from the `seed`: they are the same in any number of `threads`, on the CPU and on a GPU
    (`on="cuda"`). None is all cores. Rules that do not compile are interpreted.

    >>> import zermelo as z
    >>> random = z.playouts(z.load("tic_tac_toe"), n=100_000)
    >>> f"{random.win_rate:.0%} {random.draw_rate:.0%} {random.loss_rate:.0%} {random.mean_length:.1f} plies"
    '59% 13% 29% 7.6 plies'
    """
    where = f"playouts of {checked_game('playouts', game)!r}"
    check_int(where, least=1, n=n)
    check_int(where, least=1, most=1 << 24, limit=limit)
    check_int(where, seed=seed)
    check_choice(where, ("cpu", "cuda"), on=on)
    cores = checked_threads(where, threads)
    state = rules.given_state(game, state)
    counts = _Counts(limit)
    if on == "cuda":
        seconds = _play_on_device(where, game, state, n, bits.signed(seed), limit, counts)
    else:
        buffer = Words.zeros(2)
        compiled = play_games.ready(game, state, 0, 0, 0, 1, 1, buffer, buffer, buffer, buffer)
        if not compiled:
            warn_if_interpreted(game)
        began = time.perf_counter()
        play = _play_compiled if compiled else _play_interpreted
        play(game, state, n, bits.signed(seed), limit, cores, counts)
        seconds = time.perf_counter() - began
    return counts.statistics(game, state, n, on, seed, seconds)


class _Counts:
    """What is counted of the games."""

    def __init__(self, limit: int) -> None:
        self.totals = np.zeros(TOTALS, np.int64)
        self.lengths = np.zeros(limit + 1, np.int64)
        self.branching = np.zeros(BRANCHING_BINS, np.int64)

    def add(self, other: _Counts) -> None:
        self.totals += other.totals
        self.lengths += other.lengths
        self.branching += other.branching

    def statistics(self, game: Game, state: State, n: int, on: str, seed: int, seconds: float) -> Playouts:
        total = self.totals.tolist()
        return Playouts(
            game, state, n, total[WINS], total[DRAWS], total[LOSSES], total[UNFINISHED], total[PAYOFFS],
            total[DECISIONS], total[MOVES], _histogram(self.lengths), _histogram(self.branching), on, seed, seconds,
        )  # fmt: skip


def _histogram(counts: Any) -> dict[int, int]:
    return {int(value): int(counts[value]) for value in np.flatnonzero(counts)}


# -- all cores -------------------------------------------------------------------------------------------------------


def _play_compiled(game: Game, state: State, n: int, seed: int, limit: int, threads: int, counts: _Counts) -> None:
    size = max(1, min(MOST_GAMES, n // (8 * threads)))
    parts = [(start, min(start + size, n)) for start in range(0, n, size)]
    parts.reverse()
    to_native(game, state)

    def work(_: int) -> _Counts:
        mine, room = _Counts(limit), 256
        buffer = Words.zeros(2 * room)
        while parts:
            try:
                start, stop = parts.pop()
            except IndexError:
                break
            while True:
                part = _Counts(limit)
                arrays = [Words(array) for array in (part.totals, part.lengths, part.branching)]
                if play_games(game, state, seed, start, stop, limit, room, *arrays, buffer) == stop:
                    break
                room = 2 * buffer[0]  # a game was counted in part: count anew
                buffer = Words.zeros(2 * room)
            mine.add(part)
        return mine

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(work, range(threads))) if threads > 1 else [work(0)]
    for each in found:
        counts.add(each)


def _play_interpreted(game: Game, state: State, n: int, seed: int, limit: int, threads: int, counts: _Counts) -> None:
    """Play the same games as `play_games`, with states and moves of any type."""
    for number in range(n):
        payoff, plies = _interpreted_game(game, state, first_word(seed, number), limit, counts)
        counts.lengths[plies] += 1
        counts.totals[UNFINISHED if payoff == ONGOING else WINS if payoff > 0 else LOSSES if payoff < 0 else DRAWS] += 1
        counts.totals[PAYOFFS] += 0 if payoff == ONGOING else payoff


def _interpreted_game(game: Game, state: State, word: int, limit: int, counts: _Counts) -> tuple[int, int]:
    """Return the payoff of a random game, seen by the player to move in `state`, and its plies."""
    sign, plies = 1, 0
    payoff = rules.whole_number(game, "result", state, game.result(state))
    while payoff == ONGOING and plies < limit:
        word = next_word(word)
        if game.is_chance(state):
            move = _drawn_outcome(game, state, word)
        else:
            moves = rules.legal_actions(game, state)
            if not moves:
                payoff = rules.payoff(game, state)
                break
            counts.totals[DECISIONS] += 1
            counts.totals[MOVES] += len(moves)
            counts.branching[min(len(moves), BRANCHING_BINS - 1)] += 1
            move = moves[chosen_place(word, len(moves))]
        child = game.play(state, move)
        sign = -sign if rules.changes_player(game, state, child) else sign
        state = child
        plies += 1
        payoff = rules.whole_number(game, "result", state, game.result(state))
    return (payoff if payoff == ONGOING else sign * payoff), plies


def _drawn_outcome(game: Game, state: State, word: int) -> Any:
    try:
        return random_outcome(game, state, word)
    except (TypeError, ValueError):
        rules.listed_chances(game, state)  # says what is wrong with them
        raise


# -- a GPU -----------------------------------------------------------------------------------------------------------


def _play_on_device(where: str, game: Game, state: State, n: int, seed: int, limit: int, counts: _Counts) -> float:
    """Play the games on the GPU; return the seconds they took without compilation."""
    from zermelo.native.device.cuda import cuda_game
    from zermelo.native.device.device_check import check_device
    from zermelo.native.device.device_platform import arrays, is_simulated, synchronize, to_host

    check_device(where, game)
    device, xp = cuda_game(game), arrays()
    rows = xp.asarray(np.array([bits.signed(int(number)) for number in rules.numbers(state)], np.int64))
    found = [xp.asarray(array) for array in (counts.totals, counts.lengths, counts.branching)]
    threads = min(n, 64 if is_simulated() else DEVICE_THREADS)
    device.run(play_on_device, 1, 0, 0, seed, limit, rows, *found)  # no games: this compiles
    synchronize()
    began = time.perf_counter()
    for start in range(0, n, DEVICE_GAMES):
        device.run(play_on_device, threads, start, min(start + DEVICE_GAMES, n), seed, limit, rows, *found)
    synchronize()
    seconds = time.perf_counter() - began
    counts.totals, counts.lengths, counts.branching = (to_host(array) for array in found)
    if stuck := int(counts.totals[STUCK]):
        _interpreted_game(game, state, first_word(seed, stuck - 1), limit, counts)  # raises what the rules raise
    return seconds
