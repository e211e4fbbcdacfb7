"""The driver: it knows which tasks can be done now.

All that it knows follows from what is on storage, so it can be killed and started again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from zermelo.game import Game, GameError
from zermelo.solving.cluster.part_format import Keys
from zermelo.solving.cluster.part_storage import PartStorage
from zermelo.solving.cluster.solve_job import (
    EVALUATE,
    EXPAND,
    MERGE,
    MERGED,
    NUMBER,
    PACK,
    SolveJob,
    Task,
    producer_of,
)
from zermelo.solving.cluster.stage_pieces import StageRecordFacts, combined, stage_sections
from zermelo.solving.cluster.stage_plan import SEED, Run, StagePlan, plan_stage
from zermelo.solving.cluster.task_queue import Executor, StageInner, TaskQueue
from zermelo.solving.enumeration.forward_pass import first_key
from zermelo.solving.progress import Progress
from zermelo.solving.solver import MAX_PLIES
from zermelo.solving.storage.archive import Source
from zermelo.solving.storage.store import Store

THREADED_STAGE = 1 << 20
"""Numbers of a stage from which on it gets all threads of a node."""


class ClusterDriver:
    """One solve on a cluster."""

    def __init__(self, game: Game, job: SolveJob, storage: PartStorage, executor: Executor, progress: Progress) -> None:
        self.game = game
        self.job = job
        self.storage = storage
        self.executor = executor
        self.progress = progress
        self.plans: dict[int, StagePlan] = {}
        self.leads: dict[int, set[int]] = {}
        self.sizes: Counter[int] = Counter()
        self.parts: dict[int, dict[int, dict[str, Any]]] = {}
        """The facts of the parts of each stage that are evaluated."""
        self.records: dict[int, StageRecordFacts] = {}
        self.store = Store(None)
        """What the header of the file says of each stage; its arrays are on storage."""
        self.driver_parts: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
        """What the driver has written, should it be damaged."""
        self.divisible = job.plan.order == "acyclic"
        self.queue = TaskQueue(repr(game), executor, storage, job.plan.method == "dense")
        self.queue.restore = self._restore
        self.queue.needs = self._needs

    def run(self) -> None:
        """Do all tasks."""
        if self.job.plan.method == "dense":
            self._solve_numbered()
        else:
            self._enumerate()
            self._evaluate()
        if self.job.plan.step:
            self._merge()

    def sections(self) -> Iterator[tuple[str, Source]]:
        """Yield the sections of the final file."""
        for stage in sorted(self.store.solved):
            label = MERGED if self.job.plan.step else stage
            yield from stage_sections(self.storage, label, stage, self.records[label])

    def repair(self, part: str) -> None:
        """Make a part of the final file again that was damaged when it was read."""
        producer = producer_of(part, self.queue.numbered)
        if producer is None:
            self._restore(part)
            return
        self.storage.remove(producer.result)
        self.queue.finished.discard(producer.result)
        self.queue.run([producer], lambda task, facts: (), self._cpus)

    def _put(self, name: str, facts: dict[str, Any], sections: dict[str, Any] | None = None) -> None:
        self.driver_parts[name] = facts, sections or {}
        if self.storage.facts(name) != facts:
            self.storage.put(name, facts, sections or {})

    def _restore(self, name: str) -> None:
        self.storage.put(name, *self.driver_parts[name])

    def _cpus(self, task: Task) -> int:
        """Return how many CPUs a task takes: all of a node where a stage is not divided."""
        if task.kind == PACK:
            return 1
        if task.kind == NUMBER:
            return self.executor.node_cpus if self.game.size(task.stage) >= THREADED_STAGE else 1
        return 1 if self.divisible and task.kind != MERGE else self.executor.node_cpus

    # -- enumeration ---------------------------------------------------------------------------------------------------

    def _enumerate(self) -> None:
        """Find all states, one stage after the other."""
        words = self.job.packing.words
        first, key = first_key(self.game, self.job.packing)
        self._put(f"runs-{SEED}", {}, {f"to_{first}": Keys(key, words)})
        pending = {first: [Run(SEED, 1, [int(key[0])])]}
        seen: set[tuple[int, int]] = set()
        while pending:
            stage = min(pending)
            found = self._expand(stage, pending.pop(stage))
            for part, facts in sorted(found.items()):
                for to, run in facts["to"].items():
                    if int(to) != stage:
                        runs = pending.setdefault(int(to), [])
                        runs.append(Run(f"{stage}-{part}", run["keys"], run["quantiles"]))
            self._check_depth(found, seen)

    def _expand(self, stage: int, runs: list[Run]) -> dict[int, dict[str, Any]]:
        """Find the states of one stage and their successors. Return the facts of its parts."""
        plan = self._stage_plan(stage, runs)
        self.progress.begin("forward", stage, sum(run.keys for run in runs))
        found: dict[int, dict[str, Any]] = {}

        def done(task: Task, facts: dict[str, Any]) -> Iterable[Task]:
            found[task.part] = facts
            self.progress.states += facts["states"]
            self.progress.advance(facts["states"])
            return ()

        try:
            self.queue.run((Task(EXPAND, stage, part) for part in range(plan.parts)), done, self._cpus)
        except StageInner:
            return self._expand_undivided(stage, runs, found)
        self.plans[stage] = plan
        self.leads[stage] = {int(to) for facts in found.values() for to in facts["to"]} - {stage}
        self.sizes[stage] = sum(facts["states"] for facts in found.values())
        return found

    def _expand_undivided(self, stage: int, runs: list[Run], found: dict[int, Any]) -> dict[int, dict[str, Any]]:
        """Begin a stage again in which moves stay: it is one part, as are all later ones."""
        self.divisible = False
        self.progress.states -= sum(facts["states"] for facts in found.values())
        for name in self.storage.names():
            if name.rpartition("-")[0] in (f"keys-{stage}", f"runs-{stage}"):
                self.storage.remove(name)
                self.queue.finished.discard(name)
        self.storage.remove(f"plan-{stage}")
        return self._expand(stage, runs)

    def _stage_plan(self, stage: int, runs: list[Run]) -> StagePlan:
        """Return the parts of a stage: as an earlier driver has chosen them, or chosen now and stored."""
        known = self.storage.facts(f"plan-{stage}")
        plan = plan_stage(stage, runs, self.executor.workers, self.divisible)
        if known is not None and StagePlan.from_dict(known).sources == plan.sources:
            plan = StagePlan.from_dict(known)
            self.divisible = self.divisible and known["divisible"]
        self._put(f"plan-{stage}", {**plan.to_dict(), "divisible": self.divisible})
        return plan

    def _check_depth(self, found: dict[int, dict[str, Any]], seen: set[tuple[int, int]]) -> None:
        """Raise GameError if the same states occur after more plies, so that play repeats."""
        if not self.job.plan.step:
            return
        states, mix = (sum(facts[kind] for facts in found.values()) % (1 << 64) for kind in ("states", "mix"))
        where = f"solve of {self.game!r}: play"
        if len(seen) > MAX_PLIES:
            raise GameError(f"{where} goes on for more than {MAX_PLIES:,} plies, perhaps for ever.")
        if (states, mix) in seen:
            raise GameError(f"{where} repeats earlier states, although the game does not say loops = True.")
        seen.add((states, mix))

    # -- values --------------------------------------------------------------------------------------------------------

    def _evaluate(self) -> None:
        """Evaluate all stages, each as soon as those are known that it leads to."""
        self.progress.begin("backward", max(self.plans), sum(self.sizes.values()))
        ready = [stage for stage, later in self.leads.items() if not later]
        tasks = (task for stage in sorted(ready, reverse=True) for task in self._stage_tasks(stage))
        self.queue.run(tasks, self._evaluated, self._cpus)

    def _stage_tasks(self, stage: int) -> list[Task]:
        return [Task(EVALUATE, stage, part) for part in range(self.plans[stage].parts)]

    def _evaluated(self, task: Task, facts: dict[str, Any]) -> Iterable[Task]:
        if task.kind == PACK:
            return []
        stage = task.stage
        parts = self.parts.setdefault(stage, {})
        parts[task.part] = facts
        self._advance(stage, facts)
        if len(parts) < self.plans[stage].parts:
            return []
        pieces = self._record(stage, stage, [parts[part] for part in sorted(parts)])
        before = [each for each, later in self.leads.items() if stage in later]
        ready = [each for each in before if self.leads[each] <= self.records.keys()]
        return [task for each in ready for task in self._stage_tasks(each)] + pieces

    def _advance(self, stage: int, facts: dict[str, Any]) -> None:
        states = sum(row[1] for row in facts["counts"])
        self.progress.stage = stage
        self.progress.solved += states
        self.progress.advance(states)

    def _record(self, label: int, stage: int, parts: list[dict[str, Any]]) -> list[Task]:
        """Note that a stage is solved. Return the tasks that pack it."""
        record, solved = combined(stage, parts)
        self.records[label] = record
        if label == MERGED:
            self.store.solved.clear()
        self.store.solved[stage] = solved
        self._put(f"solved-{label}", record.to_dict())
        if self.job.plan.step and label != MERGED:
            return []
        return [Task(PACK, label, piece) for piece in range(record.pieces)]

    def _merge(self) -> None:
        """Make one stage of all plies."""
        self._put("plies", {"parts": [[ply, self.plans[ply].parts] for ply in sorted(self.plans)]})

        def done(task: Task, facts: dict[str, Any]) -> Iterable[Task]:
            return [] if task.kind == PACK else self._record(MERGED, 0, [facts])

        self.queue.run([Task(MERGE, MERGED)], done, self._cpus)

    # -- states that a rule numbers ------------------------------------------------------------------------------------

    def _solve_numbered(self) -> None:
        """Solve the stages that the first one leads to, side by side where none needs another."""
        self.progress.begin("backward", self.job.first, 0)
        self.queue.run(self._begin_numbered(self.job.first), self._numbered, self._cpus)

    def _begin_numbered(self, stage: int) -> list[Task]:
        """Add a stage, and those that it is known to lead to. Return the tasks that can be done now."""
        if stage in self.leads:
            return []
        known = self.storage.facts(f"plan-{stage}")
        leads = self._set_leads(stage, set() if known is None else set(known["leads"]))
        later = [task for each in sorted(leads) for task in self._begin_numbered(each)]
        return later + ([] if leads else [Task(NUMBER, stage)])

    def _set_leads(self, stage: int, leads: set[int]) -> set[int]:
        self.leads[stage] = leads
        self._put(f"plan-{stage}", {"leads": sorted(leads)})
        return leads

    def _needs(self, task: Task, stages: list[int]) -> Iterable[Task]:
        """Let the stages that a task needs be solved, and the task after them."""
        if lower := [stage for stage in stages if stage < task.stage]:
            raise GameError(
                f"solve of {self.game!r}: `stage` goes back from {task.stage} to {lower[0]}; a move never leads to a "
                "lower stage."
            )
        leads = self._set_leads(task.stage, self.leads[task.stage] | set(stages))
        new = [each for stage in stages for each in self._begin_numbered(stage)]
        return new if leads - self.records.keys() else [*new, task]

    def _numbered(self, task: Task, facts: dict[str, Any]) -> Iterable[Task]:
        if task.kind == PACK:
            return []
        self._advance(task.stage, facts)
        pieces = self._record(task.stage, task.stage, [facts])
        ready = [
            Task(NUMBER, stage) for stage, later in self.leads.items()
            if task.stage in later and stage not in self.records and later <= self.records.keys()
        ]  # fmt: skip
        return ready + pieces
