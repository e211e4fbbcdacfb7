"""The disk cache of compiled kernels: one file per kernel, game, signature and processor.

The name of a file is a hash of everything its machine code depends on, so there is no index to keep in step:
a file is either there and right, or it is not there. Files appear by an atomic rename, which makes the cache safe for
any number of threads and processes; two that compile the same kernel at once write the same file twice. What is read
there is run, so the folder and its files must be the user's own (see private_folder.py).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config
from numba.core.caching import _Cache
from numba.core.runtime import rtsys

from zermelo.native.cache_entry import packed, referenced, unpacked
from zermelo.native.private_folder import private_folder, read_private, write_private


def cache_folder() -> Path:
    """Where compiled kernels are kept: $ZERMELO_CACHE, or `zermelo` in the user's cache folder."""
    if chosen := os.environ.get("ZERMELO_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "zermelo"


def kept(name: str) -> bytes | None:
    """What the cache has under a name; None where it has nothing, or nothing that can be trusted."""
    folder = _folder()
    return None if folder is None else read_private(folder / name)


def keep(name: str, data: bytes) -> None:
    """Put something into the cache, if that can be; work goes on without."""
    folder = _folder(create=True)
    if folder is not None:
        with contextlib.suppress(OSError):
            write_private(folder / name, data)


def _folder(*, create: bool = False) -> Path | None:
    try:
        return private_folder(cache_folder(), create=create)
    except RuntimeError:  # a user without a home
        return None


class DiskCache(_Cache):  # type: ignore[misc]
    """Numba's cache interface over such files, for one kernel.

    `on_miss` is called with the signature before Numba compiles it: what only compiling needs is done there.
    """

    def __init__(self, name: str, fingerprint: str, on_miss: Callable[[Any], None]) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.on_miss = on_miss
        self.enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        self.enabled = True

    def disable(self) -> None:
        self.enabled = False

    def flush(self) -> None:
        """Forget every compiled form of this kernel."""
        for path in cache_folder().glob(f"{self.name}-*.kernel"):
            path.unlink(missing_ok=True)

    def key(self, sig: Any, codegen: Any) -> str:
        """A hash of everything that the machine code depends on. An entry holds it too, and is used for no other."""
        parts = (
            self.fingerprint, str(sig), codegen.magic_tuple(), numba.__version__, sys.version,
            config.BOUNDSCHECK, config.OPT, config.FULL_TRACEBACKS, config.DEBUGINFO_DEFAULT,
        )  # fmt: skip
        return hashlib.sha256(repr((self.name, *parts)).encode()).hexdigest()

    def file(self, key: str) -> str:
        """The name of the file for a key."""
        return f"{self.name}-{key[:32]}.kernel"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel for this signature, or None; a damaged file counts as none."""
        found = self._load(sig, target_context) if self.enabled else None
        if found is None:
            self.on_miss(sig)
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        # Numba's own cache refreshes the context here, which imports all of its typing: 0.1 s that machine code does
        # without. Only its run-time library must be up.
        rtsys.initialize(target_context)
        key = self.key(sig, target_context.codegen())
        data = kept(self.file(key))
        return None if data is None else unpacked(data, key, sig, target_context)

    def save_overload(self, sig: Any, result: Any) -> None:
        """Keep a new kernel, if it can be kept and the folder can be written; work goes on without."""
        _set_environments(result)
        if self.enabled:
            key = self.key(sig, result.codegen)
            if (entry := packed(key, result)) is not None:
                keep(self.file(key), entry)


def _set_environments(result: Any) -> None:
    """Give a new kernel the objects that its parts name, as a rule that prints or raises does; loading does it too."""
    for environment in referenced(result):
        result.codegen.set_env(environment.env_name, environment)
