"""Matches with the doubling cube as .mat: the score before each game, and in the columns `Doubles`, `Takes`, `Drops`.

A file has a record for each game, which begins at the score of its head. The head does not say whether it is the game
in which nobody may double (Crawford); it is taken for it where a player needs one point and nobody doubles. The player
of the left column is the first player, who begins or not as the opening roll says.

Backgammon without a cube is read and written by mat.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from zermelo import rules
from zermelo.formatting import shortened
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.backgammon import CubeBackgammon
from zermelo.games.backgammon.backgammon_rules import OPENING_ROLL
from zermelo.games.backgammon.cube_notation import TO_ANSWER, TO_DOUBLE
from zermelo.games.backgammon.cube_rules import ROLL, TAKE
from zermelo.games.support.move_reading import legal_move
from zermelo.games.support.position_text import read_state
from zermelo.records import mat
from zermelo.records.game_record import ENDED, UNFINISHED, GameRecord, RecordedMove, RecordError, checked

CUBE_OR_ROLL = re.compile(rf"(?P<cube>Doubles|Takes|Drops)|{mat.ROLL.pattern}")
CUBE_MOVES = {"Doubles": "double", "Takes": "take", "Drops": "pass"}
MATCH = re.compile(r"\s*(\d{1,4}) point match\s*")
"""A line of its own: in a text of empty lines, a search over several of them would take quadratic time."""

MAX_DIGITS = 4
"""Of a score."""


def read(text: str, game: Game) -> GameRecord:
    """Read a game.

    >>> import zermelo as z
    >>> text = " Game 1\\n A : 2                            B : 0\\n  1)                             31: 8/5 6/5\\n"
    >>> text += "  2)  Doubles => 2                Drops\\n"
    >>> record = read(text, z.load("cube_backgammon(match=7)"))
    >>> record.texts, record.start
    (['13', '8/5 6/5', 'double', 'pass'], '-b----E-C---eE---c-e----B-:0:0:1:opening:2:0:0:7:6')
    """
    return _read(text, game) if isinstance(game, CubeBackgammon) else mat.read(text, game)


def _read(text: str, game: Any) -> GameRecord:
    told = next(filter(None, map(MATCH.fullmatch, text.split("\n"))), None)
    if told and int(told[1]) != game.match:
        raise RecordError(f"it is of a match to {told[1]} points, not to {game.match}")
    head, lines = mat.split_head(text)
    start = _start(game, head.points, any("Doubles" in line for line in lines if mat.TURN.match(line)))
    reader = _Reader(game, start)
    winner = None
    for line in lines:
        if mat.TURN.match(line):
            for token in CUBE_OR_ROLL.finditer(line):
                reader.add(token, mat.column_of(token))
        winner = mat.winner_by(line, winner)
    words = UNFINISHED if winner is None else ENDED
    began = "" if start == game.initial() else game.state_text(start)
    record = GameRecord(mat.MAT_GAME, tuple(map(RecordedMove, reader.texts)), began, head.names, winner, words)
    return checked(game, record)


def _start(game: Any, scores: tuple[str, str], doubled: bool) -> Any:
    """The state before the game, at this score of a match."""
    if game.match == 0:
        return game.initial()
    if long := [score for score in scores if len(score) > MAX_DIGITS]:
        raise RecordError(f"{shortened(long[0], 12)} points are more than a match has")
    points = [int(score) for score in scores]
    if points == [0, 0]:
        return game.initial()
    if max(points) >= game.match:
        raise RecordError(f"a match to {game.match} points is over at {points[0]} to {points[1]}")
    crawford = max(points) == game.match - 1 > min(points) and not doubled
    return game.new_game(0, points[0], points[1], int(crawford))


class _Reader:
    """The moves of a game, with the rolls that the columns do not name."""

    def __init__(self, game: Any, state: Any) -> None:
        self.game, self.state, self.texts = game, state, list[str]()

    def add(self, token: re.Match[str], player: int) -> None:
        if token["cube"]:
            self._enter(CUBE_MOVES[token["cube"]])
            return
        dice = mat.high_first(token["dice"])
        if self.state is not None and self.state.dice == TO_DOUBLE:
            self._enter("roll")
        elif self.state is not None and self.state.dice == OPENING_ROLL and player != self.state.player:
            dice = dice[::-1]
        self._enter(dice)
        self._enter(mat.read_play(token["play"].strip()))

    def _enter(self, text: str) -> None:
        """Add a move. What is not legal is added too, and refused with a sentence once all are read."""
        self.texts.append(text)
        try:
            known = self.state is not None and self.game.result(self.state) == ONGOING
            self.state = self.game.play(self.state, legal_move(self.game, self.state, text)) if known else None
        except GameError:
            self.state = None


# -- writing -----------------------------------------------------------------------------------------------------------


def write(record: GameRecord, game: Game) -> str:
    """A record as .mat, of one game or of several of a match."""
    return _write(record, game) if isinstance(game, CubeBackgammon) else mat.write(record, game)


def _write(record: GameRecord, game: Any) -> str:
    state = read_state(game, record.start) if record.start else rules.initial_state(game)
    if state != game.new_game(state.player, state.points, state.their_points, state.crawford):
        raise GameError(mat.OTHER_START)
    names, number, cells = mat.names_in_columns(record), 1, list[tuple[int, str]]()
    lines = [f" {game.match} point match", "", *mat.head_lines(number, names, _score(state))]
    dice = ""
    for move in record.moves:
        found = legal_move(game, state, move.text)
        after = game.play(state, found)
        if game.is_chance(state):
            dice = mat.high_first(move.text)
        elif (state.dice, found) != (TO_DOUBLE, ROLL):
            cells.append((state.player, _cell(state, found, move.text, dice)))
        if _score(after) != _score(state):
            lines += [*mat.numbered(cells), *_wins(_score(state), _score(after))]
            number, cells = number + 1, []
            if game.result(after) == ONGOING:
                lines += ["", *mat.head_lines(number, names, _score(after))]
        state = after
    return "\n".join([*lines, *mat.numbered(cells), ""])


def _cell(state: Any, move: int, text: str, dice: str) -> str:
    if state.dice == TO_DOUBLE:
        return f" Doubles => {2 * state.cube}"
    if state.dice == TO_ANSWER:
        return " Takes" if move == TAKE else " Drops"
    return mat.play_cell(dice, text)


def _wins(before: tuple[int, int], after: tuple[int, int]) -> Iterator[str]:
    for player in range(2):
        if points := after[player] - before[player]:
            yield mat.wins_line(player, points)


def _score(state: Any) -> tuple[int, int]:
    """The points of the first player and of the second."""
    return (state.points, state.their_points) if state.player == 0 else (state.their_points, state.points)
