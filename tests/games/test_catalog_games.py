"""The games: published counts, known theory, and machine code that agrees with the Python it came from."""

import contextlib
import functools
import itertools
import operator
import re
from pathlib import Path

import pytest

import zermelo as z
from random_games import random_states
from zermelo import DRAW, LOSS, ONGOING, WIN, GameError
from zermelo.board import Grid, Piles
from zermelo.checking.compiled_rules import ask_compiled
from zermelo.games.connect_four import ConnectFour
from zermelo.games.nim import Nim
from zermelo.games.nim import State as NimState
from zermelo.games.pig import HOLD, ROLL, Pig
from zermelo.games.pig import State as PigState
from zermelo.games.registry import catalog
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.rules import legal_actions
from zermelo.state_literals import plain

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = sorted((ROOT / "docs" / "games").glob("*.md"))

GAMES = [
    ConnectFour(), ConnectFour(4, 4), ConnectFour(9, 6), ConnectFour(1, 1),
    TicTacToe(), TicTacToe(5, 4, 3), TicTacToe(9, 7, 5), TicTacToe(1, 7, 2), TicTacToe(2, 2, 1),
    Nim(), Nim((2, 2), misere=True), Nim((7, 0, 3, 3, 9)), Pig(), Pig(20), Pig(1),
    *(z.load(str(path)) for path in EXAMPLES),
]  # fmt: skip

LIKE_OTHERS = [ConnectFour(4, 4), TicTacToe(5, 4, 3), TicTacToe(2, 2, 1), Nim((7, 0, 3, 3, 9)), Pig(20)]
"""Games whose machine code differs little from that of another one."""


def reachable(game, same=lambda state: state):
    """Every state that play can reach, equivalent ones once."""
    seen = {same(game.initial())}
    new = list(seen)
    while new:
        found = {same(game.play(state, move)) for state in new for move in legal_actions(game, state)}
        new = list(found - seen)
        seen |= found
    return seen


def solve(game):
    """The payoff of every state for its mover, by the definition: the referee of this file."""

    @functools.cache
    def value(state):
        result = game.result(state)
        return max(-value(game.play(state, move)) for move in game.moves(state)) if result == ONGOING else result

    return value


# -- every game ----------------------------------------------------------------------------------------------------


def agree(game, group, state, *move):
    """The rules of the game return the same compiled and interpreted."""
    written = tuple(rule for rule in group if game.has(rule))
    if not written:
        return
    for rule, answer in zip(written, ask_compiled(game, written, state, *move), strict=True):
        interpreted = getattr(game, rule)(state, *move)
        listed = not isinstance(interpreted, tuple | int | float)
        assert plain(answer) == plain(list(interpreted) if listed else interpreted), (rule, state)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.slow] * (game in LIKE_OTHERS)) for game in GAMES], ids=repr
)
def test_every_rule_compiles_and_agrees_with_itself_interpreted(game):
    for state in random_states(game, 60):
        agree(game, ("result", "evaluate", "stage", "is_chance", "mover"), state)
        agree(game, ("symmetries",), state)
        if game.result(state) == ONGOING:
            agree(game, ("chances",) if game.is_chance(state) else ("moves",), state)
            for move in legal_actions(game, state):
                agree(game, ("play", "order"), state, move)
    assert game.native_error is None


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_game_reads_what_it_writes(game):
    for state in random_states(game, 80, seed=2):
        assert game.parse_state(game.state_text(state)) == state
        texts = [game.move_text(state, move) for move in legal_actions(game, state)]
        assert len(set(texts)) == len(texts)
        assert [game.parse_move(state, text) for text in texts] == legal_actions(game, state)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_stages_never_go_back(game):
    for state in random_states(game, 80, seed=3):
        for move in legal_actions(game, state):
            assert game.stage(game.play(state, move)) >= game.stage(state)


@pytest.mark.parametrize("game", [game for game in GAMES if isinstance(game.board(game.initial()), Grid)], ids=repr)
def test_a_move_fills_the_square_it_says_it_touches(game):
    for state in random_states(game, 80, seed=4):
        before = "".join(game.board(state).cells)
        for move in legal_actions(game, state):
            child = game.play(state, move)
            after = "".join(game.board(child).cells)
            changed = {i for i in range(len(before)) if before[i] != after[i]}
            if game.has("squares"):
                touched = set(game.squares(state, move))
                assert touched == changed or (changed < touched and game.result(child) != z.ONGOING)  # a mouse caught


