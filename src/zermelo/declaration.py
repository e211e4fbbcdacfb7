"""The class of a game as a frozen dataclass, and a sentence for each mistake that an author can make with it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, fields
from typing import Any, get_origin


class ChangedGame(FrozenInstanceError):
    """A rule, or `__init__`, sets an attribute of its game. `problem` is the sentence without game and rule."""

    problem = ""


def declare(cls: type, error: Callable[[str], Exception]) -> None:
    """Make a frozen dataclass of a game's class. Raise an `error` that says what to write if that is not possible."""
    try:
        dataclass(frozen=True)(cls)
    except (TypeError, ValueError) as raised:
        raise error(f"{cls.__name__}: {_complaint(cls, str(raised))}") from None
    cls.__setattr__ = _refuse_change  # type: ignore[method-assign]
    cls.__delattr__ = _refuse_change  # type: ignore[method-assign, assignment]


def check_parameters(
    cls: type, args: tuple[Any, ...], given: Mapping[str, Any], error: Callable[[str], Exception]
) -> None:
    """Raise an `error` for parameters that the class does not have, and for values that can change."""
    if not _is_generated(cls):
        return  # an author who writes `__init__` is on their own
    known = [each for each in fields(cls) if each.init]
    names = [each.name for each in known]
    words = f"its parameters are {', '.join(names)}" if names else "it has no parameters"
    if len(args) > len(names):
        raise error(f"{cls.__name__} is given {len(args)} value{'s' * (len(args) > 1)}; {words}.")
    values = dict(zip(names, args, strict=False)) | dict(given)
    for name in given:
        if name not in names:
            raise error(f"{cls.__name__} has no parameter {name}; {words}.{_constant(cls, name)}")
    if hasattr(cls, "__post_init__"):
        return  # it may make a tuple of a list
    for each in known:
        if each.name not in values and each.default_factory is not MISSING:
            values[each.name] = each.default_factory()
    for name, value in values.items():
        if not _is_hashable(value):
            raise error(
                f"{cls.__name__}: the parameter {name} is {_shown(value)}, which can change, and a game is compared by "
                f"its parameters; {_instead(value)}."
            )


def _is_generated(cls: type) -> bool:
    """Whether `dataclass` wrote the `__init__` of the class."""
    code = getattr(vars(cls).get("__init__"), "__code__", None)
    return code is not None and code.co_filename == "<string>"


def _complaint(cls: type, raised: str) -> str:
    """What is wrong with the fields of a class, and what to write instead."""
    for name, hint in vars(cls).get("__annotations__", {}).items():
        value = vars(cls).get(name, MISSING)
        default = value.default if isinstance(value, Field) else value
        if default is not MISSING and not _is_hashable(default) and not _is_class_variable(hint):
            return f"the default of the parameter {name} is {_shown(default)}, which can change; {_instead(default)}."
    for name, value in vars(cls).items():
        if isinstance(value, Field) and name not in vars(cls).get("__annotations__", {}):
            default = 5 if value.default is MISSING else value.default
            return f"the parameter {name} has no annotation; write `{name}: {type(default).__name__} = {default!r}`."
    before = None
    for name, has_default in _in_order(cls):
        if before is not None and not has_default:
            return (
                f"the parameter {name} has no default, and stands after {before}, which has one; give {name} a "
                f"default, as in `{name}: int = 5`, or write it before {before}."
            )
        before = name if has_default else before
    return f"its annotated fields are parameters, and {raised}."


def _in_order(cls: type) -> list[tuple[str, bool]]:
    """The parameters of a class that is no dataclass yet, in their order, and whether each has a default."""
    found: dict[str, bool] = {}
    for base in reversed(cls.__mro__[1:]):
        for each in getattr(base, "__dataclass_fields__", {}).values():
            if each.init and get_origin(each.type) is None and "ClassVar" not in str(each.type):
                found[each.name] = each.default is not MISSING or each.default_factory is not MISSING
    for name, hint in vars(cls).get("__annotations__", {}).items():
        if not _is_class_variable(hint):
            found[name] = name in vars(cls)
    return [*found.items()]


def _is_class_variable(hint: Any) -> bool:
    return "ClassVar" in str(hint)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except Exception:
        return False
    return True


def _shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    kind = type(value).__name__.removeprefix("nd")
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}, {text if len(text) <= 60 else f'{text[:60]} ...'}"


def _instead(value: Any) -> str:
    """What to write for a value that can change."""
    if isinstance(value, list):
        text = repr(_frozen(value))
        return f"write a tuple{f', {text}' if len(text) <= 60 else ''}"
    if isinstance(value, set):
        return "write a frozenset or a tuple"
    if isinstance(value, dict):
        return "write a tuple of pairs, or leave it out of the parameters: a constant of the module, or a property"
    return "write tuples of numbers, or leave it out of the parameters: a constant of the module, or a property"


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _constant(cls: type, name: str) -> str:
    value = getattr(cls, name, None)
    if callable(value) or value is None or isinstance(value, property):
        return ""
    return f" {name} is a class constant; write `{name}: {type(value).__name__} = {value!r}` to make it a parameter."


def _refuse_change(game: Any, name: str, *value: Any) -> None:
    """Raise ChangedGame: say who sets the attribute of a game, and what to write instead."""
    code = sys._getframe(1).f_code
    who, line = code.co_name, sys._getframe(1).f_lineno
    what = f"sets self.{name}" if value else f"deletes self.{name}"
    where = f"line {line} of {code.co_filename.rpartition('/')[2]}"
    if who == "__init__":
        why = (
            f"a game needs no `__init__`. A parameter is an annotated field of the class, `{name}: int = 5`, and what "
            "follows from parameters is a property"
        )
    elif who == "__post_init__":
        why = f'a game cannot be changed; make {name} a property, or write object.__setattr__(self, "{name}", ...)'
    else:
        why = f"a rule changes nothing; make {name} a field of the state, which `play` returns"
    changed = ChangedGame(f"{type(game).__name__}: `{who}` {what} ({where}), but {why}.")
    changed.problem = f"{what} ({where}), but {why}"
    raise changed
