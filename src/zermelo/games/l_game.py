"""The L-game of Edward de Bono: lift your L and put it down elsewhere; a player who cannot loses.

On a board of four by four each player has an L of four cells, and there are two neutral pieces of one cell. A move
lifts the L and puts it down in another place, turned or turned over as one likes; then, if one wants to, one of the
neutral pieces is moved to any free cell. Play can cycle, and does so between good players.

Cells are numbered row by row from the top left, where a1 is, and an L is the set of its cells, one bit each.

        a b c d                          a b c d
    1   * X X .      0  1  2  3      1   . X . .      the L b1 b3 c3: from the end of its long arm
    2   . O X .      4  5  6  7      2   . X . .      to its corner, to the end of its short arm
    3   . O X .      8  9 10 11      3   . X X .
    4   . O O *     12 13 14 15      4   . . . .

A move is `place | from_cell << 6 | to << 11`: the number of the L's place among all 48, and the cells of a neutral
piece before and after, or NO_CELL and NO_CELL if none is moved.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import ones, popcount
from zermelo.board import EMPTY, Grid, Piece
from zermelo.game import ONGOING, Game
from zermelo.games.support.board_symmetries import TURNS, image, square_images
from zermelo.games.support.grid_notation import COLUMN_LETTERS, PLAYERS
from zermelo.games.support.position_text import NoState
from zermelo.value import LOSS

SIDE = 4
CELLS = (1 << SIDE * SIDE) - 1
CENTRE = 0x0660
NO_CELL = 16
"""No cell: the bit that stays empty."""

PIECES = (
    Piece("X", 0, label="L of the first player"),
    Piece("O", 1, label="L of the second player"),
    Piece("*", None, "●", "neutral piece"),
)


class State(NamedTuple):
    mine: int  # cells of the L of the player to move
    theirs: int  # of the L of the other player
    neutrals: int  # of the two neutral pieces
    player: int  # 0 or 1: who is to move


class LGame(Game):
    """Lift your L and put it down elsewhere, then move a neutral piece if you like; the player who cannot loses."""

    alternates = True
    loops = True

    def initial(self):
        return State(0x0446, 0x6220, 0x8001, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        for place in range(len(self.places)):
            cells = self.places[place]
            if cells != state.mine and not cells & (state.theirs | state.neutrals):
                yield place | NO_CELL << 6 | NO_CELL << 11
                for from_cell in ones(state.neutrals):
                    for to in ones(CELLS & ~(cells | state.theirs | state.neutrals)):
                        yield place | from_cell << 6 | to << 11

    def play(self, state, move):
        place, from_cell, to = _parts(move)
        neutrals = (state.neutrals & ~(1 << from_cell) | 1 << to) & CELLS
        return State(state.theirs, self.places[place], neutrals, 1 - state.player)

    def result(self, state):
        return ONGOING

    def stuck(self, state):
        return LOSS

    # -- the places of an L ------------------------------------------------------------------------------------

    @cached_property
    def paths(self):
        """Every place of an L: the end of its long arm, its corner, and the end of its short arm."""
        ways = ((1, SIDE), (1, -SIDE), (-1, SIDE), (-1, -SIDE), (SIDE, 1), (SIDE, -1), (-SIDE, 1), (-SIDE, -1))
        found = [
            (end, end + 2 * along, end + 2 * along + across) for end in range(SIDE * SIDE) for along, across in ways
        ]
        return tuple(path for path in found if min(path) >= 0 and max(path) < SIDE * SIDE and _straight(path))

    @cached_property
    def places(self):
        """The cells of each."""
        return tuple(
            1 << end | 1 << (end + corner) // 2 | 1 << corner | 1 << short for end, corner, short in self.paths
        )

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """The places to choose from, less those of the other player; the cells of the centre count as well."""
        lead = 2 * popcount(state.mine & CENTRE) - 2 * popcount(state.theirs & CENTRE)
        for cells in self.places:
            lead += not cells & (state.theirs | state.neutrals)
            lead -= not cells & (state.mine | state.neutrals)
        return lead

    def order(self, state, move):
        """The centre first."""
        return popcount(self.places[move & 63] & CENTRE)

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def symmetries(self, state):
        for turn in range(TURNS):
            mine, theirs = image(self.images, state.mine, turn), image(self.images, state.theirs, turn)
            yield State(mine, theirs, image(self.images, state.neutrals, turn), state.player)

    def canonical(self, state):
        """The least of the eight images; it is seen by the player to move, so that it does not matter who that is."""
        least = State(state.mine, state.theirs, state.neutrals, 0)
        for other in self.symmetries(state):
            if self.key(other) < self.key(least):
                least = State(other.mine, other.theirs, other.neutrals, 0)
        return least

    def key(self, state):
        return state.mine | state.theirs << 16 | state.neutrals << 32

    @cached_property
    def images(self):
        return square_images(SIDE)

    def predecessors(self, state):
        """The L of the other player was put down last; then a neutral piece may have come from a cell that is free now.

        That none was moved is counted once, as the first of the two coming from where it stands.
        """
        free = CELLS & ~(state.mine | state.theirs | state.neutrals)
        for to in ones(state.neutrals):
            here = state.neutrals & -state.neutrals & 1 << to
            for from_cell in ones(free | here):
                neutrals = state.neutrals & ~(1 << to) | 1 << from_cell
                for cells in self.places:
                    if cells != state.theirs and not cells & (state.mine | neutrals):
                        yield State(cells, state.mine, neutrals, 1 - state.player)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        marks = [EMPTY] * SIDE * SIDE
        pieces = (state.mine, PLAYERS[state.player]), (state.theirs, PLAYERS[1 - state.player]), (state.neutrals, "*")
        for cells, mark in pieces:
            for cell in ones(cells):
                marks[cell] = mark
        rows = tuple("".join(marks[row * SIDE :][:SIDE]) for row in range(SIDE))
        return Grid(rows, tuple(COLUMN_LETTERS[:SIDE]), tuple(str(row + 1) for row in range(SIDE)), pieces=PIECES)

    def squares(self, state, move):
        """The two ends and the corner of the L, then the neutral piece and where it goes."""
        place, from_cell, to = _parts(move)
        return self.paths[place] if from_cell == NO_CELL else (*self.paths[place], from_cell, to)

    def move_text(self, state, move):
        """`b1b3c3` puts down an L, and `b1b3c3+a1d4` moves the neutral piece on a1 to d4 as well."""
        place, from_cell, to = _parts(move)
        text = "".join(map(_name, self.paths[place]))
        return text if from_cell == NO_CELL else f"{text}+{_name(from_cell)}{_name(to)}"

    def state_text(self, state):
        return f"{'/'.join(self.board(state).cells)} {PLAYERS[state.player]}"

    def parse_state(self, text):
        board, _, player = text.strip().upper().rpartition(" ")
        marks = board.replace("/", "")
        first, second, neutrals = (sum(1 << cell for cell, mark in enumerate(marks) if mark == each) for each in "XO*")
        state = State(second, first, neutrals, 1) if player == "O" else State(first, second, neutrals, 0)
        pieces = first in self.places and second in self.places and popcount(neutrals) == 2
        if not pieces or len(marks) != SIDE * SIDE or self.state_text(state) != f"{board} {player}":
            example = self.state_text(self.initial())
            raise NoState(
                f"{self!r}: {text!r} does not describe a state, with an L of four X, an L of four O and two *, such as "
                f"{example!r}."
            )
        return state


def _parts(move):
    """The place of the L, and where a neutral piece comes from and goes to."""
    return move & 63, move >> 6 & 31, move >> 11


def _name(cell):
    return f"{COLUMN_LETTERS[cell % SIDE]}{cell // SIDE + 1}"


def _straight(path):
    """Return whether these three cells lie two apart and then one, along rows and columns."""
    (row, column), (corner_row, corner_column), (short_row, short_column) = (divmod(cell, SIDE) for cell in path)
    long_arm = abs(row - corner_row) + abs(column - corner_column)
    return long_arm == 2 and abs(corner_row - short_row) + abs(corner_column - short_column) == 1
