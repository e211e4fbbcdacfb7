"""search where chance takes part: Star2 against the referee and against plain expectimax, compiled and interpreted."""

import random
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

import naive
import random_games
import zermelo as z
from zermelo import ONGOING, Game, GameError, Limit, bits
from zermelo.native import Kernel
from zermelo.searching.alphabeta.transposition_table import new_table
from zermelo.searching.chance.expectation_table import depth_of, is_proven, probe_expectation, store_expectation
from zermelo.searching.chance.star2 import ALL_MOVES, star2
from zermelo.searching.runtime.thread_memory import AGE, TABLE_ENTRY, new_memory

TINY, SMALL = 0.00004, 0.002
"""Megabytes of tables in which nearly everything collides, and much."""


class Node(NamedTuple):
    code: np.uint64  # everything about a node follows from its code
    left: int  # plies before every line ends


class Rolls(Game):
    """A random game of chance in every state: uneven odds, rolls after rolls, and players who move twice in a row.

    Payoffs of the first player lie between -2 and 10, estimates often beyond.
    """

    payoff_bounds = (-2, 10)

    def initial(self):
        return Node(1, 6)

    def mover(self, node):
        return bits.remainder(bits.shift_right(node.code, 20), 2)

    def moves(self, node):
        for move in range(bits.remainder(bits.shift_right(node.code, 8), 5)):
            yield move

    def is_chance(self, node):
        return node.left > 0 and bits.remainder(bits.shift_right(node.code, 30), 5) < 2

    def chances(self, node):
        faces = 1 + bits.remainder(bits.shift_right(node.code, 12), 5)
        total = 0
        for face in range(faces):
            total += self.weight(node, face)
        for face in range(faces):
            yield face, self.weight(node, face) / total

    def weight(self, node, face):
        return 1 + int(bits.remainder(bits.shift_right(node.code, 3 * face), 4))

    def play(self, node, move):
        return Node(bits.mix(bits.add(node.code, move + 1)), node.left - 1)

    def result(self, node):
        if node.left > 0 and bits.remainder(node.code, 19) != 3:
            return ONGOING
        return self.seen(node, int(bits.remainder(bits.shift_right(node.code, 5), 13)) - 2)

    def stuck(self, node):
        return self.seen(node, 5)

    def seen(self, node, points):
        return points if self.mover(node) == 0 else -points

    def evaluate(self, node):
        return (int(bits.remainder(node.code, 61)) - 30) / 2

    def order(self, node, move):
        return bits.remainder(bits.mix(bits.add(node.code, 77 + move)), 5)


class Turns(random_games.RandomGame):
    """Chance, and players who take turns though no rule says whose it is: a roll is a turn as well."""

    def is_chance(self, state):
        return state % 4 == 2 and len(self.graph[state]) > 0

    def chances(self, state):
        for move in range(len(self.graph[state])):
            yield move, 1 / len(self.graph[state])


class WideDice(Game):
    """Stop and take 20, or roll a die with so many faces, once or twice, and take what it shows: no two alike."""

    faces: int = 300
    rolls: int = 1
    payoff_bounds = (0, 100)
    native = False

    def initial(self):
        return (0, 0, False)

    def mover(self, state):
        return 0

    def moves(self, state):
        return (0, 1) if state[1] < self.rolls else (0,)

    def play(self, state, move):
        points, rolled, rolling = state
        if rolling:
            return (move * 37 % 100, rolled + 1, False)
        return (points, rolled, True) if move == 1 else (max(points, 20), -1, False)

    def is_chance(self, state):
        return state[2]

    def chances(self, state):
        total = self.faces * (self.faces + 1) // 2
        for face in range(self.faces):
            yield face, (face + 1) / total

    def result(self, state):
        return state[0] if state[1] == -1 else ONGOING

    def mean(self):
        return sum(max(face * 37 % 100, 20) * odds for face, odds in self.chances((0, 0, True)))


def searchable(game, count, plies=6):
    """States in which a player has something to choose."""
    found, code = [], 0
    while len(found) < count:
        code += 1
        state = Node(bits.mix(code), 1 + code % plies)
        if game.result(state) == ONGOING and not game.is_chance(state) and list(game.moves(state)):
            found.append(state)
    return found


