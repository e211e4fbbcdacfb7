"""Chess notation: FEN and EPD for positions, SAN_PATTERN and UCI for moves."""

import re

from zermelo.bits import bit, byte_swap, has_bit, lsb, ones, popcount
from zermelo.game import ONGOING, GameError
from zermelo.games.chess.castling import CASTLE_LONG, CASTLE_SHORT, ROOK_OF_LETTER, is_castling
from zermelo.games.chess.chess_attacks import attackers_to
from zermelo.games.chess.chess_geometry import KING, PAWN, square_name
from zermelo.games.chess.chess_state import CORNERS, RANK_1, RANK_8, State, flipped, piece_type_at
from zermelo.games.chess.en_passant import is_en_passant, with_ep_square
from zermelo.games.chess.fen_placement import parse_bitboards, placement
from zermelo.games.chess.pins_and_checks import can_take_king, in_check
from zermelo.games.support.position_text import NoState

PIECE_LETTERS = " QRBNPK"
"""The letter of each piece type."""

SAN_PATTERN = re.compile(r"([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h])([1-8])(?:=?([QRBNqrbn]))?")

# -- positions ---------------------------------------------------------------------------------------------------------


def seen_by_white(state):
    """Return the position with White's pieces as `mine`, whichever player is to move."""
    return flipped(state)._replace(rights=byte_swap(state.rights)) if state.ply & 1 else state


def piece_letters(state):
    """Return the letters of the pieces by their squares, capitals for White."""
    white = seen_by_white(state)
    letters = {square: PIECE_LETTERS[piece_type_at(white, square)] for square in ones(white.mine | white.theirs)}
    return {square: letter if white.mine >> square & 1 else letter.lower() for square, letter in letters.items()}


def epd(state):
    """Return the first four fields of a FEN: placement, player to move, castling rights, en passant square."""
    rights = seen_by_white(state).rights
    castling = "".join(letter for letter, rook in ROOK_OF_LETTER.items() if rights >> rook & 1)
    ep_square = rights & ~CORNERS
    ep_name = square_name(lsb(ep_square)) if ep_square else "-"
    return f"{placement(piece_letters(state))} {'wb'[state.ply & 1]} {castling or '-'} {ep_name}"


def fen(state):
    """Return the position in Forsyth-Edwards notation; the en passant square is named if a capture there is legal."""
    return f"{epd(state)} {state.clock} {state.ply // 2 + 1}"


def parse_fen(game, text):
    """Return the position of a FEN or an EPD. Counters may be missing; other operations of an EPD are ignored.

    Raise GameError if the text describes no position of chess.
    """
    try:
        rows, *fields = text.split()
        side, castling, ep_name, *rest = fields + ["w", "-", "-"][len(fields) :]
        clock, number = _counters(rest)
        player = ("w", "b").index(side)
        white, black, *kinds = parse_bitboards(rows, flip=player == 1)
    except (ValueError, IndexError):
        example = fen(game.initial())
        raise NoState(f"{game!r}: {text!r} does not describe a position; one looks like {example!r}.") from None
    mine, theirs = (black, white) if player else (white, black)
    state = State(mine, theirs, *kinds, 0, clock, 2 * (number - 1) + player)
    if reason := _impossible(state):
        raise GameError(f"{game!r}: {text!r} is no position of chess, since {reason}.")
    state = state._replace(rights=_castling_rights(game, text, state, castling))
    if can_take_king(state):
        raise GameError(f"{game!r}: {text!r} is no position of chess, since the player to move could take the king.")
    return _with_ep_name(game, text, state, ep_name)


def _counters(fields):
    """Return the clock and the move number: two numbers, or the operations hmvc and fmvn of an EPD."""
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


def _impossible(state):
    """Return why no position has these pieces, or an empty text."""
    if (state.kings & state.mine).bit_count() != 1 or (state.kings & state.theirs).bit_count() != 1:
        return "each player has one king"
    if state.pawns & (RANK_1 | RANK_8):
        return "no pawn stands on the first or the last rank"
    if state.mine.bit_count() > 16 or state.theirs.bit_count() > 16:
        return "a player has at most sixteen pieces"
    return ""


