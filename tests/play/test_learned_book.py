"""Learned books: what recorded games and searches say of moves, in games of every kind; Polyglot books and Syzygy."""

import json
import os
import random
import struct
import subprocess
import sys
import time

import chess
import chess.polyglot
import chess.syzygy
import pytest

import zermelo as z
from engine_process import SlowChess
from match_games import Countdown, Rolling
from zermelo import GameError, Limit
from zermelo.files import FileError
from zermelo.play import Engine, syzygy_files
from zermelo.play.books.drop_out_expansion import expand
from zermelo.play.books.learned_book import KnownMove, LearnedBook, open_learned
from zermelo.play.books.polyglot_book import PolyglotBook
from zermelo.play.books.proven_book import checksum


def moves_of(game, text):
    state, moves = game.initial(), []
    for word in text.split():
        moves.append(game.parse_move(state, word))
        state = game.play(state, moves[-1])
    return moves


def test_what_brings_points_is_played():
    game = SlowChess()
    book = LearnedBook(game)
    for line, winner in (("e4 e5", 1), ("e4 c5", 1), ("d4 d5", 0), ("d4 Nf6", None), ("c4 e5", 0)):
        book.learn(game.initial(), moves_of(game, line), winner)
    report = Engine(game, book=book).choose(game.initial())
    assert [game.move_text(report.state, line.pv[0]) for line in report.lines] == ["d4", "e4"]  # c4 was played once
    assert report.nodes == 0
    assert report.lines[0].value.score > 0 > report.lines[1].value.score
    after = game.play(game.initial(), moves_of(game, "e4")[0])
    assert book.report(after) is None  # each reply was played once


def test_the_side_to_move_is_counted():
    """Points are those of the player who moved, also where moves are recorded up to a ply."""
    game = Countdown(9)
    book = LearnedBook(game)
    for _ in range(2):
        book.learn(9, [1, 3, 2], winner=1, plies=2)
    assert book.positions == {9: {1: KnownMove(None, 2, 0.0)}, 8: {3: KnownMove(None, 2, 2.0)}}


def test_mirror_images_share_their_moves():
    game = z.load("connect_four(5, 4)")
    book = LearnedBook(game)
    for line in ("15", "51", "1 1"):
        book.learn(game.initial(), [int(letter) - 1 for letter in line.replace(" ", "")], winner=0)
    assert len(book) == 2
    (row,) = book.positions[game.canonical(game.initial())].values()
    assert row.games == 3
    report = book.report(game.initial())
    assert {game.move_text(game.initial(), line.pv[0]) for line in report.lines} == {"1", "5"}


def test_drop_out_expansion_finds_the_best_moves():
    """Twenty-one counters: a short search sees nothing, and the book sees the win that its positions prove."""
    game = Countdown(21)
    book = LearnedBook(game)
    expanded = list(expand(book, 18, Limit(depth=3)))
    assert len(expanded) == 18
    assert expanded[0] == 21
    assert [book.report(left).move for left in (21, 10, 7)] == [1, 2, 3]
    assert book.report(21).value.score > 0
    again = list(expand(book, 5, Limit(depth=3)))
    assert set(again).isdisjoint(expanded)


def test_good_play_is_expanded_first():
    class Choice(Countdown):
        def evaluate(self, left):
            return 50 if left % 4 else -50

    game = Choice(21)
    first = list(expand(LearnedBook(game), 5, Limit(depth=1)))
    assert first[:2] == [21, 20]  # 19 and 18 are what mistakes lead to


def test_games_with_chance():
    game = Rolling()
    book = LearnedBook(game)
    assert len(list(expand(book, 4, Limit(depth=2)))) == 4
    book.learn(game.initial(), [1, 6, 1, 3], winner=0)
    assert book.positions[game.initial()][1].games == 1
    assert book.report(game.play(game.initial(), 1)) is None  # a die is rolled
    assert Engine(game, book=book).choose(game.initial()).move == 1


def test_files(tmp_path):
    game = Countdown(9)
    book = LearnedBook(game)
    list(expand(book, 4, Limit(depth=3)))
    book.learn(9, [1, 3], winner=1)
    book.save(tmp_path / "book.json")
    assert open_learned(game, tmp_path / "book.json") == book
    assert Engine(game, book=tmp_path / "book.json").choose(9).nodes == 0
    with pytest.raises(GameError, match="not for Countdown"):
        open_learned(Countdown(10), tmp_path / "book.json")
    text = (tmp_path / "book.json").read_text()
    for old, new, words in (("1, 1.0]", "1, 0.5]", "damaged"), ('["9"', "[9", "no learned book")):
        assert old in text
        (tmp_path / "bad.json").write_text(text.replace(old, new, 1))
        with pytest.raises(GameError, match=words):
            open_learned(game, tmp_path / "bad.json")
    for bad in ([["9", [["1", "x", 1, 1]]]], [["9", [["1", None, -1, 0]]]], [["9", 3]], [[]]):
        (tmp_path / "bad.json").write_text(json.dumps({**json.loads(text), "positions": bad}))
        with pytest.raises(GameError, match="no learned book"):
            open_learned(game, tmp_path / "bad.json")


