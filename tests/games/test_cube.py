"""The doubling cube: a referee that keeps the score, exact bear-offs with the cube, published equities, decisions."""

import itertools
import random
from functools import cache

import pytest

import zermelo as z
from zermelo import ONGOING, GameError
from zermelo.checking import compiled
from zermelo.games.backgammon.backgammon_rules import Backgammon
from zermelo.games.backgammon.cube_equity import CENTRED, MINE, THEIRS, cube_equity, live_equity, turning_points
from zermelo.games.backgammon.cube_rules import DOUBLE, ROLL, TAKE, TO_ANSWER, TO_DOUBLE, CubeBackgammon
from zermelo.games.backgammon.gammon_rate import gammon_rate
from zermelo.games.backgammon.match_equity import equities_after_crawford, match_equities
from zermelo.play.own_weights import default_weights, evaluated
from zermelo.rules import legal_actions


class FullWidth(CubeBackgammon):
    """Searched without leaving out a play, so that a search to the end is a proof."""

    replies = 0


MONEY = FullWidth(match=0)
"""Compiled here; the other games are interpreted."""

SHORT = CubeBackgammon(match=3)

TO_THE_END = z.Limit(depth=24)

RACE = "6(3) 5(3) off(9)"
HYPER = "24 23 22"


# -- the referee: the score, the cube and who may turn it, kept beside the game ----------------------------------------


class Referee:
    """The stakes of a match or a single game, by player and not by whose turn it is."""

    def __init__(self, game):
        self.target, self.jacoby = game.match, game.jacoby
        self.score, self.crawford_played = [0, 0], False
        self.new_game()

    def new_game(self):
        one_away = self.target > 1 and self.target - 1 in self.score
        self.crawford = one_away and not self.crawford_played
        self.crawford_played |= one_away
        self.cube, self.owner = 1, None

    def may_double(self, player):
        if self.crawford or self.owner == 1 - player:
            return False
        return self.cube < 64 if self.target == 0 else self.score[player] + self.cube < self.target

    def take(self, player):
        self.cube, self.owner = 2 * self.cube, player

    def won(self, player, times):
        if self.target == 0 and self.jacoby and self.owner is None:
            times = 1
        self.score[player] += times * self.cube
        if self.target:
            self.score[player] = min(self.score[player], self.target)
        if not self.over:
            self.new_game()

    @property
    def over(self):
        return max(self.score) >= max(self.target, 1)


def stakes(state):
    """The cube, its owner, the score and Crawford's game, by player."""
    me = state.player
    owner = {CENTRED: None, MINE: me, THEIRS: 1 - me}[state.owner]
    score = [state.points, state.their_points]
    return state.cube, owner, score if me == 0 else score[::-1], bool(state.crawford)


def times_won(state):
    """What the loser of a game, who is to move, has lost in cubes."""
    places = [state.near >> 4 * place & 15 if place < 13 else state.far >> 4 * (place - 13) & 15 for place in range(26)]
    return 1 if places[0] else 3 if any(places[19:]) else 2


def play_a_game(game, dice):
    """Play at random beside the referee; return how often the cube was turned and how often a game ended otherwise."""
    state, referee, turns, finished = game.initial(), Referee(game), 0, 0
    while game.result(state) == ONGOING:
        moves, me = legal_actions(game, state), state.player
        move = dice.choice(moves)
        after = game.play(state, move)
        if state.dice == TO_DOUBLE:
            assert referee.may_double(me)
            assert after.player == (me if move == ROLL else 1 - me)
        elif state.dice == TO_ANSWER:
            turns += 1
            if move == TAKE:
                referee.take(me)
                assert (after.player, after.dice) == (1 - me, 0)
            else:
                referee.won(1 - me, 1)
        elif not game.is_chance(state):
            base = game.checker_play(state[:6], move)
            if base.their_near & 15 == game.checkers:
                referee.won(me, times_won(base))
                finished += 1
            else:
                assert after[:4] == base[:4]
                assert (after.dice == TO_DOUBLE) == referee.may_double(1 - me)
        state = after
        assert game.parse_state(game.state_text(state)) == state
        assert referee.over == (game.result(state) != ONGOING)
        if not referee.over:
            assert stakes(state) == (referee.cube, referee.owner, referee.score, referee.crawford)
    mine, theirs = referee.score if state.player == 0 else referee.score[::-1]
    assert game.result(state) == (-theirs if game.match == 0 else -1)
    assert mine < max(game.match, 1)
    return turns, finished


