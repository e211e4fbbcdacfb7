"""Records in every format: random games go out and come back, other programs read them, hostile files are refused."""

import io
import itertools
import json
import math
import random
import time
from contextlib import suppress

import chess
import chess.pgn
import pytest

import zermelo as z
from zermelo import GameError
from zermelo.play.session import Session
from zermelo.records.game_record import GameRecord, RecordedMove, RecordError, checked
from zermelo.records.records_api import FORMATS, read_records, write_records
from zermelo.rules import legal_actions

FORMAT_GAMES = [
    ("chess", ".pgn"), ("checkers", ".pdn"), ("gomoku(9)", ".sgf"), ("hex(5)", ".sgf"), ("othello(6)", ".sgf"),
    ("othello(4)", ".ggf"), ("backgammon", ".mat"), ("tic_tac_toe", ".jsonl"), ("pig(20)", ".jsonl"),
]  # fmt: skip


def random_record(game, seed, plies=200, annotated=True):
    """A random game with comments, evaluations, clocks and variations."""
    dice, session = random.Random(seed), Session(game, seed=seed)
    moves = []
    while session.outcome is None and len(moves) < plies:
        if session.is_chance:
            session.roll()
            moves.append(RecordedMove(session.history[-1].text))
            continue
        state, legal = session.state, session.moves
        move = dice.choice(legal)
        note = {}
        if annotated and dice.random() < 0.3:
            note["comment"] = dice.choice(["a [strange] move", 'so "he" says', "back\\slash", "50% é"])
        if annotated and dice.random() < 0.3:
            note["evaluation"] = dice.randrange(-300, 300) / 100
        if annotated and dice.random() < 0.2:
            other = dice.choice(legal)
            note["variations"] = ((RecordedMove(game.move_text(state, other), "or this"),),)
        if annotated and dice.random() < 0.2:
            note["clock"] = dice.randrange(1, 100000) / 10
        moves.append(RecordedMove(game.move_text(state, move), **note))
        session.play(move)
    outcome = session.outcome
    words = "unfinished" if outcome is None else "Draw." if outcome.winner is None else None
    winner = None if outcome is None else outcome.winner
    return GameRecord("", tuple(moves), players=("Ada", "Grace H."), winner=winner,
                      result=words or f"{session.names[winner]} wins.")  # fmt: skip


def keeps(record, suffix):
    """The record as a format keeps it: .mat has no notes, and GGF only evaluations."""
    if suffix not in (".mat", ".ggf"):
        return record.moves
    kept = {".ggf": lambda move: RecordedMove(move.text, evaluation=move.evaluation)}.get(
        suffix, lambda move: RecordedMove(move.text)
    )
    return tuple(map(kept, record.moves))


@pytest.mark.parametrize(("name", "suffix"), FORMAT_GAMES)
def test_games_go_out_and_come_back(name, suffix, tmp_path):
    game = z.load(name)
    plies = 30 if name == "chess" else 200
    records = [checked(game, random_record(game, seed, plies)) for seed in range(4)]
    path = tmp_path / f"games{suffix}"
    assert write_records(path, records, game) == 4
    again = list(read_records(path, game if name.startswith("pig") else None))
    assert [record.texts for record in again] == [record.texts for record in records]
    assert [record.moves for record in again] == [keeps(record, suffix) for record in records]
    for found, record in zip(again, records, strict=True):
        assert (found.players, found.winner, found.result) == (record.players, record.winner, record.result)
        assert found.game == record.game
        assert found.session(game).state == record.session(game).state


def test_formats_are_converted_into_each_other(tmp_path):
    game = z.load("othello(6)")
    records = [random_record(game, seed, annotated=False) for seed in range(3)]
    write_records(tmp_path / "a.ggf", records, game)
    write_records(tmp_path / "b.sgf", read_records(tmp_path / "a.ggf"))
    write_records(tmp_path / "c.jsonl", read_records(tmp_path / "b.sgf"))
    found = list(read_records(tmp_path / "c.jsonl"))
    assert [each.texts for each in found] == [each.texts for each in records]
    assert [each.winner for each in found] == [each.winner for each in records]


# -- other programs ----------------------------------------------------------------------------------------------------