def test_a_state_that_is_not_canonical_is_refused(tmp_path):
    """Its moves would be played in its mirror image."""
    game = z.load("tic_tac_toe")
    book = LearnedBook(game)
    book.learn(game.initial(), moves_of(game, "b2 a1"), winner=0)
    book.save(tmp_path / "book.json")
    found = json.loads((tmp_path / "book.json").read_text())
    corners = [".../.../X..", "X../.../...", "..X/.../...", ".../.../..X"]
    turned = next(text for text in corners if game.canonical(game.parse_state(text)) != game.parse_state(text))
    rows = [[turned, [["b2", 0.0, 1, 1]]]]
    (tmp_path / "bad.json").write_text(json.dumps({**found, "positions": rows, "checksum": checksum(rows)}))
    with pytest.raises(GameError, match="canonical"):
        open_learned(game, tmp_path / "bad.json")


def test_a_pipe_is_no_book(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(GameError, match="it is not a file"):
        Engine(z.load("nim"), book=tmp_path / "pipe")


def test_the_command(tmp_path, monkeypatch, capsys):
    from zermelo.app.cli import run

    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.sgf").write_text("(;GM[2]SZ[4];B[ba];W[aa])" + "(;GM[2]SZ[4]RE[B+2];B[ba];W[aa];B[ab])" * 3)
    assert run(["book", "othello(4)", "-o", "book.json"]) == 1
    assert "no proven opening book" in capsys.readouterr().err
    command = ["book", "othello(4)", "-o", "book.json", "--learn", "games.sgf", "--positions", "3", "--depth", "2"]
    assert run(command) == 0
    book = open_learned(z.load("othello(4)"), tmp_path / "book.json")
    assert sum(row.games for row in book.positions[book.game.canonical(book.game.initial())].values()) == 3
    before = len(book)
    assert run(command) == 0
    assert len(open_learned(book.game, tmp_path / "book.json")) >= before
    assert "positions." in capsys.readouterr().out


# -- chess books and tables of other programs --------------------------------------------------------------------------


def polyglot_entry(board, san, weight):
    move = board.parse_san(san)
    code = move.to_square | move.from_square << 6
    return struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), code, weight, 0)


def test_polyglot_books(tmp_path):
    game, board = SlowChess(), chess.Board()
    entries = [polyglot_entry(board, "e4", 10), polyglot_entry(board, "d4", 30), polyglot_entry(board, "a3", 0)]
    (tmp_path / "book.bin").write_bytes(b"".join(sorted(entries)))
    report = Engine(game, book=tmp_path / "book.bin").choose(game.initial())
    assert [game.move_text(report.state, line.pv[0]) for line in report.lines] == ["d4", "e4"]
    board.push_san("e4")
    assert Engine(game, Limit(depth=1), book=tmp_path / "book.bin").choose(game.parse_state(board.fen())).nodes > 0
    (tmp_path / "bad.bin").write_bytes(b"x" * 17)
    with pytest.raises(GameError, match="no Polyglot book"):
        Engine(game, book=tmp_path / "bad.bin")
    with pytest.raises(GameError, match="is for chess"):
        Engine(Countdown(), book=tmp_path / "book.bin")


@pytest.mark.parametrize("promotion", range(5, 16))
def test_promotions_that_no_piece_has_are_no_moves_of_a_polyglot_book(promotion, tmp_path):
    """The code of a promotion is 4 for a queen; the highest bit of a move is not used."""
    board, path, game = chess.Board("7k/P7/8/8/8/8/8/K7 w - - 0 1"), tmp_path / "bad.bin", z.load("chess")
    key, state = chess.polyglot.zobrist_hash(board), game.parse_state(board.fen())
    for code in (promotion, 4):
        path.write_bytes(struct.pack(">QHHI", key, code << 12 | chess.A7 << 6 | chess.A8, 1, 0))
        report = PolyglotBook(game, path).report(state)
        assert (report and report.pv_text[0]) == ("a8=Q+" if code == 4 else None)


def test_a_polyglot_book_that_is_cut_short_or_all_of_one_position(tmp_path):
    game, board, path = SlowChess(), chess.Board(), tmp_path / "book.bin"
    path.write_bytes(polyglot_entry(board, "e4", 10) * 100_000)
    book = PolyglotBook(game, path)
    start = time.process_time()
    assert {game.move_text(game.initial(), line.pv[0]) for line in book.report(game.initial()).lines} == {"e4"}
    assert time.process_time() - start < 5
    path.write_bytes(b"")
    with pytest.raises(GameError, match=r"book\.bin is damaged: it was cut short while it was open"):
        book.report(game.initial())


