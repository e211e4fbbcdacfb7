"""Classes of games that are no good dataclasses: a sentence for each mistake, with what to write instead."""

import copy
import pickle
from dataclasses import FrozenInstanceError, field

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
        ({"xs": list}, {"xs": field(default_factory=list)}, "xs is a list, [], which can change"),
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


def test_good_games_are_made_copied_and_pickled_as_before():
    game = taking.Countdown(7)
    assert copy.copy(game) == copy.deepcopy(game) == pickle.loads(pickle.dumps(game)) == taking.Countdown(7)
    assert hash(made({"n": "int"}, n=3)) == hash(made({"n": "int"}, 3, n=1))
