"""The exception that a compiled rule raised, as Python raises it."""

from __future__ import annotations

import ctypes


class _ExceptionInfo(ctypes.Structure):
    """Numba's record of an exception: its pickled class and arguments, and those that are known at run time only."""

    _fields_ = (
        ("data", ctypes.c_void_p), ("length", ctypes.c_int32), ("values", ctypes.c_void_p),
        ("unwrap", ctypes.c_void_p), ("count", ctypes.c_int32),
    )  # fmt: skip


def raised(code: int, address: int | None) -> BaseException:
    """The exception of a kernel that returned this code."""
    if code < 1 or not address:
        return RuntimeError("a compiled rule failed without a reason")
    from numba.core.serialize import loads, runtime_build_excinfo_struct

    info = _ExceptionInfo.from_address(address)
    data = ctypes.string_at(info.data, info.length)
    if info.unwrap:
        values = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(info.unwrap)(info.values)
        kind, arguments, _ = runtime_build_excinfo_struct(data, values)
    else:
        kind, arguments, _ = loads(data)
    return RuntimeError("no exception to raise again") if kind is None else kind(*arguments)
