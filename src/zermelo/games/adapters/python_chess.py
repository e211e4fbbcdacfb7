"""python-chess: conversions between a Board and a state of chess, and between their moves.

>>> import chess
>>> game, state = from_board(chess.Board())
>>> move = from_move(state, chess.Move.from_uci("e2e4"))
>>> game.move_text(state, move), to_move(state, move)
('e4', Move.from_uci('e2e4'))
>>> to_board(game.play(state, move)).fen()
'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.game import Game, GameError, Move, State
from zermelo.games.chess import chess_notation
from zermelo.games.chess.chess_rules import Chess

if TYPE_CHECKING:
    import chess


def python_chess() -> Any:
    """Return the package `chess`. Raise GameError with the command that installs it if it is missing."""
    try:
        import chess
    except ImportError:
        raise GameError("python-chess is not installed; install it with: pip install 'zermelo[chess]'.") from None
    return chess


def from_board(board: chess.Board) -> tuple[Game, State]:
    """Return the game and the state of a Board; its earlier moves are not part of a state.

    Raise GameError for variants of chess, and for kings or rooks that castle from other squares.
    """
    package = python_chess()
    game = Chess()
    if not isinstance(board, package.Board):
        raise GameError(f"{game!r}: from_board takes a chess.Board, not {board!r}.")
    variant = "Chess960" if board.chess960 else type(board).aliases[0]
    if variant != package.Board.aliases[0]:
        raise GameError(f"{game!r}: the board plays {variant}, and Zermelo's chess is the usual one.")
    return game, game.parse_state(board.fen())


def to_board(state: State) -> chess.Board:
    """Return a Board with the position of a state and an empty move stack."""
    board: chess.Board = python_chess().Board(chess_notation.fen(state))
    return board


def from_move(state: State, move: chess.Move) -> Move:
    """Return the legal move of a state that a chess.Move means."""
    return Chess().parse_move(state, move.uci())


def to_move(state: State, move: Move) -> chess.Move:
    """Return the chess.Move of a move."""
    made: chess.Move = python_chess().Move.from_uci(chess_notation.uci(state, move))
    return made
