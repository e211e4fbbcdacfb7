"""search: compiled and interpreted, against the referee, on hundreds of random games; and every way to stop it."""

import random
from typing import NamedTuple

import numpy as np
import pytest

import naive
import random_games
import zermelo as z
from taking import Takes
from zermelo import DRAW, LOSS, ONGOING, WIN, Game, GameError, Limit, bits
from zermelo.native import Kernel
from zermelo.searching.runtime import search_driver as driver


class Node(NamedTuple):
    code: np.uint64  # everything about a node follows from its code
    left: int  # plies before every line ends


class Hashed(Game):
    """A random game in which every state is a game of its own: one compiled kernel serves hundreds of them."""

    def initial(self):
        return Node(1, 6)

    def moves(self, node):
        for move in range(bits.remainder(bits.shift_right(node.code, 8), 4)):
            yield move

    def play(self, node, move):
        return Node(bits.mix(bits.add(node.code, move + 1)), node.left - 1)

    def result(self, node):
        if node.left == 0:
            return bits.remainder(node.code, 3) - 1
        return WIN if bits.remainder(node.code, 17) == 3 else LOSS if bits.remainder(node.code, 13) == 3 else ONGOING

    def stuck(self, node):
        return LOSS if bits.remainder(node.code, 2) == 0 else DRAW

    def order(self, node, move):
        return bits.remainder(bits.mix(bits.add(node.code, 77 + move)), 5)


class Crossing(Hashed):
    """The same with so few states that many ways lead to each, short and long ones; evaluations are often wrong."""

    def moves(self, node):
        for move in range(1 + bits.remainder(bits.mix(node.code), 4)):
            yield move

    def play(self, node, move):
        return Node(bits.remainder(bits.mix(bits.add(node.code, move + 1)), 12), max(node.left - 1 - move % 2, 0))

    def result(self, node):
        return ONGOING if node.left > 0 else LOSS if node.code < 5 else WIN

    def evaluate(self, node):
        return bits.remainder(node.code, 3) - 1


class Points(Hashed):
    """The same for points, and with players who may move twice in a row."""

    margin = True
    payoff_bounds = (-10, 10)

    def result(self, node):
        return bits.remainder(node.code, 21) - 10 if node.left == 0 else ONGOING

    def mover(self, node):
        return bits.remainder(bits.shift_right(node.code, 20), 2)


class Dice(Points):
    """The same with chance."""

    def is_chance(self, node):
        return node.left > 0 and bits.remainder(bits.shift_right(node.code, 30), 3) == 0

    def chances(self, node):
        yield 0, 0.25
        yield 1, 0.5
        yield 2, 0.25


class StuckWins(Hashed):
    """The same where running out of moves wins: a win that no move has to be made for."""

    def stuck(self, node):
        return WIN


def searchable(game, count):
    """States in which a player has something to choose."""
    found = []
    code = 0
    while len(found) < count:
        code += 1
        state = Node(bits.mix(code), 1 + code % (14 if isinstance(game, Crossing) else 6))
        if game.result(state) == ONGOING and not game.is_chance(state) and list(game.moves(state)):
            found.append(state)
    return found


@pytest.mark.parametrize("game", [Hashed(), Crossing(), StuckWins(), Points(), Dice()], ids=repr)
def test_the_compiled_search_agrees_with_the_referee(game):
    assert game.native_error is None
    for state in searchable(game, 150):
        report = z.search(game, state)
        assert report.value.score == pytest.approx(naive.value(game, state), abs=1e-12)
        assert report.value.exact
        assert report.move in naive.best_moves(game, state)


@pytest.mark.parametrize("kind", [random_games.RandomGame, random_games.FreeGame, random_games.ChanceGame])
@pytest.mark.parametrize("seed", range(10))
def test_the_interpreted_search_agrees_with_the_referee(kind, seed):
    game = kind(size=16, seed=seed)
    if game.is_chance(game.initial()):
        return
    report = z.search(game)
    assert report.value.score == pytest.approx(naive.value(game), abs=1e-12)


SOME = [*((game, None) for game in (Hashed(), Crossing(), Points(), Dice())), ("tic_tac_toe", 4), ("connect_four", 8)]


