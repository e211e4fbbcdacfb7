"""Label recorded states with searched values, as kernels: targets that look deeper than self-play does."""

from __future__ import annotations

import math

from zermelo.learning.training_format import NO_SET, RECORD_WORDS, RECORDS_HEAD, ROWS, SET, TARGET
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import state_from_words, state_length
from zermelo.searching.alphabeta.pvs import search_state
from zermelo.searching.chance.star2 import ALL_MOVES, star2
from zermelo.searching.runtime.thread_memory import NODES, STOP
from zermelo.value import DECISIVE, INFINITY

LOGIT_UNIT = 1000.0
"""What a search multiplies logits with to make them whole scores."""


@kernel(kinds="int int real words words words words")
def label_by_search(game, depth, start, scale, settings, records, table, memory):
    """Set the targets of records from the row `start` on by alpha-beta; return the row at which it was stopped.

    `scale` is the largest payoff of a game of points; 0 where a game is won, drawn or lost.
    """
    size, length = settings[RECORD_WORDS], state_length(game)
    for row in range(start, records[ROWS]):
        record = records.part(RECORDS_HEAD + row * size, size)
        if record[SET] == NO_SET:
            continue
        state = state_from_words(game, record.part(size - length, length))
        memory[NODES] = 0
        unit = LOGIT_UNIT if scale == 0.0 else 1.0
        score = search_state(game, state, depth, 0, -INFINITY, INFINITY, unit, table, memory)
        if memory[STOP]:
            return row
        if scale > 0.0:
            value = score / scale
        elif abs(score) >= DECISIVE:
            value = 1.0 if score > 0 else -1.0
        else:
            value = math.tanh(score / LOGIT_UNIT)
        record.reals(TARGET, 1)[0] = min(max(value, -1.0), 1.0)
    return records[ROWS]


@kernel(kinds="int int real words words words words")
def label_by_expectation(game, depth, start, scale, settings, records, table, memory):
    """The same in games of chance, by Star2: the targets are expectations over all outcomes."""
    size, length = settings[RECORD_WORDS], state_length(game)
    for row in range(start, records[ROWS]):
        record = records.part(RECORDS_HEAD + row * size, size)
        if record[SET] == NO_SET:
            continue
        state = state_from_words(game, record.part(size - length, length))
        memory[NODES] = 0
        value = star2(game, state, depth, 0, -scale, scale, -scale, scale, ALL_MOVES, table, memory)
        if memory[STOP]:
            return row
        record.reals(TARGET, 1)[0] = min(max(value / scale, -1.0), 1.0)
    return records[ROWS]
