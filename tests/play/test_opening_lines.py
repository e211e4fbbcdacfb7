"""Opening lines: what people play in the opening, drawn by weights; those of chess, and files of one's own."""

import random
from collections import Counter
from itertools import islice

import pytest

import zermelo as z
from match_games import Countdown, Rolling
from zermelo.app.terminal.game_dialogue import thoughts
from zermelo.files import FileError
from zermelo.matches.openings import openings_of_file
from zermelo.matches.player_spec import PlayerSpec
from zermelo.matches.players import ZermeloPlayer
from zermelo.play import Engine, Session
from zermelo.play.books.any_book import open_any_book, own_lines
from zermelo.play.books.opening_lines import OpeningLines


def test_moves_are_drawn_by_their_weights():
    book = OpeningLines(Countdown(9), "3 1 2\n2 1 3 # and more\n\n# 7 2\n5 2 3")
    assert book.moves(9) == {1: 5, 2: 5}
    assert book.moves(8) == {2: 3, 3: 2}
    drawn = Counter(book.drawn(8, random.Random(seed)).move for seed in range(200))
    assert 90 < drawn[2] < 150  # 120 of 200, with a deviation of 7
    assert [line.pv for line in book.report(8).lines] == [(2,), (3,)]
    assert book.report(3) is None
    assert book.drawn(3, random.Random(1)) is None


def test_an_engine_plays_a_line_to_its_end_and_then_searches():
    game = Countdown(9)
    session = Session(game)
    engine = Engine(game, z.Limit(depth=3), book=OpeningLines(game, "1 3 3"))
    sources = []
    for _ in range(3):
        decision = engine.decide(session.state)
        sources.append(str(decision.source))
        session.play(decision.report.move)
    assert sources == ["book", "book", "search"]
    assert Engine(game, z.Limit(depth=3), book=OpeningLines(game, "1 3 3"), level=3).decide(9).source != "book"


def test_symmetric_positions_share_their_lines():
    game = z.load("tic_tac_toe")
    book = OpeningLines(game, "2 a1 b2")
    corner = z.position(game, "c3")
    assert [game.move_text(corner, move) for move in book.moves(corner)] == ["b2"]
    assert [*book.moves(game.initial()).values()] == [0.5] * 4  # the four corners share the weight of the line
    both = OpeningLines(game, "3 b2\n1 a1")
    drawn = Counter(both.drawn(game.initial(), random.Random(seed)).move for seed in range(400))
    assert 270 < drawn[4] < 330  # the middle: 300 of 400, with a deviation of 9


def test_lines_of_a_game_of_dice_have_rolls_too():
    book = OpeningLines(Rolling(), "1 1 6 1\n1 1 2 1")
    assert book.moves((0, 0, False)) == {1: 2}
    assert book.report((0, 0, True)) is None  # nobody chooses a roll
    assert book.moves((6, 1, False)) == book.moves((2, 1, False)) == {1: 1}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("e4 e5", "has no weight"), ("0 1", "has no weight"), ("1000000 1", "has no weight"), ("7", "has no weight"),
        ("1 7", "'7' is no move of Countdown"), ("1 3 3 3 1", "'1' is no move"), ("٣ 1", "has no weight"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_played_is_named(text, reason, tmp_path):
    file = tmp_path / "mine.lines"
    file.write_text(f"# mine\n{text}\n", encoding="utf-8")
    with pytest.raises(FileError, match=f"line 2.*{reason}"):
        open_any_book(Countdown(9), file)


class Mating(Countdown):
    """Its notation marks the last moves, as chess marks a mate."""

    def move_text(self, state, move):
        return f"{move}#" if move == state else str(move)

    def parse_move(self, state, text):
        return int(text.rstrip("#"))


def test_a_sign_within_a_move_begins_no_comment(tmp_path):
    file = tmp_path / "mine.lines"
    file.write_bytes("\ufeff2 1 3 3 2# # the end\n#1 9".encode())  # as Windows writes it
    book = open_any_book(Mating(9), file)
    assert len(book) == 4


def test_openings_of_a_match_are_drawn_by_their_weights(tmp_path):
    file = tmp_path / "mine.lines"
    file.write_text("9 1 2\n1 2 3\n")
    openings = islice(openings_of_file(Countdown(9), file, seed=1), 60)
    first = Counter(opening.moves[0] for opening in openings)
    assert first["1"] > 40


def test_the_terminal_says_where_a_move_comes_from():
    game = Countdown(9)
    report = OpeningLines(game, "1 3 3").report(9)
    assert thoughts(report, "You") == "from the opening book"


def test_a_file_without_lines_or_of_bytes_is_none(tmp_path):
    file = tmp_path / "mine.LINES"
    for data, reason in ((b"# nothing\n", "no opening lines"), (b"\xff\xfe1", "no text of opening lines")):
        file.write_bytes(data)
        with pytest.raises(FileError, match=reason):
            open_any_book(Countdown(9), file)


def test_chess_comes_with_opening_lines():
    """Every line is played when the book is read; each game begins as people begin it, and not all begin alike."""
    game = z.load("chess")
    book = own_lines(game)
    assert len(book) > 1000
    begun = set()
    for seed in range(6):
        state, dice, plies = game.initial(), random.Random(seed), 0
        while (report := book.drawn(state, dice)) is not None:
            begun.add(game.move_text(state, report.move)) if plies == 0 else None
            state, plies = game.play(state, report.move), plies + 1
        assert plies >= 8
    assert len(begun) > 1
    assert own_lines(z.load("tic_tac_toe")) is None


def test_the_engine_plays_them_and_a_match_does_not():
    game = z.load("chess")
    assert Engine(game).decide(game.initial()).source == "book"
    assert Engine(game, book=False).book is None
    assert ZermeloPlayer(game, {}).engine.book is None
    assert PlayerSpec("zermelo", "A").settings == {}
