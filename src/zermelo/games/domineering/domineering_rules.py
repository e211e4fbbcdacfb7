"""Domineering: cover two cells with a domino, upright or lying; a player who cannot move loses (Göran Andersson).

The first player puts dominoes upright, the second lying. A state is one bitboard of covered cells, row by row from the
top left, where a1 is. Each move covers two, so their number tells who is to move. With three columns:

    0 1 2
    3 4 5

A move is the upper or the left one of the two cells: 1 is the domino on 1 and 4 for the first player, on 1 and 2 for
the second. A player without room loses. Boards of more than 63 cells are in large_domineering.py.
"""

from functools import cached_property
from typing import Any, NamedTuple, Self

from zermelo.arguments import check_int, is_int
from zermelo.bits import has_bit, ones, popcount
from zermelo.board import EMPTY, Grid, Piece
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.grid_notation import COLUMN_LETTERS
from zermelo.games.support.position_text import NoState
from zermelo.value import LOSS, loss_in, win_in

COVERED = "#"
PIECES = (Piece(COVERED, None, "■", "covered", "tile"),)

WORD_CELLS = 63
"""Cells in a word, which stays positive."""


class State(NamedTuple):
    covered: int  # the cells under dominoes


class Domineering(Game):
    """Cover two cells with a domino, upright or lying; who has no room left loses."""

    height: int = 6
    width: int = 6

    alternates = True

    MAX_CELLS = WORD_CELLS

    def __new__(cls, height: Any = 6, width: Any = 6) -> Self:
        """A board that does not fit into a word is a LargeDomineering."""
        if cls is Domineering and is_int(height) and is_int(width) and height * width > WORD_CELLS:
            from zermelo.games.domineering.large_domineering import LargeDomineering

            return super().__new__(LargeDomineering)  # type: ignore[return-value]
        return super().__new__(cls)

    def __post_init__(self) -> None:
        check_int(repr(self), width=self.width, height=self.height)
        if not 1 <= self.width <= 26 or self.height < 1 or self.width * self.height > self.MAX_CELLS:
            raise GameError(
                f"{self!r}: height and width must be at least 1, the width at most 26, the cells at most "
                f"{self.MAX_CELLS}."
            )

    def initial(self):
        return State(0)

    def mover(self, state):
        return self.count(self.covered_cells(state)) >> 1 & 1

    def moves(self, state):
        return ones(self.room(state, self.mover(state)))

    def play(self, state, cell):
        return State(state.covered | self.domino(cell, self.mover(state)))

    def covered_cells(self, state):
        return state.covered

    def is_covered(self, state, cell):
        return has_bit(state.covered, cell)

    def count(self, cells):
        return popcount(cells)

    def domino(self, cell, player):
        """The two cells of a domino."""
        return 1 << cell | 1 << cell + (1 if player else self.width)

    def room(self, state, player):
        """The cells where a domino of this player can lie."""
        free = self.cells & ~state.covered
        return free & free >> 1 & ~self.last_column if player else free & free >> self.width

    def result(self, state):
        return ONGOING

    def stuck(self, state):
        return LOSS

    @cached_property
    def cells(self):
        return (1 << self.width * self.height) - 1

    @cached_property
    def last_column(self):
        return sum(1 << row * self.width + self.width - 1 for row in range(self.height))

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """Rooms that are safe from the other player count five, any others one."""
        player = self.mover(state)
        mine, theirs = self.room(state, player), self.room(state, 1 - player)
        safe = self.count(self.safe(mine, theirs, player)) - self.count(self.safe(theirs, mine, 1 - player))
        return self.count(mine) - self.count(theirs) + 4 * safe

    def safe(self, rooms, others, player):
        """The rooms of which the other player, whose rooms are these, can cover no cell."""
        reached = others | others << (self.width if player else 1)
        return rooms & ~(reached | reached >> (1 if player else self.width))

    def bounds(self, state):
        """Room that the other player can never cover is safe, and no player has more moves than dominoes that fit."""
        player = self.mover(state)
        mine, theirs = self.room(state, player), self.room(state, 1 - player)
        most, their_most = self.most(mine, player), self.most(theirs, 1 - player)
        least = self.most(self.safe(mine, theirs, player), player)
        their_least = self.most(self.safe(theirs, mine, 1 - player), 1 - player)
        low, high = loss_in(0), win_in(0)
        if least > their_most:
            low = win_in(2 * their_most + 1)
        if their_least >= most:
            high = loss_in(2 * most)
        return low, high

    def most(self, rooms, player):
        """Return how many dominoes of a player fit into these rooms: each line is filled from its start."""
        step, count = 1 if player else self.width, 0
        while rooms:
            first = rooms & ~(rooms << step)
            count += popcount(first)
            rooms &= ~(first | first << step)
        return count

    def order(self, state, cell):
        """What leaves the other player the least room and oneself the most."""
        player = self.mover(state)
        child = self.play(state, cell)
        return self.count(self.room(child, player)) - 2 * self.count(self.room(child, 1 - player))

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def symmetries(self, state):
        """Left and right, top and bottom may be exchanged."""
        for image in range(1, 4):
            yield State(self.mirrored(state.covered, image))

    def canonical(self, state):
        least = state.covered
        for image in range(1, 4):
            least = min(least, self.mirrored(state.covered, image))
        return State(least)

    def mirrored(self, cells, image):
        """Mirrored left to right (image & 1) and top to bottom (image & 2)."""
        found = 0
        for cell in ones(cells):
            row, column = cell // self.width, cell % self.width
            if image & 1:
                column = self.width - 1 - column
            if image & 2:
                row = self.height - 1 - row
            found |= 1 << row * self.width + column
        return found

    def stage(self, state):
        return self.count(self.covered_cells(state)) >> 1

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        marks = [COVERED if self.is_covered(state, cell) else EMPTY for cell in range(self.width * self.height)]
        rows = tuple("".join(marks[row * self.width :][: self.width]) for row in range(self.height))
        labels = tuple(str(row + 1) for row in range(self.height))
        return Grid(rows, tuple(COLUMN_LETTERS[: self.width]), labels, pieces=PIECES)

    def squares(self, state, cell):
        return cell, cell + (1 if self.mover(state) else self.width)

    def move_text(self, state, cell):
        return "-".join(
            f"{COLUMN_LETTERS[square % self.width]}{square // self.width + 1}" for square in self.squares(state, cell)
        )

    def state_text(self, state):
        return "/".join(self.board(state).cells)

    def parse_state(self, text):
        rows = text.strip().split("/")
        if len(rows) != self.height or any(len(row) != self.width or set(row) - {COVERED, EMPTY} for row in rows):
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.")
        covered = sum(1 << cell for cell, mark in enumerate("".join(rows)) if mark == COVERED)
        if covered.bit_count() % 2:
            raise GameError(f"{self!r}: {text!r} cannot arise, since every domino covers two cells.")
        return self.state_of(covered)

    def state_of(self, cells):
        """The state with these cells covered."""
        return State(cells)
