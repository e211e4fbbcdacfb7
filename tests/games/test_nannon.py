"""Nannon: a referee on a list of spots, the published number of positions, and values by an iteration of its own."""

import random

import pytest

import zermelo as z
from random_games import random_states
from zermelo import ONGOING, GameError
from zermelo.games.nannon import OPENING_ROLL, PASS, Nannon, State
from zermelo.rules import legal_actions

GAMES = [Nannon(), Nannon(4, 2, 4), Nannon(8, 4, 6, nannons=False), Nannon(3, 1, 5)]


class Slow(Nannon):
    """Nannon as Python runs it."""

    native = False


# -- the referee: one list of spots with X and O, and counters beside it ----------------------------------------------


class Table:
    def __init__(self, game):
        self.size, self.checkers, self.nannons = game.spots, game.checkers, game.nannons
        self.spots = [None] * game.spots
        for i in range(game.checkers - 1):
            self.spots[i], self.spots[-1 - i] = 0, 1
        self.home, self.safe, self.player = [1, 1], [0, 0], 0

    def target(self, spot, die):
        """Where a checker of the player comes to from a spot, or from home (None): a spot, or the size for safety."""
        if self.player == 0:
            return (-1 if spot is None else spot) + die
        there = (self.size if spot is None else spot) - die
        return there if there >= 0 else self.size

    def legal(self, spot, die):
        if (self.home[self.player] if spot is None else self.spots[spot] == self.player) in (0, False):
            return False
        to = self.target(spot, die)
        if to >= self.size:
            return spot is not None
        neighbours = [self.spots[i] for i in (to - 1, to + 1) if 0 <= i < self.size]
        return self.spots[to] is None or (self.spots[to] != self.player and self.spots[to] not in neighbours)

    def moves(self, die):
        """The spots that can be left, as the player counts them, 0 for home."""
        spots = [spot for spot in [None, *range(self.size)] if self.legal(spot, die)]
        counted = [0 if spot is None else spot + 1 if self.player == 0 else self.size - spot for spot in spots]
        return sorted(counted) or [PASS]

    def move(self, counted, die):
        if counted != PASS:
            spot = None if counted == 0 else counted - 1 if self.player == 0 else self.size - counted
            to = self.target(spot, die)
            if spot is None:
                self.home[self.player] -= 1
            else:
                self.spots[spot] = None
            if to >= self.size:
                self.safe[self.player] += 1
            else:
                if self.spots[to] is not None:
                    self.home[self.spots[to]] += 1
                self.spots[to] = self.player
        self.player = 1 - self.player

    def payoff(self):
        """What the player to move gets."""
        if self.safe[1 - self.player] < self.checkers:
            return ONGOING
        return -2 if self.nannons and self.safe[self.player] == 0 else -1

    def text(self, die):
        cells = "".join("." if spot is None else "XO"[spot] for spot in self.spots)
        return f"{cells} {self.home[0]} {self.home[1]} {'XO'[self.player]} {die}"


def agrees(game, seed):
    """Whether a game at random is the same on the referee's table."""
    dice = random.Random(seed)
    here, state, die = Table(game), game.initial(), "opening"
    while here.payoff() == ONGOING:
        if game.state_text(state) != here.text(die):
            return False
        die = dice.choice(legal_actions(game, state))
        state = game.play(state, die)
        if here.moves(die) != legal_actions(game, state):
            return False
        move = dice.choice(here.moves(die))
        here.move(move, die)
        state, die = game.play(state, move), 0
    return game.state_text(state) == here.text(0) and game.result(state) == here.payoff()


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    assert all(agrees(game, seed) for seed in range(60))


class NoPrimes(Nannon):
    """A twin in which every checker can be hit."""

    def is_open(self, state, spot):
        return not state.mine >> spot & 1


class NoHits(Nannon):
    """A twin in which a checker that is hit is gone."""

    def play(self, state, move):
        after = super().play(state, move)
        return after._replace(home=min(after.home, state.their_home)) if state.die > 0 else after


@pytest.mark.parametrize("twin", [NoPrimes(), NoHits()], ids=repr)
def test_the_referee_notices_a_broken_twin(twin):
    assert not all(agrees(twin, seed) for seed in range(60))


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    assert z.check(Nannon(), states=300, games=10, strict=True).native


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_are_read_back(game):
    for state in random_states(game, 200):
        assert game.parse_state(game.state_text(state)) == state


