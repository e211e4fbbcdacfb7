"""What follows from a game's rules: the few questions every algorithm asks.

They are functions, not methods, so that authors may name their own helpers as they like. Each works interpreted,
and inside a `@kernel` compiled (`native/bridge.py` holds the compiled forms).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zermelo.game import ONGOING, Game, GameError, Move, State


def alternates(game: Game) -> bool:
    """Whether the players strictly take turns."""
    return not game.has("mover") if game.alternates is None else game.alternates


def has_chance(game: Game) -> bool:
    """Whether chance takes part in the game."""
    return game.has("is_chance")


def has_distance(game: Game) -> bool:
    """Whether a win in three plies beats a win in five: not where points or expectations are compared."""
    return not game.margin and not has_chance(game)


def start(game: Game) -> State:
    """The initial state, seen to be a value that can be stored and compared."""
    state = game.initial()
    try:
        hash(state)
    except TypeError as error:
        raise GameError(
            f"{game!r}: `initial` returned {state!r}, which cannot be a state ({error}); use tuples in place of lists."
        ) from None
    return state


def turns(game: Game, state: State, child: State) -> bool:
    """Whether the other player sees `child`, a successor of `state`: then its value changes sign."""
    return alternates(game) or game.mover(state) != game.mover(child)


def mover(game: Game, state: State) -> int | None:
    """Who is to move, 0 or 1; None where the states do not tell."""
    return game.mover(state) if game.has("mover") else None


def successors(game: Game, state: State) -> list[Move]:
    """The moves of a state, or the outcomes where chance moves; none once the game is over."""
    if game.result(state) != ONGOING:
        return []
    if game.is_chance(state):
        return [outcome for outcome, _ in game.chances(state)]
    return list(game.moves(state))


def payoff(game: Game, state: State) -> int:
    """ONGOING, or what the mover gets here: `result`, and `stuck` where no move is left."""
    result = game.result(state)
    if result == ONGOING and not game.is_chance(state) and not any(True for _ in game.moves(state)):
        return game.stuck(state)
    return result


def moves_into(game: Game, state: State, buffer: Any) -> int:
    """Store the moves in `buffer` and return how many there are; those beyond its length are only counted."""
    return _into(game.moves(state), buffer)


def candidates_into(game: Game, state: State, buffer: Any) -> int:
    """Store the moves that matter in `buffer` and return how many there are."""
    return _into(game.candidates(state), buffer)


def chances_into(game: Game, state: State, outcomes: Any, probabilities: Any) -> int:
    """Store the outcomes of a chance state and their probabilities, and return how many there are."""
    chances = list(game.chances(state))
    _into((outcome for outcome, _ in chances), outcomes)
    return _into((probability for _, probability in chances), probabilities)


def _into(values: Iterable[Any], buffer: Any) -> int:
    count = 0
    for value in values:
        if count < len(buffer):
            buffer[count] = value
        count += 1
    return count
