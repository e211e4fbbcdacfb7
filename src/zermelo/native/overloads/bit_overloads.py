"""Numba overloads of bits.py, one or a few processor instructions each, and of tuples.py.

Arguments of any integer type are extended to 64-bit words first, signed ones by their sign, as Python's ints are. So
the same word gives the same answer whatever its type is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import int64, types, uint64
from numba.core.errors import TypingError
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic

from zermelo import bits, tuples
from zermelo.native.codegen.link_only import overload


def word_overload(function: Any) -> Callable[[Any], Any]:
    """Register the implementation of a function of words. Raise TypingError for arguments that are not integers."""
    names = list(inspect.signature(function).parameters)

    def register(implementation: Any) -> Any:
        implementation.__annotations__ = {}  # Numba compares them with those of the overload

        def choose(*given: Any) -> Any:
            for name, typ in zip(names, given, strict=True):
                if not isinstance(typ, types.Integer | types.Boolean):
                    raise TypingError(f"bits.{function.__name__} takes ints, and its {name} is of type {typ}")
            return implementation

        exec(f"def chooser({', '.join(names)}):\n    return choose({', '.join(names)})", scope := {"choose": choose})
        overload(function)(scope["chooser"])
        return implementation

    return register


def _instruction(name: str, result: Any, *flags: bool) -> Any:
    """The LLVM instruction of this name over one word."""

    def instruction(context: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return getattr(builder, name)(args[0], *(ir.Constant(ir.IntType(1), flag) for flag in flags))

        return result(uint64), generate

    return intrinsic(instruction)


_count_ones = _instruction("ctpop", int64)
_zeros_below = _instruction("cttz", int64, False)  # False: defined for the empty word, as 64
_zeros_above = _instruction("ctlz", int64, False)
_swap_bytes = _instruction("bswap", uint64)
_reverse_bits = _instruction("bitreverse", uint64)


@word_overload(bits.unsigned)
def _unsigned(x: Any) -> Any:
    return uint64(x)


@word_overload(bits.signed)
def _signed(x: Any) -> Any:
    return int64(x)


@word_overload(bits.popcount)
def _popcount(x: Any) -> Any:
    return _count_ones(uint64(x))


@word_overload(bits.lsb)
def _lsb(x: Any) -> Any:
    return _zeros_below(uint64(x))


@word_overload(bits.msb)
def _msb(x: Any) -> Any:
    return 63 - _zeros_above(uint64(x))


@word_overload(bits.ones)
def _ones(x: Any) -> Any:
    word = uint64(x)
    while word != uint64(0):
        yield _zeros_below(word)
        word &= word - uint64(1)


@word_overload(bits.bit)
def _bit(i: Any) -> Any:
    return uint64(1) << uint64(i) if 0 <= i < 64 else uint64(0)


@word_overload(bits.has_bit)
def _has_bit(x: Any, i: Any) -> Any:
    return 0 <= i < 64 and uint64(x) >> uint64(i) & uint64(1) != uint64(0)


@word_overload(bits.shift_left)
def _shift_left(x: Any, count: Any) -> Any:
    if 0 <= count < 64:
        return uint64(x) << uint64(count)
    if -64 < count < 0:
        return uint64(x) >> uint64(-int64(count))
    return uint64(0)


@word_overload(bits.shift_right)
def _shift_right(x: Any, count: Any) -> Any:
    if 0 <= count < 64:
        return uint64(x) >> uint64(count)
    if -64 < count < 0:
        return uint64(x) << uint64(-int64(count))
    return uint64(0)


@word_overload(bits.rotate_left)
def _rotate_left(x: Any, count: Any) -> Any:
    up, down = uint64(count) & uint64(63), uint64(-int64(count)) & uint64(63)
    return uint64(x) << up | uint64(x) >> down


@word_overload(bits.byte_swap)
def _byte_swap(x: Any) -> Any:
    return _swap_bytes(uint64(x))


@word_overload(bits.reverse)
def _reverse(x: Any) -> Any:
    return _reverse_bits(uint64(x))


@word_overload(bits.add)
def _add(a: Any, b: Any) -> Any:
    return uint64(a) + uint64(b)


@word_overload(bits.subtract)
def _subtract(a: Any, b: Any) -> Any:
    return uint64(a) - uint64(b)


@word_overload(bits.multiply)
def _multiply(a: Any, b: Any) -> Any:
    return uint64(a) * uint64(b)


@word_overload(bits.remainder)
def _remainder(a: Any, b: Any) -> Any:
    return uint64(a) % uint64(b) if uint64(b) != uint64(0) else uint64(0)


@word_overload(bits.mix)
def _mix(x: Any) -> Any:
    word = uint64(x) + uint64(0x9E3779B97F4A7C15)
    word = (word ^ word >> uint64(30)) * uint64(0xBF58476D1CE4E5B9)
    word = (word ^ word >> uint64(27)) * uint64(0x94D049BB133111EB)
    return word ^ word >> uint64(31)


@overload(tuples.replace)
def _replace(parts, i, part):  # type: ignore[no-untyped-def]
    if not isinstance(parts, types.UniTuple):
        raise TypingError(f"tuples.replace takes a tuple whose parts are of one type, and got {parts}")

    def implementation(parts, i, part):  # type: ignore[no-untyped-def]
        if not 0 <= i < len(parts):  # tuple_setitem itself does not check
            raise IndexError("tuples.replace: the index is outside the tuple")
        return tuple_setitem(parts, int64(i), part)

    return implementation
