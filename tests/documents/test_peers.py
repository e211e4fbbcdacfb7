"""bench/peers.py without its peers: positions, scores, what a solver prints, the plain games, and the record."""

import doctest
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

import naive
import zermelo as z
from zermelo.game import OPTIONAL

BENCH = Path(__file__).parents[2] / "bench"
sys.path.append(str(BENCH))

import contest  # noqa: E402
import peer_venv  # noqa: E402
import plain_contests  # noqa: E402
import plain_games  # noqa: E402
import positions  # noqa: E402
import solver  # noqa: E402
import tables  # noqa: E402
import worker  # noqa: E402

PRINTS_LENGTHS = "import sys\nfor line in sys.stdin: print(line.strip(), -len(line.strip()), 7)\n"


@pytest.mark.parametrize("module", [positions, solver, tables])
def test_examples(module):
    assert doctest.testmod(module).failed == 0


# -- positions ---------------------------------------------------------------------------------------------------------


def test_scores_follow_the_published_convention():
    """http://blog.gamesolver.org/solving-connect-four/02-test-protocol/: 1 for a win with the last stone, and so on."""
    score = positions.published_score
    assert score(z.Value.win(41), 0) == 1  # the empty board: the first player's 21st and last stone
    assert [score(z.Value.win(plies), 20) for plies in (1, 3, 21)] == [11, 10, 1]
    assert [score(z.Value.win(plies), 21) for plies in (1, 3, 21)] == [11, 10, 1]
    assert [score(z.Value.loss(plies), 20) for plies in (2, 4, 22)] == [-11, -10, -1]
    assert score(z.Value.draw(), 12) == 0
    with pytest.raises(worker.BenchError, match="not a proven value"):
        score(z.Value.estimate(3), 12)


def test_random_positions_are_unfinished_games_of_the_right_length():
    game = z.load("connect_four")
    found = positions.random_positions(20, 24, 30, seed=1)
    assert found == positions.random_positions(20, 24, 30, seed=1) != positions.random_positions(20, 24, 30, seed=2)
    assert len(set(found)) == 30
    for text in found:
        state = z.position(game, text)
        assert 20 <= len(text) <= 24
        assert game.result(state) == z.ONGOING
        assert all(game.result(game.play(state, move)) != z.LOSS for move in game.moves(state))


def test_positions_of_a_folder(tmp_path):
    (tmp_path / "easy.txt").write_text("4453 -2\n\n44444 1\n")
    (tmp_path / "notes.md").write_text("not positions")
    (easy,) = positions.from_directory(tmp_path, 100, [], rounds=3)
    assert (easy.name, easy.positions, easy.scores) == ("easy", ("4453", "44444"), (-2, 1))
    assert positions.from_directory(tmp_path, 100, ["1"], rounds=3)[0].scores == (-2,)
    assert positions.from_directory(tmp_path, 100, ["easy=0"], rounds=3) == []


@pytest.mark.parametrize("line", ["4453", "4453 two", "448 3", "1212121 5", "......./....... 1"])
def test_a_bad_line_is_named(tmp_path, line):
    (tmp_path / "bad.txt").write_text(f"4453 -2\n{line}\n")
    with pytest.raises(worker.BenchError, match=r"bad\.txt, line 2: "):
        positions.from_directory(tmp_path, 100, [], rounds=1)


def test_counts_that_name_no_set():
    for wrong in ("many", "hard=3", "29 to 38 stones=-1"):
        with pytest.raises(worker.BenchError, match="--count"):
            positions.chosen_counts({"29 to 38 stones": 9}, [wrong])


def test_scores_that_differ_are_shown_with_everybodys():
    two = positions.PositionSet("two", ("4453", "44444"), (-2, 1))
    assert contest.differences(two, {"zermelo": [-2, 1], "peer": [-2, 1]}) == []
    (found,) = contest.differences(two, {"zermelo": [-2, 1], "peer": [-2, 0]})
    assert found == {"position": "44444", "scores": {"published": 1, "zermelo": 1, "peer": 0}}


# -- a solver on the command line --------------------------------------------------------------------------------------


def solver_of(tmp_path, program, **fields):
    script = tmp_path / "solver.py"
    script.write_text(program)
    return solver.CommandSolver(f"'{sys.executable}' '{script}'", **fields)


