"""Game files: load the module of an author's file, executed once for each content."""

from __future__ import annotations

import hashlib
import importlib
import linecache
import sys
import types
from pathlib import Path
from typing import Any

from zermelo.files import FileError, read_file
from zermelo.game import Game, GameError
from zermelo.games.support.game_spec import Spec, TextError

MODULE_PREFIX = "zermelo_file_"
"""Modules of game files are called this, the file's name, and a digest of its path and content."""


def member_of(spec: Spec) -> Any:
    """Return what a file or module spec names, a class or a function of any kind. Raise TextError if there is none."""
    if spec.cls is None:
        raise TextError(f"{spec.text} names no class; write {spec.target}:MyPlayer.")
    found = getattr(_module(spec), spec.cls, None)
    if found is None:
        raise TextError(f"{spec.target} has no class or function {spec.cls}.")
    return found


def class_of(spec: Spec) -> type[Game]:
    """Return the Game class that a file or module spec names; without a name, the only one in it."""
    module = _module(spec)
    if spec.cls is None:
        return _only_game(spec, module)
    found = getattr(module, spec.cls, None)
    if found is None:
        raise TextError(f"{spec.target} has no class {spec.cls}; {_games_in_words(module)}.")
    if not isinstance(found, type) or not issubclass(found, Game):
        raise TextError(f"{spec.cls} in {spec.target} is not a Game class; {_games_in_words(module)}.")
    return found


def _module(spec: Spec) -> types.ModuleType:
    return _file_module(spec) if spec.kind == "file" else _named_module(spec)


def _games_in(module: types.ModuleType) -> list[type[Game]]:
    """The Game classes written in this module, not those it imports."""
    members = vars(module).values()
    return [
        member for member in members
        if isinstance(member, type) and issubclass(member, Game) and member.__module__ == module.__name__
    ]  # fmt: skip


def _games_in_words(module: types.ModuleType) -> str:
    names = [cls.__name__ for cls in _games_in(module)]
    return f"its games are {', '.join(names)}" if names else "it defines no Game class"


def _only_game(spec: Spec, module: types.ModuleType) -> type[Game]:
    games = _games_in(module)
    if len(games) == 1:
        return games[0]
    if not games:
        raise GameError(f"{spec.target} defines no Game class; a game is a class derived from zermelo.Game.")
    names = ", ".join(cls.__name__ for cls in games)
    example = f"{spec.target}:{games[0].__name__}"
    raise TextError(f"{spec.target} defines several games ({names}); say which, as in {example}.")


def _named_module(spec: Spec) -> types.ModuleType:
    try:
        return importlib.import_module(spec.target)
    except ModuleNotFoundError as error:
        if error.name and (spec.target == error.name or spec.target.startswith(error.name + ".")):
            raise TextError(f"{spec.text}: there is no module {spec.target}.") from None
        raise GameError(f"{spec.target} cannot be imported: {error}.") from error
    except (Exception, SystemExit) as error:
        raise GameError(f"{spec.target} cannot be imported: {type(error).__name__}: {error}.") from error


def _file_module(spec: Spec) -> types.ModuleType:
    try:
        path = Path(spec.target).expanduser()
        content = read_file(path)
    except FileNotFoundError:
        raise TextError(f"There is no file {spec.target}.") from None
    except FileError as error:  # something else than a file, or one that is too long
        raise TextError(str(error)) from None
    except OSError as error:
        raise TextError(f"The file {spec.target} cannot be read: {error.strerror}.") from None
    except (ValueError, RuntimeError) as error:  # a null character; the home of an unknown user
        raise TextError(f"{spec.target!r} cannot be the name of a file: {str(error).rstrip('.')}.") from None
    path = path.resolve()
    digest = hashlib.sha256(bytes(path) + b"\0" + content).hexdigest()[:12]
    name = f"{MODULE_PREFIX}{path.stem}_{digest}"
    return sys.modules.get(name) or _execute(name, path, content, spec.target)


def _execute(name: str, path: Path, content: bytes, shown: str) -> types.ModuleType:
    """Run the author's file as a module of this name; a module that fails leaves nothing behind."""
    try:
        code = compile(content, str(path), "exec")
    except SyntaxError as error:
        text = (error.text or "").strip()
        line = f", line {error.lineno}" if error.lineno else ""
        raise GameError(f"{shown}{line}: {error.msg}{f': {text}' if text else ''}.") from None
    except ValueError as error:
        raise GameError(f"{shown} is no Python source: {error}.") from None
    module = types.ModuleType(name)
    module.__file__ = str(path)
    # The compiler reads the source of rules later on; it must be the source of this code, though the file may change.
    lines = content.decode("utf-8", "replace").splitlines(keepends=True)
    linecache.cache[str(path)] = (len(content), None, lines, str(path))
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise GameError(f"{shown}{_line(error, path)}: {_complaint(error)}.") from error
    finally:
        sys.path.remove(str(path.parent))
    return module


def _complaint(error: BaseException) -> str:
    if isinstance(error, ImportError):
        return f"an import fails: {error}"
    if isinstance(error, GameError):
        return str(error).rstrip(".")
    return f"running the file raises {type(error).__name__}: {error}"


def _line(error: BaseException, path: Path) -> str:
    """The last line of the author's file that was running."""
    import traceback

    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""
