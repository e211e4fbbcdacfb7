"""GameTree: a hand-made tree as a game, from nested lists or from text.

    [[3, 12], [8, 2]]                                   numbers are leaves: what the first player gets
    ["A", ["B", 3, 12], ["C", 8, 2]]                    a list may begin with the node's name
    {"name": "R", "chance": [["1/2", 3], ["1/2", 7]]}   a chance node: [probability, subtree]

    A(B(3, 12), C(8, 2))                                the same as text; names may be left out
    R[1/2: 3, 1/2: S(1, 2)]                             a chance node has square brackets

The first player, Max, moves at the root; then Min and Max take turns. Chance does not take a turn: after a move of Max
comes Min, whether a chance node lies between or not; the player who moves after it is its `mover`.

Nodes are numbered level by level, so that the successors of a node are neighbours:

              0              first   1  3  5  -  -  -  -
          1       2          count   2  2  2  0  0  0  0
        3   4   5   6
"""

from collections import Counter
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.game import ONGOING, Game, GameError
from zermelo.games.game_tree import tree_board, tree_text


class State(NamedTuple):
    node: int  # its number


class GameTree(Game):
    """A tree made by hand: nested lists of payoffs, with names and chance nodes where wanted."""

    tree: Any = "A(B(C(2, 3), D(5, 7)), E(F(0, 1), G(4, 6)))"

    margin = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "tree", tree_text.normal(self.tree))  # text can be hashed, printed and loaded again
        for name, count in Counter(self.names).items():
            if count > 1:
                raise GameError(f"{self!r}: two nodes are called {name}; names must differ.")

    def initial(self):
        return State(0)

    def moves(self, state):
        return range(self.counts[state.node])

    def play(self, state, move):
        return State(int(self.firsts[state.node]) + move)

    def result(self, state):
        if self.counts[state.node] > 0:
            return ONGOING
        payoff = int(self.payoffs[state.node])
        return payoff if self.players[state.node] == 0 else -payoff

    def mover(self, state):
        return int(self.players[state.node])

    def is_chance(self, state):
        return bool(self.chance_nodes[state.node])

    def chances(self, state):
        first = self.firsts[state.node]
        for move in range(self.counts[state.node]):
            yield move, float(self.probabilities[first + move])

    def has(self, rule):
        """Return whether the game has a rule: without chance nodes none about chance, so that any search may run."""
        return super().has(rule) and (rule not in ("is_chance", "chances") or self.has_chance_nodes)

    # -- the tree as arrays, by node number ------------------------------------------------------------------------

    @cached_property
    def nodes(self):
        return tree_text.numbered(tree_text.parse(self.tree))

    @cached_property
    def names(self):
        return tuple(node.name for node in self.nodes)

    @cached_property
    def firsts(self):
        return _array([node.first for node in self.nodes])

    @cached_property
    def counts(self):
        return _array([node.count for node in self.nodes])

    @cached_property
    def players(self):
        return _array([node.player for node in self.nodes])

    @cached_property
    def payoffs(self):
        return _array([node.payoff for node in self.nodes])

    @cached_property
    def chance_nodes(self):
        return _array([node.chance for node in self.nodes])

    @cached_property
    def probabilities(self):
        """Of each node that follows a chance node; 1 elsewhere."""
        return _array([node.probability for node in self.nodes])

    @cached_property
    def has_chance_nodes(self):
        return any(node.chance for node in self.nodes)

    @cached_property
    def payoff_bounds(self):
        """The least and the greatest payoff, as the first player sees them."""
        payoffs = [node.payoff for node in self.nodes if node.count == 0]
        return min(payoffs), max(payoffs)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        return tree_board.board(self.nodes, state.node)

    def squares(self, state, move):
        return tree_board.squares(self.nodes, int(self.firsts[state.node]) + move)

    def move_text(self, state, move):
        child = self.nodes[self.firsts[state.node] + move]
        return child.name if child.named else str(move + 1)

    def state_text(self, state):
        return self.names[state.node]

    def parse_state(self, text):
        if text.strip() not in self.names:
            raise GameError(f"{self!r}: there is no node called {text.strip()!r}.")
        return State(self.names.index(text.strip()))


def _array(values):
    import numpy

    return numpy.array(values)
