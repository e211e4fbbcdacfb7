"""The parts of a drawn tree: shapes, labels and lines as SVG."""

from __future__ import annotations

import math
from html import escape
from itertools import pairwise

from zermelo.show.trees.drawn_node import DrawnNode
from zermelo.show.trees.tree_cards import Card
from zermelo.show.trees.tree_layout import Box
from zermelo.show.trees.tree_words import BOUND_SIGNS, inequality, node_words, number, probability_text
from zermelo.textbook import TraceNode

LEVEL_HEIGHT = 92
"""The distance from one level to the next."""
NODE_HALF_HEIGHT = 20
"""Half the height of a node."""
LEAF_HALF_HEIGHT = 15
"""Half the height of a leaf."""
FOLD_WIDTH = 24
"""The width of the button on folded nodes."""
MAX_NAME_LENGTH = 7
"""Longer names are not drawn; the node's title has them."""

LABEL_HEIGHT, LOWEST_LABEL, LABEL_GAP = 0.62, 0.9, 8.0
"""How far down an edge its move stands, at least and at most, and the gap between two moves."""


def width_of(text: str, size: float = 11) -> float:
    """Return the approximate width of a text."""
    return 0.6 * size * len(text)


# -- nodes -----------------------------------------------------------------------------------------------------------


