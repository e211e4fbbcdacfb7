"""Chess with at most four men: two kings and up to two others, without castling and without the fifty-move rule.

Everything is seen by the player to move, whose pawns go up: after each move the board is turned upside down and the men
change sides. So each rule is written once, and White's positions have the numbers of Black's. A state holds the squares
of both kings and two men (`chess_squares` says how), the larger number first; 0 is no man.

    8/8/8/8/8/2k5/1R6/K7 w        State(player=0, king=0, rival=18, first=137, second=0, passant=0), 137 = 2 * 64 + 9

A move is its origin times 64 plus its goal, seen the same way, plus 4096 times the kind to which a pawn is promoted.
"""

import re
from functools import cached_property

import numpy as np

from zermelo.bits import ones
from zermelo.board import COLOURS, Grid
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.chess import endgame_notation
from zermelo.games.chess.endgame_position import (
    PASSANT,
    State,
    can_pass,
    goals,
    half_size,
    image,
    in_check,
    is_legal,
    is_safe,
    marked,
    moved,
    origins,
    pair_of,
    passing_at,
    passing_number,
    placed,
    placed_at,
    turned,
)
from zermelo.games.chess.square_tables import (
    BISHOP,
    BIT,
    KING,
    KINGS,
    KNIGHT,
    PAIR_COUNTS,
    PAWN,
    PLACES,
    SIDE,
    STANDS,
    THEIRS,
    WITH_PAWNS,
)
from zermelo.value import DRAW, LOSS

WORTH = np.array([0, 900, 500, 325, 300, 100, -900, -500, -325, -300, -100], np.int64)
"""What each kind of man counts in the evaluation."""


