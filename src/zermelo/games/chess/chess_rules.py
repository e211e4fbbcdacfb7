"""Chess, with all its rules.

Castling, taking in passing, promotion; mate wins, stalemate draws. So do fifty moves without a capture or a move of a
pawn, too little on the board to mate, and a position that comes about for the third time: who looks at the whole game
counts these (`play.Session`), and a search counts a line that comes round as a draw.

Everything is seen by the player to move (`chess_board` says how). A move is its goal, plus 64 times its origin, plus
4096 times the kind of man that arrives, so that of e7-e8 there are four:

    bits 0..5   goal      bits 6..11   origin      bits 12..14   queen, rook, bishop, knight, pawn, king: 1 to 6
"""

from zermelo.bits import WORD, bit, byte_swap, lsb, ones, shift_left, unsigned
from zermelo.board import COLOURS, Grid
from zermelo.game import ONGOING, Game
from zermelo.games.chess import chess_notation
from zermelo.games.chess.chess_attacks import (
    BOTH,
    CORNERS,
    FALLING,
    FILE,
    FIRST,
    KING,
    LAST,
    LONG,
    NOT_A,
    NOT_H,
    PASSED,
    RISING,
    SHORT,
    THROUGH,
    State,
    beside,
    can_take_in_passing,
    cannot_mate,
    diagonal,
    in_check,
    jump,
    kind_at,
    my_king,
    only,
    other_view,
    restraints,
    straight,
    their_pawns_attack,
    turned,
    unsafe,
    with_passing,
)
from zermelo.games.chess.chess_evaluation import FULL, WEIGHTS, counted, edged, keeps_even, more, phase_of
from zermelo.games.chess.endgame_notation import PIECES, rows_of
from zermelo.games.chess.square_tables import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from zermelo.rules import count_moves
from zermelo.value import DRAW, LOSS, loss_in, win_in

FIFTY = 100
"""Plies without a capture or a pawn's move after which the game is drawn."""

PAWN_STEPS = (8, 16, 9, 7)
"""How a pawn goes: ahead, two squares ahead, and to either side where it takes."""


