"""The examples of the lectures, to the last step."""

import math

import pytest

import zermelo as z
from zermelo.textbook import Trace, alphabeta, backward_induction, expectiminimax, minimax, retrograde, star1, star2
from zermelo.textbook.tracing.trace_steps import plain
from zermelo.value import later

A = z.GameTree("A(B(C(2, 3), D(5, 7)), E(F(0, 1), G(4, 6)))")

STEPS = """
enter A -∞ ∞
enter B -∞ ∞
enter C -∞ ∞
enter C.1 -∞ ∞
leaf C.1 -∞ ∞ 2
update C 2 ∞ 2
enter C.2 2 ∞
leaf C.2 2 ∞ 3
update C 3 ∞ 3
leave C 3 ∞ 3
update B -∞ 3 3
enter D -∞ 3
enter D.1 -∞ 3
leaf D.1 -∞ 3 5
update D 5 3 5
cut D 5 3 5
prune D.2
leave D 5 3 5
leave B -∞ 3 3
update A 3 ∞ 3
enter E 3 ∞
enter F 3 ∞
enter F.1 3 ∞
leaf F.1 3 ∞ 0
update F 3 ∞ 0
enter F.2 3 ∞
leaf F.2 3 ∞ 1
update F 3 ∞ 1
leave F 3 ∞ 1
update E 3 1 1
cut E 3 1 1
prune G
leave E 3 1 1
leave A 3 ∞ 3
"""


def written(trace):
    """The steps of a trace, one to a line: action, node, alpha, beta, value."""
    lines = []
    for step in trace.steps[1:]:
        numbers = [] if step.action == "prune" else [step.alpha, step.beta, step.value]
        words = [plain(number) for number in numbers]
        lines.append(" ".join([step.action, trace.nodes[step.node].name, *words]).rstrip())
    return "\n".join(lines)


@pytest.mark.parametrize("form", ["maxmin", "negamax"])
def test_alphabeta_on_the_lecture_tree_step_by_step(form):
    trace = Trace()
    result = alphabeta(A, form=form, trace=trace)
    assert (result.value.score, result.line, result.leaves) == (3, ("B", "C", "2"), 5)
    assert written(trace) == STEPS.strip()


@pytest.mark.parametrize("form", ["maxmin", "negamax"])
def test_d_is_cut_because_5_reaches_3_and_g_because_1_does_not_pass_3(form):
    trace = Trace()
    alphabeta(A, form=form, trace=trace)
    (d, beta_cut), (e, alpha_cut) = trace.cuts
    assert (d.name, beta_cut.name, beta_cut.inequality, beta_cut.reason) == ("D", "beta", "5 >= 3", "value >= beta")
    assert (e.name, alpha_cut.name, alpha_cut.inequality, alpha_cut.reason) == (
        "E",
        "alpha",
        "1 <= 3",
        "value <= alpha",
    )
    assert (beta_cut.reach, beta_cut.owner) == ("shallow", "B")
    assert (alpha_cut.reach, alpha_cut.owner) == ("shallow", "A")
    assert trace.pruned == ["D.2", "G"]


def test_fail_hard_on_the_lecture_tree_gives_f_its_alpha():
    trace = Trace()
    assert alphabeta(A, fail="hard", trace=trace).value.score == 3
    left = {trace.nodes[step.node].name: step.value for step in trace if step.action == "leave"}
    assert left == {"C": 3, "D": 3, "B": 3, "F": 3, "E": 3, "A": 3}
    assert [cut.inequality for _, cut in trace.cuts] == ["5 >= 3", "3 <= 3"]


def test_minimax_visits_the_whole_lecture_tree():
    result = minimax(A)
    assert (result.value.score, result.nodes, result.leaves) == (3, 15, 8)


def test_siblings_11_12_7_9_cut_one_whose_first_reply_is_15():
    """The node above minimizes and has 7 so far; the next sibling maximizes, and its first reply 15 is too good."""
    game = z.GameTree("root(N(a(11), b(12), c(7), d(9), e(15, 1, 2)))")
    trace = Trace()
    assert alphabeta(game, trace=trace).value.score == 7
    ((node, cut),) = trace.cuts
    assert (node.name, str(cut)) == ("e", "beta cut-off: 15 >= 7, value >= beta (shallow, bound of N)")
    assert trace.pruned == ["e.2", "e.3"]


