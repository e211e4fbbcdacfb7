"""Chess endgames of at most four pieces, to be solved by retrograde analysis."""

from zermelo.games.chess_endgame.chess_endgame_rules import ChessEndgame

__all__ = ["ChessEndgame"]