@pytest.mark.parametrize(
    ("game", "number"),
    [
        (CubeBackgammon(RACE, False, match=0), 40), (CubeBackgammon(HYPER, match=5), 20),
        (CubeBackgammon(HYPER, match=0, jacoby=False), 30), (CubeBackgammon(RACE, match=9), 12),
        (CubeBackgammon(HYPER, match=1), 10), (CubeBackgammon(match=3), 2),
    ],
)  # fmt: skip
def test_the_stakes_are_those_of_the_referee(game, number):
    dice = random.Random(game.match)
    found = [play_a_game(game, dice) for _ in range(number)]
    assert sum(finished for _, finished in found) > 0
    assert (sum(turns for turns, _ in found) > 0) == (game.match != 1)


def test_crawfords_game_comes_once():
    """At 4-0 to 5 nobody doubles; after it the player behind does."""
    game = CubeBackgammon(match=5)
    state = game.parse_state("-b----E-C---eE---c-e----B-:1:1:1:31:2:0:0:5:6")
    lost = game.ended(state._replace(player=1, owner=-1), 2)
    assert (lost.their_points, lost.points, lost.crawford, lost.dice) == (2, 2, 0, 1)
    state = game.ended(lost, 2)
    assert (sorted((state.points, state.their_points)), state.crawford) == ([2, 4], 1)
    assert game.to_roll(state).dice == 0
    behind = game.ended(state._replace(points=4, their_points=2), 1)  # the player who is behind wins
    assert (behind.points, behind.their_points, behind.crawford) == (4, 3, 0)
    assert game.to_roll(behind._replace(points=3, their_points=4)).dice == TO_DOUBLE
    assert game.to_roll(behind).dice == 0  # one point is all that this player needs: a dead cube


def test_the_opening_roll_decides_who_begins():
    game, rolls = CubeBackgammon(), dict(CubeBackgammon().chances(CubeBackgammon().initial()))
    assert len(rolls) == 30
    assert sum(rolls.values()) == pytest.approx(1)
    first, second = (game.play(game.initial(), roll) for roll in (31, 13))
    assert (first.player, first.dice, second.player, second.dice) == (0, 31, 1, 31)


# -- exact values ------------------------------------------------------------------------------------------------------

ROLLS = [((high, low), 1 if high == low else 2) for high in range(1, 7) for low in range(1, high + 1)]


@cache
def ends(counts, dice):
    """Where dice may lead in this order, from counts on points 1 to 6."""
    if not dice or not any(counts):
        return {counts}
    found = set()
    highest = max(point for point in range(1, 7) if counts[point - 1])
    for point in range(1, 7):
        to = point - dice[0]
        if counts[point - 1] and (to >= 0 or point == highest):
            after = list(counts)
            after[point - 1] -= 1
            if to > 0:
                after[to - 1] += 1
            found |= ends(tuple(after), dice[1:])
    return found


@cache
def rolling(mine, theirs, owner):
    """The expectation of the player who rolls, of a cube of 1; `owner` is 1 for this player, -1 for the other one."""
    total = 0.0
    for (high, low), odds in ROLLS:
        orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
        after = set().union(*(ends(mine, order) for order in orders))
        total += odds / 36 * max(1.0 if not any(left) else -deciding(theirs, left, -owner) for left in after)
    return total


@cache
def deciding(mine, theirs, owner):
    """The same before rolling, where the owner of the cube or, in the middle, anybody may turn it."""
    roll = rolling(mine, theirs, owner)
    return roll if owner < 0 else max(roll, min(1.0, 2 * rolling(mine, theirs, -1)))


def letters(mine, theirs):
    """The board of an XGID with these checkers, from point 1 on: those of the first player, and of the second."""
    found = ["-"] * 26
    for place, checkers in enumerate(mine, 1):
        found[place] = chr(64 + checkers) if checkers else found[place]
    for place, checkers in enumerate(theirs, 1):
        found[25 - place] = chr(96 + checkers) if checkers else found[25 - place]
    return "".join(found)


