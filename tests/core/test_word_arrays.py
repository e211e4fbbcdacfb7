"""Words, Reals and Ints: views of one memory, interpreted."""

import numpy as np
import pytest

from zermelo.word_arrays import MAPPED_BYTES, Words

SMALL, MAPPED = 16, MAPPED_BYTES // 8


@pytest.mark.parametrize("length", [SMALL, MAPPED])
def test_views_share_the_memory(length):
    words = Words.zeros(length)
    assert len(words) == length
    assert not any(words.memory)
    words[3] = -5
    words.reals(4, 2)[1] = 1.5
    words.ints(6, 4)[2] = -7
    assert words.part(3, 2)[0] == -5
    assert words.array[3] == -5
    assert words.array.dtype == np.int64
    assert words.array[4:6].view("float64")[1] == 1.5
    assert words.array[6:8].view("int32")[2] == -7
    words.array[9] = 8
    assert words[9] == 8


@pytest.mark.parametrize("length", [1, SMALL, MAPPED])
def test_fill(length):
    words = Words.zeros(length)
    words.fill(-1 << 62)
    assert set(words.memory) == {-1 << 62}


def test_a_numpy_array_is_not_copied():
    array = np.arange(5, dtype=np.int64)
    words = Words(array)
    words[2] = 9
    assert array[2] == 9
    assert words.address == array.ctypes.data
    assert Words(np.full(2, 2**64 - 1, np.uint64))[0] == -1  # a word has no sign


def test_an_array_that_may_not_be_written():
    array = np.arange(5, dtype=np.int64)
    array.setflags(write=False)
    assert Words(array).address == array.ctypes.data
    with pytest.raises(TypeError):
        Words(array)[0] = 1


def test_empty_views():
    words = Words.zeros(SMALL)
    assert [len(view) for view in (words.part(4, 0), words.reals(4, 0), words.ints(4, 0), words.ints(SMALL, 0))] == [
        0
    ] * 4
    assert len(Words.zeros(0)) == len(Words(np.zeros(0, np.int64))) == 0
    assert isinstance(Words.zeros(0).address, int)


def test_a_pointer_is_followed():
    words, other = Words.zeros(SMALL), Words.zeros(MAPPED)
    words[5], words[6] = other.address, len(other)
    words.follow(5)[7] = 3
    assert other[7] == 3
    assert len(words.follow(5)) == MAPPED


def test_atomic_operations():
    words = Words.zeros(SMALL)
    assert words.compare_exchange(0, 0, 4)
    assert not words.compare_exchange(0, 0, 5)
    words.store_release(1, 6)
    assert (words.load_acquire(0), words.load_acquire(1)) == (4, 6)
    ints = words.ints(2, 2)
    assert (ints.fetch_add(1, 5), ints.fetch_or(1, 2), ints.fetch_and(1, ~1), ints[1]) == (0, 5, 7, 6)


@pytest.mark.parametrize(
    ("view", "low", "high"), [("ints", -(1 << 31), (1 << 31) - 1), ("shorts", 0, 65535), ("octets", 0, 255)]
)
def test_sums_wrap_at_the_width_of_a_number(view, low, high):
    numbers = getattr(Words.zeros(SMALL), view)(1, 8)
    numbers[7] = high
    assert (numbers.fetch_add(7, 1), numbers[7], numbers.fetch_add(7, -1), numbers[7]) == (high, low, low, high)
    assert not any(numbers[i] for i in range(7))


@pytest.mark.parametrize("length", [1 << 55, 1 << 70])
def test_too_much_memory(length):
    with pytest.raises(MemoryError):
        Words.zeros(length)
