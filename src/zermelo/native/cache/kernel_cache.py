"""The disk cache of compiled kernels: one file per kernel, game, signature and processor.

The name of a file is a hash of everything its machine code depends on, so there is no index: a file either exists and
is right, or does not exist. Files appear by an atomic rename, so any number of threads and processes can share the
cache. Two that compile the same kernel at once write the same file twice. The machine code is executed, so the folder
and its files must belong to the user (see private_folder.py).
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from zermelo.native.cache import cache_maintenance
from zermelo.native.cache.cache_maintenance import cache_folder
from zermelo.native.cache.private_folder import read_private, resolve_private_folder, write_private


def load_entry(name: str) -> bytes | None:
    """Read an entry of the cache; None if it does not exist or is not trusted."""
    folder = _folder()
    if folder is None or (data := read_private(folder / name)) is None:
        return None
    cache_maintenance.note_use(folder / name)
    return data


def save_entry(name: str, data: bytes) -> None:
    """Write an entry to the cache; do nothing if the cache cannot be written."""
    folder = _folder(create=True)
    if folder is not None:
        with contextlib.suppress(OSError):
            write_private(folder / name, data)
            cache_maintenance.note_save(folder, len(data))


def is_writable() -> bool:
    """Whether there is a folder for entries."""
    return _folder(create=True) is not None


def _folder(*, create: bool = False) -> Path | None:
    try:
        return resolve_private_folder(cache_folder(), create=create)
    except RuntimeError:  # the user has no home folder
        return None
