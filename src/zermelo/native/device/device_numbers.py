"""Numbers on a GPU: casts to machine types, the functions of bits.py, and tuples.replace."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from zermelo import bits, tuples
from zermelo.native.device.device_platform import compiled_for_device, compiles, numba_cuda


def machine_casts() -> dict[str, Any]:
    """Casts to machine types, by the names that generated functions use."""
    return dict(_casts())


@functools.cache
def _casts() -> dict[str, Any]:
    """Casts to machine types, by their names in the texts above."""
    from zermelo.native.state_layout import MACHINE_TYPES

    if not compiles():
        casts: dict[str, Any] = {f"cast_{name}": np.dtype(name).type for name in MACHINE_TYPES}
        casts |= {f"cast_int{width}": _wrapping(width) for width in (8, 16, 32, 64)}
        return casts | {"cast_uint64": lambda x: bits.unsigned(int(x)), "cast_bool": bool, "cast_float64": float}
    casts = {f"cast_{name}": getattr(np, name) for name in MACHINE_TYPES if name != "bool"}
    return casts | {"cast_bool": bool}


def _wrapping(width: int) -> Any:
    half = 1 << width - 1
    return lambda x: (int(x) + half) % (2 * half) - half


@functools.cache
def number_functions() -> dict[str, Any]:
    """Device functions of numbers: casts, those of bits.py, and tuples.replace."""
    if not compiles():
        names = [name for name in vars(bits) if not name.startswith("_") and callable(getattr(bits, name))]
        plain = {
            name: getattr(bits, name)
            for name in names
            if getattr(getattr(bits, name), "__module__", "") == "zermelo.bits"
        }
        plain.pop("ones")
        return {
            "bits": plain, "replace": tuples.replace, "truth": bool, "float64": float,
            "int64": _casts()["cast_int64"], "uint64": _casts()["cast_uint64"],
        }  # fmt: skip
    return _compiled_functions()


def _compiled_functions() -> dict[str, Any]:
    cuda, device = numba_cuda(), compiled_for_device

    @device
    def int64(x):  # type: ignore[no-untyped-def]
        return np.int64(x)

    @device
    def uint64(x):  # type: ignore[no-untyped-def]
        return np.uint64(x)

    @device
    def float64(x):  # type: ignore[no-untyped-def]
        return np.float64(x)

    @device
    def truth(x):  # type: ignore[no-untyped-def]
        return bool(x)

    @device
    def popcount(x):  # type: ignore[no-untyped-def]
        return np.int64(cuda.popc(np.uint64(x)))

    @device
    def lsb(x):  # type: ignore[no-untyped-def]
        found = np.int64(cuda.ffs(np.uint64(x)))
        return found - 1 if found != 0 else np.int64(64)

    @device
    def msb(x):  # type: ignore[no-untyped-def]
        return 63 - np.int64(cuda.clz(np.uint64(x)))

    @device
    def bit(i):  # type: ignore[no-untyped-def]
        return np.uint64(1) << np.uint64(i) if 0 <= i < 64 else np.uint64(0)

    @device
    def has_bit(x, i):  # type: ignore[no-untyped-def]
        return 0 <= i < 64 and np.uint64(x) >> np.uint64(i) & np.uint64(1) != np.uint64(0)

    @device
    def shift_left(x, count):  # type: ignore[no-untyped-def]
        if 0 <= count < 64:
            return np.uint64(x) << np.uint64(count)
        if -64 < count < 0:
            return np.uint64(x) >> np.uint64(-np.int64(count))
        return np.uint64(0)

    @device
    def shift_right(x, count):  # type: ignore[no-untyped-def]
        if 0 <= count < 64:
            return np.uint64(x) >> np.uint64(count)
        if -64 < count < 0:
            return np.uint64(x) << np.uint64(-np.int64(count))
        return np.uint64(0)

    @device
    def rotate_left(x, count):  # type: ignore[no-untyped-def]
        up, down = np.uint64(count) & np.uint64(63), np.uint64(-np.int64(count)) & np.uint64(63)
        return np.uint64(x) << up | np.uint64(x) >> down

    @device
    def reverse(x):  # type: ignore[no-untyped-def]
        return np.uint64(cuda.brev(np.uint64(x)))

    @device
    def byte_swap(x):  # type: ignore[no-untyped-def]
        word = np.uint64(x)
        word = (word & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8) | word >> np.uint64(8) & np.uint64(
            0x00FF00FF00FF00FF
        )
        word = (word & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16) | word >> np.uint64(16) & np.uint64(
            0x0000FFFF0000FFFF
        )
        return word << np.uint64(32) | word >> np.uint64(32)

    @device
    def add(a, b):  # type: ignore[no-untyped-def]
        return np.uint64(a) + np.uint64(b)

    @device
    def subtract(a, b):  # type: ignore[no-untyped-def]
        return np.uint64(a) - np.uint64(b)

    @device
    def multiply(a, b):  # type: ignore[no-untyped-def]
        return np.uint64(a) * np.uint64(b)

    @device
    def remainder(a, b):  # type: ignore[no-untyped-def]
        return np.uint64(a) % np.uint64(b) if np.uint64(b) != np.uint64(0) else np.uint64(0)

    @device
    def mix(x):  # type: ignore[no-untyped-def]
        word = np.uint64(x) + np.uint64(0x9E3779B97F4A7C15)
        word = (word ^ word >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ word >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return word ^ word >> np.uint64(31)

    words = {
        "unsigned": uint64, "signed": int64, "popcount": popcount, "lsb": lsb, "msb": msb, "bit": bit,
        "has_bit": has_bit, "shift_left": shift_left, "shift_right": shift_right, "rotate_left": rotate_left,
        "byte_swap": byte_swap, "reverse": reverse, "add": add, "subtract": subtract, "multiply": multiply,
        "remainder": remainder, "mix": mix,
    }  # fmt: skip
    return {
        "bits": words,
        "replace": _tuple_replace(),
        "truth": truth,
        "float64": float64,
        "int64": int64,
        "uint64": uint64,
    }


def _tuple_replace() -> Any:
    """tuples.replace: each part is chosen by comparing its place, since the length is known when it compiles."""
    from numba.cuda.extending import overload

    def replace(parts, i, part):  # type: ignore[no-untyped-def]
        raise NotImplementedError

    @overload(replace)
    def _replace(parts, i, part):  # type: ignore[no-untyped-def]
        chosen = "".join(f"(part if i == {at} else parts[{at}]), " for at in range(len(parts)))
        scope: dict[str, Any] = {}
        exec(f"def implementation(parts, i, part):\n    return ({chosen})", scope)
        return scope["implementation"]

    return replace