def expectimax(game, state, depth):
    """What the mover expects with so many plies, and whether a heuristic leaf took part; nothing is pruned."""
    low, high = game.payoff_bounds if game.has("mover") else (-1, 1)

    @cache
    def walk(state, player, depth):
        sign = 1 if player == 0 else -1
        if game.result(state) != ONGOING or (depth > 0 and naive.is_over(game, state)):
            return sign * naive.end_score(game, state), False
        if depth == 0:  # that nobody can move is seen a ply later
            return min(max(sign * game.evaluate(state), low), high), True
        children = [game.play(state, move) for move in naive.all_moves(game, state)]
        found = [walk(child, naive.player_after(game, player, child), depth - 1) for child in children]
        values, heuristic = [value for value, _ in found], any(each for _, each in found)
        if naive.is_chance(game, state):
            return sum(odds * value for (_, odds), value in zip(game.chances(state), values, strict=True)), heuristic
        return (max if player == 0 else min)(values), heuristic

    player = naive.player_at(game, state)
    value, heuristic = walk(state, player, depth)
    return value * (1 if player == 0 else -1), heuristic


def value_of_move(game, state, move):
    child = game.play(state, move)
    player = naive.player_at(game, state)
    score = naive.value(game, child)
    # the referee takes the first player for the one to move where no rule names it
    return score if game.has("mover") and game.mover(child) == player else -score


# -- against the referee -----------------------------------------------------------------------------------------------


def test_the_kernel_compiles():
    for game, child in ((Rolls(), Node(5, 3)), (z.load("pig(8)"), z.load("pig(8)").initial())):
        assert star2.ready(game, child, 0, 1, 0.0, 1.0, 0.0, 1.0, ALL_MOVES, new_table(1), new_memory(1))


@pytest.mark.parametrize("megabytes", [TINY, SMALL, 1])
def test_the_compiled_search_agrees_with_the_referee(megabytes):
    game = Rolls()
    for state in searchable(game, 250):
        report, truth = z.search(game, state, table=megabytes), naive.value(game, state)
        assert report.value.exact
        assert report.value.score == pytest.approx(truth, abs=1e-12)
        assert value_of_move(game, state, report.move) == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("kind", [random_games.ChanceGame, Turns])
def test_the_interpreted_search_agrees_with_the_referee(kind):
    for seed in range(60):
        game = kind(size=14, seed=seed)
        if game.is_chance(0) or naive.is_over(game, 0):
            continue
        report, truth = z.search(game, table=(TINY, SMALL, 1)[seed % 3]), naive.value(game)
        assert report.value.exact
        assert report.value.score == pytest.approx(truth, abs=1e-12)
        assert value_of_move(game, 0, report.move) == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("megabytes", [TINY, 1])
def test_every_depth_finds_what_plain_expectimax_finds(megabytes, threads):
    game = Rolls()
    for i, state in enumerate(searchable(game, 100)):
        depth = 1 + i % 5
        report = z.search(game, state, Limit(depth=depth), table=megabytes, threads=threads)
        value, heuristic = expectimax(game, state, report.depth)
        assert report.value.score == pytest.approx(value, abs=1e-12)
        assert report.value.exact or heuristic


@pytest.mark.parametrize("kind", [random_games.ChanceGame, random_games.ChanceLoopGame, Turns])
def test_ways_that_meet_and_loops_do_not_change_what_a_depth_finds(kind):
    for seed in range(24):
        game, depth = kind(size=12, seed=seed), 2 + seed % 6
        if game.is_chance(0) or naive.is_over(game, 0):
            continue
        report = z.search(game, limit=Limit(depth=depth), table=(TINY, SMALL, 1)[seed % 3])
        value, heuristic = expectimax(game, 0, report.depth)
        assert report.value.score == pytest.approx(value, abs=1e-12)
        assert report.value.exact or heuristic
        if report.value.exact:
            assert value == pytest.approx(expectimax(game, 0, depth + 10)[0], abs=1e-12)


