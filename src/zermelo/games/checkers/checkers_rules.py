"""Checkers, or English draughts: jump over the other player's men; a player who cannot move loses.

Men step and jump diagonally forward, kings backward as well. A piece jumps over one of the other player's to the free
square behind it, and takes it. Captures are compulsory, and the same piece goes on capturing while it can; the player
may choose among captures. A man that reaches the last row becomes a king, and that ends the move. Play can cycle: a
repeated position is a draw.

Only the 32 dark squares are used, numbered as the player to move sees them: that player's men begin on 0 to 11 and go
up. The first player, who is Black, counts from the top as the notation does, where square 1 is number 0; for White the
board is rotated, and square 32 is number 0.

        0     1     2     3        even row: one step leads to 4 or 5 squares on
     4     5     6     7           odd row: to 3 or 4
        8     9    10    11
    12    13    14    15

A move is a from-square and a path, so that different captures are different moves. Each step or jump of the path is
two bits: forward left, forward right, back left, back right, as 0 to 3; way 3 - w is the opposite of way w.

    bits 0..4   from_square   bit 5   a capture      from bit 6   1, then the path, its last step lowest
"""

from typing import NamedTuple

from zermelo.bits import has_bit, lsb, msb, ones, popcount, reverse, shift_right, signed
from zermelo.board import Grid, Piece
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.checkers import checkers_notation
from zermelo.value import LOSS

SQUARES = 0xFFFFFFFF
EVEN_ROWS, ODD_ROWS = 0x0F0F0F0F, 0xF0F0F0F0
"""The squares of the first, third, ... row and of the others."""

FIRST_ROW, LAST_ROW = 0xF, 0xF0000000
"""The first row of the player to move, and the row where men become kings."""

NOT_LEFT, NOT_RIGHT = 0xEFEFEFEF, 0xF7F7F7F7
"""Without the squares at the left edge in odd rows, and at the right edge in even rows."""

CENTRE_SQUARES, EDGE_SQUARES = 0x00066000, 0xF818181F
"""The four squares in the middle, and those at the edges."""

CAPTURE_BIT = 32
"""The bit of a move that captures."""

PIECES = (
    Piece("x", 0, "●", "black man"),
    Piece("X", 0, "◉", "black king"),
    Piece("o", 1, "○", "white man"),
    Piece("O", 1, "◎", "white king"),
)

ROW_LABELS = tuple(f"{4 * row + 1}-{4 * row + 4}" for row in range(8))
"""The squares of each row, as moves name them."""


class State(NamedTuple):
    mine: int  # pieces of the player to move, who goes up
    theirs: int  # pieces of the other player
    kings: int  # the kings of both
    player: int  # 0 or 1: who is to move


