"""A search worker: the memory of one thread, the kernels that it runs, and how it is stopped."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from numbers import Integral, Real
from typing import TYPE_CHECKING, NamedTuple

from zermelo import rules
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.native.kernel_dispatch import Kernel
from zermelo.searching.alphabeta.game_history import write_history
from zermelo.searching.alphabeta.root_search import alphabeta
from zermelo.searching.alphabeta.transposition_table import (
    INITIAL_MEGABYTES,
    canonical_key,
    grow_table,
    is_full,
    new_table,
)
from zermelo.searching.chance.chance_sampling import ALL_OUTCOMES, ChanceSampling
from zermelo.searching.chance.star2 import ALL_MOVES, payoff_range, star2
from zermelo.searching.runtime.move_encoding import EncodedGame, decode_moves
from zermelo.searching.runtime.search_threads import deadline
from zermelo.searching.runtime.tablebase_probing import attach_tablebase
from zermelo.searching.runtime.thread_memory import (
    AGE,
    BAD_EVAL,
    CHECKS,
    FUTILITY,
    HEURISTIC_LEAVES,
    MAX_NODES,
    MAX_PLY,
    MOVE_SCORES,
    NO_MOVE,
    NODES,
    OPEN_MOVES,
    PATH,
    PATH_FREE,
    PAYOFF_OUTSIDE,
    PLAYED,
    PLY_ROWS,
    PV,
    PV_LENGTH,
    REPLIES,
    ROOT_MOVES,
    ROOT_TRIED,
    SINGULAR,
    STOP,
    THREAD,
    WIDTH,
    WIDTH_NEEDED,
    new_memory,
    ply_row,
)
from zermelo.value import DECISIVE, INFINITY, Score
from zermelo.word_arrays import Words

if TYPE_CHECKING:
    from zermelo.searching.runtime.mtd_bisection import Query


class RootMove(NamedTuple):
    """A root move's score and the line that begins with it, in encoded moves (move_encoding.py)."""

    score: Score
    line: tuple[int, ...]
    exact: bool = False
    proven_moves: int = 1
    """How many moves of an exact line are proven to keep the score."""
    complete: bool = False
    """Whether the proven moves reach the end of the line."""


KEPT_COUNTERS = (
    NODES, MAX_NODES, HEURISTIC_LEAVES, AGE, THREAD, PATH_FREE, FUTILITY, SINGULAR, REPLIES, ROOT_MOVES, ROOT_TRIED,
)  # fmt: skip
"""What a worker keeps when its memory becomes wider."""

UNIT_SUCCESSORS = 8
"""How many successors of the root are evaluated, interpreted, to find the unit: in chess, all took 30 ms."""


