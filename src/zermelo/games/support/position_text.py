"""Positions by their text: moves from the start, or a state in the game's own notation."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from zermelo.arguments import checked_game
from zermelo.formatting import shortened
from zermelo.game import Game, GameError, State
from zermelo.games.support.game_spec import TextError
from zermelo.games.support.move_reading import MoveReader, NotMoves, joined_words
from zermelo.rules import checked_state

RULE_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What rules raise when they are given a value that is not one of their states."""


TEXTS_AT_A_TIME = 256
"""Texts of `positions` that are read between two looks at the clock."""

COMPILE_SECONDS = 3
"""`positions` compiles its kernel if the texts that are left would take longer than this."""


class NoState(GameError):
    """Raised by games for a text that does not look like a state; for another, a GameError says what is wrong."""


def literal_state(game: Game, text: str) -> State:
    """Return the state of a Python literal, for games that check its numbers first. Raise NoState if it is none."""
    try:
        return Game.parse_state(game, text)
    except GameError as error:
        raise NoState(str(error)) from None


def position(game: Game, text: str = "") -> State:
    """Return the state that `text` describes: moves from the start in the game's notation, or a state.

    The empty text is the start. Moves may be separated or not; then the longest legal move is taken each time. A comma
    is a space, in the texts of moves too: where moves are tuples, "(0, 4) (1, 5)" and "(0,4),(1,5)" are the same line.

    >>> from zermelo.games.registry import load
    >>> game = load("connect_four")
    >>> position(game, "4453") == position(game, "4 4 5 3") == position(game, "4,4,5,3")
    True
    """
    checked_game("position", game)
    return _position(game, _checked_text(game, text))


def positions(game: Game, texts: Iterable[str]) -> list[State]:
    """Return the state that each text describes, as `position` does. Raise GameError for the first that has none.

    Many lines of moves are read by machine code, where the rules compile and `move_text` and the default `parse_move`
    read nothing but the move.

    >>> from zermelo.games.registry import load
    >>> game = load("connect_four")
    >>> positions(game, ["4453", "44"]) == [position(game, "4453"), position(game, "44")]
    True
    """
    checked_game("positions", game)
    if isinstance(texts, str):
        raise TextError(f"{game!r}: `positions` takes many texts, not the one text {shortened(texts)!r}.")
    texts = [_checked_text(game, text) for text in texts]
    states: list[State] = []
    start = time.monotonic()
    while len(states) < len(texts):
        part = texts[len(states) : len(states) + TEXTS_AT_A_TIME]
        states += [_position(game, text) for text in part]
        left = (time.monotonic() - start) / len(states) * (len(texts) - len(states))
        if left > COMPILE_SECONDS and any(map(MoveReader.of(game).may_begin, map(joined_words, part))):
            return states + list(_read_compiled(game, texts[len(states) :], states))
    return states


def _read_compiled(game: Game, texts: list[str], known: list[State]) -> Iterator[State]:
    """The states of many texts, by machine code where it can read them; it learns from states that are `known`."""
    from zermelo.games.support.compiled_reading import LINES_AT_A_TIME, CompiledReader

    compiled = CompiledReader.of(MoveReader.of(game))
    if compiled is None:
        yield from (_position(game, text) for text in texts)
        return
    for state in known:
        compiled.learn(state)
    for start in range(0, len(texts), LINES_AT_A_TIME):
        part = texts[start : start + LINES_AT_A_TIME]
        for text, state in zip(part, compiled.read([joined_words(text) for text in part]), strict=True):
            if state is None:
                state = _position(game, text)
                compiled.learn(state)
            yield state


def _checked_text(game: Game, text: str) -> str:
    if not isinstance(text, str):
        raise TextError(f"{game!r}: a position is given as text, not as {text!r}{_as_text(text)}.")
    return text


def _position(game: Game, text: str) -> State:
    reader = MoveReader.of(game)
    try:
        state, odd = reader.read_line(text)
    except NotMoves:
        return _parsed_state(reader, text)
    if odd:  # (0, 4) may be a move without its comma, and a state as it is
        try:
            return checked_state(game, "parse_state", game.parse_state(text))
        except RULE_ERRORS:
            pass
    return state


def _parsed_state(reader: MoveReader, text: str) -> State:
    """Return the state that a text describes which was not read as moves. Raise TextError if there is none."""
    game = reader.game
    try:
        state = game.parse_state(text)
    except (ValueError, LookupError, TypeError) as error:
        if isinstance(error, GameError) and not isinstance(error, NoState) and game.has("parse_state"):
            raise TextError(str(error)) from error  # a state, and the game says what is wrong
        try:
            return reader.read(text, patient=True)
        except NotMoves as why:
            raise TextError(
                f"{game!r}: {text!r} cannot be read as moves, because {why.reason()}, and describes no state; "
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
