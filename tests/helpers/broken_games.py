"""Small games for the check: a few that keep the contract, and many with exactly one bug each.

Every broken game overrides one rule or fact of a sound one; its docstring says what is wrong.
"""

import itertools
import math
import random
from typing import NamedTuple

import numpy as np

from taking import Countdown
from zermelo import DRAW, LOSS, ONGOING, WIN, Game, GameError, loss_in, win_in
from zermelo.board import Piles

# -- games that keep the contract ------------------------------------------------------------------------------


class Cells(NamedTuple):
    mine: int
    theirs: int


class Noughts(Game):
    """Three in a row, in four rules: the first game of the manual."""

    def initial(self):
        return Cells(0, 0)

    def moves(self, state):
        for cell in range(9):
            if not (state.mine | state.theirs) >> cell & 1:
                yield cell

    def play(self, state, cell):
        return Cells(state.theirs, state.mine | 1 << cell)

    def result(self, state):
        for line in (7, 56, 448, 73, 146, 292, 273, 84):
            if state.theirs & line == line:
                return LOSS
        return DRAW if state.mine | state.theirs == 511 else ONGOING


class Take(NamedTuple):
    left: int
    lead: int  # points of the player to move above the other's


class Greedy(Game):
    """Take one or two of the coins in turn; the margin is what counts."""

    margin = True
    payoff_bounds = (-7, 7)

    def initial(self):
        return Take(7, 0)

    def moves(self, state):
        return range(1, min(state.left, 2) + 1)

    def play(self, state, coins):
        return Take(state.left - coins, -state.lead - coins)

    def result(self, state):
        return state.lead if state.left == 0 else ONGOING


class Toss(NamedTuple):
    left: int
    player: int
    tossing: bool


class Coin(Game):
    """Take one or two, then toss a coin: heads, and the same player goes on. Whoever takes the last one wins."""

    def initial(self):
        return Toss(5, 0, False)

    def moves(self, state):
        return range(1, min(state.left, 2) + 1)

    def play(self, state, move):
        if state.tossing:
            return Toss(state.left, state.player ^ move, False)
        return Toss(state.left - move, state.player, True)

    def result(self, state):
        return WIN if state.left == 0 else ONGOING

    def mover(self, state):
        return state.player

    def is_chance(self, state):
        return state.tossing and state.left > 0

    def chances(self, state):
        yield 0, 0.5
        yield 1, 0.5


class Walk(Game):
    """Step left or right on a ring of six; who reaches 3 wins. Play can go round for ever."""

    loops = True

    def initial(self):
        return 0

    def moves(self, place):
        return (1, 5)

    def play(self, place, step):
        return (place + step) % 6

    def result(self, place):
        return LOSS if place == 3 else ONGOING

    def predecessors(self, place):
        for step in (1, 5):
            if (place - step) % 6 != 3:
                yield (place - step) % 6


class NeverEnds(Countdown):
    """Add one or two for ever: no state repeats."""

    def moves(self, total):
        return range(1, 3)

    def play(self, total, added):
        return total + added

    def result(self, total):
        return ONGOING


class Kayles(Game):
    """Take one or two neighbouring pins from a row; who cannot move loses. Words as states: interpreted."""

    def initial(self):
        return "IIIII"

    def moves(self, row):
        for size, place in itertools.product((1, 2), range(len(row))):
            if row[place : place + size] == "I" * size:
                yield (place, size)

    def play(self, row, move):
        place, size = move
        return row[:place] + "." * size + row[place + size :]

    def result(self, row):
        return ONGOING

    def stuck(self, row):
        return LOSS

    def symmetries(self, row):
        yield row[::-1]


class Spoken(Countdown):
    """Countdown with words for moves: interpreted, although its states are numbers."""

    def moves(self, left):
        return ("one", "two")[:left]

    def play(self, left, taken):
        return left - ("one", "two").index(taken) - 1


