"""Can't Stop: a referee that keeps sets and dictionaries, and values by an iteration of its own."""

import itertools
import random

import pytest

import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, GameError
from zermelo.games.cant_stop.cant_stop_columns import step_in, steps
from zermelo.games.cant_stop.cant_stop_rules import IN_THE_AIR, ROLL, STOP, CantStop
from zermelo.rules import legal_actions

GAMES = [CantStop(), CantStop(3, 1), CantStop(2, 2, 2), CantStop(4, 2)]


class Slow(CantStop):
    """The game as Python runs it."""

    native = False


# -- the referee: what each player has climbed by column, the runners, and who has taken which column ------------------


class Table:
    def __init__(self, game):
        self.game, self.player = game, 0
        middle = game.faces + 1
        self.height = {c: game.shortest + 2 * (game.faces - 1 - abs(c - middle)) for c in range(2, 2 * game.faces + 1)}
        self.climbed, self.taken, self.runners = ({}, {}), {}, {}

    def room(self, column, steps=1):
        return column not in self.taken and self.place(column) + steps <= self.height[column]

    def place(self, column):
        return self.runners.get(column, self.climbed[self.player].get(column, 0))

    def choices(self, dice):
        """The ways to climb by these dice: sorted tuples of columns."""
        found = set()
        for one, other in itertools.combinations(range(4), 2):
            rest = [i for i in range(4) if i not in (one, other)]
            sums = dice[one] + dice[other], dice[rest[0]] + dice[rest[1]]
            single = {(column,) for column in sums if self.room(column) and self.has_runner([column])}
            both = self.has_runner(sums) and all(self.room(column, sums.count(column)) for column in sums)
            found |= {tuple(sorted(sums))} if both else single
        return found

    def has_runner(self, columns):
        return len({*self.runners, *columns}) <= 3

    def climb(self, columns):
        for column in columns:
            self.runners[column] = self.place(column) + 1

    def stop(self):
        for column, place in self.runners.items():
            self.climbed[self.player][column] = place
            if place == self.height[column]:
                self.taken[column] = self.player
                self.climbed[1 - self.player].pop(column, None)
        self.fall()

    def fall(self):
        self.runners, self.player = {}, 1 - self.player

    def lost(self):
        return [*self.taken.values()].count(1 - self.player) >= self.game.to_win

    def sides(self):
        """What the mover, the other and the runners have climbed, as a state holds it."""
        columns = sorted(self.height)
        mine, theirs = self.climbed[self.player], self.climbed[1 - self.player]
        turn = [self.runners.get(c, mine.get(c, 0)) - mine.get(c, 0) for c in columns]
        climbed = [mine.get(c, 0) for c in columns], [theirs.get(c, 0) for c in columns], turn
        return tuple(sum(steps * 32**i for i, steps in enumerate(side)) for side in climbed)


def columns_of(move):
    return tuple(column for column in divmod(move, 32) if column)


def agrees(game, seed):
    dice = random.Random(seed)
    here, state = Table(game), game.initial()
    while not here.lost():
        if state[:3] != here.sides() or game.result(state) != ONGOING or state.player != here.player:
            return False
        roll = sorted(dice.randint(1, game.faces) for _ in range(4))
        choices = here.choices(roll)
        state = game.play(state, int("".join(map(str, roll))))
        if not choices:
            here.fall()
            continue
        moves = {columns_of(move): move for move in legal_actions(game, state)}
        if moves.keys() != choices or len(legal_actions(game, state)) != len(choices):
            return False
        choice = dice.choice(sorted(choices))
        here.climb(choice)
        state = game.play(state, moves[choice])
        if STOP not in legal_actions(game, state):
            return False
        stop = ROLL not in legal_actions(game, state) or dice.random() < 0.3
        state = game.play(state, STOP if stop else ROLL)
        if stop:
            here.stop()
    return state[:3] == here.sides() and game.result(state) == LOSS


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    assert all(agrees(game, seed) for seed in range(15))


class Four(CantStop):
    """A twin that has more runners."""

    def can_climb(self, state, a, b):
        turn = state.turn
        for column in range(2, self.columns + 2):
            if steps(turn, column):
                turn -= steps(turn, column) * step_in(column)
                break
        return super().can_climb(state._replace(turn=turn), a, b)


class Kept(CantStop):
    """A twin in which the runners stay where they are when the dice allow no step."""

    def play(self, state, move):
        after = super().play(state, move)
        fell = state.dice == IN_THE_AIR and after.dice == IN_THE_AIR
        return super().play(state._replace(dice=0), STOP) if fell else after


@pytest.mark.parametrize("twin", [Four(), Kept()], ids=repr)
def test_the_referee_notices_a_broken_twin(twin):
    assert not all(agrees(twin, seed) for seed in range(15))


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_contract_holds():
    assert z.check(CantStop(), states=300, games=10, strict=True).native


