"""The outlines of chess pieces and other shapes, drawn for this package, in a box from -50 to 50."""

from __future__ import annotations

import math

KING = (
    "M-25 38H25V30H19C18 24 19 20 21 15C34 5 30 -14 15 -14C9 -14 4 -11 0 -5C-4 -11 -9 -14 -15 -14C-30 -14 -34 5 -21 15"
    "C-19 20 -18 24 -19 30H-25ZM-3 -8V-22H-10V-29H-3V-37H3V-29H10V-22H3V-8"
)
QUEEN = (
    "M-25 38H25V30H19C17 24 17 20 19 14L30 -17L15 -3L12 -26L0 -6L-12 -26L-15 -3L-30 -17L-19 14"
    "C-17 20 -17 24 -19 30H-25Z"
    "M-30 -17a4.5 4.5 0 1 1 .1 0M-12 -26a4.5 4.5 0 1 1 .1 0M12 -26a4.5 4.5 0 1 1 .1 0M30 -17a4.5 4.5 0 1 1 .1 0"
)
ROOK = "M-25 38H25V30H19L16 -10H21V-32H12V-25H5V-32H-5V-25H-12V-32H-21V-10H-16L-19 30H-25Z"
BISHOP = (
    "M-25 38H25V30H9C11 24 11 21 10 17H14V10H10C20 -1 17 -16 3 -28A4.5 4.5 0 1 0 -3 -28C-17 -16 -20 -1 -10 10"
    "H-14V17H-10C-11 21 -11 24 -9 30H-25Z"
)
KNIGHT = (
    "M-21 38H25V30H21C24 6 20 -18 3 -27L0 -36L-7 -27C-15 -23 -19 -15 -25 -3C-28 3 -26 8 -21 10C-17 11 -14 9 -12 6"
    "C-8 6 -4 5 -1 1C0 13 -14 17 -17 30H-21Z"
)
PAWN = (
    "M-21 38H21V30C21 23 13 21 9 10C7 4 7 0 7 -4H12V-10H9A14 14 0 1 0 -9 -10H-12V-4H-7C-7 0 -7 4 -9 10"
    "C-13 21 -21 23 -21 30Z"
)

PIECE_OUTLINES = {
    "♔": KING, "♕": QUEEN, "♖": ROOK, "♗": BISHOP, "♘": KNIGHT, "♙": PAWN,
    "♚": KING, "♛": QUEEN, "♜": ROOK, "♝": BISHOP, "♞": KNIGHT, "♟": PAWN,
}  # fmt: skip
"""The outline of each chess piece, filled in the colour of its side for both glyphs."""

DISC_GLYPHS = "●○"
"""Glyphs that are a stone themselves."""

CROWNED_GLYPHS, CROWN_PATH = "◉◎", "M-21 16H21L25 -12L12 0L0 -18L-12 0L-25 -12Z"
"""Glyphs of a crowned stone, as in checkers, and the path of its crown."""

PIECE_DETAILS = {
    KING: "M-19 30H19M-18 15H18", QUEEN: "M-19 30H19M-18 15H18", ROOK: "M-19 30H19M-16 -10H16",
    BISHOP: "M-9 30H9M-10 10H10M2 -20L8 -12", KNIGHT: "M-17 30H21M-10 -15L-9 -14", PAWN: "M-7 -4H7",
}  # fmt: skip
"""Lines drawn on the outlines."""

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""The pips of a die; other faces are written as numbers."""


def hexagon(x: float, y: float, width: float) -> list[tuple[float, float]]:
    """Return the corners of a hexagon that stands on a corner, clockwise from the top.

    >>> [(round(x), round(y)) for x, y in hexagon(0, 0, 52)]
    [(0, -30), (26, -15), (26, 15), (0, 30), (-26, 15), (-26, -15)]
    """
    radius = width / math.sqrt(3)
    turns = [math.pi / 3 * corner - math.pi / 2 for corner in range(6)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def arrow(start: tuple[float, float], end: tuple[float, float], width: float) -> list[tuple[float, float]]:
    """Return the corners of an arrow with a shaft as wide as `width`, which ends short of both centres."""
    (x, y), (to_x, to_y) = start, end
    length = math.hypot(to_x - x, to_y - y) or 1
    along, across = ((to_x - x) / length, (to_y - y) / length), ((y - to_y) / length, (to_x - x) / length)
    gap = min(2 * width, length / 4)
    neck = max(gap, length - gap / 2 - 2.6 * width)
    outline = [(gap, 0.5), (neck, 0.5), (neck, 1.5), (length - gap / 2, 0), (neck, -1.5), (neck, -0.5), (gap, -0.5)]
    return [
        (x + far * along[0] + side * width * across[0], y + far * along[1] + side * width * across[1])
        for far, side in outline
    ]


def seeds(count: int, radius: float) -> list[tuple[float, float]]:
    """Return the centres of `count` seeds in a round pit, evenly along a spiral."""
    step = min(0.3 * radius, 0.82 * radius / math.sqrt(max(count, 1)))
    turn = math.pi * (3 - math.sqrt(5))
    rings = [step * math.sqrt(i + 0.5 if count > 1 else 0) for i in range(count)]
    return [(ring * math.cos(i * turn), ring * math.sin(i * turn)) for i, ring in enumerate(rings)]
