"""The disk cache of specialised kernels, in the form that a Numba dispatcher expects."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from typing import Any

import numba
from numba.core import config
from numba.core.caching import _Cache
from numba.core.runtime import rtsys

from zermelo.native.cache.cache_maintenance import cache_folder, entry_name
from zermelo.native.cache.kernel_cache import load_entry, save_entry
from zermelo.native.cache.numba_entry import pack_entry, referenced_environments, unpack_entry


class DiskCache(_Cache):  # type: ignore[misc]
    """Numba's cache interface for one kernel.

    `on_miss` is called with the signature before Numba compiles it. It prepares what only compiling needs.
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
        """Delete every cached version of this kernel."""
        for path in cache_folder().glob(f"{self.name}-*.kernel"):
            path.unlink(missing_ok=True)

    def key(self, sig: Any, codegen: Any) -> str:
        """A hash of everything that the machine code depends on. The entry holds it too and is checked against it."""
        parts = (
            self.fingerprint, str(sig), codegen.magic_tuple(), numba.__version__, sys.version,
            config.BOUNDSCHECK, config.OPT, config.FULL_TRACEBACKS, config.DEBUGINFO_DEFAULT,
        )  # fmt: skip
        return hashlib.sha256(repr((self.name, *parts)).encode()).hexdigest()

    def file(self, key: str, sig: Any) -> str:
        """The name of the file for a key, which names the game that comes first in the signature."""
        return entry_name(self.name, type(sig[0].game).__name__, key[:32], "kernel")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel for this signature, or None if it is missing or damaged."""
        found = self._load(sig, target_context) if self.enabled else None
        if found is None:
            self.on_miss(sig)
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        # Numba's own cache refreshes the context here, which imports all of its typing. That takes 0.1 s, and machine
        # code does not need it. Only the run-time library must be initialised.
        rtsys.initialize(target_context)
        key = self.key(sig, target_context.codegen())
        data = load_entry(self.file(key, sig))
        return unpack_entry(data, key, sig, target_context)

    def save_overload(self, sig: Any, result: Any) -> None:
        """Write a new kernel to the cache, if it can be cached."""
        _set_environments(result)
        if self.enabled:
            key = self.key(sig, result.codegen)
            if (entry := pack_entry(key, result)) is not None:
                save_entry(self.file(key, sig), entry)


def _set_environments(result: Any) -> None:
    """Give a new kernel the Python objects that its functions use, for example to print. Loading does the same."""
    for environment in referenced_environments(result):
        result.codegen.set_env(environment.env_name, environment)
