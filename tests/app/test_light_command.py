"""Commands read plain values themselves, and import little."""

import json
import subprocess
import sys
from typing import Annotated

import pytest
import typer
from typer.main import get_command

from zermelo.app import cli
from zermelo.app.light_command import READER, LightCommand, LightGroup
from zermelo.app.options import Method

SCRIPT = """
import json, sys
from zermelo.app.cli import run
code = run(sys.argv[1:])
print(json.dumps([code, *({"numba", "numpy", "pydantic", "rich"} & {*sys.modules})]))
"""


def test_a_warm_analysis_imports_little():
    command = [sys.executable, "-c", SCRIPT, "analyze", "tic_tac_toe", "--depth", "2", "--json"]
    for _ in range(2):  # the first may compile
        process = subprocess.run(command, capture_output=True, text=True)
        assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout.splitlines()[-1]) == [0]


def read(light, *args):
    """What a command receives, or the error that it gives, with our classes and with Typer's own."""
    app, received = typer.Typer(cls=LightGroup if light else None), []

    def command(
        name: str, count: int | None = None, depth: int = 3, share: float | None = None,
        least: Annotated[int, typer.Option(min=1)] = 1,
        method: Method = Method.search, words: Annotated[list[str] | None, typer.Option()] = None,
        quick: bool = False,
    ) -> None:  # fmt: skip
        received.append((name, count, depth, share, least, method, words, quick))

    app.callback()(lambda: None)
    app.command("do", cls=LightCommand if light else None)(command)
    try:
        get_command(app)(["do", *args], standalone_mode=False)
    except Exception as error:
        received.append(str(error))
    return received


@pytest.mark.parametrize(
    "args",
    [
        "a", "a --count 7", "a --count -7", "a --count 1_0", "a --count x", "a --count 99999999999999999999", "",
        "a --depth 0", "a --depth=08", "a --share 1", "a --share x", "a --least 0", "a --least 2", "a --method proof",
        "a --method nothing", "a --words b --words c", "a --quick", "12 --count \u0663", "a b", "a --none",
    ],
)  # fmt: skip
def test_values_are_those_that_typer_reads(args):
    assert read(True, *args.split()) == read(False, *args.split())


def test_another_typer_reads_its_values_itself(monkeypatch):
    from zermelo.app import light_command

    monkeypatch.setattr(light_command, "READER", "no_such_attribute")
    assert read(True, "a", "--count", "7") == read(False, "a", "--count", "7")
    assert READER == "_runtime_param"


def test_one_command_alone_is_that_of_the_whole_program():
    whole = get_command(cli.application())
    assert {*whole.commands} == {*cli.COMMANDS, "plot"}
    for name in cli.COMMANDS:
        alone = get_command(cli.application(name))
        assert [*alone.commands] == [name]
        texts = [each.commands[name].get_help(typer.Context(each.commands[name])) for each in (whole, alone)]
        assert texts[0] == texts[1]
