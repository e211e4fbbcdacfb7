"""Games between a network and a fixed opponent, as a kernel: the learning curve.

Both look one ply ahead. The opponents draw their move by lot, or take the best by the game's own `evaluate`; without
that rule, a move that wins at once, else by lot.
"""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.learning.network_value import normalised
from zermelo.learning.self_play import best_move
from zermelo.learning.training_format import MAX_GAME_PLIES, OPENING_PLIES, ROOM
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import chances_into, changes_player, moves_into
from zermelo.simulation.random_games import chosen_place, drawn_place, first_word, next_word
from zermelo.value import DECISIVE

RANDOM, GREEDY, NOBODY = 0, 1, 2
"""Opponents; with nobody the network plays both sides."""

WINS, DRAWS, LOSSES, PAYOFF, RESULTS = range(5)
"""The results of the network, and the sum of its payoffs as a real."""


@kernel(kinds="state int int int int words words words words words")
def play_opponent(game, state, seed, start, stop, opponent, network, weights, settings, results, buffer):
    """Play the games with the numbers `start` to `stop`: the network has the first move in the even ones."""
    room, limit = settings[ROOM], settings[MAX_GAME_PLIES]
    moves, odds, scratch = buffer.part(0, room), buffer.reals(room, room), buffer.part(2 * room, len(buffer) - 2 * room)
    half = len(scratch) // 2
    inputs, rest = scratch.part(0, half), scratch.part(half, half)
    for number in range(start, stop):
        here, word, plies, ours = state, first_word(seed, number), 0, number % 2 == 0
        opening = chosen_place(word, settings[OPENING_PLIES] + 1)
        payoff = game.result(here)
        while payoff == ONGOING and plies < limit:
            word = next_word(word)
            place = 0
            if game.is_chance(here):
                count = chances_into(game, here, moves, odds)
                place = drawn_place(word, odds, min(count, room))
            else:
                count = moves_into(game, here, moves)
                if count == 0:
                    payoff = game.stuck(here)
                    break
            if count > room:
                settings[ROOM] = -count
                return number
            if not game.is_chance(here):
                place = chosen_place(word, count)
                if plies >= opening and (ours or opponent == NOBODY):
                    place, _ = best_move(game, here, moves, count, place, network, weights, inputs, rest)
                elif plies >= opening and opponent == GREEDY:
                    place = greedy_move(game, here, moves, count, place)
            child = game.play(here, moves[place])
            if changes_player(game, here, child):
                ours = not ours
            here = child
            plies += 1
            payoff = game.result(here)
        if payoff == ONGOING:
            payoff = 0
        value = float(payoff) if ours else -float(payoff)
        results[DRAWS if value == 0.0 else WINS if value > 0.0 else LOSSES] += 1
        results.reals(PAYOFF, 1)[0] = results.reals(PAYOFF, 1)[0] + normalised(1, network) * value
    return stop


@kernel
def greedy_move(game, state, moves, count, first):
    """The best move by results and `evaluate`, one ply deep; of equal ones the first from a place on."""
    best, chosen = -4.0 * DECISIVE, first
    for step in range(count):
        i = (first + step) % count
        child = game.play(state, moves[i])
        result = game.result(child)
        value = 2.0 * DECISIVE * result if result != ONGOING else float(game.evaluate(child))
        if changes_player(game, state, child):
            value = -value
        if value > best:
            best = value
            chosen = i
    return chosen
