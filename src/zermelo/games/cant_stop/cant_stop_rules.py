"""Can't Stop: climb columns by the sums of dice, and stop before a roll lets you down (Sid Sackson, 1980).

There is a column for each sum of two dice. It is longer the likelier the sum is: with the dice of the full game
columns 2 to 12 have 3, 5, 7, 9, 11, 13, 11, 9, 7, 5 and 3 steps. On your turn roll four dice, make two pairs of them,
and climb a step in the column of each pair's sum, if you can. Three runners mark how far you have come this turn, so
you climb in three columns at most; if a runner is left for one of the two sums only, choose which. Then roll again,
or stop, and what the runners have climbed is yours. If a roll allows no step, the runners fall, and the turn is over.
A player who stops at the top of a column has taken it, and it is closed to both. Take three columns to win.

Smaller dice make a smaller game: `faces` of a die, and `shortest`, the steps in the columns at the edge. With three
faces and one step, columns 2 to 6 have 1, 3, 5, 3 and 1 steps.

    dice in the air -+- a step is possible ---> pair the dice ---> roll: dice in the air
                     '- none is: the other's turn             '---> stop: the other's turn

What is climbed is a word with five bits for each column: steps of column 2 lowest, then those of column 3 and so on.

A move is STOP, ROLL, or 32 * a + b for steps in columns a and b, with a at most b and 0 for no step. An outcome of the
dice is the number that they make in order, such as 1124.
"""

from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial
from typing import NamedTuple

import numpy as np

from zermelo.board import Dice, Fields, Grid, Piece, Together
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.cant_stop import cant_stop_notation
from zermelo.games.cant_stop.cant_stop_columns import packed, started, step_in, steps
from zermelo.games.cant_stop.cant_stop_notation import IN_THE_AIR, RUNNERS
from zermelo.games.support.parameters import check_whole
from zermelo.value import LOSS

STOP = 0
ROLL = 1

PIECES = (
    Piece("X", 0, "●", "first player"),
    Piece("O", 1, "○", "second player"),
    Piece("B", None, "", "both players", "both"),
    Piece("*", None, "", "a runner", "runner"),
)


class State(NamedTuple):
    mine: int  # steps that the player to move has climbed in each column, in earlier turns
    theirs: int  # and the other player; none in a column that one of them has taken
    turn: int  # steps of the runners in this turn
    dice: int  # four digits, or 0, or IN_THE_AIR
    player: int  # 0 or 1: who is to move


