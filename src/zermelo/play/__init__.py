"""Playing: a game in progress, and the engine that takes part in it."""

from zermelo.play.engine import Engine
from zermelo.play.session import Outcome, Session, Turn

__all__ = ["Engine", "Outcome", "Session", "Turn"]
