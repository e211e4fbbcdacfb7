r"""Hare and Hounds, also called the French military game: three hounds hunt a hare that tries to slip past them.

The first player has the hounds, who move along a line to the next point, forward to the right or up and down but never
back; the second player has the hare, which moves along a line in any direction. The hounds win if the hare cannot move.
The hare wins once no hound is to the left of it, since none can hold it up any more; and if the hounds move up and down
`stalling` times in a row. With stalling = 0 they may do so without limit, and play can cycle.

Points are numbered column by column from the left:

         b1 -- c1 -- d1                  1 --- 4 --- 7
       /  |  \  |  /  |  \             / |  \  |  /  |  \
     a2 -b2 -- c2 -- d2 - e2          0 -2 --- 5 --- 8 - 10
       \  |  /  |  \  |  /             \ |  /  |  \  |  /
         b3 -- c3 -- d3                  3 --- 6 --- 9

A move is `from_point | to << 4`.
"""

from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from zermelo.arguments import check_int
from zermelo.bits import has_bit, ones, popcount
from zermelo.board import EMPTY, Piece, Points
from zermelo.game import ONGOING, Game
from zermelo.games.support.position_text import NoState
from zermelo.value import LOSS, WIN

HOUNDS, HARE = 0, 1
POINT_NAMES = ("a2", "b1", "b2", "b3", "c1", "c2", "c3", "d1", "d2", "d3", "e2")
LINES = (
    "a2 b2 c2 d2 e2", "b1 c1 d1", "b3 c3 d3", "b1 b2 b3", "c1 c2 c3", "d1 d2 d3", "a2 b1 c2 d3 e2", "a2 b3 c2 d1 e2",
)  # fmt: skip
SIDES = ("Hounds", "Hare")
PIECES = (Piece("H", HOUNDS, "H", "hound", "hound"), Piece("r", HARE, "●", "hare", "hare"))


class State(NamedTuple):
    hounds: int  # the points of the three hounds, one bit each
    hare: int  # the point of the hare
    stalls: int  # how many times in a row the hounds have moved up or down, if that is counted
    player: int  # HOUNDS or HARE: who is to move


class HareAndHounds(Game):
    """Three hounds, who never go back, hunt a hare that tries to slip past them."""

    stalling: int = 10

    alternates = True

    def __post_init__(self) -> None:
        check_int(repr(self), least=0, most=100, stalling=self.stalling)

    @cached_property
    def loops(self):
        return self.stalling == 0

    def initial(self):
        return State(0b1011, 10, 0, HOUNDS)

    def mover(self, state):
        return state.player

    def moves(self, state):
        if state.player == HOUNDS:
            for from_point in ones(state.hounds):
                for to in ones(self.forward_neighbours[from_point] & ~(state.hounds | 1 << state.hare)):
                    yield from_point | to << 4
        else:
            for to in ones(self.neighbours[state.hare] & ~state.hounds):
                yield state.hare | to << 4

    def play(self, state, move):
        from_point, to = move & 15, move >> 4
        if state.player == HARE:
            return State(state.hounds, to, state.stalls, HOUNDS)
        stalls = state.stalls + 1 if self.stalling and _column(to) == _column(from_point) else 0
        return State(state.hounds ^ 1 << from_point ^ 1 << to, state.hare, stalls, HARE)

    def result(self, state):
        patient = self.stalling == 0 or state.stalls < self.stalling
        if patient and state.hounds & self.left_of[state.hare]:
            return ONGOING
        return WIN if state.player == HARE else LOSS

    def stuck(self, state):
        return LOSS

    # -- the board ---------------------------------------------------------------------------------------------

    @cached_property
    def pairs(self):
        """The points that are next to each other."""
        lines = [[POINT_NAMES.index(name) for name in line.split()] for line in LINES]
        return tuple(pair for line in lines for pair in pairwise(line))

    @cached_property
    def neighbours(self):
        """The points next to each point."""
        import numpy as np

        beside = np.zeros(len(POINT_NAMES), np.int64)
        for one, other in self.pairs:
            beside[one] |= 1 << other
            beside[other] |= 1 << one
        return beside

    @cached_property
    def left_of(self):
        """The points to the left of each point."""
        import numpy as np

        columns = [_column(point) for point in range(len(POINT_NAMES))]
        return np.array([sum(1 << i for i, left in enumerate(columns) if left < column) for column in columns])

    @cached_property
    def forward_neighbours(self):
        """The points next to each point that a hound may move to."""
        return self.neighbours & ~self.left_of

    # -- evaluation, symmetry and solving ----------------------------------------------------------------------

    def evaluate(self, state):
        """For the hounds: few ways out for the hare, and hounds that it has not passed."""
        ways = popcount(self.neighbours[state.hare] & ~state.hounds)
        lead = 2 * popcount(state.hounds & self.left_of[state.hare]) - ways
        return lead if state.player == HOUNDS else -lead

    def order(self, state, move):
        """The hare to the left; the hounds slowly, up and down before forward."""
        return -_column(move >> 4)

    def symmetries(self, state):
        """The board upside down."""
        hounds = 0
        for hound in ones(state.hounds):
            hounds |= 1 << _flipped(hound)
        yield State(hounds, _flipped(state.hare), state.stalls, state.player)

    def stage(self, state):
        """The columns of the hounds together never fall; where stalling is counted, every move raises the stage."""
        columns = 0
        for hound in ones(state.hounds):
            columns += _column(hound)
        if self.stalling == 0:
            return columns
        return 2 * (columns * (self.stalling + 1) + state.stalls) + (state.player == HOUNDS)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        cells = ["H" if has_bit(state.hounds, point) else EMPTY for point in range(len(POINT_NAMES))]
        cells[state.hare] = "r"
        places = tuple((_column(point), int(POINT_NAMES[point][1])) for point in range(len(POINT_NAMES)))
        return Points("".join(cells), places, self.pairs, POINT_NAMES, PIECES, SIDES)

    def squares(self, state, move):
        return move & 15, move >> 4

    def move_text(self, state, move):
        return f"{POINT_NAMES[move & 15]}-{POINT_NAMES[move >> 4]}"

    def state_text(self, state):
        """The columns from the left, who is to move, and how often the hounds have moved up and down just now."""
        cells = self.board(state).cells
        columns = "/".join((cells[0], cells[1:4], cells[4:7], cells[7:10], cells[10]))
        return f"{columns} {('hounds', 'hare')[state.player]} {state.stalls}"

    def parse_state(self, text):
        columns, player, stalls = (*text.split(), "", "", "")[:3]
        cells = columns.replace("/", "")
        if cells.count("H") == 3 and cells.count("r") == 1 and stalls.isdecimal():
            hounds = sum(1 << point for point, mark in enumerate(cells) if mark == "H")
            state = State(hounds, cells.index("r"), int(stalls), HARE if player == "hare" else HOUNDS)
            if (
                len(cells) == len(POINT_NAMES)
                and self.state_text(state) == text.strip()
                and state.stalls <= self.stalling
            ):
                return state
        example = self.state_text(self.initial())
        raise NoState(
            f"{self!r}: {text!r} does not describe a state, with three hounds H, a hare r and at most {self.stalling} "
            f"moves up and down in a row, such as {example!r}."
        )


def _column(point):
    """From 0 on the left to 4."""
    return (point + 2) // 3


def _flipped(point):
    """The point in the other of the upper and the lower row."""
    row = (point + 2) % 3
    return point if point in (0, 10) else point + 2 - 2 * row
