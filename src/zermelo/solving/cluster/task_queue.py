"""The queue of tasks: those that are done are not done again, those that fail for a reason that passes are repeated."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from zermelo.game import GameError
from zermelo.solving.cluster.part_storage import PartStorage
from zermelo.solving.cluster.solve_job import PACK, SolveJob, Task, producer_of
from zermelo.solving.cluster.task_outcomes import (
    DAMAGED,
    DONE,
    ERROR,
    INNER,
    MEMORY,
    NARROW,
    NEEDS,
    Outcome,
)
from zermelo.solving.enumeration.forward_pass import TooNarrow

MAX_LOSSES = 8
"""How often a task may be lost with its worker before its rules, or its size, are to blame."""

MAX_REPAIRS = 8
"""How often a part may turn out to be damaged."""


class Executor(Protocol):
    """What runs tasks somewhere."""

    job: SolveJob
    workers: int
    """CPUs in all: tasks that run at a time."""
    node_cpus: int
    """CPUs of a node."""
    idle: Callable[[], None]
    """Called now and then while no task ends."""

    def submit(self, task: Task, cpus: int) -> None:
        """Begin a task that takes a number of CPUs."""

    def next_outcome(self) -> tuple[Task, Outcome]:
        """Wait until a task ends."""


Done = Callable[[Task, dict[str, Any]], Iterable[Task]]
"""Called with a task that is done and the facts of its output. Returns tasks that can be done now."""


class StageInner(Exception):
    """Moves stay in a stage that was divided."""

    def __init__(self, stage: int) -> None:
        super().__init__(stage)
        self.stage = stage


class TaskQueue:
    """Tasks that wait, and those that run."""

    def __init__(self, name: str, executor: Executor, storage: PartStorage, numbered: bool) -> None:
        self.name = name
        self.executor = executor
        self.storage = storage
        self.numbered = numbered
        self.finished = storage.names()
        """What an earlier driver has left."""
        self.restore: Callable[[str], None] = lambda part: None
        """Writes a part again that is the driver's."""
        self.needs: Callable[[Task, list[int]], Iterable[Task]] = lambda task, stages: ()
        """Called with a task and the stages that it needs first. Returns tasks that can be done now."""
        self.cpus: Counter[Task] = Counter()
        self.losses: Counter[Task] = Counter()
        self.repairs: Counter[str] = Counter()
        self._blocked: dict[Task, list[Task]] = {}
        """Tasks that make a part again, and those that wait for it."""
        self._waiting: list[tuple[int, int, Task]] = []
        self._number = 0
        self.running = 0
        self.computed = 0
        """Tasks that were run, not found done."""
        self.seconds = 0.0
        """CPU seconds of the workers."""

    def run(self, tasks: Iterable[Task], done: Done, cpus: Callable[[Task], int]) -> None:
        """Do tasks, and those that `done` returns, until none is left."""
        self._add(tasks)
        refused: list[tuple[Task, Outcome]] = []
        while (self._waiting and not refused) or self.running:
            while self._waiting and not refused and self.running < 2 * self.executor.workers:
                task = heapq.heappop(self._waiting)[2]
                facts = self._known(task)
                if facts is not None:
                    self._add(done(task, facts))
                else:
                    self.executor.submit(task, max(cpus(task), self.cpus[task]))
                    self.running += 1
            if not self.running:
                continue
            task, outcome = self.executor.next_outcome()
            self.running -= 1
            self.seconds += outcome.seconds
            if outcome.kind == DONE:
                self.computed += 1
                waiting = self._blocked.pop(task, None)
                self._add(done(task, outcome.detail) if waiting is None else waiting)
            elif outcome.kind in (NARROW, INNER, ERROR):
                refused.append((task, outcome))  # the others end first: the same one is reported every time
            elif outcome.kind == NEEDS:
                self._add(self.needs(task, outcome.detail))
            else:
                self._repeat(task, outcome, cpus)
        self._waiting.clear()
        if refused:
            self._raise(*min(refused, key=lambda each: (each[0].stage, each[0].part)))

    def _add(self, tasks: Iterable[Task]) -> None:
        for task in tasks:
            self._number += 1
            heapq.heappush(self._waiting, (int(task.kind == PACK), self._number, task))

    def _known(self, task: Task) -> dict[str, Any] | None:
        """Return the facts of a task that an earlier driver has finished; None if it has not."""
        return self.storage.facts(task.result) if task.result in self.finished else None

    def _raise(self, task: Task, outcome: Outcome) -> None:
        if outcome.kind == NARROW:
            raise TooNarrow(outcome.detail)
        if outcome.kind == INNER:
            raise StageInner(task.stage)
        raise GameError(outcome.detail)

    # -- what is repeated ----------------------------------------------------------------------------------------------

    def _repeat(self, task: Task, outcome: Outcome, cpus: Callable[[Task], int]) -> None:
        if outcome.kind == DAMAGED:
            self._repair(task, outcome.detail)
            return
        self.losses[task] += 1
        if self.losses[task] == MAX_LOSSES:
            times = f"the task {task} failed {self.losses[task]} times"
            raise GameError(f"solve of {self.name}: {times}: {outcome.detail}.")
        if outcome.kind == MEMORY or self.losses[task] > 1:
            self.cpus[task] = min(2 * max(cpus(task), self.cpus[task]), self.executor.node_cpus)  # fewer beside it
        self._add([task])

    def _repair(self, task: Task, part: str) -> None:
        """Let a part be made again that a task found damaged or missing, and then repeat the task."""
        if self.storage.is_whole(part):  # another task has made it again
            self._add([task])
            return
        self.repairs[part] += 1
        if self.repairs[part] > MAX_REPAIRS:
            raise GameError(f"solve of {self.name}: {part} in {self.storage.place} is damaged again and again.")
        self.storage.remove(part)
        producer = producer_of(part, self.numbered)
        if producer is None:
            self.restore(part)
            self._add([task])
            return
        if producer not in self._blocked:
            self.storage.remove(producer.result)
            self.finished.discard(producer.result)
            self._add([producer])
        self._blocked.setdefault(producer, []).append(task)
