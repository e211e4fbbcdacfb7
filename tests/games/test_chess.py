"""Chess: published perft counts, every rule beside python-chess, notation, evaluation and the ends of games."""

import random
import sys
from pathlib import Path

import chess
import numpy as np
import pytest

import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, WIN, GameError, Limit
from zermelo.bits import bit, byte_swap
from zermelo.games.adapters.python_chess import from_board, from_move, to_board, to_move
from zermelo.games.chess.chess_evaluation import WEIGHTS
from zermelo.games.chess.chess_geometry import KING, PAWN, QUEEN
from zermelo.games.chess.chess_notation import epd, uci
from zermelo.games.chess.chess_rules import FIFTY_MOVES, Chess
from zermelo.games.chess.chess_state import RANK_8
from zermelo.games.chess.static_exchange import PIECE_VALUES, see_nonnegative
from zermelo.keys import state_check, state_key
from zermelo.play import Session
from zermelo.rules import legal_actions, payoff

sys.path.append(str(Path(__file__).parents[2] / "bench"))

import chess_contest
import chess_tuning
import versions

GAME = Chess()
START = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

PERFT = {
    START: (20, 400, 8902, 197281, 4865609, 119060324),
    KIWIPETE: (48, 2039, 97862, 4085603, 193690690),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624, 11030083, 178633661),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333, 15833292),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487, 89941194),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2079, 89890, 3894594, 164075551),
}
"""Leaves at depth 1, 2, ...: the six positions of the Chess Programming Wiki, Perft Results."""

ODD = {
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1": (6, 1134888),  # the en passant capture would expose the king
    "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1": (6, 824064),  # and so it would here
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1": (6, 1440467),
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1": (6, 661072),
    "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1": (6, 803711),
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1": (4, 1274206),
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1": (4, 1720476),
    "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1": (6, 3821001),
    "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1": (5, 1004658),
    "4k3/1P6/8/8/8/8/K7/8 w - - 0 1": (6, 217342),
    "8/P1k5/K7/8/8/8/8/8 w - - 0 1": (6, 92683),
    "K1k5/8/P7/8/8/8/8/8 w - - 0 1": (6, 2217),
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1": (7, 567584),
    "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1": (4, 23527),
}
"""Depth and leaves of positions in which one rule is easily forgotten, as collected by Peterka."""


def at(text):
    return GAME.parse_state(text)


# -- perft -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fen", PERFT)
def test_published_counts(fen):
    for depth, leaves in enumerate(PERFT[fen], 1):
        if leaves < 10_000_000:
            assert z.perft(GAME, depth, at(fen)) == leaves
    assert z.perft(GAME, 2, at(fen), interpreted=True) == PERFT[fen][1]


@pytest.mark.slow
@pytest.mark.parametrize("fen", PERFT)
def test_published_counts_of_deep_trees(fen):
    assert z.perft(GAME, len(PERFT[fen]), at(fen)) == PERFT[fen][-1]


class Undead(Chess):
    """Chess in which nothing but mate and stalemate ends the game, which is what published counts go by."""

    def result(self, state):
        return ONGOING


@pytest.mark.slow
@pytest.mark.parametrize("fen", ODD)
def test_rules_that_are_easily_forgotten(fen):
    depth, leaves = ODD[fen]
    assert z.perft(Undead(), depth, at(fen)) == leaves


# -- every rule, beside python-chess -----------------------------------------------------------------------------------

STARTS = (
    START,
    KIWIPETE,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "QQ5Q/8/k7/8/8/Q6K/8/2Q4Q b - - 3 70",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/4k3/8/2b5/8/3KN3/8 w - - 90 60",
    "4k2r/6P1/8/8/8/8/1p6/R3K3 w Qk - 97 90",
)


