"""Run a textbook algorithm by its name and trace it, for the command line and the page."""

from __future__ import annotations

import copy
import difflib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zermelo import rules, textbook
from zermelo.game import Game, GameError, Move, State
from zermelo.games.registry import TextError
from zermelo.limits import Limit
from zermelo.searching.tree_statistics import full_tree, minimal_tree
from zermelo.textbook import Result, Trace
from zermelo.value import Score

MAX_COUNTED_NODES = 50_000
"""The nodes of the largest tree that is counted to say what a search has saved."""

ORDERS = ("game", "best", "worst")
"""How moves can be ordered: by the game's own rule; or by their true values, the best or the worst first."""


class TooLarge(GameError):
    """The tree has more nodes than were allowed."""

    def __init__(self, game: str, most: int, advice: str = "give a smaller depth, or a later position") -> None:
        super().__init__(f"{game}: the tree has more than {most} nodes; {advice}.")
        self.game, self.most = game, most


class ShownTrace(Trace):
    """A trace that ends the search with TooLarge once it has more than `most` nodes."""

    def __init__(self, game: str, most: int) -> None:
        super().__init__()
        self.title = game
        self.most = most
        self.entered = 0

    def enter(self, *args: Any, **named: Any) -> None:
        self._count()
        super().enter(*args, **named)

    def set(self, *args: Any, **named: Any) -> None:
        self._count()
        super().set(*args, **named)

    def _count(self) -> None:
        self.entered += 1
        if self.entered > self.most:
            raise TooLarge(self.title, self.most)


def searched(game: Game, state: State, algorithm: str, options: dict[str, Any], most: int) -> tuple[Result, Trace]:
    """Return the result and the trace of an algorithm; options that are None are not given.

    `order` may be a flag, which means "game", or one of ORDERS. Raise TooLarge above `most` nodes.
    """
    function = named_algorithm(algorithm)
    given = accepted(algorithm, function, options)
    if given.get("order") in ("best", "worst"):
        game = by_value(game, state, str(given["order"]), given, most)
    elif given.get("order") not in (None, True, False, "game"):
        raise TextError(f"{algorithm}: order must be {', '.join(ORDERS[:-1])} or {ORDERS[-1]}, not {given['order']!r}.")
    if "order" in given:
        given["order"] = bool(given["order"])
    trace = ShownTrace(repr(game), most)
    return function(game, state=state, trace=trace, **given), trace


def algorithms() -> dict[str, Callable[..., Any]]:
    """Return the textbook algorithms by name: the functions that take a trace."""
    public = {name: getattr(textbook, name) for name in textbook.__all__}
    return {name: each for name, each in public.items() if inspect.isfunction(each) and "trace" in _parameters(each)}


def named_algorithm(name: str) -> Callable[..., Any]:
    known = algorithms()
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known)}."
    raise TextError(f"There is no algorithm called {name or repr(name)}; {hint}")


def accepted(algorithm: str, function: Callable[..., Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that are not None. Raise TextError for one that the algorithm does not have."""
    given = {name: value for name, value in options.items() if value is not None}
    if "depth" in given and "limit" in _parameters(function):
        given["limit"] = Limit(depth=given.pop("depth"))
    for name in given:
        if name not in _parameters(function):
            raise TextError(f"{algorithm} has no option --{name}.")
    return given


def _parameters(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(function).parameters)


# -- moves in the order of their values --------------------------------------------------------------------------------


def by_value(game: Game, state: State, order: str, given: dict[str, Any], most: int) -> Game:
    """Return the game with an `order` rule by true move values: the best or the worst case of move ordering."""
    known = _move_values(game, state, given, most)
    sign = 1 if order == "best" else -1

    def rule(state: State, move: Move) -> Score:
        return sign * known.get((state, game.move_text(state, move)), 0)

    twin = copy.copy(game)
    object.__setattr__(twin, "order", rule)
    return twin


def _move_values(game: Game, state: State, given: dict[str, Any], most: int) -> dict[tuple[State, str], Score]:
    """Return the value of each move of the tree for the player who makes it."""
    trace = ShownTrace(repr(game), most)
    options = {name: given[name] for name in ("depth", "repetition") if name in given}
    textbook.expectiminimax(game, state=state, trace=trace, **options)
    values = {}
    for node in trace.nodes:
        sign = 1 if node.kind == "max" else -1
        for child in (trace.nodes[number] for number in node.children):
            values[node.state, child.move] = sign * (child.value or 0)
    return values


# -- what was saved ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counts:
    """Counts of a search, of the full tree, b^d and the minimal tree; None if the tree is too large to count.

    `branching` is the b for which b^d is the number of leaves, d being the depth of the tree. The minimal tree is that
    of alpha-beta: with chance there is none.
    """

    nodes: int
    leaves: int
    cutoffs: int
    all_nodes: int | None = None
    all_leaves: int | None = None
    depth: int | None = None
    branching: float | None = None
    full: float | None = None
    minimal: float | None = None

    @property
    def saved(self) -> int | None:
        """Nodes of the full tree that were not visited."""
        return None if self.all_nodes is None else max(0, self.all_nodes - self.nodes)

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "saved": self.saved}


def counts(game: Game, state: State, result: Result, trace: Trace, depth: int | None) -> Counts:
    """Return the counts of a search; `depth` is its limit in plies."""
    visited = sum(not node.pruned for node in trace.nodes)
    own = Counts(visited, result.leaves, result.cutoffs)
    size = tree_size(game, state, depth, MAX_COUNTED_NODES)
    if size is None:
        return own
    nodes, leaves, deepest = size
    branching = leaves ** (1 / deepest) if deepest else 0.0
    minimal = None if rules.has_chance(game) else round(minimal_tree(branching, deepest), 6)
    full = round(full_tree(branching, deepest), 6)
    return Counts(visited, result.leaves, result.cutoffs, nodes, leaves, deepest, round(branching, 6), full, minimal)


def tree_size(game: Game, state: State, depth: int | None, most: int) -> tuple[int, int, int] | None:
    """Return the nodes, the leaves and the depth of the full tree; None if it has more than `most` nodes.

    >>> import zermelo as z
    >>> tree_size(z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))"), None, None, 100)
    (15, 8, 3)
    """
    nodes = leaves = deepest = 0
    waiting = [(rules.given_state(game, state), 0)]
    while waiting:
        state, ply = waiting.pop()
        nodes, deepest = nodes + 1, max(deepest, ply)
        moves = [] if ply == depth else rules.legal_actions(game, state)
        leaves += not moves
        if nodes + len(waiting) + len(moves) > most:
            return None
        waiting.extend((game.play(state, move), ply + 1) for move in moves)
    return nodes, leaves, deepest
