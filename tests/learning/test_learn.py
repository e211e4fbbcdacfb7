"""Learning: targets and steps against plain references, the same result in any number of threads and after a kill."""

import json
import math

import numpy as np
import pytest

import zermelo as z
from zermelo import GameError, Limit, rules
from zermelo.bits import popcount
from zermelo.learning import learn_api, training_checkpoint
from zermelo.learning import training as training_module
from zermelo.learning.arena import RANDOM
from zermelo.learning.cell_sources import sampled_states
from zermelo.learning.network_value import sum_of_weights
from zermelo.learning.refitting import forget_step_sizes, labels_for
from zermelo.learning.self_play import play_and_record
from zermelo.learning.training import Schedule, Training
from zermelo.learning.training_format import (
    BEST,
    CHANCE,
    EXPLORED,
    FLAGS,
    LAST,
    RECORD_HEAD,
    RECORDS_HEAD,
    ROWS,
    SET,
    TARGET,
    TURNED,
)
from zermelo.learning.tuple_choice import choose_shape
from zermelo.learning.weight_update import update_set
from zermelo.networks.learned_game import with_network
from zermelo.networks.weight_files import with_weights
from zermelo.word_arrays import Words

GAME = z.load("tic_tac_toe")


def training(hidden=0, threads=1, seed=5, game=GAME, stages=(), lock_free=False):
    shape = choose_shape(game, tuples=6, hidden=hidden, stages=stages)
    found = Training(game, shape, Schedule(round_games=32), seed, threads, 0.0, lock_free)
    dice = np.random.default_rng(seed)
    found.reals[:] += dice.normal(0, 0.2, found.reals.shape)
    return found


def recorded(run, found, games=12):
    records = Words.zeros(RECORDS_HEAD + 12 * games * found.record_words)
    buffer = Words.zeros(4096)
    arguments = found.seed, 0, games, found.network, Words(found.weights), found.settings(), records, buffer
    assert run(found.game, found.state, *arguments) == games
    size = found.record_words
    return [records.part(RECORDS_HEAD + row * size, size) for row in range(records[ROWS])], records


class WithFeatures(type(GAME)):
    """Tic-tac-toe whose author counts the turn and the middle, and numbers stages."""

    weights = (0.0, 0.0)

    def features(self, state):
        return 1.0, float(popcount(state.mine & 16) - popcount(state.theirs & 16))

    def evaluate(self, state):
        return self.weights[0] + self.weights[1] * self.features(state)[1]

    def stage(self, state):
        return popcount(state.mine | state.theirs)


OPTIONS = [{}, {"hidden": 5}, {"hidden": 5, "game": WithFeatures(), "stages": (2, 5)}]
KINDS = ["tuples", "layers", "levels"]


@pytest.mark.parametrize("options", OPTIONS, ids=KINDS)
def test_compiled_self_play_is_interpreted_self_play(options):
    found = training(**options)
    compiled, _ = recorded(play_and_record, found)
    interpreted, _ = recorded(play_and_record.interpreted, found)
    assert len(compiled) == len(interpreted) > 60
    for one, two in zip(compiled, interpreted, strict=True):
        assert one[SET] == two[SET]
        assert one[FLAGS] == two[FLAGS]
        assert one.reals(TARGET, 1)[0] == pytest.approx(two.reals(TARGET, 1)[0], abs=1e-12)
        assert [one[i] for i in range(RECORD_HEAD, len(one))] == [two[i] for i in range(RECORD_HEAD, len(two))]


def test_targets_are_the_returns_of_td_lambda():
    """From the best values and flags of each game, which begins anew where the board is empty."""
    found = training()
    rows, _ = recorded(play_and_record, found)
    starts = [i for i, row in enumerate(rows) if all(row[j] == 0 for j in range(RECORD_HEAD, len(row)))]
    assert len(starts) == 12
    for first, last in zip(starts, [*starts[1:], len(rows)], strict=True):
        target = rows[last - 1].reals(TARGET, 1)[0]
        for row in reversed(rows[first : last - 1]):
            assert row[FLAGS] & TURNED
            assert not row[FLAGS] & CHANCE
            best = row.reals(BEST, 1)[0]
            target = best if row[FLAGS] & EXPLORED else 0.3 * best - 0.7 * target
            assert row.reals(TARGET, 1)[0] == pytest.approx(target, abs=1e-12)


