"""Positions with a cube as XGID, and the board with the cube and the score beside it."""

import re
from dataclasses import replace

from zermelo.arguments import check_bool, is_int
from zermelo.board import Cube, Tables
from zermelo.game import ONGOING, GameError
from zermelo.games.backgammon import backgammon_notation as notation
from zermelo.games.backgammon.backgammon_rules import OPENING_ROLL
from zermelo.games.backgammon.match_equity import MOST_POINTS

MAX_LOG = 6
"""The binary logarithm of the highest cube."""

BEFORE_ROLL, TO_DOUBLE, TO_ANSWER = 0, 2, 3
"""What `dice` of a state says before a roll, and where the cube is to be decided."""

FIELD_COUNT = 9
"""The parts of an XGID that are read; the tenth is the limit of the cube."""


def check_parameters(game) -> None:
    """Raise GameError unless the length of the match and the rule of Jacoby are valid."""
    if not is_int(game.match) or not 0 <= game.match <= MOST_POINTS:
        raise GameError(f"{game!r}: match must be a number of points from 1 to {MOST_POINTS}, or 0 for a single game.")
    check_bool(repr(game), jacoby=game.jacoby)


# -- positions ---------------------------------------------------------------------------------------------------------


def state_text(game, state) -> str:
    """The state as an XGID without its name. After a double it is the turn of the player who doubled."""
    first, second = game.sides(state)
    text = notation.position_text(first, second, state.player, _dice_text(state))
    letters, _, _, turn, dice, *_ = text.split(":")
    sign = 1 - 2 * state.player
    scores = (state.points, state.their_points)[::sign]
    rule = int(game.jacoby) if game.match == 0 else state.crawford
    if state.dice == BEFORE_ROLL and game.result(state) == ONGOING and game.to_roll(state).dice == TO_DOUBLE:
        dice = "roll"
    turn = -sign if state.dice == TO_ANSWER else sign
    parts = (
        letters, state.cube.bit_length() - 1, sign * state.owner, turn, dice, *scores, rule, game.match, MAX_LOG,
    )  # fmt: skip
    return ":".join(map(str, parts))


def _dice_text(state) -> str:
    return {1: "opening", TO_DOUBLE: "00", TO_ANSWER: "D"}.get(state.dice, f"{state.dice:02}")


def read_state(game, text: str):
    """Return the fields of the state that an XGID describes.

    Raise LookupError if the text is no XGID, and ValueError if a part of it is invalid.
    """
    parts = notation.position_parts(text)
    if len(parts) < FIELD_COUNT:
        raise LookupError
    dice = parts[4]
    shown = {"D": "00", "roll": "00"}.get(dice, dice)
    first, second, player, roll = notation.read_position([*parts[:4], shown], game.checkers)
    numbers = [_number(part) for part in parts[1:3] + parts[5:FIELD_COUNT]]
    log, owner, *scores, rule, match = numbers
    if not 0 <= log <= MAX_LOG or abs(owner) > 1 or (log == 0) != (owner == 0):
        raise ValueError(f"no player owns a cube of {parts[1]}:{parts[2]}")
    if match != game.match:
        raise ValueError(f"it is one of a match to {match} points, not {game.match}")
    sides = (*notation.words(first), *notation.words(second))
    sign = 1 - 2 * player
    near, far, their_near, their_far = sides if player == 0 else sides[2:] + sides[:2]
    points, their_points = scores[::sign]
    state = game.initial()._replace(
        near=near, far=far, their_near=their_near, their_far=their_far, dice=roll, player=player,
        cube=1 << log, owner=sign * owner, points=points, their_points=their_points, crawford=rule if game.match else 0,
    )  # fmt: skip
    return _with_decision(game, _checked(game, state), dice)


def _number(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,4}", text):
        raise ValueError(f"{text!r} is no number")
    return int(text)


def _checked(game, state):
    """The state. Raise ValueError if its score cannot be reached."""
    scores, over = (state.points, state.their_points), game.result(state) != ONGOING
    if min(scores) < 0 or state.points >= max(game.match, 1):
        raise ValueError("the player to move has won already")
    if state.their_points > (game.match or 3 << MAX_LOG):
        raise ValueError(f"{state.their_points} points are more than can be won")
    needs_one = game.match > 1 if over else game.match - 1 in scores and scores[0] != scores[1]
    if state.crawford not in (0, 1) or (state.crawford and not needs_one):
        raise ValueError("this is no game in which nobody may double")
    if not _cube_can_be(game, state):
        raise ValueError(f"no doubles lead to a cube of {state.cube} at this score")
    if state.dice == OPENING_ROLL and state.cube > 1:
        raise ValueError("nobody doubles before the opening roll")
    if not over and state.their_near & 15 == game.checkers:
        raise ValueError("the other player has borne off all checkers already")
    return state


def _cube_can_be(game, state):
    """Whether the doubles that lead to the cube were allowed: the last was by the player who does not own it."""
    if game.result(state) != ONGOING:  # the winner may have begun the last game with any score
        state = state._replace(their_points=0)
    mine, cube = state.owner != 1, state.cube // 2
    while cube and game.may_turn(state, cube, mine):
        mine, cube = not mine, cube // 2
    return cube == 0


def _with_decision(game, state, dice: str):
    """The state with what is to be decided before a roll."""
    if game.result(state) != ONGOING or dice not in ("00", "D"):
        return state
    choice = game.to_roll(state)
    if dice == "00":
        return choice
    if choice.dice != TO_DOUBLE:
        raise ValueError("the player to move may not double")
    return game.play(choice, 2)


# -- board -------------------------------------------------------------------------------------------------------------


def picture(game, state) -> Tables:
    """Return the board with the cube and the score."""
    faces = (state.dice // 10, state.dice % 10) if state.dice > TO_ANSWER else (0, 0)
    first, second = game.sides(state)
    table = notation.picture(first, second, state.player, faces)
    points = (state.points, state.their_points)[:: 1 - 2 * state.player]
    scores = tuple(f"{min(each, game.match)}/{game.match}" for each in points) if game.match else ()
    return replace(table, cube=_cube(state), scores=scores)


def _cube(state) -> Cube:
    if state.crawford:
        return Cube(0)
    if state.dice == TO_ANSWER:
        return Cube(2 * state.cube, state.player, offered=True)
    if state.owner == 0:
        return Cube(state.cube)
    return Cube(state.cube, state.player if state.owner == 1 else 1 - state.player)
