"""Lines between dots in the cells of a grid, as in Dots and Boxes: their cells, and their drawing."""

from __future__ import annotations

from dataclasses import replace

from zermelo.board import Grid, Piece, piece_at
from zermelo.show.scene.places import CELL, Place
from zermelo.show.svg.svg_elements import box, circle, n

DOT_GLYPH, HORIZONTAL_GLYPH, VERTICAL_GLYPH = "•", "━", "┃"
"""The glyphs of a dot and of the lines between dots."""

BOX_GLYPH = "□"
"""The glyph of a box between lines."""

UNDRAWN_GAP = 18.0
"""The gap between a dot and the end of a line that is not drawn yet."""

BOX_SIZE = 2 * CELL - 16
"""The width of a box inside its lines."""


def strokes(board: Grid) -> dict[tuple[int, int], str]:
    """Return the glyph of each cell by row and column, if lines are drawn between dots; an empty dict for other grids.

    >>> grid = Grid(("+-+", ". .", "+.+"), pieces=tuple(map(Piece, "+-|", (None,) * 3, "•━┃")))
    >>> [strokes(grid).get(place) for place in ((0, 0), (0, 1), (1, 0), (1, 1))]
    ['•', '━', '┃', '□']
    """
    if not any(
        isinstance(piece, Piece) and piece.glyph in (HORIZONTAL_GLYPH, VERTICAL_GLYPH) for piece in board.pieces
    ):
        return {}
    marks = {(row, column): mark for row, marks in enumerate(board.cells) for column, mark in enumerate(marks)}
    pieces = {place: piece_at(board.pieces, mark) for place, mark in marks.items()}
    dots = {place for place, piece in pieces.items() if piece is not None and piece.glyph == DOT_GLYPH}
    found = dict.fromkeys(marks, BOX_GLYPH) | dict.fromkeys(dots, DOT_GLYPH)
    for row, column in marks.keys() - dots:
        if (row, column - 1) in dots:
            found[row, column] = HORIZONTAL_GLYPH
        elif (row - 1, column) in dots:
            found[row, column] = VERTICAL_GLYPH
    return found


def ground(place: Place, last: bool) -> str:
    """Return the clickable cell of a dot or a line; an undrawn line is faintly visible."""
    hit = box(place, "zb-hit")
    if place.stroke == DOT_GLYPH:
        return hit
    if place.stroke == BOX_GLYPH:
        return box(replace(place, width=BOX_SIZE, height=BOX_SIZE), "zb-inside")
    marked = _line(place, "zb-lastline", UNDRAWN_GAP / 2) if last else ""
    return hit + marked + ("" if place.piece else _line(place, "zb-free", UNDRAWN_GAP))


def is_drawn(place: Place) -> bool:
    """Return whether the place is that of a dot or a line, and not of a piece."""
    return place.stroke in (DOT_GLYPH, HORIZONTAL_GLYPH, VERTICAL_GLYPH)


def upon(place: Place) -> str:
    """Return a dot, or a line from one dot to the other."""
    if place.stroke == DOT_GLYPH:
        return circle(place.x, place.y, 8, "zb-point")
    return _line(place, "zb-drawn", 0) if place.piece else ""


def _line(place: Place, kind: str, short: float) -> str:
    reach = CELL - short
    if place.stroke == HORIZONTAL_GLYPH:
        return f'<path class="{kind}" d="M{n(place.x - reach)} {n(place.y)}h{n(2 * reach)}"/>'
    return f'<path class="{kind}" d="M{n(place.x)} {n(place.y - reach)}v{n(2 * reach)}"/>'
