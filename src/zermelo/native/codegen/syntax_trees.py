"""Python's syntax trees: what the rewriting of rules asks of functions, statements and names."""

from __future__ import annotations

import ast
import builtins
import inspect
import types
from collections.abc import Iterable
from typing import Any

from zermelo.game import GameError
from zermelo.native.codegen.yield_buffers import ITEM_NAME, parsed_function

LIBRARY_MODULES = ("numpy", "math", "numba", "cupy")
"""Modules whose functions the compiler knows."""

TABLE_LENGTH = 5
"""Items of a constant tuple from which a variable index reads an array: compiled, an index into a tuple branches."""


class NotPlain(GameError):
    """A function cannot be rewritten. `line` is where."""

    def __init__(self, function: Any, line: int, reason: str) -> None:
        self.function, self.line, self.reason = function, line, reason
        super().__init__(f"line {line}: {reason}")


class Substitute(ast.NodeTransformer):
    """Puts expressions in place of names."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> Any:
        return self.values.get(node.id, node)


def flat(parts: Iterable[Any]) -> list[ast.stmt]:
    """Statements, lists of them and None, as one list."""
    found: list[ast.stmt] = []
    for part in parts:
        if isinstance(part, list):
            found += part
        elif part is not None:
            found.append(part)
    return found


def is_super(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def parsed_source(function: types.FunctionType) -> ast.FunctionDef:
    """The tree of a function. Raises NotPlain if its source is not available."""
    tree = parsed_function(function)
    if tree is None:
        line = function.__code__.co_firstlineno
        raise NotPlain(function, line, f"the source of {function.__name__} is not available, and a GPU needs it")
    return tree


def parameters(function: types.FunctionType) -> list[str]:
    """The names of a function's parameters, by position."""
    code = function.__code__
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def local_names(function: types.FunctionType) -> frozenset[str]:
    """The local variables of a function, and the name of a yielded item."""
    return frozenset([*function.__code__.co_varnames, *function.__code__.co_cellvars, ITEM_NAME])


def assigned_names(body: list[ast.stmt]) -> set[str]:
    """The names that some statements assign to."""
    stores = (each for statement in body for each in ast.walk(statement) if isinstance(each, ast.Name))
    return {each.id for each in stores if isinstance(each.ctx, ast.Store)}


def in_order(
    function: types.FunctionType, arguments: list[ast.expr], named: list[ast.keyword]
) -> list[ast.expr] | None:
    """All arguments of a call by position, with the defaults; None if some are missing or too many."""
    names = parameters(function)
    given: dict[str, ast.expr] = dict(zip(names, arguments, strict=False))
    given |= {str(each.arg): each.value for each in named}
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not parameter.empty
    }
    for name, value in defaults.items():
        given.setdefault(name, ast.Constant(value))
    if len(arguments) > len(names) or set(given) != set(names):
        return None
    return [given[name] for name in names]


# -- values ------------------------------------------------------------------------------------------------------------


def global_value(function: types.FunctionType, name: str) -> tuple[bool, Any]:
    """The value of a name that is not local, and whether there is one; builtins are left as they are."""
    free = function.__code__.co_freevars
    if name in free:
        try:
            return True, function.__closure__[free.index(name)].cell_contents  # type: ignore[index]
        except ValueError:
            return False, None
    if name in function.__globals__:
        return True, function.__globals__[name]
    return False, getattr(builtins, name, None)


def is_key(value: Any, known: dict[Any, Any]) -> bool:
    try:
        return value in known
    except TypeError:
        return False


def is_array(value: Any) -> bool:
    return not isinstance(value, type) and hasattr(value, "dtype") and getattr(value, "shape", ()) != ()


def is_library_function(function: Any) -> bool:
    return str(function.__module__).split(".")[0] in LIBRARY_MODULES


def int_table(value: Any, dimensions: int) -> Any:
    """A long tuple of ints, or of rows of equal length, as an array; None for anything else."""
    import numpy as np

    if type(value) is not tuple or len(value) < TABLE_LENGTH:
        return None
    rows = value if dimensions == 2 else (value,)
    if any(type(row) is not tuple or len(row) != len(rows[0]) or not row for row in rows):
        return None
    if any(type(each) is not int or not -(1 << 63) <= each < 1 << 63 for row in rows for each in row):
        return None
    return np.array(value, np.int64)
