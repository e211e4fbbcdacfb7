"""The limit of a command counts from the start of its process."""

import time
from types import SimpleNamespace

import pytest
import test_cli

import zermelo as z
from zermelo.app import STARTED, cli, exit_handling, time_limit
from zermelo.app.commands import analyze_command
from zermelo.app.time_limit import LEAST_SHARE, USUAL_START, from_start

zermelo = test_cli.zermelo
"""The fixture that runs a command line in this process."""


@pytest.fixture
def started(monkeypatch):
    """Say how many seconds ago the process was started, on a clock that stands still."""
    monkeypatch.setattr(time_limit, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    monkeypatch.setattr(time_limit, "_started", None)
    return lambda seconds: time_limit.count_from(1000.0 - seconds)


@pytest.mark.parametrize(
    ("start", "left"),
    [(0.0, 2.0), (USUAL_START, 2.0), (USUAL_START + 0.5, 1.5), (USUAL_START + 5, 2 * LEAST_SHARE)],
)
def test_a_slow_start_is_taken_from_the_limit(started, start, left):
    assert from_start(z.Limit(seconds=2, nodes=7)).seconds == 2
    started(start)
    assert from_start(z.Limit(seconds=2, nodes=7)).seconds == pytest.approx(left)
    assert from_start(z.Limit(seconds=2, nodes=7)).nodes == 7
    assert from_start(z.Limit(depth=3)) == z.Limit(depth=3)


def test_an_analysis_has_what_is_left(monkeypatch, zermelo):
    limits, analyze = [], analyze_command.reports_on

    def recorded(game, state, limit, **options):
        limits.append(limit)
        return analyze(game, state, limit, **options)

    monkeypatch.setattr(analyze_command, "reports_on", recorded)
    monkeypatch.setattr(time_limit, "_started", time.monotonic() - 60)
    assert zermelo("analyze", "nim", "--seconds", "20").code == 0
    monkeypatch.setattr(time_limit, "_started", None)
    assert zermelo("analyze", "nim", "--seconds", "20").code == 0
    assert limits == [z.Limit(seconds=10), z.Limit(seconds=20)]


def test_the_program_counts_from_its_start(monkeypatch):
    monkeypatch.setattr(time_limit, "_started", None)
    monkeypatch.setattr(cli.sys, "argv", ["zermelo", "--version"])
    monkeypatch.setattr(exit_handling, "end_at_second_ctrl_c", lambda: None)
    monkeypatch.setattr(exit_handling, "exit_process", lambda code: None)
    cli.main()
    assert time_limit._started == STARTED
