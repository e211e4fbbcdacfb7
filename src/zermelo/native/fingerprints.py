"""Fingerprints: hashes of everything that compiled code depends on.

The fingerprint of a function covers its bytecode and constants, its defaults and closure, the values of the
globals it names, and, through them, every function it calls. The fingerprint of a game covers all its rules, its
class constants, its parameters, and the values of its properties and of its initial state. The same rules have the same
fingerprint in every process, whether they are in a file, a notebook cell or `__main__`. Any change to them changes it.
"""

from __future__ import annotations

import contextlib
import dis
import enum
import functools
import hashlib
import sys
import sysconfig
import types
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from zermelo.game import Game
from zermelo.native.cache.cache_maintenance import current_version
from zermelo.word_arrays import Words

LIBRARIES = ("numpy", "numba")
"""Packages hashed by name, like the standard library: their versions are part of the key of the cache. Their contents
differ between processes, such as the patterns that `re` has compiled.
"""

COMPUTED = (property, functools.cached_property)
"""Members that Python computes and compiled code treats as constants: hashed by value, not by code."""

DISPLAY_RULES = ("board", "squares", "highlights", "move_text", "parse_move", "state_text", "parse_state")
"""Rules for display and notation: they do not change a solution."""

INTERPRETED_RULES = (*DISPLAY_RULES, "same_stage")
"""Rules that no kernel calls, so they are never compiled."""


def fingerprint(game: Game) -> str:
    """The fingerprint of a game's rules and parameters, stored on the instance."""
    name: str | None = game.__dict__.get("_fingerprint")
    if name is None:
        digest = Digest()
        digest.add(source_stamp())
        digest.add_game(game)
        name = f"{type(game).__name__}-{digest.hex()}"
        object.__setattr__(game, "_fingerprint", name)
    return name


def fingerprint_without(game: Game, member: str) -> str:
    """The fingerprint of a game in which one member, or parameter, may have any value."""
    digest = Digest(exclude=(member,))
    digest.add(source_stamp())
    digest.add_game(game)
    return digest.hex()


def rules_fingerprint(game: Game, exclude: tuple[str, ...] = ()) -> str:
    """The fingerprint of a game's rules and parameters alone, without Zermelo's version and without rules in `exclude`.

    It covers bytecode, so it is valid for one version of Python.
    """
    digest = Digest()
    for name, member in sorted(author_members(type(game)), key=lambda item: item[0]):
        if name not in exclude and not isinstance(member, COMPUTED):
            digest.add((name, member))
    digest.add_values(game)
    return digest.hex()


def function_fingerprint(function: types.FunctionType) -> str:
    """The fingerprint of a function and of every function it calls."""
    digest = Digest()
    digest.add(source_stamp())
    digest.add(function)
    return digest.hex()


def author_members(cls: type[Game]) -> Iterator[tuple[str, Any]]:
    """The members of a class and its bases below Game, most derived first, without parameters and DISPLAY_RULES."""
    seen: set[str] = {*DISPLAY_RULES, *(field.name for field in fields(cls))}  # type: ignore[arg-type]
    for base in cls.__mro__:
        if base is Game:
            break
        for name, member in vars(base).items():
            if name not in seen and not name.startswith("__"):
                seen.add(name)
                yield name, member


