"""Find the cells of a state: which bits of its words say what stands on a square of the board.

States of random games are compared with their boards. For each square, bits are added one by one, always the one that
tells most about its content, until they determine it. Only states of the first player are compared, since many games
turn the state around for the second; the bits found there are cells of every state. Words that no square uses and that
have few values, such as castling rights, are cells of their own. Without a board, every word of few values is a cell,
and the bits of other words with the same number are one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.formatting import plain_repr, shortened
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.learning.board_squares import Place, is_hexagonal, square_contents, square_places
from zermelo.learning.cell_fields import determines, numbered_cells, raw_codes, uniform_bits, whole_fields
from zermelo.networks.network import Cell, Part
from zermelo.networks.network_format import MAX_CELLS, MAX_RADIX, MAX_RAW_BITS
from zermelo.solving.random_play import random_games

SAMPLED_GAMES, SAMPLED_PLIES, MAX_SAMPLES = 60, 400, 3000
"""Random games, their plies, and how many of their states are compared."""

MAX_FIELD_VALUES = 16
"""Values of a word that is a cell of its own."""


@dataclass(frozen=True)
class CellSources:
    """The cells of a game's states, with their digit tables; where each lies, if it is a square of the board."""

    cells: tuple[Cell, ...]
    digits: tuple[tuple[int, ...], ...]
    places: tuple[Place | None, ...]
    hexagonal: bool
    views: int
    samples: tuple[State, ...]

    def read(self, words: Any) -> Any:
        """Return the digits of states, given the words of each; a row each."""
        arrays = [np.array(table) for table in self.digits]
        return np.stack([arrays[cell.table][raw_codes(cell.parts, words)] for cell in self.cells], axis=1)


def find_cells(game: Game, seed: int = 0) -> CellSources:
    """Find the cells of a game's states. Raise GameError if there are none."""
    samples = sampled_states(game, seed)
    words = state_words(game, samples)
    first = np.array([not game.has("mover") or game.mover(state) == 0 for state in samples])
    player = _player_word(game, samples, words)
    views = _views(game, samples, player)
    found = _square_parts(game, [state for state, mine in zip(samples, first, strict=True) if mine], words[first])
    used = {part.word for parts in found.values() for part in parts}
    board = game.board(samples[0])
    places = square_places(board)
    sources: list[tuple[tuple[Part, ...], Place | None]] = [(parts, places[square]) for square, parts in found.items()]
    rest = [word for word in range(words.shape[1]) if word not in used and word != player]
    sources += [(parts, None) for parts in _other_parts(words, rest, bool(found))]
    sources = sources[:MAX_CELLS]
    if not sources:
        raise GameError(f"learn: {game!r} has states in which no cells were found: nothing changes in random games.")
    cells, digits = numbered_cells([parts for parts, _ in sources], words)
    return CellSources(cells, digits, tuple(place for _, place in sources), is_hexagonal(board), views, samples)


def sampled_states(game: Game, seed: int) -> tuple[State, ...]:
    """Return different unfinished states of random games."""
    found: dict[State, None] = {}
    for states in random_games(game, SAMPLED_GAMES, SAMPLED_PLIES, seed=seed):
        for state, moves in states:
            if moves and len(found) < MAX_SAMPLES:
                found[state] = None
    return tuple(found)


def state_words(game: Game, states: Any) -> Any:
    """Return the numbers of each state, a row of 64-bit words."""
    rows = []
    for state in states:
        check_whole_numbers(game, state)
        rows.append([int(number) & (1 << 64) - 1 for number in rules.numbers(state)])
    if len({len(row) for row in rows}) != 1:
        raise GameError(f"learn: the states of {game!r} hold different counts of numbers.")
    return np.array(rows, np.uint64)


def check_whole_numbers(game: Game, state: State) -> None:
    """Raise GameError for a state that holds anything but whole numbers."""
    if all(isinstance(number, int | np.integer | bool) for number in rules.numbers(state)):
        return
    name, part = next(
        (name, part) for name, part in _named_parts(state, "a state") if not isinstance(part, int | np.integer | bool)
    )
    raise GameError(
        f"learn: {name} of {game!r} is {shortened(plain_repr(part))}, a {type(part).__name__}; only whole numbers can "
        "be learned from. Make the state a NamedTuple of ints: one for each kind of piece, with a bit for each square."
    )


def _named_parts(part: State, name: str) -> Iterator[tuple[str, Any]]:
    """The numbers of a state, with the fields that hold them."""
    if not isinstance(part, tuple):
        yield name, part
        return
    fields = getattr(type(part), "_fields", None)
    for place, inner in enumerate(part):
        yield from _named_parts(inner, f"{type(part).__name__}.{fields[place]}" if fields else f"{name}[{place}]")


def _player_word(game: Game, samples: Any, words: Any) -> int | None:
    """The word that says who is to move, if there is one."""
    if not game.has("mover"):
        return None
    movers = np.array([game.mover(state) for state in samples], np.uint64)
    same = [word for word in range(words.shape[1]) if (words[:, word] == movers).all()]
    return same[0] if same and movers.any() else None