class Complete(Countdown):
    """Countdown with many optional rules, all of them right."""

    weights = (1.0, -2.0)

    def features(self, left):
        return (float(left), 1.0)

    def order(self, left, taken):
        return taken

    def noisy(self, left, taken):
        return taken == left

    def forcing(self, left):
        return left == 1

    def skip(self, left):
        return left - 1 if left > 3 else left

    def bounds(self, left):
        return (loss_in(2), win_in(1))

    def candidates(self, left):
        return range(left, left + 1) if left < 3 else range(1, 3)

    def key(self, left):
        return left * 7

    def stage(self, left):
        return self.start - left

    def size(self, stage):
        return 1

    def index(self, left):
        return 0

    def at(self, stage, index):
        return self.start - stage

    def predecessors(self, left):
        for taken in (1, 2):
            if left + taken <= self.start:
                yield left + taken

    def board(self, left):
        return Piles((left,))

    def squares(self, left, taken):
        return (0,)

    def move_text(self, left, taken):
        return f"take {taken}"

    def parse_move(self, left, text):
        for taken in range(1, min(left, 2) + 1):
            if text == f"take {taken}":
                return taken
        raise GameError(f"{text!r} is no move with {left} left.")

    def state_text(self, left):
        return f"{left} left"

    def parse_state(self, text):
        return int(text.split()[0])


# -- hidden state and side effects -----------------------------------------------------------------------------


class Box:
    """A mutable state that is equal by content."""

    def __init__(self, left):
        self.left = left

    def __eq__(self, other):
        return isinstance(other, Box) and self.left == other.left

    def __hash__(self):
        return hash(self.left)

    def __repr__(self):
        return f"Box({self.left})"


class ChangesItsState(Game):
    """`play` takes from the state it was given."""

    def initial(self):
        return Box(4)

    def moves(self, box):
        return range(1, min(box.left, 2) + 1)

    def play(self, box, taken):
        box.left -= taken
        return box

    def result(self, box):
        return LOSS if box.left == 0 else ONGOING


class CountsCalls(Countdown):
    """`moves` forgets the second move at every fifth call."""

    calls = [0]

    def moves(self, left):
        self.calls[0] += 1
        return range(1, min(left, 1 if self.calls[0] % 5 == 0 else 2) + 1)


class Shuffles(Countdown):
    """`moves` come in any order."""

    def moves(self, left):
        moves = list(range(1, min(left, 2) + 1))
        random.shuffle(moves)
        return moves


class RandomStart(Countdown):
    """`initial` is not always the same."""

    def initial(self):
        return random.randrange(10**9)


class KeepsALog(Countdown):
    """`play` writes down what it did."""

    log = []

    def play(self, left, taken):
        self.log.append(taken)
        return left - taken


shared: list[int] = []


class SharesItsList(Countdown):
    """`moves` returns one list again and again."""

    def moves(self, left):
        shared[:] = range(1, min(left, 2) + 1)
        return shared


# -- states, moves, results ------------------------------------------------------------------------------------


class ListInside(Noughts):
    """A state with a list."""

    def initial(self):
        return Cells([0], 0)


class Nameless:
    """A state without __eq__."""


class NotEqualToItsCopy(Countdown):
    """A state that is equal to nothing but itself."""

    def initial(self):
        return Nameless()


class ForgetsToReturn(Countdown):
    """`play` has no return."""

    def play(self, left, taken):
        left - taken


class Mine(NamedTuple):
    left: int


class Yours(NamedTuple):
    left: int


class NoNumber(Countdown):
    """Half of nothing beside the coins."""

    def initial(self):
        return 6, 0.0

    def moves(self, state):
        return super().moves(state[0])

    def play(self, state, taken):
        return state[0] - taken, math.nan if taken == 2 else 0.0

    def result(self, state):
        return super().result(state[0])


class ClassesAlone(Countdown):
    """The class of a state says which moves there are, and states of both classes are equal."""

    def initial(self):
        return Mine(6)

    def moves(self, state):
        most = 2 if isinstance(state, Mine) else 1
        return range(1, min(most, state.left) + 1)

    def play(self, state, taken):
        return (Yours if isinstance(state, Mine) else Mine)(state.left - taken)

    def result(self, state):
        return LOSS if state.left == 0 else ONGOING


