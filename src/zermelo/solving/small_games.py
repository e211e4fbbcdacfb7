"""Small games are solved by plain Python while another process compiles the kernels: the interpreted twin of a solve.

Importing the compiler takes longer than a small game does. The twin stores the states under the keys and entries of the
compiled solver, so the solution is the same to the bit, whichever is finished first. It gives up where the kernels are
compiled first, where the game is not small, and where anything is wrong with the rules: the compiled solver says what.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from zermelo import rules
from zermelo.game import ONGOING, Game
from zermelo.native.compilability import error_of, layout
from zermelo.native.compile_process import can_run_beside
from zermelo.native.fingerprints import fingerprint
from zermelo.solving.plan import EXPECTATION, MARGIN, Plan, plan_if_compiled, solve_kernels
from zermelo.value import DRAW, LOSS, WIN

if TYPE_CHECKING:
    from zermelo.solving.enumeration.state_packing import Packing
    from zermelo.solving.progress import Progress
    from zermelo.solving.solution import Solution
    from zermelo.solving.storage.stage_records import SolvedStage
    from zermelo.textbook.game_graph import Graph

MAX_STATES = 100_000
"""States of a small game. Kernels are compiled before Python has found as many."""

POLL_SECONDS = 0.05
"""Seconds between two looks for the kernels."""

_large: set[str] = set()
"""Fingerprints of games that turned out not to be small."""


class Overtaken(Exception):
    """The kernels are compiled, or the game is not small."""


def solve_beside_compiler(game: Game, wdl: bool, epsilon: float, progress: Progress) -> Solution | None:
    """Solve a small game interpreted while another process compiles; None if the compiled solver has to do it."""
    if fingerprint(game) in _large or error_of(game) is not None:
        return None
    plan, kernels = plan_if_compiled(game, wdl), solve_kernels(game)
    if plan.method != "reachable" or plan.values == EXPECTATION or not can_run_beside(game, kernels, quick=True):
        return None
    try:
        solution = solve_small(game, plan, wdl, epsilon, lambda: kernels[-1].has_code(game))
    except Exception:  # compiled rules raise it again, and then it is reported
        return None
    progress.states = progress.solved = len(solution)
    progress.begin("backward", max(solution.tables), 0)
    return solution


def solve_small(game: Game, plan: Plan, wdl: bool, epsilon: float, is_compiled: Callable[[], bool]) -> Solution:
    """Solve a game as the compiled solver does. Raise an exception if that is not possible or no longer useful."""
    from zermelo.solving.enumeration.number_ranges import ranges_of
    from zermelo.solving.enumeration.state_packing import Packing
    from zermelo.solving.storage.database import make_header, solution_in_memory
    from zermelo.solving.storage.store import Store
    from zermelo.textbook.game_graph import reachable_graph

    graph = reachable_graph(game, symmetric=True, progress=_watch(game, is_compiled))
    stages = [int(game.stage(state)) if plan.staged else 0 for state in graph.states]
    if any(stages[edge.target] < stage for stage, edges in zip(stages, graph.edges, strict=True) for edge in edges):
        raise Overtaken  # the compiled solver says where
    found = _evaluate(graph, plan)
    packing = Packing.fitting(ranges_of(game, compiles=False))
    for state in graph.states:
        layout(game).to_native(state)
    store = Store(None)
    for stage, numbers in sorted(_by_stage(stages).items()):
        keys = sorted((_key(packing, graph.states[number]), number) for number in numbers)
        store.keys[stage] = _array(word for key, _ in keys for word in key)
        store.add_solved(_solved_stage(graph, stage, [number for _, number in keys], found, plan, wdl))
    return solution_in_memory(game, make_header(game, plan, packing, store, wdl, epsilon), store, packing)


def _watch(game: Game, is_compiled: Callable[[], bool]) -> Callable[[str, int, int], None]:
    """Return what is called after each state: it raises Overtaken."""
    looked = time.monotonic()

    def watch(phase: str, done: int, total: int) -> None:
        nonlocal looked
        if total > MAX_STATES:
            _large.add(fingerprint(game))
            raise Overtaken
        if time.monotonic() - looked > POLL_SECONDS:
            looked = time.monotonic()
            if is_compiled():
                raise Overtaken

    return watch


def _by_stage(stages: list[int]) -> dict[int, list[int]]:
    """The numbers of the states of each stage."""
    found: dict[int, list[int]] = {}
    for number, stage in enumerate(stages):
        found.setdefault(stage, []).append(number)
    return found


def _key(packing: Packing, state: Any) -> tuple[int, ...]:
    key = packing.key(state)
    if key is None:
        raise Overtaken  # the compiled solver chooses wider fields
    return key


def _array(numbers: Iterable[int]) -> Any:
    import numpy as np

    return np.fromiter(numbers, np.int64)


# -- values ------------------------------------------------------------------------------------------------------------


def _evaluate(graph: Graph, plan: Plan) -> list[int]:
    """Return the points of every state, or its entry. Raise GameError where play repeats though it should not."""
    from zermelo.solving.interpreted_solver import margins
    from zermelo.textbook.backward_induction_table import levels_of

    if plan.order == "acyclic":
        levels_of(graph)
    return margins(graph) if plan.values == MARGIN else wdl_entries(graph)


def wdl_entries(graph: Graph) -> list[int]:
    """Return the entry of every state: wins and losses in waves of equal distance, then draws."""
    from zermelo.solving.retrograde.entries import loss_entry, win_entry

    sources = _sources(graph)
    left = [len(edges) for edges in graph.edges]
    entries = [0] * len(graph.states)
    ends = enumerate(graph.payoffs)
    wave = {number: WIN if payoff > 0 else LOSS for number, payoff in ends if payoff not in (ONGOING, DRAW)}
    plies = 0
    while wave:
        following: dict[int, int] = {}
        for number, result in wave.items():
            entries[number] = win_entry(plies) if result == WIN else loss_entry(plies)
        for number, result in wave.items():
            for source, changes_player in sources[number]:
                left[source] -= 1
                if not entries[source] and (result == WIN) != changes_player:
                    following[source] = WIN
                elif not entries[source] and not left[source]:
                    following.setdefault(source, LOSS)
        wave, plies = following, plies + 1
    _write_draws(graph, sources, entries)
    return entries


def _sources(graph: Graph) -> list[list[tuple[int, bool]]]:
    """The moves that lead to each state: from which state, and whether they change the player."""
    sources: list[list[tuple[int, bool]]] = [[] for _ in graph.states]
    for number, edges in enumerate(graph.edges):
        for edge in edges:
            sources[edge.target].append((number, edge.changes_player))
    return sources


def _write_draws(graph: Graph, sources: list[list[tuple[int, bool]]], entries: list[int]) -> None:
    """Write the entries of all other states: draws, with flags for the players who can force an end that is drawn.

    The mover needs one move to such an end. The other player can force it if all moves that do not lose lead there.
    """
    from zermelo.solving.retrograde.entries import MINE, REPEATS, THEIRS, TIE

    drawn = [number for number, entry in enumerate(entries) if not entry]
    left = {number: sum(entries[edge.target] == 0 for edge in graph.edges[number]) for number in drawn}
    waiting = [(number, flag) for number in drawn if not graph.edges[number] for flag in (MINE, THEIRS)]
    for number in drawn:
        entries[number] = REPEATS if graph.edges[number] else TIE
    while waiting:
        number, flag = waiting.pop()
        for source, changes_player in sources[number]:
            if source not in left:
                continue
            seen = MINE + THEIRS - flag if changes_player else flag
            if seen == THEIRS:
                left[source] -= 1
            if not entries[source] & seen and (seen == MINE or not left[source]):
                entries[source] |= seen
                waiting.append((source, seen))


# -- stages ----------------------------------------------------------------------------------------------------------


def _solved_stage(graph: Graph, stage: int, numbers: list[int], found: list[int], plan: Plan, wdl: bool) -> SolvedStage:
    """The stage with these states, in the order of their keys, as the compiled solver stores it."""
    import numpy as np

    from zermelo.solving.retrograde.entries import WDL_ENTRIES, drop_distances, entry_width, pack_entries
    from zermelo.solving.storage.stage_records import SolvedStage

    codes = _array(found[number] for number in numbers)
    base = int(codes.min()) if plan.values == MARGIN else 0
    if plan.values == MARGIN:
        codes -= base - 1
    if wdl:
        codes = drop_distances(codes).astype(np.int64)
    bits = 2 if wdl else entry_width(int(codes.max()))
    positions = _array(rules.orbit_size(graph.game, graph.states[number]) for number in numbers)
    counts = [[WDL_ENTRIES[row[0]] if wdl else row[0], *row[1:]] for row in _count(codes, positions)]
    return SolvedStage(stage, len(codes), bits, base, counts, pack_entries(codes, bits))


def _count(codes: Any, positions: Any) -> Iterator[list[int]]:
    """Rows (entry, states, positions)."""
    import numpy as np

    for entry in np.unique(codes):
        here = codes == entry
        yield [int(entry), int(here.sum()), int(positions[here].sum())]
