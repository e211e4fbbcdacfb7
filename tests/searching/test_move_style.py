"""Styles: the choice among equal moves, against the referee on random games and on small games made by hand."""

import pytest
import test_search

import naive
import random_games
import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, WIN, Game, GameError, Limit
from zermelo.play import Clock, Engine, Session
from zermelo.play.style import STYLES

DEEP = Limit(depth=40)


def outcome(score):
    """WIN, DRAW or LOSS behind the referee's score."""
    return (score > 900_000) - (score < -900_000)


def move_scores(game, state):
    """What each move is worth to the mover, in a game whose players take turns."""
    return {move: naive.one_ply_later(-naive.value(game, game.play(state, move))) for move in game.moves(state)}


def plies(score):
    return 1_000_000 - abs(score)


def searchable(game):
    return [state for state in range(game.size) if not naive.is_over(game, state)]


@pytest.mark.parametrize("seed", range(12))
def test_styles_agree_with_the_referee(seed):
    game = random_games.RandomGame(size=18, seed=seed)
    agree(game, searchable(game))


def test_compiled_games_agree_too():
    agree(test_search.Hashed(), test_search.searchable(test_search.Hashed(), 40))


def agree(game, states):
    """The choice of each style is one that the referee would make."""
    engines = {style: Engine(game, DEEP, style=style) for style in STYLES}
    for state in states:
        scores = move_scores(game, state)
        best = max(scores.values())
        exact, longest, trickiest = (engines[style].choose(state).move for style in STYLES)
        assert scores[exact] == best
        keeping = [move for move, score in scores.items() if outcome(score) == outcome(best)]
        assert longest in keeping
        if outcome(best) != DRAW:
            assert plies(scores[longest]) == max(plies(scores[move]) for move in keeping)
        equal = [move for move in keeping if outcome(best) != WIN or scores[move] == best]
        assert trickiest in equal  # tests/play/test_opponent_model.py says which of them


@pytest.mark.parametrize("kind", [random_games.FreeGame, random_games.PointsGame, random_games.ChanceGame])
@pytest.mark.parametrize("seed", range(6))
def test_every_style_keeps_the_value_of_every_kind_of_game(kind, seed):
    game = kind(size=14, seed=seed)
    for style in STYLES:
        for choice in (None, 3):
            engine = Engine(game, DEEP, style=style, seed=choice)
            for state in searchable(game)[:6]:
                if game.is_chance(state):
                    continue
                move, best = engine.choose(state).move, naive.best_moves(game, state)
                worth, most = (score_of_move(game, state, each) for each in (move, best[0]))
                if kind is random_games.FreeGame and style != "exact":
                    assert outcome(worth) == outcome(most)
                else:
                    assert worth == pytest.approx(most, abs=1e-12)


def score_of_move(game, state, move):
    """The same where players do not take turns."""
    child = game.play(state, move)
    sign = 1 if game.mover(child) == game.mover(state) else -1
    return sign * naive.one_ply_later(naive.value(game, child))


@pytest.mark.parametrize("style", STYLES)
def test_games_with_loops_are_won_and_not_gone_round_in(style):
    for seed in range(8):
        game = random_games.LoopGame(size=12, seed=seed)
        session = Session(game)
        engine = Engine(game, Limit(depth=8), style=style)
        won = outcome(naive.value(game)) == WIN
        while session.outcome is None:
            mine = session.player == 0
            session.play(engine.choose(session.state).move if mine else session.moves[0])
        if won:
            assert session.outcome.winner == 0


# -- small games made by hand ----------------------------------------------------------------------------------------

TREE = {
    "lost": ("one", "three", "slow"),
    "one": ("v1", "x1", "x2", "y1"),  # one of four replies wins, in three plies; none shows it at once
    "three": ("v2", "v3", "v4", "x3"),  # three of four
    **{f"v{number}": ("u",) for number in range(1, 5)},
    "u": ("w1",),
    **{f"x{number}": ("w2",) for number in range(1, 4)},
    "y1": ("d1",),
    "slow": ("s1", "s1"),  # both win, but later
    "s1": ("s2",),
    "s2": ("s3",),
    "s3": ("s4",),
    "s4": ("w6",),
    "drawn": ("calm", "sharp", "thrown"),
    "calm": ("d2", "d3"),
    "sharp": ("d4", "l4"),
    "thrown": ("w7", "w8"),
    "won": ("quick", "later"),
    "later": ("b1", "b2"),
    "b1": ("w5", "d5"),
    "b2": ("l5", "w8"),
    "over": ("l9", "twice"),
    "twice": ("w9", "l8"),
}
ENDS = {"w": LOSS, "l": WIN, "d": DRAW}
"""How the names of final states begin: w, the player who went there wins, so that the one to move has lost."""


