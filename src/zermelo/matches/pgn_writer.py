"""Games of a chess match as PGN, for other chess programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

from zermelo.files import write_text
from zermelo.formatting import one_line
from zermelo.game import Game, GameError
from zermelo.protocols.move_words import is_chess

LINE_LENGTH = 79
"""Letters of a line of moves; PGN allows no more in its export format."""


def write_pgn(game: Game, games: Iterable[dict[str, Any]], path: str | Path) -> None:
    """Write the games to a file: all of them, or nothing if that fails. Raise GameError unless the game is chess."""
    check_pgn(game)
    start = game.state_text(game.initial())
    ordered = sorted(games, key=lambda record: record["number"])
    write_text(Path(path), "\n".join(pgn_text(record, start) for record in ordered))


def check_pgn(game: Game) -> None:
    """Raise GameError unless games can be written as PGN."""
    if not is_chess(game):
        raise GameError(f"PGN is for chess, not for {game!r}; the record of a match holds the games of any game.")


def pgn_text(record: dict[str, Any], start: str) -> str:
    """A game as PGN; `start` is the text of the initial position.

    >>> record = {"start": "s", "moves": ["f3", "e5", "g4", "Qh4#"], "winner": 1, "result": "Black wins.", "number": 0}
    >>> print(pgn_text(record | {"players": ["A", "B"], "opening": 2, "fault": False}, "s"))
    [Event "Zermelo match"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "1"]
    [White "A"]
    [Black "B"]
    [Result "0-1"]
    <BLANKLINE>
    1. f3 e5 2. g4 Qh4# {Black wins.} 0-1
    <BLANKLINE>
    """
    result = "1/2-1/2" if record["winner"] is None else ("1-0", "0-1")[record["winner"]]
    tags = {"Event": "Zermelo match", "Site": "?", "Date": "????.??.??", "Round": str(record["number"] + 1)}
    tags |= {"White": record["players"][0], "Black": record["players"][1], "Result": result}
    if record["start"] != start:
        tags |= {"SetUp": "1", "FEN": record["start"]}
    if record.get("fault"):
        tags["Termination"] = "rules infraction"
    head = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    comment = "{" + re.sub("[{}]", "", one_line(record["result"])) + "}"
    words = [*_numbered(record["moves"], record["start"]), *comment.split(), result]
    return "\n".join(
        [*head, "", *wrap(" ".join(words), LINE_LENGTH, break_long_words=False, break_on_hyphens=False), ""]
    )


def _numbered(moves: list[str], start: str) -> Iterator[str]:
    """The moves with the numbers of the moves of White, and of a first move of Black."""
    fields = start.split()
    black, number = fields[1:2] == ["b"], int(fields[5]) if len(fields) == 6 and fields[5].isdecimal() else 1
    for ply, move in enumerate(moves, int(black)):
        if ply % 2 == 0:
            yield f"{number + ply // 2}."
        elif ply == 1 and black:
            yield f"{number}..."
        yield move


def _escaped(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')
