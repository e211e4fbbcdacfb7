"""Report: what a search found, and how."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game import Game, Move, State
from zermelo.value import Value


@dataclass(frozen=True)
class Report:
    """The best move known, its value for the player to move, and what it cost.

    `pv` is the principal variation: the line both sides consider best, outcomes of chance left out.
    `depth` counts the plies that were searched in full.
    """

    game: Game
    state: State
    value: Value
    move: Move | None
    pv: tuple[Move, ...]
    depth: int
    nodes: int
    seconds: float

    @property
    def pv_text(self) -> list[str]:
        """The principal variation in the game's notation."""
        texts, state = [], self.state
        for move in self.pv:
            texts.append(self.game.move_text(state, move))
            state = self.game.play(state, move)
        return texts

    def to_dict(self) -> dict[str, object]:
        return {
            "value": self.value.to_dict(),
            "move": None if self.move is None else self.game.move_text(self.state, self.move),
            "pv": self.pv_text,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        speed = f", {self.nodes / self.seconds / 1e6:.2f} M/s" if self.seconds > 0 else ""
        return f"{self.value}, depth {self.depth}, {self.nodes} nodes{speed}: {' '.join(self.pv_text)}"
