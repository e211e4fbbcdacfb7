"""Words, keys and checks of states: written as IR for whole numbers, the same as interpreted and as Numba has them."""

import random
from typing import NamedTuple

import numpy as np
import pytest

from zermelo import LOSS, Game, keys
from zermelo.native.compilability import layout
from zermelo.native.kernel_dispatch import kernel
from zermelo.native.linking.state_rules import state_rule
from zermelo.rules import state_from_words, state_to_words
from zermelo.word_arrays import Words


class Whole(NamedTuple):
    flag: bool
    word: np.uint64
    number: int
    inside: tuple[int, tuple[bool, np.uint64]]


class Short(NamedTuple):
    number: int
    byte: np.int8


class Still(Game):
    """A game with one state, of any layout."""

    state: tuple = (0,)

    def initial(self):
        return self.state

    def moves(self, state):
        yield 0

    def play(self, state, move):
        return state

    def result(self, state):
        return LOSS


class Keyed(Still):
    def key(self, state):
        return state[0]


@kernel(kinds="state words")
def described(game, state, words):
    """The words of a state, and the keys of the state that is read from them."""
    state_to_words(game, state, words.part(0, 16))
    again = state_from_words(game, words.part(0, 16))
    words[16] = keys.structural_key(game, again)
    words[17] = keys.structural_check(game, again)
    words[18] = keys.state_key(game, again)
    words[19] = keys.state_check(game, again)


def both_ways(game, state):
    compiled, interpreted = Words.zeros(20), Words.zeros(16)
    assert described.ready(game, state, compiled), game.native_error
    described(game, state, compiled)
    state_to_words(game, state, interpreted)
    mixed = (keys.structural_key, keys.structural_check, keys.state_key, keys.state_check)
    return list(compiled), [*interpreted, *(key(game, state) for key in mixed)]


NUMBERS = (0, 1, -1, 5, -(2**63), 2**63 - 1)
UNSIGNED = (0, 1, 2**63, 2**64 - 1)


def whole(source):
    """A random state."""
    flags, words, numbers = (
        source.choices((False, True), k=2),
        source.choices(UNSIGNED, k=2),
        source.choices(NUMBERS, k=2),
    )
    return Whole(flags[0], np.uint64(words[0]), numbers[0], (numbers[1], (flags[1], np.uint64(words[1]))))


def test_states_of_whole_numbers():
    source = random.Random(1)
    game = Still(whole(source))
    assert state_rule(game, layout(game), "state_key")
    for _ in range(200):
        compiled, interpreted = both_ways(game, whole(source))
        assert compiled == interpreted


@pytest.mark.parametrize("state", [(7,), (1, -2, 3), ((1, 2), (3,)), (), (True,), Short(3, np.int8(-4)), (0.5, 2)])
def test_states_of_other_layouts(state):
    compiled, interpreted = both_ways(Still(state), state)
    assert compiled == interpreted


def test_a_key_of_the_authors_own_is_compiled():
    game = Keyed((9, 1))
    assert state_rule(game, layout(game), "state_key") is None
    compiled, interpreted = both_ways(game, (9, 1))
    assert compiled == interpreted
    assert compiled[18] != compiled[16]


def test_a_state_that_is_a_number():
    class Number(Still):
        def initial(self):
            return 3

    for number in NUMBERS:
        compiled, interpreted = both_ways(Number(), number)
        assert compiled == interpreted
