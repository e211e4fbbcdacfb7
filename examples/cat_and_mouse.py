"""Cat and mouse: a game with cycles.

On a square board both move one cell along a row or a column, the mouse first. The cat wins if it steps on the mouse or
the mouse steps on the cat. The mouse wins if it reaches the hole in the corner. Both can walk in circles, so
`loops = True` declares that states can repeat. On the 4x4 board:

    12 13 14 15     the hole is 15, the cat starts beside it on 14
     8  9 10 11
     4  5  6  7
     0  1  2  3     the mouse starts on 0

From 14 the cat is always on the wrong colour to catch the mouse, but it can guard the hole: a draw by repetition.
From 15 it catches the mouse in ten plies.
"""

from typing import NamedTuple

from zermelo import LOSS, ONGOING, WIN, Game
from zermelo.board import Grid, Piece

MOUSE, CAT = 0, 1
PIECES = (Piece("M", MOUSE, label="mouse"), Piece("C", CAT, label="cat"), Piece("o", label="hole"))


class State(NamedTuple):
    player: int  # MOUSE or CAT: the player to move
    mouse: int  # cells
    cat: int


class CatAndMouse(Game):
    """The mouse runs for the hole, the cat for the mouse."""

    side: int = 4
    start: int = 14

    loops = True

    def initial(self):
        return State(MOUSE, 0, self.start)

    def mover(self, state):
        return state.player

    def moves(self, state):
        cell = state.mouse if state.player == MOUSE else state.cat
        if cell >= self.side:
            yield cell - self.side
        if cell % self.side > 0:
            yield cell - 1
        if cell % self.side < self.side - 1:
            yield cell + 1
        if cell < self.side * (self.side - 1):
            yield cell + self.side

    def play(self, state, cell):
        if state.player == MOUSE:
            return State(CAT, cell, state.cat)
        return State(MOUSE, state.mouse, cell)

    def result(self, state):
        if state.mouse == state.cat:
            return LOSS if state.player == MOUSE else WIN
        if state.mouse == self.side * self.side - 1:
            return LOSS if state.player == CAT else WIN
        return ONGOING

    def board(self, state):
        cells = ["."] * (self.side * self.side)
        cells[-1] = "o"
        cells[state.mouse] = "M"
        cells[state.cat] = "C"
        rows = ["".join(cells[row * self.side :][: self.side]) for row in range(self.side)]
        return Grid(tuple(reversed(rows)), pieces=PIECES)

    def squares(self, state, cell):
        start = state.mouse if state.player == MOUSE else state.cat
        return self.square(start), self.square(cell)

    def square(self, cell):
        return (self.side - 1 - cell // self.side) * self.side + cell % self.side
