"""Specs: the text that names a game, `connect_four(width=5, height=4)` or `path/to/my_game.py:MyGame(n=3)`.

Arguments are Python literals, read and never executed. A bare word is a string, and so is a word with brackets after
it: `chess_endgame(KRK)`, `game_tree(A(B(2, 3), C(5, 7)))`.
"""

from __future__ import annotations

import ast
import re
import traceback
from dataclasses import MISSING, dataclass, fields
from typing import Any

from zermelo.formatting import shortened
from zermelo.game import Game, GameError
from zermelo.games.support.parameters import fits, hints_of, type_words

_NAME = re.compile(r"(?P<target>[A-Za-z_\d][\w-]*)\s*(?P<arguments>\(.*\))?", re.DOTALL)
_FILE = re.compile(r"(?P<target>.+?\.py)(?::(?P<cls>\w+))?\s*(?P<arguments>\(.*\))?", re.DOTALL)
_MODULE = re.compile(r"(?P<target>[A-Za-z_][\w.]*):(?P<cls>\w+)\s*(?P<arguments>\(.*\))?", re.DOTALL)


class TextError(GameError):
    """The text itself cannot be read: it names no game, no parameter, or no position of the game."""


@dataclass(frozen=True)
class Spec:
    """A game's text, taken apart: a registered name, a file or a module, and the arguments."""

    text: str  # as error messages show it: a long one is cut off
    kind: str  # "name", "file" or "module"
    target: str
    cls: str | None
    args: tuple[Any, ...]
    parameters: dict[str, Any]


def parse(text: str) -> Spec:
    """Return the parts of a game's text. Raise TextError if it cannot be read.

    >>> spec = parse("nim(piles=(2, 2), misere=True)")
    >>> spec.target, spec.parameters
    ('nim', {'piles': (2, 2), 'misere': True})
    """
    if not isinstance(text, str) or not text.strip():
        raise TextError(f"{text!r} names no game; write for example connect_four or path/to/my_game.py:MyGame(n=3).")
    for kind, pattern in (("file", _FILE), ("name", _NAME), ("module", _MODULE)):
        if match := pattern.fullmatch(text.strip()):
            parts = match.groupdict()
            args, parameters = _arguments(text, parts["arguments"] or "()")
            return Spec(shortened(text), kind, parts["target"], parts.get("cls"), args, parameters)
    raise TextError(f"{shortened(text)!r} names no game: {_misreading(text)}.")


def _misreading(text: str) -> str:
    if text.strip().endswith(".py:"):
        return f"nothing follows the colon; write {text.strip()[:-1]} or {text.strip()}MyGame"
    if text.count("(") != text.count(")"):
        return "its brackets do not match"
    if "/" in text or "\\" in text or re.match(r"[^(]*\.\w+(:|\(|$)", text):
        return "a game file ends in .py, as in path/to/my_game.py:MyGame(n=3)"
    return "a game is written name(parameters) or path/to/my_game.py:MyGame(parameters)"


def _arguments(text: str, arguments: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The values between the brackets, by position and by name."""
    source = f"f{' '.join(arguments.splitlines())}"
    try:
        call = ast.parse(source, mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError
        args = tuple(_literal(node, source) for node in call.args)
        names = [keyword.arg for keyword in call.keywords]
        if None in names or len(set(names)) < len(names):
            raise ValueError
        return args, {str(keyword.arg): _literal(keyword.value, source) for keyword in call.keywords}
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise TextError(
            f"{shortened(text, 40)!r}: the parameters {shortened(arguments, 40)} cannot be read; "
            "they are Python literals or plain words, as in (5, 4), (width=5) or (KRK)."
        ) from None


def _literal(node: ast.expr, source: str) -> Any:
    """A literal, or the text of a bare word with what is bracketed behind it."""
    if isinstance(node, ast.Name | ast.Call | ast.Subscript):
        return ast.get_source_segment(source, node)
    if isinstance(node, ast.Tuple | ast.List):
        parts = [_literal(part, source) for part in node.elts]
        return tuple(parts) if isinstance(node, ast.Tuple) else parts
    return ast.literal_eval(node)


def make(cls: type[Game], spec: Spec) -> Game:
    """Return an instance of the class with the spec's parameters. Raise GameError if it cannot be made."""
    names = [field.name for field in fields(cls) if field.init]  # type: ignore[arg-type]
    _refuse_unknown(cls, spec, names)
    given = dict(zip(names, spec.args, strict=False)) | spec.parameters
    _refuse_missing(cls, spec, given)
    hints = hints_of(cls)
    values = {name: _fitting(spec, name, value, hints.get(name, Any)) for name, value in given.items()}
    try:
        return cls(**values)
    except GameError as error:
        if given and _refuses_parameters(error):
            raise TextError(str(error)) from error
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}{_own_init(cls)}".rstrip(".")
        kind = TextError if given and _refuses_parameters(error) else GameError
        raise kind(f"{spec.text}: {cls.__name__} cannot be made: {problem}.") from error


def _refuses_parameters(error: Exception) -> bool:
    """Whether the class itself looked at its parameters and raised this; else its rules are wrong, not the text."""
    frames = traceback.extract_tb(error.__traceback__)
    return any(frame.name in ("__post_init__", "__init__") for frame in frames)


def _own_init(cls: type[Game]) -> str:
    """A hint for an author who wrote `__init__`, where a dataclass has its own."""
    code = getattr(cls.__init__, "__code__", None)
    if code is None or code.co_filename == "<string>":
        return ""
    return "; it needs no `__init__`: parameters are annotated class fields, as in `n: int = 5`"


def _refuse_unknown(cls: type[Game], spec: Spec, names: list[str]) -> None:
    known = f"its parameters are {', '.join(names)}" if names else f"it has no parameters{_own_init(cls)}"
    for name, value in spec.parameters.items():
        if name not in names and name in vars(cls) and not callable(vars(cls)[name]):
            field = f"{name}: {type(value).__name__} = {vars(cls)[name]!r}"
            raise TextError(f"{spec.text}: {name} is a class constant; write `{field}` to make it a parameter.")
        if name not in names:
            raise TextError(f"{spec.text}: unknown parameter {name}; {known}.")
        if name in names[: len(spec.args)]:
            raise TextError(f"{spec.text}: the parameter {name} is given twice.")
    if len(spec.args) > len(names):
        many = "1 parameter is" if len(spec.args) == 1 else f"{len(spec.args)} parameters are"
        raise TextError(f"{spec.text}: {many} too many; {known}.")


def _refuse_missing(cls: type[Game], spec: Spec, given: dict[str, Any]) -> None:
    for field in fields(cls):  # type: ignore[arg-type]
        needed = field.init and field.default is MISSING and field.default_factory is MISSING
        if needed and field.name not in given:
            raise TextError(f"{spec.text}: the parameter {field.name} has no default and must be given.")


# -- types of parameters -------------------------------------------------------------------------------------------


def _fitting(spec: Spec, name: str, value: Any, hint: Any) -> Any:
    """Return the value as the annotation wants it (a list becomes a tuple). Raise TextError if it does not fit."""
    if isinstance(value, list) and fits(_tuples(value), hint) and not fits(value, hint):
        return _tuples(value)
    if not fits(value, hint):
        kind = "True or False" if hint is bool else f"of type {type_words(hint)}"
        raise TextError(f"{spec.text}: the parameter {name} must be {kind}, not {shortened(repr(value))}.")
    return value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list | tuple) else value
