"""Drawings of pieces that have a shape of their own: animals, pins, chocolate, and the tokens of Quarto.

Each was drawn for this package, in a box from -50 to 50. An animal has two inks: `ink` on its stone or tile, and
`paper` in the colour of its side, for the eyes.
"""

from __future__ import annotations

import math

from zermelo.board import Piece
from zermelo.show.scene.places import CELL, Place
from zermelo.show.svg.svg_elements import circle, n

SCALE = CELL / 100
"""From the box of a drawing to a cell."""

Part = tuple[str, str]
"""The class of a path, ink or paper, and the path."""


def _disc(x: float, y: float, rx: float, ry: float | None = None) -> str:
    """The path of a disc, or of an ellipse."""
    ry = rx if ry is None else ry
    return f"M{n(x - rx)} {n(y)}a{n(rx)} {n(ry)} 0 1 0 {n(2 * rx)} 0a{n(rx)} {n(ry)} 0 1 0 {n(-2 * rx)} 0"


def _pair(x: float, y: float, rx: float, ry: float | None = None) -> str:
    """Two discs, left and right of the middle."""
    return _disc(-x, y, rx, ry) + _disc(x, y, rx, ry)


MANE = "".join(
    _disc(27 * math.cos(k * math.pi / 6), 27 * math.sin(k * math.pi / 6), 10) for k in range(12)
)  # a ring of tufts
BIRD = _disc(0, 6, 27)
BEAK = "M-8 6H8L0 16Z"

ANIMALS: dict[str, tuple[Part, ...]] = {
    "lion": (
        ("ink", MANE),
        ("paper", _disc(0, 0, 22)),
        ("ink", f"{_pair(8, -5, 3.4)}M-6 4H6L0 11Z"),
        ("line", "M0 11V14C-3 19 -9 18 -10 14M0 14C3 19 9 18 10 14"),
    ),
    "elephant": (
        ("ink", _pair(25, -7, 13, 19)),
        ("paper", "M-23 -8A23 24 0 0 1 23-8C23 8 15 14 12 18C10 26 11 30 6 37C-6 41 -14 38 -13 20C-16 12 -23 8 -23 -8"),
        ("ink", "M-20 -8A20 21 0 0 1 20 -8C20 8 12 12 9 18C8 26 13 27 11 33C3 38 -10 36 -10 20C-13 12 -20 8 -20 -8Z"),
        ("paper", _pair(9, -8, 3.2)),
    ),
    "giraffe": (
        ("ink", f"{_pair(9, -37, 4.5)}M-11 -36H-7L-5 -20H-10ZM11 -36H7L5 -20H10Z"),
        ("ink", "M-14 -18L-33 -24C-32 -14 -24 -9 -14 -10ZM14 -18L33 -24C32 -14 24 -9 14 -10Z"),
        ("ink", "M-16 -18C-14 -30 14 -30 16 -18C16 -6 13 6 16 20C18 38 -18 38 -16 20C-13 6 -16 -6 -16 -18Z"),
        ("paper", _pair(8, -10, 3.2) + _pair(6, 23, 2.6)),
    ),
    "chick": (
        ("ink", f"{BIRD}M-4 -20C-12 -30 -4 -38 -2 -40C-2 -34 2 -34 6 -37C4 -32 6 -26 4 -20Z"),
        ("paper", f"{_pair(11, -3, 3.6)}{BEAK}"),
    ),
    "hen": (
        ("ink", f"{BIRD}{_pair(10, -23, 8)}{_disc(0, -28, 9)}"),
        ("paper", f"{_pair(11, -1, 3.6)}{BEAK}{_disc(0, 22, 4.5, 6)}"),
    ),
    "fox": (
        ("ink", "M-33 -34L-14 -19Q0 -24 14 -19L33 -34Q38 -2 0 36Q-38 -2 -33 -34Z"),
        ("paper", f"{_pair(12, -5, 3.6)}M-26 4Q-12 6 -3 27L0 36Q-19 17 -26 4ZM26 4Q12 6 3 27L0 36Q19 17 26 4Z"),
        ("ink", _disc(0, 31, 5)),
    ),
    "goose": (
        ("ink", "M-38 -19L-25 -27C-20 -36 -4 -34 -3 -20C-2 -8 -4 -2 2 6C12 8 26 8 38 0C36 20 24 33 6 33C-14 33 -27 24"
                " -26 12C-25 0 -14 -2 -15 -12C-18 -16 -24 -14 -38 -19Z"),
        ("paper", f"{_disc(-14, -22, 2.8)}M-8 14Q8 20 24 12Q14 28 -2 24Q-10 21 -8 14Z"),
    ),
    "hare": (
        ("ink", "M-16 -8C-26 -24 -22 -42 -15 -42C-7 -42 -3 -24 -4 -8ZM16 -8C26 -24 22 -42 15 -42C7 -42 3 -24 4 -8Z"),
        ("ink", _disc(0, 13, 23)),
        ("paper", f"{_pair(9, 8, 3.4)}M-5 17H5L0 23Z"),
    ),
    "hound": (
        ("ink", "M-17 -22Q0 -32 17 -22Q21 -6 15 10Q14 34 0 34Q-14 34 -15 10Q-21 -6 -17 -22Z"),
        ("ink", "M-19 -21C-39 -22 -40 8 -31 20C-21 16 -21 -4 -19 -21ZM19 -21C39 -22 40 8 31 20C21 16 21 -4 19 -21Z"),
        ("paper", f"{_pair(8, -6, 3.4)}{_disc(0, 18, 7.5, 5.5)}"),
    ),
    "musketeer": (
        ("ink", "M-37 2C-22 -2 -20 -12 -17 -22C-10 -31 10 -31 17 -22C20 -12 22 -2 37 2C20 16 -20 16 -37 2Z"),
        ("paper", "M-18 -8Q6 -2 20 -10L21 -5Q4 4 -19 -3Z"),
        ("ink", "M0 21C-5 15 -14 18 -24 28C-12 31 -3 29 0 24C3 29 12 31 24 28C14 18 5 15 0 21Z"),
    ),
}  # fmt: skip
"""The animals, and the musketeer, which stand on a stone of their side."""

