"""Sim: draw a line between two points; a triangle of your own three lines loses (Gustavus Simmons, 1969).

The players draw by turns, each in a colour, any line between two points that is not drawn yet. Only triangles whose
corners are three of the points count. Of six points that are joined two by two, in two colours, three make a triangle
of one colour, so there is no draw; with fewer points there can be one, when all lines are drawn.

A set of lines is a word, a table of the points that are joined: the line between points i and j is bit 8 * i + j and
also bit 8 * j + i. A move is the smaller of the two numbers. With three points, the first joined to the other two:

        a b c
    a   . 1 1       bits 1 and 2
    b   1 . .       bit 8
    c   1 . .       bit 16
"""

from functools import cached_property
from itertools import combinations
from math import cos, pi, sin
from typing import NamedTuple

from zermelo.bits import has_bit, ones, popcount
from zermelo.board import EMPTY, Points
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.grid_notation import COLUMN_LETTERS, PLAYERS, read_cells
from zermelo.games.support.parameters import check_whole
from zermelo.value import DRAW, WIN, loss_in, win_in

ROW, COLUMN = 0xFF, 0x0101010101010101
"""The entries of point a in a table: what it is joined to, and what is joined to it."""


class State(NamedTuple):
    mine: int  # lines of the player to move
    theirs: int  # lines of the other player
    player: int  # 0 or 1: who is to move