def test_python_chess_reads_what_is_written_and_writes_what_is_read(tmp_path):
    game = z.load("chess")
    record = checked(game, random_record(game, 7, 40))
    write_records(tmp_path / "a.pgn", [record], game)
    found = chess.pgn.read_game(io.StringIO((tmp_path / "a.pgn").read_text()))
    assert found.errors == []
    node = found
    for move in record.moves:
        parent, node = node, node.next()
        assert parent.board().san(node.move) == move.text
        if move.evaluation is not None:
            assert node.eval().white().score() == round(100 * move.evaluation)
        if move.clock is not None:
            assert node.clock() == pytest.approx(move.clock)
        assert len(parent.variations) == 1 + len(move.variations)
    (tmp_path / "b.pgn").write_text(str(found))
    (again,) = read_records(tmp_path / "b.pgn")
    assert again.moves == record.moves


def test_evaluations_that_python_chess_reads(tmp_path):
    """None is spread over two lines, wherever a line ends; mates are read and written as mates."""
    texts = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"]
    told = [0.354, -12.5, 999_995, -999_996, -999_999, 0.0, 3.0, -0.01]
    for length in range(1, 80):
        noted = [
            RecordedMove(text, "x" * length, evaluation, 61.5) for text, evaluation in zip(texts, told, strict=True)
        ]
        write_records(tmp_path / "a.pgn", [GameRecord("chess", tuple(noted))])
        nodes = chess.pgn.read_game(io.StringIO((tmp_path / "a.pgn").read_text())).mainline()
        scores = [node.eval().white() for node in nodes]
        assert [score.score() for score in scores] == [35, -1250, None, None, None, 0, 300, -1]
        assert [score.mate() for score in scores[2:5]] == [3, -2, -1]
        assert all(node.clock() == 61.5 for node in nodes)
    (again,) = read_records(tmp_path / "a.pgn")
    assert [move.evaluation for move in again.moves] == [0.35, -12.5, 999_995, -999_997, -999_999, 0, 3, -0.01]


def test_evaluations_and_clocks_that_no_file_can_hold(tmp_path):
    """They are left out of PGN, where what cannot be read would become a comment."""
    noted = [RecordedMove("e4", "best", 1e9, 1e11), RecordedMove("e5", "", math.nan, -1.0)]
    write_records(tmp_path / "a.pgn", [GameRecord("chess", tuple(noted))])
    (again,) = read_records(tmp_path / "a.pgn")
    assert again.moves == (RecordedMove("e4", "best"), RecordedMove("e5"))


def test_a_game_that_began_elsewhere_is_no_mat(tmp_path):
    """It was written without its start, as moves that are not legal."""
    game = z.load("backgammon")
    state = game.play(game.play(game.initial(), game.parse_move(game.initial(), "31")), 0)
    with pytest.raises(GameError, match="no room for another start"):
        write_records(tmp_path / "a.mat", [GameRecord("backgammon", (), start=game.state_text(state))])
    assert not (tmp_path / "a.mat").exists()


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("depth=9,style=trickiest,seconds=1", "depth=9,style=trickiest …"),
        ("two\n  lines : 3  x", "two lines : 3 x"),
        ("uci:7", "uci:7"),
    ],
)
def test_names_that_do_not_fit_a_column(name, read, tmp_path):
    moves = (RecordedMove("31"), RecordedMove("8/5 6/5"))
    write_records(tmp_path / "a.mat", [GameRecord("backgammon", moves, players=(name, name))])
    (again,) = read_records(tmp_path / "a.mat")
    assert (again.texts, again.players) == (["31", "8/5 6/5"], (read, read))