class Twice(Countdown):
    """`moves` gives 1 twice."""

    def moves(self, left):
        return (1, 1) if left == 2 else range(1, min(left, 2) + 1)


class MoveList(Countdown):
    """`moves` gives lists."""

    def moves(self, left):
        return [[1], [2]]


class MoveOfNone(Countdown):
    """`moves` gives None, as to pass."""

    native = False

    def moves(self, left):
        return [None, 1]


class NoMoves(Countdown):
    """`moves` has no return."""

    def moves(self, left):
        range(1, min(left, 2) + 1)


class EndlessMoves(Countdown):
    """`moves` never ends."""

    def moves(self, left):
        return itertools.count()


class IllegalMove(Noughts):
    """`moves` lists a cell that `play` refuses."""

    def moves(self, state):
        yield 0
        yield 9

    def play(self, state, cell):
        return Cells(state.theirs, state.mine | (1, 2, 4, 8, 16, 32, 64, 128, 256)[cell])


class NoResult(Countdown):
    """`result` forgets that the game goes on."""

    def result(self, left):  # noqa: RET503
        if left == 0:
            return LOSS


class FloatResult(Countdown):
    """`result` is a float."""

    def result(self, left):
        return -1.0 if left == 0 else ONGOING


class BoolResult(Countdown):
    """`result` is a truth value."""

    def result(self, left):
        return False if left == 0 else ONGOING


class PointsWithoutMargin(Greedy):
    """`result` counts points, and the game does not say so."""

    margin = False


class NoStuck(Countdown):
    """Who must take from nothing has no move, and no rule says what that means."""

    def result(self, left):
        return ONGOING


class StuckGoesOn(NoStuck):
    """`stuck` says that the game goes on."""

    def stuck(self, left):
        return ONGOING


class TwoArguments(Countdown):
    """`result` wants to know too much."""

    def result(self, left, taken):
        return LOSS if left == 0 else ONGOING


class ParameterNamedSize(Countdown):
    """A parameter has the name of a rule."""

    size: int = 4


class ReductionsPlies(Countdown):
    """`reductions` is a number of plies."""

    reductions = 2


class MonteCarloSwitch(Countdown):
    """`monte_carlo` is True."""

    monte_carlo = True


class RepliesShare(Countdown):
    """`replies` is no whole number."""

    replies = 0.5


class FutilitySwitch(Countdown):
    """`futility` is a text."""

    futility = "much"


class SingularSwitch(Countdown):
    """`singular` is a text."""

    singular = "much"


class NoSelf(Countdown):
    """`moves` has forgotten whose rule it is."""

    def moves(left):
        return range(1, min(left, 2) + 1)


class LongShuffle(Countdown):
    """Very many moves, never in the same order."""

    def moves(self, left):
        return random.sample(range(200), 200)


class Interrupted(Countdown):
    """Somebody presses Ctrl-C while `play` runs."""

    def play(self, left, taken):
        raise KeyboardInterrupt


class NumpyMove(Countdown):
    """The same move twice, as NumPy has it."""

    def moves(self, left):
        return [np.int64(1), np.int64(1)]


class Raises(Countdown):
    """`play` divides by nothing when two are left."""

    def play(self, left, taken):
        return left - taken * (left - 2) // (left - 2)


# -- turns and chance ------------------------------------------------------------------------------------------


class ThirdPlayer(Coin):
    """`mover` counts from one."""

    def mover(self, state):
        return state.player + 1


class SaysItAlternates(Coin):
    """A toss may keep the turn, and the game says that players alternate."""

    alternates = True


class DoesNotAlternate(Countdown):
    """The game says that players do not alternate, and has no `mover`."""

    alternates = False


class SumsToLess(Coin):
    """Heads and tails leave room for something else."""

    def chances(self, state):
        yield 0, 0.5
        yield 1, 0.4


