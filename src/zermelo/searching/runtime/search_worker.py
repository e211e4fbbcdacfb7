"""Worker: one thread's part in a search: its memory, the kernels it runs on the rules, and how it is stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import TYPE_CHECKING, NamedTuple

from zermelo import rules
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.searching.alphabeta.pvs import alphabeta
from zermelo.searching.alphabeta.transposition_table import SMALL, full, grown, name, new_table
from zermelo.searching.chance.chance_sampling import WHOLE, Draws
from zermelo.searching.chance.star2 import ALL, payoff_range, star2
from zermelo.searching.runtime.move_encoding import Indexed, moves_of
from zermelo.searching.runtime.search_threads import deadline
from zermelo.searching.runtime.tablebase_probing import attach_tablebase
from zermelo.searching.runtime.thread_memory import (
    AGE,
    CHECKS,
    DEEPEST,
    HORIZON,
    LENGTH,
    MOST,
    NO_MOVE,
    NODES,
    OUTSIDE,
    PATH,
    PLAYED,
    PURE,
    PV,
    ROWS,
    STOP,
    THREAD,
    UNJUDGED,
    WIDEST,
    new_memory,
)
from zermelo.value import DECISIVE, Score
from zermelo.word_arrays import Words

if TYPE_CHECKING:
    from zermelo.searching.runtime.mtd_bisection import Question


class Found(NamedTuple):
    """A root move's score and the line that begins with it, in the numbers of the kernel."""

    score: Score
    line: tuple[int, ...]
    exact: bool = False
    kept: int = 1
    """How many moves of an exact line are proven to keep the score, one after the other."""
    ended: bool = False
    """Whether those go as far as the line should go."""


def unit_of(game: Game, state: State) -> float:
    """What a judgement is multiplied by to become a whole score; points are whole, and count as they are."""
    if not rules.has_distance(game) or not (game.has("evaluate") or game.has("features")):
        return 1.0
    after = (game.play(state, move) for move in game.moves(state))
    judged = [game.evaluate(each) for each in (state, *(child for child in after if game.result(child) == ONGOING))]
    if all(isinstance(each, Integral) or not isinstance(each, Real) for each in judged):
        return 1.0
    largest, unit = max(min(abs(each), DECISIVE) for each in judged if isinstance(each, Real)), 1000.0
    while unit > 1.0 and 10 * largest * unit > DECISIVE:  # others may be ten times as large
        unit /= 10
    return unit


def ready(game: Game, state: State, table: Words) -> bool:
    """Have machine code for the search of this game; False if it must be interpreted."""
    memory = new_memory(1)
    child = game.play(state, rules.legal_actions(game, state)[0])
    if rules.has_chance(game):
        return bool(star2.ready(game, child, 0, 1, 0.0, 1.0, 0.0, 1.0, ALL, table, memory))
    return bool(alphabeta.ready(game, child, 0, 1, 0, 1, 1.0, table, memory))


def check_payoffs(game: Game, state: State, memory: Words) -> None:
    """Raise a sentence if the search of a state met a payoff that scores have no room for, or chance no bounds."""
    if not memory[OUTSIDE]:
        return
    low, high = game.payoff_bounds
    room = f" points, and scores have room for less than {DECISIVE}."
    if rules.has_chance(game):
        room = f", which is not between the payoff_bounds {low:g} and {high:g}; give the class wider ones."
    where = f"search of {game!r}: after {game.state_text(state)}"
    raise GameError(f"{where} a player can get or lose {memory[OUTSIDE] - 1}{room}")


def check_judgement(game: Game, state: State, ply: int, memory: Words) -> None:
    """Raise a sentence if the search of a state, `ply` plies from the root, met an evaluation that is no number."""
    if not memory[UNJUDGED]:
        return
    for at in range(ply, memory[UNJUDGED] - 1):
        move = memory[PLAYED + at]
        skipped = move == NO_MOVE and rules.has_skip(game) and move not in game.moves(state)
        state = game.skip(state) if skipped else game.play(state, move)
    judged = rules.checked_evaluation(game, state, game.evaluate(state))  # raises, unless only compiled code is wrong
    raise rules.rule_error(game, "evaluate", state, judged, "a finite number as machine code")


def too_long(game: Game, state: State) -> GameError:
    """Why nothing is proven of a state though nobody stopped the search."""
    solution = getattr(game, "_solution", None)
    if game.loops and solution is not None and solution.header.wdl:
        return GameError(
            f"{game!r}: the database knows who wins and not in how many plies, and after {game.state_text(state)} "
            "play can repeat, so exact search cannot count them; with a limit, search makes do with a bound."
        )
    if game.loops:
        return GameError(
            f"{game!r}: after {game.state_text(state)} play can come back to itself before it reaches the database, "
            "which proves nothing; with a limit, search makes do with an estimate."
        )
    return GameError(
        f"{game!r}: {game.state_text(state)} can go on for more than {DEEPEST} plies, which is deeper than exact "
        "search goes; with a limit it makes do with an estimate."
    )


