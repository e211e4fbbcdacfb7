"""The order of the engine's sources: the book, then the database, then a search."""

import pytest

import zermelo as z
from zermelo.play import Clock, Engine
from zermelo.play.books.proven_book import Answer, Book
from zermelo.play.move_choice import Source, database_report


class Pond(z.Game):
    """A lost position, with a short way to the end that can cycle and a long one that cannot."""

    loops = True
    native = False
    WAYS = {
        "shore": {"wait": "pond", "run": "lane"},
        "pond": {"back": "shore", "win": "caught"},
        "lane": {"on": "gate"},
        "gate": {"on": "wall"},
        "wall": {"win": "caught"},
        "caught": {},
    }

    def initial(self):
        return "shore"

    def moves(self, place):
        return list(self.WAYS[place])

    def play(self, place, way):
        return self.WAYS[place][way]

    def result(self, place):
        return z.ONGOING if self.WAYS[place] else z.LOSS


@pytest.fixture(scope="module")
def solution():
    game = z.load("tic_tac_toe")
    object.__setattr__(game, "native", False)
    return z.solve(game)


@pytest.fixture(scope="module")
def compiled():
    return z.solve(z.load("tic_tac_toe"))


def test_the_book_comes_before_the_database_and_that_before_a_search(solution):
    game, state = solution.game, solution.game.initial()
    book = Book(game, {game.canonical(state): Answer(4, z.DRAW)})
    found = Engine(game, z.Limit(depth=1), book=book, database=solution).decide(state)
    assert (found.source, found.report.move, found.report.nodes) == (Source.BOOK, 4, 0)
    state = z.position(game, "b2 a1 c1")
    found = Engine(game, z.Limit(depth=1), book=book, database=solution).decide(state)
    assert (found.source, found.report.nodes) == (Source.DATABASE, 0)
    assert found.report.move in solution.best(state)
    assert found.report.moves == solution.moves(state)
    found = Engine(game, z.Limit(depth=1), book=book).decide(state)
    assert found.source is Source.SEARCH
    assert found.report.nodes > 0


@pytest.mark.parametrize("options", [{"style": "longest"}, {"seed": 1}])
def test_a_choice_among_all_moves_is_searched_with_the_database(solution, options):
    state = z.position(solution.game, "b2 a2")
    found = Engine(solution.game, z.Limit(depth=2), database=solution, **options).decide(state)
    assert found.source is Source.SEARCH
    assert solution.moves(state)[found.report.move].outcome == solution.value(state).outcome


def test_a_database_without_distances_is_probed_by_the_search():
    game = z.load("tic_tac_toe")
    outcomes = z.solve(game, wdl=True)
    state = z.position(game, "b2 a2")
    assert database_report(outcomes, state) is None
    found = Engine(game, z.Limit(depth=2), database=outcomes).decide(state)
    assert found.source is Source.SEARCH
    assert found.report.value.outcome == outcomes.value(state).outcome


def test_a_move_of_the_database_costs_its_time_and_earns_the_increment(solution):
    clock = Clock(60, increment=2, timer=iter([100.0, 107.0]).__next__)
    assert Engine(solution.game, clock, database=solution).decide(solution.game.initial()).source is Source.DATABASE
    assert clock.left == 60 - 7 + 2


def test_the_database_is_loaded_before_any_move(solution, monkeypatch):
    loaded = []
    monkeypatch.setattr("zermelo.play.engine.with_tablebase", lambda game, database: loaded.append(database) or game)
    engine = Engine(solution.game, z.Limit(depth=1), database=solution, style="longest")
    assert loaded == [solution]
    engine.choose(solution.game.initial())
    assert loaded == [solution]


def test_a_database_that_cannot_be_loaded_is_an_error_of_the_new_engine(compiled, monkeypatch):
    def fail(solution):
        raise z.GameError("out of memory")

    monkeypatch.setattr(z.Solution, "state_tables", fail)
    with pytest.raises(z.GameError, match="out of memory"):
        Engine(compiled.game, database=compiled)
    engine = Engine(compiled.game, z.Limit(depth=1), database=compiled, probe_in_search=False)
    assert engine.decide(compiled.game.initial()).source is Source.DATABASE


def test_what_needs_no_search_is_looked_up_and_the_rest_is_a_stream(solution):
    game, state = solution.game, solution.game.initial()
    found = Engine(game, database=solution).look_up(state)
    assert (found.source, found.report.moves) == (Source.DATABASE, solution.moves(state))
    assert Engine(game).look_up(state) is None
    with Engine(game, z.Limit(depth=3)).analyze(state, lines=2) as reports:
        last = list(reports)[-1]
    assert (last.depth, len(last.lines)) == (3, 2)


def test_a_lost_position_of_a_database_is_drawn_by_repetition_where_it_can_be():
    game = Pond()
    engine = Engine(game, z.Limit(depth=1), database=z.solve(game))
    lost = engine.decide("shore")
    assert (lost.source, lost.report.move, str(lost.report.value)) == (Source.DATABASE, "run", "loss in 4")
    drawn = engine.decide("shore", history=["shore", "pond"] * 2)
    assert (drawn.source, drawn.report.move) == (Source.DATABASE, "wait")
    assert str(drawn.report.value) == "draw by repetition"


@pytest.mark.parametrize(
    ("database", "words"), [(5, "must be a Solution or its file, not 5"), (None, "is one of Pond")]
)
def test_a_database_that_does_not_fit_is_an_error(database, words):
    with pytest.raises(z.GameError, match=words):
        Engine(z.load("nim"), database=database or z.solve(Pond()))