def _views(game: Game, samples: Any, player: int | None) -> int:
    """1 if states look the same to both players, so that one set of weights serves both; else 2.

    They do if a state of the first player has the same moves and the same end with the second player to move.
    """
    if not game.has("mover") or len({game.mover(state) for state in samples}) == 1:
        return 1
    if player is None:
        return 2
    for state in samples[:: max(1, len(samples) // 100)]:
        other = _with_number(state, player, 1 - game.mover(state))
        try:
            if game.result(state) != game.result(other) or game.is_chance(state) != game.is_chance(other):
                return 2
            if game.result(state) == ONGOING and rules.legal_actions(game, state) != rules.legal_actions(game, other):
                return 2
        except Exception:  # a state that the rules can make nothing of
            return 2
    return 1


def _with_number(state: State, place: int, number: int) -> State:
    numbers = [int(each) for each in rules.numbers(state)]
    numbers[place] = number
    return rules._fill(state, iter(numbers))


# -- squares of the board ------------------------------------------------------------------------------------------


def _square_parts(game: Game, states: list[State], words: Any) -> dict[int, tuple[Part, ...]]:
    """The bits that determine each square of the board."""
    if not game.has("board") or not states:
        return {}
    contents = [square_contents(game.board(state)) for state in states]
    if len({len(each) for each in contents}) != 1:
        return {}
    bits = _varying_bits(words)
    columns = np.array([(words[:, word] >> np.uint64(shift) & np.uint64(1)).astype(np.int64) for word, shift in bits])
    found, codes = {}, {}
    for square in range(len(contents[0])):
        codes[square] = _coded([each[square] for each in contents])
        if codes[square].any():
            parts = _deciding_word(words, codes[square])
            chosen = None if parts else _deciding_bits(columns, codes[square])
            if parts or chosen:
                found[square] = parts or _merged(sorted(bits[each] for each in chosen or ()))
    return whole_fields(uniform_bits(found, words, codes), words, codes)


def _deciding_word(words: Any, codes: Any) -> tuple[Part, ...]:
    """A word of few values that says the same as the codes; nothing if there is none."""
    for word in range(words.shape[1]):
        values, most = words[:, word], int(words[:, word].max())
        numbers = values.astype(np.int64)
        if 1 < most < MAX_RADIX and determines(numbers, codes) and len(np.unique(numbers)) == codes.max() + 1:
            return (Part(word, 0, most.bit_length()),)
    return ()


def _coded(values: list[Any]) -> Any:
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.array([numbers[value] for value in values])


def _varying_bits(words: Any) -> list[tuple[int, int]]:
    changed = np.bitwise_or.reduce(words ^ words[0], axis=0)
    return [(word, shift) for word in range(words.shape[1]) for shift in range(64) if int(changed[word]) >> shift & 1]


def _deciding_bits(columns: Any, codes: Any) -> list[int] | None:
    """Bits that determine the codes together, found one by one; None if MAX_RAW_BITS do not."""
    groups, chosen = np.zeros(len(codes), np.int64), list[int]()
    while len(chosen) < MAX_RAW_BITS:
        gains = _information(columns, groups, codes)
        best = int(np.argmax(gains))
        chosen.append(best)
        groups = np.unique(2 * groups + columns[best], return_inverse=True)[1]
        if determines(groups, codes):
            return chosen
    return None


def _information(columns: Any, groups: Any, codes: Any) -> Any:
    """How well each bit, beside the groups so far, tells the codes apart: the sum of the squares of all counts."""
    classes, many = int(codes.max()) + 1, int(groups.max()) + 1
    keys = groups * classes + codes
    ones = np.zeros((len(columns), many * classes))
    for key in np.unique(keys):
        ones[:, key] = columns[:, keys == key].sum(axis=1)
    totals = np.bincount(keys, minlength=many * classes)
    score = np.zeros(len(columns))
    for counts in (ones, totals - ones):
        by_group = counts.reshape(len(columns), many, classes)
        size = by_group.sum(axis=2)
        score += np.divide((by_group**2).sum(axis=2), size, out=np.zeros_like(size), where=size > 0).sum(axis=1)
    return score


def _merged(bits: list[tuple[int, int]]) -> tuple[Part, ...]:
    """Bits as parts: adjacent ones are one part."""
    parts: list[Part] = []
    for word, shift in bits:
        if parts and parts[-1].word == word and parts[-1].shift + parts[-1].bits == shift:
            parts[-1] = parts[-1]._replace(bits=parts[-1].bits + 1)
        else:
            parts.append(Part(word, shift, 1))
    return tuple(parts)


# -- other words ---------------------------------------------------------------------------------------------------


def _other_parts(words: Any, rest: list[int], has_squares: bool) -> Iterator[tuple[Part, ...]]:
    """Words of few values as cells; without a board also the bits of other words, those of the same number together."""
    wide = []
    for word in rest:
        values = words[:, word]
        if len(np.unique(values)) == 1:
            continue
        if int(values.max()) < MAX_FIELD_VALUES:
            yield (Part(word, 0, max(1, int(values.max()).bit_length())),)
        elif len(np.unique(values)) > MAX_FIELD_VALUES:
            wide.append(word)
    if has_squares or not wide:
        return
    changed = [int(np.bitwise_or.reduce(words[:, word] ^ words[0, word])) for word in wide]
    for shift in range(64):
        parts = [Part(word, shift, 1) for word, bits in zip(wide, changed, strict=True) if bits >> shift & 1]
        if 0 < len(parts) <= MAX_RAW_BITS:
            yield tuple(parts)
