"""easyAI's Negamax, on the same game written for it in three ways, and on its own Connect Four."""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import Any

from easyAI import Negamax, TwoPlayerGame
from easyAI.games import ConnectFour
from worker import counted, serve, sign, timed

FULL = (1 << 16) - 1
LINES = (
    *(15 << 4 * row for row in range(4)),
    *(0x1111 << column for column in range(4)),
    0x8421,
    0x1248,
)
CELLS = [[cell for cell in range(16) if line >> cell & 1] for line in LINES]


class InARow(TwoPlayerGame):
    """The rules of plain_games.InARow, on ints as there, with the `unmake_move` that spares easyAI its copies."""

    def __init__(self, players: list[None]) -> None:
        self.players = players
        self.current_player = 1
        self.marks = [0, 0, 0]

    def possible_moves(self) -> list[int]:
        marked = self.marks[1] | self.marks[2]
        return [cell for cell in range(16) if not marked >> cell & 1]

    def make_move(self, cell: int) -> None:
        self.marks[self.current_player] |= 1 << cell

    def unmake_move(self, cell: int) -> None:
        self.marks[self.current_player] &= ~(1 << cell)

    def lose(self) -> bool:
        theirs = self.marks[3 - self.current_player]
        for line in LINES:  # noqa: SIM110  (a generator would cost easyAI a third of its speed)
            if theirs & line == line:
                return True
        return False

    def is_over(self) -> bool:
        return self.marks[1] | self.marks[2] == FULL or self.lose()

    def scoring(self) -> int:
        return -100 if self.lose() else 0


class InARowOnAList(TwoPlayerGame):
    """The rules of plain_games.InARow on a list, as easyAI's own games are written; easyAI copies it at every move."""

    def __init__(self, players: list[None]) -> None:
        self.players = players
        self.board = [0] * 16
        self.current_player = 1

    def possible_moves(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.board) if mark == 0]

    def make_move(self, cell: int) -> None:
        self.board[cell] = self.current_player

    def lose(self) -> bool:
        return any(all(self.board[cell] == self.opponent_index for cell in line) for line in CELLS)

    def is_over(self) -> bool:
        return self.possible_moves() == [] or self.lose()

    def scoring(self) -> int:
        return -100 if self.lose() else 0


class InARowTakenBack(InARowOnAList):
    """The same with the method that easyAI's manual calls optional, and that its tic-tac-toe has."""

    def unmake_move(self, cell: int) -> None:
        self.board[cell] = 0


GAMES = {
    "InARow": InARow,
    "InARowOnAList": InARowOnAList,
    "InARowTakenBack": InARowTakenBack,
    "ConnectFour": ConnectFour,
}
"""easyAI's own Connect Four has no `unmake_move` either."""


def versions() -> dict[str, Any]:
    return {"easyAI": version("easyAI")}


def search(game: str, starts: list[list[int]], depth: int) -> dict[str, Any]:
    games = [after(game, start) for start in starts]
    values, cpu = timed(lambda: [negamax(each, depth) for each in games])
    return {"values": [sign(value) for value in values], "cpu": cpu}


def nodes(game: str, starts: list[list[int]], depth: int) -> dict[str, Any]:
    """How many states the same searches visit, counted in a run of its own."""
    games = [after(game, start) for start in starts]
    module = importlib.import_module("easyAI.AI.Negamax")
    return {"nodes": counted(module, "negamax", lambda: [negamax(each, depth) for each in games])}


def negamax(game: TwoPlayerGame, depth: int) -> float:
    algorithm = Negamax(depth)
    algorithm(game)
    return float(algorithm.alpha)


def leaves(game: str, start: list[int], depth: int) -> dict[str, Any]:
    return {"leaves": count_leaves(after(game, start), depth)}


def count_leaves(game: TwoPlayerGame, depth: int) -> int:
    if depth == 0:
        return 1
    if game.is_over():
        return 0
    total = 0
    for move in game.possible_moves():
        child = game.copy()
        child.play_move(move)
        total += count_leaves(child, depth - 1)
    return total


def after(game: str, moves: list[int]) -> TwoPlayerGame:
    played = GAMES[game]([None, None])
    for move in moves:
        played.play_move(move)
    return played


if __name__ == "__main__":
    serve(versions=versions, search=search, nodes=nodes, leaves=leaves)
