"""Kalah: published values, a game played seed by seed on one board as referee, and stages that rise with every move."""

import random

import pytest

import zermelo as z
from random_games import random_states
from zermelo import GameError
from zermelo.board import Pits
from zermelo.games.kalah import Kalah, State
from zermelo.rules import legal_actions
from zermelo.textbook import backward_induction

GAMES = [Kalah(), Kalah(3, 4), Kalah(4, 9, empty_capture=True), Kalah(1, 5), Kalah(2, 30)]


class Slow(Kalah):
    """Kalah as Python runs it: small games are solved sooner than compiled."""

    native = False


# -- the referee: one list of places, the first player's pits and store, then the second player's ---------------------


class Table:
    def __init__(self, pits, seeds, empty_capture):
        self.pits, self.empty_capture = pits, empty_capture
        self.places = ([seeds] * pits + [0]) * 2
        self.player = 0

    def copy(self):
        other = object.__new__(Table)
        other.__dict__ = {**self.__dict__, "places": list(self.places)}
        return other

    def side(self, player):
        start = player * (self.pits + 1)
        return range(start, start + self.pits)

    def over(self):
        return any(all(self.places[place] == 0 for place in self.side(player)) for player in (0, 1))

    def moves(self):
        return [] if self.over() else [pit for pit, place in enumerate(self.side(self.player)) if self.places[place]]

    def move(self, pit):
        store, other_store = self.side(self.player).stop, self.side(1 - self.player).stop
        place = self.side(self.player)[pit]
        hand, self.places[place] = self.places[place], 0
        while hand:
            place = (place + 1) % len(self.places)
            if place != other_store:
                self.places[place] += 1
                hand -= 1
        opposite = 2 * self.pits - place
        into_empty = place in self.side(self.player) and self.places[place] == 1
        if into_empty and (self.places[opposite] or self.empty_capture):
            self.places[store] += 1 + self.places[opposite]
            self.places[place] = self.places[opposite] = 0
        if place != store:
            self.player = 1 - self.player

    def state(self):
        mine, theirs = (tuple(self.places[place] for place in self.side(self.player ^ other)) for other in (0, 1))
        stores = (self.places[self.side(self.player ^ other).stop] for other in (0, 1))
        return State(mine, theirs, *stores, self.player)

    def margin(self):
        first = sum(self.places[: self.pits + 1])
        return (2 * first - sum(self.places)) * (-1 if self.player else 1)


def table(game):
    return Table(game.pits, game.seeds, game.empty_capture)


def leaves(here, depth):
    """Perft as the referee counts it."""
    if depth == 0:
        return 1
    total = 0
    for move in here.moves():
        there = here.copy()
        there.move(move)
        total += leaves(there, depth - 1)
    return total


@pytest.mark.parametrize("game", [*GAMES, Kalah(3, 2, empty_capture=True), Kalah(7, 15), Kalah(2, 5)], ids=repr)
def test_play_is_that_of_the_referee(game):
    dice = random.Random(7)
    for _ in range(40):
        here, state = table(game), game.initial()
        while here.moves():
            assert here.state() == state
            assert here.moves() == legal_actions(game, state)
            move = dice.choice(here.moves())
            here.move(move)
            state = game.play(state, move)
        assert here.state() == state
        assert game.result(state) == here.margin()


@pytest.mark.parametrize(("game", "depth"), [(Kalah(), 6), (Kalah(4, 3, empty_capture=True), 8)], ids=repr)
def test_perft_is_that_of_the_referee(game, depth):
    assert [z.perft(game, plies) for plies in range(depth)] == [leaves(table(game), plies) for plies in range(depth)]


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [Kalah(3, 3), pytest.param(Kalah(empty_capture=True), marks=pytest.mark.slow)], ids=repr
)
def test_the_contract_holds(game):
    report = z.check(game, states=400, games=10)
    assert report.native, report.native_error
    assert not report.notes


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_move_raises_the_stage(game):
    for state in random_states(game, 1500):
        for move in legal_actions(game, state):
            assert game.stage(game.play(state, move)) > game.stage(state)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_are_read_back(game):
    for state in random_states(game, 200):
        assert game.parse_state(game.state_text(state)) == state
        board = game.board(state)
        assert sum(board.first + board.second + board.stores) == 2 * game.pits * game.seeds


