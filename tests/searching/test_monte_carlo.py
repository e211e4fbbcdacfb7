"""monte_carlo: proofs against the referee, estimates that settle, the same playouts compiled and interpreted."""

import pytest
from test_search import Dice, Hashed, Long, Mixed, Points, StuckWins, Wide, searchable

import naive
import random_games
import zermelo as z
from zermelo import LOSS, ONGOING, WIN, Game, GameError, Limit, rules
from zermelo.monte_carlo_settings import MonteCarlo
from zermelo.native import Kernel
from zermelo.searching.mcts.monte_carlo_search import MonteCarloSearch
from zermelo.searching.mcts.uct import USED
from zermelo.searching.mcts.uct_tree import COUNT, FIRST_CHILD, HIGH, LOW, NODE, VISITS, mean


def truth_of(game, state, move):
    """What a move is worth to the one who makes it."""
    child = game.play(state, move)
    value = naive.value(game, child)
    return -value if rules.changes_player(game, state, child) else value


def check(game, state, report):
    """Moves are legal, and what is said to be proven is true."""
    assert {line.pv[0] for line in report.lines} <= set(game.moves(state))
    for line in report.lines:
        truth = truth_of(game, state, line.pv[0])
        if line.value.exact:
            assert line.value.score == pytest.approx(truth)
        if line.value.bound == "lower":
            assert truth >= line.value.score
        if line.value.bound == "upper":
            assert truth <= line.value.score
    low, high = report.bounds
    assert low - 1e-9 <= naive.value(game, state) <= high + 1e-9
    if report.value.exact:
        assert report.value.score == pytest.approx(naive.value(game, state))
    elif proven(report):
        assert report.value.outcome == (1 if naive.value(game, state) > 0 else -1)


def proven(report):
    return report.value.exact or report.value.outcome in (WIN, LOSS)


class InterpretedStuckWins(StuckWins):
    native = False


@pytest.mark.parametrize("game", [Hashed(), Points(), InterpretedStuckWins()], ids=repr)
def test_small_games_are_proven_and_rightly_so(game):
    for state in searchable(game, 30 if game.native is False else 120):
        report = z.monte_carlo(game, state, Limit(nodes=20_000), table=1)
        assert proven(report)
        check(game, state, report)


def test_with_chance_means_come_close_to_the_expectation():
    game, regret, error = Dice(), 0.0, 0.0
    states = searchable(game, 60)
    for state in states:
        report = z.monte_carlo(game, state, Limit(nodes=4_000), table=1)
        check(game, state, report)
        truth = naive.value(game, state)
        regret += truth - truth_of(game, state, report.move)
        error += abs(truth - report.value.score)
    assert regret / len(states) < 0.01  # payoffs reach from -10 to 10
    assert error / len(states) < 0.1


@pytest.mark.parametrize("kind", [random_games.RandomGame, random_games.LoopGame, random_games.ChanceGame])
def test_interpreted_games_have_no_false_proofs(kind):
    for seed in range(8 if kind.loops else 25):
        game = kind(size=12, seed=seed)
        if not game.is_chance(0):
            check(game, 0, z.monte_carlo(game, limit=Limit(nodes=100), seed=seed, table=0.1))


@pytest.mark.parametrize("game", [Hashed(), Points(), Dice()], ids=repr)
def test_compiled_and_interpreted_make_the_same_playouts(game, monkeypatch):
    states = searchable(game, 40)
    compiled = [z.monte_carlo(game, state, Limit(nodes=90), seed=i, table=0.1) for i, state in enumerate(states)]
    monkeypatch.setattr(Kernel, "__call__", lambda self, game, *args: self.interpreted(game, *args))
    for i, (state, one) in enumerate(zip(states, compiled, strict=True)):
        other = z.monte_carlo(game, state, Limit(nodes=90), seed=i, table=0.1)
        assert (one.lines, one.nodes) == (other.lines, other.nodes)


