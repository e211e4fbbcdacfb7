"""Positions by their text: moves from the start, or a state in the game's own notation."""

from __future__ import annotations

import re
from typing import Any

from zermelo.arguments import checked_game
from zermelo.formatting import shortened
from zermelo.game import Game, GameError, State
from zermelo.games.support.game_spec import TextError
from zermelo.rules import checked_play, checked_state, initial_state, legal_actions

MAX_MOVE_WORDS = 4
"""Words of one move, such as the play of a doublet by four checkers."""

MAX_MOVE_LENGTH = 100
"""Letters of one move; longer prefixes of a text are not tried."""

RULE_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What rules raise when they are given a value that is not one of their states."""


class NoState(GameError):
    """Raised by games for a text that does not look like a state; for another, a GameError says what is wrong."""


def literal_state(game: Game, text: str) -> State:
    """Return the state of a Python literal, for games that check its numbers first. Raise NoState if it is none."""
    try:
        return Game.parse_state(game, text)
    except GameError as error:
        raise NoState(str(error)) from None


class _Unreadable(Exception):
    """The text cannot be read as moves; the message says why."""


def position(game: Game, text: str = "") -> State:
    """Return the state that `text` describes: moves from the start in the game's notation, or a state.

    The empty text is the start. Moves may be separated or not; then the longest legal move is taken each time.

    >>> from zermelo.games.registry import load
    >>> game = load("connect_four")
    >>> position(game, "4453") == position(game, "4 4 5 3") == position(game, "4,4,5,3")
    True
    """
    checked_game("position", game)
    if not isinstance(text, str):
        raise TextError(f"{game!r}: a position is given as text, not as {text!r}{_as_text(text)}.")
    try:
        return _after_moves(game, text)
    except _Unreadable as why_not_moves:
        try:
            state = game.parse_state(text)
        except (ValueError, LookupError, TypeError) as error:
            if isinstance(error, GameError) and not isinstance(error, NoState) and game.has("parse_state"):
                raise TextError(str(error)) from error  # a state, and the game says what is wrong
            raise TextError(
                f"{game!r}: {text!r} cannot be read as moves, because {why_not_moves}, and describes no state; "
                f"one looks like {game.state_text(game.initial())!r}."
            ) from error
        return checked_state(game, "parse_state", state)


def read_state(game: Game, text: str) -> State:
    """Return the state that a text from a file describes. Raise GameError if there is none.

    >>> from zermelo.games.registry import load
    >>> read_state(load("nim"), "1 2 3").piles
    (1, 2, 3)
    """
    try:
        return checked_state(game, "parse_state", game.parse_state(text))
    except GameError:
        raise
    except RULE_ERRORS as error:  # raised by the game's own parser
        raise TextError(f"{game!r}: {shortened(text)!r} describes no state ({type(error).__name__}).") from error


def _as_text(given: Any) -> str:
    """How a list of moves is written as the text of a position."""
    simple = isinstance(given, list | tuple) and all(isinstance(part, int | str) for part in given)
    return f"; write {' '.join(map(str, given))!r}" if simple and given else ""


def legal_move(game: Game, state: State, text: str) -> Any:
    """Return the legal move or outcome that the text names. Raise GameError if there is none."""
    moves = legal_actions(game, state)  # first, so that what these rules raise is not taken for the parser's refusal
    try:
        move = game.parse_move(state, text)
    except GameError:
        raise
    except (ValueError, LookupError) as error:  # raised by the game's own parser
        raise _illegal(game, state, text) from error
    if move not in moves:
        raise _illegal(game, state, text)
    return move


def _illegal(game: Game, state: State, text: str) -> TextError:
    return TextError(f"{game!r}: {text!r} is not a legal move in {game.state_text(state)}.")


def _after_moves(game: Game, text: str) -> State:
    state, played = initial_state(game), ""
    tokens = re.split(r"[\s,]+", text.strip())
    while tokens:
        rest, words = tokens[0], 1
        while rest:
            move, length = _longest_move(game, state, rest)
            if not length and words < min(len(tokens), MAX_MOVE_WORDS):  # the move may go on, as in 24/22 13/11
                rest, words = f"{rest} {tokens[words]}", words + 1
                continue
            if not length:
                raise _Unreadable(_why(game, state, played.strip(), rest.split()[0]))
            state = checked_play(game, state, move)
            played += f" {rest[:length]}"
            rest = rest[length:]
        tokens = tokens[words:]
    return state


def _longest_move(game: Game, state: State, text: str) -> tuple[Any, int]:
    """The move named by the longest prefix of the text, and that prefix's length; 0 where there is none."""
    for length in range(min(len(text), MAX_MOVE_LENGTH), 0, -1):
        try:
            return legal_move(game, state, text[:length]), length
        except GameError:
            continue
    return None, 0


def _why(game: Game, state: State, played: str, rest: str) -> str:
    checked_play = f"after {played} " if played else ""
    moves = [game.move_text(state, move) for move in legal_actions(game, state)]
    if not moves:
        return f"{checked_play}the game is over and {rest!r} cannot be played"
    shown = ", ".join(moves[:12]) + (", ..." if len(moves) > 12 else "")
    return f"{checked_play}{rest!r} begins with no legal move ({shown})"
