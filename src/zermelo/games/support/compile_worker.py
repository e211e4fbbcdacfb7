"""The process that native/compile_process.py starts: it loads a game and compiles kernels into the cache.

    python -m zermelo.games.support.compile_worker < request

Rules are compiled first, all that the kernels need. Then the kernels are linked, side by side where the system can fork
and has cores: Numba and LLVM work in one thread at a time.
"""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from zermelo.game import Game
from zermelo.games.support import game_files
from zermelo.native import fingerprint
from zermelo.native.cache.cache_maintenance import cache_folder
from zermelo.native.kernel_dispatch import Kernel, kernels
from zermelo.networks.learned_game import with_network

MAX_CPU_SECONDS = 600

LOCK_FILE = "compiling-{}.lock"

KERNEL_MODULES = (
    "zermelo.searching.search_api", "zermelo.searching.runtime.search_worker", "zermelo.searching.runtime.batch",
    "zermelo.searching.proof.dfpn", "zermelo.searching.mcts.uct", "zermelo.solving.solver",
    "zermelo.solving.estimation.capture_recapture", "zermelo.solving.estimation.state_sampling",
    "zermelo.solving.enumeration.state_location",
    "zermelo.checking.compiled_rules", "zermelo.checking.key_collisions", "zermelo.games.support.compiled_reading",
    "zermelo.simulation.perft_divide", "zermelo.learning.training",
)  # fmt: skip
"""Modules that together define all linked kernels."""


def main() -> None:
    """Read a request from standard input, and compile."""
    limit_processor_time()
    gc.disable()  # the compiler makes many objects and little garbage, and the process ends with its work
    request: dict[str, Any] = pickle.loads(sys.stdin.buffer.read())
    sys.path[:] = request["path"]
    game = requested_game(request)
    if game is not None and fingerprint(game) == request["fingerprint"]:  # else the file has changed
        with alone(game):
            compile_kernels(game, requested_kernels(request["kernels"]), quick=request["quick"])


def limit_processor_time() -> None:
    """End this process after MAX_CPU_SECONDS: a rule may run for ever, and nobody watches."""
    with suppress(ImportError, OSError, ValueError):  # not on this system
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))


@contextmanager
def alone(game: Game) -> Iterator[None]:
    """Let no other such process compile for this game inside the block: it finds the rules in the cache afterwards.

    The lock is a file of the cache, one of sixteen. Where the system has no such locks, both compile.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl

            name = LOCK_FILE.format(fingerprint(game)[-1])
            file = stack.enter_context(open(cache_folder() / name, "w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def is_compiling_into(folder: Path) -> bool:
    """Whether such a process holds its lock in this cache folder; False where the system has no such locks."""
    with suppress(ImportError, FileNotFoundError):
        import fcntl

        for path in folder.glob(LOCK_FILE.format("*")):
            with open(path) as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return True
    return False


def requested_game(request: dict[str, Any]) -> Game | None:
    """Load the game that a request names; None if it cannot be loaded."""
    with suppress(Exception):
        text = f"{request['module']}:{request['class']}"
        if request["module"].startswith(game_files.MODULE_PREFIX):
            text = f"{request['file']}:{request['class']}"
        from zermelo.games.support.game_spec import parse

        game = game_files.class_of(parse(text))(**request["parameters"])
        return game if request["network"] is None else with_network(game, pickle.loads(request["network"]))
    return None


def requested_kernels(modules: dict[str, str]) -> list[Kernel]:
    """Kernels by their names, from the modules that define them; from all modules where one is not known."""
    found = linked_kernels(module for module in modules.values() if module.startswith("zermelo."))
    if not modules.keys() <= found.keys():
        found = linked_kernels()
    return [found[name] for name in modules]


def linked_kernels(modules: Iterable[str] = KERNEL_MODULES) -> dict[str, Kernel]:
    """The linked kernels of these modules, and of those that they import, by name."""
    for module in modules:
        importlib.import_module(module)
    return {each.name: each for each in kernels if each.is_linked}


def compile_kernels(game: Game, wanted: list[Kernel], *, quick: bool = False) -> None:
    """Compile the rules that the kernels need, then the kernels, in two processes if there are several."""
    if quick:
        for each in wanted:
            each.compile_quickly(game)
    if len(wanted) > 1 and hasattr(os, "fork") and (os.cpu_count() or 1) > 1:
        for each in wanted:
            each.compile_rules(game)
        other = os.fork()
        if other == 0:
            try:
                compile_in_order(game, wanted[1::2])
            finally:
                os._exit(0)
        compile_in_order(game, wanted[0::2])
        with suppress(ChildProcessError):
            os.waitpid(other, 0)
    else:
        compile_in_order(game, wanted)


def compile_in_order(game: Game, wanted: list[Kernel]) -> None:
    for each in wanted:
        with suppress(Exception):
            each.prepare(game)


if __name__ == "__main__":
    main()