def agrees_with_python_chess(game, positions, seed, starts=STARTS):
    """Play this many positions at random, and compare moves, notation, positions and ends with python-chess."""
    dice = random.Random(seed)
    board = chess.Board(START)
    state = game.initial()
    for _ in range(positions):
        assert game.state_text(state) == board.fen()
        assert game.parse_state(board.fen()) == state
        assert payoff(game, state) == end_of(board)
        if end_of(board) != ONGOING or board.ply() > 300:
            board = chess.Board(dice.choice(starts))
            state = game.parse_state(board.fen())
            continue
        moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
        assert moves.keys() == {board.san(move) for move in board.legal_moves}
        assert {uci(state, move) for move in moves.values()} == {move.uci() for move in board.legal_moves}
        text = dice.choice(list(moves))
        assert game.parse_move(state, text) == game.parse_move(state, board.parse_san(text).uci()) == moves[text]
        board.push_san(text)
        state = game.play(state, moves[text])


def end_of(board):
    """What the player to move gets, with a draw after fifty moves but not by repetition."""
    if board.is_checkmate():
        return LOSS
    drawn = board.is_stalemate() or board.is_insufficient_material() or board.is_fifty_moves()
    return DRAW if drawn else ONGOING


def test_random_play_agrees_with_python_chess():
    agrees_with_python_chess(GAME, 1000, seed=1)


@pytest.mark.slow
def test_long_random_play_agrees_with_python_chess():
    agrees_with_python_chess(GAME, 10_000, seed=2)


class Proud(Chess):
    """Pawns become nothing but queens."""

    def moves(self, state):
        for move in super().moves(state):
            if move >> 12 in (QUEEN, PAWN, KING) or not state.pawns & bit(move >> 6 & 63):
                yield move


class Settled(Chess):
    """The right to castle with a rook outlives the rook."""

    def play(self, state, move):
        child = super().play(state, move)
        return child._replace(rights=child.rights | byte_swap(state.rights & RANK_8))


class Restless(Chess):
    """Fifty moves do not end the game."""

    def result(self, state):
        return super().result(state._replace(clock=0))


@pytest.mark.parametrize(
    ("game", "start"),
    [(Proud(), STARTS[3]), (Settled(), KIWIPETE), (Restless(), STARTS[-2])],
    ids=repr,
)
def test_a_broken_rule_is_noticed(game, start):
    """python-chess sees it."""
    with pytest.raises((AssertionError, GameError)):
        agrees_with_python_chess(game, 3000, seed=3, starts=(start,))


class Slow(Chess):
    """Chess that is never compiled."""

    native = False


def test_the_contract_holds_interpreted():
    assert not z.check(Slow(), states=25, games=1, seconds=0.2).notes


@pytest.mark.slow
def test_the_contract_holds():
    report = z.check(GAME)
    assert report.native, report.native_error
    assert not report.notes


# -- writing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "text", "same"),
    [
        (START, "e4", ("e2e4", "e2-e4", "e4!")),
        (START, "Nf3", ("g1f3", "Ngf3", "Ng1f3", "Nf3+")),
        (KIWIPETE, "O-O", ("e1g1", "0-0", "O-O+")),
        (KIWIPETE, "O-O-O", ("e1c1", "0-0-0")),
        (KIWIPETE, "Bxa6", ("e2a6", "Ba6", "Be2xa6")),
        ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a8=Q#", ("a7a8q", "a8=Q", "a8Q", "A7A8Q")),
        ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a8=N", ("a7a8n", "a8N")),
        ("8/8/8/1k6/2pP4/8/8/4K3 b - d3 0 1", "cxd3", ("c4d3", "c4xd3")),
        ("8/8/8/k7/4Q2Q/8/8/2K4Q w - - 0 1", "Qh4e1+", ("h4e1",)),
        ("k7/8/8/4B3/8/8/8/1N2B1K1 w - - 0 1", "B1c3", ("e1c3",)),  # a bishop, though a knight can go b1c3
        ("k7/8/8/4B3/8/8/8/1N2B1K1 w - - 0 1", "Nc3", ("b1c3",)),
    ],
)
def test_moves_are_read_in_many_ways(fen, text, same):
    state = at(fen)
    move = GAME.parse_move(state, text)
    assert GAME.move_text(state, move) == text
    assert {GAME.parse_move(state, other) for other in same} == {move}


