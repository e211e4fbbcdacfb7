"""Check the rules that a solver relies on: stages, indices, predecessors and loops."""

from __future__ import annotations

from typing import Any

from zermelo.checking.answer_types import described, is_hashable, is_int, shown
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.checking.symmetry import representative
from zermelo.game import ONGOING, GameError, Move, State
from zermelo.native.compilability import error_of
from zermelo.rules import legal_actions

INDEX_PROBES = 30
"""Random indices of a stage that are tried."""


def check_solving(examiner: Examiner) -> None:
    """Check `loops`, `stage`, `size`, `index`, `at` and `predecessors`."""
    game = examiner.game
    _note_unwritten(examiner)
    if not game.loops:
        _check_no_loops(examiner)
    if game.has("stage"):
        _check_stages(examiner)
    if game.has("index"):
        _check_indices(examiner)
    if game.has("predecessors"):
        _check_predecessors(examiner)


def _note_unwritten(examiner: Examiner) -> None:
    """Note that a solution cannot be saved, since its states cannot be written."""
    from zermelo.solving.storage.database import check_literals

    first = next(iter(examiner.visits.values()))
    if error_of(examiner.game) is not None:
        try:
            check_literals(examiner.game, [first.state])
        except GameError:
            problem = (
                f"returns {described(first.state)}, which cannot be written as a literal, so that no solution can be "
                "saved; make it a NamedTuple of numbers, texts and tuples"
            )
            examiner.note("initial", None, problem, "game.initial()")


# -- loops -----------------------------------------------------------------------------------------------------


def _check_no_loops(examiner: Examiner) -> None:
    """Check that the visited moves have no cycle, by depth-first search."""
    closed: set[State] = set()
    for root in examiner.visits.values():
        if root.state in closed:
            continue
        way: list[Move] = []
        open_states = {root.state: 0}
        stack = [(root, iter(root.children))]
        while stack:
            visit, children = stack[-1]
            move, child = next(children, (None, None))
            if child is None:
                stack.pop()
                way = way[:-1]
                closed.add(visit.state)
                open_states.pop(visit.state)
            elif child.state in open_states:
                _fail_loop(examiner, child, [*way[open_states[child.state] :], move])
            elif child.state not in closed:
                way.append(move)
                open_states[child.state] = len(way)
                stack.append((child, iter(child.children)))


def _fail_loop(examiner: Examiner, visit: Visit, cycle: list[Move]) -> None:
    problem = f"comes back to this state by {shown(cycle)}, although the game does not say loops = True"
    examiner.fail("play", visit, problem, f"reduce(game.play, {cycle!r}, state) == state")


# -- stages and indices ----------------------------------------------------------------------------------------


def _check_stages(examiner: Examiner) -> None:
    for visit in examiner.visits.values():
        stage = examiner.ask("stage", visit, visit.state)
        if not is_int(stage):
            examiner.fail("stage", visit, f"returns {described(stage)}, not an int", "game.stage(state)")
    for visit in examiner.visits.values():
        for move, child in visit.children:
            before, after = (examiner.game.stage(each.state) for each in (visit, child))
            if after < before:
                problem = f"goes back from {before} to {after} with the move {shown(move)}; stages never go down"
                examiner.fail("stage", visit, problem, f"game.stage(state), game.stage(game.play(state, {move!r}))")
    if examiner.has_symmetry:
        _check_stage_of_representatives(examiner)


def _check_stage_of_representatives(examiner: Examiner) -> None:
    """Check that a state and its canonical state are in one stage: a solver looks it up there."""
    for visit in examiner.visits.values():
        if examiner.late:
            break
        chosen = representative(examiner, visit, visit.state)
        here, there = (examiner.call(examiner.game, "stage", visit, state) for state in (visit.state, chosen))
        if here != there:
            problem = f"returns {here}, but {there} for {examiner.text(chosen)}, which stands for this state"
            examiner.fail("stage", visit, problem, "game.stage(state), game.stage(game.canonical(state))")


