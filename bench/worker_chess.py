"""python-chess and sunfish, each measured in its own manner: leaves of perft, and nodes of a search."""

from __future__ import annotations

import sys
import time
from importlib.metadata import version
from typing import Any

from worker import serve, timed


def versions() -> dict[str, Any]:
    return {name: version(name) for name in ("chess", "sunfish")}


def perft(fen: str, depth: int) -> dict[str, Any]:
    """Leaves by python-chess; the last ply is counted, not played."""
    import chess

    leaves, cpu = timed(lambda: count_leaves(chess.Board(fen), depth))
    return {"leaves": leaves, "cpu": cpu}


def count_leaves(board: Any, depth: int) -> int:
    if depth == 1:
        return int(board.legal_moves.count())
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count_leaves(board, depth - 1)
        board.pop()
    return total


def search(fen: str, seconds: float) -> dict[str, Any]:
    """Nodes by sunfish under this Python, and the depth that it finished."""
    import sunfish
    from sunfish_ui.uci import from_fen

    sys.modules["sunfish_ui.uci"].sunfish = sunfish
    searcher = sunfish.Searcher()
    start, depth = time.process_time(), 0
    position = from_fen(*fen.split())
    history = [position] if fen.split()[1] == "w" else [position.rotate(), position]
    for round_depth, _, _, _ in searcher.search(history):
        depth = max(depth, round_depth - 1)
        if time.process_time() - start > seconds:
            break
    return {"nodes": searcher.nodes, "cpu": time.process_time() - start, "depth": depth}


if __name__ == "__main__":
    serve(versions=versions, perft=perft, search=search)