class Sim(Game):
    """Draw a line between two points; who draws a triangle of their own lines has lost."""

    points: int = 6

    alternates = True

    def __post_init__(self) -> None:
        check_whole(self, points=(3, 6))

    def initial(self):
        return State(0, 0, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        return ones(self.free(state))

    def play(self, state, line):
        return State(state.theirs, state.mine | _table(line), 1 - state.player)

    def result(self, state):
        if self.closing(state.theirs) & state.theirs:
            return WIN
        return ONGOING if self.free(state) else DRAW

    def free(self, state):
        """The lines that are not drawn, each once."""
        return self.lines & ~(state.mine | state.theirs)

    def closing(self, lines):
        """The lines that make a triangle with two of these: those between two points that the same one is joined to."""
        closing = 0
        for point in range(self.points):
            closing |= (lines >> point & COLUMN) * (lines >> 8 * point & ROW)
        return closing & self.lines

    @cached_property
    def lines(self):
        """All lines, each once."""
        return sum(1 << 8 * one + other for one, other in combinations(range(self.points), 2))

    def stage(self, state):
        return popcount(state.mine | state.theirs)

    # -- evaluation and static bounds --------------------------------------------------------------------------

    def safe(self, state, lines):
        """The free lines with which the player of these does not lose at once."""
        return self.free(state) & ~self.closing(lines)

    def evaluate(self, state):
        """The difference in safe lines."""
        return popcount(self.safe(state, state.mine)) - popcount(self.safe(state, state.theirs))

    def candidates(self, state):
        """Lines that draw no triangle, if there are any."""
        safe = self.safe(state, state.mine)
        for line in ones(safe if safe else self.free(state)):
            yield line

    def bounds(self, state):
        """Only the player who draws a line can lose."""
        if self.safe(state, state.mine):
            return loss_in(3), win_in(2)
        return loss_in(1), loss_in(1)

    def order(self, state, line):
        """First what leaves the most safe lines, and of these such as are not safe for the other player later on."""
        drawn = self.play(state, line)
        return popcount(self.safe(drawn, drawn.theirs)) - popcount(self.safe(drawn, drawn.mine))

    # -- symmetry: every order of the points is equivalent ----------------------------------------------------------

    def symmetries(self, state):
        """The same in all other orders of the points, each of which is one swap from the one before."""
        mine, theirs = state.mine, state.theirs
        for point in self.swaps:
            mine, theirs = _swapped(mine, point), _swapped(theirs, point)
            yield State(mine, theirs, state.player)

    @cached_property
    def swaps(self):
        """Which neighbours are swapped, one pair after the other, to go through all orders."""
        import numpy as np

        return np.array(_swaps(self.points), np.int64)

    # -- display and notation ----------------------------------------------------------------------------------

    def highlights(self, state):
        """The lines of the triangle that has lost."""
        drawn = {pair for pair in self.pairs if has_bit(state.theirs, 8 * pair[0] + pair[1])}
        corners = combinations(range(self.points), 3)
        lost = {pair for three in corners if drawn.issuperset(sides := set(combinations(three, 2))) for pair in sides}
        return tuple(place for place, pair in enumerate(self.pairs, self.points) if pair in lost)

    @cached_property
    def pairs(self):
        """The two points of every line, in the order of the lines."""
        return tuple((line >> 3, line & 7) for line in ones(self.lines))

    def board(self, state):
        """The points, and on each line between two of them a place that stands for it."""
        corners = tuple(_corner(point, self.points) for point in range(self.points))
        middles = tuple(_between(corners, *pair) for pair in self.pairs)
        numbered = enumerate(self.pairs, self.points)
        edges = tuple((middle, *pair) for middle, pair in numbered)
        halves = tuple((end, middle) for middle, *pair in edges for end in pair)
        names = (*COLUMN_LETTERS[: self.points], *(self.move_text(state, line) for line in ones(self.lines)))
        return Points(EMPTY * self.points + self.marks(state), corners + middles, halves, names, edges=edges)

    def marks(self, state):
        """The owner of each line, in their order."""
        first, second = (state.theirs, state.mine) if state.player else (state.mine, state.theirs)
        lines = ones(self.lines)
        return "".join("X" if has_bit(first, line) else "O" if has_bit(second, line) else EMPTY for line in lines)

    def squares(self, state, line):
        return (self.points + self.pairs.index((line >> 3, line & 7)),)

    def move_text(self, state, line):
        return COLUMN_LETTERS[line >> 3] + COLUMN_LETTERS[line & 7]

    def state_text(self, state):
        """The lines from each point to those after it, ab, ac and so on first, and who is to move."""
        marks, rows = self.marks(state), []
        for length in range(self.points - 1, 0, -1):
            rows.append(marks[:length])
            marks = marks[length:]
        return f"{'/'.join(rows)} {PLAYERS[state.player]}"

    def parse_state(self, text):
        length = self.points - 1
        *sides, player = read_cells(self, text, length, length, triangle=True)
        tables = {length * row + column - row - 1: _table(8 * row + column) for row, column in self.pairs}
        first, second = (sum(tables[cell] for cell in ones(cells)) for cells in sides)
        if popcount(first) - popcount(second) != 2 * player:
            raise GameError(f"{self!r}: {text!r} cannot arise, since the players take turns and X moves first.")
        state = State(second, first, 1) if player else State(first, second, 0)
        if self.closing(state.mine) & state.mine:
            raise GameError(f"{self!r}: {text!r} cannot arise, since the player to move has lost already.")
        return state


def _table(line):
    """A line alone, as it stands in a table."""
    return 1 << line | 1 << 8 * (line & 7) + (line >> 3)


def _swapped(lines, point):
    """A set of lines with this point and the next one swapped: two rows of the table, and two columns."""
    rows = (lines ^ lines >> 8) & ROW << 8 * point
    lines ^= rows | rows << 8
    columns = (lines ^ lines >> 1) & COLUMN << point
    return lines ^ (columns | columns << 1)


def _swaps(count):
    """Return swaps of neighbours that lead through all orders of `count` points (Steinhaus-Johnson-Trotter).

    >>> _swaps(3)
    [1, 0, 1, 0, 1]
    """
    if count < 2:
        return []
    swaps, inner = [], _swaps(count - 1)
    for number, swap in enumerate([*inner, None]):  # the last point goes through the others, there and back by turns
        down = number % 2 == 0
        swaps += range(count - 2, -1, -1) if down else range(count - 1)
        if swap is not None:
            swaps.append(swap + 1 if down else swap)
    return swaps


def _corner(point, count):
    """Where a point lies, on a circle, from the top left on clockwise; the line ab lies level at the top."""
    angle = 2 * pi * ((point - 1 / 2) / count - 1 / 4)
    return round(cos(angle), 6), round(sin(angle), 6)


def _between(corners, one, other):
    """A place on the line between two corners that lies on no other line."""
    steps, count = other - one, len(corners)
    part = 1 / 2 if steps in (1, count - 1) else 1 / 6 if steps == 2 else 5 / 6
    if 2 * steps == count:  # through the centre, and past it on different sides
        part = 3 / 8 if one % 2 else 5 / 8
    (x, y), (end_x, end_y) = corners[one], corners[other]
    return round(x + part * (end_x - x), 6), round(y + part * (end_y - y), 6)
