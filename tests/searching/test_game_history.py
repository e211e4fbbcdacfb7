"""The game before the search: what was played twice is a draw when it comes back, and proves nothing."""

import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, Game, GameError, Limit
from zermelo.play.engine import Engine
from zermelo.play.session import Session


class Shuffle(Game):
    """Two rooms side by side and a corridor: going round and round is evaluated as well as going on."""

    native = False
    loops = True
    doors = {"a": "bc", "b": "d", "c": "ef", "d": "a", "e": "c", "f": "g", "g": "h", "h": ""}

    def initial(self):
        return "a"

    def moves(self, room):
        return self.doors[room]

    def play(self, room, door):
        return door

    def result(self, room):
        return ONGOING

    def stuck(self, room):
        return LOSS

    def evaluate(self, room):
        return {"d": 3, "e": 1, "f": 2}.get(room, 0)


def test_any_futility_can_be_searched_with():
    class Vast(Shuffle):
        futility = 1e300

    assert z.search(Vast(), "a", Limit(depth=3)).value == z.search(Shuffle(), "a", Limit(depth=3)).value


def test_a_state_of_the_game_that_comes_back_is_a_draw():
    game = Shuffle()
    fresh = z.search(game, "a", Limit(depth=2))
    once = z.search(game, "a", Limit(depth=2), history=list("abd"))
    later = z.search(game, "a", Limit(depth=2), history=list("abdabd"))
    assert (fresh.move, str(fresh.value)) == ("b", "+3")  # going to b looks best
    assert (once.move, once.nodes) == (fresh.move, fresh.nodes)
    assert (later.move, str(later.value)) == ("c", "+1")  # but a third time is a draw
    assert not later.value.exact


def test_history_proves_nothing():
    """The exact values of a game do not depend on how its states came about."""
    game = Shuffle()
    solution = z.solve(game)
    for room in "abcdefg":
        report = z.search(game, room, Limit(depth=14), history=2 * list("abcdefgh"), lines=2)
        for line in report.lines:
            if line.value.exact:
                child = solution[game.play(room, line.pv[0])]
                assert (line.value.score > 0) == (child.score < 0), room


def test_compiled_and_interpreted_searches_see_the_same_history():
    game = z.load("three_mens_morris")
    session = Session(game)
    for _ in range(8):
        session.play(session.moves[0])
    report = z.search(game, session.state, Limit(depth=6), history=session.states)

    class Interpreted(type(game)):
        native = False

    other = z.search(Interpreted(), session.state, Limit(depth=6), history=session.states)
    assert (report.nodes, str(report.value), report.pv) == (other.nodes, str(other.value), other.pv)


@pytest.mark.parametrize("history", ["abc", 7, None, {"a"}])
def test_a_history_that_is_no_list_of_states_gets_a_sentence(history):
    with pytest.raises(GameError, match="history must be a list of states"):
        z.search(Shuffle(), "a", Limit(depth=1), history=history)


def test_a_won_game_is_not_drawn_by_shuffling():
    """Black is to promote; the engine plays both sides, and Black must win before a position comes back three times."""
    game = z.load("chess")
    session = Session(game, z.position(game, "8/8/8/1p1k3R/8/8/p1K5/5r2 b - - 0 1"))
    players = [Engine(game, Limit(nodes=20_000)) for _ in range(2)]
    while session.outcome is None:
        session.play(players[session.player].choose(session.state, history=session.states).move)
    assert session.outcome.winner == 1


def test_the_table_is_kept_from_move_to_move_and_not_from_game_to_game():
    game = z.load("connect_four(5, 4)")
    limit = Limit(depth=8)
    start = game.initial()
    engine = Engine(game, limit, book=False)
    first = engine.choose(start)
    after = game.play(game.play(start, first.move), 2)
    continued = engine.choose(after, history=[start, game.play(start, first.move)])
    alone = Engine(game, limit, book=False).choose(after)
    assert continued.nodes < alone.nodes
    assert continued.value == alone.value
    assert engine.choose(start).nodes == first.nodes  # another game begins with an empty table
