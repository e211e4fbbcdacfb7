"""The layout of grids and hexagons."""

from __future__ import annotations

import math
from dataclasses import replace

from zermelo.board import NOWHERE, Grid, Hexes, Piece, piece_at
from zermelo.show.scene.places import (
    CELL,
    LABEL_SPACE,
    MARGIN,
    Label,
    Place,
    Plate,
    Scene,
    Stroke,
    letter_scale,
    margin_for,
)
from zermelo.show.svg.grid_strokes import strokes
from zermelo.show.svg.piece_shapes import hexagon
from zermelo.show.svg.theme import DEFAULT_SIDES, tints


def grid_scene(board: Grid) -> Scene:
    height, width = len(board.cells), len(board.cells[0])
    scale = letter_scale(width * CELL, height * CELL)
    left, top, drawn = MARGIN + margin_for(board.rows, scale), MARGIN, strokes(board)
    places = tuple(
        Place(
            row * width + column,
            left + (column + 0.5) * CELL,
            top + (row + 0.5) * CELL,
            CELL,
            CELL,
            _cell_shape(board, row, column),
            square_name(board, row, column),
            _piece(board, board.cells[row][column]),
            stroke=drawn.get((row, column), ""),
        )
        for row in range(height)
        for column in range(width)
        if board.cells[row][column] != NOWHERE
    )
    labels = _row_labels(board, left - 12, top, scale) + _column_labels(board, left, top + height * CELL + 14, scale)
    plates = (Plate(left, top, width * CELL, height * CELL),) if board.drop else ()
    below = LABEL_SPACE if board.columns else 0
    return Scene(left + width * CELL + MARGIN, top + height * CELL + below + MARGIN, plates, (), labels, places)


def _piece(board: Grid, mark: str) -> Piece | None:
    """Return the piece in a cell; if the sides have colours, X and O are their stones."""
    piece = piece_at(board.pieces, mark)
    if piece is None or piece.glyph or piece.mark not in "XO" or piece.side is None:
        return piece
    both = tints(board)
    if both == DEFAULT_SIDES:
        return piece
    tint = both[piece.side]
    colour = "" if tint in DEFAULT_SIDES else f"{tint} "
    return replace(piece, glyph="●", label=piece.label or f"{colour}stone")


def _cell_shape(board: Grid, row: int, column: int) -> str:
    if board.drop:
        return "hole"
    if board.checkered:
        return "bright" if (len(board.cells) - 1 - row + column) % 2 else "dark"
    return "cell"


def square_name(board: Grid | Hexes, row: int, column: int) -> str:
    """Return the name of a square: by the labels of its edges, else by its row and column.

    >>> square_name(Grid(("..", ".."), ("a", "b"), ("2", "1")), 1, 0), square_name(Grid((".", "."), ("4",)), 0, 0)
    ('a1', 'column 4, row 1')
    """
    if board.columns and board.rows:
        return board.columns[column] + board.rows[row]
    name = board.columns[column] if board.columns else column + 1
    number = board.rows[row] if board.rows else row + 1
    return f"column {name}, row {number}"


def _row_labels(board: Grid, x: float, top: float, scale: float) -> tuple[Label, ...]:
    named = enumerate(board.rows)
    return tuple(Label(x, top + (row + 0.5) * CELL, name, anchor="end", scale=scale) for row, name in named)


def _column_labels(board: Grid, left: float, y: float, scale: float) -> tuple[Label, ...]:
    named = enumerate(board.columns)
    return tuple(Label(left + (column + 0.5) * CELL, y, name, scale=scale) for column, name in named)


def hexes_scene(board: Hexes) -> Scene:
    height, width = len(board.cells), len(board.cells[0])
    step = CELL * math.sqrt(3) / 2
    scale = letter_scale((width + height / 2) * CELL, height * step)
    left = MARGIN + margin_for(board.rows, scale) + CELL / 2
    top = MARGIN + (LABEL_SPACE if board.columns else 0) + CELL / math.sqrt(3)
    spots = [(left + (column + row / 2) * CELL, top + row * step) for row in range(height) for column in range(width)]
    places = tuple(
        Place(
            number,
            *spots[number],
            CELL,
            CELL,
            "hex",
            square_name(board, *divmod(number, width)),
            piece_at(board.pieces, board.cells[number // width][number % width]),
        )
        for number in range(len(board))
        if board.cells[number // width][number % width] != NOWHERE
    )
    labels = [
        Label(left + column * CELL, top - CELL * 0.82, name, scale=scale) for column, name in enumerate(board.columns)
    ]
    labels += [
        Label(left + (row - 1) / 2 * CELL - 12, top + row * step, name, anchor="end", scale=scale)
        for row, name in enumerate(board.rows)
    ]
    strokes = _hex_edges(board, spots) if board.edges else ()
    right = max((place.x for place in places), default=left) + CELL / 2  # a triangle is narrower than a rhombus
    bottom = top + (height - 1) * step + CELL / math.sqrt(3)
    return Scene(right + MARGIN, bottom + MARGIN, (), strokes, tuple(labels), places)


def _hex_edges(board: Hexes, spots: list[tuple[float, float]]) -> tuple[Stroke, ...]:
    """The four sides of the rhombus: top and bottom the first player's, left and right the second's."""
    height, width = len(board.cells), len(board.cells[0])
    sides = (
        ([(0, column) for column in range(width)], (5, 0, 1), "edge0"),
        ([(height - 1, column) for column in range(width)], (4, 3, 2), "edge0"),
        ([(row, 0) for row in range(height)], (5, 4, 3), "edge1"),
        ([(row, width - 1) for row in range(height)], (0, 1, 2), "edge1"),
    )
    strokes = []
    for cells, corners, kind in sides:
        line = []
        for row, column in cells:
            outline = hexagon(*spots[row * width + column], CELL)
            line += [outline[corner] for corner in corners]
        x, y = line[0]
        strokes.append(Stroke(x, y, tuple((to_x - x, to_y - y) for to_x, to_y in line), kind))
    return tuple(strokes)
