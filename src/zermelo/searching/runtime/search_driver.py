"""The driver of alpha-beta search: one search of one state, by iterative deepening or by an exact proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from zermelo.game import Game, State
from zermelo.limits import Limit
from zermelo.native.compile_process import can_run_beside
from zermelo.native.kernel_dispatch import Kernel
from zermelo.searching.alphabeta.transposition_table import TranspositionTable
from zermelo.searching.chance.chance_sampling import ALL_OUTCOMES, ChanceSampling
from zermelo.searching.principal_variation import GRACE_SECONDS, extend_lines, to_line
from zermelo.searching.report import Report
from zermelo.searching.runtime.deepening_state import DeepeningState
from zermelo.searching.runtime.iterative_deepening import deepen
from zermelo.searching.runtime.mtd_bisection import Query, can_prove, prove_root
from zermelo.searching.runtime.parallel_workers import WorkerPool
from zermelo.searching.runtime.proof_state import ProofState
from zermelo.searching.runtime.search_lifecycle import SearchLifecycle
from zermelo.searching.runtime.search_threads import run_on_workers
from zermelo.searching.runtime.search_worker import RootMove, Worker, ready, search_kernel, too_deep
from zermelo.searching.runtime.tablebase_probing import original
from zermelo.searching.runtime.thread_memory import MAX_NODES, MAX_PLY
from zermelo.value import Score

FIRST_LOOK_NODES = 20_000
"""Nodes that an exact search which may be stopped spends on deepening first, to have a good move."""

PROOF_DEPTH = 12
"""The depth of a round after which proofs are tried between rounds. With 12 million nodes, 24 of 30 positions of
Connect Four after 4 to 8 plies were proven so, and 9 without; Breakthrough and Hex 7x7 do not get that deep at first.
"""


class AlphaBetaSearch(SearchLifecycle):
    """Iterative deepening, or an exact proof, on several threads.

    `tell` is called with a report after each round, by the thread that finished it, one at a time. The table grows with
    the search if it `grows`, and has its whole size from the start if not.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        limit: Limit,
        table: TranspositionTable,
        lines: int = 1,
        *,
        exact: bool = False,
        threads: int = 1,
        start: float | None = None,
        sampling: ChanceSampling = ALL_OUTCOMES,
        grows: bool = False,
        history: Sequence[State] = (),
        tell: Callable[[Report], None] | None = None,
    ) -> None:
        super().__init__(game, state, limit, start)
        self.pool = WorkerPool(
            game,
            state,
            limit,
            table,
            threads=threads,
            sampling=sampling,
            grows=grows,
            root_on_path=lines == 1,
            history=history,
        )
        self.deepening = DeepeningState(lines, min(limit.depth or MAX_PLY, MAX_PLY))
        self.proof = ProofState(exact, not exact and limit.depth is None and lines == 1 and can_prove(game))
        self.tell = tell
        self.told_depth = 0
        """Depth of the last report of an interpreted twin; reports up to there are not told again."""
        self.over = False

    # -- lifecycle -----------------------------------------------------------------------------------------------------

    @property
    def kernel(self) -> Kernel:
        return search_kernel(self.game)

    def compile(self) -> bool:
        return ready(self.game, self.state, self.pool.table)

    @property
    def finished(self) -> bool:
        return self.over or self.stopped or self.pool.out_of_nodes

    @property
    def workers(self) -> list[Worker]:
        return self.pool.workers

    def _forget_twin(self, twin: SearchLifecycle) -> None:
        assert isinstance(twin, AlphaBetaSearch)
        self.told_depth = twin.deepening.depth

    def _new_twin(self) -> AlphaBetaSearch | None:
        pool = self.pool
        if pool.threads > 1 or not can_run_beside(self.game, [self.kernel]):
            return None
        return AlphaBetaSearch(
            self.game,
            self.state,
            self.limit,
            pool.shared.copy_before(),
            self.deepening.count,
            exact=self.proof.exact,
            sampling=pool.sampling,
            grows=pool.grows,
            history=pool.history,
            tell=self.tell,
        )

    def _answer_by(self, twin: SearchLifecycle) -> Report:
        """The report of the twin, whose table is left to the next search: it does not depend on who has answered."""
        assert isinstance(twin, AlphaBetaSearch)
        report = super()._answer_by(twin)
        self.pool.shared.keep(twin.pool.shared.words)
        return report

    @property
    def equals_compiled(self) -> bool:
        """Proofs between rounds are for compiled searches only, so those that have begun them differ."""
        proved = self.proof.between_rounds and self.deepening.depth > PROOF_DEPTH
        return (self.over or self.pool.out_of_nodes) and self.has_answer and not (proved or self.paused)

    @property
    def has_answer(self) -> bool:
        return bool(self.workers)

    def finish(self) -> None:
        """End the search because there is nothing left to search."""
        with self.lock:
            self.over = True
            self.pool.interrupt()

    def _prepare(self, compiled: bool) -> None:
        """Start workers, unless interpreted ones are to continue; the lines of former ones are decoded."""
        if self.workers and (not compiled or self.finished):
            return
        with self.lock:
            if self.workers:
                former = self.workers[0]
                decoded = [found._replace(line=former.decode_moves(found.line)) for found in self.deepening.lines]
                self.deepening.lines = decoded
            self.pool.start(compiled)
            self.deepening.lines = self.deepening.lines or [RootMove(0, (self.workers[0].moves[0],))]
            if self.stopped:
                self.pool.stop()

    def _search(self) -> None:
        if not self.proof.exact:
            run_on_workers(self, deepen)
            return
        self._prove()
        if self.proof.too_deep and self.limit.unlimited:
            raise too_deep(self.game, self.state)

    def _search_interpreted(self) -> None:
        deepen(self, self.workers[0])

    def _stop_kernels(self) -> None:
        self.pool.stop()

    def _pause_kernels(self) -> None:
        self.pool.interrupt()

    def _resume_kernels(self) -> None:
        """Workers resume when they are given something to do (`_is_free`)."""

    def _is_free(self, worker: Worker) -> bool:
        """Make a worker ready for another kernel, and return whether it may run one."""
        worker.resume()
        return not (self.over or self.paused or worker.halted or worker.out_of_nodes)

    # -- rounds of deepening -------------------------------------------------------------------------------------------

    def next_depth(self, worker: Worker) -> int | None:
        """The depth of a worker's next round; None if the search is finished or paused."""
        with self.lock:
            return self.deepening.next_depth(worker) if self._is_free(worker) else None

    def merged(self, found: list[RootMove]) -> list[RootMove]:
        """Merge lines with the exact ones of earlier rounds; best first."""
        with self.lock:
            return self.deepening.merged(found)

    def finish_round(self, depth: int, found: list[RootMove]) -> None:
        """Record a round, unless another thread was faster."""
        with self.lock:
            if depth <= self.deepening.depth or self.over:
                return
            self.deepening.add_round(depth, self.pool.nodes)
            found = self.merged(found)
            self.deepening.lines = self.proof.corrected(found)
            if all(line.exact for line in found) or depth >= self.deepening.max_depth:
                self.finish()
                return
            for worker in self.workers:
                if worker.target_depth <= depth:
                    worker.interrupt()
            self._tell()

    def keep_unfinished(self, found: list[RootMove], untried: list[int]) -> None:
        """Record the lines of a round that was cut short."""
        if found:
            with self.lock:
                self.deepening.lines = self.proof.corrected(self.deepening.merged_unfinished(found, untried))

    def preview(self, found: list[RootMove]) -> None:
        """Report a better move before the round is over."""
        with self.lock:
            self._tell(lambda: self.proof.corrected(self.merged(found)))

    # -- proofs --------------------------------------------------------------------------------------------------------

    def _prove(self) -> None:
        """Prove the value, after a short search by deepening if the proof may be cut short."""
        worker = self.workers[0]
        if self.tell is not None or not self.limit.unlimited:
            max_nodes = worker.memory[MAX_NODES]
            worker.memory[MAX_NODES] = min(max_nodes, FIRST_LOOK_NODES)
            deepen(self, worker)
            worker.memory[MAX_NODES] = max_nodes
        if not self.over:
            self.proof.begin(worker, self.deepening.count)
            run_on_workers(self, prove_root)

    def prove_between_rounds(self, worker: Worker) -> None:
        """Try to prove who wins between two rounds, for as many nodes as the last round took.

        Who wins may be far cheaper to prove than how soon. The table keeps the results for the next try, and for the
        rounds.
        """
        idle = self.finished or self.proof.too_deep or self.deepening.depth < PROOF_DEPTH
        if idle or not (self.proof.between_rounds and worker.compiled and worker.number == 0):
            return
        self.proof.begin(worker, self.deepening.count)
        max_nodes, before = worker.memory[MAX_NODES], worker.nodes
        worker.target_depth = self.deepening.max_depth  # no round of another thread interrupts the proof
        worker.memory[MAX_NODES] = min(max_nodes, before + self.deepening.rounds[-1])
        prove_root(self, worker)
        worker.memory[MAX_NODES], worker.query = max_nodes, None
        with self.lock:
            self.deepening.exclude_nodes(worker.nodes - before)

    def next_query(self, worker: Worker) -> Query | None:
        """The next test of the proof; None if the search is finished or paused."""
        with self.lock:
            if not self._is_free(worker) or self.proof.too_deep:
                return None
            worker.query = self.proof.proof.next_query()
            return worker.query

    def record(self, query: Query, score: int, line: tuple[int, ...]) -> None:
        """Record the result of a test, unless another thread was faster."""
        proof = self.proof.proof
        with self.lock:
            if self.over or not proof.is_open(query):
                return
            proof.record(query, score, line)
            self.deepening.lines = self.proof.best_lines(self.deepening.lines)
            if proof.complete:
                self.finish()
                return
            for worker in self.workers:
                if worker.query is not None and not proof.is_open(worker.query):
                    worker.interrupt()
            self._tell()

    def give_up_proof(self) -> None:
        """End the proof because a line is too long to be proven."""
        self.proof.too_deep = True
        if self.proof.exact:
            self.finish()

    # -- reports -------------------------------------------------------------------------------------------------------

    def now(self) -> Report | None:
        """A report of the current state of the search; None before there is a move."""
        if isinstance(twin := self.twin, AlphaBetaSearch):
            return twin.now()
        with self.lock:
            return self._report(self.deepening.lines) if self.workers else None

    def _tell(self, lines: Callable[[], list[RootMove]] | None = None) -> None:
        """Tell a report of these lines, of the best so far if not given."""
        if self.tell is not None and (self.proof.exact or self.deepening.depth > self.told_depth):
            self.tell(self._report(self.deepening.lines if lines is None else lines()))

    def _final_report(self) -> Report:
        patient = self.limit.nodes is None and self.limit.seconds is None
        self.deepening.lines = extend_lines(self.workers[0], self.deepening.lines, GRACE_SECONDS, patient=patient)
        self.pool.keep_table()
        return self._report(self.deepening.lines)

    def _report(self, found: list[RootMove]) -> Report:
        return Report(
            game=original(self.game),
            state=self.state,
            lines=tuple(to_line(self.workers[0], each) for each in found),
            depth=self.deepening.depth,
            nodes=self.pool.nodes,
            seconds=time.perf_counter() - self.start,
            rounds=tuple(self.deepening.rounds),
            bounds=self._bounds(found[0]),
        )

    def _bounds(self, best: RootMove) -> tuple[Score, Score]:
        if best.exact and not self.pool.sampling.samples:
            return best.score, best.score
        return self.proof.bounds
