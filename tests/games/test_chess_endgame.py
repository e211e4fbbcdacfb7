"""Chess endgames: rules beside python-chess, numbers beside counts of all positions, values beside endgame tables."""

import random
from itertools import combinations_with_replacement

import chess
import numpy as np
import pytest

import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, WIN, GameError
from zermelo.bits import mix
from zermelo.checking.compiled_rules import ask_compiled
from zermelo.games.chess_endgame.chess_endgame_rules import ChessEndgame
from zermelo.games.chess_endgame.endgame_tables import EP_PLACEMENTS
from zermelo.games.chess_endgame.longest_wins import LONGEST_WINS
from zermelo.native import kernel
from zermelo.rules import legal_actions, moves_into, payoff
from zermelo.state_literals import plain

PAWNS = (ChessEndgame("KPKP"), ChessEndgame("KPPK"))
"""Captures and promotions lead to every endgame of three and four pieces: two compiled games serve for all."""

PASSING = 1806 * 16
"""The last numbers of KPKP: positions with an en passant capture."""

MATERIALS = [
    "KRK", "KPK", "KKP", "KQKR", "KRRK", "KBKB", "KBBK", "KBNK", "KNNK", "KPKP", "KPPK", "KRKP", "KQPK", "KKNP", "KK",
    "KBBKN", "KBBBK", "KRPKR", "KQPKP", "KPPKP", "KPKRP", "KPPPK",
]  # fmt: skip

COUNTS = {
    "KQK": (18081, 28056), "KRK": (21959, 28056), "KBK": (24178, 28056), "KNK": (25750, 28056), "KPK": (81664, 84012),
    "KQKQ": (1119216, 1119216), "KQKR": (1119216, 1347906), "KQKB": (1119216, 1479198), "KQKN": (1119216, 1567222),
    "KQKP": (3370968, 4981504), "KRKR": (1347906, 1347906), "KRKB": (1347906, 1479198), "KRKN": (1347906, 1567222),
    "KRKP": (4050020, 4981504), "KBKB": (1479198, 1479198), "KBKN": (1479198, 1567222), "KBKP": (4445680, 4981504),
    "KNKN": (1567222, 1567222), "KNKP": (4704266, 4981504), "KPKP": (3718044, 3718044), "KQQK": (353793, 854238),
    "KQRK": (864052, 1707888), "KQBK": (962339, 1707888), "KQNK": (1030802, 1707888), "KQPK": (3273697, 5124732),
    "KRRK": (520702, 854238), "KRBK": (1170995, 1707888), "KRNK": (1238446, 1707888), "KRPK": (3938586, 5124732),
    "KBBK": (635550, 854238), "KBNK": (1359578, 1707888), "KBPK": (4316615, 5124732), "KNNK": (719130, 854238),
    "KNPK": (4574725, 5124732), "KPPK": (1806671, 1912372),
}  # fmt: skip
"""Legal positions up to symmetry with White and with Black to move, without en passant, as in the Gaviota tables."""

RAW = {
    "KQK": (144508, 223944), "KRK": (175168, 223944), "KBK": (193284, 223944), "KNK": (205496, 223944),
    "KPK": (163328, 168024),
}  # fmt: skip
"""The same without regard to symmetry."""

MATES = {
    "KQK": {(0, WIN): (18081, 19), (1, DRAW): (2896, 0), (1, LOSS): (25160, 20)},
    "KRK": {(0, WIN): (21959, 31), (1, DRAW): (2796, 0), (1, LOSS): (25260, 32)},
    "KBK": {(0, DRAW): (24178, 0), (1, DRAW): (28056, 0)},
    "KNK": {(0, DRAW): (25750, 0), (1, DRAW): (28056, 0)},
    "KPK": {(0, WIN): (62480, 55), (0, DRAW): (19184, 0), (1, DRAW): (35210, 0), (1, LOSS): (48802, 56)},
}
"""Who moves and what it comes to: how many positions up to symmetry, and the most plies to mate; Gaviota tables too."""