def bear_off(mine, theirs, owner=0, cube=1):
    """The state in which the first player may double."""
    return MONEY.parse_state(f"{letters(mine, theirs)}:{cube.bit_length() - 1}:{owner}:1:00:0:0:1:0:6")


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ((0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0)), ((0, 0, 0, 0, 1, 1), (1, 0, 0, 0, 0, 0)),
        ((0, 0, 0, 0, 0, 2), (2, 0, 0, 0, 0, 0)), ((0, 0, 0, 1, 0, 1), (1, 1, 0, 0, 0, 0)),
        ((1, 1, 0, 0, 0, 0), (0, 0, 0, 0, 1, 1)), ((2, 1, 0, 0, 0, 0), (1, 2, 0, 0, 0, 0)),
    ],
)  # fmt: skip
def test_exact_values_of_bear_offs_with_the_cube(mine, theirs):
    """The search to the end finds what plain recursion finds, with the cube in the middle and owned."""
    for owner, cube in ((0, 1), (1, 4)):
        state = bear_off(mine, theirs, owner, cube)
        assert z.search(MONEY, state, TO_THE_END).value.score == pytest.approx(cube * deciding(mine, theirs, owner))
        taken = MONEY.play(MONEY.play(state, DOUBLE), TAKE)
        values = [z.search(MONEY, MONEY.play(taken, roll), TO_THE_END).value.score for roll, _ in MONEY.chances(taken)]
        odds = [chance for _, chance in MONEY.chances(taken)]
        expected = sum(value * chance for value, chance in zip(values, odds, strict=True))
        assert expected == pytest.approx(2 * cube * rolling(mine, theirs, -1))


@pytest.mark.slow
def test_the_solver_finds_the_values_of_the_recursion():
    """Positions of two checkers each, in which the first player may double a cube in the middle or an owned one."""
    game = CubeBackgammon("6 5 off(13)", False, match=0)
    solution, compared = z.solve(game), 0
    pairs = [
        tuple((place == one) + (place == two) for place in range(1, 7)) for one in range(1, 7) for two in range(one)
    ]
    for mine in pairs:
        for theirs in pairs:
            for owner, cube in ((0, 1), (1, 2)):
                state = bear_off(mine, theirs, owner, cube)
                if state in solution:
                    wanted = cube * deciding(mine, theirs, owner)
                    assert solution.value(state).score == pytest.approx(wanted, abs=1e-8)
                    compared += 1
    assert compared > 50


@cache
def bears_off_at_once(mine):
    """The probability of bearing off everything with one roll."""
    total = 0
    for (high, low), odds in ROLLS:
        orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
        total += odds * any((0,) * 6 in ends(mine, order) for order in orders)
    return total / 36


def test_the_last_roll_is_doubled_above_a_half_and_taken_from_a_quarter():
    """The other player bears off for certain: double if the win is likelier than not; take from 25 % of wins on."""
    doubled = taken = 0
    for first in range(1, 7):
        for second in range(first + 1):
            mine = tuple((place == first) + (place == second) for place in range(1, 7))
            p = bears_off_at_once(mine)
            state = bear_off(mine, (1, 0, 0, 0, 0, 0))
            report = z.search(MONEY, state, TO_THE_END)
            offered = z.search(MONEY, MONEY.play(state, DOUBLE), TO_THE_END)
            if p < 1:  # with a certain win both are the same
                assert (report.move == DOUBLE) == (p > 0.5), (mine, p)
            if p != 0.75:  # and at exactly one win in four
                assert (offered.move == TAKE) == (1 - p > 0.25), (mine, p)
            assert report.value.score == pytest.approx(max(2 * p - 1, min(1, 4 * p - 2)))
            doubled, taken = doubled + (p > 0.5), taken + (1 - p >= 0.25)
    assert doubled > 10
    assert taken > 5


# -- equities ----------------------------------------------------------------------------------------------------------


class Points:
    """A game for points, with a cube that may be turned up to a limit."""

    def __init__(self, limit):
        self.limit = limit

    def worth(self, state, points):
        return float(points)

    def may_turn(self, state, cube, mine):
        return cube < self.limit

    def counts_gammons(self, owner):
        return True


