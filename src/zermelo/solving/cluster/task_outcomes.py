"""How a task ends: with facts, or with a reason why it could not be done. Both are plain data."""

from __future__ import annotations

import errno
import functools
import time
from typing import Any, NamedTuple

from zermelo.files import FileError
from zermelo.game import GameError
from zermelo.native.cache.cache_maintenance import current_version
from zermelo.solving.cluster.part_format import DamagedPart
from zermelo.solving.cluster.part_tasks import InnerMoves, NeedsStages, PartTasks
from zermelo.solving.cluster.solve_job import SolveJob, Task
from zermelo.solving.enumeration.forward_pass import TooNarrow
from zermelo.solving.memory_budget import FREE_SHARE, MemoryBudget, available_memory

DONE, DAMAGED, NARROW, INNER, NEEDS, MEMORY, ERROR, LOST = (
    "done", "damaged", "narrow", "inner", "needs", "memory", "error", "lost",
)  # fmt: skip


OUT_OF_MEMORY = "its worker has too little memory"


class Outcome(NamedTuple):
    """The end of a task: one of the words above, and what belongs to it."""

    kind: str
    detail: Any = None
    seconds: float = 0.0
    """CPU seconds that the task took."""


def run_task(job: SolveJob, task: Task, threads: int, share: float) -> Outcome:
    """Do a task in this process, with some threads and a share of the memory of its node."""
    began = time.process_time()
    outcome = _attempt(job, task, threads, share)
    return outcome._replace(seconds=time.process_time() - began)


def _attempt(job: SolveJob, task: Task, threads: int, share: float) -> Outcome:
    try:
        game = _game(job)
        limit = job.memory or int(FREE_SHARE * share * _free_memory())
        return Outcome(DONE, PartTasks(job, game, threads, MemoryBudget(limit)).run(task))
    except DamagedPart as error:
        return Outcome(DAMAGED, error.part)
    except TooNarrow as error:
        return Outcome(NARROW, error.beyond)
    except InnerMoves:
        return Outcome(INNER)
    except NeedsStages as error:
        return Outcome(NEEDS, error.stages)
    except MemoryError:
        return Outcome(MEMORY, OUT_OF_MEMORY)
    except FileError as error:  # storage may be out of reach for a while
        return Outcome(LOST, str(error).rstrip("."))
    except GameError as error:
        return Outcome(ERROR, str(error))
    except OSError as error:
        if error.errno != errno.ENOMEM:  # how the system says that memory cannot be mapped
            raise
        return Outcome(MEMORY, OUT_OF_MEMORY)


@functools.cache
def _free_memory() -> int:
    """Return the memory that was available when this process began its first task."""
    return available_memory()


@functools.lru_cache(2)
def _game(job: SolveJob) -> Any:
    """Return the game of a job, which all tasks of a process share, with what was compiled for it."""
    if job.version != current_version():
        raise GameError(
            f"solve of {job.game.name}: a worker has Zermelo {current_version()}, and the driver {job.version}."
        )
    return job.game.load()