def test_pgn_of_people(tmp_path):
    """What files contain: move numbers of all kinds, NAGs, comments to the end of a line, castling with zeros."""
    text = """[Event "Opera"]
[White "Morphy, Paul"]
[Black "Duke; and Count"]
[Result "1-0"]

1.e4 e5 2.Nf3 d6 3.d4 Bg4 $6 {too early} 4.dxe5 Bxf3 (4... dxe5 5.Qxd8+ Kxd8 (5... Qxd8?? $4) 6.Nxe5) 5.Qxf3 dxe5
6.Bc4 Nf6 7.Qb3 ; forks
Qe7 8.Nc3 c6 9.Bg5 b5 10.Nxb5 cxb5 11.Bxb5+ Nbd7 12.0-0-0 1-0

[White "?"]
1. d4 *
"""
    path = tmp_path / "people.pgn"
    path.write_text(text.replace("(5... Qxd8?? $4) ", ""))
    first, second = read_records(path)
    assert first.texts[-1] == "O-O-O"
    assert first.players == ("Morphy, Paul", "Duke; and Count")
    assert (first.winner, first.result, first.tags["Event"]) == (0, "White wins.", "Opera")
    assert first.moves[13].comment == ""
    assert first.moves[12].comment == "forks"
    assert [move.text for move in first.moves[7].variations[0]] == ["dxe5", "Qxd8+", "Kxd8", "Nxe5"]
    assert second.texts == ["d4"]
    path.write_text(text)
    with pytest.raises(GameError, match=r"people.pgn, game 1: move 1, 'Qxd8', is not legal in"):
        list(read_records(path))


def test_threats_and_variants_of_pgn(tmp_path):
    """A null move shows a threat, and what follows is words; it is no move of a game. Variants have other rules."""
    path = tmp_path / "a.pgn"
    path.write_text('[Variant "Standard"]\n\n1. e4 (1. Nf3 {first} -- {a threat} 2. e4 (2. d4)) (1. Z0 e5) 1... e5 *')
    (record,) = read_records(path)
    assert record.texts == ["e4", "e5"]
    assert [[move.text for move in line] for line in record.moves[0].variations] == [["Nf3"]]
    assert (record.moves[0].comment, record.moves[0].variations[0][0].comment) == ("Z0 e5", "first -- a threat e4")
    for text, words in [
        ("1. e4 -- 2. d4 *", "move 2, '--', is not legal"),
        ('[Variant "Crazyhouse"]\n\n1. e4 *', "it is a game of 'Crazyhouse', not of chess by the usual rules"),
    ]:
        path.write_text(text)
        with pytest.raises(GameError, match=words):
            list(read_records(path))


GNUBG = """; [EventDate "2026.11.17"]

 1 point match

 Game 1
 gnubg : 0                      root : 0
  1) 42: 8/4 6/4                 61: 13/7 8/7
  2) 61: 13/7 8/7                63: 13/7 13/10
  3) 42: 13/9 24/22              43: 24/20 20/17*
  4) 31: 25/22 9/8*              65: 25/20 20/14
  5) 44: 13/9 13/9 9/5 9/5       31: 13/10 13/12*
  6) 31: 25/22 22/21             64: 12/8 14/8
  7) 21: 24/23 23/21             52: 24/22 22/17*
  8) 54: 25/20 20/16             64: 17/13 13/7
  9) 41: 6/5 7/3                 42: 8/6 6/2
 10) 61: 4/3 16/10               66: 8/2 8/2 8/2 7/1
 11) 61: 10/4 5/4                66: 7/1 7/1 7/1
 12) 21: 6/5 4/2                 41: 2/1 10/6
 13) 41: 7/6 6/2                 42: 10/6 2/0
 14) 52: 21/16 5/3               65: 6/0 6/1
 15) 41: 16/15 15/11             21: 1/0 2/0
 16) 51: 22/17 11/10             61: 1/0 6/0
 17) 65: 17/12 12/6              31: 6/5 5/2
 18) 63: 10/7 7/1                21: 2/0 1/0
 19) 41: 6/5 5/1                 42: 6/2 2/0
 20) 51: 21/16 16/15             42: 6/2 6/4
 21) 41: 22/21* 21/17            41:
 22) 51: 17/12 12/11             65:
 23) 31: 11/10 15/12             62:
 24) 61: 12/11 11/5              32:
 25) 22: 10/8 8/6 6/4 3/1        21:
 26) 42: 4/0 5/3                 21:
 27) 41: 4/0 1/0                 11:
 28) 61: 6/0 6/5                 64: 25/21* 21/15
 29) 65: 25/19 19/14             66: 15/9 9/3 3/0 2/0
                                  Wins 1 point
"""
"""A game that GNU Backgammon 1.07 played with itself and exported."""