def test_take_points_for_money():
    """A dead cube is taken from 25 %, a live one from 20 %: the best known numbers of the cube."""
    assert turning_points(Points(2), None, 1, 0.0, 0.0) == pytest.approx((0.25, 0.75))
    assert turning_points(Points(1 << 50), None, 1, 0.0, 0.0) == pytest.approx((0.2, 0.8))


@pytest.mark.parametrize(("gammons", "losses"), [(0.0, 0.0), (0.3, 0.1), (0.0, 0.5), (0.6, 0.25)])
def test_take_points_of_janowski(gammons, losses):
    """R. Janowski, Take-Points in Money Games (1993), with W and L points of an average win and loss: a live cube is
    taken from (L - 0.5) / (W + L + 0.5) on, and too good to take from (L + 1) / (W + L + 0.5) on.
    """
    w, l = 1 + gammons, 1 + losses  # noqa: E741
    take, cash = turning_points(Points(1 << 50), None, 4, gammons, losses)
    assert (take, cash) == pytest.approx(((l - 0.5) / (w + l + 0.5), (l + 1) / (w + l + 0.5)))
    owned = [live_equity(Points(1 << 50), None, 4, MINE, p, gammons, losses) / 4 for p in (0.1, 0.3)]
    assert owned == pytest.approx([p * (w + l + 0.5) - l for p in (0.1, 0.3)])
    assert live_equity(Points(1 << 50), None, 1, CENTRED, take, gammons, losses) == pytest.approx(-1)


@pytest.mark.parametrize("owner", [CENTRED, MINE, THEIRS])
def test_equity_grows_with_the_probability_and_the_cube_helps_its_owner(owner):
    game, state = CubeBackgammon(match=7), CubeBackgammon(match=7).initial()
    for score in ((0, 0, 0), (5, 2, 0), (2, 6, 0), (6, 2, 0), (6, 3, 1), (4, 5, 0)):
        here = state._replace(points=score[0], their_points=score[1], crawford=score[2])
        for cube in (1, 2, 4):
            line = [cube_equity(game, here, cube, owner, p / 50, 0.25, 0.2) for p in range(51)]
            assert all(a <= b + 1e-12 for a, b in itertools.pairwise(line)), (score, cube)
            assert -1 <= line[0] <= line[-1] <= 1
            at = [cube_equity(game, here, cube, each, 0.55, 0.25, 0.2) for each in (THEIRS, CENTRED, MINE)]
            assert at == sorted(at)


WOOLSEY = """
50 70 75 83 85 90 91 94 95
30 50 60 68 75 81 85 88 91
25 40 50 59 66 71 76 80 84
17 32 41 50 58 64 70 75 79
15 25 34 42 50 57 63 68 73
10 19 29 36 43 50 56 62 67
 9 15 24 30 37 44 50 56 61
 6 12 20 25 32 38 44 50 55
 5  9 16 21 27 33 39 45 50
"""
"""The match equities of K. Woolsey and H. Heinrich in per cent, by what either player needs; 1 is Crawford's game."""


def test_match_equities_are_near_the_published_table():
    """Theirs come from matches of experts, ours from a share of gammons and a model of the cube."""
    size, equities = 9, match_equities(9)
    for away, row in enumerate(WOOLSEY.split("\n")[1:-1], 1):
        for their_away, published in enumerate(map(int, row.split()), 1):
            ours = 50 + 50 * equities[away * (size + 1) + their_away]
            assert abs(ours - published) < 2, (away, their_away)
            assert equities[away * (size + 1) + their_away] == pytest.approx(-equities[their_away * (size + 1) + away])
    assert 50 + 50 * equities[2 * (size + 1) + 1] == pytest.approx(31.5)  # half of the games, and a gammon at 50 %
    later = equities_after_crawford(9)
    assert later[2] == 0.0  # the first double is passed, or both play for the match
    assert [50 + 50 * later[away] for away in (1, 3, 4)] == pytest.approx([50, 31.5, 31.5])


def test_single_games_compile_as_well():
    """They have no table of match equities, and an empty tuple is interpreted."""
    assert MONEY.native_error is None


