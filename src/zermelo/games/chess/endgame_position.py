"""A chess position of at most four men, what can be said of it without knowing the ending, and its number.

Everything is seen by the player to move, whose pawns go up; `chess_squares` says how squares and men are written.
"""

from typing import NamedTuple

from zermelo.games.chess.square_tables import (
    ATTACKS,
    BEYOND,
    BIT,
    COUPLES,
    KING,
    KINGS,
    PAIR_COUNTS,
    PAIRS,
    PAWN,
    PLACES,
    SIDE,
    STANDS,
    THEIRS,
    TURNED,
    WITH_PAWNS,
)

PASSANT = 11 * (PAWN + SIDE) + PAWN
"""The men among which one can take in passing: a pawn of theirs and one of mine."""


class State(NamedTuple):
    player: int  # to move: 0 is White, 1 is Black
    king: int  # the square of that player's king
    rival: int  # the square of the other king
    first: int  # the other men, the larger number first; 0 is no man
    second: int
    passant: int  # 1 if their pawn has just gone two squares and mine can take it in passing


# -- attacks -----------------------------------------------------------------------------------------------------------


def reach(man, king, rival, other):
    """The squares that a man attacks among the others."""
    row = man % 64 * 64
    hidden = BEYOND[row + king] | BEYOND[row + rival]
    if other:
        hidden |= BEYOND[row + other % 64]
    return ATTACKS[man] & ~hidden


def in_check(king, rival, first, second):
    """Whether a man of theirs attacks my king."""
    return (first >= THEIRS and hits(first, king, rival, second)) or (
        second >= THEIRS and hits(second, king, rival, first)
    )


def gives_check(king, rival, first, second):
    """Whether a man of mine attacks their king, which only they can have left there."""
    return (0 < first < THEIRS and hits(first, rival, king, second)) or (
        0 < second < THEIRS and hits(second, rival, king, first)
    )


def hits(man, square, king, other):
    """Whether a man attacks the square, a king and another man, if there is one, perhaps in between."""
    if not ATTACKS[man] & BIT[square]:
        return False
    row = man % 64 * 64
    return not BEYOND[row + king] & BIT[square] and not (other and BEYOND[row + other % 64] & BIT[square])


# -- moving ------------------------------------------------------------------------------------------------------------


def shifted(man, kind, origin, goal, taken):
    """A man after a move: gone to the goal, as another kind perhaps, or taken, or where it was."""
    if man == 0 or man % 64 == taken:
        return 0
    if man % 64 == origin:
        return (kind * 64 if kind else man - origin) + goal
    return man


def moved(state, move):
    """King, rival and the two men after a move, before the board is turned."""
    kind, origin, goal = move >> 12, move >> 6 & 63, move & 63
    taken = goal
    if state.passant and origin == state.second % 64 and (goal - origin) % 8:
        taken = state.first % 64
    king = goal if origin == state.king else state.king
    first = shifted(state.first, kind, origin, goal, taken)
    second = shifted(state.second, kind, origin, goal, taken)
    return king, state.rival, first, second


def is_safe(state, move):
    """Whether a move leaves my king unattacked."""
    king, rival, first, second = moved(state, move)
    return not in_check(king, rival, first, second)


def turned(player, king, rival, first, second):
    """The position seen by the other side, who is `player`: kings and men change sides, the board turns upside down."""
    one, two = other_side(first), other_side(second)
    if one < two:
        one, two = two, one
    return State(player, rival ^ 56, king ^ 56, one, two, 0)


def other_side(man):
    if man == 0:
        return 0
    return (man ^ 56) - SIDE * 64 if man >= THEIRS else (man ^ 56) + SIDE * 64


def goals(state, man, other):
    """The squares to which a man of mine can go, safe for the king or not, or where it protects the other man."""
    if man // 64 != PAWN:
        return reach(man, state.king, state.rival, other)
    taken = BIT[state.king] | BIT[state.rival] | STANDS[other]
    found = BIT[man % 64 + 8] & ~taken
    if found and man % 64 < 16:
        found |= BIT[man % 64 + 16] & ~taken
    if other >= THEIRS:
        found |= ATTACKS[man] & STANDS[other]
    if state.passant:
        found |= BIT[other % 64 + 8]
    return found


