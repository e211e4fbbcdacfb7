"""Compiled families: one class for thousands of games, since the number of the game is part of the state.

A class is compiled once, and a new game costs nothing. The reference gets its graph by walking the interpreted
rules.

    steps     acyclic; every optional rule of a search; a mode in which tuples, floats, words or bools tell places apart
    leaps     the same with null moves and reductions, which must never pass for a proof
    rounds    play has cycles inside blocks; places are numbered with holes, and there are un-moves
    tallies   the same for points
    scores    points
    bundle     acyclic, a thousand games from one first state, with a symmetry; a thousand more are compiled anew
    rings     the same for points, and play has cycles
    throws    chance, without loops
    picks     the same, pruned by `replies`, which must never pass for a proof
    lots      chance, with loops and numbered places
"""

from __future__ import annotations

from acyclic_families import Leaps, Steps, roll
from case import Case
from cyclic_families import Bundle, Lots, Picks, Rings, Rounds, Scores, Tallies, Throws
from random_graphs import Graph
from reference import truth
from zermelo import ONGOING, Game

FAMILIES: dict[str, Game] = {
    "steps": Steps(), "leaps": Leaps(), "rounds": Rounds(), "tallies": Tallies(), "scores": Scores(),
    "bundle": Bundle(), "rings": Rings(), "throws": Throws(), "picks": Picks(), "lots": Lots(),
}  # fmt: skip


def compiled_case(family: str, seed: int) -> Case:
    """The game of this number, walked from its first state; what is never reached does not matter."""
    game = FAMILIES[family]
    if isinstance(game, Bundle):
        game = type(game)(seed // Bundle.games)
    first = game.odd(seed, 0, 0) if isinstance(game, Steps) else game.initial()._replace(game=seed)
    codes, numbers, moves = [first], {first: 0}, []
    chance = game.has("is_chance")
    graph = Graph(family, seed, loops=game.loops, margin=game.margin, chance=chance, free=game.has("mover"))
    for node, state in enumerate(codes):
        result = game.result(state)
        luck = chance and result == ONGOING and game.is_chance(state)
        odds = list(game.chances(state)) if luck else []
        ways = [] if result != ONGOING else [way for way, _ in odds] if luck else list(game.moves(state))
        for child in (game.play(state, way) for way in ways):
            if child not in numbers:
                numbers[child] = len(codes)
                codes.append(child)
        graph.payoff.append(None if result == ONGOING else result)
        graph.targets.append([numbers[game.play(state, way)] for way in ways])
        graph.odds.append([p for _, p in odds] if luck else None)
        graph.mover.append(game.mover(state) if graph.free else 0)
        graph.stuck.append(game.stuck(state) if result == ONGOING and not ways else 0)
        graph.twin.append(node)
        graph.stage.append(game.stage(state))
        moves.append(ways)
    wild = isinstance(game, Steps) and roll(seed, 0, 30, 12) < 2
    return Case(game, graph, truth(graph), codes, moves, "nan" if wild else "halves", "compiled")
