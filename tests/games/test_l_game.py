"""The L-game: published counts, a referee that draws letters on a board, and the value of every position."""

import functools
import random
from collections import Counter, defaultdict
from itertools import combinations

import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, GameError
from zermelo.games.l_game import LGame, State
from zermelo.rules import legal_actions

GAME = LGame()


class Slow(LGame):
    """The L-game as Python runs it."""

    native = False


# -- the referee: sets of (column, row) --------------------------------------------------------------------------------

LONG = {(0, 0), (0, 1), (0, 2), (1, 2)}
BOARD = {(x, y) for x in range(4) for y in range(4)}


def shapes():
    """Every L that lies on the board: the one above, turned, turned over and shifted."""
    found = set()
    for flip in (1, -1):
        cells = {(flip * x, y) for x, y in LONG}
        for _ in range(4):
            cells = {(-y, x) for x, y in cells}
            for dx in range(-3, 7):
                for dy in range(-3, 7):
                    placed = frozenset((x + dx, y + dy) for x, y in cells)
                    found |= {placed} & {placed if placed <= BOARD else None}
    return found


SHAPES = shapes()


def options(mine, theirs, neutrals):
    """What a move can lead to: my L and the neutral pieces."""
    found = set()
    for shape in SHAPES - {mine}:
        if not shape & (theirs | neutrals):
            found.add((shape, neutrals))
            free = BOARD - shape - theirs - neutrals
            found |= {(shape, neutrals - {from_cell} | {to}) for from_cell in neutrals for to in free}
    return found


def cells_of(word):
    return frozenset((cell % 4, cell // 4) for cell in range(16) if word >> cell & 1)


def sets(state):
    return cells_of(state.mine), cells_of(state.theirs), cells_of(state.neutrals)


def test_an_l_has_48_places():
    assert {cells_of(word) for word in GAME.places} == SHAPES
    assert len(SHAPES) == len(GAME.places) == 48


def agree(game):
    """Random play of a game and the referee's."""
    dice, state = random.Random(2), game.initial()
    for plies in range(150):
        here = sets(state)
        moves = legal_actions(game, state)
        found = {}
        for move in moves:
            child = game.play(state, move)
            assert (child.mine, child.player) == (state.theirs, 1 - state.player)
            found[cells_of(child.theirs), cells_of(child.neutrals)] = move
        assert len(found) == len(moves)
        same = set(found) == options(*here)  # compared here: pytest would take minutes to tell large sets apart
        assert same
        state = game.play(state, dice.choice(moves)) if moves and plies % 40 < 39 else game.initial()


def test_play_is_that_of_the_referee():
    agree(GAME)


class Lazy(LGame):
    """Broken: the L may stay where it is."""

    def moves(self, state):
        return super().moves(state._replace(mine=0))


def test_the_referee_sees_a_broken_game():
    with pytest.raises(AssertionError):
        agree(Lazy())


# -- every position ----------------------------------------------------------------------------------------------------


@functools.cache
def positions():
    """All arrangements of two L and two neutral pieces, one of each eight images."""
    found = {}
    for mine in GAME.places:
        for theirs in GAME.places:
            free = [cell for cell in range(16) if not (mine | theirs) >> cell & 1]
            for one, two in combinations(free, 2) if not mine & theirs else ():
                state = State(mine, theirs, 1 << one | 1 << two, 0)
                found.setdefault(GAME.canonical(state), []).append(state)
    return found


def test_there_are_2296_positions():
    """Images left out, as is often printed (Wikipedia, L game); each has eight images, 18,368 in all."""
    found = positions()
    assert len(found) == 2296
    assert {len(images) for images in found.values()} == {8}


def referee_values(states):
    """Plies to the end by counting replies backward, positive for a win; what remains is drawn."""
    parents, left, value, new = defaultdict(set), {}, {}, []
    for state in states:
        children = {GAME.canonical(GAME.play(state, move)) for move in GAME.moves(state)}
        left[state] = len(children)
        for child in children:
            parents[child].add(state)
        if not children:
            value[state] = 0
            new.append(state)
    plies = 0
    while new:
        plies += 1
        older, new = new, []
        for state in older:
            for parent in parents[state]:
                left[parent] -= 1
                won = value[state] <= 0
                if parent not in value and (won or left[parent] == 0):
                    value[parent] = plies if won else -plies
                    new.append(parent)
    return value


@pytest.mark.slow
def test_every_position_solved():
    """The start is drawn; wins, losses and draws, and how long they take, as the referee counts them.

    Drawn with best play: Gijlswijk, Kindervater, van Tubergen and Wiegerinck, Computer analysis of E. de Bono's L-game
    (University of Amsterdam, 1976).
    """
    states = list(positions())
    solution, expected = z.solve(GAME), referee_values(states)
    assert len(solution) == len(states) == 2296
    assert str(solution.value()) == "draw by repetition"
    found = Counter()
    for state in states:
        value, plies = solution.value(state), expected.get(state)
        assert value.plies == (None if plies is None else abs(plies)), GAME.state_text(state)
        assert value.outcome == (0 if plies is None else 1 if plies > 0 else -1)
        found[value.outcome] += 1
    assert found == {1: 1006, 0: 1261, -1: 29}
    assert sum(plies == 0 for plies in expected.values()) == 15  # and 14 more are lost: the same source
    assert (max(expected.values()), min(expected.values())) == (9, -8)


def test_predecessors_are_the_moves_backward():
    dice = random.Random(8)
    states = list(positions())
    for state in dice.sample(states, 6):
        for before in list(GAME.predecessors(state))[::9]:
            assert state in {GAME.play(before, move)._replace(player=0) for move in GAME.moves(before)}
        for move in list(GAME.moves(state))[::9]:
            assert state in {each._replace(player=0) for each in GAME.predecessors(GAME.play(state, move))}


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    assert z.check(Slow(), states=60, games=2, strict=True).states >= 50


def test_perft():
    assert [z.perft(GAME, depth) for depth in range(3)] == [1, 65, 7956]
    assert z.perft(Slow(), 1) == len(options(*sets(GAME.initial())))


def test_who_cannot_move_loses():
    state = GAME.parse_state("..*./.*XX/OOOX/..OX X")
    assert (legal_actions(GAME, state), options(*sets(state))) == ([], set())
    assert (GAME.result(state), GAME.stuck(state)) == (ONGOING, LOSS)


def test_texts_and_pictures():
    state = GAME.initial()
    assert GAME.state_text(state) == "*XX./.OX./.OX./.OO* X"
    assert GAME.state_text(z.position(GAME, "b1d1d2+d4a2")) == "*XXX/*O.X/.O../.OO. O"
    for move in legal_actions(GAME, state):
        child = GAME.play(state, move)
        assert GAME.parse_state(GAME.state_text(child)) == child
        squares = GAME.squares(state, move)
        picture = "".join(GAME.board(child).cells)
        assert {picture[square] for square in squares[:3]} == {"X"}
        if len(squares) == 5:
            assert "".join(GAME.board(state).cells)[squares[3]] == "*" == picture[squares[4]]


@pytest.mark.parametrize(
    "text", ["*XX./.OX./.OX./.OO. X", "*XX./.OX./.OX./O.O* X", "*XX./.OX./.OX./.OO* Z", "*XX..OX./.OX./.OO* X"]
)
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match=r"such as '\*XX\./"):
        GAME.parse_state(text)
