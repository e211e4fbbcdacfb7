"""How a game reaches the workers: by the name of its class where that is installed, else by its code and source.

A class in a file, a script or a notebook is sent by Ray's own pickle (cloudpickle), with the modules of its own folder.
The compiler reads the source of rules that `yield` moves, so the source travels too. A worker refuses a game whose
rules are not those of the driver, as where another version of Zermelo is installed.
"""

from __future__ import annotations

import linecache
import sys
import sysconfig
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo.game import Game, GameError
from zermelo.native.fingerprints import rules_fingerprint

_sent: weakref.WeakValueDictionary[bytes, Game] = weakref.WeakValueDictionary()
"""Games that this process has sent. Loaded here, their classes would get copies of their own rules."""


@dataclass(frozen=True)
class PortableGame:
    """A game as it travels."""

    pickled: bytes
    sources: tuple[tuple[str, str], ...]
    """File names, as code has them, with the source of each."""
    fingerprint: str
    name: str

    @classmethod
    def of(cls, game: Game) -> PortableGame:
        """Return a game as it travels. Raise GameError if it cannot."""
        pickle = _pickle()
        modules = _own_modules(type(game))
        try:
            with _by_value(pickle, modules):
                pickled = pickle.dumps(game)
        except Exception as error:  # whatever a parameter of the game raises
            raise GameError(f"{game!r} cannot be sent to other machines: {type(error).__name__}: {error}.") from error
        _sent[pickled] = game
        sources = {str(module.__file__): _source(str(module.__file__)) for module in modules if _file(module)}
        return cls(pickled, tuple(sources.items()), rules_fingerprint(game), repr(game))

    def load(self) -> Game:
        """Return the game. Raise GameError if its rules are not those that were sent."""
        if self.pickled in _sent:
            return _sent[self.pickled]
        for file, source in self.sources:
            linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        try:
            game: Game = _pickle().loads(self.pickled)
        except (ImportError, AttributeError) as error:
            raise GameError(
                f"{self.name} cannot be loaded on a worker: {str(error).rstrip('.')}. Install there what it imports."
            ) from error
        if rules_fingerprint(game) != self.fingerprint:
            raise GameError(f"{self.name} has other rules on a worker; install the same version of it on all nodes.")
        return game


def _pickle() -> Any:
    try:
        from ray import cloudpickle
    except ImportError:
        raise GameError('Solving on a cluster needs Ray and fsspec: pip install "zermelo[cluster]".') from None
    return cloudpickle


@contextmanager
def _by_value(pickle: Any, modules: list[ModuleType]) -> Iterator[None]:
    """Let classes and functions of these modules be pickled with their code."""
    known = pickle.list_registry_pickle_by_value()
    new = [module for module in modules if module.__name__ != "__main__" and module.__name__ not in known]
    for module in new:
        pickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in new:
            pickle.unregister_pickle_by_value(module)


def _own_modules(cls: type) -> list[ModuleType]:
    """Return the modules of a class and its bases, and those beside them, that are not installed as packages are."""
    modules = [sys.modules[base.__module__] for base in cls.__mro__ if base.__module__ in sys.modules]
    own = [module for module in modules if not _is_installed(module)]
    folders = {Path(str(module.__file__)).parent for module in own if _file(module)}
    beside = [
        module for module in list(sys.modules.values())
        if _file(module) and Path(str(module.__file__)).parent in folders and not _is_installed(module)
    ]  # fmt: skip
    return list({module.__name__: module for module in [*own, *beside]}.values())


def _file(module: Any) -> str | None:
    file = getattr(module, "__file__", None)
    return file if isinstance(file, str) and file.endswith(".py") else None


def _is_installed(module: ModuleType) -> bool:
    """Return whether workers can be expected to have a module: Zermelo, the standard library, installed packages."""
    if module.__name__.split(".")[0] == "zermelo" or module.__name__ in sys.builtin_module_names:
        return True
    if module.__name__ == "__main__":
        return False
    file = _file(module)
    folders = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platlib", "purelib")]
    return file is not None and any(Path(file).is_relative_to(folder) for folder in folders)


def _source(file: str) -> str:
    """Return the source of a file as the compiler knows it."""
    return "".join(linecache.getlines(file))
