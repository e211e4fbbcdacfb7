"""Strong solutions: the exact value of every state of a game, in a database that can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo import rules
from zermelo.arguments import (
    check_bool,
    check_callable,
    check_choice,
    check_int,
    check_number,
    checked_game,
    checked_megabytes,
    checked_path,
    checked_threads,
)
from zermelo.game import Game, GameError
from zermelo.native.interpretation import warn_if_interpreted
from zermelo.solving.progress import Progress

if TYPE_CHECKING:
    from zermelo.solving.cluster.cluster_solver import ClusterSolve
    from zermelo.solving.enumeration.state_packing import Packing, Range
    from zermelo.solving.estimation.size_estimate import Estimate
    from zermelo.solving.memory_budget import MemoryBudget
    from zermelo.solving.plan import Plan
    from zermelo.solving.solution import Solution
    from zermelo.solving.stage_reuse import KnownStage
    from zermelo.solving.storage.checkpoint import Checkpoint
    from zermelo.solving.storage.checkpoint_resume import LayerFormat
    from zermelo.solving.storage.database_header import DatabaseHeader
    from zermelo.solving.storage.store import Store

__all__ = ["Progress", "solve"]

EPSILON = 1e-9
"""The default distance between the bounds of an expectation."""


def solve(
    game: Game,
    path: str | Path | None = None,
    *,
    on: str = "cpu",
    nodes: int | None = None,
    stage: int | None = None,
    wdl: bool = False,
    threads: int | None = None,
    epsilon: float = EPSILON,
    fresh: bool = False,
    trust: bool = False,
    force: bool = False,
    memory: float | str | None = None,
    scratch: str | Path | None = None,
    reuse: str | Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Return the exact value of every state of a game, a strong solution, by the method that suits the game.

    With a `path` the solution is written there. Finished stages are checkpointed beside it (`PATH.partial`), so that an
    interrupted solve resumes; `fresh` starts anew. A checkpoint of another user or machine is refused, unless you
    `trust` it: none of its code is run, but a forged one can crash the process or give wrong values, and `verify` finds
    only the latter. `stage` solves one stage and those that it leads to, in a game that numbers its states. `wdl` keeps
    wins, draws and losses without their distance, so that a winning move need not come nearer to the end. Expectations
    in games that repeat are proven to `epsilon`. A game that would not fit into memory or on the disk is refused with
    the estimate, unless `force` is set. `memory` is a number of megabytes or a text such as "8GB", by default three
    quarters of what is free. What does not fit is kept in files in the folder `scratch`, by default beside the
    solution. `reuse` is a database, or a folder of databases: stages that they hold are read, not solved. They may
    be those of other games of the class, such as smaller chess endings. Values depend neither on memory nor on the
    number of `threads`; None is all cores. `on="cuda"` solves on a GPU, and the result is the same. `progress` is
    called a few times a second.

    `on="ray"` solves on a Ray cluster, `on="ray://HOST:PORT"` on one that is elsewhere, and the result is the same.
    Then `scratch` is a folder that all nodes see, or a URL of fsspec, `threads` limits the CPUs of the whole cluster,
    `memory` that of each task, and the solve waits until there are as many as `nodes`.

    >>> import zermelo as z
    >>> solution = solve(z.load("nim"))
    >>> print(solution.value(), solution.best())
    win in 11 [2]
    """
    small = solve_small_game(
        game, path, on=on, nodes=nodes, stage=stage, wdl=wdl, threads=threads, epsilon=epsilon, memory=memory,
        scratch=scratch, reuse=reuse, progress=progress,
    )  # fmt: skip
    if small is not None:
        return small
    from zermelo.solving.plan import plan as plan_of

    on_ray, cores = _check_place(game, on, nodes), checked_threads(f"solve of {game!r}", threads)
    plan = plan_of(game, wdl)
    if on_ray:
        cluster = {
            "memory": memory,
            "scratch": scratch,
            "threads": threads,
            "nodes": nodes,
            "fresh": fresh,
            "trust": trust,
            "force": force,
            "reuse": reuse,
        }
        return _on_ray(game, plan, path, stage, wdl, epsilon, on, Progress(progress), cluster)
    if on == "cuda":
        _check_cuda(game, plan)
    budget = _budget(game, path, memory, scratch)
    told = Progress(progress, budget=budget)
    options = {"wdl": wdl, "threads": cores, "epsilon": epsilon, "progress": told, "budget": budget}
    if reuse is not None:
        options["known"] = _known(game, plan, reuse, wdl)
    compiled = None if plan.method == "interpreted" else _Compiled(game, plan, stage, options, fresh, trust, on)
    if compiled is None:
        warn_if_interpreted(game, plan.why.rstrip("."))
    if not force and (stage is None or plan.method == "dense"):
        told.begin("estimating", 0, 0)
        needed = _check_fit(game, wdl, stage, path, cores, budget, on)
        told.expect(needed.states, needed)
    if compiled is None:
        return _interpreted(game, plan, path, stage, options)
    if stage is not None:
        _check_stage(game, plan, stage)
    return compiled.solve(path)


