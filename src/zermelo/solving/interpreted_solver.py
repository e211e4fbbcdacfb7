"""The interpreted solver: the textbook's algorithms, for games that do not compile."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import ONGOING, Game, GameError
from zermelo.solving.plan import EXPECTATION, MARGIN, Plan
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.backward_pass import STAGE_ERROR_SHARE, payoff_error, points_error, unbounded_error
from zermelo.solving.retrograde.entries import REPEATS, TIE, entry_width, loss_entry, pack_entries, win_entry
from zermelo.solving.solution import Solution
from zermelo.solving.storage.database_header import DatabaseHeader
from zermelo.solving.storage.entry_tables import Column, ListedTable
from zermelo.solving.storage.stage_records import SolvedStage
from zermelo.solving.storage.store import Store
from zermelo.textbook import backward_induction, retrograde
from zermelo.textbook.backward_induction_table import Repeats
from zermelo.textbook.game_graph import Graph, ProgressCallback, ignore_progress, reachable_graph
from zermelo.value import DECISIVE, DRAW, WIN, Value


def solve_interpreted(game: Game, plan: Plan, epsilon: float, progress: Progress) -> tuple[Store, list[Any]]:
    """Solve a game. Return a store with one stage, and its states in order."""
    store, tell = Store(None), _teller(progress)
    if plan.order == "intervals":
        graph = reachable_graph(game, symmetric=True, progress=tell)
        store.add_solved(_expectation_stage(graph, *bounds(graph, epsilon, tell)))
        return store, graph.states
    if plan.order == "retrograde" and plan.values == MARGIN:
        graph = reachable_graph(game, symmetric=True, progress=tell)
        store.add_solved(_margin_stage(graph, margins(graph, tell)))
        return store, graph.states
    try:
        table = (backward_induction if plan.order == "acyclic" else retrograde)(game, symmetric=True, progress=tell)
    except Repeats as found:
        raise GameError(
            f"solve of {game!r}: play repeats {found.where}, although the game does not say loops = True."
        ) from None
    scores = [value.score for value in table.values]
    if plan.values == EXPECTATION:
        store.add_solved(_expectation_stage(table.graph, scores, scores))
    elif plan.values == MARGIN:
        store.add_solved(_margin_stage(table.graph, scores))
    else:
        store.add_solved(_entry_stage(table.graph, np.array(list(map(entry_of, table.values))), 0))
    return store, table.graph.states


def _teller(progress: Progress) -> ProgressCallback:
    """What the textbook's algorithms call after each state: it counts for the progress of the solve."""

    def tell(phase: str, done: int, total: int) -> None:
        if phase != progress.phase:
            progress.begin(phase, 0, total if phase == "backward" else 0)
        if phase == "backward":
            progress.states, progress.solved = total, done
        progress.advance((done if phase == "backward" else total) - progress.done)

    return tell


def _expectation_stage(graph: Graph, lows: Any, highs: Any) -> SolvedStage:
    counts = _counts(graph, np.zeros(len(lows), np.int64))
    return SolvedStage(0, len(lows), 64, 0, counts, np.array(lows, np.float64), np.array(highs, np.float64))


def _margin_stage(graph: Graph, scores: list[Any]) -> SolvedStage:
    base = int(min(scores))
    return _entry_stage(graph, np.array([int(score) - base + 1 for score in scores]), base)


def _entry_stage(graph: Graph, codes: Any, base: int) -> SolvedStage:
    bits = entry_width(int(codes.max()))
    return SolvedStage(0, len(codes), bits, base, _counts(graph, codes), pack_entries(codes, bits))


def _counts(graph: Graph, codes: Any) -> list[list[int]]:
    """Rows (entry, states, positions)."""
    images = np.array([rules.orbit_size(graph.game, state) for state in graph.states])
    entries, numbers = np.unique(codes, return_inverse=True)
    return [[int(entry), int((numbers == i).sum()), int(images[numbers == i].sum())] for i, entry in enumerate(entries)]


