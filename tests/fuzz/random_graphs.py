"""Random games as plain data: a graph of numbered nodes, made from a kind and a seed.

    acyclic, free          every line of play ends; with `free`, a player may move several times in a row
    cyclic, free_cyclic    play may go on for ever
    points, points_cyclic  payoffs are points
    chance, chance_cyclic  chance moves in some nodes; where there are cycles, play still ends with probability 1

The shape of a graph comes from the seed too: bushy ones with many ends, sparse ones in which wins are forced and far
away, ones with blocks that play leaves for good (stages), ones whose nodes come in pairs of twins (a symmetry), and now
and then a node with more moves than searches have room for at first.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

KINDS = ("acyclic", "free", "cyclic", "free_cyclic", "points", "points_cyclic", "chance", "chance_cyclic")

WIDE = 70
"""Moves of a wide node: more than the rows of a search hold at first."""


@dataclass(eq=False)
class Graph:
    """Node 0 is where the game begins. Payoffs are those of the node's own mover; None where the game goes on."""

    kind: str
    seed: int
    loops: bool
    margin: bool
    chance: bool
    free: bool
    """Each node says whose it is; otherwise the players take turns."""
    mover: list[int] = field(default_factory=list)
    payoff: list[int | None] = field(default_factory=list)
    targets: list[list[int]] = field(default_factory=list)
    odds: list[list[float] | None] = field(default_factory=list)
    """Probabilities of the targets where chance moves, else None."""
    stuck: list[int] = field(default_factory=list)
    twin: list[int] = field(default_factory=list)
    """The equivalent node; the node itself where there is none."""
    stage: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.payoff)

    @property
    def has_distance(self) -> bool:
        """Whether a win in three plies beats a win in five."""
        return not self.margin and not self.chance

    @property
    def greatest(self) -> int:
        """No payoff is larger, nor is the negative of one."""
        return max([1, *(abs(payoff) for payoff in self.payoff if payoff is not None), *map(abs, self.stuck)])

    def end(self, node: int) -> int | None:
        """What the mover gets here, stuck or not; None where play goes on."""
        if self.payoff[node] is None and not self.targets[node]:
            return self.stuck[node]
        return self.payoff[node]

    def turns(self, node: int, target: int) -> bool:
        """Whether the other player sees the target."""
        return not self.free or self.mover[node] != self.mover[target]

    def decisions(self) -> list[int]:
        """The nodes in which a player has a move to choose."""
        return [node for node in range(len(self)) if self.end(node) is None and self.odds[node] is None]

    def reachable(self) -> set[int]:
        found, waiting = {0}, [0]
        while waiting:
            node = waiting.pop()
            new = set(self.targets[node] if self.end(node) is None else ()) - found
            found |= new
            waiting += new
        return found


