"""Reading and writing hand-made trees: nested lists and text, for GameTree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.arguments import is_number
from zermelo.formatting import shortened
from zermelo.game import GameError

NAME = re.compile(r"[^\W\d][\w'-]*")
NUMBER = re.compile(r"[+-]?(\d{1,18}/\d{1,18}|(\d{1,18}(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?)")
"""A payoff or a probability; its length is limited because anyone may type one."""
ERROR_CONTEXT = 40
"""Characters on either side of a mistake in a long text that are shown."""

MAX_PAYOFF = 900_000
"""Payoffs stay below the scores that mean a win."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A subtree: a leaf with its payoff, or successors; those of a chance node have probabilities, as written."""

    name: str = ""
    payoff: int = 0
    children: tuple[Branch, ...] = ()
    probabilities: tuple[str, ...] = ()


@dataclass(slots=True)
class Numbered:
    """A node by number: its successors are `count` nodes from number `first` on."""

    name: str
    named: bool
    player: int
    payoff: int = 0
    first: int = 0
    count: int = 0
    chance: bool = False
    probability: float = 1.0


def normal(tree: Any) -> str:
    """Any tree that GameTree takes, as text in one spelling."""
    try:
        return write(parse(tree) if isinstance(tree, str) else read(tree))
    except RecursionError:
        raise GameError("GameTree: the tree is nested too deeply to be read.") from None


# -- nested lists ------------------------------------------------------------------------------------------------


def read(tree: Any) -> Branch:
    """The tree in nested lists, tuples and chance records."""
    if isinstance(tree, dict):
        return _read_chance(tree)
    if isinstance(tree, list | tuple):
        name, parts = (tree[0], tree[1:]) if tree and isinstance(tree[0], str) else ("", tree)
        if not parts:
            raise GameError(f"GameTree: the node {name or '[]'} is empty; a node needs at least one successor.")
        return Branch(_checked_name(name), children=tuple(read(part) for part in parts))
    return Branch(payoff=_payoff(tree))


def _read_chance(record: dict[str, Any]) -> Branch:
    if not {"chance"} <= set(record) <= {"chance", "name"}:
        raise GameError(
            f"GameTree: {record!r} is no chance node; one looks like {{'chance': [['1/2', 3], ['1/2', 7]]}}."
        )
    outcomes = record["chance"]
    pairs = isinstance(outcomes, list | tuple) and all(isinstance(o, list | tuple) and len(o) == 2 for o in outcomes)
    if not pairs or not outcomes:
        raise GameError(
            f"GameTree: the outcomes {outcomes!r} of a chance node must be pairs of a probability and a subtree."
        )
    return _chance(
        _checked_name(record.get("name", "")), [(_probability_text(p), read(child)) for p, child in outcomes]
    )


def _payoff(number: Any, text: str = "") -> int:
    """A leaf's number; `text` is how it was written."""
    whole = is_number(number) and number == number // 1
    if not whole or abs(number) >= MAX_PAYOFF:
        raise GameError(f"GameTree: {text or number} is not a payoff; payoffs are whole numbers below {MAX_PAYOFF}.")
    return int(number)


def _checked_name(name: Any) -> str:
    if name != "" and not (isinstance(name, str) and NAME.fullmatch(name)):
        raise GameError(f"GameTree: {name!r} is not a name; names begin with a letter, letters and digits follow.")
    return str(name)


def _probability_text(probability: Any) -> str:
    return probability.strip() if isinstance(probability, str) else repr(probability)


def _chance(name: str, outcomes: list[tuple[str, Branch]]) -> Branch:
    """A chance node, whose probabilities must be positive and sum to 1."""
    texts = tuple(text for text, _ in outcomes)
    total = sum((_probability(text) for text in texts), Fraction(0))
    if abs(total - 1) > Fraction(1, 10**9):
        node = f"the node {name}" if name else "a chance node"
        raise GameError(f"GameTree: the probabilities {', '.join(texts)} of {node} sum to {float(total):g}, not to 1.")
    return Branch(name, children=tuple(child for _, child in outcomes), probabilities=texts)


