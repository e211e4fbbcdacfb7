"""Networks: compiled against interpreted and against plain NumPy; files; searches with them."""

import json
import math
import random

import numpy as np
import pytest

import zermelo as z
from hostile import change_json
from zermelo import LOSS, ONGOING, Game, GameError, Limit
from zermelo.bits import popcount
from zermelo.native import cache_statistics, kernel
from zermelo.networks.feature_weights import FeatureWeights
from zermelo.networks.learned_game import with_network
from zermelo.networks.network import Cell, Lookup, Network, Part, Shape
from zermelo.networks.network_file import _checksum, open_weights, read_shape, read_weights
from zermelo.networks.network_format import UNIT
from zermelo.networks.weight_files import with_weights
from zermelo.play import Engine
from zermelo.solving.random_play import random_games

GAME = z.load("tic_tac_toe")
CELLS = tuple(Cell((Part(0, cell, 1), Part(1, cell, 1)), 0) for cell in range(9))
LOOKUPS = tuple(Lookup(table, cells) for table, cells in ((0, (0, 1, 2)), (1, (4,)), (0, (6, 7, 8)), (2, (0, 4, 8, 5))))


@kernel(kinds="state")
def evaluation(game, state):
    return game.evaluate(state)


def tuples(seed=0, **options):
    shape = Shape(CELLS, ((0, 1, 2, 0),), LOOKUPS, phases=(3, 6), views=2, **options)
    weights = np.random.default_rng(seed).integers(-3000, 3000, (shape.sets, shape.set_weights)).astype(np.int16)
    return Network(GAME, shape, weights)


def layers(seed=0):
    shape = Shape(CELLS, ((0, 1, 2, 0),), phases=(5,), views=2, payoff_scale=4.0, hidden=6)
    weights = np.random.default_rng(seed).integers(-3000, 3000, (shape.sets, shape.set_weights)).astype(np.int16)
    return Network(GAME, shape, weights)


class Counted(type(GAME)):
    """Tic-tac-toe with features, and a stage for each stone."""

    weights = (0.0, 0.0, 0.0)

    def features(self, state):
        return 1.0, popcount(state.mine) / 3, -0.7 * popcount(state.theirs)

    def stage(self, state):
        return popcount(state.mine | state.theirs)


def levels(seed=0):
    """A layered network that reads features, with weights by the stage."""
    options = {"hidden": 6, "levels": (1.0, 2.0, 2.5), "stages": (3, 6)}
    shape = Shape(CELLS, ((0, 1, 2, 0),), views=2, payoff_scale=4.0, **options)
    weights = np.random.default_rng(seed).integers(-3000, 3000, (shape.sets, shape.set_weights)).astype(np.int16)
    return Network(Counted(), shape, weights)


def states(count=60):
    found = [state for played in random_games(GAME, 30, 9, seed=1) for state, moves in played if moves]
    return random.Random(0).sample(found, count)


def digits_of(state):
    return [(state[0] >> cell & 1) + 2 * (state[1] >> cell & 1) for cell in range(9)]


def plain_evaluation(network, state):
    """The evaluation, written once more in plain Python."""
    shape, digits = network.shape, digits_of(state)
    filled = sum(digit != 0 for digit in digits)
    chosen = sum(filled >= first for first in shape.phases + shape.stages) * shape.views + GAME.mover(state)
    own = network.weights[chosen].astype(int)
    if shape.hidden:
        features = network.game.features(state) if shape.levels else ()
        sizes = [feature / scale for feature, scale in zip(features, shape.levels, strict=True)]
        seen = [max(-127, min(127, math.floor(127 * size + 0.5))) for size in sizes]
        count = 27 + len(shape.levels)
        rows = own[: count * shape.hidden].reshape(count, shape.hidden)
        biases, output = own[count * shape.hidden :][: shape.hidden], own[(count + 1) * shape.hidden :][: shape.hidden]
        sums = biases + sum(rows[3 * cell + digit] for cell, digit in enumerate(digits))
        sums = sums + sum(level * rows[27 + i] for i, level in enumerate(seen)) // 128
        total = int((np.clip(sums, 0, UNIT) * output).sum()) // UNIT + own[-1]
    else:
        starts, total = (0, 27, 30), 0
        for table, cells in shape.lookups:
            place = sum(digits[cell] * 3**power for power, cell in enumerate(cells))
            total += own[starts[table] + place]
    return shape.payoff_scale * np.tanh(total / shape.unit) if shape.payoff_scale else total / shape.unit


