"""Chess in writing: FEN for positions, SAN for moves, and the names of endings."""

from zermelo.board import Piece
from zermelo.game import ONGOING, GameError
from zermelo.games.chess.endgame_position import State, can_pass, in_check
from zermelo.games.chess.square_tables import SIDE, THEIRS
from zermelo.games.support.position import NoState

LETTERS = "QRBNP"
HOME = {"Q": (3, 2), "R": (0, 7), "B": (2, 5), "N": (1, 6), "P": (12, 11)}
"""Where men stand at the start of a game of chess, or nearly."""

LONGEST = {
    "KQK": "8/8/8/5k2/8/8/1Q6/K7", "KRK": "8/8/8/8/8/2k5/1R6/K7", "KPK": "8/8/8/1k6/8/8/K5P1/8",
    "KBBK": "8/8/8/8/7B/8/3k4/K2B4", "KBNK": "8/8/7N/8/8/8/8/K1k1B3", "KPPK": "8/8/8/8/8/2k3P1/6P1/K7",
    "KQKR": "8/8/8/8/2r5/8/2k5/K6Q", "KQKB": "8/6Q1/8/4b3/3k4/8/8/K7", "KQKN": "8/8/8/8/8/2k5/2n5/KQ6",
    "KQKP": "3Q4/3K4/8/8/8/3k4/3p4/8", "KRKB": "8/8/8/8/8/2R5/8/3K1bk1", "KRKN": "8/2R5/8/8/7k/3K4/8/4n3",
    "KRKP": "8/8/K7/3p4/8/3k4/4R3/8", "KPKR": "8/5k2/2PK4/5r2/8/8/8/8", "KPKP": "2K5/k7/7p/8/8/8/6P1/8",
}  # fmt: skip
"""Positions from which White needs the most moves to mate; White moves."""

NAMES = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
PIECES = (
    *(Piece(man, 0, glyph, f"white {NAMES[man]}") for man, glyph in zip("KQRBNP", "♔♕♖♗♘♙", strict=True)),
    *(Piece(man.lower(), 1, glyph, f"black {NAMES[man]}") for man, glyph in zip("KQRBNP", "♚♛♜♝♞♟", strict=True)),
)

# -- endings -----------------------------------------------------------------------------------------------------------


def tidy(ending):
    """The name of an ending with each side's men in the usual order: KNBK is KBNK."""
    return "".join("K" + "".join(sorted(side, key=LETTERS.index)) for side in ending[1:].split("K"))


def exchanged(ending):
    """The ending with colours exchanged."""
    white, black = ending[1:].split("K")
    return f"K{black}K{white}"


def left_by(ending):
    """The endings that one capture or one promotion leaves."""
    for i, man in enumerate(ending):
        if man != "K":
            yield ending[:i] + ending[i + 1 :]
        if man == "P":
            for kind in "QRBN":
                yield tidy(ending[:i] + kind + ending[i + 1 :])


def in_order(endings):
    """Endings with more men first, of these with more pawns; of two with colours exchanged, White the stronger."""

    def strength(ending):
        white = ending[1:].split("K")[0]
        return -len(white), [LETTERS.index(man) for man in white]

    once = [each for each in endings if exchanged(each) not in endings or strength(each) <= strength(exchanged(each))]
    return tuple(sorted(once, key=lambda ending: (-len(ending), -ending.count("P"), strength(ending), ending)))


def kinds_of(ending):
    """11 * kind + kind of an ending's men, where the side named first is to move."""
    mine, theirs = ending[1:].split("K")
    kinds = [LETTERS.index(man) + 1 for man in mine] + [LETTERS.index(man) + 1 + SIDE for man in theirs]
    first, second = (*sorted(kinds, reverse=True), 0, 0)[:2]
    return 11 * first + second


def start_of(game):
    """The text of a longest win, if this is a known one; otherwise everybody stands at home."""
    ending = tidy(game.material)
    if ending in LONGEST:
        return f"{LONGEST[ending]} w - -"
    men = {4: "K", 60: "k"}
    for side, rank in zip(ending[1:].split("K"), (0, 56), strict=True):
        for i, man in enumerate(side):
            square = HOME[man][side[:i].count(man)] ^ rank
            men[square] = man.lower() if rank else man
    return f"{'/'.join(rows_of(men))} w - -".replace(".", "1")


# -- positions ---------------------------------------------------------------------------------------------------------


