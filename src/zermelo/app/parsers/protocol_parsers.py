"""The parsers of `zermelo uci`, `ugi`, `xboard`, `gtp`, `nboard` and `gnubg`."""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.app.options import GameText, limited

GNUBG_PORT = 1234
"""That of the examples in gnubg's manual."""


def uci() -> None:
    """Be a chess engine that speaks UCI.

    Graphical boards and other programs use it: enter this command as the engine. Options: Hash, Threads, MultiPV,
    Ponder, OwnBook, Book, Database, SyzygyPath, Weights, Level, Style, Move Overhead.
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


def nboard() -> None:
    """Be an engine for NBoard, the Othello program.

    Enter this command as an engine there. The depth of its search is NBoard's.
    """
    from zermelo.app.commands import protocol_command

    protocol_command.speak("nboard", "othello")


def gnubg(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at; 0 is any.")] = GNUBG_PORT,
    host: Annotated[str, typer.Option(help="The address to listen at; with 0.0.0.0 other machines can reach it.")] = (
        "127.0.0.1"
    ),
    seconds: Annotated[float | None, typer.Option(help="Time for a move; 1 by default.")] = None,
    depth: Annotated[int | None, typer.Option(help="Plies to look ahead: 1, its own plays; 3, each reply too.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes to visit for a move.")] = None,
) -> None:
    """Be a player for gnubg, the backgammon program.

    It listens for gnubg, which connects to its external players: type `set player 0 external 127.0.0.1:1234` there,
    then `new game`. Zermelo never doubles.
    """
    from zermelo.app.commands import protocol_command

    nothing_set = seconds is None and depth is None and nodes is None
    protocol_command.wait_for_gnubg(host, port, limited(1.0 if nothing_set else seconds, depth, nodes))
