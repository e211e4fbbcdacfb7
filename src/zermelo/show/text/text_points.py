"""Boards of points and lines as text: four columns and two rows from one point to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.text import Text

from zermelo.board import Points, piece_at
from zermelo.show.scene.point_layout import edge_names, nearest
from zermelo.show.text.square_text import LABEL_STYLE, Signs

COLUMN_STEP, ROW_STEP = 4, 2
"""Columns and rows between neighbours."""

LINE_CHARACTERS = {"across": ("-", "─"), "down": ("|", "│"), "falling": ("\\", "╲"), "rising": ("/", "╱")}


@dataclass
class CharacterGrid:
    """Characters by row and column."""

    cells: dict[tuple[int, int], Text] = field(default_factory=dict)

    def put(self, row: int, column: int, text: Text) -> None:
        for i, character in enumerate(text.divide(range(1, len(text)))):
            self.cells[row, column + i] = character

    def text(self) -> Text:
        """All rows, each as long as it must be."""
        rows, left = max(row for row, _ in self.cells) + 1, min(0, *(column for _, column in self.cells))
        lines = []
        for row in range(rows):
            right = max((column for at, column in self.cells if at == row), default=left - 1)
            blank = Text(" ")
            lines.append(Text("").join(self.cells.get((row, column), blank) for column in range(left, right + 1)))
        return Text("\n").join(lines)


def drawn_points(board: Points, signs: Signs) -> Text:
    """Return the points with their pieces, the lines between, and their names: at the edges if these are columns and
    rows.
    """
    spots, canvas, edges = _spots(board), CharacterGrid(), edge_names(board)
    for one, two in board.lines:
        start, end = sorted((spots[one], spots[two]))
        _draw_line(canvas, start, end, int(signs.unicode))
    for number, (row, column) in enumerate(spots):
        sign = signs.at(number, piece_at(board.pieces, board.cells[number]))
        if edges is None and board.names and number not in signs.marks.values:
            sign = _named(sign, board.names[number], empty=board.cells[number] == ".")
        canvas.put(row, column - (len(sign) - 1) // 2, sign)
    if edges is not None:
        _draw_edges(board, spots, edges, canvas)
    return canvas.text()


def _spots(board: Points) -> list[tuple[int, int]]:
    """The row and the column of each point."""
    unit = nearest(board.places)
    left, top = (min(place[axis] for place in board.places) for axis in (0, 1))
    return [(round((y - top) / unit * ROW_STEP), round((x - left) / unit * COLUMN_STEP)) for x, y in board.places]


def _named(sign: Text, name: str, *, empty: bool) -> Text:
    """Return a point with its name; an empty point is its name alone."""
    return Text(name, sign.style) if empty else sign.append(name)


def _draw_line(canvas: CharacterGrid, start: tuple[int, int], end: tuple[int, int], unicode: int) -> None:
    """A line downwards, or along a row, without its ends."""
    (top, left), (bottom, right) = start, end
    if top == bottom:
        for column in range(left + 1, right):
            canvas.put(top, column, Text(LINE_CHARACTERS["across"][unicode], LABEL_STYLE))
    for row in range(top + 1, bottom):
        column = round(left + (right - left) * (row - top) / (bottom - top))
        kind = "down" if left == right else "falling" if left < right else "rising"
        canvas.put(row, column, Text(LINE_CHARACTERS[kind][unicode], LABEL_STYLE))


def _draw_edges(
    board: Points, spots: list[tuple[int, int]], edges: tuple[dict[float, str], dict[float, str]], canvas: CharacterGrid
) -> None:
    """The labels of rows at the left, of columns below."""
    columns, rows = edges
    bottom = max(row for row, _ in spots) + 1
    margin = max(map(len, rows.values())) + 1
    for (x, y), (row, column) in zip(board.places, spots, strict=True):
        canvas.put(row, -margin, Text(f"{rows[y]:>{margin - 1}} ", LABEL_STYLE))
        canvas.put(bottom, column, Text(columns[x], LABEL_STYLE))
