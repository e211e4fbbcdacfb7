"""The progress display of a solver: states, speed, memory, and the time left."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from zermelo.app.output import console, say, short
from zermelo.formatting import size_text
from zermelo.native.compile_timing import CompileTimer
from zermelo.solving.progress import Progress

FIRST_LINE, LINE_INTERVAL = 10.0, 60.0
"""Seconds until the first line of output that is no terminal, and between later ones; the first intervals are shorter,
each twice as long as the one before."""

WATCH_INTERVAL = 0.5
"""Seconds between two looks whether a line is due while the solver reports nothing."""

LONG_SOLVE = 60.0
"""Seconds from which a solve is said beforehand to take that long."""

PHASES = {
    "estimating": "Estimating the size", "forward": "Finding states", "backward": "Solving",
    "writing": "Writing the file", "finding": "Comparing states", "verifying": "Verifying",
}  # fmt: skip

ENUMERATION_PHASES = ("forward", "finding")
PLAIN_PHASES = ("estimating", "writing")
"""Phases without figures."""

SIZED_PHASES = ("backward", "verifying")
"""Phases whose total may be known."""


class SolverStopped(Exception):
    """Raised in the solver to stop it."""


class ProgressDisplay:
    """A progress callback of a solver, in any thread, that shows what it gets. `stop` ends the solver.

    `steady` says that each stage takes one pass, so that the time left can be computed. `sizes` are the numbers of
    states of the stages as far as they are known, `complete` says that these are all, and `earlier` is how many were
    solved before. Time spent compiling does not count for the rate.
    """

    def __init__(
        self,
        steady: bool = False,
        sizes: dict[int, int] | None = None,
        *,
        complete: bool = False,
        earlier: int = 0,
        timer: CompileTimer | None = None,
    ) -> None:
        self.steady = steady
        self.sizes = dict(sizes or {})
        self.complete = complete
        self.earlier = earlier
        self.timer = timer or CompileTimer()
        self.progress: Progress | None = None
        self.phase = ""
        self.started = self.since = self.printed = time.perf_counter()
        self.interval = FIRST_LINE
        self.lock = threading.Lock()
        self.compiled_before = 0.0
        self.before = 0
        self.opened: tuple[int, int] | None = None
        self.entered = "", 0, 0
        self.stopped = False
        self.announced = False
        self.terminal = console(stderr=True).is_terminal

    def stop(self) -> None:
        self.stopped = True

    def __call__(self, progress: Progress) -> None:
        if self.stopped:
            raise SolverStopped
        self.progress = progress
        self._announce(progress)
        self._count(progress)
        if self.entered[:2] != (progress.phase, progress.stage):
            self.entered = progress.phase, progress.stage, progress.solved
        now = time.perf_counter()
        if progress.phase != self.phase:
            self.phase, self.since, self.before = progress.phase, now, self.amount(progress)
            self.compiled_before = self.timer.seconds
        self._say_now_and_then()

    def _say_now_and_then(self) -> None:
        """Say how far it is where there is no terminal, if nothing was said for a while."""
        with self.lock:
            now = time.perf_counter()
            if self.terminal or now - self.printed <= self.interval:
                return
            self.printed, self.interval = now, min(2 * self.interval, LINE_INTERVAL)
            say(self.line())

    def line(self) -> str:
        """How far it is, in a line."""
        progress, passed = self.progress, clock(time.perf_counter() - self.started)
        if progress is None or self.timer.busy:
            return f"{'Compiling' if self.timer.busy else 'Preparing'}: {passed}"
        if progress.phase in PLAIN_PHASES:
            return f"{self.title(progress)}: {passed}"
        return f"{self.title(progress)}: {self.figures(progress)}"

    def _announce(self, progress: Progress) -> None:
        """Say once what a long solve is expected to take; a terminal shows it all the time."""
        if (estimate := self.estimate(progress)) and not self.announced and not self.terminal:
            self.announced = True
            say(estimate)

    def estimate(self, progress: Progress) -> str | None:
        """What a long solve is expected to take."""
        needed = progress.estimate
        return None if needed is None or needed.seconds < LONG_SOLVE else f"Estimate: {needed.summary}."

    def _count(self, progress: Progress) -> None:
        """Record the number of states of each stage, once the next one is begun."""
        now = (progress.stage, progress.states) if progress.phase == "forward" else None
        if self.opened is not None and now != self.opened:
            self.sizes[self.opened[0]] = progress.states - self.opened[1]
            self.complete = now is None
        self.opened = now

    # -- figures -----------------------------------------------------------------------------------------------------

    def amount(self, progress: Progress) -> int:
        """States that this phase has processed."""
        if progress.phase in ENUMERATION_PHASES:
            return progress.states + progress.done
        part = fraction(progress)
        if not self.steady or part is None:
            return progress.solved
        return self.entered[2] + int(self.sizes.get(progress.stage, 0) * part)

    def rate(self, progress: Progress) -> float:
        """States a second, in this phase."""
        seconds = time.perf_counter() - self.since - (self.timer.seconds - self.compiled_before)
        return (self.amount(progress) - self.before) / max(seconds, 1e-9)

    def left(self, progress: Progress) -> float | None:
        """Seconds that the rest will take; while states are still being found, by the estimate of their number."""
        rate = self.rate(progress)
        if progress.phase == "forward":
            return progress.seconds_left if self.steady else None
        if not (self.steady and self.complete and progress.phase in SIZED_PHASES and rate > 0):
            return None
        return max(self.total - self.earlier - self.amount(progress), 0) / rate

    @property
    def total(self) -> int:
        return sum(self.sizes.values())

    def title(self, progress: Progress) -> str:
        name = PHASES.get(progress.phase, progress.phase)
        return name if progress.phase in PLAIN_PHASES else f"{name}, stage {progress.stage}"

    def figures(self, progress: Progress) -> str:
        """The figures of the moment, in a line."""
        done = self.amount(progress) + (self.earlier if progress.phase in SIZED_PHASES else 0)
        of = f" of {self.total:,}" if progress.phase in SIZED_PHASES and self.complete else ""
        if progress.phase == "forward" and progress.expected:
            of = f" of about {max(progress.expected, done):,}"
        verb = {**dict.fromkeys(ENUMERATION_PHASES, "found"), "verifying": "checked"}.get(progress.phase, "solved")
        words = [f"{done:,}{of} states {verb}", f"{short(self.rate(progress))}states/s"]
        if progress.gap is not None:  # every sweep visits all of them, and none is solved before the last
            words = [f"sweep {progress.sweeps:,} of {progress.total:,} states", f"bounds within {progress.gap:.2g}"]
        if (memory := memory_now()) is not None:
            words.append(size_text(memory))
        if progress.disk:
            words.append(f"{size_text(progress.disk)} on disk")
        words.append(clock(progress.seconds))
        if left := self.left(progress):
            words.append(f"about {clock(math.ceil(left))} left")
        return ", ".join(words)

    # -- in a terminal -----------------------------------------------------------------------------------------------

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the display until the block ends."""
        if not self.terminal:
            with self._lines():
                yield
            return
        errors = console(stderr=True)
        with Live(console=errors, get_renderable=self.picture, refresh_per_second=8, transient=True):
            yield

    @contextmanager
    def _lines(self) -> Iterator[None]:
        """Say a line now and then until the block ends, also while the solver reports nothing."""
        ended = threading.Event()

        def watch() -> None:
            while not ended.wait(WATCH_INTERVAL):
                self._say_now_and_then()

        thread = threading.Thread(target=watch, daemon=True, name="lines")
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def picture(self) -> Group | Text:
        progress = self.progress
        if progress is None or self.timer.busy:
            return Text("Compiling ...")
        part = fraction(progress)
        row = Table.grid(padding=(0, 2))
        bar = ProgressBar(total=1.0, completed=part or 0.0, width=30, pulse=part is None)
        row.add_row(self.title(progress), bar, "" if part is None else f"{100 * part:.0f} %")
        figures = Text(self.figures(progress), no_wrap=True, overflow="ellipsis")
        if progress.phase in PLAIN_PHASES:
            return Group(Text(f"{self.title(progress)} ..."))
        return Group(row, figures, *([Text(estimate)] if (estimate := self.estimate(progress)) else []))


def fraction(progress: Progress) -> float | None:
    """The finished part of the stage; None if its size is not known."""
    return progress.done / progress.total if 0 < progress.done <= progress.total else None


def memory_now() -> int | None:
    """Bytes of memory that this process takes; its peak where the system does not tell what it takes now.

    Files that are mapped do not count, such as those of the scratch folder: the system can drop their pages.
    """
    try:
        with open("/proc/self/statm") as file:
            _, resident, shared, *_ = map(int, file.read().split())
            pages = resident - shared
    except (OSError, ValueError, IndexError):
        return peak_memory()
    import resource

    return pages * resource.getpagesize()


def peak_memory() -> int | None:
    """The most bytes of memory that this process has taken; None where the system does not tell."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def clock(seconds: float) -> str:
    """A time as a clock shows it.

    >>> clock(7.4), clock(3725)
    ('0:07', '1:02:05')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
