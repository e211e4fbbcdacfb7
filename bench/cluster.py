"""What Ray adds to a solve, and what a second node brings: the same game on threads and on nodes of one CPU each.

    python bench/cluster.py [GAME] [--rounds N]

Each way runs in a process of its own, one after the other, and the rounds are interleaved, so that other work on the
machine disturbs all of them alike. A small game is solved first, so that the workers have begun when the clock starts.
CPU seconds are those of the process and of the workers; those of Ray's own processes, which also take some while
they wait, are printed beside them. "1 process" does the tasks of a cluster without Ray.
"""

from __future__ import annotations

import argparse
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

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))
from inline_cluster import solve_inline

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="connect_four(5,5)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--way", choices=WAYS, help="print one measurement as JSON")
    options = parser.parse_args()
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
