"""Connect-k and Pop Out: a referee that drops marks into lists, values found without any cleverness, and open_spiel."""

import random
from functools import cache

import pyspiel
import pytest

import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, WIN, GameError
from zermelo.games.connect_four import ConnectFour
from zermelo.games.connect_k import ConnectK
from zermelo.games.pop_out import PopOut, State
from zermelo.rules import legal_actions
from zermelo.value import loss_in, win_in

GAMES = [ConnectK(), ConnectK(7, 6, 4), ConnectK(4, 4, 3), ConnectK(5, 3, 4), ConnectK(6, 4, 2), ConnectK(8, 7, 6)]
POP_OUTS = [PopOut(), PopOut(4, 4), PopOut(5, 2)]


class Referee:
    """Columns as lists of marks, from below; X moves first."""

    def __init__(self, game):
        self.width, self.height = game.width, game.height
        self.length = game.in_a_row if isinstance(game, ConnectK) else 4

    def won(self, columns, mark):
        cells = {(c, r) for c, column in enumerate(columns) for r, each in enumerate(column) if each == mark}
        ways = ((1, 0), (0, 1), (1, 1), (1, -1))
        return any(all((c + i * x, r + i * y) in cells for i in range(self.length)) for c, r in cells for x, y in ways)

    def drops(self, columns):
        return {str(number + 1) for number, column in enumerate(columns) if len(column) < self.height}

    def pops(self, columns, mark):
        return {f"p{number + 1}" for number, column in enumerate(columns) if column[:1] == [mark]}

    def played(self, columns, mark, text):
        columns = [list(column) for column in columns]
        if text.startswith("p"):
            columns[int(text[1:]) - 1].pop(0)
        else:
            columns[int(text) - 1].append(mark)
        return columns

    def rows(self, columns):
        height = range(self.height - 1, -1, -1)
        return "/".join("".join(column[row] if row < len(column) else "." for column in columns) for row in height)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_random_play_of_connect_k(game):
    referee, dice, ends = Referee(game), random.Random(1), set()
    for _ in range(30):
        state, columns, mark, other = game.initial(), [[] for _ in range(game.width)], "X", "O"
        while True:
            assert game.state_text(state) == referee.rows(columns)
            lost = referee.won(columns, other)
            over = LOSS if lost else ONGOING if referee.drops(columns) else DRAW
            assert game.result(state) == over
            if over != ONGOING:
                ends.add(over)
                break
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert set(moves) == referee.drops(columns)
            wins = {text for text in moves if referee.won(referee.played(columns, mark, text), mark)}
            assert bool(game.wins(state)) == bool(wins)
            text = dice.choice(sorted(moves))
            state, columns = game.play(state, moves[text]), referee.played(columns, mark, text)
            mark, other = other, mark
    assert ends


def test_four_is_connect_four():
    game, four, dice = ConnectK(7, 6, 4), ConnectFour(), random.Random(2)
    state = four.initial()
    for _ in range(1500):
        assert (game.result(state), game.threats(*state)) == (four.result(state), four.threats(*state))
        assert (game.bounds(state), list(game.candidates(state))) == (four.bounds(state), list(four.candidates(state)))
        moves = legal_actions(four, state)
        state = four.play(state, dice.choice(moves)) if moves else four.initial()


@pytest.mark.parametrize("game", [ConnectK(4, 4, 3), ConnectK(5, 3, 3), ConnectK(4, 3, 4), ConnectK(3, 4, 2)], ids=repr)
def test_bounds_and_candidates_keep_the_value(game):
    """On a small board the score, by negamax without hooks, lies within the bounds, and candidates reach it."""

    @cache
    def score(state):
        result = game.result(state)
        if result != ONGOING:
            return loss_in(0) if result == LOSS else 0
        return max(later(score(game.play(state, move))) for move in game.moves(state))

    dice, state = random.Random(3), game.initial()
    for _ in range(1500):
        if game.result(state) != ONGOING:
            state = game.initial()
            continue
        low, high = game.bounds(state)
        assert low <= score(state) <= high
        assert max(later(score(game.play(state, move))) for move in game.candidates(state)) == score(state)
        state = game.play(state, dice.choice(legal_actions(game, state)))


def later(score):
    """A score of the other player, a ply earlier and seen by this one."""
    return -score + (1 if score > 0 else -1 if score < 0 else 0)


def test_the_score_of_the_test_is_zermelos():
    assert later(loss_in(0)) == win_in(1)
    assert later(win_in(1)) == loss_in(2)


def test_open_spiel_agrees():
    agreed(300)