def test_compiled_and_interpreted_visit_the_same_nodes(monkeypatch):
    game, states = Rolls(), searchable(Rolls(), 60)
    options = [{}, {"samples": 2, "seed": 3}, {"table": TINY}]
    compiled = [z.search(game, state, Limit(depth=4), **each) for state in states for each in options]
    monkeypatch.setattr(Kernel, "__call__", lambda self, game, *args: self.interpreted(game, *args))
    interpreted = [z.search(game, state, Limit(depth=4), **each) for state in states for each in options]
    for one, other in zip(compiled, interpreted, strict=True):
        assert (one.value, one.pv, one.nodes, one.depth) == (other.value, other.pv, other.nodes, other.depth)


def test_stopping_at_every_node_leaves_a_legal_move_and_no_false_claim():
    game = Rolls()
    for state in searchable(game, 8, plies=4):
        truth, total = naive.value(game, state), z.search(game, state, table=1).nodes
        for nodes in range(1, min(total, 250) + 2):
            report = z.search(game, state, Limit(nodes=nodes), table=SMALL)
            assert report.move in list(game.moves(state))
            assert report.nodes <= nodes
            if report.value.exact:
                assert report.value.score == pytest.approx(truth, abs=1e-12)


def test_every_line_has_the_value_of_its_move():
    game = Rolls()
    for state in searchable(game, 60):
        moves = list(game.moves(state))
        report = z.search(game, state, lines=len(moves), table=1)
        assert sorted(report.moves) == sorted(moves)
        for move, value in report.moves.items():
            assert value.score == pytest.approx(value_of_move(game, state, move), abs=1e-12)


# -- pig ---------------------------------------------------------------------------------------------------------------


def test_pig_to_every_depth():
    game = z.load("pig(8)")
    for depth in range(1, 15):
        report = z.search(game, limit=Limit(depth=depth), table=1)
        assert report.value.score == pytest.approx(expectimax(game, game.initial(), depth)[0], abs=1e-12)
        assert not report.value.exact  # ones can be thrown for ever
        assert report.pv == (1,)  # a line ends where the die begins


def test_deep_searches_of_pig_come_near_its_value():
    game = z.load("pig(8)")
    report = z.search(game, limit=Limit(depth=60), table=8)
    assert report.value.score == pytest.approx(z.textbook.value_iteration(game).value.score, abs=1e-3)


# -- payoffs and their bounds ------------------------------------------------------------------------------------------


class Narrow(WideDice):
    payoff_bounds = (0, 50)


def test_a_payoff_outside_the_bounds_is_an_error():
    with pytest.raises(
        GameError, match=r"Narrow\(faces=4, rolls=1\): after \(0, 0, False\) a player can get or lose 74"
    ):
        z.search(Narrow(faces=4))
    with pytest.raises(GameError, match="not between the payoff_bounds 0 and 50; give the class wider ones"):
        z.search(Narrow(faces=4))


# -- many outcomes, and a few of them ----------------------------------------------------------------------------------


def test_rows_grow_with_the_outcomes_of_chance():
    game = WideDice()
    report = z.search(game)
    assert report.value.exact
    assert report.value.score == pytest.approx(game.mean(), abs=1e-12)
    assert report.move == 1


def test_drawn_outcomes_are_right_on_average():
    game = WideDice(faces=60)
    values = [z.search(game, samples=8, seed=seed, table=SMALL).value for seed in range(400)]
    scores = np.array([value.score for value in values])
    error = scores.std() / len(scores) ** 0.5
    assert not any(value.exact for value in values)
    assert scores.std() > 0.5
    assert abs(scores.mean() - game.mean()) < 4 * error
    # from shares of the probability, never less accurate than eight throws of the die
    faces = [max(face * 37 % 100, 20) for face in range(60)]
    odds = [chance for _, chance in game.chances((0, 0, True))]
    spread = sum(p * (face - game.mean()) ** 2 for face, p in zip(faces, odds, strict=True)) ** 0.5
    assert scores.std() < 1.1 * spread / 8**0.5


def test_more_samples_are_more_accurate_and_enough_are_all():
    game = WideDice(faces=60, rolls=2)
    truth = z.search(game).value.score
    errors = {
        samples: np.mean([abs(z.search(game, samples=samples, seed=seed).value.score - truth) for seed in range(8)])
        for samples in (2, 8, 40)
    }
    assert errors[2] > errors[8] > errors[40]
    whole = z.search(game, samples=60)
    assert whole.value.score == pytest.approx(truth, abs=1e-12)
    assert not whole.value.exact


