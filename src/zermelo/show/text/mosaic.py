"""Boards of block characters for a full-screen terminal, large enough to be clicked.

A scene is drawn on a grid of characters, each with its colours and the square it belongs to. Pieces consist of blocks:
six by three characters a square if there is room, else four by two, else two by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from zermelo.board import Board, Marks, Tag
from zermelo.show.scene.board_scene import CELL, MAX_DRAWN_MATCHES, Die, Label, Place, Scene, Stroke, scene
from zermelo.show.svg import piece_shapes, theme
from zermelo.show.svg.checker_stacks import MAX_DRAWN_STACK
from zermelo.show.text.canvas import Box, Canvas

CELL_SIZES = ((6, 3), (4, 2), (2, 1))
"""The width and height of a cell in characters, the largest first."""

Drawing = tuple[str, ...]
"""A few lines of characters."""

STONE_BLOCKS: dict[int, tuple[Drawing, Drawing]] = {
    3: ((" ▄▄▄▄ ", "▐████▌", " ▀▀▀▀ "), (" ▄▄▄▄ ", "▐█▌▐█▌", " ▀▀▀▀ ")),
    2: (("▗██▖", "▝██▘"), ("▗▛▜▖", "▝▙▟▘")),
    1: (("●",), ("○",)),
}
"""The stones of the first and of the second player, by their height: a second player's has a hole."""

CHECKER_BLOCKS: dict[int, tuple[Drawing, Drawing]] = {
    6: (("▗██▖", "▝▀▀▘"), ("▗▛▜▖", "▝▀▀▘")),
    4: (("▄▄▄▄",), ("▗▄▄▖",)),
    2: (("▄▄",), ("▗▖",)),
}
"""Checkers that are distinct from those below them, by the width of a cell."""

HOLE_BLOCKS: dict[int, Drawing] = {3: STONE_BLOCKS[3][0], 2: (" ▄▄ ", " ▀▀ "), 1: ("·",)}

SIGN_BLOCKS: dict[int, dict[str, Drawing]] = {
    3: {"X": (" ▄  ▄ ", "  ██  ", " ▀  ▀ "), "O": ("  ▄▄  ", " █  █ ", "  ▀▀  ")},
    2: {"X": (" ▚▞ ", " ▞▚ "), "O": (" ▛▜ ", " ▙▟ ")},
    1: {"X": ("X",), "O": ("O",)},
}
FILLED_GLYPHS = dict(zip("♔♕♖♗♘♙", "♚♛♜♝♞♟", strict=True))
"""The filled glyph of each chess piece, which shows the colour of its side."""

SPIKES = ("spike0", "spike1")
CELL_SHADES = {"dark": ("#20242b", "#2a2f38"), "light": ("#f7f5f0", "#ebe7de")}
"""Alternate shades of the cells of a grid that is not checkered: they replace the lines between cells."""

SQUARE_COLOURS = {"hole": "plate", "pit": "hole", "store": "hole", "pile": "cell", "match": "cell", "bright": "bright",
           "dark": "dark", "spike0": "spike", "spike1": "spike-by", "bar": "frame", "slot": "felt"}  # fmt: skip
"""The colour of squares by their shape."""


@dataclass(frozen=True, slots=True)
class Look:
    """The highlights of a board: its marks, the squares clicked so far, and the keyboard cursor."""

    marks: Marks = field(default_factory=Marks)
    clicked: Sequence[int] = ()
    cursor: int | None = None