def origins(state, man, other):
    """The squares from which a man of theirs may have come, taken or not."""
    if man // 64 != PAWN + SIDE:
        return reach(man, state.king, state.rival, other)
    square = man % 64
    found = STANDS[0]
    if square < 48 and not state.passant:
        found |= BIT[square + 8]
    taken = BIT[state.king] | BIT[state.rival] | STANDS[other]
    if square // 8 == 4 and can_pass(state) == state.passant and not BIT[square + 8] & taken:
        found |= BIT[square + 16]
    return found


def can_pass(state):
    """Whether their pawn may have come by two squares and mine can take it in passing.

    That leaves a bare king, so no man is pinned and the capture is always legal.
    """
    theirs, mine = state.first % 64, state.second % 64
    if state.first // 64 != PAWN + SIDE or state.second // 64 != PAWN:
        return False
    if theirs // 8 != 4 or mine // 8 != 4 or abs(theirs - mine) != 1:
        return False
    kings = BIT[state.king] | BIT[state.rival]
    return not kings & (BIT[theirs + 8] | BIT[theirs + 16])


def marked(state):
    """The same position, where a pawn can be taken in passing."""
    return State(state.player, state.king, state.rival, state.first, state.second, 1)


def is_legal(state):
    """Men on squares of their own, pawns off the first and last rank, kings apart, theirs not attacked."""
    king, rival, first, second = state.king, state.rival, state.first, state.second
    if king == rival or KING[king] & BIT[rival] or (state.passant and not can_pass(state)):
        return False
    if not (stands_apart(first, king, rival) and stands_apart(second, king, rival)):
        return False
    return not (second and first % 64 == second % 64) and not gives_check(king, rival, first, second)


def stands_apart(man, king, rival):
    square = man % 64
    if man // 64 % SIDE == 0 and man and not 8 <= square < 56:
        return False
    return man == 0 or (square != king and square != rival)


# -- numbers -----------------------------------------------------------------------------------------------------------


def half_size(kinds):
    """How many numbers there are for the kings and men of these kinds, with one side to move."""
    return PAIR_COUNTS[int(WITH_PAWNS[kinds])] * int(PLACES[kinds])


def placed(first, second, way):
    """The number of the men's squares after one of the board's symmetries."""
    one, two = place(first, way), place(second, way)
    if first // 64 != second // 64:
        return one * ((48 if second // 64 % SIDE == 0 else 64) if second else 1) + two
    if one < two:
        one, two = two, one
    return one * (one - 1) // 2 + two if first else 0


def place(man, way):
    """A man's square after a symmetry, counted from 0; pawns have 48 squares."""
    if man == 0:
        return 0
    return int(TURNED[way * 64 + man % 64]) - (8 if man // 64 % SIDE == 0 else 0)


def placed_at(kinds, number):
    """The two men of these kinds with the number of their squares: the inverse of `placed`."""
    first, second = kinds // 11, kinds % 11
    ways = (48 if second % SIDE == 0 else 64) if second else 1
    one, two = number // ways, number % ways
    if first == second:
        couple = int(COUPLES[number])
        one, two = couple // 64, couple % 64
    return man_at(first, one), man_at(second, two)


def man_at(kind, place):
    return kind * 64 + place + (8 if kind % SIDE == 0 else 0) if kind else 0


def passing_number(state, pair):
    """The number of a position with a taking in passing: the kings, my pawn's file, on which side of it theirs is."""
    way = pair % 8
    mine = int(TURNED[way * 64 + state.second % 64]) % 8
    theirs = int(TURNED[way * 64 + state.first % 64]) % 8
    return pair // 16 * 16 + 2 * mine + (theirs > mine)


def passing_at(number):
    """The position with this number: the inverse of `passing_number`."""
    kings = int(KINGS[PAIR_COUNTS[0] + number // 16])
    mine = 32 + number % 16 // 2
    theirs = mine + 1 if number % 2 else mine - 1
    return State(0, kings // 64, kings % 64, (PAWN + SIDE) * 64 + theirs, PAWN * 64 + mine, 1)


def pair_of(state, kinds):
    """What PAIRS says of the kings of this position, which has men of these kinds."""
    return int(PAIRS[int(WITH_PAWNS[kinds]) * 4096 + state.king * 64 + state.rival])


def image(state, way):
    """The position after one of the board's symmetries."""
    first, second = turned_man(state.first, way), turned_man(state.second, way)
    if first < second:
        first, second = second, first
    king, rival = int(TURNED[way * 64 + state.king]), int(TURNED[way * 64 + state.rival])
    return State(state.player, king, rival, first, second, state.passant)


def turned_man(man, way):
    return man - man % 64 + int(TURNED[way * 64 + man % 64]) if man else 0
