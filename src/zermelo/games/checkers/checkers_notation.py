"""Checkers notation: squares 1 to 32, moves 11-15 and 15x22x31, positions in the FEN of PDN.

B:W21,22,K30:B1,2,K5      Black is to move; White has men on 21 and 22 and a king on 30

Black moves first, from squares 1 to 12 at the top of the board. 21-32 means all squares from 21 to 32.
"""

import re
from functools import lru_cache

from zermelo.bits import ones
from zermelo.game import ONGOING, GameError
from zermelo.games.support.position_text import NoState
from zermelo.rules import legal_actions

START = "B:W21-32:B1-12"
COLOURS = "BW"
NUMBERS = frozenset(range(1, 33))
PIECES_PATTERN = re.compile(r"(K?)(\d\d?)(?:-(\d\d?))?")


def number_of(square, player):
    """The number of a square as it is written; the player to move counts squares from 0, White from the bottom."""
    return 32 - square if player else square + 1


def square_of(number, player):
    """The square that has this number."""
    return 32 - number if player else number - 1


def cell_of(number):
    """The cell of the Grid: 64 of them, row by row from the top left."""
    row, place = divmod(number - 1, 4)
    return 8 * row + 2 * place + (1 - row % 2)


def pieces_on(state):
    """Every piece as its number and its mark: x and o are men, X and O kings, of Black and of White."""
    for side, pieces in enumerate((state.mine, state.theirs)):
        mark = "xo"[state.player ^ side]
        for square in ones(pieces):
            yield number_of(square, state.player), mark.upper() if state.kings >> square & 1 else mark


def fen(state):
    """The position as PDN has it."""
    sides = {"x": [], "o": []}
    for number, mark in sorted(pieces_on(state)):
        sides[mark.lower()].append(f"K{number}" if mark.isupper() else str(number))
    return f"{COLOURS[state.player]}:W{','.join(sides['o'])}:B{','.join(sides['x'])}"


def parse_fen(game, text):
    """The pieces of the player to move, of the other player, the kings of both, and the player, 0 for Black."""
    colour, *parts = "".join(text.split()).upper().rstrip(".").split(":")
    sides = {part[:1]: _pieces(part[1:]) for part in parts}
    if colour not in ("B", "W") or len(parts) != 2 or set(sides) != {"B", "W"} or None in sides.values():
        raise NoState(f"{game!r}: {text!r} does not describe a state; one looks like {START!r}.")
    _check_pieces(game, text, sides)
    player = COLOURS.index(colour)
    mine, theirs = (_word(sides[each], player) for each in (colour, COLOURS[1 - player]))
    kings = [number for pieces in sides.values() for number, king in pieces.items() if king]
    return mine, theirs, _word(kings, player), player


def _pieces(text):
    """The squares of one side, and which of them hold kings; None if the text is malformed."""
    found = {}
    for part in text.split(",") if text else ():
        numbers = _numbers(part)
        if not numbers or any(number in found for number, _ in numbers):
            return None
        found.update(numbers)
    return found


@lru_cache(4096)
def _numbers(part):
    """The squares of a part, such as 7, K30 or 21-32, each with whether it holds a king; none if it is malformed."""
    piece = PIECES_PATTERN.fullmatch(part)
    numbers = range(int(piece[2]), int(piece[3] or piece[2]) + 1) if piece else ()
    return tuple((number, piece[1] == "K") for number in numbers)


def _check_pieces(game, text, sides):
    black, white = sides["B"], sides["W"]
    numbers = black.keys() | white.keys()
    if not numbers <= NUMBERS or black.keys() & white.keys():
        raise GameError(f"{game!r}: {text!r} needs each piece on a square of its own, from 1 to 32.")
    if max(len(black), len(white)) > 12:
        raise GameError(f"{game!r}: {text!r} has more than 12 pieces of a colour.")
    if any(not king and number > 28 for number, king in black.items()) or any(
        not king and number < 5 for number, king in white.items()
    ):
        raise GameError(f"{game!r}: {text!r} has a man on the last row, where it would be a king.")


def _word(numbers, player):
    return sum(1 << square_of(number, player) for number in numbers)


def parse_move(game, state, text):
    """Return the move written in full, 15x22x31, or as 15x31 if no other capture joins these squares."""
    moves = legal_actions(game, state) if game.result(state) == ONGOING else []
    texts = {game.move_text(state, move): move for move in moves}
    if text in texts:
        return texts[text]
    short = [move for full, move in texts.items() if re.sub(r"x.*x", "x", full) == text]
    if len(short) != 1:
        raise GameError(f"{game!r}: {text!r} is not a legal move in {game.state_text(state)}.")
    return short[0]
