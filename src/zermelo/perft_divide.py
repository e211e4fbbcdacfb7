"""Perft and divide: count move sequences, the standard test of a move generator and of its speed."""

from __future__ import annotations

from zermelo.arguments import check_int, checked_game
from zermelo.game import ONGOING, Game, State
from zermelo.native.kernel_dispatch import Kernel, kernel
from zermelo.rules import count_moves, given_state, has_chance, legal_actions

MAX_PERFT_DEPTH = 500
"""Plies that fit the recursion limit, compiled and interpreted."""


def perft(game: Game, depth: int, state: State = None, *, interpreted: bool = False) -> int:
    """The number of move sequences of exactly `depth` plies from `state`. A finished game has no successors.

    Chance outcomes count as moves. With `interpreted` the rules run as plain Python even if they compile.

    >>> import zermelo as z
    >>> [z.perft(z.load("tic_tac_toe"), depth) for depth in range(5)]
    [1, 9, 72, 504, 3024]
    """
    _check_depth("perft", checked_game("perft", game), depth, 0)
    state = given_state(game, state)
    count = leaf_counter(game)
    return int((count.interpreted if interpreted else count)(game, state, depth))


def divide(game: Game, depth: int, state: State = None, *, interpreted: bool = False) -> dict[str, int]:
    """The perft of each move of `state`, in the game's notation. Where two programs differ, it shows after which move.

    >>> import zermelo as z
    >>> z.divide(z.load("connect_four"), 3)
    {'1': 49, '2': 49, '3': 49, '4': 49, '5': 49, '6': 49, '7': 49}
    """
    _check_depth("divide", checked_game("divide", game), depth, 1)
    state = given_state(game, state)
    return {
        game.move_text(state, move): perft(game, depth - 1, game.play(state, move), interpreted=interpreted)
        for move in legal_actions(game, state)
    }


def leaf_counter(game: Game) -> Kernel:
    """The kernel that counts the leaves of a game: with or without chance."""
    counter: Kernel = count_chance_leaves if has_chance(game) else count_leaves
    return counter


def _check_depth(what: str, game: Game, depth: int, least: int) -> None:
    check_int(f"{what} of {game!r}", least=least, most=MAX_PERFT_DEPTH, depth=depth)


@kernel(example=lambda game: (game.initial(), 1))
def count_leaves(game, state, depth):
    """Count move sequences of exactly `depth` plies in a game without chance. The last ply is counted, not played."""
    if depth == 0:
        return 1
    if game.result(state) != ONGOING:
        return 0
    if depth == 1:
        return count_moves(game, state)
    total = 0
    for move in game.moves(state):
        total += count_leaves(game, game.play(state, move), depth - 1)
    return total


@kernel
def count_chance_leaves(game, state, depth):
    """Count move sequences in a game with chance: its outcomes count as moves."""
    if depth == 0:
        return 1
    if game.result(state) != ONGOING:
        return 0
    total = 0
    if game.is_chance(state):
        for outcome, _ in game.chances(state):
            total += 1 if depth == 1 else count_chance_leaves(game, game.play(state, outcome), depth - 1)
        return total
    if depth == 1:
        return count_moves(game, state)
    for move in game.moves(state):
        total += count_chance_leaves(game, game.play(state, move), depth - 1)
    return total
