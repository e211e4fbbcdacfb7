"""Solves on a real Ray cluster of this machine: nodes and drivers die, workers run out of memory, parts are damaged."""

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import zermelo as z

GAME_FILE = """
from typing import NamedTuple

from zermelo import LOSS, ONGOING, Game


class Heaps(NamedTuple):
    left: int
    middle: int
    right: int


def smaller(heaps, at, count):
    return heaps[at] - count


class Taking(Game):
    '''Take one to three from a heap; who takes the last one wins.'''

    most: int = 20

    def initial(self):
        return Heaps(self.most, self.most, self.most)

    def moves(self, heaps):
        for at in range(3):
            for count in range(1, 4):
                if heaps[at] >= count:
                    yield 4 * at + count

    def play(self, heaps, move):
        at, count = move >> 2, move & 3
        return Heaps(
            smaller(heaps, 0, count) if at == 0 else heaps.left,
            smaller(heaps, 1, count) if at == 1 else heaps.middle,
            smaller(heaps, 2, count) if at == 2 else heaps.right,
        )

    def result(self, heaps):
        return LOSS if heaps.left + heaps.middle + heaps.right == 0 else ONGOING

    def stage(self, heaps):
        return 3 * self.most - heaps.left - heaps.middle - heaps.right
"""

ENVIRONMENT = {
    "SOURCE_DATE_EPOCH": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": "300",  # where other work delays it
}


@contextmanager
def ray_cluster(nodes, **options):
    """Nodes of one CPU each, beside a head that has none. `on="ray"` finds them."""
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    cluster.add_node(num_cpus=0, include_dashboard=False, object_store_memory=80 << 20, **options)
    cluster.members = [cluster.add_node(num_cpus=1, object_store_memory=80 << 20) for _ in range(nodes)]
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("RAY_ADDRESS", cluster.address)
            yield cluster
    finally:
        cluster.shutdown()


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="module")
def cluster():
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        with ray_cluster(2) as made:
            yield made


def reference(game, tmp_path):
    z.solve(game, tmp_path / "one", threads=1)
    return (tmp_path / "one").read_bytes()