@pytest.mark.parametrize(("game", "plies"), SOME, ids=repr)
def test_compiled_and_interpreted_visit_the_same_nodes(game, plies, monkeypatch):
    states = searchable(game, 70) if plies is None else []
    if plies is not None:
        game, rng = z.load(game), random.Random(3)
        while len(states) < 6:
            state = game.initial()
            for _ in range(plies):
                state = game.play(state, rng.choice(list(game.moves(state))))
            states += [state] if game.result(state) == ONGOING else []
    compiled = [z.search(game, state, Limit(depth=4)) for state in states]
    run, used = Kernel.call_compiled, []
    monkeypatch.setattr(Kernel, "call_compiled", lambda self, *args: used.append(self.name) or run(self, *args))
    monkeypatch.setattr(driver, "ready", lambda *args: False)
    interpreted = [z.search(game, state, Limit(depth=4)) for state in states]
    assert not used
    for one, other in zip(compiled, interpreted, strict=True):
        assert (one.value, one.pv, one.nodes, one.depth) == (other.value, other.pv, other.nodes, other.depth)


@pytest.mark.parametrize("game", [Hashed(), Crossing(), Points(), Dice()], ids=repr)
def test_stopping_at_every_node_leaves_a_legal_move_and_no_false_claim(game):
    for state in searchable(game, 6):
        truth, total = naive.value(game, state), z.search(game, state).nodes
        for nodes in range(1, total + 2):
            report = z.search(game, state, Limit(nodes=nodes))
            assert report.move in list(game.moves(state))
            assert report.nodes <= nodes
            if report.value.exact:
                assert report.value.score == pytest.approx(truth, abs=1e-12)


def test_the_principal_variation_is_played_out():
    for state in searchable(Hashed(), 40):
        report, at = z.search(Hashed(), state), state
        for move in report.pv:
            assert move in list(Hashed().moves(at))
            at = Hashed().play(at, move)
        assert naive.is_over(Hashed(), at)
        if report.value.plies is not None:
            assert len(report.pv) == report.value.plies


class Wide(Game):
    """More moves than the first buffer holds, deeper down."""

    def initial(self):
        return (1, 0)

    def moves(self, state):
        return range(state[0])

    def play(self, state, move):
        return (300 if state[0] == 1 else 2, move)

    def result(self, state):
        return LOSS if state[1] == 299 else WIN if state[0] == 2 else ONGOING


def test_buffers_grow_with_the_widest_state():
    report = z.search(Wide())
    assert (str(report.value), report.pv) == ("loss in 2", (0, 299))


def test_a_clock_ends_the_search_and_leaves_a_move():
    game = z.load("connect_four")
    report = z.search(game, limit=Limit(seconds=0.05))
    assert report.move in range(7)
    assert not report.value.exact


def test_the_values_of_small_boards():
    # a four by four board is drawn, as in Tromp's table; on 4x5 (height 5) too
    for text in ("connect_four(4,4)", "tic_tac_toe"):
        assert str(z.search(z.load(text)).value) == "draw"


def test_errors_where_there_is_nothing_to_search():
    game = z.load("tic_tac_toe")
    over = z.position(game, "a1 a2 b1 b2 c1")
    with pytest.raises(GameError, match="the game is over"):
        z.search(game, over)
    pig = z.load("pig")
    rolling = pig.play(pig.initial(), next(iter(pig.moves(pig.initial()))))
    with pytest.raises(GameError, match="chance moves"):
        z.search(pig, rolling)


def test_a_report_speaks_in_the_games_notation():
    game = z.load("connect_four(4,4)")
    report = z.search(game, limit=Limit(depth=3))
    assert report.to_dict()["move"] in "1234"
    assert report.to_dict()["pv"] == report.pv_text
    assert "depth 3" in str(report)
    assert report.value.for_player(0) == report.value


# -- exact search, many states, many lines, small tables ------------------------------------------------------------


@pytest.mark.parametrize("game", [Hashed(), Crossing(), StuckWins(), Points()], ids=repr)
def test_exact_search_agrees_with_the_referee(game):
    states = searchable(game, 120)
    many = z.search_many(game, states)
    for state, report in zip(states, many, strict=True):
        truth, best = naive.value(game, state), naive.best_moves(game, state)
        one = z.search(game, state, exact=True)
        assert (one.value.score, report.value.score) == (truth, truth)
        assert one.value.exact
        assert report.value.exact
        assert one.move in best
        assert report.move in best
        assert naive.is_over(game, after(game, state, one.pv))


def after(game, state, moves):
    for move in moves:
        state = game.play(state, move)
    return state


@pytest.mark.parametrize("megabytes", [0.00004, 0.0005, 1])
@pytest.mark.parametrize("game", [Hashed(), Crossing(), Points()], ids=repr)
def test_tables_of_any_size_give_the_same_values(game, megabytes):
    for state in searchable(game, 60):
        truth = naive.value(game, state)
        assert z.search(game, state, table=megabytes).value.score == truth
        assert z.search(game, state, exact=True, table=megabytes).value.score == truth


