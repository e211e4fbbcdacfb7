"""Kernels of stages of points whose states a rule numbers: one thread for each number.

Where play repeats inside the stage, sweeps give each state the margin of its best successor until none changes. Why
that is exact, whatever the order of the visits, stands in retrograde/margin.py.
"""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.device.device_functions import NO_STUCK_RULE, atomic_max
from zermelo.rules import changes_player, orbit_size
from zermelo.solving.cuda.numbered_kernels import (
    CHANGED,
    INNER,
    NEEDED,
    STUCK,
    TOO_MANY,
    UNNUMBERED,
    WENT_BACK,
    number_in,
)
from zermelo.solving.retrograde.entries import NOTHING
from zermelo.solving.retrograde.margin import MARGIN_BASE, ZERO_POINTS
from zermelo.value import DECISIVE


def value_number(game, number, first, stage, size, sweeps, later, bounds, leads, codes, facts):
    """Write the margin of a number above MARGIN_BASE, the best of its successors; negative once it cannot change.

    In the first visit, successors in the stage are worth zero points, later what they have by now.
    """
    number += first
    if sweeps == 0 or codes[number] > 0:
        state = game.at(stage, number)
        code = 0
        if game.index(state) == number and game.stage(state) == stage:
            payoff = game.result(state)
            best, moves, still = MARGIN_BASE, 0, 0
            if payoff == ONGOING:
                for move in game.moves(state):
                    moves += 1
                    child = game.play(state, move)
                    ahead = game.stage(child) - stage
                    index = game.index(child)
                    entry = ZERO_POINTS
                    if ahead == 0:
                        if index < 0 or index >= size:
                            atomic_max(facts, UNNUMBERED, number + 1)
                        elif sweeps > 0:
                            entry = int(codes[index])
                        if entry > 0:
                            still += 1
                    elif ahead < 0:
                        atomic_max(facts, WENT_BACK, number + 1)
                    elif ahead >= len(leads):
                        atomic_max(facts, NEEDED, ahead)
                    else:
                        leads[ahead] = 1
                        place = number_in(bounds, ahead, index)
                        there = 2 * ahead + 1 < len(bounds) and bounds[2 * ahead + 1] > bounds[2 * ahead]
                        entry = int(later[place]) if place >= 0 else (NOTHING if there else ZERO_POINTS)
                    if entry == NOTHING:
                        atomic_max(facts, UNNUMBERED, number + 1)
                    else:
                        margin = abs(entry) - 1 + MARGIN_BASE
                        best = max(best, -margin if changes_player(game, state, child) else margin)
                if moves == 0:
                    payoff = game.stuck(state)
                    if payoff == NO_STUCK_RULE:
                        atomic_max(facts, STUCK, number + 1)
            if payoff != ONGOING:
                best = payoff
            if abs(best) >= DECISIVE:
                atomic_max(facts, TOO_MANY, number + 1)
                best = 0
            code = best - MARGIN_BASE + 1
            if still > 0:
                facts[INNER] = 1
            else:
                code = -code
        if code != codes[number]:
            facts[CHANGED] = 1
        codes[number] = code


def count_orbits(game, place, first, stage, codes, orbits):
    """Write how many positions a number stands for: 0 if it names no state."""
    orbits[place] = orbit_size(game, game.at(stage, first + place)) if codes[first + place] > 0 else 0