def command(tmp_path, game="taking.py:Taking"):
    """The command line of another process, in a folder that has the game of an author."""
    (tmp_path / "taking.py").write_text(GAME_FILE)
    return subprocess.Popen(
        [sys.executable, "-m", "zermelo", "solve", game, "--on", "ray", "-o", "many", "--nodes", "2"],
        cwd=tmp_path, env=os.environ, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def test_a_class_in_a_file_is_solved_on_two_nodes(cluster, tmp_path):
    """Workers do not see the folder of the file: its class travels with its code and source."""
    process = command(tmp_path)
    printed, _ = process.communicate(timeout=300)
    assert process.returncode == 0, printed
    assert "9,261 states" in printed
    assert (tmp_path / "many").read_bytes() == reference(z.load(f"{tmp_path}/taking.py:Taking"), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect_four(5,4)", "three_mens_morris", "kalah(3,3)", "chess_endgame(KRK)", "nim"])
def test_the_file_is_that_of_one_machine(game, cluster, tmp_path):
    z.solve(z.load(game), tmp_path / "many", on="ray")
    assert (tmp_path / "many").read_bytes() == reference(z.load(game), tmp_path)


@pytest.mark.slow
def test_a_node_that_dies_costs_its_tasks(tmp_path):
    game = z.load("connect_four(5,4)")
    killed = []

    def kill(progress):
        if progress.phase == "backward" and progress.solved > 100_000 and not killed:
            killed.append(progress.solved)
            cluster.remove_node(cluster.members[0], allow_graceful=False)

    with ray_cluster(2) as cluster:
        z.solve(game, tmp_path / "many", on="ray", nodes=2, progress=kill)
    assert killed
    assert (tmp_path / "many").read_bytes() == reference(game, tmp_path)


@pytest.mark.slow
def test_a_driver_that_dies_is_started_again(cluster, tmp_path):
    """What it has left is not computed again: the files stay as they are until all is done."""
    game = z.load("connect_four(5,4)")
    process = command(tmp_path, "connect_four(5,4)")
    deadline = time.monotonic() + 300
    while len(left := parts(tmp_path, "runs")) < 20 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(2)  # Ray ends its workers
    left = parts(tmp_path, "")
    for name in [name for name in left if name.startswith("keys-") and name.replace("keys", "runs") not in left]:
        del left[name]  # its task was killed before it had written its other part, and is done again
    assert len(left) > 30
    assert not (tmp_path / "many").exists()
    seen = []

    def compare(progress):
        now = parts(tmp_path, "")
        if progress.phase == "backward":
            seen.append(progress.solved)
            assert {name: now[name] for name in left} == left

    z.solve(game, tmp_path / "many", on="ray", progress=compare)
    assert len(seen) > 5
    assert (tmp_path / "many").read_bytes() == reference(game, tmp_path)
    assert not parts(tmp_path, "")


def parts(folder, kind):
    """The parts that are there, each with its inode and time."""
    found = {}
    for path in folder.glob(f"many.parts/*/{kind}*.part"):
        try:
            state = path.stat()
        except FileNotFoundError:
            continue
        if not path.name.startswith(("plan-", "solved-")):
            found[path.name] = state.st_ino, state.st_mtime_ns
    return found


@pytest.mark.slow
def test_a_part_that_is_damaged_is_made_again(cluster, tmp_path):
    game = z.load("connect_four(5,4)")
    damaged = []

    def damage(progress):
        if progress.phase == "backward" and not damaged:
            for kind in ("runs-5-0", "keys-9-0", "plan-11"):
                path = next(tmp_path.glob(f"many.parts/*/{kind}.part"))
                data = bytearray(path.read_bytes())
                data[-20] ^= 1
                path.write_bytes(data)
                damaged.append(path.stat().st_mtime_ns)

    z.solve(game, tmp_path / "many", on="ray", progress=damage)
    assert len(damaged) == 3
    assert (tmp_path / "many").read_bytes() == reference(game, tmp_path)


def note_workers(file):
    """Return what every worker calls when it begins: it notes its process."""

    def hook():
        with open(file, "a") as notes:
            notes.write(f"{os.getpid()}\n")

    return hook


@pytest.mark.slow
def test_a_worker_that_runs_out_of_memory_is_replaced(tmp_path):
    """In the middle of the solve one of two workers may take no more memory: it ends, and another one begins."""
    import ray

    game, notes, limited = z.load("connect_four(5,4)"), tmp_path / "workers", []

    def limit(progress):
        if progress.phase == "backward" and not limited:
            limited.append(int(notes.read_text().split()[0]))
            used = int(Path(f"/proc/{limited[0]}/statm").read_text().split()[0]) * resource.getpagesize()
            resource.prlimit(limited[0], resource.RLIMIT_AS, (used + (1 << 20), resource.RLIM_INFINITY))

    with ray_cluster(2):
        ray.init(log_to_driver=False, runtime_env={"worker_process_setup_hook": note_workers(str(notes))})
        try:
            z.solve(game, tmp_path / "many", on="ray", nodes=2, progress=limit)
            process = Path(f"/proc/{limited[0]}/stat")
            assert not process.exists() or process.read_text().split(") ")[1][0] == "Z"
        finally:
            ray.shutdown()
    assert len(notes.read_text().split()) > 2
    assert (tmp_path / "many").read_bytes() == reference(game, tmp_path)


def wait_for_listener(port):
    for _ in range(600):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)


@pytest.mark.slow
def test_a_driver_that_is_no_node(tmp_path):
    """Ray's client is told the address; and one at which nobody listens."""
    game = z.load("connect_four(4,4)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(z.GameError, match=f"127.0.0.1:{port}.* cannot be reached"):
        z.solve(game, tmp_path / "none", on=f"ray://127.0.0.1:{port}")
    with ray_cluster(2, ray_client_server_port=port):
        wait_for_listener(port)
        z.solve(game, tmp_path / "many", on=f"ray://127.0.0.1:{port}", nodes=2)
    assert (tmp_path / "many").read_bytes() == reference(game, tmp_path)


def test_what_a_cluster_cannot_do_is_a_sentence(tmp_path):
    game = z.load("nim")
    with pytest.raises(z.GameError, match="writes to a file"):
        z.solve(game, on="ray")
    with pytest.raises(z.GameError, match="nodes are those of a cluster"):
        z.solve(game, nodes=2)
    with pytest.raises(z.GameError, match="ray://HOST:PORT"):
        z.solve(game, on="slurm")
    missing = "import sys; sys.modules['ray'] = None; import zermelo as z; z.solve(z.load('nim'), 'x', on='ray')"
    done = subprocess.run([sys.executable, "-c", missing], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'pip install "zermelo[cluster]"' in done.stderr.splitlines()[-1]