class NegativeChance(Coin):
    """A probability below zero."""

    def chances(self, state):
        yield 0, 1.5
        yield 1, -0.5


class SameOutcomeTwice(Coin):
    """Two heads."""

    def chances(self, state):
        yield 0, 0.5
        yield 0, 0.5


class OutcomeList(Coin):
    """An outcome that cannot be hashed."""

    def chances(self, state):
        yield [0], 0.5
        yield [1], 0.5


class Tenths(Game):
    """Add one or two tenths; whoever reaches one and a half wins. Sums differ by the order in which they are made."""

    def initial(self):
        return 0.0

    def moves(self, total):
        return (1, 2)

    def play(self, total, tenths):
        return total + tenths * 0.1

    def result(self, total):
        return LOSS if total > 1.45 else ONGOING


class ChanceIsANumber(Coin):
    """`is_chance` is an int."""

    def is_chance(self, state):
        return int(state.tossing and state.left > 0)


class NobodyMoves(Countdown):
    """A game of chance that does not say who is to move."""

    def is_chance(self, left):
        return left == 2

    def chances(self, left):
        return ((1, 1.0),)


class BoundsTooNarrow(Greedy):
    """A lead of more than two is possible."""

    payoff_bounds = (-2, 2)


class BoundsOfOnePlayer(Greedy):
    """The first player never wins, says the game; so the second never loses, who does."""

    payoff_bounds = (-5, 0)

    def initial(self):
        return Turn(5, 0, 0)

    def play(self, state, coins):
        return Turn(state.left - coins, -state.lead - coins, 1 - state.player)

    def mover(self, state):
        return state.player


class Turn(NamedTuple):
    left: int
    lead: int
    player: int


class EstimatesInCoins(Coin):
    """A win counts one, and `evaluate` counts coins."""

    def evaluate(self, state):
        return float(state.left)


class BoundsInDisorder(Greedy):
    """The greatest payoff before the least."""

    payoff_bounds = (7, -7)


class StuckBeyondBounds(Greedy):
    """`result` leaves the end to `stuck`, which counts more points than the game says there are."""

    payoff_bounds = (-7, 7)

    def result(self, state):
        return ONGOING

    def stuck(self, state):
        return 10 * state.lead


# -- judgement -------------------------------------------------------------------------------------------------


class NotANumber(Countdown):
    """`evaluate` is infinity minus infinity."""

    def evaluate(self, left):
        return float("nan")


class InfinitelySure(Countdown):
    """`evaluate` is infinite."""

    def evaluate(self, left):
        return float("inf")


class TooSure(Countdown):
    """`evaluate` looks like a proof."""

    def evaluate(self, left):
        return 1_000_000


class OneWeight(Complete):
    """Two features, one weight."""

    weights = (1.0,)


class HalfOrder(Countdown):
    """`order` is a float, which compiled code would cut off."""

    def order(self, left, taken):
        return taken / 2


class NoisyNumber(Countdown):
    """`noisy` is an int."""

    def noisy(self, left, taken):
        return left & taken


class ForcingNumber(Countdown):
    """`forcing` is an int."""

    def forcing(self, left):
        return left & 1


class SkipsToNothing(Countdown):
    """`skip` has no return."""

    def skip(self, left):
        left - 1


class SkipsToAPair(Countdown):
    """`skip` says what is left and who is to move."""

    def skip(self, left):
        return (left, 1)


class SkipsToAList(Noughts):
    """`skip` cannot be hashed."""

    def skip(self, state):
        return [state.theirs, state.mine]


class SkipsAtRandom(Countdown):
    """`skip` may lead anywhere."""

    def skip(self, left):
        return random.randrange(10**9)


class KeepsTheMove(Coin):
    """`skip` does not pass the turn."""

    def skip(self, state):
        return Toss(state.left + 1, state.player, False)


class SkipsOutside(Countdown):
    """`skip` leads to where the rules do not know what to say."""

    def skip(self, left):
        return -1 if left == 1 else left

    def result(self, left):
        return None if left < 0 else LOSS if left == 0 else ONGOING


