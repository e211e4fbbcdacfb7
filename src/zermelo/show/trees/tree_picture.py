"""Tree pictures: a traced search or a bare game tree as SVG, and as a JSON record for pages."""

from __future__ import annotations

from html import escape
from typing import Any

from zermelo import textbook
from zermelo.game import Game, State
from zermelo.show.svg import theme
from zermelo.show.trees.drawn_node import PLAIN, Detail, DrawnNode
from zermelo.show.trees.tree_cards import card_of
from zermelo.show.trees.tree_drawing import LEVEL_HEIGHT, NODE_HALF_HEIGHT, NodeDrawing, lines_below
from zermelo.show.trees.tree_layout import layout
from zermelo.show.trees.tree_nodes import drawn, has_bounds
from zermelo.show.trees.tree_search import counts, searched
from zermelo.show.trees.tree_style import stylesheet
from zermelo.show.trees.tree_words import words
from zermelo.textbook import Result, Trace

TREE_MARGIN = 28
TREE_GAP = 14
MAX_STEPS = 60_000
"""The steps of the longest trace from which a bare tree is drawn."""


def tree_svg(
    trace: Trace,
    *,
    depth: int | None = None,
    width: int | None = None,
    interactive: bool = False,
    detail: Detail = PLAIN,
) -> str:
    """Return the tree that a trace has recorded as SVG.

    Max nodes are triangles that point up, Min nodes triangles that point down, chance nodes circles, leaves squares.
    Each node shows its value, alpha and beta when it was left, and the inequality of its cutoff; the principal
    variation is bold, unvisited nodes are grey. `depth` and `width` limit the drawing; without them a large tree is
    collapsed. With `interactive` there is room for every text, so that a page can step through the search. `detail`
    puts boards into the nodes, and folds symmetric siblings.

    >>> import zermelo as z
    >>> trace = z.Trace()
    >>> _ = z.textbook.alphabeta(z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))"), trace=trace)
    >>> svg = tree_svg(trace)
    >>> "5 ≥ 3 = β" in svg, "1 ≤ 3 = α" in svg
    (True, True)
    """
    roots = drawn(trace, depth, width, scrolls=interactive, detail=detail)
    boards = trace.game if detail.boards else None
    return _svg(roots, _title(trace), bounds=has_bounds(trace), bare=False, interactive=interactive, boards=boards)


def game_tree_svg(game: Game, state: State = None, depth: int | None = None, *, width: int | None = None) -> str:
    """Return the tree of a game from a state, `depth` plies deep, as SVG: nodes and leaf values, without a search.

    >>> import zermelo as z
    >>> svg = game_tree_svg(z.GameTree("A(B(3, 12), C(8, 2))"))
    >>> svg.count('class="zt-node zt-leaf"'), "α" in svg
    (4, False)
    """
    trace = Trace(limit=MAX_STEPS)
    textbook.expectiminimax(game, state, depth=depth, trace=trace)
    roots = drawn(trace, None, width)
    return _svg(roots, f"Game tree of {game!r}", bounds=False, bare=True, interactive=False)


def tree_record(
    game: Game,
    state: State,
    algorithm: str = "alphabeta",
    options: dict[str, Any] | None = None,
    most: int = 1000,
    detail: Detail = PLAIN,
) -> dict[str, Any]:
    """Return a search as one JSON record, with everything that a page needs to step through it.

    `options` are those of the algorithm, None for one that is not given; `order` may be a flag or one of "game",
    "best" and "worst". Raise GameError if the tree has more than `most` nodes.

        result   Result.to_dict()
        trace    Trace.to_dict()
        words    a sentence for each step
        svg      the tree
        counts   nodes, leaves and cutoffs of the search; all_nodes, all_leaves, depth and branching of the full tree,
                 saved, full (b^d) and minimal: None if that tree is too large to count

    >>> import zermelo as z
    >>> record = tree_record(z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))"), None)
    >>> [record["counts"][name] for name in ("leaves", "full", "minimal", "saved")]
    [5, 8.0, 5.0, 4]
    """
    options = options or {}
    result, trace = searched(game, state, algorithm, options, most)
    return record_of(game, state, result, trace, options.get("depth"), detail=detail)


def record_of(
    game: Game,
    state: State,
    result: Result,
    trace: Trace,
    plies: int | None,
    *,
    depth: int | None = None,
    width: int | None = None,
    detail: Detail = PLAIN,
) -> dict[str, Any]:
    """Return the record of a search to `plies` plies; `depth`, `width` and `detail` are those of the drawing."""
    return {
        "result": result.to_dict(),
        "trace": trace.to_dict(),
        "words": words(trace),
        "svg": tree_svg(trace, depth=depth, width=width, interactive=True, detail=detail),
        "counts": counts(game, state, result, trace, plies).to_dict(),
    }


def _title(trace: Trace) -> str:
    """Return the title of the picture."""
    searches = [step.note for step in trace.steps if step.action == "search"]
    cuts = len(trace.cuts)
    visited = sum(not node.pruned for node in trace.nodes)
    name = searches[-1] if searches else "a search"
    return f"Game tree searched by {name}: {visited} nodes visited, {cuts} cut-off{'' if cuts == 1 else 's'}"


def _svg(
    roots: list[DrawnNode], title: str, *, bounds: bool, bare: bool, interactive: bool, boards: Game | None = None
) -> str:
    """Return the SVG: edges first, so that nodes are drawn over them; `boards` is the game whose boards nodes have."""
    pictures: list[NodeDrawing] = []
    lines: list[str] = []
    moves: list[str] = []

    def picture(node: DrawnNode) -> NodeDrawing:
        card = card_of(boards, node.node.state) if node.node is not None else None
        made = NodeDrawing(node, bounds=bounds, bare=bare, interactive=interactive, card=card)
        pictures.append(made)
        made.below = [picture(child) for child in node.children]
        made.box.children = [child.box for child in made.below]
        return made

    tops = [picture(root) for root in roots]
    width, levels = layout([top.box for top in tops], TREE_GAP)
    half = max([NODE_HALF_HEIGHT, *(each.half_height for each in pictures)])
    for each in pictures:
        each.level_height = LEVEL_HEIGHT + 2 * (half - NODE_HALF_HEIGHT)
    for parent in pictures:
        edges, labels = lines_below(parent)
        lines += edges
        moves += labels
    nodes = [each.svg() for each in pictures]
    height = (levels - 1) * (LEVEL_HEIGHT + 2 * (half - NODE_HALF_HEIGHT)) + 2 * half
    box = (-TREE_MARGIN, -half - TREE_MARGIN, width + 2 * TREE_MARGIN, height + 2 * TREE_MARGIN)
    size = " ".join(f"{number:.0f}" for number in box)
    role = "group" if interactive else "img"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-tree" viewBox="{size}" width="{box[2]:.0f}" '
        f'height="{box[3]:.0f}" role="{role}" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><style>{stylesheet()}{theme.style() if boards else ''}</style>"
        f'<rect class="zt-page" x="{box[0]:.0f}" y="{box[1]:.0f}" width="{box[2]:.0f}" height="{box[3]:.0f}" rx="8"/>'
        f"<g>{''.join(lines + moves)}</g><g>{''.join(nodes)}</g></svg>\n"
    )
