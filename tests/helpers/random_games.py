"""Random trees and random games, from a seed: what the algorithms are tried on.

`trees` and `chance_trees` are hand-made trees as GameTree takes them. `RandomGame` is a graph of numbered states that
several ways lead to, with ends, stuck states and, as asked, loops, chance and players who move twice in a row.
"""

import random
from functools import cached_property

from zermelo import DRAW, LOSS, ONGOING, WIN, Game
from zermelo.rules import legal_actions


def tree(seed, chance=False):
    """A nested list for GameTree, of uneven shape and few different payoffs, so that equal values are common."""
    rng = random.Random(seed)
    return _node(rng, rng.randint(2, 4), rng.choice((2, 5, 50)), chance, rng.choice((2, 3, 4)))


def _node(rng, depth, spread, chance, width):
    if depth == 0 or (depth < 3 and rng.random() < 0.15):
        return rng.randint(-spread, spread)
    children = [_node(rng, depth - 1, spread, chance, width) for _ in range(rng.randint(1, width))]
    if chance and rng.random() < 0.4:
        weights = [rng.randint(1, 6) for _ in children]
        return {
            "chance": [[f"{weight}/{sum(weights)}", child] for weight, child in zip(weights, children, strict=True)]
        }
    return children


def regular_tree(seed, depth=5, width=3, spread=20):
    """Max, chance, Min, chance, ...: the trees of Ballard's paper."""
    rng = random.Random(seed)

    def node(left):
        if left == 0:
            return rng.randint(-spread, spread)
        children = [node(left - 1) for _ in range(width)]
        return {"chance": [[f"1/{width}", child] for child in children]} if left % 2 == 0 else children

    return node(depth)


class RandomGame(Game):
    """A random graph of states; without loops, moves lead to higher numbers only."""

    size: int = 20
    seed: int = 0
    cyclic: bool = False

    native = False  # hundreds of games, each searched once: compiling would take longer

    def initial(self):
        return 0

    def moves(self, state):
        return range(len(self.graph[state]))

    def play(self, state, move):
        return self.graph[state][move]

    def result(self, state):
        return self.payoffs[state]

    def stuck(self, state):
        return (WIN, DRAW, LOSS)[(state + self.seed) % 3]

    @cached_property
    def graph(self):
        """The successors of each state; some unfinished ones have none, and are stuck."""
        rng = random.Random(f"graph {self.seed}")
        graph = []
        for state in range(self.size):
            targets = range(self.size) if self.cyclic else range(state + 1, self.size)
            count = 0 if state and rng.random() < 0.05 else rng.randint(1, 3)
            graph.append(rng.sample(targets, min(count, len(targets))))
        return graph

    @cached_property
    def payoffs(self):
        rng = random.Random(f"payoffs {self.seed}")
        draws = [ONGOING] * 14 + [WIN, LOSS, LOSS, DRAW]
        return [ONGOING, *(rng.choice(draws) for _ in range(self.size - 1))]


class LoopGame(RandomGame):
    """The same with loops."""

    cyclic: bool = True
    loops = True


class FreeGame(RandomGame):
    """The same with players who do not take turns: each state belongs to one."""

    def mover(self, state):
        return (state * 7 + self.seed) % 3 % 2


class FreeLoopGame(FreeGame):
    cyclic: bool = True
    loops = True


class PointsGame(FreeGame):
    """The same for points, with an estimate that is often wrong."""

    margin = True

    def result(self, state):
        payoff = self.payoffs[state]
        return payoff if payoff == ONGOING else payoff * (state % 7)

    def evaluate(self, state):
        return (state * 5 + self.seed) % 11 - 5


class ChanceGame(FreeGame):
    """The same with chance in a third of the states."""

    def is_chance(self, state):
        return state % 3 == 1 and len(self.graph[state]) > 0

    def chances(self, state):
        count = len(self.graph[state])
        weights = [1 + (state + move) % 3 for move in range(count)]
        for move in range(count):
            yield move, weights[move] / sum(weights)


class ChanceLoopGame(ChanceGame):
    cyclic: bool = True
    loops = True


def random_states(game, count, seed=1):
    """States met in random play from the start, the ends included."""
    dice = random.Random(seed)
    state = game.initial()
    for _ in range(count):
        yield state
        moves = legal_actions(game, state)
        state = game.play(state, dice.choice(moves)) if moves else game.initial()
