"""Grids with the stones of two players as text: the rows, top row first.

    .OX/X../...         three rows of three; X is the first player, O the second
    .OX/X../... X       with the player to move, where the stones do not tell it

For `rows_of` and `read_cells`, cells are numbered row by row from the top left, as the squares of a Grid are, and a set
of cells is a word.
"""

from __future__ import annotations

from zermelo.bits import has_bit
from zermelo.board import EMPTY
from zermelo.game import Game, GameError
from zermelo.games.support.position_text import NoState

PLAYERS = "XO"
COLUMN_LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Names of columns, from the left."""

Cells = list[tuple[int, int]]
"""Cells as (column, row), counted from the bottom left."""


def rows_of(first: int, second: int, width: int, height: int) -> tuple[str, ...]:
    """Return the rows of a board with these cells of the first and of the second player.

    >>> rows_of(0b001_000_100, 0b000_000_010, 3, 3)
    ('.OX', '...', 'X..')
    """
    marks = ["X" if has_bit(first, cell) else "O" if has_bit(second, cell) else EMPTY for cell in range(width * height)]
    return tuple("".join(marks[row * width :][:width]) for row in range(height))


def read_cells(game: Game, text: str, width: int, height: int, *, triangle: bool = False) -> tuple[int, int, int]:
    """Return the cells of both players and who is to move. Raise GameError if the text is malformed.

    The rows of a triangle get shorter by a cell each; its cells are numbered as if all were as long as the first.
    """
    board, _, player = text.strip().upper().rpartition(" ")
    rows = board.strip().split("/")
    lengths = [width - row if triangle else width for row in range(height)]
    right = list(map(len, rows)) == lengths and not set("".join(rows)) - set("XO.")
    if not right or player not in ("X", "O"):
        example = game.state_text(game.initial())
        raise NoState(f"{game!r}: {text!r} does not describe a state; one looks like {example!r}.")
    marks = "".join(row.ljust(width, EMPTY) for row in rows)
    first, second = (sum(1 << cell for cell, mark in enumerate(marks) if mark == each) for each in PLAYERS)
    return first, second, PLAYERS.index(player)


def read_rows(game: Game, text: str, width: int, height: int) -> tuple[Cells, Cells]:
    """Return the cells of X and of O.

    Raise GameError if the text is not a board of this size, or not with as many X as O or one more.
    """
    rows = text.strip().upper().split("/")
    if len(rows) != height or any(len(row) != width or set(row) - set("XO.") for row in rows):
        example = game.state_text(game.initial())
        raise NoState(f"{game!r}: {text!r} does not describe a state; one looks like {example!r}.")
    cells = [(column, height - 1 - i, row[column]) for i, row in enumerate(rows) for column in range(width)]
    first = [(column, row) for column, row, stone in cells if stone == "X"]
    second = [(column, row) for column, row, stone in cells if stone == "O"]
    if len(first) - len(second) not in (0, 1):
        raise GameError(
            f"{game!r}: {text!r} has {len(first)} X and {len(second)} O, but X moves first and the players take turns."
        )
    return first, second
