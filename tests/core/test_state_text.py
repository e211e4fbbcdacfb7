"""The default notation of states: what `state_text` writes, `parse_state` reads, whatever kind of state it is."""

from enum import Enum
from typing import NamedTuple

import pytest

import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, Game, GameError


class Hands(Game):
    """Two hands of cards, the mover's first; each in turn plays a card, and whoever has none left loses."""

    cards: tuple = ((1, 2), ())

    def initial(self):
        return self.cards

    def moves(self, state):
        return state[0]

    def play(self, state, card):
        mine, theirs = state
        kept = mine.__class__(other for other in mine if other != card)
        return theirs, kept

    def result(self, state):
        return ONGOING if state[0] else LOSS if state[1] else DRAW


STATES = [
    ((1, 2), ()),
    ((), ()),
    ((), (3, 4, 5)),
    ((1, (2, 3)), ((), ((4,),))),
    (frozenset({-1, -2, 10, 9}), frozenset()),
    (frozenset({(0, -1), (0, -2), (1, 0)}), frozenset({"b", "a"})),
    (frozenset({frozenset({2, 1}), frozenset()}), ()),
    (1 << 100, -0.5, "x", None, True),
]


@pytest.mark.parametrize(
    ("example", "state"),
    [(STATES[0], STATES[1]), (STATES[0], STATES[2]), (STATES[1], STATES[0]), (STATES[1], STATES[3])],
)
def test_ragged_tuples_are_read_as_they_were_written(example, state):
    assert Hands(example).parse_state(Hands(example).state_text(state)) == state


@pytest.mark.parametrize("state", STATES)
def test_a_state_like_the_initial_one_is_read_as_it_was_written(state):
    game = Hands(state)
    assert game.parse_state(game.state_text(state)) == state


def test_equal_sets_are_written_alike():
    one, other = frozenset(range(0, 4000, 8)), frozenset(reversed(range(0, 4000, 8)))
    assert z.Game.state_text(Hands(), (one,)) == z.Game.state_text(Hands(), (other,))
    assert Hands().state_text((frozenset({8, 0, -1}),)) == "(frozenset({-1, 0, 8}),)"


@pytest.mark.parametrize("cards", [((1, 2), ()), (frozenset({1, 9, 17}), frozenset({2, 3})), ((), ())])
def test_games_of_hands_keep_the_contract(cards):
    z.check(Hands(cards))


@pytest.mark.parametrize("text", ["frozenset(range(3))", "frozenset([1], key=2)", "open('x')", "(1, f(2))", "State(1)"])
def test_no_call_is_read(text):
    with pytest.raises(GameError, match="does not describe a state"):
        Hands().parse_state(text)


class Colour(Enum):
    RED = 1
    BLUE = 2


def test_a_state_that_no_text_describes_is_a_note_and_no_error():
    class Marble(Game):
        def initial(self):
            return Colour.RED

        def moves(self, state):
            return (0,)

        def play(self, state, move):
            return Colour.BLUE

        def result(self, state):
            return LOSS if state is Colour.BLUE else ONGOING

    z.check(Marble())


class Left(NamedTuple):
    """What is left of a pile."""

    left: int


class Pile(Game):
    """Take one, and write what is left in another way each time; whoever finds nothing loses."""

    native = False

    def initial(self):
        return Left(3)

    def moves(self, state):
        return (0, 1)

    def play(self, state, way):
        return (state[0] - 1, way) if way else (state[0] - 1,)

    def result(self, state):
        return LOSS if state[0] == 0 else ONGOING


def test_states_may_be_of_another_shape_than_the_initial_one():
    states = [(2,), Left(3), (2, 1), (1, 1)]
    assert [str(z.search(Pile(), state).value) for state in states] == [
        "loss in 2",
        "win in 3",
        "loss in 2",
        "win in 1",
    ]
    assert [str(report.value) for report in z.search_many(Pile(), states)] == [
        "loss in 2", "win in 3", "loss in 2", "win in 1"
    ]  # fmt: skip
    assert str(z.solve(Pile()).value((2, 1))) == "loss in 2"


@pytest.mark.parametrize("state", [5, "x", [1, 2], (), ("a",), None.__class__])
def test_what_the_rules_can_make_nothing_of_is_no_state(state):
    with pytest.raises(GameError, match="cannot be a state"):
        z.search(Pile(), state)
