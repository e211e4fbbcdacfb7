"""Backgammon: race fifteen checkers home and off the board, as two dice allow, and hit those that stand alone.

Either player counts the 24 points from the end of their own way, so that one's point 20 is the other's point 5:

    13 14 15 16 17 18 | 19 20 21 22 23 24      place 25 is the bar, where a hit checker waits
    12 11 10  9  8  7 |  6  5  4  3  2  1      place 0 is off the board

A checker moves down by the number on a die, to any point where the other player has less than two; a single checker
there is hit. A checker on the bar must enter first. Once all are on points 1 to 6 they may be borne off,
with the exact number, or with a higher one from the highest point. A doublet is played four times. As much of a roll
must be played as can be, and the higher number if only one of them can. The first to bear off all checkers wins 1, or
2 if the other has borne off none (a gammon), or 3 if one of those is also on the bar or on points 19 to 24 (a
backgammon).

The checkers of a player are 26 counts of four bits: places 0 to 12 in one word, `near`, and 13 to 25 in another, `far`.

A move is a whole play: the places from which checkers move, five bits each and 0 for none. Of two different numbers the
first place moves by the higher and the second by the lower; of a doublet there are up to four, from the highest down.
The order of steps does not change where they lead, so a play that is listed once is the same in every order.
"""

import math
from functools import cached_property
from typing import NamedTuple

from zermelo.game import ONGOING, Game, GameError
from zermelo.games.backgammon import backgammon_notation as notation
from zermelo.games.backgammon.backgammon_checkers import (
    BAR,
    count,
    doublet_plays,
    highest_place,
    moved,
    one_die_plays,
    placed,
    points_held,
    two_dice_plays,
)
from zermelo.games.backgammon.backgammon_traits import outlines, reversed_places, traits
from zermelo.games.backgammon.bear_off import bear_off_value, is_home
from zermelo.games.support.position_text import NoState

OPENING_ROLL = 1
"""The dice before the opening roll, which is no doublet: each player rolls one die. It is not the code of a roll."""

PASS = 0


class State(NamedTuple):
    near: int  # checkers of the player to move, on places 0 to 12
    far: int  # and on places 13 to 25
    their_near: int  # those of the other player, counted from the other side
    their_far: int
    dice: int  # the higher number and the lower, such as 64; 0 before the roll
    player: int  # 0 or 1: who is to move


