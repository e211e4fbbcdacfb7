"""RAVE: the sums of moves against a plain count, no false proofs, compiled as interpreted; and settings of playouts."""

from collections import defaultdict

import pytest
from test_monte_carlo import check
from test_search import Dice, Hashed, Points, searchable

import random_games
import zermelo as z
from zermelo import Game, GameError, Limit
from zermelo.games.hex import Hex
from zermelo.monte_carlo_settings import MonteCarlo
from zermelo.native import Kernel
from zermelo.searching.mcts import uct as uct_module
from zermelo.searching.mcts.monte_carlo_search import MonteCarloSearch
from zermelo.searching.mcts.uct_tree import COUNT, FIRST_CHILD, MOVE, NODE, RAVE_TOTAL, RAVE_VISITS, UNIT


class SlowHex(Hex):
    native = False


def interpreted(function):
    return function.interpreted if isinstance(function, Kernel) else function


def played(search, monkeypatch, playouts):
    """Run playouts one by one; yield the path of each with its payoffs, and the moves (player, ply, move) of all."""
    moves, payoffs = [], {}
    note, learn = interpreted(uct_module.note_move), interpreted(uct_module.learn_moves)

    def note_move(move, player, ply, memory):
        moves.append((player, ply, move))
        note(move, player, ply, memory)

    def learn_moves(node, player, ply, payoff, tree, memory):
        payoffs[node] = (player, ply, payoff)
        learn(node, player, ply, payoff, tree, memory)

    for kernel in [each for each in vars(uct_module).values() if isinstance(each, Kernel)]:
        for function in (note_move, learn_moves):  # interpreted kernels have globals of their own
            if function.__name__ in kernel.python.__code__.co_names:
                monkeypatch.setitem(kernel.interpreted.__globals__, function.__name__, function)
    for number in range(1, playouts + 1):
        moves.clear()
        payoffs.clear()
        search.memory[1] = number  # MAX_NODES
        uct_module.uct.interpreted(search.game, search.state, 0.3, search.tree, search.memory)
        yield dict(payoffs), list(moves)


def test_sums_of_moves_are_those_of_a_plain_count(monkeypatch):
    """For every node on the path: the children whose moves the same player makes there or later get the payoff."""
    game = SlowHex(3)
    search = MonteCarloSearch(game, game.initial(), Limit(nodes=1), 1, 7, MonteCarlo(rave=50, exploration=0.3))
    visits, totals, several = defaultdict(int), defaultdict(int), 0
    for path, moves in played(search, monkeypatch, 300):
        for node, (player, ply, payoff) in path.items():
            made = {move for who, when, move in moves if who == player and when >= ply}
            first = search.tree[node + FIRST_CHILD]
            for child in range(first, first + search.tree[node + COUNT] * NODE, NODE):
                if search.tree[child + MOVE] in made:
                    visits[child] += 1
                    totals[child] += payoff
            several += len(made) > 1 and ply > 0
    assert several > 100
    assert sum(search.tree[child + RAVE_VISITS] > 0 for child in visits) == len(visits) > 50
    for child, count in visits.items():
        assert search.tree[child + RAVE_VISITS] == count
        assert search.tree[child + RAVE_TOTAL] == totals[child]
        assert abs(totals[child]) <= count * UNIT


@pytest.mark.parametrize("settings", [{"rave": 100}, {"rave": 1e9, "exploration": 0}, {"playout_plies": 0}])
@pytest.mark.parametrize("game", [Hashed(), Points(), Dice()], ids=repr)
def test_settings_prove_nothing_false_and_compile(game, settings, monkeypatch):
    states = searchable(game, 30)
    compiled = [z.monte_carlo(game, state, Limit(nodes=300), table=1, **settings) for state in states]
    for state, report in zip(states, compiled, strict=True):
        check(game, state, report)
    monkeypatch.setattr(Kernel, "__call__", lambda self, game, *args: self.interpreted(game, *args))
    for state, one in zip(states, compiled, strict=True):
        other = z.monte_carlo(game, state, Limit(nodes=300), table=1, **settings)
        assert (one.lines, one.nodes) == (other.lines, other.nodes)


@pytest.mark.parametrize("kind", [random_games.RandomGame, random_games.LoopGame, random_games.ChanceGame])
def test_interpreted_games_have_no_false_proofs(kind):
    for seed in range(6):
        game = kind(size=12, seed=seed)
        if not game.is_chance(0):
            check(game, 0, z.monte_carlo(game, limit=Limit(nodes=60), seed=seed, rave=20, exploration=0.2, table=0.1))


def test_rave_finds_the_move_sooner():
    """In Hex a move is about as good now as later: with few playouts RAVE knows more of each."""
    game = Hex(5)
    state = z.position(game, "c3 a1")
    trusted = [z.monte_carlo(game, state, Limit(nodes=4000), seed=seed).move for seed in range(5)]
    few = dict.fromkeys((0, 300), 0)
    for rave in few:
        for seed in range(20):
            report = z.monte_carlo(game, state, Limit(nodes=150), seed=seed, rave=rave, exploration=0.3)
            few[rave] += report.move in trusted
    assert few[300] > few[0]


class Ladder(Game):
    """Count down from a number by one or two; who takes the last one wins. The evaluation knows the winner."""

    def initial(self):
        return 20

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return z.LOSS if left == 0 else z.ONGOING

    def evaluate(self, left):
        return 3.0 if left % 3 else -3.0


def test_the_evaluation_stands_in_for_playouts():
    report = z.monte_carlo(Ladder(), limit=Limit(nodes=1), playout_plies=0)
    assert (report.move, report.value.score) == (1, pytest.approx(-0.75))  # 19 is 3 / (1 + 3) for the opponent
    report = z.monte_carlo(Ladder(), limit=Limit(nodes=40), playout_plies=0)
    assert report.move == 2


class Overrated(Dice):
    """Its evaluation promises more than the game pays, and for every state."""

    def evaluate(self, state):
        return 1000.0


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_an_estimate_beyond_the_payoffs_counts_as_the_greatest(plies):
    game = Overrated()
    least, greatest = game.payoff_bounds
    for state in searchable(game, 20):
        report = z.monte_carlo(game, state, Limit(nodes=20), playout_plies=plies, table=1)
        assert all(least <= line.value.score <= greatest for line in report.lines if line.value.bound != "unknown")


class Settled(Ladder):
    monte_carlo = MonteCarlo(playout_plies=0, evaluation_scale=9)


def test_the_fact_of_the_game_sets_what_is_not_given():
    assert z.monte_carlo(Settled(), limit=Limit(nodes=1)).value.score == pytest.approx(-3 / 12)
    assert abs(z.monte_carlo(Settled(), limit=Limit(nodes=1), playout_plies=100).value.score) == 1


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"rave": -1}, "rave must be"), ({"exploration": "x"}, "exploration must be"),
     ({"playout_plies": 0.5}, "playout_plies must be"), ({"evaluation_scale": 0}, "evaluation_scale must be")],
)  # fmt: skip
def test_settings_that_cannot_be(settings, words):
    with pytest.raises(GameError, match=words):
        MonteCarlo(**settings)
