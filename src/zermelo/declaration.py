"""The class of a game as a frozen dataclass, and a sentence for each mistake that an author can make with it."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, fields
from types import FrameType
from typing import Any


class ChangedGame(FrozenInstanceError):
    """An attribute of a game is set. `problem` is what a rule does that sets it, without the names of game and rule."""

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
    """Raise an `error` for parameters that the class does not have, and for values that cannot be hashed.

    Copies and pickles give none, so that only what is given is looked at.
    """
    if not _is_generated(cls, "__init__"):
        return  # an author who writes `__init__` is on their own
    code = vars(cls)["__init__"].__code__
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    words = f"its parameters are {', '.join(names)}" if names else "it has no parameters"
    if len(args) > len(names):
        raise error(f"{cls.__name__} is given {len(args)} value{'s' * (len(args) > 1)}; {words}.")
    for name in given:
        if name not in names:
            raise error(f"{cls.__name__} has no parameter {name}; {words}.{_constant(cls, name)}")
    if hasattr(cls, "__post_init__") or not _is_generated(cls, "__hash__"):
        return  # it may make a tuple of a list; it may hash what it likes
    values = dict(zip(names, args, strict=False)) | dict(given)
    hashed = [each.name for each in fields(cls) if (each.compare if each.hash is None else each.hash)]
    for name in hashed:
        if name in values and not _is_hashable(values[name]):
            raise error(
                f"{cls.__name__}: the parameter {name} is {_shown(values[name])}, which can change, and a game is "
                f"compared by its parameters; {_instead(values[name])}."
            )


def _is_generated(cls: type, method: str) -> bool:
    """Whether `dataclass` wrote this method of the class."""
    code = getattr(vars(cls).get(method), "__code__", None)
    return code is not None and code.co_filename == "<string>"


def _complaint(cls: type, raised: str) -> str:
    """What is wrong with the fields of a class, and what to write instead."""
    annotations = inspect.get_annotations(cls)
    for name, hint in annotations.items():
        value = vars(cls).get(name, MISSING)
        default = value.default if isinstance(value, Field) else value
        if default is not MISSING and not _is_hashable(default) and not _is_class_variable(hint):
            return f"the default of the parameter {name} is {_shown(default)}, which can change; {_instead(default)}."
    for name, value in vars(cls).items():
        if isinstance(value, Field) and name not in annotations:
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
    for base in cls.__mro__[1:]:
        if (params := vars(base).get("__dataclass_params__")) and not params.frozen:
            is_game = vars(base).get("__setattr__") is _refuse_change
            instead = f"{'remove' if is_game else 'write @dataclass(frozen=True) for'} the @dataclass above it"
            return f"{base.__name__} can change, and a game cannot; {instead}."
    return f"its annotated fields are parameters, and {raised}."


def _in_order(cls: type) -> list[tuple[str, bool]]:
    """The parameters of a class that is no dataclass yet, in their order, and whether each has a default."""
    found: dict[str, bool] = {}
    for base in reversed(cls.__mro__[1:]):
        for each in getattr(base, "__dataclass_fields__", {}).values():
            if each.init and not _is_class_variable(each.type):
                found[each.name] = each.default is not MISSING or each.default_factory is not MISSING
    for name, hint in inspect.get_annotations(cls).items():
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
    frame = sys._getframe(1)
    who, own = frame.f_code.co_name, _is_method_of(frame, game)
    where = f"line {frame.f_lineno} of {os.path.basename(frame.f_code.co_filename)}"
    does = "sets" if value else "deletes"
    if own and who == "__init__":
        why = (
            f"a game needs no `__init__`. A parameter is an annotated field of the class, `{name}: int = 5`, and what "
            "follows from parameters is a property"
        )
    elif own and who == "__post_init__":
        why = f'a game cannot be changed; make {name} a property, or write object.__setattr__(self, "{name}", ...)'
    else:
        why = f"a rule changes nothing; make {name} a field of the state, which `play` returns"
    problem = f"{does} self.{name} ({where}), but {why}"
    said = f"`{who}` {problem}" if own else f"{where} {does} {name}, but a game cannot be changed"
    if not own and value and name in (each.name for each in fields(game) if each.init):
        text = repr(value[0])
        said += f"; make another, as in `{type(game).__name__}({name}={text if len(text) <= 60 else '...'})`"
    changed = ChangedGame(f"{type(game).__name__}: {said}.")
    changed.problem = problem
    raise changed


def _is_method_of(frame: FrameType, game: Any) -> bool:
    """Whether a method of the game is running here, such as a rule; a function that is given the game is none."""
    code = frame.f_code
    first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
    return first is game and hasattr(type(game), code.co_name)
