"""OpenSpiel's alpha-beta, on its own games in C++ and on the same games written in Python."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import openspiel_games  # noqa: F401  (it makes its games known to OpenSpiel)
import pyspiel
from open_spiel.python.algorithms import minimax
from worker import counted, serve, sign, timed


def versions() -> dict[str, Any]:
    return {"open_spiel": version("open_spiel")}


def search(game: str, starts: list[list[int]], depth: int) -> dict[str, Any]:
    states = [after(game, start) for start in starts]
    values, cpu = timed(lambda: [alphabeta(state, depth) for state in states])
    return {"values": [sign(value) for value in values], "cpu": cpu}


def nodes(game: str, starts: list[list[int]], depth: int) -> dict[str, Any]:
    """How many states the same searches visit, counted in a run of its own."""
    states = [after(game, start) for start in starts]
    calls = counted(minimax, "_alpha_beta", lambda: [alphabeta(state, depth) for state in states])
    return {"nodes": calls}


def alphabeta(state: Any, depth: int) -> float:
    value, _ = minimax.alpha_beta_search(
        state.get_game(), state=state, value_function=lambda _: 0.0, maximum_depth=depth
    )
    return float(value)


def leaves(game: str, start: list[int], depth: int) -> dict[str, Any]:
    return {"leaves": count_leaves(after(game, start), depth)}


def count_leaves(state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count_leaves(state.child(action), depth - 1) for action in state.legal_actions())


def after(game: str, moves: list[int]) -> Any:
    state = pyspiel.load_game(game).new_initial_state()
    for move in moves:
        state.apply_action(action(game, state, move))
    return state


def action(game: str, state: Any, move: int) -> int:
    """OpenSpiel's number of a move of plain_games: its own in Breakthrough, where the text says the squares."""
    if not game.startswith("breakthrough"):
        return move
    size = 6
    cell, side = divmod(move, 3)
    ahead = -1 if state.current_player() else 1
    row, column = divmod(cell, size)
    text = square(row, column, size) + square(row + ahead, column + side - 1, size)
    texts = {state.action_to_string(each).rstrip("*"): each for each in state.legal_actions()}
    return int(texts[text])


def square(row: int, column: int, size: int) -> str:
    """OpenSpiel's first player starts at the highest rank."""
    return f"{chr(ord('a') + column)}{size - row}"


if __name__ == "__main__":
    serve(versions=versions, search=search, nodes=nodes, leaves=leaves)
