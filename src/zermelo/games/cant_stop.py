"""Can't Stop: climb columns by the sums of dice, and stop before a roll lets you down (Sid Sackson, 1980).

There is a column for each sum of two dice. It is longer the likelier the sum is: with the dice of the full game
columns 2 to 12 have 3, 5, 7, 9, 11, 13, 11, 9, 7, 5 and 3 steps. On your turn roll four dice, make two pairs of them,
and climb a step in the column of each pair's sum, if you can. Three runners mark how far you have come this turn, so
you climb in three columns at most; if a runner is left for one of the two sums only, choose which. Then roll again,
or stop, and what the runners have climbed is yours. If a roll allows no step, the runners fall, and the turn is over.
Whoever stops at the top of a column has taken it, and nobody climbs there any more. Take three columns to win.

Smaller dice make a smaller game: `faces` of a die, and `shortest`, the steps in the columns at the edge. With three
faces and one step, columns 2 to 6 have 1, 3, 5, 3 and 1 steps.

    dice in the air -+- a step is possible ---> pair the dice ---> roll: dice in the air
                     '- none is: the other's turn             '---> stop: the other's turn

A move is STOP, ROLL, or 32 * a + b for steps in columns a and b, with a at most b and 0 for no step. An outcome of the
dice is the number that they make in order, such as 1124.
"""

from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial
from typing import NamedTuple

from zermelo.board import Dice, Fields, Grid, Piece, Together
from zermelo.game import ONGOING, Game, GameError
from zermelo.tuples import replace
from zermelo.value import LOSS

STOP = 0
ROLL = 1
IN_THE_AIR = -1
"""The dice before they fall; 0 is what they are while the player decides whether to roll again."""

RUNNERS = 3

PIECES = ("X", "O", Piece("B", None, "", "both players"), Piece("*", None, "", "a runner"))


class State(NamedTuple):
    mine: tuple[int, ...]  # steps that the player to move has climbed in each column, in earlier turns
    theirs: tuple[int, ...]  # and the other player; none in a column that one of them has taken
    turn: tuple[int, ...]  # steps of the runners in this turn
    dice: int  # four digits, or 0, or IN_THE_AIR
    player: int  # 0 or 1: who is to move


