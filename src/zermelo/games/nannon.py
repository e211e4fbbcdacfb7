"""Nannon: the smallest race of the backgammon family, a game of Jordan Pollack's (2004).

Each player brings three checkers from home over six spots to safety, counting the spots from their own side:

    home   1  2  3  4  5  6   safety      the first player's way
    safety 6  5  4  3  2  1     home      the second player's

One die is rolled, and one checker moves by it: from home onto the board, along it, or beyond its end to safety. There
is one checker on a spot at most. A single checker of the other player is hit and goes home; two or more next to each
other are a prime and cannot be hit. A player who can move must. The first to have all checkers in safety wins 1, or 2
if the other has none there (a "nannon"; without `nannons` every win is 1). To begin, both roll, and the higher moves by
the difference.

A move is the spot that a checker leaves: 0 is home, and PASS is no checker at all.
"""

import re
from typing import NamedTuple

from zermelo.arguments import check_bool
from zermelo.bits import has_bit, ones, popcount
from zermelo.board import Track
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.parameters import check_whole
from zermelo.games.support.position_text import NoState

PASS = -1
OPENING_ROLL = -1
"""The die before the opening roll, for which both players roll."""

COURSES = ("to the right, into safety", "to the left, into safety")


class State(NamedTuple):
    mine: int  # spots of the player to move, as that player counts them: bit 1 to bit `spots`
    theirs: int  # spots of the other player, as the other counts them
    home: int  # checkers that the player to move has at home
    their_home: int
    die: int  # 0 before the roll
    player: int  # 0 or 1: who is to move


