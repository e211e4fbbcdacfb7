"""Classes of games that are no good dataclasses: a sentence for each mistake, with what to write instead."""

import copy
import pickle
import re
from dataclasses import FrozenInstanceError, InitVar, dataclass, field

import pytest

import taking
from zermelo import GameError

RULES = {name: getattr(taking.Countdown, name) for name in ("initial", "moves", "play", "result")}


def made(annotations, *args, **members):
    """A game of a class with these members; a name that begins with `given_` is a parameter that is given."""
    given = {name.removeprefix("given_"): members.pop(name) for name in [*members] if name.startswith("given_")}
    cls = type("Mine", (taking.Game,), {**RULES, **members, "__annotations__": annotations, "__module__": __name__})
    return cls(*args, **given)


@pytest.mark.parametrize(
    ("annotations", "members", "words"),
    [
        ({"xs": list}, {"xs": [1, [2]]}, "default of the parameter xs is a list, [1, [2]], which"),
        ({"xs": set}, {"xs": {1}}, "xs is a set, {1}, which can change; write a frozenset"),
        ({"xs": dict}, {"xs": {}}, "xs is a dict, {}, which can change; write a tuple of pairs"),
        ({"a": int, "b": int}, {"a": 1}, "the parameter b has no default, and stands after a, which has one"),
        ({}, {"n": field(default=3)}, "the parameter n has no annotation; write `n: int = 3`"),
        ({"n": int}, {"n": 3, "given_m": 4}, "Mine has no parameter m; its parameters are n."),
        ({}, {"n": 3, "given_n": 4}, "no parameters. n is a class constant; write `n: int = 3` to make"),
        ({"xs": tuple}, {"xs": (), "given_xs": [1, 2]}, "parameters; write a tuple, (1, 2)."),
        ({"xs": tuple}, {"xs": (), "given_xs": ([],)}, "xs is a tuple, ([],), which can change"),
    ],
)
def test_mistakes_in_parameters(annotations, members, words):
    with pytest.raises(GameError) as found:
        made(annotations, **members)
    assert words in str(found.value)


def test_too_many_values():
    with pytest.raises(GameError, match="Mine is given 2 values; its parameters are n"):
        made({"n": int}, 1, 2, n=0)


def test_a_game_that_is_set_says_who_did_it():
    def __init__(self, n=5):
        self.n = n

    with pytest.raises(FrozenInstanceError, match=r"`__init__` sets self.n .*needs no `__init__`. .*`n: int = 5`"):
        made({}, __init__=__init__)

    def __post_init__(self):
        self.twice = 2 * self.n

    with pytest.raises(FrozenInstanceError, match=r"`__post_init__` sets self.twice .*make twice a property"):
        made({"n": int}, n=1, __post_init__=__post_init__)

    def forget(self):
        del self.n

    with pytest.raises(FrozenInstanceError, match=r"`forget` deletes self\.n"):
        made({"n": int}, n=1, forget=forget).forget()


def test_a_class_may_freeze_its_parameters_itself():
    def __post_init__(self):
        object.__setattr__(self, "xs", tuple(self.xs))

    assert made({"xs": tuple}, [1, 2], __post_init__=__post_init__).xs == (1, 2)


def test_only_values_that_a_game_is_compared_by_need_be_hashable():
    notes = field(default_factory=dict, compare=False)
    assert made({"notes": dict}, notes=notes, given_notes={1: 2}).notes == {1: 2}
    own = {"__eq__": lambda one, other: True, "__hash__": lambda game: 1}
    assert made({"notes": dict}, given_notes={1: 2}, **own).notes == {1: 2}
    with pytest.raises(GameError, match="notes is a dict"):
        made({"notes": dict}, given_notes={1: 2}, __eq__=own["__eq__"])


def test_parameters_of_post_init_alone():
    def __post_init__(self, seed):
        object.__setattr__(self, "n", seed)

    assert made({"n": int, "seed": InitVar[int]}, n=0, seed=1, given_seed=4, __post_init__=__post_init__).n == 4


def test_a_copy_makes_no_default():
    calls = []
    annotations, members = {"xs": tuple}, {"xs": field(default_factory=lambda: calls.append(1) or [])}
    game = made(annotations, **members, given_xs=(1, 2))
    assert copy.copy(game) == copy.deepcopy(game) == game
    assert not calls
    made(annotations, **members)
    assert len(calls) == 1


def test_a_base_that_is_not_frozen():
    @dataclass
    class Loose:
        n: int = 3

    with pytest.raises(GameError, match=r"Loose can change, .* write @dataclass\(frozen=True\) for the"):
        type("Mine", (Loose, taking.Game), {})
    mine = dataclass(type("Mine", (taking.Game,), {}))
    with pytest.raises(GameError, match="Mine can change, and a game cannot; remove the @dataclass above it"):
        type("Other", (mine,), {})


def test_a_default_is_missing_below_a_base_with_generic_types():
    base = type("Base", (taking.Game,), {"xs": (), "__annotations__": {"xs": tuple[int, ...]}})
    with pytest.raises(GameError, match="the parameter b has no default, and stands after xs, which has one"):
        type("Mine", (base,), {"__annotations__": {"b": int}})


def test_who_is_no_rule_makes_another_game():
    game = taking.Countdown(7)
    with pytest.raises(FrozenInstanceError) as found:
        game.start = 8
    words = "test_declaration.py sets start, but a game cannot be changed; make another, as in `Countdown(start=8)`."
    assert re.fullmatch(rf"Countdown: line \d+ of {re.escape(words)}", str(found.value))

    def tune(game):
        game.limit = 3

    with pytest.raises(FrozenInstanceError, match=r"sets limit, but a game cannot be changed\.") as found:
        tune(made({}))
    assert "a rule changes nothing" in found.value.problem  # for a rule that calls the function


def test_good_games_are_made_copied_and_pickled_as_before():
    game = taking.Countdown(7)
    assert copy.copy(game) == copy.deepcopy(game) == pickle.loads(pickle.dumps(game)) == taking.Countdown(7)
    assert hash(made({"n": "int"}, n=3)) == hash(made({"n": "int"}, 3, n=1))
