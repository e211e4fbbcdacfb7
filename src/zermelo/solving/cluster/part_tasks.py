"""The tasks of a solve: functions of parts on storage, whose results are parts on storage.

    expand     merge the runs that lead to a part into its sorted keys, and write the runs of their successors
    evaluate   value the states of a part by the answers of later parts, and answer the runs that lead here
    number     solve a stage whose states a rule numbers, by all threads of the node
    merge      make one stage of all plies
    pack       write some blocks of the final file

    keys-S-P      the states of a part, sorted
    runs-S-P      their successors by stage, sorted: each once, though several states lead there
    entries-S-P   their entries
    answers-S-P   the entries that the runs of earlier parts ask for, in the order of those runs
    packed-S-I    blocks of the final file

A part whose stage has no other may have moves that stay inside; retrograde analysis then sees the whole stage.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import ONGOING, Game, GameError
from zermelo.native.compilability import known_error
from zermelo.solving.cluster.part_format import Keys, PartFile
from zermelo.solving.cluster.part_lookup import find_places
from zermelo.solving.cluster.part_storage import PartStorage
from zermelo.solving.cluster.solve_job import EVALUATE, EXPAND, MERGE, MERGED, NUMBER, PACK, SolveJob, Task
from zermelo.solving.cluster.stage_pieces import StageRecordFacts, write_piece
from zermelo.solving.cluster.stage_plan import SEED, StagePlan, quantiles_of
from zermelo.solving.enumeration.forward_pass import ForwardPass
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.entries import ENTRY_TYPES, entry_width, pack_entries, unpack_entries
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.solver import Solver
from zermelo.solving.storage.stage_records import SolvedStage
from zermelo.solving.storage.store import Store
from zermelo.word_arrays import Words

SAMPLED_NUMBERS = 256
"""Numbers of a stage whose moves are tried, to find most of the stages that must be solved before it."""


class InnerMoves(Exception):
    """Moves stay in a stage that was divided into parts."""


class NeedsStages(Exception):
    """Stages that must be solved first."""

    def __init__(self, stages: list[int]) -> None:
        super().__init__(stages)
        self.stages = stages


class PartTasks:
    """The tasks of one job in one process."""

    def __init__(self, job: SolveJob, game: Game, threads: int, budget: MemoryBudget) -> None:
        self.job = job
        self.game = game
        self.threads = threads
        self.budget = budget
        self.words = job.packing.words
        self.storage = PartStorage(job.place, job.key)

    def run(self, task: Task) -> dict[str, Any]:
        """Do a task, unless it is done. Return the facts of its last output."""
        done = self.storage.facts(task.result)
        if done is not None:
            return done
        work = {EXPAND: self.expand, EVALUATE: self.evaluate, NUMBER: self.number, MERGE: self.merge, PACK: self.pack}
        facts: dict[str, Any] = work[task.kind](task.stage, task.part)
        if known_error(self.game):
            raise GameError(f"solve of {self.game!r}: {self.game.native_error}.")
        return facts

    def plan(self, stage: int) -> StagePlan:
        return StagePlan.from_dict(self.storage.open(f"plan-{stage}").facts)

    # -- enumeration ---------------------------------------------------------------------------------------------------

    def expand(self, stage: int, part: int) -> dict[str, Any]:
        """Find the states of a part, and their successors."""
        plan = self.plan(stage)
        forward = ForwardPass(self.game, self.job.packing, self._pool(), Progress(None), self.budget)
        low, high = plan.bounds(part)
        for source in plan.sources:
            forward.seed(stage, self.storage.open(f"runs-{source}").keys_between(f"to_{stage}", self.words, low, high))
        _, keys = next(forward.stages())
        if stage in forward.leads[stage] and plan.parts > 1:
            raise InnerMoves
        facts: dict[str, Any] = {"states": len(keys) // self.words}
        self.storage.put(f"keys-{stage}-{part}", facts, {"keys": Keys(keys, self.words)})
        runs = {to: forward.pending_keys(to) for to in sorted(forward.pending)}
        leads = {
            str(to): {"keys": len(run) // self.words, "quantiles": quantiles_of(run, self.words)}
            for to, run in runs.items()
        }
        facts |= {"to": leads, "mix": mixed_sum(keys, self.words) if self.job.plan.step else 0}
        sections = {f"to_{to}": Keys(run, self.words) for to, run in runs.items()}
        self.storage.put(f"runs-{stage}-{part}", facts, sections)
        return facts

    def _pool(self) -> WorkerPool:
        packing, step = self.job.packing, self.job.plan.step
        return WorkerPool(self.threads, len(packing.fields), packing.words, step, rules.state_length(self.game))

    # -- values --------------------------------------------------------------------------------------------------------

    def evaluate(self, stage: int, part: int) -> dict[str, Any]:
        """Find the entries of a part, and those that the runs of earlier parts ask for."""
        keys = self.storage.open(f"keys-{stage}-{part}").array("keys")
        runs = self.storage.open(f"runs-{stage}-{part}")
        store = Store(None, budget=self.budget)
        store.leads = {stage: sorted(map(int, runs.facts["to"]))}
        for later in store.leads[stage]:
            store.leads[later] = []
            store.keys[later] = runs.array(f"to_{later}")
            store.solved[later] = self._answered(later, f"{stage}-{part}", store.keys[later])
        solved = self._solver(store, stage).solve_stage(stage, keys)
        facts = facts_of(solved)
        arrays = arrays_of(solved)
        self.storage.put(f"entries-{stage}-{part}", facts, arrays)
        self._answer(stage, part, keys, facts, arrays)
        return facts

    def _solver(self, store: Store, stage: int) -> Solver:
        job = self.job
        return Solver(
            self.game, job.plan, job.packing, store, first=stage, wdl=job.wdl, threads=self.threads,
            epsilon=job.epsilon, progress=Progress(None), budget=self.budget,
        )  # fmt: skip

    def _answered(self, later: int, source: str, run: Any) -> SolvedStage:
        """Return the successors of a part in a later stage as if they were all of it."""
        plan = self.plan(later)
        counts = plan.counts(run[:: self.words])
        files = [self.storage.open(f"answers-{later}-{part}") for part, count in enumerate(counts) if count]
        return joined(later, [stored_entries(file, source, f"{source}_uppers") for file in files])

    def _answer(self, stage: int, part: int, keys: Any, facts: dict[str, Any], arrays: dict[str, Any]) -> None:
        plan = self.plan(stage)
        low, high = plan.bounds(part)
        answers = {}
        for source in plan.sources:
            if source == SEED:
                continue
            run = self.storage.open(f"runs-{source}").keys_between(f"to_{stage}", self.words, low, high)
            if len(run):
                places = self._places(run, keys)
                answers[source] = arrays["entries"][places]
                if "uppers" in arrays:
                    answers[f"{source}_uppers"] = arrays["uppers"][places]
        self.storage.put(f"answers-{stage}-{part}", facts, answers)

    def _places(self, run: Any, keys: Any) -> Any:
        """Return the places of sorted keys among those of a part."""
        places = Words.zeros(len(run) // self.words)
        found = find_places(self.game, Words(run), 0, len(places), self.words, Words(keys), places)
        assert found == len(places), "a run leads to a state that its part does not have"
        return places.array

    # -- whole stages --------------------------------------------------------------------------------------------------

    def number(self, stage: int, part: int) -> dict[str, Any]:
        """Solve a stage whose states a rule numbers. Raise NeedsStages for those that must be solved first."""
        leads = self.storage.open(f"plan-{stage}").facts["leads"]
        missing = sampled_leads(self.game, stage) - {stage, *leads}
        if missing:
            raise NeedsStages(sorted(missing))
        store = Store(None, budget=self.budget)
        for later in leads:
            file = self.storage.open(f"entries-{later}-0")
            store.solved[later] = joined(later, [stored_entries(file)])
        solver = self._solver(store, self.job.first)

        def missing_stage(where: int) -> None:
            raise NeedsStages([where])

        solver.backward.missing = missing_stage
        solved = solver.solve_stage(stage, None)
        facts = facts_of(solved)
        self.storage.put(f"entries-{stage}-0", facts, arrays_of(solved))
        return facts

    def merge(self, stage: int, part: int) -> dict[str, Any]:
        """Make one stage of all plies."""
        store = Store(None, budget=self.budget)
        for ply, parts in self.storage.open("plies").facts["parts"]:
            names = [f"{ply}-{each}" for each in range(parts)]
            store.keys[ply] = np.concatenate([self.storage.open(f"keys-{name}").array("keys") for name in names])
            files = [self.storage.open(f"entries-{name}") for name in names]
            store.solved[ply] = joined(ply, [stored_entries(file) for file in files])
        self._solver(store, 0).merge_plies()
        solved = store.solved[0]
        facts = facts_of(solved)
        self.storage.put(f"keys-{MERGED}-0", {"states": solved.length}, {"keys": Keys(store.keys[0], self.words)})
        self.storage.put(f"entries-{MERGED}-0", facts, arrays_of(solved))
        return facts

    def pack(self, stage: int, piece: int) -> dict[str, Any]:
        """Write some blocks of the final file."""
        record = StageRecordFacts(**self.storage.open(f"solved-{stage}").facts)
        return write_piece(self.storage, stage, piece, record, 0 if self.job.plan.method == "dense" else self.words)


# -- arrays of entries -------------------------------------------------------------------------------------------------


def facts_of(solved: SolvedStage) -> dict[str, Any]:
    """Return what JSON keeps of some solved states."""
    return {"length": solved.length, "bits": solved.bits, "base": solved.base, "counts": solved.counts}


def arrays_of(solved: SolvedStage) -> dict[str, Any]:
    """Return the entries of some solved states, one item each."""
    if solved.bits == 64:
        return {"entries": solved.entries, "uppers": solved.uppers}
    if solved.bits == 2:
        return {"entries": unpack_entries(solved.entries, 2, solved.length).astype(np.uint8)}
    return {"entries": solved.entries.view(ENTRY_TYPES[solved.bits])[: solved.length]}


Piece = tuple[dict[str, Any], Any, Any]
"""Facts, entries and upper bounds of some states."""


def stored_entries(file: PartFile, entries: str = "entries", uppers: str = "uppers") -> Piece:
    """Return what a part has in these sections."""
    return file.facts, file.array(entries), file.array(uppers)


def joined(stage: int, pieces: list[Piece]) -> SolvedStage:
    """Return the entries of several parts, one after the other, as those of one stage."""
    first = pieces[0][0]
    if first["bits"] == 64:
        entries, uppers = (np.concatenate([piece[kind] for piece in pieces]) for kind in (1, 2))
        return SolvedStage(stage, len(entries), 64, 0, [], entries, uppers)
    base = min(facts["base"] for facts, _, _ in pieces)
    widest = max((codes.dtype for _, codes, _ in pieces), key=lambda dtype: dtype.itemsize)
    shifted = [
        codes if facts["base"] == base else codes.astype(np.int64) + (facts["base"] - base)
        for facts, codes, _ in pieces
    ]
    codes = np.concatenate(shifted) if len(shifted) > 1 else shifted[0]
    greatest = int(codes.max(initial=0))
    bits = 2 if first["bits"] == 2 else max(entry_width(greatest), 8 * widest.itemsize)
    counts = [[greatest, len(codes), len(codes)]]  # a bound of what may be there is all that is asked
    return SolvedStage(stage, len(codes), bits, base, counts, pack_entries(codes, bits))


def mixed_sum(keys: Any, words: int) -> int:
    """Return a sum over mixed keys, by which sets of keys are recognised in whatever parts they are."""
    mixed = np.zeros(len(keys) // words, np.uint64)
    for word in range(words):
        mixed = (mixed ^ keys[word::words].view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
    return int(mixed.sum(dtype=np.uint64))


def sampled_leads(game: Game, stage: int) -> set[int]:
    """Return stages that moves from some states of a stage lead to."""
    size = int(game.size(stage))
    found = set()
    for number in range(0, size, max(1, size // SAMPLED_NUMBERS)):
        try:
            state = game.at(stage, number)
            if game.stage(state) != stage or game.index(state) != number or game.result(state) != ONGOING:
                continue
            found |= {
                int(game.stage(rules.canonical(game, game.play(state, move))))
                for move in rules.legal_actions(game, state)
            }
        except Exception:  # whatever rules do with a number that no state has
            continue
    return found
