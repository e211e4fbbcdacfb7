"""Three Musketeers by Haar Hoolim: the enemy wants them in one line, and they want to have no enemy beside them.

On a board of five by five the musketeers begin in two opposite corners and in the centre, and 22 enemies everywhere
else. The musketeers move first. One of them must take an enemy in a neighbouring cell of the same row or column, and
goes there; then an enemy steps to an empty neighbouring cell. The enemy wins as soon as the three musketeers stand in
one row or in one column, whether with gaps or without. Otherwise the musketeers win when it is their turn and none of
them has an enemy beside him. The published rules do not say what happens if the enemy cannot move: here
the enemy has lost then, as also if none is left.

Cells are numbered row by row from the top left, and a set of them is a word:

        a b c d e
    5   o o o o M       0  1  2  3  4
    4   o o o o o       5  6  7  8  9
    3   o o M o o      10 11 12 13 14
    2   o o o o o      15 16 17 18 19
    1   M o o o o      20 21 22 23 24

A move is `from_cell | to << 5`.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import lsb, msb, ones, popcount
from zermelo.board import EMPTY, Grid, Piece
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.board_symmetries import TURNS, image, least_images, square_images
from zermelo.games.support.grid_notation import COLUMN_LETTERS
from zermelo.games.support.position_text import NoState
from zermelo.value import LOSS, WIN, loss_in, win_in

MUSKETEERS, ENEMY = 0, 1
PLAYER_NAMES = ("musketeers", "enemy")
SIDES = ("Musketeers", "Enemies")
PIECES = (Piece("M", MUSKETEERS, "M", "musketeer", "musketeer"), Piece("o", ENEMY, "●", "enemy"))

SIDE = 5
CELLS = (1 << SIDE * SIDE) - 1
START = 1 << 4 | 1 << 12 | 1 << 20
FIRST_COLUMN = 0x108421
"""The cells of the first column."""


class State(NamedTuple):
    musketeers: int  # the cells of the three musketeers, one bit each
    enemies: int  # those of the enemies
    player: int  # MUSKETEERS or ENEMY: who is to move


class ThreeMusketeers(Game):
    """The musketeers must take an enemy each turn: they win if there is none beside them, and lose in one line."""

    alternates = True

    def initial(self):
        return State(START, CELLS & ~START, MUSKETEERS)

    def mover(self, state):
        return state.player

    def moves(self, state):
        if state.player == MUSKETEERS:
            movers, goals = state.musketeers, state.enemies
        else:
            movers, goals = state.enemies, CELLS & ~(state.musketeers | state.enemies)
        for from_cell in ones(movers & _around(goals)):
            for to in ones(self.neighbours[from_cell] & goals):
                yield from_cell | to << 5

    def play(self, state, move):
        from_cell, to = 1 << (move & 31), 1 << (move >> 5)
        if state.player == MUSKETEERS:
            return State(state.musketeers ^ from_cell | to, state.enemies ^ to, ENEMY)
        return State(state.musketeers, state.enemies ^ from_cell | to, MUSKETEERS)

    def result(self, state):
        if _apart(state.musketeers) > 0:
            return ONGOING
        return LOSS if state.player == MUSKETEERS else WIN

    def stuck(self, state):
        return WIN if state.player == MUSKETEERS else LOSS

    @cached_property
    def neighbours(self):
        """The cells next to each cell."""
        return tuple(_around(1 << cell) for cell in range(SIDE * SIDE))

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """For the musketeers: how far they are from a line, and few enemies, above all beside them."""
        near = popcount(_around(state.musketeers) & state.enemies)
        lead = 20 * _apart(state.musketeers) - 3 * near - popcount(state.enemies)
        return lead if state.player == MUSKETEERS else -lead

    def bounds(self, state):
        """A line needs as many moves of the musketeers as they are apart, and each move takes an enemy."""
        steps, left = _apart(state.musketeers), popcount(state.enemies)
        if state.player == MUSKETEERS:
            return win_in(2 * left) if left < steps else loss_in(2 * steps - 1), win_in(0)
        return loss_in(0), loss_in(2 * left) if left < steps else win_in(2 * steps)

    def order(self, state, move):
        """The musketeers go where few enemies are near; the enemy leaves them few captures."""
        child = self.play(state, move)
        if state.player == MUSKETEERS:
            near = _around(child.musketeers)
            return -popcount(near & child.enemies) - popcount(_around(near) & child.enemies)
        captures = 0
        for musketeer in ones(child.musketeers):
            captures += popcount(self.neighbours[musketeer] & child.enemies)
        return -captures

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def symmetries(self, state):
        for turn in range(1, TURNS):
            musketeers, enemies = image(self.images, state.musketeers, turn), image(self.images, state.enemies, turn)
            yield State(musketeers, enemies, state.player)

    def canonical(self, state):
        """The least of the eight images."""
        musketeers, enemies = least_images(self.images, state.musketeers, state.enemies)
        return State(musketeers, enemies, state.player)

    @cached_property
    def images(self):
        return square_images(SIDE)

    def key(self, state):
        return state.musketeers | state.enemies << 25 | state.player << 50

    def stage(self, state):
        """The enemies that were taken; every move raises it."""
        return 2 * (SIDE * SIDE - 3 - popcount(state.enemies)) + (state.player == MUSKETEERS)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        marks = [EMPTY] * SIDE * SIDE
        for cells, mark in ((state.musketeers, "M"), (state.enemies, "o")):
            for cell in ones(cells):
                marks[cell] = mark
        rows = tuple("".join(marks[row * SIDE :][:SIDE]) for row in range(SIDE))
        labels = tuple(str(SIDE - row) for row in range(SIDE))
        return Grid(rows, tuple(COLUMN_LETTERS[:SIDE]), labels, pieces=PIECES, sides=SIDES)

    def squares(self, state, move):
        return move & 31, move >> 5

    def move_text(self, state, move):
        return f"{_name(move & 31)}{'x' if state.player == MUSKETEERS else '-'}{_name(move >> 5)}"

    def state_text(self, state):
        return f"{'/'.join(self.board(state).cells)} {PLAYER_NAMES[state.player]}"

    def parse_state(self, text):
        board, _, player = text.strip().rpartition(" ")
        marks = board.replace("/", "")
        musketeers, enemies = (sum(1 << cell for cell, mark in enumerate(marks) if mark == each) for each in "Mo")
        state = State(musketeers, enemies, ENEMY if player == "enemy" else MUSKETEERS)
        if len(marks) != SIDE * SIDE or popcount(musketeers) != 3 or self.state_text(state) != text.strip():
            example = self.state_text(self.initial())
            raise NoState(
                f"{self!r}: {text!r} does not describe a state, with three musketeers M and enemies o, such as "
                f"{example!r}."
            )
        if state.player == MUSKETEERS and _apart(musketeers) == 0:
            raise GameError(
                f"{self!r}: {text!r} cannot arise, since the game is over once the musketeers have moved into one line."
            )
        return state


def _around(cells):
    """The cells beside these in a row or a column."""
    aside = cells << 1 & ~FIRST_COLUMN | cells >> 1 & ~(FIRST_COLUMN << SIDE - 1)
    return (cells << SIDE | cells >> SIDE | aside) & CELLS


def _apart(musketeers):
    """Return how many steps the three are from standing in one row or in one column; 0 if they do."""
    first, last = lsb(musketeers), msb(musketeers)
    middle = lsb(musketeers ^ 1 << first)
    columns = (first % SIDE, middle % SIDE, last % SIDE)
    return min(last // SIDE - first // SIDE, max(columns) - min(columns))


def _name(cell):
    return f"{COLUMN_LETTERS[cell % SIDE]}{SIDE - cell // SIDE}"
