"""The disk cache of compiled kernels: one file per kernel, game, signature and processor.

The name of a file is a hash of everything its machine code depends on, so there is no index to keep in step:
a file is either there and right, or it is not there. Files appear by an atomic rename, which makes the cache safe for
any number of threads and processes; two that compile the same kernel at once write the same file twice.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config
from numba.core.caching import _Cache
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps


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

    def path(self, sig: Any, codegen: Any) -> Path:
        parts = (
            self.fingerprint, str(sig), codegen.magic_tuple(), numba.__version__, sys.version,
            config.BOUNDSCHECK, config.OPT, config.FULL_TRACEBACKS, config.DEBUGINFO_DEFAULT,
        )  # fmt: skip
        return cache_folder() / f"{self.name}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}.kernel"

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
        try:
            data = self.path(sig, target_context.codegen()).read_bytes()
        except OSError:
            return None
        checksum, payload = data[:32], data[32:]
        if hashlib.sha256(payload).digest() != checksum:
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, sig: Any, result: Any) -> None:
        """Keep a new kernel, if it can be kept and the folder can be written; work goes on without."""
        _set_environments(result)
        if not self.enabled or not _can_be_kept(result):
            return
        path = self.path(sig, result.codegen)
        payload = dumps(result._reduce())
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, hashlib.sha256(payload).digest() + payload)
        except OSError:
            return


def _set_environments(result: Any) -> None:
    """Give a new kernel the objects that its parts name, as a rule that prints or raises does; loading does it too."""
    for environment in result._find_referenced_environments():
        result.codegen.set_env(environment.env_name, environment)


def _can_be_kept(result: Any) -> bool:
    """Whether the machine code holds no address of this process.

    Large arrays are reached by address, and so are functions that call each other in a circle: Numba fills those in
    when it compiles, and nobody would when the code is loaded.
    """
    circular = calls_in_a_circle(result.library._final_module)
    return not (result.library.has_dynamic_globals or result.lifted or circular)


def calls_in_a_circle(module: Any) -> bool:
    """Whether functions of the module call each other in a circle: they find each other by address."""
    return any(variable.name.startswith(RuntimeLinker.PREFIX) for variable in module.global_variables)


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that others see all of it or none."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