def test_a_match_of_gnu_backgammon(tmp_path):
    (tmp_path / "a.mat").write_text(GNUBG)
    (record,) = read_records(tmp_path / "a.mat")
    assert record.players == ("gnubg", "root")
    assert record.texts[:6] == ["42", "8/4 6/4", "61", "13/7 8/7", "61", "13/7 8/7"]
    assert record.texts[66:68] == ["31", "6/2"]  # past a blot that 6/3*/2 would hit
    assert (record.winner, record.result) == (1, "Second player wins.")
    assert record.session(z.load("backgammon")).outcome is None  # gnubg gave up


def test_the_player_of_the_right_column_may_begin(tmp_path):
    text = " Game 1\n gnubg : 0                      root : 0\n  1)                             43: 13/9 24/21\n"
    text += "  2)  Doubles => 2                Takes\n  3) 52: 13/8 6/4                Wins 1 point\n"
    (tmp_path / "a.mat").write_text(text)
    (record,) = read_records(tmp_path / "a.mat")
    assert record.players == ("root", "gnubg")
    assert record.texts == ["43", "24/21 13/9", "52", "13/8 6/4*"]
    assert record.moves[1].comment == "Doubles => 2 Takes"
    assert record.winner == 0


CUBE_MATCH = """ 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Takes
  3) 52: 13/8 6/4                 Doubles => 4
  4)  Takes                      41: 24/23 14/10
  5) 42: 8/4 6/4                 61: 10/4 8/7
                                 Wins 4 points

 Game 2
 Ann : 0                         Bob : 4
  1)                             31: 8/5 6/5
  2) 66: 24/18 24/18 13/7 13/7   11: 24/23 24/23 6/5 6/5
  3) 42: 8/4 6/4
      Wins 2 points

 Game 3
 Ann : 2                         Bob : 4
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Drops
      Wins 1 point
"""


def test_a_match_with_the_cube(tmp_path):
    """Crawford's game is the second: nobody doubles at 0-4, and the same score with a double would be one after it."""
    path, game = tmp_path / "a.mat", z.load("cube_backgammon(match=5)")
    path.write_text(CUBE_MATCH)
    first, second, third = read_records(path, game)
    assert first.players == ("Ann", "Bob")
    assert first.texts[:9] == ["31", "8/5 6/5", "roll", "64", "24/14", "double", "take", "52", "13/8 6/4"]
    assert first.texts[9:13] == ["double", "take", "41", "24/23 14/10"]
    assert [record.winner for record in (first, second, third)] == [1, 0, 0]
    assert second.texts[:4] == ["13", "8/5 6/5", "66", "24/18(2) 13/7(2)"]
    crawford = [
        z.position(game, record.start or game.state_text(game.initial())).crawford for record in (second, third)
    ]
    assert crawford == [1, 0]
    assert third.texts[-2:] == ["double", "pass"]
    assert third.session(game).state.points + third.session(game).state.their_points == 3 + 4
    with pytest.raises(GameError, match="game 1: it is of a match to 5 points, not to 7"):
        list(read_records(path, z.load("cube_backgammon(match=7)")))
    path.write_text(CUBE_MATCH.replace("  2)  Doubles => 2                Takes", "  2)  Takes"))
    with pytest.raises(GameError, match="move 6, 'take', is not legal"):
        list(read_records(path, game))


@pytest.mark.parametrize("name", ["cube_backgammon(match=7)", "cube_backgammon(match=0)"])
def test_a_played_match_is_read_again(name, tmp_path):
    """A match is written whole, and read as its games."""
    game, dice = z.load(name), random.Random(4)
    state, texts = game.initial(), []
    while game.result(state) == z.ONGOING:
        moves = legal_actions(game, state)
        move = dice.choices(moves, [3 if state.dice in (2, 3) and each == 1 else 1 for each in moves])[0]
        texts.append(game.move_text(state, move))
        state = game.play(state, move)
    record = GameRecord(name, tuple(map(RecordedMove, texts)), players=("Ann", "Bob"))
    write_records(tmp_path / "a.mat", [record], game)
    games = list(read_records(tmp_path / "a.mat", game))
    assert len(games) > (game.match > 0)
    assert {each.players for each in games} == {("Ann", "Bob")}
    again = [text for each in games for text in each.texts]
    assert [sorted(text) if text.isdigit() else text for text in again] == [
        sorted(text) if text.isdigit() else text for text in texts
    ]  # the player of the left column begins each game that is read
    if game.match == 0:
        assert again == texts


