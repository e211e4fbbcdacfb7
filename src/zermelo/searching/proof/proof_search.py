"""ProofSearch: one question about a state, answered yes, no, or not within the limit."""

from __future__ import annotations

import time

from zermelo import rules
from zermelo.arguments import check_int
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.limits import Limit
from zermelo.searching.alphabeta.transposition_table import check_at, new_table
from zermelo.searching.proof.dfpn import (
    ASKED,
    BEST,
    CHECKS,
    INFINITE,
    MOVES,
    PATH,
    ROWS_A_PLY,
    dfpn,
    new_proof_memory,
    question_key,
)
from zermelo.searching.report import Line, Report
from zermelo.searching.runtime.move_encoding import moves_of
from zermelo.searching.runtime.single_kernel import Solo
from zermelo.searching.runtime.thread_memory import DEEPEST, MOST, NODES, STOP, WIDEST, WIDTH, spare_some
from zermelo.value import DECISIVE, DRAW, INFINITY, WIN, Value


def checked_goal(game: Game, goal: int) -> int:
    """The goal, seen to be one that this game can ask for."""
    if rules.has_chance(game):
        raise GameError(f"{game!r} has chance; prove answers questions about games without it.")
    check_int(f"prove of {game!r}", at_least=goal)
    if not game.margin and goal not in (WIN, DRAW):
        raise GameError(f"prove of {game!r}: at_least is WIN or DRAW where no points are counted, not {goal!r}.")
    if abs(goal) >= DECISIVE:
        raise GameError(f"prove of {game!r}: at_least is a number of points below {DECISIVE}, not {goal!r}.")
    return goal


class ProofSearch(Solo):
    """Does the player to move get at least `goal`? `answer` is True, False, or None as long as nobody knows."""

    def __init__(
        self, game: Game, state: State, limit: Limit, megabytes: float, goal: int, start: float | None = None
    ) -> None:
        super().__init__(game, state, limit, new_proof_memory(), start)
        self.goal = goal
        self.table = new_table(megabytes)
        self.answer: bool | None = None
        self.line: list[int] = []

    def ready(self) -> bool:
        return bool(dfpn.ready(self.game, self.state, 0, 0, 0, 0, 0, self.table, self.memory))

    @property
    def finished(self) -> bool:
        return self.stopped or self.answer is not None or self._spent

    @property
    def _spent(self) -> bool:
        return self.memory[NODES] >= self.memory[MOST]

    def _report(self) -> Report:
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

    def _search(self) -> None:
        """Answer the question, then follow the answer to the end of the game as far as the limit allows.

        The table has forgotten some of it, so that the line may cost as much again as the answer, but no more.
        """
        self.answer, move = self._ask(self.state, self.goal, [])
        self.line = [move]
        if self.answer is None:
            return
        spare_some(self.memory)
        state, goal, answer, path = self.state, self.goal, self.answer, list[tuple[int, int, int]]()
        while not self.memory[STOP] and len(self.line) < DEEPEST:
            path.append(self._name(state, goal, len(path)))
            child = self.rules.play(state, move)
            if rules.changes_player(self.rules, state, child):
                goal, answer = 1 - goal, not answer
            if self._name(child, goal, len(path)) in path or rules.payoff(self.rules, child) != ONGOING:
                break
            found, move = self._ask(child, goal, path if self.game.loops else [])
            if found != answer:  # nobody knows, or not by a way that does not come round
                break
            self.line.append(move)
            state = child

    def _name(self, state: State, goal: int, ply: int) -> tuple[int, int, int]:
        """Key, check and goal by which the kernel knows a question again; the check is left in memory for it."""
        key = question_key.interpreted(self.rules, state, goal, CHECKS + ply, self.memory)
        return key, check_at.interpreted(self.rules, CHECKS + ply, self.memory), goal > 0

    def _ask(self, state: State, goal: int, path: list[tuple[int, int, int]]) -> tuple[bool | None, int]:
        """The answer in a state, and the move that settles it, or holds out longest, or looks best so far.

        Play that comes back to a state on the path has come round: who wins must get on.
        """
        run, ply = dfpn if self.compiled else dfpn.interpreted, len(path)
        while True:
            for earlier, (key, check, asked) in enumerate(path):
                self.memory[PATH + earlier], self.memory[CHECKS + earlier] = key, check
                self.memory[ASKED + earlier] = asked
            question = self.rules, state, self._name(state, goal, ply)[0], goal, ply, INFINITE, INFINITE
            phi, delta, _ = run(*question, self.table, self.memory)
            if not self.memory[WIDEST] or self.held or self._spent:
                best = self.memory[MOVES + ROWS_A_PLY * ply * self.memory[WIDTH] + self.memory[BEST]]
                return True if phi == 0 else False if delta == 0 else None, best
            self._replace_memory(new_proof_memory(2 * self.memory[WIDEST]), (NODES, MOST))

    def _value(self) -> Value:
        """What the answer says about the value: a bound, since the question has only two answers."""
        if self.answer is None:
            return Value.unknown()
        decisive = not self.game.margin
        if self.answer:
            return Value.at_least(DECISIVE if decisive and self.goal == WIN else self.goal)
        return Value.at_most(-DECISIVE if decisive and self.goal == DRAW else self.goal - 1)

    def _moves(self) -> tuple[Move, ...]:
        """The moves of the game behind those of the kernel; any, where the search was stopped before it began."""
        if not self.line:
            return (next(iter(self.game.moves(self.state))),)
        return moves_of(self.rules, self.state, self.line)