class Nannon(Game):
    """Three checkers cross six spots by the roll of one die; one that stands alone is hit and sent home."""

    spots: int = 6
    checkers: int = 3
    faces: int = 6
    nannons: bool = True

    loops = True
    margin = True
    payoff_bounds = (-2, 2)  # narrower without nannons, where this is still true

    def __post_init__(self) -> None:
        check_whole(self, spots=(2, 30), checkers=(1, 15), faces=(2, 30))
        if 2 * (self.checkers - 1) > self.spots:
            raise GameError(f"{self!r}: all checkers but one begin on the board, and there are too few spots for them.")
        check_bool(repr(self), nannons=self.nannons)

    def initial(self):
        checkers = (1 << self.checkers) - 2
        return State(checkers, checkers, 1, 1, OPENING_ROLL, 0)

    def mover(self, state):
        return state.player

    def is_chance(self, state):
        return state.die <= 0

    def chances(self, state):
        for number in range(1, self.faces + (state.die == 0)):
            if state.die == 0:
                yield number, 1 / self.faces
            else:  # the difference of two dice that are not the same
                yield number, 2 * (self.faces - number) / (self.faces * (self.faces - 1))

    def moves(self, state):
        found = state.die <= 0
        for spot in range(self.spots + 1):
            if state.die > 0 and self.can_leave(state, spot):
                yield spot
                found = True
        if not found:
            yield PASS

    def can_leave(self, state, spot):
        """Return whether a checker is there, or at home, and may move by the die."""
        to = spot + state.die
        if spot == 0:
            return state.home > 0 and to <= self.spots and self.is_open(state, to)
        return has_bit(state.mine, spot) and (to > self.spots or self.is_open(state, to))

    def is_open(self, state, spot):
        """Return whether a spot is free, or has a checker that can be hit."""
        there = self.spots + 1 - spot
        if has_bit(state.mine, spot):
            return False
        return not has_bit(state.theirs, there) or not state.theirs & (1 << there + 1 | 1 << there - 1)

    def play(self, state, move):
        mine, theirs, home, their_home, die, player = state
        if die <= 0:
            return State(mine, theirs, home, their_home, move, player)
        to = move + die
        if move > 0:
            mine &= ~(1 << move)
        home -= move == 0
        if move >= 0 and to <= self.spots:
            mine |= 1 << to
            if has_bit(theirs, self.spots + 1 - to):
                theirs ^= 1 << self.spots + 1 - to
                their_home += 1
        return State(theirs, mine, their_home, home, 0, 1 - player)

    def result(self, state):
        if state.theirs or state.their_home:
            return ONGOING
        return -2 if self.nannons and self.safe(state.mine, state.home) == 0 else -1

    def safe(self, spots, home):
        """Return how many checkers a player has in safety."""
        return self.checkers - home - popcount(spots)

    # -- evaluation and solving --------------------------------------------------------------------------------

    def evaluate(self, state):
        """The lead in steps to go, as a share of all: an estimate of the expected payoff."""
        lead = self.steps(state.theirs, state.their_home) - self.steps(state.mine, state.home)
        return 1.5 * lead / (self.checkers * (self.spots + 1))

    def steps(self, spots, home):
        steps = home * (self.spots + 1)
        for spot in ones(spots):
            steps += self.spots + 1 - spot
        return steps

    def order(self, state, move):
        """Hits first, then the checkers farthest on."""
        to = move + state.die
        hits = move >= 0 and to <= self.spots and has_bit(state.theirs, self.spots + 1 - to)
        return 100 * hits + move

    def stage(self, state):
        """Checkers in safety stay there."""
        return self.safe(state.mine, state.home) + self.safe(state.theirs, state.their_home)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        cells, homes = self.picture(state)
        first, second = (self.checkers - home - cells.count(mark) for home, mark in zip(homes, "XO", strict=True))
        names = tuple(map(str, range(1, self.spots + 1)))
        return Track(cells, homes, (first, second), names, ("home", "safety"), (max(state.die, 0),), COURSES)

    def picture(self, state):
        """The spots as the first player counts them, and how many checkers either player has at home."""
        first, second = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        cells = [
            "X" if has_bit(first, spot) else "O" if has_bit(second, self.spots + 1 - spot) else "."
            for spot in range(1, self.spots + 1)
        ]
        homes = state.home, state.their_home
        return "".join(cells), homes if state.player == 0 else homes[::-1]

    def squares(self, state, move):
        if move < 0 or state.die <= 0:
            return ()
        return self.square(move, state.player), self.square(move + state.die, state.player)

    def square(self, spot, player):
        """The square of a spot as a player counts it; home and safety come after the spots."""
        if 0 < spot <= self.spots:
            return spot - 1 if player == 0 else self.spots - spot
        return self.spots + 2 * player + (spot > 0)

    def move_text(self, state, move):
        if state.die <= 0:
            return str(move)
        if move == PASS:
            return "pass"
        to = move + state.die
        if to > self.spots:
            return f"{move}/safe"
        hit = "*" if has_bit(state.theirs, self.spots + 1 - to) else ""
        return f"{move or 'home'}/{to}{hit}"

    def state_text(self, state):
        cells, homes = self.picture(state)
        die = "opening" if state.die == OPENING_ROLL else state.die
        return f"{cells} {homes[0]} {homes[1]} {'XO'[state.player]} {die}"

    def parse_state(self, text):
        found = re.fullmatch(r"([XO.]+) (\d+) (\d+) ([XO]) (opening|\d+)", " ".join(text.split()))
        if found is None or len(found[1]) != self.spots:
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.")
        spots = [
            sum(1 << spot for spot, cell in enumerate(cells, 1) if cell == mark)
            for cells, mark in ((found[1], "X"), (found[1][::-1], "O"))
        ]
        homes = [int(found[2]), int(found[3])]
        safe = [self.safe(*side) for side in zip(spots, homes, strict=True)]
        die = OPENING_ROLL if found[5] == "opening" else int(found[5])
        player = "XO".index(found[4])
        if min(safe) < 0 or die > self.faces:
            raise GameError(f"{self!r}: {text!r} cannot be, with {self.checkers} checkers a side and this die.")
        if safe[player] == self.checkers:
            raise GameError(f"{self!r}: {text!r} cannot arise, since the player to move has won already.")
        turn = 1 - 2 * player
        return State(*spots[::turn], *homes[::turn], die, player)
