"""A game that says native = True is refused before it is played or searched, however slow the compiler is."""

import io
import sys
import threading
from pathlib import Path

import pytest

import zermelo as z
from taking import Takes
from zermelo import GameError, Limit
from zermelo.app.cli import run
from zermelo.native import Kernel
from zermelo.play import Clock, Engine
from zermelo.searching.runtime import background_compilation, search_driver

UNTYPABLE = str(Path(__file__).parents[1] / "bad_games" / "untypable_rule.py")
REFUSAL = "Untypable() says native = True, but its rules do not compile. Untypable.moves, line 1"
SOON = Limit(seconds=0.02)


class Insists(Takes):
    """Take one or two."""

    native = True

    def initial(self):
        return 40


@pytest.fixture(params=["refused at once", "refused long after the limit"])
def compiler(request, monkeypatch):
    """A compiler that refuses, before or after an interpreted search would have answered."""

    def refuse(*_):
        threading.Event().wait(0 if request.param == "refused at once" else 25 * SOON.seconds)
        raise GameError("Insists() does not compile")

    monkeypatch.setattr(background_compilation, "_compiled_kinds", {})
    monkeypatch.setattr(search_driver, "ready", refuse)
    monkeypatch.setattr("zermelo.play.search_preparation.ready", refuse)
    monkeypatch.setattr(Kernel, "ready", refuse)


def patient():
    """An engine that was prepared, and that waits for a moment only."""
    engine = Engine(Insists(), SOON)
    engine.prepare(max_wait=0)
    return engine


ASKED = {
    "search": lambda: z.search(Insists(), limit=SOON),
    "search to a depth": lambda: z.search(Insists(), limit=Limit(depth=2)),
    "analyze": lambda: z.analyze(Insists(), limit=SOON).last(),
    "analyze without end": lambda: next(z.analyze(Insists())),
    "search_many": lambda: z.search_many(Insists(), [9, 8], SOON, exact=False),
    "prove": lambda: z.prove(Insists(), limit=SOON),
    "monte_carlo": lambda: z.monte_carlo(Insists(), limit=SOON),
    "choose": lambda: Engine(Insists(), SOON).choose(9),
    "choose on a clock": lambda: Engine(Insists(), Clock(SOON.seconds)).choose(9),
    "choose when prepared": lambda: patient().choose(9),
    "compare": lambda: Engine(Insists(), SOON).compare(9),
    "compare when prepared": lambda: patient().compare(9),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_the_refusal_comes_before_any_answer(ask, compiler):
    with pytest.raises(GameError, match=r"Insists\(\) does not compile"):
        ask()


def test_a_clock_waits_for_the_machine_code_of_a_game_that_insists(monkeypatch):
    order = []
    monkeypatch.setattr("zermelo.play.search_preparation.ready", lambda *_: order.append("compiled"))
    clock = Clock(60)
    monkeypatch.setattr(clock, "start", lambda: order.append("clock") or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Engine(Insists(), clock).choose(9)
    assert order == ["compiled", "clock"]


SIDES = [[], ["--first", "engine"], ["--opponent", "human"], ["--first", "engine", "--opponent", "engine"]]


@pytest.mark.parametrize("sides", SIDES, ids=["human", "engine", "two people", "two engines"])
def test_play_refuses_the_game_for_either_side(sides, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))  # a person who leaves at once
    assert run(["play", UNTYPABLE, *sides]) == 1
    out, err = capsys.readouterr()
    assert REFUSAL in " ".join(err.split())
    assert out == ""


COMMANDS = [
    ["serve", UNTYPABLE, "--port", "0", "--no-open"], ["analyze", UNTYPABLE, "--seconds", "0.01"],
    ["solve", UNTYPABLE], ["perft", UNTYPABLE, "3"], ["check", UNTYPABLE],
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=[command[0] for command in COMMANDS])
def test_so_does_every_command_that_compiles(command, capsys, monkeypatch):
    monkeypatch.setattr("zermelo.app.commands.serve_command._server", lambda *_: pytest.fail("it serves"))
    assert run(command) == 1
    assert REFUSAL in " ".join(capsys.readouterr().err.split())
