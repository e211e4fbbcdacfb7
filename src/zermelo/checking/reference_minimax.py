"""Exact values of small trees, by memoized minimax over the interpreted rules."""

from __future__ import annotations

import math
from typing import Any

from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.game import ONGOING, State
from zermelo.rules import changes_player, has_distance
from zermelo.value import Score, ending, later

MAX_TREE_NODES = 3_000
"""New nodes that the value of one state may take."""

MAX_TREE_DEPTH = 150
"""Plies that the tree of one state may have."""


class TooBigError(Exception):
    """The tree has more nodes or plies than allowed, or play can repeat in it."""


class Values:
    """The minimax values of states whose trees are small, each computed once."""

    def __init__(self, examiner: Examiner) -> None:
        self.examiner = examiner
        self.known: dict[State, Score] = {}
        self.left = 0
        self.path: set[State] = set()
        self.visit: Visit | None = None

    def of(self, visit: Visit, state: State) -> Score | None:
        """The score of a state for its player to move; None if the tree is too big. A failure names `visit`."""
        self.left, self.path, self.visit = MAX_TREE_NODES, set(), visit
        try:
            return self._value(state)
        except TooBigError:
            return None

    def of_move(self, visit: Visit, state: State, move: Any) -> Score | None:
        """The score of a move for the player who makes it."""
        child = self.examiner.call(self.examiner.game, "play", visit, state, move)
        score = self.of(visit, child)
        return None if score is None else self._seen_from(state, child, score)

    def _value(self, state: State) -> Score:
        if state in self.known:
            return self.known[state]
        self.left -= 1
        if self.left < 0 or len(self.path) > MAX_TREE_DEPTH or state in self.path or self.examiner.late:
            raise TooBigError
        self.path.add(state)
        self.known[state] = value = self._compute(state)
        self.path.remove(state)
        return value

    def _compute(self, state: State) -> Score:
        result = self._ask("result", state)
        if result != ONGOING:
            return self._payoff(result)
        if self._ask("is_chance", state):
            return math.fsum(chance * self._after(state, outcome) for outcome, chance in self._ask("chances", state))
        scores = [self._after(state, move) for move in self._ask("moves", state)]
        return max(scores) if scores else self._payoff(self._ask("stuck", state))

    def _after(self, state: State, move: Any) -> Score:
        child = self._ask("play", state, move)
        return self._seen_from(state, child, self._value(child))

    def _seen_from(self, state: State, child: State, score: Score) -> Score:
        """A child's score backed up by one ply, seen by the player of its parent."""
        if changes_player(self.examiner.game, state, child):
            score = -score
        return later(score) if has_distance(self.examiner.game) else score

    def _payoff(self, payoff: int) -> Score:
        return ending(payoff, 0) if has_distance(self.examiner.game) else payoff

    def _ask(self, rule: str, *args: Any) -> Any:
        return self.examiner.call(self.examiner.game, rule, self.visit, *args)
