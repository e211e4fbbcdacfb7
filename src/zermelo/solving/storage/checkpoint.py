"""Checkpoints: a folder in which a long solve leaves its finished layers, so that one that was killed can go on.

identity    an archive without sections: what is solved, and how, and a token; without it, the rest counts for nothing
NAME.layer  an archive for each finished layer, which knows its name and the token, so that no other passes for it
lock        held by the process at work here; the system lets go of it when the process ends, however it ends
.writing-*  files that were never finished; swept by the next process

The identity and the layers have the user's seal (see checkpoint_seal.py). A checkpoint with another seal, or none, is
resumed only if the user trusts it, because rules are run on what it says is a state.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np

from zermelo.files import TEMPORARY_PREFIX, Damaged, FileError, destination, file_errors, sync_folder
from zermelo.solving.storage.archive import Archive, Section, Source, write
from zermelo.solving.storage.archive_format import to_json
from zermelo.solving.storage.checkpoint_header import CHECKPOINT_FORMAT, IdentityHeader, LayerHeader
from zermelo.solving.storage.checkpoint_seal import new_seal

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

IDENTITY, LAYER, LOCK = "identity", ".layer", "lock"
START_ANEW = "begin anew with --fresh (fresh=True)"
TRUST = "--trust (trust=True) goes on from it all the same"


def checkpoint_folder(path: str | Path) -> Path:
    """Return the folder of the checkpoint for a file. Raise FileError if the file cannot be written."""
    final = destination(path)
    return final.with_name(final.name + ".partial")


class Layers:
    """The layers in a folder that belong to one solve, which is known by its token."""

    def __init__(self, folder: Path, token: str, *, trust: bool = False) -> None:
        self.folder = folder
        self.token = token
        self.trust = trust
        self._known: dict[str, tuple[int, int, int]] = {}
        """Inode, size and time of the layers whose seal was looked at."""

    def names(self) -> list[str]:
        """The names of the finished layers, sorted."""
        return sorted(path.name.removesuffix(LAYER) for path in self.folder.glob(f"*{LAYER}"))

    def size(self) -> int:
        """Bytes of the finished layers."""
        return sum(found[1] for path in self.folder.glob(f"*{LAYER}") if (found := _state_of(path)) is not None)

    def open(self, name: str) -> Archive:
        """A layer to read from, without unpacking all of it; to be closed by the caller. Its header has its items."""
        path = self._path(name)
        there = _state_of(path)
        known = there is not None and self._known.get(name) == there
        archive = Archive.open(path, check=False) if known else open_sealed(path, self.trust)
        if there is not None and there == _state_of(path):
            self._known[name] = there
        header = LayerHeader.read(archive.header, name, self.token)
        if header is None:
            archive.close()
            raise Damaged(f"{archive.path} is damaged: it is no layer of this solve, or another one's by its name.")
        archive.header = header.items
        return archive

    def _path(self, name: str) -> Path:
        if not re.fullmatch(r"\w[\w.-]*", name, re.ASCII):
            raise FileError(f"{self.folder} cannot hold a layer {name!r}; letters, digits and any of .-_ name one.")
        return self.folder / f"{name}{LAYER}"


def _state_of(path: Path) -> tuple[int, int, int] | None:
    """Inode, size and time of a file, by which it is seen to be the same; None if it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def open_sealed(path: Path, trust: bool) -> Archive:
    """A file of a checkpoint, if all of it is as it was written, and by this user unless anybody is to be trusted."""
    archive = Archive.open(path, check=trust)
    try:
        if not trust and not archive.is_sealed_by(new_seal()):
            raise FileError(f"{path} was not made by this user on this machine, or was changed; {START_ANEW}. {TRUST}.")
    except BaseException:
        archive.close()
        raise
    return archive


def identity_in(folder: Path, *, trust: bool = False) -> tuple[dict[str, Any], str]:
    """Return what is solved in a folder, and the token of its layers. Raise FileError if another version made it."""
    path = folder / IDENTITY
    with Archive.open(path, check=False) as archive:
        header = IdentityHeader.read(archive.header)
    if header is not None:
        with open_sealed(path, trust) as archive:
            header = IdentityHeader.read(archive.header)
    if header is None:
        raise FileError(f"{folder} was left by another version of Zermelo; {START_ANEW}.")
    return header.identity, header.token