def _castling_rights(game, text, state, castling):
    """Return the castling rights of a FEN. Raise GameError if king or rook is not at home."""
    rights = 0
    for letter in castling.replace("-", ""):
        side = state.mine if letter.isupper() == (state.ply & 1 == 0) else state.theirs
        rook = ROOK_OF_LETTER.get(letter, -1) ^ 56 * (state.ply & 1)
        rooks, kings = side & state.straights & ~state.diagonals, side & state.kings
        if letter not in ROOK_OF_LETTER or not has_bit(rooks, rook) or not has_bit(kings, rook // 8 * 8 + 4):
            raise GameError(f"{game!r}: {text!r} is no position of chess, since {letter!r} cannot castle there.")
        rights |= 1 << rook
    return rights


def _with_ep_name(game, text, state, ep_name):
    """Return the position with the en passant square of a FEN, if a capture there is legal."""
    if ep_name == "-":
        return state
    names = [square_name(square ^ 56 * (state.ply & 1)) for square in range(40, 48)]
    square = 40 + names.index(ep_name) if ep_name in names else 0
    pawn = square and state.pawns & state.theirs & bit(square - 8)
    if not pawn or (state.mine | state.theirs) & (bit(square) | bit(square + 8)):
        raise GameError(f"{game!r}: {text!r} is no position of chess, since no pawn has just passed {ep_name}.")
    return with_ep_square(state, bit(square))


# -- moves -------------------------------------------------------------------------------------------------------------


def squares(state, move):
    """Return the board squares of a move: from, to, and those of a castling rook or a pawn captured en passant."""
    to_square, from_square = move & 63, move >> 6 & 63
    touched = [from_square, to_square]
    if is_castling(state, move):
        touched += [7, 5] if move == CASTLE_SHORT else [0, 3]
    elif is_en_passant(state, move):
        touched.append(to_square - 8)
    return tuple(square ^ (0 if state.ply & 1 else 56) for square in touched)


def square_names(state, move):
    """Return the names of the from-square and the to-square of a move."""
    flip = 56 * (state.ply & 1)
    return square_name(move >> 6 & 63 ^ flip), square_name(move & 63 ^ flip)


def promotion(state, move):
    """Return the letter of the piece to which a pawn is promoted, or an empty text."""
    pawn = state.pawns & bit(move >> 6 & 63) and move >> 12 != PAWN
    return PIECE_LETTERS[move >> 12] if pawn else ""


def uci(state, move):
    """Return the move as the Universal Chess Interface writes it: e2e4, e7e8q, e1g1."""
    return "".join(square_names(state, move)) + promotion(state, move).lower()


def san(game, state, move):
    """Return the move in standard algebraic notation."""
    child = game.play(state, move)
    if not in_check(child):
        return _bare_san(game, state, move)
    return _bare_san(game, state, move) + ("+" if any(True for _ in game.moves(child)) else "#")


def _bare_san(game, state, move):
    """Return the move without the sign for check or mate."""
    if is_castling(state, move):
        return "O-O" if move == CASTLE_SHORT else "O-O-O"
    from_name, to_name = square_names(state, move)
    capture = "x" if state.theirs & bit(move & 63) or is_en_passant(state, move) else ""
    if state.pawns & bit(move >> 6 & 63):
        kind = promotion(state, move)
        return (from_name[0] if capture else "") + capture + to_name + (f"={kind}" if kind else "")
    return f"{PIECE_LETTERS[move >> 12]}{_disambiguation(game, state, move)}{capture}{to_name}"


def _disambiguation(game, state, move):
    """Return file, rank or both of the from-square, where another piece of the type can move to the same square."""
    kind, from_square = move >> 12, move >> 6 & 63
    if kind == KING or popcount(_same_type_attackers(state, move)) < 2:
        return ""
    others = [other >> 6 & 63 for other in game.moves(state) if (other ^ move) & ~0xFC0 == 0 and other != move]
    others = [other for other in others if not state.pawns & bit(other)]
    if not others:
        return ""
    name = square_names(state, move)[0]
    if all(other % 8 != from_square % 8 for other in others):
        return name[0]
    return name[1] if all(other // 8 != from_square // 8 for other in others) else name


def _same_type_attackers(state, move):
    """Return the mover's pieces of the same type that attack the to-square."""
    reaching = attackers_to(state, move & 63, state.mine | state.theirs) & state.mine
    return sum(1 << square for square in ones(reaching) if piece_type_at(state, square) == move >> 12)


def parse_move(game, state, text):
    """Return the legal move that a text names in SAN_PATTERN, complete or not, or in UCI.

    Raise GameError if no legal move or more than one fits.
    """
    moves = list(game.moves(state)) if game.result(state) == ONGOING else []
    found = _san_matches(state, moves, text.rstrip("+#!?"))
    found = found or [move for move in moves if uci(state, move) == text.lower()]
    if len(found) == 1:
        return found[0]
    where = f"in {fen(state)}"
    if not found:
        raise GameError(f"{game!r}: {text!r} is not a legal move {where}.")
    choice = " or ".join(san(game, state, move) for move in found)
    raise GameError(f"{game!r}: {text!r} can be {choice} {where}.")


def _san_matches(state, moves, text):
    """Return the moves that a text in SAN_PATTERN can mean."""
    if text.replace("0", "O") in ("O-O", "O-O-O"):
        castling = CASTLE_SHORT if len(text) == 3 else CASTLE_LONG
        return [move for move in moves if move == castling and is_castling(state, move)]
    found = SAN_PATTERN.fullmatch(text)
    if not found:
        return []
    letter, file, rank, to_file, to_rank, kind = (part or "" for part in found.groups())
    named = []
    for move in moves:
        from_name, to_name = square_names(state, move)
        same_type = PIECE_LETTERS[piece_type_at(state, move >> 6 & 63)] == (letter or "P")
        same_squares = to_name == to_file + to_rank and file in from_name and rank in from_name
        if same_type and same_squares and promotion(state, move) == kind.upper() and not is_castling(state, move):
            named.append(move)
    return named