@pytest.mark.parametrize(
    ("fen", "text", "words"),
    [
        (START, "e5", "'e5' is not a legal move in rnbqkbnr"),
        (START, "O-O", "not a legal move"),
        (START, "e2e5", "not a legal move"),
        (KIWIPETE, "Nb3", "not a legal move"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Kg1", "not a legal move"),
        ("3R4/8/8/3R4/8/k7/8/K7 w - - 0 1", "Rd6", "can be R5d6 or R8d6"),
        ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a8", "not a legal move"),
    ],
)
def test_moves_that_are_not_read(fen, text, words):
    with pytest.raises(GameError, match=words):
        GAME.parse_move(at(fen), text)


def test_a_line_of_play_is_a_position():
    state = z.position(GAME, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O")
    assert GAME.state_text(state) == "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 3 5"
    assert z.position(GAME, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1") == state


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        (START.rsplit(" ", 2)[0], START),
        ("8/8/8/8/8/2k5/1R6/K7", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"),
        ("8/8/8/8/8/2k5/1R6/K7 b", "8/8/8/8/8/2k5/1R6/K7 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w K", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ('1K1k4/8/8/8/8/8/8/R7 b - - bm Kd7; id "WAC.001";', "1K1k4/8/8/8/8/8/8/R7 b - - 0 1"),
        ("1K1k4/8/8/8/8/8/8/R7 b - - hmvc 7; fmvn 31;", "1K1k4/8/8/8/8/8/8/R7 b - - 7 31"),
        ("8/8/8/8/4P3/8/1k6/4K3 b - e3 0 1", "8/8/8/8/4P3/8/1k6/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 5 0", "4k3/8/8/8/8/8/8/4K2R w K - 5 1"),
    ],
)  # fmt: skip
def test_positions_are_read_from_fen_and_epd(text, fen):
    """An en passant square without a legal capture is left out."""
    assert GAME.state_text(at(text)) == fen
    assert epd(at(text)) == fen.rsplit(" ", 2)[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "does not describe a position; one looks like 'rnbqkbnr/"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "does not describe a position"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "does not describe a position"),
        ("xnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "does not describe a position"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "does not describe a position"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2", "does not describe a position"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR wb KQkq - 0 1", "does not describe a position"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 x", "does not describe a position"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "each player has one king"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "each player has one king"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "no pawn stands on the first or the last rank"),
        ("k7/8/8/QQQQQQQQ/QQQQQQQQ/8/8/K7 b - - 0 1", "at most sixteen pieces"),
        ("k7/8/8/8/8/8/8/K6R w K - 0 1", "'K' cannot castle there"),
        ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "'X' cannot castle there"),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "could take the king"),
        ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "no pawn has just passed e6"),
        ("k7/8/8/4p3/8/8/8/K7 w - e3 0 1", "no pawn has just passed e3"),
    ],
)
def test_positions_that_are_not_read(text, words):
    with pytest.raises(GameError, match=words) as caught:
        at(text)
    assert "\n" not in str(caught.value)
    assert "Chess()" in str(caught.value)


def test_a_move_touches_its_squares():
    def touched(fen, text):
        state = at(fen)
        names = [chess.square_name(square ^ 56) for square in GAME.squares(state, GAME.parse_move(state, text))]
        return " ".join(names)

    assert touched(START, "Nf3") == "g1 f3"
    assert touched(KIWIPETE, "O-O-O") == "e1 c1 a1 d1"
    assert touched(KIWIPETE.replace(" w ", " b "), "O-O") == "e8 g8 h8 f8"
    assert touched("8/8/8/1k6/2pP4/8/8/4K3 b - d3 0 1", "cxd3") == "c4 d3 d4"


