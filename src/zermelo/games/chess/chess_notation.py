"""Chess in writing: FEN and EPD for positions, SAN and UCI for moves."""

import re

from zermelo.bits import bit, byte_swap, lsb, ones, popcount
from zermelo.game import ONGOING, GameError
from zermelo.games.chess.chess_attacks import (
    CORNERS,
    FIRST,
    KING,
    LONG,
    PASSED,
    SHORT,
    State,
    attackers,
    in_check,
    kind_at,
    my_king,
    other_view,
    with_passing,
)
from zermelo.games.chess.endgame_notation import men_in, rows_of, square_name
from zermelo.games.chess.square_tables import PAWN
from zermelo.games.support.position import NoState

LETTERS = " QRBNPK"
"""The letter of each kind of man."""

CASTLING = {"K": 7, "Q": 0, "k": 63, "q": 56}
"""Where the rook stands that each letter speaks of."""

SAN = re.compile(r"([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h])([1-8])(?:=?([QRBNqrbn]))?")

# -- positions ---------------------------------------------------------------------------------------------------------


def seen_by_white(state):
    """The sets of a position with White's men as `mine`, whoever is to move."""
    return other_view(state)._replace(rights=byte_swap(state.rights)) if state.ply & 1 else state


def men_on(state):
    """The letters of the men by their squares, capitals for White."""
    white = seen_by_white(state)
    letters = {square: LETTERS[kind_at(white, square)] for square in ones(white.mine | white.theirs)}
    return {square: man if white.mine >> square & 1 else man.lower() for square, man in letters.items()}


def epd(state):
    """The first four fields of a FEN: the men, who is to move, castling and taking in passing."""
    rows = "/".join(rows_of(men_on(state)))
    for count in range(8, 0, -1):
        rows = rows.replace("." * count, str(count))
    rights = seen_by_white(state).rights
    castling = "".join(letter for letter, rook in CASTLING.items() if rights >> rook & 1)
    passed = rights & ~CORNERS
    return f"{rows} {'wb'[state.ply & 1]} {castling or '-'} {square_name(lsb(passed)) if passed else '-'}"


def fen(state):
    """The position in Forsyth-Edwards notation; taking in passing is named where it is legal."""
    return f"{epd(state)} {state.clock} {state.ply // 2 + 1}"


def parse_fen(game, text):
    """The position of a FEN or an EPD, whose counters may be missing; other operations of an EPD are not read."""
    try:
        rows, *fields = text.split()
        side, castling, passed, *rest = fields + ["w", "-", "-"][len(fields) :]
        clock, number = _counters(rest)
        player = ("w", "b").index(side)
        men = men_in(rows)
        state = _placed(men)
    except (ValueError, IndexError):
        example = fen(game.initial())
        raise NoState(f"{game!r}: {text!r} does not describe a position; one looks like {example!r}.") from None
    if reason := _impossible(men):
        raise GameError(f"{game!r}: {text!r} is no position of chess, since {reason}.")
    state = state._replace(rights=_rights(game, text, dict(men), castling), clock=clock)
    if player:
        state = other_view(state)
    if in_check(other_view(state)):
        raise GameError(f"{game!r}: {text!r} is no position of chess, since the player to move could take the king.")
    state = state._replace(ply=2 * (number - 1) + player)
    return _with_passing(game, text, state, passed)


def _counters(fields):
    """The clock and the number of the move: two numbers, or the operations hmvc and fmvn of an EPD."""
    if all(field.isdecimal() for field in fields):
        clock, number = [int(field) for field in fields] + [0, 1][len(fields) :]
    else:
        operations = " ".join(fields)
        if not operations.endswith(";"):
            raise ValueError(fields)
        counts = [re.search(rf"\b{name} (\d+);", operations) for name in ("hmvc", "fmvn")]
        clock, number = (int(found[1]) if found else default for found, default in zip(counts, (0, 1), strict=True))
    if clock > 1 << 30 or number > 1 << 30:
        raise ValueError(fields)
    return clock, max(number, 1)


def _placed(men):
    """The sets of these men, White's as `mine`."""
    sets = dict.fromkeys(State._fields, 0)
    kinds = {"P": "pawns", "N": "knights", "B": "diagonals", "R": "straights", "K": "kings"}
    for square, letter in men:
        sets["mine" if letter.isupper() else "theirs"] |= 1 << square
        for name in ("diagonals", "straights") if letter in "Qq" else (kinds.get(letter.upper()),):
            if name is None:
                raise ValueError(letter)
            sets[name] |= 1 << square
    return State(**sets)


def _impossible(men):
    """Why there can be no such men, or nothing."""
    letters = [letter for _, letter in men]
    if letters.count("K") != 1 or letters.count("k") != 1:
        return "each player has one king"
    if any(letter in "Pp" and not 8 <= square < 56 for square, letter in men):
        return "no pawn stands on the first or the last rank"
    if any(sum(letter.isupper() == white for letter in letters) > 16 for white in (True, False)):
        return "a player has at most sixteen men"
    return ""


def _rights(game, text, men, castling):
    """The rooks that may castle."""
    rights = 0
    for letter in castling.replace("-", ""):
        rook = CASTLING.get(letter, -1)
        king = rook // 8 * 8 + 4
        if rook < 0 or (men.get(rook), men.get(king)) != (("R", "K") if letter.isupper() else ("r", "k")):
            raise GameError(f"{game!r}: {text!r} is no position of chess, since {letter!r} cannot castle there.")
        rights |= 1 << rook
    return rights


