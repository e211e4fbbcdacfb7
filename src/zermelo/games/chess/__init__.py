"""Chess, with all its rules, and its endgames."""

from zermelo.games.chess.chess_endgame import ChessEndgame
from zermelo.games.chess.chess_rules import Chess

__all__ = ["Chess", "ChessEndgame"]
