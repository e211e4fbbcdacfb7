"""What is called exact: the value, and every move of the line to the end it claims, followed with the solution.

Thousands of random games with long forced wins, and with play that can come round, each a number in the state of one
compiled class.
"""

import random

import pytest

import zermelo as z
from graph_games import Circles, Ladders, by_move, complaint, doubtful, solved, starts
from zermelo import Limit


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


@pytest.mark.parametrize("game", [Ladders(), Circles()], ids=repr)
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


@pytest.mark.parametrize("game", [Ladders(), Circles()], ids=repr)
def test_no_report_of_a_stream_shows_an_exact_line_that_errs(game):
    dice = random.Random(3)
    for seat in starts(game, 60):
        solution = solved(game, seat)
        limit = Limit(depth=dice.randint(4, 16), nodes=20_000)
        for report in z.analyze(game, seat, limit, lines=dice.randint(1, 3), table=0.1):
            for line in report.lines:
                if line.value.exact:
                    assert complaint(game, seat, line, solution, ends=False) is None


@pytest.mark.parametrize("game", [Ladders(), Circles()], ids=repr)
def test_threads_leave_perfect_lines(game):
    seats = starts(game, 60)
    assert wrong(game, [z.search(game, seat, Limit(depth=14), lines=2, threads=2, table=1) for seat in seats]) == []


@pytest.mark.parametrize("game", [Ladders(), Circles()], ids=repr)
def test_stopping_anywhere_leaves_no_false_claim_where_play_repeats(game):
    for seat in starts(game, 12):
        for lines in (1, 3):
            limits = [Limit(nodes=nodes) for nodes in range(1, 400, 7)]
            reports = [z.search(game, seat, limit, lines=lines, table=0.1) for limit in limits]
            assert wrong(game, reports) == []
            for report in reports:
                scores = [line.value.score for line in report.lines]
                assert scores == sorted(scores, reverse=True)
