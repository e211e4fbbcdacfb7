"""What rules change beside their own variables, found in their source and said by the check."""

import functools
import inspect
import linecache
import re
from collections import deque

import numpy as np
import pytest

import taking
import zermelo as z
from zermelo import GameError
from zermelo.native.side_effects import side_effect

LOG = []
COUNT = 0
MEMO = {}


def unchanged(rule):
    @functools.wraps(rule)
    def wrapped(*args):
        return rule(*args)

    return wrapped


class Helper:
    def add(self, one, other):
        return one + other

    def __getitem__(self, index):
        return self


class Base(taking.Takes):
    log = []
    count = 0
    grid = [[0, 0]]
    queue = deque()
    cells = np.zeros((2, 2))
    helper = Helper()
    helpers = (Helper(),)

    def counting(self, left, taken):
        self.count += 1
        return left - taken

    def appending(self, left, taken):
        self.log.append(taken)
        return left - taken

    def writing(self, left, taken):
        LOG[taken] = left
        return left - taken

    def of_the_class(self, left, taken):
        type(self).count, left = 1, left
        return left - taken

    def of_the_named_class(self, left, taken):
        Base.count += 1
        return left - taken

    def of_the_module(self, left, taken):
        global COUNT
        COUNT += 1
        return left - taken

    def deleting(self, left, taken):
        del self.log[0]
        return left - taken

    def of_a_row(game, left, taken):
        game.grid[0][1] = taken
        return left - taken

    def remembering(self, left, taken):
        MEMO[left, taken] = left - taken
        return MEMO[left, taken]

    def by_position(self, left, taken, /):
        self.queue.popleft()
        return left - taken

    def by_position_alone(game, /, left, taken):
        game.cells[0].fill(left)
        return left - taken

    @unchanged
    def decorated(self, left, taken):
        self.log.append(taken)
        return left - taken

    def harmless(self, left, taken):
        log, LOG = [], [0]
        log.append(left)
        LOG[0] = taken
        return left - taken

    def first_by_position(self, /, left, taken):
        left.log.append(taken)
        left.count = 3
        return left - taken

    def nested(self, left, taken):
        def inner(LOG):
            LOG[0] = 1

        return left - taken

    def helped(self, left, taken):
        return self.helper.add(left, -taken) + self.helper[0].add(0, 0) + self.helpers[0].add(0, 0)


def any_number(self, *LOG, COUNT=(), **MEMO):
    LOG.append(3)
    COUNT.append(3)
    MEMO[3] = 1


EFFECTS = {
    "counting": "sets self.count",
    "appending": "calls append of self.log",
    "writing": "sets an item of LOG",
    "of_the_class": "sets type(self).count",
    "of_the_named_class": "sets Base.count",
    "of_the_module": "sets COUNT",
    "deleting": "deletes an item of self.log",
    "of_a_row": "sets an item of game.grid[0]",
    "remembering": "sets an item of MEMO",
    "by_position": "calls popleft of self.queue",
    "by_position_alone": "calls fill of game.cells[0]",
    "decorated": "calls append of self.log",
}


@pytest.mark.parametrize("name", EFFECTS)
def test_effects_are_found(name):
    method = getattr(Base, name)
    found = side_effect(method, Base())
    assert found.what == EFFECTS[name]
    first = inspect.unwrap(method).__code__.co_firstlineno
    assert first < found.line <= first + 2


def test_what_to_write_instead():
    assert side_effect(Base.of_a_row, Base()).why.endswith("make grid a field of the state, which `play` returns")
    assert "leave MEMO out if it only saves time" in side_effect(Base.remembering, Base()).why


@pytest.mark.parametrize("name", ["harmless", "nested", "first_by_position", "helped"])
def test_local_variables_and_other_objects_are_no_effects(name):
    assert side_effect(getattr(Base, name), Base()) is side_effect(any_number, Base()) is None


def test_what_has_no_source_has_no_effects():
    assert side_effect(len, Base()) is side_effect(eval("lambda game: 3"), Base()) is None


@pytest.mark.parametrize("now", ["x = (1\n" * 9, "", "def other(self):\n    self.log.append(1)\n"])
def test_a_source_that_was_edited_has_no_effects(tmp_path, now):
    file = tmp_path / "mine.py"
    text = "def play(self, left, taken):\n    self.log.append(taken)\n    return left - taken\n"
    file.write_text(text)
    scope = {}
    exec(compile(text, file, "exec"), scope)
    assert side_effect(scope["play"], Base()).line == 2
    file.write_text(now)
    linecache.checkcache()
    assert side_effect(scope["play"], Base()) is None


@pytest.mark.parametrize("name", ["counting", "appending", "of_the_module", "remembering"])
def test_the_check_says_so(name):
    cls = type("Mine", (Base,), {"play": getattr(Base, name), "log": [], "__module__": __name__})
    with pytest.raises(GameError, match=rf"`play` \(\d\) {EFFECTS[name]} \(line \d+.*\), but a rule changes nothing"):
        z.check(cls())


def test_the_check_finds_who_changes_a_property():
    def play(game, left, taken):
        game.log.append(taken)
        return left - taken

    log = functools.cached_property(lambda game: [])
    log.__set_name__(None, "log")
    cls = type("Mine", (taking.Takes,), {"play": play, "log": log, "__module__": __name__})
    with pytest.raises(GameError, match=r"`play` \(\d\) calls append of game\.log \(line \d+\), but"):
        z.check(cls())


def test_the_compiler_says_so():
    cls = type("Mine", (Base,), {"play": Base.appending, "native": None, "__module__": __name__})
    error = cls().native_error
    assert "it calls append of self.log, but a rule changes nothing" in error
    assert re.search(r"; the compiler's reason: line \d+: .* is a list, which could change", error)


def test_the_compiler_is_not_talked_over():
    cls = type("Mine", (Base,), {"play": Base.helped, "native": None, "__module__": __name__})
    assert re.fullmatch(r"Mine\.play, line \d+: .*(helper|Helper).*", cls().native_error)
    cls = type("Mine", (Base,), {"play": Base.of_the_module, "native": None, "__module__": __name__})
    assert cls().native_error.endswith(": a rule cannot assign to a global variable; what changes belongs to the state")