TILED = frozenset({"lion", "elephant", "giraffe", "chick", "hen"})
"""The animals that stand on a tile of wood, as in dobutsu shogi."""

THINGS: dict[str, tuple[Part, ...]] = {
    "pin": (
        ("pin", "M0 -42C-10 -42 -12 -30 -8 -19C-7 -12 -17 0 -17 17C-17 29 -12 38 -10 41H10C12 38 17 29 17 17C17 0 7 -12"
                " 8 -19C12 -30 10 -42 0 -42Z"),
        ("band", "M-9 -18H9M-9 -10.5H9"),
    ),
    "chocolate": (("chocolate", "M-45 -45H45V45H-45Z"), ("gloss", "M-33 33V-33H33")),
    "poison": (
        ("chocolate", "M-45 -45H45V45H-45Z"),
        ("skull", "M0 -30C-34 -30 -30 8 -15 12V26H15V12C30 8 34 -30 0 -30Z"),
        ("chocolate", f"{_pair(11, -6, 6.5)}M0 3L-4 11H4Z"),
        ("chocolate-line", "M-5 17V26M5 17V26"),
    ),
    "tile": (("tile", "M-40 -43H40Q43 -43 43 -40V40Q43 43 40 43H-40Q-43 43 -43 40V-40Q-43 -43 -40 -43Z"),),
    "both": (("stone0", "M0 -38A38 38 0 0 0 0 38Z"), ("stone1", "M0 -38A38 38 0 0 1 0 38Z")),
    "runner": (("runner", "M-22 36H22V29C22 21 12 18 9 4H14V-3H10A15 15 0 1 0 -10 -3H-14V4H-9C-12 18 -22 21 -22 29Z"),),
}  # fmt: skip
"""Things without an owner; "both" is a stone of either player in the same place."""


def drawing(place: Place, piece: Piece) -> str:
    """Return the drawing of a piece that has a shape, in its cell."""
    name, *words = piece.shape.split()
    if name == "tile" and piece.side is not None:
        return _framed(place, _laid_tile(words, piece.side))
    if name == "token":
        return _framed(place, _token(frozenset(words)))
    if name in THINGS:
        return _framed(place, "".join(f'<path class="zb-{kind}" d="{path}"/>' for kind, path in THINGS[name]))
    side = 0 if piece.side is None else piece.side
    inside = "".join(f'<path class="zb-{kind}{side}" d="{path}"/>' for kind, path in ANIMALS[name])
    if name not in TILED:
        return circle(place.x, place.y, 0.42 * CELL, f"zb-stone{side}") + _framed(place, inside, 0.84)
    return _framed(place, f'<rect class="zb-stone{side}" x="-44" y="-44" width="88" height="88" rx="16"/>{inside}')


def _framed(place: Place, inside: str, size: float = 1.0) -> str:
    return f'<g transform="translate({n(place.x)} {n(place.y)}) scale({n(size * SCALE)})">{inside}</g>'


TURNS = {"right": 0, "below": 90, "left": 180, "above": 270}


def _laid_tile(joined: list[str], side: int) -> str:
    """Return a tile of a player, without an edge where it goes on in the next cell."""
    if len(joined) != 1:
        return f'<path class="zb-stone{side}" d="{THINGS["tile"][0][1]}"/>'
    half = "M51 -42H-34Q-42 -42 -42 -34V34Q-42 42 -34 42H51"
    return f'<path class="zb-stone{side} zb-half" transform="rotate({TURNS[joined[0]]})" d="{half}"/>'


def _token(words: frozenset[str]) -> str:
    """Return a token of Quarto, seen from above at an angle: light, short, round and solid without other words."""
    tone, top, foot = "1" if "dark" in words else "0", -24 if "tall" in words else 4, 30
    if "square" in words:
        walls = f"M-27 {top}L0 {top + 12}L27 {top}V{foot}L0 {foot + 12}L-27 {foot}Z"
        face, seam = f"M-27 {top}L0 {top - 12}L27 {top}L0 {top + 12}Z", f"M0 {top + 12}V{foot + 12}"
    else:
        walls = f"M-24 {top}V{foot}A24 10 0 0 0 24 {foot}V{top}Z"
        face, seam = _disc(0, top, 24, 10), ""
    hole = f'<path class="zb-pit{tone}" d="{_disc(0, top, 12, 5)}"/>' if "hollow" in words else ""
    line = f'<path class="zb-seam{tone}" d="{seam}"/>' if seam else ""
    return f'<path class="zb-walls{tone}" d="{walls}"/>{line}<path class="zb-face{tone}" d="{face}"/>{hole}'
