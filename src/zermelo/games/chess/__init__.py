"""Chess, with all its rules."""

from zermelo.games.chess.chess_rules import Chess

__all__ = ["Chess"]