class NodeDrawing:
    """One node of the picture: its box for the layout, and its SVG once the layout has placed it."""

    def __init__(
        self, drawn: DrawnNode, *, bounds: bool, bare: bool, interactive: bool, card: Card | None = None
    ) -> None:
        self.drawn, self.bounds, self.bare, self.interactive, self.card = drawn, bounds, bare, interactive, card
        self.level_height = float(LEVEL_HEIGHT)
        node = drawn.node
        self.leaf = node is not None and bool(node.leaf)
        self.value = "" if node is None or (bare and not self.leaf) else self._value(node)
        self.half = self._half()
        left, right = self._reach()
        self.box = Box(left, right)
        self.below: list[NodeDrawing] = []

    def _value(self, node: TraceNode) -> str:
        if not self.drawn.visited and not self.leaf:
            return ""
        return BOUND_SIGNS.get(node.bound, "").strip() + number(node.value)

    def _half(self) -> float:
        """Half the width of the shape."""
        if self.drawn.node is None:
            return width_of(self.more, 12) / 2
        room = width_of(self.value, 13) / 2
        if self.card is not None:
            return max(self.card.half_width, room + 20)
        if self.leaf or not self.drawn.node.kind:
            return max(LEAF_HALF_HEIGHT, room + 5)
        return max(24, room + 14) if self.drawn.node.kind != "chance" else max(NODE_HALF_HEIGHT, room + 4)

    def _reach(self) -> tuple[float, float]:
        """Return how far the node extends to both sides with all its labels."""
        side = [width_of(text) for _, text in self.labels()]
        if self.leaf:
            return (max([self.half, *(width / 2 for width in side)]),) * 2
        name = width_of(self.name, 13) if self.name else 0
        beside = max(side) + 4 if side else 0
        move = width_of(self.move) / 2
        fold = FOLD_WIDTH / 2 if self.drawn.folds else 0
        return max(self.half + name, move), max(self.half + max(beside, fold), move)

    @property
    def more(self) -> str:
        return f"… {self.drawn.more} more" if self.drawn.visited else f"{self.drawn.more} cut off"

    @property
    def name(self) -> str:
        """The name drawn at the node, if the tree names it; a path to it is no name."""
        node = self.drawn.node
        if node is None or self.leaf or not (node.ply == 0 or node.name == node.move):
            return ""
        return node.name if len(node.name) <= MAX_NAME_LENGTH and node.name != "root" else ""

    @property
    def move(self) -> str:
        """The label of the edge to the node: the move, unless it names the node, and its probability."""
        node = self.drawn.node
        if node is None or self.drawn.probability is None:
            return "" if node is None or self.name else node.move
        chance = probability_text(self.drawn.probability)
        return chance if self.name or node.name.endswith(f".{node.move}") else f"{node.move} · {chance}"

    def labels(self) -> list[tuple[str, str]]:
        """The small texts beside the node, or below a leaf, with their classes: alpha, beta and the cutoff."""
        drawn, node = self.drawn, self.drawn.node
        if node is None:
            return []
        found = [] if drawn.each is None else [("each", f"each {probability_text(drawn.each)}")]
        if not drawn.visited or self.bare:
            return found
        if self.bounds and drawn.window is not None:
            alpha, beta = map(number, drawn.window)
            bounds = [f"({alpha}, {beta})"] if self.leaf else [f"α {alpha}", f"β {beta}"]
            found += [("bound", text) for text in bounds]
        return found + ([("cut", inequality(node.cut))] if node.cut else [])

    # -- drawing -----------------------------------------------------------------------------------------------------

    @property
    def y(self) -> float:
        return self.box.level * self.level_height

    @property
    def half_height(self) -> float:
        if self.card is not None:
            return self.card.half_height
        return NODE_HALF_HEIGHT if self.kind in ("max", "min", "chance") else LEAF_HALF_HEIGHT

    @property
    def top(self) -> float:
        return self.y - self.half_height

    @property
    def bottom(self) -> float:
        return self.y + (NODE_HALF_HEIGHT if self.card is None else self.half_height)

    @property
    def kind(self) -> str:
        node = self.drawn.node
        return "leaf" if self.leaf else (node.kind if node else "") or "unknown"

    @property
    def states(self) -> str:
        """The classes of the node that do not depend on its kind."""
        drawn = self.drawn
        several = drawn.node is None and not drawn.visited
        states = [("zt-pv", drawn.pv and not self.bare), ("zt-pruned", not drawn.visited), ("zt-several", several)]
        return "".join(f" {name}" for name, holds in states if holds)

    @property
    def which(self) -> str:
        """The attribute with the node's number; below a pruned node, with the number of that one."""
        node, under = self.drawn.node, self.drawn.under
        if under is not None:
            return f' data-under="{under}"'
        return "" if node is None else f' data-node="{node.number}"'

    def svg(self) -> str:
        node = self.drawn.node
        place = f'transform="translate({self.box.x:.1f} {self.y:.1f})"'
        if node is None:
            more = _text("more", 0, 6 - LEAF_HALF_HEIGHT, self.more)
            return f'<g class="zt-node{self.states}"{self.which} {place}>{more}</g>'
        title = f"<title>{escape(node_words(node, known=self.drawn.known))}</title>"
        parts = "".join([title, self._behind(), self._shape(), self._inside(), *self._beside()])
        hidden = self.drawn.folds if self.drawn.folded else []
        folds = f' data-folds="{" ".join(map(str, hidden))}"' if hidden else ""
        kind = f"zt-{self.kind}" + (" zt-card" if self.card else "")
        return f'<g class="zt-node {kind}{self.states}"{self.which}{folds} {place}>{parts}</g>{self._fold_mark()}'

    def _behind(self) -> str:
        """The edge of the nodes that are folded behind this one."""
        if not self.drawn.folded:
            return ""
        half, height = self.half, self.half_height
        return f'<path class="zt-behind" d="M{4 - half:.1f} {height + 4:.1f}H{half + 4:.1f}V{4 - height:.1f}"/>'

    def _fold_mark(self) -> str:
        """A button that unfolds the symmetric siblings, or folds them again."""
        node = self.drawn.node
        if not self.drawn.folds or node is None or node.parent is None:
            return ""
        count = len(self.drawn.folds)
        what = f"{count} symmetric position{'' if count == 1 else 's'}"
        words, sign = (f"Show {what}", f"+{count}") if self.drawn.folded else (f"Fold {what}", "−")
        x, y = self.box.x + self.half, self.top
        return (
            f'<g class="zt-fold" role="button" tabindex="0" data-fold="{node.parent}" aria-label="{words}" '
            f'transform="translate({x:.1f} {y:.1f})"><title>{words}</title>'
            f'<rect x="{-FOLD_WIDTH / 2}" y="-8" width="{FOLD_WIDTH}" height="16" rx="8"/>'
            f"{_text('count', 0, 0, sign)}</g>"
        )

    def _shape(self) -> str:
        half, height = f"{self.half:.1f}", NODE_HALF_HEIGHT
        if self.card is not None:
            size = f'width="{2 * self.half:.1f}" height="{2 * self.half_height:.1f}"'
            frame = f'<rect class="zt-shape" x="-{half}" y="{-self.half_height:.1f}" {size} rx="5"/>'
            return frame + self.card.svg()
        if self.kind == "max":
            return f'<path class="zt-shape" d="M0 {-height - 2}L{half} {height}H-{half}Z"/>'
        if self.kind == "min":
            return f'<path class="zt-shape" d="M0 {height + 2}L{half} {-height}H-{half}Z"/>'
        if self.kind == "chance":
            return f'<ellipse class="zt-shape" rx="{half}" ry="{height}"/>'
        size = f'width="{2 * self.half:.1f}" height="{2 * LEAF_HALF_HEIGHT}"'
        return f'<rect class="zt-shape" x="-{half}" y="{-LEAF_HALF_HEIGHT}" {size} rx="3"/>'

    def _inside(self) -> str:
        """The value, and the name at the left of the shape."""
        if self.card is not None:
            return self._below_board(self.card)
        value = _text("value", 0, {"max": 8, "min": -8}.get(self.kind, 0), self.value)
        inset = 4 if self.kind == "max" else -4
        name = _text("name", -self.half + inset, -8, self.name) if self.name else ""
        return (value if self.value or self.interactive else "") + name

    def _below_board(self, card: Card) -> str:
        """The value below a board, behind the sign of who moves there."""
        y = round(card.half_height - 11, 1)
        sign = {"max": "▲", "min": "▼", "chance": "●"}.get(self.kind, "")
        who = _text("who", -self.half + 11, y, sign) if sign else ""
        return who + _text("value", 5 if sign else 0, y, self.value)

    def _beside(self) -> list[str]:
        """The mark of a known value, alpha, beta and the cutoff, each on a line."""
        known = [_text("known", 0, -max(NODE_HALF_HEIGHT, self.half_height) - 9, "known")] if self.drawn.known else []
        if self.leaf:
            below = self.half_height + 11
            return known + [_text(name, 0, below, label) for name, label in self.labels()]
        tight = self.kind == "max" and self.card is None  # beside the slope of the triangle
        aside = 8 if self.drawn.folded else 4
        near, far = self.half + (-2 if tight else aside), self.half + aside
        return known + [
            _text(name, far if name == "cut" else near, -13 + 14 * line, label)
            for line, (name, label) in enumerate(self.labels())
        ]


