"""The parsers of `zermelo uci` and `ugi`."""

from __future__ import annotations

from zermelo.app.options import GameText


def uci() -> None:
    """Be a chess engine that speaks UCI, for graphical boards and other programs.

    Enter this command as the engine of a chess program. Options: Hash, Threads, MultiPV, Ponder, OwnBook, Book,
    Database, Style, Move Overhead.
    """
    from zermelo.app.commands import protocol_command

    protocol_command.speak("uci", "chess")


def ugi(game: GameText) -> None:
    """Be an engine for any game that speaks UGI, the same protocol as UCI for games other than chess."""
    from zermelo.app.commands import protocol_command

    protocol_command.speak("ugi", game)