CUT_TABLE = """
import os, sys
import zermelo as z
from zermelo.files import FileError
from zermelo.play.syzygy_tables import SyzygyTables
table = SyzygyTables(z.load("chess"), sys.argv[1])._tables.wdl["KQvK"]
table.init_mmap()
os.truncate(sys.argv[1] + "/KQvK.rtbw", 0)
try:
    table.read_uint16(1 << 19)
except FileError as error:
    print(error)
"""


def test_a_table_that_is_cut_short_does_not_end_the_process(tmp_path):
    (tmp_path / "KQvK.rtbw").write_bytes(bytes((1 << 20) + 16))
    command = [sys.executable, "-c", CUT_TABLE, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "KQvK.rtbw is damaged: it was cut short while it was open" in done.stdout


def test_numbers_of_tables_are_read_as_python_chess_reads_them(tmp_path):
    dice, path = random.Random(0), tmp_path / "KQvK.rtbw"
    path.write_bytes(dice.randbytes(syzygy_files.PAGE * 2 + 16))
    theirs, ours = chess.syzygy.WdlTable(str(path)), syzygy_files.Tables(tmp_path).wdl["KQvK"]
    with theirs, ours:
        theirs.init_mmap()
        ours.init_mmap()
        assert len(theirs.data) == len(ours.data)
        for place in (*range(20), *range(syzygy_files.PAGE - 9, syzygy_files.PAGE + 9), len(ours.data) - 8):
            assert theirs.data[place] == ours.data[place]
            assert theirs.data[place : place + 4] == ours.data[place : place + 4]
            for read in ("read_uint16", "read_uint32", "read_uint32_be", "read_uint64_be"):
                assert getattr(theirs, read)(place) == getattr(ours, read)(place)
        for place in (len(ours.data), -(10**6), 10**12):
            with pytest.raises((FileError, IndexError)):
                ours.read_uint32(place)


class FakeTables:
    """King and queen against king: all positions are won for the queen, sooner the nearer the king is to the edge."""

    def probe_wdl(self, board):
        if len(board.piece_map()) == 2:
            return 0
        strong = board.pieces(chess.QUEEN, board.turn)
        return 2 if strong else -2

    def probe_dtz(self, board):
        if len(board.piece_map()) == 2:
            return 0
        king = board.king(not board.turn if board.pieces(chess.QUEEN, board.turn) else board.turn)
        distance = 3 + min(chess.square_file(king), 7 - chess.square_file(king), chess.square_rank(king))
        return distance if board.pieces(chess.QUEEN, board.turn) else -distance


def test_syzygy_tables(tmp_path, monkeypatch):
    game = SlowChess()
    monkeypatch.setattr(syzygy_files, "Tables", lambda folder: FakeTables())
    with pytest.raises(GameError, match="holds no Syzygy tables"):
        Engine(game, syzygy=tmp_path)
    with pytest.raises(GameError, match="no folder"):
        Engine(game, syzygy=tmp_path / "missing")
    (tmp_path / "KQvK.rtbw").touch()
    engine = Engine(game, syzygy=tmp_path)
    won = engine.choose(game.parse_state("8/8/8/3k4/8/8/1Q6/K7 w - - 0 1"))
    assert (str(won.value), won.nodes) == ("win", 0)
    hanging = game.parse_state("8/8/8/8/8/2k5/1Q6/7K b - - 0 1")
    assert str(engine.choose(hanging).value) == "draw"  # the king takes the queen
    late = game.parse_state("8/8/8/3k4/8/8/1Q6/K7 w - - 99 80")
    assert str(engine.choose(late).value) == "draw"  # by the rule of fifty moves, whatever tables say
    mate = game.parse_state("k7/2Q5/1K6/8/8/8/8/8 w - - 0 1")
    assert game.move_text(mate, engine.choose(mate).move).endswith("#")
    assert engine.probe(game.initial()) is None
    late = game.parse_state("8/8/8/3k4/8/8/1Q6/K7 w - - 97 80")
    assert {line.value.outcome for line in engine.probe(late).lines} == {0}  # too late, by the rule of fifty moves
    assert engine.probe(game.parse_state("8/8/8/3k4/8/8/1Q6/K7 w - - 93 80")) is None  # DTZ may be a ply too small
    monkeypatch.setattr(FakeTables, "probe_dtz", lambda self, board: bytes(1)[2])  # a table that is damaged
    assert engine.probe(mate) is None
