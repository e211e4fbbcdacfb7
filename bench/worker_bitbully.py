"""BitBully, a Connect Four solver in C++ with bindings for Python."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from bitbully import BitBully, Board
from worker import serve, timed


def versions() -> dict[str, Any]:
    return {"bitbully": version("bitbully")}


def solve(positions: list[str], book: bool) -> dict[str, Any]:
    """The published scores; the time is that of the solver's own calls, and its start, with its table, stands apart."""
    boards = [Board([int(column) - 1 for column in text]).native for text in positions]
    agent, setup = timed(lambda: BitBully(opening_book="12-ply-dist" if book else None))
    solver = agent._core  # the wrapper of each call would cost it half a microsecond
    scores, cpu = timed(lambda: [solver.mtdf(board, 0) for board in boards])
    return {"scores": scores, "cpu": cpu, "setup": setup, "nodes": agent.get_node_counter()}


if __name__ == "__main__":
    serve(versions=versions, solve=solve)
