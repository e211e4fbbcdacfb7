"""The format of a cache entry: a compiled kernel as plain data.

    magic line | SHA-256 of the rest | lengths of header and code | JSON header | object code | bitcode

Nothing in an entry is unpickled or imported. The header holds what Numba needs to call the kernel. It holds no types:
the caller knows the types of the arguments, and the type of the result is not needed, since only Python calls it.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from typing import Any

from numba.core import types, typing
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.environment import Environment, lookup_environment
from numba.core.funcdesc import PythonFunctionDescriptor

MAGIC = b"zermelo kernel 1\n"
CHECKSUM_SIZE = hashlib.sha256().digest_size
LENGTHS = struct.Struct("<QQ")
"""The lengths of the header and of the object code; the bitcode is the rest."""

JSON_TYPES = (str, int, float, bool, type(None))
"""Types of constants that JSON stores without loss."""


def pack_entry(key: str, result: Any) -> bytes | None:
    """The entry of a new kernel; None if it cannot be cached."""
    environments = referenced_environments(result)
    if not is_cacheable(result) or not all(type(one) in JSON_TYPES for each in environments for one in each.consts):
        return None
    library, _, (code, bitcode) = result.library.serialize_using_object_code()
    header = {
        "key": key,
        "library": library,
        "function": result.fndesc.mangled_name,
        "name": result.fndesc.qualname,
        "environment": result.environment.env_name,
        "constants": {each.env_name: list(each.consts) for each in [result.environment, *environments]},
    }
    text = json.dumps(header).encode()
    rest = LENGTHS.pack(len(text), len(code)) + text + code + bitcode
    return b"".join([MAGIC, hashlib.sha256(rest).digest(), rest])


def unpack_entry(data: bytes, key: str, arguments: Sequence[Any], context: Any) -> Any:
    """The kernel of an entry, ready to be called; None if the entry is damaged or has another key."""
    start = len(MAGIC) + CHECKSUM_SIZE
    if data[: len(MAGIC)] != MAGIC or data[len(MAGIC) : start] != hashlib.sha256(data[start:]).digest():
        return None
    text_length, code_length = LENGTHS.unpack_from(data, start)
    begin = start + LENGTHS.size
    code_begin, code_end = begin + text_length, begin + text_length + code_length
    header = json.loads(data[begin:code_begin])
    if header["key"] != key:
        return None
    kind = (header["library"], "object", (data[code_begin:code_end], data[code_end:]))
    library = context.codegen().unserialize_library(kind)
    environments = {name: _environment(name, constants) for name, constants in header["constants"].items()}
    function = _descriptor(header, tuple(arguments))
    own = environments[header["environment"]]
    entry = context.get_executable(library, function, own)
    for name, environment in environments.items():
        context.codegen().set_env(name, environment)
    return CompileResult(
        typing_context=context.typing_context, target_context=context, entry_point=entry, typing_error=None,
        type_annotation="", signature=typing.signature(function.restype, *arguments), objectmode=False, lifted=(),
        fndesc=function, library=library, call_helper=None, environment=own, metadata=None, reload_init=(),
        referenced_envs=tuple(environments.values()),
    )  # fmt: skip


def _descriptor(header: dict[str, Any], arguments: tuple[Any, ...]) -> Any:
    """Numba's description of the kernel."""
    names = tuple(f"argument{number}" for number in range(len(arguments)))
    return PythonFunctionDescriptor(
        native=True, modname=__name__, qualname=header["name"], unique_name=header["name"], doc="", typemap=None,
        restype=types.undefined, calltypes=None, args=names, kws=(), argtypes=arguments,
        mangler=lambda *_, **__: header["function"], env_name=header["environment"],
    )  # fmt: skip


def _environment(name: str, constants: list[Any]) -> Any:
    """The Python objects that one function of the kernel uses, for example to print; shared by all kernels."""
    found = lookup_environment(name)
    if found is None:
        found = Environment({"__name__": __name__})
        found.consts[:] = constants
        found.env_name = name
        Environment._memo[name] = found
    return found


def referenced_environments(result: Any) -> list[Any]:
    """The environments of the functions that are linked into a new kernel."""
    found: list[Any] = result._find_referenced_environments()
    return found


def is_cacheable(result: Any) -> bool:
    """Whether the machine code holds no address of this process.

    Code refers to large arrays and to mutually recursive functions by address. Numba resolves those when it compiles,
    not when code is loaded.
    """
    recursive = is_mutually_recursive(result.library._final_module)
    return not (result.library.has_dynamic_globals or result.lifted or result.reload_init or recursive)


def is_mutually_recursive(module: Any) -> bool:
    """Whether the module has mutually recursive functions, which call each other by address."""
    return any(variable.name.startswith(RuntimeLinker.PREFIX) for variable in module.global_variables)
