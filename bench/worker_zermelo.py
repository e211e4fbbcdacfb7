"""Zermelo, measured through its public functions."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

import plain_games
from positions import published_score
from worker import serve, sign, timed

import zermelo as z

LATE = "713645132651773755727166444235664145"
"""A position with six cells left, solved at once."""


def versions() -> dict[str, Any]:
    return {name: version(name) for name in ("zermelo", "numba", "numpy")}


@cache
def connect_four() -> z.Game:
    """The game, its kernels compiled or loaded by a tiny call of what will be timed."""
    game = z.load("connect_four")
    z.search_many(game, [z.position(game, LATE)], table=1)
    return game


@cache
def plain_game(name: str) -> z.Game:
    """The game without hooks, its kernels compiled or loaded likewise."""
    game: z.Game = getattr(plain_games, name)()
    z.search(game, limit=z.Limit(depth=1))
    return game


def solve(positions: list[str], table: float) -> dict[str, Any]:
    """The published scores, proven in one call of `search_many`; making its table is part of the time."""
    game = connect_four()
    states = [z.position(game, text) for text in positions]
    reports, cpu = timed(lambda: z.search_many(game, states, table=table))
    scores = [published_score(report.value, len(text)) for report, text in zip(reports, positions, strict=True)]
    return {"scores": scores, "cpu": cpu, "setup": 0.0, "nodes": sum(report.nodes for report in reports)}


def search(game: str, starts: list[list[int]], depth: int) -> dict[str, Any]:
    """The signs of the values at a depth; nodes of all rounds of the deepening."""
    plain = plain_game(game)
    states = [after(plain, start) for start in starts]
    reports, cpu = timed(lambda: [z.search(plain, state, z.Limit(depth=depth)) for state in states])
    values = [sign(report.value.outcome or 0) for report in reports]
    return {"values": values, "cpu": cpu, "nodes": sum(report.nodes for report in reports)}


def rate(game: str, nodes: int) -> dict[str, Any]:
    """A search of a given number of nodes, enough for its fixed costs not to count."""
    plain = plain_game(game)
    report, cpu = timed(lambda: z.search(plain, limit=z.Limit(nodes=nodes)))
    return {"nodes": report.nodes, "cpu": cpu}


def leaves(game: str, start: list[int], depth: int) -> dict[str, Any]:
    plain = plain_game(game)
    return {"leaves": z.perft(plain, depth, after(plain, start))}


def after(game: z.Game, moves: list[int]) -> Any:
    state = game.initial()
    for move in moves:
        state = game.play(state, move)
    return state


if __name__ == "__main__":
    serve(versions=versions, solve=solve, search=search, rate=rate, leaves=leaves)
