"""Forward pruning in games of chance: a search with `replies` finds what a plain one with the same pruning finds."""

import random

import pytest

import zermelo as z
from zermelo import ONGOING, GameError, Limit
from zermelo.games.nannon import Nannon
from zermelo.rules import changes_player, legal_actions, payoff


class Pruned(Nannon):
    """Nannon, evaluated by a hash of the state, so that no two moves look alike."""

    replies = 1

    def evaluate(self, state):
        return self.salted(state) / 1000 - 0.5

    def salted(self, state):
        number = 17
        for part in state:
            number = (number * 31 + part) % 1000
        return number


class PrunedTwice(Pruned):
    replies = 2


def plain(game, state, depth, ply=0):
    """Expectimax in which states below the root have few replies, from depth 3 on."""
    result = payoff(game, state)
    if result != ONGOING:
        return float(result)
    if depth == 0:
        return game.evaluate(state)
    if game.is_chance(state):
        return sum(odds * seen(game, state, roll, depth, ply) for roll, odds in game.chances(state))
    moves = list(legal_actions(game, state))
    if ply and depth >= 3 and 0 < game.replies < len(moves):
        moves.sort(key=lambda move: -seen(game, state, move, 1, ply))
        moves = moves[: game.replies]
    return max(seen(game, state, move, depth, ply) for move in moves)


def seen(game, state, move, depth, ply):
    child = game.play(state, move)
    value = plain(game, child, depth - 1, ply + 1)
    return -value if changes_player(game, state, child) else value


def decisions(game, count, seed=1):
    dice, found, state = random.Random(seed), [], game.initial()
    while len(found) < count:
        moves = legal_actions(game, state)
        if not moves:
            state = game.initial()
            continue
        if not game.is_chance(state) and len(moves) > 1 and dice.random() < 0.3:
            found.append(state)
        state = game.play(state, dice.choice(moves))
    return found


@pytest.mark.parametrize("game", [Pruned(), PrunedTwice()], ids=repr)
def test_a_search_finds_what_plain_expectimax_with_few_replies_finds(game):
    differs = 0
    for state in decisions(game, 12):
        value = z.search(game, state, Limit(depth=5)).value
        assert value.score == pytest.approx(plain(game, state, 5), abs=1e-9)
        differs += value.score != pytest.approx(z.search(Whole(), state, Limit(depth=5)).value.score, abs=1e-9)
    assert differs


class Whole(Pruned):
    replies = 0


def test_interpreted_searches_prune_alike():
    class Slow(Pruned):
        native = False

    for state in decisions(Pruned(), 3, seed=2):
        compiled, slow = (z.search(game, state, Limit(depth=5)) for game in (Pruned(), Slow()))
        assert compiled.value == slow.value
        assert compiled.nodes == slow.nodes


def test_replies_must_be_a_whole_number():
    class Half(Nannon):
        replies = 0.5

    with pytest.raises(GameError, match="replies must be a whole number"):
        z.search(Half(), limit=Limit(depth=1))
