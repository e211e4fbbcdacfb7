"""Dots and Boxes: draw a line between two dots; a player who closes a box owns it and draws again.

The game is over when all lines are drawn, and the payoff is the difference in boxes. Lines are
numbered row by row, as they lie in the picture, and a set of them is a word. A box is named by the line above it. On a
board of two by two boxes:

    + 0 + 1 +       the boxes are 0, 1
    2   3   4
    + 5 + 6 +       and 5, 6
    7   8   9
    +10 +11 +

A move is the number of a line.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.arguments import check_int
from zermelo.bits import ones, popcount
from zermelo.board import EMPTY, NOWHERE, Grid, Piece
from zermelo.game import ONGOING, GameError
from zermelo.games.dots_and_boxes.box_lines import Lines
from zermelo.games.support.grid_notation import COLUMN_LETTERS, PLAYERS
from zermelo.games.support.position_text import NoState

PIECES = (
    Piece("X", 0, label="box of the first player"),
    Piece("O", 1, label="box of the second player"),
    Piece("+", None, "•", "dot"),
    Piece("-", None, "━", "line"),
    Piece("|", None, "┃", "line"),
)


class State(NamedTuple):
    lines: int  # those that are drawn
    mine: int  # boxes of the player to move
    theirs: int  # boxes of the other player
    player: int  # 0 or 1: who is to move


class DotsAndBoxes(Lines):
    """Draw a line between two dots; who closes a box owns it and draws again, and the most boxes win."""

    margin = True

    def __post_init__(self) -> None:
        check_int(repr(self), least=1, width=self.width, height=self.height)
        if self.line_count > 63:
            raise GameError(f"{self!r}: a board may have at most 63 lines, and this one has {self.line_count}.")

    def initial(self):
        return State(0, 0, 0, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        return ones(self.all_lines & ~state.lines)

    def play(self, state, line):
        lines = state.lines | 1 << line
        taken = self.closed(lines) & ~(state.mine | state.theirs)
        if taken:
            return State(lines, state.mine | taken, state.theirs, state.player)
        return State(lines, state.theirs, state.mine, 1 - state.player)

    def result(self, state):
        return popcount(state.mine) - popcount(state.theirs) if state.lines == self.all_lines else ONGOING

    def stage(self, state):
        return popcount(state.lines)

    @cached_property
    def payoff_bounds(self):
        return -self.width * self.height, self.width * self.height

    # -- evaluation and static bounds --------------------------------------------------------------------------

    def evaluate(self, state):
        """The difference in boxes, with those that can be closed now."""
        lead = popcount(state.mine) - popcount(state.theirs)
        return lead + popcount(self.open_boxes(state.lines))

    def bounds(self, state):
        """The mover gets at least the boxes that can be closed now, and no player more than all that are left."""
        lead = popcount(state.mine) - popcount(state.theirs)
        left = self.width * self.height - popcount(state.mine | state.theirs)
        return lead - left + 2 * popcount(self.open_boxes(state.lines)), lead + left

    def candidates(self, state):
        """Lines of which one is best, after Berlekamp, The Dots and Boxes Game (2000).

        Where boxes can be closed, all are closed at once but for the last of them, which may be left to the other
        player, who has to draw after closing them. Where none can, a line that opens none is as good as its twin at a
        corner, and of the lines that open a chain or a loop one represents all. The proofs are in `captures` and
        `openings`, and the tests compare with the values of all lines.
        """
        opened = self.open_boxes(state.lines)
        return ones(self.captures(state.lines, opened) if opened else self.openings(state.lines))

    def order(self, state, line):
        """Closing boxes first, then lines that open none; of these the ones in the middle."""
        lines = state.lines | 1 << line
        taken = popcount(self.closed(lines)) - popcount(state.mine | state.theirs)
        given = popcount(self.open_boxes(lines) & ~self.open_boxes(state.lines))
        return 100 * taken - 100 * given - abs(2 * line + 1 - self.line_count)

    def noisy(self, state, line):
        return self.closed(state.lines | 1 << line) & ~(state.mine | state.theirs) != 0

    # -- symmetry ----------------------------------------------------------------------------------------------

    def symmetries(self, state):
        for turn in range(len(self.images)):
            yield self.shared(self.image(state.lines, turn), popcount(state.mine), state.player)

    def canonical(self, state):
        """The image with the least word of lines, those at corners lying if only one of two is drawn.

        Whose box is which does not matter, only how many each player has.
        """
        laid, stood = self.laid(state.lines), self.stood(state.lines)
        least = laid
        for turn in range(1, len(self.images)):
            least = min(least, self.image(stood if turn & 4 else laid, turn))
        return self.shared(least, popcount(state.mine), state.player)

    def shared(self, lines, count, player):
        """Return the state with these lines in which the mover has the first `count` closed boxes."""
        theirs = self.closed(lines)
        mine = 0
        for _ in range(count):
            mine |= theirs & -theirs
            theirs &= theirs - 1
        return State(lines, mine, theirs, player)

    def image(self, lines, turn):
        word = 0
        for part in range(self.line_count + 7 >> 3):
            word |= int(self.images[turn, part, lines >> 8 * part & 255])
        return word

    @cached_property
    def images(self):
        """For each way to turn the board, and each byte of a word of lines, the image of that byte.

        The board is mirrored left to right (turn & 1), top to bottom (turn & 2) and, if it is square, in the diagonal.
        """
        import numpy as np

        places = {place: line for line, place in enumerate(self.places)}
        images = np.zeros((8 if self.width == self.height else 4, 8, 256), np.int64)
        for turn, part, byte in np.ndindex(images.shape):
            for line in ones(byte << 8 * part & self.all_lines):
                row, column = self.places[line]
                row = 2 * self.height - row if turn & 2 else row
                column = 2 * self.width - column if turn & 1 else column
                images[turn, part, byte] |= 1 << places[(column, row) if turn & 4 else (row, column)]
        return images

    @cached_property
    def places(self):
        """The row and the column of each line in the picture, where dots, lines and boxes are cells."""
        rows, columns = range(2 * self.height + 1), range(2 * self.width + 1)
        return tuple((row, column) for row in rows for column in columns if (row + column) % 2)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        columns = tuple(COLUMN_LETTERS[i // 2] if i % 2 == 0 else "" for i in range(2 * self.width + 1))
        rows = tuple(str(i // 2 + 1) if i % 2 == 0 else "" for i in range(2 * self.height + 1))
        return Grid(tuple(self.picture(state, NOWHERE)), columns, rows, pieces=PIECES)

    def picture(self, state, empty):
        """The rows of the picture, with this character for a box without an owner."""
        rows, columns = range(2 * self.height + 1), range(2 * self.width + 1)
        cells = {
            (row, column): empty if row % 2 else "+" for row in rows for column in columns if (row - column) % 2 == 0
        }
        for line, place in enumerate(self.places):
            cells[place] = "." if not state.lines >> line & 1 else "|" if place[0] % 2 else "-"
        for boxes, player in ((state.mine, state.player), (state.theirs, 1 - state.player)):
            for box in ones(boxes):
                cells[self.below(box)] = PLAYERS[player]
        return ["".join(cells[row, column] for column in columns) for row in rows]

    def below(self, line):
        """The place of the box that this is the upper line of."""
        row, column = self.places[line]
        return row + 1, column

    def squares(self, state, line):
        row, column = self.places[line]
        return (row * (2 * self.width + 1) + column,)

    def move_text(self, state, line):
        """The two dots: `a1b1` lies at the top left, and so does `a1a2`, down from there."""
        row, column = self.places[line]
        dots = (row // 2, column // 2), ((row + 1) // 2, (column + 1) // 2)
        return "".join(f"{COLUMN_LETTERS[column]}{row + 1}" for row, column in dots)

    def state_text(self, state):
        """The picture row by row, and who is to move; undrawn lines and boxes without an owner are dots."""
        return f"{'/'.join(self.picture(state, EMPTY))} {PLAYERS[state.player]}"

    def parse_state(self, text):
        picture, _, player = text.strip().upper().rpartition(" ")
        cells = {
            (row, column): mark for row, marks in enumerate(picture.split("/")) for column, mark in enumerate(marks)
        }
        lines = sum(1 << line for line, place in enumerate(self.places) if cells.get(place, EMPTY) in "-|")
        first, second = (
            sum(1 << box for box in ones(self.boxes) if cells.get(self.below(box)) == mark) for mark in PLAYERS
        )
        state = State(lines, second, first, 1) if player == "O" else State(lines, first, second, 0)
        if self.state_text(state) != f"{picture} {player}":
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.")
        if first | second != self.closed(lines):
            raise GameError(f"{self!r}: {text!r} cannot arise, since a box has an owner if and only if it is closed.")
        return state