def test_a_game_has_the_equities_of_its_match():
    game, table = CubeBackgammon(match=7), match_equities(7)
    for mine in range(6):
        for theirs in range(6):  # nobody needs one point before the game
            state = game.new_game(0, mine, theirs, 0)
            assert game.standing(state) == pytest.approx(table[(7 - mine) * 8 + 7 - theirs])
            for points in (1, 2, 3, 4, 6, 8, 12):
                assert game.worth(state, points) == pytest.approx(table[max(7 - mine - points, 0) * 8 + 7 - theirs])
                assert game.worth(state, -points) == pytest.approx(table[(7 - mine) * 8 + max(7 - theirs - points, 0)])


def test_shorter_matches_have_the_same_equities():
    long, short = match_equities(9), match_equities(4)
    assert [short[away * 5 + other] for away in range(5) for other in range(5)] == [
        long[away * 10 + other] for away in range(5) for other in range(5)
    ]


# -- decisions of the engine -------------------------------------------------------------------------------------------


def decisions(text, game):
    """What the shipped weights do by evaluation: whether the player on roll doubles, and the other one takes."""
    learned, state = evaluated(game, game, True), game.parse_state(text)
    values = [learned.evaluate(game.play(state, move)) for move in (ROLL, DOUBLE)]
    answered = game.play(game.play(state, DOUBLE), TAKE)
    cash = game.worth(state, state.cube)
    assert learned.evaluate(state) == pytest.approx(max(values[0], -values[1]))
    return "double" if -values[1] > values[0] else "roll", "take" if learned.evaluate(answered) < cash else "pass"


START = "-b----E-C---eE---c-e----B-"
RACE_81 = (0, 0, 2, 3, 3, 3, 2, 2)


@pytest.mark.parametrize(
    ("board", "stakes", "wanted"),
    [
        (START, "0:0:1:00:0:0:0:0", ("roll", "take")),
        (letters(RACE_81, RACE_81), "0:0:1:00:0:0:0:0", ("roll", "take")),  # 81 pips each
        (letters((0, 0, 3, 3, 3, 4, 2), RACE_81), "0:0:1:00:0:0:0:0", ("double", "take")),  # 7 pips, or 9 % ahead
        (letters((0, 2, 3, 3, 3, 2, 1, 1), RACE_81), "0:0:1:00:0:0:0:0", ("double", "pass")),  # 12 pips, or 17 %
        ("-a-BBBBBBB---------ccccb--", "0:0:1:00:0:0:0:0", ("double", "pass")),  # one checker behind a prime
        ("-a-BBBBBBB---------ccccb--", "0:0:1:00:1:4:0:5", ("double", "pass")),
        ("-a-BBBBBBB---------ccccb--", "1:1:1:00:0:0:0:3", ("double", "pass")),  # 4 points would win the match
    ],
)  # fmt: skip
def test_the_weights_of_backgammon_decide_on_the_cube(board, stakes, wanted):
    """Races go by the rule of thumb: double with 8 % fewer pips, take with at most 12 % more (W. Robertie)."""
    assert decisions(f"{board}:{stakes}:6", CubeBackgammon(match=int(stakes.split(":")[-1]))) == wanted


@pytest.mark.parametrize("learned", [False, True])
def test_what_is_over_is_worth_its_result(learned):
    """Also where nothing is left to turn the cube for."""
    for game, stakes in ((SHORT, "0:0:1:00:0:3:0:3"), (SHORT, "1:-1:1:00:0:3:0:3"), (MONEY, "1:1:1:00:0:6:1:0")):
        state = game.parse_state(f"{START}:{stakes}:6")
        assert evaluated(game, game, learned).evaluate(state) == game.result(state) < 0


@pytest.mark.slow
def test_what_is_over_is_worth_its_result_compiled():
    class Level(CubeBackgammon):
        """Without the features, which take long to compile."""

        def evaluate(self, state):
            return self.from_evaluation(state, 0.0)

    game = Level(match=3)
    over, begun = (game.parse_state(f"{START}:0:0:1:00:0:{points}:0:3:6") for points in (3, 1))
    assert compiled(game, "evaluate", over) == game.evaluate(over) == -1
    assert compiled(game, "evaluate", begun) == pytest.approx(game.evaluate(begun))


