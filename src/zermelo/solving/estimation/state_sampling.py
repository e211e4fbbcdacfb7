"""The kernels of a size estimate: they expand states, draw lineages of states, and count their predecessors.

A *lineage* is a legal sequence of moves, drawn so that each state at its end represents as many states as every other.
Every extension divides by the number of predecessors of the new state, since as many lineages lead to it. Few games
have a rule for predecessors, so they are searched for: a beam search follows the lineage from the initial state, keeps
the states that are near it and no farther from the end than it is, and counts those that reach the end with one move.
Distances are numbers of differing bits. All states are reached by legal moves, so the rules never see an invalid one.

    memory:    SEED | PLAYS | NEW | moves | weights or keys of successors | predecessors | distances | beam search
"""

from __future__ import annotations

from zermelo import bits
from zermelo.game import ONGOING
from zermelo.keys import state_key
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, chances_into, moves_into, state_from_words, state_to_words
from zermelo.word_arrays import Words

SEED, PLAYS, NEW, STAGES = range(4)
"""Offsets: the state of the random numbers, moves played so far, rows written, stages found."""

WIDEST = 1024
"""Moves of a state that are considered."""

MOVES, OTHERS, PREDECESSORS = 8, 8 + WIDEST, 8 + 2 * WIDEST
MOST_PREDECESSORS = 256
NEARNESS = PREDECESSORS + MOST_PREDECESSORS
FARTHEST = 1024
"""Distances are counted up to here."""

SEARCH_SPACE = NEARNESS + FARTHEST
"""Offset of the space of the beam search, whose size depends on the game."""

BEAM = 1024
"""States that the beam search keeps at each ply. Connect Four 7x6 comes out 377 times too large with 256, and right
with 1024 and with 4096."""

CANDIDATES = 8 * BEAM
"""States among which the nearest are chosen."""

SLOTS = 4 * CANDIDATES
"""Slots of the hash table of the candidates."""


def sampling_memory(width: int, plies: int = 0) -> Words:
    """Return memory for states of `width` numbers, and for lineages of up to `plies` plies."""
    search = (BEAM + CANDIDATES + 1) * width + 2 * CANDIDATES + SLOTS + (plies + 2) * width if plies else 0
    return Words.zeros(SEARCH_SPACE + search)


def draw_below(memory, limit):
    """Return a random number from 0 to limit - 1."""
    memory[SEED] = bits.signed(bits.mix(bits.add(memory[SEED], 0x9E3779B97F4A7C15)))
    return (memory[SEED] >> 11 & 0xFFFFFFFFFFFF) % limit


def list_actions(game, state, memory):
    """Store the moves of a state, or the outcomes of a chance node, and return their number; 0 if the game is over."""
    if game.result(state) != ONGOING:
        return 0
    moves = memory.part(MOVES, WIDEST)
    if game.is_chance(state):
        return min(WIDEST, chances_into(game, state, moves, memory.part(OTHERS, WIDEST).reals(0, WIDEST)))
    return min(WIDEST, moves_into(game, state, moves))


def list_successor_keys(game, state, count, memory):
    """Store the keys of the canonical successors in place of the weights."""
    for i in range(count):
        memory[OTHERS + i] = state_key(game, canonical(game, game.play(state, memory[MOVES + i])))
    memory[PLAYS] += count


def is_listed(memory, start, count, key):
    """Return whether a key is among `count` words of the memory."""
    at = start
    while at < start + count and memory[at] != key:
        at += 1
    return at < start + count


# -- expanding states ------------------------------------------------------------------------------------------------


@kernel(kinds="words int int int words words words words")
def expand_rows(game, source, start, stop, width, rows, keys, stages, memory):
    """Write the distinct successors of the states `start` to `stop` of `source`: rows, keys and stages.

    Return how far it came: to where there is room for the successors of no further state. memory[NEW] counts them.
    """
    memory[NEW] = 0
    for place in range(start, stop):
        if memory[NEW] + WIDEST > len(keys):
            return place
        state = state_from_words(game, source.part(place * width, width))
        count, first = list_actions(game, state, memory), memory[NEW]
        for i in range(count):
            child = canonical(game, game.play(state, memory[MOVES + i]))
            key = state_key(game, child)
            new = True
            for other in range(first, memory[NEW]):
                if keys[other] == key:
                    new = False
            if new:
                keys[memory[NEW]] = key
                stages[memory[NEW]] = game.stage(child)
                state_to_words(game, child, rows.part(memory[NEW] * width, width))
                memory[NEW] += 1
        memory[PLAYS] += count
    return stop


@kernel(kinds="int words int words words")
def sample_numbers(game, stage, numbers, count, found, memory):
    """Expand the states with these numbers of a stage. Return how many of the numbers belong to a state.

    The stages that they lead to are written to `found`; memory[STAGES] counts them.
    """
    valid = 0
    memory[STAGES] = 0
    for i in range(count):
        state = game.at(stage, numbers[i])
        if game.index(state) != numbers[i]:
            continue
        valid += 1
        actions = list_actions(game, state, memory)
        memory[PLAYS] += actions
        for j in range(actions):
            to = game.stage(game.play(state, memory[MOVES + j]))
            new = to != stage
            for k in range(memory[STAGES]):
                if found[k] == to:
                    new = False
            if new and memory[STAGES] < len(found):
                found[memory[STAGES]] = to
                memory[STAGES] += 1
    return valid


