"""Numba overloads of word_arrays.py: Words, Reals and Ints are a pointer and a length. Indices are not checked."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import (
    NativeValue,
    intrinsic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from zermelo.native.codegen.link_only import overload_method
from zermelo.word_arrays import Words


class WordsType(types.Type):  # type: ignore[misc]
    """The Numba type of Words, Reals or Ints: the type of an item in compiled code, and the type in memory."""

    def __init__(self, name: str, item: Any, stored: Any = None) -> None:
        super().__init__(name=name)
        self.item = item
        self.stored = stored or item


words_type = WordsType("Words", types.int64)
reals_type = WordsType("Reals", types.float64)
ints_type = WordsType("Ints", types.int64, types.int32)
shorts_type = WordsType("Shorts", types.int64, types.uint16)
octets_type = WordsType("Octets", types.int64, types.uint8)
INT64 = ir.IntType(64)


@typeof_impl.register(Words)  # type: ignore[untyped-decorator]
def _typeof(value: Words, context: Any) -> WordsType:
    return words_type


@register_model(WordsType)
class _Model(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, typ: Any) -> None:
        super().__init__(manager, typ, [("data", types.CPointer(typ.stored)), ("length", types.int64)])


@unbox(WordsType)  # type: ignore[untyped-decorator]
def _unbox(typ: Any, words: Any, c: Any) -> NativeValue:
    struct = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    address = c.pyapi.object_getattr_string(words, "address")
    struct.data = c.builder.inttoptr(c.pyapi.long_as_longlong(address), INT64.as_pointer())
    length = c.pyapi.call_method(words, "__len__")
    struct.length = c.pyapi.long_as_longlong(length)
    c.pyapi.decref(address)
    c.pyapi.decref(length)
    return NativeValue(struct._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


def _struct(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    return cgutils.create_struct_proxy(typ)(context, builder, value)


def _pointer(context: Any, builder: Any, typ: Any, value: Any, i: Any) -> Any:
    return builder.gep(_struct(context, builder, typ, value).data, [i])


def _widened(builder: Any, typ: WordsType, item: Any) -> Any:
    """An item in memory as compiled code has it."""
    if typ.stored is typ.item:
        return item
    return (builder.sext if typ.stored.signed else builder.zext)(item, INT64)


def _narrowed(builder: Any, typ: WordsType, item: Any) -> Any:
    """An item as memory has it."""
    return item if typ.stored is typ.item else builder.trunc(item, ir.IntType(typ.stored.bitwidth))


# getitem, setitem and len are typed and lowered by hand: an `overload` would compile a function for each constant.


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        words = args[0]
        return signature(words.item, words, types.int64) if isinstance(words, WordsType) else None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        words = args[0]
        return signature(types.none, words, types.int64, words.item) if isinstance(words, WordsType) else None


@infer_global(len)
class _Len(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, args[0]) if isinstance(args[0], WordsType) else None


@lower_builtin(operator.getitem, WordsType, types.int64)  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    typ = signature.args[0]
    return _widened(builder, typ, builder.load(_pointer(context, builder, typ, args[0], args[1])))


@lower_builtin(operator.setitem, WordsType, types.int64, types.int64)  # type: ignore[untyped-decorator]
@lower_builtin(operator.setitem, WordsType, types.int64, types.float64)  # type: ignore[untyped-decorator]
def _store(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    typ = signature.args[0]
    builder.store(_narrowed(builder, typ, args[2]), _pointer(context, builder, typ, args[0], args[1]))
    return context.get_dummy_value()


@lower_builtin(len, WordsType)  # type: ignore[untyped-decorator]
def _length(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return _struct(context, builder, signature.args[0], args[0]).length


def _define_view(name: str, shared: WordsType) -> None:
    """Define a method of Words that returns a view of type `shared` on their memory."""

    def share(context: Any, words: Any, start: Any, length: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = _pointer(context, builder, words_type, args[0], args[1])
            part = cgutils.create_struct_proxy(shared)(context, builder)
            part.data = builder.bitcast(data, part.data.type)
            part.length = args[2]
            return part._getvalue()

        return shared(words, types.int64, types.int64), generate

    sharing = intrinsic(share)

    @overload_method(WordsType, name)
    def method(words, start, length):  # type: ignore[no-untyped-def]
        return lambda words, start, length: sharing(words, types.int64(start), types.int64(length))


_define_view("part", words_type)
_define_view("reals", reals_type)
_define_view("ints", ints_type)
_define_view("shorts", shorts_type)
_define_view("octets", octets_type)


@intrinsic  # type: ignore[untyped-decorator]
def _follow(context: Any, words: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = cgutils.create_struct_proxy(words_type)(context, builder)
        place = _pointer(context, builder, words_type, args[0], args[1])
        found.data = builder.inttoptr(builder.load(place), INT64.as_pointer())
        found.length = builder.load(builder.gep(place, [INT64(1)]))
        return found._getvalue()

    return words_type(words, types.int64), generate


@overload_method(WordsType, "follow")
def _follow_method(words, i):  # type: ignore[no-untyped-def]
    return lambda words, i: _follow(words, types.int64(i))


# -- atomic operations -----------------------------------------------------------------------------------------------


@intrinsic  # type: ignore[untyped-decorator]
def _compare_exchange(context: Any, words: Any, i: Any, old: Any, new: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, words_type, args[0], args[1])
        return builder.extract_value(builder.cmpxchg(place, args[2], args[3], "acq_rel", "acquire"), 1)

    return types.boolean(words, types.int64, types.int64, types.int64), generate


@overload_method(WordsType, "compare_exchange")
def _compare_exchange_method(words, i, old, new):  # type: ignore[no-untyped-def]
    return lambda words, i, old, new: _compare_exchange(words, types.int64(i), types.int64(old), types.int64(new))


@intrinsic  # type: ignore[untyped-decorator]
def _store_release(context: Any, words: Any, i: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _pointer(context, builder, words_type, args[0], args[1]), "release", 8)
        return context.get_dummy_value()

    return types.none(words, types.int64, types.int64), generate


@overload_method(WordsType, "store_release")
def _store_release_method(words, i, word):  # type: ignore[no-untyped-def]
    return lambda words, i, word: _store_release(words, types.int64(i), types.int64(word))


@intrinsic  # type: ignore[untyped-decorator]
def _load_acquire(context: Any, words: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_pointer(context, builder, words_type, args[0], args[1]), "acquire", 8)

    return types.int64(words, types.int64), generate


@overload_method(WordsType, "load_acquire")
def _load_acquire_method(words, i):  # type: ignore[no-untyped-def]
    return lambda words, i: _load_acquire(words, types.int64(i))


def _define_atomic(name: str, operation: str, argument: str) -> None:
    """Define a method of Ints: an atomic read-modify-write that returns the number as it was before."""

    def change(context: Any, ints: Any, i: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _pointer(context, builder, ints, args[0], args[1])
            before = builder.atomic_rmw(operation, place, _narrowed(builder, ints, args[2]), "monotonic")
            return _widened(builder, ints, before)

        return types.int64(ints, types.int64, types.int64), generate

    scope: dict[str, Any] = {"changing": intrinsic(change), "int64": types.int64}
    implementation = f"lambda ints, i, {argument}: changing(ints, int64(i), int64({argument}))"
    overload_method(WordsType, name)(eval(f"lambda ints, i, {argument}: {implementation}", scope))


_define_atomic("fetch_add", "add", "number")
_define_atomic("fetch_or", "or", "flags")
_define_atomic("fetch_and", "and", "flags")


@intrinsic  # type: ignore[untyped-decorator]
def _prefetch(context: Any, words: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        word = builder.gep(_struct(context, builder, words_type, args[0]).data, [args[1]])
        builder.call(hint, [builder.bitcast(word, pointer), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(words, types.int64), generate


@overload_method(WordsType, "prefetch")
def _prefetch_method(words, i):  # type: ignore[no-untyped-def]
    return lambda words, i: _prefetch(words, types.int64(i))
