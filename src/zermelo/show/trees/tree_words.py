"""A trace in words: a sentence for each step, the reason of each cutoff, and the numbers as they are drawn."""

from __future__ import annotations

import re
from fractions import Fraction

from zermelo.game import Game
from zermelo.textbook import Cut, Step, Trace, TraceNode
from zermelo.textbook.tracing.trace_steps import plain
from zermelo.value import INFINITY, LOWER, UPPER, Score

BOUND_LETTERS = {"alpha": "α", "beta": "β"}
BOUND_SIGNS = {LOWER: "≥ ", UPPER: "≤ "}
BOUND_WORDS = {LOWER: "at least ", UPPER: "at most "}
LEAF_REASONS = {
    "end": "the game is over",
    "stuck": "no move is left",
    "evaluate": "the depth is reached, and the static evaluation is used",
    "repetition": "the position repeats, which counts as a draw",
}
NO_EVALUATION_REASON = "the depth is reached, and the game has no static evaluation, so that the value is unknown"


def number(score: Score | None) -> str:
    """Return a score as it is drawn in a node.

    >>> from zermelo.value import INFINITY, loss_in, win_in
    >>> number(-2), number(INFINITY), number(win_in(5)), number(loss_in(4)), number(None)
    ('−2', '∞', 'W5', 'L4', '')
    """
    return drawn_number(plain(None if score is None else round(score, 9)))


def said(score: Score | None) -> str:
    """Return a score within a sentence.

    >>> from zermelo.value import INFINITY, win_in
    >>> said(-2), said(-INFINITY), said(win_in(5))
    ('−2', '−∞', 'win in 5')
    """
    return plain(score).replace("-", "−")


def drawn_number(text: str) -> str:
    """Return a number or an inequality in the short form that is drawn."""
    text = re.sub(r"\bwin in (\d+)", r"W\1", text)
    text = re.sub(r"\bloss in (\d+)", r"L\1", text)
    return text.replace("-", "−").replace(">=", "≥").replace("<=", "≤")


def inequality(cut: Cut) -> str:
    """Return the inequality of a cutoff: the value, the bound, and the letter of the bound.

    >>> inequality(Cut("beta", "5 >= 3", "value >= beta", "shallow", "B"))
    '5 ≥ 3 = β'
    """
    return f"{drawn_number(cut.inequality)} = {BOUND_LETTERS[cut.name]}"


def probability_text(probability: float) -> str:
    """Return a probability as a fraction if it is a simple one.

    >>> probability_text(1 / 6), probability_text(0.25), probability_text(0.123)
    ('1/6', '1/4', '0.123')
    """
    simple = Fraction(probability).limit_denominator(36)
    return str(simple) if abs(float(simple) - probability) < 1e-9 else f"{probability:.3g}"


def node_words(node: TraceNode, *, known: bool = False) -> str:
    """Return the description of a node for screen readers."""
    if node.pruned:
        return f"{node.name}: never visited"
    if node.leaf:
        return f"{node.name}: leaf, value {said(node.value)}{', known' if known else ''}"
    value = "" if node.value is None else f", value {BOUND_WORDS.get(node.bound, '')}{said(node.value)}"
    cut = "" if node.cut is None else f"; {node.cut.name} cut-off, {inequality(node.cut)}"
    return f"{node.name}: {node.kind} node{value}{', known' if known else ''}{cut}"


def words(trace: Trace) -> list[str]:
    """Return a sentence for each step of the trace.

    >>> import zermelo as z
    >>> trace = z.Trace()
    >>> _ = z.textbook.alphabeta(z.GameTree("A(B(3, 12), C(2, 8))"), trace=trace)
    >>> print(*words(trace)[12:16], sep="\\n")
    Leaf C.1 is worth 2: the game is over.
    C is worth at most 2 so far, so Min has 2 secured there: β = 2.
    Alpha cut-off at C: 2 ≤ 3 = α. Max already has 3 at A and will not come here: the rest of C need not be seen.
    C.2 is never visited.
    """
    return [_words(trace, step) for step in trace.steps]


def _words(trace: Trace, step: Step) -> str:
    if step.action == "search":
        return f"The search begins: {step.note}."
    node = trace.nodes[step.node]
    if step.note == "evaluate" and not evaluates(trace.game):
        return f"Leaf {node.name} counts {said(step.value)}: {NO_EVALUATION_REASON}."
    return {
        "enter": _enter, "leaf": _leaf, "update": _update, "cut": _cut, "prune": _prune, "known": _known,
        "leave": _leave,
    }.get(step.action, _set)(node, step)  # fmt: skip


def evaluates(game: Game | None) -> bool:
    """Return whether the game has a static evaluation."""
    return game is None or game.has("evaluate") or game.has("features")


def _enter(node: TraceNode, step: Step) -> str:
    who = {"max": "Max is to move", "min": "Min is to move", "chance": "chance moves"}[node.kind]
    bounds = f", with α = {number(step.alpha)} and β = {number(step.beta)}"
    narrowed = min(abs(step.alpha), abs(step.beta)) < INFINITY
    return f"Enter {node.name}, where {who}{bounds if narrowed else ''}."


def _leaf(node: TraceNode, step: Step) -> str:
    return f"Leaf {node.name} is worth {said(step.value)}: {LEAF_REASONS.get(step.note, step.note)}."


def _update(node: TraceNode, step: Step) -> str:
    value = said(step.value)
    if node.kind == "chance":
        return f"{node.name} so far: {step.note or f'the sum of probability times value is {value}'}."
    if node.kind == "max":
        secured = f", so Max has {value} secured there: α = {value}" if step.value == step.alpha else ""
        return f"{node.name} is worth at least {value} so far{secured}."
    secured = f", so Min has {value} secured there: β = {value}" if step.value == step.beta else ""
    return f"{node.name} is worth at most {value} so far{secured}."


def _cut(node: TraceNode, step: Step) -> str:
    cut = step.cut
    assert cut is not None
    who, bound = ("Max", step.alpha) if cut.name == "alpha" else ("Min", step.beta)
    if cut.owner is None:
        why = "That is outside the window of the search"
    else:
        why = f"{who} already has {said(bound)} at {cut.owner} and will not come here"
    what = f"{cut.name.capitalize()} cut-off at {node.name}: {inequality(cut)}."
    return f"{what} {why}: the rest of {node.name} need not be seen."


def _prune(node: TraceNode, step: Step) -> str:
    return f"{node.name} is never visited."


def _known(node: TraceNode, step: Step) -> str:
    move, _, value = step.note.rpartition(" is known: ")
    return f"The value of {move} at {node.name} is known from the probe, and used again: {value}."


def _leave(node: TraceNode, step: Step) -> str:
    value = f"{BOUND_WORDS.get(step.note, '')}{said(step.value)}"
    return f"Leave {node.name} with {value}{', the value of the tree' if node.parent is None else ''}."


def _set(node: TraceNode, step: Step) -> str:
    return f"{node.name} is {said(step.value)}{f': {step.note}' if step.note else ''}."
