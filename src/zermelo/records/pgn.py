"""PGN, the Portable Game Notation of chess."""

from __future__ import annotations

from zermelo.formatting import shortened
from zermelo.game import Game, GameError
from zermelo.games.chess import Chess
from zermelo.records.game_record import ENDED, UNFINISHED, GameRecord, RecordError, checked
from zermelo.records.tagged_text import head_tags, read_moves, read_tags, tagged_text

PGN_GAME = "chess"
PGN_RESULTS = {"1-0": 0, "0-1": 1, "1/2-1/2": None}
CHESS_VARIANTS = {"", "chess", "standard", "normal", "from position"}
"""What the tag Variant says of games by the usual rules."""

CHESS_SIDES = ("White", "Black")


def read(text: str, game: Game) -> GameRecord:
    """Read a game.

    >>> import zermelo as z
    >>> record = read('[White "A"]\\n\\n1. f3 e5 2. g4?? Qh4# 0-1', z.load("chess"))
    >>> record.texts, record.players, record.result
    (['f3', 'e5', 'g4', 'Qh4#'], ('A', ''), 'Black wins.')
    """
    tags, rest = read_tags(text)
    variant = tags.get("Variant", "")
    if variant.lower() not in CHESS_VARIANTS:
        raise RecordError(f"it is a game of {shortened(variant, 40)!r}, not of chess by the usual rules")
    moves, result = read_moves(rest)
    result = result or tags.get("Result", "")
    words = ENDED if result in PGN_RESULTS else UNFINISHED
    players = tags.pop("White", ""), tags.pop("Black", "")
    start = tags.pop("FEN", "")
    for name in ("Result", "SetUp"):
        tags.pop(name, None)
    return checked(game, GameRecord(PGN_GAME, moves, start, players, PGN_RESULTS.get(result), words, tags))


def write(record: GameRecord, game: Game) -> str:
    """A game as PGN.

    >>> import zermelo as z
    >>> chess = z.load("chess")
    >>> print(write(read("1. f3 e5 2. g4 {oh} Qh4# 0-1", chess), chess))
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "?"]
    [Black "?"]
    [Result "0-1"]
    <BLANKLINE>
    1. f3 e5 2. g4 {oh} 2... Qh4# 0-1
    <BLANKLINE>
    """
    result = _result(record)
    tags = head_tags(record, game, CHESS_SIDES, Result=result)
    fields = record.start.split()
    tags |= {name: value for name, value in record.tags.items() if name not in tags and name.isidentifier()}
    number = int(fields[5]) if len(fields) == 6 and fields[5].isdecimal() and len(fields[5]) < 10 else 1
    return tagged_text(tags, record.moves, result, number=max(number, 1), second=fields[1:2] == ["b"])


def _result(record: GameRecord) -> str:
    if not record.finished:
        return "*"
    return "1/2-1/2" if record.winner is None else ("1-0", "0-1")[record.winner]


def check_game(game: Game) -> None:
    """Raise GameError unless games of this kind can be written."""
    if not isinstance(game, Chess):
        raise GameError(f"PGN is for chess, not for {game!r}; JSON holds the games of any game.")
