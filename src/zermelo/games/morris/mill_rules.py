"""Mills, the rules of morris: three in a line close a mill and take a stone.

First the players place their men in turn, then they move them to the next point along a line; with `flying`, a player
with three stones left may move them anywhere. Closing a mill takes a stone of the other player that is in no mill, or
any if all are. A player with two stones left, or no move, loses; a board without a free point is a draw. With three men
a mill wins at once. `ring_boards` draws the board.

A move is `to | from_point << 5 | taken << 10`. The from_point of a stone that is placed is NO_POINT, and so is the
stone taken if no mill is closed.
"""

import re
from typing import NamedTuple

from zermelo.arguments import check_choice, check_int
from zermelo.bits import ones, popcount
from zermelo.board import Fields, Together
from zermelo.game import ONGOING, GameError
from zermelo.games.morris.ring_boards import ONE_PLAYER, PLAYER_BITS, Rings, points_of
from zermelo.games.support.parameters import check_types
from zermelo.games.support.position_text import NoState
from zermelo.value import DRAW, LOSS

STATE_PATTERN = re.compile(r"([XO./]+) (\d+) (\d+) ([XO])")

NO_POINT = 31
"""No point: the bit that stays empty on every board."""


class State(NamedTuple):
    mine: int  # stones of the player to move
    theirs: int  # stones of the other player
    hand: int  # stones that the player to move has still to place
    their_hand: int  # and the other player
    player: int  # 0 or 1: who is to move


