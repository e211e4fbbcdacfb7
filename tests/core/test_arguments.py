"""The checks of arguments: what passes, and the sentence for what does not."""

import os

import pytest

from zermelo import GameError, arguments

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("check", "options", "good", "bad", "words"),
    [
        (arguments.check_int, {}, [0, -3, 1 << 70], [1.0, True, None, "1", NAN], "x must be a whole number, not "),
        (arguments.check_int, {"least": 1}, [1], [0, True], "x must be a whole number above zero, not "),
        (arguments.check_int, {"least": 0}, [0], [-1], "x must be a whole number from 0 up, not "),
        (arguments.check_int, {"least": 2, "most": 5}, [2, 5], [1, 6], "x must be a whole number from 2 to 5, not "),
        (arguments.check_int, {"most": 5}, [-9, 5], [6], "x must be a whole number up to 5, not "),
        (arguments.check_int, {"least": 1, "optional": True}, [None, 1], [0], "above zero or None, not 0."),
        (
            arguments.check_number,
            {},
            [0.5, -1, 10**300],
            [True, "1", NAN, INF, None],
            "x must be a number, not ",
        ),
        (arguments.check_number, {"above_zero": True}, [1e-9], [0, -1], "x must be a number above zero, not "),
        (arguments.check_number, {"least": 0}, [0], [-1e-9], "x must be a number from 0 up, not "),
        (arguments.check_number, {"least": 1e-12, "most": 1}, [1], [0, 2], "x must be a number from 1e-12 to 1, not "),
        (arguments.check_number, {"least": 0, "below": 1}, [0], [1], "x must be a number from 0 up and below 1, not "),
        (arguments.check_number, {"above_zero": True, "optional": True}, [None], [0], "above zero or None, not 0."),
        (arguments.check_bool, {}, [True, False], [0, None, "yes"], "x must be True or False, not "),
        (arguments.check_choice, {"allowed": (4, 6)}, [4, 6], [5, True, "4", 4.0], "x must be 4 or 6, not "),
        (arguments.check_choice, {"allowed": ("a",)}, ["a"], ["b", None], "x must be 'a', not "),
        (arguments.check_callable, {}, [print, None], [3], "x must be a function, not 3."),
    ],
)
def test_what_passes_and_what_does_not(check, options, good, bad, words):
    for value in good:
        check("call", **options, x=value)
    for value in bad:
        with pytest.raises(GameError) as found:
            check("call", **options, x=value)
        assert str(found.value).startswith("call: x must be ")
        assert words in str(found.value)
        assert str(found.value).endswith(f"not {value!r}.")


def test_a_long_value_is_shortened_in_the_sentence():
    with pytest.raises(GameError) as found:
        arguments.check_int("call", x="9" * 1000)
    assert len(str(found.value)) < 150


def test_no_number_of_threads_means_all_cores():
    assert arguments.checked_threads("call", None) == os.cpu_count()
    assert arguments.checked_threads("call", 3) == 3
    with pytest.raises(GameError, match="call: threads must be a whole number from 1 to 1024 or None, not 0"):
        arguments.checked_threads("call", 0)


@pytest.mark.parametrize(
    ("size", "megabytes"),
    [(64, 64), (0.5, 0.5), ("64", 64), ("64MB", 64), ("64 mb", 64), ("64MiB", 64), ("64M", 64), ("1GB", 1024),
     ("1.5 GB", 1536), ("512KB", 0.5), ("1TB", 1 << 20)],
)  # fmt: skip
def test_sizes_of_memory(size, megabytes):
    assert arguments.checked_megabytes("call", table=size) == megabytes


@pytest.mark.parametrize(
    "size", [0, -1, NAN, INF, True, None, "", "MB", "64B", "64 bytes", "-1MB", "0GB", "1e3", "1,5GB", "2TB", "nan"]
)
def test_sizes_that_are_none_get_a_sentence(size):
    with pytest.raises(GameError, match=r'^call: table must be a size of memory .* "64MB" or "1GB", not '):
        arguments.checked_megabytes("call", table=size)
