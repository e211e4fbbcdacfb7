"""zermelo convert: files of games in other formats."""

from __future__ import annotations

from pathlib import Path

from zermelo.app.commands.game_commands import open_game
from zermelo.app.output import console
from zermelo.files import check_writable
from zermelo.formatting import count_text
from zermelo.records.records_api import format_of, read_records, write_records


def convert(source: Path, target: Path, text: str) -> None:
    """Read the games of a file, check every move, and write them in the format of another."""
    format_of(source)
    format_of(target)
    check_writable(target)
    game = open_game(text) if text else None
    count = write_records(target, read_records(source, game), game)
    console().print(f"{target}: {count_text(count, 'game')}.")
