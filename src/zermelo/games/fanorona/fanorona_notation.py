"""Fanorona notation: the initial stones, positions, and what a stone has done in a turn.

OOO/O.X/XXX X                   the beginning on three rows of three; X, who is White, is to move
OO./..X/XX. X b2-a1             in the course of a turn: the stone on a1 came from b2 and may go on
O../..X/O.X O b3,b2-a1          it was on b3 before
"""

import re

from zermelo.bits import has_bit, ones, popcount
from zermelo.game import GameError
from zermelo.games.fanorona.fanorona_board import NO_WAY
from zermelo.games.support.grid_notation import PLAYERS, read_cells, rows_of


def first_stones(rows, columns):
    """Of White and of Black: the rows below and above, and in the middle row one by turns, from either side.

    On three and seven columns, where half a row has an odd number of stones, beginning at the centre with White to the
    left of it, as on five and nine, would give X.O and XOX.OXO: mirror images, and so the same game.

    >>> [rows_of(*first_stones(3, columns), columns, 3)[1] for columns in (3, 5, 7, 9)]
    ['O.X', 'OX.OX', 'OXO.XOX', 'OXOX.OXOX']
    """
    left = ("OX" * columns)[: columns // 2]
    right = left[::-1].translate(str.maketrans("XO", "OX"))
    cells = "O" * (rows // 2 * columns) + left + "." + right + "X" * (rows // 2 * columns)
    return tuple(sum(1 << point for point, mark in enumerate(cells) if mark == each) for each in PLAYERS)


def rows_text(game, state):
    """The rows, the top row first."""
    sides = (state.theirs, state.mine) if state.player else (state.mine, state.theirs)
    return rows_of(*sides, game.columns, game.rows)


def state_text(game, state):
    """The rows and who is to move; in the course of a turn the last step, after the points visited before it."""
    text = f"{'/'.join(rows_text(game, state))} {PLAYERS[state.player]}"
    if not state.path:
        return text
    from_point = state.at - game.shifts[state.way]
    before = "".join(f"{game.names[point]}," for point in ones(state.path ^ 1 << from_point ^ 1 << state.at))
    return f"{text} {before}{game.names[from_point]}-{game.names[state.at]}"


def parse_state(game, text):
    """The numbers of the state that is written."""
    words = text.split()
    first, second, player = read_cells(game, " ".join(words[:2]), game.columns, game.rows)
    mine, theirs = (second, first) if player else (first, second)
    if max(popcount(mine), popcount(theirs)) > len(game.names) // 2:
        raise GameError(f"{game!r}: {text!r} has more than {len(game.names) // 2} stones of a player.")
    if not theirs:
        raise GameError(f"{game!r}: {text!r} cannot arise, since the player to move has won already.")
    turn = read_turn(game, mine, theirs, " ".join(words[2:])) if words[2:] else (0, 0, NO_WAY)
    if turn is None:
        raise GameError(
            f"{game!r}: {text!r} does not end with the last step of a stone that can go on taking, such as 'b2-a1', or "
            "'b3,b2-a1' if it was on b3 before."
        )
    return mine, theirs, *turn, player


def read_turn(game, mine, theirs, text):
    """The path, the point and the last way of a stone in the course of a turn; None if it is impossible."""
    names = re.fullmatch(r"((?:\w+,)*)(\w+)-(\w+)", text)
    points = [*names[1].split(",")[:-1], names[2], names[3]] if names else []
    if not points or len(set(points)) < len(points) or set(points) - set(game.names):
        return None
    *_, from_point, at = points = [game.names.index(name) for name in points]
    ways = [way for way in range(8) if has_bit(game.stepped(1 << from_point, way), at)]
    path = sum(1 << point for point in points)
    stands = has_bit(mine, at) and not (path ^ 1 << at) & (mine | theirs)
    free = game.points & ~(mine | theirs | path)
    if not ways or not stands or not game.can_take(1 << at, theirs, free, ways[0]):
        return None
    return path, at, ways[0]
