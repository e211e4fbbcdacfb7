"""Chess, with all its rules.

Castling, en passant and promotion; mate wins, stalemate draws. The game is also drawn after fifty moves without a
capture or a pawn move, and when neither side has the material to mate. The third occurrence of a position draws too:
`play.Session`, which has the whole game, counts repetitions, and a search scores a repetition in its line as a draw.

Everything is seen by the player to move (`chess_state` says how). A move is its to-square, plus 64 times its
from-square, plus 4096 times the type of the piece that arrives, so that e7-e8 is four moves:

    bits 0..5   to      bits 6..11   from      bits 12..14   queen, rook, bishop, knight, pawn, king: 1 to 6
"""

from zermelo.bits import WORD, bit, byte_swap, lsb, ones, shift_left, unsigned
from zermelo.board import COLOURS, Grid
from zermelo.game import ONGOING, Game
from zermelo.games.chess import chess_notation
from zermelo.games.chess.castling import (
    CASTLE_LONG,
    CASTLE_SHORT,
    can_castle_long,
    can_castle_short,
    castling_rook,
    is_castling,
)
from zermelo.games.chess.chess_attacks import (
    ANTIDIAGONAL_MASK,
    DIAGONAL_MASK,
    FILE_MASK,
    LINE,
    bishop_attacks,
    king_attacks,
    king_danger_squares,
    knight_attacks,
    rook_attacks,
    their_pawn_attacks,
)
from zermelo.games.chess.chess_evaluation import (
    MAX_PHASE,
    WEIGHTS,
    evaluation_terms,
    game_phase,
    material_balance,
    mop_up,
)
from zermelo.games.chess.chess_geometry import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from zermelo.games.chess.chess_state import (
    A1_A8,
    CORNERS,
    NOT_FILE_A,
    NOT_FILE_H,
    RANK_1,
    RANK_3,
    RANK_8,
    State,
    flipped,
    flipped_board,
    insufficient_material,
    my_king,
    piece_type_at,
)
from zermelo.games.chess.en_passant import EP_RANK, can_capture_en_passant, with_ep_square
from zermelo.games.chess.fen_placement import PIECES, rows_of
from zermelo.games.chess.pins_and_checks import check_mask_and_pins, in_check
from zermelo.games.chess.static_exchange import see_nonnegative
from zermelo.rules import count_moves
from zermelo.value import DRAW, LOSS, loss_in, win_in

FIFTY_MOVES = 100
"""Plies without a capture or a pawn move after which the game is drawn."""

PAWN_STEPS = (8, 16, 9, 7)
"""A pawn's step, its double step, and its captures to either side."""


def bits_if(condition, bitboard):
    """Return the bitboard, or an empty one."""
    return unsigned(bitboard) if condition else unsigned(0)