def random_states(game, count, seed=1):
    """Positions of all endgames of the game, among them some with an en passant capture, either colour to move."""
    dice = random.Random(seed)
    found = []
    while len(found) < count:
        stage = dice.randrange(len(game.endings)) if dice.random() < 0.5 else 0
        late = passing_numbers(game, stage) if dice.random() < 0.3 else 0
        index = dice.randrange(game.size(stage) - late if late else 0, game.size(stage))
        state = game.at(stage, index)
        if game.index(state) == index:
            state = dice.choice([state, *game.symmetries(state)])
            found.append(state if dice.random() < 0.5 else state._replace(player=1 - state.player))
    return found


def passing_numbers(game, stage):
    """How many numbers of an endgame, the last ones, are those of positions with an en passant capture."""
    white, black = game.kinds[2 * stage : 2 * stage + 2]
    return 1806 * int(EP_PLACEMENTS[white]) * (1 if black < 0 else 2)


def on_board(game, state):
    board = chess.Board(game.state_text(state))
    assert board.turn == (state.player == 0)
    return board


# -- rules, beside python-chess ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("material", MATERIALS)
def test_moves_are_those_of_chess(material):
    game = ChessEndgame(material)
    for state in [game.initial(), *random_states(game, 150 if len(material) < 5 else 70)]:
        board = on_board(game, state)
        assert (game.result(state) == DRAW) == board.is_insufficient_material()
        if game.result(state) != ONGOING:
            continue
        texts = {game.move_text(state, move): move for move in game.moves(state)}
        assert texts.keys() == {board.san(move) for move in board.legal_moves}
        if not texts:
            assert game.stuck(state) == (LOSS if board.is_checkmate() else DRAW)
        for text, move in texts.items():
            then = board.copy(stack=False)
            then.push_san(text)
            assert game.state_text(game.play(state, move)).split()[:4] == then.fen().split()[:4]


