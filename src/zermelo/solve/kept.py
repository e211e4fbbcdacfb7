"""What an interrupted solve has kept: how many states are found and solved in the folder beside a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.files import FileError
from zermelo.game import Game
from zermelo.solve.archive import Archive
from zermelo.solve.checkpoint import IDENTITY, LAYER, partial
from zermelo.solve.identity import identity as identity_of
from zermelo.solve.packing import Packing


@dataclass(frozen=True)
class Kept:
    """The finished layers of a solve."""

    folder: Path
    sizes: dict[int, int]
    """How many states were found in each stage; empty where a rule numbers them."""
    solved: int
    complete: bool
    """Every state has been found."""

    @property
    def states(self) -> int:
        return sum(self.sizes.values())


def kept(game: Game, path: str | Path) -> Kept | None:
    """What a solve of the game into a file can go on from; None where that is nothing, or not to be read.

    It is for people to read, so nothing is refused here: the solve that follows does.
    """
    folder = partial(path)
    try:
        identity = _header(folder / IDENTITY)
        ours = identity_of(game)
        found = _counted(folder) if all(identity.get(name) == ours[name] for name in ours) else None
    except FileError:
        return None
    return found if found is not None and (found.states or found.solved) else None


def _counted(folder: Path) -> Kept:
    packing = folder / f"packing{LAYER}"
    words = Packing.fitting(_header(packing)["ranges"]).words if packing.exists() else 1
    sizes: dict[int, int] = {}
    solved, complete = 0, False
    for layer in folder.glob(f"*{LAYER}"):
        with Archive.open(layer, check=False) as archive:
            for name in archive.names:
                if name.startswith("keys_"):
                    sizes[int(name.removeprefix("keys_"))] = archive.entry(name).length // words
            complete = complete or archive.header.get("finished", False)
            solved += sum(row[1] for record in archive.header.get("solved", ()) for row in record["counts"])
    return Kept(folder, sizes, solved, complete)


def _header(path: Path) -> dict[str, Any]:
    with Archive.open(path, check=False) as archive:
        return archive.header