class Chess(Game):
    """The royal game: mate the king."""

    alternates = True
    loops = True
    reductions = True
    futility = 0.9
    weights = tuple(WEIGHTS.values())

    def initial(self):
        return State(
            mine=0xFFFF,
            theirs=0xFFFF << 48,
            pawns=0xFF << 8 | 0xFF << 48,
            knights=0x42 * A1_A8,
            diagonals=0x2C * A1_A8,
            straights=0x89 * A1_A8,
            kings=0x10 * A1_A8,
            rights=CORNERS,
            clock=0,
            ply=0,
        )

    def mover(self, state):
        return state.ply & 1

    def moves(self, state):
        king = my_king(state)
        occupied = state.mine | state.theirs
        attacked = king_danger_squares(state)
        for to_square in ones(king_attacks(king) & ~(state.mine | attacked)):
            yield KING << 12 | king << 6 | to_square
        check_mask, pinned = check_mask_and_pins(state)
        targets = check_mask & ~state.mine
        for from_square in ones(state.knights & state.mine & ~pinned):
            for to_square in ones(knight_attacks(from_square) & targets):
                yield KNIGHT << 12 | from_square << 6 | to_square
        for from_square in ones(state.diagonals & state.mine):
            start = (QUEEN if state.straights & bit(from_square) else BISHOP) << 12 | from_square << 6
            line = unsigned(LINE[king << 6 | from_square]) if pinned & bit(from_square) else WORD
            for to_square in ones(bishop_attacks(from_square, occupied) & targets & line):
                yield start | to_square
        for from_square in ones(state.straights & state.mine):
            start = (QUEEN if state.diagonals & bit(from_square) else ROOK) << 12 | from_square << 6
            line = unsigned(LINE[king << 6 | from_square]) if pinned & bit(from_square) else WORD
            for to_square in ones(rook_attacks(from_square, occupied) & targets & line):
                yield start | to_square
        pawns = state.pawns & state.mine  # a pinned pawn moves only along the line of its pin
        single = shift_left(pawns & (~pinned | unsigned(FILE_MASK[king])), 8) & ~occupied
        double = shift_left(single & RANK_3, 8) & ~occupied
        right = shift_left(pawns & NOT_FILE_H & (~pinned | unsigned(DIAGONAL_MASK[king])), 9) & state.theirs
        left = shift_left(pawns & NOT_FILE_A & (~pinned | unsigned(ANTIDIAGONAL_MASK[king])), 7) & state.theirs
        reached = (single, double, right, left)
        for direction in range(4):
            step = PAWN_STEPS[direction]
            for to_square in ones(reached[direction] & check_mask & ~RANK_8):
                yield PAWN << 12 | to_square - step << 6 | to_square
            for to_square in ones(reached[direction] & check_mask & RANK_8):
                for kind in range(QUEEN, PAWN):
                    yield kind << 12 | to_square - step << 6 | to_square
        if state.rights:
            ep_square = state.rights & EP_RANK
            for from_square in ones(their_pawn_attacks(ep_square) & pawns):
                if can_capture_en_passant(state, from_square, ep_square):
                    yield PAWN << 12 | from_square << 6 | lsb(ep_square)
            if can_castle_short(state, occupied, attacked):
                yield CASTLE_SHORT
            if can_castle_long(state, occupied, attacked):
                yield CASTLE_LONG

    def play(self, state, move):
        to_square, from_square, kind = bit(move & 63), bit(move >> 6 & 63), move >> 12
        vacated = from_square | to_square
        if kind == PAWN:
            vacated |= shift_left(to_square & state.rights, -8)  # the pawn captured en passant
        quiet = (state.theirs & vacated | state.pawns & from_square) == 0
        rook = bits_if(kind == KING and is_castling(state, move), castling_rook(move))
        child = flipped_board(
            (state.mine & ~from_square | to_square) ^ rook,
            state.theirs & ~vacated,
            state.pawns & ~vacated | bits_if(kind == PAWN, to_square),
            state.knights & ~vacated | bits_if(kind == KNIGHT, to_square),
            state.diagonals & ~vacated | bits_if(kind in (BISHOP, QUEEN), to_square),
            (state.straights & ~vacated | bits_if(kind in (ROOK, QUEEN), to_square)) ^ rook,
            state.kings & ~vacated | bits_if(kind == KING, to_square),
            state.rights & CORNERS & ~(vacated | bits_if(kind == KING, RANK_1)),
            state.clock + 1 if quiet else 0,
            state.ply + 1,
        )
        if kind == PAWN and to_square == shift_left(from_square, 16):
            return with_ep_square(child, byte_swap(shift_left(from_square, 8)))
        return child

    def result(self, state):
        if state.clock >= FIFTY_MOVES and not self.is_mate(state):
            return DRAW
        return DRAW if insufficient_material(state) else ONGOING

    def stuck(self, state):
        return LOSS if in_check(state) else DRAW

    def is_mate(self, state):
        """Return whether the king is in check and there is no legal move."""
        return in_check(state) and count_moves(self, state) == 0

    # -- evaluation and move ordering --------------------------------------------------------------------------

    def features(self, state):
        """Return what the mover has more of than the opponent, in the order of WEIGHTS."""
        my, their = evaluation_terms(state), evaluation_terms(flipped(state))
        middlegame = game_phase(state) / MAX_PHASE
        return (
            float(material_balance(state, state.pawns)),
            float(material_balance(state, state.knights)),
            float(material_balance(state, state.diagonals & ~state.straights)),
            float(material_balance(state, state.straights & ~state.diagonals)),
            float(material_balance(state, state.straights & state.diagonals)),
            float(my.bishop_pair - their.bishop_pair),
            (my.piece_square_middlegame - their.piece_square_middlegame) * middlegame,
            (my.piece_square_endgame - their.piece_square_endgame) * (1 - middlegame),
            float(my.knight_mobility - their.knight_mobility),
            float(my.bishop_mobility - their.bishop_mobility),
            float(my.rook_mobility - their.rook_mobility),
            float(my.queen_mobility - their.queen_mobility),
            float(my.doubled - their.doubled),
            float(my.isolated - their.isolated),
            (my.passed - their.passed) * middlegame,
            (my.passed - their.passed) * (1 - middlegame),
            (my.king_and_passed - their.king_and_passed) * (1 - middlegame),
            float(my.protected_pawns - their.protected_pawns),
            float(my.pawn_threats - their.pawn_threats),
            float(my.minor_threats - their.minor_threats),
            float(my.open_files - their.open_files),
            float(my.half_open_files - their.half_open_files),
            (my.pawn_shield - their.pawn_shield) * middlegame,
            (my.king_attack - their.king_attack) * middlegame,
            float(mop_up(state)),
            1.0,
        )

    def order(self, state, move):
        """Promotions and captures first, by most valuable victim and least valuable attacker; losing captures last."""
        kind, from_square = move >> 12, move >> 6 & 63
        victim = piece_type_at(state, move & 63)
        if state.pawns & bit(from_square) and kind != PAWN:
            return 60 - victim if kind == QUEEN else -2
        if victim == 0:
            return 0
        return 60 - 8 * victim + kind if see_nonnegative(state, move) else -1

    def noisy(self, state, move):
        """Promotions to a queen, and captures that lose no material."""
        if state.pawns & bit(move >> 6 & 63) and move >> 12 != PAWN:
            return move >> 12 == QUEEN
        return state.theirs & bit(move & 63) != 0 and see_nonnegative(state, move)

    def forcing(self, state):
        return in_check(state)

    def skip(self, state):
        """The null move: not in check, nor with pawns alone, where zugzwang is common."""
        if state.mine & (state.knights | state.diagonals | state.straights) == 0 or in_check(state):
            return state
        mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock, ply = flipped(state)
        return State(mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock + 1, ply + 1)

    def bounds(self, state):
        """A bare king cannot win."""
        low = 0 if state.theirs & ~state.kings == 0 else loss_in(0)
        return low, 0 if state.mine & ~state.kings == 0 else win_in(0)

    # -- symmetry ----------------------------------------------------------------------------------------------

    def canonical(self, state):
        """The position without its history: no move number, and no clock before it draws the game."""
        mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock, ply = state
        expired = FIFTY_MOVES if clock >= FIFTY_MOVES else 0
        return State(mine, theirs, pawns, knights, diagonals, straights, kings, rights, expired, ply & 1)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        cells = rows_of(chess_notation.piece_letters(state))
        return Grid(cells, tuple("abcdefgh"), tuple("87654321"), pieces=PIECES, checkered=True, sides=COLOURS)

    def squares(self, state, move):
        return chess_notation.squares(state, move)

    def highlights(self, state):
        """The king in check."""
        king = "Kk"[state.ply & 1]
        letters = "".join(rows_of(chess_notation.piece_letters(state)))
        return (letters.index(king),) if in_check(state) else ()

    def move_text(self, state, move):
        return chess_notation.san(self, state, move)

    def parse_move(self, state, text):
        return chess_notation.parse_move(self, state, text)

    def state_text(self, state):
        return chess_notation.fen(state)

    def parse_state(self, text):
        return chess_notation.parse_fen(self, text)
