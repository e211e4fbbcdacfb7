"""Where states are in the tables of a solution: their stages, and the keys or numbers under which they are stored."""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, has_index, state_from_words, state_to_words
from zermelo.solving.enumeration.table_access import FIELD_COUNT, KEY_WORDS, NOT_FOUND, STATE_ROW, pack

MISFIT = -2
"""In place of a key: compiled code has no state with these numbers."""


@kernel(kinds="words int bool words words words words")
def locate_states(game, rows, width, staged, stages, places, tables, memory):
    """Write the stage of each state, a row of `width` numbers, and its key as tables store it, or its number.

    NOT_FOUND stands for a state that has no key. Only the fields of `tables` are read.
    """
    words = tables[KEY_WORDS]
    for i in range(len(stages)):
        row, place = rows.part(i * width, width), places.part(i * words, words)
        state = state_from_words(game, row)
        copy = memory.part(STATE_ROW, width)
        state_to_words(game, state, copy)
        number = 0
        while number < width and copy[number] == row[number]:
            number += 1
        if number < width:
            place[0] = MISFIT
            continue
        if staged:
            stages[i] = game.stage(state)
        state = canonical(game, state)
        if has_index(game):
            place[0] = game.index(state)
        elif pack(game, state, tables, memory, 0):
            key = memory.part(STATE_ROW + tables[FIELD_COUNT], words)
            for word in range(words):
                place[word] = key[word]
            place[0] += 1
        else:
            place[0] = NOT_FOUND
    return len(stages)
