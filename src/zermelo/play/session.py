"""Sessions: a game in progress, with its history, its legal moves and its outcome."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from zermelo import rules
from zermelo.board import sides_of
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.games.registry import name_of
from zermelo.games.support.move_reading import legal_move
from zermelo.play.repetition import REPETITIONS, repeated

PLAYERS = ("First player", "Second player")
"""What the players are called where the board gives them no names."""


def player_names(game: Game, state: State) -> tuple[str, str]:
    """The sides of the board where it names them; PLAYERS where it does not, or cannot be drawn."""
    try:
        return sides_of(game.board(state)) or PLAYERS
    except Exception:
        return PLAYERS


def name_in_sentence(game: Game, state: State, player: int) -> str:
    """A player within a sentence.

    >>> from zermelo.games.registry import load
    >>> [name_in_sentence(game, game.initial(), 1) for game in (load("chess"), load("nim"))]
    ['Black', 'the second player']
    """
    names = player_names(game, state)
    return f"the {PLAYERS[player].lower()}" if names is PLAYERS else names[player]


def who_moves(game: Game, state: State) -> str:
    """The player to move within a sentence, by name where the state says who it is.

    >>> from zermelo.games.registry import load
    >>> [who_moves(game, game.initial()) for game in (load("chess"), load("hare_and_hounds"))]
    ['White, who is to move', 'Hounds, who are to move']
    """
    mover = rules.mover(game, state)
    if mover is None:
        return "the player to move"
    name = name_in_sentence(game, state, mover)
    return f"{name}, who {'are' if is_plural(name) else 'is'} to move"


def is_plural(name: str) -> bool:
    """Whether a player's name takes a plural verb.

    >>> [name for name in ("You", "Zermelo", "White", "Fox", "Geese", "Hounds") if is_plural(name)]
    ['You', 'Geese', 'Hounds']
    """
    return name == "You" or name.endswith(("s", "eese"))


@dataclass(frozen=True)
class Turn:
    """One ply: the state, whose it was, what was played in it (in the game's notation too), and whether by chance."""

    state: State
    player: int
    move: Move
    text: str
    chance: bool = False


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winner, 0 or 1 (None for a draw), the points between the players, and why."""

    winner: int | None
    points: int = 1
    margin: bool = False
    reason: str = ""

    def words(self, names: tuple[str, str] = PLAYERS) -> str:
        """The result as a sentence.

        >>> Outcome(0).words(), Outcome(1, 4, margin=True).words(("You", "Zermelo")), Outcome(None).words()
        ('First player wins.', 'Zermelo wins by 4.', 'Draw.')
        """
        reason = f" {self.reason}" if self.reason else ""
        if self.winner is None:
            return f"Draw{reason}."
        name = names[self.winner]
        points = f" by {self.points}" if self.margin else ""
        return f"{name} {'win' if is_plural(name) else 'wins'}{points}{reason}."


def ending_reason(game: Game, state: State) -> str:
    """Why a game is over that has no move left, in the words of chess; empty where the rules declare the end.

    A player who cannot move loses by checkmate where the state is `forcing`, as check is.

    >>> from zermelo.games.registry import load, position
    >>> chess = load("chess")
    >>> [ending_reason(chess, position(chess, text)) for text in ("f3 e5 g4 Qh4#", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")]
    ['by checkmate', 'by stalemate']
    """
    if game.result(state) != ONGOING:
        return ""
    stuck = game.stuck(state)
    if stuck == 0:
        return "by stalemate"
    return "by checkmate" if stuck < 0 and game.has("forcing") and game.forcing(state) else ""


class Session:
    """A game in progress, from its start.

    Chance is drawn from the seed and the number of the ply, so that an undo does not change the dice.
    Where the states do not say who moves, the players take turns from the start.

    >>> from zermelo.games.registry import load
    >>> session = Session(load("tic_tac_toe"))
    >>> for text in "b2 a1 a3 c1 b1 b3 a2".split():
    ...     session.enter(text)
    >>> session.player, session.outcome, len(session.undo().history), len(session.redo().history)
    (1, None, 6, 7)
    """

    def __init__(self, game: Game, start: State = None, seed: int | None = None) -> None:
        self.game = game
        self.start: State = rules.initial_state(game) if start is None else start
        self.seed = random.SystemRandom().randrange(1 << 32) if seed is None else seed
        self.history: list[Turn] = []
        self.undone: list[Turn] = []
        self.state: State = self.start
        self.resigned: int | None = None
        self.reason = ""

    @property
    def player(self) -> int:
        """Who is to move, 0 or 1; at a chance state, whose state it is."""
        mover = rules.mover(self.game, self.state)
        return len(self.history) % 2 if mover is None else mover

    @property
    def names(self) -> tuple[str, str]:
        """What the players are called: the sides of the board where it names them."""
        return player_names(self.game, self.state)

    @property
    def is_chance(self) -> bool:
        return self.outcome is None and bool(self.game.is_chance(self.state))

    @property
    def moves(self) -> list[Move]:
        """The legal moves, or the outcomes where chance moves; none once the game is over."""
        return [] if self.outcome else rules.legal_actions(self.game, self.state)

    @property
    def notation(self) -> list[str]:
        """The legal moves in the game's notation."""
        return [self.game.move_text(self.state, move) for move in self.moves]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self.resigned is not None:
            return Outcome(1 - self.resigned, reason=self.reason)
        payoff = rules.payoff(self.game, self.state)
        if payoff != ONGOING:
            winner = None if payoff == 0 else self.player if payoff > 0 else 1 - self.player
            return Outcome(winner, abs(payoff), self.game.margin, ending_reason(self.game, self.state))
        if repeated(self.game, [*self.states, self.state]):
            return Outcome(None, reason=f"by repetition: the same state {REPETITIONS} times")
        return None

    @property
    def states(self) -> list[State]:
        """The states before the present one, in order."""
        return [turn.state for turn in self.history]

    def play(self, move: Move) -> None:
        """Play a legal move, or the outcome of a chance state."""
        if move not in self.moves:
            raise GameError(f"{self.game!r}: {move!r} is not a legal move in {self.game.state_text(self.state)}.")
        text = self.game.move_text(self.state, move)
        self.history.append(Turn(self.state, self.player, move, text, self.is_chance))
        self.state = self.game.play(self.state, move)
        self.undone.clear()

    def enter(self, text: str) -> None:
        """Play the move that the text names."""
        self.play(self.read(text))

    def read(self, text: str) -> Move:
        """The legal move that the text names, in any case if that is unambiguous. Raise GameError if there is none."""
        try:
            return legal_move(self.game, self.state, text.strip())
        except GameError:
            wanted = text.strip().casefold()
            close = [move for move in self.moves if self.game.move_text(self.state, move).casefold() == wanted]
            if len(close) != 1:
                raise
            return close[0]

    def roll(self) -> tuple[Move, float]:
        """Let chance play, and return its outcome with the probability it had."""
        chances = rules.listed_chances(self.game, self.state)
        dice = random.Random(f"{self.seed}:{len(self.history)}")
        ((outcome, probability),) = dice.choices(chances, [probability for _, probability in chances])
        self.play(outcome)
        return outcome, probability

    def undo(self) -> Session:
        """Undo the last ply, or the resignation."""
        if self.resigned is not None:
            self.resigned = None
        elif not self.history:
            raise GameError(f"{self.game!r}: there is no move to take back.")
        else:
            self.undone.append(self.history.pop())
            self.state = self.undone[-1].state
        return self

    def redo(self) -> Session:
        """Play the last undone ply again; another move discards it."""
        if not self.undone:
            raise GameError(f"{self.game!r}: there is no move to play again.")
        self.history.append(self.undone.pop())
        self.state = self.game.play(self.state, self.history[-1].move)
        return self

    def undo_to(self, players: Collection[int]) -> int:
        """Undo to the last state in which one of these players had to move. Return the number of plies undone."""
        self.resigned = None
        for plies, turn in enumerate(reversed(self.history), 1):
            if not turn.chance and turn.player in players:
                for _ in range(plies):
                    self.undo()
                return plies
        return 0

    def redo_to(self, players: Collection[int]) -> int:
        """Redo to the next state in which one of these players had to move. Return the number of plies."""
        plies = 0
        while self.undone and not (plies and not self.undone[-1].chance and self.undone[-1].player in players):
            self.redo()
            plies += 1
        return plies

    def resign(self, reason: str = "by resignation") -> None:
        """The player to move resigns, or loses for another reason: "on time"."""
        if self.outcome is not None:
            raise GameError(f"{self.game!r}: the game is over, and nobody can resign any more.")
        self.resigned, self.reason = self.player, reason

    def record(self) -> dict[str, Any]:
        """The game so far, as JSON types: start, moves and result in words. The folder of its file is left out."""
        return {
            "game": name_of(self.game, folder=""),
            "start": self.game.state_text(self.start),
            "seed": self.seed,
            "moves": [turn.text for turn in self.history],
            "state": self.game.state_text(self.state),
            "winner": self.outcome.winner if self.outcome else None,
            "result": self.outcome.words(self.names) if self.outcome else "unfinished",
        }
