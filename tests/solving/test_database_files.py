"""Solutions in files: what is written comes back, what was changed is refused, and no kill loses a thing."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from test_solve import Race, contents, solved, told

import zermelo as z
from solve_games import Depths, Lots, Overflow, Rooms, Rounds, Squares, Stairs, Turns
from zermelo import LOSS, Game, GameError, Solution
from zermelo.solving import solver
from zermelo.solving.enumeration import number_ranges
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.plan import WDL
from zermelo.solving.storage import checkpoint, store
from zermelo.solving.storage.checkpoint_resume import LayerFormat

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits are those of Unix")

KINDS = [Stairs(), Depths(), Squares(), Lots(), Turns(), Race()]


@pytest.fixture(autouse=True)
def same_date(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")


# -- there and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", KINDS, ids=repr)
def test_what_is_saved_is_what_is_opened(game, tmp_path):
    solution = solved(game) if game.native is None else z.solve(game)
    path = tmp_path / "solution"
    for again in (solution.save(path), Solution.open(path, game), Solution.open(path, game, check=False)):
        assert contents(again) == contents(solution)
        assert again.header == solution.header
        assert (again.counts(), again.distances(), again.longest()) == (
            solution.counts(), solution.distances(), solution.longest(),
        )  # fmt: skip
        for state in list(solution)[:50]:
            assert told(again.value(state)) == told(solution.value(state))
            assert again.moves(state) == solution.moves(state)
    assert [entry.name for entry in tmp_path.iterdir()] == ["solution"]
    assert again.save(tmp_path / "copy").path == tmp_path / "copy"
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("game", KINDS, ids=repr)
def test_the_same_solve_gives_the_same_bytes(game, tmp_path, monkeypatch):
    z.solve(game).save(tmp_path / "saved")
    expected = (tmp_path / "saved").read_bytes()
    for interval in (0, 1e9):
        monkeypatch.setattr(store, "SAVE_INTERVAL", interval)
        for threads in (1, 2):
            z.solve(game, tmp_path / "solved", threads=threads)
            assert (tmp_path / "solved").read_bytes() == expected
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["saved", "solved"]


def test_without_distances_a_file_is_smaller(tmp_path):
    whole, plain = z.solve(Rooms(), tmp_path / "whole"), z.solve(Rooms(), tmp_path / "plain", wdl=True)
    assert {record.bits for record in plain.header.stages} == {2}
    for state, value in whole.items():
        assert plain.value(state).outcome == value.outcome


def test_numbers_that_no_random_game_shows_come_back(tmp_path):
    assert contents(z.solve(Overflow(), tmp_path / "file")) == contents(solved(Overflow()))


def test_the_date_is_the_time_of_writing(tmp_path, monkeypatch):
    assert z.solve(Race(), tmp_path / "file").header.created == "2023-11-14T22:13:20Z"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert z.solve(Race()).header.created > "2024"


# -- files that are not believed -------------------------------------------------------------------------------------


def test_a_file_knows_its_game_where_that_is_one_of_ours(tmp_path):
    z.solve(z.load("tic_tac_toe"), tmp_path / "ttt")
    assert Solution.open(tmp_path / "ttt").game == z.load("tic_tac_toe")
    z.solve(Race(), tmp_path / "race")
    with pytest.raises(
        GameError, match=r"race was made for Race\(\), which is not in the catalog; give the game as well"
    ):
        Solution.open(tmp_path / "race")


class Countdown(Game):
    start: int = 9

    native = False

    def initial(self):
        return self.start

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else z.ONGOING


def test_a_file_of_another_game_or_of_other_rules_is_refused(tmp_path):
    path = tmp_path / "file"
    z.solve(Countdown(), path)
    with pytest.raises(GameError, match=r"file was made for Countdown\(start=9\), not for Race\(\)"):
        Solution.open(path, Race())
    with pytest.raises(GameError, match=r"file was made for Countdown\(start=9\), not for Countdown\(start=8\)"):
        Solution.open(path, Countdown(8))
    rules = {"moves": lambda game, left: range(1, min(left, 3) + 1), "__module__": __name__}
    other = type("Countdown", (Countdown,), rules)()
    with pytest.raises(GameError, match=r"file was made for other rules of Countdown\(start=9\); solve it anew"):
        Solution.open(path, other)


def test_what_is_no_solution_is_refused(tmp_path):
    from zermelo.solving.storage.archive import write

    with pytest.raises(GameError, match="nothing cannot be read: no such file"):
        Solution.open(tmp_path / "nothing", Race())
    with pytest.raises(GameError, match="cannot be read: is a directory"):
        Solution.open(tmp_path, Race())
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(GameError, match="empty is empty"):
        Solution.open(tmp_path / "empty", Race())
    (tmp_path / "letter").write_bytes(b"Dear Zermelo, " * 20)
    with pytest.raises(GameError, match="letter is not a file of Zermelo"):
        Solution.open(tmp_path / "letter", Race())
    write(tmp_path / "other", {"kind": "something else"}, [])
    with pytest.raises(GameError, match="other holds no solution of a game"):
        Solution.open(tmp_path / "other", Race())


def test_every_changed_byte_and_every_cut_is_found(tmp_path):
    path = tmp_path / "file"
    z.solve(Countdown(40), path)
    whole = path.read_bytes()
    for offset in range(len(whole)):
        for changed in (whole[offset] ^ 1 << offset % 8, whole[offset] ^ 0xFF):
            path.write_bytes(whole[:offset] + bytes([changed]) + whole[offset + 1 :])
            with pytest.raises(GameError, match=r"file (is|has) "):
                Solution.open(path, Countdown(40))
        path.write_bytes(whole[:offset])
        with pytest.raises(GameError, match=r"file is "):
            Solution.open(path, Countdown(40))
    path.write_bytes(whole + b"\0")
    with pytest.raises(GameError, match=r"file is damaged"):
        Solution.open(path, Countdown(40))
    path.write_bytes(whole)
    assert len(Solution.open(path, Countdown(40))) == 41


def test_a_changed_block_is_found_when_it_is_read(tmp_path):
    game = Rounds()
    path = tmp_path / "file"
    solved(game).save(path)
    whole = bytearray(path.read_bytes())
    whole[40] ^= 4  # in the first block, which has keys
    path.write_bytes(whole)
    solution = Solution.open(path, game, check=False)
    with pytest.raises(GameError, match="file is damaged: block 0 of 'keys_0' is not as it was written"):
        solution.value()


# -- solves that are interrupted -------------------------------------------------------------------------------------


class Interrupted(Exception):
    pass


def interrupt(monkeypatch, after):
    """Let a solve keep so many layers, and no more."""
    put, names = checkpoint.Checkpoint.put, []

    def limited(self, name, sections=(), /, **items):
        if len(names) == after:
            raise Interrupted
        put(self, name, sections, **items)
        names.append(name)

    monkeypatch.setattr(checkpoint.Checkpoint, "put", limited)
    monkeypatch.setattr(store, "SAVE_INTERVAL", 0)
    return names


def test_what_is_solved_at_once_is_written_once(tmp_path, monkeypatch):
    names = interrupt(monkeypatch, 100)
    monkeypatch.setattr(store, "SAVE_INTERVAL", 1e9)
    z.solve(Rooms(), tmp_path / "file")
    assert names == ["packing"]


def test_keys_that_wait_are_kept_before_they_make_room(tmp_path):
    with checkpoint.Checkpoint(tmp_path / "kept", {"game": "any"}) as layers:
        budget = MemoryBudget()
        keeper = store.Store(layers, LayerFormat(False, WDL, False), budget)
        keys = np.arange(1, 1000) ** 2
        keeper.add_keys(3, keys, set(), 1)
        keeper.end_forward()
        assert keeper.forward_done
        assert not layers.names()
        budget.relieve(keys.nbytes)
        assert "forward-000001" in layers.names()
        assert not keeper.keys
        assert (keeper.keys_of(3, 1) == keys).all()


def test_the_end_of_the_enumeration_does_not_wait_for_what_pending_keys_cost(tmp_path, monkeypatch):
    with checkpoint.Checkpoint(tmp_path / "kept", {"game": "any"}) as layers:
        keeper = store.Store(layers, LayerFormat(False, WDL, False), MemoryBudget())
        keeper.save_cost = 1e6
        keeper.end_forward()
        monkeypatch.setattr(store, "SAVE_INTERVAL", 0)
        assert keeper.due()


def test_keys_that_could_not_be_kept_still_wait(tmp_path, monkeypatch):
    with checkpoint.Checkpoint(tmp_path / "kept", {"game": "any"}) as layers:
        keeper = store.Store(layers, LayerFormat(False, WDL, False), MemoryBudget())
        keeper.add_keys(3, np.arange(1, 1000), set(), 1)
        keeper.end_forward()
        with monkeypatch.context() as patch:
            interrupt(patch, 0)
            with pytest.raises(Interrupted):
                keeper.save_solved()
        keeper.save_solved()
        assert "forward-000002" in layers.names()


def interrupted(game, path, monkeypatch):
    """Leave some layers of a solve."""
    with monkeypatch.context() as patch:
        interrupt(patch, 12)
        with pytest.raises(Interrupted):
            z.solve(game, path)


@pytest.mark.parametrize("game", [Stairs(), Depths(), Squares(), Lots(), Turns(), Overflow()], ids=repr)
def test_a_solve_goes_on_where_it_was(game, tmp_path, monkeypatch):
    monkeypatch.setattr(number_ranges, "RANGE_GAMES", 20)
    z.solve(game, tmp_path / "undisturbed")
    expected = (tmp_path / "undisturbed").read_bytes()
    path = tmp_path / "file"
    with monkeypatch.context() as patch:
        names = interrupt(patch, 1_000_000)
        z.solve(game, path)
        total = len(names)
    path.unlink()
    rounds = 0
    while not path.exists():
        with monkeypatch.context() as patch:
            names = interrupt(patch, 3)
            try:
                z.solve(game, path)
            except Interrupted:
                assert (tmp_path / "file.partial").is_dir()
            rounds += 1
        assert rounds <= total  # each round is three layers farther, however often it is repeated
    assert path.read_bytes() == expected
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "undisturbed"]


def test_no_layer_is_made_twice(tmp_path, monkeypatch):
    game, path, made = Stairs(), tmp_path / "file", []
    stages = {game.stage(state) for state in solved(game)}  # a solve too, which is not to be counted
    closed, solve_stage = solver.ForwardPass._expand_stage, solver.Solver._solve_stage
    monkeypatch.setattr(
        solver.ForwardPass, "_expand_stage", lambda self, stage: made.append(("+", stage)) or closed(self, stage)
    )
    monkeypatch.setattr(
        solver.Solver,
        "_solve_stage",
        lambda self, stage, keys: made.append(("-", stage)) or solve_stage(self, stage, keys),
    )
    rounds = 0
    while not path.exists():
        with monkeypatch.context() as patch:
            interrupt(patch, 4)
            try:
                z.solve(game, path)
            except Interrupted:
                rounds += 1
    assert set(made) == {(way, stage) for way in "+-" for stage in stages}
    assert rounds > 5
    assert len(made) <= len(set(made)) + rounds  # at most one again for each time


def test_a_fresh_solve_begins_anew(tmp_path, monkeypatch):
    path = tmp_path / "file"
    interrupted(Stairs(), path, monkeypatch)
    rounds = []
    for fresh in (True, False):  # there is nothing left to go on with, the second time
        with monkeypatch.context() as patch:
            rounds.append(interrupt(patch, 1_000_000))
            z.solve(Stairs(), path, fresh=fresh)
    assert rounds[0] == rounds[1]
    assert contents(Solution.open(path, Stairs())) == contents(solved(Stairs()))


def test_another_solve_does_not_go_on_with_the_layers_of_this(tmp_path, monkeypatch):
    path = tmp_path / "file"
    interrupted(Stairs(), path, monkeypatch)
    with pytest.raises(GameError, match=r"file.partial holds another solve: its game is 'Stairs\(\)', not 'Rooms\(\)'"):
        z.solve(Rooms(), path)
    with pytest.raises(GameError, match=r"file.partial holds another solve: its wdl is False, not True"):
        z.solve(Stairs(), path, wdl=True)
    z.solve(Stairs(), path)
    assert not (tmp_path / "file.partial").exists()


def test_a_damaged_layer_is_a_sentence_that_says_how_to_go_on(tmp_path, monkeypatch):
    path = tmp_path / "file"
    interrupted(Stairs(), path, monkeypatch)
    identity = tmp_path / "file.partial" / "identity"
    identity.write_bytes(identity.read_bytes()[:-4] + b"lost")
    with pytest.raises(GameError, match=r"identity is damaged: .*; begin anew with --fresh \(fresh=True\)\.$"):
        z.solve(Stairs(), path)
    z.solve(Stairs(), path, fresh=True)
    assert contents(Solution.open(path, Stairs())) == contents(solved(Stairs()))


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path, monkeypatch):
    path = tmp_path / "file"
    z.solve(Stairs(), path)
    old = path.read_bytes()
    interrupted(Stairs(), path, monkeypatch)
    assert path.read_bytes() == old


# -- folders and disks that do not do their part -----------------------------------------------------------------------


def test_a_place_where_nothing_can_be_written_is_a_sentence(tmp_path):
    for game in (Race(), Stairs()):
        with pytest.raises(GameError, match=r"nowhere.* cannot be written: there is no folder"):
            z.solve(game, tmp_path / "nowhere" / "file")
        with pytest.raises(GameError, match="cannot be written: it is a folder"):
            z.solve(game, tmp_path)
        (tmp_path / "plain").write_text("a file")
        with pytest.raises(GameError, match=r"cannot be written: there is no folder .*plain"):
            z.solve(game, tmp_path / "plain" / "file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_a_sentence(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(GameError, match=r"cannot be (made|written): permission denied"):
        z.solve(Stairs(), tmp_path / "file")
    tmp_path.chmod(0o700)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder in which even root writes nothing")
def test_a_folder_of_the_system_is_a_sentence():
    with pytest.raises(GameError, match=r"/proc/file.* cannot be (made|written): |0 bytes of disk"):
        z.solve(Stairs(), "/proc/file")


# -- kills -----------------------------------------------------------------------------------------------------------

HELPER = """
import json, os, random, resource, signal, sys, time
import zermelo as z
from zermelo.solving import game_identity as identity
from zermelo.solving.enumeration import number_ranges
from zermelo.solving.storage import store

