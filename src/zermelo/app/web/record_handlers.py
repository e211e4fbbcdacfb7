"""Handlers of requests that read and write games in their own notation: PGN, PDN, SGF, GGF and .mat."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from zermelo.app.web.game_catalog import LoadedGame
from zermelo.app.web.position_parsing import parse_session
from zermelo.game import Game, GameError
from zermelo.games.registry import name_of
from zermelo.records.game_record import UNFINISHED, GameRecord, RecordedMove
from zermelo.records.records_api import FORMATS, Format

OWN_FORMATS = ("pgn", "pdn", "sgf", "ggf", "mat")
"""The formats that games have of their own; JSON, which all games have, is read by the page itself."""

MAX_RECORD_LINES = 100
"""Lines of a game, variations included."""


@lru_cache(256)
def formats_of(game: Game) -> tuple[str, ...]:
    """The formats in which a game can be written.

    >>> from zermelo.games.registry import load
    >>> formats_of(load("chess")), formats_of(load("othello")), formats_of(load("nim"))
    (('pgn',), ('sgf', 'ggf'), ())
    """
    return tuple(name for name in OWN_FORMATS if _fits(FORMATS[f".{name}"], game))


def _fits(form: Format, game: Game) -> bool:
    try:
        form.check_game(game)
    except GameError:
        return False
    return True


Path = tuple[str, ...]
"""The moves that lead to a position."""


def export_game(loaded: LoadedGame, start: str, lines: str, comments: str, kind: str) -> dict[str, Any]:
    """A game with its variations and comments as text; each of `lines` is one line of it, the main line first."""
    game = loaded.game
    if kind not in formats_of(game):
        has = ", ".join(formats_of(game)) or "none but JSON"
        raise GameError(f"{game!r} is not written as {kind}; its formats are {has}.")
    texts = lines.split("\n")[:MAX_RECORD_LINES]
    sessions = [parse_session(game, start, text) for text in texts]
    moves = _tree([[turn.text for turn in session.history] for session in sessions], _comments(comments))
    played = sessions[0].record()
    began = "" if not start.strip() else played["start"]
    result = played["result"] if sessions[0].outcome else UNFINISHED
    record = GameRecord(name_of(game, folder=""), moves, began, winner=played["winner"], result=result)
    return {"text": FORMATS[f".{kind}"].write(record, game)}


def _comments(text: str) -> dict[str, str]:
    """The comments on moves, by the moves that lead there, separated by spaces."""
    pairs = (line.partition("\t") for line in text.split("\n"))
    return {path.strip(): comment.strip() for path, _, comment in pairs if comment.strip()}


def _tree(lines: list[list[str]], comments: dict[str, str], before: Path = ()) -> tuple[RecordedMove, ...]:
    """The first line, with the others as variations of the moves that they replace, and comments by their paths."""
    main, *beside = lines  # the lines that are still like the main one
    moves = []
    for ply, text in enumerate(main):
        groups: dict[str, list[list[str]]] = {}
        for line in beside:
            if line[ply : ply + 1] not in ([], [text]):
                groups.setdefault(line[ply], []).append(line[ply:])
        beside = [line for line in beside if line[ply : ply + 1] == [text]]
        here = (*before, *main[:ply])
        variations = tuple(_tree(group, comments, here) for group in groups.values())
        moves.append(RecordedMove(text, comments.get(" ".join((*here, text)), ""), variations=variations))
    return tuple(moves)


def import_game(loaded: LoadedGame, text: str, kind: str) -> dict[str, Any]:
    """The first game of a text: its name, where it began, all its lines, the main line first, and its comments."""
    form = FORMATS[f".{kind}"]
    found = next(form.split(iter([text])), None)
    if found is None:
        raise GameError(f"This text has no game in {form.name}.")
    record = form.read(found, loaded.game if _fits(form, loaded.game) else None)
    lines: list[list[str]] = []
    comments: list[dict[str, Any]] = []
    _collect([], record.moves, lines, comments)
    return {"game": record.game, "start": record.start, "lines": lines[:MAX_RECORD_LINES], "comments": comments}


def _collect(
    before: list[str], moves: tuple[RecordedMove, ...], lines: list[list[str]], comments: list[dict[str, Any]]
) -> None:
    """Add a line and then its variations to `lines`, and what was noted to `comments`."""
    texts = [*before, *(move.text for move in moves)]
    lines.append(texts)
    for ply, move in enumerate(moves, len(before)):
        if move.comment:
            comments.append({"moves": texts[: ply + 1], "text": move.comment})
        for variation in move.variations:
            _collect(texts[:ply], variation, lines, comments)