def _with_passing(game, text, state, passed):
    """The position with the taking in passing that a FEN names, where it is legal."""
    if passed == "-":
        return state
    names = [square_name(square ^ 56 * (state.ply & 1)) for square in range(40, 48)]
    square = 40 + names.index(passed) if passed in names else 0
    pawn = square and state.pawns & state.theirs & bit(square - 8)
    if not pawn or (state.mine | state.theirs) & (bit(square) | bit(square + 8)):
        raise GameError(f"{game!r}: {text!r} is no position of chess, since no pawn has just passed {passed}.")
    return with_passing(state, bit(square))


# -- moves -------------------------------------------------------------------------------------------------------------


def squares(state, move):
    """What a move touches in the picture: origin, goal, and the squares of a rook that castles or a pawn taken."""
    goal, origin = move & 63, move >> 6 & 63
    touched = [origin, goal]
    if is_castling(state, move):
        touched += [7, 5] if goal == 6 else [0, 3]
    elif is_passing(state, move):
        touched.append(goal - 8)
    return tuple(square ^ (0 if state.ply & 1 else 56) for square in touched)


def is_castling(state, move):
    return move in (SHORT, LONG) and bool(state.rights & FIRST) and my_king(state) == 4


def is_passing(state, move):
    return move >> 12 == PAWN and bool(state.rights & PASSED & bit(move & 63))


def names(state, move):
    """The squares of a move, its origin and its goal."""
    turn = 56 * (state.ply & 1)
    return square_name(move >> 6 & 63 ^ turn), square_name(move & 63 ^ turn)


def promotion(state, move):
    """The letter of the man that a pawn becomes, or nothing."""
    pawn = state.pawns & bit(move >> 6 & 63) and move >> 12 != PAWN
    return LETTERS[move >> 12] if pawn else ""


def uci(state, move):
    """The move as the Universal Chess Interface writes it: e2e4, e7e8q, e1g1."""
    return "".join(names(state, move)) + promotion(state, move).lower()


def san(game, state, move):
    """The move in standard algebraic notation."""
    child = game.play(state, move)
    if not in_check(child):
        return _bare_san(game, state, move)
    return _bare_san(game, state, move) + ("+" if any(True for _ in game.moves(child)) else "#")


def _bare_san(game, state, move):
    """The notation without the sign for check and mate."""
    if is_castling(state, move):
        return "O-O" if move == SHORT else "O-O-O"
    origin, goal = names(state, move)
    takes = "x" if state.theirs & bit(move & 63) or is_passing(state, move) else ""
    if state.pawns & bit(move >> 6 & 63):
        kind = promotion(state, move)
        return (origin[0] if takes else "") + takes + goal + (f"={kind}" if kind else "")
    return f"{LETTERS[move >> 12]}{_which(game, state, move)}{takes}{goal}"


def _which(game, state, move):
    """File, rank or both of the origin, as far as another man of the kind can go there too."""
    kind, origin = move >> 12, move >> 6 & 63
    if kind == KING or popcount(_rivals(state, move)) < 2:
        return ""
    others = [other >> 6 & 63 for other in game.moves(state) if (other ^ move) & ~0xFC0 == 0 and other != move]
    others = [other for other in others if not state.pawns & bit(other)]
    if not others:
        return ""
    name = names(state, move)[0]
    if all(other % 8 != origin % 8 for other in others):
        return name[0]
    return name[1] if all(other // 8 != origin // 8 for other in others) else name


def _rivals(state, move):
    """The men of the mover's kind that attack the goal."""
    reaching = attackers(state, move & 63, state.mine | state.theirs) & state.mine
    return sum(1 << square for square in ones(reaching) if kind_at(state, square) == move >> 12)


def parse_move(game, state, text):
    """The legal move that a text names, in SAN, with or without what may be left out, or as in UCI."""
    moves = list(game.moves(state)) if game.result(state) == ONGOING else []
    found = _named(state, moves, text.rstrip("+#!?")) or [move for move in moves if uci(state, move) == text.lower()]
    if len(found) == 1:
        return found[0]
    where = f"in {fen(state)}"
    if not found:
        raise GameError(f"{game!r}: {text!r} is not a legal move {where}.")
    choice = " or ".join(san(game, state, move) for move in found)
    raise GameError(f"{game!r}: {text!r} can be {choice} {where}.")


def _named(state, moves, text):
    """The moves that a text in SAN can mean."""
    if text.replace("0", "O") in ("O-O", "O-O-O"):
        castles = SHORT if len(text) == 3 else LONG
        return [move for move in moves if move == castles and is_castling(state, move)]
    found = SAN.fullmatch(text)
    if not found:
        return []
    letter, file, rank, to_file, to_rank, kind = (part or "" for part in found.groups())
    named = []
    for move in moves:
        origin, to = names(state, move)
        same = LETTERS[kind_at(state, move >> 6 & 63)] == (letter or "P") and promotion(state, move) == kind.upper()
        if same and to == to_file + to_rank and file in origin and rank in origin and not is_castling(state, move):
            named.append(move)
    return named
