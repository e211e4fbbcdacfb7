"""Traces: what is recorded, how it reads, and going through it forward and backward."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import zermelo as z
from random_games import LoopGame, tree
from zermelo import textbook
from zermelo.textbook import Replay, Trace, alphabeta, minimax

LECTURE = z.GameTree("A(B(C(2, 3), D(5, 7)), E(F(0, 1), G(4, 6)))")

SEARCHES = [
    textbook.minimax, textbook.negamax, textbook.alphabeta, textbook.root_search, textbook.aspiration,
    textbook.iterative_deepening, textbook.win_loss, textbook.expectiminimax, textbook.star1, textbook.star2,
]  # fmt: skip

TEXT = """\
 0 alphabeta              alpha   beta  value
 1 enter root (max)          -∞      ∞
 2   enter 1 (min)           -∞      ∞
 4     leaf 1.1              -∞      ∞      3
 5   update 1                -∞      3      3
 7     leaf 1.2              -∞      3     12
 8   leave 1                 -∞      3      3
 9 update root                3      ∞      3
10   enter 2 (min)            3      ∞
12     leaf 2.1               3      ∞      2
13   update 2                 3      2      2
14   alpha cut-off: 2 <= 3, value <= alpha (shallow, bound of root)
15     2.2 is never visited
16   leave 2                  3      2   <= 2
17 leave root                 3      ∞      3"""


def traced(search, game, **options):
    trace = Trace()
    search(game, trace=trace, **options)
    return trace


def test_the_text_has_a_line_for_each_step_and_columns():
    text = str(traced(alphabeta, z.GameTree([[3, 12], [2, 8]])))
    assert [line.split() for line in text.splitlines()] == [line.split() for line in TEXT.splitlines()]
    columns = {line.rindex("∞") for line in text.splitlines() if line.endswith("∞")}
    assert len(columns) == 1


def test_the_tree_shows_values_cuts_and_what_was_never_visited():
    assert traced(alphabeta, LECTURE).tree_text() == "\n".join([
        "A max 3",
        "├─ B min 3",
        "│  ├─ C max 3",
        "│  │  ├─ C.1: 2",
        "│  │  └─ C.2: 3",
        "│  └─ D max >= 5  ✂ beta cut-off: 5 >= 3, value >= beta (shallow, bound of B)",
        "│     ├─ D.1: 5",
        "│     └─ D.2 ✂ never visited",
        "└─ E min <= 1  ✂ alpha cut-off: 1 <= 3, value <= alpha (shallow, bound of A)",
        "   ├─ F max <= 1",
        "   │  ├─ F.1: 0",
        "   │  └─ F.2: 1",
        "   └─ G ✂ never visited",
    ])  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 5000), st.sampled_from(SEARCHES))
def test_every_node_entered_is_left_and_the_counts_are_the_results(seed, search):
    trace = Trace()
    result = search(z.GameTree(tree(seed)), trace=trace)
    actions = [step.action for step in trace]
    assert actions.count("enter") == actions.count("leave") + actions.count("leaf")
    if search is not textbook.iterative_deepening:
        assert actions.count("enter") == result.nodes
        assert actions.count("leaf") == result.leaves
        assert actions.count("cut") == result.cutoffs


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 5000), st.sampled_from(["maxmin", "negamax"]))
def test_every_cut_off_is_justified_by_its_owners_bound(seed, form):
    """At a Max node the value is at least beta, at a Min node at most alpha, and the owner is an ancestor."""
    trace = traced(alphabeta, z.GameTree(tree(seed)), form=form)
    for step in trace:
        if step.cut:
            node = trace.nodes[step.node]
            assert step.cut.name == ("beta" if node.kind == "max" else "alpha")
            assert step.value >= step.beta if node.kind == "max" else step.value <= step.alpha
            above = trace.nodes[node.parent]
            steps_up = 1
            while above.name != step.cut.owner:
                above, steps_up = trace.nodes[above.parent], steps_up + 1
            assert above.kind != node.kind
            assert step.cut.reach == ("shallow" if steps_up == 1 else "deep")


def seen_by_max(game, state):
    """What the first player, who is Max at the root, gets from a state."""
    value = naive.value(game, state)
    return value if game.mover(state) == 0 else -value


def says_the_truth(node, truth):
    slack = 1e-9
    return {
        "exact": abs(node.value - truth) <= slack,
        "lower": truth >= node.value - slack,
        "upper": truth <= node.value + slack,
    }[node.bound]


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(SEARCHES), st.booleans())
def test_every_value_in_a_trace_is_the_value_or_a_bound_of_it(seed, search, chance):
    stars = (textbook.expectiminimax, textbook.star1, textbook.star2)
    game = z.GameTree(tree(seed, chance=chance and search in stars))
    for node in traced(search, game).nodes:
        if not node.pruned and node.leaf != "evaluate" and search is not textbook.iterative_deepening:
            truth = seen_by_max(game, node.state)
            if search is textbook.win_loss and not node.leaf:  # which knows no points
                truth = (truth > 0) - (truth < 0)
            assert says_the_truth(node, truth), (
                f"{search.__name__}, {node.name}: {node.bound} {node.value}, not {truth}"
            )


def test_win_loss_shows_wins_and_losses_and_draws_at_most():
    tree = traced(textbook.win_loss, z.load("nim(piles=(2,2),misere=True)")).tree_text()
    assert tree.splitlines()[0] == "2 2 max -1"
    assert {line.split(" ✂ ")[1].split(",")[0] for line in tree.splitlines() if "cut-off" in line} == {
        "beta cut-off: 1 >= 1",
        "alpha cut-off: -1 <= 0",
    }
    tree = traced(textbook.win_loss, z.GameTree("A(B(0, 1), C(D(-1, 1), -1))")).tree_text()
    assert [line.lstrip("│├└─ ") for line in tree.splitlines()] == [
        "A max <= 0",
        "B min <= 0  ✂ alpha cut-off: 0 <= 0, value <= alpha (bound of the search window)",
        "B.1: 0",
        "B.2 ✂ never visited",
        "C min -1",
        "D max 1",
        "D.1: -1",
        "D.2: 1",
        "C.2: -1",
    ]


def test_a_node_of_a_search_that_was_broken_off_has_no_value_yet():
    trace = Trace()
    textbook.iterative_deepening(LECTURE, limit=z.Limit(nodes=6), trace=trace)
    assert trace.tree_text().splitlines()[-3:] == ["A max ?", "└─ B min ?", "   └─ C: 0 (evaluate)"]


def test_both_forms_leave_the_same_trace():
    for seed in range(60):
        game = z.GameTree(tree(seed))
        one, other = (traced(alphabeta, game, form=form) for form in ("maxmin", "negamax"))
        assert _without_code(one) == _without_code(other)


def _without_code(trace: Trace) -> dict:
    """The record without the pseudo-code, which the forms do not share."""
    record = trace.to_dict() | {"code": None}
    return record | {"steps": [step | {"line": None} for step in record["steps"]]}


def test_deep_cuts_exist_in_random_trees():
    reaches = {cut.reach for seed in range(60) for _, cut in traced(alphabeta, z.GameTree(tree(seed))).cuts}
    assert reaches == {"shallow", "deep"}


def test_a_bound_of_the_callers_window_is_called_so():
    trace = traced(alphabeta, z.GameTree([3, 12]), window=(0, 2))
    assert str(trace.cuts[0][1]) == "beta cut-off: 3 >= 2, value >= beta (bound of the search window)"


def test_records_are_json_with_the_pruned_nodes_among_the_children():
    record = json.loads(traced(alphabeta, LECTURE).to_json())
    (root,) = record["tree"]
    assert (root["name"], root["kind"], root["value"], root["beta"], root["beta_text"]) == ("A", "max", 3, None, "∞")
    (f, g) = root["children"][1]["children"]
    assert (f["pruned"], g["pruned"], g["value"]) == (False, True, None)
    assert root["children"][1]["cut"]["inequality"] == "1 <= 3"
    assert [step["action"] for step in record["steps"]][:3] == ["search", "enter", "enter"]


# -- replay ------------------------------------------------------------------------------------------------------------


def test_a_picture_shows_the_open_path_and_what_is_closed():
    trace = traced(alphabeta, LECTURE)
    at_the_cut = next(i for i, step in enumerate(trace) if step.action == "cut") + 1
    picture = trace.at(at_the_cut)
    assert [(node.name, node.kind, node.value) for node in picture.path] == [
        ("A", "max", None),
        ("B", "min", 3),
        ("D", "max", 5),
    ]
    assert {trace.nodes[number].name: value for number, value in picture.closed.items()} == {
        "C.1": 2,
        "C.2": 3,
        "C": 3,
        "D.1": 5,
    }
    assert picture.text == "beta cut-off: 5 >= 3, value >= beta (shallow, bound of B)"
    assert str(picture).splitlines()[-1] == "  D (max): alpha 5, beta 3, value 5"
    assert picture.pruned == ()
    assert [trace.nodes[number].name for number in trace.at(len(trace)).pruned] == ["D.2", "G"]


def test_replay_goes_forward_and_backward_to_the_same_pictures():
    trace = traced(textbook.star2, z.GameTree(tree(7, chance=True)))
    replay = trace.replay()
    forward = [replay.snapshot, *replay]
    assert len(forward) == len(trace) + 1
    backward = [replay.snapshot]
    while replay.position:
        backward.append(replay.back())
    assert backward[::-1] == forward
    assert replay.goto(-1) == forward[-1]
    assert replay.goto(3) == forward[3]
    assert replay.back(10) == forward[0]
    assert replay.forward(10**6) == forward[-1]
    assert forward[-1].path == ()


def test_places_outside_a_trace_get_a_sentence():
    trace = traced(minimax, z.GameTree([1, 2]))
    with pytest.raises(z.GameError, match=r"The trace has steps 0 to \d+, not 99"):
        trace.at(99)
    with pytest.raises(z.GameError, match="not -99"):
        Replay(trace).goto(-99)


# -- other games and algorithms ----------------------------------------------------------------------------------------


def test_nodes_of_a_game_are_named_and_wins_read_as_words():
    game = z.load("tic_tac_toe")
    trace = Trace()
    alphabeta(game, z.position(game, "a1 b1 a2 b2"), depth=2, trace=trace)
    values = {step.note or step.action for step in trace}
    assert "evaluate" in values
    assert "win in 1" in str(trace)
    assert all(node.name for node in trace.nodes)


def test_leaves_say_why_they_are_leaves():
    class Lane(z.Game):
        """Walk to and fro between 0 and 2; at 2 you are stuck and lose."""

        def initial(self):
            return 0

        def moves(self, place):
            return () if place == 2 else (1,) if place == 0 else (-1, 1)

        def play(self, place, step):
            return place + step

        def result(self, place):
            return z.ONGOING

        def stuck(self, place):
            return z.LOSS

    trace = traced(minimax, Lane(), repetition="draw")
    assert {node.leaf for node in trace.nodes} == {"", "stuck", "repetition"}
    assert "(stuck)" in trace.tree_text()
    assert "(repetition)" in trace.tree_text()


def test_aspiration_and_deepening_trace_each_search_as_a_tree():
    trace = traced(textbook.aspiration, LECTURE, guess=1, margin=1)
    assert [step.note for step in trace if step.action == "search"] == ["aspiration (0, 2)", "aspiration (0, 6)"]
    assert len(trace.roots) == 2
    trace = Trace()
    textbook.iterative_deepening(LECTURE, limit=z.Limit(nodes=20), trace=trace)
    assert len(trace.roots) == 3
    assert trace.at(len(trace)).step is not None


def test_a_probe_is_entered_again_and_its_value_known():
    trace = traced(textbook.star2, z.GameTree("A(R[1/2: X(1, 5), 1/2: Y(2, 6)], 0)"))
    assert "known" in {step.action for step in trace}
    names = [node.name for node in trace.nodes]
    assert len(names) == len(set(names))
    assert trace.pruned == []


def test_what_a_probe_made_needless_is_never_visited():
    trace = traced(textbook.star2, z.GameTree("A(R[1/2: X(1, 5), 1/2: Y(2, 6)], S[1/2: T(1, 2), 1/2: U(0, 1)])"))
    assert trace.pruned == ["T.2", "U.2"]


@pytest.mark.parametrize(
    ("solve", "game"),
    [
        (textbook.backward_induction, "nim(piles=(2,2),misere=True)"),
        (textbook.retrograde, "nim(piles=(2,2),misere=True)"),
        (textbook.value_iteration, "pig(3)"),
        (textbook.retrograde, LoopGame(14, 3)),
    ],
)
def test_tables_trace_every_entry_they_set(solve, game):
    trace = Trace()
    table = solve(z.load(game) if isinstance(game, str) else game, trace=trace)
    assert [step.action for step in trace].count("set") == len(table)
    assert len(trace.at(len(trace)).closed) == len(table)
    assert str(trace)
    assert trace.tree_text()
    assert json.loads(trace.to_json())["steps"][0]["note"] == table.algorithm


def test_the_retrograde_table_reads_pass_by_pass():
    trace = Trace()
    textbook.retrograde(z.load("nim(piles=(2,2),misere=True)"), trace=trace)
    assert [" ".join(line.split()) for line in str(trace).splitlines()] == [
        "0 retrograde value",
        "1 set 0 0 win in 0 W in pass 0",
        "2 set 0 1 loss in 1 L in pass 1",
        "3 set 1 2 win in 2 W in pass 2",
        "4 set 0 2 win in 2 W in pass 2",
        "5 set 1 1 win in 2 W in pass 2",
        "6 set 2 2 loss in 3 L in pass 3",
    ]


def test_the_retrograde_tree_says_how_a_state_is_drawn():
    found = set()
    for seed in range(30):
        trace = Trace()
        table = textbook.retrograde(LoopGame(14, seed), trace=trace)
        lines = dict(line.split(": ") for line in trace.tree_text().splitlines())
        for state in table:
            drawn = "0 (drawn by repetition)" if table[state].repetition else "0 (drawn by rule)"
            assert lines[str(state)] == (drawn if table[state].outcome == z.DRAW else str(table[state]))
            found.add(lines[str(state)])
    assert {"0 (drawn by repetition)", "0 (drawn by rule)", "win in 1"} <= found


def test_a_trace_that_grows_too_long_stops_with_a_sentence():
    with pytest.raises(z.GameError, match="The trace has reached its limit of 100 steps"):
        minimax(z.load("tic_tac_toe"), trace=Trace(limit=100))
