"""PDN, the Portable Draughts Notation, for English draughts (game type 21)."""

from __future__ import annotations

import re

from zermelo.game import Game, GameError
from zermelo.games.checkers import Checkers
from zermelo.records.game_record import ENDED, UNFINISHED, GameRecord, RecordError, checked
from zermelo.records.tagged_text import head_tags, read_moves, read_tags, tagged_text

PDN_GAME = "checkers"
PDN_RESULTS = {"1-0": 1, "2-0": 1, "0-1": 0, "0-2": 0, "1/2-1/2": None, "1-1": None}
"""The winner by the result, whose first number is White's; Black is the first player."""


def read(text: str, game: Game) -> GameRecord:
    """Read a game.

    >>> import zermelo as z
    >>> record = read('[White "A"]\\n[Result "1-0"]\\n1. 11-15 23-19 2. 8-11 22-17 1-0', z.load("checkers"))
    >>> record.texts, record.players, record.result
    (['11-15', '23-19', '8-11', '22-17'], ('', 'A'), 'White wins.')
    """
    tags, rest = read_tags(text)
    kind = re.match(r"\d+", tags.get("GameType", "21"))
    if kind is None or kind[0] != "21":
        raise RecordError(f"its GameType is {tags['GameType']!r}, and checkers have 21")
    moves, result = read_moves(rest)
    result = result or tags.get("Result", "")
    words = ENDED if result in PDN_RESULTS else UNFINISHED
    players = tags.pop("Black", ""), tags.pop("White", "")
    start = tags.pop("FEN", "").rstrip(".")
    for name in ("Result", "SetUp", "GameType"):
        tags.pop(name, None)
    return checked(game, GameRecord(PDN_GAME, moves, start, players, PDN_RESULTS.get(result), words, tags))


def write(record: GameRecord, game: Game) -> str:
    """A game as PDN."""
    score = "*" if not record.finished else {0: "0-1", 1: "1-0", None: "1/2-1/2"}[record.winner]
    tags = head_tags(record, game, ("Black", "White"), Result=score, GameType="21")
    return tagged_text(tags, record.moves, score, second=record.start.startswith("W"))


def check_game(game: Game) -> None:
    """Raise GameError unless games of this kind can be written."""
    if not isinstance(game, Checkers):
        raise GameError(f"PDN is for checkers, not for {game!r}; JSON holds the games of any game.")
