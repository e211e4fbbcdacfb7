"""Playing: a game in progress, the engine that takes part in it, and its clock."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.play.clock import Clock
    from zermelo.play.engine import Engine
    from zermelo.play.session import Outcome, Session, Turn

__all__ = ["Clock", "Engine", "Outcome", "Session", "Turn"]

# Loaded when first named: a command that analyses a position needs no engine.
_LAZY = {"Clock": "clock", "Engine": "engine", "Outcome": "session", "Session": "session", "Turn": "session"}

if not TYPE_CHECKING:  # or a type checker would accept every name

    def __getattr__(name: str) -> Any:
        if name not in _LAZY:
            raise AttributeError(f"module 'zermelo.play' has no attribute {name!r}")
        return getattr(importlib.import_module(f"zermelo.play.{_LAZY[name]}"), name)
