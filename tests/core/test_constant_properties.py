"""A property of a game is computed once for each instance, interpreted as compiled, and otherwise stays a property."""

import copy
import functools
import pickle
from collections import Counter
from dataclasses import dataclass, replace

import pytest

from zermelo import LOSS, ONGOING, Game, check
from zermelo.checking import CheckError

computed: Counter = Counter()


@pytest.fixture(autouse=True)
def _count_anew():
    computed.clear()


class Countdown(Game):
    """Take one or two; the player who takes the last one wins."""

    start: int = 4

    def initial(self):
        return self.start

    def moves(self, left):
        return [taken for taken in self.steps if taken <= left]

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else ONGOING

    @property
    def steps(self):
        """What may be taken."""
        computed["steps"] += 1
        return (1, 2)


class Further(Countdown):
    @property
    def steps(self):
        computed["further"] += 1
        return (*super().steps, 3)

    def inherited(self):
        return super().steps


class Table:
    """A mixin that serves games and other classes."""

    @property
    def table(self):
        computed["table"] += 1
        return tuple(range(3))


class LongTable(Table):
    @property
    def table(self):
        return (*super().table, 3)


class WithTable(Table, Countdown):
    pass


class WithLongTable(WithTable, LongTable):
    pass


def test_computed_once_for_each_instance():
    game, other = Countdown(), Countdown(5)
    for _ in range(3):
        list(map(game.moves, range(5)))
        list(map(other.moves, range(5)))
    assert computed == {"steps": 2}


def test_a_check_of_a_game_with_a_costly_property_computes_it_for_each_instance_only():
    class Costly(Countdown):
        native = False

    report = check(Costly(40))
    assert report.states == 41
    assert computed["steps"] <= 12  # some instances; there are thousands of calls


def test_overridden_and_inherited_values_are_both_remembered():
    game = Further()
    for _ in range(2):
        assert game.steps == (1, 2, 3)
        assert game.inherited() == (1, 2)
    assert computed == {"further": 1, "steps": 1}


def test_a_property_stays_a_property():
    assert type(Countdown.steps) is property
    assert Countdown.steps.__doc__ == "What may be taken."
    assert Countdown.steps.fget.__name__ == "steps"
    with pytest.raises(AttributeError):
        Countdown().steps = 3


def test_properties_of_a_mixin_are_remembered_in_games_and_resolved_in_the_usual_order():
    game, longer = WithTable(), WithLongTable()
    assert (game.table, game.table) == ((0, 1, 2),) * 2
    assert computed == {"table": 1}
    assert (longer.table, longer.table) == ((0, 1, 2, 3),) * 2
    assert computed == {"table": 2}
    assert (Table().table, Table().table) == ((0, 1, 2),) * 2
    assert computed == {"table": 4}


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, replace, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_copy_computes_its_own(twin):
    game = Countdown(6)
    assert game.steps == (1, 2)
    other = twin(game)
    assert vars(other) == {"start": 6}
    assert (other, hash(other), other.steps) == (game, hash(game), (1, 2))
    assert computed == {"steps": 2}


def test_another_parameter_has_another_value():
    class Wide(Countdown):
        @property
        def double(self):
            return 2 * self.start

    assert (Wide().double, replace(Wide(), start=7).double) == (8, 14)
    assert Wide() == Wide()


def test_a_parameter_that_post_init_changes():
    class Rounded(Countdown):
        def __post_init__(self):
            if self.half != 3:
                object.__setattr__(self, "start", 6)

        @property
        def half(self):
            return self.start // 2

    assert Rounded(9).half == 3


def test_a_property_that_raises_raises_each_time():
    class Broken(Countdown):
        @property
        def table(self):
            computed["table"] += 1
            raise ZeroDivisionError("no table")

    game = Broken()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="no table") as raised:
            game.table
        assert raised.value.__context__ is None
    assert computed == {"table": 2}


def test_a_property_that_yields_or_can_be_set_or_is_cached_is_left_alone():
    class Odd(Countdown):
        @property
        def lines(self):
            yield from range(self.start)

        @property
        def weight(self):
            return computed["weight"]

        @weight.setter
        def weight(self, weight):
            computed["weight"] = weight

        @functools.cached_property
        def cached(self):
            computed["cached"] += 1
            return self.start

    game = Odd()
    assert list(game.lines) == list(game.lines) == [0, 1, 2, 3]
    assert (game.cached, game.cached, computed["cached"]) == (4, 4, 1)
    computed["weight"] = 5
    assert game.weight == 5
    computed["weight"] = 6
    assert game.weight == 6


def test_plain_dataclasses_are_not_touched():
    @dataclass(frozen=True)
    class Plain(Table):
        pass

    assert (Plain().table, Plain().table) == ((0, 1, 2),) * 2
    assert computed == {"table": 2}


def test_check_finds_a_property_that_a_rule_changes():
    class Mutated(Countdown):
        native = False

        @property
        def seen(self):
            return []

        def play(self, left, taken):
            self.note(left)
            return left - taken

        def note(self, left):
            self.seen.append(left)

    class Seen(Mutated):
        def play(self, left, taken):
            self.seen.append(left)
            return left - taken

    with pytest.raises(CheckError, match=r"`play` \(\d\) calls append of self.seen \(line \d+\), but a rule changes"):
        check(Seen())
    with pytest.raises(CheckError, match=r"`seen` is .* and, computed again, \[\]; a property is computed once"):
        check(Mutated())
