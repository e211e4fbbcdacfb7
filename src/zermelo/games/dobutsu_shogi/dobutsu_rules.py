"""Dobutsu shogi, animal shogi on three by four squares: catch the lion, or bring your own home on the other side.

Each player has a lion, a giraffe, an elephant and a chick, which move one square: the lion anywhere, the giraffe along
rows and columns, the elephant along diagonals, the chick forward. A chick that moves to the last row becomes a hen,
which moves anywhere but backward along a diagonal. A piece that is taken changes sides, a hen as a chick, and is kept
in hand; instead of moving, one may drop such a piece on any empty square. Taking the lion wins, and so does a lion
that reaches the last row and is not taken there. Play can cycle.

A state is seen by the player to move, whose lion begins below. Squares are numbered row by row from the top left, with
four bits each: a piece of the mover's or, plus 8, of the other player's. As the first player sees the start:

        a b c
    1   g l e       0  1  2
    2   . c .       3  4  5
    3   . C .       6  7  8
    4   E L G       9 10 11

A hand has two bits for each of chick, elephant and giraffe. A move is `from_square | to << 4`; a drop of a chick,
elephant or giraffe has the from_square 12, 13 or 14.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import ones
from zermelo.board import EMPTY, Grid, Together
from zermelo.game import ONGOING, Game
from zermelo.games.dobutsu_shogi.dobutsu_board import (
    CELLS,
    CHICK,
    GIRAFFE,
    HEN,
    LION,
    PIECE_LETTERS,
    PIECES,
    SIDES,
    STEPS,
    THEIRS,
    WIDTH,
    count,
    find,
    hand_text,
    held,
    mirrored,
    packed,
    piece_at,
    square_name,
    turned,
)
from zermelo.games.support.position_text import NoState
from zermelo.value import LOSS, WIN, loss_in, win_in

HAND_PLACES = 6
"""The squares of a hand on the board: two for each of chick, elephant and giraffe."""

PIECE_VALUES = (0, 10, 25, 30, 0, 40)
"""The value of each kind of piece in the evaluation; the lion has none."""


class State(NamedTuple):
    board: int  # four bits a square
    hand: int  # what the player to move has in hand: two bits for each of chick, elephant and giraffe
    their_hand: int  # and the other player
    player: int  # 0 or 1: who is to move


class DobutsuShogi(Game):
    """Animal shogi on three by four squares: catch the lion, or bring your own to the other side."""

    alternates = True
    loops = True

    def initial(self):
        return State(self.start, 0, 0, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        for from_square in range(CELLS):
            piece = piece_at(state.board, from_square)
            if 0 < piece < THEIRS:
                for to in ones(self.reach[piece, from_square]):
                    if not 0 < piece_at(state.board, to) < THEIRS:
                        yield from_square | to << 4
        for piece in range(CHICK, GIRAFFE + 1):
            if held(state.hand, piece):
                for to in range(CELLS):
                    if piece_at(state.board, to) == 0:
                        yield CELLS - 1 + piece | to << 4

    def play(self, state, move):
        from_square, to = move & 15, move >> 4
        board, hand = state.board, state.hand
        if from_square < CELLS:
            piece, taken = piece_at(board, from_square), piece_at(board, to) & 7
            board &= ~(15 << 4 * from_square | 15 << 4 * to)
            if piece == CHICK and to < WIDTH:
                piece = HEN
            if taken and taken != LION:
                hand += 1 << 2 * ((CHICK if taken == HEN else taken) - 1)
        else:
            piece = from_square - CELLS + 1
            hand -= 1 << 2 * (piece - 1)
        return State(turned(board | piece << 4 * to), state.their_hand, hand, 1 - state.player)

    def result(self, state):
        """A lion on the last row has won if it was not taken, or cannot be."""
        mine, theirs = find(state.board, LION), find(state.board, LION | THEIRS)
        if mine < WIDTH:
            return WIN
        if mine == CELLS or (theirs >= CELLS - WIDTH and not self.attacks(state.board, theirs)):
            return LOSS
        return ONGOING

    def stuck(self, state):
        return LOSS

    def attacks(self, board, square):
        """Return whether a piece of the mover's attacks the square."""
        for from_square in range(CELLS):
            piece = piece_at(board, from_square)
            if 0 < piece < THEIRS and self.reach[piece, from_square] >> square & 1:
                return True
        return False

    @cached_property
    def start(self):
        return packed("gle.c..C.ELG")

    @cached_property
    def reach(self):
        """Where a piece goes to from each square, as a set of squares."""
        import numpy as np

        reach = np.zeros((len(STEPS), CELLS), np.int64)
        for piece, from_square in np.ndindex(reach.shape):
            for down, right in STEPS[piece]:
                row, column = from_square // WIDTH + down, from_square % WIDTH + right
                if 0 <= row < CELLS // WIDTH and 0 <= column < WIDTH:
                    reach[piece, from_square] |= 1 << row * WIDTH + column
        return reach

    # -- evaluation and static bounds --------------------------------------------------------------------------

    def evaluate(self, state):
        """Material, on the board and in hand, and how far the lions have advanced."""
        lead = 0
        for square in range(CELLS):
            piece = piece_at(state.board, square)
            rows = square // WIDTH
            if piece & THEIRS:
                lead -= PIECE_VALUES[piece & 7] + (2 * rows if piece & 7 == LION else 0)
            else:
                lead += PIECE_VALUES[piece] + (2 * (3 - rows) if piece == LION else 0)
        for piece in range(CHICK, GIRAFFE + 1):
            lead += (PIECE_VALUES[piece] + 5) * (held(state.hand, piece) - held(state.their_hand, piece))
        return lead

    def bounds(self, state):
        """A player who can take the lion wins at once; a loss needs a move of the other player."""
        if self.attacks(state.board, find(state.board, LION | THEIRS)):
            return win_in(1), win_in(1)
        return loss_in(2), win_in(1)

    def candidates(self, state):
        """A move that takes the lion, or all."""
        lion = find(state.board, LION | THEIRS)
        catch = self.attacks(state.board, lion)
        found = False
        for move in self.moves(state):
            if not catch or (not found and move >> 4 == lion):
                found = catch
                yield move

    def order(self, state, move):
        """Captures first, by most valuable victim and least valuable attacker; then advances, and drops last."""
        from_square, taken = move & 15, piece_at(state.board, move >> 4) & 7
        if taken:
            attacker = PIECE_VALUES[piece_at(state.board, from_square)]
            return 1000 if taken == LION else 100 + PIECE_VALUES[taken] - attacker // 5
        return -1 if from_square >= CELLS else from_square // WIDTH - (move >> 4) // WIDTH

    def noisy(self, state, move):
        return piece_at(state.board, move >> 4) != 0

    # -- symmetry ----------------------------------------------------------------------------------------------

    def symmetries(self, state):
        yield State(mirrored(state.board), state.hand, state.their_hand, state.player)

    def canonical(self, state):
        """The board or its mirror image; it is seen by the player to move, so that it does not matter who that is."""
        return State(min(state.board, mirrored(state.board)), state.hand, state.their_hand, 0)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        """The second player's hand, the board as the first player sees it, and the first player's hand."""
        first, second = self.sides(state.hand, state.their_hand, state.player)
        cells = self.cells(state)
        rows = tuple(cells[row : row + WIDTH] for row in range(0, CELLS, WIDTH))
        board = Grid(rows, ("a", "b", "c"), ("1", "2", "3", "4"), pieces=PIECES, sides=SIDES)
        hands = [Grid((text,), pieces=PIECES, sides=SIDES) for text in (hand_text(second).lower(), hand_text(first))]
        return Together((hands[0], board, hands[1]))

    def cells(self, state):
        """The squares as the first player sees them, in letters."""
        board = turned(state.board) if state.player else state.board
        pieces = [piece_at(board, square) for square in range(CELLS)]
        return "".join(PIECE_LETTERS[piece & 7].lower() if piece & THEIRS else PIECE_LETTERS[piece] for piece in pieces)

    def sides(self, mine, theirs, player):
        """What the first player has, then what the second."""
        return (mine, theirs) if player == 0 else (theirs, mine)

    def squares(self, state, move):
        """Where from, or the piece in hand, and where to."""
        from_square, to = move & 15, move >> 4
        if from_square < CELLS:
            return HAND_PLACES + self.seen(state, from_square), HAND_PLACES + self.seen(state, to)
        last = 2 * (from_square - CELLS) + held(state.hand, from_square - CELLS + 1) - 1
        return last if state.player else HAND_PLACES + CELLS + last, HAND_PLACES + self.seen(state, to)

    def seen(self, state, square):
        """The square as the first player counts it."""
        return CELLS - 1 - square if state.player else square

    def move_text(self, state, move):
        """`b3b2` moves a piece, `C*b2` drops a chick."""
        from_square, to = move & 15, move >> 4
        target = square_name(self.seen(state, to))
        if from_square >= CELLS:
            return f"{PIECE_LETTERS[from_square - CELLS + 1]}*{target}"
        return square_name(self.seen(state, from_square)) + target

    def state_text(self, state):
        """The rows from the top, the first player's pieces in capitals; who is to move, b or w; and both hands."""
        cells = self.cells(state)
        rows = "/".join(cells[row : row + WIDTH] for row in range(0, CELLS, WIDTH))
        first, second = self.sides(state.hand, state.their_hand, state.player)
        hands = (hand_text(first) + hand_text(second).lower()).replace(EMPTY, "")
        return f"{rows} {'bw'[state.player]} {hands or '-'}"

    def parse_state(self, text):
        rows, player, hands = (*text.split(), "", "", "")[:3]
        cells = rows.replace("/", "")
        if len(cells) == CELLS and not set(cells.upper()) - set(PIECE_LETTERS) and player in ("b", "w"):
            first, second = (
                sum(hands.count(letter) << 2 * i for i, letter in enumerate(letters)) for letters in ("CEG", "ceg")
            )
            board = packed(cells)
            state = State(turned(board), second, first, 1) if player == "w" else State(board, first, second, 0)
            pairs = all(count(cells + hands, animals) <= 2 for animals in ("CH", "E", "G"))
            mine, theirs = ("l", "L") if player == "w" else ("L", "l")  # only the mover's lion may have been taken
            lions = cells.count(mine) <= 1 and cells.count(theirs) == 1
            if pairs and lions and self.state_text(state) == f"{rows} {player} {hands}":
                return state
        example = self.state_text(self.initial())
        raise NoState(
            f"{self!r}: {text!r} does not describe a state, with at most two of each animal, such as {example!r}."
        )
