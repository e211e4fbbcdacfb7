"""Backgammon tables as text: stacks that grow from the edges, the bar between, and trays at the right."""

from __future__ import annotations

from rich.text import Text

from zermelo.board import Tables
from zermelo.show.scene.table_layout import column_of, left_half, point_names
from zermelo.show.svg.checker_stacks import MAX_DRAWN_STACK
from zermelo.show.text.square_text import LABEL_STYLE, LAST_MOVE_STYLE, PLAYER_STYLES, TARGET_STYLE, Signs, dice
from zermelo.show.text.text_points import CharacterGrid

NAME_ROW, RULE_ROW = 0, 1
"""Rows outside those of the stacks."""


def drawn_tables(board: Tables, signs: Signs) -> Text:
    """Return the board in its frame with the names of points outside; marks have a row of their own."""
    return _Sheet(board, signs).text()


class _Sheet:
    """A board on its canvas. Rows are counted from either edge, so that both edges are drawn by the same code."""

    def __init__(self, board: Tables, signs: Signs) -> None:
        self.board, self.signs, self.canvas = board, signs, CharacterGrid()
        self.points, self.columns = len(board.points), len(board.points) // 2
        self.names = point_names(board)
        marks = signs.marks
        self.wide = max([2, *map(len, self.names), *(len(tag.text) for tag in marks.values.values())])
        marked = any(square in marks.values or square in marks.targets for square in range(self.points))
        self.middle = RULE_ROW + MAX_DRAWN_STACK + marked + 1
        self.bar = left_half(board) * (self.wide + 1) + 2
        self.right = self.bar + 6 + (self.columns - left_half(board)) * (self.wide + 1)

    def text(self) -> Text:
        self._frame()
        for point, checkers in enumerate(self.board.points):
            lower, end = point < self.columns, self._end(column_of(self.board, point))
            self._put(NAME_ROW, lower, end, Text(self.names[point], LABEL_STYLE))
            self._stack(point, checkers, lower, end, empty=True)
        for side in (0, 1):
            checkers = self.board.bar[side] * (1 - 2 * side)
            self._stack(self.points + side, checkers, side == 0, self.bar + 2, from_middle=True)
            self._tray(self.points + 2 + side, side)
        return Text("\n").join([self.canvas.text(), *map(Text, self._stakes())])

    def _stakes(self) -> list[str]:
        """The cube and the score in words."""
        cube, scores = self.board.cube, self.board.scores
        said = [f"cube   {cube.words}"] if cube else []
        return said + ([f"score  first player {scores[0]}, second player {scores[1]}"] if scores else [])

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
            self._put(RULE_ROW, lower, self.right, Text(across * (self.right + 1)))
            for post, corner in zip(posts, corners[4:] if lower else corners[:4], strict=True):
                self._put(RULE_ROW, lower, post, Text(corner))
            self._put(NAME_ROW, lower, self.bar + 3, Text("bar", LABEL_STYLE))
            self._put(NAME_ROW, lower, self.right + 4, Text("off", LABEL_STYLE))
        for row in range(RULE_ROW + 1, 2 * self.middle - RULE_ROW):
            for post in posts:
                self.canvas.put(row, post, Text(down))
        thrown = dice(self.board.dice)
        self._put(self.middle, False, (self.bar + 4 + self.right + len(thrown)) // 2, thrown)

    def _stack(
        self, square: int, checkers: int, lower: bool, end: int, *, empty: bool = False, from_middle: bool = False
    ) -> None:
        """Draw checkers from the edge inwards, or from the middle outwards; a high stack ends in its number."""
        count, side = abs(checkers), int(checkers < 0)
        style = f"{PLAYER_STYLES[side]} {LAST_MOVE_STYLE}" if square in self.signs.marks.last else PLAYER_STYLES[side]
        for level in range(min(count, MAX_DRAWN_STACK)):
            row = self.middle - 1 - level if from_middle else RULE_ROW + 1 + level
            is_number = level == MAX_DRAWN_STACK - 1 and count > MAX_DRAWN_STACK
            sign = str(count) if is_number else ("●○" if self.signs.unicode else "XO")[side]
            self._put(row, lower, end, Text(sign, style))
        if not count and empty:
            self._put(RULE_ROW + 1, lower, end, self.signs.empty(square))
        self._put(RULE_ROW + 1 if from_middle else self.middle - 1, lower, end, self.signs.mark(square))

    def _tray(self, square: int, side: int) -> None:
        """Draw the number of checkers borne off, beside the edge of their home."""
        sign = self.signs.number(square, self.board.off[side], "[]")
        if square in self.signs.marks.targets:
            sign.append(" +", TARGET_STYLE)
        self._put(RULE_ROW + 1, side == 0, self.right + 1 + len(sign), sign)