def men_on(state):
    """The letters of the men by their squares, capitals for White, seen by White."""
    found = {state.king: "K", state.rival: "k"}
    for man in (state.first, state.second):
        if man:
            letter = LETTERS[man // 64 % SIDE - 1]
            found[man % 64] = letter.lower() if man >= THEIRS else letter
    return {square ^ 56: man.swapcase() for square, man in found.items()} if state.player else found


def rows_of(men):
    """Eight rows of letters and dots, the eighth rank first."""
    return tuple("".join(men.get(rank * 8 + file, ".") for file in range(8)) for rank in range(7, -1, -1))


def square_name(square):
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def fen(state):
    """The position in Forsyth-Edwards notation; the square of a taking in passing is named where there is one."""
    rows = "/".join(rows_of(men_on(state)))
    for count in range(8, 0, -1):
        rows = rows.replace("." * count, str(count))
    passed = square_name(state.first % 64 + 8 ^ 56 * state.player) if state.passant else "-"
    return f"{rows} {'wb'[state.player]} - {passed} 0 1"


def parse_fen(game, text):
    """The position that a FEN describes; its move counters may be missing and are not read."""
    try:
        rows, side, castling, passed = (*text.split(), "-", "-")[:4]
        men, player = men_in(rows), "wb".index(side)
        if castling != "-":
            raise ValueError(castling)
        state = _state(men, player)
        if passed != "-" and can_pass(state) and passed == square_name(state.first % 64 + 8 ^ 56 * player):
            state = state._replace(passant=1)
    except (ValueError, IndexError):
        example = fen(game.initial())
        raise NoState(f"{game!r}: {text!r} does not describe a position; one looks like {example!r}.") from None
    if game.stage(state) < 0:
        raise GameError(f"{game!r}: {text!r} is no position of this ending or of one that can follow.")
    if game.index(state) < 0:
        raise GameError(f"{game!r}: {text!r} is not legal: a king could be taken, or a pawn cannot stand there.")
    return state


def men_in(rows):
    """(square, letter) of every man."""
    found = []
    ranks = rows.split("/")
    for rank, row in zip(range(7, -1, -1), ranks, strict=True):
        file = 0
        for sign in row:
            if sign in "12345678":
                file += int(sign)
            else:
                found.append((rank * 8 + file, sign))
                file += 1
        if file != 8:
            raise ValueError(row)
    return found


def _state(men, player):
    kings, others = {}, []
    for square, letter in men:
        if player:
            square, letter = square ^ 56, letter.swapcase()
        if letter in "Kk":
            kings[letter] = square
        else:
            others.append((LETTERS.index(letter.upper()) + 1 + SIDE * letter.islower()) * 64 + square)
    if len(kings) != 2 or len(men) != 2 + len(others) or len(others) > 2:
        raise ValueError(men)
    return State(player, kings["K"], kings["k"], *(*sorted(others, reverse=True), 0, 0)[:2], 0)


# -- moves -------------------------------------------------------------------------------------------------------------


def squares(state, move):
    """The squares of the picture that a move touches: origin, goal, and that of a pawn taken in passing."""
    touched = [move // 64 % 64, move % 64]
    if state.passant and touched[0] == state.second % 64 and (touched[1] - touched[0]) % 8:
        touched.append(state.first % 64)
    return tuple(square ^ 56 * (1 - state.player) for square in touched)


def san(game, state, move):
    """The move in standard algebraic notation."""
    child = game.play(state, move)
    check = in_check(child.king, child.rival, child.first, child.second)
    over = game.result(child) == ONGOING and not any(True for _ in game.moves(child))
    return _bare_san(game, state, move) + ("" if not check else "#" if over else "+")


def _bare_san(game, state, move):
    """The notation without the sign for check and mate."""
    men = men_on(state)
    turn = 56 * state.player
    origin, goal = move // 64 % 64 ^ turn, move % 64 ^ turn
    letter = men[origin].upper()
    takes = "x" if len(squares(state, move)) == 3 or goal in men else ""
    if letter == "P":
        promoted = f"={LETTERS[move // 4096 - 1]}" if move >= 4096 else ""
        return f"{square_name(origin)[0] if takes else ''}{takes}{square_name(goal)}{promoted}"
    return f"{letter}{_which(game, state, move, men)}{takes}{square_name(goal)}"


def _which(game, state, move, men):
    """File, rank or both of the origin, as far as another man of the kind can go there too."""
    turn = 56 * state.player
    origin = move // 64 % 64 ^ turn
    goals = [other // 64 % 64 ^ turn for other in game.moves(state) if other % 64 == move % 64]
    others = [square for square in goals if square != origin and men[square] == men[origin]]
    if not others:
        return ""
    name = square_name(origin)
    if all(square % 8 != origin % 8 for square in others):
        return name[0]
    return name[1] if all(square // 8 != origin // 8 for square in others) else name


def parse_san(game, state, text):
    """The legal move that a text names: SAN, with or without its last sign, or origin and goal as in e7e8q."""
    bare = text.rstrip("+#")
    turn = 56 * state.player
    for move in game.moves(state) if game.result(state) == ONGOING else ():
        kind = LETTERS[move // 4096 - 1].lower() if move >= 4096 else ""
        plain = square_name(move // 64 % 64 ^ turn) + square_name(move % 64 ^ turn) + kind
        if bare in (plain, _bare_san(game, state, move)):
            return move
    raise GameError(f"{game!r}: {text!r} is not a legal move in {fen(state)}.")
