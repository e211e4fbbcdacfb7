"""Positions of backgammon as FIBS and gnubg write them: `board:`, and 52 fields with colons between them.

These are the fields (E. McLean, FIBS Client Protocol Detailed Specification, 2008), numbered from `board`, which is 0:

    1-2     the names of the player and of the opponent
    3-5     points of the match, 0 or 9999 for a single game; the score of either
    6-31    checkers on places 0 to 25, those of one player above zero, those of the other below
    32      who is to move: 1 for the player whose checkers are above zero, -1 for the other
    33-36   two dice of the player and two of the opponent; 0 before the roll
    37-39   the cube; whether the player, and the opponent, may double
    40      whether the cube was just turned; then the player who is not to move has to answer
    41-42   the sign of the player's checkers; the direction in which they move, -1 down to place 0 or 1 up to 25
    43-52   the places of home and bar; checkers off and on the bar; four flags
"""

from __future__ import annotations

import re
from typing import NamedTuple

from zermelo.formatting import one_line, shortened
from zermelo.game import Game, GameError, State
from zermelo.games.backgammon import Backgammon, CubeBackgammon
from zermelo.games.backgammon import backgammon_notation as notation
from zermelo.games.backgammon.backgammon_checkers import BAR

FIELD_COUNT = 53
NUMBER = re.compile(r"-?\d{1,4}")
STANDARD_CHECKERS = 15


class FibsBoard(NamedTuple):
    """A position that was read: the state with the player to move as first player, and whether the cube was turned."""

    state: State
    doubled: bool


def is_backgammon(game: Game) -> bool:
    """Whether gnubg plays the game: backgammon with fifteen checkers a side, and without the cube."""
    if isinstance(game, CubeBackgammon):
        return False
    return isinstance(game, Backgammon) and game.checkers == STANDARD_CHECKERS


def read_board(game: Game, text: str) -> FibsBoard:
    """The position of a line. Raise GameError if it is none.

    >>> from zermelo.games.registry import load
    >>> game = load("backgammon")
    >>> state = game.play(game.initial(), 31)
    >>> read_board(game, board_text(state)).state == state
    True
    """
    fields = text.strip().split(":")
    if fields[0] != "board" or len(fields) != FIELD_COUNT:
        raise GameError(f"A position is `board` and {FIELD_COUNT - 1} fields, not {shortened(one_line(text))!r}.")
    if bad := [field for field in fields[3:] if not NUMBER.fullmatch(field)]:
        raise GameError(f"A field of a position is a number, not {shortened(one_line(bad[0]))!r}.")
    numbers = [0] * 3 + [int(field) for field in fields[3:]]
    turn, colour, direction = numbers[32], numbers[41], numbers[42]
    if any(abs(sign) != 1 for sign in (turn, colour, direction)):
        raise GameError(f"Turn, colour and direction are 1 or -1, not {turn}, {colour} and {direction}.")
    places = [turn * checkers for checkers in numbers[6:32]]
    if turn * colour * direction > 0:  # the player to move goes up
        places.reverse()
    mine = [0, *(max(checkers, 0) for checkers in places[1:])]
    theirs = [0, *(max(-checkers, 0) for checkers in places[-2::-1])]
    dice = numbers[33:35] if any(numbers[33:35]) else numbers[35:37]
    roll = "".join(str(die) for die in dice)
    return FibsBoard(game.parse_state(notation.position_text(mine, theirs, 0, roll)), numbers[40] != 0)


def board_text(state: State) -> str:
    """The line for a state: a single game for points, seen by the player to move, without a turn of the cube."""
    sides = (state.near, state.far), (state.their_near, state.their_far)
    mine, theirs = (notation.counts(*words) for words in sides)  # type: ignore[no-untyped-call]
    places = [-theirs[BAR], *(mine[place] - theirs[BAR - place] for place in range(1, BAR)), mine[BAR]]
    dice = (state.dice // 10, state.dice % 10) if state.dice > 1 else (0, 0)
    fields = [0, 0, 0, *places, 1, *dice, 0, 0, 1, 1, 1, 0, 1, -1, 0, BAR]
    fields += [mine[0], theirs[0], mine[BAR], theirs[BAR], 0, 0, 0, 0]
    return ":".join(["board", "player", "opponent", *map(str, fields)])