def margins(graph: Graph, tell: ProgressCallback = ignore_progress) -> list[int]:
    """Return the margin of every state, where play without end is worth 0; see `margin.py`."""
    game, before = graph.game, _predecessors(graph)
    found = [0 if payoff == ONGOING else payoff for payoff in graph.payoffs]
    for state, payoff in zip(graph.states, found, strict=True):
        if abs(payoff) >= DECISIVE:
            raise points_error(game, state, payoff)
    waiting = deque(reversed(range(len(graph.states))))  # those found last are nearest to the ends
    listed, done = set(waiting), 0
    while waiting:
        number = waiting.popleft()
        listed.discard(number)
        done = max(done, len(graph.states) - len(waiting))
        tell("backward", done, len(graph.states))
        if edges := graph.edges[number]:
            best = max(-found[edge.target] if edge.changes_player else found[edge.target] for edge in edges)
            if best != found[number]:
                found[number] = best
                waiting.extend(before[number] - listed)
                listed |= before[number]
    return found


def _predecessors(graph: Graph) -> list[set[int]]:
    """Return the numbers of the states from which a move leads to each state."""
    before: list[set[int]] = [set() for _ in graph.states]
    for number, edges in enumerate(graph.edges):
        for edge in edges:
            before[edge.target].add(number)
    return before


def bounds(graph: Graph, epsilon: float, tell: ProgressCallback = ignore_progress) -> tuple[list[float], list[float]]:
    """Return bounds of the expectation of every state, no farther apart than epsilon; see `expectation.py`."""
    game = graph.game
    widest = float(max(map(abs, game.payoff_bounds)))
    for state, payoff in zip(graph.states, graph.payoffs, strict=True):
        if payoff != ONGOING and abs(payoff) > widest:
            raise payoff_error(game, state, payoff)
    lows = [-widest if payoff == ONGOING else float(payoff) for payoff in graph.payoffs]
    highs = [widest if payoff == ONGOING else float(payoff) for payoff in graph.payoffs]
    stages: dict[int, list[int]] = {}
    for number, state in enumerate(graph.states):
        stages.setdefault(game.stage(state), []).append(number)
    done = 0
    for stage in sorted(stages, reverse=True):
        numbers = stages[stage][::-1]  # those found last are nearest to the ends
        while (gap := max(highs[number] - lows[number] for number in numbers)) > epsilon * STAGE_ERROR_SHARE:
            tell("backward", done, len(graph.states))
            if not sum(_tighten(graph, number, lows, highs) for number in numbers):
                break
        if gap > epsilon:
            raise unbounded_error(game, stage, gap)
        done += len(numbers)
    return lows, highs


def _tighten(graph: Graph, number: int, lows: list[float], highs: list[float]) -> bool:
    """Tighten the bounds of a state by those of its successors. Return whether they change."""
    ways = graph.edges[number]
    if not ways:
        return False
    least = [edge.probability * (-highs[edge.target] if edge.changes_player else lows[edge.target]) for edge in ways]
    most = [edge.probability * (-lows[edge.target] if edge.changes_player else highs[edge.target]) for edge in ways]
    before = lows[number], highs[number]
    lows[number], highs[number] = (sum(least), sum(most)) if graph.chance[number] else (max(least), max(most))
    return before != (lows[number], highs[number])


def entry_of(value: Value) -> int:
    """Return the entry of a value."""
    if value.outcome == DRAW:
        return REPEATS if value.repetition else TIE
    assert value.plies is not None
    return int(win_entry(value.plies) if value.outcome == WIN else loss_entry(value.plies))


def interpreted_solution(game: Game, header: DatabaseHeader, store: Store, states: list[Any]) -> Solution:
    """Return the solution of a game whose states are Python objects."""
    solved = store.solved[0]
    row = header.stages[0]
    uppers = None if solved.uppers is None else Column(solved.uppers)
    return Solution(game, header, {0: ListedTable(states, row, Column(solved.entries), uppers)})
