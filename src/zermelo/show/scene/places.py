"""The elements of a scene: places, labels, strokes, plates and dice. A cell is CELL wide, and y grows downwards."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.board import Piece

CELL = 60.0
"""The width of a cell."""

MARGIN = 14.0
"""The margin around a board."""

LABEL_SPACE = 24.0
"""The space for labels at an edge."""

LETTER = 9.0
"""The width of a letter of a label, at the most that words have on average."""

HAND_STEP = 17.0
"""The distance between two stones of a hand."""

LARGE_WIDTH, LARGE_HEIGHT, MAX_LETTER_SCALE = 620.0, 620.0, 1.6
"""The extent of a board from which on its letters grow with it, and how far they grow at most."""

MAX_DRAWN_MATCHES = 30
"""The matches of a pile that are drawn one by one; a larger pile is a bar."""


@dataclass(frozen=True, slots=True)
class Place:
    """A square of the layout: (x, y) is its centre, `shape` what is drawn under its piece, its seeds or its value."""

    number: int
    x: float
    y: float
    width: float
    height: float
    shape: str
    name: str
    piece: Piece | None = None
    count: int | None = None
    most: int = 0
    """The count of the largest pile of the board, or the goal of a score."""
    side: int | None = None
    """The player who owns the square, if any."""
    grows: int = 0
    """The direction in which checkers stack: 1 downwards from its upper end, -1 upwards from its lower one."""
    ends: tuple[tuple[float, float], ...] = ()
    """The ends of the line for which the point stands, if it stands for one."""
    stroke: str = ""
    """The glyph of a dot, of a line between dots or of a box between lines, if the square is one of these."""
    stake: int = 0
    """The points of a score that are not banked yet."""
    heap: int | None = None
    """The pile to which a match belongs."""


@dataclass(frozen=True, slots=True)
class Label:
    x: float
    y: float
    text: str
    kind: str = "label"
    anchor: str = "middle"
    middle: tuple[float, float] | None = None
    """The centre of its table relative to (x, y): a flipped board rotates the table as a whole."""
    scale: float = 1.0
    """How much larger its letters are than usual, on a board that pages show smaller than usual."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A polyline."""

    x: float
    y: float
    points: tuple[tuple[float, float], ...]
    """Relative to (x, y)."""
    kind: str = "line"


@dataclass(frozen=True, slots=True)
class Plate:
    """A surface on which places lie; (x, y) is its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    kind: str = "plate"


@dataclass(frozen=True, slots=True)
class Die:
    x: float
    y: float
    face: int
    size: float = CELL


@dataclass(frozen=True, slots=True)
class Sign:
    """A doubling cube, or the score of a player: `words` are for screen readers."""

    x: float
    y: float
    text: str
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Hand:
    """A row of a player's stones in a table, from (x, y) to the right."""

    x: float
    y: float
    count: int
    side: int
    middle: tuple[float, float]
    """The centre of its table relative to (x, y), as that of a label."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything to be drawn, from back to front."""

    width: float
    height: float
    plates: tuple[Plate, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    labels: tuple[Label, ...] = ()
    places: tuple[Place, ...] = ()
    dice: tuple[Die, ...] = ()
    hands: tuple[Hand, ...] = ()
    signs: tuple[Sign, ...] = ()


def line_between(one: tuple[float, float], two: tuple[float, float], kind: str = "line") -> Stroke:
    return Stroke(*one, ((0.0, 0.0), (two[0] - one[0], two[1] - one[1])), kind)


def letter_scale(width: float, height: float) -> float:
    """Return how much larger letters have to be on a board of this size, which a page makes fit into a window."""
    return min(max(1.0, width / LARGE_WIDTH, height / LARGE_HEIGHT), MAX_LETTER_SCALE)


def margin_for(labels: tuple[str, ...], scale: float) -> float:
    """Return the width that row labels need, whose letters are larger by `scale`."""
    return 16 + LETTER * scale * max(map(len, labels)) if labels else 0
