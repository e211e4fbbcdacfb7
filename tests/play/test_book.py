"""Opening books: every move keeps the value, whoever follows the book and whatever the other plays."""

from __future__ import annotations

import json
import random

import pytest

import zermelo as z
from zermelo.files import FileError
from zermelo.play import Engine
from zermelo.play.books.proven_book import Answer, Book, checksum, make_book, open_book, own_book
from zermelo.value import DECISIVE

SMALL = "connect_four(5, 4)"


def made(game: z.Game, plies: int, nodes: int) -> Book:
    book = Book(game)
    for _ in make_book(game, plies, nodes, book):
        pass
    return book


@pytest.fixture(scope="module")
def small() -> Book:
    return made(z.load(SMALL), 8, 10_000)


def outcome(game: z.Game, state: object) -> int:
    """Who wins, by an exact search, seen by the player to move."""
    result = game.result(state)
    return result if result != z.ONGOING else z.search(game, state, exact=True).value.outcome


def faults(book: Book) -> list[object]:
    """The positions whose answer has another value than they have themselves."""
    game = book.game
    return [
        state
        for state, answer in book.answers.items()
        if not answer.outcome == outcome(game, state) == -outcome(game, game.play(state, answer.move))
    ]


def test_every_answer_has_the_value_of_its_position(small):
    assert len(small) > 20
    assert all(small.game.canonical(state) == state for state in small.answers)
    assert not faults(small)


def test_a_wrong_answer_is_noticed(small):
    """The test above can fail."""
    game = small.game
    state = next(
        state
        for state, answer in small.answers.items()
        if answer.outcome == 0 and any(outcome(game, game.play(state, move)) == 1 for move in game.moves(state))
    )
    move = next(move for move in game.moves(state) if outcome(game, game.play(state, move)) == 1)
    assert faults(Book(game, small.answers | {state: Answer(move, 0)})) == [state]


def test_a_position_that_is_not_in_the_book_is_settled_by_so_many_nodes(small):
    """Whoever follows the book and then searches meets no other position, whatever the other side plays."""
    game, dice = small.game, random.Random(5)
    left = 0
    for _ in range(40):
        state, side = game.initial(), dice.randrange(2)
        for ply in range(8):
            if game.result(state) != z.ONGOING:
                break
            if ply % 2 != side:
                state = game.play(state, dice.choice(list(game.moves(state))))
                continue
            report = small.report(state)
            if report is None:
                found = z.search(game, state, z.Limit(nodes=10_000))
                assert found.value.exact or abs(found.value.score) > DECISIVE
                left += 1
                break
            state = game.play(state, report.move)
    assert left  # some games left the book


def test_the_mirror_image_gets_the_mirrored_move(small):
    game = small.game
    for state, answer in small.answers.items():
        for image in game.symmetries(state):
            report = small.report(image)
            assert game.canonical(game.play(image, report.move)) == game.canonical(game.play(state, answer.move))


def test_a_book_is_read_as_it_was_written_and_gone_on_with(small, tmp_path):
    small.save(tmp_path / "book.json")
    again = open_book(small.game, tmp_path / "book.json")
    assert again.answers == small.answers
    few = Book(small.game, dict(list(small.answers.items())[:7]))
    for _ in make_book(small.game, 8, 10_000, few):
        pass
    assert few.answers == small.answers


def test_the_engine_plays_from_the_book_and_says_what_it_knows(small):
    game = small.game
    state = game.initial()
    report = Engine(game, z.Limit(nodes=10), book=small).choose(state)
    assert (report.nodes, report.move, str(report.value)) == (0, small.answers[state].move, "draw")
    assert Engine(game, z.Limit(depth=2), book=False).choose(state).nodes > 0
    assert Engine(game, z.Limit(depth=2), book=small, style="trickiest").choose(state).nodes > 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no opening book"),
        ('{"format": "zermelo book 0", "positions": []}', "is no opening book"),
        ('{"format": "zermelo book 1", "positions": [[1, 2]]}', "is no opening book"),
        ("\xff", "is no opening book"),
        ('{"format": "zermelo book 1", "positions": [["a", "b", 5]]}', "is no opening book"),
        ('{"format": "zermelo book 1", "positions": [["a", "b", 0.5]]}', "is no opening book"),
    ],
)
def test_a_file_that_is_no_book_is_refused(tmp_path, text, said):
    (tmp_path / "book.json").write_text(text, "latin-1")
    with pytest.raises(FileError, match=said):
        open_book(z.load(SMALL), tmp_path / "book.json")


