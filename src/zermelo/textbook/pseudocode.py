"""Pseudo-code of the searches, and which of its lines each step of a trace belongs to.

A listing marks the lines that record steps: after the bar stand the action of the step and the kind of its node. The
tests translate the listings without prose to Python, run them, and compare their values and their lines with those of
the searches and their traces.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

VALUE = """
function value(node):
    if node is a leaf: return payoff(node)              | leaf
    if Max is to move at node: return max_value(node)
    else: return min_value(node)
"""
MAX_VALUE = """
function max_value(node):                               | enter max
    best ← −∞
    for each successor of node:
        v ← value(successor)
        if v > best: best ← v                           | update max
    return best                                         | leave max
"""
MIN_VALUE = """
function min_value(node):                               | enter min
    best ← ∞
    for each successor of node:
        v ← value(successor)
        if v < best: best ← v                           | update min
    return best                                         | leave min
"""
NEGAMAX = """
function value(node):                                   | enter
    if node is a leaf: return payoff(node)              | leaf
    best ← −∞
    for each successor of node:
        v ← −value(successor)      # + if the same player moves again
        if v > best: best ← v                           | update
    return best                                         | leave
"""
CHANCE_VALUE = """
function chance_value(node):                            | enter chance
    sum ← 0
    for each successor of node with probability p:
        sum ← sum + p · value(successor)                | update chance
    return sum                                          | leave chance
"""
WINDOW_VALUE = """
function value(node, α, β):
    if node is a leaf: return payoff(node)              | leaf
    if Max is to move at node: return max_value(node, α, β)
    else: return min_value(node, α, β)
"""
WINDOW_MAX = """
function max_value(node, α, β):                         | enter max
    best ← −∞
    for each successor of node:
        v ← value(successor, α, β)                      | known max
        if v > best: best ← v; α ← max(α, v)            | update max
        if best ≥ β: break         # β cut-off          | cut max
    return best                                         | leave max
"""
WINDOW_MIN = """
function min_value(node, α, β):                         | enter min
    best ← ∞
    for each successor of node:
        v ← value(successor, α, β)                      | known min
        if v < best: best ← v; β ← min(β, v)            | update min
        if best ≤ α: break         # α cut-off          | cut min
    return best                                         | leave min
"""
WINDOW_NEGAMAX = """
function value(node, α, β):                             | enter
    if node is a leaf: return payoff(node)              | leaf
    best ← −∞
    for each successor of node:
        v ← −value(successor, −β, −α)   # if the player changes
        if v > best: best ← v; α ← max(α, v)            | update
        if best ≥ β: break                              | cut
    return best                                         | leave
"""
STAR1_CHANCE = """
function chance_value(node, α, β):                      | enter chance
    low(s), high(s) ← L, U for each successor s   # the least and greatest payoff
    for each successor s of node with probability p:
        a ← (α − Σ p·high of the others) / p
        b ← (β − Σ p·low of the others) / p
        v ← value(s, max(a, L), min(b, U))
        if v ≥ b: return Σ p·low, at least β            | cut beta
        if v ≤ a: return Σ p·high, at most α            | cut alpha
        low(s), high(s) ← v, v                          | update chance
    return Σ p·low                                      | leave chance
"""
STAR2_CHANCE = """
function chance_value(node, α, β):                      | enter chance
    low(s), high(s) ← L, U for each successor s   # the least and greatest payoff
    for each successor s of node:
        low(s), high(s) ← probe(s, a, b)     # as below | update probing
        if Σ p·low ≥ β or Σ p·high ≤ α: return that sum | cut probing
    for each successor s of node with probability p:
        a ← (α − Σ p·high of the others) / p
        b ← (β − Σ p·low of the others) / p
        v ← value(s, max(a, low(s)), min(b, high(s)))
        if v ≥ b: return Σ p·low, at least β            | cut beta
        if v ≤ a: return Σ p·high, at most α            | cut alpha
        low(s), high(s) ← v, v                          | update chance
    return Σ p·low                                      | leave chance
"""
PROBE = """
function probe(node, α, β):                             | enter probed
    v ← value(first successor of node, α, β)
    return v as a bound: low at Max, high at Min        | leave probed
"""
WIN_LOSS = """
function wins(node):           # does Max win?          | enter
    if node is a leaf: return payoff(node) > 0          | leaf
    for each successor of node:
        result ← wins(successor)                        | update
        if the player to move wins by it: break         | cut
    return result                                       | leave
"""
THREE_WAYS = (
    "    else: return min_value(node{0})",
    ("    if Min is to move at node: return min_value(node{0})\n    else: return chance_value(node{0})"),
)


@dataclass(frozen=True)
class Pseudocode:
    """A listing, and the numbers of the lines at which steps are recorded, by action and kind."""

    lines: tuple[str, ...]
    places: dict[str, int]

    def line(self, action: str, kind: str) -> int | None:
        """The line of a step, counted from 0; None if the listing has none for it.

        >>> code = alphabeta_code()
        >>> code.lines[code.line("cut", "max")].strip()
        'if best ≥ β: break         # β cut-off'
        """
        return self.places.get(f"{action} {kind}", self.places.get(action))

    def __str__(self) -> str:
        return "\n".join(self.lines)


def listing(*functions: str) -> Pseudocode:
    """Read the lines and the marks of functions, which a blank line separates."""
    lines: list[str] = []
    places: dict[str, int] = {}
    for line in "\n\n".join(function.strip() for function in functions).split("\n"):
        text, _, mark = line.partition("|")
        if mark:
            places[mark.strip()] = len(lines)
        lines.append(text.rstrip())
    return Pseudocode(tuple(lines), places)


@cache
def alphabeta_code(negamax: bool = False, fail: str = "soft", cut: str = "equal") -> Pseudocode:
    """Alpha-beta as it is set: fail-hard returns the nearest value of the window, `beyond` cuts off only outside it."""
    functions = [WINDOW_NEGAMAX] if negamax else [WINDOW_VALUE, WINDOW_MAX, WINDOW_MIN]
    if cut == "beyond":
        functions = [each.replace("best ≥ β", "best > β").replace("best ≤ α", "best < α") for each in functions]
    if fail == "hard":
        functions = [
            each.replace("return best  ", "return max(α, β)" if "v < best" in each else "return min(α, β)")
            for each in functions
        ]
    return listing(*functions)


@cache
def search_code(algorithm: str) -> Pseudocode | None:
    """The pseudo-code of an algorithm that has no variants; None if it has none.

    >>> print(search_code("negamax"))
    function value(node):
        if node is a leaf: return payoff(node)
        best ← −∞
        for each successor of node:
            v ← −value(successor)      # + if the same player moves again
            if v > best: best ← v
        return best
    """
    two, three = THREE_WAYS
    chance_value = VALUE.replace(two.format(""), three.format(""))
    star = [WINDOW_VALUE.replace(two.format(", α, β"), three.format(", α, β")), WINDOW_MAX, WINDOW_MIN]
    functions = {
        "minimax": [VALUE, MAX_VALUE, MIN_VALUE],
        "negamax": [NEGAMAX],
        "expectiminimax": [chance_value, MAX_VALUE, MIN_VALUE, CHANCE_VALUE],
        "star1": [*star, STAR1_CHANCE],
        "star2": [*star, STAR2_CHANCE, PROBE],
        "win_loss": [WIN_LOSS],
    }
    return listing(*functions[algorithm]) if algorithm in functions else None