class CantStop(Game):
    """Pair four dice and climb the columns of their sums; stop in time, and be the first to take three columns."""

    faces: int = 6
    shortest: int = 3
    to_win: int = 3

    loops = True

    def __post_init__(self) -> None:
        check_whole(self, faces=(2, 6), shortest=(1, 9), to_win=(1, 11))
        if 2 * self.to_win - 1 > self.columns:
            raise GameError(f"{self!r}: to_win must be more than half of the {self.columns} columns at the most.")

    @cached_property
    def columns(self):
        return 2 * self.faces - 1

    @cached_property
    def heights(self):
        """The steps of columns 2, 3, ..."""
        return tuple(self.shortest + 2 * min(i, self.columns - 1 - i) for i in range(self.columns))

    @cached_property
    def tops(self):
        """The same as a word."""
        return packed(self.heights)

    @cached_property
    def rolls(self):
        """Every way that four dice can fall, in order, and its probability."""
        rolls = []
        for dice in combinations_with_replacement(range(1, self.faces + 1), 4):
            ways = 24
            for face in {*dice}:
                ways //= factorial(dice.count(face))
            rolls.append((int("".join(map(str, dice))), ways / self.faces**4))
        return tuple(rolls)

    def initial(self):
        return State(0, 0, 0, IN_THE_AIR, 0)

    def mover(self, state):
        return state.player

    def is_chance(self, state):
        return state.dice == IN_THE_AIR

    def chances(self, state):
        for i in range(len(self.dice)):
            yield int(self.dice[i]), float(self.odds[i])

    @cached_property
    def dice(self):
        """The rolls, and in `odds` their probabilities: arrays are read faster than tuples of this length."""
        return np.array([dice for dice, _ in self.rolls])

    @cached_property
    def odds(self):
        return np.array([odds for _, odds in self.rolls])

    def moves(self, state):
        if state.dice == 0:
            yield STOP
            if not self.wins(state):
                yield ROLL
        elif state.dice > 0:
            last = 0
            for pairing in range(3):
                a, b = self.sums(state.dice, pairing)
                if pairing == 0 or (a, b) != self.sums(state.dice, pairing - 1):
                    if self.can_climb(state, a, b):
                        yield 32 * a + b
                    else:
                        for column in (a, b):
                            if column != last and self.can_climb(state, 0, column):
                                yield column
                                last = column

    def sums(self, dice, pairing):
        """The two sums of one of the three pairings, the lower first."""
        first, second, third, fourth = dice // 1000, dice // 100 % 10, dice // 10 % 10, dice % 10
        if pairing == 0:
            a, b = first + second, third + fourth
        elif pairing == 1:
            a, b = first + third, second + fourth
        else:
            a, b = first + fourth, second + third
        return min(a, b), max(a, b)

    def can_climb(self, state, a, b):
        """Return whether there is room, and a runner, for a step in column a (if it is one) and one in column b."""
        turn = state.turn + step_in(a) + step_in(b)
        if started(turn) > RUNNERS:
            return False
        for column in (a, b):
            top = steps(self.tops, column)
            if column and (steps(state.mine + turn, column) > top or steps(state.theirs, column) == top):
                return False
        return True

    def play(self, state, move):
        mine, theirs, turn, dice, player = state
        if dice == 0 and move == STOP:
            mine += turn
            for column in range(2, self.columns + 2):
                if steps(mine, column) == steps(self.tops, column):
                    theirs -= steps(theirs, column) * step_in(column)
            return State(theirs, mine, 0, IN_THE_AIR, 1 - player)
        if dice == 0:
            return State(mine, theirs, turn, IN_THE_AIR, player)
        if dice == IN_THE_AIR:
            rolled = State(mine, theirs, turn, move, player)
            return rolled if self.has_step(rolled) else State(theirs, mine, 0, IN_THE_AIR, 1 - player)
        return State(mine, theirs, turn + step_in(move // 32) + step_in(move % 32), 0, player)

    def has_step(self, state):
        """Return whether the dice allow a step."""
        for pairing in range(3):
            a, b = self.sums(state.dice, pairing)
            if self.can_climb(state, 0, a) or self.can_climb(state, 0, b):
                return True
        return False

    def wins(self, state):
        """Return whether the player to move wins by stopping now."""
        return self.taken(state.mine + state.turn) >= self.to_win

    def result(self, state):
        return LOSS if self.taken(state.theirs) >= self.to_win else ONGOING

    def taken(self, climbed):
        """Return how many columns are climbed to the top."""
        return self.columns - started(climbed ^ self.tops)

    # -- evaluation and solving --------------------------------------------------------------------------------

    def evaluate(self, state):
        """The lead in columns: the best columns of each player, with half of what the runners would lose."""
        mine = theirs = 0.0
        for column in range(2, self.columns + 2):
            top = steps(self.tops, column)
            mine += ((steps(state.mine, column) + 0.5 * steps(state.turn, column)) / top) ** 2
            theirs += (steps(state.theirs, column) / top) ** 2
        return max(-0.9, min(0.9, (mine - theirs) / self.to_win))

    def order(self, state, move):
        """Rolling before stopping, and the columns at the edge first."""
        if state.dice == 0:
            return move
        return abs(2 * (move // 32) - self.columns - 3) + abs(2 * (move % 32) - self.columns - 3)

    def stage(self, state):
        """Steps are never lost, and a taken column counts more than the steps of both players in it."""
        total = 0
        for column in range(2, self.columns + 2):
            mine, theirs, top = steps(state.mine, column), steps(state.theirs, column), steps(self.tops, column)
            total += 2 * top if top in (mine, theirs) else mine + theirs
        return total

    def symmetries(self, state):
        """Exchanging 1 and 6, 2 and 5 and so on reverses the order of the columns."""
        mine = theirs = turn = dice = 0
        for column in range(2, self.columns + 2):
            image = step_in(self.columns + 3 - column)
            mine += steps(state.mine, column) * image
            theirs += steps(state.theirs, column) * image
            turn += steps(state.turn, column) * image
        for place in (1, 10, 100, 1000):
            dice = 10 * dice + self.faces + 1 - state.dice // place % 10
        yield State(mine, theirs, turn, dice if state.dice > 0 else state.dice, state.player)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        """The columns from the bottom up; X and O mark the steps, B both, and * a runner."""
        first, second = cant_stop_notation.sides(self, state)
        tallest = max(self.heights)
        rows = []
        for step in range(tallest, 0, -1):
            rows.append("".join(self.cell(state, first, second, i, step) for i in range(self.columns)))
        faces = tuple(map(int, str(state.dice))) if state.dice > 0 else (0,) * 4
        taken = Fields(
            ("first player", "second player"),
            tuple(str(sum(map(int.__eq__, side, self.heights))) for side in (first, second)),
            (0, 1),
        )
        grid = Grid(tuple(rows), tuple(str(i + 2) for i in range(self.columns)), pieces=PIECES)
        return Together((grid, taken, Dice(faces)))

    def cell(self, state, first, second, i, step):
        if step > self.heights[i]:
            return " "
        runner = steps(state.turn, i + 2) and steps(state.mine + state.turn, i + 2) == step
        here = [side[i] == step for side in (first, second)]
        return "*" if runner else "B" if all(here) else "X" if here[0] else "O" if here[1] else "."

    def squares(self, state, move):
        if state.dice <= 0:
            return ()
        a, b = divmod(move, 32)
        climbs = [(a, 1), (b, 2 if a == b else 1)] if a else [(b, 1)]
        return tuple(self.square(state, column, further) for column, further in climbs)

    def square(self, state, column, further):
        """Return the square `further` steps above a runner."""
        return (max(self.heights) - steps(state.mine + state.turn, column) - further) * self.columns + column - 2

    def move_text(self, state, move):
        if state.dice <= 0:
            return str(move) if state.dice == IN_THE_AIR else ("stop", "roll")[move]
        return f"{move // 32}+{move % 32}" if move >= 32 else str(move)

    def state_text(self, state):
        return cant_stop_notation.state_text(self, state)

    def parse_state(self, text):
        mine, theirs, turn, dice, player = cant_stop_notation.read_state(self, text)
        why = cant_stop_notation.impossible_steps(self, mine, theirs, turn)
        state = State(packed(mine), packed(theirs), packed(turn), dice, player)
        why = why or cant_stop_notation.impossible_turn(self, state)
        if why:
            raise GameError(f"{self!r}: {text!r} cannot arise, since {why}.")
        return state
