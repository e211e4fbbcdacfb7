"""The figures of the lectures: what a search saved.

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

WALKS = 200
"""Random walks by which the branching factor is measured."""


class Round(NamedTuple):
    """One round of deepening, beside the trees of its depth."""

    depth: int
    nodes: int
    growth: float | None
    """How many times the nodes of the round before."""
    full: float
    minimal: float


@dataclass(frozen=True)
class Figures(Pretty):
    """The average branching factor of the game's tree from a state on, and what each round of a search visited.

    >>> import zermelo as z
    >>> report = z.search(z.RandomTree(branching=4, depth=8, seed=3), limit=z.Limit(depth=4))
    >>> figures = report.figures
    >>> figures.branching, figures.full, figures.minimal
    (4.0, 256.0, 31.0)
    >>> figures.minimal <= figures.nodes
    True
    """

    branching: float
    """The number of moves that the states of the tree have on average."""
    rounds: tuple[Round, ...]

    @property
    def depth(self) -> int:
        return len(self.rounds)

    @property
    def nodes(self) -> int:
        """The nodes of the last round."""
        return self.rounds[-1].nodes if self.rounds else 0

    @property
    def full(self) -> float:
        """The leaves of the full tree: what minimax has to look at."""
        return full_tree(self.branching, self.depth)

    @property
    def minimal(self) -> float:
        """The leaves of the minimal tree: what alpha-beta has to look at, however well it orders moves."""
        return minimal_tree(self.branching, self.depth)

    @property
    def effective(self) -> float | None:
        """The effective branching factor: a full tree with so many moves a state would have the nodes of the round."""
        return self.nodes ** (1 / self.depth) if self.nodes else None

    def to_dict(self) -> dict[str, object]:
        return {
            "branching": self.branching,
            "effective": self.effective,
            "depth": self.depth,
            "nodes": self.nodes,
            "full": self.full,
            "minimal": self.minimal,
            "rounds": [each._asdict() for each in self.rounds],
        }

    def __str__(self) -> str:
        if not self.rounds:  # a proof, or playouts
            return f"{self.branching:.2f} moves a state on average; there were no rounds of deepening to compare"
        lines = ["depth        nodes   growth      minimal tree         full tree"]
        for each in self.rounds:
            growth = "" if each.growth is None else f"{each.growth:.2f}"
            trees = f"{_short(each.minimal):>16}  {_short(each.full):>16}"
            lines.append(f"{each.depth:>5} {each.nodes:>12,} {growth:>8}  {trees}")
        effective = "" if self.effective is None else f", effective branching factor {self.effective:.2f}"
        return "\n".join([*lines, f"{self.branching:.2f} moves a state on average{effective}"])


def full_tree(branching: float, depth: int) -> float:
    """The leaves of a tree with so many moves in every state."""
    return branching**depth


def minimal_tree(branching: float, depth: int) -> float:
    """The leaves that alpha-beta visits if it always tries the best move first (Knuth and Moore 1975).

    >>> minimal_tree(3, 4), minimal_tree(40, 3)
    (17, 1639)
    """
    return branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1


def measured(game: Game, state: State, rounds: tuple[int, ...]) -> Figures:
    """The figures of a search from `state` whose rounds took so many nodes."""
    branching = branching_factor(game, state, max(1, len(rounds)))
    return Figures(branching, tuple(_round(branching, rounds, depth) for depth in range(1, len(rounds) + 1)))


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
    leaves = sum(_leaves(game, state, depth, rng) for _ in range(WALKS)) / WALKS
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
