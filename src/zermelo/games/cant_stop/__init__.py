"""Can't Stop."""

from zermelo.games.cant_stop.cant_stop_rules import CantStop

__all__ = ["CantStop"]
