"""The value of a learned evaluation: plain functions of words, which kernels and rules call compiled or interpreted."""

from __future__ import annotations

import math

from zermelo.networks.network_format import (
    CELL_BITS,
    CELL_STARTS,
    CELLS,
    DIGIT_STARTS,
    DIGITS,
    EVEN_LEVEL,
    HIDDEN,
    INPUT_STARTS,
    KIND,
    LAYERS,
    LEVEL_SCALES,
    LEVELS,
    LOOKUP_STARTS,
    LOOKUP_TABLES,
    LOOKUPS,
    PART_WORDS,
    PARTS,
    PAYOFF_SCALE,
    PHASES,
    PLACES,
    SET_WEIGHTS,
    STAGE_STARTS,
    STAGES,
    UNIT,
    VIEWS,
    WEIGHT_UNIT,
    WEIGHTS,
)


def read_digits(network, row, digits):
    """Read the digit of every cell from the words of a state; return how many are not 0."""
    part, cells = network[PARTS], network[CELLS]
    starts, tables = network[CELL_STARTS], network[DIGIT_STARTS]
    codes = network.octets(network[DIGITS], 8 * (len(network) - network[DIGITS]))
    filled = 0
    for cell in range(cells):
        raw = 0
        for at in range(part + PART_WORDS * network[starts + cell], part + PART_WORDS * network[starts + cell + 1], 4):
            raw |= (row[network[at]] >> network[at + 1] & network[at + 2]) << network[at + 3]
        digit = codes[network[tables + cell] + raw]
        digits[cell] = digit
        filled += digit != 0
    return filled


def read_levels(network, features, digits):
    """Write the levels of features behind the digits of the cells."""
    cells, scales = network[CELLS], network.reals(network[LEVEL_SCALES], network[LEVELS])
    for i in range(network[LEVELS]):
        level = EVEN_LEVEL + math.floor(0.5 + (EVEN_LEVEL - 1) * features[i] / scales[i])
        digits[cells + i] = min(max(level, 1), 2 * EVEN_LEVEL - 1)


def weight_set(network, player, filled, stage):
    """Return which set of weights serves a state: by the player to move, and by the filled cells or by the stage."""
    phase = network.octets(network[PHASES], network[CELLS] + 1)[filled]
    for i in range(network[STAGES]):
        phase += stage >= network[network[STAGE_STARTS] + i]
    return phase * network[VIEWS] + min(player, network[VIEWS] - 1)


def lookup_place(network, digits, lookup):
    """Return the place of a lookup's weight in a set."""
    mask = (1 << CELL_BITS) - 1
    first, last = network[network[LOOKUP_STARTS] + lookup], network[network[LOOKUP_STARTS] + lookup + 1]
    place = network[network[LOOKUP_TABLES] + lookup]
    for at in range(network[PLACES] + first, network[PLACES] + last):
        word = network[at]
        place += (word >> CELL_BITS) * digits[word & mask]
    return place


def evaluate_digits(network, digits, chosen, sums):
    """Return the evaluation of digits by a set of weights, as a whole number of the network's unit."""
    size = network[SET_WEIGHTS]
    weights = network.ints(network[WEIGHTS], (chosen + 1) * size)
    base = chosen * size
    total = 0
    if network[KIND] == LAYERS:
        hidden, cells, levels = network[HIDDEN], network[CELLS], network[LEVELS]
        inputs = network[INPUT_STARTS]
        first = base + network[inputs + cells] * hidden
        output = first + levels * hidden  # after the rows of digits and levels: biases, output weights, bias
        for unit in range(hidden):
            sums[unit] = 0
        for i in range(levels):
            level = digits[cells + i] - EVEN_LEVEL
            for unit in range(hidden):
                sums[unit] = sums[unit] + level * weights[first + i * hidden + unit]
        for unit in range(hidden):
            sums[unit] = sums[unit] // EVEN_LEVEL + weights[output + unit]
        for cell in range(cells):
            at = base + (network[inputs + cell] + digits[cell]) * hidden
            for unit in range(hidden):
                sums[unit] = sums[unit] + weights[at + unit]
        for unit in range(hidden):
            total += min(max(sums[unit], 0), UNIT) * weights[output + hidden + unit]
        return total // UNIT + weights[output + 2 * hidden]
    for lookup in range(network[LOOKUPS]):
        total += weights[base + lookup_place(network, digits, lookup)]
    return total


def evaluate_row(network, row, player, stage, digits, sums):
    """Return the evaluation of a state, given its words, seen by the player to move; its levels are read already.

    Where a game is won, drawn or lost, it is the logit of the expected result. In games of points or of chance it is
    the expected payoff.
    """
    filled = read_digits(network, row, digits)
    total = evaluate_digits(network, digits, weight_set(network, player, filled, stage), sums)
    scale = network.reals(PAYOFF_SCALE, 1)[0]
    if scale == 0.0:
        return total / network[WEIGHT_UNIT]
    return scale * math.tanh(total / network[WEIGHT_UNIT])
