"""Text pictures of a state, plain or in colour, in ASCII or Unicode."""

from __future__ import annotations

from collections.abc import Collection

from rich.text import Text

from zermelo.board import Grid, Piles
from zermelo.game import Game, GameError, State

PLAYERS = ("bold red", "bold yellow")
"""The colours of the first and of the second player."""

LABELS = "dim"
LAST = "reverse"
LONGEST_PILE = 30


def text(game: Game, state: State, *, squares: Collection[int] = (), unicode: bool = False) -> str:
    """The picture of a state as plain text.

    >>> from zermelo.games.registry import load, position
    >>> game = load("connect_four(4, 4)")
    >>> print(text(game, position(game, "2 2 3")))
      . . . .
      . . . .
      . O . .
      . X X .
      1 2 3 4
    """
    return picture(game, state, squares=squares, unicode=unicode).plain


def picture(game: Game, state: State, *, squares: Collection[int] = (), unicode: bool = True) -> Text:
    """The picture of a state for a terminal, with `squares` (those of the last move) standing out.

    It comes from the game's `board` rule; without one the state is written out.
    """
    board = game.board(state)
    if isinstance(board, Grid):
        return _grid(board, squares, unicode)
    if isinstance(board, Piles):
        return _piles(board, unicode)
    if board is not None:
        kind = type(board).__name__
        raise GameError(f"{game!r}: `board` of {game.state_text(state)} is a {kind}, not a Grid or Piles.")
    return Text(_written_out(game, state))


def _written_out(game: Game, state: State) -> str:
    """The state's own notation, or its fields by name where it has none."""
    if game.has("state_text") or not hasattr(state, "_fields"):
        return game.state_text(state)
    width = max(map(len, state._fields), default=0)
    return "\n".join(f"{name:<{width}}  {value!r}" for name, value in zip(state._fields, state, strict=True))


# -- grids -----------------------------------------------------------------------------------------------------------


def _grid(board: Grid, squares: Collection[int], unicode: bool) -> Text:
    """Rows of cells with labels at the left and below, framed in Unicode."""
    cell = max([1, *map(len, board.columns)])
    margin = max([1, *map(len, board.rows)])
    bar = "─" * ((cell + 1) * len(board.cells[0]) + 1)
    blank = " " * margin
    lines = [_row(board, row, squares, cell, margin, unicode) for row in range(len(board.cells))]
    if unicode:
        lines = [Text(f"{blank} ┌{bar}┐"), *lines, Text(f"{blank} └{bar}┘")]
    if board.columns:
        labels = " ".join(f"{label:>{cell}}" for label in board.columns)
        lines.append(Text(f"{blank} {'  ' if unicode else ''}{labels}", LABELS))
    return _joined(lines)


def _row(board: Grid, row: int, squares: Collection[int], cell: int, margin: int, unicode: bool) -> Text:
    label = board.rows[row] if board.rows else ""
    line = Text()
    line.append(f"{label:>{margin}} ", LABELS)
    line.append("│ " if unicode else "")
    for column, piece in enumerate(board.cells[row]):
        last = row * len(board.cells[row]) + column in squares
        line.append(" " * (cell - 1) + ("" if column == 0 else " "))
        line.append(_sign(board, piece, unicode), _style(board, piece, last))
    line.append(" │" if unicode else "")
    return line


def _sign(board: Grid, piece: str, unicode: bool) -> str:
    """The character that is shown: stones that fall are round, and an empty cell is a small dot."""
    if not unicode:
        return piece
    if board.drop and piece in board.pieces:
        return "●○"[board.pieces.index(piece)]
    return "·" if piece == "." else piece


def _style(board: Grid, piece: str, last: bool) -> str:
    if piece == ".":
        return LABELS
    colour = PLAYERS[board.pieces.index(piece)] if piece in board.pieces else ""
    return f"{colour} {LAST if last else ''}".strip()


# -- piles -----------------------------------------------------------------------------------------------------------


def _piles(board: Piles, unicode: bool) -> Text:
    """A row for each pile: its name, its matches one by one if they are few, and their number."""
    names = board.names or ("",) * len(board.counts)
    margin = max(map(len, names), default=0)
    longest = max(board.counts, default=0)
    lines = []
    for name, count in zip(names, board.counts, strict=True):
        line = Text()
        line.append(f"{name:>{margin}}  ", LABELS)
        if longest <= LONGEST_PILE:
            line.append(" ".join(("┃" if unicode else "|") * count).ljust(2 * longest) + " ")
        line.append(str(count), "bold")
        lines.append(line)
    return _joined(lines)


def _joined(lines: list[Text]) -> Text:
    return Text("\n").join(lines)
