"""Game records: a game that was played, saved as JSON and resumed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from zermelo import rules
from zermelo.files import check_replaceable, file_errors, read_file, write_text
from zermelo.formatting import shortened
from zermelo.game import Game, GameError
from zermelo.games.registry import catalogued, name_of
from zermelo.games.support.position_text import RULE_ERRORS, read_state
from zermelo.play.session import Session


def save(session: Session, path: str | Path) -> None:
    """Write the record of a session to a file: all of it, or nothing if that fails.

    Raise FileError if the file exists and is no record of a game.

    >>> import tempfile
    >>> from zermelo.games.registry import load
    >>> folder = Path(tempfile.mkdtemp())
    >>> session = Session(load("tic_tac_toe"), seed=1)
    >>> session.enter("b2")
    >>> save(session, folder / "game.json")
    >>> resume(folder / "game.json").state == session.state
    True
    """
    check_replaceable(path, _other_content)
    write_text(Path(path), json.dumps(session.record(), indent=2, ensure_ascii=False) + "\n")


def resume(path: str | Path, game: Game | None = None) -> Session:
    """Open a record and return its session. Raise GameError if it is none, or not of `game`.

    Without `game`, the record names one of Zermelo's own: no record may have a file executed.
    """
    record = _read(Path(path))
    named = record["game"]
    if game is None:
        game = catalogued(named)
        if game is None:
            raise GameError(f"{path} is a game of {shortened(named)}; name that game to take it up again.")
    elif without_folder(named) != (name := name_of(game, folder="")):
        raise GameError(f"{path} is a game of {named}, not of {name}.")
    try:
        return replayed(game, record)
    except GameError:
        raise
    except RULE_ERRORS as error:  # rules that make nothing of the state it begins with
        raise GameError(f"{path} is no record of {game!r}: {type(error).__name__}: {error}.") from error


def replayed(game: Game, record: dict[str, Any]) -> Session:
    """The session that a record of this game describes: its start, its seed, and all its moves played.

    >>> from zermelo.games.registry import load
    >>> record = {"start": ".../.../...", "moves": ["b2", "a1"], "seed": 1}
    >>> [turn.text for turn in replayed(load("tic_tac_toe"), record).history]
    ['b2', 'a1']
    """
    start = rules.initial_state(game)
    if record["start"] != game.state_text(start):
        start = read_state(game, record["start"])
    session = Session(game, start, record["seed"])
    for text in record["moves"]:
        session.enter(text)
    return session


def without_folder(text: str) -> str:
    """A game's text without the folder of its file, if it has one.

    >>> without_folder("/home/ada/my_game.py:MyGame(n=3)"), without_folder("nim")
    ('my_game.py:MyGame(n=3)', 'nim')
    """
    return re.sub(r"^.*?[/\\](?=[^/\\]+\.py:\w)", "", text)


def _other_content(path: Path) -> str:
    try:
        _read(path)
    except GameError:
        return "no record of a game"
    return ""


def _read(path: Path) -> dict[str, Any]:
    """Read a record. Raise GameError if the file is none."""
    with file_errors(path, "read"):
        content = read_file(path)
    try:
        record: dict[str, Any] = json.loads(content)
    except json.JSONDecodeError as error:
        several = error.msg == "Extra data"
        what = "it holds more than one, as the record of a match does" if several else f"line {error.lineno} is no JSON"
        raise GameError(f"{path} is no record of a game: {what}.") from None
    except (ValueError, RecursionError):  # no UTF-8, or brackets without end
        raise GameError(f"{path} is no record of a game: it is no JSON.") from None
    kinds = {"game": str, "start": str, "seed": int | None, "moves": list}  # the page rolls its own dice: no seed
    for name, kind in kinds.items():
        if not isinstance(record, dict) or name not in record or not isinstance(record[name], kind):
            raise GameError(f"{path} is no record of a game: it has no {name!r}.")
    if not all(isinstance(text, str) for text in record["moves"]):
        raise GameError(f"{path} is no record of a game: its moves are not all text.")
    return record
