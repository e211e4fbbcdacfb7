"""Small games, solved interpreted while another process compiles: the same file to the bit, whichever is first."""

import pytest
from test_points_with_loops import PointRooms, PointRounds

import zermelo as z
from solve_games import Rooms, Rounds, Stairs
from zermelo import LOSS, ONGOING, Game, GameError
from zermelo.native import compile_process
from zermelo.native.kernel_dispatch import Kernel
from zermelo.solving import small_games

NAMES = (
    "tic_tac_toe",
    "nim(piles=(2,2),misere=True)",
    "connect_four(width=4,height=3)",
    "pop_out(width=3,height=3)",  # play repeats, and some draws only one player can force
    "dots_and_boxes(width=2,height=2)",
    "kalah(pits=2,seeds=2)",
    "domineering(4,4)",
)


class Unstaged(Stairs):
    """Without a rule `stage`, so that stages are numbers of plies."""

    stage = Game.stage
    games, places = 20, 12


class FewStairs(Stairs):
    games = 20


@pytest.fixture
def beside(monkeypatch):
    """A compiler that is never finished, for games without any kernel. Returns the kernels that it has compiled."""
    finished = set()
    monkeypatch.setenv(compile_process.TWIN_VARIABLE, "1")
    monkeypatch.setattr(compile_process.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(compile_process, "start_compiling", lambda *_, **__: True)
    monkeypatch.setattr(Kernel, "is_cached", lambda *_: False)
    monkeypatch.setattr(Kernel, "has_code", lambda kernel, game: kernel.name in finished)
    monkeypatch.setattr(small_games, "_large", set())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    return finished


@pytest.fixture
def attempts(monkeypatch):
    """How often a solve in plain Python was finished, and how often it was begun."""
    counts, solve_small = [0, 0], small_games.solve_small

    def counted(*arguments):
        counts[1] += 1
        solution = solve_small(*arguments)
        counts[0] += 1
        return solution

    monkeypatch.setattr(small_games, "solve_small", counted)
    return counts


def both_files(game, folder, monkeypatch, **options):
    """The bytes of the file that Python writes, and of the one that compiled kernels write."""
    z.solve(game, folder / "python", **options)
    monkeypatch.setenv(compile_process.TWIN_VARIABLE, "0")
    z.solve(game, folder / "compiled", **options)
    return (folder / "python").read_bytes(), (folder / "compiled").read_bytes()


@pytest.mark.parametrize("wdl", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_the_same_to_the_bit(name, wdl, beside, attempts, tmp_path, monkeypatch):
    game = z.load(name)
    if wdl and game.margin:
        return
    python, compiled = both_files(game, tmp_path, monkeypatch, wdl=wdl)
    assert attempts == [1, 1]
    assert python == compiled


@pytest.mark.parametrize("cls", [FewStairs, Unstaged, Rounds, Rooms, PointRounds, PointRooms])
def test_so_is_that_of_random_games(cls, beside, attempts, tmp_path, monkeypatch):
    python, compiled = both_files(cls(), tmp_path, monkeypatch)
    assert attempts == [1, 1]
    assert python == compiled


def test_a_solution_in_memory(beside, attempts, monkeypatch):
    solution = z.solve(z.load("tic_tac_toe"))
    monkeypatch.setenv(compile_process.TWIN_VARIABLE, "0")
    compiled = z.solve(z.load("tic_tac_toe"))
    assert attempts == [1, 1]
    assert list(solution.items()) == list(compiled.items())
    assert solution.header == compiled.header
    assert z.verify(solution).checked == len(solution)


def test_compiled_kernels_take_over(beside, attempts, monkeypatch):
    monkeypatch.setattr(small_games, "POLL_SECONDS", 0.0)
    beside.add("gather")
    assert z.solve(z.load("tic_tac_toe")).value().outcome == 0
    assert attempts == [0, 1]


def test_a_large_game_is_begun_once(beside, attempts, monkeypatch):
    monkeypatch.setattr(small_games, "MAX_STATES", 100)
    for _ in range(2):
        assert len(z.solve(z.load("tic_tac_toe"))) == 765
    assert attempts == [0, 1]


class Endless(Game):
    """Play goes round, and the game does not say so."""

    def initial(self):
        return 0

    def moves(self, state):
        return (1, 2)

    def play(self, state, move):
        return (state + move) % 5

    def result(self, state):
        return ONGOING


def test_errors_are_those_of_the_compiled_solver(beside, attempts):
    with pytest.raises(GameError, match="although the game does not say loops = True"):
        z.solve(Endless())
    assert attempts == [0, 1]


def test_options_are_checked_first(beside, attempts):
    with pytest.raises(GameError, match="memory"):
        z.solve(z.load("tic_tac_toe"), memory="much")
    with pytest.raises(GameError, match="wdl keeps wins, draws and losses"):
        z.solve(z.load("kalah(pits=2,seeds=2)"), wdl=True)
    assert attempts == [0, 0]


def test_the_work_of_an_earlier_process_is_used(beside, attempts, tmp_path):
    (tmp_path / "x.zermelo.partial").mkdir()
    z.solve(z.load("tic_tac_toe"), tmp_path / "x.zermelo")
    assert attempts == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["x.zermelo"]


def test_games_of_chance_and_numbered_states_wait_for_the_compiler(beside, attempts):
    assert z.solve(z.load("pig(10)")).header.values == "chance"
    assert z.solve(z.load("mu_torere")).header.method == "dense"
    assert attempts == [0, 0]


class Unknown(Game):
    """Take one to three of ten stones; that its rules do not compile is not known before a compiler has tried."""

    def initial(self):
        return 10

    def moves(self, stones):
        return [take for take in sorted((1, 2, 3), key=hex) if take <= stones]

    def play(self, stones, take):
        return stones - take

    def result(self, stones):
        return LOSS if stones == 0 else ONGOING


def test_a_file_of_a_game_that_does_not_compile(beside, attempts, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "kernels"))  # which knows nothing of an error
    z.solve(Unknown(), tmp_path / "x.zermelo")
    assert attempts == [1, 1]
    monkeypatch.setenv(compile_process.TWIN_VARIABLE, "0")
    solution = z.Solution.open(tmp_path / "x.zermelo", Unknown())
    assert [solution.value(stones).outcome for stones in range(11)] == [-1, 1, 1, 1] * 2 + [-1, 1, 1]
    with pytest.warns(z.InterpretedWarning, match="Unknown.moves"):
        assert z.verify(solution).checked == 11
    assert solution.values([4, 5])[0].outcome == -1
    assert z.search(Unknown(), database=solution).value == solution.value()