@pytest.mark.parametrize("material", MATERIALS)
def test_what_has_a_number_is_legal(material):
    """Whether a position can have come about at all is not asked: two checks at once from odd places are fine."""
    game = ChessEndgame(material)
    dice = random.Random(7)
    odd = chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK
    for _ in range(400 if len(material) < 5 else 150):
        endgame = dice.choice(game.endings)
        board = chess.Board.empty()
        white, black = endgame[1:].split("K")
        letters = f"Kk{white}{black.lower()}"
        for square, letter in zip(dice.sample(range(64), len(letters)), letters, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = dice.random() < 0.5
        if board.status() | odd == odd:
            state = game.parse_state(board.fen())
            assert 0 <= game.index(state) < game.size(game.stage(state))
            assert game.endings[game.stage(state)] == endgame
        else:
            with pytest.raises(GameError, match="is not legal"):
                game.parse_state(board.fen())


def test_en_passant():
    game = ChessEndgame("KPKP")
    before = game.parse_state("8/8/8/8/1p6/8/P7/5k1K w - - 0 1")
    state = game.play(before, game.parse_move(before, "a4"))
    assert game.state_text(state) == "8/8/8/8/Pp6/8/8/5k1K b - a3 0 1"
    assert before in list(game.predecessors(state))
    taken = game.play(state, game.parse_move(state, "bxa3"))
    assert game.state_text(taken) == "8/8/8/8/8/p7/8/5k1K w - - 0 1"
    assert game.squares(state, game.parse_move(state, "b4a3")) == (33, 40, 32)
    quiet = game.parse_state("8/8/8/8/Pp6/8/8/5k1K b - - 0 1")
    assert game.index(quiet) < game.size(0) - PASSING <= game.index(state)
    assert before not in list(game.predecessors(quiet))
    passed = game.play(state, game.parse_move(state, "Kf2"))
    assert passed == game.play(quiet, game.parse_move(quiet, "Kf2"))
    assert {state, quiet} <= set(game.predecessors(passed))


@pytest.mark.parametrize("text", ["8/8/8/8/1p6/8/P7/5k1K w - - 0 1", "8/P7/8/8/8/8/p7/k6K w - - 0 1"])
def test_perft(text):
    game, board = ChessEndgame("KPKP"), chess.Board(text)
    for depth in range(4):
        assert z.perft(game, depth, state=game.parse_state(text)) == leaves(board, depth)


def leaves(board, depth):
    if depth == 0:
        return 1
    total = 0
    for move in () if board.is_insufficient_material() else board.legal_moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total


# -- numbers -----------------------------------------------------------------------------------------------------------


@kernel
def count_numbers(game, stage, counts):
    """For White, then Black to move: numbers that name a position, positions symmetric ones included, en passant."""
    for index in range(game.size(stage)):
        state = game.at(stage, index)
        if game.index(state) == index:
            images, same = 1, 1
            for image in game.symmetries(state):
                images += 1
                if image == state:
                    same += 1
            row = 3 * state.player
            passing = 1 if state.passant else 0
            counts[row + 2] += passing
            counts[row] += 1 - passing
            counts[row + 1] += images // same


def agree_on_counts(game, endgames):
    for endgame in endgames:
        counts = np.zeros(6, np.int64)
        count_numbers(game, game.endings.index(endgame), counts)
        white, white_raw, passing, black, black_raw, _ = (int(count) for count in counts)
        if endgame in ("KQKQ", "KRKR", "KBKB", "KNKN", "KPKP"):  # White to move stands for Black to move
            assert black == 0
            black = white
        assert (white, black) == COUNTS[endgame]
        assert (passing > 0) == (endgame == "KPKP")
        if endgame in RAW:
            assert (white_raw, black_raw) == RAW[endgame]


def test_every_legal_position_has_one_number():
    agree_on_counts(PAWNS[0], [*RAW, "KQKR", "KRKR", "KBKN", "KPKP"])
    agree_on_counts(PAWNS[1], ["KQQK", "KRRK", "KBBK", "KBNK", "KPPK"])


@pytest.mark.slow
def test_every_legal_position_of_every_ending_has_one_number():
    assert COUNTS.keys() == {endgame for game in PAWNS for endgame in game.endings} - {"KK"}
    for game in PAWNS:
        agree_on_counts(game, game.endings[:-1])


@pytest.mark.parametrize("material", MATERIALS)
def test_equivalent_positions_have_one_number(material):
    game = ChessEndgame(material)
    for state in random_states(game, 100 if len(material) < 5 else 40, seed=3):
        colours = state._replace(player=1 - state.player)
        assert game.state_text(colours) != game.state_text(state)
        for other in (*game.symmetries(state), colours):
            assert (game.stage(other), game.index(other)) == (game.stage(state), game.index(state))
            assert game.canonical(other) == game.canonical(state)
        assert len({state, *game.symmetries(state)}) in ((1, 2) if "P" in game.endings[game.stage(state)] else (4, 8))


@pytest.mark.parametrize("material", MATERIALS)
def test_endgames_come_in_order(material):
    game = ChessEndgame(material)
    assert game.stage(game.initial()) == 0
    assert game.endings[-1] == "KK"
    for state in random_states(game, 60 if len(material) < 5 else 20, seed=4):
        for move in legal_actions(game, state):
            assert game.stage(game.play(state, move)) >= game.stage(state)


def test_endgames_by_name():
    assert ChessEndgame("KQKR").endings == ("KQKR", "KQK", "KRK", "KK")
    assert ChessEndgame("KRKQ").endings == ("KQKR", "KQK", "KRK", "KK")
    assert ChessEndgame("KBBKN").endings == ("KBBKN", "KBBK", "KBKN", "KBK", "KNK", "KK")
    assert ChessEndgame("KNBK").endings == ("KBNK", "KBK", "KNK", "KK")
    assert [ChessEndgame("KQKR").size(stage) for stage in range(4)] == [3784704, 59136, 59136, 462]
    assert [ChessEndgame("KQKR").size(stage) for stage in (-2, -1, 4, 5)] == [0, 0, 0, 0]
    assert ChessEndgame("KPKP").size(0) == 1806 * 48 * 48 + PASSING
    assert ChessEndgame("KBBKN").size(0) == 2 * 462 * 64 * 63 // 2 * 64
    assert ChessEndgame("KPPPK").size(0) == 2 * 1806 * 48 * 47 * 46 // 6
    assert ChessEndgame("KPPKP").size(0) == 2 * 1806 * (48 * 48 * 47 // 2 + 16 * 48)
    assert len(ChessEndgame("KPPKP").endings) == 111


# -- un-moves ----------------------------------------------------------------------------------------------------------


@kernel
def sum_of_moves(game, stage, size, buffer, totals):
    """All moves inside a stage, as pairs of numbers: how many, and hashes combined in no order."""
    for index in range(size):
        state = game.at(stage, index)
        if game.index(state) == index and game.result(state) == ONGOING:
            count = moves_into(game, state, buffer)
            for i in range(count):
                child = game.play(state, buffer[i])
                buffer[i] = game.index(child) if game.stage(child) == stage else -1
            for i in range(count):
                if buffer[i] >= 0 and not repeats(buffer, i):
                    totals[0] += 1
                    totals[1] ^= np.int64(mix(index * size + buffer[i]) >> 1)


@kernel
def sum_of_unmoves(game, stage, size, buffer, totals):
    """The same from the other end."""
    for index in range(size):
        state = game.at(stage, index)
        if game.index(state) == index:
            count = 0
            for before in game.predecessors(state):
                buffer[count] = game.index(before)
                count += 1
            for i in range(count):
                if not repeats(buffer, i):
                    totals[0] += 1
                    totals[1] ^= np.int64(mix(buffer[i] * size + index) >> 1)


def repeats(numbers, i):
    seen = False
    for j in range(i):
        seen |= numbers[j] == numbers[i]
    return seen


def agree_on_moves(game, endgames):
    for endgame in endgames:
        stage = game.endings.index(endgame)
        forth, back = np.zeros((2, 2), np.int64)
        for call, totals in ((sum_of_moves, forth), (sum_of_unmoves, back)):
            call(game, stage, game.size(stage), np.zeros(256, np.int64), totals)
        assert forth.tolist() == back.tolist(), endgame
        assert (forth[0] > 0) == (endgame not in ("KBK", "KNK", "KK"))


@pytest.mark.slow
def test_unmoves_undo_moves():
    agree_on_moves(PAWNS[0], ["KPKP", "KQKR", "KPK", "KQK", "KRK", "KBK", "KK"])


@pytest.mark.slow
@pytest.mark.parametrize("game", PAWNS, ids=repr)
def test_unmoves_undo_moves_in_every_ending(game):
    agree_on_moves(game, game.endings)


def test_unmoves_undo_moves_one_by_one():
    """Interpreted, and found by playing from positions: also the positions themselves, not only their numbers."""
    for material in ("KPKP", "KRRK", "KQKN", "KPPKP", "KQPKP", "KBBKN"):
        game = ChessEndgame(material)
        for state in random_states(game, 60 if len(material) < 5 else 30, seed=5):
            for before in game.predecessors(state):
                assert game.index(before) >= 0
                assert state in [game.play(before, move) for move in game.moves(before)]
            for move in legal_actions(game, state):
                child = game.play(state, move)
                inside = game.stage(child) == game.stage(state) and game.result(child) == ONGOING
                assert not inside or state in list(game.predecessors(child))


# -- values ------------------------------------------------------------------------------------------------------------


@kernel
def settle(game, stage, plies, starts, values, buffer):
    """Give a value to the positions of a stage that are decided in so many plies; how many there were.

    Values are 1 + plies for a win (odd plies) or loss (even plies), and 0 while unknown.
    """
    found = 0
    for index in range(game.size(stage)):
        state = game.at(stage, index)
        if values[starts[stage] + index] or game.index(state) != index or game.result(state) != ONGOING:
            continue
        count = moves_into(game, state, buffer)
        won, lost = False, plies % 2 == 0 and (count > 0 or game.stuck(state) < 0)
        for i in range(count):
            child = game.play(state, buffer[i])
            value = values[starts[game.stage(child)] + game.index(child)]
            won |= value == plies and plies % 2 == 1
            lost &= value > 0 and value % 2 == 0 and value <= plies
        if won or lost:
            values[starts[stage] + index] = plies + 1
            found += 1
    return found


@pytest.mark.slow
def test_mates_with_three_pieces():
    """The game solved in the simplest way: all positions again and again, one ply more each time."""
    game = PAWNS[0]
    stages = [game.endings.index(endgame) for endgame in (*MATES, "KK")]
    starts = np.zeros(len(game.endings) + 1, np.int64)
    for stage in stages:
        starts[stage] = starts[-1]
        starts[-1] += game.size(stage)
    values, buffer = np.zeros(starts[-1], np.int64), np.zeros(128, np.int64)
    for plies in range(60):
        for stage in stages:
            settle(game, stage, plies, starts, values, buffer)
    for endgame, expected in MATES.items():
        assert tally(game, game.endings.index(endgame), starts, values) == expected


def tally(game, stage, starts, values):
    found = {}
    for index in range(game.size(stage)):
        state = game.at(stage, index)
        if game.index(state) == index:
            value = int(values[starts[stage] + index])
            outcome = DRAW if value == 0 else LOSS if value % 2 else WIN
            count, longest = found.get((state.player, outcome), (0, 0))
            found[state.player, outcome] = (count + 1, max(longest, value - 1 if value else 0))
    return found


# -- both worlds, writing, contract ------------------------------------------------------------------------------------


def test_compiled_and_interpreted_agree():
    game = PAWNS[0]
    numbers = ("result", "stage", "index", "mover", "evaluate", "forcing")
    for state in random_states(game, 100, seed=6):
        if game.result(state) != ONGOING:
            continue
        assert ask_compiled(game, numbers, state) == [getattr(game, rule)(state) for rule in numbers]
        canonical, place = game.canonical(state), (game.stage(state), game.index(state))
        assert plain(ask_compiled(game, ("at", "canonical"), state)) == plain([game.at(*place), canonical])
        assert plain(game.at(*place)) == plain(canonical)
        assert ask_compiled(game, ("moves",), state) == [list(game.moves(state))]
        assert ask_compiled(game, ("predecessors",), state) == [list(game.predecessors(state))]
        for move in game.moves(state):
            found = ask_compiled(game, ("play", "order"), state, move)
            assert found == [game.play(state, move), game.order(state, move)]
    assert game.native_error is None


@pytest.mark.parametrize("material", ["KRK", pytest.param("KPKP", marks=pytest.mark.slow)])
def test_contract(material):
    z.check(ChessEndgame(material), seconds=3)


def test_in_writing():
    game = ChessEndgame("KRRK")
    state = game.parse_state("8/8/8/8/8/3k4/2R5/KR6 w - -")
    assert game.state_text(state) == "8/8/8/8/8/3k4/2R5/KR6 w - - 0 1"
    assert game.board(state).cells[-1] == "KR......"
    texts = [game.move_text(state, move) for move in game.moves(state)]
    assert {"Rbb2", "Rc3+", "Rcb2"} <= set(texts)
    assert game.move_text(state, game.parse_move(state, "c2c3")) == "Rc3+"
    assert game.parse_move(state, "Rc3") == game.parse_move(state, "Rc3+")
    mated = z.position(game, "7k/R7/8/8/8/8/8/KR6 w - -")
    assert game.move_text(mated, game.parse_move(mated, "b1b8")) == "Rb8#"
    assert payoff(game, game.play(mated, game.parse_move(mated, "Rb8#"))) == LOSS


@pytest.mark.parametrize(
    ("text", "why"),
    [("8/8/8/8/8/2k5/1R6/K7", "does not describe"), ("8/8/8/8/8/2k5/1R6/K6 w - -", "does not describe"),
     ("8/8/8/8/8/2k5/1R6/K7 x - -", "does not describe"), ("8/8/8/8/8/2k5/1R6/K7 w K -", "does not describe"),
     ("8/8/8/8/8/2K5/1R6/K7 w - -", "does not describe"), ("8/8/8/8/8/2kX4/1R6/K7 w - -", "does not describe"),
     ("", "does not describe"), ("8/8/8/8/8/2k5/1Q6/K7 w - -", "no position of this endgame"),
     ("8/8/8/8/8/1Rk5/8/K7 w - -", "not legal"), ("8/8/8/8/8/8/1k6/KR6 w - -", "not legal")],
)  # fmt: skip
def test_texts_that_are_no_position(text, why):
    with pytest.raises(GameError, match=why):
        ChessEndgame("KRK").parse_state(text)


@pytest.mark.parametrize("material", ["", "K", "KR", "RKK", "KRKRK", "KQRKBN", "KXK", "krk", 3])
def test_materials_that_are_none(material):
    with pytest.raises(GameError, match="material must name"):
        ChessEndgame(material)


@pytest.mark.parametrize("material", ["KK", "KQQK", "KKRR", "KBBK", "KPKR", "KNNK", "KKQ", "KRKR", "KPPK", "KNKP"])
def test_every_start_is_a_legal_position_of_the_ending(material):
    game = ChessEndgame(material)
    assert game.stage(game.initial()) == 0
    assert game.index(game.initial()) >= 0
    assert on_board(game, game.initial()).is_valid()


def test_every_ending_of_five_pieces_starts_legally():
    """Most start from a published longest win; three of one kind that never win from their home squares."""
    sides = ["".join(side) for n in range(4) for side in combinations_with_replacement("QRBNP", n)]
    materials = [f"K{white}K{black}" for white in sides for black in sides if len(white) + len(black) == 3]
    assert len(materials) == 2 * (35 + 75)
    for material in materials:
        game = ChessEndgame(material)
        assert game.index(game.initial()) >= 0
        assert sorted(filter(str.isalpha, game.state_text(game.initial()).split()[0].upper())) == sorted(material)
    assert sum(len(name) == 5 for name in LONGEST_WINS) == 181


@pytest.mark.parametrize(
    ("material", "text", "captures"),
    [("KPPKP", "8/8/8/8/2PpP3/8/8/K6k b - c3", {"dxc3"}), ("KPPKP", "8/8/8/8/2PpP3/8/8/K6k b - e3", {"dxe3"}),
     ("KPPKP", "8/8/8/2PpP3/8/8/8/K6k w - d6", {"cxd6", "exd6"}), ("KPPKP", "8/8/8/2PpP3/8/8/8/K6k w - -", set()),
     ("KRPKP", "8/8/8/8/k1pP3R/8/8/7K b - -", set()), ("KBPKP", "7k/8/5B2/8/2pP4/8/8/K7 b - d3", set())],
)  # fmt: skip
def test_captures_en_passant_with_five_pieces(material, text, captures):
    """Two pawns may have made the step, two may capture; a capture that would open a line to the king is none."""
    game = ChessEndgame(material)
    state = game.parse_state(text)
    assert (state.passant > 0) == bool(captures)
    moves = {game.move_text(state, move) for move in game.moves(state)}
    assert {move.rstrip("+#") for move in moves if "x" in move} == captures
    assert moves == {on_board(game, state).san(move) for move in on_board(game, state).legal_moves}


def test_no_en_passant_where_the_capture_would_expose_the_king():
    game = ChessEndgame("KRPKP")
    before = game.parse_state("8/8/8/8/k1p4R/8/3P4/7K w - -")
    after = game.play(before, game.parse_move(before, "d4"))
    assert after.passant == 0
    assert before in list(game.predecessors(after))
