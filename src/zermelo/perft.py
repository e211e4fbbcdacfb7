"""Perft: counting move sequences, the classic test of a move generator and of speed."""

from __future__ import annotations

from zermelo.game import ONGOING, Game, GameError, State
from zermelo.native.kernel import kernel
from zermelo.rules import start, successors


def perft(game: Game, depth: int, state: State = None) -> int:
    """How many move sequences of exactly `depth` plies start in `state`; a finished game has no successors.

    Outcomes of chance count as moves.

    >>> import zermelo as z
    >>> [z.perft(z.load("tic_tac_toe"), depth) for depth in range(5)]
    [1, 9, 72, 504, 3024]
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise GameError(f"perft of {game!r}: depth must be a whole number from 0 up, not {depth!r}.")
    state = start(game) if state is None else state
    return int(count_chance_leaves(game, state, depth) if game.has("is_chance") else count_leaves(game, state, depth))


def divide(game: Game, depth: int, state: State = None) -> dict[str, int]:
    """The perft of each move of `state`, in the game's notation: where two counts differ, this says after which move.

    >>> import zermelo as z
    >>> z.divide(z.load("connect_four"), 3)
    {'1': 49, '2': 49, '3': 49, '4': 49, '5': 49, '6': 49, '7': 49}
    """
    if depth < 1:
        raise GameError(f"divide of {game!r}: depth must be a whole number from 1 up, not {depth!r}.")
    state = start(game) if state is None else state
    return {
        game.move_text(state, move): perft(game, depth - 1, game.play(state, move)) for move in successors(game, state)
    }


@kernel(example=lambda game: (game.initial(), 1))
def count_leaves(game, state, depth):
    """Move sequences of exactly `depth` plies, in a game without chance. The last ply is counted, not played."""
    if depth == 0:
        return 1
    if game.result(state) != ONGOING:
        return 0
    total = 0
    for move in game.moves(state):
        total += 1 if depth == 1 else count_leaves(game, game.play(state, move), depth - 1)
    return total


@kernel
def count_chance_leaves(game, state, depth):
    """The same where chance takes part: its outcomes count as moves."""
    if depth == 0:
        return 1
    if game.result(state) != ONGOING:
        return 0
    total = 0
    if game.is_chance(state):
        for outcome, _ in game.chances(state):
            total += 1 if depth == 1 else count_chance_leaves(game, game.play(state, outcome), depth - 1)
        return total
    for move in game.moves(state):
        total += 1 if depth == 1 else count_chance_leaves(game, game.play(state, move), depth - 1)
    return total
