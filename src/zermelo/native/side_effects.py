"""What a rule changes beside its own variables, found in its source: the game, its constants, and the module's.

A rule that does so is no function of its arguments. It fails in different ways, compiled and interpreted, and none of
them says what is wrong: a list that is appended to is "a constant that could change".
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from array import array
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

CHANGING = (
    "append", "appendleft", "extend", "insert", "remove", "pop", "popleft", "popitem", "clear", "sort", "reverse",
    "add", "discard", "update", "setdefault", "fill",
)  # fmt: skip
"""Methods of CONTAINERS and of NumPy's arrays that change them."""

CONTAINERS = (list, dict, set, bytearray, deque, array)
"""Types whose methods are known; an `add` of any other object may well change nothing."""


class SideEffect(NamedTuple):
    """What is changed, as in "self.log", how, the line of the file, and whether it is a dict, which may be a memo."""

    target: str
    how: str
    line: int
    is_dict: bool

    @property
    def variable(self) -> str:
        """The attribute or global variable, without the indexes of an item."""
        return self.target.partition("[")[0]

    @property
    def what(self) -> str:
        """What the rule does, as the rest of a sentence that begins with the rule."""
        return f"{self.how} {self.target}"

    @property
    def why(self) -> str:
        """Why it must not, and what to write instead: the rest of that sentence, after "but"."""
        name = self.variable.rpartition(".")[2]
        if self.is_dict:
            instead = f"leave {name} out if it only saves time; what the rules need to know is a field of the state"
        else:
            instead = f"make {name} a field of the state"
        return f"a rule changes nothing; {instead}, which `play` returns"


def side_effect(function: Any, game: Any) -> SideEffect | None:
    """The first thing outside that the source of a game's rule changes; None if there is none, or no source."""
    try:
        function = inspect.unwrap(function)
        source, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(source))).body[0]
        if not isinstance(tree, ast.FunctionDef) or tree.name != function.__name__:
            return None
        return next(_Finder(function, game, tree, first).found(), None)
    except Exception:  # of any kind: the source may have been edited since, and nobody asked for this
        return None


class _Finder:
    def __init__(self, function: Any, game: Any, tree: ast.FunctionDef, first: int) -> None:
        self.game, self.tree, self.first = game, tree, first
        self.name = [*tree.args.posonlyargs, *tree.args.args][0].arg
        self.outside = function.__globals__
        nodes = [*ast.walk(tree)]
        self.declared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        arguments = {node.arg for node in nodes if isinstance(node, ast.arg)} - {self.name}
        stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self.local = stored - self.declared | arguments

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
        if isinstance(method, ast.Attribute) and method.attr in CHANGING and self._is_container(method.value):
            yield self._effect(method.value, f"calls {method.attr} of", call)

    def _changed(self, target: ast.expr, how: str) -> Iterator[SideEffect]:
        if isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                yield from self._changed(each, how)
        elif isinstance(target, ast.Attribute) and self._owner(target.value) is not None:
            yield self._effect(target, how, target)
        elif isinstance(target, ast.Subscript) and self._is_container(target.value):
            yield self._effect(target.value, f"{how} an item of", target)
        elif isinstance(target, ast.Name) and target.id in self.declared:
            yield self._effect(target, how, target)

    def _is_container(self, node: ast.expr) -> bool:
        value = self._value(node)
        return isinstance(value, CONTAINERS) or hasattr(value, "dtype")  # NumPy is not imported for this

    def _value(self, node: ast.expr) -> Any:
        """What an attribute of the game or of a class, or a global variable, holds now; None for anything else.

        For an item, the first one, since its index is not known.
        """
        if isinstance(node, ast.Subscript):
            items = self._value(node.value)
            return None if items is None else next(iter(items.values() if isinstance(items, dict) else items), None)
        if isinstance(node, ast.Attribute):
            return getattr(self._owner(node.value), node.attr, None)
        if not isinstance(node, ast.Name) or node.id in self.local or node.id == self.name:
            return None
        return self.outside.get(node.id)

    def _owner(self, node: ast.expr) -> Any:
        """The game or the class named, as in `self`, `type(self)`, `self.__class__`, `MyGame`; None for others."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type" and node.args:
            node = node.args[0]
        if isinstance(node, ast.Attribute) and node.attr == "__class__":
            node = node.value
        if not isinstance(node, ast.Name) or node.id in self.local:
            return None
        named = self.outside.get(node.id)
        return self.game if node.id == self.name else named if isinstance(named, type) else None

    def _effect(self, target: ast.expr, how: str, node: ast.expr) -> SideEffect:
        is_dict = isinstance(self._value(target), dict)
        return SideEffect(ast.unparse(target), how, self.first + node.lineno - 1, is_dict)
