"""The format of backgammon matches that Jellyfish began (.mat): two columns, a roll and a play in each.

Backgammon without a cube is read here, and what the players do with a cube is noted as a comment; mat_matches.py reads
it with the cube. The player who begins is the first player, whatever the column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zermelo.formatting import one_line, shortened
from zermelo.game import Game, GameError
from zermelo.games.backgammon import Backgammon
from zermelo.records.game_record import ENDED, UNFINISHED, GameRecord, RecordedMove, RecordError, checked, movers
from zermelo.records.record_stream import games_by_lines

MAT_GAME = "backgammon"
COLUMN = 33
"""Letters of the first column."""

TURN = re.compile(r"^\s*(\d{1,4})\)")
ROLL = re.compile(r"(?P<dice>[1-6]{2}):(?P<play>[^:]*?)(?=\s{2,}|$|\s[1-6]{2}:)")
SCORE = re.compile(r":\s*(\d+)(?:\s{2,}|\s*$)")
"""What follows the name of a player in the head of a game."""

OTHER_START = "A .mat file has no room for another start; JSON holds games that began anywhere."

WINS = re.compile(r"Wins (\d+) point")
CUBE = re.compile(r"Doubles => \d+|Takes|Drops")
MAX_CUBE_COMMENT = 200
"""Letters about the cube after one move, about; the cube turns a few times in a game."""


def split(parts: Iterator[str]) -> Iterator[str]:
    """Yield the games of a match; what stands before the first belongs to it."""
    seen = False

    def begins(line: str, last: str) -> bool:
        nonlocal seen
        found = re.match(r"^\s*Game \d+\s*$", line) is not None
        begins, seen = found and seen, seen or found
        return begins

    yield from games_by_lines(parts, begins)


def read(text: str, game: Game) -> GameRecord:
    """Read a game.

    >>> import zermelo as z
    >>> text = " Game 1\\n A : 0                            B : 0\\n  1) 31: 8/5 6/5                   42: 8/4 6/4"
    >>> record = read(text, z.load("backgammon"))
    >>> record.texts, record.players
    (['31', '8/5 6/5', '42', '8/4 6/4'], ('A', 'B'))
    """
    head, lines = split_head(text)
    moves: list[RecordedMove] = []
    columns: list[int] = []
    winner = None
    for line in lines:
        if TURN.match(line):
            _read_turn(line, moves, columns)
        winner = winner_by(line, winner)
    begins = columns[0] if columns else 0
    players = head.names[begins], head.names[1 - begins]
    won = None if winner is None else (winner + begins) % 2
    words = UNFINISHED if won is None else ENDED
    return checked(game, GameRecord(MAT_GAME, tuple(moves), "", players, won, words))


class Head(NamedTuple):
    """A line such as `A : 0    B : 3`, with which a game begins."""

    names: tuple[str, str]
    points: tuple[str, str]


def split_head(text: str) -> tuple[Head, list[str]]:
    """The head of a game, and the lines after it: a name may read like a move or a result. Raise RecordError."""
    lines = text.split("\n")
    for at, line in enumerate(lines, 1):
        if head := _read_head(line):
            return head, lines[at:]
    raise RecordError("it has no line with the players")


def _read_head(line: str) -> Head | None:
    scores = list(SCORE.finditer(line))  # one expression for the whole line would take cubic time on spaces
    if len(scores) < 2 or scores[-1].end() < len(line):
        return None
    first, second = line[: scores[0].start()].strip(), line[scores[0].end() : scores[-1].start()].strip()
    return Head((first, second), (scores[0][1], scores[-1][1])) if first and second else None


def winner_by(line: str, winner: int | None) -> int | None:
    """The column of the player who wins by a line; `winner` if it does not say so."""
    found = WINS.search(line)
    return winner if found is None else int(found.start() >= COLUMN // 2)


def column_of(found: re.Match[str]) -> int:
    """The column in which a roll or a word about the cube stands."""
    return 0 if found.start() < COLUMN - 5 else 1


def high_first(dice: str) -> str:
    return "".join(sorted(dice, reverse=True))


def _read_turn(line: str, moves: list[RecordedMove], columns: list[int]) -> None:
    """Add the rolls and plays of a line, and the columns of the players who made them."""
    for found in ROLL.finditer(line):
        columns.append(column_of(found))
        moves += [RecordedMove(high_first(found["dice"])), RecordedMove(read_play(found["play"].strip()))]
    cube = " ".join(CUBE.findall(line))
    if cube and moves and len(moves[-1].comment) < MAX_CUBE_COMMENT:
        last = moves[-1]
        moves[-1] = RecordedMove(last.text, f"{last.comment} {cube}".strip())


def read_play(text: str) -> str:
    """A play in Zermelo's notation: bar and off by name, and `pass` where nothing can be moved."""
    if not text or text.lower().startswith(("cannot", "pass", "????")):
        return "pass"
    words = re.sub(r"\b25/", "bar/", text.lower())
    return re.sub(r"/0\b", "/off", words)


def write(record: GameRecord, game: Game) -> str:
    """A game as .mat; the player who begins has the first column."""
    check_game(game)
    if record.start and record.start != game.state_text(game.initial()):
        raise GameError(OTHER_START)
    lines = [" 0 point match", "", *head_lines(1, names_in_columns(record), (0, 0)), *_turns(record, game)]
    if record.finished and record.winner is not None:
        lines.append(wins_line(record.winner, _points(record, game)))
    return "\n".join([*lines, ""])


def names_in_columns(record: GameRecord) -> list[str]:
    """The names of the players, as their columns have room for them."""
    told = [shortened(one_line(name), COLUMN - 8) for name in record.players]
    return [name or default for name, default in zip(told, ("First", "Second"), strict=True)]


def head_lines(number: int, names: Sequence[str], score: tuple[int, int]) -> list[str]:
    """The lines before the moves of a game."""
    return [f" Game {number}", f" {names[0]} : {score[0]}".ljust(COLUMN) + f"{names[1]} : {score[1]}"]


def wins_line(player: int, points: int) -> str:
    """The line after the moves of a game that a player has won."""
    return ("      " if player == 0 else " " * COLUMN) + f"Wins {points} point{'' if points == 1 else 's'}"


def play_cell(dice: str, play: str) -> str:
    """A roll and its play, as a column has them."""
    return f"{dice}: {'' if play == 'pass' else play}"


def _turns(record: GameRecord, game: Game) -> Iterator[str]:
    """The numbered lines of the moves."""
    cells: list[tuple[int, str]] = []
    dice = ""
    for move, (player, chance) in zip(record.moves, movers(game, record), strict=True):
        if chance:
            dice = move.text
        else:
            cells.append((player, play_cell(dice, move.text)))
    yield from numbered(cells)


def numbered(cells: Sequence[tuple[int, str]]) -> Iterator[str]:
    """The cells of both columns in numbered lines."""
    row, number = "", 1
    for player, cell in cells:
        if player == 0:
            row = f"{number:3d}) {cell}"
        else:
            yield (row or f"{number:3d})").ljust(COLUMN - 2) + "  " + cell
            row, number = "", number + 1
    if row:
        yield row


def _points(record: GameRecord, game: Game) -> int:
    outcome = record.session(game).outcome
    return 1 if outcome is None else outcome.points


def check_game(game: Game) -> None:
    """Raise GameError unless games of this kind can be written."""
    if not isinstance(game, Backgammon):
        raise GameError(f"The format .mat is for backgammon, not for {game!r}; JSON holds the games of any game.")