def evaluation_unit(game: Game, state: State, former: float | None = None) -> float:
    """The factor that makes evaluations whole scores; 1 for margins and for evaluations that are whole numbers.

    A search that goes on with the table of a `former` unit keeps that, as long as it leaves room for this state.
    """
    if not rules.has_distance(game) or not (game.has("evaluate") or game.has("features")):
        return 1.0
    if former is not None and former > 1.0 and _leaves_room(former, abs(game.evaluate(state))):
        return former
    moves = rules.listed_moves(game, state)
    after = (game.play(state, move) for move in moves[:: 1 + len(moves) // UNIT_SUCCESSORS])
    estimates = [game.evaluate(each) for each in (state, *(child for child in after if game.result(child) == ONGOING))]
    if all(isinstance(each, Integral) or not isinstance(each, Real) for each in estimates):
        return 1.0
    largest, unit = max(min(abs(each), DECISIVE) for each in estimates if isinstance(each, Real)), 1000.0
    while unit > 1.0 and not _leaves_room(unit, largest):
        unit /= 10
    return unit


def _leaves_room(unit: float, estimate: float) -> bool:
    """Whether other states may have ten times as much as this estimate."""
    return bool(10 * estimate * unit <= DECISIVE)


def search_kernel(game: Game) -> Kernel:
    """The kernel that searches this game."""
    return star2 if rules.has_chance(game) else alphabeta  # type: ignore[no-any-return]


def ready(game: Game, state: State, table: Words) -> bool:
    """Compile the kernel that searches this game, and return whether it compiles; else it is interpreted."""
    memory = new_memory(1)
    child = game.play(state, rules.legal_actions(game, state)[0])
    if rules.has_chance(game):
        return bool(star2.ready(game, child, 0, 1, 0.0, 1.0, 0.0, 1.0, ALL_MOVES, table, memory))
    return bool(alphabeta.ready(game, child, 0, 1, 0, 1, 1.0, table, memory))


def check_payoffs(game: Game, state: State, memory: Words) -> None:
    """Raise GameError if the search of a state met a payoff beyond the range of scores, or outside `payoff_bounds`."""
    if not memory[PAYOFF_OUTSIDE]:
        return
    low, high = game.payoff_bounds
    reason = f" points, and scores have room for less than {DECISIVE}."
    if rules.has_chance(game):
        reason = f", which is not between the payoff_bounds {low:g} and {high:g}; give the class wider ones."
    where = f"search of {game!r}: after {game.state_text(state)}"
    raise GameError(f"{where} a player can get or lose {memory[PAYOFF_OUTSIDE] - 1}{reason}")


def check_evaluations(game: Game, state: State, ply: int, memory: Words) -> None:
    """Raise GameError if the search of a state at `ply` met an evaluation that is not finite."""
    if not memory[BAD_EVAL]:
        return
    for at in range(ply, memory[BAD_EVAL] - 1):
        move = memory[PLAYED + at]
        skipped = move == NO_MOVE and rules.has_skip(game) and move not in game.moves(state)
        state = game.skip(state) if skipped else game.play(state, move)
    estimate = rules.checked_evaluation(game, state, game.evaluate(state))  # raises, unless only compiled code is wrong
    raise rules.rule_error(game, "evaluate", state, estimate, "a finite number as machine code")


def too_deep(game: Game, state: State) -> GameError:
    """The error where nothing is proven of a state though the search was not stopped."""
    solution = getattr(game, "_solution", None)
    if game.loops and solution is not None and solution.header.wdl:
        return GameError(
            f"{game!r}: the database knows who wins and not in how many plies, and after {game.state_text(state)} "
            "play can repeat, so exact search cannot count them; with a limit, search makes do with a bound."
        )
    if game.loops:
        return GameError(
            f"{game!r}: after {game.state_text(state)} play can repeat before it reaches the database, "
            "which proves nothing; with a limit, search makes do with an estimate."
        )
    return GameError(
        f"{game!r}: {game.state_text(state)} can go on for more than {MAX_PLY} plies, which is deeper than exact "
        "search goes; with a limit it makes do with an estimate."
    )


class Worker:
    """Runs kernels from one root. `stop` ends it for good; `interrupt` ends the kernel that runs."""

    def __init__(
        self,
        game: Game,
        state: State,
        table: Words,
        *,
        compiled: bool,
        nodes: int,
        number: int = 0,
        threads: int = 1,
        sampling: ChanceSampling = ALL_OUTCOMES,
        max_megabytes: float = 0,
        root_on_path: bool = True,
        age: int = 1,
        unit: float | None = None,
        history: Sequence[State] = (),
    ) -> None:
        self.game = game
        self.rules: Game = game if compiled else EncodedGame(game)
        self.state = state
        self.table = table
        self.compiled = compiled
        self.number = number
        self.threads = threads
        self.sampling = sampling
        self.max_megabytes = max_megabytes
        self.root_on_path = root_on_path
        self.history = history
        self.path_free_table: Words | None = None
        self._untabled = 0
        """Nodes not stored in the current table: those of path-independent searches; inside `path_free`, the others."""
        self._growing = True
        self.unit = evaluation_unit(game, state) if unit is None else unit
        self.chance = rules.has_chance(game)
        self.moves: list[int] = list(self.rules.moves(state))
        self.nodes_of_move = dict.fromkeys(self.moves, 0)
        """Nodes of the last search of each root move."""
        self.target_depth = 0
        self.query: Query | None = None
        self.stopped = self.interrupted = False
        self._lock = threading.Lock()
        self.memory = attach_tablebase(game, new_memory())
        self.memory[AGE], self.memory[MAX_NODES] = age, nodes
        self.memory[REPLIES] = game.replies
        self.memory[FUTILITY] = int(min(game.futility * self.unit, INFINITY))
        self.memory[SINGULAR] = math.ceil(min(game.singular * self.unit, INFINITY))
        self.memory[THREAD] = 0 if threads == 1 else number + 1
        sampling.write_to(self.memory)
        self._start_path()

    # -- stopping --------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """End at the next node, for good."""
        with self._lock:
            self.stopped = True
            self.memory[STOP] = 1

    def interrupt(self) -> None:
        """End the current kernel at the next node."""
        with self._lock:
            self.interrupted = True
            self.memory[STOP] = 1

    def resume(self) -> None:
        """Allow another kernel to run, unless stopped."""
        with self._lock:
            self.interrupted = False
            self.memory[STOP] = self.stopped

    @contextmanager
    def node_budget(self, nodes: int) -> Iterator[None]:
        """Limit kernels inside the block to `nodes` nodes."""
        most = self.memory[MAX_NODES]
        self.memory[MAX_NODES] = min(self.nodes + nodes, most)
        try:
            yield
        finally:
            self.memory[MAX_NODES] = most
            with self._lock:
                self.memory[STOP] = self.stopped or self.interrupted

    @contextmanager
    def uncounted(self, nodes: int) -> Iterator[None]:
        """Allow kernels inside the block `nodes` nodes that do not count, beyond the limit too; no table grows."""
        before, most, apart = self.nodes, self.memory[MAX_NODES], self._untabled
        with self._lock:
            self.memory[STOP] = self.stopped
        self.memory[MAX_NODES] = before + nodes
        self._growing = False
        try:
            yield
        finally:
            self._growing = True
            self.memory[NODES], self.memory[MAX_NODES], self._untabled = before, most, apart
            with self._lock:
                self.memory[STOP] = self.stopped or self.interrupted

    @contextmanager
    def grace(self, seconds: float) -> Iterator[None]:
        """Let kernels run inside the block for some seconds, though the search was stopped."""
        with self._lock:
            self.memory[STOP] = 0
        try:
            with deadline(seconds, self.stop):
                yield
        finally:
            with self._lock:
                self.memory[STOP] = self.stopped or self.interrupted

    @property
    def halted(self) -> bool:
        """Whether the last kernel was ended, and its score is meaningless."""
        return bool(self.memory[STOP])

    @property
    def nodes(self) -> int:
        return self.memory[NODES]

    @property
    def out_of_nodes(self) -> bool:
        """Whether the node limit is reached."""
        return self.memory[NODES] >= self.memory[MAX_NODES]

    @property
    def gave_up(self) -> bool:
        """Whether the kernel ended itself: the line reached MAX_PLY or repeated, so nothing is proven."""
        return self.halted and not (self.stopped or self.interrupted or self.out_of_nodes)

    # -- scores ----------------------------------------------------------------------------------------------------

    def score_of_moves(
        self, moves: Sequence[int], tried: int, depth: int, alpha: Score, beta: Score
    ) -> tuple[int, Score]:
        """Search root moves from number `tried` on to `depth`, until one beats alpha or some nodes are spent.

        Return how many are tried then, and the score of the last one (alphabeta/root_search.py).
        """
        if len(moves) > self.memory[WIDTH]:
            self._widen(len(moves))
        row = ply_row(self.memory, 0, OPEN_MOVES)
        for number in range(tried, len(moves)):
            row[number] = moves[number]
        self.memory[ROOT_MOVES], self.memory[ROOT_TRIED] = len(moves), tried
        try:
            score = self.score(self.state, depth, 0, alpha, beta)
        finally:
            self.memory[ROOT_MOVES] = 0
        nodes = ply_row(self.memory, 0, MOVE_SCORES)
        for number in range(tried, self.memory[ROOT_TRIED]):
            self.nodes_of_move[moves[number]] = nodes[number]
        return self.memory[ROOT_TRIED], score

    def score_of_move(self, move: int, depth: int, alpha: Score, beta: Score) -> Score:
        """The root's score by this move, searched to `depth`: exact inside (alpha, beta), else a bound."""
        child = self.rules.play(self.state, move)
        sign = -1 if rules.changes_player(self.rules, self.state, child) else 1
        return sign * self.score_of_child(child, depth, sign, alpha, beta)

    def score_of_child(self, child: State, depth: int, sign: int, alpha: Score, beta: Score) -> Score:
        """The score of a state one ply from the root, in a window that the root sees."""
        low, high = (-beta, -alpha) if sign < 0 else (alpha, beta)
        return self.score(child, depth, 1, low, high)

    def score(self, state: State, depth: int, ply: int, alpha: Score, beta: Score) -> Score:
        """Run the kernel; memory grows where a state has more moves than a row holds, and the table with the search."""
        self._grow()
        while True:
            score: Score
            if self.chance:
                run = star2.call_compiled if self.compiled else star2.interpreted
                bounds = float(alpha), float(beta), *payoff_range(self.game, state)
                score = float(run(self.rules, state, depth, ply, *bounds, ALL_MOVES, self.table, self.memory))
            else:
                run = alphabeta.call_compiled if self.compiled else alphabeta.interpreted
                window = int(alpha), int(beta)
                score = int(run(self.rules, state, depth, ply, *window, self.unit, self.table, self.memory))
            check_payoffs(self.game, self.state, self.memory)
            check_evaluations(self.game, state, ply, self.memory)
            widest = self.memory[WIDTH_NEEDED]
            if not widest or self.stopped or self.interrupted or self.out_of_nodes:
                return score
            self._widen(2 * widest)

    @contextmanager
    def path_free(self) -> Iterator[None]:
        """Make searches inside the block path-independent, with a table of their own (see graph_history.py).

        These tables of all threads together take up to a quarter of the memory of the ordinary one.
        """
        ordinary, max_megabytes = self.table, self.max_megabytes
        self.max_megabytes = max(max_megabytes, len(ordinary) * 8 / (1 << 20)) / 4 / self.threads
        self.table = self.path_free_table or new_table(min(INITIAL_MEGABYTES, self.max_megabytes))
        self._untabled = self.nodes - self._untabled
        self.memory[PATH_FREE] = 1
        try:
            yield
        finally:
            self.memory[PATH_FREE] = 0
            self._untabled = self.nodes - self._untabled
            self.path_free_table, self.table, self.max_megabytes = self.table, ordinary, max_megabytes

    def _grow(self) -> None:
        """Grow the current table with the nodes that were stored in it."""
        while self._growing and 8 * (self.nodes - self._untabled) > len(self.table):
            if is_full(self.table, self.max_megabytes) or self.halted:
                return
            self.table = grow_table(self.game, self.table, self.max_megabytes, lambda: self.halted)

    def line(self, ply: int) -> tuple[int, ...]:
        """The principal variation that the last kernel left, from `ply` on."""
        row = self.memory.part(PV + ply * PLY_ROWS, self.memory[PV_LENGTH + ply])
        return tuple(row[i] for i in range(len(row)))

    def decode_moves(self, line: tuple[int, ...]) -> tuple[Move, ...]:
        """Decode the moves of a line."""
        return decode_moves(self.rules, self.state, line)

    def _start_path(self) -> None:
        """Put the game before the root into memory, and the root on the path; a return to either is a repetition.

        The root is not on the path where several moves are compared: each has the value of the state after it, and
        from there the root is a state like others.
        """
        if not self.game.loops or self.chance:
            return
        write_history(self.rules, self.history, self.memory)
        if self.root_on_path:
            self.memory[PATH] = canonical_key.interpreted(self.rules, self.state, CHECKS, self.memory)

    def _widen(self, width: int) -> None:
        wider = attach_tablebase(self.game, new_memory(width))
        with self._lock:
            for counter in KEPT_COUNTERS:
                wider[counter] = self.memory[counter]
            for table in (OPEN_MOVES, MOVE_SCORES):  # of the root
                for number in range(self.memory[ROOT_MOVES]):
                    ply_row(wider, 0, table)[number] = ply_row(self.memory, 0, table)[number]
            self.sampling.write_to(wider)
            self.memory = wider
            self._start_path()
            self.memory[STOP] = self.stopped or self.interrupted  # the clock may have run out since