def test_a_solver_reads_moves_and_writes_scores(tmp_path):
    answer = solver_of(tmp_path, PRINTS_LENGTHS, nodes_field=3).solve(["4453", "", "44"])
    assert answer["scores"] == [-4, 0, -2]
    assert answer["nodes"] == 21
    assert answer["cpu"] >= 0
    assert answer["setup"] > 0


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("print('4453 -2')", "2 positions went in, 1 lines came out"),
        ("import sys\nfor line in sys.stdin: print(line.strip(), '?')", "field 2 of '4453 \\?' is not a whole number"),
        ("import sys\nfor line in sys.stdin: print(line.strip())", "field 2 of '4453' is not a whole number"),
        ("raise SystemExit('no book')", "exit code 1, saying 'no book'"),
    ],
)
def test_a_solver_that_does_not_keep_to_it(tmp_path, program, said):
    with pytest.raises(worker.BenchError, match=said):
        solver_of(tmp_path, program).solve(["4453", "44"])


def test_a_solver_that_is_not_there(tmp_path):
    with pytest.raises(worker.BenchError, match="it cannot be run"):
        solver.CommandSolver(str(tmp_path / "nothing")).solve(["4453"])


# -- plain games -------------------------------------------------------------------------------------------------------

GAMES = (plain_games.InARow(), plain_games.FourInAColumn(), plain_games.Breakthrough())


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_plain_games_have_no_hook(game):
    assert [rule for rule in OPTIONAL if game.has(rule)] == []


@pytest.mark.parametrize(("plain", "spec"), [(GAMES[0], "tic_tac_toe(4,4,4)"), (GAMES[1], "connect_four")])
def test_plain_games_have_the_rules_of_the_shelf(plain, spec):
    shelf, chosen = z.load(spec), random.Random(1)
    for _ in range(100):
        left, right = plain.initial(), shelf.initial()
        while plain.result(left) == z.ONGOING:
            assert shelf.result(right) == z.ONGOING
            assert list(plain.moves(left)) == list(shelf.moves(right))
            move = chosen.choice(list(plain.moves(left)))
            left, right = plain.play(left, move), shelf.play(right, move)
        assert plain.result(left) == shelf.result(right)


def test_breakthrough_has_the_counts_of_openspiel():
    """Move sequences of breakthrough(rows=6,columns=6), counted with OpenSpiel 2.0.2."""
    game = plain_games.Breakthrough()
    assert [leaves(game, game.initial(), plies) for plies in (1, 2, 3)] == [16, 256, 4308]


def leaves(game, state, plies):
    if plies == 0:
        return 1
    if game.result(state) != z.ONGOING:
        return 0
    return sum(leaves(game, game.play(state, move), plies - 1) for move in game.moves(state))


each_contest = pytest.mark.parametrize("each", plain_contests.CONTESTS, ids=lambda each: f"{each.name}-{each.depth}")


@each_contest
def test_contests_start_in_states_where_the_game_goes_on(each):
    game = getattr(plain_games, each.game)()
    starts = plain_contests.random_starts(each, seed=1)
    assert len(starts) == each.starts
    for start in starts:
        state = game.initial()
        for move in start:
            assert move in list(game.moves(state))
            state = game.play(state, move)
        assert game.result(state) == z.ONGOING


@each_contest
def test_endings_have_wins_of_both_players_within_three_plies(each):
    game = getattr(plain_games, each.game)()
    winners = set()
    for start in plain_contests.endings(each, seed=1):
        state = game.initial()
        for move in start:
            state = game.play(state, move)
        assert game.result(state) == z.ONGOING
        if outcome(game, state, 3) == z.WIN:
            winners.add(len(start) % 2)
    assert winners == {0, 1}


def outcome(game, state, plies):
    """What the player to move can force within the plies; a game that goes on is a draw."""
    result = game.result(state)
    if result != z.ONGOING or plies == 0:
        return z.DRAW if result == z.ONGOING else result
    return max(-outcome(game, game.play(state, move), plies - 1) for move in game.moves(state))


# -- the run -----------------------------------------------------------------------------------------------------------