def test_a_board_is_a_picture():
    board = GAME.board(at(KIWIPETE))
    assert board.cells[0] == "r...k..r"
    assert board.cells[7] == "R...K..R"
    assert board.checkered


# -- symmetry ----------------------------------------------------------------------------------------------------------


def test_the_canonical_position_forgets_the_history_and_nothing_else():
    one, two = z.position(GAME, "Nf3 Nf6 g3 g6"), z.position(GAME, "g3 g6 Nf3 Nf6")
    assert one != two
    assert GAME.canonical(one) == GAME.canonical(two)
    passing = "8/8/8/8/1k1pP3/8/8/4K3 b - e3 0 1"
    texts = [
        KIWIPETE,
        KIWIPETE.replace("KQkq", "KQk"),
        KIWIPETE.replace(" w ", " b "),
        passing,
        passing.replace("e3", "-"),
    ]
    texts += [f"{square}1/8/8/8/8/8/2k5/7K w - - 0 1" for square in ("6N", "6R", "6B", "6Q")]
    texts += ["7N/8/8/8/8/8/2k5/7K w - - 0 1", "7R/8/8/8/8/8/2k5/7K w - - 0 1", "7R/8/8/8/8/8/2k5/7K w - - 100 1"]
    assert len({GAME.canonical(at(text)) for text in texts}) == len(texts)


def test_different_positions_have_different_keys():
    states = {GAME.canonical(state) for state in random_states(1500)}
    assert len({state_key(GAME, state) for state in states}) == len(states)
    assert len({state_check(GAME, state) for state in states}) == len(states)


def random_states(count, seed=5):
    dice = random.Random(seed)
    state, found = GAME.initial(), []
    while len(found) < count:
        moves = legal_actions(GAME, state)
        state = GAME.play(state, dice.choice(moves)) if moves else at(dice.choice(STARTS))
        found.append(state)
    return found


# -- evaluation --------------------------------------------------------------------------------------------------------


def test_evaluation_is_the_same_for_both_colours():
    for state in random_states(150):
        mirrored = at(chess.Board(GAME.state_text(state)).mirror().fen())
        assert GAME.features(mirrored) == GAME.features(state)


def test_what_one_player_has_the_other_lacks():
    for state in random_states(150):
        passed = GAME.skip(state)
        if passed != state:
            *features, move = GAME.features(state)
            *others, their_move = GAME.features(passed)
            assert features == [-feature for feature in others]
            assert move == their_move == 1


def test_there_is_a_weight_for_every_feature():
    assert len(GAME.features(GAME.initial())) == len(GAME.weights) == len(WEIGHTS)
    assert GAME.evaluate(GAME.initial()) == pytest.approx(WEIGHTS["tempo"])


@pytest.mark.parametrize(
    ("fen", "passed", "doubled", "isolated"),
    [
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - - 0 1", 1, 0, 0),  # both have passed, and the one on d5 has come farther
        ("4k3/4p3/8/3P4/8/8/8/4K3 w - - 0 1", 0, 0, 0),  # the one on e7 guards d6
        ("4k3/8/8/8/3P4/8/3P4/4K3 w - - 0 1", 1, 1, 2),
        ("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", 1, 0, 0),
        ("4k3/p7/8/8/8/8/1P6/4K3 w - - 0 1", 0, 0, 0),
    ],
)
def test_pawn_structure_is_evaluated(fen, passed, doubled, isolated):
    features = dict(zip(WEIGHTS, GAME.features(at(fen)), strict=True))
    late = features["passed endgame"]
    assert ((late > 0) - (late < 0), features["doubled"], features["isolated"]) == (passed, doubled, isolated)