@pytest.mark.parametrize("name", ["backgammon", "cube_backgammon(match=5)"])
def test_names_of_players_are_no_moves_and_no_results(name, tmp_path):
    """A player who is called Doubles does not turn off Crawford's game, and one who is called Wins does not win."""
    game, path = z.load(name), tmp_path / "a.mat"
    path.write_text(" Game 1\n Wins 4 point : 0        1) Doubles : 4\n  1) 31: 8/5 6/5\n")
    (record,) = read_records(path, game)
    assert (record.players, record.winner) == (("Wins 4 point", "1) Doubles"), None)
    if record.start:
        assert z.position(game, record.start).crawford == 1


# -- files that nobody wrote -------------------------------------------------------------------------------------------

HOSTILE = {
    "a.pgn": ["1. e4 e5 2. Ke3 *", "1. e4 (", "1. e4 )", "( 1. e4", "1. e4 " + "(1. e4 " * 60, "1. é4", '[FEN "x"]\n*'],
    "a.pdn": ['[GameType "20"]\n1. 32-28 *', "1. 11-99", '[FEN "B:W1:K"]\n1. 1-2'],
    "a.sgf": ["(;GM[1];B[aa])", "(;GM[4]SZ[x];B[aa])", "(;GM[4]SZ[99])", "(;GM[4];B[zz])", "(;GM[4", "(;GM[4];B[a",
              "(;GM[4];B[aa]" + "(;W[ab])(;W[ac]" * 400 + ")" * 401,
              "(;GM[4]AB[a];B[aa])", "((((", "(;GM[4];B[hh];W[hh])", "(GM[4])"],
    "a.ggf": ["(;GM[Chess];)", "(;GM[Othel\nlo];)", "(;GM[Othello]BO[9 x];)", "(;GM[Othello]BO[8 --- *];)"],
    "a.mat": [" Game 1\n", " Game 1\n A : 0      B : 0\n  1) 31: 8/1 6/5\n", " Game 1\n A : 0   B : 0\n  1) 33: 8/5"],
    "cube.mat": [" Game 1\n A : 12345      B : 0\n", " Game 1\n A : 12345      B : 67890\n",
                 " Game 1\n A : 5    B : 0\n", " Game 1\n A : " + "9" * 5000 + "    B : 0\n",
                 " 7 point match\n Game 1\n A : 0    B : 0\n",
                 " Game 1\n A : 0    B : 0\n  1)  Doubles => 2      Takes\n", "\n" * 200_000 + " Game 1\n"],
    "a.json": ["", "nonsense", "[" * 100_000, "{}", '{"game": "chess", "start": 3, "moves": []}',
               '{"game": "../x.py:Evil", "start": "", "moves": []}', '{"game": "nim", "start": "", "moves": [1]}'],
    "a.jsonl": ['{"game": "tic_tac_toe", "start": "", "moves": ["z9"]}', "\x00\xff"],
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_get_sentences(name, tmp_path):
    path, cube = tmp_path / name, z.load("cube_backgammon(match=5)")
    games = {"a.mat": [None, cube], "cube.mat": [cube]}.get(name, [None])
    for text, game in itertools.product(HOSTILE[name], games):
        path.write_text(text)
        if text.strip() and not (name == "a.pgn" and text.startswith("[FEN")):
            with pytest.raises(GameError) as caught:
                list(read_records(path, game))
            assert str(path) in str(caught.value), text
            assert "\n" not in str(caught.value)
            assert str(caught.value).endswith("."), str(caught.value)


def test_reading_takes_linear_time(tmp_path):
    """A line or a game of nothing but spaces, empty lines, comments or variations; cubic time would take hours."""
    many = 20_000
    for name, text in (
        ("a.mat", " Game 1\n" + " " * many + "x\n" + "A : 1  " * many + "x\n A : 0      B : 0\n  1) 31: 8/5 6/5\n"),
        ("b.mat", " Game 1\n A : 0      B : 0\n  1) 31: 8/5 6/5\n" + "  2) Takes\n" * many),
        ("a.pgn", "\n" * many + '[White "A"]\n1. e4 *'),
        ("b.pgn", "1. e4 " + "{a}" * many + " *"),
        ("c.pgn", "1. e4 " + "(x)" * many + " *"),
    ):
        (tmp_path / name).write_text(text)
        began = time.process_time()
        with suppress(RecordError):
            (record,) = read_records(tmp_path / name)
            assert record.moves[0].text in ("e4", "31")
        assert time.process_time() - began < 5, name


def test_half_a_character_becomes_a_sign(tmp_path):
    """JSON can escape what UTF-8 cannot hold."""
    record = {"game": "tic_tac_toe", "start": "", "moves": ["b2"], "players": ["\ud800", "B"]}
    (tmp_path / "a.json").write_text(json.dumps(record))
    assert write_records(tmp_path / "b.json", read_records(tmp_path / "a.json")) == 1
    assert next(read_records(tmp_path / "b.json")).players == ("?", "B")


def test_bytes_that_are_no_text(tmp_path):
    """Any file ends in games or in a sentence."""
    dice = random.Random(3)
    sample = b"[(;GM4]SZ{15}B[hh)1.e4 31: 8/5 Game 1\n\"'\\"
    for suffix in FORMATS:
        for seed in range(60):
            path = tmp_path / f"x{suffix}"
            path.write_bytes(bytes(dice.choices(sample, k=seed * 3)))
            with suppress(GameError):
                list(read_records(path))


def test_a_game_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.records.record_stream.MAX_GAME_LENGTH", 1000)
    for name, text in (
        ("a.pgn", "1. e4 {" + "x" * 5000),
        ("a.sgf", "(;C[" + "x" * 100_000),
        ("a.jsonl", "x" * 100_000),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(GameError, match=f"{name}: one of its games has more than"):
            list(read_records(tmp_path / name))


def test_files_and_formats_that_cannot_be(tmp_path):
    with pytest.raises(GameError, match=r"notes.txt should end in .pgn, .pdn"):
        list(read_records(tmp_path / "notes.txt"))
    with pytest.raises(GameError, match=r"a.pgn cannot be read: no such file"):
        list(read_records(tmp_path / "a.pgn"))
    (tmp_path / "b.pgn").mkdir()
    with pytest.raises(GameError, match=r"b.pgn cannot be read"):
        list(read_records(tmp_path / "b.pgn"))
    record = checked(z.load("nim"), GameRecord("nim", ()))
    for suffix in (".pgn", ".pdn", ".sgf", ".ggf", ".mat"):
        with pytest.raises(GameError, match="JSON holds the games of any game"):
            write_records(tmp_path / f"c{suffix}", [record])
        assert not (tmp_path / f"c{suffix}").exists()
    with pytest.raises(GameError, match="holds one game"):
        write_records(tmp_path / "c.json", [record, record])


def test_thousands_of_games_stream(tmp_path):
    """Games are read one at a time: a broken one at the end does not keep the first from being read."""
    path = tmp_path / "many.pgn"
    path.write_text('[White "A"]\n\n1. e4 e5 2. Nf3 *\n\n' * 3000 + '[White "B"]\n\n1. e9 *\n')
    games = read_records(path)
    assert [next(games).texts for _ in range(3)] == [["e4", "e5", "Nf3"]] * 3
    with pytest.raises(GameError, match="game 3001: move 1, 'e9'"):
        for _ in games:
            pass


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command(tmp_path, capsys):
    from zermelo.app.cli import run

    source, target = tmp_path / "a.pgn", tmp_path / "b.jsonl"
    source.write_text('1. e4 {best} e5 1-0\n\n[White "C"]\n1. d4 *')
    assert run(["convert", str(source), str(target)]) == 0
    assert "2 games" in capsys.readouterr().out
    first, second = map(json.loads, target.read_text().splitlines())
    assert (first["moves"], first["notes"], second["players"]) == (["e4", "e5"], {"0": {"comment": "best"}}, ["C", ""])
    assert run(["convert", str(source), str(tmp_path / "c.sgf")]) == 1
    assert "SGF is for Othello, Gomoku and Hex" in capsys.readouterr().err
    assert run(["convert", str(source), str(target), "--game", "checkers"]) == 1
    assert "a.pgn" in capsys.readouterr().err