class Checkpoint(Layers):
    """The finished layers of a solve: named, each with arrays and what else JSON can hold.

    The folder is made if it is not there. One that holds a solve of another `identity` is refused, or begun anew if
    `fresh`; so is one that this user has not made, unless `trust` says to go on from it. A layer is there as a whole or
    not at all, whenever the process ends.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "nim.partial"
    >>> with Checkpoint(folder, {"game": "nim"}) as checkpoint:
    ...     checkpoint.put("stage-3", values=np.arange(4), wins=2)
    >>> with Checkpoint(folder, {"game": "nim"}) as checkpoint:
    ...     checkpoint.names(), checkpoint.get("stage-3")
    (['stage-3'], {'wins': 2, 'values': array([0, 1, 2, 3])})
    """

    def __init__(
        self, folder: str | Path, identity: dict[str, Any], *, fresh: bool = False, trust: bool = False
    ) -> None:
        super().__init__(Path(folder), secrets.token_hex(8), trust=trust)
        self.identity: dict[str, Any] = json.loads(to_json(identity))
        self._lock: int | None = acquire_lock(self.folder)
        try:
            self._begin(fresh)
        except BaseException:
            self.close()
            raise

    def _begin(self, fresh: bool) -> None:
        with file_errors(self.folder, "used"):
            for path in self.folder.glob(f"{TEMPORARY_PREFIX}*"):
                path.unlink()
            if (self.folder / IDENTITY).exists() and not fresh:
                self._compare()
            else:
                self._clear()
                header = IdentityHeader(CHECKPOINT_FORMAT, self.token, self.identity)
                write(self.folder / IDENTITY, header.to_dict(), [], seal=new_seal())

    def _compare(self) -> None:
        theirs, self.token = identity_in(self.folder, trust=self.trust)
        ours = self.identity
        for key in [*ours, *theirs]:
            if theirs.get(key) != ours.get(key):
                difference = f"its {key} is {theirs.get(key)!r}, not {ours.get(key)!r}"
                raise FileError(f"{self.folder} holds another solve: {difference}; finish it, or {START_ANEW}.")

    def put(self, name: str, sections: Iterable[tuple[str, Source]] = (), /, **items: Any) -> None:
        """Store a finished layer, in place of one of the same name; when this returns, it is on the disk.

        Arrays are items too, or come as named `sections`, each of which is made when its turn comes.
        """
        arrays = {key: item for key, item in items.items() if isinstance(item, np.ndarray)}
        others = {key: item for key, item in items.items() if key not in arrays}
        header = LayerHeader(name, self.token, others)
        write(self._path(name), header.to_dict(), chain(arrays.items(), sections), seal=new_seal())

    def get(self, name: str) -> dict[str, Any]:
        """All that was stored under a name."""
        with self.open(name) as archive:
            return {**archive.header, **{key: archive.array(key) for key in archive.names}}

    def section(self, name: str, key: str) -> Section:
        """An array of a layer as a source for `write`, which copies its blocks as they are."""
        return Section(self._path(name), key)

    def remove(self, name: str) -> None:
        """Forget a layer, if it is there."""
        path = self._path(name)
        with file_errors(path, "removed"):
            path.unlink(missing_ok=True)

    def finish(
        self,
        path: str | Path,
        header: dict[str, Any],
        sections: Iterable[tuple[str, Source]],
        check: Callable[[Path], None] | None = None,
    ) -> None:
        """Write the final file and discard the checkpoint. A kill on the way leaves nothing but the folder.

        `check` looks at the file, and raises where it is not what it should be: then the layers stay. A process that is
        killed after the file is there and before the folder is gone finds all layers again, or none.
        """
        self._check_open()
        write(path, header, sections, scratch=self.folder, check=check)
        self.discard()

    def discard(self) -> None:
        """Delete the layers and the folder, and release the lock; other files stay."""
        self._check_open()
        with file_errors(self.folder, "deleted"):
            self._clear()
        if sys.platform == "win32":  # an open file cannot be deleted there
            self.close()
        with suppress(OSError):
            (self.folder / LOCK).unlink()
            self.folder.rmdir()
        self.close()

    def close(self) -> None:
        """Release the folder for the next process."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _clear(self) -> None:
        # The identity goes first: without it, no layer that a kill leaves behind is taken for one of another solve.
        (self.folder / IDENTITY).unlink(missing_ok=True)
        sync_folder(self.folder)
        for path in self.folder.glob(f"*{LAYER}"):
            path.unlink()

    def _check_open(self) -> None:
        if self._lock is None:
            raise FileError(f"{self.folder} was closed.")

    def _path(self, name: str) -> Path:
        self._check_open()
        return super()._path(name)


@contextmanager
def advise_fresh() -> Iterator[None]:
    """Say of a damaged layer how to do without it."""
    try:
        yield
    except Damaged as error:
        raise FileError(f"{str(error).removesuffix('.')}; {START_ANEW}.") from error


def acquire_lock(folder: Path) -> int:
    """The handle of a folder's lock, which is held as long as the handle is open; the folder is made if need be."""
    while True:
        with file_errors(folder, "made"):
            if not folder.is_dir():
                folder.mkdir()
                sync_folder(folder.parent)
        with file_errors(folder, "written to"):
            handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            with file_errors(folder, "locked"):
                try_lock(folder, handle)
                there = (folder / LOCK).exists() and os.path.samestat(os.fstat(handle), os.stat(folder / LOCK))
        except BaseException:
            os.close(handle)
            raise
        if there:
            return handle
        os.close(handle)  # who held it has discarded the folder since we opened the file


def try_lock(folder: Path, handle: int) -> None:
    """Acquire the lock of a folder. Raise FileError if another process holds it."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        raise FileError(f"{folder} is in use: another process solves into it.") from None
