"""Backgammon with the doubling cube: a single game for points, or a match to a number of points.

Before a roll, the player to move may double the value of the game. The other player takes, and then owns the cube, or
passes, and loses the value it had. Only the owner of the cube doubles; a cube in the middle is anybody's. In a match:

- The winner of a game gets its points, and the first to reach `match` points wins.
- When a player first needs one point only, nobody doubles for one game (the rule of Crawford).
- A player whom the cube gives the match already cannot double: the cube is dead.

The state adds to that of backgammon what is at stake. What is to be decided next is in `dice`:

    0           the roll of the player to move
    1           the opening roll: each player throws a die, and the one with the higher number begins with both
    2           the player to move rolls or doubles
    3           the player to move takes or passes: the other one has doubled
    11 to 66    the player to move plays these dice

Evaluations are those of backgammon, which know no cube, and what the cube makes of them (cube_equity.py,
match_equity.py).
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.game import ONGOING, GameError
from zermelo.games.backgammon import cube_notation
from zermelo.games.backgammon.backgammon_checkers import count
from zermelo.games.backgammon.backgammon_rules import OPENING_ROLL, Backgammon
from zermelo.games.backgammon.backgammon_rules import State as CheckerState
from zermelo.games.backgammon.cube_equity import CENTRED, MINE, THEIRS, cube_equity, turn_equity
from zermelo.games.backgammon.cube_notation import BEFORE_ROLL, TO_ANSWER, TO_DOUBLE
from zermelo.games.backgammon.gammon_rate import gammon_rate
from zermelo.games.backgammon.match_equity import equities_after_crawford, match_equities
from zermelo.games.support.position_text import NoState
from zermelo.value import LOSS

ROLL, DOUBLE = 1, 2
TAKE = 1
CUBE_WORDS = {TO_DOUBLE: ("roll", "double"), TO_ANSWER: ("take", "pass")}
"""The moves of the cube, from 1 up."""

MAX_CUBE = 64
"""The highest value of the cube, as it is printed on one."""


class CubeState(NamedTuple):
    near: int  # checkers, dice and player as in backgammon
    far: int
    their_near: int
    their_far: int
    dice: int  # or what is to be decided, as above
    player: int
    cube: int  # its value: 1, 2, 4 ... 64
    owner: int  # 0 in the middle, 1 with the player to move, -1 with the other one
    points: int  # of the player to move, and of the other one
    their_points: int
    crawford: int  # 1 in the game in which nobody may double


class CubeBackgammon(Backgammon):
    """Backgammon with the doubling cube: a match to some points, or a single game where these are 0."""

    match: int = 5
    jacoby: bool = True

    replies = 2
    """Both actions of the cube are always searched."""

    def __post_init__(self) -> None:
        super().__post_init__()
        cube_notation.check_parameters(self)

    @cached_property
    def margin(self):
        return self.match == 0

    @cached_property
    def payoff_bounds(self):
        return (-3 * MAX_CUBE, 3 * MAX_CUBE) if self.match == 0 else (-1, 1)

    @cached_property
    def equities(self):
        """What each score of the match is worth before a game to the player who needs more points, or as many.

        Both points are counted from 1, in rows of 1, 2, 3 ... scores. With all of the table, matches to 15 points took
        29 s to compile, not 9.
        """
        rows, size = match_equities(self.match), self.match + 1
        half = tuple(rows[away * size + other] for away in range(1, size) for other in range(1, away + 1))
        return half or (0.0,)  # an empty tuple does not compile

    @cached_property
    def later_equities(self):
        """The same after Crawford's game, for the player who is behind."""
        return equities_after_crawford(self.match)

    @cached_property
    def stages(self):
        """More than the stages of a game."""
        return 2 * self.checkers + 4 + 100 * self.checkers

    # -- the rules of backgammon without the cube, by names of their own, since `super()` does not compile ----------

    checker_moves = Backgammon.moves  # the plays of a roll
    checker_play = Backgammon.play  # the checkers after a play
    checker_order = Backgammon.order  # which plays are tried first
    checker_stage = Backgammon.stage  # of one game, from the checkers alone
    checker_evaluation = Backgammon.evaluate  # the expectation without a cube
    evaluation_stage = Backgammon.stage  # the stage that the learned evaluation reads

    # -- the rules -------------------------------------------------------------------------------------------------

    def initial(self):
        return self.new_game(0, 0, 0, 0)

    def new_game(self, player, points, their_points, crawford):
        """The state before a game, at this score."""
        near, far = self.start
        state = CubeState(
            near, far, near, far, OPENING_ROLL if self.opening else BEFORE_ROLL, player,
            1, CENTRED, points, their_points, crawford,
        )  # fmt: skip
        return state if self.opening else self.to_roll(state)

    def to_roll(self, state):
        """The state before a roll, or before the decision to double where that is allowed."""
        if state.owner != THEIRS and self.may_turn(state, state.cube, True):
            return decided(state, TO_DOUBLE)
        return decided(state, BEFORE_ROLL)

    def may_turn(self, state, cube, mine):
        """Whether a cube of this value may be turned by the player to move, or by the other one, if it is theirs."""
        if self.match == 0:
            return cube < MAX_CUBE
        return state.crawford == 0 and cube + (state.points if mine else state.their_points) < self.match

    def chances(self, state):
        opening = state.dice == OPENING_ROLL
        for high in range(1, 7):
            for low in range(1, high):
                yield 10 * high + low, 1 / 30 if opening else 1 / 18
                if opening:
                    yield 10 * low + high, 1 / 30  # the other player begins
            if not opening:
                yield 11 * high, 1 / 36

    def moves(self, state):
        if state.dice == TO_DOUBLE or state.dice == TO_ANSWER:
            yield 1
            yield 2
        else:
            for play in self.checker_moves(state):
                yield play

    def play(self, state, move):
        if state.dice == OPENING_ROLL:
            if move // 10 > move % 10:
                return decided(state, move)
            return decided(turned(state), move // 10 + 10 * (move % 10))
        if state.dice == BEFORE_ROLL:
            return decided(state, move)
        if state.dice == TO_DOUBLE:
            return decided(state, BEFORE_ROLL) if move == ROLL else decided(turned(state), TO_ANSWER)
        if state.dice == TO_ANSWER:
            return decided(turned(taken(state)), BEFORE_ROLL) if move == TAKE else self.ended(state, state.cube)
        near, far, their_near, their_far, _, player = self.checker_play(
            CheckerState(state.near, state.far, state.their_near, state.their_far, state.dice, state.player), move
        )
        after = CubeState(
            near, far, their_near, their_far, BEFORE_ROLL, player,
            state.cube, -state.owner, state.their_points, state.points, state.crawford,
        )  # fmt: skip
        if count(their_near, their_far, 0) < self.checkers:
            return self.to_roll(after)
        return self.ended(after, state.cube * self.game_points(after))

    def game_points(self, state):
        """What the game is worth that the player to move has lost, in cubes."""
        if count(state.near, state.far, 0) > 0 or not self.counts_gammons(state.owner):
            return 1
        return 3 if state.far >> 24 else 2  # checkers on place 19 or beyond

    def counts_gammons(self, owner):
        """Whether a gammon counts twice: with Jacoby's rule for money, not before the cube is turned."""
        return self.match > 0 or not self.jacoby or owner != CENTRED

    def ended(self, state, points):
        """The state after a game that the player to move has lost: the next game of a match, unless that is over."""
        if self.match == 0:
            return scored(state, points)
        their_points = min(state.their_points + points, self.match)
        if their_points == self.match:
            return scored(state, their_points)
        last = self.match - 1
        return self.new_game(state.player, state.points, their_points, int(their_points == last > state.points))

    def result(self, state):
        if self.match > 0:
            return LOSS if state.their_points >= self.match else ONGOING
        return -state.their_points if state.their_points > 0 else ONGOING

    def stage(self, state):
        """Points stay with the players, and a game goes on as it does without a cube."""
        board = CheckerState(
            state.near, state.far, state.their_near, state.their_far,
            state.dice if state.dice > TO_ANSWER else 0, state.player,
        )  # fmt: skip
        return (state.points + state.their_points) * self.stages + self.checker_stage(board)

    # -- evaluation ------------------------------------------------------------------------------------------------

    def evaluation_game(self):
        """The game whose learned evaluation this one uses: it reads the checkers, which come first in a state."""
        return Backgammon(self.setup)

    def evaluation_state(self, state):
        """The state that the evaluation of backgammon sees: that of the player who is to roll."""
        return turned(state) if state.dice == TO_ANSWER else state

    def evaluate(self, state):
        return self.from_evaluation(state, self.checker_evaluation(self.evaluation_state(state)))

    def from_evaluation(self, state, points):
        """The equity of a state with the cube, from what the player who is to roll can expect without one.

        Where all is over it is the result: nothing is at stake any more that the cube could turn.
        """
        if self.result(state) != ONGOING:
            return float(self.result(state))
        if state.dice == OPENING_ROLL:
            return self.standing(state)
        if state.dice == TO_ANSWER:
            return -self.roller_equity(turned(state), points)
        return self.roller_equity(state, points)

    def standing(self, state):
        """The equity of a score before a game."""
        away, their_away = self.match - state.points, self.match - state.their_points
        if self.match == 0:
            return 0.0
        if min(away, their_away) == 1 and state.crawford == 0:
            return self.later_equity(away, their_away)
        return self.score_equity(away, their_away)

    def roller_equity(self, state, points):
        """The equity of the player who is to roll, and may double or has just done it."""
        won = gammon_rate(state.their_near, state.their_far, points)
        lost = gammon_rate(state.near, state.far, -points)
        p = min(max((points + 1.0 + lost) / (2.0 + won + lost), 0.0), 1.0)
        if state.dice == TO_ANSWER:
            return turn_equity(self, state, state.cube, p, won, lost)
        equity = cube_equity(self, state, state.cube, state.owner, p, won, lost)
        if state.dice == TO_DOUBLE:
            return max(equity, turn_equity(self, state, state.cube, p, won, lost))
        return equity

    def worth(self, state, points):
        """What it is worth to win so many points, or to lose them: points of a game for money, else match equity."""
        if self.match == 0:
            return float(points)
        away, their_away = self.match - state.points, self.match - state.their_points
        after, their_after = max(away - max(points, 0), 0), max(their_away + min(points, 0), 0)
        if min(away, their_away) == 1:
            return self.later_equity(after, their_after)
        return self.score_equity(after, their_after)

    def score_equity(self, away, their_away):
        """The equity of a score before a game; where a player needs one point, Crawford's game comes next."""
        if away == 0 or their_away == 0:
            return 1.0 if away == 0 else -1.0
        most, least = max(away, their_away), min(away, their_away)
        equity = self.equities[most * (most - 1) // 2 + least - 1]
        return equity if away == most else -equity

    def later_equity(self, away, their_away):
        """The equity of a score after Crawford's game, where a player needs one point or has won."""
        if their_away <= 1:
            return self.later_equities[away] if their_away == 1 else -1.0
        return -self.later_equities[their_away] if away == 1 else 1.0

    def order(self, state, move):
        return self.checker_order(state, move) if state.dice > TO_ANSWER else 0

    # -- display and notation --------------------------------------------------------------------------------------

    def board(self, state):
        return cube_notation.picture(self, state)

    def squares(self, state, move):
        return super().squares(state, move) if state.dice > TO_ANSWER else ()

    def move_text(self, state, move):
        if state.dice in CUBE_WORDS:
            return CUBE_WORDS[state.dice][move - 1]
        return super().move_text(state, move)

    def parse_move(self, state, text):
        if state.dice in CUBE_WORDS and self.result(state) == ONGOING and text.lower() in CUBE_WORDS[state.dice]:
            return 1 + CUBE_WORDS[state.dice].index(text.lower())
        return super().parse_move(state, text)

    def state_text(self, state):
        return cube_notation.state_text(self, state)

    def parse_state(self, text):
        try:
            return CubeState(*cube_notation.read_state(self, text))
        except LookupError:
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.") from None
        except ValueError as error:
            raise GameError(f"{self!r}: {text!r} is no position, since {error}.") from None


def decided(state, dice):
    """The state with other dice, or another decision."""
    return CubeState(
        state.near, state.far, state.their_near, state.their_far, dice, state.player,
        state.cube, state.owner, state.points, state.their_points, state.crawford,
    )  # fmt: skip


def turned(state):
    """The state seen by the other player, who is to move now."""
    return CubeState(
        state.their_near, state.their_far, state.near, state.far, state.dice, 1 - state.player,
        state.cube, -state.owner, state.their_points, state.points, state.crawford,
    )  # fmt: skip


def taken(state):
    """The state with twice the cube, which the player to move owns."""
    return CubeState(
        state.near, state.far, state.their_near, state.their_far, state.dice, state.player,
        2 * state.cube, MINE, state.points, state.their_points, state.crawford,
    )  # fmt: skip


def scored(state, their_points):
    """The state with these points of the other player."""
    return CubeState(
        state.near, state.far, state.their_near, state.their_far, BEFORE_ROLL, state.player,
        state.cube, state.owner, state.points, their_points, state.crawford,
    )  # fmt: skip
