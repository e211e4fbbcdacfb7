"""Gomoku: a referee that knows cells by column and row, open_spiel's rules, and threats that are seen."""

import random
import re

import pyspiel
import pytest

import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, GameError
from zermelo.games.gomoku import WON_BIT, Gomoku
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.rules import legal_actions
from zermelo.value import loss_in, win_in

GAMES = [Gomoku(), Gomoku(7, 4), Gomoku(7, 4, exactly=True), Gomoku(6, 3, exactly=True), Gomoku(5, 5), Gomoku(19, 6)]


class Referee:
    """Cells of both players as sets of (column, row); the player to move first."""

    def __init__(self, game):
        self.size, self.length, self.exactly = game.side, game.in_a_row, game.exactly

    def won(self, cells):
        for column, row in cells:
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if (column - right, row - up) in cells:
                    continue
                length = 1
                while (column + right * length, row + up * length) in cells:
                    length += 1
                if length == self.length or (length > self.length and not self.exactly):
                    return True
        return False

    def result(self, mine, theirs):
        if self.won(theirs):
            return LOSS
        return DRAW if len(mine) + len(theirs) == self.size**2 else ONGOING

    def moves(self, mine, theirs):
        every = {(column, row) for column in range(self.size) for row in range(self.size)}
        return {f"{chr(97 + column)}{row + 1}" for column, row in every - mine - theirs}


def cells(rows):
    return {(column, row) for row, word in enumerate(rows) for column in range(19) if word >> column & 1}


