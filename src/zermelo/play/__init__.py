"""Playing: a game in progress, the engine that takes part in it, and its clock."""

from zermelo.play.clock import Clock
from zermelo.play.engine import Engine
from zermelo.play.session import Outcome, Session, Turn

__all__ = ["Clock", "Engine", "Outcome", "Session", "Turn"]
