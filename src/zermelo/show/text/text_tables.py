"""The tables of backgammon in characters: stacks that grow from the edges, the bar between, and trays at the right."""

from __future__ import annotations

from rich.text import Text

from zermelo.board import Tables
from zermelo.show.scene.table_layout import column_of, left_half, point_names
from zermelo.show.svg.checker_stacks import TALLEST
from zermelo.show.text.square_text import LABELS, LAST, PLAYERS, TARGET, Signs, dice
from zermelo.show.text.text_points import Canvas

NAMES, RULE = 0, 1
"""Rows outside those of the stacks."""


def drawn_tables(board: Tables, signs: Signs) -> Text:
    """The board in its frame, the names of points beyond it; what is marked stands in a row of its own."""
    return _Sheet(board, signs).text()


class _Sheet:
    """A board on its canvas. Rows are counted from either edge, so that both are drawn alike."""

    def __init__(self, board: Tables, signs: Signs) -> None:
        self.board, self.signs, self.canvas = board, signs, Canvas()
        self.points, self.columns = len(board.points), len(board.points) // 2
        self.names = point_names(board)
        marks = signs.marks
        self.wide = max([2, *map(len, self.names), *(len(tag.text) for tag in marks.values.values())])
        marked = any(square in marks.values or square in marks.targets for square in range(self.points))
        self.middle = RULE + TALLEST + marked + 1
        self.bar = left_half(board) * (self.wide + 1) + 2
        self.right = self.bar + 6 + (self.columns - left_half(board)) * (self.wide + 1)

    def text(self) -> Text:
        self._frame()
        for point, checkers in enumerate(self.board.points):
            lower, end = point < self.columns, self._end(column_of(self.board, point))
            self._put(NAMES, lower, end, Text(self.names[point], LABELS))
            self._stack(point, checkers, lower, end, empty=True)
        for side in (0, 1):
            checkers = self.board.bar[side] * (1 - 2 * side)
            self._stack(self.points + side, checkers, side == 0, self.bar + 2, from_middle=True)
            self._tray(self.points + 2 + side, side)
        return self.canvas.text()

    def _end(self, column: int) -> int:
        """Where the signs of a column end."""
        return (column + 1) * (self.wide + 1) + (6 if column >= left_half(self.board) else 0)

    def _put(self, row: int, lower: bool, end: int, sign: Text) -> None:
        if sign:
            self.canvas.put(2 * self.middle - row if lower else row, end - len(sign) + 1, sign)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _frame(self) -> None:
        across, down, corners = ("─", "│", "┌┬┬┐└┴┴┘") if self.signs.unicode else ("-", "|", "+" * 8)
        posts = (0, self.bar, self.bar + 4, self.right)
        for lower in (False, True):
            self._put(RULE, lower, self.right, Text(across * (self.right + 1)))
            for post, corner in zip(posts, corners[4:] if lower else corners[:4], strict=True):
                self._put(RULE, lower, post, Text(corner))
            self._put(NAMES, lower, self.bar + 3, Text("bar", LABELS))
            self._put(NAMES, lower, self.right + 4, Text("off", LABELS))
        for row in range(RULE + 1, 2 * self.middle - RULE):
            for post in posts:
                self.canvas.put(row, post, Text(down))
        thrown = dice(self.board.dice)
        self._put(self.middle, False, (self.bar + 4 + self.right + len(thrown)) // 2, thrown)

    def _stack(
        self, square: int, checkers: int, lower: bool, end: int, *, empty: bool = False, from_middle: bool = False
    ) -> None:
        """Checkers from the edge inwards, or from the middle outwards; a number ends a stack of many."""
        count, side = abs(checkers), int(checkers < 0)
        style = f"{PLAYERS[side]} {LAST}" if square in self.signs.marks.last else PLAYERS[side]
        for level in range(min(count, TALLEST)):
            row = self.middle - 1 - level if from_middle else RULE + 1 + level
            is_number = level == TALLEST - 1 and count > TALLEST
            sign = str(count) if is_number else ("●○" if self.signs.unicode else "XO")[side]
            self._put(row, lower, end, Text(sign, style))
        if not count and empty:
            self._put(RULE + 1, lower, end, self.signs.empty(square))
        self._put(RULE + 1 if from_middle else self.middle - 1, lower, end, self.signs.mark(square))

    def _tray(self, square: int, side: int) -> None:
        """How many checkers are off, beside the edge of their home."""
        sign = self.signs.number(square, self.board.off[side], "[]")
        if square in self.signs.marks.targets:
            sign.append(" +", TARGET)
        self._put(RULE + 1, side == 0, self.right + 1 + len(sign), sign)