class Mills(Rings):
    """Place your men, then move them along the lines; a mill takes a stone, and with two stones left you lose."""

    men: int = 9
    rings: int = 3
    flying: bool = True
    diagonals: bool = False

    alternates = True
    loops = True
    most = (3, 6, 12)  # the maximum of men, by rings
    early = False  # stones may also be moved while there are others to be placed

    def __post_init__(self) -> None:
        check_choice(repr(self), (1, 2, 3), rings=self.rings)
        check_types(self)
        if self.diagonals and self.rings == 2:
            raise GameError(f"{self!r}: only on one ring and on three can stones move along diagonals.")
        most = self.most[self.rings - 1]
        check_int(repr(self), least=3, most=most, men=self.men)

    def initial(self):
        return State(0, 0, self.men, self.men, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        free = self.points & ~(state.mine | state.theirs)
        takes = self.takes(state.theirs)
        if state.hand > 0:
            closing = self.closing(state.mine) if takes else 0
            for to in ones(free & ~closing):
                yield to | NO_POINT << 5 | NO_POINT << 10
            for to in ones(free & closing):
                for taken in ones(takes):
                    yield to | NO_POINT << 5 | taken << 10
        if state.hand == 0 or self.early:
            for from_point in ones(state.mine):
                targets = free & self.reach(state.mine, state.hand, from_point)
                closing = self.closing(state.mine ^ 1 << from_point) if takes else 0
                for to in ones(targets & ~closing):
                    yield to | from_point << 5 | NO_POINT << 10
                for to in ones(targets & closing):
                    for taken in ones(takes):
                        yield to | from_point << 5 | taken << 10

    def play(self, state, move):
        to, from_point, taken = parts(move)
        mine = (state.mine | 1 << to) & ~(1 << from_point)
        theirs = state.theirs & ~(1 << taken)
        return State(theirs, mine, state.their_hand, state.hand - (from_point == NO_POINT), 1 - state.player)

    def result(self, state):
        if popcount(state.mine) + state.hand < 3 or (self.men == 3 and self.mills(state.theirs)):
            return LOSS
        return ONGOING

    def stuck(self, state):
        return DRAW if state.mine | state.theirs == self.points else LOSS

    def takes(self, theirs):
        """The stones that a mill may take: those in no mill, or any if all are; none where the mill wins at once."""
        if self.men == 3:
            return 0
        loose = theirs & ~self.mills(theirs)
        return loose if loose else theirs

    def reach(self, stones, hand, from_point):
        """Where one of these stones may move to, if the point is free: the next points, or any with three left."""
        if self.flying and hand == 0 and popcount(stones) == 3:
            return self.points
        return self.neighbours(1 << from_point)

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """A hundred for each stone more than the other player has, and one for each point next to one's stones."""
        free = self.points & ~(state.mine | state.theirs)
        stones = popcount(state.mine) + state.hand - popcount(state.theirs) - state.their_hand
        room = popcount(free & self.neighbours(state.mine)) - popcount(free & self.neighbours(state.theirs))
        return 100 * stones + room

    def order(self, state, move):
        """Taking first, then a point that closes a mill for the other player, then those with many neighbours."""
        to = 1 << (move & 31)
        stop = 10 if to & self.closing(state.theirs) else 0
        return (20 if self.noisy(state, move) else 0) + stop + popcount(self.neighbours(to))

    def noisy(self, state, move):
        return move >> 10 != NO_POINT

    # -- symmetry ----------------------------------------------------------------------------------------------

    def key(self, state):
        hands = state.hand | state.their_hand << 4 | state.player << 8
        return state.mine | state.theirs << PLAYER_BITS | hands << 2 * PLAYER_BITS

    def symmetries(self, state):
        word = state.mine << PLAYER_BITS | state.theirs
        for number in range(self.images):
            image = self.image(word, number)
            yield State(image >> PLAYER_BITS, image & ONE_PLAYER, state.hand, state.their_hand, state.player)

    def canonical(self, state):
        """The image with the least word of the larger side; all positions lost by number are one."""
        mine, theirs = state.mine, state.theirs
        if popcount(mine) + state.hand < 3:
            return State(0, 0, 0, 0, 0)
        if popcount(mine) >= popcount(theirs):
            word = self.least(mine << PLAYER_BITS | theirs)
            mine, theirs = word >> PLAYER_BITS, word & ONE_PLAYER
        else:
            word = self.least(theirs << PLAYER_BITS | mine)
            mine, theirs = word & ONE_PLAYER, word >> PLAYER_BITS
        return State(mine, theirs, state.hand, state.their_hand, state.hand + state.their_hand & 1)

    def stage(self, state):
        """The men placed and taken, each at most once; positions lost by number come last."""
        if popcount(state.mine) + state.hand < 3:
            return 4 * self.men
        hands = state.hand + state.their_hand
        return 4 * self.men - 2 * hands - popcount(state.mine) - popcount(state.theirs)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        stones = self.sides(state.mine, state.theirs, state.player)
        hands = self.sides(state.hand, state.their_hand, state.player)
        in_hand = Fields(("first player's hand", "second player's hand"), tuple(map(str, hands)), (0, 1))
        return Together((points_of(self, *stones), in_hand))

    def sides(self, mine, theirs, player):
        """What the first player has, then what the second."""
        return (mine, theirs) if player == 0 else (theirs, mine)

    def squares(self, state, move):
        to, from_point, taken = parts(move)
        return tuple(point for point in (from_point, to, taken) if point != NO_POINT)

    def highlights(self, state):
        """The mills of the player who has won by one."""
        return tuple(ones(self.mills(state.theirs))) if self.result(state) == LOSS else ()

    def move_text(self, state, move):
        to, from_point, taken = ("" if point == NO_POINT else self.point_text(point) for point in parts(move))
        return (f"{from_point}-" if from_point else "") + to + (f"x{taken}" if taken else "")

    def state_text(self, state):
        """The points row by row, the stones in hand of X and of O, and who is to move."""
        stones = self.sides(state.mine, state.theirs, state.player)
        rows = "/".join("".join(mark for mark in row if mark in "XO.") for row in self.picture(*stones).cells)
        first, second = self.sides(state.hand, state.their_hand, state.player)
        return f"{rows} {first} {second} {'XO'[state.player]}"

    def parse_state(self, text):
        found = STATE_PATTERN.fullmatch(" ".join(text.split()).upper())
        if not found or tuple(map(len, found[1].split("/"))) != self.row_lengths:
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.")
        stones = {".": 0, "X": 0, "O": 0}
        for point, mark in zip(self.points_by_square, found[1].replace("/", ""), strict=True):
            stones[mark] |= 1 << point
        player = "XO".index(found[4])
        mine, theirs = self.sides(stones["X"], stones["O"], player)
        state = State(mine, theirs, *self.sides(int(found[2]), int(found[3]), player), player)
        if reason := self.impossible(state):
            raise GameError(f"{self!r}: {text!r} cannot arise, since {reason}.")
        return state

    def impossible(self, state):
        """Return why the numbers of stones are impossible, or an empty text."""
        totals = popcount(state.mine) + state.hand, popcount(state.theirs) + state.their_hand
        if max(totals) > self.men:
            return f"a player has {max(totals)} men"
        if not self.early and state.hand - state.their_hand != (state.player if state.hand else 0):
            return "the players place their men in turn, X first"
        if self.men == 3 and self.mills(state.mine):
            return "the player to move has won already"
        return ""


def parts(move):
    """Return the points of a move: to, from, taken."""
    return move & 31, move >> 5 & 31, move >> 10
