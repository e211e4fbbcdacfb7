"""States as Python literals: plain tuples of them, and the state that a text describes."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

State = Any

PLAIN_NUMBERS = re.compile(r"[-0-9, ()]+")
"""The text of a state of ints and tuples of ints."""


def plain(state: State) -> State:
    """The state as nested plain tuples."""
    return tuple(plain(part) for part in state) if isinstance(state, tuple) else state


def read_literal(text: str, example: State) -> State:
    """Return the state that a text describes, of the type that `example` is. Raise one of many errors if it is none."""
    parts = _plain_numbers(text)
    if parts is None:
        parts = _literal(ast.parse(text.strip(), mode="eval").body, example)
    return shaped(parts, example)


def _plain_numbers(text: str) -> Any:
    """The ints and tuples of ints that a text shows; None if it shows more. JSON takes a tenth of Python's time."""
    if not PLAIN_NUMBERS.fullmatch(text):
        return None
    try:
        return _as_tuples(json.loads(text.replace("(", "[").replace(")", "]")))
    except (ValueError, RecursionError):  # Python may still read it: (5,)
        return None


def _as_tuples(parts: Any) -> Any:
    if not isinstance(parts, list):
        return parts
    if len(parts) == 1:
        raise ValueError(parts)  # (5) is the number 5
    return tuple(map(_as_tuples, parts))


def _literal(node: ast.expr, example: State) -> Any:
    """The literal that is written here; what Python prints of a NamedTuple or a frozenset counts as one."""
    if isinstance(node, ast.Call):
        return _called(node, example)
    if isinstance(node, ast.Tuple | ast.List):
        models = (*example, *example[-1:] * len(node.elts)) if isinstance(example, tuple) and example else ()
        models += (None,) * (len(node.elts) - len(models))
        return tuple(_literal(part, model) for part, model in zip(node.elts, models, strict=False))
    return ast.literal_eval(node)


def _called(node: ast.Call, example: State) -> Any:
    """The NamedTuple or frozenset that a call makes: State(mine=3, theirs=24), frozenset({1, 2})."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name == "frozenset" and not node.keywords and all(isinstance(each, ast.Set) for each in node.args):
        return frozenset(_literal(part, None) for each in node.args for part in each.elts)  # type: ignore[attr-defined]
    if not hasattr(example, "_fields") or name != type(example).__name__:
        raise ValueError(node)
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    parts = node.args + [named.pop(field) for field in example._fields[len(node.args) :]]
    if named:
        raise ValueError(node)
    return tuple(_literal(part, model) for part, model in zip(parts, example, strict=True))


def shaped(parts: Any, example: State) -> State:
    """Convert plain tuples to the type of state that `example` is, NamedTuples included.

    A tuple may be longer or shorter than its example where the example is not a NamedTuple. The type of the elements of
    an empty one is unknown.
    """
    if not isinstance(example, tuple):
        if type(parts) in (bool, int, float) and hasattr(example, "dtype"):
            parts = _numpy_number(parts, type(example))
        if isinstance(parts, tuple | list) or type(parts) is not type(example):
            raise TypeError(parts)
        return parts
    if not isinstance(parts, tuple | list):
        raise TypeError(parts)
    kind = type(example)
    if kind is not tuple:
        return kind(*(shaped(part, model) for part, model in zip(parts, example, strict=True)))
    if not example:
        return plain(tuple(parts))
    examples = example + example[-1:] * (len(parts) - len(example))
    return tuple(shaped(part, model) for part, model in zip(parts, examples, strict=False))


def _numpy_number(number: Any, kind: Any) -> Any:
    """The number as one of NumPy's, which are written as Python's are. Raise TypeError if it is none of this kind."""
    try:
        found = kind(number)
    except (OverflowError, ValueError):
        raise TypeError(number) from None
    if found != number:
        raise TypeError(number)
    return found
