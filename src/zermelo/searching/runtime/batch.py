"""Many states proven in one compiled call."""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import Any, overload

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.searching.alphabeta.null_window import prove_many
from zermelo.searching.alphabeta.transposition_table import SMALL, full, grown, new_table
from zermelo.searching.report import Line, Report
from zermelo.searching.runtime.move_encoding import are_ints, moves_of
from zermelo.searching.runtime.search_driver import Search
from zermelo.searching.runtime.search_worker import check_payoffs, too_long
from zermelo.searching.runtime.tablebase_probing import attach_tablebase, original
from zermelo.searching.runtime.thread_memory import AGE, MOST, NODES, STOP, WIDEST, new_memory
from zermelo.value import Value
from zermelo.word_arrays import Words


@dataclass(frozen=True)
class Reports(Sequence[Report]):
    """The answers about many states: a list of Reports, each made when it is looked at."""

    game: Game
    states: Sequence[State]
    answers: Any
    """Rows of scores, best moves and nodes."""
    seconds: float
    """The time that a state took, on average."""
    ints: bool = True
    """Whether the moves are those of the kernel."""

    def __len__(self) -> int:
        return len(self.states)

    @overload
    def __getitem__(self, i: int) -> Report: ...
    @overload
    def __getitem__(self, i: slice) -> list[Report]: ...
    def __getitem__(self, i: int | slice) -> Report | list[Report]:
        if isinstance(i, slice):
            return [self[k] for k in range(len(self))[i]]
        state = self.states[i]
        score, move, nodes = self.answers[:, i].tolist()
        if not self.ints:
            (move,) = moves_of(self.game, state, (move,))
        value = Value.of(score, exact=True, margin=self.game.margin).seen_by(rules.mover(self.game, state))
        return Report(
            original(self.game), state, (Line(value, (move,)),), 0, nodes, self.seconds, bounds=(score, score)
        )

    def __iter__(self) -> Iterator[Report]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return repr(list(self))


class Batch:
    """States of one game, as rows of words, and what is found out about them."""

    def __init__(self, game: Game, states: Sequence[State], megabytes: float, check: Callable[[State], State]) -> None:
        import numpy as np

        self.game = game
        self.states = states
        self.megabytes = megabytes
        self.check = check
        self.rows = _rows(states, game.initial())
        self.answers = np.zeros((3, len(states)), np.int64)
        self.memories: list[Words] = []
        self.lock = threading.Lock()
        self.stopped = False

    def compiled(self) -> bool:
        """Whether the batch can run as machine code."""
        if self.rows is None:
            return False
        arguments = self.rows[:0], *(row[:0] for row in self.answers), 1.0, new_table(0), _memory(1, 1)
        return bool(prove_many.ready(self.game, *arguments))

    def prove(self, threads: int) -> Reports:
        """Scores, moves and nodes of all states; several threads take them by turns."""
        start = time.perf_counter()
        count = len(self.states)
        if threads == 1:
            self._prove_part(slice(0, count), new_table(min(SMALL, self.megabytes)))
        else:
            table = new_table(self.megabytes)
            size = max(1, count // (8 * threads))
            parts = [slice(first, min(first + size, count)) for first in range(0, count, size)]
            with ThreadPoolExecutor(threads) as pool:
                try:
                    list(pool.map(lambda part: self._prove_part(part, table), parts))
                except BaseException:
                    self.stop()
                    raise
        seconds = (time.perf_counter() - start) / count
        return Reports(self.game, self.states, self.answers, seconds, are_ints(self.game, self.states[0]))

    def stop(self) -> None:
        """Give up at the next node."""
        with self.lock:
            self.stopped = True
            for memory in self.memories:
                memory[STOP] = 1

    def _prove_part(self, part: slice, table: Words) -> None:
        """Prove some of the states; the table grows as it fills, and rows of moves where a state has more."""
        done, width = part.start, 64
        while True:
            memory = self._new_memory(width, 1 << 62 if full(table, self.megabytes) else len(table))
            rest = slice(done, part.stop)
            done += prove_many.call_compiled(
                self.game, self.rows[rest], *(row[rest] for row in self.answers), 1.0, table, memory
            )
            if done == part.stop or self.stopped:
                return
            check_payoffs(self.game, self.states[done], memory)
            self.check(self.states[done])
            if memory[WIDEST]:
                width = 2 * memory[WIDEST]
            elif memory[NODES] >= memory[MOST]:
                table = grown(self.game, table, self.megabytes, lambda: self.stopped)
            else:
                raise _beyond_proof(self.game, self.states[done])

    def _new_memory(self, width: int, most: int) -> Words:
        """Memory for a thread, which stops with the batch."""
        memory = attach_tablebase(self.game, _memory(width, most))
        with self.lock:
            self.memories.append(memory)
            memory[STOP] = self.stopped
        return memory


class Series:
    """States searched one after the other; `stop` ends the search of the present one, and begins no other."""

    def __init__(self, states: Sequence[State], new_search: Callable[[State], Search]) -> None:
        self.states = states
        self.new_search = new_search
        self.lock = threading.Lock()
        self.now: Search | None = None
        self.stopped = False

    def run(self) -> list[Report]:
        """The reports of all states, or of those before it was stopped."""
        reports: list[Report] = []
        for state in self.states:
            with self.lock:
                if self.stopped:
                    break
                self.now = self.new_search(state)
            reports.append(self.now.run())
        return reports

    def stop(self) -> None:
        with self.lock:
            self.stopped = True
            if self.now is not None:
                self.now.stop()


def _beyond_proof(game: Game, state: State) -> GameError:
    """Why a state that can be searched could not be proven."""
    if not list(game.candidates(state)):
        return GameError(f"{game!r}: `candidates` is empty in {game.state_text(state)}, where there are moves.")
    return too_long(game, state)


def _memory(width: int, most: int) -> Words:
    memory = new_memory(width)
    memory[AGE], memory[MOST] = 1, most
    return memory


def _rows(states: Sequence[State], first: State) -> Any:
    """The numbers of each state in a row of words; None where they are not all whole numbers of 64 bits, as many as in
    the initial state and in the same places.
    """
    import numpy as np

    if any(isinstance(state, tuple) != isinstance(first, tuple) for state in states):
        return None
    flat = states if isinstance(first, tuple) else [(state,) for state in states]
    if _nested(first):
        if {_lengths(state) for state in flat} != {_lengths(first)}:
            return None
        flat = [tuple(rules.numbers(state)) for state in flat]
    elif set(map(len, flat)) != {len(first) if isinstance(first, tuple) else 1}:
        return None
    try:
        words = array("q", chain.from_iterable(flat))
    except (TypeError, OverflowError):
        return None
    return np.frombuffer(words, np.int64).reshape(len(flat), -1)


def _lengths(part: Any) -> Any:
    """The shape of a state: the lengths of its tuples, nested as they are."""
    return tuple(_lengths(inner) for inner in part) if isinstance(part, tuple) else 0


def _nested(state: State) -> bool:
    return isinstance(state, tuple) and any(isinstance(part, tuple) for part in state)