class Worker:
    """Runs kernels from one root. It stops for good (`stop`), or gives up its present goal (`interrupt`)."""

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
        draws: Draws = WHOLE,
        room: float = 0,
        rooted: bool = True,
    ) -> None:
        self.game = game
        self.rules: Game = game if compiled else Indexed(game)
        self.state = state
        self.table = table
        self.compiled = compiled
        self.number = number
        self.threads = threads
        self.draws = draws
        self.room = room
        self.rooted = rooted
        self.pure_table: Words | None = None
        self._apart = 0
        """Nodes of which the present table knows nothing: those of pure searches, and inside `pure` all others."""
        self._growing = True
        self.unit = unit_of(game, state)
        self.chance = rules.has_chance(game)
        self.moves: list[int] = list(self.rules.moves(state))
        self.goal = 0
        self.question: Question | None = None
        self.stopped = self.interrupted = False
        self._lock = threading.Lock()
        self.memory = attach_tablebase(game, new_memory())
        self.memory[AGE], self.memory[MOST] = 1, nodes
        self.memory[THREAD] = 0 if threads == 1 else number + 1
        draws.put_into(self.memory)
        self._begin_path()

    # -- stopping --------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """End at the next node, for good."""
        with self._lock:
            self.stopped = True
            self.memory[STOP] = 1

    def interrupt(self) -> None:
        """Give up the present goal at the next node."""
        with self._lock:
            self.interrupted = True
            self.memory[STOP] = 1

    def resume(self) -> None:
        """Be free for another goal, unless stopped."""
        with self._lock:
            self.interrupted = False
            self.memory[STOP] = self.stopped

    @contextmanager
    def allowed(self, nodes: int) -> Iterator[None]:
        """Let kernels look at so many nodes inside the block, and no more."""
        most = self.memory[MOST]
        self.memory[MOST] = min(self.nodes + nodes, most)
        try:
            yield
        finally:
            self.memory[MOST] = most
            with self._lock:
                self.memory[STOP] = self.stopped or self.interrupted

    @contextmanager
    def overtime(self, nodes: int) -> Iterator[None]:
        """Let kernels look at so many nodes that do not count, beyond the limit too; no table grows for them."""
        before, most, apart = self.nodes, self.memory[MOST], self._apart
        with self._lock:
            self.memory[STOP] = self.stopped
        self.memory[MOST] = before + nodes
        self._growing = False
        try:
            yield
        finally:
            self._growing = True
            self.memory[NODES], self.memory[MOST], self._apart = before, most, apart
            with self._lock:
                self.memory[STOP] = self.stopped or self.interrupted

    @contextmanager
    def grace(self, seconds: float) -> Iterator[None]:
        """Let kernels run for so long inside the block, though the search was stopped."""
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
        """Whether what the last kernel returned means nothing."""
        return bool(self.memory[STOP])

    @property
    def nodes(self) -> int:
        return self.memory[NODES]

    @property
    def spent(self) -> bool:
        """Whether all its nodes are used up."""
        return self.memory[NODES] >= self.memory[MOST]

    @property
    def lost(self) -> bool:
        """Whether it halted on its own: the play went on too long to prove anything."""
        return self.halted and not (self.stopped or self.interrupted or self.spent)

    # -- scores ----------------------------------------------------------------------------------------------------

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
        """Run the kernel; rows grow where a state has more moves than they hold, and the table with the search."""
        self._grow()
        while True:
            score: Score
            if self.chance:
                run = star2.call_compiled if self.compiled else star2.interpreted
                bounds = float(alpha), float(beta), *payoff_range(self.game, state)
                score = float(run(self.rules, state, depth, ply, *bounds, ALL, self.table, self.memory))
            else:
                run = alphabeta.call_compiled if self.compiled else alphabeta.interpreted
                window = int(alpha), int(beta)
                score = int(run(self.rules, state, depth, ply, *window, self.unit, self.table, self.memory))
            check_payoffs(self.game, self.state, self.memory)
            check_judgement(self.game, state, ply, self.memory)
            widest = self.memory[WIDEST]
            if not widest or self.stopped or self.interrupted or self.spent:
                return score
            self._widen(2 * widest)

    @contextmanager
    def pure(self) -> Iterator[None]:
        """Let nothing count inside the block that depends on the way to a state, no table of other searches either.

        The tables of all threads together take up to a quarter of what the ordinary one may.
        """
        ordinary, room = self.table, self.room
        self.room = max(room, len(ordinary) * 8 / (1 << 20)) / 4 / self.threads
        self.table = self.pure_table or new_table(min(SMALL, self.room))
        self._apart = self.nodes - self._apart
        self.memory[PURE] = 1
        try:
            yield
        finally:
            self.memory[PURE] = 0
            self._apart = self.nodes - self._apart
            self.pure_table, self.table, self.room = self.table, ordinary, room

    def _grow(self) -> None:
        """Let the present table grow with the nodes that are looked up in it."""
        while self._growing and 8 * (self.nodes - self._apart) > len(self.table):
            if full(self.table, self.room) or self.halted:
                return
            self.table = grown(self.game, self.table, self.room, lambda: self.halted)

    def line(self, ply: int) -> tuple[int, ...]:
        """The principal variation that the last kernel left, from `ply` on."""
        row = self.memory.part(PV + ply * ROWS, self.memory[LENGTH + ply])
        return tuple(row[i] for i in range(len(row)))

    def moves_of(self, line: tuple[int, ...]) -> tuple[Move, ...]:
        """The moves of the game behind those of the kernel."""
        return moves_of(self.rules, self.state, line)

    def _begin_path(self) -> None:
        """The root is the first state that play can come back to; kernels begin after it.

        Not where several moves are compared: each is worth what the state after it is worth, and from there the root is
        a state like others.
        """
        if self.game.loops and self.rooted and not self.chance:
            self.memory[PATH] = name.interpreted(self.rules, self.state, CHECKS, self.memory)

    def _widen(self, width: int) -> None:
        wider = attach_tablebase(self.game, new_memory(width))
        with self._lock:
            for counter in (NODES, MOST, HORIZON, AGE, THREAD, PURE):
                wider[counter] = self.memory[counter]
            self.draws.put_into(wider)
            self.memory = wider
            self._begin_path()
            self.memory[STOP] = self.stopped or self.interrupted  # the clock may have run out meanwhile
