"""Chess with at most five pieces: two kings and up to three others, without castling and without the fifty-move rule.

Everything is seen by the player to move, whose pawns go up: after each move the board is flipped vertically and the
pieces change sides. So each rule is written once, and White's positions have the indices of Black's. A state holds the
squares of both kings and three pieces (`endgame_tables` says how), larger numbers first; 0 is no piece.

    8/8/8/8/8/2k5/1R6/K7 w        State(player=0, king=0, rival=18, first=137, second=0, third=0, passant=0)

There 137 = 2 * 64 + 9, a rook of mine on b2. A move is its from-square times 64 plus its to-square, plus 4096 times the
piece type to which a pawn is promoted.
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
    ep_index,
    ep_position_at,
    kinds_of,
    king_pair,
    placement_index,
    position_at,
    transformed,
)
from zermelo.games.chess_endgame.endgame_position import (
    ep_possible,
    ep_targets,
    flipped,
    has_piece,
    in_check,
    is_legal,
    king_sources,
    king_targets,
    moved,
    occupied_squares,
    own_squares,
    sources,
    targets,
    with_ep,
)
from zermelo.games.chess_endgame.endgame_tables import (
    EP_PLACEMENTS,
    HALF_SIZES,
    HAS_PAWNS,
    KING_PAIR_COUNTS,
    PLACEMENTS,
    SIDE_OFFSET,
    THEIRS,
)
from zermelo.value import DRAW, LOSS

PIECE_BALANCE = np.array([0, 900, 500, 325, 300, 100, -900, -500, -325, -300, -100], np.int64)
"""The value of each kind of piece, in hundredths of a pawn; theirs count against me."""


class ChessEndgame(Game):
    """Mate with what is left: a chess ending of two to five men, such as KRK or KPKP, White's named first."""

    material: str = "KRK"

    alternates = True
    loops = True

    def __post_init__(self) -> None:
        named = isinstance(self.material, str) and re.fullmatch("K[QRBNP]*K[QRBNP]*", self.material)
        if not named or len(self.material) > 5:
            examples = "such as KRK, KQKR or KRPKR"
            raise GameError(f"{self!r}: material must name two to five pieces, White's first, {examples}.")

    def initial(self):
        return endgame_notation.parse_fen(self, endgame_notation.start_of(self))

    def mover(self, state):
        return state.player

    def moves(self, state):
        own, occupied = own_squares(state), occupied_squares(state)
        for to_square in ones(king_targets(state, own)):
            yield state.king * 64 + to_square
        for piece, one, two in (
            (state.first, state.second, state.third),
            (state.second, state.first, state.third),
            (state.third, state.first, state.second),
        ):
            if 0 < piece < THEIRS:
                for to_square in ones(targets(state, piece, one, two, occupied, own)):
                    if piece >> 6 == PAWN and to_square >= 56:
                        for kind in range(1, PAWN):
                            yield kind * 4096 + (piece & 63) * 64 + to_square
                    else:
                        yield (piece & 63) * 64 + to_square

    def play(self, state, move):
        king, first, second, third = moved(state, move)
        child = flipped(1 - state.player, king, state.rival, first, second, third)
        from_square, target = move >> 6 & 63, move - 8 & 63 ^ 56
        double_step = (move & 63) - from_square == 16 and has_piece(state, (PAWN << 6) + from_square)
        if double_step and ep_possible(child, target, occupied_squares(child)):
            return with_ep(child, target)
        return child

    def result(self, state):
        """A draw by insufficient material: bare kings, one minor piece, bishops on one colour."""
        kind = (state.first >> 6) % SIDE_OFFSET
        if kind != BISHOP and (kind != KNIGHT or state.second):
            return ONGOING if state.first else DRAW
        for piece in (state.second, state.third):
            apart = state.first ^ piece
            if piece and ((piece >> 6) % SIDE_OFFSET != BISHOP or (apart ^ apart >> 3) & 1):
                return ONGOING
        return DRAW

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
        """At 2 * stage + half: the kinds for White to move, then for Black; -1 where these are the same."""
        found = []
        for endgame in self.endings:
            white = endgame_notation.kinds_of_name(endgame)
            black = endgame_notation.kinds_of_name(endgame_notation.colours_exchanged(endgame))
            found += [white, black if black != white else -1]
        return np.array(found, np.int64)

    @cached_property
    def halves(self):
        """For each number of kinds: 2 * stage + half; -2 if no endgame of this game has such pieces."""
        table = np.full(11**3, -2, np.int64)
        for i in range(len(self.kinds) - 1, -1, -1):
            if self.kinds[i] >= 0:
                table[self.kinds[i]] = i
        return table

    def stage(self, state):
        return int(self.halves[kinds_of(state)]) >> 1

    def size(self, stage):
        if not 0 <= 2 * stage < len(self.kinds):
            return 0
        kinds = int(self.kinds[2 * stage])
        both = 1 if self.kinds[2 * stage + 1] < 0 else 2
        return both * (int(HALF_SIZES[kinds]) + KING_PAIR_COUNTS[1] * int(EP_PLACEMENTS[kinds]))

    def index(self, state):
        """The kings, then the pieces; positions with an en passant capture come last. -1 for illegal positions."""
        kinds = kinds_of(state)
        half, pair = int(self.halves[kinds]), king_pair(state, kinds)
        if half < 0 or pair < 0 or not is_legal(state):
            return -1
        size = int(HALF_SIZES[kinds])
        if state.passant:
            both = 1 if self.kinds[half | 1] < 0 else 2
            before = both * size + (half & 1) * KING_PAIR_COUNTS[1] * int(EP_PLACEMENTS[kinds])
            return before + ep_index(state, kinds, pair)
        number = placement_index(state, kinds, pair & 7)
        if pair & 8:
            number = min(number, placement_index(state, kinds, pair & 7 ^ 1))
        return (half & 1) * size + (pair >> 4) * int(PLACEMENTS[kinds]) + number

    def at(self, stage, index):
        kinds = int(self.kinds[2 * stage])
        size = int(HALF_SIZES[kinds])
        if index < size:
            return position_at(0, kinds, index)
        other = int(self.kinds[2 * stage + 1])
        if other >= 0 and index < 2 * size:
            return position_at(1, other, index - size)
        index -= size if other < 0 else 2 * size
        size = KING_PAIR_COUNTS[1] * int(EP_PLACEMENTS[kinds])
        return ep_position_at(0, kinds, index) if index < size else ep_position_at(1, other, index - size)

    def predecessors(self, state):
        """The positions of the same endgame from which one move leads here, without un-captures and un-promotions."""
        if self.result(state) != ONGOING:
            return
        player, king, rival = 1 - state.player, state.king, state.rival
        passing = EP_PLACEMENTS[kinds_of(state)] > 0
        occupied = occupied_squares(state)
        if not state.passant:
            for from_square in ones(king_sources(state, occupied)):
                before = flipped(player, king, from_square, state.first, state.second, state.third)
                yield before
                if passing:
                    for target in ones(ep_targets(before)):
                        yield with_ep(before, target)
        for piece, one, two in (
            (state.first, state.second, state.third),
            (state.second, state.first, state.third),
            (state.third, state.first, state.second),
        ):
            if piece >= THEIRS:
                for from_square in ones(sources(state, piece, one, two, occupied)):
                    before = flipped(player, king, rival, piece - (piece & 63) + from_square, one, two)
                    yield before
                    if passing:
                        for target in ones(ep_targets(before)):
                            yield with_ep(before, target)

    def same_stage(self, other, stage):
        """The same endgame, whatever the other game began with."""
        endgame = other.endings[stage]
        return self.endings.index(endgame) if endgame in self.endings else None

    # -- evaluation and symmetry -------------------------------------------------------------------------------

    def evaluate(self, state):
        """Material; the stronger side drives the other king to the edge and brings up its own (mop-up evaluation)."""
        balance = 0
        for piece in (state.first, state.second, state.third):
            balance += int(PIECE_BALANCE[piece >> 6])
        side = 1 if balance > 0 else -1 if balance < 0 else 0
        weak = state.rival if balance > 0 else state.king
        edge = max(abs(2 * (weak % 8) - 7), abs(2 * (weak // 8) - 7))
        apart = max(abs(state.king % 8 - state.rival % 8), abs(state.king // 8 - state.rival // 8))
        return balance + side * (5 * edge - 4 * apart)

    def order(self, state, move):
        """Promotions first, then captures."""
        captured = 0
        for piece in (state.first, state.second, state.third):
            captured += 5 if piece and piece & 63 == move & 63 else 0
        return (10 - (move >> 12) if move >> 12 else 0) + captured

    def noisy(self, state, move):
        return self.order(state, move) > 0

    def forcing(self, state):
        return in_check(state.king, state.rival, state.first, state.second, state.third)

    def key(self, state):
        pieces = (state.first * 704 + state.second) * 704 + state.third
        return ((pieces * 64 + state.king) * 64 + state.rival) * 128 + 64 * state.player + state.passant

    def canonical(self, state):
        """The position that represents all with the same index; its colours may be exchanged."""
        return self.at(self.stage(state), self.index(state))

    def symmetries(self, state):
        """Rotations and reflections of the board; with pawns, only the mirror image."""
        for symmetry in range(4, 8, 4) if HAS_PAWNS[kinds_of(state)] else range(1, 8):
            yield transformed(state, symmetry)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        cells = rows_of(endgame_notation.piece_letters(state))
        edges = tuple("abcdefgh"), tuple("87654321")
        return Grid(cells, *edges, pieces=PIECES, checkered=True, sides=COLOURS)

    def squares(self, state, move):
        return endgame_notation.squares(state, move)

    def highlights(self, state):
        """The king in check."""
        letters = "".join(rows_of(endgame_notation.piece_letters(state)))
        return (letters.index("Kk"[state.player]),) if self.forcing(state) else ()

    def move_text(self, state, move):
        return endgame_notation.san(self, state, move)

    def parse_move(self, state, text):
        return endgame_notation.parse_san(self, state, text)

    def state_text(self, state):
        return endgame_notation.fen(state)

    def parse_state(self, text):
        return endgame_notation.parse_fen(self, text)
