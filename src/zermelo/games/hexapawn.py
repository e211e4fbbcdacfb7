"""Hexapawn: pawns of chess on a small board (Martin Gardner, 1962, for a computer made of matchboxes).

Either player begins with one row of pawns. A pawn goes one cell straight forward to a free cell, or takes a pawn of the
other player diagonally forward. A player who brings a pawn to the other player's first row has won; a player
without a move has lost. There is no draw.

It is Breakthrough with fewer men and fewer moves: the board, the cells as the player to move sees them, and a move,
the cell it leads to plus 64 times the direction, are those of `breakthrough`.
"""

from zermelo.bits import ones, shift_left, shift_right
from zermelo.board import COLOURS, Grid, Piece
from zermelo.game import GameError
from zermelo.games.breakthrough import LEFT, RIGHT, Breakthrough
from zermelo.games.support.grid_notation import COLUMN_LETTERS, rows_of
from zermelo.games.support.parameters import check_types
from zermelo.value import LOSS, loss_in, win_in

PIECES = (Piece("X", 0, "♟", "white pawn"), Piece("O", 1, "♟", "black pawn"))


class Hexapawn(Breakthrough):
    """Bring a pawn to the other player's first row, or leave the other player without a move."""

    width: int = 3
    height: int = 3

    ranks = 1

    def __post_init__(self) -> None:
        check_types(self)
        if not 1 <= self.width <= 16 or self.height < 3 or self.width * self.height > 64:
            raise GameError(f"{self!r}: the width must be 1 to 16, the height at least 3, and the cells at most 64.")

    def moves(self, state):
        for cell in ones(self.ahead(state)):
            yield cell
        for cell in ones(self.aside(state.mine, LEFT) & state.theirs):
            yield LEFT << 6 | cell
        for cell in ones(self.aside(state.mine, RIGHT) & state.theirs):
            yield RIGHT << 6 | cell

    def ahead(self, state):
        """The free cells straight before the pawns of the player to move."""
        return shift_left(state.mine, self.width) & self.cells & ~(state.mine | state.theirs)

    def stuck(self, state):
        return LOSS

    def bounds(self, state):
        """A pawn that can go to the last row, or take there, wins at once."""
        targets = (self.aside(state.mine, LEFT) | self.aside(state.mine, RIGHT)) & state.theirs | self.ahead(state)
        if shift_right(targets, self.width * (self.height - 1)):
            return win_in(1), win_in(1)
        return (loss_in(0), win_in(1)) if targets else (loss_in(0), loss_in(0))

    def board(self, state):
        rows = rows_of(*self.sides(state), self.width, self.height)
        labels = tuple(str(self.height - row) for row in range(self.height))
        return Grid(rows, tuple(COLUMN_LETTERS[: self.width]), labels, pieces=PIECES, checkered=True, sides=COLOURS)
