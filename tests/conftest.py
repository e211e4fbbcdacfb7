"""Tests keep their compiled kernels in the checkout, shared by all workers and by later runs.

Those of the page share a server and a browser as well, which are started when the first of them asks.
"""

import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

LONG = 3600
"""Seconds for one of the longer proofs."""

KEPT = Path(__file__).parent.parent / ".pytest_cache"

os.environ.setdefault("ZERMELO_CACHE", str(KEPT / "kernels"))
os.environ["MPLCONFIGDIR"] = str(KEPT / "matplotlib")  # the user's list of fonts may be damaged
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes would compile all that they import
sys.dont_write_bytecode = False
os.environ["ZERMELO_COMPILE_AHEAD"] = "0"  # nothing goes on after a test
os.environ["ZERMELO_INTERPRET_FIRST"] = "0"  # a test of a search is one of its kernel
os.environ.setdefault("ZERMELO_QUICK_CODE", "1")  # most tests compile longer than they search
gc.set_threshold(300_000, 20, 20)  # compiling makes many objects and little garbage: the search for it took 8 %
settings.register_profile("any machine", deadline=None)  # a busy one took 338 ms for what else took 1
settings.load_profile("any machine")
os.environ["XDG_STATE_HOME"] = str(KEPT / "state")  # not that of the user


FIRST = ("tests/web/", "tests/native/test_cuda.py", "tests/documents/test_site.py")
"""Tests that wait, or take long. Other workers go on beside them; at the end one worker would run them alone."""


def pytest_collection_modifyitems(items):
    """The limit of pyproject.toml is not for the longer proofs."""
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))
    for item in items:
        if item.get_closest_marker("slow") is not None:
            item.add_marker(pytest.mark.timeout(LONG))


@pytest.fixture
def optimised(monkeypatch):
    """Kernels are compiled as users have them, not quickly."""
    monkeypatch.setenv("ZERMELO_QUICK_CODE", "0")


@pytest.fixture
def ctrl_c():
    """Ctrl-C is heard, though the tests may have been started to ignore it, as shells do in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def server():
    """The address of a server of all games."""
    from browser import serving

    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium."""
    from browser import launched

    with launched() as browser:
        yield browser


@pytest.fixture
def page(chromium, server):
    """A page that is not yet anywhere; nothing moves on it that can stand still."""
    from browser import opened

    with opened(chromium, server, reduced_motion="reduce") as page:
        yield page