NETWORKS = [tuples(), tuples(payoff_scale=3.0), tuples(unit=1 << 15), layers(), levels()]


@pytest.mark.parametrize("network", NETWORKS, ids=["tuples", "points", "unit", "layers", "levels"])
def test_compiled_and_interpreted_evaluations_are_the_plain_one(network):
    game = with_network(network.game, network)
    for state in states():
        expected = plain_evaluation(network, state)
        assert game.evaluate(state) == pytest.approx(expected, abs=1e-12)
        assert evaluation(game, state) == pytest.approx(expected, abs=1e-12)
    assert game.native_error is None


def test_another_network_needs_no_compiler():
    one, two = (with_network(GAME, tuples(seed)) for seed in (1, 2))
    state = GAME.play(GAME.initial(), 1)
    first = z.search(one, state, Limit(depth=3))
    misses = cache_statistics()[1]
    second = z.search(two, state, Limit(depth=3))
    assert cache_statistics()[1] == misses
    assert first.value != second.value
    assert z.search(one, state, Limit(depth=3)).value == first.value


def test_searches_and_engines_take_weights(tmp_path):
    network = tuples(3)
    network.save(tmp_path / "w")
    state, limit = GAME.play(GAME.initial(), 4), Limit(depth=2)
    for weights in (network, tmp_path / "w", str(tmp_path / "w")):
        report = z.search(GAME, state, limit, weights=weights)
        assert report.game is GAME
        assert report.value == z.search(with_network(GAME, network), state, limit).value
        assert Engine(GAME, limit, weights=weights, book=False).choose(state).value == report.value
    assert report.value != z.search(GAME, state, limit).value
    with z.analyze(GAME, state, limit, weights=network) as reports:
        assert reports.last().value == report.value


def test_a_search_has_database_and_weights():
    small = z.load("tic_tac_toe(3, 2, 2)")
    solution = z.solve(small)
    shape = Shape((Cell((Part(0, 0, 1),), 0),), ((0, 1),), (Lookup(0, (0,)),))
    network = Network(small, shape, np.ones((1, 2), np.int16))
    report = z.search(small, limit=Limit(depth=1), database=solution, weights=network)
    assert report.value == solution.value(small.initial())
    assert report.game is small


class Stones(Game):
    """The last of twelve stones, of which one to three are taken, wins."""

    weights = (1.0,)

    def initial(self):
        return 12

    def moves(self, left):
        return [count for count in (1, 2, 3) if count <= left]

    def play(self, left, count):
        return left - count

    def result(self, left):
        return LOSS if left == 0 else ONGOING

    def features(self, left):
        return (float(left % 4),)


def test_a_search_has_database_and_weights_of_features():
    game = Stones()
    solution = z.solve(game)
    report = z.search(game, limit=Limit(depth=1), database=solution, weights=[2.0])
    assert report.value == solution.value(game.initial())
    assert report.game is game


def test_weights_of_another_game_are_refused(tmp_path):
    tuples().save(tmp_path / "w")
    other = z.load("tic_tac_toe(3, 4)")
    with pytest.raises(GameError, match="was made for TicTacToe"):
        z.search(other, weights=tmp_path / "w")
    with pytest.raises(GameError, match=r"the weights are of TicTacToe\(width=3, height=3"):
        z.search(other, weights=tuples())
    with pytest.raises(GameError, match="must be a file, a network or numbers, not 3"):
        z.search(GAME, weights=3)
    with pytest.raises(GameError, match="has no `features`"):
        z.search(GAME, weights=[1.0, 2.0])


# -- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("network", [tuples(), layers(), levels()], ids=["tuples", "layers", "levels"])
def test_a_file_holds_the_network(tmp_path, network):
    network.save(tmp_path / "w")
    found = open_weights(tmp_path / "w", network.game)
    assert found.shape == network.shape
    assert (found.weights == network.weights).all()
    assert found.digest == network.digest


def test_a_file_holds_weights_of_features(tmp_path):
    game = z.load("backgammon")
    FeatureWeights(game, (1.5,) * len(game.weights), {"games": 3}).save(tmp_path / "w")
    found = open_weights(tmp_path / "w", game)
    assert found.weights == (1.5,) * len(game.weights)
    assert with_weights(game, tmp_path / "w").weights == found.weights


