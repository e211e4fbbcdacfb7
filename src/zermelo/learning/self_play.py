"""Self-play, as a kernel: games in which each move is the best one by the network, one ply deep.

Every state of a game gets a target: the return of TD(lambda). It mixes the value of the best move, by the network, with
the target of the next state, down to the end of the game. A move that is drawn by lot and is not the best one cuts the
mix: the state before it is worth its best move.
"""

from __future__ import annotations

import math

from zermelo.game import ONGOING
from zermelo.learning.network_value import normalised, read_inputs, sum_of_weights
from zermelo.learning.training_format import (
    BEST,
    CHANCE,
    EXPLORATION,
    EXPLORED,
    FLAGS,
    LAST,
    MAX_GAME_PLIES,
    NO_SET,
    OPENING_PLIES,
    PLAYED_PLIES,
    RECORD_HEAD,
    RECORD_WORDS,
    RECORDS_HEAD,
    ROOM,
    ROWS,
    SET,
    TARGET,
    TRACE,
    TURNED,
)
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import chances_into, changes_player, moves_into, state_length, state_to_words
from zermelo.simulation.random_games import chosen_place, drawn_place, first_word, next_word, real_of


@kernel(kinds="state int int int words words words words words")
def play_and_record(game, state, seed, start, stop, network, weights, settings, records, buffer):
    """Play the games with the numbers `start` to `stop` and record their states. Return how far it came.

    `buffer` has room for moves, probabilities, and scratch memory. Where a state has more moves, settings[ROOM] becomes
    their negative number and the kernel returns at once.
    """
    room = settings[ROOM]
    moves, odds, scratch = buffer.part(0, room), buffer.reals(room, room), buffer.part(2 * room, len(buffer) - 2 * room)
    size, limit = settings[RECORD_WORDS], settings[MAX_GAME_PLIES]
    exploration, trace = settings.reals(EXPLORATION, 1)[0], settings.reals(TRACE, 1)[0]
    length = state_length(game)
    inputs = scratch.part(0, size - RECORD_HEAD)
    rest = scratch.part(size, len(scratch) - size)
    rows = 0
    for number in range(start, stop):
        here, word, plies, first = state, first_word(seed, number), 0, rows
        opening = chosen_place(word, settings[OPENING_PLIES] + 1)
        payoff = game.result(here)
        learned = True  # a state that chance led to is not: a search evaluates the one before
        while payoff == ONGOING and plies < limit:
            word = next_word(word)
            at = RECORDS_HEAD + rows * size
            record = records.part(at, size)
            record[SET] = NO_SET
            record[FLAGS] = 0
            chance = game.is_chance(here)
            place = 0
            if chance:
                count = chances_into(game, here, moves, odds)
                record[FLAGS] = CHANCE
                place = drawn_place(word, odds, min(count, room))
            else:
                count = moves_into(game, here, moves)
                if count == 0:
                    payoff = game.stuck(here)
                    break
            if count > room:
                settings[ROOM] = -count
                return number
            if learned:
                state_to_words(game, here, record.part(size - length, length))
                record[SET] = read_inputs(game, here, network, records.part(at + RECORD_HEAD, size - RECORD_HEAD), rest)
            if not chance:
                first_tried = chosen_place(next_word(word), count)
                place, best = best_move(game, here, moves, count, first_tried, network, weights, inputs, rest)
                record.reals(BEST, 1)[0] = best
                lot = real_of(word)
                if plies < opening or lot < exploration:
                    word = next_word(word)
                    drawn = chosen_place(word, count)
                    if drawn != place:
                        record[FLAGS] = EXPLORED
                    place = drawn
            child = game.play(here, moves[place])
            if changes_player(game, here, child):
                record[FLAGS] = record[FLAGS] | TURNED
            here = child
            learned = not chance
            rows += 1
            plies += 1
            payoff = game.result(here)
        settings[PLAYED_PLIES] += plies
        if rows > first:
            last = records.part(RECORDS_HEAD + (rows - 1) * size, size)
            last[FLAGS] = last[FLAGS] | LAST
        value = 0.0 if payoff == ONGOING else normalised(payoff, network)
        for row in range(rows - 1, first - 1, -1):
            record = records.part(RECORDS_HEAD + row * size, size)
            if record[FLAGS] & TURNED:
                value = -value
            best = record.reals(BEST, 1)[0]
            if record[FLAGS] & EXPLORED:
                value = best
            elif not record[FLAGS] & CHANCE:
                value = (1.0 - trace) * best + trace * value
            record.reals(TARGET, 1)[0] = value
    records[ROWS] = rows
    return stop


@kernel
def best_move(game, state, moves, count, first, network, weights, inputs, scratch):
    """The place of the best move by the network, one ply deep, and its value; of equal moves the next from `first`."""
    best, chosen = -3.0, first
    for step in range(count):
        i = first + step if first + step < count else first + step - count
        value = value_of_move(game, state, moves[i], network, weights, inputs, scratch)
        if value > best:
            best = value
            chosen = i
    return chosen, best


@kernel
def value_of_move(game, state, move, network, weights, inputs, scratch):
    """The value of a move by the network, one ply deep, between -1 and 1."""
    child = game.play(state, move)
    result = game.result(child)
    if result != ONGOING:
        value = normalised(result, network)
    else:
        chosen = read_inputs(game, child, network, inputs, scratch)
        value = math.tanh(sum_of_weights(network, weights, inputs, chosen, scratch))
    return -value if changes_player(game, state, child) else value