def solve_small_game(
    game: Game,
    path: str | Path | None = None,
    *,
    on: str = "cpu",
    nodes: int | None = None,
    stage: int | None = None,
    wdl: bool = False,
    threads: int | None = None,
    epsilon: float = EPSILON,
    memory: float | str | None = None,
    scratch: str | Path | None = None,
    reuse: str | Path | None = None,
    progress: Callable[[Progress], None] | None = None,
    **_: bool,
) -> Solution | None:
    """Solve a small game interpreted, if another process has to compile its kernels; None if `solve` has to do it.

    The options are those of `solve`, and are checked; most have no effect on a small game. The solution is the same
    to the bit.
    """
    checked_game("solve", game)
    _check_options(game, stage, wdl, epsilon, progress)
    _check_place(game, on, nodes)
    checked_threads(f"solve of {game!r}", threads)
    if path is not None:
        _check_path(game, path)
    if on != "cpu" or stage is not None or reuse is not None:
        return None
    _budget(game, path, memory, scratch)
    from zermelo.solving.small_games import solve_beside_compiler
    from zermelo.solving.storage.checkpoint import checkpoint_folder

    if path is not None and checkpoint_folder(Path(path)).exists():  # it holds the work of an earlier process
        return None
    told = Progress(progress)
    solution = solve_beside_compiler(game, wdl, epsilon, told)
    if solution is None or path is None:
        return solution
    told.begin("writing", 0, 0)
    return solution.save(path)


def _check_place(game: Game, on: Any, nodes: Any) -> bool:
    """Return whether a solve is for a Ray cluster. Raise GameError for a place that there is not."""
    where = f"solve of {game!r}"
    on_ray = isinstance(on, str) and (on == "ray" or on.startswith("ray://"))
    if not on_ray:
        check_choice(where, ("cpu", "cuda", "ray", "ray://HOST:PORT"), on=on)
    check_int(where, least=1, optional=True, nodes=nodes)
    if nodes is not None and not on_ray:
        raise GameError(f'{where}: nodes are those of a cluster; they go with on="ray".')
    return on_ray


def _on_ray(
    game: Game,
    plan: Plan,
    path: str | Path | None,
    stage: int | None,
    wdl: bool,
    epsilon: float,
    on: str,
    progress: Progress,
    options: dict[str, Any],
) -> Solution:
    """Solve a game on a Ray cluster."""
    from zermelo.solving.cluster.cluster_solver import ClusterSolve, refuse_on_cluster, solve_on_ray
    from zermelo.solving.cluster.parts_place import place_of_parts

    refuse_on_cluster(game, plan, path)
    if options["reuse"] is not None:
        raise GameError(f'solve of {game!r}: reuse reads databases on one machine, not with on="ray".')
    if stage is not None:
        _check_stage(game, plan, stage)
    assert path is not None
    memory = options["memory"]
    megabytes = None if memory is None else checked_megabytes(f"solve of {game!r}", memory=memory)
    first = _first(game) if stage is None else stage
    identity = solve_identity(game, plan, first, wdl, epsilon)
    solve = ClusterSolve(
        game, plan, identity, place=place_of_parts(Path(path), options["scratch"]), wdl=wdl, epsilon=epsilon,
        memory=None if megabytes is None else int(megabytes * (1 << 20)), trust=options["trust"], progress=progress,
    )  # fmt: skip
    if not options["force"]:
        _check_parts_fit(game, wdl, stage, solve, progress)
    return solve_on_ray(solve, Path(path), on, options["threads"], options["nodes"], options["fresh"])


def _check_parts_fit(game: Game, wdl: bool, stage: int | None, solve: ClusterSolve, progress: Progress) -> None:
    """Tell the progress how many states are expected. Raise TooLarge if their parts would not fit into a folder."""
    from zermelo.formatting import size_text
    from zermelo.solving.cluster.parts_place import BYTES_PER_STATE, is_url
    from zermelo.solving.estimation.size_estimate import TooLarge, estimate, free_disk

    for quick in (True, False):  # no solve is refused because of a rough estimate
        needed = estimate(game, wdl=wdl, stage=stage, quick=quick)
        progress.expect(needed.states, needed)
        parts = BYTES_PER_STATE * needed.states
        if is_url(solve.place) or parts <= (free := free_disk(Path(solve.place))):
            return
    there = f"{size_text(parts)} in {solve.place}, and {size_text(free)} are free"
    raise TooLarge(f"solve of {game!r} would not fit: its parts take {there}", {"force": "tries it anyway"})


