"""Compile in a process of its own, which puts its result into the cache and outlives this one.

A process of its own does not share the interpreter lock, so a search that waits for its kernel runs interpreted at full
speed in the meantime. Where the limit of the search is over first, the compiler goes on and the next command profits.

The other process loads the game itself: by the name of its module, or from its file. The network of a game that has
one is sent along. A class of `__main__` or of a notebook, one inside a function, a game with a tablebase, and
parameters that cannot be pickled have no other process; then this one compiles.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from zermelo.game import Game
from zermelo.native.cache.kernel_cache import is_writable
from zermelo.native.compilability import known_error, look_again
from zermelo.native.fingerprints import fingerprint

if TYPE_CHECKING:
    import subprocess

    from zermelo.native.kernel_dispatch import Kernel

WORKER_MODULE = "zermelo.games.support.compile_worker"
"""The module that the other process runs: it knows how to load games."""

WORKER_VARIABLE = "ZERMELO_COMPILE_WORKER"
"""Set in the other process. An author's file that searches while it is loaded starts no further process there."""

TWIN_VARIABLE = "ZERMELO_INTERPRET_FIRST"
"""Set to 0, it makes a search without a time limit, and a solve, wait for their kernels."""

CACHE_POLL_SECONDS = 0.02
"""Seconds between two looks at the cache while another process compiles."""

_running: dict[tuple[str, str], subprocess.Popen[bytes]] = {}
"""The processes that were started, by game and kernel."""

_lock = threading.Lock()


def start_compiling(game: Game, kernels: Iterable[str], *, quick: bool = False) -> bool:
    """Start to compile these kernels for a game, in this order; return whether it was possible.

    With `quick`, there is quick code of all of them before the first is optimised.
    """
    with _lock:
        names = [name for name in kernels if (fingerprint(game), name) not in _running]
        if not names:
            return True
        if WORKER_VARIABLE in os.environ or not is_writable():
            return False
        request = _request(game, names, quick)
        process = None if request is None else _started(request)
        if process is None:
            return False
        for name in names:
            _running[fingerprint(game), name] = process
    return True


def can_run_beside(game: Game, kernels: Iterable[Kernel], *, quick: bool = False) -> bool:
    """Return whether another process compiles these kernels, and an interpreted twin of their caller may run beside it.

    It is started here unless it runs already.
    """
    if os.environ.get(TWIN_VARIABLE, "1") == "0" or game.native or (os.cpu_count() or 1) == 1 or known_error(game):
        return False
    missing = [kernel.name for kernel in kernels if kernel.is_linked and not kernel.is_cached(game)]
    return bool(missing) and start_compiling(game, missing, quick=quick)


def is_compiling(game: Game, kernel: str) -> bool:
    """Whether a process that was started from here compiles this kernel now."""
    process = _running.get((fingerprint(game), kernel))
    return process is not None and process.poll() is None


def wait_for(game: Game, kernel: str, is_done: Callable[[], bool] = lambda: False) -> None:
    """Wait until the process that compiles this kernel, if there is one, has ended, or the kernel is done."""
    process = _running.get((fingerprint(game), kernel))
    if process is None:
        return
    from subprocess import TimeoutExpired

    while not is_done():
        with suppress(TimeoutExpired):
            process.wait(CACHE_POLL_SECONDS)
            break
    look_again(game)


def _request(game: Game, kernels: list[str], quick: bool) -> bytes | None:
    """What the other process reads; None if it could not load the game."""
    import pickle

    inside = game.__dict__
    network = inside.get("_network")
    author = game if network is None or "_solution" in inside else inside["_original"]
    cls = type(author)
    module = sys.modules.get(cls.__module__)
    if module is None or module.__name__ == "__main__" or module.__dict__.get(cls.__qualname__) is not cls:
        return None
    request: dict[str, Any] = {
        "path": sys.path, "module": cls.__module__, "file": getattr(module, "__file__", None), "class": cls.__name__,
        "parameters": {each.name: getattr(author, each.name) for each in fields(author) if each.init},  # type: ignore[arg-type]
        "fingerprint": fingerprint(game), "kernels": {name: _module(name) for name in kernels},
        "quick": quick,
    }  # fmt: skip
    try:
        # pickled by itself, since it may name a class of the game's file, which has to be loaded first
        request["network"] = None if network is None else pickle.dumps(network)
        return pickle.dumps(request)
    except Exception:  # a parameter of any kind
        return None


def _module(kernel: str) -> str:
    """The module that defines a kernel; "" if none here does. The other process need not import them all."""
    from zermelo.native.kernel_dispatch import kernels

    return next((each.python.__module__ for each in kernels if each.name == kernel and each.is_linked), "")


def _started(request: bytes) -> subprocess.Popen[bytes] | None:
    """The other process, detached from this one. It imports from where this one does, and starts no other."""
    import subprocess
    import tempfile

    folders = os.pathsep.join(folder for folder in sys.path if folder)
    environment = {**os.environ, WORKER_VARIABLE: "1", "PYTHONPATH": folders}
    try:
        with tempfile.TemporaryFile() as file:  # a pipe would make this process wait for the other to read
            file.write(request)
            file.seek(0)
            return subprocess.Popen(
                [sys.executable, "-P", "-m", WORKER_MODULE], stdin=file, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, start_new_session=True, env=environment,
            )  # fmt: skip
    except (OSError, TypeError):  # no such program; no name of one
        return None