def test_bounds_meet_once_a_player_has_everything():
    game = Kalah(2, 2)
    assert game.bounds(State((0, 1), (1, 0), 6, 0, 0)) == (4, 8)
    assert game.bounds(game.initial()) == game.payoff_bounds == (-8, 8)


def test_captures_and_further_turns_come_first():
    game = Kalah()
    state = game.parse_state("0 4 4 1 0 4 [2] 3 3 3 3 3 3 [15] first")
    assert sorted(legal_actions(game, state), key=lambda pit: -game.order(state, pit))[:2] == [2, 3]
    assert game.play(state, 2).player == 0
    assert game.play(state, 3).their_store == 2 + 1 + 3


def test_a_lap_that_ends_where_it_began_captures():
    game = Kalah(2, 30)
    after = game.play(game.parse_state("5 0 [60] 3 52 [0] first"), 0)
    assert after == State((4, 0), (0, 1), 0, 60 + 1 + 1 + 53, 1)


def test_the_rule_variants_part_where_nothing_lies_opposite():
    state = State((1, 0, 2), (3, 0, 0), 0, 12, 0)
    assert Kalah(3, 3).play(state, 0) == State((3, 0, 0), (0, 1, 2), 12, 0, 1)
    assert Kalah(3, 3, empty_capture=True).play(state, 0) == State((3, 0, 0), (0, 0, 2), 12, 1, 1)


def test_a_board_has_pits_and_stores():
    game = Kalah(2, 3)
    state = z.position(game, "2")
    assert game.board(state) == Pits((3, 0), (4, 4), (1, 0))
    assert [game.squares(state, pit) for pit in game.moves(state)] == [(3,), (4,)]


@pytest.mark.parametrize(
    ("text", "words"),
    [("3 3 [0] 3 3 3 [0] first", "one looks like '3 3 3 \\[0\\]"), ("3 3 4 [0] 3 3 3 [0] first", "not 18 seeds")],
)
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        Kalah(3, 3).parse_state(text)


@pytest.mark.parametrize("sizes", [(0, 4), (6, 0), (21, 1), (True, 4), (6, 101)])
def test_sizes_that_make_no_game(sizes):
    with pytest.raises(GameError, match="must be a whole number"):
        Kalah(*sizes)


# -- published values --------------------------------------------------------------------------------------------------

IRVING = {
    1: (0, -2, 6, -2, 2, 0), 2: (2, -2, -2, -12, 6, 8), 3: (0, 4, 2, 2, 6, -10), 4: (2, 6, 8, 2, 2, 0),
    5: (0, 0, 8, 12), 6: (2, 10, 2),
}  # fmt: skip
"""The margin of the first player by pits and 1, 2, ... seeds, if an empty pit is captured too.

Irving, Donkers and Uiterwijk, Solving Kalah (ICGA Journal 23, 2000), who say who wins; the margins, and the table for
the standard rule, were computed twice by independent programs.
"""

STANDARD = {
    1: (0, -2, 6, -2, 2, 0), 2: (2, -2, -2, -10, 6, 8), 3: (0, 4, 2, 2, 6, -8), 4: (2, 6, 6, 2), 5: (0, 2, 6),
    6: (2, 6),
}  # fmt: skip


def published(pits):
    for empty_capture, table in ((True, IRVING), (False, STANDARD)):
        for seeds, margin in enumerate(table[pits], 1):
            yield pits, seeds, empty_capture, margin


SMALL = [entry for pits in (1, 2, 3) for entry in published(pits) if pits * entry[1] <= 12]
LARGE = [entry for pits in (3, 4, 5, 6) for entry in published(pits) if entry not in SMALL]


@pytest.mark.parametrize(("pits", "seeds", "empty_capture", "margin"), SMALL)
def test_published_values_of_small_boards(pits, seeds, empty_capture, margin):
    found = z.search(Slow(pits, seeds, empty_capture), exact=True)
    assert (found.value.score, found.value.exact) == (margin, True)


@pytest.mark.parametrize(("pits", "seeds", "empty_capture", "margin"), [e for e in SMALL if e[0] * e[1] <= 6])
def test_published_values_by_backward_induction(pits, seeds, empty_capture, margin):
    assert backward_induction(Slow(pits, seeds, empty_capture)).value.score == margin


@pytest.mark.slow
@pytest.mark.parametrize(("pits", "seeds", "empty_capture", "margin"), LARGE)
def test_published_values_of_larger_boards(pits, seeds, empty_capture, margin):
    assert z.search(Kalah(pits, seeds, empty_capture), exact=True).value.score == margin
