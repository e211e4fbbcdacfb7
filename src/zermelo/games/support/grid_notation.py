"""Grids with the stones of two players as text: the rows, top row first.

    .OX/X../...         three rows of three; X is the first player, O the second
    .OX/X../... X       with the player to move, where the stones do not tell it

For `rows_of` and `read_cells`, cells are numbered row by row from the top left, as the squares of a Grid are, and a set
of cells is a word, or a number with more bits.
"""

from __future__ import annotations

from zermelo.board import EMPTY
from zermelo.game import Game, GameError
from zermelo.games.support.position_text import NoState

PLAYERS = "XO"
COLUMN_LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Names of columns, from the left."""

MARKS = frozenset("XO.")
BITS_OF_MARKS = {"X": str.maketrans("XO.", "100"), "O": str.maketrans("XO.", "010")}


def rows_of(first: int, second: int, width: int, height: int) -> tuple[str, ...]:
    """Return the rows of a board with these cells of the first and of the second player.

    >>> rows_of(0b001_000_100, 0b000_000_010, 3, 3)
    ('.OX', '...', 'X..')
    """
    first, second = int(first), int(second)
    marks = ["X" if first >> cell & 1 else "O" if second >> cell & 1 else EMPTY for cell in range(width * height)]
    return tuple("".join(marks[row * width :][:width]) for row in range(height))


def read_cells(game: Game, text: str, width: int, height: int, *, triangle: bool = False) -> tuple[int, int, int]:
    """Return the cells of both players and who is to move. Raise GameError if the text is malformed.

    The rows of a triangle get shorter by a cell each; its cells are numbered as if all were as long as the first.
    """
    board, _, player = text.strip().upper().rpartition(" ")
    rows = board.strip().split("/")
    lengths = [width - row if triangle else width for row in range(height)]
    right = list(map(len, rows)) == lengths and MARKS.issuperset(board.replace("/", "").strip())
    if not right or player not in ("X", "O"):
        example = game.state_text(game.initial())
        raise NoState(f"{game!r}: {text!r} does not describe a state; one looks like {example!r}.")
    marks = "".join([row.ljust(width, EMPTY) for row in rows] if triangle else rows)
    return cells_of(marks, "X"), cells_of(marks, "O"), PLAYERS.index(player)


def cells_of(marks: str, mark: str) -> int:
    """Return the cells that have a mark, X or O; the first one is bit 0.

    >>> cells_of(".XO.X", "X") == 0b10010
    True
    """
    return int(marks[::-1].translate(BITS_OF_MARKS[mark]), 2)


def read_rows(game: Game, text: str, width: int, height: int) -> list[str]:
    """Return the rows of a board, top row first.

    Raise GameError if the text is not a board of this size, or not with as many X as O or one more.
    """
    board = text.strip().upper()
    rows = board.split("/")
    if list(map(len, rows)) != [width] * height or not MARKS.issuperset(board.replace("/", "")):
        example = game.state_text(game.initial())
        raise NoState(f"{game!r}: {text!r} does not describe a state; one looks like {example!r}.")
    first, second = board.count("X"), board.count("O")
    if first - second not in (0, 1):
        raise GameError(
            f"{game!r}: {text!r} has {first} X and {second} O, but X moves first and the players take turns."
        )
    return rows
