"""zermelo export and convert: solutions and games as files for other programs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from zermelo.app.commands.game_commands import hint_to_name_game, open_game
from zermelo.app.output import console
from zermelo.files import check_replaceable, check_writable
from zermelo.formatting import count_text, size_text
from zermelo.game import Game, GameError
from zermelo.records.records_api import format_of, read_records, write_records
from zermelo.searching.runtime.search_threads import in_background
from zermelo.solving.solution import Solution

FORMATS = {".csv": Solution.to_csv, ".parquet": Solution.to_parquet}
"""What writes a file, by the end of its name."""


def export(file: Path, table: Path, text: str, *, best: bool) -> None:
    """Write every state of a solution with its value to a table."""
    write = FORMATS.get(table.suffix.lower())
    if write is None:
        raise GameError(f"{table} should end in {' or '.join(FORMATS)}, which says how to write it.")
    game = open_game(text) if text else None
    with hint_to_name_game("with --game my_game.py:MyGame"):
        solution = in_background(lambda: Solution.open(file, game))  # all of it is read, so all is checked
    in_background(lambda: write(solution, table, best=best))
    console().print(f"{table}: {len(solution):,} states, {size_text(table.stat().st_size)}.")


def convert(source: Path, target: Path, text: str) -> None:
    """Read the games of a file, check every move, and write them in the format of another."""
    format_of(source)
    format_of(target)
    check_writable(target)
    game = open_game(text) if text else None
    check_replaceable(target, lambda _: _other_than_games(target, game))
    count = write_records(target, read_records(source, game), game)
    console().print(f"{target}: {count_text(count, 'game')}.")


def _other_than_games(file: Path, game: Game | None) -> str:
    """What a file holds; nothing if its first game can be read, as one of `game` or of the one that it names."""
    for known in (None, game):
        with suppress(GameError):
            if next(read_records(file, known), None) is not None:
                return ""
    return f"no {format_of(file).name} that can be read"