class Backgammon(Game):
    """Bring your checkers home and off the board before the other player does; checkers that stand alone are hit."""

    setup: str = "24(2) 13(5) 8(3) 6(5)"
    opening: bool = True

    loops = True
    margin = True
    payoff_bounds = (-3, 3)
    replies = 1
    weights = (
        0.107, -1.0, 2.3, 0.07, 0.08, -0.29, 0.117, -0.26, -0.43, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        1.0, -2.3, -0.07, -0.08, 0.29, -0.117, 0.26, 0.43, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    )  # fmt: skip
    """Fitted to games against itself."""

    def __post_init__(self) -> None:
        notation.check_setup(self)

    @cached_property
    def start(self):
        """The checkers of either player before the first roll, in two words."""
        return notation.words(notation.read_setup(self.setup))

    @cached_property
    def checkers(self):
        return sum(notation.read_setup(self.setup))

    def initial(self):
        return State(*self.start, *self.start, OPENING_ROLL if self.opening else 0, 0)

    def mover(self, state):
        return state.player

    def is_chance(self, state):
        return state.dice <= OPENING_ROLL

    def chances(self, state):
        doublets = 0 if state.dice == OPENING_ROLL else 1
        for high in range(1, 7):
            for low in range(1, high):
                yield 10 * high + low, 2 / (30 + 6 * doublets)
            if doublets:
                yield 11 * high, 1 / 36

    def moves(self, state):
        near, far, high, low = state.near, state.far, state.dice // 10, state.dice % 10
        blots = points_held(state.their_near, state.their_far, 1, 1)
        closed = points_held(state.their_near, state.their_far, 2, 15)
        found = high == 0
        if 0 < high == low:
            for play in doublet_plays(near, far, closed, high):
                yield play
                found = True
        elif high > low:
            for play in two_dice_plays(near, far, closed, blots, high, low):
                yield play
                found = True
            if not found:
                for source in one_die_plays(near, far, closed, high):
                    yield source
                    found = True
            if not found:
                for source in one_die_plays(near, far, closed, low):
                    yield source << 5
                    found = True
        if not found:
            yield PASS

    def play(self, state, move):
        near, far, their_near, their_far, dice, player = state
        if dice <= OPENING_ROLL:
            return State(near, far, their_near, their_far, move, player)
        for number in range(4):
            source = move >> 5 * number & 31
            die = dice % 10 if number == 1 else dice // 10
            if source:
                near, far = moved(near, far, source, die)
                if source > die and count(their_near, their_far, BAR - source + die) == 1:
                    their_near, their_far = placed(their_near, their_far, BAR - source + die, -1)
                    their_near, their_far = placed(their_near, their_far, BAR, 1)
        return State(their_near, their_far, near, far, 0, 1 - player)

    def result(self, state):
        if count(state.their_near, state.their_far, 0) < self.checkers:
            return ONGOING
        if count(state.near, state.far, 0) > 0:
            return -1
        return -3 if highest_place(state.near, state.far) > 18 else -2

    # -- evaluation and solving --------------------------------------------------------------------------------

    def features(self, state):
        """A constant for the roll, and the traits of the mover's checkers and of the opponent's."""
        mine, theirs = outlines(state.near, state.far), outlines(state.their_near, state.their_far)
        their_view = reversed_places(mine[0]), reversed_places(mine[1])
        my_view = reversed_places(theirs[0]), reversed_places(theirs[1])
        a = traits(state.near, state.far, mine, my_view, self.checkers)
        b = traits(state.their_near, state.their_far, theirs, their_view, self.checkers)
        return (
            1.0, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13],
            b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        )  # fmt: skip

    def evaluate(self, state):
        """The weighted features: an estimate of the expected payoff, clamped to -2.9 and 2.9."""
        total = 0.0
        features = self.features(state)
        for i in range(len(features)):
            total += self.weights[i] * features[i]
        return max(-2.9, min(2.9, total))

    @property
    def ending_table(self):
        """The values of bear-offs, which ship with the game: what `ending_value` reads."""
        from zermelo.games.backgammon.bear_off_file import own_table

        return own_table()

    def ending_value(self, state, words, start):
        """The expectation before the roll where both sides have all checkers at home, by a table; nan elsewhere."""
        if is_home(state.near, state.far) and is_home(state.their_near, state.their_far):
            return bear_off_value(state.near, state.their_near, self.checkers, words, start)
        return math.nan

    def order(self, state, move):
        """Hits first, then the plays that leave the fewest blots."""
        after = self.play(state, move)
        hits = count(after.near, after.far, BAR)
        blots = 0
        for place in range(1, BAR):
            blots += count(after.their_near, after.their_far, place) == 1
        return 8 * hits - blots

    def stage(self, state):
        """Checkers borne off stay off; and once the sides have passed each other, contact is over.

        In the race, every play lowers the pip count, so no position repeats.
        """
        off = count(state.near, state.far, 0) + count(state.their_near, state.their_far, 0)
        if highest_place(state.near, state.far) + highest_place(state.their_near, state.their_far) > BAR:
            return off
        pips = 0
        for place in range(1, BAR):
            pips += place * (count(state.near, state.far, place) + count(state.their_near, state.their_far, place))
        rolled = 1 if state.dice > OPENING_ROLL else 0
        return 2 * self.checkers + 1 + 2 * (2 * BAR * self.checkers - pips) + rolled

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        faces = (state.dice // 10, state.dice % 10) if state.dice > OPENING_ROLL else (0, 0)
        return notation.picture(*self.sides(state), state.player, faces)

    def squares(self, state, move):
        return notation.squares(self.steps(state, move), state.player) if state.dice > OPENING_ROLL else ()

    def move_text(self, state, move):
        if state.dice <= OPENING_ROLL:
            return str(move)
        return notation.play_text(self.steps(state, move))

    def parse_move(self, state, text):
        wanted = notation.read_play(text) if state.dice > OPENING_ROLL and self.result(state) == ONGOING else None
        moves = self.moves(state) if wanted else ()
        meant = [move for move in moves if notation.is_meant(wanted, self.steps(state, move))]
        if len(meant) > 1:  # one path of a checker hits, and the stars say which
            meant = [move for move in meant if notation.hit_points(self.steps(state, move)) == wanted[1]]
        return meant[0] if len(meant) == 1 else super().parse_move(state, text)

    def steps(self, state, move):
        """The steps of a play, from the highest place down: from where, to where, and whether they hit."""
        dice = (state.dice // 10, state.dice % 10, state.dice // 10, state.dice // 10)
        steps = []
        for number, die in enumerate(dice):
            source = move >> 5 * number & 31
            to = max(source - die, 0)
            if source:
                steps.append((source, to, to > 0 and count(state.their_near, state.their_far, BAR - to) == 1))
        return sorted(steps, key=lambda step: (-step[0], step[1]))

    def sides(self, state):
        """The 26 counts of the first player, then those of the second."""
        mine, theirs = notation.counts(state.near, state.far), notation.counts(state.their_near, state.their_far)
        return (mine, theirs) if state.player == 0 else (theirs, mine)

    def state_text(self, state):
        dice = "opening" if state.dice == OPENING_ROLL else f"{state.dice:02}"
        return notation.position_text(*self.sides(state), state.player, dice)

    def parse_state(self, text):
        parts = notation.position_parts(text)
        if len(parts) < len(notation.XGID):
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.")
        try:
            first, second, player, dice = notation.read_position(parts, self.checkers)
        except ValueError as error:
            raise GameError(f"{self!r}: {text!r} is no position, since {error}.") from None
        sides = (*notation.words(first), *notation.words(second))
        return State(*(sides if player == 0 else sides[2:] + sides[:2]), dice, player)


class Hypergammon(Backgammon):
    """Backgammon with three checkers a side, which begin farthest from home."""

    setup: str = "24 23 22"
