"""Moves and positions as protocols write them: words without spaces.

In chess a move is written as UCI has it, e2e4. Elsewhere it has the game's own notation, with `_` for a space. Outcomes
of chance are moves too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zermelo import rules
from zermelo.formatting import shortened
from zermelo.game import Game, GameError, Move, State
from zermelo.games.support.game_spec import TextError
from zermelo.games.support.move_reading import legal_move
from zermelo.games.support.position_text import read_state

CHESS_MODULE = "zermelo.games.chess.chess_rules"

UCI_VARIANTS = {"breakthrough": "Breakthrough(width=8, height=8)"}
"""Games other than chess that Fairy-Stockfish plays by UCI, whose moves are two squares: its names, and ours."""


def move_word(game: Game, state: State, move: Move) -> str:
    """The word for a legal move.

    >>> from zermelo.games.registry import load
    >>> game = load("chess")
    >>> state = game.initial()
    >>> move_word(game, state, game.parse_move(state, "Nf3"))
    'g1f3'
    """
    if is_chess(game):
        from zermelo.games.chess.chess_notation import uci

        return str(uci(state, move))  # type: ignore[no-untyped-call]
    return "_".join(game.move_text(state, move).split())


def is_chess(game: Game) -> bool:
    """Whether moves have the notation of UCI."""
    return any(cls.__module__ == CHESS_MODULE for cls in type(game).__mro__)


def uci_variant(game: Game) -> str | None:
    """The variant as which a program of UCI knows the game: chess, or one of Fairy-Stockfish; None if there is none.

    >>> from zermelo.games.registry import load
    >>> [uci_variant(load(name)) for name in ("chess", "breakthrough", "breakthrough(6, 6)", "hex")]
    ['chess', 'breakthrough', None, None]
    """
    if is_chess(game):
        return "chess"
    return next((variant for variant, name in UCI_VARIANTS.items() if repr(game) == name), None)


def uci_word(game: Game, state: State, move: Move) -> str:
    """The word for a legal move of a game that has a variant in UCI: its two squares.

    >>> from zermelo.games.registry import load
    >>> game = load("breakthrough")
    >>> uci_word(game, game.initial(), game.parse_move(game.initial(), "a2-a3"))
    'a2a3'
    """
    word = move_word(game, state, move)
    return word if is_chess(game) else "".join(re.findall(r"[a-z]\d", word))


def read_uci_word(game: Game, state: State, word: str) -> Move:
    """The legal move that a word of UCI names. Raise TextError if there is none."""
    if not is_chess(game):
        for move in rules.legal_actions(game, state):
            if uci_word(game, state, move) == word:
                return move
    return read_word(game, state, word)


def read_word(game: Game, state: State, word: str) -> Move:
    """The legal move that a word names. Raise TextError if there is none.

    >>> from zermelo.games.registry import load
    >>> game = load("backgammon")
    >>> state = game.play(game.initial(), rules.legal_actions(game, game.initial())[0])
    >>> moves = rules.legal_actions(game, state)
    >>> [read_word(game, state, move_word(game, state, move)) for move in moves] == moves
    True
    """
    if is_chess(game):
        return legal_move(game, state, word)
    for move in rules.legal_actions(game, state):
        if move_word(game, state, move) == word:
            return move
    return legal_move(game, state, word.replace("_", " "))


class PlayedLine:
    """A position of a protocol: where play began, the moves since, and the states on the way."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.start = ""
        self.words: list[str] = []
        self.states: list[State] = [rules.initial_state(game)]

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def history(self) -> list[State]:
        """The states before the present one."""
        return self.states[:-1]

    @property
    def player(self) -> int:
        """Who is to move, 0 or 1."""
        mover = rules.mover(self.game, self.state)
        return len(self.words) % 2 if mover is None else mover

    def set(self, start: str, words: Sequence[str]) -> None:
        """Set the position: the initial state if `start` is empty. Raise GameError, and change nothing, if it is none.

        Where the line only grew, the moves before are not read again.
        """
        known = start == self.start and list(words[: len(self.words)]) == self.words
        if known:
            states, rest = [*self.states], words[len(self.words) :]
        else:
            first = read_state(self.game, start) if start else rules.initial_state(self.game)
            states, rest = [first], words
        for word in rest:
            try:
                move = read_word(self.game, states[-1], word)
            except GameError:
                where = self.game.state_text(states[-1])
                raise TextError(f"{self.game!r}: {shortened(word)!r} is not a legal move in {where}.") from None
            states.append(rules.checked_play(self.game, states[-1], move))
        self.start, self.words, self.states = start, list(words), states
