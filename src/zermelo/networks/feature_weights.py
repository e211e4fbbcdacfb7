"""FeatureWeights: learned weights of a game's own features."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.game import Game


@dataclass(frozen=True, eq=False)
class FeatureWeights:
    """Weights for the `features` of a game. `facts` tell how they were learned; `save` writes them to a file."""

    game: Game
    weights: tuple[float, ...]
    facts: dict[str, Any] = field(default_factory=dict)

    def save(self, path: Any) -> None:
        """Write the weights to a file: all of them, or nothing if that fails."""
        from zermelo.networks.network_file import save_weights

        save_weights(self, path)
