"""The update of weights by records: a step towards their targets, as kernels that need no game.

A step follows the gradient of the logistic loss: the difference between target and value. Step sizes are those of
temporal coherence (Beal and Smith 1999): a weight whose errors have the same sign takes full steps, one whose errors
cancel takes none.

Records are taken from the last one back. A network of tuples values the state after the best move again, by the weights
that this has just changed, so that in one round the end of a game reaches its beginning.
"""

from __future__ import annotations

import math

from zermelo.learning.network_value import sum_of_weights
from zermelo.learning.training_format import (
    BEST,
    CHANCE,
    EXPLORED,
    FEATURES,
    FLAGS,
    LAST,
    NO_SET,
    RATE,
    RECORD_HEAD,
    RECORD_WORDS,
    RECORDS_HEAD,
    RETURNS,
    ROWS,
    SET,
    TARGET,
    TRACE,
    TURNED,
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
    """Update one set of weights by its records, the last one first; return the sum of the squared errors.

    With settings[RETURNS] the targets are returns of TD(lambda) that change with the weights; else those
    of the records.
    """
    size, rate, trace = settings[RECORD_WORDS], settings.reals(RATE, 1)[0], settings.reals(TRACE, 1)[0]
    loss = target = now = 0.0
    fresh = False  # whether `now` is the value of the state after this one, by the weights of this moment
    for row in range(records[ROWS] - 1, -1, -1):
        record = records.part(RECORDS_HEAD + row * size, size)
        if settings[RETURNS] == 0 or record[FLAGS] & LAST:
            target = record.reals(TARGET, 1)[0]
        else:
            target = td_return(record, target, now, fresh, trace)
        fresh = False
        if record[SET] != chosen or record[SET] == NO_SET:
            continue
        inputs = record.part(RECORD_HEAD, size - RECORD_HEAD)
        value = math.tanh(sum_of_weights(network, weights, inputs, chosen, scratch))
        error = target - value
        loss += error * error
        if network[KIND] == LAYERS:
            step_layers(network, weights, inputs, chosen, rate * error, scratch)
        elif network[KIND] == FEATURES:
            step_features(network, weights, inputs, rate, error)
        else:
            step_tuples(network, weights, inputs, chosen, rate, error)
            if settings[RETURNS]:
                now = math.tanh(sum_of_weights(network, weights, inputs, chosen, scratch))
                fresh = True
    return loss


def td_return(record, later, now, fresh, trace):
    """Return the target of a record, given that of the state after it, and its value `now` if that is `fresh`."""
    flags, best = record[FLAGS], record.reals(BEST, 1)[0]
    sign = -1.0 if flags & TURNED else 1.0
    if flags & EXPLORED:
        return best
    if flags & CHANCE:
        return sign * later
    if fresh:
        best = sign * now
    return (1.0 - trace) * best + trace * sign * later


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
        coherence = min(1.0, abs(errors[at]) / sizes[at]) if sizes[at] > 0.0 else 1.0  # a race may lose a size
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
