"""The index of an archive: JSON that must have the form that `write` gives it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.files import Damaged
from zermelo.solving.storage.archive_format import DTYPES, Entry

MAX_INDEX_SIZE = 1 << 28
"""More bytes of JSON than an archive ever has in its index."""

MAX_SECTION_LENGTH = 1 << 48
"""More items than a section ever has."""


def read_index(path: Path, text: bytes) -> tuple[dict[str, Any], dict[str, Entry], str]:
    """Return the header, the sections and the seal of an archive, "" if it has none. Raise Damaged if it is invalid."""
    try:
        index = json.loads(text)
    except (ValueError, RecursionError) as error:  # no UTF-8, no JSON, or brackets without end
        raise Damaged(f"{path} is damaged: its index cannot be read ({error}).") from None
    if not _is_index(index):
        raise Damaged(f"{path} is damaged: its index is none.")
    return index["header"], _sections(path, index["sections"]), index.get("seal", "")


def _is_index(index: Any) -> bool:
    named = isinstance(index, dict) and {"header", "sections"} <= set(index) <= {"header", "sections", "seal"}
    return named and isinstance(index["header"], dict) and isinstance(index.get("seal", ""), str)


def _sections(path: Path, rows: Any) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    first = 0
    for row in rows if isinstance(rows, list) else [rows]:
        if not _is_section(row) or row[0] in entries:
            raise Damaged(f"{path} is damaged: its index lists what is no section, or one twice.")
        name, dtype, length = row
        entries[name] = entry = Entry(np.dtype(dtype), length, first)
        first += entry.blocks
    return entries


def _is_section(row: Any) -> bool:
    """Whether a row of the index is a name, a dtype and a length."""
    if not isinstance(row, list) or len(row) != 3:
        return False
    name, dtype, length = row
    known = isinstance(name, str) and isinstance(dtype, str) and dtype in DTYPES
    return known and type(length) is int and 0 <= length < MAX_SECTION_LENGTH
