"""The ranges of the numbers of a state, and the bits that they use, as random games show them."""

from __future__ import annotations

from functools import reduce
from operator import or_

from zermelo import bits, rules
from zermelo.game import ONGOING, Game
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, chances_into, moves_into, state_to_words
from zermelo.solving.enumeration.state_packing import Packing, Range, related
from zermelo.solving.enumeration.table_access import STATE_ROW
from zermelo.solving.random_play import random_games
from zermelo.solving.retrograde.solver_memory import MAX_MOVES, move_list, new_memory
from zermelo.word_arrays import Words

RANGE_GAMES, RANGE_PLIES = 64, 400
"""Random games, and plies of each, that are played interpreted."""

MANY_GAMES = 20_000
"""Random games that are played compiled where a word is saved by leaving out bits that are never set."""

LOWS, HIGHS, USED, WITHIN, APART, FACTS = range(6)


class NotCompiled(Exception):
    """Ranges need more random games than an interpreter plays."""


def ranges_of(game: Game, *, compiles: bool = True) -> list[Range]:
    """Return the range of each number of a state over some random games.

    Raise NotCompiled if that takes compiled rules and they may not be compiled now.
    """
    rows = [list(map(int, rules.numbers(game.initial())))]
    for states in random_games(game, RANGE_GAMES, RANGE_PLIES, seed=1, folded=True):
        rows += [list(map(int, rules.numbers(state))) for state, _ in states]
    columns = list(zip(*rows, strict=True))
    found = [Range(min(column), max(column), reduce(or_, column)) for column in columns]
    if Packing.fitting(found).words > 1:
        found = related(found, rows)
    if all(field.used < 0 for field in Packing.fitting(found).fields):
        return found
    if not compiles:
        raise NotCompiled
    return _played_on(game, found)


def _played_on(game: Game, found: list[Range]) -> list[Range]:
    """Return the ranges over many more random games: a bit that is rarely set must not be left out."""
    width = len(found)
    if rules.state_length(game) != width or any(each.high >= 1 << 63 for each in found):
        return found
    seen = Words.zeros(FACTS * width)
    for place, each in enumerate(found):
        for fact, number in enumerate(each):
            seen[fact * width + place] = bits.signed(number)
    memory = new_memory(width, 0, 1024, 0)
    play_random_games(game, game.initial(), MANY_GAMES, RANGE_PLIES, width, seen, memory)
    wider = [Range(*column) for column in seen.array.reshape(FACTS, width).T.tolist()]
    odd = any(new.low < 0 <= old.low for old, new in zip(found, wider, strict=True))  # perhaps beyond 63 bits, unsigned
    return found if odd else wider


@kernel(kinds="state int int int words words")
def play_random_games(game, state, samples, plies, width, seen, memory):
    """Play random games, and extend the ranges in `seen` by the numbers of every state."""
    moves, weights = move_list(memory, 0), move_list(memory, 1).reals(0, memory[MAX_MOVES])
    row = memory.part(STATE_ROW, width)
    seed = 1
    for _ in range(samples):
        here = state
        for _ in range(plies):
            if game.result(here) != ONGOING:
                break
            count = chances_into(game, here, moves, weights) if game.is_chance(here) else moves_into(game, here, moves)
            count = min(count, memory[MAX_MOVES])
            if count == 0:
                break
            seed = bits.signed(bits.mix(bits.add(seed, 0x9E3779B97F4A7C15)))
            here = canonical(game, game.play(here, moves[(seed >> 11 & 0xFFFFFFFFFFFF) % count]))
            state_to_words(game, here, row)
            for place in range(width):
                seen[LOWS * width + place] = min(seen[LOWS * width + place], row[place])
                seen[HIGHS * width + place] = max(seen[HIGHS * width + place], row[place])
                seen[USED * width + place] |= row[place]
                related_numbers = seen[WITHIN * width + place] | seen[APART * width + place]
                for other in range(width if related_numbers != 0 else 0):
                    if row[place] & ~row[other]:
                        seen[WITHIN * width + place] &= ~(1 << other)
                    if row[place] & row[other]:
                        seen[APART * width + place] &= ~(1 << other)
    return samples