def _check_cuda(game: Game, plan: Plan) -> None:
    """Raise GameError where there is no GPU, or where the game is one that only the CPU solves."""
    from zermelo.native.device.device_check import check_device
    from zermelo.solving.cuda.cuda_solver import refuse_on_cuda

    refuse_on_cuda(game, plan)
    check_device(f"solve of {game!r}", game)


def _budget(game: Game, path: str | Path | None, memory: Any, scratch: Any) -> MemoryBudget:
    """Return the memory that a solve may take, and where it keeps what does not fit."""
    from zermelo.solving.memory_budget import budget_of

    where = f"solve of {game!r}"
    size = None if memory is None else checked_megabytes(where, memory=memory)
    if scratch is None and path is not None:
        return budget_of(game, size, Path(path).resolve().parent)
    return budget_of(game, size, None if scratch is None else checked_path(where, scratch))


def _known(game: Game, plan: Plan, path: Any, wdl: bool) -> dict[int, KnownStage]:
    """Return the stages that databases hold. Raise GameError where a game does not number its states."""
    from zermelo.solving.stage_reuse import known_stages

    where = checked_path(f"solve of {game!r}", path)
    if plan.method != "dense":
        raise GameError(f"solve of {game!r}: reuse reads stages whose states a rule numbers, and there is no `index`.")
    return known_stages(game, where, wdl=wdl)


def _check_options(game: Game, stage: Any, wdl: Any, epsilon: Any, progress: Any) -> None:
    where = f"solve of {game!r}"
    check_bool(where, wdl=wdl)
    check_int(where, optional=True, stage=stage)
    check_number(where, least=1e-12, below=1, epsilon=epsilon)
    check_callable(where, progress=progress)


def _check_path(game: Game, path: Any) -> None:
    """Raise GameError for a file that cannot be written, or that would be lost."""
    from zermelo.solving.storage.database import check_output, creation_time

    check_output(game, checked_path(f"solve of {game!r}", path))
    creation_time()


def _check_stage(game: Game, plan: Plan, stage: int) -> None:
    if plan.method != "dense":
        raise GameError(f"solve of {game!r}: stage chooses among states that a rule numbers, and there is no `index`.")
    try:
        size = int(game.size(stage))
    except Exception:  # whatever the rule does with a stage that is none
        size = 0
    if size < 1:
        raise GameError(f"solve of {game!r}: there is no stage {stage}; the game begins in stage {_first(game)}.")


def _first(game: Game) -> int:
    return int(game.stage(rules.initial_state(game)))


def _check_fit(
    game: Game, wdl: bool, stage: int | None, path: str | Path | None, threads: int, budget: MemoryBudget, on: str
) -> Estimate:
    """Return the estimate. Raise TooLarge if the solution would not fit."""
    from zermelo.formatting import size_text
    from zermelo.solving.estimation.size_estimate import TooLarge, estimate, free_disk

    memory, disk = budget.limit, 0 if budget.scratch is None else free_disk(budget.scratch / "scratch")
    for quick in (True, False):  # no solve is refused because of a rough estimate
        needed = estimate(game, wdl=wdl, stage=stage, threads=threads, quick=quick)
        work, solution = needed.needs(on)
        in_memory = work + (solution if path is None else 0)  # what is not written stays there
        spilled = max(0, in_memory - memory)
        on_disk = spilled + (0 if path is None else needed.disk + needed.scratch)
        if on_disk <= disk or not on_disk:
            return needed
    has = "and no file to write to" if budget.scratch is None else f"and {size_text(disk)} of disk"
    ways = {"stage": "solves a part of it", "wdl": "takes less", "force": "tries it anyway"}
    if stage is not None or not rules.has_index(game):
        del ways["stage"]
    if wdl or not rules.has_index(game) or game.margin or rules.has_chance(game):
        del ways["wdl"]
    there = f"{size_text(memory)} of memory, {has}"
    takes = needed.summary if on == "cpu" else f"{needed.states_text} and {size_text(in_memory)} of memory"
    raise TooLarge(f"solve of {game!r} would not fit: it takes {takes}, and there are {there}", ways)


def _interpreted(
    game: Game, plan: Plan, path: str | Path | None, stage: int | None, options: dict[str, Any]
) -> Solution:
    from zermelo.solving.interpreted_solver import interpreted_solution, solve_interpreted
    from zermelo.solving.storage.database import make_header

    wdl, epsilon = options["wdl"], options["epsilon"]
    if stage is not None or wdl:
        why = game.native_error or plan.why
        raise GameError(
            f"solve of {game!r}: {'wdl' if wdl else 'stage'} is for games whose rules compile, and these do not: {why}"
        )
    store, states = solve_interpreted(game, plan, epsilon, options["progress"])
    solution = interpreted_solution(game, make_header(game, plan, None, store, wdl, epsilon), store, states)
    return solution if path is None else solution.save(path)


