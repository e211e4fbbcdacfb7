"""Lines from dot to dot in the cells of a grid, as in Dots and Boxes: which cells they are, and how they are drawn."""

from __future__ import annotations

from dataclasses import replace

from zermelo.board import Grid, Piece, piece_at
from zermelo.show.scene.places import CELL, Place
from zermelo.show.svg.svg_elements import box, circle, n

DOT, LYING, STANDING = "•", "━", "┃"
"""The glyphs of a dot and of the lines between dots."""

BOX = "□"
"""What lies between the lines."""

SHORT = 18.0
"""How far from the middle of a dot a line ends that is not drawn yet."""

INSIDE = 2 * CELL - 16
"""How wide a box is within its lines."""


def strokes(board: Grid) -> dict[tuple[int, int], str]:
    """What the cells are where lines are drawn between dots, by row and column; nothing in other grids.

    >>> grid = Grid(("+-+", ". .", "+.+"), pieces=tuple(map(Piece, "+-|", (None,) * 3, "•━┃")))
    >>> [strokes(grid).get(place) for place in ((0, 0), (0, 1), (1, 0), (1, 1))]
    ['•', '━', '┃', '□']
    """
    if not any(isinstance(piece, Piece) and piece.glyph in (LYING, STANDING) for piece in board.pieces):
        return {}
    marks = {(row, column): mark for row, marks in enumerate(board.cells) for column, mark in enumerate(marks)}
    pieces = {place: piece_at(board.pieces, mark) for place, mark in marks.items()}
    dots = {place for place, piece in pieces.items() if piece is not None and piece.glyph == DOT}
    found = dict.fromkeys(marks, BOX) | dict.fromkeys(dots, DOT)
    for row, column in marks.keys() - dots:
        if (row, column - 1) in dots:
            found[row, column] = LYING
        elif (row - 1, column) in dots:
            found[row, column] = STANDING
    return found


def ground(place: Place, last: bool) -> str:
    """The cell of a dot or a line answers to a click; a line is seen faintly before it is drawn."""
    hit = box(place, "zb-hit")
    if place.stroke == DOT:
        return hit
    if place.stroke == BOX:
        return box(replace(place, width=INSIDE, height=INSIDE), "zb-inside")
    marked = _line(place, "zb-lastline", SHORT / 2) if last else ""
    return hit + marked + ("" if place.piece else _line(place, "zb-free", SHORT))


def is_drawn(place: Place) -> bool:
    """Whether the place is that of a dot or a line, and not of a piece."""
    return place.stroke in (DOT, LYING, STANDING)


def upon(place: Place) -> str:
    """A dot, or a line from the one dot to the other."""
    if place.stroke == DOT:
        return circle(place.x, place.y, 8, "zb-point")
    return _line(place, "zb-drawn", 0) if place.piece else ""


def _line(place: Place, kind: str, short: float) -> str:
    reach = CELL - short
    if place.stroke == LYING:
        return f'<path class="{kind}" d="M{n(place.x - reach)} {n(place.y)}h{n(2 * reach)}"/>'
    return f'<path class="{kind}" d="M{n(place.x)} {n(place.y - reach)}v{n(2 * reach)}"/>'
