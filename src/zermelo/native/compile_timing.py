"""How long it takes to make machine code, beside what is done with it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Making:
    """The seconds that were spent on machine code so far, and whether some is being made now."""

    def __init__(self) -> None:
        self._depth = 0
        self._before = self._since = 0.0

    @property
    def busy(self) -> bool:
        return self._depth > 0

    @property
    def seconds(self) -> float:
        return self._before + (time.perf_counter() - self._since if self.busy else 0.0)

    def begin(self) -> None:
        """The compiler begins, perhaps inside other work of its own."""
        if not self.busy:
            self._since = time.perf_counter()
        self._depth += 1

    def end(self) -> None:
        if self._depth == 1:
            self._before = self.seconds
        self._depth -= 1


@contextmanager
def timed() -> Iterator[Making]:
    """What is spent on machine code as long as the block lasts, in whatever thread; code from the cache takes none."""
    from numba.core import event

    making = Making()

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, _: event.Event) -> None:
            making.begin()

        def on_end(self, _: event.Event) -> None:
            making.end()

    with event.install_listener("numba:compile", Listener()):
        yield making