@pytest.mark.parametrize("options", OPTIONS, ids=KINDS)
@pytest.mark.parametrize("run", [update_set, update_set.interpreted], ids=["compiled", "interpreted"])
def test_a_step_follows_the_gradient(options, run):
    """Each weight moves by the error times the derivative of the evaluation by that weight, found by differences."""
    found = training(**options)
    rows, records = recorded(play_and_record, found, 1)
    records[ROWS] = 1
    inputs, chosen, scratch = rows[0].part(RECORD_HEAD, len(rows[0]) - RECORD_HEAD), rows[0][SET], Words.zeros(300)
    before = found.reals[chosen].copy()

    def value():
        return sum_of_weights(found.network, Words(found.weights), inputs, chosen, scratch)

    error = rows[0].reals(TARGET, 1)[0] - math.tanh(value())
    gradient = np.zeros_like(before)
    for at in range(len(before)):
        found.reals[chosen, at] += 1e-6
        gradient[at] = value() / 1e-6
        found.reals[chosen, at] -= 1e-6
        gradient[at] -= value() / 1e-6
    loss = run(GAME, chosen, found.network, Words(found.weights), found.settings(0.01), records, scratch)
    assert loss == pytest.approx(error * error)
    lookups = len(found.shape.lookups)
    step = 0.01 * error * gradient if found.shape.hidden else 0.01 * error * gradient / lookups
    assert found.reals[chosen] - before == pytest.approx(step, abs=1e-6)
    assert np.abs(step).max() > 1e-5


def test_step_sizes_are_those_of_temporal_coherence():
    """A weight whose errors cancel takes smaller steps; the sums of errors are kept."""
    found = training()
    _, records = recorded(play_and_record, found, 1)
    records[ROWS] = 1
    row = records.part(RECORDS_HEAD, found.record_words)
    moved = []
    for target in (0.9, -0.9, 0.9):
        row.reals(TARGET, 1)[0] = target
        before = found.reals.copy()
        found.update([records])
        moved.append(np.abs(found.reals - before).max())
    assert moved[0] > 3 * moved[2]
    size = found.weights.size // 3
    assert np.abs(found.weights[2 * size :]).sum() > np.abs(found.weights[size : 2 * size]).sum() > 0


class PlainWeights:
    """The weights of a network of tuples, in a dictionary: temporal coherence as its authors write it."""

    def __init__(self, found):
        self.shape, self.size = found.shape, found.shape.set_weights
        count = found.weights.size // 3
        self.weight, self.errors, self.sizes = (found.weights[i * count :][:count].tolist() for i in range(3))
        self.starts = [sum(found.shape.table_sizes[:table]) for table in range(len(found.shape.table_sizes))]

    def places(self, row):
        digits = row.part(RECORD_HEAD, len(row) - RECORD_HEAD).octets(0, len(self.shape.cells))
        for table, cells in self.shape.lookups:
            place, factor = self.starts[table], 1
            for cell in cells:
                place, factor = place + factor * digits[cell], factor * self.shape.radices[cell]
            yield row[SET] * self.size + place

    def value(self, row):
        return math.tanh(sum(self.weight[at] for at in self.places(row)))

    def step(self, row, target):
        error, places = target - self.value(row), [*self.places(row)]
        for at in places:
            coherence = abs(self.errors[at]) / self.sizes[at] if self.sizes[at] else 1.0
            self.weight[at] += coherence * error / len(places)
            self.errors[at] += error
            self.sizes[at] += abs(error)