def test_a_player_with_nothing_to_lose_doubles():
    """At 2-3 to 5, the owner of a cube of 2 loses the match with it anyway, and doubles with any chance at all."""
    game = CubeBackgammon(match=5)
    learned = evaluated(game, game, True)
    for board in (START, letters(RACE_81, (0, 0, 3, 3, 3, 4, 2)), letters(RACE_81, (0, 4, 4, 4, 3))):
        state = game.parse_state(f"{board}:1:1:1:00:2:3:0:5:6")
        assert -learned.evaluate(game.play(state, DOUBLE)) > learned.evaluate(game.play(state, ROLL))
        later = game.parse_state(f"{board}:0:0:1:00:2:4:0:5:6")
        assert -learned.evaluate(game.play(later, DOUBLE)) > learned.evaluate(game.play(later, ROLL))


def test_gammons():
    """Nobody who has borne off a checker loses one; the more pips there are to go, the more there are."""
    start = Backgammon().initial()
    assert gammon_rate(start.near, start.far, 0.0) == pytest.approx(0.27, abs=0.1)
    assert gammon_rate(start.near, start.far, 1.5) > 0.8
    borne_off = Backgammon("24(2) 13(5) 8(3) 6(4) off").initial()
    assert gammon_rate(borne_off.near, borne_off.far, 1.0) == 0.0
    home = Backgammon("6(5) 5(5) 4(5)").initial()
    assert gammon_rate(home.near, home.far, 0.0) < 0.02


def test_weights_of_backgammon_serve_with_the_cube(tmp_path):
    """The shipped network is found, a file of it is read, and that of another game is refused."""
    game, other = CubeBackgammon(match=7), Backgammon()
    assert default_weights(game) is default_weights(other)
    default_weights(other).save(tmp_path / "own.weights")
    state = game.parse_state(f"{START}:0:0:1:00:0:0:0:7:6")
    values = [evaluated(game, game, weights).evaluate(state) for weights in (True, tmp_path / "own.weights")]
    assert values[0] == values[1] != game.evaluate(state)
    with pytest.raises(GameError, match="weights are of"):
        evaluated(game, game, default_weights(z.load("othello")))


def test_what_is_not_allowed_is_refused():
    game = CubeBackgammon(match=5)
    board = "-b----E-C---eE---c-e----B-"
    for text, words in (
        (f"{board}:0:1:1:00:0:0:0:5:6", "no player owns a cube of 0:1"),
        (f"{board}:7:1:1:00:0:0:0:5:6", "no player owns a cube of 7:1"),
        (f"{board}:1:1:1:00:0:0:0:7:6", "a match to 7 points, not 5"),
        (f"{board}:1:1:1:00:5:0:0:5:6", "has won already"),
        (f"{board}:0:0:1:00:3:3:1:5:6", "no game in which nobody may double"),
        (f"{board}:1:1:1:00:4:3:1:5:6", "no doubles lead to a cube of 2 at this score"),  # in Crawford's game
        (f"{board}:1:1:1:00:0:4:0:5:6", "no doubles lead to a cube of 2"),  # the other player needs one point
        (f"{board}:2:-1:-1:00:3:0:0:5:6", "no doubles lead to a cube of 4"),  # a cube of 2 wins the match already
        (f"{board}:2:1:1:00:4:0:0:5:6", "no doubles lead to a cube of 4"),  # the owner doubled first, for nothing
        (f"{board}:4:1:1:00:0:0:0:5:6", "no doubles lead to a cube of 16"),
        (f"{board}:1:1:1:opening:0:0:0:5:6", "nobody doubles before the opening roll"),
        (f"{board}:0:0:1:D:4:3:1:5:6", "may not double"),
        (f"{board}:1:-1:1:D:0:0:0:5:6", "may not double"),
    ):
        with pytest.raises(GameError, match=words):
            game.parse_state(text)
    for parameters in ({"match": 16}, {"match": -1}, {"match": True}, {"jacoby": 1}):
        with pytest.raises(GameError):
            CubeBackgammon(**parameters)
    assert game.parse_state(f"{board}:0:0:1:00:2:5:1:5:6").crawford == 1  # won by the player who needed one point
    asked = game.parse_state(f"{board}:0:0:1:D:0:0:0:5:6")
    assert (asked.player, asked.dice, [game.move_text(asked, move) for move in game.moves(asked)]) == (
        1, 3, ["take", "pass"],
    )  # fmt: skip
    assert game.parse_move(asked, "Take") == TAKE
    with pytest.raises(GameError, match="not a legal move"):
        game.parse_move(asked, "double")