@pytest.mark.parametrize("game", [Hashed(), Crossing(), Points(), Dice()], ids=repr)
def test_every_line_has_the_value_of_its_move(game):
    for state in searchable(game, 50):
        moves = list(game.moves(state))
        report = z.search(game, state, lines=len(moves))
        assert sorted(report.moves) == sorted(moves)
        for move, value in report.moves.items():
            child = game.play(state, move)
            turned = naive.player_after(game, naive.player_at(game, state), child) != naive.player_at(game, state)
            score = naive.one_ply_later(naive.value(game, child)) * (-1 if turned else 1)
            assert value.score == pytest.approx(score, abs=1e-12)
        assert [line.value.score for line in report.lines] == sorted(
            (line.value.score for line in report.lines), reverse=True
        )


@pytest.mark.parametrize(
    "text",
    ["tic_tac_toe", "connect_four(4,4)", "nim(piles=(1,2,2),misere=True)", pytest.param("nim", marks=pytest.mark.slow)],
)
def test_real_games_agree_with_the_referee_everywhere(text):
    """Symmetries, bounds, candidates and keys, on positions from random play."""
    game, rng, states = z.load(text), random.Random(7), set()
    for _ in range(60):
        state, least = game.initial(), 9 if "four" in text else 4 if "tic" in text else 1
        for ply in range(rng.randrange(least, 16)):
            if naive.is_over(game, state):
                break
            if ply >= least:
                states.add(state)
            state = game.play(state, rng.choice(list(game.moves(state))))
    states = sorted(states)[:60]
    assert len(states) >= 6
    for state, report in zip(states, z.search_many(game, states), strict=True):
        truth = naive.value(game, state)
        assert report.value.score == truth
        assert z.search(game, state).value.score == truth
        assert report.move in naive.best_moves(game, state)


def test_published_values_of_connect_four_boards():
    # winner and plies of optimal play: Tromp's table and Steininger's extension of it; + first player, - second, = draw
    for width, height, plies in [(5, 4, None), (6, 4, -24)]:
        value = z.search(z.games.ConnectFour(width, height), exact=True).value
        expected = "draw" if plies is None else f"{'win' if plies > 0 else 'loss'} in {abs(plies)}"
        assert str(value) == expected


def test_loops_end_and_wins_are_proven():
    for seed in range(8):
        game = random_games.LoopGame(size=14, seed=seed)
        report = z.search(game, limit=Limit(depth=12, nodes=4_000))
        truth = naive.value(game)
        if abs(report.value.score) > 900_000:
            assert report.value.score == truth


def test_errors_for_wrong_arguments():
    game = z.load("tic_tac_toe")
    with pytest.raises(GameError, match="write limit=Limit"):
        z.search(game, Limit(depth=3))
    with pytest.raises(GameError, match="limit must be a Limit"):
        z.search(game, limit=3)
    with pytest.raises(GameError, match="takes a game"):
        z.search("tic_tac_toe")
    with pytest.raises(GameError, match="cannot be a state"):
        z.search(game, "0 3")
    with pytest.raises(GameError, match="has loops"):
        z.search(random_games.LoopGame(), exact=True)
    with pytest.raises(GameError, match="exact search has no depth"):
        z.search(game, limit=Limit(depth=3), exact=True)
    assert list(z.search_many(game, [])) == []


class Mixed(random_games.RandomGame):
    """Moves that are ints at first and strings later."""

    def moves(self, state):
        moves = range(len(self.graph[state]))
        return moves if state < 5 else [str(move) for move in moves]

    def play(self, state, move):
        return self.graph[state][int(move)]


def test_moves_of_any_kind_are_searched():
    for seed in range(6):
        game = Mixed(size=14, seed=seed)
        report = z.search(game)
        assert report.value.score == naive.value(game)
        assert report.move in naive.best_moves(game)
        assert z.search(game, exact=True).value.score == naive.value(game)


def test_branching_is_the_growth_from_round_to_round():
    report = z.search(z.RandomTree(branching=4, depth=8, seed=3), limit=Limit(depth=6))
    assert len(report.rounds) == 6
    assert report.growth == report.rounds[-1] / report.rounds[-2]


class Long(Game):
    """One move a state, and a loss after so many plies."""

    plies: int = 500

    def initial(self):
        return 0

    def moves(self, n):
        yield 0

    def play(self, n, move):
        return n + 1

    def result(self, n):
        return LOSS if n == self.plies else ONGOING


