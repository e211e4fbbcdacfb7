"""The pseudo-code: it is run, and its values and lines are those of the searches and their traces."""

import re

import pytest

import zermelo as z
from random_games import tree
from zermelo import rules, textbook
from zermelo.textbook import Trace
from zermelo.textbook.pseudocode import Pseudocode, alphabeta_code, search_code
from zermelo.value import INFINITY

PYTHON = [
    (r"#.*", ""), (r"^function ", "def "), ("node is a leaf", "is_leaf(node)"), ("←", "="), ("≥", ">="), ("≤", "<="),
    ("−", "-"), ("∞", "infinity"), ("·", "*"), (r"(Max|Min) is to move at node", r"moves(node, '\1')"),
    ("for each successor of node with probability p:", "for successor, p in outcomes(node):"),
    ("for each successor of node:", "for successor in successors(node):"), (r"\belse: ", ""),
]  # fmt: skip
"""What the words of the pseudo-code are in Python; an `else` after a return is none."""


class Node:
    """A node of a typed tree, in the plainest way."""

    def __init__(self, game, state):
        self.name, self.state, self.game = game.state_text(state), state, game
        self.kind = "chance" if game.is_chance(state) else ("Max", "Min")[rules.mover(game, state)]

    def successors(self):
        return [Node(self.game, self.game.play(self.state, move)) for move in self.game.moves(self.state)]


def run(code: Pseudocode, game, window=()) -> tuple[float, list[tuple[int, str]]]:
    """Run the listing on a tree: the value, and the marked lines in the order in which they were reached."""
    reached: list[tuple[int, str]] = []

    def at(line, node, rest=True):
        if rest:
            reached.append((line, node.name))

    def payoff(node):
        seen_by_mover = "-value(" in python
        return game.result(node.state) * (1 if seen_by_mover or rules.mover(game, node.state) == 0 else -1)

    def siblings(node, successor):
        return node.successors()[-1].name != successor.name

    python = translated(code)
    names = {
        "at": at, "payoff": payoff, "siblings": siblings, "infinity": INFINITY,
        "is_leaf": lambda node: game.result(node.state) != z.ONGOING,
        "moves": lambda node, player: node.kind == player,
        "successors": Node.successors,
        "outcomes": lambda node: [
            (Node(game, game.play(node.state, move)), chance) for move, chance in game.chances(node.state)
        ],
    }  # fmt: skip
    exec(python, names)
    return names["value"](Node(game, game.initial()), *window), reached


def translated(code: Pseudocode) -> str:
    """The listing as Python that reports each marked line."""
    marked = {line: mark for mark, line in code.places.items() if not mark.startswith("known")}
    out = []
    for number, line in enumerate(code.lines):
        for pattern, python in PYTHON:
            line = re.sub(pattern, python, line)
        line, mark = line.rstrip(), marked.get(number, "").split(" ")[0]
        if mark == "enter":
            line += f"\n    if not is_leaf(node): at({number}, node)"
        elif mark in ("leaf", "leave"):
            line = line.replace("return", f"at({number}, node); return")
        elif mark == "cut":
            line = line.replace("break", f"at({number}, node, siblings(node, successor)); break")
        elif mark == "update":
            line += f"; at({number}, node)"
        out.append(line)
    return "\n".join(out)


def lines_of(trace: Trace) -> list[tuple[int, str]]:
    """The lines of a trace with the names of their nodes; a leaf is entered and scored in one line."""
    steps = [step for step in trace.steps if step.action not in ("search", "prune")]
    leaves = {step.node for step in steps if step.action == "leaf"}
    return [
        (step.line, trace.nodes[step.node].name)
        for step in steps
        if not (step.action == "enter" and step.node in leaves)
    ]


VARIANTS = [
    ("minimax", {}), ("negamax", {}), ("expectiminimax", {}), ("alphabeta", {}), ("alphabeta", {"form": "negamax"}),
    ("alphabeta", {"fail": "hard"}), ("alphabeta", {"cut": "beyond"}),
    ("alphabeta", {"form": "negamax", "fail": "hard", "cut": "beyond"}),
]  # fmt: skip


@pytest.mark.parametrize(("algorithm", "options"), VARIANTS)
def test_the_pseudo_code_runs_and_lights_the_lines_of_the_trace(algorithm, options):
    for seed in range(30):
        game = z.GameTree(tree(seed, chance=algorithm == "expectiminimax"))
        trace = Trace()
        result = getattr(textbook, algorithm)(game, trace=trace, **options)
        window = (-INFINITY, INFINITY) if algorithm == "alphabeta" else ()
        value, reached = run(trace.code, game, window)
        assert value == pytest.approx(trace.nodes[0].value), seed
        assert reached == lines_of(trace), seed
        assert result.value.score == pytest.approx(value)


def test_the_lines_of_a_search_in_a_narrow_window():
    for seed in range(30):
        game, trace = z.GameTree(tree(seed)), Trace()
        textbook.alphabeta(game, window=(0, 1), fail="hard", trace=trace)
        assert run(trace.code, game, (0, 1))[1] == lines_of(trace), seed


@pytest.mark.parametrize("algorithm", ["star1", "star2", "win_loss", "aspiration", "iterative_deepening"])
def test_every_step_at_a_node_has_a_line_of_its_kind(algorithm):
    """A cut-off's line has its bound, an update of chance is in the function of chance, and a probe is one."""
    seen = set()
    for seed in range(30):
        game, trace = z.GameTree(tree(seed, chance=algorithm.startswith("star"))), Trace()
        options = {"payoff_bounds": (-100, 100)} if algorithm.startswith("star") else {}
        getattr(textbook, algorithm)(game, trace=trace, **options)
        assert trace.code is not None
        for step in trace.steps:
            if step.action == "search":
                assert step.line is None
                continue
            line = trace.code.lines[step.line]
            seen.add(line)
            if step.cut and algorithm not in ("win_loss", "iterative_deepening"):
                assert {"alpha": "α", "beta": "β"}[step.cut.name] in line or "≥ b:" in line or "≤ a:" in line
            if trace.nodes[step.node].kind == "chance" and step.action != "prune" and not trace.nodes[step.node].leaf:
                assert step.line >= trace.code.places["enter chance"]
    if algorithm == "star2":
        assert any("probe(s" in line for line in seen)
        assert any(line.startswith("function probe") for line in seen)


def test_listings_are_short_enough_for_a_slide():
    codes = [alphabeta_code(negamax, fail, cut) for negamax in (False, True) for fail in ("soft", "hard")
             for cut in ("equal", "beyond")]  # fmt: skip
    codes += [search_code(name) for name in ("minimax", "negamax", "expectiminimax", "star1", "star2", "win_loss")]
    assert max(len(line) for code in codes for line in code.lines) <= 84
    assert max(len(code.lines) for code in codes) <= 40
    assert search_code("retrograde") is None
