"""Which pieces of a board are a player's, and where they go, in words."""

from __future__ import annotations

from zermelo.board import (
    EMPTY,
    NOWHERE,
    STONES,
    Board,
    Grid,
    Hexes,
    Marks,
    Piece,
    Pits,
    Points,
    Tables,
    Track,
    parts_of,
    piece_at,
    sides_of,
)
from zermelo.show.svg.theme import DEFAULT_SIDES, tints
from zermelo.show.text.square_text import Signs

WHOSE_TURN = " to move"
"""The end of the label of a sign that marks a node of a tree and says whose turn it is there; it is nobody's piece."""

MAX_SIGNS = 2
"""Kinds of pieces that are listed; those of chess are known."""


def whose(board: Board, player: int, *, unicode: bool) -> str:
    """Return which side of a board you are as this player, and where your pieces go; "" if a board does not tell.

    >>> whose(Grid(("..",)), 0, unicode=True), whose(Pits((4,), (4,)), 1, unicode=True)
    ('You are X.', 'Yours is the upper row.')
    >>> whose(Tables((-2, 2), courses=("from 2 to 1",) * 2), 1, unicode=True)
    'You are ○ and move from 2 to 1.'
    """
    for part in parts_of(board):
        if isinstance(part, Pits):
            return f"Yours is the {('lower', 'upper')[player]} row."
    names, signs = sides_of(board), signs_of(board, player, unicode=unicode)
    named = f"{names[player]} ({signs})" if names and signs else names[player] if names else signs
    courses = (part.courses for part in parts_of(board) if isinstance(part, Grid | Tables | Track))
    course = next((each[player] for each in courses if each), "")
    if not named:
        return f"You move {course}." if course else ""
    return f"You are {named}{f' and move {course}' if course else ''}."


def signs_of(board: Board | None, player: int, *, unicode: bool) -> str:
    """Return how the pieces of a player are drawn in a terminal; "" if there are many kinds of them, or none."""
    for part in parts_of(board):
        if isinstance(part, Tables | Track):
            return ("●○" if unicode else "XO")[player]
        if isinstance(part, Grid | Points | Hexes):
            return _signs_of_cells(part, player, unicode)
    return ""


def _signs_of_cells(board: Grid | Points | Hexes, player: int, unicode: bool) -> str:
    marks = set("".join(board.cells)) - {EMPTY, NOWHERE}
    if marks and board.pieces == STONES and not marks & set("XO"):
        return ""  # the pieces of an author who named none of them, such as one that both players move
    stones = not isinstance(board, Grid) or board.drop or tints(board) != DEFAULT_SIDES
    signs = Signs(Marks(), unicode, round_stones=stones, tints=tints(board))
    pieces = (piece_at(board.pieces, piece.mark if isinstance(piece, Piece) else piece) for piece in board.pieces)
    own = dict.fromkeys(
        signs.at(0, piece).plain
        for piece in pieces
        if piece is not None and piece.side == player and not piece.label.endswith(WHOSE_TURN)
    )
    return ", ".join(own) if len(own) <= MAX_SIGNS else ""
