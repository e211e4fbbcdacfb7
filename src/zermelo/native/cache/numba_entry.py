"""The cache entry of a specialised kernel: what Numba needs to call it.

An entry holds no types: the caller knows the types of the arguments, and the type of the result is not needed, since
only Python calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numba.core import types, typing
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.environment import Environment, lookup_environment
from numba.core.funcdesc import PythonFunctionDescriptor

from zermelo.native.cache.entry_format import pack, unpack

JSON_TYPES = (str, int, float, bool, type(None))
"""Types of constants that JSON stores without loss."""


def pack_entry(key: str, result: Any) -> bytes | None:
    """The entry of a new kernel; None if it cannot be cached."""
    environments = referenced_environments(result)
    if not is_cacheable(result) or not all(type(one) in JSON_TYPES for each in environments for one in each.consts):
        return None
    library, _, (code, bitcode) = result.library.serialize_using_object_code()
    header = {
        "library": library,
        "code_length": len(code),
        "function": result.fndesc.mangled_name,
        "name": result.fndesc.qualname,
        "environment": result.environment.env_name,
        "constants": {each.env_name: list(each.consts) for each in [result.environment, *environments]},
    }
    return pack(key, header, code + bitcode)


def unpack_entry(data: bytes | None, key: str, arguments: Sequence[Any], context: Any) -> Any:
    """The kernel of an entry, ready to be called; None if the entry is damaged or has another key."""
    found = unpack(data, key)
    if found is None:
        return None
    header, content = found
    code = header["code_length"]
    kind = (header["library"], "object", (content[:code], content[code:]))
    library = context.codegen().unserialize_library(kind)
    environments = {name: environment(name, constants) for name, constants in header["constants"].items()}
    function = _descriptor(header, tuple(arguments))
    own = environments[header["environment"]]
    entry = context.get_executable(library, function, own)
    for name, restored in environments.items():
        context.codegen().set_env(name, restored)
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


def environment(name: str, constants: list[Any]) -> Any:
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
