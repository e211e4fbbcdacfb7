"""Linked kernels: compiled once for all games, linked with the rules of each, loaded without Numba."""

import json
import os
import subprocess
import sys
import time
from typing import NamedTuple

import numpy as np
import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, WIN, Game, GameError
from zermelo.native.compile_process import WORKER_VARIABLE, start_compiling, wait_for
from zermelo.native.linking.default_rules import default_rule, state_ir
from zermelo.native.linking.linked_kernel import LinkedKernel
from zermelo.native.linking.rule_dependencies import rule_fingerprint
from zermelo.native.linking.rule_interface import RULES
from zermelo.native.linking.weights import code_fingerprint, data_weights
from zermelo.native.state_layout import layout_of
from zermelo.searching.alphabeta.root_search import alphabeta
from zermelo.solving.enumeration.part_sorting import merge_parts


class Corners(NamedTuple):
    flag: bool
    word: np.uint64
    small: np.int8
    share: float
    rest: tuple[tuple[int, int], int]


class EveryKind(Game):
    """A race whose state has numbers of every kind; all of them take part in the rules."""

    def initial(self):
        return Corners(False, np.uint64(1 << 63), np.int8(-3), 0.25, ((5, -1), 0))

    def moves(self, state):
        for step in range(1, 4):
            if step <= state.rest[0][0] + 2:
                yield step

    def play(self, state, step):
        (left, sign), count = state.rest
        return Corners(
            not state.flag, state.word + np.uint64(step), np.int8(-state.small), state.share / 2 + step,
            ((left - step, -sign), count + 1),
        )  # fmt: skip

    def result(self, state):
        if state.rest[0][0] > 0:
            return ONGOING
        return LOSS if state.flag == (state.share > 2.5) else WIN

    def evaluate(self, state):
        return state.share * 10 + state.small + state.rest[1] + (state.word > np.uint64(1 << 63))


class Weighted(Game):
    """A countdown with features."""

    weights: tuple = (1.0, 0.5)

    def initial(self):
        return 12

    def moves(self, state):
        for take in range(1, min(3, state) + 1):
            yield take

    def play(self, state, take):
        return state - take

    def result(self, state):
        return LOSS if state == 0 else ONGOING

    def features(self, state):
        return state % 4, state


class Raising(Weighted):
    def play(self, state, take):
        if state == 9:
            raise ValueError("nine is refused", state)
        return state - take


class OwnUse(Weighted):
    """Weights that a rule names are constants."""

    def order(self, state, take):
        return int(self.weights[0]) * take


def outcome(game, depth):
    report = z.search(game, limit=z.Limit(depth=depth))
    return report.value, report.nodes, report.lines


def interpreted(game):
    """The same game, never compiled."""
    cls = type(game)
    twin = type(cls.__name__, (cls,), {"native": False, "__module__": cls.__module__})
    return twin(**{name: getattr(game, name) for name in cls.__dataclass_fields__})


@pytest.mark.parametrize("game", [EveryKind(), Weighted(), Weighted(weights=(-2.0, 3.0)), OwnUse()], ids=repr)
def test_a_linked_search_is_the_interpreted_one_node_for_node(game):
    assert alphabeta.prepare(game)
    for depth in range(1, 7):
        assert outcome(game, depth) == outcome(interpreted(game), depth)


def test_new_weights_need_no_compiler():
    alphabeta.prepare(Weighted())
    linked = alphabeta._linked
    before = linked.misses
    for weights in ((3.0, 1.0), (0.0, -1.0), (0.5, 0.25)):
        game = Weighted(weights=weights)
        assert alphabeta.prepare(game)
        assert outcome(game, 3) == outcome(interpreted(game), 3)
    assert linked.misses == before


def test_weights_that_a_rule_names_are_code():
    assert data_weights(Weighted()) == [1.0, 0.5]
    assert data_weights(OwnUse()) is None
    assert code_fingerprint(Weighted()) == code_fingerprint(Weighted(weights=(9.0, 9.0)))
    assert code_fingerprint(OwnUse()) != code_fingerprint(OwnUse(weights=(9.0, 9.0)))


def test_an_exception_of_a_rule_leaves_compiled_code_as_it_was_raised():
    game = Raising()
    assert alphabeta.prepare(game)
    with pytest.raises(ValueError, match="nine is refused") as caught:
        z.search(game, limit=z.Limit(depth=6))
    assert caught.value.args[0] == "nine is refused"


