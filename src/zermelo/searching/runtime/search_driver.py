"""Search: one search of one state, from its first move to its last report."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from zermelo.game import Game, State
from zermelo.limits import Limit
from zermelo.searching.chance.chance_sampling import WHOLE, Draws
from zermelo.searching.principal_variation import GRACE, followed, shown
from zermelo.searching.report import Report
from zermelo.searching.runtime.background_compilation import compiled_meanwhile
from zermelo.searching.runtime.iterative_deepening import deepen
from zermelo.searching.runtime.mtd_bisection import Proof, Question, provable, prove
from zermelo.searching.runtime.search_threads import deadline, time_left, together
from zermelo.searching.runtime.search_worker import Found, Worker, ready, too_long
from zermelo.searching.runtime.tablebase_probing import original
from zermelo.searching.runtime.thread_memory import DEEPEST, MOST
from zermelo.value import DECISIVE, INFINITY, Score
from zermelo.word_arrays import Words

UNBOUNDED = 1 << 62
LOOK = 20_000
"""Nodes that an exact search which may be stopped spends on deepening first, for a good move to leave behind."""

DEEP = 12
"""Plies of a round after which a proof to the end is tried between rounds. With 12 million nodes, 24 of 30 positions of
Connect Four after 4 to 8 plies were settled so, and 9 without; Breakthrough and Hex 7x7 do not get that deep at first.
"""


class Search:
    """The best lines of a state so far, fed by the threads that look for better ones.

    The clock runs from `start` on, though there may be no machine code yet; without a start, from when there is. `tell`
    is called with a report after each round, by whichever thread finished it, one at a time. The table grows with the
    search where it has `room`, in megabytes.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        limit: Limit,
        table: Words,
        lines: int = 1,
        *,
        exact: bool = False,
        threads: int = 1,
        start: float | None = None,
        draws: Draws = WHOLE,
        room: float = 0,
        tell: Callable[[Report], None] | None = None,
    ) -> None:
        self.game = game
        self.state = state
        self.limit = limit
        self.table = table
        self.count = lines
        self.exact = exact
        self.threads = threads
        self.draws = draws
        self.room = room
        self.hurry = start is not None
        self.tell = tell
        self.deepest = min(limit.depth or DEEPEST, DEEPEST)
        self.lock = threading.RLock()
        self.news = threading.Event()
        self.workers: list[Worker] = []
        self.over = self.paused = self.stopped = self.too_long = False
        self.lines: list[Found] = []
        self.depth = 0
        self.rounds: list[int] = []
        self.proof: Proof | None = None
        self.provable = not exact and limit.depth is None and lines == 1 and provable(game)
        self.start = time.perf_counter() if start is None else start
        self._counted = self._former = 0

    def run(self) -> Report:
        """Search until the value is proven, the limit is reached or somebody stops it: the last report."""
        compiled = False
        if not self.hurry:
            compiled = self.ready()
            self.start = time.perf_counter()
        with deadline(self.seconds_left(), self.stop):
            if self.hurry:
                compiled = compiled_meanwhile(self)
            if not self.workers or (compiled and not self.finished):
                self.hire(compiled)
            self.resume()
            if self.exact:
                self._prove()
                if self.too_long and self.limit.unlimited:
                    raise too_long(self.game, self.state)
            else:
                together(self, deepen)
            return self._last_report()

    def ready(self) -> bool:
        """Have machine code for the search; False if it must be interpreted."""
        return ready(self.game, self.state, self.table)

    def interpret(self) -> None:
        """Go on deepening without machine code, until it is paused."""
        if not self.workers:
            self.hire(compiled=False)
        deepen(self, self.workers[0])

    def seconds_left(self, part: float = 1) -> float | None:
        """How long until this part of the time is over; None where there is no limit of time."""
        return time_left(self.limit, self.start, part)

    def stop(self) -> None:
        """End the search at its next node."""
        with self.lock:
            self.stopped = True
            for worker in self.workers:
                worker.stop()
        self.news.set()

    def pause(self) -> None:
        """Give up the present round, and begin no other until `resume`."""
        with self.lock:
            self.paused = True
            for worker in self.workers:
                worker.interrupt()

    def resume(self) -> None:
        """Go on after a pause."""
        with self.lock:
            self.paused = False
            if not self.stopped:
                self.news.clear()

    def finish(self) -> None:
        """There is no more to do: every thread gives up what it is at."""
        with self.lock:
            self.over = True
            for worker in self.workers:
                worker.interrupt()

    def give_up(self) -> None:
        """The play goes on for too long to be proven."""
        self.too_long = True
        if self.exact:
            self.finish()

    @property
    def finished(self) -> bool:
        """Whether its threads have nothing left to do, or may not do it."""
        return self.over or self.stopped or all(worker.spent for worker in self.workers)

    @property
    def nodes(self) -> int:
        return self._former + sum(worker.nodes for worker in self.workers)

    # -- threads ---------------------------------------------------------------------------------------------------

    def hire(self, compiled: bool) -> None:
        """A worker for each thread, who go on from where others were; interpreted there is one, as Python runs one."""
        count = self.threads if compiled else 1
        with self.lock:
            if self.workers:
                former = self.workers[0]
                self.lines = [found._replace(line=former.moves_of(found.line)) for found in self.lines]
                self._former = former.nodes
                self.table = former.table
            left = max(1, self.limit.nodes - self._former) if self.limit.nodes else UNBOUNDED
            self.workers = [self._worker(compiled, number, count, left) for number in range(count)]
            self.lines = self.lines or [Found(0, (self.workers[0].moves[0],))]
            if self.stopped:
                self.stop()

    def _worker(self, compiled: bool, number: int, count: int, nodes: int) -> Worker:
        return Worker(
            self.game,
            self.state,
            self.table,
            compiled=compiled,
            nodes=-(-nodes // count),
            number=number,
            threads=count,
            draws=self.draws,
            room=self.room,
            rooted=self.count == 1,
        )

    def _prove(self) -> None:
        worker = self.workers[0]
        if self.tell is not None or not self.limit.unlimited:
            most = worker.memory[MOST]
            worker.memory[MOST] = min(most, LOOK)
            deepen(self, worker)
            worker.memory[MOST] = most
        if not self.over:
            self.proof = Proof(worker, self.count)
            together(self, prove)

    def prove_between(self, worker: Worker) -> None:
        """Between two rounds, try to prove who wins, for as many nodes as the last one took.

        Whether a game is won may be far cheaper to know than how soon. What is found stays in the table for the next
        try, and for the rounds.
        """
        idle = self.finished or self.too_long or self.depth < DEEP
        if idle or not (self.provable and worker.compiled and worker.number == 0):
            return
        self.proof = self.proof or Proof(worker, self.count)
        most, before, worker.goal = worker.memory[MOST], worker.nodes, self.deepest  # no other's round interrupts it
        worker.memory[MOST] = min(most, before + self.rounds[-1])
        prove(self, worker)
        worker.memory[MOST], worker.question = most, None
        with self.lock:
            self._counted += worker.nodes - before  # these are not the next round's

    def _free(self, worker: Worker) -> bool:
        """Whether a thread may begin something new; it is ready for it then."""
        worker.resume()
        return not (self.over or self.paused or worker.halted or worker.spent)

    # -- rounds of deepening -----------------------------------------------------------------------------------------

    def next_depth(self, worker: Worker) -> int | None:
        """How deep a thread should search now; every other one looks a ply farther ahead."""
        with self.lock:
            if not self._free(worker):
                return None
            worker.goal = min(self.depth + 1 + worker.number % 2, self.deepest)
            return worker.goal

    def finish_round(self, depth: int, found: list[Found]) -> None:
        """Take over what a thread found, unless another was there before."""
        with self.lock:
            if depth <= self.depth or self.over:
                return
            self.rounds += [0] * (depth - self.depth - 1) + [self.nodes - self._counted]
            self._counted = self.nodes
            found = self.merged(found)
            self.lines, self.depth = self._proven(found), depth
            if all(line.exact for line in found) or depth >= self.deepest:
                self.finish()
                return
            for worker in self.workers:
                if worker.goal <= depth:
                    worker.interrupt()
            self._tell()

    def keep_unfinished(self, found: list[Found], rest: list[int]) -> None:
        """What a round that was cut short is worth: its lines among those of the last one, best first.

        Where all that are known lose, a move that was not tried is better, though it promised no more than the last.
        """
        if not found:
            return
        with self.lock:
            taken = [line.line[0] for line in found]
            former = [line for line in self.lines if line.line[0] not in taken]
            untried = [move for move in rest if move not in [line.line[0] for line in former]]
            lines = self.merged([*found, *former])
            if lines[0].score <= -DECISIVE and untried:
                lines.insert(0, Found(self.lines[-1].score, (untried[0],)))
            self.lines = self._proven(lines[: self.count])

    def merged(self, found: list[Found]) -> list[Found]:
        """These lines, best first, with the exact ones among the last: nothing that is found later changes those."""
        with self.lock:
            exact = {line.line[0]: line for line in self.lines if line.exact}
            lines = [exact.pop(line.line[0], line) for line in found]
            return sorted([*lines, *exact.values()], key=lambda line: (-line.score, not line.exact))[: self.count]

    def preview(self, found: list[Found]) -> None:
        """Tell of a better move before the round is over."""
        if self.tell is not None:
            with self.lock:
                self.tell(self._report(self._proven(self.merged(found))))

    # -- questions of a proof ----------------------------------------------------------------------------------------

    @property
    def favourite(self) -> int | None:
        """The best move as far as is known, where it is more than the first of the list."""
        return self.lines[0].line[0] if self.depth else None

    def next_question(self, worker: Worker) -> Question | None:
        assert self.proof is not None
        with self.lock:
            if not self._free(worker) or self.too_long:
                return None
            worker.question = self.proof.next()
            return worker.question

    def answer(self, asked: Question, score: int, line: tuple[int, ...]) -> None:
        """Take over what a thread found out, unless another was there before."""
        assert self.proof is not None
        with self.lock:
            if self.over or not self.proof.open(asked):
                return
            self.proof.answer(asked, score, line)
            between = not self.exact and not self.proof.complete
            self.lines = self._proven(self.lines) if between else self.proof.best_lines(self.lines)
            if self.proof.complete:
                self.finish()
                return
            for worker in self.workers:
                if worker.question is not None and not self.proof.open(worker.question):
                    worker.interrupt()
            self._tell()

    def _proven(self, found: list[Found]) -> list[Found]:
        """The lines of a round, corrected by what is proven between rounds."""
        if self.exact or self.proof is None or self.proof.complete:
            return found
        return self.proof.corrected(found)

    # -- the answer --------------------------------------------------------------------------------------------------

    def now(self) -> Report | None:
        """What is known at this moment, with the nodes so far; None before there is a move."""
        with self.lock:
            return self._report(self.lines) if self.workers else None

    def _tell(self) -> None:
        if self.tell is not None:
            self.tell(self._report(self.lines))

    def _last_report(self) -> Report:
        self.lines = followed(self.workers[0], self.lines, GRACE)
        return self._report(self.lines)

    def _report(self, found: list[Found]) -> Report:
        return Report(
            game=original(self.game),
            state=self.state,
            lines=tuple(shown(self.workers[0], each) for each in found),
            depth=self.depth,
            nodes=self.nodes,
            seconds=time.perf_counter() - self.start,
            rounds=tuple(self.rounds),
            bounds=self._bounds(found[0]),
        )

    def _bounds(self, best: Found) -> tuple[Score, Score]:
        if best.exact and not self.draws.samples:
            return best.score, best.score
        return (-INFINITY, INFINITY) if self.proof is None else self.proof.bounds
