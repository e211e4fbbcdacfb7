"""What is called exact: the value, and every move of the line to the end it claims, followed with the solution.

Thousands of random games with long forced wins, and with play that can repeat, each a number in the state of one
compiled class.
"""

import random

import pytest

import zermelo as z
from graph_games import Circles, Ladders, Whirls, by_move, complaint, doubtful, solved, starts
from zermelo import DRAW, LOSS, ONGOING, WIN, Game, Limit
from zermelo.keys import state_check, state_key
from zermelo.searching.alphabeta.transposition_table import TranspositionTable, store
from zermelo.searching.runtime.search_driver import AlphaBetaSearch
from zermelo.value import WIN_SCORE

GAMES = [Ladders(), Circles(), pytest.param(Whirls(), marks=pytest.mark.slow)]


def wrong(game, reports):
    """What is wrong with these reports, in words that begin with the number of the game."""
    complaints = []
    solution, of = {}, None
    for report in reports:
        if report.state != of:
            solution, of = solved(game, report.state), report.state
        if found := doubtful(report, solution):
            complaints.append(f"{report.state.game}: {found}")
    return complaints


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_exact_lines_are_perfect_play_to_the_end_they_claim(game):
    dice = random.Random(1)
    reports = []
    for seat in starts(game, 700):
        for table in (0.001, 0.1):  # what does not fit is forgotten, and lines must do without it
            limit = Limit(depth=dice.randint(2, 24), nodes=dice.choice((None, 500, 5000)))
            reports.append(z.search(game, seat, limit, lines=dice.randint(1, 4), table=table))
    assert wrong(game, reports) == []
    assert sum(report.value.exact for report in reports) > 300


def test_proofs_leave_perfect_lines():
    game, dice = Ladders(), random.Random(2)
    reports = []
    for seat in starts(game, 150):
        limit = dice.choice((None, Limit(nodes=dice.randint(1, 1000))))
        reports.append(z.search(game, seat, limit, exact=True, lines=dice.randint(1, 4), table=0.1))
    assert wrong(game, reports) == []


def test_the_moves_of_many_proofs_keep_their_values():
    game = Ladders()
    for report in z.search_many(game, starts(game, 200)):
        solution = solved(game, report.state)
        assert report.value.score == solution[report.state] == by_move(game, report.state, report.move, solution)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_no_report_of_a_stream_shows_an_exact_line_that_errs(game):
    dice = random.Random(3)
    for seat in starts(game, 60):
        solution = solved(game, seat)
        limit = Limit(depth=dice.randint(4, 16), nodes=20_000)
        for report in z.analyze(game, seat, limit, lines=dice.randint(1, 3), table=0.1):
            for line in report.lines:
                if line.value.exact:
                    assert complaint(game, seat, line, solution, ends=False) is None


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_threads_leave_perfect_lines(game):
    seats = starts(game, 60)
    assert wrong(game, [z.search(game, seat, Limit(depth=14), lines=2, threads=2, table=1) for seat in seats]) == []


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_stopping_anywhere_leaves_no_false_claim_where_play_repeats(game):
    for seat in starts(game, 10):
        for lines in (1, 3):
            limits = [Limit(nodes=nodes) for nodes in range(1, 400, 7)]
            reports = [z.search(game, seat, limit, lines=lines, table=0.1) for limit in limits]
            assert wrong(game, reports) == []
            for report, limit in zip(reports, limits, strict=True):
                assert report.nodes <= limit.nodes
                scores = [line.value.score for line in report.lines]
                assert scores == sorted(scores, reverse=True)


class Round(Circles):
    native = False


class Up(Ladders):
    native = False


@pytest.mark.parametrize("game", [Up(), Round()], ids=repr)
@pytest.mark.parametrize("goal", [WIN, DRAW])
def test_lines_of_proofs_keep_what_is_proven_and_wins_get_on(game, goal):
    for seat in starts(game, 60):
        solution = solved(game, seat)
        report = z.prove(game, seat, Limit(nodes=3000), at_least=goal)
        if report.value.bound == "unknown":
            continue
        yes = report.value.bound == "lower"
        assert yes == (sign(solution[seat]) >= goal)
        holder, least = (0, goal) if yes else (1, 1 - goal)
        at = seat
        for move in report.pv:
            if at.player == holder:
                assert sign(by_move(game, at, move, solution)) >= least
            at = game.play(at, move)
        if least == WIN:
            assert game.result(at) != ONGOING or not list(game.moves(at))