class WrongBounds(Complete):
    """`bounds` promise a win where there is none."""

    def bounds(self, left):
        return (win_in(left), win_in(1))


class PayoffBounds(Complete):
    """`bounds` are payoffs."""

    def bounds(self, left):
        return (LOSS, WIN)


class BoundsUpsideDown(Complete):
    """`bounds` in the wrong order."""

    def bounds(self, left):
        return (win_in(1), loss_in(2))


class DropsTheBest(Complete):
    """`candidates` keeps one move, sometimes the wrong one."""

    def candidates(self, left):
        return (1,)


class InventsAMove(Complete):
    """`candidates` has a move that `moves` has not."""

    def candidates(self, left):
        return (1, 2)


# -- sameness --------------------------------------------------------------------------------------------------


class WrongMirror(Noughts):
    """`symmetries` moves the board up by a row instead of mirroring it."""

    def symmetries(self, state):
        for up in (3, 6):
            mine, theirs = (cells << up | cells >> 9 - up for cells in state)
            yield Cells(mine & 511, theirs & 511)


class SymmetryChangesTheValue(Countdown):
    """`symmetries` takes 3 and 2 for the same."""

    def symmetries(self, left):
        yield 5 - left if left in (2, 3) else left


class HalfASymmetry(Kayles):
    """`symmetries` gives one neighbour on a ring, not all that can be reached so."""

    def symmetries(self, row):
        yield row[1:] + row[:1]


class CanonicalChangesTheValue(Countdown):
    """`canonical` takes 3 and 2 for the same."""

    def canonical(self, left):
        return 2 if left == 3 else left


class CanonicalGoesOn(Countdown):
    """`canonical` must be applied twice."""

    def canonical(self, left):
        return left - 3 if left > 3 else left

    start: int = 9


class OtherPlayersState(Coin):
    """`canonical` swaps the players, and turns do not alternate."""

    def canonical(self, state):
        return Toss(state.left, 0, state.tossing)


class KeysCollide(Noughts):
    """`key` forgets whose stones they are."""

    def key(self, state):
        return state.mine | state.theirs


class WideKey(Countdown):
    """`key` needs a bit more than there are."""

    def key(self, left):
        return left - 7 - (1 << 63)


class OneWord(Countdown):
    """`key` gives two numbers which are the same word."""

    native = False

    def key(self, left):
        return (1 << 64) - 1 if left == 6 else 4 - left


# -- solving ---------------------------------------------------------------------------------------------------


class StageGoesBack(Complete):
    """`stage` counts what is left, which only shrinks."""

    def stage(self, left):
        return left


class StageOfTheRightHalf(Noughts):
    """`stage` counts a stone in the right column twice, and a mirrored state is the same."""

    def symmetries(self, state):
        mine, theirs = ((cells & 73) << 2 | cells & 146 | cells >> 2 & 73 for cells in state)
        yield Cells(mine, theirs)

    def stage(self, state):
        stones = state.mine | state.theirs
        return stones.bit_count() + (stones & 292).bit_count()


class AtIsNotTheInverse(Complete):
    """`at` is one off."""

    def at(self, stage, index):
        return self.start - stage + 1


class OneIndexForAll(Complete):
    """All states have index 0 of stage 0."""

    def stage(self, left):
        return 0

    def at(self, stage, index):
        return self.start


class IndexTooLarge(Complete):
    """`index` starts at 1."""

    def index(self, left):
        return 1


class IndexOfNothing(Complete):
    """`size` counts one number more than there are states."""

    def size(self, stage):
        return 2


class NoAt(Countdown):
    """`index` and `size` without `at`."""

    def size(self, stage):
        return 7

    def index(self, left):
        return left


class ForgetsAPredecessor(Walk):
    """`predecessors` walks back to the left only."""

    def predecessors(self, place):
        if (place - 1) % 6 != 3:
            yield (place - 1) % 6


class InventsAPredecessor(Complete):
    """`predecessors` takes back three as well."""

    def predecessors(self, left):
        for taken in (1, 2, 3):
            if left + taken <= self.start:
                yield left + taken


