"""Places: what a board laid out in the plane is made of. A cell is CELL wide, and y grows downwards."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.board import Piece

CELL = 60.0
"""The width of a cell."""

EDGE = 14.0
"""What is left free around a board."""

LABEL = 24.0
"""The room for labels at an edge."""

LONGEST_PILE = 30
"""Of more matches, or points, a bar is drawn in place of each one."""


@dataclass(frozen=True, slots=True)
class Place:
    """A square where it lies: (x, y) is its centre, `shape` what is drawn under its piece, its seeds or its value."""

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
    """What the largest pile of the board holds."""
    side: int | None = None
    """Whose the square is, where it is somebody's."""
    grows: int = 0
    """Which way checkers stack on it: 1 downwards from its upper end, -1 upwards from its lower one."""
    stroke: str = ""
    """The glyph of a dot, of a line between dots or of a box between lines, where the square is the place of one."""


@dataclass(frozen=True, slots=True)
class Label:
    x: float
    y: float
    text: str
    kind: str = "label"
    anchor: str = "middle"
    middle: tuple[float, float] | None = None
    """Where the middle of its table lies, seen from (x, y): a board that is turned round turns the table as a whole."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line along these points."""

    x: float
    y: float
    points: tuple[tuple[float, float], ...]
    """Each seen from (x, y)."""
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
class Scene:
    """All that is to be drawn, from the back to the front."""

    width: float
    height: float
    plates: tuple[Plate, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    labels: tuple[Label, ...] = ()
    places: tuple[Place, ...] = ()
    dice: tuple[Die, ...] = ()


def line_between(one: tuple[float, float], two: tuple[float, float], kind: str = "line") -> Stroke:
    return Stroke(*one, ((0.0, 0.0), (two[0] - one[0], two[1] - one[1])), kind)


def margin_for(labels: tuple[str, ...]) -> float:
    """The room that labels at the left need."""
    return 16 + 9 * max(map(len, labels)) if labels else 0
