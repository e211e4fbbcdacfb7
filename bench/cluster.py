"""What Ray adds to a solve, and what a second node brings: the same game on threads and on nodes of one CPU each.

    python bench/cluster.py [GAME] [--rounds N]
    python bench/cluster.py [GAME] --virtual 1,2,8

Each way runs in a process of its own, one after the other, and the rounds are interleaved, so that other work on the
machine disturbs all of them alike. A small game is solved first, so that the workers have begun when the clock starts.
CPU seconds are those of the process and of the workers; those of Ray's own processes, which also take some while
they wait, are printed beside them. "1 process" does the tasks of a cluster without Ray.

On a machine that has other work, seconds say little. With --virtual one process does all tasks, and an event simulation
finds when they would end on N nodes of one CPU: a task takes the CPU seconds that it has taken, and begins when
the driver has submitted it and a node is free. What the driver does itself is added.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import zermelo as z
from zermelo.solving.cluster.solve_job import Task
from zermelo.solving.cluster.task_outcomes import Outcome, run_task

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))
from inline_cluster import InlineExecutor, solve_inline

WAYS = ("1 thread", "1 process", "1 node", "2 threads", "2 nodes")
WARM_UP = "connect_four(4,4)"


def cpu_seconds() -> dict[str, float]:
    """Return the CPU seconds of this process and of its workers, and those of Ray's other processes."""
    parents, seconds, names = {}, {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            names[int(folder.name)] = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
        seconds[int(folder.name)] = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    below = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in below} - below:
        below |= more
    working = {each for each in below if names[each].startswith(b"ray::") and b"Agent" not in names[each]}
    working.add(os.getpid())
    return {
        "cpu": sum(seconds[each] for each in working),
        "ray": sum(seconds[each] for each in below - working),
    }


@contextmanager
def cluster(nodes: int) -> Iterator[None]:
    """Connect to nodes of one CPU each, beside a head that has none."""
    import ray
    from ray.cluster_utils import Cluster

    made = Cluster()
    made.add_node(num_cpus=0, include_dashboard=False)
    for _ in range(nodes):
        made.add_node(num_cpus=1)
    try:
        ray.init(made.address, log_to_driver=False, logging_level="ERROR")
        made.wait_for_nodes()
        yield
    finally:
        ray.shutdown()
        made.shutdown()


def measure(way: str, game: str) -> dict[str, float]:
    """Solve a game in one way; return seconds and CPU seconds."""
    count, kind = int(way[0]), way[2:]
    if kind == "process":
        return timed(game, {})
    if kind.startswith("thread"):
        return timed(game, {"threads": count})
    with cluster(count):
        return timed(game, {"on": "ray"})


def timed(game: str, options: dict[str, object]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        solve = z.solve if options else solve_inline
        solve(z.load(WARM_UP), Path(folder, "warm"), **options)
        began, before = time.perf_counter(), cpu_seconds()
        solve(z.load(game), Path(folder, "solution"), **options)
        after = cpu_seconds()
        return {"seconds": time.perf_counter() - began} | {kind: after[kind] - before[kind] for kind in after}


class VirtualNodes(InlineExecutor):
    """Nodes of one CPU each in simulated time: `now` is the time of the driver."""

    def __init__(self, nodes: int) -> None:
        super().__init__(nodes)
        self.node_cpus = 1
        self.now = 0.0
        self._free = [0.0] * nodes
        self._queue: list[tuple[Task, float]] = []
        self._running: list[tuple[float, int, Task, Outcome]] = []
        self._number = 0
        self._since = time.process_time()

    def pass_time(self) -> None:
        """Add the CPU seconds of the driver since it was last looked at."""
        self.now += time.process_time() - self._since
        self._since = time.process_time()

    def submit(self, task: Task, cpus: int) -> None:
        self.pass_time()
        self._queue.append((task, self.now))

    def next_outcome(self) -> tuple[Task, Outcome]:
        self.pass_time()
        for task, submitted in self._queue:
            outcome = run_task(self.job, task, 1, 1.0)
            end = max(heapq.heappop(self._free), submitted) + outcome.seconds
            heapq.heappush(self._free, end)
            self._number += 1
            heapq.heappush(self._running, (end, self._number, task, outcome))
        self._queue.clear()
        end, _, task, outcome = heapq.heappop(self._running)
        self.now = max(self.now, end)
        self._since = time.process_time()
        return task, outcome


def simulate(game: str, nodes: list[int]) -> None:
    """Print how long a solve would take on a number of nodes."""
    first = 0.0
    with tempfile.TemporaryDirectory() as folder:
        solve_inline(z.load(WARM_UP), Path(folder, "warm"))
        for count in nodes:
            executor = VirtualNodes(count)
            states = len(solve_inline(z.load(game), Path(folder, f"nodes{count}"), executor))
            executor.pass_time()
            first = first or executor.now * count
            rate = states / executor.now / 1e6
            print(
                f"{count:3} nodes: {executor.now:6.1f} s, {rate:.1f} M states/s, {first / executor.now:.2f} times",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="connect_four(5,5)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--way", choices=WAYS, help="print one measurement as JSON")
    parser.add_argument("--virtual", metavar="N,N", help="simulate these numbers of nodes of one CPU")
    options = parser.parse_args()
    if options.virtual:
        simulate(options.game, [int(each) for each in options.virtual.split(",")])
        return
    if options.way:
        print(json.dumps(measure(options.way, options.game)))
        return
    found: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    for number in range(options.rounds):
        for way in WAYS:
            command = [sys.executable, __file__, options.game, "--way", way]
            printed = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
            found[way].append(json.loads(printed.splitlines()[-1]))
            print(f"round {number + 1}, {way}: {found[way][-1]}", flush=True)
    median = {
        way: {kind: statistics.median(each[kind] for each in rows) for kind in ("seconds", "cpu", "ray")}
        for way, rows in found.items()
    }
    for way, row in median.items():
        print(f"{way:10} {row['seconds']:7.1f} s {row['cpu']:7.1f} CPU s, {row['ray']:.1f} of Ray's own processes")
    for threads, nodes in (("1 thread", "1 node"), ("1 process", "1 node"), ("2 threads", "2 nodes")):
        ratios = (f"{median[nodes][kind] / median[threads][kind]:.2f} times the {kind}" for kind in ("seconds", "cpu"))
        print(f"{nodes} against {threads}: {', '.join(ratios)}")
    print(f"2 nodes against 1 node: {median['1 node']['seconds'] / median['2 nodes']['seconds']:.2f} times the work")


if __name__ == "__main__":
    main()
