"""open_spiel: its games as Zermelo's, Zermelo's as its own, and random play in which both agree about the rules."""

import pickle
import random
import re
import sys
from itertools import pairwise

import pyspiel
import pytest

import zermelo as z
from zermelo import rules
from zermelo.app.cli import run
from zermelo.game import ONGOING
from zermelo.games.adapters.open_spiel import OpenSpiel, from_open_spiel, to_open_spiel
from zermelo.games.backgammon.backgammon_notation import counts
from zermelo.games.backgammon.backgammon_rules import Backgammon
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.checkers.checkers_rules import Checkers
from zermelo.games.connect_four import ConnectFour
from zermelo.games.connect_k import ConnectK
from zermelo.games.dots_and_boxes.dots_and_boxes_rules import DotsAndBoxes
from zermelo.games.hex import Hex
from zermelo.games.kalah import Kalah
from zermelo.games.morris.morris_games import NineMensMorris
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.pig import Pig
from zermelo.games.registry import name_of
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.games.y import Y

# -- a game of open_spiel as a Game ------------------------------------------------------------------------------------


def test_by_text():
    game = z.load("open_spiel(tic_tac_toe)")
    assert game == from_open_spiel("tic_tac_toe") == from_open_spiel(pyspiel.load_game("tic_tac_toe()"))
    assert z.load(name_of(game)) == game
    assert z.load("open_spiel(connect_four(rows=4,columns=5))").initial().spiel.legal_actions() == [0, 1, 2, 3, 4]
    assert name_of(z.load("open_spiel(hex(board_size=3), by_text=True)")) == (
        "open_spiel(game='hex(board_size=3)', by_text=True)"
    )
    assert "open_spiel" not in {entry.name for entry in z.catalog()}


def test_by_the_command(capsys):
    assert run(["perft", "open_spiel(tic_tac_toe)", "4"]) == 0
    assert "3,024 leaves at depth 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "by_text"),
    [
        ("tic_tac_toe", False),
        ("tic_tac_toe", True),
        ("connect_four(rows=4,columns=4)", True),
        ("nim(pile_sizes=1;2;3)", False),
        ("pig(winscore=10)", False),
        ("dots_and_boxes(utility_margin=true)", True),
        ("hex(board_size=3)", False),
    ],
)
def test_the_contract(text, by_text):
    report = z.check(from_open_spiel(text, by_text), states=100, games=3)
    assert not report.native


def test_facts():
    game = from_open_spiel("dots_and_boxes(utility_margin=true)")
    assert (game.margin, game.payoff_bounds, rules.has_chance(game), game.loops) == (True, (-4, 4), False, False)
    pig = from_open_spiel("pig(winscore=10)")
    assert (pig.margin, pig.payoff_bounds, rules.has_chance(pig)) == (False, (-1, 1), True)
    assert from_open_spiel("tic_tac_toe", by_text=True).loops


def test_values():
    solution = z.solve(from_open_spiel("tic_tac_toe", by_text=True))
    assert (str(solution.value()), len(solution)) == ("draw", 5478)
    misere = from_open_spiel("nim(pile_sizes=1;2;3)", by_text=True)
    assert z.solve(misere).value().outcome == z.LOSS  # the binary digits of 1, 2 and 3 add up to even numbers


