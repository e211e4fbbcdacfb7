"""Zermelo's own format for any game: a JSON object for a game, or one in each line (the record of a match is such)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from zermelo.game import Game
from zermelo.games.registry import catalogued, name_of
from zermelo.play.record import without_folder
from zermelo.records.game_record import GameRecord, RecordError, checked, of_json
from zermelo.records.record_stream import MAX_GAME_LENGTH, games_by_lines, lines


def split_lines(parts: Iterator[str]) -> Iterator[str]:
    """Yield the lines of games; the head of a match is none."""
    for line in lines(parts):
        if line.strip() and not line.startswith('{"format": "zermelo match'):
            yield line


def split_whole(parts: Iterator[str]) -> Iterator[str]:
    """Yield the whole text: one game."""
    yield from games_by_lines(parts, lambda line, last: False)


def read(text: str, game: Game | None) -> GameRecord:
    """Read a game; without `game`, it is one of Zermelo's own that the record names.

    >>> read('{"game": "tic_tac_toe", "start": ".../.../...", "moves": ["b2", "a1"]}', None).texts
    ['b2', 'a1']
    """
    if len(text) > MAX_GAME_LENGTH:
        raise RecordError("it is too long")
    try:
        record = of_json(json.loads(text))
    except (ValueError, RecursionError):
        raise RecordError("it is no JSON object") from None
    if game is None:
        game = catalogued(record.game)
        if game is None:
            raise RecordError(f"it is a game of {record.game[:80]}; name that game with --game")
    elif without_folder(record.game) != (name := name_of(game, folder="")):
        raise RecordError(f"it is a game of {record.game[:80]}, not of {name}")
    return checked(game, record)


def write(record: GameRecord, game: Game) -> str:
    """A game as a JSON object in one line."""
    return json.dumps(record.to_json(game), ensure_ascii=False) + "\n"


def write_whole(record: GameRecord, game: Game) -> str:
    """A game as a JSON object in several lines."""
    return json.dumps(record.to_json(game), indent=2, ensure_ascii=False) + "\n"


def check_game(game: Game) -> None:
    """Every game can be written."""
