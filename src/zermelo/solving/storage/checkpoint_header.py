"""The headers of the files of a checkpoint: its identity, and each of its layers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

CHECKPOINT_FORMAT = 4
"""The format of layers. A checkpoint of another format cannot be resumed."""


@dataclass(frozen=True)
class IdentityHeader:
    """What a checkpoint solves, and the token of its layers."""

    format: int
    token: str
    identity: dict[str, Any]

    @classmethod
    def read(cls, data: dict[str, Any]) -> IdentityHeader | None:
        """Return the header in the JSON of a file; None if another version wrote it."""
        identity = data.get("identity")
        if data.get("format") != CHECKPOINT_FORMAT or not isinstance(identity, dict):
            return None
        return cls(CHECKPOINT_FORMAT, str(data.get("token")), identity)

    def to_dict(self) -> dict[str, Any]:
        """Return a record for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class LayerHeader:
    """The name of a layer, the token of its checkpoint, and its items other than arrays."""

    layer: str
    token: str
    items: dict[str, Any]

    @classmethod
    def read(cls, data: dict[str, Any], name: str, token: str) -> LayerHeader | None:
        """Return the header in the JSON of a file; None unless it is the layer `name` of the checkpoint `token`."""
        items = data.get("items")
        if data.get("layer") != name or data.get("token") != token or not isinstance(items, dict):
            return None
        return cls(name, token, items)

    def to_dict(self) -> dict[str, Any]:
        """Return a record for JSON."""
        return {"layer": self.layer, "token": self.token, "items": self.items}