def test_there_are_examples_and_pages():
    assert len(EXAMPLES) >= 3
    assert {"connect_four", "nim", "pig", "tic_tac_toe"} <= {path.stem for path in PAGES}


# -- tic-tac-toe ---------------------------------------------------------------------------------------------------


def test_tic_tac_toe_has_5478_states_and_765_up_to_symmetry():
    """Schaefer, MathRec Solutions (Tic-Tac-Toe), 2002; OEIS A008907 has the 765 ply by ply."""
    game = TicTacToe()
    assert len(reachable(game)) == 5478
    assert len(reachable(game, game.canonical)) == 765


def test_tic_tac_toe_has_255168_games():
    """131184 won by the first player, 77904 by the second, 46080 drawn: the same source."""
    game = TicTacToe()

    @functools.cache
    def games(state):
        result = game.result(state)
        if result != ONGOING:
            winner = None if result == DRAW else 1 - game.mover(state)
            return (winner == 0, winner == 1, winner is None)
        return tuple(map(sum, zip(*(games(game.play(state, move)) for move in game.moves(state)), strict=True)))

    assert games(game.initial()) == (131184, 77904, 46080)


def test_tic_tac_toe_perft():
    """Bottomley, How many Tic-Tac-Toe games are possible?, 2001: how many games end at each ply from 5 to 9."""
    counts = [z.perft(TicTacToe(), depth) for depth in range(11)]
    ends = {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    assert counts[:6] == [1, 9, 72, 504, 3024, 15120]
    assert [(counts[ply] - ends[ply]) * (9 - ply) for ply in range(5, 10)] == counts[6:]


@pytest.mark.parametrize(
    ("board", "value"),
    [((3, 3, 3), DRAW), ((4, 3, 3), WIN), ((3, 4, 3), WIN), ((2, 2, 2), WIN), ((3, 2, 3), DRAW), ((1, 1, 1), WIN),
     ((5, 1, 2), WIN), ((4, 3, 4), DRAW)],
)  # fmt: skip
def test_values_of_small_boards(board, value):
    """Three in a row needs a fourth column to be won; the other boards are obvious."""
    game = TicTacToe(*board)
    assert solve(game)(game.initial()) == value


@pytest.mark.parametrize("board", [(3, 3, 3), (4, 3, 3), (5, 5, 4), (7, 2, 2), (1, 6, 4), (6, 6, 6)])
def test_lines_are_those_one_would_draw(board):
    game = TicTacToe(*board)
    width, height, length = board
    drawn = 0
    for column in range(width):
        for row in range(height):
            for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                cells = [(column + i * right, row + i * up) for i in range(length)]
                if all(0 <= c < width and 0 <= r < height for c, r in cells):
                    drawn += 1
                    line = sum(1 << r * width + c for c, r in cells)
                    assert game.result(game.initial()._replace(theirs=line)) == LOSS
                    assert game.result(game.initial()._replace(theirs=line ^ line & -line)) != LOSS
    assert sum(starts.bit_count() for _, starts in game.directions) == drawn


def test_symmetries_are_eight_on_a_square_and_four_on_an_oblong():
    square, oblong = TicTacToe(4, 4, 4), TicTacToe(5, 4, 4)
    assert len(set(square.symmetries(z.position(square, "a1 c2 b1")))) == 8
    assert len(set(oblong.symmetries(z.position(oblong, "a1 c2 b1")))) == 4


def test_tic_tac_toe_in_writing():
    game = TicTacToe()
    state = z.position(game, "b2 a3")
    assert game.state_text(state) == "O../.X./..."
    assert game.board(state).cells == ("O..", ".X.", "...")
    assert game.parse_state("o../.x./...") == state
    assert game.evaluate(game.parse_state(".../.X./...")) == -4  # o is to move; x has the four lines of the centre


@pytest.mark.parametrize(
    ("text", "why"),
    [("...", "does not describe"), ("X../.../..#", "does not describe"), ("XX./.../...", "2 X and 0 O"),
     ("XXX/OO./O..", "won already")],
)  # fmt: skip
def test_boards_that_cannot_be(text, why):
    with pytest.raises(GameError, match=why):
        TicTacToe().parse_state(text)


@pytest.mark.parametrize("parameters", [(0, 3, 3), (3, 3, 4), (3, 3, 0), (8, 8, 5), (27, 1, 3)])
def test_tic_tac_toe_parameters_out_of_range(parameters):
    with pytest.raises(GameError, match=r"TicTacToe\(width="):
        TicTacToe(*parameters)


# -- connect four --------------------------------------------------------------------------------------------------


def test_connect_four_perft():
    """Every column is open for six plies; after seven, seven sequences less: those that fill a column."""
    counts = [z.perft(ConnectFour(), depth) for depth in range(1, 10)]
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]


