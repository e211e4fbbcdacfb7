"""The text of SGF and GGF: nodes with properties such as B[f5], in brackets that hold variations."""

from __future__ import annotations

from dataclasses import dataclass, field

from zermelo.records.game_record import MAX_NESTING, RecordError

Properties = dict[str, list[str]]


@dataclass
class Node:
    """The properties of one node, and the nodes after it; the first is the main line. `values` has them in order."""

    properties: Properties = field(default_factory=dict)
    values: list[tuple[str, str]] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)

    def first(self, name: str) -> str:
        """The first value of a property; empty where there is none."""
        return self.properties.get(name, [""])[0]


def read_tree(text: str) -> Node:
    """The root of a game.

    >>> root = read_tree("(;GM[4]C[a \\\\] b];B[hh](;W[gg];B[ii])(;W[ig]))")
    >>> root.first("C"), root.children[0].first("B"), [child.first("W") for child in root.children[0].children]
    ('a ] b', 'hh', ['gg', 'ig'])
    """
    top, current, open_at = Node(), Node(), list[Node]()
    current = top
    at, name = 0, ""
    while at < len(text):
        letter = text[at]
        if letter == "(":
            open_at.append(current)
            if len(open_at) > 1000 * MAX_NESTING:
                raise RecordError("its variations nest too deep")
        elif letter == ")":
            if not open_at:
                raise RecordError("a bracket closes that was not open")
            current = open_at.pop()
        elif letter == ";":
            node = Node()
            current.children.append(node)
            current = node
        elif letter == "[":
            value, at = _value(text, at)
            current.properties.setdefault(name, []).append(value)
            current.values.append((name, value))
            continue
        elif letter.isalpha():
            begin = at
            while at < len(text) and text[at].isalpha():
                at += 1
            name = "".join(each for each in text[begin:at] if each.isupper())  # lower case is for readers, in FF[3]
            continue
        at += 1
    if open_at or not top.children:
        raise RecordError("it has no end" if open_at else "it has no node")
    return top.children[0]


def _value(text: str, at: int) -> tuple[str, int]:
    """The value that begins at a bracket, and where it ends; a backslash takes the next letter as it is."""
    value = []
    at += 1
    while at < len(text) and text[at] != "]":
        if text[at] == "\\":
            at += 1
        if at < len(text):
            value.append(text[at])
        at += 1
    if at >= len(text):
        raise RecordError("a value has no end")
    return "".join(value), at + 1


def escaped(value: str) -> str:
    """A value as it is written.

    >>> escaped("a ] b")
    'a \\\\] b'
    """
    return value.replace("\\", "\\\\").replace("]", "\\]")
