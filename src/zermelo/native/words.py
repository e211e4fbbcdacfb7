"""The compiled form of Words: a pointer and a length. Indices are not checked, as in any compiled array."""

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
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)

from zermelo.words import Words


class WordsType(types.Type):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__(name="Words")


words_type = WordsType()
INT64 = ir.IntType(64)


@typeof_impl.register(Words)  # type: ignore[untyped-decorator]
def _typeof(value: Words, context: Any) -> WordsType:
    return words_type


@register_model(WordsType)
class _Model(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, typ: Any) -> None:
        super().__init__(manager, typ, [("data", types.CPointer(types.int64)), ("length", types.int64)])


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


def _struct(context: Any, builder: Any, value: Any) -> Any:
    return cgutils.create_struct_proxy(words_type)(context, builder, value)


# Reading, writing and len are typed and lowered by hand: an `overload` would compile a function for each constant.


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, words_type, types.int64) if args[0] == words_type else None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.none, words_type, types.int64, types.int64) if args[0] == words_type else None


@infer_global(len)
class _Len(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, words_type) if args[0] == words_type else None


@lower_builtin(operator.getitem, WordsType, types.int64)  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.load(builder.gep(_struct(context, builder, args[0]).data, [args[1]]))


@lower_builtin(operator.setitem, WordsType, types.int64, types.int64)  # type: ignore[untyped-decorator]
def _store(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    builder.store(args[2], builder.gep(_struct(context, builder, args[0]).data, [args[1]]))
    return context.get_dummy_value()


@lower_builtin(len, WordsType)  # type: ignore[untyped-decorator]
def _length(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return _struct(context, builder, args[0]).length


@intrinsic  # type: ignore[untyped-decorator]
def _part(context: Any, words: Any, start: Any, length: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        part = cgutils.create_struct_proxy(words_type)(context, builder)
        part.data = builder.gep(_struct(context, builder, args[0]).data, [args[1]])
        part.length = args[2]
        return part._getvalue()

    return words_type(words, types.int64, types.int64), generate


@overload_method(WordsType, "part")
def _part_method(words, start, length):  # type: ignore[no-untyped-def]
    return lambda words, start, length: _part(words, types.int64(start), types.int64(length))
