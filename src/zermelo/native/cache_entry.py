"""Entries: a compiled kernel as plain data, its object code and what Numba has to know to call it.

An entry is a line that tells what it is, a checksum of the rest, the length of a JSON header, that header, the object
code, and the bitcode. Nothing in it is unpickled or imported. Types are not kept: whoever looks for a kernel has the
types of its arguments at hand, and nobody asks for that of its result, since only Python calls it.
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
CHECKSUM = hashlib.sha256().digest_size
LENGTHS = struct.Struct("<QQ")
"""Of the header and of the object code; the bitcode is the rest."""

PLAIN = (str, int, float, bool, type(None))
"""What JSON keeps as it is."""


def packed(key: str, result: Any) -> bytes | None:
    """The entry of a new kernel; None where it cannot be kept."""
    environments = referenced(result)
    if not can_be_kept(result) or not all(type(one) in PLAIN for each in environments for one in each.consts):
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


def unpacked(data: bytes, key: str, arguments: Sequence[Any], context: Any) -> Any:
    """The kernel of an entry, ready to be called; None where the entry is damaged, or one of something else."""
    start = len(MAGIC) + CHECKSUM
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
    """What Numba calls the kernel by."""
    names = tuple(f"argument{number}" for number in range(len(arguments)))
    return PythonFunctionDescriptor(
        native=True, modname=__name__, qualname=header["name"], unique_name=header["name"], doc="", typemap=None,
        restype=types.undefined, calltypes=None, args=names, kws=(), argtypes=arguments,
        mangler=lambda *_, **__: header["function"], env_name=header["environment"],
    )  # fmt: skip


def _environment(name: str, constants: list[Any]) -> Any:
    """The objects that a part of the kernel names, as a rule that prints does; one environment for all kernels."""
    found = lookup_environment(name)
    if found is None:
        found = Environment({"__name__": __name__})
        found.consts[:] = constants
        found.env_name = name
        Environment._memo[name] = found
    return found


def referenced(result: Any) -> list[Any]:
    """The environments of a new kernel's parts."""
    found: list[Any] = result._find_referenced_environments()
    return found


def can_be_kept(result: Any) -> bool:
    """Whether the machine code holds no address of this process.

    Large arrays are reached by address, and so are functions that call each other in a circle: Numba fills those in
    when it compiles, and nobody would when the code is loaded.
    """
    circular = calls_in_a_circle(result.library._final_module)
    return not (result.library.has_dynamic_globals or result.lifted or result.reload_init or circular)


def calls_in_a_circle(module: Any) -> bool:
    """Whether functions of the module call each other in a circle: they find each other by address."""
    return any(variable.name.startswith(RuntimeLinker.PREFIX) for variable in module.global_variables)
