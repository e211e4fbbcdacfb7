"""Canvas: a grid of characters, of which each has its colours and knows the square that it is a part of."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

Box = tuple[range, range]
"""Columns and rows."""


class Canvas:
    """A grid of characters to draw on; what lies outside is left out.

    >>> canvas = Canvas(5, 2)
    >>> canvas.fill((range(1, 4), range(2)), "#000000", square=7)
    >>> canvas.centred((range(1, 4), range(2)), ["ab"], "#ffffff")
    >>> canvas.text.plain, canvas.square_at(1, 1), canvas.square_at(0, 0), canvas.square_at(9, 9)
    (' ab  \\n     ', 7, None, None)
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.characters = [[" "] * width for _ in range(height)]
        self.styles = [[Style()] * width for _ in range(height)]
        self.squares: list[list[int | None]] = [[None] * width for _ in range(height)]

    @property
    def text(self) -> Text:
        """The picture for Rich, and so for Textual."""
        text = Text(no_wrap=True)
        for row, (characters, styles) in enumerate(zip(self.characters, self.styles, strict=True)):
            text.append("\n" if row else "")
            for character, style in zip(characters, styles, strict=True):
                text.append(character, style)
        return text

    def square_at(self, column: int, row: int) -> int | None:
        """The number of the square to which a character belongs; None where there is none."""
        return self.squares[row][column] if self._holds(column, row) else None

    def put(self, column: int, row: int, text: str, ink: str, *, bold: bool = False, ground: str | None = None) -> None:
        """Write over what is there; spaces let it through, and so does a ground that is not given."""
        for at, character in enumerate(text, column):
            if character != " " and self._holds(at, row):
                self.characters[row][at] = character
                self.styles[row][at] += Style(color=ink, bold=bold, bgcolor=ground)

    def fill(self, box: Box, ground: str, square: int | None = None) -> None:
        """Cover a box, which is a part of a square or of none."""
        for row in box[1]:
            for column in box[0]:
                if self._holds(column, row):
                    self.characters[row][column] = " "
                    self.styles[row][column] += Style(bgcolor=ground)
                    self.squares[row][column] = square

    def claim(self, box: Box, square: int) -> None:
        """Make a box a part of a square, and leave it as it looks."""
        for row in box[1]:
            for column in box[0]:
                if self._holds(column, row):
                    self.squares[row][column] = square

    def centred(
        self, box: Box, lines: Sequence[str], ink: str, *, bold: bool = False, ground: str | None = None
    ) -> None:
        """Write lines in the middle of a box."""
        columns, rows = box
        for i, line in enumerate(lines):
            column = columns[0] + (len(columns) - len(line)) // 2
            self.put(column, rows[0] + (len(rows) - len(lines)) // 2 + i, line, ink, bold=bold, ground=ground)

    def _holds(self, column: int, row: int) -> bool:
        return 0 <= column < self.width and 0 <= row < self.height
