"""The update of weights by records: a step towards their targets, as kernels that need no game.

A step follows the gradient of the logistic loss: the difference between target and value. Step sizes are those of
temporal coherence (Beal and Smith 1999): a weight whose errors have the same sign takes full steps, one whose errors
cancel takes none.
"""

from __future__ import annotations

import math

from zermelo.learning.network_value import sum_of_weights
from zermelo.learning.training_format import (
    FEATURES,
    NO_SET,
    RATE,
    RECORD_HEAD,
    RECORD_WORDS,
    RECORDS_HEAD,
    ROWS,
    SET,
    TARGET,
)
from zermelo.native.kernel_dispatch import kernel
from zermelo.networks.network_evaluation import lookup_place
from zermelo.networks.network_format import (
    CELLS,
    EVEN_LEVEL,
    HIDDEN,
    INPUT_STARTS,
    KIND,
    LAYERS,
    LEVELS,
    LOOKUPS,
    SET_WEIGHTS,
)


@kernel(kinds="int words words words words words")
def update_set(game, chosen, network, weights, settings, records, scratch):
    """Update one set of weights by its records, in their order; return the sum of the squared errors."""
    size, rate = settings[RECORD_WORDS], settings.reals(RATE, 1)[0]
    loss = 0.0
    for row in range(records[ROWS]):
        record = records.part(RECORDS_HEAD + row * size, size)
        if record[SET] != chosen or record[SET] == NO_SET:
            continue
        inputs = record.part(RECORD_HEAD, size - RECORD_HEAD)
        value = math.tanh(sum_of_weights(network, weights, inputs, chosen, scratch))
        error = record.reals(TARGET, 1)[0] - value
        loss += error * error
        if network[KIND] == LAYERS:
            step_layers(network, weights, inputs, chosen, rate * error, scratch)
        elif network[KIND] == FEATURES:
            step_features(network, weights, inputs, rate, error)
        else:
            step_tuples(network, weights, inputs, chosen, rate, error)
    return loss


def step_tuples(network, weights, inputs, chosen, rate, error):
    """Add to the weight of each lookup its share of the error."""
    size, count = network[SET_WEIGHTS], network[LOOKUPS]
    total = len(weights) // 3
    own = weights.reals(chosen * size, size)
    errors = weights.reals(total + chosen * size, size)
    sizes = weights.reals(2 * total + chosen * size, size)
    digits = inputs.octets(0, network[CELLS])
    step = rate * error / count
    for lookup in range(count):
        at = lookup_place(network, digits, lookup)
        coherence = abs(errors[at]) / sizes[at] if sizes[at] > 0.0 else 1.0
        own[at] = own[at] + coherence * step
        errors[at] = errors[at] + error
        sizes[at] = sizes[at] + abs(error)


def step_features(network, weights, inputs, rate, error):
    """Add to the weight of each feature its share of the error, by the square of the feature's own size."""
    size = network[SET_WEIGHTS]
    own, errors, sizes = weights.reals(0, size), weights.reals(size, size), weights.reals(2 * size, size)
    features = inputs.reals(0, size)
    length = 1.0
    for i in range(size):
        length += features[i] * features[i]
    for i in range(size):
        part = error * features[i]
        coherence = abs(errors[i]) / sizes[i] if sizes[i] > 0.0 else 1.0
        own[i] = own[i] + rate * coherence * part / length
        errors[i] = errors[i] + part
        sizes[i] = sizes[i] + abs(part)


def step_layers(network, weights, inputs, chosen, step, sums):
    """Follow the gradient through both layers; `sums` holds the sums of the hidden layer."""
    size, hidden, cells, starts = network[SET_WEIGHTS], network[HIDDEN], network[CELLS], network[INPUT_STARTS]
    levels = network[LEVELS]
    own, hidden_sums = weights.reals(chosen * size, size), sums.reals(0, hidden)
    digits = inputs.octets(0, cells + levels)
    first = network[starts + cells] * hidden
    output = first + levels * hidden
    own[output + 2 * hidden] = own[output + 2 * hidden] + step
    for unit in range(hidden):
        at = output + hidden + unit
        total = hidden_sums[unit]
        back = step * own[at] if 0.0 < total < 1.0 else 0.0
        own[at] = own[at] + step * min(max(total, 0.0), 1.0)
        hidden_sums[unit] = back
        own[output + unit] = own[output + unit] + back
    for cell in range(cells):
        at = (network[starts + cell] + digits[cell]) * hidden
        for unit in range(hidden):
            own[at + unit] = own[at + unit] + hidden_sums[unit]
    for i in range(levels):
        level = (digits[cells + i] - EVEN_LEVEL) / EVEN_LEVEL
        at = first + i * hidden
        for unit in range(hidden):
            own[at + unit] = own[at + unit] + level * hidden_sums[unit]
