"""Load the machine code of a linked kernel and call it.

Numba is needed only where rules allocate memory, print or call something else of its run-time library.

An entry takes one array of words with all arguments and writes the result to another (see kernel_ir.py).
"""

from __future__ import annotations

import ctypes
import struct
from contextlib import suppress
from typing import Any

import llvmlite.binding as llvm

from zermelo.game import GameError
from zermelo.native.linking.linker import new_target_machine
from zermelo.native.linking.rule_interface import BOOL, MAX_RESULT_WORDS, REAL, STATE, WORDS
from zermelo.native.linking.weights import NETWORK_SYMBOL, WEIGHTS_SYMBOL
from zermelo.native.state_layout import Layout
from zermelo.word_arrays import Words

MATHEMATICS = ("libm.so.6", "libm.so", "libSystem.dylib", "ucrtbase.dll")
"""The libraries of `tanh` and the like, on the systems that Zermelo runs on."""

_ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64,
    ctypes.c_void_p, ctypes.c_int64,
)  # fmt: skip


class LoadedKernel:
    """A kernel in memory: call it with arguments of its kinds."""

    def __init__(
        self,
        code: bytes,
        header: dict[str, Any],
        kinds: tuple[str, ...],
        layout: Layout,
        weights: list[float] | None,
        network: Words | None,
    ) -> None:
        if header["needs_numba"]:
            _import_runtime()
        missing = _missing(header["symbols"])
        if missing:
            _load_mathematics()
            missing = _missing(missing)
        if missing:  # LLVM would end the process
            raise GameError(f"compiled rules call {', '.join(missing)}, which this process does not have")
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), new_target_machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._environments = [self._set_environment(*item) for item in header["environments"].items()]
        # A kernel that reads no game has no place for its weights.
        if weights and (place := self._engine.get_global_value_address(WEIGHTS_SYMBOL)):
            array = (ctypes.c_double * len(weights))(*weights)
            ctypes.memmove(place, array, ctypes.sizeof(array))
        self._network = network  # which compiled code reads at its address
        if network is not None and (place := self._engine.get_global_value_address(NETWORK_SYMBOL)):
            ctypes.memmove(place, (ctypes.c_int64 * 2)(network.address, len(network)), 16)
        self._entry = _ENTRY(self._engine.get_function_address(header["entry"]))
        self._kinds = kinds
        self._results = tuple(header["result"])
        self._layout = layout
        self._state = StateFormat(layout)
        codes = {REAL: "d", STATE: "qq", WORDS: "qq"}
        self._format = struct.Struct("<" + "".join(codes.get(kind, "q") for kind in kinds))
        self._result_words = max(MAX_RESULT_WORDS, self._state.words)

    def __call__(self, *args: Any) -> Any:
        """Run the kernel without the interpreter lock. Raise what a rule raises."""
        given: list[Any] = []
        alive = []
        for kind, value in zip(self._kinds, args, strict=True):
            if kind == WORDS:
                given += value.address, len(value)
            elif kind == STATE:
                state = self._state.pack(value)
                alive.append(state)
                given += ctypes.addressof(state), self._state.words
            else:
                given.append(value)
        words = ctypes.create_string_buffer(self._format.pack(*given), self._format.size)
        results = ctypes.create_string_buffer(8 * self._result_words)
        unused, exception = ctypes.c_void_p(), ctypes.c_void_p()
        code = self._entry(
            ctypes.addressof(unused), ctypes.addressof(exception), None, ctypes.addressof(words), len(words) // 8,
            ctypes.addressof(results), self._result_words,
        )  # fmt: skip
        if code > 0 or code == -1:
            from zermelo.native.linking.exceptions import raised

            raise raised(code, exception.value)
        return self._result(results)

    def _result(self, results: Any) -> Any:
        if STATE in self._results:
            return self._state.unpack(results)
        form = "<" + "".join("d" if kind == REAL else "q" for kind in self._results)
        found = struct.unpack_from(form, results)
        found = tuple(bool(value) if kind == BOOL else value for kind, value in zip(self._results, found, strict=True))
        return None if not found else found[0] if len(found) == 1 else found

    def _set_environment(self, name: str, constants: list[Any]) -> Any:
        """Give a function the Python objects that it uses, for example to print. The caller keeps them alive."""
        from zermelo.native.cache.numba_entry import environment

        found = environment(name, constants)
        ctypes.c_void_p.from_address(self._engine.get_global_value_address(name)).value = id(found)
        return found


class StateFormat:
    """The words of a state: one for each number."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._numbers = list(layout.numbers())
        self.words = len(self._numbers)
        codes = ["d" if each.is_float else "Q" if each.dtype == "uint64" else "q" for each in self._numbers]
        self._format = struct.Struct("<" + "".join(codes))

    def pack(self, state: Any) -> Any:
        """A buffer with the words of a state that `Layout.to_native` returned."""
        return ctypes.create_string_buffer(self._format.pack(*_flat(state)), max(1, self._format.size))

    def unpack(self, buffer: Any) -> Any:
        """The state in a buffer, as nested plain tuples."""
        return _nested(self._layout, iter(self._format.unpack_from(buffer)))


def _flat(part: Any) -> Any:
    if isinstance(part, tuple):
        for inner in part:
            yield from _flat(inner)
    else:
        yield part


def _nested(layout: Layout, numbers: Any) -> Any:
    if layout.cls is None:
        number = next(numbers)
        return bool(number) if layout.dtype == "bool" else number
    return tuple(_nested(part, numbers) for part in layout.parts)


def _missing(symbols: list[str]) -> list[str]:
    """The symbols that LLVM does not find."""
    return [name for name in symbols if not llvm.address_of_symbol(name)]


def _load_mathematics() -> None:
    """Make C's mathematical functions known to LLVM, where the process has them only inside Python."""
    for name in MATHEMATICS:
        with suppress(RuntimeError):
            llvm.load_library_permanently(name)


def _import_runtime() -> None:
    """Make the symbols of Numba's run-time library known to LLVM: for rules that allocate memory or print."""
    import numba.cpython.hashing  # noqa: F401  (registers symbols)
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    rtsys.initialize(cpu_target.target_context)
