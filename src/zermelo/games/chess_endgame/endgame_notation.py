"""Notation of chess endgames: FEN for positions, SAN for moves, and the names of endgames."""

from zermelo.game import ONGOING, GameError
from zermelo.games.chess.chess_geometry import square_name
from zermelo.games.chess.fen_placement import parse_placement, placement
from zermelo.games.chess_endgame.endgame_position import State, ep_possible, in_check
from zermelo.games.chess_endgame.endgame_tables import SIDE_OFFSET, THEIRS
from zermelo.games.support.position_text import NoState

PIECE_LETTERS = "QRBNP"
HOME_SQUARES = {"Q": (3, 2), "R": (0, 7), "B": (2, 5), "N": (1, 6), "P": (12, 11)}
"""The squares on which pieces of an unknown endgame start: those of a game of chess, or nearly."""

LONGEST_WINS = {
    "KQK": "8/8/8/5k2/8/8/1Q6/K7", "KRK": "8/8/8/8/8/2k5/1R6/K7", "KPK": "8/8/8/1k6/8/8/K5P1/8",
    "KBBK": "8/8/8/8/7B/8/3k4/K2B4", "KBNK": "8/8/7N/8/8/8/8/K1k1B3", "KPPK": "8/8/8/8/8/2k3P1/6P1/K7",
    "KQKR": "8/8/8/8/2r5/8/2k5/K6Q", "KQKB": "8/6Q1/8/4b3/3k4/8/8/K7", "KQKN": "8/8/8/8/8/2k5/2n5/KQ6",
    "KQKP": "3Q4/3K4/8/8/8/3k4/3p4/8", "KRKB": "8/8/8/8/8/2R5/8/3K1bk1", "KRKN": "8/2R5/8/8/7k/3K4/8/4n3",
    "KRKP": "8/8/K7/3p4/8/3k4/4R3/8", "KPKR": "8/5k2/2PK4/5r2/8/8/8/8", "KPKP": "2K5/k7/7p/8/8/8/6P1/8",
}  # fmt: skip
"""Positions from which White, to move, needs the most moves to mate."""

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
    """Return endgames with more pieces first, then more pawns; of two with colours exchanged, one is kept."""

    def strength(endgame):
        white = endgame[1:].split("K")[0]
        return -len(white), [PIECE_LETTERS.index(letter) for letter in white]

    def is_stronger(endgame):
        other = colours_exchanged(endgame)
        return other not in endgames or strength(endgame) <= strength(other)

    once = [endgame for endgame in endgames if is_stronger(endgame)]
    return tuple(sorted(once, key=lambda endgame: (-len(endgame), -endgame.count("P"), strength(endgame), endgame)))


def kinds_of(endgame):
    """Return 11 * kind + kind of an endgame's pieces, where the side named first is to move."""
    mine, theirs = endgame[1:].split("K")
    kinds = [PIECE_LETTERS.index(letter) + 1 for letter in mine] + [
        PIECE_LETTERS.index(letter) + 1 + SIDE_OFFSET for letter in theirs
    ]
    first, second = (*sorted(kinds, reverse=True), 0, 0)[:2]
    return 11 * first + second


def start_of(game):
    """Return the FEN of a longest win, if one is known; otherwise all pieces are on their home squares."""
    endgame = sorted_name(game.material)
    if endgame in LONGEST_WINS:
        return f"{LONGEST_WINS[endgame]} w - -"
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
    for piece in (state.first, state.second):
        if piece:
            letter = PIECE_LETTERS[piece // 64 % SIDE_OFFSET - 1]
            found[piece % 64] = letter.lower() if piece >= THEIRS else letter
    return {square ^ 56: letter.swapcase() for square, letter in found.items()} if state.player else found


def fen(state):
    """Return the position in Forsyth-Edwards notation."""
    ep_name = square_name(state.first % 64 + 8 ^ 56 * state.player) if state.passant else "-"
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
        if ep_name != "-" and ep_possible(state) and ep_name == square_name(state.first % 64 + 8 ^ 56 * player):
            state = state._replace(passant=1)
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
    if len(kings) != 2 or len(pieces) != 2 + len(others) or len(others) > 2:
        raise ValueError(pieces)
    return State(player, kings["K"], kings["k"], *(*sorted(others, reverse=True), 0, 0)[:2], 0)


# -- moves -------------------------------------------------------------------------------------------------------------


def squares(state, move):
    """Return the board squares of a move: from, to, and that of a pawn captured en passant."""
    touched = [move // 64 % 64, move % 64]
    if state.passant and touched[0] == state.second % 64 and (touched[1] - touched[0]) % 8:
        touched.append(state.first % 64)
    return tuple(square ^ 56 * (1 - state.player) for square in touched)


def san(game, state, move):
    """Return the move in standard algebraic notation."""
    child = game.play(state, move)
    check = in_check(child.king, child.rival, child.first, child.second)
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