class Mosaic(Canvas):
    """A board as rows of characters. `size` is the available space; the largest cells that fit are used.

    >>> from zermelo.board import Grid
    >>> mosaic = Mosaic(Grid(("X.", ".O")), size=(20, 10))
    >>> print("|".join(line.rstrip() for line in mosaic.text.plain.splitlines()))
    |  ▄  ▄|   ██|  ▀  ▀|         ▄▄|        █  █|         ▀▀|
    >>> mosaic.square_at(2, 1), mosaic.square_at(8, 4), mosaic.square_at(0, 0)
    (0, 3, None)
    """

    def __init__(
        self, board: Board, look: Look | None = None, *, size: tuple[int, int] = (80, 24), dark: bool = True
    ) -> None:
        self.look = look or Look()
        self.colours: Mapping[str, str] = theme.BOARD_DARK if dark else theme.BOARD_LIGHT
        self.tints = theme.tints(board)
        chess = theme.needs_ground(self.tints)  # white and black are visible on chess squares in either theme
        self.shades = self._pair("bright", "dark") if chess else CELL_SHADES["dark" if dark else "light"]
        laid = scene(board)
        self.across, self.down = next((each for each in CELL_SIZES if _fits(laid, each, size)), CELL_SIZES[-1])
        self.fields = _fields(laid)
        values = max((len(value.text) for _, value in self.fields), default=0)
        super().__init__(max(self._x(laid.width) + 1, 2 + self._margin() + values), self._y(laid.height) + 1)
        self._draw(laid)

    def _pair(self, one: str, other: str) -> tuple[str, str]:
        return self.colours[one], self.colours[other]

    # -- from the plane to the grid ------------------------------------------------------------------------------------

    def _x(self, x: float) -> int:
        return round(x * self.across / CELL)

    def _y(self, y: float) -> int:
        return round(y * self.down / CELL)

    def _row(self, y: float) -> int:
        """The row in which a point lies."""
        return int(y * self.down / CELL)

    def _box(self, x: float, y: float, width: float, height: float) -> Box:
        """The columns and rows of a box around (x, y)."""
        left, top = self._x(x - width / 2), self._y(y - height / 2)
        return range(left, max(self._x(x + width / 2), left + 1)), range(top, max(self._y(y + height / 2), top + 1))

    # -- what there is to draw -----------------------------------------------------------------------------------------

    def _draw(self, laid: Scene) -> None:
        for plate in laid.plates:
            box = self._box(plate.x + plate.width / 2, plate.y + plate.height / 2, plate.width, plate.height)
            self.fill(box, self.colours[plate.kind])
        for stroke in laid.strokes:
            if stroke.kind == "line":
                self._line(stroke)
        for place in laid.places:
            self._place(place)
        in_fields = {label for pair in self.fields for label in pair}
        for label in laid.labels:
            if label not in in_fields:
                shift = {"middle": len(label.text) // 2, "start": 0, "end": len(label.text)}[label.anchor]
                self.put(self._x(label.x) - shift, self._row(label.y), label.text, self._ink(label))
        for i, (name, value) in enumerate(self.fields):
            row = self._row(self.fields[0][0].y) + i
            self.put(1, row, name.text, self._ink(name))
            self.put(1 + self._margin(), row, value.text, self._ink(value))
        for die in laid.dice:
            self._die(die, next((place.number for place in laid.places if place.shape == "dice"), None))
        for sign in laid.signs:
            self.put(self._x(sign.x) - len(sign.text) // 2, self._row(sign.y), sign.text, self.colours["ink"])

    def _ink(self, label: Label) -> str:
        if label.kind == "tip" and self.across == 2:  # names that touch each other differ in their ink
            return self.colours[("soft", "ink")[round(label.x / CELL) % 2]]
        return self.colours["soft" if label.kind in ("label", "name", "tip") else "ink"]

    def _margin(self) -> int:
        """Return how far from the edge the values of fields stand; letters take more room here than in the scene."""
        return 2 + max((len(name.text) for name, _ in self.fields), default=0)

    def _line(self, stroke: Stroke) -> None:
        """A line between two points; what the points cover is drawn later."""
        (x0, y0), (x1, y1) = ((self._x(stroke.x + x), self._y(stroke.y + y)) for x, y in stroke.points)
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        sign = "─" if y0 == y1 else "│" if x0 == x1 else "╲" if (x1 > x0) == (y1 > y0) else "╱"
        for step in range(steps + 1):
            x, y = round(x0 + (x1 - x0) * step / steps), round(y0 + (y1 - y0) * step / steps)
            self.put(x, y, sign, self.colours["line"])

    def _place(self, place: Place) -> None:
        height = CELL * sqrt(3) / 2 if place.shape == "hex" else place.height
        box = self._box(place.x, place.y, place.width, height)
        if place.shape == "point":
            self._point(place, box)
        elif place.shape in ("score", "dice"):  # drawn as a bar, and as dice
            self.claim(box, place.number)
        elif place.grows:
            self._stack(place, box)
        else:
            self.fill(box, self._ground(place), place.number)
        if place.piece is not None:
            self._piece(place, box)
        elif place.count is not None and not place.grows:
            self._counted(place, box)
        elif place.shape == "hole":
            self.centred(box, HOLE_BLOCKS[self.down], self.colours["hole"])
        self._marks(place, box)

    def _point(self, place: Place, box: Box) -> None:
        """A point keeps the lines that pass under it."""
        self.claim(box, place.number)
        ground = self._marked(place)
        if ground:
            self.fill(box, ground, place.number)
        self.put(self._x(place.x), self._y(place.y), "•", self.colours["ink"])

    def _stack(self, place: Place, box: Box) -> None:
        """Draw checkers on a point, on the bar or in a tray; a stack that does not fit shows its number."""
        columns, rows = box
        self.fill(box, self.colours["felt"] if place.shape in SPIKES else self._ground(place), place.number)
        if place.shape in SPIKES:
            self._spike(place, box)
        side, count = place.side or 0, place.count or 0
        size = 2 if len(columns) < 4 else 4 if place.shape == "slot" or len(rows) <= 2 * MAX_DRAWN_STACK else 6
        checker = CHECKER_BLOCKS[size][side]
        tall = len(checker)
        levels = rows[:: place.grows]
        seen = min(count, (len(rows) - 1) // tall)  # the tip is left free for marks
        ink = self.colours[self.tints[side]]
        for level in range(seen):
            part = levels[tall * level : tall * (level + 1)]
            here = columns, range(min(part), max(part) + 1)
            if level == seen - 1 and count > seen:
                self.centred(here, (str(count),), self.colours["ink"], bold=True)
            else:
                self.centred(here, checker, ink)

    def _spike(self, place: Place, box: Box) -> None:
        """A triangle in blocks, narrow at its tip."""
        columns, rows = box
        for level, row in enumerate(rows[:: place.grows]):
            inset = level * len(columns) // (2 * len(rows))
            self.fill((columns[inset : len(columns) - inset], range(row, row + 1)), self._ground(place), place.number)

    def _ground(self, place: Place) -> str:
        marked = self._marked(place)
        if marked:
            return marked
        if place.shape in ("cell", "hex"):
            return self.shades[(round(place.x / CELL - 0.01) + round(place.y / CELL - 0.01)) % 2]
        return self.colours[SQUARE_COLOURS[place.shape]]

    def _marked(self, place: Place) -> str:
        """Return the ground of a highlighted square; an empty text for others."""
        if place.number in self.look.clicked:
            return self.colours["target"]
        return self.colours["last"] if place.number in self.look.marks.last else ""

    def _piece(self, place: Place, box: Box) -> None:
        """Draw a chess piece, a cross or a ring, a stone with or without a sign on it, or a sign alone."""
        piece = place.piece
        assert piece is not None
        sign = piece.glyph or piece.mark
        tall = max(size for size in STONE_BLOCKS if size <= max(len(box[1]), 1))
        ink = self.colours[self.tints[piece.side]] if piece.side is not None else self.colours["ink"]
        coloured = self.tints != theme.DEFAULT_SIDES
        if sign in piece_shapes.PIECE_OUTLINES:
            man = ink if coloured else self.colours[("white", "black")[piece.side or 0]]
            self.centred(box, (FILLED_GLYPHS.get(sign, sign),), man, bold=True)
        elif not piece.glyph and piece.mark in "XO" and place.shape in ("cell", "bright", "dark"):
            self.centred(box, SIGN_BLOCKS[tall][piece.mark], ink)
        elif piece.side is not None and (sign in piece_shapes.DISC_GLYPHS or (not piece.glyph and piece.mark in "XO")):
            self.centred(box, STONE_BLOCKS[tall][piece.side if theme.patterned(self.tints) else 0], ink)
        elif piece.side is None or tall == 1:
            self.centred(box, (sign,), ink, bold=True)
        else:
            upon = "♛" if sign in piece_shapes.CROWNED_GLYPHS else sign
            self.centred(box, STONE_BLOCKS[tall][0], ink)
            self.centred(box, (upon,), self.colours[f"on-{self.tints[piece.side]}"], bold=True, ground=ink)

    def _counted(self, place: Place, box: Box) -> None:
        """Seeds or matches, one by one where there is room."""
        columns, rows = box
        count = place.count or 0
        if place.shape == "score":
            self._score(place, columns, rows[-1])
            return
        if place.shape == "match":
            self.centred(box, ("┃",), self.colours["seed"], bold=True)
            return
        if place.shape == "pile":
            few = place.most <= MAX_DRAWN_MATCHES and 2 * place.most <= len(columns)
            line = "┃ " * count if few else "█" * round((len(columns) - 2) * count / max(place.most, 1))
            self.put(columns[0] + 1, self._row(place.y), line, self.colours["seed"], bold=True)
            return
        room = max(len(columns) // 2, 1)
        lines = [("• " * min(room, count - at)).rstrip() for at in range(0, count, room)]
        self.centred(box, lines if len(lines) <= len(rows) else (str(count),), self.colours["seed"], bold=True)

    def _score(self, place: Place, columns: range, row: int) -> None:
        """A bar that grows towards the goal, and paler what is at stake."""
        count = place.count or 0
        shares = (min(points / place.most, 1) for points in (count, count + place.stake))
        banked, reached = (round(len(columns) * share) for share in shares)
        self.fill((columns, range(row, row + 1)), self._marked(place) or self.colours["cell"], place.number)
        line = "█" * banked + "▒" * (reached - banked)
        self.put(columns[0], row, line, self.colours[self.tints[place.side or 0]])

    def _die(self, die: Die, square: int | None) -> None:
        box = self._box(die.x, die.y, die.size, die.size)
        self.fill(box, self.colours["ink"], square)
        columns, rows = box
        if die.face not in piece_shapes.PIPS or len(rows) < 3:
            self.centred(box, (str(die.face or "?"),), self.colours["page"], bold=True)
            return
        for x, y in piece_shapes.PIPS[die.face]:
            self.put(columns[0] + (1, 2, 4)[1 + x], rows[1 + y], "●", self.colours["page"])

    def _marks(self, place: Place, box: Box) -> None:
        """Draw the target mark, the value and the keyboard cursor of a square."""
        columns, rows = box
        inside = (columns, rows[-1:] if place.grows > 0 else rows[:1]) if place.grows else box
        if place.number in self.look.marks.targets:
            self.centred(inside, ("◆",), self.colours["target"], bold=True)
        if tag := self.look.marks.values.get(place.number):
            self._tag(inside, tag)
        if place.number == self.look.cursor:
            corners = ((columns[0], rows[0], "┏"), (columns[-1], rows[0], "┓"),
                       (columns[0], rows[-1], "┗"), (columns[-1], rows[-1], "┛"))  # fmt: skip
            brackets = corners if len(rows) > 1 else ((columns[0], rows[0], "["), (columns[-1], rows[0], "]"))
            for column, row, sign in brackets:
                self.put(column, row, sign, self.colours["last-edge"], bold=True)

    def _tag(self, box: Box, tag: Tag) -> None:
        """A value at the bottom of a square."""
        bottom = box[0], box[1][-1:]
        self.centred(bottom, (tag.text[: len(box[0])],), self.colours["on-tone"], ground=self.colours[tag.tone])


def _fits(laid: Scene, cell: tuple[int, int], size: tuple[int, int]) -> bool:
    return laid.width * cell[0] / CELL + 1 <= size[0] and laid.height * cell[1] / CELL + 1 <= size[1]


def _fields(laid: Scene) -> list[tuple[Label, Label]]:
    """The names and values of a table, which are set closer in a terminal than in the scene."""
    pairs = zip(laid.labels, laid.labels[1:], strict=False)
    return [(name, value) for name, value in pairs if value.kind == "field"]
