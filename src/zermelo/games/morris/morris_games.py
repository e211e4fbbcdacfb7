"""Morris, the mill games: `mill_rules` has the rules, and here their positions are indexed.

The method is that of Gasser (Solving Nine Men's Morris, 1996). All positions with given numbers of stones in hand, of
the mover and of the other player on the board, are a subspace, which `ring_orbits` indexes up to symmetry. While stones
are placed, a subspace is a stage. After that a stage is two subspaces, with the same stones for either player to move.
All positions of a player with two stones are one lost position, the last stage.
"""

from functools import cached_property

from zermelo.bits import ones, popcount
from zermelo.games.morris.mill_rules import Mills, State
from zermelo.games.morris.ring_boards import ONE_PLAYER, PLAYER_BITS
from zermelo.games.morris.ring_orbits import Orbits


class Morris(Mills, Orbits):
    """Place your men, then move them along the lines; a mill takes a stone, and with two stones left you lose."""

    most = (3, 6, 9)

    # -- solving -----------------------------------------------------------------------------------------------

    def stage(self, state):
        return self.stage_of(popcount(state.mine), popcount(state.theirs), state.hand + state.their_hand)

    def stage_of(self, mine, theirs, hands=0):
        """Return the stage of the positions with these numbers of stones on the board and in both hands together."""
        return int(self.stage_numbers[hands, mine, theirs])

    def size(self, stage):
        return int(self.sizes[stage]) if 0 <= stage < len(self.sizes) else 0

    def index(self, state):
        mine, theirs = popcount(state.mine), popcount(state.theirs)
        if mine + state.hand < 3:
            return 0
        if self.men == 3 and self.mills(state.mine):
            return -1
        if mine >= theirs:
            return self.number(state.mine << PLAYER_BITS | state.theirs, mine, theirs)
        second = 0 if state.hand + state.their_hand else self.subspace_size(theirs, mine)
        return second + self.number(state.theirs << PLAYER_BITS | state.mine, theirs, mine)

    def at(self, stage, index):
        if stage == self.last_stage:
            return State(0, 0, 0, 0, 0)
        hands = int(self.subspaces[stage, 0])
        mine, theirs = int(self.subspaces[stage, 1]), int(self.subspaces[stage, 2])
        if hands == 0 and index >= self.subspace_size(mine, theirs):
            index -= self.subspace_size(mine, theirs)
            mine, theirs = theirs, mine
        word = self.word_at(index, max(mine, theirs), min(mine, theirs))
        more, less = word >> PLAYER_BITS, word & ONE_PLAYER
        if mine < theirs:
            more, less = less, more
        return State(more, less, hands + 1 >> 1, hands >> 1, hands & 1)

    def predecessors(self, state):
        """The positions of the same stage from which a move leads here: no stone was placed and none taken."""
        if state.hand + state.their_hand == 0 and popcount(state.mine) >= 3:
            free = self.points & ~(state.mine | state.theirs)
            for to in ones(state.theirs):
                before = state.theirs ^ 1 << to
                if self.men == 3 or not self.closing(before) >> to & 1:
                    for from_point in ones(free & self.reach(state.theirs, 0, to)):
                        mine = before | 1 << from_point
                        if self.men > 3 or not (self.mills(mine) or self.mills(state.mine)):
                            yield State(mine, state.mine, 0, 0, 1 - state.player)

    # -- tables ------------------------------------------------------------------------------------------------

    @cached_property
    def subspaces(self):
        """Stones in both hands, of the mover and of the other player, for each stage; of two subspaces the first.

        A player takes no stone with the first two, and later at most one with each.
        """
        import numpy as np

        found = []
        for hands in range(2 * self.men, 0, -1):
            placed, theirs_placed = self.men - (hands + 1 >> 1), self.men - (hands >> 1)
            for mine in range(placed, max(placed - max(theirs_placed - 2, 0), 3 - self.men + placed, 0) - 1, -1):
                least = max(theirs_placed - max(placed - 2, 0), 3 - self.men + theirs_placed, 0)
                found += [(hands, mine, theirs) for theirs in range(theirs_placed, least - 1, -1)]
        pairs = [(0, more, less) for more in range(self.men, 2, -1) for less in range(more, 2, -1)]
        return np.array([*found, *sorted(pairs, key=lambda pair: -sum(pair)), (0, 0, 0)], np.int64)

    @cached_property
    def last_stage(self):
        return len(self.subspaces) - 1

    @cached_property
    def stage_numbers(self):
        """The stage by stones in both hands, of the mover and of the other player; the last where the game is over."""
        import numpy as np

        numbers = np.full((2 * self.men + 1, self.men + 1, self.men + 1), self.last_stage, np.int64)
        for stage, (hands, mine, theirs) in enumerate(self.subspaces[:-1]):
            numbers[hands, mine, theirs] = stage
            if hands == 0:
                numbers[0, theirs, mine] = stage
        return numbers

    @cached_property
    def sizes(self):
        import numpy as np

        sizes = [
            self.subspace_size(mine, theirs) * (2 if hands == 0 and mine != theirs else 1)
            for hands, mine, theirs in self.subspaces[:-1].tolist()
        ]
        return np.array([*sizes, 1], np.int64)

    def impossible(self, state):
        if reason := super().impossible(state):
            return reason
        if popcount(state.mine) + state.hand >= 3 and self.stage(state) == self.last_stage:
            return "more stones are gone than can have been taken"
        return ""


class ThreeMensMorris(Morris):
    """Three stones each on nine points; three in a row win."""

    men: int = 3
    rings: int = 1
    flying: bool = False


class SixMensMorris(Morris):
    """Six men each on two rings, and no flying."""

    men: int = 6
    rings: int = 2
    flying: bool = False


class NineMensMorris(Morris):
    """Nine men each on three rings; with three left they fly."""


class LaskerMorris(Mills):
    """Ten men each, and one may move a stone rather than place one from the first turn on."""

    men: int = 10
    rings: int = 3
    flying: bool = True

    early = True


class TwelveMensMorris(Mills):
    """Twelve men each, and diagonals that join the corners of the three rings; a full board is a draw."""

    men: int = 12
    rings: int = 3
    flying: bool = True
    diagonals: bool = True
