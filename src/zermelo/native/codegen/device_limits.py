"""What a rule may not use on a GPU, and what an author writes instead."""

from __future__ import annotations

import ast
import types
from typing import Any

import numpy as np

LIST = "a list does not compile for a GPU; use a tuple"
DICT = "a dict does not compile for a GPU; use a table, which is a tuple of numbers or an array that the class holds"
SET = "a set does not compile for a GPU; use the bits of an int"
STRING = "a string does not compile for a GPU; use numbers"

CALLS: dict[Any, str] = {
    list: LIST, sorted: LIST, dict: DICT, set: SET, frozenset: SET, str: STRING, repr: STRING, format: STRING,
    chr: STRING, ord: STRING,
}  # fmt: skip
"""Functions of Python that a rule may not call, and why."""

ARRAY = "makes an array, and a GPU makes none; use a tuple, or an array that the class holds"


def call_limit(function: Any) -> str | None:
    """Return why a rule may not call a function; None if it may, or if only the compiler knows."""
    if isinstance(function, type | types.BuiltinFunctionType) and function in CALLS:
        return CALLS[function]
    of_numpy = str(getattr(function, "__module__", "")).partition(".")[0] == "numpy"
    if of_numpy and not isinstance(function, type | np.ufunc):
        return f"numpy.{function.__name__} {ARRAY}"
    return None


class DeviceLimits(ast.NodeTransformer):
    """Raises NotPlain where a rule makes what a GPU does not have."""

    def fail(self, node: ast.AST, reason: str) -> Exception:
        """Return the error about a place."""
        raise NotImplementedError

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        raise self.fail(node, "a function inside a rule does not compile for a GPU")

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        raise self.fail(node, "a lambda inside a rule does not compile for a GPU")

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        raise self.fail(node, "a generator expression does not compile for a GPU unless a loop runs over it")

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        raise self.fail(node, LIST)

    def visit_List(self, node: ast.List) -> Any:
        raise self.fail(node, LIST)

    def visit_Dict(self, node: ast.Dict) -> Any:
        raise self.fail(node, DICT)

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        raise self.fail(node, DICT)

    def visit_Set(self, node: ast.Set) -> Any:
        raise self.fail(node, SET)

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        raise self.fail(node, SET)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        raise self.fail(node, STRING)

    def visit_Try(self, node: ast.Try) -> Any:
        raise self.fail(node, "`try` does not compile for a GPU; ask with `if` before the error can happen")

    def visit_With(self, node: ast.With) -> Any:
        raise self.fail(node, "`with` does not compile for a GPU")
