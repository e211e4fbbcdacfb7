"""`read_records` and `write_records`: files of games in every format, one game after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from zermelo.files import FileError, atomic_writer
from zermelo.formatting import exception_text, one_line, shortened
from zermelo.game import Game, GameError
from zermelo.games.registry import catalogued, load
from zermelo.games.support.position_text import RULE_ERRORS
from zermelo.records import ggf, json_games, mat, mat_matches, pdn, pgn, sgf, tagged_text
from zermelo.records.game_record import GameRecord, RecordError
from zermelo.records.record_stream import blocks


@dataclass(frozen=True)
class Format:
    """How files of a format are cut into games, and a game is read and written."""

    name: str
    split: Callable[[Iterator[str]], Iterator[str]]
    read: Callable[[str, Game | None], GameRecord]
    write: Callable[[GameRecord, Game], str]
    check_game: Callable[[Game], None]
    several: bool = True
    """Whether a file may hold more than one game."""


def _for(name: str, read: Callable[[str, Game], GameRecord]) -> Callable[[str, Game | None], GameRecord]:
    """The reader of a format that is for one game of the catalogue, which is loaded once."""
    default = cache(lambda: load(name))
    return lambda text, game: read(text, default() if game is None else game)


FORMATS = {
    ".pgn": Format("PGN", tagged_text.split, _for(pgn.PGN_GAME, pgn.read), pgn.write, pgn.check_game),
    ".pdn": Format("PDN", tagged_text.split, _for(pdn.PDN_GAME, pdn.read), pdn.write, pdn.check_game),
    ".sgf": Format("SGF", sgf.split, sgf.read, sgf.write, sgf.check_game),
    ".ggf": Format("GGF", ggf.split, ggf.read, ggf.write, ggf.check_game),
    ".mat": Format("mat", mat.split, _for(mat.MAT_GAME, mat_matches.read), mat_matches.write, mat.check_game),
    ".jsonl": Format("JSON lines", json_games.split_lines, json_games.read, json_games.write, json_games.check_game),
    ".json": Format(
        "JSON", json_games.split_whole, json_games.read, json_games.write_whole, json_games.check_game, False
    ),
}
"""The formats by the end of a file's name."""


def format_of(path: str | Path) -> Format:
    """The format of a file by the end of its name. Raise GameError if there is none."""
    found = FORMATS.get(Path(path).suffix.lower())
    if found is None:
        raise GameError(f"{path} should end in {', '.join([*FORMATS][:-1])} or .json, which says what it holds.")
    return found


def read_records(path: str | Path, game: Game | None = None) -> Iterator[GameRecord]:
    """Yield the games of a file as they are read: PGN, PDN, SGF, GGF, .mat or JSON, by the end of its name.

    Every move is checked against the rules, and written as `move_text` has it. Without `game` it is the one that the
    file names, or that its format is for. Raise GameError, which names the file and the game, for one that cannot be
    read; nothing in a file is executed.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "games.pgn"
    >>> _ = path.write_text("1. e4 e5 *\\n\\n[White \\"A\\"]\\n1. d4 {solid} 1-0")
    >>> [(record.texts, record.result) for record in read_records(path)]
    [(['e4', 'e5'], 'unfinished'), (['d4'], 'White wins.')]
    """
    form = format_of(path)
    try:
        for number, text in enumerate(form.split(blocks(path)), 1):
            yield _read(path, number, form, text, game)
    except FileError as error:
        raise FileError(str(error) if str(path) in str(error) else f"{path}: {error}") from None


def _read(path: str | Path, number: int, form: Format, text: str, game: Game | None) -> GameRecord:
    try:
        return form.read(text, game)
    except RecordError as error:
        raise RecordError(f"{path}, game {number}: {one_line(str(error))}.") from None
    except RULE_ERRORS as error:
        raise RecordError(f"{path}, game {number}: {exception_text(error, 300)}") from None


def game_of(record: GameRecord, game: Game | None) -> Game:
    """The game of a record. Raise GameError if it has to be named."""
    found = catalogued(record.game) if game is None else game
    if found is None:
        raise GameError(f"The record is a game of {shortened(record.game)}; name that game.")
    return found


def write_records(path: str | Path, records: Iterable[GameRecord], game: Game | None = None) -> int:
    """Write games to a file, in the format that the end of its name says; return their number.

    The file is there when all games are written, and not before. Raise GameError where the format has no such game.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.sgf").write_text("(;GM[4]SZ[15];B[hh];W[hg])")
    >>> write_records(folder / "a.json", read_records(folder / "a.sgf"))
    1
    """
    form = format_of(path)
    count = 0
    with atomic_writer(path) as output:
        for record in records:
            if count and not form.several:
                raise GameError(f"{path} holds one game, and there are more; a file that ends in .jsonl holds many.")
            played = game_of(record, game)
            form.check_game(played)
            text = ("\n" if count and form.name in ("PGN", "PDN") else "") + form.write(record, played)
            output.write(text.encode(errors="replace"))  # JSON can hold halves of a character, UTF-8 cannot
            count += 1
    return count