def _check_indices(examiner: Examiner) -> None:
    owners: dict[tuple[int, int], tuple[Visit, State]] = {}
    sizes: dict[int, int] = {}
    for visit in examiner.visits.values():
        if examiner.late:
            break
        stage = examiner.call(examiner.game, "stage", visit, visit.state)
        if stage not in sizes:
            sizes[stage] = _check_size(examiner, visit, stage)
        _check_index(examiner, visit, stage, sizes[stage], owners)
    if not examiner.has_symmetry:
        for stage, size in list(sizes.items())[:INDEX_PROBES]:
            _check_numbers(examiner, stage, size)


def _check_size(examiner: Examiner, visit: Visit, stage: int) -> int:
    size = examiner.ask("size", visit, stage)
    if not is_int(size) or size < 1:
        problem = f"returns {described(size)} for stage {stage}, not an int above zero"
        examiner.fail("size", visit, problem, f"game.size({stage})")
    return int(size)


def _check_index(examiner: Examiner, visit: Visit, stage: int, size: int, owners: dict[Any, Any]) -> None:
    index = examiner.ask("index", visit, visit.state)
    if not is_int(index) or not 0 <= index < size:
        problem = f"returns {described(index)}, not an int from 0 to {size - 1}, below the size of stage {stage}"
        examiner.fail("index", visit, problem, f"game.index(state), game.size({stage})")
    chosen = representative(examiner, visit, visit.state)
    owner, other = owners.setdefault((stage, index), (visit, chosen))
    if other != chosen:
        problem = f"returns {index}, which is also the index of {examiner.text(owner.state)} in stage {stage}"
        examiner.fail("index", visit, problem, "game.index(state)")
    found = examiner.ask("at", visit, stage, index)
    if found is None or not is_hashable(found) or representative(examiner, visit, found) != chosen:
        problem = f"makes {shown(found)} of stage {stage} and index {index}, which is not the state with this index"
        examiner.fail("at", visit, problem, f"game.index(state), game.at({stage}, {index}), state")


def _check_numbers(examiner: Examiner, stage: int, size: int) -> None:
    """Check that random indices lead to states with these indices."""
    for index in {0, size - 1, *(examiner.random.randrange(size) for _ in range(INDEX_PROBES))}:
        state = examiner.ask("at", None, stage, index)
        back = examiner.call(examiner.game, "index", None, state)
        if back == -1:
            continue  # an index that no state has
        if back != index or examiner.call(examiner.game, "stage", None, state) != stage:
            problem = f"returns {shown(back)} for {examiner.text(state)}, which is `at` number {index} of stage {stage}"
            examiner.fail("index", None, problem, f"game.index(game.at({stage}, {index}))")


# -- predecessors ----------------------------------------------------------------------------------------------


def _check_predecessors(examiner: Examiner) -> None:
    origins: dict[State, set[State]] = {}
    for visit in examiner.visits.values():
        if examiner.late:
            break
        states = examiner.ask("predecessors", visit, visit.state)
        origins[visit.state] = {representative(examiner, visit, state) for state in states}
        for state in states:
            _check_predecessor(examiner, visit, state)
    for visit in examiner.visits.values():
        for move, child in visit.children:
            if examiner.game.stage(child.state) != examiner.game.stage(visit.state):
                continue  # solvers unmove within a stage; moves into a stage are enumerated forward
            if child.state in origins and representative(examiner, visit, visit.state) not in origins[child.state]:
                problem = f"does not give {examiner.text(visit.state)}, from where the move {shown(move)} leads here"
                examiner.fail("predecessors", child, problem, "list(game.predecessors(state))")


def _check_predecessor(examiner: Examiner, visit: Visit, state: State) -> None:
    game, code = examiner.game, "list(game.predecessors(state))"
    if examiner.call(game, "result", visit, state) != ONGOING:
        problem = f"gives {examiner.text(state)}, where the game is over: there is no move after the end"
        examiner.fail("predecessors", visit, problem, code)
    here = representative(examiner, visit, visit.state)
    children = (examiner.call(game, "play", visit, state, move) for move in legal_actions(game, state))
    if all(representative(examiner, visit, child) != here for child in children):
        examiner.fail("predecessors", visit, f"gives {examiner.text(state)}, from where no move leads here", code)
