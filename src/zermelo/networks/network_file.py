"""Files of learned evaluations: a header of JSON, and weights.

    {"format": "zermelo weights 1", "game": ..., "shape": ..., "checksum": ..., ...}\n
    compressed weights: sixteen bits each, all low bytes and then all high bytes

The header names the game and the rules that the weights were learned for, as databases do, and holds the checksum of
everything else. A reader trusts nothing: every number is checked before kernels follow it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.arguments import is_int, is_number
from zermelo.files import (
    Damaged,
    FileError,
    atomic_writer,
    check_replaceable,
    check_writable,
    file_errors,
    read_file,
)
from zermelo.game import Game
from zermelo.networks.feature_weights import FeatureWeights
from zermelo.networks.network import Cell, Lookup, Network, Part, Shape
from zermelo.networks.network_format import (
    MAX_CELLS,
    MAX_HIDDEN,
    MAX_RADIX,
    MAX_RAW_BITS,
    MAX_SCALE,
    MAX_SET_WEIGHTS,
    MAX_SETS,
    MAX_UNIT,
    UNIT,
)
from zermelo.solving.game_identity import GameIdentity

FORMAT = "zermelo weights 1"
"""The format field of a file."""

MAX_HEADER = 1 << 20
"""The most bytes of a header."""

MAX_WEIGHTS = 1 << 26
"""The most weights of a file."""

MAX_STAGE = 1 << 40
"""The latest stage at which a phase may begin."""

MAX_LOOKUPS, MAX_TUPLE = 1024, 16
"""The most lookups of a network, and cells of a lookup."""


def save_weights(learned: Network | FeatureWeights, path: str | Path) -> None:
    """Write what was learned to a file: all of it, or nothing if that fails."""
    header: dict[str, Any] = {"format": FORMAT, **GameIdentity.of(learned.game).to_dict(), "facts": learned.facts}
    body = b""
    if isinstance(learned, Network):
        planes = np.ascontiguousarray(learned.weights, "<i2").view(np.uint8).reshape(-1, 2).T
        body = zlib.compress(planes.tobytes(), 9)
        header["shape"] = learned.shape.to_dict()
    else:
        header["weights"] = learned.weights
    header["checksum"] = _checksum(header, body)
    with atomic_writer(path) as output:
        output.write(json.dumps(header).encode() + b"\n" + body)


def open_weights(path: str | Path, game: Game, *, own: bool = False) -> Network | FeatureWeights:
    """Return what a file holds. Raise FileError or GameError unless it is whole and one of this game."""
    with file_errors(path, "read"):
        content = read_file(Path(path))
    return read_weights(content, path, game, own=own)


def read_weights(content: bytes, path: Any, game: Game, *, own: bool = False) -> Network | FeatureWeights:
    """Return what a file's content is.

    Of files that ship with a game (`own`), only its name is compared: comparing the rules takes random games, and the
    tests do it.
    """
    line, _, body = content.partition(b"\n")
    header = _header(line, path)
    if header.get("checksum") != _checksum({**header, "checksum": None}, body):
        raise Damaged(f"{path} is damaged: its checksum does not match; learn the weights anew.")
    if not own or header.get("game") != repr(game):
        GameIdentity.from_dict(header).check(game, path, "learn")
    facts = header["facts"] if isinstance(header.get("facts"), dict) else {}
    if "weights" in header:
        return FeatureWeights(game, _feature_weights(header["weights"], path), facts)
    try:
        shape = read_shape(header.get("shape"), rules.state_length(game))
    except (ValueError, TypeError, LookupError, OverflowError):
        raise Damaged(f"{path} is damaged: it describes no network of {game!r}.") from None
    return Network(game, shape, _weights(body, shape, path), facts)


def _feature_weights(record: Any, path: Any) -> tuple[float, ...]:
    if not isinstance(record, list) or not all(map(is_number, record)):
        raise Damaged(f"{path} is damaged: its weights are no numbers.")
    return tuple(float(number) for number in record)


def is_weights_file(content: bytes) -> bool:
    """Return whether a file's content begins as one of learned weights does."""
    return content.startswith(b'{"format": "zermelo weights')


def check_weights_output(game: Game, path: str | Path) -> None:
    """Raise FileError if weights cannot be written to a file, or would replace anything but weights of the game."""
    check_writable(path)
    wanted = f"weights of {game!r}"
    check_replaceable(path, lambda final: "" if (found := _described(final)) == wanted else found)


def _described(path: Path) -> str:
    """Which weights a file holds, in words."""
    with file_errors(path, "read"), open(path, "rb") as file:
        line = file.readline(MAX_HEADER)
    try:
        return f"weights of {_header(line.rstrip(), path).get('game')}"
    except FileError:
        return "no weights that this Zermelo can read"


def _header(line: bytes, path: Any) -> dict[str, Any]:
    try:
        header = json.loads(line) if len(line) <= MAX_HEADER else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or not str(header.get("format")).startswith("zermelo weights"):
        raise FileError(f"{path} holds no weights: `zermelo learn` writes such files.")
    if header["format"] != FORMAT:
        raise FileError(f"{path} is of another version of Zermelo ({header['format']!r}, not {FORMAT!r}).")
    return header