def test_a_missing_stuck_rule_is_an_error_of_the_game():
    class NoMoves(Weighted):
        def moves(self, state):
            for take in range(1, 4):
                if state - take > 1:
                    yield take

    game = NoMoves()
    assert alphabeta.prepare(game)
    with pytest.raises(GameError, match="stuck"):
        z.search(game, limit=z.Limit(depth=8))


# -- what a rule depends on --------------------------------------------------------------------------------------------


def changed(**members):
    return type("Weighted", (Weighted,), {"__module__": __name__, **members})()


def fingerprints(game):
    return {
        rule: rule_fingerprint(game, layout_of(game), rule) for rule in ("play", "moves_into", "result", "evaluate")
    }


def test_an_edit_changes_the_rules_that_can_reach_it_and_no_others():
    def helper(self, state):
        return state % 5

    def features(self, state):
        return self.helper(state), state

    before = fingerprints(changed(helper=lambda self, state: state % 4, features=features))
    after = fingerprints(changed(helper=helper, features=features))
    assert {rule for rule in before if before[rule] != after[rule]} == {"evaluate"}


def test_a_parameter_counts_where_its_name_stands():
    class Limited(Weighted):
        most: int = 3

        def moves(self, state):
            for take in range(1, min(self.most, state) + 1):
                yield take

    one, two = fingerprints(Limited()), fingerprints(Limited(most=2))
    assert {rule for rule in one if one[rule] != two[rule]} == {"moves_into"}


def test_a_default_leads_to_the_members_that_it_uses():
    """`order` has the weights as constants, through the default of `evaluate`."""

    class ByEvaluation(Weighted):
        def order(self, state, take):
            return int(self.evaluate(self.play(state, take)))

    one, other = ByEvaluation(), ByEvaluation(weights=(5.0, -1.0))
    assert data_weights(one) is None
    assert rule_fingerprint(one, layout_of(one), "order") != rule_fingerprint(other, layout_of(other), "order")
    for game in (one, other):
        assert alphabeta.prepare(game)
        assert outcome(game, 5) == outcome(interpreted(game), 5)


def test_a_member_that_is_named_by_a_text_counts():
    class Named(Weighted):
        most: int = 3

        def moves(self, state):
            for take in range(1, min(getattr(self, "most"), state) + 1):  # noqa: B009
                yield take

    assert fingerprints(Named())["moves_into"] != fingerprints(Named(most=2))["moves_into"]


def test_an_edit_of_moves_counts_where_candidates_are_named():
    def order(self, state, take):
        return len(list(self.candidates(state)))

    def moves(self, state):
        yield 1

    one, other = changed(order=order), changed(order=order, moves=moves)
    assert rule_fingerprint(one, layout_of(one), "order") != rule_fingerprint(other, layout_of(other), "order")


# -- defaults ----------------------------------------------------------------------------------------------------------


def test_the_layout_of_a_state_is_that_of_numba():
    from numba.core.registry import cpu_target

    from zermelo.native.overloads.state_types import state_type

    for game in (EveryKind(), Weighted(), *(z.load(entry.name) for entry in z.catalog())):
        layout = layout_of(game)
        wanted = str(cpu_target.target_context.get_data_type(state_type(layout)))
        assert state_ir(layout).replace(" ", "") == wanted.replace(" ", ""), repr(game)


def test_rules_that_nobody_wrote_need_no_compiler():
    game = Weighted()
    written = {rule for rule in RULES if default_rule(game, layout_of(game), rule) is None}
    assert written == {
        "result", "play", "evaluate", "moves_into", "count_moves", "state_from_words", "state_to_words", "state_key",
        "state_check", "structural_key", "structural_check", "features_into",
    }  # fmt: skip


def test_environments_of_two_processes_have_different_names():
    from zermelo.native.linking.linker import ENVIRONMENT
    from zermelo.native.linking.rule_ir import with_unique_environments

    name = f"{ENVIRONMENT}4rule2v1"
    text = f'@{name} = common global ptr null\n; @"{name}"\n; c"missing {name}"'
    (one, constants), (other, others) = (with_unique_environments(text, {name: [word]}) for word in ("a", "b"))
    assert [*constants.values(), *others.values()] == [["a"], ["b"]]
    (renamed,) = constants
    assert renamed.startswith(ENVIRONMENT)
    assert one.count(renamed) == 2
    assert one.count(name) == 1
    assert renamed not in other