class ChessEndgame(Game):
    """Mate with what is left: a chess ending of two to four men, such as KRK or KPKP, White's named first."""

    material: str = "KRK"

    alternates = True
    loops = True

    def __post_init__(self) -> None:
        named = isinstance(self.material, str) and re.fullmatch("K[QRBNP]*K[QRBNP]*", self.material)
        if not named or len(self.material) > 4:
            raise GameError(f"{self!r}: material must name two to four men, White's first, such as KRK, KQKR or KBNK.")

    def initial(self):
        return endgame_notation.parse_fen(self, endgame_notation.start_of(self))

    def mover(self, state):
        return state.player

    def moves(self, state):
        own = BIT[state.king]
        own |= STANDS[state.first] if state.first < THEIRS else STANDS[0]
        own |= STANDS[state.second] if state.second < THEIRS else STANDS[0]
        for goal in ones(KING[state.king] & ~(KING[state.rival] | own)):
            if is_safe(state, state.king * 64 + goal):
                yield state.king * 64 + goal
        for man, other in ((state.first, state.second), (state.second, state.first)):
            if 0 < man < THEIRS:
                origin = man % 64
                for goal in ones(goals(state, man, other) & ~own):
                    if is_safe(state, origin * 64 + goal):
                        if man // 64 == PAWN and goal >= 56:
                            for kind in range(1, PAWN):
                                yield kind * 4096 + origin * 64 + goal
                        else:
                            yield origin * 64 + goal

    def play(self, state, move):
        king, rival, first, second = moved(state, move)
        child = turned(1 - state.player, king, rival, first, second)
        goal = move % 64
        if goal - move // 64 == 16 and child.first == (PAWN + SIDE) * 64 + (goal ^ 56) and can_pass(child):
            return marked(child)
        return child

    def result(self, state):
        """A draw where no moves could ever end in mate: bare kings, one minor piece, bishops on one colour."""
        one, two = state.first // 64 % SIDE, state.second // 64 % SIDE
        if state.second == 0:
            return DRAW if state.first == 0 or one in (BISHOP, KNIGHT) else ONGOING
        apart = state.first ^ state.second
        return DRAW if one == BISHOP and two == BISHOP and (apart ^ apart >> 3) & 1 == 0 else ONGOING

    def stuck(self, state):
        return LOSS if self.forcing(state) else DRAW

    # -- solving -----------------------------------------------------------------------------------------------

    @cached_property
    def endings(self):
        """The endings that captures and promotions lead to, this one first, each before what can follow it.

        The place of an ending is its stage. One that can arise with either colour stands here once.
        """
        found = new = {endgame_notation.tidy(self.material)}
        while new:
            new = {left for ending in new for left in endgame_notation.left_by(ending)} - found
            found = found | new
        return endgame_notation.in_order(found)

    @cached_property
    def kinds(self):
        """At 2 * stage + half: 11 * kind + kind, for White to move, then for Black; -1 where these are the same."""
        found = []
        for ending in self.endings:
            white, black = (endgame_notation.kinds_of(each) for each in (ending, endgame_notation.exchanged(ending)))
            found += [white, black if black != white else -1]
        return np.array(found, np.int64)

    @cached_property
    def halves(self):
        """At 11 * kind + kind: 2 * stage + half; -2 where no ending of this game has such men."""
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
        return both * half_size(kinds) + (16 * PAIR_COUNTS[1] if kinds == PASSANT else 0)

    def index(self, state):
        """The kings, then the men; a taking in passing comes last. -1 for what is no legal position."""
        kinds = state.first // 64 * 11 + state.second // 64
        half = int(self.halves[kinds])
        if half < 0 or not is_legal(state):
            return -1
        pair = pair_of(state, kinds)
        if state.passant:
            return half_size(kinds) + passing_number(state, pair)
        number = placed(state.first, state.second, pair % 8)
        if pair & 8:
            number = min(number, placed(state.first, state.second, pair % 8 ^ 1))
        return half % 2 * half_size(kinds) + pair // 16 * int(PLACES[kinds]) + number

    def at(self, stage, index):
        kinds = int(self.kinds[2 * stage])
        size = half_size(kinds)
        if kinds == PASSANT and index >= size:
            return passing_at(index - size)
        half = index // size
        kinds = int(self.kinds[2 * stage + half])
        places = int(PLACES[kinds])
        kings = int(KINGS[index % size // places + int(WITH_PAWNS[kinds]) * PAIR_COUNTS[0]])
        one, two = placed_at(kinds, index % places)
        return State(half, kings // 64, kings % 64, one, two, 0)

    def predecessors(self, state):
        """The positions of the same ending from which one move leads here: no un-captures, no un-promotions."""
        if self.result(state) != ONGOING:
            return
        player, king, rival = 1 - state.player, state.king, state.rival
        taken = BIT[king] | BIT[rival] | STANDS[state.first] | STANDS[state.second]
        if not state.passant:
            for origin in ones(KING[rival] & ~(KING[king] | taken)):
                if not in_check(king, origin, state.first, state.second):
                    before = turned(player, king, origin, state.first, state.second)
                    yield before
                    if can_pass(before):
                        yield marked(before)
        for man, other in ((state.first, state.second), (state.second, state.first)):
            if man >= THEIRS:
                for origin in ones(origins(state, man, other) & ~taken):
                    if not in_check(king, rival, man - man % 64 + origin, other):
                        before = turned(player, king, rival, man - man % 64 + origin, other)
                        yield before
                        if can_pass(before):
                            yield marked(before)

    # -- judgement and sameness --------------------------------------------------------------------------------

    def evaluate(self, state):
        """The men; and whoever has more drives the other king to the edge and brings up the own one."""
        balance = int(WORTH[state.first // 64] + WORTH[state.second // 64])
        side = 1 if balance > 0 else -1 if balance < 0 else 0
        weak = state.rival if balance > 0 else state.king
        edge = max(abs(2 * (weak % 8) - 7), abs(2 * (weak // 8) - 7))
        apart = max(abs(state.king % 8 - state.rival % 8), abs(state.king // 8 - state.rival // 8))
        return balance + side * (5 * edge - 4 * apart)

    def order(self, state, move):
        """Promotions first, then captures."""
        goal = move % 64
        takes = (state.first > 0 and state.first % 64 == goal) or (state.second > 0 and state.second % 64 == goal)
        return (10 - (move >> 12) if move >> 12 else 0) + (5 if takes else 0)

    def noisy(self, state, move):
        return self.order(state, move) > 0

    def forcing(self, state):
        return in_check(state.king, state.rival, state.first, state.second)

    def key(self, state):
        men = (state.first * 704 + state.second) * 4096
        return (men + state.king * 64 + state.rival) * 4 + 2 * state.player + state.passant

    def canonical(self, state):
        """The position that stands for all with the same number, its colours exchanged perhaps."""
        return self.at(self.stage(state), self.index(state))

    def symmetries(self, state):
        """The board turned and mirrored; only mirrored, if there are pawns."""
        pawns = WITH_PAWNS[state.first // 64 * 11 + state.second // 64]
        for way in range(4, 8, 4) if pawns else range(1, 8):
            yield image(state, way)

    # -- looking and writing -----------------------------------------------------------------------------------

    def board(self, state):
        cells = endgame_notation.rows_of(endgame_notation.men_on(state))
        edges = tuple("abcdefgh"), tuple("87654321")
        return Grid(cells, *edges, pieces=endgame_notation.PIECES, checkered=True, sides=COLOURS)

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
