"""What every task of a solve on a cluster is told: the game, the method, and where the parts are."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from zermelo.solving.cluster.game_transport import PortableGame
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.plan import Plan
from zermelo.solving.storage.archive_format import to_json

PARTS_FORMAT = 1
"""Raised when parts change their meaning: those of other versions are not used."""


@dataclass(frozen=True)
class SolveJob:
    """One solve: the same for all of its tasks."""

    game: PortableGame
    version: str
    """The version of Zermelo, which is the same on all nodes."""
    plan: Plan
    packing: Packing
    first: int
    """The stage in which the solve begins."""
    wdl: bool
    epsilon: float
    place: str
    """The folder or URL of the parts."""
    key: bytes
    """The key of their digests."""
    memory: int | None
    """Bytes of memory that a task may take; None is its share of its node."""


class Task:
    """One task: its kind, stage and part. The names of its outputs follow from them."""

    __slots__ = ("kind", "part", "stage")

    def __init__(self, kind: str, stage: int, part: int = 0) -> None:
        self.kind, self.stage, self.part = kind, stage, part

    def __repr__(self) -> str:
        return f"{self.kind}-{self.stage}-{self.part}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Task) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    @property
    def result(self) -> str:
        """The name of the output that is written last: when it is there, the task is done."""
        return f"{LAST_OUTPUT[self.kind]}-{self.stage}-{self.part}"


EXPAND, EVALUATE, PACK, NUMBER, MERGE = "expand", "evaluate", "pack", "number", "merge"

LAST_OUTPUT = {EXPAND: "runs", EVALUATE: "answers", PACK: "packed", NUMBER: "entries", MERGE: "entries"}

MERGED = 1 << 62
"""The stage of all plies together, in a game whose stages are numbers of plies: a number that no stage has."""


def producer_of(name: str, numbered: bool) -> Task | None:
    """Return the task that writes a part; None for what the driver writes."""
    kind, _, rest = name.partition("-")
    stage, _, part = rest.rpartition("-")
    kinds = {"keys": EXPAND, "runs": EXPAND, "entries": EVALUATE, "answers": EVALUATE, "packed": PACK}
    if kind not in kinds or not stage.lstrip("-").isdecimal():
        return None
    if kind in ("keys", "entries") and int(stage) == MERGED:
        return Task(MERGE, MERGED)
    if kind == "entries" and numbered:
        return Task(NUMBER, int(stage))
    return Task(kinds[kind], int(stage), int(part))


def solve_folder(identity: dict[str, Any]) -> str:
    """Return the name of the folder of a solve, which is derived from all on which the contents of parts depend."""
    text = to_json({"parts": PARTS_FORMAT, **identity})
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()
