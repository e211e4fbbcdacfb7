"""Fanorona, the game of Madagascar: take stones by moving towards them or away from them.

A stone moves along a line to the next free point. If it moves towards a stone of the other player, which stands on the
next point in that line, it takes that stone by approach, and all others behind it as far as they stand without a gap;
if it moves away from one, it takes that line by withdrawal. Where it does both, the player chooses. Captures are
compulsory; a move without one is a paika. After a capture the same stone may go on capturing, in another direction than
that of its last step and to points that it has not visited in this turn, or the player may stop. A player without
stones or without a move loses. Play can cycle, which is a draw.

White, the first player, has the stones X at the bottom. At the start all points but the centre are occupied, those
of the middle row alternately. `fanorona_board` numbers points and ways.

A turn is one move for each step, and the same player moves again as long as the stone can go on, or until PASS:

    bits 0..5   from_point   bits 6..8   way      bits 9..10   PAIKA, APPROACH or WITHDRAWAL
"""

from typing import NamedTuple

from zermelo.bits import has_bit, ones, popcount
from zermelo.board import COLOURS, Piece, Points
from zermelo.game import ONGOING, GameError
from zermelo.games.fanorona import fanorona_notation
from zermelo.games.fanorona.fanorona_board import NO_WAY, Lattice
from zermelo.games.support.board_symmetries import image
from zermelo.games.support.parameters import check_whole
from zermelo.value import LOSS

PAIKA, APPROACH, WITHDRAWAL = 0, 1, 2
PASS = 3 << 9
"""The move that ends a turn."""

PIECES = (
    Piece("X", 0, "○", "white stone"),
    Piece("O", 1, "●", "black stone"),
    Piece("*", None, "◌", "visited in this turn"),
)


class State(NamedTuple):
    mine: int  # stones of the player to move
    theirs: int  # stones of the other player
    path: int  # in the course of a turn: where its stone has been, and where it stands; otherwise 0
    at: int  # and where it stands; otherwise 0
    way: int  # and which way it went last; otherwise NO_WAY
    player: int  # 0 or 1: who is to move