def _text(name: str, x: float, y: float, text: str) -> str:
    return f'<text class="zt-{name}" x="{x:.1f}" y="{y:g}">{escape(text)}</text>'


def lines_below(parent: NodeDrawing) -> tuple[list[str], list[str]]:
    """Return the edges from a node to its successors, and the moves on them.

    Moves stand on their edges where these are far enough apart for them.
    """
    pairs = list(pairwise(sorted(parent.below, key=lambda child: child.box.x)))
    needed = [
        (width_of(one.move) + width_of(other.move) + LABEL_GAP) / 2 / (other.box.x - one.box.x)
        for one, other in pairs
        if one.move and other.move and other.box.x > one.box.x
    ]
    share = min(max([LABEL_HEIGHT, *needed]), LOWEST_LABEL)
    moves = [_move(parent, child, share) for child in parent.below if child.move]
    return [_line(parent, child) for child in parent.below], moves


def _move(parent: NodeDrawing, child: NodeDrawing, share: float) -> str:
    x, y = (start + share * (end - start) for start, end in _ends(parent, child))
    which = child.which.replace("data-", "data-to-")
    return f'<text class="zt-move"{which} x="{x:.1f}" y="{y:.1f}">{escape(child.move)}</text>'


def _ends(parent: NodeDrawing, child: NodeDrawing) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the first and the last x of an edge, and the same of y."""
    return (parent.box.x, child.box.x), (parent.bottom, child.top)


def _line(parent: NodeDrawing, child: NodeDrawing) -> str:
    """Return the edge from a node to its successor; two short strokes cross it if it was pruned."""
    (x, u), (y, v) = _ends(parent, child)
    states = child.states if parent.drawn.pv else child.states.replace(" zt-pv", "")
    which = child.which.replace("data-", "data-to-")
    path = f'<path class="zt-edge{states}"{which} d="M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}"/>'
    snip = _snip(x, y, u, v, which) if parent.drawn.visited and not child.drawn.visited else ""
    return path + snip


def _snip(x: float, y: float, u: float, v: float, which: str) -> str:
    """Return two strokes across an edge, a third of the way down."""
    length = math.hypot(u - x, v - y)
    along, across = (u - x) / length, (v - y) / length
    strokes = []
    for way in (0.3 * length, 0.3 * length + 5):
        a, b = x + along * way, y + across * way
        strokes.append(f"M{a - 7 * across:.1f} {b + 7 * along:.1f}L{a + 7 * across:.1f} {b - 7 * along:.1f}")
    return f'<path class="zt-snip"{which} d="{"".join(strokes)}"/>'
