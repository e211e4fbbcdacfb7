"""Where the parts of a solve are: beside the file of the solution, or where the user says."""

from __future__ import annotations

from pathlib import Path

BYTES_PER_STATE = 4
"""Bytes of all parts of a solve for each state, about: those of Connect Four 5x5 are 3.1."""


def is_url(place: str) -> bool:
    """Return whether a place is a URL, not a folder."""
    return "://" in place


def place_of_parts(path: Path, scratch: str | Path | None) -> str:
    """Return the folder or URL of the parts of a solve into a file.

    >>> place_of_parts(Path("connect.zdb"), "s3://bucket/zermelo")
    's3://bucket/zermelo/connect.zdb.parts'
    """
    if scratch is None:
        return f"{path.resolve()}.parts"
    if is_url(str(scratch)):
        return f"{str(scratch).rstrip('/')}/{path.name}.parts"
    return f"{Path(scratch).resolve() / path.name}.parts"