def swap(board, square, player):
    """Return what the player wins by captures on a square while they pay, least valuable attacker first."""
    value_of = {piece: int(value) for piece, value in zip((5, 4, 3, 2, 1, 6), PIECE_VALUES[1:], strict=True)}
    attackers = sorted(board.attackers(player, square), key=lambda attacker: value_of[board.piece_type_at(attacker)])
    if not attackers or not board.piece_at(square):
        return 0
    king = board.piece_type_at(attackers[0]) == chess.KING
    won = value_of[board.piece_type_at(square)]
    after = board.copy(stack=False)
    after.set_piece_at(square, after.remove_piece_at(attackers[0]))
    if king and after.attackers(not player, square):
        return 0
    return max(0, won - swap(after, square, not player))


def test_exchanges_are_counted_as_on_a_real_board():
    seen = set()
    for state in random_states(1500, seed=6):
        board = to_board(state)
        for move in legal_actions(GAME, state):
            real = chess.Move.from_uci(uci(state, move))
            if board.piece_at(real.to_square) and not real.promotion:
                after = board.copy(stack=False)
                won = int(PIECE_VALUES[6 - after.piece_type_at(real.to_square)])
                after.set_piece_at(real.to_square, after.remove_piece_at(real.from_square))
                even = won >= swap(after, real.to_square, not board.turn)
                assert see_nonnegative(state, move) == even, (board.fen(), real)
                seen.add(even)
    assert seen == {True, False}


def test_good_captures_come_first_and_bad_ones_last():
    state = at("4k3/1P6/2p5/3q4/3pP3/1r3N2/8/3QK3 w - - 0 1")
    texts = {GAME.move_text(state, move): move for move in GAME.moves(state)}
    orders = {text: GAME.order(state, move) for text, move in texts.items()}
    assert orders["exd5"] > orders["Nxd4"] > orders["Kd2"] == 0 > orders["Qxb3"] > orders["b8=N"]
    noisy = {text for text, move in texts.items() if GAME.noisy(state, move)}
    assert noisy == {"exd5", "Nxd4", "Qxd4", "b8=Q+"}


def test_nobody_passes_in_check_or_with_pawns_alone():
    for fen in ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1"):
        assert GAME.skip(at(fen)) == at(fen)
    assert GAME.forcing(at("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1"))
    passed = GAME.skip(at(KIWIPETE))
    assert GAME.state_text(passed) == KIWIPETE.replace(" w ", " b ").replace("0 1", "1 1")


def test_a_bare_king_cannot_win():
    assert GAME.bounds(at("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"))[0] == 0
    assert GAME.bounds(at("4k3/8/8/8/8/8/8/R3K3 b - - 0 1"))[1] == 0
    assert GAME.bounds(GAME.initial()) == (-1_000_000, 1_000_000)


# -- mates, and other ends ---------------------------------------------------------------------------------------------

MATES = [
    ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1, "Rd8#"),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1, "Qxf7#"),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, "Ra6"),  # Morphy, 1840s
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 5, "Ra6+"),
    ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 3, "Rg1+"),
]


@pytest.mark.parametrize(("fen", "plies", "text"), MATES[:3])
def test_short_mates_are_found_interpreted(fen, plies, text):
    found = z.search(Slow(), at(fen), Limit(depth=plies + 1))
    assert (found.value.plies, GAME.move_text(at(fen), found.move)) == (plies, text)


@pytest.mark.parametrize("depth", [1, 2])
def test_a_mate_in_one_is_proven_at_any_depth(depth):
    """Nothing is sooner, though moves are reduced and skipped here."""
    found = z.search(Slow(), at(MATES[0][0]), Limit(depth=depth)).value
    assert (str(found), found.exact) == ("win in 1", True)


@pytest.mark.slow
@pytest.mark.parametrize(("fen", "plies", "text"), MATES)
def test_mates_are_found(fen, plies, text):
    found = z.search(GAME, at(fen), Limit(depth=plies + 4))
    assert (found.value.outcome, found.value.plies, GAME.move_text(at(fen), found.move)) == (WIN, plies, text)


