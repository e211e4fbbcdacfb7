"""The driver of a cluster without one: its tasks run in this process, one after the other, and may be disturbed."""

from collections import Counter, deque

from zermelo.solving.cluster.cluster_solver import ClusterSolve
from zermelo.solving.cluster.parts_place import place_of_parts
from zermelo.solving.cluster.task_outcomes import run_task
from zermelo.solving.plan import plan
from zermelo.solving.progress import Progress
from zermelo.solving.solve_api import EPSILON, solve_identity


class InlineExecutor:
    """An executor that runs a task when its outcome is asked for; `disturb` sees each task first, and may answer it."""

    node_cpus = 2
    idle = None

    def __init__(self, workers=3, disturb=None):
        self.workers = workers
        self.disturb = disturb or (lambda task, job: None)
        self.tasks = deque()
        self.run = Counter()
        self.cpus = {}

    def submit(self, task, cpus):
        self.tasks.append(task)
        self.cpus[task] = cpus

    def next_outcome(self):
        task = self.tasks.popleft()
        outcome = self.disturb(task, self.job)
        if outcome is None:
            self.run[repr(task)] += 1
            outcome = run_task(self.job, task, 1, 1.0)
        return task, outcome


def solve_inline(game, path, executor=None, *, wdl=False, stage=None, fresh=False, trust=False, scratch=None):
    """Solve a game into a file by the tasks of a cluster."""
    method = plan(game, wdl)
    first = int(game.stage(game.initial())) if stage is None else stage
    solve = ClusterSolve(
        game, method, solve_identity(game, method, first, wdl, EPSILON), place=place_of_parts(path, scratch), wdl=wdl,
        epsilon=EPSILON, memory=None, trust=trust, progress=Progress(None),
    )  # fmt: skip
    return solve.solve(path, executor or InlineExecutor(), fresh)
