"""RandomTree: a tree with random leaves, for measuring search. Nothing of it is stored.

A node is its ply and its number there, which is the path to it read as a number in base `branching`; its payoff
is a hash of both with the seed:

    ply 0              0
    ply 1        0           1            successors of node n: n * branching, n * branching + 1, ...
    ply 2     0     1     2     3
"""

from typing import NamedTuple

from zermelo import bits
from zermelo.arguments import check_int
from zermelo.board import EMPTY, Fields, Points
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.game_tree.tree_board import LEAF, MAX, MIN
from zermelo.games.support.parameters import check_types
from zermelo.games.support.position_text import literal_state

PAYOFF_RANGE = 1000
"""Payoffs lie between -PAYOFF_RANGE and PAYOFF_RANGE; in an ordered tree a worse move is worse by 1 to PAYOFF_RANGE."""


MAX_PATH_NODES = 24
"""Nodes beside a path that is drawn; of a larger tree, the node alone is described."""


class State(NamedTuple):
    ply: int
    node: int
    value: int  # in an ordered tree, the node's minimax value to its player; else 0


class RandomTree(Game):
    """A uniform tree of given branching and depth with random payoffs; ordered, the best move always comes first."""

    branching: int = 3
    depth: int = 4
    seed: int = 0
    ordered: bool = False

    margin = True
    alternates = True

    def __post_init__(self) -> None:
        check_int(repr(self), least=1, branching=self.branching, depth=self.depth)
        check_int(repr(self), least=0, most=(1 << 63) - 1, seed=self.seed)
        check_types(self)
        if self.branching > 1 and (self.depth > 62 or self.branching**self.depth >= 1 << 63):
            raise GameError(f"{self!r}: branching ** depth must be below 2**63, to number the leaves.")

    def initial(self):
        return State(0, 0, self.random(0, 0) - PAYOFF_RANGE if self.ordered else 0)

    def moves(self, state):
        return range(self.branching)

    def play(self, state, move):
        ply, node, value = state.ply + 1, state.node * self.branching + move, 0
        if self.ordered:  # the first successor has the value of its parent, the others less for the mover
            value = -state.value
            if move > 0:
                value += 1 + self.random(ply, node) % PAYOFF_RANGE
        return State(ply, node, value)

    def result(self, state):
        if state.ply < self.depth:
            return ONGOING
        return state.value if self.ordered else self.random(state.ply, state.node) - PAYOFF_RANGE

    def mover(self, state):
        return state.ply & 1

    def evaluate(self, state):
        return state.value

    def random(self, ply, node):
        """A number from 0 to 2 * PAYOFF_RANGE that the seed and the node determine."""
        word = bits.mix(bits.add(bits.mix(bits.add(bits.mix(self.seed), ply)), node))
        return int(bits.remainder(word, 2 * PAYOFF_RANGE + 1))

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        """The nodes on the path from the root, each with all its successors; of a large tree, the node in words."""
        if self.branching * self.depth <= MAX_PATH_NODES:
            return self.path(state)
        nodes = self.branching**state.ply
        return Fields(("ply", "node"), (f"{state.ply} of {self.depth}", f"{state.node + 1:,} of {nodes:,}"))

    def path(self, state):
        places, lines, names, here, x = [(0.0, 0.0)], [], ["root"], 0, 0.0
        for ply in range(min(state.ply + 1, self.depth)):
            first, middle = len(places), (self.branching - 1) / 2
            for move in range(self.branching):
                places.append((x + move - middle, 1.4 * (ply + 1)))
                lines.append((here, first + move))
                names.append(str(move + 1))
            if ply < state.ply:
                played = state.node // self.branching ** (state.ply - ply - 1) % self.branching
                here, x = first + played, x + played - middle
        piece = LEAF if state.ply == self.depth else (MAX, MIN)[state.ply & 1]
        cells = EMPTY * here + piece.mark + EMPTY * (len(places) - here - 1)
        return Points(cells, tuple(places), tuple(lines), tuple(names), (MAX, MIN, LEAF))

    def squares(self, state, move):
        return (1 + self.branching * state.ply + move,) if self.branching * self.depth <= MAX_PATH_NODES else ()

    def parse_state(self, text):
        state = literal_state(self, text)
        if not (0 <= state.ply <= self.depth and 0 <= state.node < self.branching**state.ply):
            raise GameError(f"{self!r}: {text!r} is no node of the tree, which has {self.depth} plies.")
        limit = PAYOFF_RANGE * (state.ply + 1) if self.ordered else 0  # each ply adds at most PAYOFF_RANGE
        if abs(state.value) > limit:
            raise GameError(f"{self!r}: {text!r} has a value that no node of its ply has.")
        return state

    def move_text(self, state, move):
        return str(move + 1)
