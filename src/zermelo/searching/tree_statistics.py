"""Tree statistics: how much smaller than the full tree a search was.

A tree of depth d in which every state has b moves has b^d leaves. Alpha-beta cannot do with fewer than
b^ceil(d/2) + b^floor(d/2) - 1 of them, the minimal tree (Knuth and Moore 1975), and does with those if it always tries
the best move first.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple

from zermelo import rules
from zermelo.formatting import Pretty
from zermelo.game import Game, State

RANDOM_WALKS = 200
"""Random walks by which the branching factor is estimated."""


class Round(NamedTuple):
    """One iteration of iterative deepening, beside the trees of its depth."""

    depth: int
    nodes: int
    growth: float | None
    """How many times the nodes of the iteration before it took."""
    full: float
    """The leaves of the full tree of this depth."""
    minimal: float
    """The leaves of the minimal tree of this depth."""


@dataclass(frozen=True)
class TreeStatistics(Pretty):
    """The branching factor of the game's tree from a state on, and the nodes of each iteration of a search.

    >>> import zermelo as z
    >>> report = z.search(z.RandomTree(branching=4, depth=8, seed=3), limit=z.Limit(depth=4))
    >>> statistics = report.statistics
    >>> statistics.branching_factor, statistics.full, statistics.minimal
    (4.0, 256.0, 31.0)
    >>> statistics.minimal <= statistics.nodes
    True
    """

    branching_factor: float
    """The number of moves that the states of the game's tree have on average."""
    rounds: tuple[Round, ...]

    @property
    def depth(self) -> int:
        return len(self.rounds)

    @property
    def nodes(self) -> int:
        """The nodes of the last iteration."""
        return self.rounds[-1].nodes if self.rounds else 0

    @property
    def full(self) -> float:
        """The leaves of the full tree: what minimax visits."""
        return full_tree(self.branching_factor, self.depth)

    @property
    def minimal(self) -> float:
        """The leaves of the minimal tree: what alpha-beta visits at least, however well it orders moves."""
        return minimal_tree(self.branching_factor, self.depth)

    @property
    def effective_branching_factor(self) -> float | None:
        """The b for which b^depth is the number of nodes of the last iteration; None where there was none."""
        return self.nodes ** (1 / self.depth) if self.nodes else None

    def to_dict(self) -> dict[str, object]:
        return {
            "branching_factor": self.branching_factor,
            "effective_branching_factor": self.effective_branching_factor,
            "depth": self.depth,
            "nodes": self.nodes,
            "full": self.full,
            "minimal": self.minimal,
            "rounds": [each._asdict() for each in self.rounds],
        }

    def __str__(self) -> str:
        if not self.rounds:  # a proof, or playouts
            return f"{self.branching_factor:.2f} moves a state on average; there were no iterations to compare"
        lines = ["depth        nodes   growth      minimal tree         full tree"]
        for each in self.rounds:
            growth = "" if each.growth is None else f"{each.growth:.2f}"
            trees = f"{_short(each.minimal):>16}  {_short(each.full):>16}"
            lines.append(f"{each.depth:>5} {each.nodes:>12,} {growth:>8}  {trees}")
        factor = self.effective_branching_factor
        effective = "" if factor is None else f", effective branching factor {factor:.2f}"
        return "\n".join([*lines, f"{self.branching_factor:.2f} moves a state on average{effective}"])


def full_tree(branching: float, depth: int) -> float:
    """The leaves of a tree with this number of moves in every state."""
    return branching**depth


def minimal_tree(branching: float, depth: int) -> float:
    """The leaves that alpha-beta visits if it always tries the best move first (Knuth and Moore 1975).

    >>> minimal_tree(3, 4), minimal_tree(40, 3)
    (17, 1639)
    """
    return branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1


def measure(game: Game, state: State, rounds: tuple[int, ...]) -> TreeStatistics:
    """Return the statistics of a search from `state`, from the nodes of its iterations."""
    branching = branching_factor(game, state, max(1, len(rounds)))
    return TreeStatistics(branching, tuple(_round(branching, rounds, depth) for depth in range(1, len(rounds) + 1)))


def _round(branching: float, rounds: tuple[int, ...], depth: int) -> Round:
    nodes = rounds[depth - 1]
    before = rounds[depth - 2] if depth > 1 else 0
    growth = nodes / before if before else None
    return Round(depth, nodes, growth, full_tree(branching, depth), minimal_tree(branching, depth))


def branching_factor(game: Game, state: State, depth: int) -> float:
    """The b for which b^depth is the number of leaves of the tree, `depth` plies deep, as random walks estimate it.

    The product of the numbers of moves along a random walk is, on average, the number of leaves (Knuth 1975).
    """
    rng = random.Random(0)
    leaves = sum(_leaves(game, state, depth, rng) for _ in range(RANDOM_WALKS)) / RANDOM_WALKS
    return float(round(leaves ** (1 / depth), 6))


def _leaves(game: Game, state: State, depth: int, rng: random.Random) -> int:
    product = 1
    for _ in range(depth):
        moves = rules.legal_actions(game, state)
        if not moves:
            break
        product *= len(moves)
        state = game.play(state, rng.choice(moves))
    return product


def _short(number: float) -> str:
    return f"{number:,.0f}" if number < 1e12 else f"{number:.2e}"
