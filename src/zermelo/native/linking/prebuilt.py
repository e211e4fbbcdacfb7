"""LLVM IR that the package was built with, and kernels as IR: from there, from the cache, or compiled.

The name of a file holds a hash of everything that the IR depends on. IR that is out of date is not found.
"""

from __future__ import annotations

import functools
import hashlib
import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import llvmlite

from zermelo.files import atomic_writer
from zermelo.native.cache.cache_maintenance import entry_name
from zermelo.native.cache.entry_format import pack, unpack
from zermelo.native.cache.kernel_cache import load_entry, save_entry
from zermelo.native.fingerprints import function_fingerprint

FOLDER = Path(__file__).parent.parent / "prebuilt"
"""Where the build of the package puts kernels and rules."""

_TARGET = re.compile(r"^target (triple|datalayout) = .*\n", re.MULTILINE)


def kernel_code(name: str, function: Any, kinds: tuple[str, ...]) -> tuple[dict[str, Any], str]:
    """The header and the IR of a kernel: from the package, from the cache, or compiled."""
    key, file = _key(name, function, kinds)
    found = unpack(read(file), key) or unpack(load_entry(file), key)
    if found is None:
        found = _compiled(function, kinds)
        save_entry(file, pack(key, *found))
    header, data = found
    return header, zlib.decompress(data).decode()


def build_kernel(name: str, function: Any, kinds: tuple[str, ...]) -> str:
    """Compile a kernel into the package, unless it is there; return the name of its file."""
    key, file = _key(name, function, kinds)
    if unpack(read(file), key) is None:
        write(file, pack(key, *_compiled(function, kinds)))
    return file


def read(file: str) -> bytes | None:
    """A file of the package; None if it is not there."""
    try:
        return (FOLDER / file).read_bytes()
    except OSError:
        return None


def write(file: str, entry: bytes) -> None:
    """Write a file of the package."""
    FOLDER.mkdir(exist_ok=True)
    with atomic_writer(FOLDER / file) as writer:
        writer.write(entry)


def remove_others(files: Iterable[str]) -> None:
    """Remove all files of the package but these."""
    for path in {*FOLDER.glob("*.ir")} - {FOLDER / file for file in files}:
        path.unlink(missing_ok=True)


def _key(name: str, function: Any, kinds: tuple[str, ...]) -> tuple[str, str]:
    """The key of a kernel, and the name of its file: the same on every system, for one version of Python."""
    own = function.__module__.startswith("zermelo.")
    code = _own_fingerprint(function) if own else function_fingerprint(function)
    parts = (code, name, kinds, llvmlite.__version__)
    key = hashlib.sha256(repr(parts).encode()).hexdigest()
    return key, entry_name(name, "", key[:32], "ir")


@functools.cache
def _own_fingerprint(function: Any) -> str:
    """The fingerprint of one of Zermelo's functions: what an author's function names may change, this does not."""
    return function_fingerprint(function)


def _compiled(function: Any, kinds: tuple[str, ...]) -> tuple[dict[str, Any], bytes]:
    from zermelo.native.linking.kernel_ir import kernel_ir

    header, text = kernel_ir(function, kinds)
    return header, zlib.compress(_TARGET.sub("", text).encode(), 9)