# -- lineages --------------------------------------------------------------------------------------------------------


@kernel(kinds="state words int int int int int words words words")
def extend_lineages(game, state, paths, room, plies, count, width, budget, gains, stages, memory):
    """Extend lineages of `plies` moves by a random move each. Return how many were extended within the budget of plays.

    `gains` is what each new state represents: distinct successors of the state before, over predecessors of the new
    one; 0 where the game is over.
    """
    reals = gains.reals(0, len(gains))
    rows = memory.part(len(memory) - (room + 2) * width, (room + 2) * width)
    for lineage in range(count):
        if memory[PLAYS] > budget:
            return lineage
        path = paths.part(lineage * room, room)
        here = state
        state_to_words(game, here, rows.part(0, width))
        for ply in range(plies):
            here = game.play(here, path[ply])
            state_to_words(game, here, rows.part((ply + 1) * width, width))
        reals[lineage] = 0.0
        moves = list_actions(game, here, memory)
        if moves == 0:
            continue
        chosen = draw_below(memory, moves)
        path[plies] = memory[MOVES + chosen]
        list_successor_keys(game, here, moves, memory)
        target, same = memory[OTHERS + chosen], 0
        for i in range(moves):
            same += memory[OTHERS + i] == target
        child = game.play(here, path[plies])
        state_to_words(game, child, rows.part((plies + 1) * width, width))
        stages[lineage] = game.stage(child)
        reals[lineage] = moves / (same * count_predecessors(game, rows, plies, target, width, memory))
    return count


def differing_bits(row, rows, place, width):
    """Return the number of bits in which a row differs from one of the rows."""
    count = 0
    for word in range(width):
        count += bits.popcount(row[word] ^ rows[place * width + word])
    return count


def count_predecessors(game, rows, plies, target, width, memory):
    """Return the number of predecessors that are found of the state with the key `target`, at the end of `rows`."""
    beam = memory.part(SEARCH_SPACE, BEAM * width)
    for word in range(width):
        beam[word] = rows[word]
    held = 1
    for ply in range(plies):
        held = advance_beam(game, rows, ply, plies, held, width, memory)
    found = 0
    for i in range(held):
        state = state_from_words(game, beam.part(i * width, width))
        count = list_actions(game, state, memory)
        list_successor_keys(game, state, count, memory)
        if is_listed(memory, OTHERS, count, target):
            key = state_key(game, canonical(game, state))
            if found < MOST_PREDECESSORS and not is_listed(memory, PREDECESSORS, found, key):
                memory[PREDECESSORS + found] = key
                found += 1
    return max(found, 1)


def advance_beam(game, rows, ply, plies, held, width, memory):
    """Replace the states of the beam by their successors, those nearest to the lineage. Return their number."""
    at = SEARCH_SPACE + BEAM * width
    candidates, row = memory.part(at, CANDIDATES * width), memory.part(at + CANDIDATES * width, width)
    at += (CANDIDATES + 1) * width
    distances, slots = memory.part(at, CANDIDATES), memory.part(at + CANDIDATES, CANDIDATES)
    table = memory.part(at + 2 * CANDIDATES, SLOTS)
    beam, numbers = memory.part(SEARCH_SPACE, BEAM * width), memory.part(NEARNESS, FARTHEST)
    for distance in range(FARTHEST):
        numbers[distance] = 0
    limit = differing_bits(rows.part((ply + 1) * width, width), rows, plies + 1, width)
    filled = 0
    for i in range(held):
        state = state_from_words(game, beam.part(i * width, width))
        count = list_actions(game, state, memory)
        memory[PLAYS] += count
        for j in range(count):
            child = game.play(state, memory[MOVES + j])
            state_to_words(game, child, row)
            if filled < CANDIDATES and differing_bits(row, rows, plies + 1, width) <= limit:
                slots[filled] = insert_key(table, state_key(game, child) | 1)
                if slots[filled] >= 0:
                    distances[filled] = min(FARTHEST - 1, differing_bits(row, rows, ply + 1, width))
                    numbers[distances[filled]] += 1
                    for word in range(width):
                        candidates[filled * width + word] = row[word]
                    filled += 1
    for i in range(filled):
        table[slots[i]] = 0
    return keep_nearest(beam, candidates, distances, filled, numbers, width)


def insert_key(table, key):
    """Insert a key that is not 0 into a hash table with room. Return its slot; -1 if it was there."""
    slot = key >> 8 & SLOTS - 1
    while table[slot] != 0 and table[slot] != key:
        slot = slot + 1 & SLOTS - 1
    if table[slot] == key:
        return -1
    table[slot] = key
    return slot


def keep_nearest(beam, candidates, distances, filled, numbers, width):
    """Copy the nearest candidates to the beam, as many as it holds, and return their number."""
    nearest, room = 0, BEAM
    while nearest < FARTHEST - 1 and numbers[nearest] <= room:
        room -= numbers[nearest]
        nearest += 1
    held = 0
    for i in range(filled):
        if distances[i] == nearest:
            room -= 1
        if distances[i] < nearest or (distances[i] == nearest and room >= 0):
            for word in range(width):
                beam[held * width + word] = candidates[i * width + word]
            held += 1
    return held
