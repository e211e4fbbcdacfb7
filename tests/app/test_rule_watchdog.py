"""Rules that do not end, or break at once: they are spoken of, ended, or refused before they are served."""

from __future__ import annotations

import _thread
import re
import threading

import pytest

import zermelo as z
from zermelo.app import cli, error_messages, output, rule_watchdog
from zermelo.app.web import game_catalog

pytest.importorskip("fastapi")

from fastapi.testclient import TestClient

from zermelo.app.web.server import create_app

ENDLESS = '''
from typing import NamedTuple

import zermelo as z


class Left(NamedTuple):
    left: int


class Endless(z.Game):
    """Take one or two; from some number on, `moves` does not end."""

    until: int = 9
    clumsy: bool = False
    native = False

    def initial(self):
        return Left(9)

    def moves(self, state):
        while state.left <= self.until: pass
        return [1, 2]

    def play(self, state, taken):
        if self.clumsy:
            raise ValueError("dropped")
        return Left(state.left - taken)

    def result(self, state):
        return z.LOSS if state.left <= 0 else z.ONGOING
'''


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "endless.py"
    path.write_text(ENDLESS)
    return path


@pytest.fixture
def quick(monkeypatch):
    """Nobody is patient."""
    monkeypatch.setattr(cli, "SLOW_RULE_SECONDS", 0.2)
    monkeypatch.setattr(game_catalog, "CHECK_TIMEOUT", 0.4)
    monkeypatch.setattr("zermelo.app.web.server.RULE_TIMEOUT", 0.5)
    monkeypatch.setattr("zermelo.app.web.pools.rule_pool.UNWIND_TIMEOUT", 60)  # the machine may be busy


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("command", ["check", "play"])
def test_a_rule_that_does_not_end_is_spoken_of(command, file, quick, capsys, monkeypatch):
    def say_and_leave(sentence, style=None):
        say(sentence, style)
        if "has been running" in sentence:
            _thread.interrupt_main()

    say = output.say
    monkeypatch.setattr(output, "say", say_and_leave)
    assert cli.run([command, f"{file}:Endless"]) == 130
    said = capsys.readouterr().err
    assert re.search(r"Endless.*: `moves` has been running for \d+ s in \(9,\), line 2[23] of endless.py; Ctrl-C", said)
    assert said.count("Ctrl-C ends it") == 1


def test_a_rule_that_does_not_end_holds_up_no_message(file, monkeypatch):
    def fail(game):
        raise TypeError("no number")

    monkeypatch.setattr(error_messages, "RULE_SECONDS", 0.2)
    with pytest.raises(TypeError) as caught:
        fail(z.load(f"{file}:Endless"))
    assert "TypeError: no number" in error_messages.describe_error(caught.value).sentence


def test_each_rule_is_told_of_once_with_the_line_it_is_at(file):
    game = z.load(f"{file}:Endless")
    told = []

    def tell(thread, rule, seconds):
        told.append((rule.name, rule.line, rule.where))
        rule_watchdog.interrupt(thread, rule_watchdog.timeout_message(0.2))

    with pytest.raises(rule_watchdog.RuleTimeout), rule_watchdog.Watchdog(0.2, tell).running():
        game.moves(game.initial())
    assert told == [("moves", 22, " in (9,)")]


def test_rules_that_end_are_not_told_of(file, monkeypatch):
    """Each call is short, and one follows the other for longer than the patience."""
    game = z.load(f"{file}:Endless(until=0)")
    told, now, done = [], [0.0], [0]
    monkeypatch.setattr(rule_watchdog.time, "monotonic", lambda: now[0])
    watchdog = rule_watchdog.Watchdog(0.1, lambda *rule: told.append(rule))
    over = threading.Event()

    def work():
        while not over.is_set():
            z.perft(game, 3, interpreted=True)
            done[0] += 1

    thread = threading.Thread(target=work)
    thread.start()
    for _ in range(20):
        goal = done[0] + 2  # what runs then has begun since the last look
        while done[0] < goal:
            threading.Event().wait(0.001)
        now[0] += 0.02
        watchdog.poll()
    over.set()
    thread.join()
    assert told == []


def test_a_game_that_does_not_end_is_served_with_the_sentence(file, quick, capsys, monkeypatch):
    games = game_catalog.open_catalog([f"{file}:Endless"])
    assert "the rule `moves` had not ended after 0.4 seconds (endless.py, line 22) in (9,)" in capsys.readouterr().err
    with TestClient(create_app(games), base_url="http://localhost") as client:
        assert client.get("/").status_code == client.get("/api/games").status_code == 200
        client.app.state.server.rules.timeout = 0.3
        response = client.get("/api/position")
    assert response.status_code == 422
    assert "the rule `moves` had not ended after 0.3 seconds" in response.json()["detail"]


@pytest.mark.parametrize("path", ["move", "analyze"])
def test_a_rule_that_does_not_end_deep_in_a_search_ends_it(path, file, quick):
    games = game_catalog.open_catalog([f"{file}:Endless(until=4)"])
    with TestClient(create_app(games), base_url="http://localhost") as client:
        response = client.get(f"/api/{path}", params={"depth": 8})
        assert "the rule `moves` had not ended after 0.5 seconds (endless.py, line 22) in (" in response.text
        assert response.status_code == (422 if path == "move" else response.status_code)
        searches = client.app.state.server.searches
        assert searches.running == 0


def test_a_search_that_cannot_be_ended_is_not_waited_for(file, quick, monkeypatch):
    """As machine code, a rule that does not end hears nobody."""
    over = threading.Event()
    monkeypatch.setattr("zermelo.app.web.pools.search_pool.SEARCH_GRACE", 0.1)
    monkeypatch.setattr("zermelo.app.web.handlers.Engine.decide", lambda *_: over.wait())
    with TestClient(create_app(game_catalog.open_catalog(["tic_tac_toe"])), base_url="http://localhost") as client:
        response = client.get("/api/move", params={"seconds": 0.2})
        over.set()
    assert response.status_code == 422
    assert "The search does not end" in response.json()["detail"]


def test_all_games_that_were_named_are(file, quick):
    games = game_catalog.open_catalog(["nim", "tic_tac_toe(4, 4, 4)", f"{file}:Endless(until=0)", "nim"])
    assert games.named == ["nim", "tic_tac_toe(width=4, height=4, in_a_row=4)", "endless(until=0)"]
    assert games.default == "nim"
    assert game_catalog.open_catalog().named == []


def test_a_game_whose_moves_all_raise_is_not_served(file):
    with pytest.raises(z.GameError, match=r"`play`.*raises ValueError at line 27 of endless.py: dropped"):
        game_catalog.open_catalog([f"{file}:Endless(until=0, clumsy=True)"])


def test_a_stack_that_cannot_be_read_is_left_out():
    class Torn:
        f_lineno = 1
        f_back = "no frame"

    assert rule_watchdog._stack(Torn()) == []