def test_a_seed_draws_the_same_every_time():
    game = Rolls()
    for state in searchable(game, 20):
        one, again = (z.search(game, state, samples=2, seed=5, table=1) for _ in range(2))
        assert (one.value, one.pv, one.nodes) == (again.value, again.pv, again.nodes)
    scores = {z.search(WideDice(faces=60), samples=3, seed=seed).value.score for seed in range(10)}
    assert len(scores) > 5


def test_errors_for_wrong_samples():
    with pytest.raises(GameError, match="samples are drawn where chance moves, and it never does"):
        z.search(z.load("tic_tac_toe"), samples=3)
    with pytest.raises(GameError, match="samples must be a whole number above zero, not 0"):
        z.search(WideDice(), samples=0)
    with pytest.raises(GameError, match="seed must be a whole number, not 'x'"):
        z.search(WideDice(), samples=3, seed="x")


# -- the table ---------------------------------------------------------------------------------------------------------


def test_the_table_keeps_floats_to_the_last_bit():
    table, memory, rng = new_table(1), new_memory(1), random.Random(1)
    memory[AGE] = 3
    kept = {}
    for key in (bits.signed(bits.mix(n)) for n in range(500)):
        low, high = sorted(rng.choice((rng.uniform(-9, 9), -0.0, 1e-300, 1 / 3)) for _ in range(2))
        kept[key] = low, high
        store_expectation(table, key, ~key, 4, low, high, 0, 7, memory)
    for key, bounds in kept.items():
        data = probe_expectation(table, key, ~key, 4, memory)
        assert (depth_of(data), is_proven(data)) == (4, 0)
        assert tuple(memory.reals(TABLE_ENTRY, 2).memory) == bounds
        assert depth_of(probe_expectation(table, key, ~key, 5, memory)) == 4  # a hint for the next round
        assert probe_expectation(table, key, ~key, 6, memory) == probe_expectation(table, key, ~key, 3, memory) == 0
        assert probe_expectation(table, key, key, 4, memory) == 0  # another state of the same key


def test_bounds_that_are_as_good_tighten_each_other():
    table, memory = new_table(TINY), new_memory(1)
    memory[AGE] = 1
    store_expectation(table, 99, 1 << 40, 4, 0.25, 1.0, 0, 7, memory)
    store_expectation(table, 99, 1 << 40, 4, 0.0, 0.5, 0, 0, memory)
    probe_expectation(table, 99, 1 << 40, 4, memory)
    assert tuple(memory.reals(TABLE_ENTRY, 2).memory) == (0.25, 0.5)
    store_expectation(table, 99, 1 << 40, 4, -1.0, 0.75, 1, 0, memory)  # lasting bounds stand alone
    assert is_proven(probe_expectation(table, 99, 1 << 40, 4, memory))
    assert tuple(memory.reals(TABLE_ENTRY, 2).memory) == (-1.0, 0.75)


def test_an_entry_that_two_threads_wrote_is_absent():
    table, memory = new_table(TINY), new_memory(1)
    memory[AGE] = 1
    store_expectation(table, 99, 1 << 40, 4, 0.25, 1.0, 0, 7, memory)
    for word in range(4):
        kept = table[word]
        table[word] ^= 1 << 40
        assert probe_expectation(table, 99, 1 << 40, 4, memory) == 0
        table[word] = kept
    assert probe_expectation(table, 99, 1 << 40, 4, memory) != 0


def test_an_entry_that_is_half_another_states_is_absent():
    """Exact values of two states, written at once: the first word of the one, the rest of the other."""
    memory, tables = new_memory(1), [new_table(0), new_table(0)]
    memory[AGE] = 1
    for table, key, value in zip(tables, (0x1234560, 0x7654320), (-1.0, 1.0), strict=True):
        store_expectation(table, key, 0, 4, value, value, 1, 7, memory)
        assert probe_expectation(table, key, 0, 4, memory)
    at = next(place for place in range(len(tables[0])) if tables[0][place])
    for word in (1, 2, 3):
        tables[0][at + word] = tables[1][at + word]
    assert probe_expectation(tables[0], 0x1234560, 0, 4, memory) == 0
