"""Notation of chess endgames: FEN for positions, SAN for moves, and the names of endgames."""

from zermelo.bits import ones
from zermelo.game import ONGOING, GameError
from zermelo.games.chess.chess_geometry import PAWN, square_name
from zermelo.games.chess.fen_placement import parse_placement, placement
from zermelo.games.chess_endgame.endgame_position import State, ep_targets, has_piece
from zermelo.games.chess_endgame.endgame_tables import SIDE_OFFSET, THEIRS
from zermelo.games.chess_endgame.longest_wins import LONGEST_WINS
from zermelo.games.support.position_text import NoState

PIECE_LETTERS = "QRBNP"
HOME_SQUARES = {"Q": (3, 19, 18), "R": (0, 7, 16), "B": (2, 5, 20), "N": (1, 6, 17), "P": (12, 11, 10)}
"""The squares on which pieces of an unknown endgame start: those of a game of chess, or nearly."""

# -- endgames ----------------------------------------------------------------------------------------------------------


def sorted_name(endgame):
    """Return the name of an endgame with each side's pieces in the usual order: KNBK is KBNK."""
    return "".join("K" + "".join(sorted(side, key=PIECE_LETTERS.index)) for side in endgame[1:].split("K"))


def colours_exchanged(endgame):
    """Return the endgame with colours exchanged."""
    white, black = endgame[1:].split("K")
    return f"K{black}K{white}"


def followers(endgame):
    """Yield the endgames that one capture or one promotion leads to."""
    for i, letter in enumerate(endgame):
        if letter != "K":
            yield endgame[:i] + endgame[i + 1 :]
        if letter == "P":
            for kind in "QRBN":
                yield sorted_name(endgame[:i] + kind + endgame[i + 1 :])


def in_stage_order(endgames):
    """Return endgames with more pieces first, then more pawns; of two with colours exchanged, one is listed."""
    once = {with_stronger_side_first(endgame) for endgame in endgames}
    return tuple(sorted(once, key=lambda endgame: (-len(endgame), -endgame.count("P"), _strength(endgame), endgame)))


def with_stronger_side_first(endgame):
    """Return the endgame or the one with colours exchanged: the side with more pieces, or better ones, is first."""
    return min(endgame, colours_exchanged(endgame), key=_strength)


def _strength(endgame):
    white = endgame[1:].split("K")[0]
    return -len(white), [PIECE_LETTERS.index(letter) for letter in white]


def kinds_of_name(endgame):
    """Return the kinds of an endgame's pieces, numbered as in `endgame_index`, with the side named first to move."""
    mine, theirs = endgame[1:].split("K")
    kinds = [PIECE_LETTERS.index(letter) + 1 for letter in mine] + [
        PIECE_LETTERS.index(letter) + 1 + SIDE_OFFSET for letter in theirs
    ]
    first, second, third = (*sorted(kinds, reverse=True), 0, 0, 0)[:3]
    return 121 * first + 11 * second + third


def start_of(game):
    """Return the FEN of a longest win, if one is known; otherwise all pieces are on their home squares."""
    endgame = sorted_name(game.material)
    if endgame in LONGEST_WINS:
        return f"{LONGEST_WINS[endgame][1]} w - -"
    letters = {4: "K", 60: "k"}
    for side, rank in zip(endgame[1:].split("K"), (0, 56), strict=True):
        for i, letter in enumerate(side):
            square = HOME_SQUARES[letter][side[:i].count(letter)] ^ rank
            letters[square] = letter.lower() if rank else letter
    return f"{placement(letters)} w - -"


# -- positions ---------------------------------------------------------------------------------------------------------