game, path, interval, threads = z.load(sys.argv[1]), sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
store.SAVE_INTERVAL = interval
number_ranges.RANGE_GAMES, identity.FINGERPRINT_GAMES = 20, 5  # the same in every process here
z.solve(game, threads=threads)  # so that all children have the machine code

def child(order):
    count = order.get("calls", -1)

    def counted(call):
        def wrapper(*args, **named):
            nonlocal count
            if count == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            count -= 1
            return call(*args, **named)
        return wrapper

    for name in ("replace", "fsync", "unlink", "rmdir", "mkdir"):
        setattr(os, name, counted(getattr(os, name)))
    if "room" in order:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["room"], resource.RLIM_INFINITY))
    try:
        z.solve(game, path, threads=threads)
    except z.GameError as error:
        os.write(writer, str(error).encode())
        os._exit(1)
    os.write(writer, str(-1 - count).encode())
    os._exit(0)

print("ready", flush=True)
for line in sys.stdin:
    order = json.loads(line)
    begun = time.monotonic()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        child(order)
    os.close(writer)
    if "delay" in order:
        time.sleep(order["delay"])
        os.kill(pid, signal.SIGKILL)  # not waited for yet, so nobody else has this number
    _, status = os.waitpid(pid, 0)
    said = os.read(reader, 10000).decode()
    os.close(reader)
    print(json.dumps({"status": status, "said": said, "seconds": time.monotonic() - begun}), flush=True)
