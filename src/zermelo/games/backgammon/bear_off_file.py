"""The file of the bear-off tables, which ships with the game: a line of JSON, and the compressed tables.

{"format": "zermelo bear-off 1", "checksum": ...}\n
compressed numbers of 16 bits, all low bytes and then all high bytes: each roll of all distributions, then the pairs
"""

from __future__ import annotations

import hashlib
import json
import lzma
import math
from functools import cache
from importlib.resources import files
from typing import Any

from zermelo.files import Damaged, atomic_writer
from zermelo.games.backgammon.bear_off import (
    BINOMIAL_ROW,
    BINOMIAL_ROWS,
    ONE_SIDED_POSITIONS,
    ONE_SIDED_START,
    ROLLS,
    TABLE_WORDS,
    TWO_SIDED_POSITIONS,
    TWO_SIDED_START,
)
from zermelo.word_arrays import Words

TABLE_FILE, TABLE_FORMAT = "bear_off.table", "zermelo bear-off 1"

TABLE_NUMBERS = ONE_SIDED_POSITIONS * ROLLS + TWO_SIDED_POSITIONS**2
"""The numbers of 16 bits in a file."""


def binomials() -> Any:
    """The binomials that number positions, as the table has them."""
    import numpy as np

    rows = [[math.comb(b, k) for k in range(BINOMIAL_ROW)] for b in range(BINOMIAL_ROWS)]
    return np.array(rows, np.int64).ravel()


def save_table(path: Any, words: Any) -> None:
    """Write a table to a file: all of it, or nothing if that fails."""
    import numpy as np

    shorts = words[ONE_SIDED_START:].view(np.uint16)
    rolls = shorts[: ONE_SIDED_POSITIONS * ROLLS].reshape(ONE_SIDED_POSITIONS, ROLLS)
    numbers = np.concatenate([rolls.T.ravel(), shorts[rolls.size : TABLE_NUMBERS]])
    body = lzma.compress(numbers.astype("<u2").view(np.uint8).reshape(-1, 2).T.tobytes(), preset=9)
    header = {"format": TABLE_FORMAT, "checksum": hashlib.sha256(body).hexdigest()}
    with atomic_writer(path) as output:
        output.write(json.dumps(header).encode() + b"\n" + body)


def read_table(content: bytes, path: Any) -> Words:
    """Return the table that a file's content is. Raise Damaged if it is none."""
    import numpy as np

    line, _, body = content.partition(b"\n")
    try:
        header = json.loads(line)
        right = header == {"format": TABLE_FORMAT, "checksum": hashlib.sha256(body).hexdigest()}
        data = lzma.LZMADecompressor().decompress(body, 2 * TABLE_NUMBERS + 1) if right else b""
    except (ValueError, RecursionError, lzma.LZMAError):
        data = b""
    if len(data) != 2 * TABLE_NUMBERS:
        raise Damaged(f"{path} is damaged: it holds no tables of bear-offs.")
    numbers = np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(2, -1).T).view("<u2").ravel()
    words = np.zeros(TABLE_WORDS, np.int64)
    words[:ONE_SIDED_START] = binomials()
    shorts, rolls = words.view(np.uint16), ONE_SIDED_POSITIONS * ROLLS
    shorts[4 * ONE_SIDED_START : 4 * TWO_SIDED_START] = numbers[:rolls].reshape(ROLLS, -1).T.ravel()
    shorts[4 * TWO_SIDED_START :][: TWO_SIDED_POSITIONS**2] = numbers[rolls:]
    return Words(words)


@cache
def own_table() -> Words:
    """Return the table that ships with the game."""
    file = files("zermelo.games.backgammon") / TABLE_FILE
    return read_table(file.read_bytes(), TABLE_FILE)
