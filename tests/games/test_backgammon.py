"""Backgammon: a referee that tries every order of the dice, the field's notation, exact bear-offs, and matches won."""

import importlib
import random
from pathlib import Path

import pytest

import zermelo as z
from random_games import random_states
from zermelo import GameError
from zermelo.board import Tables
from zermelo.games.backgammon import backgammon_checkers
from zermelo.games.backgammon import backgammon_notation as notation
from zermelo.games.backgammon.backgammon_notation import counts
from zermelo.games.backgammon.backgammon_rules import PASS, Backgammon, Hypergammon
from zermelo.rules import legal_actions
from zermelo.show.clicks import Clicks
from zermelo.show.move_steps import steps_of

RACE = Backgammon("6(5) 5(4) 4(3) 2(3)")
GAMES = [Backgammon(), Hypergammon(), RACE, Backgammon("6(3) 5(3) off(9)", opening=False)]


# -- the referee: dictionaries of checkers, each player's counted from their own side, and dice in any order -----------


class Table:
    """The checkers of the mover and of the other player, by place."""

    def __init__(self, mine, theirs):
        self.mine, self.theirs = dict(mine), dict(theirs)

    def after(self, source, die):
        """The table after one step, or None where the rules forbid it."""
        to = source - die
        if not self.mine.get(source) or (self.mine.get(25) and source != 25):
            return None
        if to <= 0:
            others = [place for place, checkers in self.mine.items() if checkers and place > 0]
            if max(others) > 6 or (to < 0 and max(others) > source):
                return None
        elif self.theirs.get(25 - to, 0) > 1:
            return None
        new = Table(self.mine, self.theirs)
        new.mine[source] -= 1
        new.mine[max(to, 0)] = new.mine.get(max(to, 0), 0) + 1
        if to > 0 and new.theirs.get(25 - to):
            new.theirs[25 - to] -= 1
            new.theirs[25] = new.theirs.get(25, 0) + 1
        return new

    def position(self):
        return tuple(tuple(side.get(place, 0) for place in range(26)) for side in (self.mine, self.theirs))


def all_ways(table, dice):
    """Every way to play these dice in this order: how many and which were played, and where it leads."""
    yield (), table
    if dice:
        for source in range(25, 0, -1):
            there = table.after(source, dice[0])
            if there is not None:
                for played, end in all_ways(there, dice[1:]):
                    yield (dice[0], *played), end


def legal_positions(table, dice):
    """Where a roll may lead: as many dice as can be played, and the higher one if there is a choice of one."""
    high, low = dice
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    ways = [(played, end.position()) for order in orders for played, end in all_ways(table, order)]
    most = max(len(played) for played, _ in ways)
    if most == 1 and any(played == (high,) for played, _ in ways):
        return {end for played, end in ways if played == (high,)}
    return {end for played, end in ways if len(played) == most}


def position_of(state):
    return counts(state.near, state.far), counts(state.their_near, state.their_far)


def table_of(state):
    return Table(*(dict(enumerate(side)) for side in position_of(state)))


def led_to(game, state):
    """Where the moves lead, seen by the same player as before."""
    return [position_of(game.play(state, move))[::-1] for move in game.moves(state)]


