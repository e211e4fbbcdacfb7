"""Kernels that play random games: compiled for all cores, and for a GPU.

A game has a number, and its random numbers follow from the seed and that number alone. So the same games are played in
whatever number of threads, on whatever device.
"""

from __future__ import annotations

from typing import Any

from zermelo import bits
from zermelo.game import ONGOING
from zermelo.native.device.device_functions import (
    NO_STUCK_RULE,
    atomic_add,
    atomic_max,
    load_state,
    local_counts,
    thread_count,
)
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import chances_into, changes_player, count_moves, moves_into

WINS, DRAWS, LOSSES, UNFINISHED, PAYOFFS, DECISIONS, MOVES, STUCK, TOTALS = range(9)
"""Totals: games by outcome, the sum of payoffs, states in which a player chose, and the moves there; STUCK is one more
than the number of a game in which there is no move, and no rule that says what that means."""

LOCAL_BINS = 64
"""Counters that a thread of a GPU has of its own; what is beyond goes to the shared ones."""

REAL_BITS = 2.0**-53


def first_word(seed: Any, number: Any) -> Any:
    """Return the random word with which a game begins: never 0, which xorshift would keep."""
    return bits.mix(bits.add(bits.mix(seed), number)) | bits.unsigned(1)


def next_word(word: Any) -> Any:
    """Return the next random word: xorshift, from Marsaglia, Xorshift RNGs, 2003."""
    word = bits.unsigned(word ^ bits.shift_left(word, 13))
    word = bits.unsigned(word ^ bits.shift_right(word, 7))
    return bits.unsigned(word ^ bits.shift_left(word, 17))


def chosen_place(word: Any, count: Any) -> Any:
    """Return a random number below `count`: the upper half of a product, which is cheaper than a remainder."""
    return bits.signed(bits.shift_right(word, 32)) * count >> 32


def real_of(word: Any) -> Any:
    """Return a random number from 0 to 1, of 53 bits."""
    return bits.signed(bits.shift_right(word, 11)) * REAL_BITS


def drawn_place(word, odds, count):
    """Return the place of a random outcome among `count`, by their probabilities."""
    place, left = 0, real_of(word)
    while place < count - 1 and left >= odds[place]:
        left -= odds[place]
        place += 1
    return place


# -- all cores -------------------------------------------------------------------------------------------------------


@kernel(kinds="state int int int int int words words words words")
def play_games(game, state, seed, start, stop, limit, room, totals, lengths, branching, buffer):
    """Play the random games with the numbers `start` to `stop`. Return how far it came.

    A game ends after `limit` plies. `lengths` and `branching` count games by plies and states by moves; the last of
    each counts all that are beyond. `buffer` has room for `room` moves, and for their probabilities; where a state has
    more, the first word of it has their number.
    """
    moves, weights = buffer.part(0, room), buffer.reals(room, room)
    for number in range(start, stop):
        here, word, sign, plies = state, first_word(seed, number), 1, 0
        payoff = game.result(here)
        while payoff == ONGOING and plies < limit:
            word = next_word(word)
            place = 0
            if game.is_chance(here):
                count = chances_into(game, here, moves, weights)
                place = drawn_place(word, weights, min(count, room))
            else:
                count = moves_into(game, here, moves)
                if count == 0:
                    payoff = game.stuck(here)
                    break
                place = chosen_place(word, count)
            if count > room:
                buffer[0] = count
                return number
            if not game.is_chance(here):
                totals[DECISIONS] += 1
                totals[MOVES] += count
                branching[min(count, len(branching) - 1)] += 1
            child = game.play(here, moves[place])
            if changes_player(game, here, child):
                sign = -sign
            here = child
            plies += 1
            payoff = game.result(here)
        lengths[min(plies, len(lengths) - 1)] += 1
        if payoff == ONGOING:
            totals[UNFINISHED] += 1
        else:
            payoff *= sign
            totals[PAYOFFS] += payoff
            totals[WINS if payoff > 0 else LOSSES if payoff < 0 else DRAWS] += 1
    return stop


# -- a GPU -----------------------------------------------------------------------------------------------------------


def random_move(game, state, word, count):
    """Return a random move of a state that has `count` of them."""
    place, chosen = chosen_place(word, count), 0
    for move in game.moves(state):
        if place == 0:
            chosen = move
            break
        place -= 1
    return chosen


def random_outcome(game: Any, state: Any, word: Any) -> Any:
    """Return a random outcome of a chance state, by its probability."""
    left, chosen = real_of(word), 0
    for outcome, probability in game.chances(state):
        chosen = outcome
        if left < probability:
            break
        left -= probability
    return chosen


def count_value(counts, shared, value):
    """Count a value in the thread's own counters, or beyond those in the shared ones."""
    if value < LOCAL_BINS:
        counts[value] += 1
    else:
        atomic_add(shared, min(value, len(shared) - 1), 1)


def add_counts(counts, shared):
    """Add the thread's own counters to the shared ones."""
    for value in range(LOCAL_BINS):
        if counts[value] > 0:
            atomic_add(shared, min(value, len(shared) - 1), counts[value])


def play_on_device(game, place, start, stop, seed, limit, rows, totals, lengths, branching):
    """Play every random game from `start` to `stop` whose turn it is in this thread; as `play_games` does."""
    ended, choices = local_counts(LOCAL_BINS), local_counts(LOCAL_BINS)
    for value in range(LOCAL_BINS):
        ended[value] = 0
        choices[value] = 0
    wins = draws = losses = unfinished = payoffs = decisions = chosen_from = 0
    for number in range(start + place, stop, thread_count()):
        here, word, sign, plies = load_state(game, rows, 0), first_word(seed, number), 1, 0
        payoff = game.result(here)
        while payoff == ONGOING and plies < limit:
            word = next_word(word)
            if game.is_chance(here):
                move = random_outcome(game, here, word)
            else:
                count = count_moves(game, here)
                if count == 0:
                    payoff = game.stuck(here)
                    if payoff == NO_STUCK_RULE:
                        atomic_max(totals, STUCK, number + 1)
                    break
                move = random_move(game, here, word, count)
                decisions += 1
                chosen_from += count
                count_value(choices, branching, count)
            child = game.play(here, move)
            if changes_player(game, here, child):
                sign = -sign
            here = child
            plies += 1
            payoff = game.result(here)
        count_value(ended, lengths, plies)
        if payoff == ONGOING:
            unfinished += 1
        else:
            payoff *= sign
            payoffs += payoff
            if payoff > 0:
                wins += 1
            elif payoff < 0:
                losses += 1
            else:
                draws += 1
    add_counts(ended, lengths)
    add_counts(choices, branching)
    atomic_add(totals, WINS, wins)
    atomic_add(totals, DRAWS, draws)
    atomic_add(totals, LOSSES, losses)
    atomic_add(totals, UNFINISHED, unfinished)
    atomic_add(totals, PAYOFFS, payoffs)
    atomic_add(totals, DECISIONS, decisions)
    atomic_add(totals, MOVES, chosen_from)