def _checksum(header: dict[str, Any], body: bytes) -> str:
    fields = {name: value for name, value in header.items() if name != "checksum"}
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode() + body).hexdigest()


def _weights(body: bytes, shape: Shape, path: Any) -> Any:
    count = shape.sets * shape.set_weights
    try:
        unpacked = zlib.decompressobj().decompress(body, 2 * count + 1)
    except zlib.error:
        unpacked = b""
    if len(unpacked) != 2 * count:
        raise Damaged(f"{path} is damaged: it does not have the {count:,} weights of its network.")
    planes = np.frombuffer(unpacked, np.uint8).reshape(2, count)
    return np.ascontiguousarray(planes.T).view("<i2").reshape(shape.sets, -1).astype(np.int16)


# -- shapes --------------------------------------------------------------------------------------------------------


def read_shape(record: Any, words: int) -> Shape:
    """Return the shape that a record of JSON describes, of states with this many words. Raise ValueError for others."""
    digits = tuple(_digit_table(table) for table in _rows(record["digits"], MAX_CELLS))
    cells = tuple(_cell(each, words, digits) for each in _rows(record["cells"], MAX_CELLS))
    lookups = tuple(_lookup(each, len(cells)) for each in _rows(record["lookups"], MAX_LOOKUPS, least=0))
    phases = tuple(_number(each, 0, MAX_CELLS + 1) for each in _rows(record["phases"], MAX_SETS, least=0))
    views, hidden = _number(record["views"], 1, 2), _number(record["hidden"], 0, MAX_HIDDEN)
    scale = record["payoff_scale"]
    if not is_number(scale) or not 0 <= scale < 1 << 40 or (hidden == 0) != bool(lookups):
        raise ValueError(record)
    levels = tuple(_scale(each) for each in _rows(record.get("levels", []), MAX_HIDDEN, least=0))
    stages = tuple(_number(each, 0, MAX_STAGE) for each in _rows(record.get("stages", []), MAX_SETS, least=0))
    unit = _number(record.get("unit", UNIT), 1, MAX_UNIT)
    if (
        (levels and not hidden)
        or (hidden and unit != UNIT)
        or (stages and phases)
        or len(cells) + len(levels) > MAX_CELLS
    ):
        raise ValueError(record)
    shape = Shape(cells, digits, lookups, phases, views, float(scale), hidden, levels, stages, unit)
    _check_tables(shape)
    return shape


def _check_tables(shape: Shape) -> None:
    """Raise ValueError unless the tables are numbered from 0, lookups of one have its size, and all are small."""
    sizes: dict[int, set[tuple[int, ...]]] = {}
    radices = shape.radices
    for lookup in shape.lookups:
        sizes.setdefault(lookup.table, set()).add(tuple(radices[cell] for cell in lookup.cells))
    if sorted(sizes) != list(range(len(sizes))) or any(len(each) > 1 for each in sizes.values()):
        raise ValueError(shape)
    if shape.sets > MAX_SETS or shape.set_weights > MAX_SET_WEIGHTS or shape.sets * shape.set_weights > MAX_WEIGHTS:
        raise ValueError(shape)


def _rows(record: Any, most: int, least: int = 1) -> list[Any]:
    if not isinstance(record, list) or not least <= len(record) <= most:
        raise ValueError(record)
    return record


def _number(value: Any, least: int, most: int) -> int:
    if not is_int(value) or not least <= value <= most:
        raise ValueError(value)
    return int(value)


def _scale(value: Any) -> float:
    if not is_number(value) or not 1 / MAX_SCALE <= value <= MAX_SCALE:
        raise ValueError(value)
    return float(value)


def _digit_table(record: Any) -> tuple[int, ...]:
    table = tuple(_number(digit, 0, MAX_RADIX - 1) for digit in _rows(record, 1 << MAX_RAW_BITS))
    if len(table) & len(table) - 1:
        raise ValueError(record)
    return table


def _cell(record: Any, words: int, digits: tuple[tuple[int, ...], ...]) -> Cell:
    parts, table = record
    found = [Part(*_numbers(part, (words - 1, 63, MAX_RAW_BITS))) for part in _rows(parts, MAX_RAW_BITS)]
    cell = Cell(tuple(found), _number(table, 0, len(digits) - 1))
    if any(not 1 <= part.bits <= 64 - part.shift for part in found) or len(digits[cell.table]) != 1 << cell.bits:
        raise ValueError(record)
    return cell


def _numbers(record: Any, most: tuple[int, ...]) -> list[int]:
    return [_number(value, 0, limit) for value, limit in zip(_rows(record, len(most)), most, strict=True)]


def _lookup(record: Any, cells: int) -> Lookup:
    table, places = record
    return Lookup(
        _number(table, 0, MAX_LOOKUPS - 1), tuple(_number(cell, 0, cells - 1) for cell in _rows(places, MAX_TUPLE))
    )
