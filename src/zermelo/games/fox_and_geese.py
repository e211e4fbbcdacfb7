"""Fox and Geese on a draughts board, also called Fox and Hounds: the geese pen in a fox that tries to slip past them.

Only dark squares are used. The geese begin on all those of the top row and step diagonally down, never back; the fox
begins in the middle of the bottom row and steps diagonally in all directions. Nothing is taken. The fox begins, or the
geese where fox_first = False. The fox wins once no goose is above it, since none can keep it from the top row any more.
A player who cannot move has lost: mostly the fox, which the geese have penned in.

Dark squares are numbered row by row from the top left. With eight columns:

         b     d     f     h
    8    .  0  .  1  .  2  .  3
    7    4  .  5  .  6  .  7  .
    6    .  8  .  9  . 10  . 11      and so on, down to 28 to 31 in row 1

A move is `from_square | to << 6`.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import has_bit, lsb, ones, popcount
from zermelo.board import EMPTY, Grid, Piece
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.grid_notation import COLUMN_LETTERS
from zermelo.games.support.parameters import check_types
from zermelo.games.support.position_text import NoState
from zermelo.value import LOSS, WIN

FOX, GEESE = 0, 1
PLAYER_NAMES = ("fox", "geese")
SIDES = ("Fox", "Geese")
PIECES = (Piece("F", FOX, "F", "fox", "fox"), Piece("g", GEESE, "●", "goose", "goose"))

ESCAPE_BONUS = 50
"""The bonus for a path past the geese, in squares."""


class State(NamedTuple):
    fox: int  # the square of the fox
    geese: int  # the squares of the geese, one bit each
    player: int  # FOX or GEESE: who is to move


class FoxAndGeese(Game):
    """Geese, who never go back, pen in a fox that tries to slip past them."""

    side: int = 8
    fox_first: bool = True

    alternates = True

    def __post_init__(self) -> None:
        check_types(self)
        if self.side not in (4, 6, 8, 10):
            raise GameError(f"{self!r}: side must be 4, 6, 8 or 10.")

    def initial(self):
        middle = self.row * (self.side - 1) + self.row // 2
        return State(middle, (1 << self.row) - 1, FOX if self.fox_first else GEESE)

    def mover(self, state):
        return state.player

    def moves(self, state):
        if state.player == FOX:
            for to in ones(self.neighbours[state.fox] & ~state.geese):
                yield state.fox | to << 6
        else:
            for from_square in ones(state.geese):
                for to in ones(self.below[from_square] & ~(state.geese | 1 << state.fox)):
                    yield from_square | to << 6

    def play(self, state, move):
        from_square, to = move & 63, move >> 6
        if state.player == FOX:
            return State(to, state.geese, GEESE)
        return State(state.fox, state.geese ^ 1 << from_square ^ 1 << to, FOX)

    def result(self, state):
        if lsb(state.geese) // self.row < state.fox // self.row:
            return ONGOING
        return WIN if state.player == FOX else LOSS

    def stuck(self, state):
        return LOSS

    # -- the board ---------------------------------------------------------------------------------------------

    @cached_property
    def row(self):
        """How many dark squares a row has, and geese there are."""
        return self.side // 2

    @cached_property
    def below(self):
        """The squares diagonally below each square."""
        import numpy as np

        below = np.zeros(self.side * self.row, np.int64)
        for square in range(self.row * (self.side - 1)):
            row, column = self.place(square)
            sides = (self.row * (row + 1) + aside // 2 for aside in (column - 1, column + 1) if 0 <= aside < self.side)
            below[square] = sum(1 << to for to in sides)
        return below

    @cached_property
    def neighbours(self):
        """The squares diagonally below and above each square."""
        beside = self.below.copy()
        for square in range(len(beside)):
            for to in ones(self.below[square]):
                beside[to] |= 1 << square
        return beside

    def place(self, square):
        """The row from the top and the column from the left."""
        row = square // self.row
        return row, 2 * (square % self.row) + (row + 1) % 2

    # -- evaluation and solving --------------------------------------------------------------------------------

    def evaluate(self, state):
        """For the fox: the squares that it could reach if the geese stood still, and whether it gets past them."""
        reached, new = 0, 1 << state.fox
        while new:
            reached |= new
            found = 0
            for square in ones(new):
                found |= self.neighbours[square]
            new = found & ~(reached | state.geese)
        rows = lsb(reached) // self.row - lsb(state.geese) // self.row
        lead = popcount(reached) + (ESCAPE_BONUS if rows <= 0 else 0) - self.row * self.row
        return lead if state.player == FOX else -lead

    def order(self, state, move):
        """The fox goes up; of the geese the hindmost go first, so that they stay together."""
        return -(move >> 6) if state.player == FOX else -(move & 63)

    def stage(self, state):
        """The rows that the geese have gone down together; every move raises it."""
        steps = 0
        for goose in ones(state.geese):
            steps += goose // self.row
        return 2 * steps + state.player

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        rows = [[EMPTY] * self.side for _ in range(self.side)]
        for square in range(self.side * self.row):
            row, column = self.place(square)
            rows[row][column] = "F" if square == state.fox else "g" if has_bit(state.geese, square) else EMPTY
        labels = tuple(str(self.side - row) for row in range(self.side))
        cells = tuple("".join(row) for row in rows)
        return Grid(cells, tuple(COLUMN_LETTERS[: self.side]), labels, pieces=PIECES, checkered=True, sides=SIDES)

    def squares(self, state, move):
        return self.cell(move & 63), self.cell(move >> 6)

    def cell(self, square):
        """The square's number on the Grid."""
        row, column = self.place(square)
        return row * self.side + column

    def name(self, square):
        row, column = self.place(square)
        return f"{COLUMN_LETTERS[column]}{self.side - row}"

    def move_text(self, state, move):
        return f"{self.name(move & 63)}-{self.name(move >> 6)}"

    def state_text(self, state):
        """Where the fox is, where the geese are, and who is to move."""
        return f"{self.name(state.fox)} {','.join(map(self.name, ones(state.geese)))} {PLAYER_NAMES[state.player]}"

    def parse_state(self, text):
        numbers = {self.name(square): square for square in range(self.side * self.row)}
        fox, geese, player = (*text.lower().split(), "", "", "")[:3]
        flock = geese.split(",")
        apart = len({fox, *flock}) == len(flock) + 1 == self.row + 1
        if len(text.split()) == 3 and apart and {fox, *flock} <= numbers.keys() and player in PLAYER_NAMES:
            return State(numbers[fox], sum(1 << numbers[goose] for goose in flock), PLAYER_NAMES.index(player))
        example = self.state_text(self.initial())
        raise NoState(
            f"{self!r}: {text!r} does not describe a state, with a fox and {self.row} geese on dark squares, each on "
            f"one of its own, such as {example!r}."
        )
