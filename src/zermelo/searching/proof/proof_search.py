"""Proof-number search of one state: proves or disproves that the mover reaches a goal, within a limit."""

from __future__ import annotations

import time

from zermelo import rules
from zermelo.arguments import check_int
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.limits import Limit
from zermelo.native.kernel_dispatch import Kernel
from zermelo.searching.alphabeta.transposition_table import check_at, new_table
from zermelo.searching.proof.dfpn import (
    BEST,
    INFINITE,
    PROOF_CHECKS,
    PROOF_GOALS,
    PROOF_PATH,
    PROOF_ROWS,
    ROWS_PER_PLY,
    dfpn,
    goal_key,
    new_proof_memory,
)
from zermelo.searching.report import Line, Report
from zermelo.searching.runtime.move_encoding import decode_moves
from zermelo.searching.runtime.single_kernel import SingleKernelSearch
from zermelo.searching.runtime.thread_memory import (
    MAX_NODES,
    MAX_PLY,
    NODES,
    STOP,
    WIDTH,
    WIDTH_NEEDED,
    reserve_pv_nodes,
)
from zermelo.value import DECISIVE, DRAW, INFINITY, WIN, Value


def checked_goal(game: Game, goal: int) -> int:
    """Return the goal. Raise GameError unless the game has such payoffs."""
    if rules.has_chance(game):
        raise GameError(f"{game!r} has chance; prove answers questions about games without it.")
    check_int(f"prove of {game!r}", at_least=goal)
    if not game.margin and goal not in (WIN, DRAW):
        raise GameError(f"prove of {game!r}: at_least is WIN or DRAW where no points are counted, not {goal!r}.")
    if abs(goal) >= DECISIVE:
        raise GameError(f"prove of {game!r}: at_least is a number of points below {DECISIVE}, not {goal!r}.")
    return goal


class ProofSearch(SingleKernelSearch):
    """Does the player to move get at least `goal`? `answer` is True, False, or None while it is unknown."""

    def __init__(
        self, game: Game, state: State, limit: Limit, megabytes: float, goal: int, start: float | None = None
    ) -> None:
        super().__init__(game, state, limit, new_proof_memory(), start)
        self.goal = goal
        self.table = new_table(megabytes)
        self.answer: bool | None = None
        self.line: list[int] = []

    @property
    def kernel(self) -> Kernel:
        return dfpn  # type: ignore[no-any-return]

    def compile(self) -> bool:
        return bool(dfpn.ready(self.game, self.state, 0, 0, 0, 0, 0, self.table, self.memory))

    @property
    def finished(self) -> bool:
        return self.stopped or self.answer is not None or self._spent

    @property
    def _spent(self) -> bool:
        return self.memory[NODES] >= self.memory[MAX_NODES]

    def _final_report(self) -> Report:
        value = self._value().seen_by(rules.mover(self.game, self.state))
        return Report(
            game=self.game,
            state=self.state,
            lines=(Line(value, self._moves()),),
            depth=0,
            nodes=self.memory[NODES],
            seconds=time.perf_counter() - self.start,
            bounds=(value.score if self.answer else -INFINITY, value.score if self.answer is False else INFINITY),
        )

    def _run_kernel(self) -> None:
        """Prove or disprove the goal, then follow the proof to the end of the game as far as the limit allows.

        The table has lost some of the proof, so the line may take as many nodes as the proof, but no more.
        """
        self.answer, move = self._ask(self.state, self.goal, [])
        self.line = [move]
        if self.answer is None:
            return
        reserve_pv_nodes(self.memory)
        state, goal, answer, path = self.state, self.goal, self.answer, list[tuple[int, int, int]]()
        while not self.memory[STOP] and len(self.line) < MAX_PLY:
            path.append(self._identify(state, goal, len(path)))
            child = self.rules.play(state, move)
            if rules.changes_player(self.rules, state, child):
                goal, answer = 1 - goal, not answer
            if self._identify(child, goal, len(path)) in path or rules.payoff(self.rules, child) != ONGOING:
                break
            found, move = self._ask(child, goal, path if self.game.loops else [])
            if found != answer:  # unknown, or only by a repetition
                break
            self.line.append(move)
            state = child

    def _identify(self, state: State, goal: int, ply: int) -> tuple[int, int, int]:
        """Key, check and goal, by which the kernel detects repetitions; the check is left in memory for it."""
        key = goal_key.interpreted(self.rules, state, goal, PROOF_CHECKS + ply, self.memory)
        return key, check_at.interpreted(self.rules, PROOF_CHECKS + ply, self.memory), goal > 0

    def _ask(self, state: State, goal: int, path: list[tuple[int, int, int]]) -> tuple[bool | None, int]:
        """Return the result for a state, and the move that proves it, or resists longest, or is best so far.

        A state of the path is a repetition, so the player who wins must avoid it.
        """
        run, ply = dfpn if self.compiled else dfpn.interpreted, len(path)
        while True:
            for earlier, (key, check, asked) in enumerate(path):
                self.memory[PROOF_PATH + earlier], self.memory[PROOF_CHECKS + earlier] = key, check
                self.memory[PROOF_GOALS + earlier] = asked
            question = self.rules, state, self._identify(state, goal, ply)[0], goal, ply, INFINITE, INFINITE
            phi, delta, _ = run(*question, self.table, self.memory)
            if not self.memory[WIDTH_NEEDED] or self.must_stop or self._spent:
                best = self.memory[PROOF_ROWS + ROWS_PER_PLY * ply * self.memory[WIDTH] + self.memory[BEST]]
                return True if phi == 0 else False if delta == 0 else None, best
            self._replace_memory(new_proof_memory(2 * self.memory[WIDTH_NEEDED]), (NODES, MAX_NODES))

    def _value(self) -> Value:
        """The value as far as the result determines it: a bound."""
        if self.answer is None:
            return Value.unknown()
        decisive = not self.game.margin
        if self.answer:
            return Value.at_least(DECISIVE if decisive and self.goal == WIN else self.goal)
        return Value.at_most(-DECISIVE if decisive and self.goal == DRAW else self.goal - 1)

    def _moves(self) -> tuple[Move, ...]:
        """Decode the line; the first move if the search was stopped before it began."""
        if not self.line:
            return (next(iter(self.game.moves(self.state))),)
        return decode_moves(self.rules, self.state, self.line)