def test_states_can_be_stored_and_written():
    game = from_open_spiel("tic_tac_toe")
    state = z.position(game, "x(1,1) o(0,0)")
    assert game.state_text(state) == "[4, 0]"
    assert game.parse_state("[4, 0]") == pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(game)) == game
    assert state != z.position(game, "x(0,0)")
    other = z.position(game, "x(1,1) o(0,0) x(0,1)"), z.position(game, "x(0,1) o(0,0) x(1,1)")
    assert other[0] != other[1]
    merged = from_open_spiel("tic_tac_toe", by_text=True)
    assert z.position(merged, "x(1,1) o(0,0) x(0,1)") == z.position(merged, "x(0,1) o(0,0) x(1,1)")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kuhn_poker", "its information is not perfect"),
        ("goofspiel", "its players move at the same time"),
        ("tictactoe", "open_spiel has no game called tictactoe; did you mean tic_tac_toe"),
        ("zzzz", "open_spiel has no game called zzzz."),
        ("tic_tac_toe(size=3)", "open_spiel cannot load 'tic_tac_toe(size=3)': Unknown parameter 'size'"),
        ("solitaire", "it is not for two players"),
    ],
)
def test_games_that_are_refused(text, words):
    with pytest.raises(z.GameError) as caught:
        from_open_spiel(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[9]", "[4, 4]", "4", "[", "['x']", "[0,3,1,4,2,5]"])
def test_states_that_are_refused(text):
    with pytest.raises(z.GameError, match="does not describe a state; one is the list of the actions so far"):
        from_open_spiel("tic_tac_toe").parse_state(text)


def test_moves_that_are_refused():
    game = from_open_spiel("tic_tac_toe")
    with pytest.raises(z.GameError, match="is not a legal move in"):
        game.parse_move(game.initial(), "o(1,1)")


def test_payoffs_are_whole_numbers():
    game = from_open_spiel("tic_tac_toe")
    state = z.position(game, "x(0,0) o(1,0) x(0,1) o(1,1) x(0,2)")
    assert game.result(state) == 1

    class Half:
        def returns(self):
            return [0.5, -0.5]

        def is_terminal(self):
            return True

        def current_player(self):
            return -4

    state.spiel = Half()
    with pytest.raises(z.GameError, match=r"pays 0\.5"):
        game.result(state)


def test_without_open_spiel(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for ask in (lambda: z.load("open_spiel(tic_tac_toe)"), lambda: to_open_spiel(TicTacToe())):
        with pytest.raises(z.GameError, match=r"pip install 'zermelo\[open_spiel\]'"):
            ask()


# -- a Game as a game of open_spiel ------------------------------------------------------------------------------------

SIMULATED = ["tic_tac_toe", "connect_four(5, 4)", "nim", "pig(20)", "kalah(3, 3)", "three_mens_morris", "othello(4)"]


@pytest.mark.parametrize("name", SIMULATED)
def test_open_spiel_simulates_our_games(name, capfd):
    spiel = to_open_spiel(z.load(name), longest=100)
    pyspiel.random_sim_test(spiel, num_sims=2, serialize=False, verbose=False)
    again = pyspiel.load_game(spiel.get_type().short_name)
    pyspiel.random_sim_test(again, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["tic_tac_toe", "kalah(3, 3)", "pig(10)", "nim"])
def test_there_and_back(name):
    """The Game of the open_spiel game of a Game plays as that Game does."""
    game = z.load(name)
    there = to_open_spiel(game)
    back = OpenSpiel(there.get_type().short_name)
    dice = random.Random(3)
    for _ in range(5):
        state, image = game.initial(), back.initial()
        while game.result(state) == ONGOING:
            assert back.result(image) == ONGOING
            assert back.is_chance(image) == game.is_chance(state)
            moves = rules.legal_actions(game, state)
            texts = {game.move_text(state, move) for move in moves}
            actions = [action for action, _ in back.chances(image)] if back.is_chance(image) else back.moves(image)
            assert {back.move_text(image, action) for action in actions} == texts
            move = dice.choice(moves)
            image = back.play(image, back.parse_move(image, game.move_text(state, move)))
            state = game.play(state, move)
        payoff = game.result(state) * (1 if (rules.mover(game, state) or 0) == 0 else -1)
        if game.has("mover"):
            assert back.result(image) == payoff


def test_actions_and_facts():
    spiel = to_open_spiel(ConnectFour(), actions=7)
    assert (spiel.num_distinct_actions(), spiel.max_game_length(), spiel.num_players()) == (7, 1000, 2)
    assert (spiel.min_utility(), spiel.max_utility()) == (-1, 1)
    state = spiel.new_initial_state()
    state.apply_action(3)
    assert (state.current_player(), str(state)) == (1, "......./......./......./......./......./...X...")
    assert state.action_to_string(1, 3) == "4"
    assert sum(state.observation_tensor(1)) == 1  # a stone in `mask`, none of the mover's
    assert to_open_spiel(Kalah(3, 3)).max_utility() == Kalah(3, 3).payoff_bounds[1]


def test_moves_of_another_kind_are_numbered_by_their_place():
    spiel = to_open_spiel(Backgammon(), longest=50)
    pyspiel.random_sim_test(spiel, num_sims=1, serialize=False, verbose=False)
    game = z.load("game_tree(A(B(2, 3), C(5, 7)))")
    state = to_open_spiel(game).new_initial_state()
    assert state.legal_actions() == [0, 1]
    assert [state.action_to_string(0, action) for action in (0, 1)] == ["B", "C"]


def test_a_game_is_cut_short():
    state = to_open_spiel(z.load("three_mens_morris"), longest=3).new_initial_state()
    for _ in range(3):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def test_options_that_are_refused():
    with pytest.raises(z.GameError, match="actions must be a whole number greater than 6"):
        to_open_spiel(ConnectFour(), actions=6)
    with pytest.raises(z.GameError, match="longest must be a whole number"):
        to_open_spiel(ConnectFour(), longest=0)
    with pytest.raises(z.GameError, match="takes a game, not"):
        to_open_spiel("connect_four")


# -- the same rules ----------------------------------------------------------------------------------------------------
#
# A pair is a Game, the text of open_spiel's, and what makes the moves of both comparable: `ours(game, state)` is a dict
# from keys to moves, and `theirs(spiel, game, state)` one from the same keys to the actions that do the same.


def ours_by_text(game, state):
    return {game.move_text(state, move): move for move in rules.legal_actions(game, state)}


def theirs_by(key):
    """Every action by a key that is made from open_spiel's state and the text of the action."""

    def theirs(spiel, game, state):
        player = spiel.current_player()
        actions = [] if spiel.is_terminal() else spiel.legal_actions()
        return {key(spiel, spiel.action_to_string(player, action)): [action] for action in actions}

    return theirs


def the_text(spiel, action):
    return action


def cell(spiel, action):
    row, column = map(int, re.findall(r"\d", action))
    return f"{'abc'[column]}{3 - row}"


def column(spiel, action):
    return str(int(action[1:]) + 1)


def pile_and_taken(spiel, action):
    pile, taken = map(int, re.findall(r"\d+", action))
    return f"{str(spiel).split(': ')[1].split()[pile - 1]}-{taken}"


def roll_or_hold(spiel, action):
    return {"stop": "hold"}.get(action, action).removeprefix("Roll ")


def pig_theirs(spiel, game, state):
    """In open_spiel one may also hold before the first roll of a turn."""
    found = theirs_by(roll_or_hold)(spiel, game, state)
    return {key: found[key] for key in found if key != "hold" or "Turn total: 0" not in str(spiel)}


def pit(spiel, action):
    return str((int(action) - 1) % 7 + 1)


def line(spiel, action):
    """P1(h,0,1) is a line to the right from the dot in row 0 and column 1."""
    way, row, column = re.fullmatch(r"P\d\((.),(\d),(\d)\)", action).groups()
    row, column = int(row), int(column)
    other = (row, column + 1) if way == "h" else (row + 1, column)
    return "".join(f"{'abcdefgh'[c]}{r + 1}" for r, c in ((row, column), other))


def ours_from_below(game, state):
    """Moves as open_spiel sees them, where the first player goes down."""
    found = {}
    for move in rules.legal_actions(game, state):
        origin, goal = re.split("[-x]", game.move_text(state, move))
        found["".join(f"{text[0]}{9 - int(text[1:])}" for text in (origin, goal))] = move
    return found


def without_star(spiel, action):
    return action.replace("*", "")


# -- checkers: open_spiel jumps once an action, and its first player begins below


def checkers_ours(game, state):
    """Paths of squares, the board turned round."""
    found = {}
    for move in rules.legal_actions(game, state):
        path = []
        for number in map(int, re.split("[-x]", game.move_text(state, move))):
            row, place = divmod(number - 1, 4)
            path.append(f"{'abcdefgh'[7 - (2 * place + (row % 2 == 0))]}{row + 1}")
        found[tuple(path)] = move
    return found


def checkers_theirs(spiel, game, state):
    return dict(_paths(spiel))


def _paths(spiel):
    for action, text, child in _children(spiel):
        origin, to = text[:2], text[2:4]
        if not child.is_terminal() and child.current_player() == spiel.current_player():
            for path, actions in _paths(child):
                if path[0] == to:
                    yield (origin, *path), [action, *actions]
        else:
            yield (origin, to), [action]


# -- morris: open_spiel takes a stone by an action of its own


def morris_ours(game, state):
    rank = {point: place for place, point in enumerate(sorted(range(24), key=game.square))} | {31: None}
    moves = rules.legal_actions(game, state)
    return {(rank[move >> 5 & 31], rank[move & 31], rank[move >> 10]): move for move in moves}


def morris_theirs(spiel, game, state):
    found = {}
    for action, text, after in _children(spiel):
        *origin, to = map(int, re.findall(r"\d+", text))
        way = (*(origin or [None]), to)
        if not after.is_terminal() and after.current_player() == spiel.current_player():
            for taking, taken, _ in _children(after):
                found[*way, int(taken.removeprefix("Point "))] = [action, taking]
        else:
            found[*way, None] = [action]
    return found


def _children(spiel):
    player = spiel.current_player()
    for action in [] if spiel.is_terminal() else spiel.legal_actions():
        yield action, spiel.action_to_string(player, action), spiel.child(action)


# -- backgammon: plays are compared by where the checkers are after them; open_spiel plays a doublet as two turns


def backgammon_ours(game, state):
    if game.is_chance(state):
        return {outcome: outcome for outcome, _ in game.chances(state)}
    found = {}
    for move in rules.legal_actions(game, state):
        after = game.play(state, move)
        found[counts(after.their_near, after.their_far), counts(after.near, after.far)] = move
    return found


def backgammon_theirs(spiel, game, state):
    if spiel.is_chance_node():
        rolls = {action: spiel.action_to_string(-1, action) for action in spiel.legal_actions()}
        rolls = {action: text for action, text in rolls.items() if "O starts" not in text}  # our first player is X
        return {int("".join(sorted(re.search(r"roll: (..)", rolls[action])[1])[::-1])): [action] for action in rolls}
    before = list(counts(state.near, state.far)), list(counts(state.their_near, state.their_far))
    return dict(_plays(spiel, before))


def _plays(spiel, before):
    """The checkers after every play of the player to move, and the actions that it takes."""
    for action, text, child in _children(spiel):
        after = _played(text, *map(list, before))
        again = not child.is_terminal() and child.current_player() == spiel.current_player()
        rest = list(_plays(child, after)) if again else [(tuple(map(tuple, after)), [])]
        for last, actions in rest:
            yield last, [action, *actions]


def _played(text, mine, theirs):
    for path in text.partition(" - ")[2].split():
        stops, times = re.fullmatch(r"([^(]+)(?:\((\d)\))?", path).groups()
        names = [{"Bar": 25, "Off": 0, "Pass": -1}.get(stop, stop) for stop in stops.replace("*", "").split("/")]
        for source, to in [(int(a), int(b)) for a, b in pairwise(names)] * int(times or 1):
            mine[source] -= 1
            mine[to] += 1
            if to > 0 and theirs[25 - to] == 1:
                theirs[25 - to] -= 1
                theirs[25] += 1
    return mine, theirs


PAIRS = {
    "tic_tac_toe": (TicTacToe(), "tic_tac_toe", ours_by_text, theirs_by(cell)),
    "connect_four": (ConnectFour(), "connect_four", ours_by_text, theirs_by(column)),
    "connect_four 5x4": (ConnectFour(5, 4), "connect_four(rows=4,columns=5)", ours_by_text, theirs_by(column)),
    "nim": (Nim((1, 3, 5, 7)), "nim(is_misere=false)", ours_by_text, theirs_by(pile_and_taken)),
    "misere nim": (Nim((1, 3, 5, 7), misere=True), "nim", ours_by_text, theirs_by(pile_and_taken)),
    "pig": (Pig(30), "pig(winscore=30)", ours_by_text, pig_theirs),
    "kalah": (Kalah(), "mancala", ours_by_text, theirs_by(pit)),
    "morris": (NineMensMorris(), "nine_mens_morris", morris_ours, morris_theirs),
    "hex": (Hex(5), "hex(board_size=5)", ours_by_text, theirs_by(the_text)),
    "y": (Y(6), "y(board_size=6)", ours_by_text, theirs_by(the_text)),
    "breakthrough": (Breakthrough(), "breakthrough", ours_from_below, theirs_by(without_star)),
    "dots_and_boxes": (
        DotsAndBoxes(3, 3),
        "dots_and_boxes(num_rows=3,num_cols=3,utility_margin=true)",
        ours_by_text,
        theirs_by(line),
    ),
    "checkers": (Checkers(), "checkers", checkers_ours, checkers_theirs),
    "othello": (Othello(), "othello", ours_by_text, theirs_by(the_text)),
    "backgammon": (Backgammon(), "backgammon(scoring_type=full_scoring)", backgammon_ours, backgammon_theirs),
}


def compared(pair, positions, seed=1):
    """Play at random until this many positions agree: legal moves, who moves, results. Returns how many games ended."""
    game, text, ours, theirs = pair
    spiel_game, dice, ended = pyspiel.load_game(text), random.Random(seed), 0
    while positions > 0:
        state, spiel, player = game.initial(), spiel_game.new_initial_state(), 0
        while not spiel.is_terminal():
            moves, actions = ours(game, state), theirs(spiel, game, state)
            assert set(moves) == set(actions), f"{game.state_text(state)}\n{spiel}"
            assert spiel.is_chance_node() or spiel.current_player() == player
            key = dice.choice(sorted(moves, key=str))
            after = game.play(state, moves[key])
            player ^= rules.changes_player(game, state, after)
            state = after
            for action in actions[key]:
                spiel.apply_action(action)
            positions -= 1
        payoff = rules.payoff(game, state) * (1 - 2 * player)
        if abs(payoff) == ONGOING:  # open_spiel ends a long game as a draw
            assert spiel.returns() == [0, 0]
            continue
        their_payoff = spiel.returns()[0]
        if game.margin and game.payoff_bounds[1] != spiel_game.max_utility():  # they tell only who wins
            payoff = (payoff > 0) - (payoff < 0)
        assert payoff == their_payoff, f"{game.state_text(state)}\n{spiel}"
        ended += 1
    return ended


@pytest.mark.parametrize("name", PAIRS)
def test_random_play_agrees(name):
    assert compared(PAIRS[name], 300) > 0


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("kalah", Kalah(empty_capture=True)),
        ("morris", NineMensMorris(flying=False)),
        ("nim", Nim((1, 3, 5, 7), misere=True)),
        ("connect_four 5x4", ConnectK(5, 4, 3)),
        ("backgammon", Backgammon("24(2) 13(5) 8(3) 5(5)")),
    ],
)
def test_other_rules_are_noticed(name, game):
    with pytest.raises(AssertionError):
        compared((game, *PAIRS[name][1:]), 5000)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_random_play_agrees_for_long(name):
    assert compared(PAIRS[name], 10_000, seed=2) > 0