def random_states(game, games, seed=1):
    """States of games at random, in which stones crowd together so that rows arise."""
    dice = random.Random(seed)
    for _ in range(games):
        state = game.initial()
        while True:
            yield state
            moves = legal_actions(game, state)
            if not moves:
                break
            state = game.play(state, max(dice.sample(moves, min(3, len(moves))), key=lambda m: game.order(state, m)))


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_referee_agrees(game):
    referee, results = Referee(game), set()
    for state in random_states(game, 3 if game.side > 9 else 20):
        here = cells(state.mine), cells(state.theirs)
        result = game.result(state)
        assert result == referee.result(*here)
        results.add(result)
        if result == ONGOING:
            assert {game.move_text(state, move) for move in legal_actions(game, state)} == referee.moves(*here)
            for cell in legal_actions(game, state)[:: game.side // 3]:
                wins = referee.won(here[0] | {(cell % game.side, cell // game.side)})
                assert game.completes(state.mine, cell) == wins
    assert ONGOING in results
    assert len(results) > 1


def test_an_overline_counts_or_not():
    rows = "...../...../...../...../XX.XX"
    for exactly in (False, True):
        game = Gomoku(5, 4, exactly=exactly)
        state = game.parse_state(rows.replace("...../...../...../...../", "OOO../O..../...../...../"))
        assert (game.result(game.play(state, 2)) == LOSS) == (not exactly)


@pytest.mark.parametrize("game", GAMES[1:4], ids=repr)
def test_candidates_and_bounds_follow_from_the_rules(game):
    referee, seen = Referee(game), set()
    for state in random_states(game, 15, seed=2):
        if game.result(state) != ONGOING:
            continue
        mine, theirs = cells(state.mine), cells(state.theirs)
        moves = legal_actions(game, state)
        place = {move: {(move % game.side, move // game.side)} for move in moves}
        wins = [move for move in moves if referee.won(mine | place[move])]
        stops = [move for move in moves if referee.won(theirs | place[move])]
        expected = wins[:1] or stops or moves
        assert list(game.candidates(state)) == expected
        assert game.bounds(state) == ((win_in(1), win_in(1)) if wins else (loss_in(2), win_in(3)))
        seen.add(2 if wins else 1 if stops else 0)
    assert seen == {0, 1, 2}


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_windows_are_counted(game):
    """The evaluation, window by window, for either player."""
    most = min(4, game.in_a_row - 1)
    for state in list(random_states(game, 2, seed=3))[:: 9 if game.side > 9 else 2]:
        sides = cells(state.mine), cells(state.theirs)
        for mine, theirs, hope in ((*sides, state.hope), (*sides[::-1], state.their_hope)):
            total = 0
            for column in range(game.side):
                for row in range(game.side):
                    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                        window = {(column + right * i, row + up * i) for i in range(game.in_a_row)}
                        inside = all(0 <= x < game.side and 0 <= y < game.side for x, y in window)
                        missing = game.in_a_row - len(window & mine)
                        if inside and not window & theirs and 1 <= missing <= most and missing < game.in_a_row:
                            total += (0, 1000, 60, 8, 1)[missing]
            assert game.score_of(hope % WON_BIT) == total


class Careless(Gomoku):
    """Broken: who closes the window of another player does not take their hope."""

    def scores_after(self, state, row, column):
        hope, _ = super().scores_after(state, row, column)
        return hope, state.their_hope


class Overlined(Gomoku):
    """Broken: a longer row wins in standard gomoku too."""

    def longer(self, stones, first):
        return False


def test_broken_twins_are_seen():
    with pytest.raises(AssertionError):
        test_windows_are_counted(Careless(7, 4))
    twin = Overlined(5, 4, exactly=True)
    state = twin.parse_state("OOO../O..../...../...../XX.XX")
    assert twin.result(twin.play(state, 2)) == LOSS  # which the game itself does not say, as is seen above


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_what_moves_add_up_to_is_what_a_text_says(game):
    for state in list(random_states(game, 2, seed=4))[:: 9 if game.side > 9 else 3]:
        assert game.parse_state(game.state_text(state)) == state


def test_small_boards_are_those_of_tic_tac_toe():
    ours, theirs = Gomoku(5, 4), TicTacToe(5, 5, 4)
    dice, one, two = random.Random(5), ours.initial(), theirs.initial()
    for _ in range(300):
        moves = legal_actions(ours, one)
        assert sorted(moves) == sorted(legal_actions(theirs, two))
        assert ours.result(one) == theirs.result(two)
        if not moves:
            one, two = ours.initial(), theirs.initial()
            continue
        move = dice.choice(moves)
        assert ours.move_text(one, move) == theirs.move_text(two, move)
        one, two = ours.play(one, move), theirs.play(two, move)


def test_open_spiel_agrees():
    agreed(Gomoku(), "mnk(m=15,n=15,k=5)", 300)


@pytest.mark.slow
def test_open_spiel_agrees_for_long():
    agreed(Gomoku(), "mnk(m=15,n=15,k=5)", 10_000)
    agreed(Gomoku(7, 4), "mnk(m=7,n=7,k=4)", 2000)


def agreed(game, text, positions):
    dice = random.Random(6)
    while positions > 0:
        state, spiel, player = game.initial(), pyspiel.load_game(text).new_initial_state(), 0
        while not spiel.is_terminal():
            theirs = {}
            for action in spiel.legal_actions():
                row, column = map(int, re.findall(r"\d+", spiel.action_to_string(player, action)))
                theirs[row * game.side + column] = action
            assert set(theirs) == set(legal_actions(game, state))
            move = dice.choice(sorted(theirs))
            state, player, positions = game.play(state, move), 1 - player, positions - 1
            spiel.apply_action(theirs[move])
        assert game.result(state) * (1 - 2 * player) == spiel.returns()[0]


def test_images():
    game = Gomoku()
    state = z.position(game, "h8 h9 a1")
    assert len(set(game.symmetries(state))) == 8
    assert {game.canonical(image) for image in game.symmetries(state)} == {game.canonical(state)}
    later = z.position(game, "h8 h9 a1 b2")
    assert (list(game.symmetries(later)), game.canonical(later)) == ([], later)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("...", "one looks like"),
        ("XXX../...../...../...../.....", "3 X and 0 O"),
        ("XXXX./OOOO./...../...../X....", "the player to move has won already"),
    ],
)
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        Gomoku(5, 4).parse_state(text)


@pytest.mark.parametrize("sizes", [(4,), (20,), (15, 2), (15, 8), (5, 6), (True,), (15, 5, 1), ("15",)])
def test_parameters_that_make_no_game(sizes):
    with pytest.raises(GameError, match="must be"):
        Gomoku(*sizes)


def test_compiled_perft():
    assert [z.perft(Gomoku(), depth) for depth in range(4)] == [1, 225, 225 * 224, 225 * 224 * 223]


@pytest.mark.slow
def test_the_contract_holds():
    report = z.check(Gomoku(), states=60, games=2)
    assert {"candidates", "bounds", "forcing", "order", "symmetries"} <= set(report.rules)


@pytest.mark.slow
def test_an_open_three_is_won():
    """An open four comes of it, and the other player can stop only one of its ends."""
    game = Gomoku()
    state = z.position(game, "h8 a1 i8 a3 j8 a15")
    report = z.search(game, state, limit=z.Limit(depth=5))
    assert report.value.outcome == z.WIN
    assert report.value.plies == 3
    assert game.move_text(state, report.move) in ("g8", "k8")