def update_plainly(plain, rows, trace):
    """Backward through each game: the next state is valued again where it has weights of the same set."""
    game, games = [], []
    for row in rows:
        game.append(row)
        if row[FLAGS] & LAST:
            games.append(game)
            game = []
    assert not game
    for chosen in range(plain.shape.sets):
        for game in reversed(games):
            target = game[-1].reals(TARGET, 1)[0]
            for i in range(len(game) - 1, -1, -1):
                row, best = game[i], game[i].reals(BEST, 1)[0]
                if i < len(game) - 1:
                    if game[i + 1][SET] == chosen and not row[FLAGS] & EXPLORED:
                        best = -plain.value(game[i + 1])
                    target = best if row[FLAGS] & EXPLORED else (1 - trace) * best - trace * target
                if row[SET] == chosen:
                    plain.step(row, target)


@pytest.mark.parametrize("game", [GAME, z.load("connect_four(4, 4)")], ids=repr)
def test_an_update_follows_the_returns_of_the_weights_that_change(game):
    shape = choose_shape(game, tuples=6)
    found = Training(game, shape, Schedule(round_games=32), 5, 1, 0.0)
    found.reals[:] += np.random.default_rng(5).normal(0, 0.2, found.reals.shape)
    records = Words.zeros(RECORDS_HEAD + 20 * 40 * found.record_words)
    arguments = found.seed, 0, 20, found.network, Words(found.weights), found.settings(), records, Words.zeros(4096)
    assert play_and_record(game, found.state, *arguments) == 20
    size = found.record_words
    rows = [records.part(RECORDS_HEAD + row * size, size) for row in range(records[ROWS])]
    plain = PlainWeights(found)
    update_plainly(plain, rows, found.schedule.trace)
    before = found.weights.copy()
    found.update([records], returns=True)
    count = found.weights.size // 3
    assert found.weights[:count] == pytest.approx(plain.weight, abs=1e-9)
    assert found.weights[count:] == pytest.approx([*plain.errors, *plain.sizes], abs=1e-9)
    found.weights[:] = before
    found.update([records])  # the recorded targets are others
    assert found.weights[:count] != pytest.approx(plain.weight, abs=1e-9)


def test_the_result_does_not_depend_on_threads():
    one, two = training(threads=1), training(threads=3)
    for each in (one, two):
        for _ in range(3):
            each.round()
    assert (one.weights == two.weights).all()
    assert one.plies == two.plies > 300


def test_a_lock_free_training_updates_after_each_part(monkeypatch):
    monkeypatch.setattr(training_module, "PARTS", 4)
    found, plain = training(lock_free=True), training()
    found.round(rate=0.5)
    for start in range(0, 32, 8):
        records, plies = plain._play((start, start + 8))
        plain.update([records], 0.5, returns=True)
        plain.plies += plies
    assert (found.games, found.plies) == (32, plain.plies)
    assert np.array_equal(found.weights, plain.weights)


@pytest.mark.parametrize("stages", [(), (2, 5)])
def test_threads_of_a_lock_free_training_learn_together(stages):
    """With stages there are several sets of weights, and each thread updates all of them."""
    game = WithFeatures() if stages else GAME
    found = training(threads=3, game=game, stages=stages, lock_free=True)
    losses = [found.round() for _ in range(60)]
    found.close()
    assert sum(losses[-10:]) < 0.7 * sum(losses[:10])
    assert found.play(RANDOM, 200).share > 0.8
    found.close()


def test_the_weights_of_tuples_are_updated_lock_free_where_only_time_is_given(monkeypatch):
    """A number of games promises a result that can be had again."""
    monkeypatch.setattr(learn_api, "CURVE_GAMES", 2)
    seen, plain = [], Training.__init__

    def noted(self, *arguments):
        plain(self, *arguments)
        seen.append(self.lock_free)

    monkeypatch.setattr(Training, "__init__", noted)
    for options in ({"seconds": 0.01}, {"games": 64}, {"seconds": 0.01, "kind": "layers"}):
        z.learn(GAME, tuples=2, hidden=2, threads=2, **options)
    assert seen == [True, False, False]


