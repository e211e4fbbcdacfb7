"""Cards: the boards of positions, small, inside the nodes of a tree."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game import Game, State
from zermelo.show.scene.board_scene import board_of, scene
from zermelo.show.svg import theme
from zermelo.show.svg.board_svg import thumbnail
from zermelo.show.svg.svg_elements import n

CARD_SIZES = ((16, 54.0), (49, 72.0))
"""The longer side of a small board, which has at most this number of squares."""
LARGEST_CARD = 92.0
"""The longer side of a board with more squares."""
MIN_CARD_WIDTH = 46.0
CARD_MARGIN = 5.0
VALUE_HEIGHT = 19.0
"""The height of the line below the board, which has the value."""

MAX_SQUARES = 5000
"""The squares of all boards of a picture; larger boards leave room for fewer nodes."""


@dataclass(frozen=True)
class Card:
    """A small board: its size in the picture, and its drawing."""

    width: float
    height: float
    drawing: str

    @property
    def half_width(self) -> float:
        return max(MIN_CARD_WIDTH, self.width + 2 * CARD_MARGIN) / 2

    @property
    def half_height(self) -> float:
        return (self.height + VALUE_HEIGHT + CARD_MARGIN) / 2

    def svg(self) -> str:
        """The board, in the upper part of a card around 0, 0."""
        x, y = -self.width / 2, -self.half_height + CARD_MARGIN
        return f'<g transform="translate({n(x)} {n(y)})">{self.drawing}</g>'


def card_of(game: Game | None, state: State) -> Card | None:
    """Return the card of a state; None if the game draws no boards."""
    if game is None or state is None or not game.has("board"):
        return None
    board = board_of(game, state)
    width, height, drawing = thumbnail(board)
    scale = _longer_side(len(scene(board).places)) / max(width, height)
    sides = theme.tints(board)
    coloured = "" if sides == theme.DEFAULT_SIDES else f' data-sides="{" ".join(sides)}"'
    small = f'<g class="zermelo-board" transform="scale({scale:.4f})"{coloured}>{drawing}</g>'
    return Card(width * scale, height * scale, small)


def room_for_nodes(game: Game | None, state: State, most: int) -> int:
    """Return how many nodes with boards a picture has at most."""
    if game is None or not game.has("board"):
        return most
    return min(most, max(40, MAX_SQUARES // max(1, len(scene(board_of(game, state)).places))))


def _longer_side(squares: int) -> float:
    return next((size for most, size in CARD_SIZES if 0 < squares <= most), LARGEST_CARD)  # texts need room
