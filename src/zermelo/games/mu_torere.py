r"""Mu torere of the Maori: four stones each around a centre, one free point; a player who cannot move loses.

The board is a star: eight points, the kewai, around the putahi in the centre. A stone moves to the free point if that
is next to it: from kewai to kewai along the edge, or between a kewai and the putahi. To the putahi it may move only if
a stone of the other player is beside it on the edge; otherwise the first player would win with the first move. The
rule holds for the whole game, or for the first `restricted` moves of each player. Play can cycle.

Points are numbered around from the top left, and the putahi comes last:

      1---2                0   1
     /     \
    8       3            7       2
    |   p   |                8
    7       4            6       3
     \     /
      6---5                5   4

A move is the point from which a stone goes to the one that is free.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import has_bit, lsb, ones, popcount, reverse, shift_right
from zermelo.board import EMPTY, Points
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.grid_notation import PLAYERS
from zermelo.games.support.parameters import check_whole
from zermelo.games.support.position_text import NoState
from zermelo.value import LOSS

EDGE, CENTRE = 8, 8
KEWAI, PUTAHI = 0xFF, 1 << CENTRE
POINTS = KEWAI | PUTAHI
POINT_NAMES = "12345678p"
PLACES = ((1, 0), (2, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 2), (0, 1), (1.5, 1.5))
IMAGE_COUNT = 16
MAX_RESTRICTED = 20
"""The greatest value of `restricted`."""


class State(NamedTuple):
    mine: int  # stones of the player to move
    theirs: int  # stones of the other player
    plies: int  # moves so far, up to the last that is restricted; 0 where all are
    player: int  # 0 or 1: who is to move


class MuTorere(Game):
    """Four stones each around a centre, and one free point; the player who cannot move loses."""

    restricted: int = 0

    alternates = True
    loops = True

    def __post_init__(self) -> None:
        check_whole(self, restricted=(0, MAX_RESTRICTED))

    def initial(self):
        return State(0x0F, 0xF0, 0, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        return ones(self.movable(state.mine, state.theirs, state.plies))

    def movable(self, mine, theirs, plies):
        """Those of my stones that can go to the free point."""
        free = POINTS & ~(mine | theirs)
        if free != PUTAHI:
            return mine & (_beside(free) | PUTAHI)
        bound = self.restricted == 0 or plies < 2 * self.restricted
        return mine & _beside(theirs) if bound else mine

    def play(self, state, move):
        mine = POINTS & ~state.theirs & ~(1 << move)
        return State(state.theirs, mine, min(state.plies + 1, 2 * self.restricted), 1 - state.player)

    def result(self, state):
        return ONGOING

    def stuck(self, state):
        return LOSS

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """The stones that can move, less those of the other player that could."""
        mine = self.movable(state.mine, state.theirs, state.plies)
        return popcount(mine) - popcount(self.movable(state.theirs, state.mine, state.plies))

    def order(self, state, move):
        """The centre first: a player who holds it cannot be blocked."""
        return -(move == CENTRE)

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def symmetries(self, state):
        for number in range(IMAGE_COUNT):
            yield State(_image(state.mine, number), _image(state.theirs, number), state.plies, state.player)

    def canonical(self, state):
        """The least of the sixteen images; it is seen by the player to move, so that it does not matter who that is."""
        return self.at(state.plies, self.index(state))

    def stage(self, state):
        return state.plies

    def size(self, stage):
        return len(self.representatives)

    def index(self, state):
        free = lsb(POINTS & ~(state.mine | state.theirs))
        return int(self.numbers[state.mine, free])

    def at(self, stage, index):
        mine, free = self.representatives[index]
        return State(mine, POINTS & ~mine & ~(1 << free), stage, stage & 1)

    @cached_property
    def representatives(self):
        """My stones and the free point in each position that is the least of its images: there are 46."""
        found = {min(images) for images in self.placements.values()}
        return tuple(sorted(found))

    @cached_property
    def numbers(self):
        """The number of each position, by my stones and the free point."""
        import numpy as np

        numbers = np.full((POINTS + 1, CENTRE + 1), -1, np.int64)
        for (mine, free), images in self.placements.items():
            numbers[mine, free] = self.representatives.index(min(images))
        return numbers

    @cached_property
    def placements(self):
        """The images of every position, each as my stones and the free point."""
        return {
            (mine, free): [(_image(mine, number), lsb(_image(1 << free, number))) for number in range(IMAGE_COUNT)]
            for mine in range(POINTS + 1)
            for free in range(CENTRE + 1)
            if popcount(mine) == 4 and not has_bit(mine, free)
        }

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        edge = [(point, (point + 1) % EDGE) for point in range(EDGE)]
        spokes = [(point, CENTRE) for point in range(EDGE)]
        return Points(self.marks(state), PLACES, (*edge, *spokes), tuple(POINT_NAMES))

    def marks(self, state):
        first, second = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        points = range(CENTRE + 1)
        return "".join("X" if has_bit(first, point) else "O" if has_bit(second, point) else EMPTY for point in points)

    def squares(self, state, move):
        return move, lsb(POINTS & ~(state.mine | state.theirs))

    def move_text(self, state, move):
        origin, to = self.squares(state, move)
        return f"{POINT_NAMES[origin]}-{POINT_NAMES[to]}"

    def state_text(self, state):
        """The kewai from 1 to 8, the putahi, and who is to move; the moves so far, where only some are restricted."""
        marks = self.marks(state)
        plies = f" {state.plies}" if self.restricted else ""
        return f"{marks[:EDGE]}/{marks[EDGE]} {PLAYERS[state.player]}{plies}"

    def parse_state(self, text):
        words = text.upper().split()
        board, player, plies = words if len(words) == 3 and self.restricted else (*(*words, "", "")[:2], "0")
        marks = board.replace("/", "")
        first, second = (sum(1 << point for point, mark in enumerate(marks) if mark == each) for each in PLAYERS)
        if len(marks) == len(POINT_NAMES) and popcount(first) == popcount(second) == 4 and plies.isdecimal():
            mine, theirs = (second, first) if player == "O" else (first, second)
            state = State(mine, theirs, int(plies), PLAYERS.find(player))
            if state.plies <= 2 * self.restricted and self.state_text(state) == " ".join(words):
                if state.plies < 2 * self.restricted and state.player != state.plies & 1:
                    raise GameError(
                        f"{self!r}: {text!r} cannot arise, since X moves first and {PLAYERS[state.plies & 1]} is to "
                        f"move after {state.plies} moves."
                    )
                return state
        example = self.state_text(self.initial())
        raise NoState(
            f"{self!r}: {text!r} does not describe a state, with four X, four O and a free point, such as {example!r}."
        )


def _turned(points, steps):
    """Return the stones on the edge rotated by `steps` points; the centre stays."""
    edge = points & KEWAI
    return (edge << steps | edge >> EDGE - steps) & KEWAI | points & PUTAHI


def _beside(points):
    """The points of the edge that are next to these on the edge."""
    return (_turned(points, 1) | _turned(points, EDGE - 1)) & KEWAI


def _image(points, number):
    """Return one of the images: rotated by number & 7 points, then mirrored (number & 8)."""
    turned = _turned(points, number & 7)
    return int(shift_right(reverse(turned), 64 - EDGE)) & KEWAI | turned & PUTAHI if number & 8 else turned
