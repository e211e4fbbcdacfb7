"""What there is to run kernels on: a GPU through numba-cuda and CuPy, or Numba's simulator with NumPy's arrays."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np

SEGMENT_BYTES, COPY_THREADS = 1 << 24, 8
"""Large arrays are copied to the host in segments of this size, by this number of threads."""


def is_simulated() -> bool:
    """Whether Numba's simulator stands in for a GPU."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


@functools.cache
def compiles() -> bool:
    """Whether functions are compiled: without a GPU they are only rewritten."""
    return not is_simulated() and missing_device() is None


@functools.cache
def missing_device() -> str | None:
    """Why this process has no GPU to run on, as a sentence; None if it has one."""
    if is_simulated():
        return None
    for package in ("cupy", "numba_cuda"):
        if find_spec(package) is None:
            return f"{package.replace('_', '-')} is not installed (pip install 'zermelo[cuda]')"
    try:
        with quiet():
            found = bool(numba_cuda().is_available())
    except Exception as error:
        return f"CUDA does not start here ({type(error).__name__}: {str(error).strip().splitlines()[0]})"
    return None if found else "this machine has no NVIDIA GPU, or its driver is missing"


@functools.cache
def numba_cuda() -> Any:
    """numba.cuda. NumPy 2.4 removed names that some versions of numba-cuda ask for."""
    for name in ("row_stack", "trapz", "in1d"):
        if not hasattr(np, name):
            setattr(np, name, np.vstack)
    with quiet():
        from numba import cuda
    return cuda


@contextmanager
def quiet() -> Iterator[None]:
    """Ignore warnings of numba-cuda, such as those of grids that do not fill the GPU."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@functools.cache
def arrays() -> Any:
    """The module that has arrays where kernels can reach them: CuPy, or NumPy in the simulator."""
    if is_simulated():
        return np
    import cupy

    return cupy


def to_host(array: Any, copy: Any = None) -> Any:
    """A copy of an array in the memory of the host: in the array `copy`, or in a new one."""
    copy = np.empty(array.shape, array.dtype) if copy is None else copy
    if is_simulated() or isinstance(array, np.ndarray):
        copy[:] = array
    elif array.nbytes < 4 * SEGMENT_BYTES:
        copy[:] = array.get()
    else:
        _copy_in_segments(array, copy.reshape(-1))
    return copy


def _copy_in_segments(array: Any, copy: Any) -> None:
    """Copy a large array through pinned memory, in several threads."""
    cupy = arrays()
    source = cupy.ascontiguousarray(array).reshape(-1)
    size = SEGMENT_BYTES // source.itemsize
    starts = list(range(0, len(source), size))
    device = cupy.cuda.Device()
    synchronize()

    def work(_: int) -> None:
        with device, cupy.cuda.Stream(non_blocking=True) as stream:
            pinned = cupy.cuda.alloc_pinned_memory(SEGMENT_BYTES)
            while starts:
                try:
                    start = starts.pop()
                except IndexError:
                    break
                part = source[start : start + size]
                staged = np.frombuffer(pinned, source.dtype, len(part))
                part.get(stream=stream, out=staged)
                stream.synchronize()
                copy[start : start + size] = staged

    with ThreadPoolExecutor(COPY_THREADS) as pool:
        list(pool.map(work, range(COPY_THREADS)))


def free_memory() -> int:
    """Bytes of the device that can be allocated."""
    if is_simulated():
        return 1 << 30
    cupy = arrays()
    pool = cupy.get_default_memory_pool()
    free = int(cupy.cuda.runtime.memGetInfo()[0]) + int(pool.free_bytes())
    return min(free, int(pool.get_limit()) - int(pool.used_bytes())) if pool.get_limit() else free


def release_memory() -> None:
    """Give memory that no array uses back to the device."""
    if not is_simulated():
        arrays().get_default_memory_pool().free_all_blocks()


def synchronize() -> None:
    """Wait until the device has done all its work."""
    if not is_simulated():
        numba_cuda().synchronize()


def compiled_for_device(function: Any) -> Any:
    if not compiles():
        return function
    with quiet():
        return numba_cuda().jit(device=True)(function)