@pytest.mark.parametrize("game", [Hashed(), Points(), Dice()], ids=repr)
def test_stopping_at_every_playout_leaves_a_legal_move_and_no_false_claim(game):
    for state in searchable(game, 6):
        for nodes in range(1, 60):
            report = z.monte_carlo(game, state, Limit(nodes=nodes), table=0.1)
            assert report.nodes <= nodes
            check(game, state, report)


@pytest.mark.parametrize("megabytes", [0.00001, 0.0005, 0.01])
def test_a_full_tree_grows_no_more_and_does_not_lie(megabytes):
    for game in (Hashed(), Points(), Dice()):
        for state in searchable(game, 15):
            report = z.monte_carlo(game, state, Limit(nodes=500), table=megabytes)
            assert report.nodes == 500 or proven(report)
            check(game, state, report)


def test_the_seed_decides():
    game = z.load("connect_four")
    one, same, other = (z.monte_carlo(game, limit=Limit(nodes=500), seed=seed) for seed in (1, 1, 2))
    assert one.lines == same.lines
    assert one.lines != other.lines
    assert len(one.lines) == 7
    assert one.nodes == 500


def test_wins_and_threats_of_connect_four_are_found():
    game = z.load("connect_four")
    for text, moves in (("112233", "4"), ("4455", "36"), ("414141", "4")):
        report = z.monte_carlo(game, z.position(game, text), Limit(nodes=3_000), table=8)
        assert report.pv_text[0] in moves
        assert str(report.value) == "win"


class Bare(z.games.ConnectFour):
    """The four rules and nothing else: no bounds, candidates or evaluation to help."""

    def bounds(self, state):
        return z.loss_in(0), z.win_in(0)

    def candidates(self, state):
        return self.moves(state)


def test_the_four_rules_are_enough():
    game = Bare()
    for text, moves in (("112233", "4"), ("4455", "36"), ("414141", "4")):  # wins in one and in three
        report = z.monte_carlo(game, z.position(game, text), Limit(nodes=20_000), table=8)
        assert report.pv_text[0] in moves
        assert str(report.value) == "win"
    for text, moves in (("52525", "5"), ("445", "36")):  # threats that lose if nobody meets them
        report = z.monte_carlo(game, z.position(game, text), Limit(nodes=20_000), table=8)
        assert report.pv_text[0] in moves


class Spinner(Game):
    """Two spinners to choose from; the second is the better one."""

    native = False

    def initial(self):
        return (0, 0)

    def mover(self, state):
        return 0

    def moves(self, state):
        return range(1, 3)

    def is_chance(self, state):
        return state[0] == 1

    def chances(self, state):
        yield WIN, state[1] / 4
        yield LOSS, 1 - state[1] / 4

    def play(self, state, move):
        return (state[0] + 1, move)

    def result(self, state):
        return state[1] if state[0] == 2 else ONGOING


def test_outcomes_are_drawn_by_their_probability():
    report = z.monte_carlo(Spinner(), limit=Limit(nodes=6_000), exploration=20)
    assert [line.pv for line in report.lines] == [(2,), (1,)]
    assert report.moves[2].score == pytest.approx(0, abs=0.05)
    assert report.moves[1].score == pytest.approx(-0.5, abs=0.05)


def test_long_playouts_end_with_an_evaluation():
    class Endless(Long):
        native = False

        def evaluate(self, n):
            return 3 if n % 2 == 0 else -3

    report = z.monte_carlo(Endless(5_000), limit=Limit(nodes=3))
    assert report.value.score == pytest.approx(0.75)


def test_wide_states_and_moves_of_any_kind():
    class InterpretedWide(Wide):
        native = False

    report = z.monte_carlo(InterpretedWide(), limit=Limit(nodes=1_000))
    assert (str(report.value), report.pv) == ("loss", (0, 299))
    for seed in range(6):
        game = Mixed(size=14, seed=seed)
        check(game, 0, z.monte_carlo(game, limit=Limit(nodes=100)))


def test_a_clock_ends_the_search():
    game = z.load("connect_four")
    for seconds in (1e-6, 0.05):
        report = z.monte_carlo(game, limit=Limit(seconds=seconds))
        assert report.move in range(7)
        assert not proven(report)


