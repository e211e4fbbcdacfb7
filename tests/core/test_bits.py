"""bits.py and tuples.py: the interpreted function, its compiled form and an obvious reference agree."""

import doctest

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numba import njit

from zermelo import bits, tuples
from zermelo.native.overloads import bit_overloads  # noqa: F401  (registers the compiled versions)


def digits(x):
    """The 64 bits of a word, lowest first: the view in which everything is obvious."""
    return [(x >> i) & 1 for i in range(64)]


def word(digits):
    return sum(digit << i for i, digit in enumerate(digits))


def moved(x, count):
    """Bit i of the result is bit i - count of the word, where there is one."""
    before = digits(x)
    return word([before[i - count] if 0 <= i - count < 64 else 0 for i in range(64)])


def splitmix64(x):
    """The generator as published, in NumPy's wrapping arithmetic."""
    with np.errstate(over="ignore"):
        z = np.uint64(x % 2**64) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return int(z ^ (z >> np.uint64(31)))


ONE_WORD = {
    bits.unsigned: lambda x: x % 2**64,
    bits.signed: lambda x: x % 2**64 - (2**64 if x % 2**64 >= 2**63 else 0),
    bits.popcount: lambda x: sum(digits(x)),
    bits.lsb: lambda x: [*digits(x), 1].index(1),
    bits.msb: lambda x: max((i for i, digit in enumerate(digits(x)) if digit), default=-1),
    bits.byte_swap: lambda x: word([digits(x)[56 - i + 2 * (i % 8)] for i in range(64)]),
    bits.reverse: lambda x: word(digits(x)[::-1]),
    bits.mix: splitmix64,
}
TWO_WORDS = {
    bits.add: lambda a, b: (a + b) % 2**64,
    bits.subtract: lambda a, b: (a - b) % 2**64,
    bits.multiply: lambda a, b: (a * b) % 2**64,
    bits.remainder: lambda a, b: (a % 2**64) % (b % 2**64) if b % 2**64 else 0,
}
COUNTED = {
    bits.shift_left: lambda x, count: moved(x, count),
    bits.shift_right: lambda x, count: moved(x, -count),
    bits.rotate_left: lambda x, count: word([digits(x)[(i - count) % 64] for i in range(64)]),
    bits.has_bit: lambda x, i: 0 <= i < 64 and digits(x)[i] == 1,
}

EDGES = [0, 1, -1, 2**63 - 1, -(2**63), 2**63, 2**64 - 1, 0x0102030405060708, 0x8040201008040201]
words = st.one_of(
    st.integers(-(2**63), 2**64 - 1), st.sampled_from(EDGES), st.integers(0, 64).map(lambda i: (1 << i) - 1)
)
counts = st.one_of(st.integers(-70, 70), st.integers(-(2**63), 2**63 - 1))


def machine_forms(x):
    """The word in each machine type that holds it as it stands, and as the other sign would read it."""
    return np.int64(bits.signed(x)), np.uint64(bits.unsigned(x))


def compiled(function):
    arguments = ", ".join("ab"[: 1 if function in ONE_WORD or function in (bits.ones, bits.bit) else 2])
    exec(f"def call({arguments}):\n    return function({arguments})", scope := {"function": function})
    return njit(scope["call"])


COMPILED = {function: compiled(function) for function in (*ONE_WORD, *TWO_WORDS, *COUNTED, bits.bit)}


def same(got, expected):
    """Equal as Python numbers: a word that came back signed would show here."""
    assert int(got) == int(expected), (got, expected)


@pytest.mark.parametrize("function", ONE_WORD, ids=lambda function: function.__name__)
@settings(deadline=None)
@given(x=words)
def test_functions_of_a_word(function, x):
    expected = ONE_WORD[function](x)
    same(function(x), expected)
    for form in machine_forms(x):
        same(function(form), expected)
        same(COMPILED[function](form), expected)


@pytest.mark.parametrize("function", TWO_WORDS, ids=lambda function: function.__name__)
@settings(deadline=None)
@given(a=words, b=words)
@example(a=-(2**63), b=-1)
def test_functions_of_two_words(function, a, b):
    expected = TWO_WORDS[function](a, b)
    same(function(a, b), expected)
    for left in machine_forms(a):
        for right in machine_forms(b):
            same(function(left, right), expected)
            same(COMPILED[function](left, right), expected)


