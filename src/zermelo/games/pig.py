"""Pig: the smallest game of pushing one's luck.

On your turn roll a die as often as you like, at least once. Two to six is added to the turn total; a one loses the
turn total and passes the die. Holding banks the turn total and passes the die. The first to bank the target wins.

                    .------------- roll -------------.
                    v                                |
    die in the air -+- 2..6: turn total grows ---> player decides ---> hold: banked, the other's turn
                    '- 1: turn total lost, the other's turn

Both players can throw ones without end, so play can cycle; the stage is the sum of what is banked.
"""

from typing import NamedTuple

from zermelo.arguments import check_int
from zermelo.board import Scores
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.position_text import literal_state
from zermelo.value import LOSS

HOLD = 0
ROLL = 1
DIE = 2
"""The square of the die, after the scores of both players."""

MAX_OVERSHOOT = 5
"""How far a sum can exceed the target: a six that was rolled one short of it."""


class State(NamedTuple):
    player: int  # 0 or 1: whose turn it is
    mine: int  # banked by that player
    theirs: int  # banked by the other
    turn: int  # not banked yet; 0 at the start of a turn
    rolling: bool  # the die is in the air


class Pig(Game):
    """Roll and add up, or hold and keep; a one loses the turn. First to the target wins."""

    target: int = 100

    loops = True

    def __post_init__(self) -> None:
        check_int(repr(self), least=1, most=(1 << 31) - 1, target=self.target)

    def initial(self):
        return State(0, 0, 0, 0, False)

    def mover(self, state):
        return state.player

    def moves(self, state):
        if state.turn > 0:
            yield HOLD
        if state.mine + state.turn < self.target:  # beyond it, only holding makes sense
            yield ROLL

    def is_chance(self, state):
        return state.rolling

    def chances(self, state):
        for face in range(1, 7):
            yield face, 1 / 6

    def play(self, state, move):
        if state.rolling:
            if move == 1:
                return State(1 - state.player, state.theirs, state.mine, 0, False)
            return State(state.player, state.mine, state.theirs, state.turn + move, False)
        if move == ROLL:
            return State(state.player, state.mine, state.theirs, state.turn, True)
        return State(1 - state.player, state.theirs, state.mine + state.turn, 0, False)

    def result(self, state):
        return LOSS if state.theirs >= self.target else ONGOING

    def stage(self, state):
        return state.mine + state.theirs

    def evaluate(self, state):
        """The lead as a share of the target: an estimate of the expected payoff, which lies between -1 and 1."""
        lead = (state.mine + state.turn - state.theirs) / self.target
        return min(max(lead, -0.99), 0.99)

    def order(self, state, move):
        return 1 if move == ROLL and state.turn < 20 else 0  # "hold at 20", the folk strategy

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        scores, stakes = (state.mine, state.theirs), (state.turn, 0)
        if state.player == 1:
            scores, stakes = scores[::-1], stakes[::-1]
        return Scores(scores, self.target, stakes, (0,))

    def squares(self, state, move):
        """The die is clicked to roll it, and one's own score to hold."""
        if state.rolling:
            return ()
        return (DIE,) if move == ROLL else (state.player,)

    def parse_state(self, text):
        state = literal_state(self, text)
        if not self._is_reached(state):
            raise GameError(f"{self!r}: {text!r} is no state of a game to {self.target}.")
        return state

    def _is_reached(self, state):
        """Return whether play can lead to these sums: rolling stops at the target, and banking it ends the game."""
        most, sum_at_risk = self.target + MAX_OVERSHOOT, state.mine + state.turn
        if state.player not in (0, 1) or min(state[1:4]) < 0 or state.mine >= self.target:
            return False
        if state.theirs >= self.target:
            return state.theirs <= most and state.turn == 0 and not state.rolling
        return sum_at_risk <= most and not (state.rolling and sum_at_risk >= self.target)

    def move_text(self, state, move):
        return str(move) if state.rolling else ("hold", "roll")[move]
