"""The value of a network in training: its weights are reals, and its inputs are read from a game's states."""

from __future__ import annotations

from zermelo.learning.training_format import FEATURES
from zermelo.native.kernel_dispatch import kernel
from zermelo.networks.network_evaluation import lookup_place, read_digits, read_levels, weight_set
from zermelo.networks.network_format import (
    CELLS,
    EVEN_LEVEL,
    HIDDEN,
    INPUT_STARTS,
    KIND,
    LAYERS,
    LEVELS,
    LOOKUPS,
    PAYOFF_SCALE,
    SET_WEIGHTS,
    STAGES,
    VIEWS,
)
from zermelo.rules import features_into, state_length, state_to_words


@kernel
def read_inputs(game, state, network, inputs, scratch):
    """Read the inputs of a state, digits or features; return which set of weights serves it."""
    if network[KIND] == FEATURES:
        features_into(game, state, inputs.reals(0, network[SET_WEIGHTS]))
        return 0
    row = scratch.part(0, state_length(game))
    state_to_words(game, state, row)
    digits = inputs.octets(0, network[CELLS] + network[LEVELS])
    filled = read_digits(network, row, digits)
    if network[LEVELS]:
        features = scratch.reals(state_length(game), network[LEVELS])
        features_into(game, state, features)
        read_levels(network, features, digits)
    player = stage = 0
    if network[VIEWS] > 1:
        player = game.mover(state)
    if network[STAGES]:
        stage = game.stage(state)
    return weight_set(network, player, filled, stage)


def sum_of_weights(network, weights, inputs, chosen, scratch):
    """Return the evaluation of inputs: a logit. `scratch` gets the sums of the hidden layer."""
    size = network[SET_WEIGHTS]
    own = weights.reals(chosen * size, size)
    total = 0.0
    if network[KIND] == FEATURES:
        features = inputs.reals(0, size)
        for i in range(size):
            total += own[i] * features[i]
        return total
    digits = inputs.octets(0, network[CELLS] + network[LEVELS])
    if network[KIND] == LAYERS:
        hidden, cells, starts, levels = network[HIDDEN], network[CELLS], network[INPUT_STARTS], network[LEVELS]
        sums = scratch.reals(0, hidden)
        first = network[starts + cells] * hidden
        output = first + levels * hidden
        for unit in range(hidden):
            sums[unit] = own[output + unit]
        for i in range(levels):
            level = (digits[cells + i] - EVEN_LEVEL) / EVEN_LEVEL
            for unit in range(hidden):
                sums[unit] = sums[unit] + level * own[first + i * hidden + unit]
        for cell in range(cells):
            at = (network[starts + cell] + digits[cell]) * hidden
            for unit in range(hidden):
                sums[unit] = sums[unit] + own[at + unit]
        for unit in range(hidden):
            total += min(max(sums[unit], 0.0), 1.0) * own[output + hidden + unit]
        return total + own[output + 2 * hidden]
    for lookup in range(network[LOOKUPS]):
        total += own[lookup_place(network, digits, lookup)]
    return total


def normalised(payoff, network):
    """Return a payoff as a value between -1 and 1."""
    scale = network.reals(PAYOFF_SCALE, 1)[0]
    return min(max(payoff / scale if scale > 0.0 else float(payoff), -1.0), 1.0)
