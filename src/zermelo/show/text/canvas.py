"""A grid of characters, each with its colours and the square it belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

Box = tuple[range, range]
"""Columns and rows."""


class Canvas:
    """A grid of characters to draw on; drawing outside is ignored.

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
        """The characters as Rich text, which Textual shows too."""
        text = Text(no_wrap=True)
        for row, (characters, styles) in enumerate(zip(self.characters, self.styles, strict=True)):
            text.append("\n" if row else "")
            for character, style in zip(characters, styles, strict=True):
                text.append(character, style)
        return text

    def square_at(self, column: int, row: int) -> int | None:
        """Return the square of a character; None if there is none."""
        return self.squares[row][column] if self._holds(column, row) else None

    def put(self, column: int, row: int, text: str, ink: str, *, bold: bool = False, ground: str | None = None) -> None:
        """Write a text over the characters; spaces are transparent, and so is a ground that is not given."""
        for at, character in enumerate(text, column):
            if character != " " and self._holds(at, row):
                self.characters[row][at] = character
                self.styles[row][at] += Style(color=ink, bold=bold, bgcolor=ground)

    def fill(self, box: Box, ground: str, square: int | None = None) -> None:
        """Fill a box, which belongs to a square or to none."""
        for row in box[1]:
            for column in box[0]:
                if self._holds(column, row):
                    self.characters[row][column] = " "
                    self.styles[row][column] += Style(bgcolor=ground)
                    self.squares[row][column] = square

    def claim(self, box: Box, square: int) -> None:
        """Assign a box to a square without drawing."""
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
