"""Traces as text: the list of steps, and the tree with its cut-offs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.textbook.search_result import SIGNS
from zermelo.textbook.tracing.trace_steps import Step, TraceNode, plain
from zermelo.value import EXACT

if TYPE_CHECKING:
    from zermelo.textbook.tracing.trace import Trace


def steps_text(trace: Trace) -> str:
    """A line for each step, indented by depth, with alpha, beta and value in columns.

    >>> import zermelo as z
    >>> trace = z.Trace()
    >>> _ = z.textbook.alphabeta(z.GameTree([[3, 12], [2, 8]]), trace=trace)
    >>> print("\\n".join(str(trace).splitlines()[:5]))
     0 alphabeta         alpha   beta  value
     1 enter root (max)     -∞      ∞
     2   enter 1 (min)      -∞      ∞
     4     leaf 1.1         -∞      ∞      3
     5   update 1           -∞      3      3
    """
    rows = {number: _row(trace, number) for number in range(len(trace.steps)) if not _next_is(trace, number, "leaf")}
    width = max((len(text) for text, *numbers, _ in rows.values() if any(numbers)), default=0)
    widths = [max((len(row[i]) for row in rows.values()), default=0) for i in (1, 2, 3)]
    digits = len(str(len(trace.steps)))
    return "\n".join(_aligned(number, row, width, widths, digits) for number, row in rows.items())


def _next_is(trace: Trace, number: int, action: str) -> bool:
    """Whether the next step is `action`. For example, entering a leaf is not shown."""
    following = trace.steps[number + 1 : number + 2]
    return bool(following) and following[0].action == action


def _row(trace: Trace, number: int) -> tuple[str, str, str, str, str]:
    """The step's text, its numbers, and a remark."""
    step = trace.steps[number]
    if step.action == "search":
        window = ("", "") if _next_is(trace, number, "set") else ("alpha", "beta")
        return step.note, *window, "value", ""
    node = trace.nodes[step.node]
    indent = "  " * node.ply
    text = indent + step_text(trace, step)
    if step.action == "cut":
        return indent + step.note, "", "", "", ""
    if step.action == "prune":
        return text, "", "", "", ""
    value = _value(node, step)
    if step.action == "set":
        return text, "", "", value, step.note
    remark = step.note if step.action in ("leaf", "known", "update") and step.note != "end" else ""
    return text, plain(step.alpha), plain(step.beta), value, remark


def _value(node: TraceNode, step: Step) -> str:
    sign = SIGNS[step.note] if step.action == "leave" else ""
    return sign + plain(step.value)


def _aligned(number: int, row: tuple[str, str, str, str, str], width: int, widths: list[int], digits: int) -> str:
    text, *numbers, remark = row
    if not any(numbers):
        return f"{number:>{digits}} {text}"
    columns = "  ".join(f"{value:>{max(size, 5)}}" for value, size in zip(numbers, widths, strict=True) if size)
    return f"{number:>{digits}} {text:<{width}}  {columns}  {remark}".rstrip()


def step_text(trace: Trace, step: Step) -> str:
    """One step as text."""
    if step.action == "search":
        return step.note
    node = trace.nodes[step.node]
    if step.action == "enter":
        return f"enter {node.name} ({node.kind})"
    if step.action == "cut":
        return f"{step.note}"
    if step.action == "prune":
        return f"{node.name} is never visited"
    return f"{step.action} {node.name}"


def tree_text(trace: Trace) -> str:
    """The visited tree: each node's value, the cut-offs, and the nodes that were never visited.

    >>> import zermelo as z
    >>> trace = z.Trace()
    >>> _ = z.textbook.alphabeta(z.GameTree([[3, 12], [2, 8]]), trace=trace)
    >>> print(trace.tree_text())
    root max 3
    ├─ 1 min 3
    │  ├─ 1.1: 3
    │  └─ 1.2: 12
    └─ 2 min <= 2  ✂ alpha cut-off: 2 <= 3, value <= alpha (shallow, bound of root)
       ├─ 2.1: 2
       └─ 2.2 ✂ never visited
    """
    lines: list[str] = []
    for root in trace.roots:
        _draw(trace, trace.nodes[root], "", "", lines)
    return "\n".join(lines)


def _draw(trace: Trace, node: TraceNode, first: str, rest: str, lines: list[str]) -> None:
    lines.append(first + label(node))
    for number in node.children:
        last = number == node.children[-1]
        corner, bar = ("└─ ", "   ") if last else ("├─ ", "│  ")
        _draw(trace, trace.nodes[number], rest + corner, rest + bar, lines)


def label(node: TraceNode) -> str:
    """A node as one line of the tree."""
    if node.pruned:
        return f"{node.name} ✂ never visited"
    value = "?" if node.value is None else plain(node.value)  # None: the search was interrupted earlier
    if node.leaf or not node.kind:
        why = f" ({node.leaf})" if node.leaf not in ("", "end") else ""
        return f"{node.name}: {value}{why}"
    bound = SIGNS[node.bound] if node.bound != EXACT else ""
    cut = f"  ✂ {node.cut}" if node.cut else ""
    return f"{node.name} {node.kind} {bound}{value}{cut}"