def test_rounds_of_long_games_have_more_parts(monkeypatch):
    """So that no core waits long for the last part; each has some plies at least."""
    monkeypatch.setattr(training_module, "PARTS", 4)
    monkeypatch.setattr(training_module, "PART_PLIES", 30)
    found = training()
    assert [stop - start for start, stop in found._parts()] == [8] * 4
    found.games, found.plies = 10, 75
    parts = found._parts()
    assert len(parts) == 32 * 75 // 10 // 30 == 8
    assert (parts[0][0], parts[-1][1]) == (10, 42)
    found.plies = 10_000
    assert [stop - start for start, stop in found._parts()] == [1] * 32


def test_a_killed_training_goes_on_to_the_same_weights(tmp_path, monkeypatch):
    monkeypatch.setattr(learn_api, "CURVE_GAMES", 20)
    monkeypatch.setattr(learn_api, "CHECKPOINT_SECONDS", 0.0)
    options = {"games": 1500, "tuples": 4, "seed": 3, "threads": 1}
    whole = z.learn(GAME, **options)

    def kill(point):
        if point.games > 600:
            raise KeyboardInterrupt

    path = tmp_path / "t"
    with pytest.raises(KeyboardInterrupt):
        z.learn(GAME, **options, checkpoint=path, on_point=kill)
    with pytest.raises(GameError, match="of a training with other options"):
        z.learn(GAME, **{**options, "seed": 4}, checkpoint=path)
    damaged = bytearray(path.read_bytes())
    damaged[-5] ^= 1
    (tmp_path / "d").write_bytes(damaged)
    with pytest.raises(GameError, match="d is damaged"):
        z.learn(GAME, **options, checkpoint=tmp_path / "d")
    line, _, body = path.read_bytes().partition(b"\n")
    for change, content in (({"progress": 3}, body), ({"rounds": "x"}, body), ({}, b"no weights")):
        header = {**json.loads(line), **change}
        header["checksum"] = training_checkpoint._checksum(header, content)
        (tmp_path / "d").write_bytes(json.dumps(header).encode() + b"\n" + content)
        with pytest.raises(GameError, match="d is damaged"):
            z.learn(GAME, **options, checkpoint=tmp_path / "d")
    points = []
    again = z.learn(GAME, **options, checkpoint=path, on_point=points.append)
    assert again.digest == whole.digest
    assert points[0].games >= 600
    assert not path.exists()
    assert json.loads(json.dumps(whole.facts)) == whole.facts


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tuples", "layers"])
def test_games_of_chance_are_learned(kind):
    """Nannon, against exact expectations: what was learned comes closer to them than nothing does."""
    game = z.load("nannon")
    solution = z.solve(game)
    states = [state for state in sampled_states(game, 1) if game.is_chance(state)][:300]
    exact = np.array([solution.value(state).score for state in states])
    network = z.learn(game, games=20_000, kind=kind, exploration=0.05, refit=0.3, depth=2, seed=1)
    learned = with_network(game, network)
    found = np.array([learned.evaluate(state) for state in states])
    assert np.mean((found - exact) ** 2) < 0.2 * np.mean(exact**2)
    assert network.facts["curve"][-1]["against_random"] > 0.55


def test_learned_weights_play_better_than_none():
    """Without weights the player of one ply knows nothing; with what was learned it hardly loses to random moves."""
    network = z.learn(GAME, games=4000, seed=1)
    first, last = network.facts["curve"][0], network.facts["curve"][-1]
    assert first["against_random"] < 0.85
    assert last["against_random"] > 0.9
    assert last["against_greedy"] > first["against_greedy"] + 0.1
    assert z.search(GAME, limit=Limit(depth=1), weights=network).move in (0, 2, 4, 6, 8)  # the middle, or a corner