def made(kind: str, seed: int) -> Graph:
    """The graph of a kind and a seed."""
    rng = random.Random(f"{kind} {seed}")
    graph = Graph(
        kind,
        seed,
        loops=kind.endswith("cyclic") and kind != "acyclic",
        margin=kind.startswith("points"),
        chance=kind.startswith("chance"),
        free=kind.startswith(("free", "chance")) or (kind.startswith("points") and rng.random() < 0.5),
    )
    if graph.chance and rng.random() < 0.3:
        graph.margin = True
    size = rng.choice((4, 8, 12, 16, 24, 40))
    block = rng.choice((size, size, 3, 6))
    ends = rng.choice((0.05, 0.12, 0.3))
    width = rng.choice((2, 2, 3, 4))
    spread = rng.choice((2, 7, 900))
    for node in range(size):
        _add_node(graph, rng, node, ends, spread)
        graph.stage.append(node // block)
    for node in range(size):
        graph.targets.append(_targets(graph, rng, node, size, block, width))
    if graph.has_distance and rng.random() < 0.3:
        _force_a_win(graph, rng)
    _let_chance_end(graph, rng)
    if any(graph.stage[way] < graph.stage[node] for node in range(size) for way in graph.targets[node]):
        graph.stage = [0] * size
    if rng.random() < 0.25:
        _double(graph, rng)
    return graph


def _add_node(graph: Graph, rng: random.Random, node: int, ends: float, spread: int) -> None:
    """A node without its targets. More ends are lost than won, for the player to move there."""
    payoffs = range(-spread, spread + 1) if graph.margin else (1, 0, 0, -1, -1, -1)
    over = node > 0 and rng.random() < ends
    graph.mover.append(rng.randrange(2))
    graph.payoff.append(rng.choice(payoffs) if over else None)
    graph.stuck.append(rng.choice(payoffs))
    graph.twin.append(node)
    chance = graph.chance and node > 0 and not over and rng.random() < 0.4
    graph.odds.append([] if chance else None)


def _targets(graph: Graph, rng: random.Random, node: int, size: int, block: int, width: int) -> list[int]:
    """Where the moves of a node lead: never to an earlier block, and without loops never back."""
    if graph.payoff[node] is not None:
        return []
    first = node // block * block if graph.loops else node + 1
    last = min(size, first + rng.choice((block + 2, size, 6)))
    ways = range(first, last)
    if not ways or (node > 0 and graph.odds[node] is None and rng.random() < 0.04):
        graph.odds[node] = None
        return []
    count = WIDE if rng.random() < 0.005 else rng.randint(1, width)
    if rng.random() < 0.1:  # several moves may lead to the same node
        return rng.choices(ways, k=count)
    return rng.sample(ways, min(count, len(ways)))


def _force_a_win(graph: Graph, rng: random.Random) -> None:
    """One player hunts the other from node to node, up to the last; whoever leaves the way is hunted himself.

    Such wins are long, and there is a blunder in every second node: what searches must not take for best play.
    """
    last = len(graph) - 1
    for node in range(len(graph)):
        hunter = (last - node) % 2 == 1
        graph.mover[node] = 0 if hunter else 1
        if node == last:
            graph.payoff[node], graph.targets[node] = -1, []
            continue
        graph.payoff[node] = None
        first = 0 if graph.loops and hunter else node + 1
        others = [way for way in range(first, last) if (last - way) % 2 == 1]
        graph.targets[node] = [node + 1, *rng.sample(others, min(len(others), rng.randrange(3)))]
        rng.shuffle(graph.targets[node])


def _let_chance_end(graph: Graph, rng: random.Random) -> None:
    """Probabilities. Where there are cycles, each chance node may end the game, and every cycle has one."""
    ends = [node for node in range(len(graph)) if graph.end(node) is not None]
    for node in range(len(graph)):
        if graph.loops and graph.chance and graph.end(node) is None:
            if not ends:
                graph.payoff[node], graph.targets[node], graph.odds[node] = 1, [], None
                ends.append(node)
            elif graph.odds[node] is not None:
                graph.targets[node].append(rng.choice(ends))
            else:
                graph.targets[node] = [
                    way if graph.odds[way] is not None or way > node or graph.end(way) is not None
                    else rng.choice(ends) for way in graph.targets[node]
                ]  # fmt: skip
        if graph.odds[node] is not None and graph.targets[node]:
            weights = [rng.randint(1, 6) for _ in graph.targets[node]]
            graph.odds[node] = [weight / sum(weights) for weight in weights]


def _double(graph: Graph, rng: random.Random) -> None:
    """Give every node a twin: the same but for its number and the order of its moves, which lead to either twin."""
    size = len(graph)
    for node in range(size):
        graph.twin[node] = node + size
        graph.twin.append(node)
        for row in (graph.mover, graph.payoff, graph.stuck, graph.stage):
            row.append(row[node])
        order = rng.sample(range(len(graph.targets[node])), len(graph.targets[node]))
        graph.targets.append([graph.targets[node][i] for i in order])
        odds = graph.odds[node]
        graph.odds.append(None if odds is None else [odds[i] for i in order])
    for node in range(2 * size):
        graph.targets[node] = [way + size * rng.randrange(2) for way in graph.targets[node]]