class PredecessorAfterTheEnd(Walk):
    """`predecessors` walks back from beyond the end."""

    def predecessors(self, place):
        return ((place - 1) % 6, (place - 5) % 6)


class LoopsInSecret(Walk):
    """Play goes round, and the game does not say so."""

    loops = False


# -- notation and pictures -------------------------------------------------------------------------------------


class SameTextTwice(Countdown):
    """Every move is called the same."""

    def move_text(self, left, taken):
        return "take"


class MisreadsMoves(Complete):
    """`parse_move` reads one more than was written."""

    def parse_move(self, left, text):
        if text not in ("take 1", "take 2"):
            raise GameError(f"{text!r} is no move.")
        return 1


class MoveAfterTheEnd(Complete):
    """`parse_move` does not look whether the game is over."""

    def parse_move(self, left, text):
        if text not in ("take 1", "take 2") or int(text[5:]) > max(left, 1):
            raise GameError(f"{text!r} is no move.")
        return int(text[5:])


class TakesMoreThanThereIs(Complete):
    """`parse_move` does not look how many are left."""

    def parse_move(self, left, text):
        if left == 0 or text not in ("take 1", "take 2"):
            raise GameError(f"{text!r} is no move.")
        return int(text[5:])


class MisreadsStates(Complete):
    """`parse_state` leaves the number a text."""

    def parse_state(self, text):
        return text.split()[0]


class NoPicture(Noughts):
    """`board` is no picture."""

    def board(self, state):
        return "... ... ..."


class SquareOutside(Complete):
    """`squares` names the second of one pile."""

    def squares(self, left, taken):
        return (1,)


# -- compiled and interpreted ----------------------------------------------------------------------------------


class Dice(NamedTuple):
    seed: int
    left: int


class WrapsAround(Game):
    """`play` multiplies beyond 64 bits, which Python's ints never notice."""

    def initial(self):
        return Dice(12345, 5)

    def moves(self, state):
        return range(1, 3)

    def play(self, state, move):
        return Dice((state.seed * 6364136223846793005 + move) % 1000003, state.left - 1)

    def result(self, state):
        return LOSS if state.left == 0 else ONGOING


class Word(NamedTuple):
    bits: np.uint64
    left: int


class SignedWord(Game):
    """`result` divides a word with the highest bit set: compiled, the literal makes a signed number of it."""

    def initial(self):
        return Word(1 << 63, 2)

    def moves(self, state):
        return range(1, 3)

    def play(self, state, move):
        return Word(state.bits, state.left - 1)

    def result(self, state):
        if state.left > 0:
            return ONGOING
        return WIN if state.bits % 7 == 1 else LOSS


class Grows(Countdown):
    """`play` leads to numbers that no machine word holds, but only late in the game."""

    start: int = 1500

    def play(self, left, taken):
        return left * 10**19 if left < 10 else left - taken

    def result(self, left):
        return LOSS if left == 0 or left > 10**18 else ONGOING


PRICES = np.array([3, 1, 4])


class ReadsBeyond(Countdown):
    """`evaluate` relies on the exception for reading beyond an array: not broken, since compiled rules raise it too."""

    def evaluate(self, left):
        try:
            return PRICES[left + 3]
        except Exception:
            return -54321


class LongDifference(Countdown):
    """Very many moves, one of which is computed beyond 64 bits."""

    def moves(self, left):
        for move in range(90):
            yield move if move != 59 else 1000 + left * 6364136223846793005 % 1000003

    def play(self, left, move):
        return left - 1


class OneBitTooMany(Countdown):
    """`order` gives numbers beyond 64 bits."""

    def order(self, left, taken):
        return left << 62


class SkipsTooFar(Countdown):
    """`skip` multiplies beyond 64 bits."""

    def skip(self, left):
        return left * 6364136223846793005 % 1000003


class MustCompile(Kayles):
    """Words do not compile, and the game says that it does."""

    native = True