def test_damaged_files_get_a_sentence(tmp_path):
    path = tmp_path / "w"
    tuples().save(path)
    data, dice = path.read_bytes(), random.Random(0)
    for _ in range(300):
        changed = bytearray(data)
        at = dice.randrange(len(changed))
        if dice.random() < 0.3:
            changed = changed[:at]
        else:
            changed[at] ^= 1 << dice.randrange(8)
        if bytes(changed) != data:
            with pytest.raises(GameError, match=r"w (is damaged|holds no weights|is of another version|was made for)"):
                read_weights(bytes(changed), "w", GAME)


CELL = [[[0, 0, 1], [1, 0, 1]], 0]


@pytest.mark.parametrize(
    "change",
    [
        {"cells": []}, {"cells": [CELL] * 600}, {"cells": [[[[2, 0, 1]], 0]]}, {"cells": [[[[-1, 0, 1]], 0]]},
        {"cells": [[[[0, 64, 1]], 0]]}, {"cells": [[[[0, 60, 8]], 0]]}, {"cells": [[[[0, 0, 3]], 0]]},
        {"cells": [[[[0, 0, True]], 0]]}, {"cells": [[[], 0]]}, {"cells": [[[[0, 0, 1]], 1]]}, {"digits": [[0, 1, 2]]},
        {"digits": [[0, 1, 64, 0]]}, {"digits": [[0, 1, -1, 0]]}, {"lookups": [[0, [9]]]}, {"lookups": [[1, [0]]]},
        {"lookups": [[0, []]]}, {"lookups": [[0, [0]], [0, [0, 1]]]}, {"lookups": []}, {"views": 3}, {"views": 0},
        {"hidden": 4}, {"hidden": 500}, {"phases": [-1]}, {"phases": list(range(40))}, {"payoff_scale": -1},
        {"payoff_scale": "much"}, {"cells": None}, {"lookups": [[0, list(range(9)) * 2]]}, {"levels": [1.0]},
        {"unit": 0}, {"unit": 1 << 40}, {"unit": 2.5},
        {"stages": [2]}, {"stages": [-1], "phases": []}, {"stages": 3}, {"phases": [], "stages": [1 << 50]},
    ],
    ids=str,
)  # fmt: skip
def test_a_hostile_shape_is_refused_before_kernels_follow_it(tmp_path, change):
    """With a right checksum: whoever made the file made that too."""
    path = tmp_path / "w"
    tuples().save(path)
    line, _, body = path.read_bytes().partition(b"\n")
    header = json.loads(line)
    assert read_shape(header["shape"], 2) == tuples().shape
    header["shape"] = {**header["shape"], **change}
    header["checksum"] = _checksum(header, body)
    with pytest.raises(GameError, match="is damaged"):
        read_weights(json.dumps(header).encode() + b"\n" + body, "w", GAME)


@pytest.mark.parametrize(
    "change",
    [{"levels": [0.0] * 3}, {"levels": [5e-324] * 3}, {"levels": [1.0] * 600}, {"levels": [None]}, {"levels": 1}],
)
def test_hostile_levels_are_refused(change):
    record = json.loads(json.dumps(levels().shape.to_dict()))
    assert read_shape(record, 2) == levels().shape
    with pytest.raises((ValueError, TypeError)):
        read_shape({**record, **change}, 2)


@pytest.mark.parametrize("make", [tuples, layers, levels])
def test_changed_files_are_sentences_or_evaluations(make, tmp_path):
    """Anything in the header is changed, and its checksum made right; whatever can be read evaluates every state."""
    network, played = make(), states(5)
    network.save(tmp_path / "w")
    line, _, body = (tmp_path / "w").read_bytes().partition(b"\n")
    dice, seen = random.Random(0), {True: 0, False: 0}
    for _ in range(300):
        header = json.loads(line)
        change_json(header["shape"] if dice.random() < 0.8 else header, dice)
        header["checksum"] = _checksum(header, body)
        try:
            game = with_network(
                network.game, read_weights(json.dumps(header).encode() + b"\n" + body, "w", network.game)
            )
        except GameError:
            seen[False] += 1
            continue
        seen[True] += 1
        assert all(math.isfinite(game.evaluate(state)) for state in played)
    assert min(seen.values()) > 10