@pytest.mark.slow
def test_open_spiel_agrees_for_long():
    agreed(10_000)


def agreed(positions):
    game, dice = ConnectK(9, 6, 5), random.Random(4)
    while positions > 0:
        state, spiel = (
            game.initial(),
            pyspiel.load_game("connect_four(rows=6,columns=9,x_in_row=5)").new_initial_state(),
        )
        while not spiel.is_terminal():
            assert spiel.legal_actions() == legal_actions(game, state)
            move = dice.choice(spiel.legal_actions())
            state, positions = game.play(state, move), positions - 1
            spiel.apply_action(move)
        assert game.result(state) == -abs(spiel.returns()[0])


@pytest.mark.parametrize("sizes", [(7, 6, 1), (7, 6, 8), (9, 7, 4), (7, 6, True), (7, 6, "4")])
def test_parameters_that_make_no_game(sizes):
    with pytest.raises(GameError, match="must be"):
        ConnectK(*sizes)


# -- Pop Out -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", POP_OUTS, ids=repr)
def test_random_play_of_pop_out(game):
    referee, dice, popped = Referee(game), random.Random(5), 0
    for _ in range(20):
        state, columns, mark, other = game.initial(), [[] for _ in range(game.width)], "X", "O"
        for _ in range(60):
            assert game.state_text(state) == f"{referee.rows(columns)} {mark}"
            assert game.parse_state(game.state_text(state)) == state
            over = LOSS if referee.won(columns, other) else WIN if referee.won(columns, mark) else ONGOING
            assert game.result(state) == over
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert set(moves) == (set() if over != ONGOING else referee.drops(columns) | referee.pops(columns, mark))
            if not moves:
                break
            text = dice.choice(sorted(moves))
            popped += text.startswith("p")
            state, columns = game.play(state, moves[text]), referee.played(columns, mark, text)
            mark, other = other, mark
    assert popped > 20


def test_a_pop_that_makes_four_for_both_wins():
    game = PopOut(5, 4)
    state = game.parse_state("...../OOO../XXXO./OOOX. O")
    assert game.result(state) == ONGOING
    after = game.play(state, 5)  # the first column falls by one
    assert game.state_text(after) == "...../.OO../OXXO./XOOX. X"
    both = State(15 << 10, 15 << 5, 0)
    assert game.result(both) == LOSS


def test_a_full_board_without_a_stone_to_pop_is_a_draw():
    game = PopOut(2, 2)
    state = game.parse_state("XX/OO X")
    assert (legal_actions(game, state), game.result(state), game.stuck(state)) == ([], ONGOING, DRAW)
    assert legal_actions(game, state._replace(mine=state.theirs, theirs=state.mine)) == [2, 3]


@pytest.mark.parametrize("text", ["", "..../..../..../.... Y", ".X../..../..../.... X", "X../..../..../.... X"])
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match=r"cannot arise|one looks like"):
        PopOut(4, 4).parse_state(text)


def test_sizes_of_pop_out():
    with pytest.raises(GameError, match="must be at least 1"):
        PopOut(8, 7)


def solved_by_rounds(game):
    """The value of the start, from the referee's rules alone: who wins in n plies, round by round."""
    referee = Referee(game)
    start = (tuple(() for _ in range(game.width)), "X", "O")
    children, values, queue = {}, {}, [start]
    while queue:
        here = queue.pop()
        if here in children:
            continue
        columns, mark, other = [list(column) for column in here[0]], here[1], here[2]
        children[here] = []
        if referee.won(columns, other) or referee.won(columns, mark):
            values[here] = (-1 if referee.won(columns, other) else 1, 0)
            continue
        for text in referee.drops(columns) | referee.pops(columns, mark):
            after = referee.played(columns, mark, text)
            children[here].append((tuple(map(tuple, after)), other, mark))
        queue += children[here]
        if not children[here]:
            values[here] = (0, 0)
    for plies in range(1, 100):
        found = {}
        for here in children.keys() - values.keys():
            known = [values.get(child) for child in children[here]]
            if any(value and value == (-1, plies - 1) for value in known):
                found[here] = (1, plies)
            elif all(value and value[0] == 1 for value in known):
                found[here] = (-1, plies)
        values |= found
    return len(children), values.get(start)


@pytest.mark.parametrize("sizes", [(4, 2), (3, 3)])
def test_small_pop_out_is_solved(sizes):
    class Plain(PopOut):
        native = False

    count, value = solved_by_rounds(Plain(*sizes))
    found = z.solve(Plain(*sizes)).value()
    assert count > 300
    assert (found.outcome, found.plies) == (value or (0, None))