class Checkers(Game):
    """Jump over men to take them; who cannot move loses."""

    setup: str = checkers_notation.START

    alternates = True
    loops = True

    def __post_init__(self) -> None:
        if not isinstance(self.setup, str):
            raise GameError(f"{self!r}: setup must be a position as text, such as {checkers_notation.START!r}.")
        self.parse_state(self.setup)

    def initial(self):
        return self.parse_state(self.setup)

    def mover(self, state):
        return state.player

    def moves(self, state):
        empty = SQUARES & ~(state.mine | state.theirs)
        jumpers = self.jumpers(state)
        if not jumpers:
            for way in range(4):
                for from_square in ones(stepped(empty, 3 - way) & able(state, way)):
                    yield 4 + way << 6 | from_square
        for from_square in ones(jumpers):
            ways = 4 if has_bit(state.kings, from_square) else 2
            free = empty | 1 << from_square
            at, left, path, way = 1 << from_square, state.theirs, 1, 0
            final = False  # no jump is known to go on from here
            while path > 1 or way < ways:
                over = stepped(at, way) & left if way < ways else 0
                landing = stepped(over, way) & free
                if landing:
                    at, left, path, way, final = landing, left ^ over, path << 2 | way, 0, True
                elif way < ways:
                    way += 1
                else:
                    if final:
                        yield path << 6 | CAPTURE_BIT | from_square
                    way, final = path & 3, False
                    over = stepped(at, 3 - way)
                    at, left, path = stepped(over, 3 - way), left | over, path >> 2
                    way += 1

    def play(self, state, move):
        from_square = 1 << (move & 31)
        at, theirs, path = from_square, state.theirs, move >> 6
        for i in range(msb(path) - 2, -1, -2):
            at = stepped(at, path >> i & 3)
            if move & CAPTURE_BIT:
                theirs &= ~at
                at = stepped(at, path >> i & 3)
        kings = state.kings & (state.mine | theirs)
        if state.kings & from_square or at & LAST_ROW:
            kings = kings & ~from_square | at
        mine = state.mine & ~from_square | at
        return State(turned(theirs), turned(mine), turned(kings), 1 - state.player)

    def result(self, state):
        return ONGOING

    def stuck(self, state):
        """No piece, or none that can move."""
        return LOSS

    def jumpers(self, state):
        """The pieces of the player to move that can take."""
        empty = SQUARES & ~(state.mine | state.theirs)
        found = 0
        for way in range(4):
            found |= stepped(stepped(empty, 3 - way) & state.theirs, 3 - way) & able(state, way)
        return found

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """Men count 100, kings 140, more as pieces leave the board; then rows gained, the first row, the centre."""
        mine, theirs = state.mine, state.theirs
        kings, their_kings = mine & state.kings, turned(theirs & state.kings)
        men, their_men = mine & ~state.kings, turned(theirs & ~state.kings)
        lead = 100 * (popcount(men) - popcount(their_men)) + 140 * (popcount(kings) - popcount(their_kings))
        lead += lead * (24 - popcount(mine | theirs)) // 32
        lead += 2 * (rows_gained(men) - rows_gained(their_men))
        lead += 6 * (popcount(men & FIRST_ROW) - popcount(their_men & FIRST_ROW))
        lead += 4 * (popcount(mine & CENTRE_SQUARES) - popcount(theirs & CENTRE_SQUARES))
        return lead + 3 * (popcount(kings & ~EDGE_SQUARES) - popcount(their_kings & ~EDGE_SQUARES))

    def forcing(self, state):
        """Captures are compulsory."""
        return self.jumpers(state) != 0

    def order(self, state, move):
        """Most pieces taken, then a new king, then men that go on rather than leave the first row."""
        if move & CAPTURE_BIT:
            return 100 * msb(move >> 6)
        from_square = move & 31
        if has_bit(state.kings, from_square):
            return 1
        return 50 if from_square >= 24 else from_square >> 2

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def canonical(self, state):
        """The board is seen by the player to move, so that it does not matter who that is."""
        return State(state.mine, state.theirs, state.kings, 0)

    def stage(self, state):
        """Men only advance, and captures are final: only kings can cycle."""
        men, their_men = state.mine & ~state.kings, turned(state.theirs & ~state.kings)
        taken = 24 - popcount(state.mine | state.theirs)
        return 8 * taken + 7 * popcount(state.kings) + rows_gained(men) + rows_gained(their_men)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        cells = ["."] * 64
        for number, mark in checkers_notation.pieces_on(state):
            cells[checkers_notation.cell_of(number)] = mark
        rows = tuple("".join(cells[row * 8 :][:8]) for row in range(8))
        return Grid(rows, (), ROW_LABELS, pieces=PIECES, checkered=True, sides=("Black", "White"))

    def squares(self, state, move):
        """From, to, the squares between, and the pieces taken."""
        path, taken = trail(move)
        order = (path[0], path[-1], *path[1:-1], *taken)
        return tuple(checkers_notation.cell_of(checkers_notation.number_of(square, state.player)) for square in order)

    def move_text(self, state, move):
        path, _ = trail(move)
        sign = "x" if move & CAPTURE_BIT else "-"
        return sign.join(str(checkers_notation.number_of(square, state.player)) for square in path)

    def parse_move(self, state, text):
        return checkers_notation.parse_move(self, state, text)

    def state_text(self, state):
        return checkers_notation.fen(state)

    def parse_state(self, text):
        return State(*checkers_notation.parse_fen(self, text))


def stepped(squares, way):
    """The squares one step on in a way."""
    if way == 0:
        return (squares & EVEN_ROWS) << 4 | (squares & ODD_ROWS & NOT_LEFT) << 3 & SQUARES
    if way == 1:
        return (squares & EVEN_ROWS & NOT_RIGHT) << 5 | (squares & ODD_ROWS) << 4 & SQUARES
    if way == 2:
        return (squares & EVEN_ROWS) >> 4 | (squares & ODD_ROWS & NOT_LEFT) >> 5
    return (squares & EVEN_ROWS & NOT_RIGHT) >> 3 | (squares & ODD_ROWS) >> 4


def able(state, way):
    """Return the mover's pieces that may go this way: men do not go back."""
    return state.mine if way < 2 else state.mine & state.kings


def turned(squares):
    """As the other player sees them."""
    return signed(shift_right(reverse(squares), 32))


def rows_gained(men):
    """Return the sum of the rows that the men have advanced."""
    gained = 0
    for row in range(1, 8):
        gained += row * popcount(men >> 4 * row & 0xF)
    return gained


def trail(move):
    """Return the squares that the piece visits during a move, and the squares where it captures."""
    path, at = [move & 31], 1 << (move & 31)
    taken = []
    for i in range(msb(move >> 6) - 2, -1, -2):
        at = stepped(at, move >> 6 + i & 3)
        if move & CAPTURE_BIT:
            taken.append(lsb(at))
            at = stepped(at, move >> 6 + i & 3)
        path.append(lsb(at))
    return path, taken
