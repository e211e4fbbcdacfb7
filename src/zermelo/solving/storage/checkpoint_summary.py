"""What an interrupted solve has kept: how many states are found and solved in the folder beside a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo import rules
from zermelo.files import FileError
from zermelo.game import Game
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.game_identity import GameIdentity
from zermelo.solving.plan import EXPECTATION, MARGIN, WDL
from zermelo.solving.storage.checkpoint import Layers, checkpoint_folder, identity_in
from zermelo.solving.storage.checkpoint_resume import LayerFormat, ranges_in, read_checkpoint


@dataclass(frozen=True)
class CheckpointSummary:
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


def summarise_checkpoint(game: Game, path: str | Path, *, trust: bool = False) -> CheckpointSummary | None:
    """What a solve of the game into a file can go on from; None where that is nothing, or not to be read.

    It is for people to read, so nothing is refused here: the solve that follows does.
    """
    folder = checkpoint_folder(path)
    try:
        identity, token = identity_in(folder, trust=trust)
        ours = GameIdentity.of(game).to_dict()
        if any(identity.get(name) != ours[name] for name in ours):
            return None
        layers = Layers(folder, token, trust=trust)
        found = read_checkpoint(layers, _layer_format(game, layers, identity))
    except FileError:
        return None
    states = sum(solved.states for solved in found.solved.values())
    return CheckpointSummary(folder, found.sizes, states, found.complete) if found.sizes or states else None


def _layer_format(game: Game, layers: Layers, identity: dict[str, Any]) -> LayerFormat:
    values = EXPECTATION if rules.has_chance(game) else MARGIN if game.margin else WDL
    dense = identity.get("method") == "dense"
    words = 1 if dense else Packing.fitting(ranges_in(layers)).words
    return LayerFormat(dense, values, bool(identity.get("wdl")), words)
