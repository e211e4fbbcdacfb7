"""Parsing positions of requests: the start and the moves of a request become a game in progress, within limits."""

from __future__ import annotations

import random
from contextlib import suppress

from zermelo import rules
from zermelo.app.web.game_catalog import check_width
from zermelo.game import Game, GameError, State
from zermelo.games.registry import TextError
from zermelo.games.support.move_reading import NO_MOVE, MoveReader
from zermelo.games.support.position_text import position as position_of
from zermelo.play.session import Session

MAX_MOVES = 1000
"""Moves that a request may play."""

MAX_WORDS_PER_MOVE = 8
"""Words of which a move may consist."""

MAX_JOINED_MOVE_LENGTH = 16
"""Characters of a move that is written together with the next."""

MAX_TEXT_LENGTH = 10_000
"""Characters of a state or a move that is shown."""

TRIAL_PLIES = 40
"""Plies that are played at random from a typed start, before compiled rules get it."""


def parse_session(game: Game, start: str, moves: str) -> Session:
    """Play the moves of a request from its start. Raise GameError if a move is illegal or a limit is exceeded."""
    first, start = rules.initial_state(game), start.strip()
    usual = start in ("", game.state_text(first))  # a game that reads no states still knows its own start
    session = Session(game, first if usual else position_of(game, start))
    words = moves.split()
    if len(words) > MAX_MOVES:
        raise TextError(f"{game!r}: {len(words)} moves are too many; a request may play {MAX_MOVES}.")
    before, count = words, 0
    while words:
        check_width(game, session.state)
        try:
            rest = _enter(session, words)
        except GameError:
            longer = _longer_move(session, before, count)
            if longer is None:
                raise
            words, rest = before, longer
        before, count, words = words, len(words) - len(rest), rest
        if len(session.history) > MAX_MOVES:
            raise TextError(f"{game!r}: a request may play {MAX_MOVES} moves.")
    check_width(game, session.state)
    _check_notation(session)
    if not usual:
        try_rules(game, session.state)
    return session


def _enter(session: Session, words: list[str]) -> list[str]:
    """Play the move that the first words name, and return the words that are left.

    A move is one word mostly. Some games write a move in several, and people write several moves in one.
    """
    errors: list[GameError] = []
    several = [(" ".join(words[:count]), words[count:]) for count in range(1, min(len(words), MAX_WORDS_PER_MOVE) + 1)]
    lengths = range(min(len(words[0]), MAX_JOINED_MOVE_LENGTH) - 1, 0, -1)
    parts = [(words[0][:length], [words[0][length:], *words[1:]]) for length in lengths]
    for move_text, rest in several + parts:
        try:
            session.enter(move_text)
            return rest
        except GameError as error:
            errors.append(error)
    move, left = MoveReader.of(session.game).next_move(session.state, " ".join(words))
    if move is NO_MOVE:
        raise errors[0]
    session.play(move)
    return left.split()


def _longer_move(session: Session, words: list[str], count: int) -> list[str] | None:
    """Read the last move once more, with more than `count` words, and return the words that are left.

    A move of backgammon such as `5/off 2/off` begins like one of a single checker. None if no longer move is legal.
    """
    if count == 0:
        return None
    session.undo()
    for longer in range(count + 1, min(len(words), MAX_WORDS_PER_MOVE) + 1):
        with suppress(GameError):
            session.enter(" ".join(words[:longer]))
            return words[longer:]
    session.redo()
    return None


def _check_notation(session: Session) -> None:
    """Raise GameError if the rules write the state or a move as something else than a text that can be shown."""
    written = [("state_text", session.game.state_text(session.state))]
    written += [("move_text", text) for text in session.notation]
    for rule, text in written:
        if not isinstance(text, str):
            raise GameError(f"{session.game!r}: `{rule}` returns {text!r} in {session.state!r}, not a text.")
        if len(text) > MAX_TEXT_LENGTH:
            length = f"a text of {len(text)} letters"
            raise GameError(
                f"{session.game!r}: `{rule}` returns {length}; {MAX_TEXT_LENGTH} are the most that is shown."
            )


def try_rules(game: Game, state: State) -> None:
    """Run the rules, interpreted, on what follows a state that no play has led to, and raise what they raise.

    Compiled rules do not check a state: they might never return, or read out of bounds.
    """
    for move in rules.legal_actions(game, state):
        rules.payoff(game, game.play(state, move))
    dice = random.Random(0)
    for _ in range(TRIAL_PLIES):
        moves = rules.legal_actions(game, state)
        if not moves:
            return
        state = game.play(state, dice.choice(moves))