@pytest.mark.slow
def test_a_game_too_long_to_prove_is_not_called_proven():
    assert str(z.search(Long(100), exact=True).value) == "loss in 100"
    for ask in (lambda: z.search(Long(), exact=True), lambda: z.search_many(Long(), [0])):
        with pytest.raises(GameError, match="0 can go on for more than 250 plies, which is deeper than exact search"):
            ask()
    limit = Limit(nodes=50_000)
    reports = (
        z.search(Long(), limit=limit),
        z.search(Long(), limit=limit, exact=True),
        *z.search_many(Long(), [0], limit),
    )
    for report in reports:
        assert (report.move, report.value.exact) == (0, False)


class BoundedOnce(Game):
    """A long drawn game whose `bounds` know it at the first move, and nothing later."""

    wrong: bool = False

    def initial(self):
        return 0

    def moves(self, n):
        return range(3)

    def play(self, n, move):
        return n + 1

    def result(self, n):
        return DRAW if n == 40 else ONGOING

    def bounds(self, n):
        if self.wrong and n == 0:
            return 5, 1_000_000
        return (0, 0) if n == 1 else (-1_000_000, 1_000_000)

    def canonical(self, n):
        return n

    def key(self, n):
        return n


@pytest.mark.slow
def test_a_depth_is_kept_though_the_proven_line_is_long():
    report = z.search(BoundedOnce(), limit=Limit(depth=2))
    assert str(report.value) == "draw"
    assert report.nodes < 100_000


@pytest.mark.slow
def test_bounds_that_no_move_reaches_are_an_error():
    with pytest.raises(GameError, match="`bounds` says \\+5 of 0, and no move reaches that"):
        z.search(BoundedOnce(wrong=True), exact=True)


class Millions(Hashed):
    """More points than scores have room for."""

    margin = True

    def moves(self, node):
        return range(2)

    def result(self, node):
        return 1_500_000 if node.left == 0 else ONGOING


@pytest.mark.slow
def test_payoffs_beyond_every_score_are_an_error():
    state = Node(1, 2)
    for ask in (lambda: z.search(Millions(), state), lambda: z.search_many(Millions(), [state])):
        with pytest.raises(GameError, match="1500000 points, and scores have room for less than 900000"):
            ask()


class BackToTheRoot(Game):
    """Two states, from one to the other and back; every other way is lost."""

    loops = True

    def initial(self):
        return 0

    def moves(self, n):
        return range(2)

    def play(self, n, move):
        return 1 - n if move == 0 else 2

    def result(self, n):
        return WIN if n == 2 else ONGOING

    def evaluate(self, n):
        return 300


@pytest.mark.slow
def test_coming_back_to_the_root_is_a_repetition():
    for depth in (3, 4, 5, 6):
        value = z.search(BackToTheRoot(), limit=Limit(depth=depth)).value
        assert (value.score, value.exact) == (0, False)  # it depends on the way, and proves nothing


class HalfLevel(Long):
    """An estimate that is an int in some states and a fraction in others."""

    native = False

    def evaluate(self, n):
        return 0 if n == 0 else 0.25


def test_fractions_count_though_the_root_is_level():
    assert z.search(HalfLevel(), limit=Limit(depth=2)).value.score == 0.25


# -- values of searches to smaller depths ----------------------------------------------------------------------------


class LastMove(Game):
    """One player wins in nine plies if he takes the last of eight moves each time; the other has one move.

    Every other way is drawn after fourteen plies.
    """

    native = False

    def initial(self):
        return (0, True)

    def moves(self, state):
        return range(8 if state[0] % 2 == 0 else 1)

    def play(self, state, move):
        ply, last = state
        return (ply + 1, last and (ply % 2 == 1 or move == 7))

    def result(self, state):
        return LOSS if state == (9, True) else DRAW if state[0] == 14 else ONGOING


class LateMoves(LastMove):
    reductions = True


class Passes(LastMove):
    def skip(self, state):
        return (state[0] + 1, False) if state[0] % 2 and state[0] >= 7 else state


def test_a_win_found_by_looking_less_far_is_not_called_exact():
    assert z.search(LastMove(), limit=Limit(depth=9)).value == z.Value.win(9)
    for game, depth, lines in ((LateMoves(), 11, 1), (Passes(), 9, 2)):
        assert z.search(game, limit=Limit(depth=depth - lines)).value.score == 0  # it is missed where it could be seen
        report = z.search(game, limit=Limit(depth=depth), lines=lines)
        assert (str(report.value), report.value.exact) == (">= win in 9", False)


