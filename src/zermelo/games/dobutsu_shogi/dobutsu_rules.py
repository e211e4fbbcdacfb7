"""Dobutsu shogi, animal shogi on three by four squares: catch the lion, or bring your own home on the other side.

Each player has a lion, a giraffe, an elephant and a chick, which move one square: the lion anywhere, the giraffe along
rows and columns, the elephant along diagonals, the chick forward. A chick that moves to the last row becomes a hen,
which moves anywhere but backward along a diagonal. A piece that is taken changes sides, a hen as a chick, and is kept
in hand; instead of moving, one may drop such a piece on any empty square. Who takes the lion wins, and so does the
player whose lion reaches the last row and is not taken there. Play can repeat.

A state is seen by the player to move, whose lion begins below. Squares are numbered row by row from the top left, with
four bits each: a piece of the mover's or, plus 8, of the other player's. As the first player sees the start:

        a b c
    1   g l e       0  1  2
    2   . c .       3  4  5
    3   . C .       6  7  8
    4   E L G       9 10 11

A hand has two bits for each of chick, elephant and giraffe. A move is `origin | to << 4`, where the origin of a chick,
elephant or giraffe that is dropped is 12, 13 or 14.
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
    LETTERS,
    LION,
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
from zermelo.games.support.position import NoState
from zermelo.value import LOSS, WIN, loss_in, win_in

HELD = 6
"""The places of a hand in the picture: two for each of chick, elephant and giraffe."""

WORTH = (0, 10, 25, 30, 0, 40)


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
        for origin in range(CELLS):
            piece = piece_at(state.board, origin)
            if 0 < piece < THEIRS:
                for to in ones(self.reach[piece, origin]):
                    if not 0 < piece_at(state.board, to) < THEIRS:
                        yield origin | to << 4
        for piece in range(CHICK, GIRAFFE + 1):
            if held(state.hand, piece):
                for to in range(CELLS):
                    if piece_at(state.board, to) == 0:
                        yield CELLS - 1 + piece | to << 4

    def play(self, state, move):
        origin, to = move & 15, move >> 4
        board, hand = state.board, state.hand
        if origin < CELLS:
            piece, taken = piece_at(board, origin), piece_at(board, to) & 7
            board &= ~(15 << 4 * origin | 15 << 4 * to)
            if piece == CHICK and to < WIDTH:
                piece = HEN
            if taken and taken != LION:
                hand += 1 << 2 * ((CHICK if taken == HEN else taken) - 1)
        else:
            piece = origin - CELLS + 1
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
        """Whether a piece of the mover's can move to the square."""
        for origin in range(CELLS):
            piece = piece_at(board, origin)
            if 0 < piece < THEIRS and self.reach[piece, origin] >> square & 1:
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
        for piece, origin in np.ndindex(reach.shape):
            for down, right in STEPS[piece]:
                row, column = origin // WIDTH + down, origin % WIDTH + right
                if 0 <= row < CELLS // WIDTH and 0 <= column < WIDTH:
                    reach[piece, origin] |= 1 << row * WIDTH + column
        return reach

    # -- evaluation and static bounds --------------------------------------------------------------------------

    def evaluate(self, state):
        """What pieces are worth, on the board and in hand, and how far the lions have come."""
        lead = 0
        for square in range(CELLS):
            piece = piece_at(state.board, square)
            rows = square // WIDTH
            if piece & THEIRS:
                lead -= WORTH[piece & 7] + (2 * rows if piece & 7 == LION else 0)
            else:
                lead += WORTH[piece] + (2 * (3 - rows) if piece == LION else 0)
        for piece in range(CHICK, GIRAFFE + 1):
            lead += (WORTH[piece] + 5) * (held(state.hand, piece) - held(state.their_hand, piece))
        return lead

    def bounds(self, state):
        """Who can take the lion wins at once, and nobody loses before the other player has moved."""
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
        """What is taken, the dearest first, by the cheapest; then moves of the lion forward, and drops last."""
        origin, taken = move & 15, piece_at(state.board, move >> 4) & 7
        if taken:
            return 1000 if taken == LION else 100 + WORTH[taken] - WORTH[piece_at(state.board, origin)] // 5
        return -1 if origin >= CELLS else origin // WIDTH - (move >> 4) // WIDTH

    def noisy(self, state, move):
        return piece_at(state.board, move >> 4) != 0

    # -- symmetry ----------------------------------------------------------------------------------------------

    def symmetries(self, state):
        yield State(mirrored(state.board), state.hand, state.their_hand, state.player)

    def canonical(self, state):
        """The board or its mirror image; it is seen alike whoever is to move."""
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
        return "".join(LETTERS[piece & 7].lower() if piece & THEIRS else LETTERS[piece] for piece in pieces)

    def sides(self, mine, theirs, player):
        """What the first player has, then what the second."""
        return (mine, theirs) if player == 0 else (theirs, mine)

    def squares(self, state, move):
        """Where from, or the piece in hand, and where to."""
        origin, to = move & 15, move >> 4
        if origin < CELLS:
            return HELD + self.seen(state, origin), HELD + self.seen(state, to)
        last = 2 * (origin - CELLS) + held(state.hand, origin - CELLS + 1) - 1
        return last if state.player else HELD + CELLS + last, HELD + self.seen(state, to)

    def seen(self, state, square):
        """The square as the first player counts it."""
        return CELLS - 1 - square if state.player else square

    def move_text(self, state, move):
        """`b3b2` moves a piece, `C*b2` drops a chick."""
        origin, to = move & 15, move >> 4
        target = square_name(self.seen(state, to))
        if origin >= CELLS:
            return f"{LETTERS[origin - CELLS + 1]}*{target}"
        return square_name(self.seen(state, origin)) + target

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
        if len(cells) == CELLS and not set(cells.upper()) - set(LETTERS) and player in ("b", "w"):
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
