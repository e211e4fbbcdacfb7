"""Solving on a cluster: from a game to the file of its solution."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zermelo.game import Game, GameError
from zermelo.native.cache.cache_maintenance import current_version
from zermelo.solving.cluster.cluster_driver import ClusterDriver
from zermelo.solving.cluster.game_transport import PortableGame
from zermelo.solving.cluster.part_format import DamagedPart
from zermelo.solving.cluster.part_storage import PartStorage
from zermelo.solving.cluster.parts_place import is_url
from zermelo.solving.cluster.solve_job import SolveJob, solve_folder
from zermelo.solving.cluster.task_queue import Executor
from zermelo.solving.enumeration.forward_pass import TooNarrow
from zermelo.solving.enumeration.number_ranges import ranges_of
from zermelo.solving.enumeration.state_packing import Packing, Range, widened
from zermelo.solving.plan import Plan
from zermelo.solving.progress import Progress
from zermelo.solving.solution import Solution
from zermelo.solving.storage.archive import write
from zermelo.solving.storage.archive_format import to_json
from zermelo.solving.storage.checkpoint import LOCK, acquire_lock
from zermelo.solving.storage.checkpoint_seal import user_key
from zermelo.solving.storage.database import check_written, make_header, open_solution

SOLVE_FOLDER = re.compile(r"[0-9a-f]{20}")
"""The names of the folders of solves."""


class ClusterSolve:
    """One solve into a file, with its parts on storage that all nodes see."""

    def __init__(
        self,
        game: Game,
        plan: Plan,
        identity: dict[str, Any],
        *,
        place: str,
        wdl: bool,
        epsilon: float,
        memory: int | None,
        trust: bool,
        progress: Progress,
    ) -> None:
        self.game = game
        self.plan = plan
        self.identity = identity
        self.place = place
        self.wdl = wdl
        self.epsilon = epsilon
        self.memory = memory
        self.progress = progress
        self.key = part_key(identity, trust)
        self.root = PartStorage(place, self.key)

    def solve(self, path: Path, executor: Executor, fresh: bool) -> Solution:
        """Solve the game into a file."""
        self.root.create()
        with self._lock():
            if fresh:
                self._remove_parts()
            ranges = self._ranges()
            while True:
                try:
                    return self._solve(path, executor, ranges)
                except TooNarrow as error:
                    ranges = widened(ranges, error.beyond)
                    self._remove_parts()
                    self.root.put("ranges", {**self.identity, "ranges": ranges}, {})

    def _solve(self, path: Path, executor: Executor, ranges: list[Range]) -> Solution:
        packing = None if self.plan.method == "dense" else Packing.fitting(ranges)
        folder = f"{self.place}/{solve_folder({**self.identity, 'ranges': ranges})}"
        job = SolveJob(
            game=PortableGame.of(self.game),
            version=current_version(),
            plan=self.plan,
            packing=packing or Packing((), 1),
            first=int(self.identity["stage"]),
            wdl=self.wdl,
            epsilon=self.epsilon,
            place=folder,
            key=self.key,
            memory=self.memory,
        )
        storage = PartStorage(folder, self.key)
        storage.create()
        executor.job = job
        executor.idle = self.progress.report
        self.progress.states = self.progress.solved = 0
        driver = ClusterDriver(self.game, job, storage, executor, self.progress)
        driver.run()
        while damaged := self._write(path, packing, driver):
            driver.repair(damaged)
        self._discard()
        return open_solution(path, self.game, check=False)

    def _write(self, path: Path, packing: Packing | None, driver: ClusterDriver) -> str | None:
        """Write the file. Return the part of which it is made that was damaged, if one was."""
        self.progress.begin("writing", 0, 0)
        header = make_header(self.game, self.plan, packing, driver.store, self.wdl, self.epsilon).to_dict()
        try:
            write(path, header, driver.sections(), check=lambda file: check_written(file, path, self.game))
        except DamagedPart as error:
            return error.part
        return None

    def _ranges(self) -> list[Range]:
        """Return how wide the numbers of a state are: as an earlier driver has found, or as random games show."""
        if self.plan.method == "dense":
            return []
        known = self.root.facts("ranges")
        if known is not None and all(known.get(name) == value for name, value in self.identity.items()):
            return [Range(*map(int, row)) for row in known["ranges"]]
        return ranges_of(self.game)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Keep other processes out of a folder of this machine. Elsewhere, two drivers do each other no harm."""
        if is_url(self.place):
            yield
            return
        handle = acquire_lock(Path(self.place))
        try:
            yield
        finally:
            os.close(handle)

    def _remove_parts(self) -> None:
        """Remove all parts, those of other rules or options included."""
        for folder in self.root.folders():
            if SOLVE_FOLDER.fullmatch(folder):
                PartStorage(f"{self.place}/{folder}", self.key).clear()
        self.root.remove("ranges")

    def _discard(self) -> None:
        """Remove all that is on storage."""
        self._remove_parts()
        if not is_url(self.place):
            (Path(self.place) / LOCK).unlink(missing_ok=True)
        self.root.clear()


def part_key(identity: dict[str, Any], trust: bool) -> bytes:
    """Return the key of a solve's digests: known to this user alone, or to anybody who trusts the storage."""
    secret = b"" if trust else user_key()
    return hashlib.blake2b(to_json(identity).encode(), key=secret, digest_size=32).digest()


def solve_on_ray(
    solve: ClusterSolve, path: Path, on: str, threads: int | None, nodes: int | None, fresh: bool
) -> Solution:
    """Solve a game on a Ray cluster."""
    from zermelo.solving.cluster.ray_executor import RayExecutor

    executor = RayExecutor(f"solve of {solve.game!r}", on, threads)
    try:
        executor.wait_for_nodes(nodes or 1, solve.progress.report)
        return solve.solve(path, executor, fresh)
    finally:
        executor.close()


def refuse_on_cluster(game: Game, plan: Plan, path: Any) -> None:
    """Raise GameError for a solve that a cluster cannot do."""
    if plan.method == "interpreted":
        raise GameError(f'solve of {game!r}: not on="ray", since {plan.why.rstrip(".")}.')
    if path is None:
        raise GameError(f'solve of {game!r}: on="ray" writes to a file; name one (-o FILE).')