class Fanorona(Lattice):
    """Take lines of stones by moving towards them or away from them; the player who has none left loses."""

    rows: int = 5
    columns: int = 9

    loops = True

    def __post_init__(self) -> None:
        check_whole(self, rows=(3, 21), columns=(3, 21))
        if self.rows % 2 == 0 or self.columns % 2 == 0 or self.rows * self.columns > 63:
            raise GameError(f"{self!r}: rows and columns must be odd, and the points at most 63.")

    def initial(self):
        return State(*fanorona_notation.first_stones(self.rows, self.columns), 0, 0, NO_WAY, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        stones = 1 << state.at if state.path else state.mine
        free = self.points & ~(state.mine | state.theirs | state.path)
        found = False
        for way in range(8):
            if way != state.way:
                nearing, leaving = self.takers(stones, state.theirs, free, way)
                for from_point in ones(nearing):
                    yield APPROACH << 9 | way << 6 | from_point
                for from_point in ones(leaving):
                    yield WITHDRAWAL << 9 | way << 6 | from_point
                found = found or nearing | leaving != 0
        if state.path:
            yield PASS
        elif not found:
            for way in range(8):
                for from_point in ones(stones & self.stepped(free, 7 - way)):
                    yield way << 6 | from_point

    def takers(self, stones, theirs, free, way):
        """Those of the stones that take by approach if they go this way, and those that take by withdrawal."""
        able = stones & self.stepped(free, 7 - way)
        nearing = able & self.stepped(self.stepped(theirs, 7 - way), 7 - way)
        return nearing, able & self.stepped(theirs, way)

    def play(self, state, move):
        if move == PASS:
            return State(state.theirs, state.mine, 0, 0, NO_WAY, 1 - state.player)
        from_point, way = move & 63, move >> 6 & 7
        at = from_point + self.shifts[way]
        mine = state.mine ^ 1 << from_point ^ 1 << at
        theirs = state.theirs & ~self.taken(state.theirs, move)
        path = state.path | 1 << from_point | 1 << at
        if move >> 9 != PAIKA and self.can_take(1 << at, theirs, self.points & ~(mine | theirs | path), way):
            return State(mine, theirs, path, at, way, state.player)
        return State(theirs, mine, 0, 0, NO_WAY, 1 - state.player)

    def taken(self, theirs, move):
        """The stones that a move takes."""
        way, point = move >> 6 & 7, 1 << (move & 63)
        if move >> 9 == APPROACH:
            point = self.stepped(self.stepped(point, way), way)
        elif move >> 9 == WITHDRAWAL:
            way = 7 - way
            point = self.stepped(point, way)
        taken = 0
        while point & theirs:
            taken |= point
            point = self.stepped(point, way)
        return taken

    def can_take(self, stones, theirs, free, last):
        """Return whether one of the stones can capture, by another way than the last."""
        for way in range(8):
            if way != last:
                nearing, leaving = self.takers(stones, theirs, free, way)
                if nearing | leaving:
                    return True
        return False

    def result(self, state):
        return ONGOING if state.mine else LOSS

    def stuck(self, state):
        return LOSS

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """Stones count 100, more as they leave the board; those on strong points 5 more."""
        lead = 100 * (popcount(state.mine) - popcount(state.theirs))
        lead += lead * (self.size_of_board - popcount(state.mine | state.theirs)) // self.size_of_board
        return lead + 5 * (popcount(state.mine & self.strong) - popcount(state.theirs & self.strong))

    def order(self, state, move):
        """Most stones taken; then, of paikas, those to strong points."""
        if move == PASS:
            return 0
        goal = (move & 63) + self.shifts[move >> 6 & 7]
        return 10 * popcount(self.taken(state.theirs, move)) + has_bit(self.strong, goal)

    def noisy(self, state, move):
        """Stones are taken, or the other player may take now."""
        return move >> 9 != PAIKA

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def symmetries(self, state):
        """Who is to move stays the same: where turns do not alternate, equivalent states are of one player."""
        for turn in range(self.turns):
            mine, theirs = image(self.images, state.mine, turn), image(self.images, state.theirs, turn)
            if state.path:
                path, at = image(self.images, state.path, turn), int(self.point_images[turn, state.at])
                yield State(mine, theirs, path, at, int(self.way_images[turn, state.way]), state.player)
            else:
                yield State(mine, theirs, 0, 0, NO_WAY, state.player)

    def stage(self, state):
        """Captures are final, and so is the end of a turn: only paikas can cycle."""
        taken = self.size_of_board - 1 - popcount(state.mine | state.theirs)
        return 2 * taken + (state.path == 0)

    def predecessors(self, state):
        """The states of the same stage from which a paika leads here: the other player could not take."""
        if not state.path:
            free = self.points & ~(state.mine | state.theirs)
            for way in range(8):
                for from_point in ones(free & self.stepped(state.theirs, way)):
                    mine = state.theirs ^ 1 << from_point ^ 1 << from_point - self.shifts[way]
                    if not self.can_take(mine, state.mine, self.points & ~(mine | state.mine), NO_WAY):
                        yield State(mine, state.mine, 0, 0, NO_WAY, 1 - state.player)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        cells = list("".join(fanorona_notation.rows_text(self, state)))
        for point in ones(state.path & ~state.mine):
            cells[point] = "*"
        return Points("".join(cells), self.places, self.pairs, self.names, PIECES, COLOURS)

    def squares(self, state, move):
        """From, to and the stones taken, the nearest first; to stop, the stone twice."""
        if move == PASS:
            return state.at, state.at
        from_point = move & 63
        taken = sorted(ones(self.taken(state.theirs, move)), key=lambda point: abs(point - from_point))
        return from_point, from_point + self.shifts[move >> 6 & 7], *taken

    def move_text(self, state, move):
        """`e4-e5` is a paika, `f2-e3A` takes by approach and `d3-e3W` by withdrawal; `pass` ends the turn."""
        if move == PASS:
            return "pass"
        from_point, goal = self.squares(state, move)[:2]
        return f"{self.names[from_point]}-{self.names[goal]}{('', 'A', 'W')[move >> 9]}"

    def state_text(self, state):
        return fanorona_notation.state_text(self, state)

    def parse_state(self, text):
        return State(*fanorona_notation.parse_state(self, text))
