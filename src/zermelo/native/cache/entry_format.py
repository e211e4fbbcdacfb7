"""The format of a cache entry: plain data with a checksum.

    magic line | SHA-256 of the rest | length of the header | JSON header | content

Reading an entry unpickles and imports nothing. The header holds the key of the entry; one of another key is refused.
"""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

MAGIC = b"zermelo kernel 2\n"
CHECKSUM_SIZE = 32
LENGTH = struct.Struct("<Q")


def pack(key: str, header: dict[str, Any], content: bytes) -> bytes:
    """An entry with a header and content."""
    text = json.dumps({**header, "key": key}).encode()
    rest = LENGTH.pack(len(text)) + text + content
    return b"".join([MAGIC, hashlib.sha256(rest).digest(), rest])


def unpack(data: bytes | None, key: str) -> tuple[dict[str, Any], bytes] | None:
    """The header and the content of an entry; None if there is none, it is damaged or has another key."""
    start = len(MAGIC) + CHECKSUM_SIZE
    if data is None or data[: len(MAGIC)] != MAGIC:
        return None
    if data[len(MAGIC) : start] != hashlib.sha256(memoryview(data)[start:]).digest():
        return None
    (length,) = LENGTH.unpack_from(data, start)
    begin = start + LENGTH.size
    header = json.loads(data[begin : begin + length])
    return (header, data[begin + length :]) if header["key"] == key else None
