"""Perft and divide: count move sequences, the standard test of a move generator and of its speed."""

from __future__ import annotations

from zermelo.arguments import check_choice, check_int, checked_game
from zermelo.game import ONGOING, Game, State
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import chances_into, count_moves, given_state, legal_actions, moves_into
from zermelo.word_arrays import Words

MAX_PERFT_DEPTH = 500
"""Plies that fit the recursion limit, compiled and interpreted."""

SEQUENCE_MOVES = 1 << 16
"""Room for the moves of all states of a sequence, unless it is found too short."""

NO_ROOM = -1
"""What `count_leaves` returns if the buffer is too short."""


def perft(game: Game, depth: int, state: State = None, *, interpreted: bool = False, on: str = "cpu") -> int:
    """The number of move sequences of exactly `depth` plies from `state`. A finished game has no successors.

    Chance outcomes count as moves. With `interpreted` the rules run as plain Python even if they compile. `on="cuda"`
    counts on a GPU.

    >>> import zermelo as z
    >>> [z.perft(z.load("tic_tac_toe"), depth) for depth in range(5)]
    [1, 9, 72, 504, 3024]
    """
    _check_depth("perft", checked_game("perft", game), depth, 0)
    check_choice(f"perft of {game!r}", ("cpu", "cuda"), on=on)
    state = given_state(game, state)
    if on == "cuda" and depth > 0:
        from zermelo.native.device.device_perft import perft_on_device

        return perft_on_device(game, state, depth)
    buffer = Words.zeros(SEQUENCE_MOVES)
    compiled = not interpreted and count_leaves.ready(game, state, depth, buffer)
    if not compiled or depth < 2 or game.result(state) != ONGOING:
        return _count_interpreted(game, state, depth)
    while (leaves := count_leaves(game, state, depth, buffer)) == NO_ROOM:
        buffer = Words.zeros(2 * len(buffer))
    return int(leaves)


def divide(
    game: Game, depth: int, state: State = None, *, interpreted: bool = False, on: str = "cpu"
) -> dict[str, int]:
    """The perft of each move of `state`, in the game's notation. Where two programs differ, it shows after which move.

    >>> import zermelo as z
    >>> z.divide(z.load("connect_four"), 3)
    {'1': 49, '2': 49, '3': 49, '4': 49, '5': 49, '6': 49, '7': 49}
    """
    _check_depth("divide", checked_game("divide", game), depth, 1)
    state = given_state(game, state)
    return {
        game.move_text(state, move): perft(game, depth - 1, game.play(state, move), interpreted=interpreted, on=on)
        for move in legal_actions(game, state)
    }


def _check_depth(what: str, game: Game, depth: int, least: int) -> None:
    check_int(f"{what} of {game!r}", least=least, most=MAX_PERFT_DEPTH, depth=depth)


def _count_interpreted(game: Game, state: State, depth: int) -> int:
    """Count as `count_leaves` does, with states and moves of any type."""
    if depth == 0:
        return 1
    actions = legal_actions(game, state)
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:  # no generator, which would take a second frame for each ply
        total += _count_interpreted(game, game.play(state, action), depth - 1)
    return total


@kernel(kinds="state int words", example=lambda game: (game.initial(), 2, Words.zeros(1)))
def count_leaves(game, state, depth, buffer):
    """Count move sequences of `depth` plies, at least 2, from an unfinished state. The last ply is counted, not played.

    Return NO_ROOM if the moves of a sequence do not fit the buffer.
    """
    if game.is_chance(state):
        room = len(buffer) // 2
        count = chances_into(game, state, buffer.part(0, room), buffer.reals(room, room))
    else:
        room = len(buffer)
        count = moves_into(game, state, buffer)
    if count > room:
        return NO_ROOM
    rest = buffer.part(count, len(buffer) - count)
    total = 0
    for i in range(count):
        child = game.play(state, buffer[i])
        if game.result(child) != ONGOING:
            continue
        if depth > 2:
            leaves = count_leaves(game, child, depth - 1, rest)
            if leaves == NO_ROOM:
                return NO_ROOM
            total += leaves
        elif game.is_chance(child):
            total += chances_into(game, child, rest.part(0, 0), rest.reals(0, 0))
        else:
            total += count_moves(game, child)
    return total
