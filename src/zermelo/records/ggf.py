"""GGF, the Generic Game Format of Othello servers and of NBoard."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zermelo.game import Game, GameError
from zermelo.games.othello import Othello
from zermelo.games.registry import load
from zermelo.records.game_record import (
    ENDED,
    UNFINISHED,
    GameRecord,
    RecordedMove,
    RecordError,
    checked,
    movers,
)
from zermelo.records.property_text import escaped, read_tree
from zermelo.records.record_stream import games_by_brackets

GGF_TAGS = {"PC": "Site", "DT": "Date", "RB": "BlackElo", "RW": "WhiteElo", "TI": "TimeControl"}


def split(parts: Iterator[str]) -> Iterator[str]:
    return games_by_brackets(parts)


def read(text: str, game: Game | None) -> GameRecord:
    """Read a game; without `game`, on the board that the file describes.

    >>> board = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------"
    >>> record = read(f"(;GM[Othello]PB[A]PW[B]RE[?]TY[8]BO[8 {board} *]B[F5//1.5]W[d6/-0.5];)", None)
    >>> record.texts, record.players, record.moves[1].evaluation
    (['f5', 'd6'], ('A', 'B'), 0.5)
    """
    root = read_tree(text)
    if root.first("GM").lower() != "othello":
        raise RecordError(f"it is a game of {root.first('GM')[:20] or 'nothing'}, not of Othello")
    side, start = _board(root.first("BO"))
    game = load(f"othello({side})") if game is None else game
    if start == game.state_text(game.initial()):
        start = ""
    if not isinstance(game, Othello) or game.side != side:
        raise RecordError(f"it is played on a board of {side} by {side}, not of {game!r}")
    moves = tuple(_move(colour, value) for colour, value in root.values if colour in ("B", "W"))
    winner, words = _result(root.first("RE"))
    tags = {tag: root.first(name) for name, tag in GGF_TAGS.items() if root.first(name)}
    return checked(game, GameRecord("", moves, start, (root.first("PB"), root.first("PW")), winner, words, tags))


def _board(text: str) -> tuple[int, str]:
    """The side of a board such as `8 ---...--- *`, and the text of its state."""
    letters = "".join(text.split())
    found = re.fullmatch(r"(\d)([-*O]+?)([*O])", letters)
    side = int(found[1]) if found else 0
    if found is None or side * side != len(found[2]):
        raise RecordError("its board (BO) is none")
    cells = found[2].translate(str.maketrans("-*O", ".XO"))
    rows = "/".join(cells[at : at + side] for at in range(0, len(cells), side))
    return side, f"{rows} {'X' if found[3] == '*' else 'O'}"


def _move(colour: str, value: str) -> RecordedMove:
    """A move such as f5/-1.25/0.5: the cell, the evaluation of its player, and the seconds it took."""
    cell, evaluation, seconds = [*value.split("/"), "", ""][:3]
    text = "pass" if cell.strip().lower() in ("pa", "pass") else cell.strip().lower()
    number = _number(evaluation)
    sign = 1 if colour == "B" else -1
    took = _number(seconds)
    return RecordedMove(text, "" if took is None else f"{took:g} s", None if number is None else sign * number)


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"[+-]?\d{1,9}(\.\d{1,9})?", text.strip()) else None


def _result(text: str) -> tuple[int | None, str]:
    """The winner and the words of a result: the discs of Black less those of White."""
    score = _number(text.partition(":")[0])
    if score is None:
        return None, UNFINISHED
    return (None if score == 0 else 0 if score > 0 else 1), ENDED


def write(record: GameRecord, game: Game) -> str:
    """A game as GGF, in one line."""
    check_game(game)
    start = record.start or game.state_text(game.initial())
    rows, _, mover = start.partition(" ")
    board = rows.replace("/", " ").translate(str.maketrans(".XO", "-*O"))
    side = len(rows.split("/"))
    head = {"GM": "Othello"} | {name: record.tags.get(tag, "") for name, tag in GGF_TAGS.items()}
    head |= {"PB": record.players[0], "PW": record.players[1], "RE": _score(record, game), "TY": str(side)}
    head["BO"] = f"{side} {board} {'*' if mover == 'X' else 'O'}"
    text = "".join(f"{name}[{escaped(value)}]" for name, value in head.items() if value)
    for move, (player, _) in zip(record.moves, movers(game, record), strict=True):
        cell = "PA" if move.text == "pass" else move.text.upper()
        evaluation = "" if move.evaluation is None else f"/{move.evaluation * (1 - 2 * player):g}"
        text += f"{'BW'[player]}[{cell}{evaluation}]"
    return f"(;{text};)\n"


def _score(record: GameRecord, game: Game) -> str:
    """The result in discs; the sign alone where a player gave up."""
    if not record.finished:
        return "?"
    session = record.session(game)
    points = session.outcome.points if session.outcome is not None else 1
    return "0" if record.winner is None else f"{'+' if record.winner == 0 else '-'}{points}"


def check_game(game: Game) -> None:
    """Raise GameError unless games of this kind can be written."""
    if not isinstance(game, Othello):
        raise GameError(f"GGF is for Othello here, not for {game!r}; JSON holds the games of any game.")