@pytest.mark.parametrize(("width", "height", "games"), [(2, 1, 2), (3, 2, 90), (4, 3, 356232)])
def test_connect_four_games(width, height, games):
    """OEIS A342329: how many different games there are on a board of n + 1 by n."""
    game = ConnectFour(width, height)

    @functools.cache
    def count(state):
        return sum(count(game.play(state, move)) for move in game.moves(state)) if game.result(state) == ONGOING else 1

    assert count(game.initial()) == games


def test_connect_four_positions_ply_by_ply():
    """OEIS A212693: legal positions of the 7x6 board after n plies."""
    game = ConnectFour()
    layer = {game.initial()}
    for count in (1, 7, 49, 238, 1120, 4263, 16422, 54859):
        assert len(layer) == count
        layer = {game.play(state, move) for state in layer for move in legal_actions(game, state)}


def test_connect_four_perft_is_the_same_interpreted():
    game = ConnectFour(5, 4)
    for depth in range(7):
        assert z.perft(game, depth) == z.perft(game, depth, interpreted=True)


@pytest.mark.parametrize(
    ("width", "height", "count"),
    [(1, 1, 2), (7, 1, 750), (2, 2, 18), (5, 2, 4688), (3, 3, 869), (4, 3, 12031), (3, 4, 6000), (2, 5, 537),
     (3, 5, 38310), (2, 8, 13343), (4, 4, 161029)],
)  # fmt: skip
def test_connect_four_positions(width, height, count):
    """Boeck, Connect Four strong solver, 2025 (arXiv:2507.05267), after Tromp: legal positions, ends included."""
    assert len(reachable(ConnectFour(width, height))) == count


def test_mirrored_positions_are_the_same_up_to_symmetry():
    game = ConnectFour(4, 3)
    states = reachable(game)
    mirrored = {game.canonical(state) for state in states}
    own_mirror = sum(1 for state in states if tuple(next(iter(game.symmetries(state)))) == state)
    assert len(reachable(game, game.canonical)) == len(mirrored) == (len(states) + own_mirror) // 2


def test_threats_are_the_cells_that_would_win():
    game = ConnectFour()
    for state in random_states(game, 400, seed=5):
        for stones in (state.mine, state.mine ^ state.mask):
            winning = 0
            for cell in range(64):
                free = game.cells >> cell & 1 and not state.mask >> cell & 1
                if free and not game.four(stones) and game.four(stones | 1 << cell):
                    winning |= 1 << cell
            if not game.four(stones):
                assert game.threats(stones, state.mask) == winning


def test_connect_four_in_writing():
    game = ConnectFour()
    state = z.position(game, "4453")
    assert game.board(state).cells[-2:] == ("...O...", "..OXX..")
    assert game.board(state).drop
    assert game.state_text(state) == "......./......./......./......./...O.../..OXX.."
    assert [game.move_text(state, move) for move in game.moves(state)] == list("1234567")


@pytest.mark.parametrize(
    ("text", "why"),
    [("X.../..../...O", "hangs"), ("..../..../XOXX", "3 X and 1 O"), ("..../OO.O/XXXX/...", "describe"),
     (".../.../...", "describe"), ("..../OOO./XXXX", None), ("O.../OOO./XXXX", "won already")],
)  # fmt: skip
def test_connect_four_boards_that_cannot_be(text, why):
    game = ConnectFour(4, 3)
    if why is None:
        assert game.result(game.parse_state(text)) == LOSS
    else:
        with pytest.raises(GameError, match=why):
            game.parse_state(text)


@pytest.mark.parametrize("parameters", [(0, 6), (7, 0), (8, 8), (9, 7), (33, 1)])
def test_connect_four_parameters_out_of_range(parameters):
    with pytest.raises(GameError, match=r"ConnectFour\(width="):
        ConnectFour(*parameters)


