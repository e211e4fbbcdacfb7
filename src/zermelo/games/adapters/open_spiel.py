"""open_spiel: its two-player games of perfect information as Games, and any Game as one of open_spiel's.

>>> import zermelo as z
>>> game = from_open_spiel("tic_tac_toe", by_text=True)
>>> print(z.perft(game, 4), z.search(game, limit=z.Limit(depth=9)).value)
3024 draw
>>> to_open_spiel(z.load("connect_four"), actions=7).new_initial_state().legal_actions()
[0, 1, 2, 3, 4, 5, 6]

A state is what open_spiel has for one, with the actions that led to it; a move is an action, which is an int. Two
states are the same if the same actions led to them. With `by_text` they are if their texts are equal, which gives
many games far fewer states, and is right if the text describes the state completely.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable
from dataclasses import field
from functools import cached_property
from typing import Any

from zermelo.board import Fields
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.position_text import NoState


def _pyspiel() -> Any:
    """Return the package `pyspiel`. Raise GameError with the command that installs it if it is missing."""
    try:
        import pyspiel as package
    except ImportError:
        raise GameError("open_spiel is not installed; install it with: pip install 'zermelo[open_spiel]'.") from None
    return package


def from_open_spiel(game: Any, by_text: bool = False) -> Game:
    """Return the Game of an open_spiel game, or of its text, such as `connect_four(rows=5,columns=4)`."""
    return OpenSpiel(game if isinstance(game, str) else str(game).removesuffix("()"), by_text)


def to_open_spiel(game: Game, actions: int | None = None, longest: int = 1000) -> Any:
    """Return the game as one of open_spiel's, also registered there under `get_type().short_name`.

    An action is a move, an int below `actions`; where moves are other things, the place of the move among the moves of
    the state. Without `actions` the number is found by random play. A game that has gone on for `longest` moves is a
    draw.
    """
    _pyspiel()
    from zermelo.games.adapters.open_spiel_game import made

    return made(game, actions, longest)


class Position:
    """A state of open_spiel as an immutable value, equal to others by history or by text."""

    __slots__ = ("by_text", "key", "spiel")

    def __init__(self, spiel: Any, by_text: bool) -> None:
        self.spiel = spiel
        self.by_text = by_text
        self.key = (spiel.current_player(), str(spiel)) if by_text else tuple(spiel.history())

    def after(self, action: int) -> Position:
        spiel = self.spiel.clone()
        spiel.apply_action(action)
        return Position(spiel, self.by_text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __lt__(self, other: Position) -> bool:
        return self.key < other.key

    def __repr__(self) -> str:
        return f"Position({self.spiel.history()})"

    def __reduce__(self) -> Any:
        return _replayed, (str(self.spiel.get_game()), self.spiel.history(), self.by_text)


def _replayed(game: str, history: list[int], by_text: bool) -> Position:
    """The position after these actions; ValueError where one is not legal."""
    spiel = _pyspiel().load_game(game).new_initial_state()
    for action in history:
        if spiel.is_terminal() or action not in spiel.legal_actions():
            raise ValueError(action)
        spiel.apply_action(action)
    return Position(spiel, by_text)


class OpenSpiel(Game):
    """A game of open_spiel for two players with perfect information."""

    game: str = "tic_tac_toe"
    by_text: bool = False
    spiel: Any = field(init=False, repr=False, compare=False)

    native = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "spiel", _loaded(self))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def __getstate__(self) -> dict[str, Any]:
        return {"game": self.game, "by_text": self.by_text}

    def has(self, rule: str) -> bool:
        """Return whether the game needs a rule: chance rules if it has chance, stages if states never repeat."""
        if rule in ("is_chance", "chances"):
            return bool(self.spiel.get_type().chance_mode != _pyspiel().GameType.ChanceMode.DETERMINISTIC)
        return not (rule == "stage" and self.by_text) and super().has(rule)

    @cached_property
    def loops(self) -> bool:  # type: ignore[override]
        """States compared by their text may repeat."""
        return self.by_text

    @cached_property
    def margin(self) -> bool:  # type: ignore[override]
        return self.payoff_bounds != (-1, 1)

    @cached_property
    def payoff_bounds(self) -> tuple[int, int]:  # type: ignore[override]
        return _whole(self, self.spiel.min_utility()), _whole(self, self.spiel.max_utility())

    # -- rules -------------------------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(self.spiel.new_initial_state(), self.by_text)

    def moves(self, state: Position) -> Iterable[int]:
        found: list[int] = state.spiel.legal_actions()
        return found

    def play(self, state: Position, action: int) -> Position:
        return state.after(action)

    def result(self, state: Position) -> int:
        return _whole(self, state.spiel.returns()[self.mover(state)]) if state.spiel.is_terminal() else ONGOING

    def mover(self, state: Position) -> int:
        """The player to move; chance nodes and terminal states are seen by the first player."""
        return max(int(state.spiel.current_player()), 0)

    def is_chance(self, state: Position) -> bool:
        return bool(state.spiel.is_chance_node())

    def chances(self, state: Position) -> Iterable[tuple[int, float]]:
        found: list[tuple[int, float]] = state.spiel.chance_outcomes()
        return found

    def stage(self, state: Position) -> int:
        return int(state.spiel.move_number())

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state: Position) -> Fields:
        lines = [line for line in str(state.spiel).splitlines() if line.strip()]
        return Fields(("",) * len(lines), tuple(lines))

    def move_text(self, state: Position, action: int) -> str:
        return str(state.spiel.action_to_string(state.spiel.current_player(), action))

    def parse_move(self, state: Position, text: str) -> int:
        """The action with this text; commas and spaces in it may be left out or added."""
        wanted = _squeezed(text)
        for action in [] if state.spiel.is_terminal() else state.spiel.legal_actions():
            if _squeezed(self.move_text(state, action)) == wanted:
                return int(action)
        raise GameError(f"{self!r}: {text!r} is not a legal move in {self.state_text(state)}.")

    def state_text(self, state: Position) -> str:
        """The actions so far, as open_spiel numbers them."""
        return str([int(action) for action in state.spiel.history()])

    def parse_state(self, text: str) -> Position:
        try:
            history = ast.literal_eval(text.strip())
            if not isinstance(history, list):
                raise ValueError
            return _replayed(str(self.spiel), history, self.by_text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            raise NoState(
                f"{self!r}: {text!r} does not describe a state; one is the list of the actions so far, such as "
                f"{self.state_text(self.play(self.initial(), self.initial().spiel.legal_actions()[0]))}."
            ) from None


def _squeezed(text: str) -> str:
    return re.sub(r"[\s,]+", "", text)


def _whole(game: OpenSpiel, payoff: float) -> int:
    if payoff != int(payoff):
        raise GameError(f"{game!r}: open_spiel pays {payoff} in it, and payoffs are whole numbers.")
    return int(payoff)


def _loaded(game: OpenSpiel) -> Any:
    """Return the game of open_spiel. Raise GameError if Zermelo cannot play it."""
    package = _pyspiel()
    name = game.game.partition("(")[0].strip()
    if name not in package.registered_names():
        close = difflib.get_close_matches(name, package.registered_names(), n=3)
        hint = f"; did you mean {' or '.join(close)}?" if close else "."
        raise GameError(f"{game!r}: open_spiel has no game called {name}{hint}")
    try:
        spiel = package.load_game(game.game)
    except (package.SpielError, RuntimeError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split()).rstrip(".:")
        raise GameError(f"{game!r}: open_spiel cannot load {game.game!r}: {reason}.") from None
    kind = spiel.get_type()
    reasons = {
        "it is not for two players": spiel.num_players() != 2,
        "its players move at the same time": kind.dynamics != package.GameType.Dynamics.SEQUENTIAL,
        "its information is not perfect": kind.information != package.GameType.Information.PERFECT_INFORMATION,
        "it is not zero-sum": kind.utility != package.GameType.Utility.ZERO_SUM,
        "its chances are not told": kind.chance_mode == package.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    }
    for reason, holds in reasons.items():
        if holds:
            raise GameError(f"{game!r}: open_spiel's {game.game} is not a game for Zermelo, since {reason}.")
    return spiel