def test_columns_are_those_of_the_full_game():
    assert CantStop().heights == (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
    assert CantStop(3, 1).heights == (1, 3, 5, 3, 1)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_rolls_have_their_odds(game):
    rolls = [tuple(sorted(dice)) for dice in itertools.product(range(1, game.faces + 1), repeat=4)]
    for roll, odds in game.rolls:
        assert odds == pytest.approx(rolls.count(tuple(map(int, str(roll)))) / len(rolls))
    assert sum(odds for _, odds in game.rolls) == pytest.approx(1)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_and_stages(game):
    for state in random_states(game, 60):
        assert game.parse_state(game.state_text(state)) == state
        for move in legal_actions(game, state)[:20]:
            assert game.stage(game.play(state, move)) >= game.stage(state)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_state_of_random_play_can_be_read(game):
    seen = {*random_states(game, 3000, seed=5)}
    assert any(game.result(state) != ONGOING for state in seen)
    assert all(game.parse_state(game.state_text(state)) == state for state in seen)


def test_a_state_as_it_is_written():
    game = CantStop()
    assert game.state_text(game.initial()) == "- / - / X rolls"
    text = "6:4 7:13 / 8:2 / O 6:2 8:1 1124"
    state = game.parse_state(text)
    climbed = {c: tuple(steps(word, c) for word in (state.theirs, state.mine, state.turn)) for c in (6, 7, 8)}
    assert climbed == {6: (4, 0, 2), 7: (13, 0, 0), 8: (0, 2, 1)}
    assert (state.dice, state.player) == (1124, 1)
    assert game.state_text(state) == text
    assert game.parse_state("- / - / x 6:1 DECIDES").turn == step_in(6)
    assert z.position(game, text) == state


@pytest.mark.parametrize(
    "text",
    ["", "X rolls", "- / - / rolls", "- / - / Z rolls", "6 / - / X rolls", "6:0 / - / X rolls", "6:1 6:2 / - / X rolls",
     "1:1 / - / X rolls", "13:1 / - / X rolls", "- / - / X 112", "- / - / X", "- / - / X 6:x rolls"],
)  # fmt: skip
def test_texts_that_are_no_state(text):
    with pytest.raises(GameError, match="does not describe a state; one looks like '- / - / X rolls'"):
        CantStop().parse_state(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2:4 / - / X rolls", "column 2 has 3 steps"),
        ("2:2 / - / X 2:2 rolls", "column 2 has 3 steps"),
        ("2:3 / 2:1 / X rolls", "in column 2, which one player has taken, the other has nothing any more"),
        ("2:3 / 2:1 / O rolls", "in column 2, which one player has taken, the other has nothing any more"),
        ("2:3 / - / O 2:1 rolls", "in column 2, which one player has taken, the other has nothing any more"),
        ("- / - / X 5:1 6:1 7:1 8:1 rolls", "there are 3 runners only"),
        ("2:3 3:5 4:7 / - / X rolls", "the player to move has won already"),
        ("2:3 3:5 4:7 / - / O 6:1 rolls", "the other player has won, and nobody rolls any more"),
        ("2:3 3:5 4:7 / - / O 1124", "the other player has won, and nobody rolls any more"),
        ("2:3 3:5 4:7 11:5 12:3 / - / O rolls", "who has 3 columns has won, and the last roll takes two at most"),
        ("2:3 3:5 / - / X 4:7 11:5 12:3 decides", "who has 3 columns has won, and the last roll takes two at most"),
        ("- / - / X decides", "who has not rolled yet does not decide"),
        ("2:3 3:5 / - / X 4:7 rolls", "a player who has won by stopping rolls no more"),
        ("- / - / X 4211", "dice with 6 faces, put in order, do not show 4211"),
        ("- / - / X 1127", "dice with 6 faces, put in order, do not show 1127"),
        ("- / - / X 6:1 7:1 8:1 1111", "these dice allow no step, and the turn is over"),
    ],
)
def test_states_that_cannot_arise(text, why):
    with pytest.raises(GameError) as error:
        CantStop().parse_state(text)
    assert str(error.value) == f"{CantStop()!r}: {text!r} cannot arise, since {why}."


@pytest.mark.parametrize("sizes", [(1,), (7,), (6, 0), (6, 3, 0), (2, 1, 3), (True,)])
def test_sizes_that_make_no_game(sizes):
    with pytest.raises(GameError, match="must be"):
        CantStop(*sizes)


# -- values ------------------------------------------------------------------------------------------------------------


def iterated(game, rounds=300):
    """What the player who begins can expect, by improving every state's value until all stand still."""
    children, new = {}, [game.initial()]
    while new:
        state = new.pop()
        if state in children:
            continue
        if game.result(state) != ONGOING:
            children[state] = ()
            continue
        odds = dict(game.chances(state)) if game.is_chance(state) else {}
        found = [(game.play(state, move), odds.get(move, 1.0)) for move in legal_actions(game, state)]
        children[state] = tuple(found)
        new += [child for child, _ in found]
    values = dict.fromkeys(children, 0.0)
    for _ in range(rounds):
        for state, found in children.items():
            seen = [(values[c] if c.player == state.player else -values[c], p) for c, p in found]
            if not found:
                values[state] = float(game.result(state))
            elif game.is_chance(state):
                values[state] = sum(value * p for value, p in seen)
            else:
                values[state] = max(value for value, _ in seen)
    return values[game.initial()]


def test_a_small_value_by_two_methods():
    game = Slow(2, 1, 2)
    assert z.textbook.value_iteration(game).value.score == pytest.approx(iterated(game, 60), abs=1e-6)


@pytest.mark.slow
def test_values_by_the_solver():
    game = CantStop(2, 2, 2)
    assert z.solve(game).value().score == pytest.approx(iterated(game), abs=1e-7)
