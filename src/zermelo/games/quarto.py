"""Quarto: you place the piece that your opponent gives you; a line of pieces that have something in common wins.

A piece has or lacks each attribute, and no two are alike: with four attributes there are sixteen. The player to move
places the piece in hand on any cell, and then gives the other player one of the pieces left; the first player begins by
giving. A row, a column or a diagonal of pieces that all have, or all lack, one attribute wins. If
there is no cell or no piece left, the game is drawn.

Placing and giving are two moves of the same player: a cell, row by row from the top left, or a piece, whose bits are
its attributes. A state has a set of cells for each attribute, where pieces lie that have it:

    3 . .      pieces 3, which has attributes 0 and 1, and 2, which has only attribute 1
    . 2 .      having = (0b000000001, 0b000010001), filled = 0b000010001
    . . .
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import ones, popcount
from zermelo.board import EMPTY, Fields, Grid, Piece, Together
from zermelo.game import ONGOING, Game
from zermelo.games.support.board_symmetries import TURNS, image, square_images
from zermelo.games.support.grid_notation import COLUMN_LETTERS
from zermelo.games.support.parameters import check_whole
from zermelo.games.support.position_text import NoState
from zermelo.tuples import replace
from zermelo.value import DRAW, WIN, loss_in, win_in

MARKS = "0123456789ABCDEF"
ATTRIBUTE_WORDS = (("light", "dark"), ("short", "tall"), ("round", "square"), ("solid", "hollow"))
"""What a piece is without, and with, each attribute."""

GLYPHS = "○●□■⊙◉⊡▣"
"""A dark piece is filled, a round one is a circle, a hollow one has a middle; of a tall one there are two."""


class State(NamedTuple):
    having: tuple[int, ...]  # for each attribute the cells of pieces that have it
    filled: int  # the cells of all pieces
    hand: int  # the piece to be placed, or the number of all pieces while one is to be given
    left: int  # the pieces that are neither placed nor in hand, one bit each


class Quarto(Game):
    """Place the piece that your opponent gives you; a line of pieces that have something in common wins."""

    side: int = 4
    attributes: int = 4

    def __post_init__(self) -> None:
        check_whole(self, side=(2, 4), attributes=(1, 4))

    def initial(self):
        return State((0,) * self.attributes, 0, self.pieces, (1 << self.pieces) - 1)

    def mover(self, state):
        """The first player gives the first piece, the second places it and gives the next."""
        return popcount(state.filled) + (state.hand != self.pieces) & 1

    def moves(self, state):
        return ones(state.left if state.hand == self.pieces else self.cells & ~state.filled)

    def play(self, state, move):
        if state.hand == self.pieces:
            return State(state.having, state.filled, move, state.left & ~(1 << move))
        having = state.having
        for attribute in range(self.attributes):
            having = replace(having, attribute, having[attribute] | (state.hand >> attribute & 1) << move)
        return State(having, state.filled | 1 << move, self.pieces, state.left)

    def result(self, state):
        """The player who has just placed a piece is still to move, and has won with a line."""
        if state.hand != self.pieces:
            return ONGOING
        for line in self.lines:
            if state.filled & line == line:
                for cells in state.having:
                    if cells & line == 0 or cells & line == line:
                        return WIN
        return DRAW if state.filled == self.cells or state.left == 0 else ONGOING

    def stage(self, state):
        return 2 * popcount(state.filled) + (state.hand != self.pieces)

    # -- constants ---------------------------------------------------------------------------------------------

    @cached_property
    def pieces(self):
        return 1 << self.attributes

    @cached_property
    def cells(self):
        return (1 << self.side * self.side) - 1

    @cached_property
    def lines(self):
        """Rows, columns and both diagonals."""
        side = self.side
        rows = [range(row * side, row * side + side) for row in range(side)]
        columns = [range(column, side * side, side) for column in range(side)]
        diagonals = [range(0, side * side, side + 1), range(side - 1, side * side - 1, side - 1)]
        return tuple(sum(1 << cell for cell in line) for line in (*rows, *columns, *diagonals))

    # -- static bounds and candidates --------------------------------------------------------------------------

    def winning(self, state, piece):
        """The cells where the piece completes a line."""
        cells = 0
        for line in self.lines:
            gap = line & ~state.filled
            if gap and not gap & gap - 1:
                for attribute in range(self.attributes):
                    there = line & (state.having[attribute] if piece >> attribute & 1 else ~state.having[attribute])
                    if there | gap == line:
                        cells |= gap
        return cells

    def safe(self, state):
        """The pieces left that do not win at once for the player who gets them."""
        safe = state.left
        for piece in ones(state.left):
            if self.winning(state, piece):
                safe ^= 1 << piece
        return safe

    def bounds(self, state):
        """A winning piece in hand wins at once; else the game lasts until the next piece, or the one after that."""
        if state.hand != self.pieces:
            return (win_in(1), win_in(1)) if self.winning(state, state.hand) else (loss_in(3), win_in(5))
        return (loss_in(6), win_in(4)) if self.safe(state) else (loss_in(2), loss_in(2))

    def candidates(self, state):
        """A cell that wins, or all; pieces that do not lose at once, or if there are none, one of them."""
        if state.hand != self.pieces:
            cells = self.winning(state, state.hand)
            moves = cells & -cells if cells else self.cells & ~state.filled
        else:
            moves = self.safe(state)
            if not moves:
                moves = state.left & -state.left
        for move in ones(moves):
            yield move

    def evaluate(self, state):
        """An odd number of pieces that can be given away safely is good for the player who gives."""
        safe = popcount(self.safe(state))
        lead = (1 if safe & 1 else -1) if safe else -2
        return lead if state.hand == self.pieces else -lead

    # -- symmetry ----------------------------------------------------------------------------------------------

    def canonical(self, state):
        """The least state over symmetries of the board, permutations of attributes, and complements of attributes.

        On the board of each turn, a piece on the first cell that is filled has no attribute, and of two attributes the
        one with the lesser set of cells comes first; if both sets are the same, the piece in hand decides.
        """
        least = state
        for turn in range(TURNS):
            other = self.normal(state, turn)
            if turn == 0 or other.filled < least.filled or (other.filled == least.filled and self.before(other, least)):
                least = other
        return self.with_pieces_left(least)

    def before(self, one, other):
        """Return whether one state comes before another with pieces on the same cells."""
        for attribute in range(self.attributes):
            if one.having[attribute] != other.having[attribute]:
                return one.having[attribute] < other.having[attribute]
        return one.hand < other.hand

    def normal(self, state, turn):
        """Return the board after a symmetry, with attributes in order; the pieces left are not computed."""
        filled, given = image(self.images, state.filled, turn), state.hand != self.pieces
        keys = state.having
        for attribute in range(self.attributes):
            cells, bit = image(self.images, state.having[attribute], turn), state.hand >> attribute & 1
            if cells & filled & -filled or (given and filled == 0 and bit):
                cells, bit = filled & ~cells, 1 - bit
            key, place = cells << 1 | (bit if given else 0), attribute
            while place > 0 and keys[place - 1] > key:
                keys = replace(keys, place, keys[place - 1])
                place -= 1
            keys = replace(keys, place, key)
        hand = 0
        for attribute in range(self.attributes):
            hand |= (keys[attribute] & 1) << attribute
            keys = replace(keys, attribute, keys[attribute] >> 1)
        return State(keys, filled, hand if given else self.pieces, 0)

    def with_pieces_left(self, state):
        """The state with all pieces left that are neither on the board nor in hand."""
        left = (1 << self.pieces) - 1 & ~(1 << state.hand)
        for cell in ones(state.filled):
            left &= ~(1 << self.piece_on(state, cell))
        return State(state.having, state.filled, state.hand, left)

    def piece_on(self, state, cell):
        piece = 0
        for attribute in range(self.attributes):
            piece |= (state.having[attribute] >> cell & 1) << attribute
        return piece

    @cached_property
    def images(self):
        return square_images(self.side)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        """The cells, then the pieces left in rows of eight; a piece is given by a click among these.

        The one that was given still lies there until it is placed.
        """
        labels = tuple(COLUMN_LETTERS[: self.side]), tuple(str(row + 1) for row in range(self.side))
        lying = [piece == state.hand or state.left >> piece & 1 for piece in range(self.pieces)]
        left = "".join(MARKS[piece] if there else EMPTY for piece, there in enumerate(lying))
        cells = Grid(self.rows(state), *labels, pieces=self.marks)
        rows = [slice(start, start + 8) for start in range(0, self.pieces, 8)]
        given = [Grid((left[row],), tuple(MARKS[: self.pieces][row]), pieces=self.marks) for row in rows]
        none = "to be given" if self.result(state) == ONGOING else "none"
        hand = none if state.hand == self.pieces else f"{MARKS[state.hand]}, {self.marks[state.hand].label}"
        return Together((cells, *given, Fields(("piece",), (hand,))))

    @cached_property
    def marks(self):
        """Each piece as it looks, and in words."""
        marks = []
        for piece in range(self.pieces):
            dark, tall, square, hollow = (piece >> i & 1 for i in range(4))
            words = " ".join(ATTRIBUTE_WORDS[i][piece >> i & 1] for i in range(self.attributes))
            glyph = GLYPHS[dark + 2 * square + 4 * hollow] * (1 + tall)
            marks.append(Piece(MARKS[piece], None, glyph, words, f"token {words}"))
        return tuple(marks)

    def rows(self, state):
        cells = [
            MARKS[self.piece_on(state, cell)] if state.filled >> cell & 1 else EMPTY
            for cell in range(self.side * self.side)
        ]
        return tuple("".join(cells[row * self.side :][: self.side]) for row in range(self.side))

    def squares(self, state, move):
        return (move + self.side * self.side,) if state.hand == self.pieces else (move,)

    def highlights(self, state):
        won = (line for line in self.lines if self.result(state) == WIN and self.is_shared(state, line))
        return tuple(sorted({cell for line in won for cell in ones(line)}))

    def is_shared(self, state, line):
        """Return whether the pieces of a full line all have, or all lack, an attribute."""
        return state.filled & line == line and any(cells & line in (0, line) for cells in state.having)

    def move_text(self, state, move):
        """A piece by its number, in one digit or letter; a cell by its column and its row."""
        if state.hand == self.pieces:
            return MARKS[move]
        return f"{COLUMN_LETTERS[move % self.side]}{move // self.side + 1}"

    def state_text(self, state):
        """The rows from the top, and the piece in hand, or a dash where one is to be given."""
        return f"{'/'.join(self.rows(state))} {'-' if state.hand == self.pieces else MARKS[state.hand]}"

    def parse_state(self, text):
        board, _, hand = text.strip().upper().rpartition(" ")
        cells = board.replace("/", "")
        marks = {mark: piece for piece, mark in enumerate(MARKS[: self.pieces])} | {"-": self.pieces}
        used = [mark for mark in [*cells, hand] if mark not in (EMPTY, "-")]
        if hand in marks and set(used) <= set(marks) and len(set(used)) == len(used):
            having = tuple(
                sum(1 << cell for cell, mark in enumerate(cells) if mark != EMPTY and marks[mark] >> attribute & 1)
                for attribute in range(self.attributes)
            )
            filled = sum(1 << cell for cell, mark in enumerate(cells) if mark != EMPTY)
            state = self.with_pieces_left(State(having, filled, marks[hand], 0))
            if "/".join(self.rows(state)) == board:
                return state
        example = self.state_text(self.initial())
        raise NoState(f"{self!r}: {text!r} does not describe a state, with no piece twice, such as {example!r}.")
