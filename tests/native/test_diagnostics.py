"""Every way of writing a rule that does not compile gets a sentence that says what to write instead.

Each case is a rule that fails with this version of Numba. Only the rules are compiled, one at a time, and no kernel.
"""

import enum
import functools
import importlib
import itertools
import re
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, Game, tuples
from zermelo.native import compilability, diagnostics, fingerprint
from zermelo.native.compile_errors import ADVICE, advice
from zermelo.native.linking.linked_kernel import LinkedKernel


class Row(NamedTuple):
    cells: tuple[int, int, int]
    turn: int


class Cells(Game):
    """Mark one of three cells; the player who marks the last one wins."""

    LIST = [0, 1]
    DICT = {0: 1}

    def initial(self):
        return Row((0, 0, 0), 0)

    def moves(self, row):
        for i in range(3):
            if row.cells[i] == 0:
                yield i

    def play(self, row, i):
        return Row(tuples.replace(row.cells, i, 1), 1 - row.turn)

    def result(self, row):
        return LOSS if min(row.cells) == 1 else ONGOING

    def walk(self, n):
        return self.walk(n - 1) if n > 0 else 0

    def added(self, *numbers):
        return numbers[0] + numbers[1]

    @functools.cache  # noqa: B019
    def cached(self, n):
        return n


class Colour(enum.IntEnum):
    RED = 0
    BLUE = 1


@dataclass(frozen=True)
class Direction:
    step: int


RAGGED = ((0, 1), (2,))
MIXED = (0, "a", 1.5)
LIST = [0, 1]
DICT = {0: 1, 1: 2}
FUNCTIONS = (lambda n: n, lambda n: n + 1)
OBJECTS = np.array([(0, 1), (2,)], dtype=object)
EAST = Direction(1)
counter = 0


@functools.cache
def cached(n):
    return n


CASES = []


def case(words, name=""):
    """Add a rule and words of the sentence about it. A rule of two arguments is `moves`, one of three `play`."""

    def add(rule):
        given = name or ("play" if rule.__code__.co_argcount == 3 else "moves")
        CASES.append(pytest.param(given, rule, words, id=rule.__name__))
        return rule

    return add


# -- tables and tuples ----------------------------------------------------------------------------------------------


@case("so that a variable cannot index it; give all rows one length")
def ragged_table_indexed(self, row):
    for i in RAGGED[row.turn]:
        yield i


@case("so that a loop cannot run over it; give all rows one length")
def ragged_table_looped_over(self, row):
    for line in RAGGED:
        yield line[0]


@case("differ in type, so that a variable cannot index it")
def mixed_tuple_indexed(self, row):
    if MIXED[row.turn] == 0:
        yield 0


@case("differ in type, so that a loop cannot run over it")
def mixed_tuple_looped_over(self, row):
    for each in MIXED:
        if each == 0:
            yield 0


@case("a tuple of functions does not compile")
def functions_indexed(self, row):
    yield FUNCTIONS[row.turn](0)


@case("a tuple of functions does not compile")
def functions_looped_over(self, row):
    for function in (cells_left, cells_marked):
        yield function(row)


def cells_left(row):
    return 3 - sum(row.cells)


def cells_marked(row):
    return sum(row.cells)


@case("a slice with variable bounds")
def slice_with_variable_bounds(self, row, i):
    return Row((*row.cells[:i], 1, *row.cells[i + 1 :]), 1 - row.turn)


@case("an index is a float")
def float_as_index(self, row):
    yield row.cells[row.turn / 2]


@case("which a list or range does not tell; write its items one by one, as in (cells[0], cells[1])")
def tuple_of_a_list(self, row, i):
    cells = list(row.cells)
    cells[i] = 1
    return Row(tuple(cells), 1 - row.turn)


@case("has a fixed length and cannot grow")
def growing_tuple(self, row):
    found = ()
    for i in range(3):
        if row.cells[i] == 0:
            found += (i,)
    return found


@case("has a fixed length and cannot grow")
def tuple_of_variable_length(self, row):
    return (0,) * row.turn


@case("a tuple cannot be changed")
def item_of_a_tuple_set(self, row, i):
    row.cells[i] = 1
    return row


@case("a tuple cannot be changed")
def field_of_a_state_set(self, row, i):
    row.turn = 1
    return row


@case("`_replace` does not compile; name the class and give it every field")
def named_tuple_replaced(self, row, i):
    return row._replace(turn=1 - row.turn)