@pytest.mark.parametrize("game", [Up(), Round()], ids=repr)
def test_lines_of_proven_playouts_keep_the_outcome(game):
    for seat in starts(game, 30):
        solution = solved(game, seat)
        if abs(solution[seat]) < WIN_SCORE - 6:
            continue  # too far away to be proven by a few playouts
        for line in z.monte_carlo(game, seat, Limit(nodes=30), table=0.1).lines:
            if line.value.exact or line.value.bound in ("lower", "upper"):
                at = game.play(seat, line.pv[0])
                for move in line.pv[1:]:
                    assert sign(by_move(game, at, move, solution)) == sign(solution[at])
                    at = game.play(at, move)


def sign(score):
    return (score > 0) - (score < 0)


class Token(Game):
    """Push a token along an arrow; who cannot move loses."""

    start: str = "r"

    loops = True
    native = False
    arrows = {
        "q": "r", "r": "1c", "c": "d", "d": "x", "x": "y", "y": "xz", "z": "v", "v": "w", "w": "",
        "1": "2", "2": "3", "3": "4", "4": "5", "5": "6", "6": "7", "7": "8", "8": "9", "9": "", "b": "s", "s": "bz",
    }  # fmt: skip

    def initial(self):
        return self.start

    def moves(self, node):
        return self.arrows[node]

    def play(self, node, target):
        return target

    def result(self, node):
        return ONGOING

    def stuck(self, node):
        return LOSS


@pytest.mark.parametrize(("start", "value", "line"), [("r", "win in 7", "cdxyzvw"), ("q", "loss in 8", "rcdxyzvw")])
def test_what_the_table_has_from_another_path_hides_nothing_from_an_exact_value(start, value, line):
    game, table = Token(start), TranspositionTable(0.1)
    table.begin(game, 1.0, whole=True)
    # where y is on the path, x comes back to it and is drawn; from r it is lost, for whoever has to move there
    store(game, table.words, state_key(game, "x"), state_check(game, "x"), 0, 0, 200, 1, 0)
    report = AlphaBetaSearch(game, start, Limit(depth=12), table).run()
    assert (str(report.value), report.value.exact, "".join(report.pv)) == (value, True, line)


def test_a_move_that_comes_back_to_the_root_is_worth_what_follows_there():
    lines = z.search(Token("s"), limit=Limit(depth=12), lines=2).lines
    assert [(str(line.value), "".join(line.pv)) for line in lines] == [("win in 3", "zvw"), ("win in 5", "bszvw")]


class Head(Game):
    """Nine moves: eight of them win by force, the last leads on and on."""

    native = False

    def initial(self):
        return (0, 0, 0)

    def moves(self, state):
        return range(9) if state[0] == 0 else range(3)

    def play(self, state, move):
        return (state[0] + 1, state[1] if state[0] else move, (state[2] * 3 + move) % 101)

    def result(self, state):
        return LOSS if state[0] >= 5 and state[1] < 8 else ONGOING


def test_a_round_that_is_cut_short_takes_no_exact_value_away():
    fifth = sum(z.search(Head(), limit=Limit(depth=5), lines=9).rounds)
    for nodes in range(fifth + 1, 3 * fifth, 97):
        lines = z.search(Head(), limit=Limit(nodes=nodes), lines=9).lines
        assert [(str(line.value), line.value.exact, len(line.pv)) for line in lines[:8]] == 8 * [("win in 5", True, 5)]


class Spun(Circles):
    native = False


class Climbed(Ladders):
    native = False


@pytest.mark.parametrize("exact", [False, True])
def test_what_was_exact_in_one_report_is_exact_in_all_that_follow(exact):
    game = Climbed() if exact else Spun()
    shown = 0
    for seat in starts(game, 40):
        for lines in (2, 4):
            reports = []
            limit, table = Limit(nodes=1500), TranspositionTable(0.01)
            last = AlphaBetaSearch(game, seat, limit, table, lines, exact=exact, tell=reports.append).run()
            known = {}
            for report in [*reports, last]:
                for line in report.lines:
                    assert line.value.exact or line.pv[0] not in known
                    if line.value.exact:
                        assert known.setdefault(line.pv[0], repr(line.value)) == repr(line.value)
                        shown += 1
    assert shown > 100
