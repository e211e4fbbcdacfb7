"""The parts of a drawn tree: shapes, labels and lines as SVG, and its colours."""

from __future__ import annotations

import math
from html import escape

from zermelo.show.svg.theme import sheet
from zermelo.show.trees.tree_layout import Box
from zermelo.show.trees.tree_nodes import DrawnNode
from zermelo.show.trees.tree_words import BOUND_SIGNS, inequality, node_words, number, probability_text
from zermelo.textbook import TraceNode

LEVEL_HEIGHT = 92
"""The distance from one level to the next."""
NODE_HALF_HEIGHT = 20
"""Half the height of a node."""
LEAF_HALF_HEIGHT = 15
"""Half the height of a leaf."""
MAX_NAME_LENGTH = 7
"""Longer names are not drawn; the node's title has them."""

TREE_LIGHT = {
    "page": "#ffffff", "ink": "#1f2328", "soft": "#57606a", "faint": "#68717c", "line": "#7d8590",
    "max": "#1f5aa6", "max-fill": "#e6effa", "min": "#a85400", "min-fill": "#fdf0df",
    "chance": "#6a3fa0", "chance-fill": "#f2ebfb", "leaf": "#57606a", "leaf-fill": "#f6f6f4",
    "cut": "#b3261e", "now": "#ffe08a", "now-edge": "#8a6500", "good": "#0b7a68",
}  # fmt: skip
TREE_DARK = {
    "page": "#15181d", "ink": "#e8eaed", "soft": "#a8b0bb", "faint": "#8e97a3", "line": "#6f7884",
    "max": "#86b7f6", "max-fill": "#1a314e", "min": "#f6b26b", "min-fill": "#432c15",
    "chance": "#c6a6f7", "chance-fill": "#31254a", "leaf": "#a8b0bb", "leaf-fill": "#242931",
    "cut": "#ff9388", "now": "#5c4c12", "now-edge": "#e3bb45", "good": "#43cdb3",
}  # fmt: skip

TREE_RULES = """
.zermelo-tree text{font:500 13px/1 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;\
fill:var(--zt-ink);text-anchor:middle;dominant-baseline:central}
.zermelo-tree .zt-page{fill:var(--zt-page)}
.zermelo-tree .zt-edge{stroke:var(--zt-line);stroke-width:1.3;fill:none}
.zermelo-tree .zt-edge.zt-pv{stroke:var(--zt-ink);stroke-width:3.6}
.zermelo-tree .zt-edge.zt-pruned{stroke-dasharray:3 4}
.zermelo-tree .zt-snip{stroke:var(--zt-cut);stroke-width:2;fill:none}
.zermelo-tree .zt-move{font-size:11px;fill:var(--zt-soft);stroke:var(--zt-page);stroke-width:4px;paint-order:stroke}
.zermelo-tree .zt-shape{stroke-width:1.6;stroke-linejoin:round;fill:var(--zt-leaf-fill);stroke:var(--zt-leaf)}
.zermelo-tree .zt-max .zt-shape{fill:var(--zt-max-fill);stroke:var(--zt-max)}
.zermelo-tree .zt-min .zt-shape{fill:var(--zt-min-fill);stroke:var(--zt-min)}
.zermelo-tree .zt-chance .zt-shape{fill:var(--zt-chance-fill);stroke:var(--zt-chance)}
.zermelo-tree .zt-pv .zt-shape{stroke-width:3.4}
.zermelo-tree .zt-pv .zt-value{font-weight:700}
.zermelo-tree .zt-pruned .zt-shape{fill:none;stroke:var(--zt-line);stroke-dasharray:3 3}
.zermelo-tree .zt-pruned text{fill:var(--zt-faint);font-weight:400}
.zermelo-tree .zt-name{text-anchor:end;font-weight:600}
.zermelo-tree .zt-bound,.zermelo-tree .zt-each,.zermelo-tree .zt-cut{font-size:11px;text-anchor:start;\
fill:var(--zt-soft)}
.zermelo-tree .zt-leaf .zt-bound{font-size:10px;text-anchor:middle}
.zermelo-tree .zt-cut{fill:var(--zt-cut);font-weight:700}
.zermelo-tree .zt-known{font-size:10px;font-style:italic;fill:var(--zt-soft)}
.zermelo-tree .zt-more{fill:var(--zt-soft);font-size:12px}
"""


