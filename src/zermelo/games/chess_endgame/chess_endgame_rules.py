"""Chess with at most four pieces: two kings and up to two others, without castling and without the fifty-move rule.

Everything is seen by the player to move, whose pawns go up: after each move the board is flipped vertically and the
pieces change sides. So each rule is written once, and White's positions have the indices of Black's. A state holds the
squares of both kings and two pieces (`endgame_tables` says how), the larger number first; 0 is no piece.

    8/8/8/8/8/2k5/1R6/K7 w        State(player=0, king=0, rival=18, first=137, second=0, passant=0), 137 = 2 * 64 + 9

A move is its from-square times 64 plus its to-square, plus 4096 times the piece type to which a pawn is promoted.
"""

import re
from functools import cached_property

import numpy as np

from zermelo.bits import ones
from zermelo.board import COLOURS, Grid
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.chess.chess_geometry import BISHOP, KNIGHT, PAWN
from zermelo.games.chess.fen_placement import PIECES, rows_of
from zermelo.games.chess_endgame import endgame_notation
from zermelo.games.chess_endgame.endgame_index import (
    EP_KINDS,
    ep_index,
    ep_position_at,
    half_size,
    king_pair,
    pieces_at,
    placement_index,
    transformed,
)
from zermelo.games.chess_endgame.endgame_position import (
    State,
    ep_possible,
    flipped,
    in_check,
    is_legal,
    is_safe,
    moved,
    pseudo_legal_targets,
    unmove_sources,
    with_ep,
)
from zermelo.games.chess_endgame.endgame_tables import (
    HAS_PAWNS,
    KING_PAIR_COUNTS,
    KING_PAIR_SQUARES,
    KING_REACH,
    PIECE_BIT,
    PLACEMENTS,
    SIDE_OFFSET,
    SQUARE_BIT,
    THEIRS,
)
from zermelo.value import DRAW, LOSS

PIECE_BALANCE = np.array([0, 900, 500, 325, 300, 100, -900, -500, -325, -300, -100], np.int64)
"""The value of each kind of piece, in hundredths of a pawn; theirs count against me."""


