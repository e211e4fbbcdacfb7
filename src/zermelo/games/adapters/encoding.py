"""Encodings: moves as action numbers and states as bits, for libraries that learn from arrays."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo import rules
from zermelo.arguments import check_int, checked_game, is_int
from zermelo.game import ONGOING, Game, GameError, Move, State

if TYPE_CHECKING:
    import numpy as np

MAX_INT_MOVE = 1 << 16
"""Moves that are ints below this are their own actions."""

SAMPLE_GAMES = 20
"""Random games from which the greatest move is estimated."""

WORD_BITS = 64
"""Bits of a number in an observation."""


class Actions:
    """The numbers of a game's moves, which are called actions: from 0 to `count` - 1.

    Where moves are ints of a reasonable size, the action is the move. Elsewhere it is the place of the move among the
    moves of its state. Without a `count` random games show how large the actions are, and the next power of two is
    taken.

    >>> from zermelo.games.connect_four import ConnectFour
    >>> actions = Actions(ConnectFour())
    >>> actions.count, actions.legal(ConnectFour().initial())
    (8, [0, 1, 2, 3, 4, 5, 6])
    """

    def __init__(self, game: Game, count: int | None = None, longest: int = 1000) -> None:
        self.game = checked_game("actions", game)
        check_int(repr(game), least=1, longest=longest)
        seen = _seen(game, longest)
        self.are_moves = all(isinstance(move, int) and 0 <= move < MAX_INT_MOVE for moves in seen for move in moves)
        most = max((max(actions) for actions in map(self.of, seen) if actions), default=0)
        self.count = 1 << most.bit_length() if count is None else count
        if not is_int(self.count) or self.count <= most:
            raise GameError(f"{game!r}: actions must be a whole number greater than {most}, which occurs, not {count}.")

    def of(self, moves: Sequence[Move]) -> list[int]:
        """The actions of the moves of one state, in the same order."""
        return list(moves) if self.are_moves else list(range(len(moves)))

    def legal(self, state: State) -> list[int]:
        """The actions of a state, in ascending order; none where the game is over or chance moves."""
        if self.game.is_chance(state):
            return []
        actions = sorted(self.of(rules.legal_actions(self.game, state)))
        if actions and (actions[0] < 0 or actions[-1] >= self.count):
            raise GameError(
                f"{self.game!r}: {self.game.state_text(state)} has a move numbered {actions[-1]}, and there are "
                f"{self.count} actions; give a greater number of actions."
            )
        return actions

    def move(self, state: State, action: int) -> Move:
        """The move that an action stands for."""
        if self.are_moves:
            return int(action)
        return rules.legal_actions(self.game, state)[action]


def _seen(game: Game, longest: int) -> list[list[Move]]:
    """The moves of every state of some random games, the same ones each time."""
    dice, seen = random.Random(1), []
    for _ in range(SAMPLE_GAMES):
        state = rules.initial_state(game)
        for _ in range(min(longest, 300)):
            moves = rules.legal_actions(game, state)
            if not moves:
                break
            if not game.is_chance(state):
                seen.append(moves)
            state = game.play(state, dice.choice(moves))
    return seen


class Course:
    """A game in progress: its state, the player who sees it, and the number of plies."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state = rules.initial_state(game)
        self.player = rules.mover(game, self.state) or 0
        self.plies = 0

    def play(self, move: Move) -> None:
        """Play a move or an outcome of chance."""
        state = rules.checked_play(self.game, self.state, move)
        self.player ^= rules.changes_player(self.game, self.state, state)
        self.state = state
        self.plies += 1

    def __deepcopy__(self, memory: Any) -> Course:
        """Return a shallow copy: games and states are immutable."""
        return copy.copy(self)

    def payoffs(self) -> tuple[int, int] | None:
        """What the first and the second player get, if the rules say that the game is over."""
        payoff = rules.payoff(self.game, self.state)
        if payoff == ONGOING:
            return None
        return (payoff, -payoff) if self.player == 0 else (-payoff, payoff)


def width(game: Game) -> int:
    """Return how many numbers a state of the game has."""
    return len(_numbers(game, rules.initial_state(game)))


def observation(game: Game, state: State) -> np.ndarray[Any, Any]:
    """The bits of a state: a row for each of its numbers, and in it the 64 bits of the number, the lowest first.

    So a set of squares is a row with a one at each of them. Negative numbers have the bits of their two's complement.
    As everything of a state, they are seen by the player to move.

    >>> from zermelo.games.tic_tac_toe import State, TicTacToe
    >>> observation(TicTacToe(), State(mine=0b101, theirs=0b10))[:, :4].tolist()
    [[1, 0, 1, 0], [0, 1, 0, 0]]
    """
    import numpy as np

    words = np.array([number & (1 << WORD_BITS) - 1 for number in _numbers(game, state)], np.uint64)
    return (words[:, None] >> np.arange(WORD_BITS, dtype=np.uint64) & np.uint64(1)).astype(np.int8)


def _numbers(game: Game, state: State) -> list[int]:
    numbers = list(rules.numbers(state))
    if not all(hasattr(number, "__index__") for number in numbers):
        raise GameError(f"{game!r}: {game.state_text(state)} is not made of whole numbers, and cannot be observed.")
    return [int(number) for number in numbers]
