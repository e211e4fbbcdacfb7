"""Which games are compiled and which are interpreted, as far as it is known without compiling.

A game is interpreted if it says so, if its state has no machine layout, or if a rule was found not to compile. Nothing
here imports Numba: a process that finds its kernels in the cache does without.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from zermelo.game import Game, GameError, State
from zermelo.native.cache.cache_maintenance import entry_name
from zermelo.native.cache.kernel_cache import load_entry, save_entry
from zermelo.native.fingerprints import fingerprint
from zermelo.native.state_layout import Layout, LayoutError, layout_of

COMPILER_SETTINGS = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_DEBUGINFO", "NUMBA_FULL_TRACEBACKS")
"""Variables of the environment that change what Numba compiles."""

errors: dict[str, str | None] = {}
"""By fingerprint: why a game is interpreted, or None if all its rules compile."""

_unknown: set[str] = set()
"""Fingerprints of games for which the cache holds no error. Every call of a kernel asks, so it is looked up once."""


class StateMismatch(GameError):
    """A state whose layout differs from that of the initial state."""


def known_error(game: Game) -> str | None:
    """The known reason why this game is interpreted, or None. Nothing is compiled to find out.

    Raise GameError if there is a reason and the game says native = True.
    """
    reason = error_of(game)
    if reason is not None and game.native:
        raise GameError(f"{game!r} says native = True, but its rules do not compile. {reason}.")
    return reason


def error_of(game: Game) -> str | None:
    """The known reason, whatever the game says."""
    if _compiler_is_off():
        return "NUMBA_DISABLE_JIT is set, which turns the compiler off"
    if game.native is False:
        return f"{type(game).__name__} says native = False"
    name = fingerprint(game)
    if name not in errors and name not in _unknown:
        try:
            layout(game)
        except LayoutError as error:
            errors[name] = f"{type(game).__name__}.initial: {error}"
        else:
            found = load_entry(_error_file(game))
            if found is None:
                _unknown.add(name)
            else:
                errors[name] = found.decode(errors="replace")
    return errors.get(name)


def record_error(game: Game, reason: str | None, fallback: str) -> None:
    """Record why a game does not compile, for this process and, if a rule is to blame, for others."""
    name = fingerprint(game)
    if reason is not None:
        save_entry(_error_file(game), reason.encode())
    errors[name] = reason or fallback
    known_error(game)


def look_again(game: Game) -> None:
    """Look for an error in the cache once more: another process has compiled the rules."""
    _unknown.discard(fingerprint(game))


def layout(game: Game) -> Layout:
    """The machine layout of the game's states, stored on the instance."""
    found: Layout | None = game.__dict__.get("_layout")
    if found is None:
        found = layout_of(game)
        object.__setattr__(game, "_layout", found)
    return found


def to_native(game: Game, state: State) -> Any:
    """Convert a state for compiled code. Raise StateMismatch if it cannot be a state of the game."""
    try:
        return layout(game).to_native(state)
    except GameError as error:
        raise StateMismatch(f"{game!r}: {state!r} cannot be a state, since {error}.") from None


def raise_unless_interpreted(game: Game, mismatch: StateMismatch) -> None:
    """Raise the mismatch if the rules compile; otherwise the game is interpreted and may accept the state.

    So the answer does not depend on whether the rules were diagnosed before.
    """
    from zermelo.native.diagnostics import native_error

    if native_error(game) is None:
        raise mismatch
    known_error(game)


def _compiler_is_off() -> bool:
    settings = getattr(sys.modules.get("numba"), "config", None)  # another thread may be importing it
    if settings is not None:
        return bool(getattr(settings, "DISABLE_JIT", False))
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


@functools.cache
def versions() -> tuple[str, ...]:
    """The versions that compiled code depends on. They are read from files, since Numba takes long to import."""
    settings = (f"{name}={os.environ.get(name, '')}" for name in COMPILER_SETTINGS)
    return _version("numba"), _version("llvmlite"), sys.version, *settings


def _version(package: str) -> str:
    """The content of the file in which a package has its version; "" where there is none."""
    spec = find_spec(package)
    try:
        return Path(str(spec and spec.origin)).with_name("_version.py").read_text(errors="replace")
    except OSError:
        return ""


def _error_file(game: Game) -> str:
    """The cache entry that stores why a game does not compile, so that the next process need not diagnose it again."""
    stamp = hashlib.sha256(" ".join(versions()).encode()).hexdigest()[:8]
    return entry_name("rules", type(game).__name__, fingerprint(game).rpartition("-")[2] + stamp, "error")