def test_weights_of_features_are_learned(tmp_path):
    learned = z.learn(WithFeatures(), kind="features", games=1500, seed=1)
    assert len(learned.weights) == 2
    assert learned.weights[1] > 0.05  # the middle is worth having
    learned.save(tmp_path / "w")
    assert with_weights(WithFeatures(), tmp_path / "w").weights == learned.weights


# -- labels --------------------------------------------------------------------------------------------------------


def labelled(found, labels):
    """The states of some records and their targets after labelling."""
    rows, records = recorded(play_and_record, found)
    labels.begin_round()
    labels.label(records)
    length = rules.state_length(GAME)
    states = [rules.state_from_words(GAME, row.part(len(row) - length, length)) for row in rows]
    return [(state, row.reals(TARGET, 1)[0]) for state, row in zip(states, rows, strict=True)]


def test_labels_are_the_values_of_searches():
    found = training()
    game = with_network(GAME, found.result({}))
    rows, _ = recorded(play_and_record, found)
    labels, decided = labels_for(found, 2, None), 0
    labels.begin_round()
    for row in rows[::4]:  # each by itself: with a table for several, some are searched deeper
        single = Words.zeros(RECORDS_HEAD + len(row))
        single[ROWS] = 1
        single.array[RECORDS_HEAD:] = row.array
        labels.label(single)
        length = rules.state_length(GAME)
        value = z.search(game, rules.state_from_words(GAME, row.part(len(row) - length, length)), Limit(depth=2)).value
        decided += value.outcome in (-1, 1)
        expected = value.outcome if value.outcome is not None else math.tanh(value.score)
        assert single.reals(RECORDS_HEAD + TARGET, 1)[0] == pytest.approx(expected, abs=2e-3)
    assert 0 < decided < len(rows) // 4


def test_labels_of_a_database_are_its_values():
    solution, found = z.solve(GAME), training()
    for state, target in labelled(found, labels_for(found, 1, solution)):
        assert target == solution.value(state).outcome


def test_a_refit_to_exact_values_comes_closer_to_them():
    solution, found = z.solve(GAME), training()
    labels = labels_for(found, 1, solution)
    for _ in range(10):
        found.round()
    before = found.round(rate=0.0, label=labels.label)
    forget_step_sizes(found)
    for _ in range(20):
        found.round(rate=0.3, label=labels.label)
    assert found.round(rate=0.0, label=labels.label) < 0.5 * before


def test_rounds_of_long_games_have_few(monkeypatch):
    monkeypatch.setattr(training_module, "MAX_ROUND_PLIES", 64)
    found = training()
    found.round()
    assert found.games == 32
    found.round()
    assert found.games == 32 + training_module.LEAST_ROUND


def test_games_end_after_some_plies(monkeypatch):
    monkeypatch.setattr(learn_api, "CURVE_GAMES", 10)
    facts = z.learn(GAME, games=128, plies=3, tuples=2).facts
    assert facts["plies"] == 3 * 128
    assert facts["options"]["game_plies"] == 3


def test_states_have_the_weights_of_their_stage():
    found = training(**OPTIONS[2])
    rows, _ = recorded(play_and_record, found)
    length = rules.state_length(GAME)
    for row in rows:
        state = rules.state_from_words(GAME, row.part(len(row) - length, length))
        stones = popcount(state.mine | state.theirs)
        assert row[SET] == ((stones >= 2) + (stones >= 5)) * found.shape.views + GAME.mover(state)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"stages": 3}, "stages must be"), ({"stages": (0,)}, "stages must be"), ({"stages": range(1, 30)}, "stages"),
        ({"kind": "deep"}, "kind must be 'tuples', 'layers' or 'features'"), ({"games": 0}, "games must be a whole"),
        ({"seconds": -1}, "seconds must be a number above zero"), ({"kind": "features"}, "has no `features`"),
        ({"trace": 2}, "trace must be a number"), ({"hidden": 1000}, "hidden must be a whole"),
    ],
)  # fmt: skip
def test_wrong_arguments_get_a_sentence(options, reason):
    with pytest.raises(GameError, match=reason):
        z.learn(GAME, **options)
