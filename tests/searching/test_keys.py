"""Keys: states that look alike are told apart by every algorithm that knows a state again, interpreted and compiled."""

import random
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pytest
from test_proof_search import check

import naive
import random_games
import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, WIN, Game, GameError, Limit, bits, keys, textbook
from zermelo.keys import key_and_check, state_check, state_key
from zermelo.native.kernel_dispatch import kernel

# -- random games whose states look alike ------------------------------------------------------------------------------

SIZE = 16


@dataclass(frozen=True)
class Card:
    """An author's own class, whose hash says nothing."""

    number: int

    def __hash__(self):
        return 1


Suit = Enum("Suit", [f"S{i}" for i in range(SIZE)])


def digits(number, one, other):
    return tuple(other if number >> i & 1 else one for i in range(5))


DISGUISES = {
    "hands": lambda i: (tuple(range(i)), tuple(range(i, SIZE))),
    "nested": lambda i: (((1,) * i,), ((1,) * (SIZE - i), ())),
    "board": lambda i: i << 64 | 7,
    "boards": lambda i: (i >> 2 << 70 | 1, -(i & 3) << 130),
    "pair": lambda i: (i, 7),
    "signs": lambda i: (i % 2 * 2**64 - 1, (i // 2 - 1) * 2**64 + 5),
    "minus": lambda i: digits(i, np.int64(-1), np.int64(-2)),
    "unsigned": lambda i: tuple(np.uint64(5 + (2**61 - 1) * (i // 4**k % 4)) for k in range(2)),
    "coordinates": lambda i: frozenset((place, -1 - (i >> place & 1)) for place in range(4)),
    "sets": lambda i: frozenset(range(16)) - {i},
    "floats": lambda i: (i * 2.0**-40, 0.5),
    "tiny": lambda i: i * 5e-324,
    "text": lambda i: ("x" * i, None, b"x" * (SIZE - i)),
    "kinds": lambda i: ("1", b"1", 1, (None,), 1.5, (1,), (), ((),), ("1",), -1, -2, "", b"", frozenset(), 2**64, 0)[i],
    "objects": lambda i: (Card(i // 2), Fraction(1, 1 + i % 2)),
    "suits": lambda i: (tuple(Suit)[i], complex(i)),
}  # fmt: skip


class Disguised(Game):
    """A random game, each of whose states is shown as something else."""

    disguise: str = "hands"
    seed: int = 0

    native = False

    @cached_property
    def plain(self):
        return self.kind(size=SIZE, seed=self.seed)

    @cached_property
    def codes(self):
        return [DISGUISES[self.disguise](i) for i in range(SIZE)]

    @cached_property
    def numbers(self):
        return {code: i for i, code in enumerate(self.codes)}

    def initial(self):
        return self.codes[0]

    def moves(self, state):
        return self.plain.moves(self.numbers[state])

    def play(self, state, move):
        return self.codes[self.plain.play(self.numbers[state], move)]

    def result(self, state):
        return self.plain.result(self.numbers[state])

    def stuck(self, state):
        return self.plain.stuck(self.numbers[state])


class DisguisedLoop(Disguised):
    kind = random_games.LoopGame
    loops = True


class DisguisedTree(Disguised):
    kind = random_games.RandomGame


class DisguisedChance(Disguised):
    kind = random_games.ChanceGame

    def mover(self, state):
        return self.plain.mover(self.numbers[state])

    def is_chance(self, state):
        return self.plain.is_chance(self.numbers[state])

    def chances(self, state):
        return self.plain.chances(self.numbers[state])


disguised = pytest.mark.parametrize("disguise", DISGUISES)


@disguised
def test_values_of_states_that_look_alike_are_the_referees(disguise):
    for seed in range(15):
        game = DisguisedTree(disguise, seed)
        assert len(game.numbers) == SIZE
        truth = naive.value(game)
        for report in (z.search(game, exact=True), z.search(game, limit=Limit(depth=SIZE + 1))):
            assert report.value.exact
            assert report.value.score == truth
            assert report.move in naive.best_moves(game)
        assert z.solve(game).value().score == truth
        assert textbook.alphabeta(game).value.score == truth
        for goal in (WIN, DRAW):
            check(game, game.initial(), goal, z.prove(game, at_least=goal))


@disguised
def test_repetitions_of_states_that_look_alike_are_the_referees(disguise):
    for seed in range(8):
        game = DisguisedLoop(disguise, seed)
        truth = naive.value(game)
        for goal in (WIN, DRAW):
            check(game, game.initial(), goal, z.prove(game, at_least=goal))
        for depth in (3, 6):
            report = z.search(game, limit=Limit(depth=depth))
            assert not report.value.exact or report.value.score == truth
            assert report.bounds[0] <= truth <= report.bounds[1]
        assert z.solve(game).value().score == truth


@disguised
def test_expectations_of_states_that_look_alike_are_the_referees(disguise):
    for seed in range(15):
        game = DisguisedChance(disguise, seed)
        if game.is_chance(game.initial()):
            continue
        report = z.search(game, limit=Limit(depth=SIZE + 1))
        assert report.value.exact
        assert float(report.value.score) == pytest.approx(naive.value(game))


@pytest.mark.parametrize("constant", [0, 1])
def test_neither_word_is_trusted_alone(constant, monkeypatch):
    """Where one of the two words is the same for all states, the other tells these apart: nobody leaves it out."""
    real = keys.key_and_check

    def blind(part):
        words = list(real(part))
        words[constant] = 77
        return tuple(words)

    monkeypatch.setattr(keys, "key_and_check", blind)
    for seed in range(25):
        game = DisguisedTree("pair", seed)
        truth = naive.value(game)
        for report in (z.search(game, exact=True), z.search(game, limit=Limit(depth=SIZE + 1))):
            assert report.value.score == truth
        for each in (game, DisguisedLoop("pair", seed)):
            for goal in (WIN, DRAW):
                check(each, each.initial(), goal, z.prove(each, at_least=goal))
        chance = DisguisedChance("pair", seed)
        if not chance.is_chance(chance.initial()):
            report = z.search(chance, limit=Limit(depth=SIZE + 1))
            assert float(report.value.score) == pytest.approx(naive.value(chance))


# -- the words themselves ----------------------------------------------------------------------------------------------


def test_different_states_have_different_fingerprints():
    parts = [DISGUISES[name](i) for name in DISGUISES for i in range(SIZE)]
    parts += [
        ((), (1,)),
        ((1,), ()),
        ((1, 2), (3,)),
        ((1,), (2, 3)),
        (-1,),
        (2**64 - 1,),
        (2**64,),
        (-(2**64),),
        (1, 2),
    ]
    parts += [
        0.1,
        0.1 + 2**-55,
        float("inf"),
        float("-inf"),
        4602678819172646912,
        0.5,
        5e-324,
        2.0**63,
        "a",
        b"a",
        ("a",),
        "\ud800",
        "\udc00",
        np.timedelta64(1, "ns"),
        np.timedelta64(1, "ps"),
    ]
    different = set(parts)
    words = {key_and_check(part) for part in different}
    assert len(words) == len(different)
    assert len({key for key, _ in words}) > 0.99 * len(different) - 2 * SIZE  # -1 and 2**64 - 1 share their key alone


def test_equal_states_have_equal_fingerprints():
    class Point(NamedTuple):
        x: int
        y: float

    equal = [(1, 0), (True, False), (1.0, -0.0), (np.uint64(1), np.int8(0)), (np.True_, np.float32(0)), Point(1, 0.0)]
    assert len({key_and_check(part) for part in equal}) == 1
    assert key_and_check(frozenset((3, (1, 2)))) == key_and_check(frozenset(((1.0, 2), np.int64(3))))
    assert key_and_check((Card(3), "ab")) == key_and_check((Card(3), "a" + "b"))
    assert key_and_check(2**70 + 1) == key_and_check((1 << 70) + 1)


def inverse_mix(word):
    word = _unfold(word, 31)
    word = _unfold(word * pow(0x94D049BB133111EB, -1, 2**64) & bits.WORD, 27)
    return (_unfold(word * pow(0xBF58476D1CE4E5B9, -1, 2**64) & bits.WORD, 30) - 0x9E3779B97F4A7C15) & bits.WORD


def inverse_stir_key(word):
    return _unfold(_unfold(word, 29) * pow(keys.KEY_MULTIPLIER, -1, 2**64) & bits.WORD, 32)


def inverse_stir_check(word):
    return _unfold(_unfold(word, 31) * pow(keys.CHECK_MULTIPLIER, -1, 2**64) & bits.WORD, 29)


def _unfold(word, shift):
    """The word that word ^ word >> shift was made of."""
    result = word
    for _ in range(64 // shift):
        result = word ^ result >> shift
    return result


def test_the_two_words_of_two_numbers_give_the_numbers_back():
    """So no two states of two 64-bit numbers can be taken for each other; a single number needs its key alone."""
    rng = random.Random(1)
    for _ in range(200):
        one, two = (rng.choice((rng.getrandbits(64), rng.randrange(9), 1 << rng.randrange(64))) for _ in range(2))
        state = bits.signed(one), bits.signed(two)
        key, check = key_and_check(state)
        first_key, first_check = keys.seeds((keys.TUPLE, 2, keys.NUMBER, keys.NUMBER))
        first_check = keys.mix_check(first_check ^ first_key, keys.ORDINARY)
        between = inverse_stir_check(inverse_mix(check)) ^ first_check
        assert inverse_stir_key(between) ^ first_key == one
        assert inverse_stir_key(inverse_mix(key)) ^ between == two
        alone, _ = key_and_check(bits.signed(one))
        assert inverse_stir_key(inverse_mix(alone)) ^ keys.seeds((keys.NUMBER,))[0] == one


@pytest.mark.parametrize("bit", range(64))
def test_no_difference_passes_both_words(bit):
    """A change of the first word that a change of the third undoes in the key is still seen in the check."""
    rng, shape = random.Random(bit), (keys.TUPLE, 3, *[keys.NUMBER] * 3)
    seed = keys.seeds(shape)[0]
    for off in {1 << bit, 1 << 63 | 1 << bit, 1 << 63 | 1 << 34 | 1 << bit}:
        undone = 0
        for _ in range(20):
            words = [rng.getrandbits(63) for _ in range(3)]
            first = keys.mix_key(seed ^ words[0])
            other = [bits.signed(inverse_stir_key(first ^ off) ^ seed), words[1], 0]
            between = keys.mix_key(first ^ words[1]) ^ keys.mix_key(first ^ off ^ words[1])
            other[2] = bits.signed(words[2] ^ between)
            assert keys.key_and_check(tuple(words))[0] == keys.key_and_check(tuple(other))[0]
            undone += keys.key_and_check(tuple(words))[1] == keys.key_and_check(tuple(other))[1]
        assert undone == 0


def test_keys_and_checks_are_spread_evenly():
    """Neighbouring states fall into different buckets, and each bit of either word is set in half of them."""
    states = [(i, j, 0) for i in range(100) for j in range(100)] + [(1 << i, 1 << j, 1 << k) for i in range(20) for j in
              range(20, 40) for k in range(40, 64)]  # fmt: skip
    words = np.array([key_and_check(state) for state in states], np.uint64)
    assert len(np.unique(words[:, 0])) == len(states)
    assert len(np.unique(words[:, 0] & np.uint64(0xFFFF))) > 0.98 * 2**16 * (1 - np.exp(-len(states) / 2**16))
    for column in words.T:
        shares = [(column >> np.uint64(i) & np.uint64(1)).mean() for i in range(64)]
        assert min(shares) > 0.45
        assert max(shares) < 0.55


def test_objects_that_are_forgotten_count_as_new(monkeypatch):
    monkeypatch.setattr(keys, "MAX_NUMBERED_OBJECTS", 5)
    cards = [Card(i) for i in range(20)]
    assert len({key_and_check(card) for card in cards}) == 20
    for seed in range(10):
        game = DisguisedTree("objects", seed)
        assert z.search(game, exact=True).value.score == naive.value(game)
        for goal in (WIN, DRAW):
            loop = DisguisedLoop("objects", seed)
            check(loop, loop.initial(), goal, z.prove(loop, at_least=goal))


def test_a_key_beyond_64_bits_is_an_error():
    class Wide(random_games.RandomGame):
        def key(self, state):
            return state << 64

    with pytest.raises(GameError, match=r"`key` returned .* does not fit 64 bits"):
        z.search(Wide(seed=3), limit=Limit(depth=9))


# -- compiled ----------------------------------------------------------------------------------------------------------


class Fine(NamedTuple):
    seed: int
    ply: int
    place: float


class Steps(Game):
    """Six tiny steps of a float; who wins follows from the seed and the place. One class is hundreds of games."""

    plies: int = 6

    def initial(self):
        return Fine(1, 0, 0.5)

    def moves(self, state):
        yield from range(2 + state.ply % 2)

    def play(self, state, move):
        step = (move + 1) * (state.ply + 1) * 9.094947017729282e-13  # 2**-40
        return Fine(state.seed, state.ply + 1, state.place + step)

    def result(self, state):
        if state.ply < self.plies:
            return ONGOING
        steps = int((state.place - 0.5) * 1099511627776.0)
        return bits.signed(bits.remainder(bits.mix(state.seed * 1000 + steps), 3)) - 1


class InterpretedSteps(Steps):
    native = False


@pytest.mark.parametrize("game", [Steps(), InterpretedSteps()], ids=repr)
def test_floats_that_differ_by_little_are_told_apart(game):
    assert (game.native_error is None) == (game.native is not False)
    for seed in range(40):
        state = Fine(seed, 0, 0.5)
        truth = naive.value(game, state)
        assert z.search(game, state, exact=True).value.score == truth
        assert z.search(game, state, Limit(depth=6)).value.score == truth
        for goal in (WIN, DRAW):
            check(game, state, goal, z.prove(game, state, at_least=goal))


class Mixed(NamedTuple):
    whole: int
    word: np.uint64
    real: float
    flag: bool
    inside: tuple[int, tuple[int, int]]
    short: np.float32
    byte: np.int8


class Numbers(Game):
    """Every kind of number that compiles."""

    def initial(self):
        return Mixed(0, np.uint64(0), 0, False, (1, (2, 3)), np.float32(0), np.int8(0))

    def moves(self, state):
        yield 0

    def play(self, state, move):
        return state

    def result(self, state):
        return LOSS


@kernel
def two_words(game, state):
    return state_key(game, state), state_check(game, state)


def test_compiled_and_interpreted_words_are_the_same():
    rng, game = random.Random(1), Numbers()
    reals = (0.5, -0.0, 1e300, float("inf"), 3, -(2.0**63), 2.0**63, 5e-324, 1e18, -7.0, 2.0**53 + 2)
    assert game.native_error is None
    for _ in range(300):
        state = Mixed(
            rng.choice((-1, -2, 2**63 - 1, -(2**63), 5)),
            rng.choice((0, 2**63, 2**64 - 1, 7)),
            rng.choice(reals),
            rng.random() < 0.5,
            (rng.randrange(-3, 3), (rng.getrandbits(62), -1)),
            float(np.float32(rng.choice((rng.random(), 3, -1e9)))),
            rng.randrange(-128, 128),
        )
        assert two_words(game, state) == two_words.interpreted(game, state)


# -- states that outgrow the machine -----------------------------------------------------------------------------------


class Draft(Game):
    """Cards go to either hand by turns; who wins follows from the hands. Hands grow, so states have no fixed shape."""

    cards: int = 5
    seed: int = 0

    def initial(self):
        return (), ()

    def moves(self, state):
        return range(2)

    def play(self, state, move):
        mine, theirs = state
        card = len(mine) + len(theirs)
        return (theirs, (*mine, card)) if move else ((*theirs, card), mine)

    def result(self, state):
        mine, theirs = state
        if len(mine) + len(theirs) < self.cards:
            return ONGOING
        return (sum(card * card for card in mine) + self.seed) % 3 - 1


class Cells(NamedTuple):
    mine: int
    theirs: int


class Large(Game):
    """Take turns at six cells of a board of 81; the machine's ints have no room for all of them."""

    seed: int = 0

    @property
    def chosen(self):
        return (3, 40, 61, 64 + self.seed % 4, 70, 80)

    def initial(self):
        return Cells(0, 0)

    def moves(self, state):
        for cell in self.chosen:
            if not (state.mine | state.theirs) >> cell & 1:
                yield cell

    def play(self, state, move):
        return Cells(state.theirs, state.mine | 1 << move)

    def result(self, state):
        if sum((state.mine | state.theirs) >> cell & 1 for cell in self.chosen) < len(self.chosen):
            return ONGOING
        return (state.mine % 1009 + self.seed) % 3 - 1


@pytest.mark.parametrize("kind", [Draft, Large])
@pytest.mark.parametrize("asked", [False, True])
def test_whether_a_game_compiles_does_not_depend_on_what_was_asked_before(kind, asked, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))  # where no other process left a verdict
    game = kind(seed=100 + asked)
    if asked:
        assert game.native_error is not None
    assert z.search(game, exact=True).value.score == naive.value(game)
    moves = list(game.moves(game.initial()))
    child = game.play(game.initial(), moves[-1])
    assert z.search_many(game, [child])[0].value.score == naive.value(game, child)
    assert z.perft(game, 3) == z.perft(game, 2, child) * len(moves)
    assert game.native_error is not None


def test_none_as_a_state_is_an_error_where_the_rules_compile():
    game = z.load("connect_four")
    for _ in range(2):
        with pytest.raises(GameError, match="cannot be a state"):
            z.perft(game, 2, type(game.initial())(1 << 70, 0))
    assert game.native_error is None