def run(*options):
    command = [sys.executable, str(BENCH / "peers.py"), "--no-install", *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture
def endings(tmp_path):
    """A folder with a file of late positions, their scores by the referee."""
    game = z.load("connect_four")
    lines = []
    for text in positions.random_positions(36, 38, 4, seed=7):
        score = naive.value(game, z.position(game, text))
        value = z.Value.of(score, exact=True)
        lines.append(f"{text} {positions.published_score(value, len(text))}\n")
    (tmp_path / "endings.txt").write_text("".join(lines))
    return tmp_path


def test_the_record(endings):
    """The solver answers from the file itself, so that everybody agrees; then it is wrong once, and that is said."""
    knows = f"known = dict(l.split() for l in open({str(endings / 'endings.txt')!r}))\n"
    answers = "import sys\nfor line in sys.stdin: print(known[line.strip()])\n"
    (endings / "solver.py").write_text(knows + answers)
    options = ("--only", "connect_four", "--positions", endings, "--rounds", 1, "--score-field", 1)
    solver_option = ("--solver", f"'{sys.executable}' '{endings / 'solver.py'}'")
    done = run(*options, *solver_option, "--json", endings / "out.json")
    assert done.returncode == 0, done.stderr
    record = json.loads((endings / "out.json").read_text())
    assert {"machine", "versions", "options", "missing", "connect_four", "plain_games"} == set(record)
    assert record["options"]["seed"] == 1
    (solved,) = record["connect_four"]
    assert (solved["set"], solved["positions"], solved["differences"]) == ("endings", 4, [])
    assert solved["verified_by"][0] == "published scores"
    assert solved["systems"]["zermelo"]["nodes"] > 0
    assert {"cpu", "ratio", "target", "won", "met"} <= set(solved["systems"][f"{Path(sys.executable).name} solver.py"])
    assert "endings (4)" in done.stdout

    (endings / "solver.py").write_text(knows + answers.replace("print(known[line.strip()])", "print(21)"))
    wrong = run(*options, *solver_option)
    assert wrong.returncode == 1
    assert "endings: scores differ on 4 of 4 positions" in wrong.stdout


def test_a_peer_that_is_not_there_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(peer_venv, "FOLDER", tmp_path / "nothing")
    assert "bitbully is left out: " in peer_venv.missing("bitbully", install=False)
    failed = subprocess.CompletedProcess([], 1, "", "ERROR: No matching distribution found for open_spiel")
    assert "open_spiel is left out: there is no wheel of it for Python" in peer_venv._why_not("open_spiel", failed)
    assert "ERROR: No matching distribution" in peer_venv._why_not("easyAI", failed)


def test_a_worker_that_fails_is_a_sentence(tmp_path):
    (tmp_path / "task.py").write_text("from worker import serve\nserve(half=lambda of: {'half': 1 / of})\n")
    (tmp_path / "broken.py").write_text("import nothing_of_that_name\n")
    (tmp_path / "worker.py").write_text((BENCH / "worker.py").read_text())
    with worker.Worker("task", sys.executable, str(tmp_path / "task.py")) as task:
        assert task.ask("half", of=2) == {"half": 0.5}
        with pytest.raises(worker.BenchError, match="task cannot do this: ZeroDivisionError"):
            task.ask("half", of=0)
    with (
        worker.Worker("broken", sys.executable, str(tmp_path / "broken.py")) as broken,
        pytest.raises(worker.BenchError, match=r"broken stopped before it answered: .*nothing_of_that_name"),
    ):
        broken.ask("half", of=2)


@pytest.mark.parametrize(
    "options",
    [
        ("--positions", "nowhere"),
        ("--rounds", 0),
        ("--count", "hard=3"),
        ("--json", "nowhere/out.json"),
        ("--only", "connect_four", "--count", "0"),
    ],
)
def test_bad_options_are_sentences(options):
    done = run(*options)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "--" in done.stderr.strip().splitlines()[-1]


def test_verdicts_are_plain():
    def said(ratio, target):
        found = {}
        contest.against(found, ratio, target)
        return tables.verdict(found)[1]

    assert [said(*each) for each in ((3.0, 2), (1.5, 2), (0.5, 2), (0.5, 1), (None, 2))] == [
        "won",
        "won, but wanted 2x",
        "lost, wanted 2x",
        "lost",
        "too short to time",
    ]