def _probability(text: str) -> Fraction:
    try:
        probability = Fraction(text) if NUMBER.fullmatch(text) else Fraction(0)
    except ZeroDivisionError:
        probability = Fraction(0)
    if not 0 < float(min(probability, Fraction(2))) <= 1:  # as a float, in which a tiny one is zero
        raise GameError(f"GameTree: {text} is not a probability; write 1/6 or 0.5, above zero and at most 1.")
    return probability


# -- text ----------------------------------------------------------------------------------------------------------


def parse(text: str) -> Branch:
    """The tree that a text describes."""
    parser = _Parser(text)
    branch = parser.branch()
    if parser.peek():
        parser.fail("the end")
    return branch


class _Parser:
    """Recursive descent over `A(B(2, 3), R[1/2: 4, 1/2: 5])`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def branch(self) -> Branch:
        name = self.match(NAME)
        if self.peek() == "(":
            return Branch(name, children=tuple(self.several("(", ")", self.branch)))
        if self.peek() == "[":
            return _chance(name, self.several("[", "]", self.outcome))
        if name:
            self.fail(f"'(' or '[' after {name}")
        return Branch(payoff=self.payoff())

    def outcome(self) -> tuple[str, Branch]:
        probability = self.match(NUMBER)
        if not probability:
            self.fail("a probability such as 1/6")
        self.expect(":")
        return probability, self.branch()

    def payoff(self) -> int:
        number = self.match(NUMBER)
        if not number:
            self.fail("a payoff, a name or a bracket")
        return _payoff(number if "/" in number else float(number), number)

    def several(self, opening: str, closing: str, part: Any) -> list[Any]:
        """Parts between brackets, with commas between them."""
        self.expect(opening)
        parts = [part()]
        while self.peek() == ",":
            self.expect(",")
            parts.append(part())
        self.expect(closing)
        return parts

    def peek(self) -> str:
        while self.text[self.place : self.place + 1].isspace():
            self.place += 1
        return self.text[self.place : self.place + 1]

    def match(self, pattern: re.Pattern[str]) -> str:
        self.peek()
        found = pattern.match(self.text, self.place)
        self.place = found.end() if found else self.place
        return found.group() if found else ""

    def expect(self, sign: str) -> None:
        if self.peek() != sign:
            self.fail(f"'{sign}'")
        self.place += 1

    def fail(self, wanted: str) -> None:
        found = repr(self.text[self.place : self.place + 10]) if self.place < len(self.text) else "the end"
        first = max(0, min(self.place - ERROR_CONTEXT, len(self.text) - 2 * ERROR_CONTEXT))
        near = ("… " if first else "") + shortened(self.text[first:], 2 * ERROR_CONTEXT)
        raise GameError(
            f"GameTree: the tree {near!r} has {found} at character {self.place + 1}, where {wanted} should be."
        )


def write(branch: Branch) -> str:
    """The tree as text: the inverse of `parse`.

    >>> write(parse("A(B(2,3),R[1/2:4,1/2:5])"))
    'A(B(2, 3), R[1/2: 4, 1/2: 5])'
    """
    if not branch.children:
        return str(branch.payoff)
    parts = [write(child) for child in branch.children]
    if branch.probabilities:
        pairs = zip(branch.probabilities, parts, strict=True)
        return f"{branch.name}[{', '.join(f'{probability}: {part}' for probability, part in pairs)}]"
    return f"{branch.name}({', '.join(parts)})"


# -- numbers ---------------------------------------------------------------------------------------------------------


def numbered(tree: Branch) -> list[Numbered]:
    """The nodes of a tree level by level, with names for those that have none: `C.1` is the first successor of C."""
    branches = [tree]
    nodes = [Numbered(tree.name or "root", bool(tree.name), 0)]
    for number, branch in enumerate(branches):  # the loop appends to it
        node = nodes[number]
        node.payoff, node.first, node.count = branch.payoff, len(nodes), len(branch.children)
        node.chance = bool(branch.probabilities)
        player = node.player if node.chance else 1 - node.player
        above = "" if number == 0 and not node.named else f"{node.name}."
        for i, child in enumerate(branch.children):
            probability = float(Fraction(branch.probabilities[i])) if node.chance else 1.0
            name = child.name or f"{above}{i + 1}"
            nodes.append(Numbered(name, bool(child.name), player, probability=probability))
            branches.append(child)
    return nodes