def test_a_book_of_another_game_or_with_an_illegal_move_is_refused(small, tmp_path):
    path = tmp_path / "book.json"
    small.save(path)
    with pytest.raises(z.GameError, match=r"was made for ConnectFour\(width=5, height=4\), not for"):
        open_book(z.load("connect_four"), path)
    found = json.loads(path.read_text())
    found["positions"][0][1] = "9"
    path.write_text(json.dumps(found))
    with pytest.raises(z.GameError, match="is damaged: its positions are not as they were written"):
        open_book(small.game, path)
    found["checksum"] = checksum(found["positions"])
    path.write_text(json.dumps(found))
    with pytest.raises(z.GameError, match=r"is no opening book of .*'9' is not a legal move"):
        open_book(small.game, path)
    state, mirror = next(
        (state, image) for state in small.answers for image in small.game.symmetries(state) if image != state
    )
    found["positions"] = [[small.game.state_text(mirror), small.game.move_text(mirror, small.answers[state].move), 1]]
    found["checksum"] = checksum(found["positions"])
    path.write_text(json.dumps(found))
    with pytest.raises(z.GameError, match="is not the canonical one of its symmetric states"):
        open_book(small.game, path)
    with pytest.raises(z.GameError, match="no such file"):
        open_book(small.game, tmp_path / "none.json")


def test_games_of_chance_loops_and_points_have_no_book():
    for name in ("pig", "three_mens_morris", "kalah"):
        with pytest.raises(z.GameError, match="has no proven opening book"):
            next(make_book(z.load(name)))


@pytest.mark.slow
def test_where_a_player_moves_twice_no_position_is_forgotten():
    """In Quarto whoever places a piece chooses the next one for the other."""
    game = z.load("quarto(side=3, attributes=2)")
    book = made(game, 4, 5)
    sides = [_unanswered(book, game.initial(), side, 0, 4) for side in (0, 1)]
    assert len(book) > 5
    assert sides == [[], []]


def _unanswered(book: Book, state: object, side: int, ply: int, plies: int) -> list[object]:
    """What comes up while this side follows the book, is not in it, and is not settled by five nodes either."""
    game = book.game
    if ply == plies or game.result(state) != z.ONGOING:
        return []
    moves = list(game.moves(state))
    if game.mover(state) == side:
        report = book.report(state)
        if report is None:
            low, high = z.search(game, state, z.Limit(nodes=5)).bounds
            return [] if low > DECISIVE or high < -DECISIVE or low == high else [state]
        moves = [report.move]
    return [each for move in moves for each in _unanswered(book, game.play(state, move), side, ply + 1, plies)]


def test_the_engine_refuses_books_of_other_games_and_what_is_no_book(small):
    with pytest.raises(z.GameError, match=r"the book is one of ConnectFour\(width=5, height=4\)"):
        Engine(z.load("connect_four"), book=small)
    with pytest.raises(z.GameError, match="book must be a Book, its file, True or False, not 3"):
        Engine(z.load("connect_four"), book=3)
    assert Engine(z.load("connect_four"), book=None).book is None


def test_a_database_is_asked_before_the_games_own_book(small, monkeypatch):
    game = z.load("tic_tac_toe")
    monkeypatch.setattr("zermelo.play.books.any_book.own_book", lambda game: Book(game))
    assert Engine(game).book is not None
    assert Engine(game, database=z.solve(game)).book is None


# -- the book that comes with Connect Four -----------------------------------------------------------------------------


def test_connect_four_comes_with_a_book():
    game = z.load("connect_four")
    book = own_book(game)
    assert book is not None
    assert game.move_text(game.initial(), book.report(game.initial()).move) == "4"
    assert own_book(z.load("connect_four(6, 5)")) is None
    assert own_book(z.load("tic_tac_toe")) is None


def test_connect_four_never_leaves_the_proven_value():
    """From where proofs are quick: a random opponent's games, each of the engine's moves against an exact search."""
    _never_leaves(games=6, first_ply=18, nodes=1_000_000, seed=1)


@pytest.mark.slow
def test_connect_four_never_leaves_the_proven_value_from_the_first_move():
    """The engine with book and four million nodes a move, a third of a second's, against random and fair replies."""
    _never_leaves(games=16, first_ply=0, nodes=4_000_000, seed=2)


@pytest.mark.slow
def test_answers_of_connect_fours_book_are_proven_once_more():
    """Some of those that are not too far from the end for that."""
    book = own_book(z.load("connect_four"))
    late = [state for state in book.answers if book.game.stage(state) >= 8]
    chosen = random.Random(3).sample(late, 12)
    assert not faults(Book(book.game, {state: book.answers[state] for state in chosen}))


def _never_leaves(games: int, first_ply: int, nodes: int, seed: int) -> None:
    game, dice = z.load("connect_four"), random.Random(seed)
    engine, fair = Engine(game, z.Limit(nodes=nodes)), Engine(game, z.Limit(depth=6), book=False)
    for number in range(games):
        state, side = game.initial(), number % 2
        line = []
        while game.result(state) == z.ONGOING:
            mine = len(line) % 2 == side and len(line) >= first_ply
            if mine:
                report = engine.choose(state)
                move = report.move
                after = game.play(state, move)
                if report.nodes:  # what is in the book is proven
                    assert outcome(game, state) == -outcome(game, after), (line, move)
            elif len(line) < first_ply or dice.random() < 0.5:
                move = dice.choice(list(game.moves(state)))
            else:
                move = fair.choose(state).move
            line.append(game.move_text(state, move))
            state = game.play(state, move)
