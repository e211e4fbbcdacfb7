"""Games of points in which play repeats, against a referee that asks for each number of points who can force it."""

import pytest

import zermelo as z
from ataxx import AtaxxForPoints
from solve_games import Rooms, Rounds, Squares, roll
from zermelo import ONGOING, Game, GameError
from zermelo.games.awari import Awari
from zermelo.play.move_choice import database_report
from zermelo.rules import changes_player, payoff


class PointRounds(Rounds):
    """One stage."""

    margin = True
    payoff_bounds = (-900, 900)

    def ended(self, spot):
        if spot.game == 0 or spot.place == 0 or roll(spot, 10, 8) > 0:
            return ONGOING
        return roll(spot, 11, 1801) - 900

    def stuck(self, spot):
        return roll(spot, 12, 7) - 3


class PointRooms(Rooms):
    """Several stages, and players who may move again."""

    margin = True
    payoff_bounds = (-9, 9)

    def result(self, seat):
        if seat.place == 0 or (seat.place < self.places and roll(seat, 10, 6) > 0):
            return ONGOING
        return roll(seat, 11, 19) - 9


class PointSquares(Squares):
    """States that a rule numbers."""

    margin = True
    payoff_bounds = (-90, 90)

    def ended(self, spot):
        if spot.place < self.places and roll(spot, 10, 8) > 0:
            return ONGOING
        return roll(spot, 11, 181) - 90


class Slow:
    """As Python runs it."""

    native = False


class SlowRounds(Slow, PointRounds):
    games = 30


class SlowRooms(Slow, PointRooms):
    games = 30


class SlowAtaxx(Slow, AtaxxForPoints):
    pass


class SlowAwari(Slow, Awari):
    pass


# -- the referee -------------------------------------------------------------------------------------------------------


def referee(game):
    """The points of every state that can be reached, for the player to move; play without end is worth 0."""
    after, waiting = {}, [game.initial()]
    for state in waiting:
        if state not in after:
            over = payoff(game, state) != ONGOING
            children = [] if over else [game.play(state, move) for move in game.moves(state)]
            after[state] = [(child, changes_player(game, state, child)) for child in children]
            waiting += children
    ends = {state: payoff(game, state) for state, ways in after.items() if not ways}
    points = dict.fromkeys(after, 0)
    for goal in sorted({abs(end) for end in ends.values()} - {0}):
        for state, wanted in forced(after, ends, goal):
            points[state] = goal if wanted else -goal
    return points


def forced(after, ends, goal):
    """Pairs (state, whether by the mover) where a player can force an end with at least so many points for himself."""
    found = {(state, True) for state, end in ends.items() if end >= goal}
    found |= {(state, False) for state, end in ends.items() if -end >= goal}
    before = {}
    for state, ways in after.items():
        for child, turns in ways:
            for mine in (True, False):
                before.setdefault((child, mine != turns), []).append((state, mine))
    waiting = list(found)
    for place in waiting:
        for state, mine in before.get(place, ()):
            enough = any if mine else all
            if (state, mine) not in found and enough((child, mine != turns) in found for child, turns in after[state]):
                found.add((state, mine))
                waiting.append((state, mine))
    return found


def assert_solved(game, **options):
    """Every state has the referee's points, and a line from it ends with them."""
    solution, points = z.solve(game, **options), referee(game)
    assert {state: solution.value(state).score for state in points} == points
    for state in list(points)[:: 1 + len(points) // 300]:
        if points[state]:
            assert paid(game, state, solution.line(state)) == points[state]
    z.verify(solution, sample=0)
    return solution


def paid(game, state, moves):
    """What the player to move gets by these moves."""
    sign = 1
    for move in moves:
        child = game.play(state, move)
        sign = -sign if changes_player(game, state, child) else sign
        state = child
    assert payoff(game, state) != ONGOING
    return sign * payoff(game, state)


# -- tests -------------------------------------------------------------------------------------------------------------


class Carousel(Game):
    """Each player may ride on for ever; who gets off in the middle of the way gets what is there."""

    margin = True
    loops = True
    native = False
    payoff_bounds = (-9, 9)

    def initial(self):
        return 0

    def moves(self, place):
        return ("ride", "get off")

    def play(self, place, move):
        return (place + 1) % 4 if move == "ride" else 10 + place

    def result(self, place):
        return ONGOING if place < 10 else {10: -5, 11: 5, 12: -5, 13: 5}[place]


def test_a_player_does_not_ride_for_ever_past_what_he_can_have():
    solution = z.solve(Carousel())
    assert {place: solution.value(place).score for place in range(4)} == {0: 5, 1: -5, 2: 5, 3: -5}
    assert solution.best(0) == ["ride", "get off"]  # the same points, but the ride leads round
    assert solution.line(0) == ["get off"]
    assert solution.line(1) == ["get off"]
    report = database_report(solution, 0)
    assert [line.pv for line in report.lines] == [("get off",), ("ride",)]


def test_play_that_nobody_can_end_well_is_worth_nothing():
    class Standoff(Carousel):
        def result(self, place):
            return ONGOING if place < 10 else 7  # for the other player

    solution = z.solve(Standoff())
    assert {solution.value(place).score for place in range(4)} == {0}
    assert solution.best(0) == ["ride"]


@pytest.mark.parametrize(
    "game",
    [SlowRounds(), SlowRooms(), SlowAtaxx(3), *(SlowAwari(2, 2, slam, 0) for slam in ("nothing", "captures"))],
    ids=repr,
)
def test_interpreted_games(game):
    assert_solved(game)


@pytest.mark.parametrize("game", [PointRounds(), PointRooms(), PointSquares(), AtaxxForPoints(3)], ids=repr)
def test_compiled_games(game, tmp_path):
    solution = assert_solved(game)
    filed = z.solve(game, tmp_path / "points", threads=3)
    assert list(filed.items()) == list(solution.items())
    assert filed.counts() == solution.counts()


def test_awari_without_patience():
    """All six-pit endings that twelve seeds can come to would take minutes; three pits with two seeds take seconds."""
    solution = assert_solved(z.load("awari(pits=3, seeds=2, patience=0)"))
    assert len(solution) == 34_960
    assert solution.value().score == 0
    assert z.solve(z.load("awari(pits=2, seeds=2, patience=0)")).value().score == 6


def test_a_wrong_entry_is_found():
    for game in (SlowAtaxx(3), AtaxxForPoints(3)):
        solution = z.solve(game)
        entries = solution.tables[0].entries.array().view("uint8")
        entries[0] = entries.max() if entries[0] < entries.max() else 1
        with pytest.raises(GameError, match=r"wrong about (Slow)?Ataxx.*by its successors"):
            z.verify(solution, sample=0)