class Named(Game):
    """A tree of names; `quick` wins at once, and `l9` loses at once for the player who goes there."""

    native = False

    def initial(self):
        return "lost"

    def moves(self, name):
        return TREE.get(name, ())

    def play(self, name, move):
        return move

    def result(self, name):
        if name == "quick":
            return LOSS
        return ONGOING if name in TREE else ENDS[name[0]]


@pytest.mark.parametrize(
    ("state", "exact", "longest", "trickiest"),
    [
        # "slow" loses in six plies, "one" in four, unless the opponent misses his only correct reply
        ("lost", "slow", "slow", "one"),
        ("drawn", "calm", "calm", "sharp"),
        ("won", "quick", "later", "quick"),
        # to lose on the spot sets no question at all
        ("over", "twice", "twice", "twice"),
    ],
)
def test_the_choices_of_each_style(state, exact, longest, trickiest):
    got = [Engine(Named(), DEEP, style=style).choose(state) for style in STYLES]
    assert [report.move for report in got] == [exact, longest, trickiest]
    for report in got:
        assert sorted(report.moves) == sorted({line.pv[0] for line in report.lines})


class TwoMoves(Named):
    """The lost state with two of its moves, in either order."""

    turned: bool = False

    def moves(self, name):
        two = ("three", "one") if self.turned else ("one", "three")
        return two if name == "lost" else TREE.get(name, ())


@pytest.mark.parametrize("turned", [False, True])
def test_one_correct_reply_is_trickier_than_three(turned):
    game = TwoMoves(turned)
    assert naive.value(game) == z.loss_in(4)
    assert Engine(game, DEEP, style="trickiest").choose("lost").move == "one"
    assert Engine(game, DEEP, style="exact").choose("lost").move == ("three" if turned else "one")


# -- estimates, limits, seeds ----------------------------------------------------------------------------------------


class Estimates(Game):
    """Ten moves a state, nothing ever ends soon, and an evaluation of few different values."""

    native = False

    def initial(self):
        return (0, 0)

    def moves(self, state):
        return range(10)

    def play(self, state, move):
        return (state[0] + 1, (state[1] * 3 + move // 3) % 11)

    def result(self, state):
        return DRAW if state[0] == 60 else ONGOING

    def evaluate(self, state):
        return 0.5 * (state[1] % 3)


@pytest.mark.parametrize("limit", [Limit(depth=2), Limit(nodes=300), Limit(nodes=1), Limit(seconds=0.05), Clock(2, 1)])
@pytest.mark.parametrize("style", STYLES)
def test_every_style_answers_within_every_limit(style, limit):
    game = Estimates()
    for seed in (None, 1):
        report = Engine(game, limit, style=style, seed=seed).choose(game.initial())
        assert report.move in range(10)
        assert not report.value.exact


def test_equal_means_equal_estimate_where_nothing_is_proven():
    game = Estimates()
    values = z.search(game, limit=Limit(depth=1), lines=10).moves
    best = {move for move, value in values.items() if value.score == max(value.score for value in values.values())}
    assert 1 < len(best) < 10
    for style in STYLES:
        chosen = {Engine(game, Limit(depth=1), style=style, seed=seed).choose((0, 0)).move for seed in range(40)}
        assert chosen <= best
        if style != "trickiest":
            assert chosen == best


def test_a_seed_chooses_among_equals_and_repeats_itself():
    game = z.load("tic_tac_toe")
    openings = {seed: Engine(game, Limit(depth=9), seed=seed).choose(game.initial()).move for seed in range(12)}
    assert len(set(openings.values())) > 3  # every first move draws
    for seed in range(3):
        assert Engine(game, Limit(depth=9), seed=seed).choose(game.initial()).move == openings[seed]
    engine = Engine(game, Limit(depth=9), seed=5)
    assert engine.choose(game.initial()).move == engine.choose(game.initial()).move


def test_no_style_loses_tic_tac_toe():
    game = z.load("tic_tac_toe")
    for style in STYLES:
        session = Session(game)
        engine, other = Engine(game, Limit(depth=9), style=style, seed=1), Engine(game, Limit(depth=9))
        while session.outcome is None:
            session.play((engine if session.player == 0 else other).choose(session.state).move)
        assert session.outcome.winner is None


def test_the_first_line_is_the_choice_and_the_others_follow():
    report = Engine(Named(), DEEP, style="trickiest").choose("drawn")
    assert (report.move, str(report.value)) == ("sharp", "draw")
    assert [line.pv[0] for line in report.lines] == ["sharp", "calm", "thrown"]


def test_errors_for_wrong_engines():
    game = z.load("tic_tac_toe")
    with pytest.raises(GameError, match="style must be one of exact, longest, trickiest, not 'best'"):
        Engine(game, style="best")
    with pytest.raises(GameError, match="limit must be a Limit or a Clock, not 5"):
        Engine(game, 5)
