"""Plots: the node counts of searches, the distances of a solution, the progress of a search, learning curves.

They are drawn with Matplotlib, an optional dependency, on given axes or on new ones, which are returned. Lines differ
in markers and dashes as well as in colours, which are distinct for every kind of colour vision (Okabe and Ito).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from zermelo import rules, textbook
from zermelo.arguments import check_int, checked_game
from zermelo.game import Game, GameError, State
from zermelo.limits import Limit
from zermelo.networks.feature_weights import FeatureWeights
from zermelo.networks.network import Network
from zermelo.searching import Report, analyze
from zermelo.searching.tree_statistics import branching_factor, full_tree, minimal_tree
from zermelo.solving.solution import Solution
from zermelo.value import DECISIVE, LOSS, WIN

__all__ = ["Nodes", "distances", "learning_curve", "node_counts", "nodes_by_depth", "progress"]

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#6e7781"
LINE_STYLES: tuple[dict[str, Any], ...] = (
    {"color": BLUE, "marker": "s", "linewidth": 4.0, "markersize": 10},
    {"color": ORANGE, "marker": "o", "linewidth": 2.4, "markersize": 7},
    {"color": GREEN, "marker": "^", "linewidth": 1.1, "markersize": 5},
)
"""Each thinner than the one before, so that lines that coincide are all visible."""
THEORY_STYLE: dict[str, Any] = {"color": GREY, "linewidth": 1.4, "zorder": 3}
DEFAULT_DEPTH = 6
PROGRESS_LIMIT = Limit(seconds=5)
"""The default limit of a search whose progress is drawn."""


# -- nodes by depth --------------------------------------------------------------------------------------------------


class Nodes(NamedTuple):
    """The nodes of searches to the depths 1, 2, 3, ..., by algorithm, beside those of the full and the minimal tree."""

    counts: dict[str, list[int]]
    branching: float
    full: list[float]
    """1 + b + ... + b^depth: every node of a tree in which each has b successors."""
    minimal: list[float] | None
    """The nodes that alpha-beta visits if it always tries the best move first; None with chance."""


def node_counts(game: Game, state: State = None, depth: int = DEFAULT_DEPTH) -> Nodes:
    """Return the nodes that the textbook searches visit to each depth; with chance, expectiminimax, Star1 and Star2.

    Ordered alpha-beta uses the game's `order` rule, if there is one, and tries the principal variation of the previous
    depth first.

    >>> import zermelo as z
    >>> nodes = node_counts(z.RandomTree(branching=3, depth=6, seed=1), depth=3)
    >>> nodes.counts["minimax"], nodes.full, nodes.minimal
    ([4, 13, 40], [4.0, 13.0, 40.0], [4.0, 9.0, 20.0])
    """
    checked_game("plots.nodes_by_depth", game)
    check_int(f"plots of {game!r}", least=1, depth=depth)
    state = rules.given_state(game, state)
    chance = rules.has_chance(game)
    counts = _with_chance(game, state, depth) if chance else _without(game, state, depth)
    branching = branching_factor(game, state, depth)
    levels = range(depth + 1)
    full = [sum(full_tree(branching, level) for level in levels[: d + 1]) for d in levels[1:]]
    minimal = [sum(minimal_tree(branching, level) for level in levels[: d + 1]) for d in levels[1:]]
    return Nodes(counts, branching, full, None if chance else minimal)


def _without(game: Game, state: State, depth: int) -> dict[str, list[int]]:
    depths = range(1, depth + 1)
    counts = {
        "minimax": [textbook.minimax(game, state, depth=d).nodes for d in depths],
        "alpha-beta": [textbook.alphabeta(game, state, depth=d).nodes for d in depths],
        "alpha-beta, ordered": [],
    }
    best: tuple[Any, ...] = ()
    for d in depths:
        found = textbook.root_search(game, state, depth=d, order=game.has("order"), first=best)
        counts["alpha-beta, ordered"].append(found.nodes)
        best = found.pv
    return counts


def _with_chance(game: Game, state: State, depth: int) -> dict[str, list[int]]:
    searches = {"expectiminimax": textbook.expectiminimax, "Star1": textbook.star1, "Star2": textbook.star2}
    return {
        name: [search(game, state, depth=d).nodes for d in range(1, depth + 1)] for name, search in searches.items()
    }


def nodes_by_depth(game: Game, state: State = None, depth: int = DEFAULT_DEPTH, *, axes: Any = None) -> Any:
    """Plot the nodes that minimax, alpha-beta and ordered alpha-beta visit by depth, and return the axes.

    The full tree, whose last level is b^depth, and the minimal tree of Knuth and Moore (1975) are drawn for comparison.
    With chance, the searches are expectiminimax, Star1 and Star2.
    """
    nodes = node_counts(game, state, depth)
    axes = _axes(axes)
    depths = range(1, depth + 1)
    axes.plot(depths, nodes.full, "--", **THEORY_STYLE, label=f"full tree, b = {nodes.branching:.3g}")
    for (name, counts), look in zip(nodes.counts.items(), LINE_STYLES, strict=True):
        axes.plot(depths, counts, label=name, **look)
    if nodes.minimal is not None:
        axes.plot(depths, nodes.minimal, ":", **THEORY_STYLE, label="minimal tree (Knuth and Moore)")
    axes.set(xlabel="depth in plies", ylabel="nodes", title=repr(game), yscale="log", xticks=depths)
    axes.legend(frameon=False)
    return _plain(axes)


# -- distances -------------------------------------------------------------------------------------------------------


def distances(solution: Solution, *, axes: Any = None) -> Any:
    """Plot the wins and losses of a solution by their distance from the end, and return the axes.

    It is `Solution.plot` in the style of the other plots. If a solution has no distances, its states are counted by
    value.
    """
    if not isinstance(solution, Solution):
        raise GameError(f"plots.distances takes a Solution, as z.solve returns it, not {solution!r}.")
    if not solution.distances():
        return _counted(solution, axes)
    axes = _plain(solution.plot(_axes(axes)))
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.yaxis.set_major_formatter(lambda number, _: f"{abs(number):,.0f}")
    axes.legend(frameon=False)
    return axes


def _counted(solution: Solution, axes: Any) -> Any:
    """Plot the states by value, if there are no distances: by margin, or wins, draws and losses alone."""
    counts = solution.counts()
    if len(counts) < 2:
        raise GameError(f"{solution.game!r}: its solution keeps expectations, which have no distance from the end.")
    axes = _plain(_axes(axes))
    axes.bar(list(counts), list(counts.values()), color=BLUE)
    axes.set(xlabel="points" if solution.game.margin else "outcome", ylabel="states", title=repr(solution.game))
    axes.yaxis.set_major_formatter(lambda number, _: f"{number:,.0f}")
    return axes


# -- progress --------------------------------------------------------------------------------------------------------


def progress(
    reports: Iterable[Report] | Game, state: State = None, limit: Limit = PROGRESS_LIMIT, *, axes: Any = None
) -> Any:
    """Plot value, depth and nodes of a search over time in three panels, and return their axes.

    `reports` is an iterable of reports, such as `z.analyze`; or a game, which is searched from `state`
    until the value is proven or the limit is reached, five seconds by default.
    """
    if isinstance(reports, Game):
        with analyze(reports, state, limit) as analysis:
            reports = list(analysis)
    reports = list(reports)
    if not reports or not all(isinstance(report, Report) for report in reports):
        raise GameError("plots.progress takes a game, or at least one report of its search.")
    axes = _panels() if axes is None else axes
    seconds = [report.seconds for report in reports]
    _values(axes[0], reports)
    axes[1].step(seconds, [report.depth for report in reports], where="post", color=ORANGE)
    axes[2].plot(seconds, [max(report.nodes, 1) for report in reports], color=GREEN, marker=".")
    axes[0].set(ylabel="value", title=repr(reports[0].game))
    axes[1].set(ylabel="depth", ylim=(0, None))
    axes[2].set(ylabel="nodes", yscale="log", xlabel="seconds", xlim=(0, None))
    for each in axes:
        _plain(each)
    return axes


def _values(axes: Any, reports: list[Report]) -> None:
    """The values over time: estimates as numbers, wins and losses as triangles beyond them, the last one in words."""
    scores = [report.value.score for report in reports]
    beyond = 1.25 * max([1.0, *(abs(score) for score in scores if abs(score) < DECISIVE)])
    heights = [max(-beyond, min(score, beyond)) for score in scores]
    seconds = [report.seconds for report in reports]
    axes.step(seconds, heights, where="post", color=BLUE)
    for outcome, marker in ((WIN, "^"), (LOSS, "v"), (0, "D"), (None, ".")):
        found = [i for i, report in enumerate(reports) if report.value.outcome == outcome]
        axes.plot([seconds[i] for i in found], [heights[i] for i in found], marker, color=BLUE)
    axes.annotate(
        str(reports[-1].value),
        (seconds[-1], heights[-1]),
        xytext=(-6, 6 if heights[-1] <= 0 else -6),
        textcoords="offset points",
        ha="right",
        va="bottom" if heights[-1] <= 0 else "top",
    )
    axes.set_ylim(-1.15 * beyond, 1.15 * beyond)
    axes.axhline(0, color=GREY, linewidth=0.8)


# -- learning --------------------------------------------------------------------------------------------------------


def learning_curve(learned: Network | FeatureWeights, *, axes: Any = None) -> Any:
    """Plot the share of points of an evaluation, while it was learned, against fixed opponents; return the axes."""
    curve = learned.facts.get("curve") if isinstance(learned, Network | FeatureWeights) else None
    try:
        games = [float(point["games"]) for point in curve or ()]
        shares = {
            "against random moves": [float(point["against_random"]) for point in curve or ()],
            "against the greedy player": [float(point["against_greedy"]) for point in curve or ()],
        }
    except (TypeError, LookupError, ValueError):
        games = []
    if not games:
        raise GameError("plots.learning_curve takes what z.learn returned, with its learning curve.")
    axes = _axes(axes)
    for (name, values), look in zip(shares.items(), LINE_STYLES[1:], strict=True):
        axes.plot(games, values, label=name, **look)
    axes.axhline(0.5, **THEORY_STYLE)
    axes.set(xlabel="games against itself", ylabel="share of points", title=repr(learned.game), ylim=(-0.03, 1.03))
    axes.legend(frameon=False)
    return _plain(axes)


# -- axes ------------------------------------------------------------------------------------------------------------


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise GameError("plots are drawn with Matplotlib: pip install 'zermelo[plot]'") from None
    return plt


def _axes(axes: Any) -> Any:
    return _pyplot().subplots(layout="constrained")[1] if axes is None else axes


def _panels() -> Any:
    return _pyplot().subplots(3, sharex=True, layout="constrained")[1]


def _plain(axes: Any) -> Any:
    """Return the axes without a box around them, and with a thin grid."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3, linewidth=0.6)
    axes.set_axisbelow(True)
    return axes
