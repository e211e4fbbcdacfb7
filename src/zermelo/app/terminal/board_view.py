"""The board of the full-screen game: a widget that shows any board, with mouse and arrow keys."""

from __future__ import annotations

from rich.text import Text
from textual.binding import Binding
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from zermelo.board import Board
from zermelo.show.scene.board_scene import Place, scene
from zermelo.show.text.mosaic import Look, Mosaic


class BoardView(Widget, can_focus=True):
    """A board centred in the room there is. A click, or Enter where the cursor is, is a `Picked`."""

    BINDINGS = [
        Binding("up", "go(0, -1)", show=False),
        Binding("down", "go(0, 1)", show=False),
        Binding("left", "go(-1, 0)", show=False),
        Binding("right", "go(1, 0)", show=False),
        Binding("enter,space", "pick", show=False),
    ]

    class Picked(Message):
        """A square was pointed at."""

        def __init__(self, square: int) -> None:
            super().__init__()
            self.square = square

    def __init__(self, board: Board, look: Look) -> None:
        super().__init__(id="board")
        self.board, self.look = board, look
        self.mosaic = Mosaic(board, look)
        self.cursor = _middle(board)

    def show(self, board: Board, look: Look) -> None:
        """Show another board, or other marks."""
        self.board, self.look = board, look
        if self.cursor is None or self.cursor >= len(board):
            self.cursor = _middle(board)
        self.refresh()

    def render(self) -> Text:
        look = Look(self.look.marks, self.look.clicked, self.cursor if self.has_focus else None)
        size = self.content_size
        self.mosaic = Mosaic(self.board, look, size=(size.width, size.height), dark=self.app.current_theme.dark)
        left, top = self._corner()
        lines = [Text(" " * left) + line for line in self.mosaic.text.split("\n", allow_blank=True)]
        return Text("\n").join([Text()] * top + lines)

    def _corner(self) -> tuple[int, int]:
        """Where the picture begins, so that it is in the middle."""
        size = self.content_size
        return max(size.width - self.mosaic.width, 0) // 2, max(size.height - self.mosaic.height, 0) // 2

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        left, top = self._corner()
        square = None if offset is None else self.mosaic.square_at(offset.x - left, offset.y - top)
        if square is not None:
            self.cursor = square
            self.post_message(self.Picked(square))

    def middle_of(self, square: int) -> tuple[int, int]:
        """The column and the row, within the widget, of a character in the middle of a square."""
        found = [
            (column, row)
            for row, squares in enumerate(self.mosaic.squares)
            for column, each in enumerate(squares)
            if each == square
        ]
        left, top = self._corner()
        column, row = found[len(found) // 2]
        return column + left + self.gutter.left, row + top + self.gutter.top

    def action_go(self, across: int, down: int) -> None:
        """Put the cursor on the nearest square in a direction."""
        places = scene(self.board).places
        reached = [
            (reach, place.number)
            for here in places
            if here.number == self.cursor
            for place in places
            if (reach := _reach(here, place, across, down)) is not None
        ]
        if reached:
            self.cursor = min(reached)[1]
            self.refresh()

    def action_pick(self) -> None:
        if self.cursor is not None:
            self.post_message(self.Picked(self.cursor))


def _middle(board: Board) -> int | None:
    """The square nearest to the middle of the board, where the cursor begins; None where there are no squares."""
    places = scene(board).places
    if not places:
        return None
    x, y = (sum(getattr(place, way) for place in places) / len(places) for way in ("x", "y"))
    return min(places, key=lambda place: abs(place.x - x) + abs(place.y - y)).number


def _reach(here: Place, there: Place, across: int, down: int) -> float | None:
    """How far a place is in a direction, what lies aside counted twice; None if it is not in that direction."""
    along = (there.x - here.x) * across + (there.y - here.y) * down
    aside = abs((there.x - here.x) * down) + abs((there.y - here.y) * across)
    return along + 2 * aside if along > 1 and aside <= 2 * along else None
