"""Reading a board written row by row, the top row first: `X` moves first, `O` second, `.` is an empty cell.

X.O/.X./...       three rows of three
"""

from __future__ import annotations

from zermelo.game import Game, GameError
from zermelo.games.support.position_text import NoState

Cells = list[tuple[int, int]]
"""Cells as (column, row), counted from the bottom left."""


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