class ChessEndgame(Game):
    """Mate with what is left: a chess ending of two to four men, such as KRK or KPKP, White's named first."""

    material: str = "KRK"

    alternates = True
    loops = True

    def __post_init__(self) -> None:
        named = isinstance(self.material, str) and re.fullmatch("K[QRBNP]*K[QRBNP]*", self.material)
        if not named or len(self.material) > 4:
            examples = "such as KRK, KQKR or KBNK"
            raise GameError(f"{self!r}: material must name two to four pieces, White's first, {examples}.")

    def initial(self):
        return endgame_notation.parse_fen(self, endgame_notation.start_of(self))

    def mover(self, state):
        return state.player

    def moves(self, state):
        own = SQUARE_BIT[state.king]
        own |= PIECE_BIT[state.first] if state.first < THEIRS else PIECE_BIT[0]
        own |= PIECE_BIT[state.second] if state.second < THEIRS else PIECE_BIT[0]
        for to_square in ones(KING_REACH[state.king] & ~(KING_REACH[state.rival] | own)):
            if is_safe(state, state.king * 64 + to_square):
                yield state.king * 64 + to_square
        for piece, other in ((state.first, state.second), (state.second, state.first)):
            if 0 < piece < THEIRS:
                from_square = piece % 64
                for to_square in ones(pseudo_legal_targets(state, piece, other) & ~own):
                    if is_safe(state, from_square * 64 + to_square):
                        if piece // 64 == PAWN and to_square >= 56:
                            for kind in range(1, PAWN):
                                yield kind * 4096 + from_square * 64 + to_square
                        else:
                            yield from_square * 64 + to_square

    def play(self, state, move):
        king, rival, first, second = moved(state, move)
        child = flipped(1 - state.player, king, rival, first, second)
        to_square = move % 64
        double_step = to_square - move // 64 == 16 and child.first == (PAWN + SIDE_OFFSET) * 64 + (to_square ^ 56)
        if double_step and ep_possible(child):
            return with_ep(child)
        return child

    def result(self, state):
        """A draw by insufficient material: bare kings, one minor piece, bishops on one colour."""
        one, two = state.first // 64 % SIDE_OFFSET, state.second // 64 % SIDE_OFFSET
        if state.second == 0:
            return DRAW if state.first == 0 or one in (BISHOP, KNIGHT) else ONGOING
        apart = state.first ^ state.second
        return DRAW if one == BISHOP and two == BISHOP and (apart ^ apart >> 3) & 1 == 0 else ONGOING

    def stuck(self, state):
        return LOSS if self.forcing(state) else DRAW

    # -- solving -----------------------------------------------------------------------------------------------

    @cached_property
    def endings(self):
        """The endgames that captures and promotions lead to, this one first, each before those that can follow it.

        The stage of an endgame is its place here. One that can arise with either colour is here once.
        """
        found = new = {endgame_notation.sorted_name(self.material)}
        while new:
            new = {follower for endgame in new for follower in endgame_notation.followers(endgame)} - found
            found = found | new
        return endgame_notation.in_stage_order(found)

    @cached_property
    def kinds(self):
        """At 2 * stage + half: 11 * kind + kind, for White to move, then for Black; -1 where these are the same."""
        found = []
        for endgame in self.endings:
            white = endgame_notation.kinds_of(endgame)
            black = endgame_notation.kinds_of(endgame_notation.colours_exchanged(endgame))
            found += [white, black if black != white else -1]
        return np.array(found, np.int64)

    @cached_property
    def halves(self):
        """At 11 * kind + kind: 2 * stage + half; -2 if no endgame of this game has such pieces."""
        table = np.full(121, -2, np.int64)
        for i in range(len(self.kinds) - 1, -1, -1):
            if self.kinds[i] >= 0:
                table[self.kinds[i]] = i
        return table

    def stage(self, state):
        return int(self.halves[state.first // 64 * 11 + state.second // 64]) // 2

    def size(self, stage):
        if not 0 <= 2 * stage < len(self.kinds):
            return 0
        kinds = int(self.kinds[2 * stage])
        both = 1 if self.kinds[2 * stage + 1] < 0 else 2
        return both * half_size(kinds) + (16 * KING_PAIR_COUNTS[1] if kinds == EP_KINDS else 0)

    def index(self, state):
        """The kings, then the pieces; positions with an en passant capture come last. -1 for illegal positions."""
        kinds = state.first // 64 * 11 + state.second // 64
        half = int(self.halves[kinds])
        if half < 0 or not is_legal(state):
            return -1
        pair = king_pair(state, kinds)
        if state.passant:
            return half_size(kinds) + ep_index(state, pair)
        number = placement_index(state.first, state.second, pair % 8)
        if pair & 8:
            number = min(number, placement_index(state.first, state.second, pair % 8 ^ 1))
        return half % 2 * half_size(kinds) + pair // 16 * int(PLACEMENTS[kinds]) + number

    def at(self, stage, index):
        kinds = int(self.kinds[2 * stage])
        size = half_size(kinds)
        if kinds == EP_KINDS and index >= size:
            return ep_position_at(index - size)
        half = index // size
        kinds = int(self.kinds[2 * stage + half])
        places = int(PLACEMENTS[kinds])
        kings = int(KING_PAIR_SQUARES[index % size // places + int(HAS_PAWNS[kinds]) * KING_PAIR_COUNTS[0]])
        one, two = pieces_at(kinds, index % places)
        return State(half, kings // 64, kings % 64, one, two, 0)

    def predecessors(self, state):
        """The positions of the same endgame from which one move leads here, without un-captures and un-promotions."""
        if self.result(state) != ONGOING:
            return
        player, king, rival = 1 - state.player, state.king, state.rival
        occupied = SQUARE_BIT[king] | SQUARE_BIT[rival] | PIECE_BIT[state.first] | PIECE_BIT[state.second]
        if not state.passant:
            for from_square in ones(KING_REACH[rival] & ~(KING_REACH[king] | occupied)):
                if not in_check(king, from_square, state.first, state.second):
                    before = flipped(player, king, from_square, state.first, state.second)
                    yield before
                    if ep_possible(before):
                        yield with_ep(before)
        for piece, other in ((state.first, state.second), (state.second, state.first)):
            if piece >= THEIRS:
                for from_square in ones(unmove_sources(state, piece, other) & ~occupied):
                    if not in_check(king, rival, piece - piece % 64 + from_square, other):
                        before = flipped(player, king, rival, piece - piece % 64 + from_square, other)
                        yield before
                        if ep_possible(before):
                            yield with_ep(before)

    # -- evaluation and symmetry -------------------------------------------------------------------------------

    def evaluate(self, state):
        """Material; the stronger side drives the other king to the edge and brings up its own (mop-up evaluation)."""
        balance = int(PIECE_BALANCE[state.first // 64] + PIECE_BALANCE[state.second // 64])
        side = 1 if balance > 0 else -1 if balance < 0 else 0
        weak = state.rival if balance > 0 else state.king
        edge = max(abs(2 * (weak % 8) - 7), abs(2 * (weak // 8) - 7))
        apart = max(abs(state.king % 8 - state.rival % 8), abs(state.king // 8 - state.rival // 8))
        return balance + side * (5 * edge - 4 * apart)

    def order(self, state, move):
        """Promotions first, then captures."""
        to = move % 64
        captures = (state.first > 0 and state.first % 64 == to) or (state.second > 0 and state.second % 64 == to)
        return (10 - (move >> 12) if move >> 12 else 0) + (5 if captures else 0)

    def noisy(self, state, move):
        return self.order(state, move) > 0

    def forcing(self, state):
        return in_check(state.king, state.rival, state.first, state.second)

    def key(self, state):
        pieces = (state.first * 704 + state.second) * 4096
        return (pieces + state.king * 64 + state.rival) * 4 + 2 * state.player + state.passant

    def canonical(self, state):
        """The position that represents all with the same index; its colours may be exchanged."""
        return self.at(self.stage(state), self.index(state))

    def symmetries(self, state):
        """Rotations and reflections of the board; with pawns, only the mirror image."""
        pawns = HAS_PAWNS[state.first // 64 * 11 + state.second // 64]
        for symmetry in range(4, 8, 4) if pawns else range(1, 8):
            yield transformed(state, symmetry)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        cells = rows_of(endgame_notation.piece_letters(state))
        edges = tuple("abcdefgh"), tuple("87654321")
        return Grid(cells, *edges, pieces=PIECES, checkered=True, sides=COLOURS)

    def squares(self, state, move):
        return endgame_notation.squares(state, move)

    def move_text(self, state, move):
        return endgame_notation.san(self, state, move)

    def parse_move(self, state, text):
        return endgame_notation.parse_san(self, state, text)

    def state_text(self, state):
        return endgame_notation.fen(state)

    def parse_state(self, text):
        return endgame_notation.parse_fen(self, text)
