"""Checkpoints of a training: its weights and where it stands, in a file beside the result.

    {"format": "zermelo training 1", "game": ..., "options": ..., "checksum": ..., ...}\n
    compressed weights, errors and sizes of errors, as 64-bit reals

A training that was killed goes on from its checkpoint, and ends with the same weights as one that was not.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from zermelo.arguments import is_int, is_number
from zermelo.files import Damaged, FileError, atomic_writer, file_errors, read_file
from zermelo.game import GameError
from zermelo.learning.training import Training
from zermelo.solving.game_identity import GameIdentity

CHECKPOINT_FORMAT = "zermelo training 1"
"""The format field of a checkpoint."""


def save_checkpoint(path: Path, training: Training, options: dict[str, Any], progress: dict[str, Any]) -> None:
    """Write a checkpoint atomically."""
    body = zlib.compress(training.weights.astype("<f8").tobytes(), 1)
    header = {
        "format": CHECKPOINT_FORMAT, **GameIdentity.of(training.game).to_dict(), "options": options,
        "progress": progress, "rounds": training.rounds, "games": training.games, "plies": training.plies,
    }  # fmt: skip
    header["checksum"] = _checksum(header, body)
    with atomic_writer(path) as output:
        output.write(json.dumps(header).encode() + b"\n" + body)


def load_checkpoint(path: Path, training: Training, options: dict[str, Any]) -> dict[str, Any]:
    """Continue a training from a checkpoint; return its progress. Raise GameError if it is of another training."""
    with file_errors(path, "read"):
        line, _, body = read_file(path).partition(b"\n")
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != CHECKPOINT_FORMAT:
        raise FileError(f"{path} is no checkpoint of a training; delete it to begin anew.")
    if header.get("checksum") != _checksum(header, body):
        raise Damaged(f"{path} is damaged: its checksum does not match; delete it to begin anew.")
    GameIdentity.from_dict(header).check(training.game, path, "learn")
    if header.get("options") != json.loads(json.dumps(options)):
        raise GameError(f"{path} is of a training with other options; delete it to begin anew.")
    try:
        data = zlib.decompressobj().decompress(body, training.weights.nbytes + 1)
    except zlib.error:
        data = b""
    counts: list[Any] = [header.get(name) for name in ("rounds", "games", "plies")]
    progress = header.get("progress")
    if not all(is_int(count) and count >= 0 for count in counts) or not _is_progress(progress):
        raise Damaged(f"{path} is damaged: it does not say how far the training came.")
    if len(data) != training.weights.nbytes:
        raise Damaged(f"{path} is damaged: it does not have the weights of the network.")
    training.weights[:] = np.frombuffer(data, "<f8")
    training.rounds, training.games, training.plies = counts
    return progress


def _is_progress(found: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a record is the progress of a training: points of its curve, seconds, and its last part."""
    return (
        isinstance(found, dict)
        and isinstance(found.get("curve"), list)
        and all(isinstance(point, dict) for point in found["curve"])
        and is_number(found.get("seconds"))
        and isinstance(found.get("refitting"), bool)
    )


def _checksum(header: dict[str, Any], body: bytes) -> str:
    fields = {name: value for name, value in header.items() if name != "checksum"}
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode() + body).hexdigest()
