"""What a rule changes beside its own variables, found in its source: the game, its constants, and the module's.

A rule that does so is no function of its arguments. It fails in different ways, compiled and interpreted, and none of
them says what is wrong: a list that is appended to is "a constant that could change".
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

CHANGING = (
    "append", "extend", "insert", "remove", "pop", "popitem", "clear", "sort", "reverse", "add", "discard", "update",
    "setdefault", "fill",
)  # fmt: skip
"""Methods of lists, sets, dicts and arrays that change them."""


class SideEffect(NamedTuple):
    """What is changed, as in "self.log", how, and the line of the file."""

    target: str
    how: str
    line: int

    @property
    def words(self) -> str:
        """What the rule does, as the rest of a sentence that begins with the rule."""
        name = self.target.rpartition(".")[2]
        instead = f"make {name} a field of the state, which `play` returns"
        return f"{self.how} {self.target}, but a rule changes nothing; {instead}"


def side_effect(function: Any) -> SideEffect | None:
    """Return the first thing outside that a function's source changes; None if there is none, or no source."""
    try:
        source, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(source))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    if not isinstance(tree, ast.FunctionDef) or not tree.args.args:
        return None
    finder = _Finder(function, tree, first)
    return next(finder.found(), None)


class _Finder:
    def __init__(self, function: Any, tree: ast.FunctionDef, first: int) -> None:
        self.tree, self.first = tree, first
        self.game = tree.args.args[0].arg
        self.outside = getattr(function, "__globals__", {})
        self.declared = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
        stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        self.local = {node.id for node in stored} - self.declared | {each.arg for each in tree.args.args[1:]}

    def found(self) -> Iterator[SideEffect]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete):
                targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [node.target]
                for target in targets:
                    yield from self._changed(target, "deletes" if isinstance(node, ast.Delete) else "sets")
            elif isinstance(node, ast.Call):
                yield from self._called(node)

    def _called(self, call: ast.Call) -> Iterator[SideEffect]:
        method = call.func
        if isinstance(method, ast.Attribute) and method.attr in CHANGING and self._outside(method.value):
            yield self._effect(method.value, f"calls {method.attr} of", call)

    def _changed(self, target: ast.expr, how: str) -> Iterator[SideEffect]:
        if isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                yield from self._changed(each, how)
        elif isinstance(target, ast.Attribute) and self._is_game(target.value):
            yield self._effect(target, how, target)
        elif isinstance(target, ast.Subscript) and self._outside(target.value):
            yield self._effect(target.value, f"{how} an item of", target)
        elif isinstance(target, ast.Name) and target.id in self.declared:
            yield self._effect(target, how, target)

    def _is_game(self, node: ast.expr) -> bool:
        """Whether this is the game, or its class: `self`, `type(self)`, `self.__class__`, `MyGame`."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type" and node.args:
            node = node.args[0]
        if isinstance(node, ast.Attribute) and node.attr == "__class__":
            node = node.value
        if not isinstance(node, ast.Name) or node.id in self.local:
            return False
        return node.id == self.game or isinstance(self.outside.get(node.id), type)

    def _outside(self, node: ast.expr) -> bool:
        """Whether this is an attribute of the game or of its class, or a global variable that can be changed."""
        if isinstance(node, ast.Subscript):
            return self._outside(node.value)
        if isinstance(node, ast.Attribute):
            return self._is_game(node.value)
        if not isinstance(node, ast.Name) or node.id in self.local or node.id == self.game:
            return False
        return isinstance(self.outside.get(node.id), list | dict | set) or hasattr(self.outside.get(node.id), "dtype")

    def _effect(self, target: ast.expr, how: str, node: ast.expr) -> SideEffect:
        return SideEffect(ast.unparse(target), how, self.first + node.lineno - 1)