def test_errors_for_wrong_arguments():
    game = z.load("tic_tac_toe")
    with pytest.raises(GameError, match="no depth"):
        z.monte_carlo(game, limit=Limit(depth=3))
    with pytest.raises(GameError, match="seed must be a whole number"):
        z.monte_carlo(game, seed="x")
    with pytest.raises(GameError, match="exploration must be a number"):
        z.monte_carlo(game, exploration=-1)
    with pytest.raises(GameError, match="monte_carlo takes a game"):
        z.monte_carlo(z.games.TicTacToe)


def ranked_plainly(one, node):
    """The children of a node as `Sampling` ranks them, word by word."""
    tree, first = one.tree, one.tree[node + FIRST_CHILD]
    children = sorted(range(first, first + tree[node + COUNT] * NODE, NODE), key=lambda child: -tree[child + VISITS])
    floor = max((tree[child + LOW] for child in children), default=0)
    open_ = [child for child in children if tree[child + HIGH] > floor]
    proven = [child for child in children if tree[child + LOW] == tree[child + HIGH] == floor]
    rest = [child for child in children if child not in open_ + proven]
    leads = bool(open_) and mean(open_[0], tree) >= floor
    return [*open_, *proven, *rest] if leads else [*proven, *open_, *rest]


@pytest.mark.parametrize("seed", range(8))
def test_children_are_ranked_by_what_is_known_of_each(seed):
    """With two in a group, and with none, in every order that playouts leave."""
    one = MonteCarloSearch(
        random_games.RandomGame(size=60, seed=seed), 0, Limit(nodes=40 * (seed + 1)), 1, seed, MonteCarlo()
    )
    one.run()
    grown = [node for node in range(0, one.memory[USED], NODE) if one.tree[node + FIRST_CHILD]]
    assert grown
    for node in grown:
        assert one._ranked(node) == ranked_plainly(one, node)


class Coin(Game):
    """Roll, and win three times of four, or stop for a draw."""

    native = False

    def initial(self):
        return 0

    def mover(self, state):
        return 0

    def moves(self, state):
        return (1, 2)

    def play(self, state, move):
        return state + move

    def is_chance(self, state):
        return state == 1

    def chances(self, state):
        return [(2, 0.75), (3, 0.25)]

    def result(self, state):
        return {2: 0, 3: 1, 4: -1}.get(state, ONGOING)

    def bounds(self, state):
        return (0.25, 0.75) if state == 1 else (-1.0, 1.0)


def test_bounds_between_whole_numbers_prove_no_whole_number():
    report = z.monte_carlo(Coin(), limit=Limit(nodes=500))
    assert not report.value.exact
    assert report.move == 1
    assert report.bounds == (0, 1)


class Trap(Game):
    """A token goes from 0 to 1, 2, 4 and round to 1 again, a draw; at 2 the first move loses, by 3 and 5."""

    loops = True

    def initial(self):
        return 0

    def moves(self, node):
        if node == 2:
            return [3, 4]
        return [node + 1] if node < 2 else [5] if node == 3 else [1]

    def play(self, node, target):
        return target

    def result(self, node):
        return LOSS if node == 5 else ONGOING

    def bounds(self, node):
        if node == 1:
            return z.loss_in(0), 0
        return 0 if node in (3, 4) else z.loss_in(0), z.win_in(0)


class InterpretedTrap(Trap):
    native = False


@pytest.mark.parametrize("game", [Trap(), InterpretedTrap()], ids=repr)
def test_a_proven_line_ends_where_nothing_proves_the_next_move(game):
    """The bounds of 1, 3 and 4 prove that 1 is drawn, and not by which move at 2."""
    solution = z.solve(InterpretedTrap())
    assert [solution[node].outcome for node in (1, 2, 3, 4)] == [0, 0, 1, 0]
    for seed in range(5):
        report = z.monte_carlo(game, limit=Limit(nodes=100), seed=seed, table=0.1)
        assert (str(report.value), report.value.exact, report.pv) == ("draw", True, (1, 2))
    assert (game.native_error is None) == (game.native is not False)