def piece_letters(state):
    """Return the letters of the pieces by their squares, capitals for White, seen by White."""
    found = {state.king: "K", state.rival: "k"}
    for piece in (state.first, state.second, state.third):
        if piece:
            letter = PIECE_LETTERS[piece // 64 % SIDE_OFFSET - 1]
            found[piece % 64] = letter.lower() if piece >= THEIRS else letter
    return {square ^ 56: letter.swapcase() for square, letter in found.items()} if state.player else found


def fen(state):
    """Return the position in Forsyth-Edwards notation."""
    ep_name = square_name(state.passant ^ 56 * state.player) if state.passant else "-"
    return f"{placement(piece_letters(state))} {'wb'[state.player]} - {ep_name} 0 1"


def parse_fen(game, text):
    """Return the position of a FEN; its move counters may be missing and are ignored.

    Raise GameError if the text describes no position of this endgame.
    """
    try:
        rows, side, castling, ep_name = (*text.split(), "-", "-")[:4]
        pieces, player = parse_placement(rows), "wb".index(side)
        if castling != "-":
            raise ValueError(castling)
        state = _state(pieces, player)
        for target in ones(ep_targets(state)):
            if ep_name == square_name(target ^ 56 * player):
                state = state._replace(passant=target)
    except (ValueError, IndexError):
        example = fen(game.initial())
        raise NoState(f"{game!r}: {text!r} does not describe a position; one looks like {example!r}.") from None
    if game.stage(state) < 0:
        raise GameError(f"{game!r}: {text!r} is no position of this endgame or of one that can follow.")
    if game.index(state) < 0:
        raise GameError(f"{game!r}: {text!r} is not legal: a king could be taken, or a pawn cannot stand there.")
    return state


def _state(pieces, player):
    kings, others = {}, []
    for square, letter in pieces:
        if player:
            square, letter = square ^ 56, letter.swapcase()
        if letter in "Kk":
            kings[letter] = square
        else:
            others.append((PIECE_LETTERS.index(letter.upper()) + 1 + SIDE_OFFSET * letter.islower()) * 64 + square)
    if len(kings) != 2 or len(pieces) != 2 + len(others) or len(others) > 3:
        raise ValueError(pieces)
    return State(player, kings["K"], kings["k"], *(*sorted(others, reverse=True), 0, 0, 0)[:3], 0)


# -- moves -------------------------------------------------------------------------------------------------------------


def squares(state, move):
    """Return the board squares of a move: from, to, and that of a pawn captured en passant."""
    touched = [move // 64 % 64, move % 64]
    if state.passant == touched[1] and state.passant and has_piece(state, PAWN * 64 + touched[0]):
        touched.append(state.passant - 8)
    return tuple(square ^ 56 * (1 - state.player) for square in touched)


def san(game, state, move):
    """Return the move in standard algebraic notation."""
    child = game.play(state, move)
    check = game.forcing(child)
    over = game.result(child) == ONGOING and not any(True for _ in game.moves(child))
    return _bare_san(game, state, move) + ("" if not check else "#" if over else "+")


def _bare_san(game, state, move):
    """Return the move without the sign for check or mate."""
    letters = piece_letters(state)
    flip = 56 * state.player
    from_square, to_square = move // 64 % 64 ^ flip, move % 64 ^ flip
    letter = letters[from_square].upper()
    capture = "x" if len(squares(state, move)) == 3 or to_square in letters else ""
    if letter == "P":
        promoted = f"={PIECE_LETTERS[move // 4096 - 1]}" if move >= 4096 else ""
        return f"{square_name(from_square)[0] if capture else ''}{capture}{square_name(to_square)}{promoted}"
    return f"{letter}{_disambiguation(game, state, move, letters)}{capture}{square_name(to_square)}"


def _disambiguation(game, state, move, letters):
    """Return file, rank or both of the from-square, where another piece of the type can move to the same square."""
    flip = 56 * state.player
    from_square = move // 64 % 64 ^ flip
    sources = [other // 64 % 64 ^ flip for other in game.moves(state) if other % 64 == move % 64]
    others = [square for square in sources if square != from_square and letters[square] == letters[from_square]]
    if not others:
        return ""
    name = square_name(from_square)
    if all(square % 8 != from_square % 8 for square in others):
        return name[0]
    return name[1] if all(square // 8 != from_square // 8 for square in others) else name


def parse_san(game, state, text):
    """Return the legal move that a text names: SAN, with or without its last sign, or as in e7e8q.

    Raise GameError if there is none.
    """
    bare = text.rstrip("+#")
    flip = 56 * state.player
    for move in game.moves(state) if game.result(state) == ONGOING else ():
        kind = PIECE_LETTERS[move // 4096 - 1].lower() if move >= 4096 else ""
        plain = square_name(move // 64 % 64 ^ flip) + square_name(move % 64 ^ flip) + kind
        if bare in (plain, _bare_san(game, state, move)):
            return move
    raise GameError(f"{game!r}: {text!r} is not a legal move in {fen(state)}.")