class CantStop(Game):
    """Pair four dice and climb the columns of their sums; stop in time, and be the first to take three columns."""

    faces: int = 6
    shortest: int = 3
    to_win: int = 3

    loops = True

    def __post_init__(self) -> None:
        for name, least, most in (("faces", 2, 6), ("shortest", 1, 9), ("to_win", 1, 11)):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
                raise GameError(f"{self!r}: {name} must be a whole number from {least} to {most}.")
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
        nothing = (0,) * self.columns
        return State(nothing, nothing, nothing, IN_THE_AIR, 0)

    def mover(self, state):
        return state.player

    def is_chance(self, state):
        return state.dice == IN_THE_AIR

    def chances(self, state):
        for dice, odds in self.rolls:
            yield dice, odds

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
        """Whether there is room, and a runner, for a step in column a (if it is one) and one in column b."""
        runners = 0
        for i in range(self.columns):
            steps = (i + 2 == a) + (i + 2 == b)
            climbed = state.mine[i] + state.turn[i] + steps
            if steps and (climbed > self.heights[i] or state.theirs[i] == self.heights[i]):
                return False
            runners += state.turn[i] > 0 or steps > 0
        return runners <= RUNNERS

    def play(self, state, move):
        mine, theirs, turn, dice, player = state
        if dice == 0 and move == STOP:
            for i in range(self.columns):
                mine = replace(mine, i, mine[i] + turn[i])
                if mine[i] == self.heights[i]:
                    theirs = replace(theirs, i, 0)
            return State(theirs, mine, self.nothing, IN_THE_AIR, 1 - player)
        if dice == 0:
            return State(mine, theirs, turn, IN_THE_AIR, player)
        if dice == IN_THE_AIR:
            rolled = State(mine, theirs, turn, move, player)
            return rolled if self.has_step(rolled) else State(theirs, mine, self.nothing, IN_THE_AIR, 1 - player)
        for column in (move // 32, move % 32):
            if column:
                turn = replace(turn, column - 2, turn[column - 2] + 1)
        return State(mine, theirs, turn, 0, player)

    @cached_property
    def nothing(self):
        return (0,) * self.columns

    def has_step(self, state):
        """Whether the dice allow a step."""
        for pairing in range(3):
            a, b = self.sums(state.dice, pairing)
            if self.can_climb(state, 0, a) or self.can_climb(state, 0, b):
                return True
        return False

    def wins(self, state):
        """Whether the player to move wins by stopping now."""
        taken = 0
        for i in range(self.columns):
            taken += state.mine[i] + state.turn[i] == self.heights[i]
        return taken >= self.to_win

    def result(self, state):
        taken = 0
        for i in range(self.columns):
            taken += state.theirs[i] == self.heights[i]
        return LOSS if taken >= self.to_win else ONGOING

    # -- judgement and solving ---------------------------------------------------------------------------------

    def evaluate(self, state):
        """The lead in columns, the best ones of either player in full and half of what the runners stand to lose."""
        mine = theirs = 0.0
        for i in range(self.columns):
            mine += ((state.mine[i] + 0.5 * state.turn[i]) / self.heights[i]) ** 2
            theirs += (state.theirs[i] / self.heights[i]) ** 2
        return max(-0.9, min(0.9, (mine - theirs) / self.to_win))

    def order(self, state, move):
        """Rolling before stopping, and the columns at the edge first."""
        if state.dice == 0:
            return move
        return abs(2 * (move // 32) - self.columns - 3) + abs(2 * (move % 32) - self.columns - 3)

    def stage(self, state):
        """What is climbed stays climbed, and a column that is taken counts for more than both could climb there."""
        total = 0
        for i in range(self.columns):
            taken = state.mine[i] == self.heights[i] or state.theirs[i] == self.heights[i]
            total += 2 * self.heights[i] if taken else state.mine[i] + state.theirs[i]
        return total

    def symmetries(self, state):
        """Dice that show 1 for 6, 2 for 5 and so on turn the columns round."""
        mine, theirs, turn, dice = state.mine, state.theirs, state.turn, 0
        for i in range(self.columns):
            j = self.columns - 1 - i
            mine = replace(mine, i, state.mine[j])
            theirs = replace(theirs, i, state.theirs[j])
            turn = replace(turn, i, state.turn[j])
        for place in (1, 10, 100, 1000):
            dice = 10 * dice + self.faces + 1 - state.dice // place % 10
        yield State(mine, theirs, turn, dice if state.dice > 0 else state.dice, state.player)

    # -- looking and writing -----------------------------------------------------------------------------------

    def board(self, state):
        """The columns from the bottom up; X and O mark the steps, B both, and * a runner."""
        first, second = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        tallest = max(self.heights)
        rows = []
        for step in range(tallest, 0, -1):
            rows.append("".join(self.cell(state, first, second, i, step) for i in range(self.columns)))
        faces = tuple(map(int, str(state.dice))) if state.dice > 0 else (0,) * 4
        taken = Fields(
            ("first player", "second player"),
            tuple(str(sum(map(int.__eq__, side, self.heights))) for side in (first, second)),
        )
        grid = Grid(tuple(rows), tuple(str(i + 2) for i in range(self.columns)), pieces=PIECES)
        return Together((grid, taken, Dice(faces)))

    def cell(self, state, first, second, i, step):
        if step > self.heights[i]:
            return " "
        runner = state.turn[i] and state.mine[i] + state.turn[i] == step
        here = [side[i] == step for side in (first, second)]
        return "*" if runner else "B" if all(here) else "X" if here[0] else "O" if here[1] else "."

    def squares(self, state, move):
        if state.dice <= 0:
            return ()
        a, b = divmod(move, 32)
        steps = [(a, 1), (b, 2 if a == b else 1)] if a else [(b, 1)]
        return tuple(self.square(state, column - 2, further) for column, further in steps)

    def square(self, state, i, further):
        """The square so many steps above a runner."""
        return (max(self.heights) - state.mine[i] - state.turn[i] - further) * self.columns + i

    def move_text(self, state, move):
        if state.dice <= 0:
            return str(move) if state.dice == IN_THE_AIR else ("stop", "roll")[move]
        return f"{move // 32}+{move % 32}" if move >= 32 else str(move)