class PassesAndStays(LastMove):
    """Whoever passes is to move again, which says nothing about what moving is worth."""

    def mover(self, state):
        return state[0] % 2

    def skip(self, state):
        return (state[0] + 2, state[1]) if state[0] < 8 else state

    def evaluate(self, state):
        return 1 if state[0] % 2 else -1


class DoesNotPass(PassesAndStays):
    skip = Game.skip


def test_a_pass_that_does_not_turn_is_no_null_move():
    for depth in range(3, 9):
        one, other = (z.search(game, limit=Limit(depth=depth)) for game in (PassesAndStays(), DoesNotPass()))
        assert (one.value.score, one.nodes) == (other.value.score, other.nodes)


# -- lines of a search that was stopped ------------------------------------------------------------------------------


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("game", [Crossing(), Points()], ids=repr)
def test_lines_are_best_first_wherever_a_search_is_stopped(game, exact):
    for state in searchable(game, 12):
        total = z.search(game, state, Limit(depth=6), lines=3).nodes
        for nodes in range(1, min(total, 200)):
            scores = [
                line.value.score
                for line in z.search(game, state, Limit(nodes=nodes), lines=3, exact=exact, table=1).lines
            ]
            assert scores == sorted(scores, reverse=True)


def test_a_stopped_proof_puts_what_it_supports_before_guesses():
    from zermelo.searching.alphabeta.transposition_table import new_table
    from zermelo.searching.runtime.mtd_bisection import Proof, Query
    from zermelo.searching.runtime.search_worker import RootMove, Worker

    game = z.load("tic_tac_toe")
    proof = Proof(Worker(game, game.initial(), new_table(0.01), compiled=False, nodes=1000), 3)
    guesses = [RootMove(70, (4, 1)), RootMove(50, (0,)), RootMove(-20, (2,))]
    assert proof.best_lines(guesses) == guesses
    proof.record(Query(30, None, 0), 30, ())  # not more than 30, by whatever move
    assert proof.best_lines(guesses) == [RootMove(30, (4, 1)), RootMove(30, (0,)), RootMove(-20, (2,))]
    proof.record(Query(-40, None, 0), -10, (2, 5))  # but more than -40, by this one
    assert proof.best_lines(guesses) == [RootMove(-10, (2, 5)), RootMove(-10, (4, 1)), RootMove(-10, (0,))]
    proof.record(Query(-10, None, 0), -10, ())
    assert proof.best_lines(guesses) == [RootMove(-10, (2, 5), exact=True), RootMove(-10, (4, 1)), RootMove(-10, (0,))]


# -- rules and arguments that make no sense ----------------------------------------------------------------------------


def variant(**rules):
    return type("Variant", (Takes,), {"__module__": __name__, **rules})()


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"evaluate": lambda game, left: "good"}, r"`evaluate` returned 'good' in \d, not a number"),
        ({"result": lambda game, left: None}, r"`result` returned None \(is a `return` missing\?\) in 6, not a whole"),
        ({"result": lambda game, left: None if left < 3 else ONGOING}, r"`result` returned None .* in 2, not a whole"),
        ({"noisy": None}, "`noisy` is None, and not a rule"),
        ({"bounds": lambda game, left: 3}, r"`bounds` returned 3 in \d, not two scores"),
        ({"order": lambda game, left, move: "first"}, r"`order` returned 'first' in \d, not a whole number"),
    ],
)
def test_rules_with_invalid_results_are_errors(rules, words):
    with pytest.raises(GameError, match=rf"Variant\(\): {words}"):
        z.search(variant(**rules), limit=Limit(depth=3))


class SkipsToAnInt(LastMove):
    def skip(self, state):
        return 3


def test_a_null_move_to_no_state_is_an_error():
    with pytest.raises(GameError, match=r"`skip` returned 3 in \(.*\), not a state"):
        z.search(SkipsToAnInt(), limit=Limit(depth=8))


def test_what_search_many_cannot_search_is_an_error():
    with pytest.raises(GameError, match=r"search_many of .* takes several states, .* not None"):
        z.search_many(z.load("tic_tac_toe"), None)
    with pytest.raises(GameError, match="`candidates` is empty in 6, where there are moves"):
        z.search_many(NoCandidates(), [6])
    with pytest.raises(GameError, match="has chance; exact search"):
        z.search(z.load("pig"), exact=True)  # which has loops as well


class NoCandidates(Takes):
    native = None

    def candidates(self, left):
        return range(0)

    def stuck(self, left):
        return LOSS


@pytest.mark.slow
def test_connect_four_is_won_by_the_first_player_at_move_41():
    """The published value of the empty board, by a search alone."""
    assert str(z.search(z.load("connect_four"), exact=True, table=1024).value) == "win in 41"