@pytest.mark.slow
def test_a_rook_is_enough_to_win():
    """The engine mates a bare king within fifty moves, though no search sees the end at first."""
    session = Session(GAME, at("8/8/8/3k4/8/8/8/R3K3 w - - 0 1"))
    while session.outcome is None:
        session.play(z.search(GAME, session.state, Limit(nodes=200_000)).move)
    assert session.outcome.winner == 0


def played(fen, *texts):
    session = Session(GAME, at(fen))
    for text in texts:
        assert session.outcome is None
        session.enter(text)
    return session.outcome


def test_a_position_that_repeats_twice_is_a_draw():
    there_and_back = ("Nf3", "Nf6", "Ng1", "Ng8")
    assert played(START, *there_and_back, *there_and_back).words().startswith("Draw by repetition")
    assert played(START, *there_and_back, "Nf3", "Nf6", "Ng1") is None


def test_a_lost_right_makes_another_position():
    king = ("Ke2", "Ke7", "Ke1", "Ke8")
    start = "4k3/8/8/8/8/8/P6p/R3K3 w Q - 0 1"
    assert played(start, *king, *king) is None
    assert played(start, *king, *king, "Ke2").words().startswith("Draw by repetition")


def test_fifty_moves_are_enough():
    assert played("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "Ra2", "Kd7").winner is None
    assert played("4k3/8/8/8/8/8/P7/R3K3 w - - 99 80", "a3") is None


def test_a_mate_comes_before_the_fifty_moves():
    assert played("6k1/5ppp/8/8/8/8/8/K2R4 w - - 99 80", "Rd8").winner == 0
    assert GAME.result(at("3R2k1/5ppp/8/8/8/8/8/K7 b - - 100 80")) == ONGOING
    assert FIFTY_MOVES == 100


@pytest.mark.parametrize(
    ("fen", "payoff_there"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", DRAW),  # stalemate
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", LOSS),
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", DRAW),
        ("8/8/4k3/8/8/4KN2/8/8 w - - 0 1", DRAW),
        ("8/8/2b1k3/8/8/4KB2/8/8 w - - 0 1", DRAW),  # bishops on squares of one colour
        ("8/8/1b2k3/8/8/4KB2/8/8 w - - 0 1", ONGOING),
        ("8/8/2n1k3/8/8/4KN2/8/8 w - - 0 1", ONGOING),
        ("8/8/4k3/8/8/4KNN1/8/8 w - - 0 1", ONGOING),
    ],
)
def test_ends(fen, payoff_there):
    assert payoff(GAME, at(fen)) == payoff_there == end_of(chess.Board(fen))


def test_stalemate_ends_a_session():
    assert played("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7").winner is None


# -- python-chess boards -----------------------------------------------------------------------------------------------


def test_boards_go_in_and_out():
    board = chess.Board(KIWIPETE)
    game, state = from_board(board)
    assert to_board(state) == board
    for move in board.legal_moves:
        assert to_move(state, from_move(state, move)) == move
    board.push_uci("e1g1")
    assert game.play(state, from_move(state, chess.Move.from_uci("e1g1"))) == from_board(board)[1]


def test_boards_of_other_games_are_refused():
    import chess.variant

    with pytest.raises(GameError, match="the board plays Atomic"):
        from_board(chess.variant.AtomicBoard())
    with pytest.raises(GameError, match="the board plays Chess960"):
        from_board(chess.Board(chess960=True))
    with pytest.raises(GameError, match=r"takes a chess\.Board, not 'e4'"):
        from_board("e4")


def test_without_python_chess_there_is_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(GameError, match="pip install 'zermelo\\[chess\\]'"):
        to_board(GAME.initial())


# -- new terms of the evaluation, and their weights --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "feature", "sign"),
    [
        ("4k3/8/3K4/3P4/8/8/8/8 w - - 0 1", "king and passed pawns", 1),
        ("8/3k4/8/3P4/8/8/8/3K4 w - - 0 1", "king and passed pawns", -1),
        ("4k3/8/8/8/8/2P5/3P4/4K3 w - - 0 1", "protected pawns", 1),
        ("4k3/3p4/2p5/8/8/8/2PP4/4K3 w - - 0 1", "protected pawns", -1),
        ("3rk3/8/4N3/8/8/8/8/4K3 w - - 0 1", "minor threats", 1),
        ("4k3/8/8/8/8/4b3/3Q4/4K3 w - - 0 1", "minor threats", -1),
        ("3nk3/8/4N3/8/8/8/8/4K3 w - - 0 1", "minor threats", 0),
    ],
)
def test_kings_near_passed_pawns_protected_pawns_and_threats(fen, feature, sign):
    value = dict(zip(WEIGHTS, GAME.features(at(fen)), strict=True))[feature]
    assert (value > 0) - (value < 0) == sign