def agrees(game, state):
    found = led_to(game, state)
    wanted = legal_positions(table_of(state), (state.dice // 10, state.dice % 10))
    return len(found) == len(set(found)) and set(found) == wanted


def payoff(state):
    """What the loser, who is to move, gets."""
    mine, theirs = position_of(state)
    if theirs[0] < sum(theirs):
        return z.ONGOING
    return -1 if mine[0] else -3 if any(mine[19:]) else -2


def random_games(game, number, seed=3):
    """The states of games played at random, with one roll in three a doublet, so that they are tried as well."""
    dice = random.Random(seed)
    for _ in range(number):
        state = game.initial()
        while True:
            yield state
            moves = legal_actions(game, state)
            if not moves:
                break
            doublets = [move for move in moves if game.is_chance(state) and move % 11 == 0]
            state = game.play(state, dice.choice(doublets if doublets and dice.random() < 0.3 else moves))


@pytest.mark.parametrize(("game", "number"), [(Backgammon(), 6), (Hypergammon(), 25), (RACE, 10), (GAMES[3], 20)])
def test_play_is_that_of_the_referee(game, number):
    tried = 0
    for state in random_games(game, number):
        assert game.result(state) == payoff(state)
        assert {sum(side) for side in position_of(state)} == {game.checkers}
        if not game.is_chance(state) and payoff(state) == z.ONGOING and (state.dice % 11 or tried % 4 == 0):
            assert agrees(game, state), game.state_text(state)
        tried += 1
    assert tried > 200


@pytest.mark.slow
def test_many_games_are_those_of_the_referee():
    for game, number in ((Backgammon(), 60), (Hypergammon(), 500)):
        for state in random_games(game, number, seed=11):
            if not game.is_chance(state) and payoff(state) == z.ONGOING:
                assert agrees(game, state), game.state_text(state)


@pytest.mark.parametrize("broken", ["is_duplicate", "can_step", "max_steps"])
def test_the_referee_notices_broken_rules(broken, monkeypatch):
    """Plays listed twice, the bar forgotten, doublets cut short."""
    legal = backgammon_checkers.can_step
    twins = {
        "is_duplicate": lambda *_: False,
        "can_step": lambda near, far, *rest: legal(near, far & 0xFFFFFFFFFFFF, *rest) or legal(near, far, *rest),
        "max_steps": lambda *_: 3,
    }
    monkeypatch.setattr(backgammon_checkers, broken, twins[broken])
    game = Backgammon()
    states = (state for state in random_games(game, 4) if not game.is_chance(state) and payoff(state) == z.ONGOING)
    assert not all(agrees(game, state) for state in states)


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_contract_holds():
    report = z.check(Backgammon(), states=300, games=3, strict=True)
    assert report.native, report.native_error


def test_counts_of_the_first_plies():
    """Rolls, plays of the first roll, rolls, and replies: the referee's counts of the first three."""
    game = Backgammon()
    start = game.initial()
    assert [z.perft(game, depth) for depth in range(5)] == [1, 15, 190, 3990, 89153]
    rolled = [game.play(start, roll) for roll, _ in game.chances(start)]
    assert sum(len(legal_positions(table_of(state), divmod(state.dice, 10))) for state in rolled) == 190


def test_rolls_have_their_odds():
    game = Backgammon()
    first = list(game.chances(game.initial()))
    assert len(first) == 15
    assert all(odds == pytest.approx(1 / 15) for _, odds in first)
    later = dict(game.chances(game.initial()._replace(dice=0)))
    assert len(later) == 21
    assert (later[66], later[65]) == (pytest.approx(1 / 36), pytest.approx(2 / 36))
    assert sum(later.values()) == pytest.approx(1)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_stages_never_fall_and_texts_are_read_back(game):
    for state in random_states(game, 120):
        assert game.parse_state(game.state_text(state)) == state
        for move in legal_actions(game, state)[:30]:
            assert game.stage(game.play(state, move)) >= game.stage(state)


# -- notation ----------------------------------------------------------------------------------------------------------


def texts(game, state):
    return [game.move_text(state, move) for move in game.moves(state)]


def test_plays_are_written_as_people_write_them():
    game = Backgammon()
    assert "8/5 6/5" in texts(game, z.position(game, "31"))
    assert "24/13" in texts(game, z.position(game, "65"))
    doublet = texts(game, z.position(game, "31 8/5 6/5 66"))
    assert {"24/18(2) 13/7(2)", "13/7(4)"} <= {*doublet}
    bar = game.parse_state("-b----E-C---eE---c-e----AA:0:0:1:61:0:0:0:0:10")
    assert all(text.startswith("bar/24 ") or text == "bar/18" for text in texts(game, bar))
    hits = Hypergammon().parse_state("----------------aaa---AA--:0:0:1:65:0:0:0:0:10")
    both = ["23/17* 22/17", "23/17*/12", "23/18* 22/16*", "22/16*/11", "23/18*/12", "22/17*/11"]
    assert texts(Hypergammon(), hits) == both
    off = game.parse_state("-B----------------------b-:0:0:1:65:0:0:0:0:10")
    assert texts(game, off) == ["1/off(2)"]


def test_plays_are_read_as_people_write_them():
    game = Backgammon()
    state = z.position(game, "31")
    for text in ("8/5 6/5", "6/5 8/5", " 8/5  6/5 "):
        assert game.move_text(state, game.parse_move(state, text)) == "8/5 6/5"
    assert game.parse_move(state, "24/21/20") == game.parse_move(state, "24/23/20") == game.parse_move(state, "24/20")
    for text in ("8/5", "8/5 6/4", "8/5 6/5 6/5", "8/5* 6/5", "nonsense", "pass"):
        with pytest.raises(GameError, match="is not a legal move"):
            game.parse_move(state, text)


def test_a_hit_on_the_way_makes_another_play():
    """One checker runs by 18 or by 19: two plays where a blot stands on one of them, and one where it is at the end."""
    game = Hypergammon()
    blot = game.parse_state("------------------a-a-a-A-:0:0:1:65:0:0:0:0:10")
    assert texts(game, blot) == ["24/18*/13", "24/13"]
    assert texts(game, game.parse_state("-------------a---a--a---A-:0:0:1:65:0:0:0:0:10")) == ["24/13*"]


def test_the_higher_number_if_only_one_can_be_played():
    game = Backgammon()
    assert texts(game, game.parse_state("-------b-----A------------:0:0:1:61:0:0:0:0:10")) == ["13/6"]
    assert texts(game, game.parse_state("------b------A------------:0:0:1:61:0:0:0:0:10")) == ["13/7"]
    assert texts(game, game.parse_state("------bb-----A------------:0:0:1:61:0:0:0:0:10")) == ["13/12"]


def test_who_cannot_move_passes():
    game = Backgammon()
    closed = game.parse_state("-------------------bbbbbbA:0:0:1:66:0:0:0:0:10")
    assert list(game.moves(closed)) == [PASS]
    assert texts(game, closed) == ["pass"]
    assert game.play(closed, PASS).player == 1


def test_payoffs_of_a_win_a_gammon_and_a_backgammon():
    game = Backgammon()
    for text, lost in (("-A", -1), ("-AN", -2), ("-AM---------------A", -2), ("-AM----------------A", -3)):
        state = game.parse_state(f"{text.ljust(26, '-')}:0:0:1:00:0:0:0:0:10")
        assert game.result(state) == lost
    assert game.result(game.parse_state(f"-N{'-' * 23}A:0:0:1:00:0:0:0:0:10")) == -3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "does not describe a state"),
        ("-b----E-C---eE---c-e----B", "does not describe a state"),
        ("-b----E-C---eE---c-e----B:0:0:1:00", "its checkers must be 26 signs"),
        ("-b----E-C---eE---c-e----B-:x:0:1:00", "its cube must be a number, not 'x'"),
        ("-b----E-C---eE---c-e----B-:0:2:1:00", "the owner of the cube must be 1, 0 or -1, not '2'"),
        ("-b----E-C---eE---c-e----B-:0:0:2:00", "who is to move must be 1 or -1, not '2'"),
        ("-b----E-C---eE---c-e----B-:0:0:1:7", "its dice must be two digits, or opening, not '7'"),
        ("-b----E-C---eE---c-e----B-:0:0:1:70", "70 is no roll"),
        ("A-----E-C---eE---c-e----B-:0:0:1:00", "a bar holds checkers of the wrong player"),
        ("-O----E-------------------:0:0:1:00", "a player has more than 15 checkers"),
        ("--------------------------:0:0:1:00", "the player to move has borne off all checkers already"),
        ("-a------------------------:0:0:1:31", "the player to move has borne off all checkers already"),
        ("XGID=-A------------------------:0:0:-1:31", "the player to move has borne off all checkers already"),
    ],
)
def test_states_that_cannot_be_read(text, why):
    """A wrong XGID is refused in a sentence that says what is wrong, wherever a position is read."""
    with pytest.raises(GameError, match=why) as refusal:
        Backgammon().parse_state(text)
    assert str(refusal.value).startswith(f"{Backgammon()!r}: {text!r} ")
    if text.count(":") > 3:
        with pytest.raises(GameError, match=why):
            z.position(Backgammon(), text)