# -- nim -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("piles", [(3, 4, 5), (1, 2, 3), (4, 4), (1, 1, 1, 1), (2, 3, 6, 7), (0, 5)])
def test_nim_follows_bouton(piles):
    """Bouton, Nim, a game with a complete mathematical theory, 1901: lost where the exclusive or is 0.

    In the misere game too, unless no pile is larger than one: then lost where the number of piles is odd.
    """
    normal, misere = Nim(piles), Nim(piles, misere=True)
    value, misere_value = solve(normal), solve(misere)
    for state in reachable(normal):
        nim_sum = functools.reduce(operator.xor, state.piles)
        assert value(state) == (LOSS if nim_sum == 0 else WIN)
        small = max(state.piles) <= 1
        assert misere_value(state) == (LOSS if (nim_sum == 0) != small else WIN)


def test_two_piles_of_two_are_six_states_and_fifteen_nodes():
    """II-Nim, the lectures' first example: the last match loses, and the first player is lost."""
    game = Nim((2, 2), misere=True)
    assert {state.piles for state in reachable(game)} == {(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)}
    assert sum(z.perft(game, depth) for depth in range(6)) == 15
    assert solve(game)(game.initial()) == LOSS


def test_nim_states_are_sorted_multisets():
    """From (a, a, ..., a), n piles, every multiset of n sizes up to a can be reached: C(n + a, n) of them."""
    assert len(reachable(Nim((4, 4, 4)))) == 35
    assert all(list(state.piles) == sorted(state.piles) for state in reachable(Nim((5, 1, 3))))


def test_nim_in_writing():
    game = Nim((5, 3, 4))
    assert game.state_text(game.initial()) == "3 4 5"
    assert z.position(game, "5-2 4-4") == NimState((0, 3, 3))
    assert game.parse_state("3, 0, 3") == NimState((0, 3, 3))
    assert game.board(game.initial()) == Piles((3, 4, 5), room=5)
    assert game.squares(game.initial(), game.parse_move(game.initial(), "5-2")) == (2 * 5 + 3,)
    large = Nim((3, 40))
    assert large.board(large.initial()) == Piles((3, 40))
    assert large.squares(large.initial(), large.parse_move(large.initial(), "40-2")) == (1,)
    for text in ("3 4", "3 4 6", "3 4 x", "", "-1 4 5"):
        with pytest.raises(GameError, match="starts from 3 4 5"):
            game.parse_state(text)


@pytest.mark.parametrize("piles", [(), (3, -1), (True,), 3, [3, 4], (1.5,)])
def test_nim_piles_must_be_sizes(piles):
    with pytest.raises(GameError, match="piles must be a tuple"):
        Nim(piles)


# -- pig -----------------------------------------------------------------------------------------------------------


def test_a_turn_of_pig():
    game = Pig(20)
    state = game.initial()
    assert list(game.moves(state)) == [ROLL]
    rolling = game.play(state, ROLL)
    assert game.is_chance(rolling)
    assert [face for face, _ in game.chances(rolling)] == [1, 2, 3, 4, 5, 6]
    assert sum(chance for _, chance in game.chances(rolling)) == pytest.approx(1, abs=1e-15)
    assert game.play(rolling, 1) == PigState(1, 0, 0, 0, False)
    six = game.play(rolling, 6)
    assert six == PigState(0, 0, 0, 6, False)
    assert list(game.moves(six)) == [HOLD, ROLL]
    assert game.play(six, HOLD) == PigState(1, 0, 6, 0, False)
    assert game.mover(game.play(six, HOLD)) == 1


def test_who_banks_the_target_wins():
    game = Pig(20)
    state = PigState(1, 15, 12, 5, False)
    assert list(game.moves(state)) == [HOLD]
    assert game.result(state) == ONGOING
    assert game.result(game.play(state, HOLD)) == LOSS


