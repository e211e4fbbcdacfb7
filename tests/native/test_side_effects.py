"""What rules change beside their own variables, found in their source and said by the check."""

import pytest

import taking
import zermelo as z
from zermelo import GameError
from zermelo.native.side_effects import side_effect

LOG = []
COUNT = 0


class Base(taking.Takes):
    log = []
    count = 0

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

    def harmless(self, left, taken):
        log, LOG = [], [0]
        log.append(left)
        LOG[0] = taken
        return left - taken


EFFECTS = {
    "counting": "sets self.count",
    "appending": "calls append of self.log",
    "writing": "sets an item of LOG",
    "of_the_class": "sets type(self).count",
    "of_the_named_class": "sets Base.count",
    "of_the_module": "sets COUNT",
    "deleting": "deletes an item of self.log",
}


@pytest.mark.parametrize("name", EFFECTS)
def test_effects_are_found(name):
    method = getattr(Base, name)
    found = side_effect(method)
    assert found.words.startswith(f"{EFFECTS[name]}, but a rule changes nothing; make ")
    assert method.__code__.co_firstlineno < found.line <= method.__code__.co_firstlineno + 2


def test_local_variables_are_no_effects():
    assert side_effect(Base.harmless) is None
    assert side_effect(len) is side_effect(eval("lambda game: 3")) is None


@pytest.mark.parametrize("name", ["counting", "appending", "of_the_module"])
def test_the_check_says_so(name):
    cls = type("Mine", (Base,), {"play": getattr(Base, name), "log": [], "__module__": __name__})
    with pytest.raises(GameError, match=rf"`play` \(\d\) {EFFECTS[name]} \(line \d+.*\), but a rule changes nothing"):
        z.check(cls())


def test_the_compiler_says_so():
    cls = type("Mine", (Base,), {"play": Base.appending, "native": None, "__module__": __name__})
    assert "it calls append of self.log, but a rule changes nothing" in cls().native_error