def test_the_opening_moves_by_a_difference_of_dice():
    game = Nannon()
    odds = dict(game.chances(game.initial()))
    assert odds == pytest.approx({die: (6 - die) / 15 for die in range(1, 6)})
    assert dict(game.chances(game.initial()._replace(die=0))) == pytest.approx(dict.fromkeys(range(1, 7), 1 / 6))


def test_primes_and_blots():
    game = Nannon()
    state = game.parse_state("XX..OO 1 1 X 4")
    assert [game.move_text(state, move) for move in game.moves(state)] == ["home/4"]
    assert [game.move_text(state._replace(die=5), move) for move in game.moves(state._replace(die=5))] == ["2/safe"]
    blot = game.parse_state("XX..O. 1 1 X 4")
    assert [game.move_text(blot, move) for move in game.moves(blot)] == ["home/4", "1/5*", "2/6"]
    assert game.state_text(game.play(blot, 1)) == ".X..X. 1 2 O 0"
    stuck = game.parse_state(".OO... 3 0 X 3")
    assert [game.move_text(stuck, move) for move in game.moves(stuck)] == ["pass"]


@pytest.mark.parametrize(
    "text", ["XX..O 1 1 X 0", "XXX.OO 1 1 X 0", "...... 0 0 X 0", "....OO 0 1 X 0", "XX..OO 1 1 X 7", "XX..OO"]
)
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match="Nannon"):
        Nannon().parse_state(text)


@pytest.mark.parametrize("sizes", [(1, 1, 6), (6, 5, 6), (6, 0, 6), (6, 3, 1), (True, 1, 6), (6, 3, 6, 1)])
def test_sizes_that_make_no_game(sizes):
    with pytest.raises(GameError, match=r"must be|too few"):
        Nannon(*sizes)


# -- values ------------------------------------------------------------------------------------------------------------


def iterated(game, rounds=400):
    """The expectation of every state before its roll, for the player to roll: improved until it stands still.

    A position is a pair of sides, each (spots, checkers at home), so it is the same for either player.
    """
    start = game.initial()
    found, new = {start[:4]}, [start[:4]]
    after = {}
    while new:
        here = new.pop()
        rolls = []
        for die in range(1, game.faces + 1):
            state = State(*here, die, 0)
            children = [game.play(state, move) for move in game.moves(state)]
            rolls.append([(child[:4], game.result(child)) for child in children])
        after[here] = rolls
        for rolled in rolls:
            for child, result in rolled:
                if result == ONGOING and child not in found:
                    found.add(child)
                    new.append(child)
    values = dict.fromkeys(found, 0.0)
    for _ in range(rounds):
        for here, rolls in after.items():
            best = [max(-(values[c] if r == ONGOING else r) for c, r in rolled) for rolled in rolls]
            values[here] = sum(best) / game.faces
    odds = dict(game.chances(start))
    opening = [max(-(values[c] if r == ONGOING else r) for c, r in after[start[:4]][die - 1]) for die in odds]
    return sum(map(float.__mul__, opening, odds.values())), values


@pytest.mark.parametrize("game", [Slow(4, 2, 4), Slow(2, 2, 3), Slow(3, 1, 2, nannons=False)], ids=repr)
def test_small_values_by_two_methods(game):
    value, _ = iterated(game)
    assert z.textbook.value_iteration(game).value.score == pytest.approx(value, abs=1e-6)


@pytest.mark.slow
def test_the_published_number_of_positions_and_the_value():
    """2530 positions: Pollack, Nannon: a simple backgammon for machine learning research (2005)."""
    game = Nannon()
    sides = [(spots, home) for spots in range(0, 128, 2) for home in range(4) if game.safe(spots, home) in range(4)]
    positions = [
        (mine, theirs)
        for mine in sides
        for theirs in sides
        if not any(mine[0] >> spot & theirs[0] >> 7 - spot & 1 for spot in range(1, 7))
    ]
    assert len(positions) == 2530
    value, values = iterated(game)
    solution = z.solve(game)
    assert solution.value().score == pytest.approx(value, abs=1e-7)
    for (mine, theirs, home, their_home), expected in list(values.items())[::50]:
        state = State(mine, theirs, home, their_home, 0, 1)
        assert solution.value(state).score == pytest.approx(expected, abs=1e-7)
    assert game.initial().die == OPENING_ROLL
