"""A real browser and a real server for the tests of the page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run")  # fmt: skip
PATIENCE = 60_000
"""Milliseconds after which something that should be seen is not there."""

expect.set_options(timeout=PATIENCE)


@contextmanager
def serving(*arguments: object, folder: Path | None = None) -> Iterator[str]:
    """The address of a `zermelo serve` process with these arguments, started in `folder`, which ends with the block."""
    command = [sys.executable, "-m", "zermelo", "serve", "--no-open", "--port", "0", *map(str, arguments)]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"http://\S+?/", said)
        assert found, f"zermelo serve said no address: {said}{process.stdout.read()}"
        _wait_for(found.group())
        yield found.group()
    finally:
        process.terminate()
        process.wait(60)


def _wait_for(address: str) -> None:
    """Wait until a server answers: it says its address a moment before it listens."""
    for _ in range(1200):
        with suppress(OSError):
            urlopen(f"{address}api/games").close()
            return
        time.sleep(0.1)
    pytest.fail(f"zermelo serve does not answer at {address}.")


@contextmanager
def launched() -> Iterator[Browser]:
    """Debian's Chromium, without its windows if there is such a program: it opens a page in a third of the time."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        pytest.fail(
            "The tests of the page need Chromium, which `make test` installs (on Debian: apt install "
            "chromium-headless-shell)."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def opened(chromium: Browser, address: str, **options: object) -> Iterator[Page]:
    """A page in a fresh window, with the options of a Playwright context. An error of its scripts fails the test."""
    context = chromium.new_context(base_url=address, **{"viewport": {"width": 1100, "height": 800}, **options})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        yield page
    finally:
        context.close()
    assert not errors, errors