@pytest.mark.parametrize("setup", ["", "25", "24(16)", "off(3)", "13 12", "x", 5])
def test_setups_that_make_no_game(setup):
    with pytest.raises(GameError, match="setup"):
        Backgammon(setup)


def test_the_picture_has_stacks_and_dice():
    game = Backgammon()
    state = z.position(game, "31")
    board = game.board(state)
    assert isinstance(board, Tables)
    assert board.dice == (3, 1)
    assert board.points == (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
    assert (board.names[0], board.names[23]) == ("1", "24")
    assert game.squares(state, game.parse_move(state, "8/5 6/5")) == (7, 4, 5, 4)
    theirs = z.position(game, "31 8/5 6/5 66")
    assert (game.board(theirs).names[0], game.board(theirs).names[23]) == ("24", "1")
    assert game.squares(theirs, game.parse_move(theirs, "13/7(2) 24/18(2)")) == (0, 6, 0, 6, 11, 17, 11, 17)


def test_either_players_bar_and_tray_have_their_squares():
    game = Backgammon("2(2) 1 off(12)", opening=False)
    state = z.position(game, "21")
    assert game.board(state).off == (12, 12)
    assert (1, 26, 0, 26) in [game.squares(state, move) for move in game.moves(state)]
    for player, bar in ((0, 24), (1, 25)):
        hit = Hypergammon().parse_state(f"a-----A-----------b------A:0:0:{1 - 2 * player}:62:0:0:0:0:10")
        assert Hypergammon().board(hit).bar == (1, 1)
        assert {Hypergammon().squares(hit, move)[0] for move in Hypergammon().moves(hit)} == {bar}


# -- clicks ------------------------------------------------------------------------------------------------------------


def ways(table, dice):
    """Every way to play these dice in this order: the steps, and where it leads."""
    yield (), table
    if dice:
        for source in range(25, 0, -1):
            there = table.after(source, dice[0])
            if there is not None:
                for steps, end in ways(there, dice[1:]):
                    yield ((source, max(source - dice[0], 0)), *steps), end


def longest_ways(state):
    """The ways of the referee that play as much of the roll as can be."""
    high, low = state.dice // 10, state.dice % 10
    legal = legal_positions(table_of(state), (high, low))
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found = [(steps, end.position()) for order in orders for steps, end in ways(table_of(state), order)]
    most = max(len(steps) for steps, _ in found)
    return [(steps, end) for steps, end in found if len(steps) == most > 0 and end in legal]


@pytest.mark.parametrize("game", [Backgammon(), Hypergammon()])
def test_a_play_is_clicked_step_by_step_in_any_order(game):
    """As the referee plays it, the dice in either order, or its steps from the last to the first."""
    tried, dice = 0, random.Random(5)
    for number, state in enumerate(random_games(game, 2, seed=5)):
        doublet = state.dice % 11 == 0
        if game.is_chance(state) or payoff(state) != z.ONGOING or number % (16 if doublet else 3):
            continue
        untouched = Clicks.on(game, state, list(game.moves(state)))
        listed = {step for _, squares in untouched.moves for step in steps_of(squares)}
        found = longest_ways(state)
        for steps, end in dice.sample(found, min(len(found), 3)):
            squares = [tuple(notation.squares([(source, to, False)], state.player)) for source, to in steps]
            if squares[0] not in listed:  # the other way of the only checker that can go: one of both is enough
                continue
            for order in (squares, squares[::-1]) if set(squares) <= listed else (squares,):
                clicks = untouched
                for square in [square for step in order for square in step]:
                    assert clicks.move is None
                    clicks = clicks.click(square)
                assert clicks.squares == tuple(square for step in order for square in step)
                assert clicks.move is not None, (game.state_text(state), steps)
                assert position_of(game.play(state, clicks.move))[::-1] == end
                tried += 1
    assert tried > 20


def clicked(game, text, *places):
    """What the mover's clicks on these places mean in a position."""
    state = z.position(game, text)
    clicks = Clicks.on(game, state, list(game.moves(state)))
    for place in places:
        clicks = clicks.click(notation.squares([(place, place, False)], state.player)[0])
    return clicks, [game.move_text(state, move) for move in clicks.candidates], state


def test_what_clicks_on_points_mean():
    game = Backgammon()
    lower_first, texts, state = clicked(game, "31", 6, 5, 8, 5)
    assert game.move_text(state, lower_first.move) == "8/5 6/5"
    assert texts == ["8/5 6/5"]
    begun, _, _ = clicked(game, "31", 6, 5, 8)
    assert begun.move is None  # the only play that is left, but not all of it is said
    assert begun.targets == [4]
    far, _, state = clicked(game, "31", 24, 20)
    assert game.move_text(state, far.move) == "24/20"  # where it ends, at once
    for stop in (21, 23):  # the same play by either way
        clicks, _, _ = clicked(game, "31", 24, stop, stop, 20)
        assert (clicks.move, clicks.squares) == (far.move, (23, stop - 1, stop - 1, 19))
    assert clicked(game, "31", 24)[0].targets == [19, 20, 22]
    assert clicked(game, "31", 6, 5, 8, 13)[0].squares == (5, 4, 12)  # a step begun elsewhere
    assert clicked(game, "31", 6, 5, 8, 8)[0].squares == (5, 4)
    assert clicked(game, "31", 6, 3, 3)[0].squares == (5, 2, 2)  # it goes on
    assert clicked(game, "31", 6, 3, 3, 3)[0].squares == (5, 2)
    assert clicked(game, "31", 8, 4, 4)[0].squares == (7,)
    assert clicked(game, "31", 6, 5, 1)[0].squares == ()
    assert clicked(game, "31", 24, 2)[0].squares == ()  # no step, though the rest would make up for it
    twice, texts, state = clicked(game, "31 8/5 6/5 66", 13, 7, 13, 7, 8, 2, 8)
    assert texts == ["13/7(2) 8/2(2)"]
    assert twice.targets == [22]
    assert twice.move is None


def test_a_way_with_a_hit_is_asked_for():
    game = Hypergammon()
    blot = "------------------a-a-a-A-:0:0:1:65:0:0:0:0:10"
    clicks, texts, _ = clicked(game, blot, 24, 13)
    assert (clicks.move, texts) == (None, ["24/18*/13", "24/13"])
    assert clicks.choices == clicks.candidates
    for stop, text in ((18, "24/18*/13"), (19, "24/13")):
        clicks, _, state = clicked(game, blot, 24, stop, stop, 13)
        assert game.move_text(state, clicks.move) == text


# -- values and strength -----------------------------------------------------------------------------------------------


class Slow(Backgammon):
    """Backgammon as Python runs it: a few checkers are borne off sooner than compiled."""

    native = False


BEAROFFS = {"6": 0.8125, "5": 0.880401235}
"""How likely the player on roll wins, against the same checkers: GNU Backgammon's two-sided database."""

LONG_BEAROFFS = {"6 5": 0.772002215, "1(6)": 0.787808642, "4(3) 3(3)": 0.701320746, "6 5 4 3 2 1": 0.700571625}


def bearoff(setup, kind):
    checkers = sum(int(word[2]) if "(" in word else 1 for word in setup.split())
    return kind(f"{setup} off({15 - checkers})", opening=False)


@pytest.mark.parametrize(("setup", "wins"), BEAROFFS.items())
def test_published_bearoffs(setup, wins):
    value = z.textbook.value_iteration(bearoff(setup, Slow)).value
    assert (1 + value.score) / 2 == pytest.approx(wins, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(("setup", "wins"), LONG_BEAROFFS.items())
def test_published_bearoffs_by_the_solver(setup, wins):
    value = z.solve(bearoff(setup, Backgammon)).value()
    assert (1 + value.score) / 2 == pytest.approx(wins, abs=1e-8)


@pytest.mark.slow
def test_the_engine_beats_a_random_and_a_greedy_player(monkeypatch):
    """A short version of bench/backgammon.py; the lower ends of the confidence intervals are above one half."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    bench = importlib.import_module("backgammon")
    game = Backgammon()
    for other in (bench.at_random, bench.greedy(game)):
        score = bench.match(game, bench.engine(game, 1), other, 100, 1)
        print(score)
        assert score.wins[1] > 0.5
        assert score.equity[1] > 0
