"""Seals: who has made the layers of a checkpoint. Rules compile without checks of bounds, so only our own are run on.

A seal is a keyed digest of all that a file holds. The key is the user's, made when it is first needed, and lies where
nobody else can read it: in the folder for what programs remember, or with the cache where there is no such folder. A
process that cannot keep a key anywhere makes one for itself, and what it leaves is not known to the next.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from zermelo.files import FileError
from zermelo.native.cache.cache_maintenance import cache_folder
from zermelo.native.cache.private_folder import create_private, read_private, resolve_private_folder

KEY_FILE, KEY_SIZE = "checkpoint-key", 32
NO_KEY_HINT = "no key is kept there by which a checkpoint is known. XDG_STATE_HOME names another place"


def state_folder() -> Path:
    """Where a user's programs remember things: $XDG_STATE_HOME or what the system has for it, and `zermelo` there."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "zermelo" / "state"
    if os.path.isabs(chosen := os.environ.get("XDG_STATE_HOME", "")):
        return Path(chosen) / "zermelo"
    return Path.home() / ("Library/Application Support" if sys.platform == "darwin" else ".local/state") / "zermelo"


def user_key() -> bytes:
    """The key of this user's seals."""
    for place in (state_folder, cache_folder):
        if (found := _stored_key(place)) is not None:
            return found
    return _process_key()


def new_seal() -> hashlib.blake2b:
    """A seal of the user's, to be told all that it is for."""
    return hashlib.blake2b(key=user_key(), digest_size=KEY_SIZE)


@cache
def _process_key() -> bytes:
    return secrets.token_bytes(KEY_SIZE)


def _stored_key(place: Callable[[], Path]) -> bytes | None:
    """The key in a folder, made if there is none; None where none can be kept, or others could know it."""
    try:
        folder = resolve_private_folder(place(), create=True, consequence=NO_KEY_HINT)
        if folder is None:
            return None
        create_private(folder / KEY_FILE, secrets.token_bytes(KEY_SIZE))
    except (OSError, RuntimeError):  # a folder that cannot be written; a user without a home
        return None
    found = read_private(folder / KEY_FILE, secret=True)
    if found is not None and len(found) != KEY_SIZE:
        raise FileError(
            f"{folder / KEY_FILE} is damaged: a key has {KEY_SIZE} bytes. Delete it, and a new one is made."
        )
    return found
