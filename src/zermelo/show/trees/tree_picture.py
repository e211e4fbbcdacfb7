"""Trees as pictures: a recorded search or a bare game tree as SVG, and as a record for pages."""

from __future__ import annotations

from html import escape
from typing import Any

from zermelo import textbook
from zermelo.game import Game, State
from zermelo.show.trees.tree_drawing import HALF, LEVEL, Picture, line, stylesheet
from zermelo.show.trees.tree_layout import layout
from zermelo.show.trees.tree_nodes import Drawn, drawn, has_bounds
from zermelo.show.trees.tree_search import counts, searched
from zermelo.show.trees.tree_words import words
from zermelo.textbook import Result, Trace

MARGIN = 28
GAP = 14
MOST_STEPS = 60_000
"""The longest record from which a bare tree is drawn."""


def tree_svg(trace: Trace, *, depth: int | None = None, width: int | None = None, interactive: bool = False) -> str:
    """The tree that a trace has recorded, as SVG.

    Max nodes are triangles that point up, Min nodes triangles that point down, chance nodes circles, leaves squares. At
    each node stand its value, alpha and beta when it was left, and the inequality of its cut-off; the principal
    variation is bold, what was never visited is grey. `depth` and `width` limit what is drawn; a large tree is
    collapsed without them. With `interactive` there is room for every text, so that a page can go through the search.

    >>> import zermelo as z
    >>> trace = z.Trace()
    >>> _ = z.textbook.alphabeta(z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))"), trace=trace)
    >>> svg = tree_svg(trace)
    >>> "5 ≥ 3 = β" in svg, "1 ≤ 3 = α" in svg
    (True, True)
    """
    roots = drawn(trace, depth, width, scrolls=interactive)
    return _svg(roots, _title(trace), bounds=has_bounds(trace), bare=False, interactive=interactive)


def game_tree_svg(game: Game, state: State = None, depth: int | None = None, *, width: int | None = None) -> str:
    """The tree of a game from a state on, `depth` plies deep: its nodes and what the leaves are worth, no search.

    >>> import zermelo as z
    >>> svg = game_tree_svg(z.GameTree("A(B(3, 12), C(8, 2))"))
    >>> svg.count('class="zt-node zt-leaf"'), "α" in svg
    (4, False)
    """
    trace = Trace(limit=MOST_STEPS)
    textbook.expectiminimax(game, state, depth=depth, trace=trace)
    roots = drawn(trace, None, width)
    return _svg(roots, f"Game tree of {game!r}", bounds=False, bare=True, interactive=False)


def tree_record(
    game: Game, state: State, algorithm: str = "alphabeta", options: dict[str, Any] | None = None, most: int = 1000
) -> dict[str, Any]:
    """A search with everything that a page needs to step through it, as one record for JSON.

    `options` are those of the algorithm, None for one that is not given; `order` may be a flag or one of "game",
    "best" and "worst". A tree of more than `most` nodes is a sentence.

        result   Result.to_dict()
        trace    Trace.to_dict()
        words    a sentence for each step
        svg      the tree
        counts   nodes, leaves and cutoffs of the search; all_nodes, all_leaves, depth and branching of the whole tree,
                 saved, full (b^d) and minimal: None where that tree is too large to count

    >>> import zermelo as z
    >>> record = tree_record(z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))"), None)
    >>> [record["counts"][name] for name in ("leaves", "full", "minimal", "saved")]
    [5, 8.0, 5.0, 4]
    """
    options = options or {}
    result, trace = searched(game, state, algorithm, options, most)
    return record_of(game, state, result, trace, options.get("depth"))


def record_of(
    game: Game,
    state: State,
    result: Result,
    trace: Trace,
    plies: int | None,
    *,
    depth: int | None = None,
    width: int | None = None,
) -> dict[str, Any]:
    """The record of a search that was made to so many `plies`; `depth` and `width` limit what is drawn of it."""
    return {
        "result": result.to_dict(),
        "trace": trace.to_dict(),
        "words": words(trace),
        "svg": tree_svg(trace, depth=depth, width=width, interactive=True),
        "counts": counts(game, state, result, trace, plies).to_dict(),
    }


def _title(trace: Trace) -> str:
    """What the picture shows, in a sentence."""
    searches = [step.note for step in trace.steps if step.action == "search"]
    cuts = len(trace.cuts)
    visited = sum(not node.pruned for node in trace.nodes)
    name = searches[-1] if searches else "a search"
    return f"Game tree searched by {name}: {visited} nodes visited, {cuts} cut-off{'' if cuts == 1 else 's'}"


def _svg(roots: list[Drawn], title: str, *, bounds: bool, bare: bool, interactive: bool) -> str:
    """The whole picture: lines first, so that nodes lie above them."""
    pictures: list[Picture] = []
    lines: list[str] = []

    def picture(node: Drawn) -> Picture:
        made = Picture(node, bounds=bounds, bare=bare, interactive=interactive)
        pictures.append(made)
        made.below = [picture(child) for child in node.children]
        made.box.children = [child.box for child in made.below]
        return made

    tops = [picture(root) for root in roots]
    width, levels = layout([top.box for top in tops], GAP)
    for parent in pictures:
        lines += [line(parent, child) for child in parent.below]
    nodes = [each.svg() for each in pictures]
    box = (-MARGIN, -HALF - MARGIN, width + 2 * MARGIN, (levels - 1) * LEVEL + 2 * HALF + 2 * MARGIN)
    size = " ".join(f"{number:.0f}" for number in box)
    role = "group" if interactive else "img"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-tree" viewBox="{size}" width="{box[2]:.0f}" '
        f'height="{box[3]:.0f}" role="{role}" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><style>{stylesheet()}</style>"
        f'<rect class="zt-page" x="{box[0]:.0f}" y="{box[1]:.0f}" width="{box[2]:.0f}" height="{box[3]:.0f}" rx="8"/>'
        f"<g>{''.join(lines)}</g><g>{''.join(nodes)}</g></svg>\n"
    )
