"""Batches: many states proven in one compiled call, or searched one after the other."""

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
from zermelo.searching.alphabeta.null_window import prove_batch
from zermelo.searching.alphabeta.transposition_table import INITIAL_MEGABYTES, grow_table, is_full, new_table
from zermelo.searching.report import Line, Report
from zermelo.searching.runtime.move_encoding import decode_moves, has_int_moves
from zermelo.searching.runtime.search_driver import AlphaBetaSearch
from zermelo.searching.runtime.search_worker import check_payoffs, too_deep
from zermelo.searching.runtime.tablebase_probing import attach_tablebase, original
from zermelo.searching.runtime.thread_memory import AGE, MAX_NODES, NODES, STOP, WIDTH_NEEDED, new_memory
from zermelo.value import Value
from zermelo.word_arrays import Words


@dataclass(frozen=True)
class Reports(Sequence[Report]):
    """The reports of a batch; each Report is made when it is read."""

    game: Game
    states: Sequence[State]
    results: Any
    """Rows of scores, best moves and nodes."""
    seconds: float
    """The mean time of a state."""
    int_moves: bool = True
    """Whether the moves of the game are ints, as in the kernel."""

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
        score, move, nodes = self.results[:, i].tolist()
        if not self.int_moves:
            (move,) = decode_moves(self.game, state, (move,))
        value = Value.of(score, exact=True, margin=self.game.margin).seen_by(rules.mover(self.game, state))
        return Report(
            original(self.game), state, (Line(value, (move,)),), 0, nodes, self.seconds, bounds=(score, score)
        )

    def __iter__(self) -> Iterator[Report]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return repr(list(self))


class Batch:
    """States of one game, as rows of words, and their scores, moves and nodes."""

    def __init__(self, game: Game, states: Sequence[State], megabytes: float, check: Callable[[State], State]) -> None:
        import numpy as np

        self.game = game
        self.states = states
        self.megabytes = megabytes
        self.check = check
        self.rows = _rows(states, game.initial())
        self.results = np.zeros((3, len(states)), np.int64)
        self.memories: list[Words] = []
        self.lock = threading.Lock()
        self.stopped = False

    def compiled(self) -> bool:
        """Compile the kernel, and return whether the batch can run compiled."""
        if self.rows is None:
            return False
        return bool(prove_batch.ready(self.game, *self._arguments(slice(0, 0), new_table(0), _new_batch_memory(1, 1))))

    def prove(self, threads: int) -> Reports:
        """Prove all states; several threads take slices of them."""
        start = time.perf_counter()
        count = len(self.states)
        if threads == 1:
            self._prove_part(slice(0, count), new_table(min(INITIAL_MEGABYTES, self.megabytes)))
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
        return Reports(self.game, self.states, self.results, seconds, has_int_moves(self.game, self.states[0]))

    def stop(self) -> None:
        """End at the next node."""
        with self.lock:
            self.stopped = True
            for memory in self.memories:
                memory[STOP] = 1

    def _prove_part(self, part: slice, table: Words) -> None:
        """Prove a slice of the states; the table grows as it fills, and the memory where a state has more moves."""
        done, width = part.start, 64
        while True:
            memory = self._new_memory(width, 1 << 62 if is_full(table, self.megabytes) else len(table))
            rest = slice(done, part.stop)
            done += prove_batch.call_compiled(self.game, *self._arguments(rest, table, memory))
            if done == part.stop or self.stopped:
                return
            check_payoffs(self.game, self.states[done], memory)
            self.check(self.states[done])
            if memory[WIDTH_NEEDED]:
                width = 2 * memory[WIDTH_NEEDED]
            elif memory[NODES] >= memory[MAX_NODES]:
                table = grow_table(self.game, table, self.megabytes, lambda: self.stopped)
            else:
                raise _unproven_error(self.game, self.states[done])

    def _arguments(self, part: slice, table: Words, memory: Words) -> tuple[Any, ...]:
        """The arguments of the kernel for a slice of the states."""
        rows, results = self.rows[part], [Words(row[part]) for row in self.results]
        return Words(rows.reshape(-1)), len(rows), *results, 1.0, table, memory

    def _new_memory(self, width: int, max_nodes: int) -> Words:
        """Return memory for a thread, which stops with the batch."""
        memory = attach_tablebase(self.game, _new_batch_memory(width, max_nodes))
        with self.lock:
            self.memories.append(memory)
            memory[STOP] = self.stopped
        return memory


class Series:
    """States searched one after the other; `stop` ends the current search, and starts no other."""

    def __init__(self, states: Sequence[State], new_search: Callable[[State], AlphaBetaSearch]) -> None:
        self.states = states
        self.new_search = new_search
        self.lock = threading.Lock()
        self.now: AlphaBetaSearch | None = None
        self.stopped = False

    def run(self) -> list[Report]:
        """Return the reports of all states, or of those before it was stopped."""
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


def _unproven_error(game: Game, state: State) -> GameError:
    """The error for a state that can be searched but not proven."""
    if not list(game.candidates(state)):
        return GameError(f"{game!r}: `candidates` is empty in {game.state_text(state)}, where there are moves.")
    return too_deep(game, state)


def _new_batch_memory(width: int, max_nodes: int) -> Words:
    memory = new_memory(width)
    memory[AGE], memory[MAX_NODES] = 1, max_nodes
    return memory


def _rows(states: Sequence[State], first: State) -> Any:
    """Return an array with a row of words for each state.

    Return None unless all states are made of 64-bit integers, nested like the initial state.
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