class Chess(Game):
    """The royal game: mate the king."""

    alternates = True
    loops = True
    reductions = True
    weights = tuple(WEIGHTS.values())

    def initial(self):
        return State(
            mine=0xFFFF,
            theirs=0xFFFF << 48,
            pawns=0xFF << 8 | 0xFF << 48,
            knights=0x42 * BOTH,
            diagonals=0x2C * BOTH,
            straights=0x89 * BOTH,
            kings=0x10 * BOTH,
            rights=CORNERS,
            clock=0,
            ply=0,
        )

    def mover(self, state):
        return state.ply & 1

    def moves(self, state):
        king = my_king(state)
        occupied = state.mine | state.theirs
        attacked = unsafe(state)
        for goal in ones(beside(king) & ~(state.mine | attacked)):
            yield KING << 12 | king << 6 | goal
        helpful, pinned = restraints(state)
        goals = helpful & ~state.mine
        for origin in ones(state.knights & state.mine & ~pinned):
            for goal in ones(jump(origin) & goals):
                yield KNIGHT << 12 | origin << 6 | goal
        for origin in ones(state.diagonals & state.mine):
            man = (QUEEN if state.straights & bit(origin) else BISHOP) << 12 | origin << 6
            line = unsigned(THROUGH[king << 6 | origin]) if pinned & bit(origin) else WORD
            for goal in ones(diagonal(origin, occupied) & goals & line):
                yield man | goal
        for origin in ones(state.straights & state.mine):
            man = (QUEEN if state.diagonals & bit(origin) else ROOK) << 12 | origin << 6
            line = unsigned(THROUGH[king << 6 | origin]) if pinned & bit(origin) else WORD
            for goal in ones(straight(origin, occupied) & goals & line):
                yield man | goal
        pawns = state.pawns & state.mine  # a pinned one goes along the line of its king, if it can go that way at all
        ahead = shift_left(pawns & (~pinned | unsigned(FILE[king])), 8) & ~occupied
        double = shift_left(ahead & FIRST << 16, 8) & ~occupied
        rising = shift_left(pawns & NOT_H & (~pinned | unsigned(RISING[king])), 9) & state.theirs
        falling = shift_left(pawns & NOT_A & (~pinned | unsigned(FALLING[king])), 7) & state.theirs
        reached = (ahead, double, rising, falling)
        for way in range(4):
            step = PAWN_STEPS[way]
            for goal in ones(reached[way] & helpful & ~LAST):
                yield PAWN << 12 | goal - step << 6 | goal
            for goal in ones(reached[way] & helpful & LAST):
                for kind in range(QUEEN, PAWN):
                    yield kind << 12 | goal - step << 6 | goal
        if state.rights:
            passed = state.rights & PASSED
            for origin in ones(their_pawns_attack(passed) & pawns):
                if can_take_in_passing(state, origin, passed):
                    yield PAWN << 12 | origin << 6 | lsb(passed)
            # Between king and rook nobody stands; where the king is, passes and arrives, nobody attacks.
            if state.rights & 0x80 and not occupied & 0x60 and not attacked & 0x70:
                yield SHORT
            if state.rights & 0x01 and not occupied & 0x0E and not attacked & 0x1C:
                yield LONG

    def play(self, state, move):
        goal, origin, kind = bit(move & 63), bit(move >> 6 & 63), move >> 12
        gone = origin | goal
        if kind == PAWN:
            gone |= shift_left(goal & state.rights, -8)
        quiet = (state.theirs & gone | state.pawns & origin) == 0
        castled = unsigned(0)
        if kind == KING and state.rights & FIRST and move in (SHORT, LONG):
            castled = unsigned(0xA0 if move == SHORT else 0x09)  # where the rook was, and where it is now
        child = turned(
            (state.mine & ~origin | goal) ^ castled,
            state.theirs & ~gone,
            state.pawns & ~gone | only(goal, kind == PAWN),
            state.knights & ~gone | only(goal, kind == KNIGHT),
            state.diagonals & ~gone | only(goal, kind in (BISHOP, QUEEN)),
            (state.straights & ~gone | only(goal, kind in (ROOK, QUEEN))) ^ castled,
            state.kings & ~gone | only(goal, kind == KING),
            state.rights & CORNERS & ~(gone | only(FIRST, kind == KING)),
            state.clock + 1 if quiet else 0,
            state.ply + 1,
        )
        if kind == PAWN and goal == shift_left(origin, 16):
            return with_passing(child, byte_swap(shift_left(origin, 8)))
        return child

    def result(self, state):
        if state.clock >= FIFTY and not self.is_mate(state):
            return DRAW
        return DRAW if cannot_mate(state) else ONGOING

    def stuck(self, state):
        return LOSS if in_check(state) else DRAW

    def is_mate(self, state):
        """Whether the king is in check and there is no way out of it."""
        return in_check(state) and count_moves(self, state) == 0

    # -- judgement ---------------------------------------------------------------------------------------------

    def features(self, state):
        """What the mover has more of than the other player, in the order of WEIGHTS."""
        my, their = counted(state), counted(other_view(state))
        middle = phase_of(state) / FULL
        return (
            float(more(state, state.pawns)),
            float(more(state, state.knights)),
            float(more(state, state.diagonals & ~state.straights)),
            float(more(state, state.straights & ~state.diagonals)),
            float(more(state, state.straights & state.diagonals)),
            float(my.pair - their.pair),
            (my.places - their.places) * middle,
            (my.late_places - their.late_places) * (1 - middle),
            float(my.knight_squares - their.knight_squares),
            float(my.bishop_squares - their.bishop_squares),
            float(my.rook_squares - their.rook_squares),
            float(my.queen_squares - their.queen_squares),
            float(my.doubled - their.doubled),
            float(my.isolated - their.isolated),
            (my.passed - their.passed) * middle,
            (my.passed - their.passed) * (1 - middle),
            float(my.attacked - their.attacked),
            float(my.open_files - their.open_files),
            float(my.half_open_files - their.half_open_files),
            (my.shield - their.shield) * middle,
            (my.pressure - their.pressure) * middle,
            float(edged(state)),
            1.0,
        )

    def order(self, state, move):
        """Promotions and captures first, the greatest victim by the least man; those that lose something last."""
        kind, origin = move >> 12, move >> 6 & 63
        victim = kind_at(state, move & 63)
        if state.pawns & bit(origin) and kind != PAWN:
            return 60 - victim if kind == QUEEN else -2
        if victim == 0:
            return 0
        return 60 - 8 * victim + kind if keeps_even(state, move) else -1

    def noisy(self, state, move):
        """A queen is made, or something taken without loss."""
        if state.pawns & bit(move >> 6 & 63) and move >> 12 != PAWN:
            return move >> 12 == QUEEN
        return state.theirs & bit(move & 63) != 0 and keeps_even(state, move)

    def forcing(self, state):
        return in_check(state)

    def skip(self, state):
        """Nobody passes in check, nor with nothing but pawns, when having to move is often what loses."""
        if state.mine & (state.knights | state.diagonals | state.straights) == 0 or in_check(state):
            return state
        mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock, ply = other_view(state)
        return State(mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock + 1, ply + 1)

    def bounds(self, state):
        """Whoever has nothing but a king cannot win."""
        low = 0 if state.theirs & ~state.kings == 0 else loss_in(0)
        return low, 0 if state.mine & ~state.kings == 0 else win_in(0)

    # -- sameness ----------------------------------------------------------------------------------------------

    def canonical(self, state):
        """The position without its history: neither the number of the move nor, before it ends the game, the clock."""
        mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock, ply = state
        late = FIFTY if clock >= FIFTY else 0
        return State(mine, theirs, pawns, knights, diagonals, straights, kings, rights, late, ply & 1)

    # -- looking and writing -----------------------------------------------------------------------------------

    def board(self, state):
        cells = rows_of(chess_notation.men_on(state))
        return Grid(cells, tuple("abcdefgh"), tuple("87654321"), pieces=PIECES, checkered=True, sides=COLOURS)

    def squares(self, state, move):
        return chess_notation.squares(state, move)

    def move_text(self, state, move):
        return chess_notation.san(self, state, move)

    def parse_move(self, state, text):
        return chess_notation.parse_move(self, state, text)

    def state_text(self, state):
        return chess_notation.fen(state)

    def parse_state(self, text):
        return chess_notation.parse_fen(self, text)