"""


class Helper:
    """A process that solves a game into a file as often as it is told, each time in a child of its own."""

    def __init__(self, game, path, interval=0.0, threads=2):
        command = [sys.executable, "-c", HELPER, game, str(path), str(interval), str(threads)]
        self.path = path
        own = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "helpers")}  # where solve_games is
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=own)
        assert self.process.stdout.readline() == "ready\n"

    def solve(self, **order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def undisturbed(self):
        """The bytes of a solve from the beginning, and how long it took."""
        answer = self.solve()
        assert answer["status"] == 0
        whole = self.path.read_bytes()
        self.path.unlink()
        assert not list(self.path.parent.iterdir())
        return whole, answer["seconds"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def test_a_kill_at_any_call_of_the_system_loses_nothing(tmp_path):
    """Each call that changes a folder is the last one once; then the solve goes on."""
    with Helper("tic_tac_toe", tmp_path / "file") as helper:
        expected, _ = helper.undisturbed()
        calls = 0
        while helper.solve(calls=calls)["status"] == signal.SIGKILL:
            assert not helper.path.exists() or helper.path.read_bytes() == expected
            assert helper.solve()["status"] == 0
            assert helper.path.read_bytes() == expected
            helper.path.unlink()
            assert not list(tmp_path.iterdir())
            calls += 13 if calls > 9 else 1
        assert calls > 50


def test_a_solve_that_is_killed_again_and_again_ends_some_time(tmp_path):
    with Helper("tic_tac_toe", tmp_path / "file") as helper:
        expected, _ = helper.undisturbed()
        kills = 0
        while not helper.path.exists():
            assert helper.solve(calls=25)["status"] == signal.SIGKILL
            kills += 1
            assert kills < 100
        assert kills > 2
        assert helper.path.read_bytes() == expected


@pytest.mark.parametrize(
    "game",
    [
        "pig(target=9)",  # chance and loops
        "solve_games:Squares",  # numbered by a rule, with loops
        "solve_games:Turns",  # points, of stages that are numbers of plies
        pytest.param("solve_games:Lots", marks=pytest.mark.slow),  # chance, loops and symmetries, by stages
        pytest.param("solve_games:Boxes", marks=pytest.mark.slow),  # chance and loops, numbered by a rule
        pytest.param("solve_games:Rooms", marks=pytest.mark.slow),  # loops and symmetries
        pytest.param("solve_games:Depths", marks=pytest.mark.slow),  # keys of two words
        pytest.param("solve_games:Scores", marks=pytest.mark.slow),  # points, by stages
        pytest.param("solve_games:Throws", marks=pytest.mark.slow),  # chance without loops
    ],
)
def test_solves_of_every_kind_are_killed_when_they_have_got_somewhere(game, tmp_path):
    """Each kill comes after a part of all calls of the system; of the later ones, stages have been solved."""
    folder = tmp_path / "solved"
    folder.mkdir()
    with Helper(game, folder / "file") as helper:
        calls = int(helper.solve()["said"])
        expected = helper.path.read_bytes()
        helper.path.unlink()
        solved = 0
        for part in (0.3, 0.5, 0.7, 0.85, 0.95):
            assert helper.solve(calls=int(part * calls))["status"] == signal.SIGKILL
            solved += bool(list(folder.glob("file.partial/solved-*.layer")))
            assert helper.solve(calls=int((1 - part) * calls))["status"] in (0, signal.SIGKILL)  # and once more
            assert helper.solve()["status"] == 0
            assert helper.path.read_bytes() == expected
            helper.path.unlink()
            assert not list(folder.iterdir())
        assert solved >= 2


def killed_at_random(helper, kills, within):
    """Kill so many solves, each at a random moment; every file that comes of them is the undisturbed one."""
    chooser = random.Random(4)
    expected, seconds = helper.undisturbed()
    files = survived = 0
    while survived < kills:
        answer = helper.solve(delay=chooser.uniform(0, within * seconds))
        survived += answer["status"] == signal.SIGKILL
        if helper.path.exists():
            assert helper.path.read_bytes() == expected
            helper.path.unlink()
            files += 1
    assert helper.solve()["status"] == 0
    assert helper.path.read_bytes() == expected
    return files


def test_kills_at_random_moments_lose_nothing(tmp_path):
    with Helper("connect_four(width=4,height=4)", tmp_path / "file") as helper:
        killed_at_random(helper, 6, 0.8)


@pytest.mark.slow
def test_fifty_kills_lose_nothing(tmp_path):
    with Helper("connect_four(width=4,height=6)", tmp_path / "file", interval=1.0, threads=1) as helper:
        killed_at_random(helper, 50, 0.5)


def test_a_full_disk_is_a_sentence_and_loses_nothing(tmp_path, monkeypatch):
    with monkeypatch.context() as then:
        then.setenv("SOURCE_DATE_EPOCH", "1")
        older = z.solve(z.load("tic_tac_toe"), tmp_path / "older").path.read_bytes()
    (tmp_path / "older").unlink()
    with Helper("tic_tac_toe", tmp_path / "file") as helper:
        expected, _ = helper.undisturbed()
        assert expected != older
        for room in (100, 1500, 3000):
            helper.path.write_bytes(older)
            answer = helper.solve(room=room)
            assert (answer["status"] >> 8, "cannot be written: file too large" in answer["said"]) == (1, True)
            assert helper.path.read_bytes() == older
            assert not list(tmp_path.glob("**/.writing-*"))
            assert helper.solve()["status"] == 0
            assert helper.path.read_bytes() == expected