@case("of a tuple does not compile; write a loop")
def count_of_a_tuple(self, row):
    return range(row.cells.count(0))


# -- lists, sets and dicts -------------------------------------------------------------------------------------------


@case("which could change, and compiled rules need constants; write a tuple")
def global_list(self, row):
    for i in LIST:
        yield i


@case("a constant of the game is a {kind}, which could change")
def class_list(self, row):
    for i in self.LIST:
        yield i


@case("which does not compile as a constant; write a tuple, indexed by an int")
def global_dict(self, row):
    yield DICT[row.turn]


@case("a constant of the game is a {kind}, which does not compile")
def class_dict(self, row):
    yield self.DICT[row.turn]


@case("nothing is ever put into this")
def empty_list(self, row):
    return []


@case("differ in type or length; use one for each type")
def list_of_different_tuples(self, row):
    lines = [(0, 1), (2,)]
    for each in lines:
        yield each[0]


@case("differ in type or length; use one for each type")
def different_items_appended(self, row):
    found = [0]
    found.append((1, 2))
    return found


@case("differ in type or length; use one for each type")
def dict_of_different_tuples(self, row):
    yield {0: (0, 1), 1: (2,)}[row.turn][0]


@case("a set comprehension does not compile; write set([")
def set_comprehension(self, row):
    return {i // 2 for i in range(3)}


@case("sets cannot be compared")
def sets_compared(self, row):
    if set(row.cells) == {0}:
        yield 0


@case("a NumPy array of Python objects")
def array_of_objects(self, row):
    yield OBJECTS[row.turn][0]


# -- loops and built-in functions ------------------------------------------------------------------------------------


@case("`any` and `all` do not compile; write a loop")
def any_of_a_generator(self, row):
    if any(cell == 0 for cell in row.cells):
        yield 0


@case("does not compile; write a loop that returns as soon as it knows")
def all_of_a_tuple(self, row):
    if all(row.cells):
        yield 0


@case("the length of a tuple(... for ...) is not known")
def tuple_of_a_generator(self, row, i):
    return Row(tuple(1 if k == i else cell for k, cell in enumerate(row.cells)), 1 - row.turn)


@case("as in sum([... for ...])")
def sum_of_a_generator(self, row):
    yield sum(cell for cell in row.cells)


@case("as in sum([... for ...])")
def moves_as_a_generator(self, row):
    return (i for i in range(3) if row.cells[i] == 0)


@case("this inner function does not compile")
def inner_generator(self, row):
    def free():
        for i in range(3):
            yield i

    for i in free():
        yield i


@case("a lambda that uses variables of the rule does not compile")
def filter_with_a_closure(self, row):
    return filter(lambda i: row.cells[i] == 0, range(3))


@case("`reversed` does not compile")
def reversed_range(self, row):
    return reversed(range(3))


@case("`super()` does not compile")
def super_called(self, row):
    return super(Cells, self).moves(row)


@case("bits.popcount(x)")
def bits_counted(self, row):
    yield row.turn.bit_count()


@case("bits.msb(x) + 1")
def bit_length(self, row):
    yield row.turn.bit_length()


@case("the built-in function `{name}` does not compile")
def built_in_function(self, row):
    yield len(oct(row.turn))


@case("`min` and `max` with key= or default= do not compile")
def max_with_a_key(self, row):
    yield max(range(3), key=lambda i: row.cells[i])


@case("write enumerate(cells, 1)")
def enumerate_by_name(self, row):
    for i, cell in enumerate(row.cells, start=1):
        if cell == 0:
            yield i - 1


@case("has no `yield` that is ever reached")
def never_yields(self, row):
    return
    yield


# -- types -----------------------------------------------------------------------------------------------------------


@case("in one branch and {other} in another; give it one type")
def variable_of_two_types(self, row):
    best = 0
    if row.turn:
        best = (0, 1)
    yield 0 if best == 0 else 1


@case("a value is {one} in one branch")
def value_of_two_types(self, row):
    for i in (0,) if row.turn else (0, 1):
        yield i


@case("the rule gives different types")
def two_types_returned(self, row, i):
    if i == 0:
        return "first"
    return Row(row.cells, 1 - row.turn)


@case("the rule gives different types")
def two_types_yielded(self, row):
    yield 0
    yield "one"


@case("ask whether it `is None`")
def none_as_a_condition(self, row):
    best = None
    for i in range(3):
        if row.cells[i] == 0 and not best:
            best = i
    if best is not None:
        yield best


@case("a `return` or a `yield` is missing")
def no_return(self, row, i):
    Row(row.cells, 1 - row.turn)


@case("a `return` or a `yield` is missing")
def no_moves_returned(self, row):
    [i for i in range(3) if row.cells[i] == 0]


@case("`get` of a dict may give None for the compiler")
def dict_with_a_default(self, row):
    yield {0: 1, 1: 2}.get(row.turn, 0)


@case("the state becomes a float where it was an int")
def float_in_a_state(self, row, i):
    return Row(tuples.replace(row.cells, i, 1), row.turn / 2)


@case("a move is an int where rules are compiled")
def moves_as_tuples(self, row):
    yield (0, 1)


@case("and these are {kind}; number them")
def moves_as_text(self, row):
    yield "left"


@case("where a number is needed", "result")
def result_as_text(self, row):
    return "won" if row.turn else "lost"


@case("where a number is needed", "evaluate")
def evaluation_as_text(self, row):
    return "good" if row.turn else "bad"


@case("a number has no items", "features")
def features_as_a_number(self, row):
    return row.turn


@case("a number has no items")
def number_looped_over(self, row):
    for i in row.turn:
        yield i


@case("a tuple is needed here, with as many items as there are names", "bounds")
def bounds_as_a_number(self, row):
    return row.turn


@case("a tuple is needed here, with as many items as there are names")
def too_many_items(self, row):
    first, second = row.cells
    yield first + second


@case("has more than 64 bits")
def large_number(self, row):
    if row.turn & 0x1_0000_0000_0000_0000_0000:
        yield 0


@case("a method that calls itself does not compile")
def recursive_method(self, row):
    yield self.walk(row.turn)


# -- classes, modules and functions ----------------------------------------------------------------------------------


@case("cannot be called or looped over in a rule")
def enum_looped_over(self, row):
    for colour in Colour:
        yield colour


@case("of classes only NamedTuples compile")
def object_made(self, row):
    yield Counter(row.cells)[0]


@case("is cached by functools")
def cached_function(self, row):
    yield cached(row.turn)


@case("a method is cached by functools")
def cached_method(self, row):
    yield self.cached(row.turn)


@case("is an object of class")
def object_used(self, row):
    yield EAST.step


@case("does not compile; write a loop or a helper function")
def function_of_a_module(self, row):
    for i, _ in itertools.product(range(3), range(1)):
        yield i


@case("is not a parameter, constant or method of the game")
def unknown_attribute_of_the_game(self, row):
    yield self.width


@case("a rule cannot change the game")
def game_changed(self, row):
    self.turns = 1
    yield 0


@case("a rule cannot assign to a global variable")
def global_assigned(self, row):
    global counter
    counter = 1
    yield 0


@case("name the arguments one by one")
def star_arguments(self, row):
    yield self.added(0, row.turn)


@case("`{name}` does not compile; write a loop")
def numpy_function(self, row):
    yield np.vectorize(abs)(row.turn)


@case("write dtype=np.int64")
def dtype_of_python(self, row):
    yield np.zeros(3, dtype=int)[0]


# -- text, errors and statements -------------------------------------------------------------------------------------


@case("text is not formatted or parsed")
def format_specification(self, row):
    if f"{row.turn:02}" == "00":
        yield 0


@case("only `except Exception` compiles")
def error_caught(self, row):
    try:
        yield row.cells[row.turn]
    except IndexError:
        yield 0


@case("`print` compiles without end= and sep= only")
def print_with_end(self, row):
    print(row.turn, end="")
    yield 0


@case("`with` does not compile")
def with_statement(self, row):
    with open("file"):
        pass
    yield 0


@case("`first, *rest = cells` does not compile")
def starred_target(self, row):
    first, *rest = row.cells
    yield first + len(rest)


@case("`match` compiles for numbers only")
def match_of_a_tuple(self, row):
    match row.cells:
        case (0, 0, 0):
            yield 0


@case("an import inside a rule")
def import_in_a_rule(self, row):
    import math

    yield math.gcd(row.turn, 3)


@case("`del` does not compile")
def variable_deleted(self, row):
    first = row.turn
    del first
    yield 0


@case("is not defined")
def unknown_name(self, row):
    yield nonsense(row)  # noqa: F821


@case("has no attribute `{name}` that compiles")
def unknown_attribute(self, row):
    yield row.width


@case("does not compile for {one}")
def unsupported_arguments(self, row):
    yield pow(2, row.turn, 3)


@pytest.mark.filterwarnings("ignore:First-class function type feature is experimental")
@pytest.mark.parametrize(("name", "rule", "words"), CASES)
def test_a_rule_that_does_not_compile_gets_advice(name, rule, words):
    error = type("Odd", (Cells,), {name: rule})().native_error
    found = re.fullmatch(rf"Odd\.{name}, line (\d+): (.+)", error)
    lines = rule.__code__.co_firstlineno, max(line for _, _, line in rule.__code__.co_lines() if line)
    assert found
    assert lines[0] <= int(found[1]) <= lines[1] or rule in (recursive_method, functions_looped_over)
    assert re.search(pattern(words), found[2])
    assert not re.search(r"Tuple\(|Function\(|Literal|unicode_type|\$", found[2])


def pattern(words):
    return re.sub(r"\\\{\w+\\\}", ".+", re.escape(words))


@pytest.mark.parametrize("each", ADVICE, ids=lambda each: each.pattern[:40])
def test_each_advice_has_a_rule_that_needs_it(each):
    assert any(case.values[2] in each.sentence for case in CASES)


HELPER = """
def free_cells(row):
    return sum(cell == 0 for cell in row.cells)
"""


def test_the_line_may_be_that_of_a_helper_in_another_file(tmp_path, monkeypatch):
    (tmp_path / "helpers_of_cells.py").write_text(HELPER)
    monkeypatch.syspath_prepend(str(tmp_path))
    free_cells = importlib.import_module("helpers_of_cells").free_cells

    class Helped(Cells):
        def moves(self, row):
            yield free_cells(row)

    assert Helped().native_error.startswith("Helped.moves, line 3 of helpers_of_cells.py: a generator expression does")


def test_a_rule_whose_source_is_gone_is_diagnosed():
    scope = {"Cells": Cells}
    exec("class Typed(Cells):\n    def moves(self, row):\n        return (i for i in range(3))", scope)
    assert scope["Typed"]().native_error.startswith("Typed.moves, line 3: this inner function does not compile")


class Keywords(Cells):
    def less(self, number=0, *, by):
        return number - by

    def more(self, number=0, **others):
        return number + 1

    def stage(self, row):
        return self.less(9, by=row.turn)


def test_arguments_behind_a_star():
    """They need no default after one with a default; it was a KeyError."""
    assert Keywords().native_error is None
    stage = type("Others", (Keywords,), {"stage": lambda self, row: self.more(row.turn)})
    assert "`*` and `**` in a call or in a signature do not compile" in stage().native_error


def test_a_reason_without_advice_is_kept():
    assert advice("Something of a later version") == "Something of a later version"


def test_the_advice_for_a_generator_expression_depends_on_the_line():
    reason = "The use of yield in a closure is unsupported"
    lines = ["if any(x for x in xs):", "return tuple(x for x in xs)", "return sum(x for x in xs)", "yield x"]
    assert len({advice(reason, line) for line in lines}) == 4


def test_memory_that_runs_out_is_no_fault_of_the_rules(tmp_path, monkeypatch):
    """Else the game would be interpreted for good: the reason is kept for the next process."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    game = type("Spare", (Cells,), {"__module__": __name__})()

    def exhausted(*_):
        try:
            raise MemoryError
        except MemoryError as error:
            raise TypeError("lowering failed") from error

    monkeypatch.setattr(LinkedKernel, "load", exhausted)
    with pytest.raises(TypeError, match="lowering failed"):
        z.perft(game, 2)
    monkeypatch.setattr(diagnostics, "jitted", exhausted)
    with pytest.raises(TypeError, match="lowering failed"):
        diagnostics.record_failure(game, ValueError("of another kind"))
    assert fingerprint(game) not in compilability.errors
    assert not list(tmp_path.glob("*.error"))


def test_an_error_of_the_system_is_not_remembered_by_other_processes(tmp_path, monkeypatch):
    """Such as a working directory that is gone: this process interprets the game, and says why."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    game = type("Homeless", (Cells,), {"__module__": __name__})()

    def refused(*_):
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(LinkedKernel, "load", refused)
    monkeypatch.setattr(diagnostics, "jitted", refused)
    with pytest.warns(z.InterpretedWarning, match="No such file or directory"):
        z.search(game, limit=z.Limit(depth=1))
    assert "No such file or directory" in compilability.errors[fingerprint(game)]
    assert not list(tmp_path.glob("*.error"))
