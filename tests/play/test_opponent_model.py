"""The style `trickiest`: the opponent as a player of a level, against the definition and on a solved game."""

import random
from functools import cache, partial

import pytest

import naive
import random_games
import zermelo as z
from zermelo import ONGOING, Limit, rules
from zermelo.play import Engine, Session
from zermelo.play.levels import move_probabilities, thoughts
from zermelo.play.opponent_model import LIKELY, MAX_TURNS, OPPONENT_LEVEL, PROMISING, OpponentModel
from zermelo.value import WIN_SCORE

WORTH = {1: 1.0, 0: 0.5, -1: 0.0}


def outcome(score):
    return (score > 900_000) - (score < -900_000)


@cache
def model(game, state, level=OPPONENT_LEVEL):
    """The probability of each move of a level."""
    chances = dict.fromkeys(rules.legal_actions(game, state), 0.0)
    for share, thought in thoughts(level):
        report = z.search(game, state, thought.limit, lines=len(chances))
        for line, chance in zip(report.lines, move_probabilities(report, thought.temperature), strict=True):
            chances[line.pv[0]] += share * chance
    return chances


@cache
def scores(game, state):
    return {move: naive.one_ply_later(-naive.value(game, game.play(state, move))) for move in game.moves(state)}


def left(score, slip):
    """What the opponent leaves with a move of this score."""
    if outcome(score) < 1:
        return 1 - WORTH[outcome(score)]
    return 1 - (1 - slip) ** max((WIN_SCORE - score - 1) // 2 - 1, 0)


def hopes(game, states):
    """The definition, with the values of the referee; small games are followed to the end."""
    slips = []
    for state in states:
        values, chances = scores(game, state), model(game, state)
        best = WORTH[outcome(max(values.values()))]
        slips.append(sum(chances[move] * (best - WORTH[outcome(score)]) for move, score in values.items()))
    slip = sum(slips) / len(slips)

    def hope(state, turns):
        return sum(chance * leaves(state, move, chance, turns) for move, chance in model(game, state).items())

    def leaves(state, move, chance, turns):
        score, after = scores(game, state)[move], game.play(state, move)
        following = [game.play(after, each) for each in game.moves(after)]
        hard = chance >= LIKELY and outcome(score) == 1 and WIN_SCORE - score >= 5
        if not turns or not hard or any(naive.is_over(game, each) for each in following):
            return left(score, slip)
        return max(hope(each, turns - 1) for each in following)

    found = [hope(state, 0) for state in states]
    for turns in range(1, MAX_TURNS):
        for number in sorted(range(len(found)), key=lambda number: -found[number])[:PROMISING]:
            found[number] = hope(states[number], turns)
    return found


@pytest.mark.parametrize("seed", range(10))
def test_hopes_follow_the_definition(seed):
    game = random_games.RandomGame(size=22, seed=seed)

    def search_replies(state, sight, count):
        return z.search(game, state, sight or Limit(depth=40), lines=len(game.moves(state)))

    for state in range(game.size):
        children = [] if naive.is_over(game, state) else [game.play(state, move) for move in game.moves(state)]
        asked = [child for child in children if not naive.is_over(game, child)]
        if asked:
            assert OpponentModel(game, search_replies).hopes(asked) == pytest.approx(hopes(game, asked))


def test_probabilities_of_replies_sum_to_one_in_every_kind_of_game():
    for kind in (random_games.FreeGame, random_games.PointsGame, random_games.ChanceGame, random_games.LoopGame):
        game = kind(size=14, seed=2)
        for state in range(game.size):
            if game.is_chance(state) or not rules.legal_actions(game, state):
                continue
            asked = OpponentModel(
                game, lambda s, sight, _, game=game: z.search(game, s, sight or Limit(depth=9), lines=3)
            )
            assert sum(reply.probability for reply in asked.replies(state)) == pytest.approx(1)


def lost_positions(solution, count):
    """States of random play that lose in four plies or more, and leave a choice."""
    dice, found = random.Random(1), {}
    while len(found) < count:
        session = Session(solution.game, seed=1)
        while session.outcome is None:
            value = solution.value(session.state)
            if value.outcome == z.LOSS and value.plies >= 4 and len(session.moves) > 1:
                found[session.state] = None
            session.play(dice.choice(session.moves))
    return list(found)[:count]


def test_trickiest_saves_more_than_exact_from_lost_positions():
    """Both styles against all that a level may play, weighted: what they can expect, without luck."""
    game = z.load("connect_four(4, 4)")
    solution = z.solve(game)
    lost = lost_positions(solution, 4)
    chances = partial(model, game, level=4)

    def expected(choose):
        @cache
        def points(state):
            payoff = rules.payoff(game, state)
            if payoff != ONGOING:
                return WORTH[payoff]
            child = game.play(state, choose(state))
            if rules.payoff(game, child) != ONGOING:
                return WORTH[-rules.payoff(game, child)]
            return sum(chance * points(game.play(child, move)) for move, chance in chances(child).items())

        return sum(points(state) for state in lost)

    saved = {}
    for style in ("exact", "trickiest"):
        engine = Engine(game, Limit(nodes=100_000), style=style, database=solution)
        saved[style] = expected(lambda state, engine=engine: engine.choose(state).move)
    assert saved["trickiest"] > 1.3 * saved["exact"]


def test_the_model_does_not_see_the_database():
    game = z.load("connect_four(4, 4)")
    solution = z.solve(game)
    alone, beside = (Engine(game, Limit(depth=16), style="trickiest", database=each) for each in (None, solution))
    for state in lost_positions(solution, 2):
        assert alone.choose(state).move == beside.choose(state).move
