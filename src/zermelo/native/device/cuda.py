"""CUDA: the third way to run a kernel.

A kernel for a GPU is a plain function of a game, a place and arrays: it does the work of one place. Kernel and rules
are rewritten into plain functions of numbers (codegen/plain_rules.py), which numba-cuda compiles. CuPy has the arrays,
and sorts and adds them. Where NUMBA_ENABLE_CUDASIM is set, Numba's simulator runs the same functions as Python and
NumPy has the arrays, so that the tests need no GPU. Nothing outside this folder knows numba-cuda or CuPy.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.native.codegen.plain_rules import PlainRules
from zermelo.native.device.device_library import library_of
from zermelo.native.device.device_platform import arrays, is_simulated, numba_cuda, quiet
from zermelo.native.fingerprints import fingerprint

BLOCK_THREADS = 256
SIMULATED_THREADS = 64
"""Threads of a block, on a GPU and in the simulator."""

_devices: dict[Any, CudaGame] = {}


class CudaGame:
    """A game whose rules and kernels run on the GPU."""

    def __init__(self, game: Game, known: dict[Any, Callable[..., Any]] | None = None) -> None:
        self.game = game
        library = library_of(game)
        for stub, function in (known or {}).items():
            library.known[stub] = library.compile(function)  # type: ignore[arg-type]
        self.rules = PlainRules(game, library)
        self._entries: dict[Any, Any] = {}
        self._tables: tuple[Any, ...] = ()

    def run(self, kernel: Callable[..., None], count: int, *arguments: Any) -> None:
        """Run `kernel(game, place, *arguments)` for every place below `count`, each in a thread of its own."""
        if count <= 0:
            return
        entry = self._entries.get(kernel)
        if entry is None:
            entry = self._entries[kernel] = self._entry(kernel)
        threads = min(count, SIMULATED_THREADS) if is_simulated() else BLOCK_THREADS
        if is_simulated():
            from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

            # as arrays of a device: those of the host would be copied, and two views of one array come apart
            arguments = tuple(FakeCUDAArray(each) if isinstance(each, np.ndarray) else each for each in arguments)
        with quiet():
            entry[-(-count // threads), threads](self.tables, count, *arguments)

    @property
    def tables(self) -> tuple[Any, ...]:
        """The arrays of the game on the device. There is always one, since an empty tuple has no type."""
        new = self.rules.tables[len(self._tables) :]
        self._tables += tuple(arrays().asarray(np.ascontiguousarray(table)) for table in new)
        return self._tables or (arrays().zeros(1, np.int64),)

    def _entry(self, kernel: Any) -> Any:
        body = self.rules.function(kernel, (0,))
        names = ", ".join(list(inspect.signature(kernel).parameters)[2:])
        scope: dict[str, Any] = {"_body": body, "cuda": numba_cuda()}
        text = f"def {kernel.__name__}(_tables, _count, {names}):\n    _place = cuda.grid(1)\n"
        exec(text + f"    if _place < _count:\n        _body(_tables, _place, {names})", scope)
        return numba_cuda().jit(scope[kernel.__name__])


def cuda_game(game: Game, made_for: Any = None, known: Callable[[], dict[Any, Any]] = dict) -> CudaGame:
    """The game on the GPU, with functions that are `made_for` something, such as a packing. Its kernels are kept."""
    name = fingerprint(game), made_for
    if name not in _devices:
        _devices[name] = CudaGame(game, known())
    return _devices[name]
