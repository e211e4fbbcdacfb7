"""The game before the search: a state that would occur for the third time is a draw, anywhere in the tree.

A search sees its own path from the root. The states that led to the root are in a small hash table beside it, each with
the number of times it was played. So a player who is winning does not shuffle between states of the same value until
the game is drawn, and one who is losing heads for the draw. Like every repetition, such a draw is an estimate and
proves nothing (see graph_history.py). Images of a state under symmetries count as the state, as they do on the path of
a search, though a game is drawn only by the state itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.game import Game, State
from zermelo.native.kernel_dispatch import kernel
from zermelo.searching.alphabeta.transposition_table import canonical_key, check_at
from zermelo.searching.runtime.thread_memory import CHECKS, PLAYED_STATES, SEEN, SEEN_SLOTS
from zermelo.word_arrays import Words

MAX_PLAYED_STATES = SEEN_SLOTS // 2
"""How many states of the game are remembered, the latest; the table stays half empty."""

TWICE = 2
"""How often a state was played if its next occurrence, the third, is a draw."""

# A slot is three words: key, check, and how often the state was played.


@kernel
def played_twice(game, key, check, memory):
    """Whether the state with this key and check occurred twice in the game before the root."""
    if memory[PLAYED_STATES] == 0:
        return False
    return memory[slot_of(key, check, memory) + 2] >= TWICE


def slot_of(key, check, memory):
    """The slot of a state, or the empty one where it would be."""
    number = key & SEEN_SLOTS - 1
    while True:
        slot = SEEN + 3 * number
        if memory[slot + 2] == 0 or (memory[slot] == key and memory[slot + 1] == check):
            return slot
        number = number + 1 & SEEN_SLOTS - 1


def write_history(game: Game, states: Sequence[State], memory: Words) -> None:
    """Put the states that were played before the root into the memory of a thread."""
    for state in states[-MAX_PLAYED_STATES:]:
        key = canonical_key.interpreted(game, state, CHECKS, memory)
        check = check_at.interpreted(game, CHECKS, memory)
        slot = slot_of(key, check, memory)
        memory[slot], memory[slot + 1] = key, check
        memory[slot + 2] += 1
        memory[PLAYED_STATES] += 1