@pytest.mark.parametrize("function", COUNTED, ids=lambda function: function.__name__)
@settings(deadline=None)
@given(x=words, count=counts)
@example(x=-1, count=64)
@example(x=-1, count=-64)
@example(x=-1, count=-(2**63))
def test_functions_of_a_word_and_a_count(function, x, count):
    expected = COUNTED[function](x, count)
    same(function(x, count), expected)
    for form in machine_forms(x):
        same(function(form, np.int64(count)), expected)
        same(COMPILED[function](form, np.int64(count)), expected)
        if count >= 0:
            same(COMPILED[function](form, np.uint64(count)), expected)


@settings(deadline=None)
@given(count=counts)
def test_bit_is_a_power_of_two_or_nothing(count):
    expected = 2**count if 0 <= count < 64 else 0
    same(bits.bit(count), expected)
    same(COMPILED[bits.bit](count), expected)


@njit
def listed(x):
    indices = [0]
    for i in bits.ones(x):
        indices.append(i)
    return indices[1:]


@settings(deadline=None)
@given(x=words)
def test_ones_lists_the_set_bits_lowest_first(x):
    expected = [i for i in range(64) if digits(x)[i]]
    assert list(bits.ones(x)) == expected
    for form in machine_forms(x):
        assert list(bits.ones(form)) == expected
        assert listed(form) == expected


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint32, bool])
@pytest.mark.parametrize("value", [0, 1, -1, 127, -128])
def test_narrow_integers_become_words_as_python_reads_them(kind, value):
    narrow = np.array([value]).astype(kind)[0]
    for function in (bits.popcount, bits.unsigned, bits.reverse):
        same(COMPILED[function](narrow), function(int(narrow)))


@njit
def fold(x, y):
    """A rule that mixes words of both signs with operators, the way authors write."""
    hashed = bits.multiply(x | bits.bit(63), 0x9E3779B97F4A7C15) ^ y
    return bits.shift_right(~hashed & x | 1, 7), bits.remainder(hashed + 1, 1000), bits.popcount(hashed * 3 - y)


@settings(deadline=None)
@given(x=words, y=words)
def test_words_mix_with_operators(x, y):
    expected = fold.py_func(x, y)
    for left in machine_forms(x):
        for right in machine_forms(y):
            assert tuple(int(part) for part in fold(left, right)) == expected


@pytest.mark.parametrize("function", [*ONE_WORD, bits.ones], ids=lambda function: function.__name__)
def test_a_float_is_no_word(function):
    with pytest.raises(TypeError):
        list(function(2.0)) if function is bits.ones else function(2.0)


def test_a_float_does_not_compile_and_the_reason_is_a_sentence():
    with pytest.raises(Exception, match="popcount takes ints, and its x is of type float64"):
        COMPILED[bits.popcount](2.0)


def test_mix_begins_as_published():
    """The first outputs of SplitMix64 seeded with 0, as its reference implementation prints them."""
    assert [bits.mix(i * 0x9E3779B97F4A7C15) for i in range(3)] == [
        0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F,
    ]  # fmt: skip


@njit
def replaced(parts, i, part):
    return tuples.replace(parts, i, part)


@pytest.mark.parametrize("i", range(4))
def test_replace_changes_one_part(i):
    expected = tuple(9 if j == i else j for j in range(4))
    assert tuples.replace((0, 1, 2, 3), i, 9) == replaced((0, 1, 2, 3), i, 9) == expected


@pytest.mark.parametrize("i", [-1, 4, 2**40])
@pytest.mark.parametrize("function", [tuples.replace, replaced], ids=["interpreted", "compiled"])
def test_replace_outside_the_tuple_is_an_error(function, i):
    with pytest.raises(IndexError, match="outside the tuple"):
        function((0, 1, 2, 3), i, 9)


def test_parts_of_several_types_do_not_compile():
    with pytest.raises(Exception, match="takes a tuple whose parts are of one type"):
        replaced((0, 1.5), 0, 9)


@pytest.mark.parametrize("module", [bits, tuples], ids=lambda module: module.__name__)
def test_docstrings_run(module):
    failed, attempted = doctest.testmod(module)
    assert attempted > 0
    assert failed == 0