@functools.cache
def source_stamp() -> str:
    """A hash of Zermelo's version and of the source files that affect compiled code."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    digest.update(current_version().encode())
    for path in [*sorted((package / "native").rglob("*.py")), package / "bits.py", package / "game.py"]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Digest:
    """A hash of values of any kind; functions and classes are hashed by content."""

    def __init__(self, exclude: tuple[str, ...] = ()) -> None:
        self.hash = hashlib.sha256()
        self.exclude = exclude  # members of games that do not count
        self.seen: dict[int, int] = {}  # functions and classes already hashed, by id, so that cycles end

    def hex(self) -> str:
        return self.hash.hexdigest()[:20]

    def add(self, value: Any) -> None:
        """Hash one value by content."""
        if isinstance(value, int | float | complex | str | bytes | type(None) | type(Ellipsis)):
            self._text(f"{type(value).__name__} {value!r}")
        elif isinstance(value, tuple | list):
            self._sequence(type(value).__name__, value)
        elif isinstance(value, dict):
            self._sequence("dict", [part for item in value.items() for part in item])
        elif isinstance(value, set | frozenset):
            self._sequence("set", sorted(value, key=repr))
        elif isinstance(value, types.FunctionType):
            self._once(value, self._function)
        elif isinstance(value, types.CodeType):
            self._code(value)
        elif isinstance(value, types.ModuleType):
            self._text(f"module {value.__name__}")
        elif isinstance(value, Game):
            self.add_game(value)
        elif isinstance(value, type):
            self._once(value, self._class)
        else:
            self._other(value)

    def add_game(self, game: Game) -> None:
        """Hash a game: its rules, its constants, its parameters and what Python computes from them."""
        self.add(type(game))
        self.add_values(game)

    def add_values(self, game: Game) -> None:
        """Hash a game's parameters, its computed constants and its initial state."""
        computed = [name for name, member in author_members(type(game)) if isinstance(member, COMPUTED)]
        for name in [*(field.name for field in fields(game)), *sorted(computed)]:  # type: ignore[arg-type]
            if name in self.exclude:
                continue
            self._text(f"value {name}")
            with contextlib.suppress(Exception):  # a property that raises is reported where it is used
                self.add(getattr(game, name))
        with contextlib.suppress(Exception):
            self.add(game.initial())

    def _text(self, text: str) -> None:
        data = text.encode("utf-8", "surrogatepass")
        self.hash.update(b"%d:" % len(data) + data)

    def _sequence(self, kind: str, values: Any) -> None:
        self._text(f"{kind} of {len(values)}")
        for value in values:
            self.add(value)

    def _once(self, value: Any, feed: Any) -> None:
        """Hash a function or class the first time, and its number after that."""
        if id(value) in self.seen:
            self._text(f"again {self.seen[id(value)]}")
            return
        self.seen[id(value)] = len(self.seen)
        if _is_library(value):
            self._text(f"library {value.__module__}.{value.__qualname__}")
        else:
            feed(value)

    def _function(self, function: types.FunctionType) -> None:
        self._text("function")
        self._code(function.__code__)
        self.add(function.__defaults__)
        self.add(function.__kwdefaults__)
        for name, value in named_values(function):
            self._text(name)
            self.add(value)

    def _code(self, code: types.CodeType) -> None:
        self._text(f"code {code.co_argcount} {code.co_kwonlyargcount} {code.co_flags & 0x2F} {code.co_varnames}")
        self._text(f"{code.co_names} {code.co_freevars} {code.co_cellvars}")
        self.hash.update(code.co_code)
        self.add(code.co_consts)

    def _class(self, cls: type) -> None:
        self._text(f"class {cls.__name__}")
        if cls is Game:
            return  # its source is part of the stamp
        if issubclass(cls, Game):
            for name, member in sorted(author_members(cls), key=lambda item: item[0]):
                if name not in self.exclude:
                    self._text(name)
                    self.add(_content(member))
        elif issubclass(cls, enum.Enum):
            self.add([(name, member.value) for name, member in cls.__members__.items()])
        elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
            self.add([cls._fields, getattr(cls, "_field_defaults", None)])
            self._text(repr({name: _type_name(hint) for name, hint in cls.__annotations__.items()}))
        else:
            self._text(cls.__qualname__)

    def _other(self, value: Any) -> None:
        if isinstance(value, Words):  # it prints as its address
            value = value.array
        if hasattr(value, "dtype") and hasattr(value, "tobytes"):  # NumPy arrays and scalars
            self._text(f"array {value.dtype} {value.shape}")
            self.hash.update(value.tobytes())
        elif hasattr(value, "py_func"):  # a function that its author jitted
            self.add(value.py_func)
        elif type(value).__name__ == "Kernel" and hasattr(value, "python"):
            self.add(value.python)
        elif is_dataclass(value):
            self._sequence(type(value).__qualname__, [getattr(value, field.name) for field in fields(value)])
        elif isinstance(getattr(value, "__wrapped__", None), types.FunctionType):
            self.add(value.__wrapped__)
        elif hasattr(value, "__qualname__"):
            self._text(f"named {getattr(value, '__module__', '')}.{value.__qualname__}")
        else:
            self._text(f"{type(value).__qualname__} {value!r}")


def _is_library(value: Any) -> bool:
    """Whether a function or class belongs to a library, and does not merely have the name of its module."""
    module = str(value.__module__)
    found: Any = sys.modules.get(module) if _of_library(module) else None
    for name in value.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is value


def _of_library(module: str) -> bool:
    """Whether the module of this name belongs to a library, and is not an author's file with the same name."""
    top = module.split(".")[0]
    if top not in sys.stdlib_module_names:
        return top in LIBRARIES
    origin = getattr(sys.modules.get(top), "__file__", None)
    library_folders = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
    if origin is None:
        return True
    return "site-packages" not in Path(origin).parts and any(
        Path(origin).is_relative_to(folder) for folder in library_folders
    )


def _content(member: Any) -> Any:
    """What is hashed of a class member: the function of a static or class method, the kind of a property."""
    if isinstance(member, COMPUTED):
        return type(member).__name__
    if isinstance(member, staticmethod | classmethod):
        return (type(member).__name__, member.__func__)
    return member


def _type_name(hint: Any) -> str:
    """An annotation as its author wrote it, with and without `from __future__ import annotations`."""
    return hint if isinstance(hint, str) else getattr(hint, "__name__", None) or str(hint)


def named_values(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The closure variables, globals and attributes of modules that a function names, with their values."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # the enclosing function has not set this variable yet
            continue
    yield from _named_globals(function.__code__, function.__globals__)


def _named_globals(code: types.CodeType, scope: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    value: Any = None
    path = ""
    for instruction in dis.get_instructions(code):
        name = str(instruction.argval)
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            value, path = scope.get(name), name
            if name in scope:
                yield path, value
        elif isinstance(value, types.ModuleType) and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            if _of_library(value.__name__):
                value = None
                continue
            value, path = getattr(value, name, None), f"{path}.{name}"
            yield path, value
        elif instruction.opname not in ("CACHE", "EXTENDED_ARG", "PRECALL", "PUSH_NULL"):
            value = None
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _named_globals(constant, scope)