@pytest.mark.parametrize("form", ["maxmin", "negamax"])
def test_a_deep_cut_off_is_named_deep(form):
    """Max has 10 at the root; three levels below, a reply worth 5 to Min is enough, whatever stands between."""
    game = z.GameTree("A(B(10, 11), C(D(E(5, 99), F(20, 21)), 4))")
    trace = Trace()
    assert alphabeta(game, form=form, trace=trace).value.score == 10
    node, cut = trace.cuts[0]
    assert (node.name, cut.name, cut.inequality) == ("E", "alpha", "5 <= 10")
    assert (cut.reach, cut.owner) == ("deep", "A")
    assert "deep, bound of A" in str(cut)


def test_cutting_only_beyond_equality_visits_more():
    game = z.GameTree([[3, 4], [3, 9]])
    assert alphabeta(game, cut="equal").leaves == 3
    assert alphabeta(game, cut="beyond").leaves == 4
    trace = Trace()
    alphabeta(z.GameTree([[3, 4], [2, 9]]), cut="beyond", trace=trace)
    assert [str(cut) for _, cut in trace.cuts] == ["alpha cut-off: 2 < 3, value < alpha (shallow, bound of root)"]


# -- II-Nim: two piles of two matches, the player who takes the last one loses -----------------------------------------

NIM = z.load("nim(piles=(2,2),misere=True)")

NIM_VALUES = {
    (2, 2): "loss in 3",
    (1, 2): "win in 2",
    (0, 2): "win in 2",
    (1, 1): "win in 2",
    (0, 1): "loss in 1",
    (0, 0): "win in 0",
}


class TwoNim(z.Game):
    """The same with who is to move in the state, and either player first."""

    first: int = 0

    def initial(self):
        return (NIM.initial().piles, self.first)

    def moves(self, state):
        return NIM.moves(type(NIM.initial())(state[0]))

    def play(self, state, move):
        return (NIM.play(type(NIM.initial())(state[0]), move).piles, 1 - state[1])

    def result(self, state):
        return NIM.result(type(NIM.initial())(state[0]))

    def mover(self, state):
        return state[1]


def test_two_nim_has_six_states_and_twelve_with_who_is_to_move():
    table = backward_induction(NIM, symmetric=True)
    states = {state.piles for state in table}
    assert states == set(NIM_VALUES)
    assert len(states) == 6
    pairs = [set(backward_induction(TwoNim(first))) for first in (0, 1)]
    assert len(pairs[0] | pairs[1]) == 12
    assert {piles for piles, _ in pairs[0]} == {piles for piles, _ in pairs[1]} == states
    assert {(piles, 1 - player) for piles, player in pairs[0]} == pairs[1]


def test_two_nim_has_a_tree_of_fifteen_nodes_whose_values_all_come_out():
    trace = Trace()
    result = minimax(NIM, trace=trace)
    assert result.nodes == 15
    assert str(result.value) == "loss in 3"
    assert len(trace.nodes) == 15
    for node in trace.nodes:
        seen = node.value if node.kind == "max" else -node.value
        words = plain(later(seen, -node.ply))  # a trace counts from its root, the table from the state
        assert words == NIM_VALUES[node.state.piles], node.name


@pytest.mark.parametrize("solve", [backward_induction, retrograde])
def test_two_nim_is_lost_for_the_first_player(solve):
    table = solve(NIM)
    assert table.value.outcome == z.LOSS
    assert {state.piles: str(table[state]) for state in table} == NIM_VALUES


# -- chance ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", [expectiminimax, star1, star2, backward_induction])
def test_a_die_is_worth_three_and_a_half(search):
    die = z.GameTree({"chance": [["1/6", pips] for pips in range(1, 7)]})
    assert search(die).value.score == pytest.approx(3.5, abs=1e-12)


# -- Knuth and Moore: the best case of alpha-beta ----------------------------------------------------------------------


@pytest.mark.parametrize("branching", range(1, 7))
@pytest.mark.parametrize("depth", range(1, 7))
def test_ordered_trees_have_the_fewest_leaves(branching, depth):
    if branching**depth > 5000:
        depth = int(math.log(5000, branching))
    fewest = branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1
    for seed in range(3):
        game = z.RandomTree(branching=branching, depth=depth, seed=seed, ordered=True)
        for options in ({}, {"form": "negamax"}, {"fail": "hard"}, {"cut": "beyond"}):
            assert alphabeta(game, **options).leaves == fewest
        assert alphabeta(game).value.score == game.initial().value