def test_a_fit_finds_the_weights_that_made_the_targets():
    dice = np.random.default_rng(1)
    features, wanted = dice.normal(size=(20_000, 3)), np.array([1.0, -0.5, 0.2])
    targets = chess_tuning.probability(0.5 * features @ wanted)
    assert chess_tuning.best_weights(features, targets, np.zeros(3), 0.5, np.full(3, 500.0)) == pytest.approx(
        wanted, rel=0.2
    )
    assert chess_tuning.best_slope(features @ wanted, targets) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "fen",
    [
        chess_contest.KIWIPETE,
        chess_contest.MIDDLE,
        "8/5k2/3p4/1P6/2q4P/8/1K3R2/8 b - - 0 1",
        "4k3/8/8/3N4/8/8/8/B3K2n w - - 0 1",
    ],
)
def test_the_rows_of_a_fit_evaluate_as_the_game_does(fen):
    state = at(fen)
    states = np.array([[int(word) for word in state]], np.uint64)
    row = np.hstack([chess_tuning.features_of(GAME, states), chess_tuning.piece_squares(states)])[0]
    weights = [*WEIGHTS.values(), *chess_tuning.PIECE_SQUARE_WEIGHTS]
    assert row @ weights == pytest.approx(GAME.evaluate(state), abs=1e-4)


def test_a_target_looks_ahead_in_its_game():
    """The last position aims at the result, those before it at the scores after them too; seen by the mover."""
    states = [GAME.initial()]
    states.append(GAME.play(states[0], next(iter(GAME.moves(states[0])))))
    record = {"states": states, "scores": [0.0, 40.0], "quiet": [True, True], "result": 1.0}
    features, targets, results = chess_tuning.rows_of(GAME, [record], 1.0)
    assert len(features) == 2
    assert targets == pytest.approx([0.0, 1.0])
    assert results.tolist() == [0.0, 1.0]
    record["scores"][1] = 0.0
    assert chess_tuning.rows_of(GAME, [record], 1.0).targets[1] == pytest.approx(
        chess_tuning.TRACE + (1 - chess_tuning.TRACE) / 2
    )


# -- the bench, without its peers --------------------------------------------------------------------------------------


def test_a_match_begins_with_different_openings():
    states = {z.position(GAME, opening) for opening in chess_contest.OPENINGS}
    assert len(states) == len(chess_contest.OPENINGS) == 20


def test_versions_begin_with_different_openings():
    texts = [*versions.chess_openings(GAME, 45, 3)]
    assert len(set(texts)) == 45
    assert texts == [*versions.chess_openings(GAME, 45, 3)] != [*versions.chess_openings(GAME, 45, 4)]


def test_a_version_is_a_folder_a_revision_or_a_program(tmp_path, capsys):
    root = Path(versions.__file__).parents[1]
    assert versions.source_folder(str(root), tmp_path) == versions.source_folder(str(root / "src"), tmp_path)
    assert versions.player("uci:gnuchess --uci", "nodes=5", "chess", tmp_path) == "nodes=5,uci:gnuchess --uci"
    assert versions.main(["no such version", str(root), "--games", "2"]) == 2
    assert "neither a folder with src/zermelo nor a revision" in capsys.readouterr().err
