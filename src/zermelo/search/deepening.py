"""Iterated deepening from the root, under a limit.

Depth 1, 2, 3, ... until the value is proven, the limit is reached, or somebody stops it. Each round tries the best move
of the round before first, in a window around its score that widens where the score falls outside. A round that is
cut short still counts for the moves it finished, so there is always an answer, and never a worse one for having
looked further.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from zermelo import rules
from zermelo.game import ONGOING, Game, Move, State
from zermelo.limits import Limit
from zermelo.search.alphabeta import alphabeta
from zermelo.search.chance import expectimax
from zermelo.search.exact import prove
from zermelo.search.indexed import Indexed
from zermelo.search.memory import AGE, DEEPEST, HORIZON, LENGTH, MOST, NODES, PV, ROWS, STOP, WIDEST, new_memory
from zermelo.search.report import Line, Report
from zermelo.search.table import ENDLESS
from zermelo.value import DECISIVE, INFINITY, Score, Value, later
from zermelo.words import Words

MARGIN = 50
"""How far from the last score the window of the next round reaches at first, in hundredths of a unit of `evaluate`."""


class Search:
    """One search of one state: its memory, and the best lines so far."""

    def __init__(self, game: Game, state: State, limit: Limit, table: Words, lines: int = 1, age: int = 1) -> None:
        self.game = game
        self.state = state
        self.limit = limit
        self.table = table
        self.count = lines
        self.rules: Game = game
        self.interpreted = False
        self.numbers: list[int] = list(game.moves(state))
        self.chance = rules.has_chance(game)
        self.unit = 1000.0 if isinstance(game.evaluate(state), float) and not self.chance else 1.0
        self.lines: list[tuple[Score, tuple[int, ...]]] = [(0, (self.numbers[0],))]
        self.exact = False
        self.stopped = False
        self.depth = 0
        self.memory = new_memory()
        self.memory[AGE] = age
        self.memory[MOST] = limit.nodes or 1 << 62
        self.rounds: list[int] = []

    def prepare(self, exact: bool = False) -> None:
        """Have machine code before the clock starts; a game without it is searched with numbered moves."""
        child = self._child(self.numbers[0])
        if self.chance:
            compiled = expectimax.ready(self.game, child, 0, 1, self.memory)
        else:
            compiled = alphabeta.ready(self.game, child, 0, 1, 0, 1, self.unit, self.table, self.memory)
        if compiled and exact:
            compiled = prove.ready(self.game, self.state, self.unit, self.table, self.memory)
        if not compiled:
            self.rules, self.interpreted = Indexed(self.game), True
            self.numbers = list(self.rules.moves(self.state))
            self.lines = [(0, (self.numbers[0],))]

    def reports(self, start: float, exact: bool = False) -> Iterator[Report]:
        """A report after each round, the last one when the search is over."""
        if exact:
            self._prove()
            yield self.report(time.perf_counter() - start)
        while not exact and not self.finished():
            before = self.memory[NODES]
            self._round(self.depth + 1)
            self.rounds.append(self.memory[NODES] - before)
            yield self.report(time.perf_counter() - start)

    def _prove(self) -> None:
        """The value by null windows, and a line that keeps it."""
        run = prove.interpreted if self.interpreted else prove
        while True:
            score = int(run(self.rules, self.state, self.unit, self.table, self.memory))
            if not self.memory[WIDEST] or self.stopped:
                break
            self._widen(2 * self.memory[WIDEST])
        if not self.memory[STOP]:
            self.lines, self.exact = [(score, ())], True

    def stop(self) -> None:
        """End the search at its next node."""
        self.stopped = True
        self.memory[STOP] = 1

    def finished(self) -> bool:
        deepest = min(self.limit.depth or DEEPEST, DEEPEST)
        return bool(self.memory[STOP]) or self.exact or self.depth >= deepest

    # -- a round ---------------------------------------------------------------------------------------------------

    def _round(self, depth: int) -> None:
        """Search every root move to `depth`; re-search with an open window where the score falls outside."""
        self.memory[HORIZON] = 0
        alpha, beta = self._window()
        while True:
            found, rest = self._try_moves(depth, alpha, beta)
            if self.memory[STOP]:
                self._keep_unfinished(found, rest)
                return
            best = found[0][0]
            if alpha > -INFINITY and found[-1 if len(found) < self.count else self.count - 1][0] <= alpha:
                alpha = -INFINITY
            elif best >= beta < INFINITY:
                beta = INFINITY
            else:
                break
        self.lines, self.depth = found, depth
        self.exact = self.memory[HORIZON] == 0 or (self.count == 1 and abs(best) >= DECISIVE)

    def _window(self) -> tuple[Score, Score]:
        score = self.lines[0][0]
        if self.chance or self.count > 1 or self.depth < 3 or abs(score) >= DECISIVE:
            return -INFINITY, INFINITY
        margin = max(1, int(MARGIN * self.unit) // 100)
        return score - margin, score + margin

    def _try_moves(
        self, depth: int, alpha: Score, beta: Score
    ) -> tuple[list[tuple[Score, tuple[int, ...]]], list[int]]:
        """The best lines, best first, and the moves that were not tried before the search was stopped."""
        found: list[tuple[Score, tuple[int, ...]]] = []
        order = self._order()
        for i, move in enumerate(order):
            bound = max(alpha, found[self.count - 1][0]) if len(found) >= self.count else alpha
            score = self._score_of_move(move, depth, bound, beta)
            if self.memory[STOP]:
                return found, order[i:]
            if len(found) < self.count or score > found[self.count - 1][0]:
                found.append((score, (move, *self._line_after())))
                found.sort(key=lambda line: -line[0])
                del found[self.count :]
            if self.count == 1 and found[0][0] >= beta:
                break
        return found, []

    def _order(self) -> list[int]:
        best = [line[0] for _, line in self.lines]
        return [*best, *(move for move in self.numbers if move not in best)]

    def _keep_unfinished(self, found: list[tuple[Score, tuple[int, ...]]], rest: list[int]) -> None:
        """What a round that was cut short is worth: its best move, unless all it found is that moves lose."""
        if not found:
            return
        if found[0][0] > -DECISIVE:
            others = [line for line in self.lines if line[1][0] not in [kept[1][0] for kept in found]]
            self.lines = [*found, *others][: self.count]
        elif self.count == 1:
            self.lines = [(self.lines[0][0], (rest[0],))]

    # -- scores ----------------------------------------------------------------------------------------------------

    def _child(self, move: int) -> State:
        return self.rules.play(self.state, move)

    def _score_of_move(self, move: int, depth: int, alpha: Score, beta: Score) -> Score:
        child = self._child(move)
        sign = -1 if rules.turns(self.rules, self.state, child) else 1
        return sign * self._score_of_child(child, depth - 1, sign, alpha, beta)

    def _score_of_child(self, child: State, depth: int, sign: int, alpha: Score, beta: Score) -> Score:
        """Run the kernel; rows grow where a state has more moves than they hold."""
        low, high = (-beta, -alpha) if sign < 0 else (alpha, beta)
        while True:
            score: Score
            if self.chance:
                run = expectimax.interpreted if self.interpreted else expectimax
                score = float(run(self.rules, child, depth, 1, self.memory))
            else:
                run = alphabeta.interpreted if self.interpreted else alphabeta
                score = int(run(self.rules, child, depth, 1, int(low), int(high), self.unit, self.table, self.memory))
            widest = self.memory[WIDEST]
            if not widest or self.stopped or self.memory[NODES] >= self.memory[MOST]:
                return score
            self._widen(2 * widest)

    def _widen(self, width: int) -> None:
        old, self.memory = self.memory, new_memory(width)
        for counter in (NODES, MOST, HORIZON, AGE):
            self.memory[counter] = old[counter]
        self.memory[STOP] = self.stopped  # the clock may have run out meanwhile

    def _line_after(self) -> list[int]:
        line = self.memory.part(PV + ROWS, self.memory[LENGTH + 1])
        return [line[i] for i in range(len(line))]

    # -- the answer --------------------------------------------------------------------------------------------------

    def report(self, seconds: float) -> Report:
        if self.exact and not self.chance:
            self.lines = [(score, self._played_out(score, line)) for score, line in self.lines]
        lines = tuple(self._line(score, numbers) for score, numbers in self.lines)
        return Report(
            game=self.game,
            state=self.state,
            lines=lines,
            depth=self.depth,
            nodes=self.memory[NODES],
            seconds=seconds,
            rounds=tuple(self.rounds),
        )

    def _played_out(self, score: Score, line: tuple[int, ...]) -> tuple[int, ...]:
        """A proven line to the end of the game, where the table had cut it short."""
        state, moves = self.state, list(line)
        for move in line:
            state, score = self._step(state, score, move)
        while rules.payoff(self.rules, state) == ONGOING and not self.memory[STOP] and len(moves) < DEEPEST:
            for move in self.rules.candidates(state):
                child, wanted = self._step(state, score, move)
                sign = -1 if rules.turns(self.rules, state, child) else 1
                kept = sign * self._score_of_child(child, ENDLESS, sign, score - 1, score) >= score
                if self.memory[STOP]:
                    return tuple(moves)
                if kept:
                    moves.append(move)
                    state, score = child, wanted
                    break
            else:
                break
        return tuple(moves)

    def _step(self, state: State, score: Score, move: int) -> tuple[State, Score]:
        """The state after a move, and the score there, counted from there, if the move keeps it."""
        child = self.rules.play(state, move)
        score = later(score, -1)
        return child, -score if rules.turns(self.rules, state, child) else score

    def _line(self, score: Score, numbers: tuple[int, ...]) -> Line:
        if abs(score) < DECISIVE and self.unit != 1.0:
            score = score / self.unit
        if isinstance(score, float) and score.is_integer():
            score = int(score)
        value = Value.of(score, exact=self.exact, margin=self.game.margin, chance=self.chance)
        return Line(value.seen_by(rules.mover(self.game, self.state)), self._moves_of(numbers))

    def _moves_of(self, numbers: tuple[int, ...]) -> tuple[Move, ...]:
        """The moves of the game behind those of the kernel."""
        if not self.interpreted:
            return numbers
        moves, state = [], self.state
        for number in numbers:
            moves.append(list(self.game.moves(state))[number])
            state = self.game.play(state, moves[-1])
        return tuple(moves)