@pytest.mark.parametrize(("target", "chance"), [(2, 5 / 6 / (1 - 1 / 36)), (20, 0.615558549805)])
def test_the_first_player_of_pig(target, chance):
    """By value iteration, a sum of banked points at a time. To 2, any roll but a one wins: a geometric series.

    To 20: a value computed apart from this code. The method is that of Neller and Presser, Optimal play of the dice
    game Pig, UMAP Journal 25 (1), 2004.
    """
    game = Pig(target)
    values = {state: float(game.result(state)) for state in reachable(game) if game.result(state) != ONGOING}
    stages = {}
    for state in reachable(game) - values.keys():
        children = [game.play(state, move) for move in legal_actions(game, state)]
        signs = [1 if child.player == state.player else -1 for child in children]
        stages.setdefault(game.stage(state), []).append((state, children, signs))
        values[state] = 0.0
    for stage in sorted(stages, reverse=True):
        change = 1.0
        while change > 1e-13:
            change = 0.0
            for state, children, signs in stages[stage]:
                seen = [sign * values[child] for child, sign in zip(children, signs, strict=True)]
                value = sum(seen) / 6 if game.is_chance(state) else max(seen)
                change = max(change, abs(value - values[state]))
                values[state] = value
    assert (1 + values[game.initial()]) / 2 == pytest.approx(chance, abs=1e-10)


def test_states_of_pig_are_read_if_play_comes_to_them():
    game = Pig(4)
    read = set()
    for banked in itertools.product(range(-1, 12), repeat=3):
        for player, rolling in itertools.product((-1, 0, 1, 2), (False, True)):
            with contextlib.suppress(GameError):
                read.add(game.parse_state(str((player, *banked, rolling))))
    assert reachable(game) <= read
    assert len(read) < 4 * len(reachable(game))


@pytest.mark.parametrize("number", [-1, 1 << 63, 10**18, 10**1900], ids=["-1", "word", "large", "larger"])
@pytest.mark.parametrize("entry", catalog(), ids=lambda entry: entry.name)
def test_what_is_read_fits_machine_words_whatever_its_numbers(entry, number):
    """Rules of the catalogue are trusted not to work for ever on what somebody wrote down."""
    game = entry.game()
    text = game.state_text(game.initial())
    for found in re.finditer(r"\d+", text):
        with contextlib.suppress(GameError):
            state = game.parse_state(f"{text[: found.start()]}{number}{text[found.end() :]}")
            assert all(-1 << 63 <= part < 1 << 64 for part in flat(state)), state


def flat(state):
    """The numbers in a state."""
    parts = state if isinstance(state, tuple | frozenset) else ()
    return [int(state)] if isinstance(state, int) else [number for part in parts for number in flat(part)]


def test_a_long_text_is_no_long_search_for_a_move(monkeypatch):
    game = Nim()
    tried, parse = [], Nim.parse_move
    monkeypatch.setattr(Nim, "parse_move", lambda game, state, text: tried.append(text) or parse(game, state, text))
    with pytest.raises(GameError):
        z.position(game, "8" * 2000)
    assert len(tried) <= 100


@pytest.mark.parametrize("target", [0, -5, 2.5, True])
def test_pig_target_must_be_positive(target):
    with pytest.raises(GameError, match="target must be"):
        Pig(target)


# -- the examples --------------------------------------------------------------------------------------------------


def example(name):
    return z.load(str(ROOT / "examples" / f"{name}.py"))


def test_subtraction_is_lost_at_multiples_of_one_more_than_the_most():
    game = example("subtraction")
    value = solve(game)
    assert all(value(left) == (LOSS if left % (game.most + 1) == 0 else WIN) for left in range(game.start + 1))


def test_coin_race_is_a_game_of_chance_that_ends():
    game = example("coin_race")
    assert any(game.is_chance(state) for state in reachable(game))
    assert z.perft(game, 4 * game.goal - 2) > 0  # all tails: a toss and an outcome for every step but one
    assert z.perft(game, 4 * game.goal - 1) == 0


@pytest.mark.parametrize(("cat", "value"), [(14, None), (15, LOSS), (10, LOSS), (9, None)])
def test_cat_and_mouse_is_a_matter_of_colour(cat, value):
    """The mouse is caught where both start on the same colour; otherwise neither wins, and play repeats."""
    game = z.load(f"{ROOT / 'examples' / 'cat_and_mouse.py'}:CatAndMouse(start={cat})")
    states = reachable(game)
    values = {state: game.result(state) for state in states if game.result(state) != ONGOING}
    known = -1
    while len(values) > known:
        known = len(values)
        for state in states - values.keys():
            children = [values.get(game.play(state, move)) for move in game.moves(state)]
            if LOSS in children:
                values[state] = WIN
            elif all(child == WIN for child in children):
                values[state] = LOSS
    assert game.loops
    assert values.get(game.initial()) == value