def stylesheet() -> str:
    """The style sheet of trees."""
    return sheet("zermelo-tree", "zt", TREE_LIGHT, TREE_DARK, TREE_RULES)


def width_of(text: str, size: float = 11) -> float:
    """Return the approximate width of a text."""
    return 0.6 * size * len(text)


# -- nodes -----------------------------------------------------------------------------------------------------------


class NodeDrawing:
    """One node of the picture: its box for the layout, and its SVG once the layout has placed it."""

    def __init__(self, drawn: DrawnNode, *, bounds: bool, bare: bool, interactive: bool) -> None:
        self.drawn, self.bounds, self.bare, self.interactive = drawn, bounds, bare, interactive
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
        if self.leaf or not self.drawn.node.kind:
            return max(LEAF_HALF_HEIGHT, room + 5)
        return max(24, room + 14) if self.drawn.node.kind != "chance" else max(NODE_HALF_HEIGHT, room + 4)

    def _reach(self) -> tuple[float, float]:
        """Return how far the node extends to both sides with all its labels."""
        side = [width_of(text) for _, text in self.labels()]
        if self.leaf:
            return (max([self.half, *(width / 2 for width in side)]),) * 2
        name = width_of(self.name, 13) if self.name else 0
        return self.half + name, self.half + (max(side) + 4 if side else 0)

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
        return self.box.level * LEVEL_HEIGHT

    @property
    def top(self) -> float:
        return self.y - (NODE_HALF_HEIGHT if self.kind in ("max", "min", "chance") else LEAF_HALF_HEIGHT)

    @property
    def bottom(self) -> float:
        return self.y + NODE_HALF_HEIGHT

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
        parts = "".join([title, self._shape(), self._inside(), *self._beside()])
        return f'<g class="zt-node zt-{self.kind}{self.states}"{self.which} {place}>{parts}</g>'

    def _shape(self) -> str:
        half, height = f"{self.half:.1f}", NODE_HALF_HEIGHT
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
        value = _text("value", 0, {"max": 8, "min": -8}.get(self.kind, 0), self.value)
        inset = 4 if self.kind == "max" else -4
        name = _text("name", -self.half + inset, -8, self.name) if self.name else ""
        return (value if self.value or self.interactive else "") + name

    def _beside(self) -> list[str]:
        """The mark of a known value, alpha, beta and the cutoff, each on a line."""
        known = [_text("known", 0, -NODE_HALF_HEIGHT - 9, "known")] if self.drawn.known else []
        if self.leaf:
            return known + [_text(name, 0, LEAF_HALF_HEIGHT + 11, label) for name, label in self.labels()]
        near, far = self.half + (-2 if self.kind == "max" else 4), self.half + 4
        return known + [
            _text(name, far if name == "cut" else near, -13 + 14 * line, label)
            for line, (name, label) in enumerate(self.labels())
        ]


def _text(name: str, x: float, y: float, text: str) -> str:
    return f'<text class="zt-{name}" x="{x:.1f}" y="{y:g}">{escape(text)}</text>'


def line(parent: NodeDrawing, child: NodeDrawing) -> str:
    """Return the edge from a node to its successor, with the move; two short strokes cross it if it was pruned."""
    x, y, u, v = parent.box.x, parent.bottom, child.box.x, child.top
    states = child.states if parent.drawn.pv else child.states.replace(" zt-pv", "")
    which = child.which.replace("data-", "data-to-")
    path = f'<path class="zt-edge{states}"{which} d="M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}"/>'
    snip = _snip(x, y, u, v, which) if parent.drawn.visited and not child.drawn.visited else ""
    place = f'x="{x + 0.62 * (u - x):.1f}" y="{y + 0.62 * (v - y):.1f}"'
    move = f'<text class="zt-move"{which} {place}>{escape(child.move)}</text>' if child.move else ""
    return path + snip + move


def _snip(x: float, y: float, u: float, v: float, which: str) -> str:
    """Return two strokes across an edge, a third of the way down."""
    length = math.hypot(u - x, v - y)
    along, across = (u - x) / length, (v - y) / length
    strokes = []
    for way in (0.3 * length, 0.3 * length + 5):
        a, b = x + along * way, y + across * way
        strokes.append(f"M{a - 7 * across:.1f} {b + 7 * along:.1f}L{a + 7 * across:.1f} {b - 7 * along:.1f}")
    return f'<path class="zt-snip"{which} d="{"".join(strokes)}"/>'
