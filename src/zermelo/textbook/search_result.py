"""Result: what every textbook algorithm returns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from zermelo.formatting import Pretty, count_text
from zermelo.game import Move
from zermelo.value import EXACT, LOWER, UPPER, Value

SIGNS = {EXACT: "", LOWER: ">= ", UPPER: "<= "}


def bound_text(value: Value, bound: str) -> str:
    """A value with the sign of its bound; a decisive value has it already."""
    return str(value) if value.bound == bound else f"{SIGNS[bound]}{value}"


@dataclass(frozen=True, kw_only=True)
class Result(Pretty):
    """The result of one algorithm. Its value is seen by the player to move at the root.

    >>> import zermelo as z
    >>> result = z.textbook.alphabeta(z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))"))
    >>> print(result)
    alphabeta: +3 by B C 2 (11 nodes, 5 leaves, 2 cut-offs)
    """

    algorithm: str
    value: Value
    move: Move | None = None
    """The best move; None if the game is over, the root is a chance node, or nothing was searched."""
    pv: tuple[Move, ...] = ()
    """The principal variation: best play of both sides, up to the first chance node."""
    line: tuple[str, ...] = ()
    """The principal variation in the game's notation."""
    nodes: int = 0
    """Nodes entered, including the root and the leaves."""
    leaves: int = 0
    """Leaves: terminal states, static evaluations at the horizon, repetitions."""
    cutoffs: int = 0
    depth: int | None = None
    """The depth limit in plies, or None."""
    bound: str = EXACT
    """'exact'; 'lower' or 'upper' if the score left the window: the value is at least or at most this."""

    def __str__(self) -> str:
        line = f" by {' '.join(self.line)}" if self.line else ""
        nodes, leaves = count_text(self.nodes, "node"), count_text(self.leaves, "leaf", "leaves")
        counts = f"{nodes}, {leaves}, {count_text(self.cutoffs, 'cut-off')}"
        return f"{self.algorithm}: {bound_text(self.value, self.bound)}{line} ({counts})"

    def to_dict(self) -> dict[str, Any]:
        """A record for JSON; moves in the game's notation."""
        record = {field.name: _plain(getattr(self, field.name)) for field in fields(self)}
        record["pv"] = list(self.line)
        record["move"] = self.line[0] if self.line else None
        del record["line"]
        return record


def _plain(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
