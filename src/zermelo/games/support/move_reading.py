"""Moves by their text: what a line of moves from the start leads to.

A game without a `parse_move` rule writes its moves in one way, so the texts of the legal moves are compared with the
line. Where `move_text` does not read the state either, each move has one text, which is made once. The `parse_move` of
any other game is asked about whole words, and about parts of words only if the text describes no state.

A comma separates moves as a space does. So that a move whose text has commas is read too, `(0, 4)` as str writes a
tuple, the line and the texts are compared with a space for each comma: both are the name `(0 4)` then.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from zermelo.game import Game, GameError, Move, State
from zermelo.games.support.game_spec import TextError
from zermelo.rules import checked_play, initial_state, legal_actions

MAX_MOVE_WORDS = 4
"""Words of one move that a parser is asked about, such as the play of a doublet by four checkers."""

MAX_MOVE_LENGTH = 100
"""Letters of one move; longer prefixes of a text are not tried."""

SPARE_LETTERS = 3
"""How much longer than all texts of first moves a word may be, to be tried as one: e2-e4 for e4."""

MAX_KNOWN_WORDS = 1 << 16
"""Words of which a reader knows what they mean in the initial state."""

NO_MOVE = object()
"""No move; None may be one."""

NAMES_OF_LOCALS = {"locals", "vars", "dir", "eval", "exec", "_getframe"}
"""Names by which a function can read an argument without naming it."""


class NotMoves(Exception):
    """A text cannot be read as moves: after those it begins with, no legal move follows."""

    def __init__(self, reader: MoveReader, state: State, played: list[str], rest: str) -> None:
        super().__init__()
        self.reader, self.state, self.played, self.rest = reader, state, played, rest

    def reason(self) -> str:
        """Why the text cannot be read as moves. Most callers do not ask."""
        after = f"after {' '.join(self.played)} " if self.played else ""
        game = self.reader.game
        moves = [game.move_text(self.state, move) for move in legal_actions(game, self.state)]
        word = self.rest.partition(" ")[0]
        if not moves:
            return f"{after}the game is over and {word!r} cannot be played"
        shown = ", ".join(moves[:12]) + (", ..." if len(moves) > 12 else "")
        return f"{after}{word!r} begins with no legal move ({shown})"


class MoveReader:
    """Reads the moves of a game from the start. It belongs to the game, and is made once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.first = initial_state(game)
        self.has_parser = game.has("parse_move")
        self.names: dict[int, str] | None = {} if _is_fixed(type(game).move_text) else None
        """The name of each move that was seen, where the state does not matter; else None."""
        self.has_odd_texts = False  # whether a text was seen that is not its name
        self._first_words: dict[str, Move] = {}

    @classmethod
    def of(cls, game: Game) -> MoveReader:
        """Return the reader of a game."""
        reader: MoveReader | None = game.__dict__.get("_move_reader")
        if reader is None:
            reader = cls(game)
            object.__setattr__(game, "_move_reader", reader)
        return reader

    def read(self, text: str, patient: bool = False) -> State:
        """Return the state after the moves of a text. Raise NotMoves if it cannot be read as moves.

        Where a game has a parser of its own, only a `patient` reader finds moves that are not separated.
        """
        return self.read_line(text, patient)[0]

    def read_line(self, text: str, patient: bool = False) -> tuple[State, bool]:
        """The state, and whether a text of a move is like the line but for its commas and spaces."""
        line, odd = joined_words(text), False
        played: list[str] = []
        state, at = self.first, 0
        while at < len(line):
            move, length = self._longest_move(state, line, at, patient)
            if not length:
                raise NotMoves(self, state, played, line[at:])
            played.append(line[at : at + length])
            odd = odd or (self.has_odd_texts and not self._is_text(state, move, played[-1]))
            state = checked_play(self.game, state, move)
            at += length
            at += line[at : at + 1] == " "
        return state, odd

    def may_begin(self, line: str) -> bool:
        """Return whether a line could begin with a move. False is certain."""
        if self.has_parser:
            return True
        return line.startswith(self._first_names)

    def next_move(self, state: State, text: str) -> tuple[Move, str]:
        """The move that a text begins with and what is left of the text; NO_MOVE if it begins with none."""
        line = f" {joined_words(text)}"  # moves at 0 are those of the initial state
        move, length = self._longest_move(state, line, 1, patient=False)
        return (move, line[1 + length :].strip()) if length else (NO_MOVE, line[1:])

    @cached_property
    def _first_names(self) -> tuple[str, ...]:
        return tuple(self.name(self.first, move) for move in legal_actions(self.game, self.first))

    def name(self, state: State, move: Move) -> str:
        """The text of a legal move as it stands in a line."""
        known = self.names if type(move) is int else None
        name = None if known is None else known.get(move)
        if name is None:
            text = self.game.move_text(state, move)
            name = joined_words(text)
            self.has_odd_texts = self.has_odd_texts or name != text
            if known is not None:
                known[move] = name
        return name

    def _longest_move(self, state: State, line: str, at: int, patient: bool) -> tuple[Move, int]:
        """The move that the line names here and the length of its name; 0 if it names none.

        A name of fewer words is preferred, then a longer one.
        """
        if not self.has_parser:
            return self._longest_name(state, line, at) if at or self.may_begin(line) else (None, 0)
        move, length = self._longest_prefix(state, line, at) if patient else self._whole_words(state, line, at)
        return (move, length) if length else self._text_with_commas(state, line, at)

    def _longest_name(self, state: State, line: str, at: int) -> tuple[Move, int]:
        found, length, least = None, 0, MAX_MOVE_LENGTH
        known = self.names or {}
        for move in legal_actions(self.game, state):
            name = (known.get(move) if type(move) is int else None) or self.name(state, move)
            if name and line.startswith(name, at) and len(name) <= MAX_MOVE_LENGTH:
                spaces = name.count(" ")
                better = (spaces, -len(name)) < (least, -length)
                same = (spaces, len(name)) == (least, length)
                if better or (same and self._is_text(state, move, name) and not self._is_text(state, found, name)):
                    found, length, least = move, len(name), spaces
        return found, length

    def _is_text(self, state: State, move: Move, name: str) -> bool:
        """Return whether a name is the text of a move as it is; such a move precedes others of the same name."""
        return self.game.move_text(state, move) == name

    def _text_with_commas(self, state: State, line: str, at: int) -> tuple[Move, int]:
        """The move whose text is here but for its commas, which no parser has been shown."""
        for move in () if at == 0 and not line.startswith(self._first_names) else legal_actions(self.game, state):
            text = self.game.move_text(state, move)
            name = joined_words(text) if "," in text else ""
            if name and len(name) <= MAX_MOVE_LENGTH and f"{line} ".startswith(f"{name} ", at):
                self.has_odd_texts = True
                return move, len(name)
        return None, 0

    def _whole_words(self, state: State, line: str, at: int) -> tuple[Move, int]:
        """The move that the next word names, or the next few; in the initial state, what a word means is kept."""
        legal: list[Move] | None = None
        for end in _word_ends(line, at):
            word = line[at:end]
            if at == 0 and len(word) > self._first_length:
                break
            if at or word not in self._first_words:
                legal = legal_actions(self.game, state) if legal is None else legal
                move = self._parsed(state, legal, word)
                if at == 0 and len(self._first_words) < MAX_KNOWN_WORDS:
                    self._first_words[word] = move
            else:
                move = self._first_words[word]
            if move is not NO_MOVE:
                return move, end - at
        return None, 0

    @cached_property
    def _first_length(self) -> int:
        """Letters of the longest text of a first move, and some to spare."""
        return max(map(len, self._first_names), default=0) + SPARE_LETTERS

    def _longest_prefix(self, state: State, line: str, at: int) -> tuple[Move, int]:
        legal, tried = legal_actions(self.game, state), at
        for end in _word_ends(line, at):
            for stop in range(min(end, at + MAX_MOVE_LENGTH), tried, -1):
                if (move := self._parsed(state, legal, line[at:stop])) is not NO_MOVE:
                    return move, stop - at
            tried = end
        return None, 0

    def _parsed(self, state: State, legal: list[Move], text: str) -> Move:
        """The legal move that the game's parser finds in a text; NO_MOVE if it finds none."""
        try:
            move = self.game.parse_move(state, text)
        except (ValueError, LookupError):  # a GameError is a ValueError
            return NO_MOVE
        return move if move in legal else NO_MOVE


def joined_words(text: str) -> str:
    """Return the words of a text, one space between them; a comma is a space."""
    return " ".join(text.replace(",", " ").split())


def _is_fixed(rule: Any) -> bool:
    """Return whether a `move_text` rule does not read the state: then a move has one text in all states."""
    if not isinstance(rule, types.FunctionType) or rule.__code__.co_argcount != 3:
        return False
    state, names = rule.__code__.co_varnames[1], {*rule.__code__.co_names, *rule.__code__.co_cellvars}
    if names & {state, *NAMES_OF_LOCALS} or rule.__code__.co_flags & (0x04 | 0x08):  # *args, **kwargs
        return False
    read = (instruction.argval for instruction in dis.get_instructions(rule) if "FAST" in instruction.opname)
    return not any(state == name or (isinstance(name, tuple) and state in name) for name in read)


def _word_ends(line: str, at: int) -> Iterator[int]:
    """Where the first words of the line end, from `at` on: as many as a move may have."""
    for _ in range(MAX_MOVE_WORDS):
        if (end := line.find(" ", at)) < 0:
            yield len(line)
            return
        yield end
        at = end + 1


def legal_move(game: Game, state: State, text: str) -> Move:
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