class _Compiled:
    """A solve of a game whose rules compile, in memory or into a file."""

    def __init__(
        self,
        game: Game,
        plan: Plan,
        stage: int | None,
        options: dict[str, Any],
        fresh: bool,
        trust: bool,
        on: str = "cpu",
    ) -> None:
        self.on = on
        self.game = game
        self.plan = plan
        self.stage = _first(game) if stage is None else stage
        self.options = options
        self.fresh = fresh
        self.trust = trust
        self.ranges: list[Range] = []

    def solve(self, path: str | Path | None) -> Solution:
        from zermelo.solving.enumeration.forward_pass import TooNarrow
        from zermelo.solving.enumeration.state_packing import widened

        while True:
            packing = self.packing()
            try:
                return self._in_memory(packing) if path is None else self._into_file(Path(path), packing)
            except TooNarrow as error:
                self.ranges = widened(self.ranges, error.beyond)
                self.fresh = True

    def packing(self) -> Packing | None:
        """How states are packed, as far as is known; None where a rule numbers them."""
        from zermelo.solving.enumeration.number_ranges import ranges_of
        from zermelo.solving.enumeration.state_packing import Packing

        if self.plan.method == "dense":
            return None
        self.ranges = self.ranges or ranges_of(self.game)
        return Packing.fitting(self.ranges)

    def _in_memory(self, packing: Packing | None) -> Solution:
        from zermelo.solving.storage.database import solution_in_memory
        from zermelo.solving.storage.store import Store

        store = Store(None)
        self._run(store, packing)
        return solution_in_memory(self.game, self._header(packing, store), store, packing)

    def _into_file(self, path: Path, packing: Packing | None) -> Solution:
        from zermelo.solving.storage.checkpoint import Checkpoint, advise_fresh, checkpoint_folder
        from zermelo.solving.storage.database import check_written, open_solution
        from zermelo.solving.storage.store import Store

        folder = checkpoint_folder(path)
        identity = self._identity()
        with advise_fresh(), Checkpoint(folder, identity, fresh=self.fresh, trust=self.trust) as checkpoint:
            packing = packing and self._kept(checkpoint)
            store = Store(checkpoint, self._layer_format(packing), self.options["budget"])
            try:
                self._run(store, packing)
            except GameError:
                if not {*checkpoint.names()} - {"packing"}:  # nothing is lost
                    checkpoint.discard()
                raise
            self.options["progress"].begin("writing", 0, 0)
            words = 1 if packing is None else packing.words
            header = self._header(packing, store).to_dict()
            checkpoint.finish(path, header, store.sections(words), lambda file: check_written(file, path, self.game))
        return open_solution(path, self.game, check=False)

    def _kept(self, checkpoint: Checkpoint) -> Packing:
        """The packing of the layers that are there, since an earlier process may have met larger numbers; else ours."""
        from zermelo.solving.enumeration.state_packing import Packing
        from zermelo.solving.storage.checkpoint_resume import checkpoint_ranges

        self.ranges = checkpoint_ranges(checkpoint, self.ranges)
        return Packing.fitting(self.ranges)

    def _layer_format(self, packing: Packing | None) -> LayerFormat:
        from zermelo.solving.storage.checkpoint_resume import LayerFormat

        wdl, epsilon = self.options["wdl"], self.options["epsilon"]
        return LayerFormat(packing is None, self.plan.values, wdl, 1 if packing is None else packing.words, epsilon)

    def _run(self, store: Store, packing: Packing | None) -> None:
        from zermelo.solving.enumeration.state_packing import Packing
        from zermelo.solving.solver import Solver

        kind = Solver
        if self.on == "cuda":
            from zermelo.solving.cuda.cuda_solver import CudaSolver

            kind = CudaSolver
        solver = kind(self.game, self.plan, packing or Packing((), 1), store, first=self.stage, **self.options)
        if self.plan.method == "dense":
            solver.solve_dense(self.stage)
        else:
            solver.solve_reachable()

    def _identity(self) -> dict[str, Any]:
        return solve_identity(self.game, self.plan, self.stage, self.options["wdl"], self.options["epsilon"])

    def _header(self, packing: Packing | None, store: Store) -> DatabaseHeader:
        from zermelo.solving.storage.database import make_header

        return make_header(self.game, self.plan, packing, store, self.options["wdl"], self.options["epsilon"])


def solve_identity(game: Game, plan: Plan, stage: int, wdl: bool, epsilon: float) -> dict[str, Any]:
    """Return what a solve is of: what is kept of one is of no use for another."""
    from zermelo.solving.game_identity import GameIdentity

    return {
        **GameIdentity.of(game).to_dict(),
        "method": plan.method,
        "stage": stage,
        "wdl": wdl,
        "epsilon": epsilon,
    }