# -- other processes ---------------------------------------------------------------------------------------------------

SCRIPT = """
import json, sys
import zermelo as z
report = z.search(z.load(sys.argv[1]), limit=z.Limit(depth=5))
print(json.dumps([report.nodes, "numba" in sys.modules, "numpy" in sys.modules]))
"""

GAME_FILE = """
from zermelo import LOSS, ONGOING, Game

class Countdown(Game):
    def initial(self):
        return 30

    def moves(self, state):
        for take in range(1, min(3, state) + 1):
            yield take

    def play(self, state, take):
        return state - take

    def result(self, state):
        return LOSS if state == 0 else ONGOING
"""


@pytest.fixture
def game_file(tmp_path):
    path = tmp_path / "countdown_file.py"
    path.write_text(GAME_FILE)
    return path


def test_a_process_that_finds_its_kernel_does_not_import_numba(game_file):
    game = z.load(str(game_file))
    assert alphabeta.prepare(game)
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(game_file)], capture_output=True, text=True, env=dict(os.environ)
    )
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout) == [z.search(game, limit=z.Limit(depth=5)).nodes, False, False]


def test_another_process_compiles_and_this_one_loads(game_file):
    game = z.load(str(game_file) + ":Countdown")
    assert start_compiling(game, ["alphabeta"])
    wait_for(game, "alphabeta")
    linked = LinkedKernel("alphabeta", alphabeta.python, alphabeta.kinds)
    assert linked.is_cached(game)
    linked.load(game)
    assert (linked.hits, linked.misses) == (1, 0)


RAISING_SCRIPT = """
import gc, sys
import zermelo as z
from zermelo.searching.alphabeta.root_search import alphabeta
game = z.load(sys.argv[1])
assert alphabeta.prepare(game)
gc.collect()
try:
    z.search(game, limit=z.Limit(depth=6))
except ValueError as error:
    print(alphabeta._linked.hits, error.args)
"""


def test_an_exception_with_values_is_raised_from_the_cache_too(tmp_path):
    """The Python objects that compiled code uses stay alive as long as the code."""
    path = tmp_path / "raising_file.py"
    refusal = "        if state == 27:\n            raise ValueError('no', state)\n"
    text = GAME_FILE.replace("        return state - take", f"{refusal}        return state - take")
    path.write_text(text)
    answers = []
    for _ in range(2):
        process = subprocess.run([sys.executable, "-c", RAISING_SCRIPT, str(path)], capture_output=True, text=True)
        assert process.returncode == 0, process.stderr
        answers.append(process.stdout.strip())
    assert answers[0] in ("0 ('no', 27)", "1 ('no', 27)")  # an earlier run may have left it in the cache
    assert answers[1] == "1 ('no', 27)"


def test_the_process_that_compiles_starts_no_other(game_file, monkeypatch):
    """An author's file may search while it is loaded."""
    game = z.load(str(game_file) + ":Countdown")
    monkeypatch.setenv(WORKER_VARIABLE, "1")
    assert not start_compiling(game, ["star2"])


def test_a_kernel_that_asks_no_rule_is_compiled_once_for_all_games(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    tmp_path.chmod(0o700)
    linked = LinkedKernel("merge_parts", merge_parts.python, merge_parts.kinds)
    assert linked.load(Weighted()) is linked.load(EveryKind())
    assert (linked.hits, linked.misses) == (0, 1)
    assert len([*tmp_path.glob("merge_parts--*.kernel")]) == 1
    assert LinkedKernel("alphabeta", alphabeta.python, alphabeta.kinds).reads_game


def test_a_game_that_no_other_process_can_load_is_compiled_here():
    class Local(Weighted):
        pass

    assert not start_compiling(Local(), ["alphabeta"])
    assert alphabeta.prepare(Local())


def test_a_limit_of_time_holds_while_another_process_compiles(game_file, tmp_path):
    """The process ends with its answer. The compiler goes on, and its kernel is there later."""
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    environment = {**os.environ, "ZERMELO_CACHE": str(cache)}
    command = [sys.executable, "-m", "zermelo", "analyze", str(game_file), "--seconds", "0.5", "--json"]
    process = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert process.returncode == 0, process.stderr
    until = time.monotonic() + 120
    while not list(cache.glob("alphabeta-Countdown-*.kernel")) and time.monotonic() < until:
        time.sleep(0.2)
    assert list(cache.glob("alphabeta-Countdown-*.kernel"))
