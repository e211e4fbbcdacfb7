"""Rules rewritten into plain functions yield, return and count what the rules themselves do."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest
from numpy import int64

import zermelo as z
from zermelo import bits, rules
from zermelo.bits import ones, popcount
from zermelo.game import ONGOING
from zermelo.native.codegen.syntax_trees import NotPlain
from zermelo.native.device.cuda import CudaGame

STEPS = (3, 1, 4, 1, 5, 9)
"""A constant tuple that a variable indexes."""


class State(NamedTuple):
    word: int
    turn: int


def pairs(word):
    """Yield pairs of set bits, and stop at a pair whose sum is 20."""
    for one in ones(word):
        for other in ones(word):
            if other == one:
                continue
            if one + other == 20:
                return
            yield one, other


class Idioms(z.Game):
    """A rule for each way to write a generator and a loop over it."""

    size: int = 12
    scale = 3

    def initial(self):
        return State(0b101101, 0)

    def moves(self, state):
        for move in self.all_moves(state):
            if move % 7 == 6:
                continue
            if move > 900:
                break
            yield move

    def all_moves(self, state):
        yield from self.free(state)
        for one, other in pairs(state.word):
            if one > other:
                continue
            yield 20 + one * self.size + other
        if state.turn == 3:
            return
        yield from (self.shifted(cell) for cell in range(self.size) if not state.word >> cell & 1)
        last = self.last(state)
        if last >= 0:
            yield 1000 + last

    def free(self, state):
        return ones(~state.word & (1 << self.size) - 1)

    def shifted(self, cell, by=2, *, extra=1):
        return 300 + cell * self.scale + by + extra

    def last(self, state):
        """Return from inside a loop over a generator."""
        for one, other in pairs(state.word):
            if one * other > 8:
                return one
        return -1

    def play(self, state, move):
        step = STEPS[move % 6]
        word = state.word
        for cell in self.free(state):
            if cell == move % self.size:
                word |= 1 << cell
                break
        else_word = word
        while True:
            step -= 1
            if step < 0:
                break
            else_word ^= bits.shift_left(1, step)
        return State(else_word & (1 << self.size) - 1, state.turn + 1)

    def result(self, state):
        return z.DRAW if int64(state.turn) >= 6 or popcount(state.word) > 9 else ONGOING

    def stuck(self, state):
        return z.LOSS

    def symmetries(self, state):
        yield State(bits.reverse(state.word) >> 64 - self.size, state.turn)


def list_moves(game, place, rows, out):
    count = 1
    for move in game.moves(rules_state(game, rows)):
        out[count] = move
        count += 1
    out[0] = count - 1


def rules_state(game, rows):
    return State(rows[0], rows[1])


def play_move(game, place, rows, move, out):
    child = game.play(rules_state(game, rows), move)
    out[0], out[1] = child.word, child.turn
    image = rules.canonical(game, child)
    out[2], out[3], out[4] = image.word, game.result(child), rules.orbit_size(game, child)


def test_generators_and_loops_over_them():
    game = Idioms()
    plain = CudaGame(game).rules
    listing, playing = plain.function(list_moves), plain.function(play_move)
    dice = random.Random(3)
    seen = 0
    for _ in range(400):
        state = State(dice.getrandbits(game.size), dice.randrange(5))
        moves, out = list(game.moves(state)), [0] * 600
        listing((), 0, tuple(state), out)
        assert out[1 : out[0] + 1] == moves, state
        seen += len(moves)
        for move in moves[:5]:
            child, found = game.play(state, move), [0] * 5
            playing(tuple(plain.tables), 0, tuple(state), move, found)
            image = game.canonical(child)
            assert found == [*child, image.word, game.result(child), rules.orbit_size(game, child)]
    assert seen > 4000


class Faulty(z.Game):
    """One rule of each kind that cannot be rewritten."""

    def initial(self):
        return 0

    def moves(self, state):
        return range(2)

    def play(self, state, move):
        return state + move

    def result(self, state):
        return ONGOING

    def listing(self, state):
        return len([state])

    def inner(self, state):
        def helper(x):
            return x

        return helper(state)

    def caught(self, state):
        try:
            return state
        except ValueError:
            return 0

    def named(self, state):
        return {"a": state}["a"]


@pytest.mark.parametrize(
    ("rule", "line", "words"),
    [("listing", 1, "a list"), ("inner", 1, "a function inside"), ("caught", 1, "`try`"), ("named", 1, "a dict")],
)
def test_what_cannot_be_rewritten_has_a_line_and_a_reason(rule, line, words):
    function = getattr(Faulty, rule)
    with pytest.raises(NotPlain, match=words) as error:
        CudaGame(Faulty()).rules.function(function)
    assert error.value.line == function.__code__.co_firstlineno + line


def test_a_rule_without_source_is_refused():
    scope = {"z": z, "ONGOING": ONGOING}
    exec(
        "class Typed(z.Game):\n"
        "    def initial(self): return 0\n"
        "    def moves(self, state): return range(2)\n"
        "    def play(self, state, move): return state + 1\n"
        "    def result(self, state): return ONGOING\n",
        scope,
    )
    with pytest.raises(NotPlain, match="source of play is not available"):
        CudaGame(scope["Typed"]()).rules.rule("play")
