"""Parameters: whatever is no value of its annotated type is refused by a GameError of one sentence."""

from typing import Any, get_type_hints

import pytest

from zermelo import Game, GameError
from zermelo.games.registry import catalog
from zermelo.games.support.parameters import check_types

WRONG = {
    int: ("a", 3.5, None, True, (), (3,), [3], {}, float("nan"), b"3"),
    bool: ("a", 3.5, None, 0, 1, (), (True,), [], {}),
    str: (3, 3.5, None, True, (), ("a",), [], {}, b"a"),
    tuple[int, ...]: ("a", 3.5, None, True, 3, ("a",), (3.5,), (True,), [3], {}, ((3,),)),
}
PARAMETERS = [(entry, name) for entry in catalog() for name in entry.parameters]


def refused(make):
    """The sentence by which a game is refused."""
    with pytest.raises(GameError) as error:
        make()
    return str(error.value)


@pytest.mark.parametrize(("entry", "name"), PARAMETERS, ids=lambda part: getattr(part, "name", part))
def test_values_of_another_type_are_refused_in_a_sentence(entry, name):
    hint = get_type_hints(entry.game)[name]
    default = entry.parameters[name]
    if hint is Any:  # a tree, which reads many things
        assert entry.name == "game_tree"
        return
    for wrong in (*WRONG[hint], *((float(default),) if hint is int else ())):
        sentence = refused(lambda wrong=wrong: entry.game(**{**entry.parameters, name: wrong}))
        assert sentence.startswith(f"{entry.game.__name__}(")
        assert name in sentence.partition("): ")[2]
        assert sentence.endswith(".")
        assert "\n" not in sentence


@pytest.mark.parametrize("number", [-1, 10**30])
@pytest.mark.parametrize(("entry", "name"), PARAMETERS, ids=lambda part: getattr(part, "name", part))
def test_numbers_far_off_are_refused_at_once(entry, name, number):
    if get_type_hints(entry.game)[name] is int:
        refused(lambda: entry.game(**{**entry.parameters, name: number}))


class Loose(Game):
    """A game that does not look at its parameters, and one that does."""

    rounds: int = 3
    openings: tuple[int, ...] = ()

    def initial(self):
        return self.rounds

    def moves(self, left):
        return (1,)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return 0


class Strict(Loose):
    def __post_init__(self):
        check_types(self)


def test_only_a_game_that_asks_is_checked():
    assert Loose(3.5).rounds == 3.5
    assert refused(lambda: Strict(3.5)) == "Strict(rounds=3.5, openings=()): rounds must be a whole number, not 3.5."
    assert refused(lambda: Strict(openings=[1])).endswith("openings must be a tuple of whole numbers, not [1].")
    assert Strict(4, (1, 2)).openings == (1, 2)
