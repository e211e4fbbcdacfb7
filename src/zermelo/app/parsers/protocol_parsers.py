"""The parsers of `zermelo uci`, `ugi`, `xboard` and `gtp`."""

from __future__ import annotations

from zermelo.app.options import GameText


def uci() -> None:
    """Be a chess engine that speaks UCI.

    Graphical boards and other programs use it: enter this command as the engine. Options: Hash, Threads, MultiPV,
    Ponder, OwnBook, Book, Database, Style, Move Overhead.
    """
    from zermelo.app.commands import protocol_command

    protocol_command.speak("uci", "chess")


def ugi(game: GameText) -> None:
    """Be an engine for any game that speaks UGI.

    It is the protocol of `zermelo uci` for games other than chess.
    """
    from zermelo.app.commands import protocol_command

    protocol_command.speak("ugi", game)


def xboard() -> None:
    """Be a chess engine for XBoard and WinBoard.

    The protocol is the Chess Engine Communication Protocol, version 2.
    """
    from zermelo.app.commands import protocol_command

    protocol_command.speak("xboard", "chess")


def gtp(game: GameText) -> None:
    """Be an engine for a board game that speaks GTP.

    It is version 2 of the protocol, for Hex, Gomoku, Othello and other boards on which pieces are placed. Black is the
    first player; vertices are written as `zermelo play` shows moves.
    """
    from zermelo.app.commands import protocol_command

    protocol_command.speak("gtp", game)
