"""Completion: bash is asked as it asks itself when Tab is pressed; zsh and fish by the questions of their scripts."""

import os
import shlex
import subprocess
import sys

import pytest

from zermelo.app import shell_completion
from zermelo.app.cli import run
from zermelo.games.registry import GAMES

ASK = """
source <(zermelo completion bash)
COMP_WORDS=({words}); COMP_CWORD=$(({count} - 1)); COMPREPLY=()
$(complete -p zermelo | sed 's/.*-F \\([^ ]*\\) .*/\\1/') zermelo
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def environment(tmp_path):
    """A folder with a game, and `zermelo` on the path."""
    program = tmp_path / "bin" / "zermelo"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m zermelo "$@"\n')
    program.chmod(0o755)
    (tmp_path / "my_game.py").touch()
    return {"cwd": tmp_path, "env": {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}}


def completed(words, environment):
    """What bash offers for the last of these words."""
    script = ASK.format(words=" ".join(map(shlex.quote, words)), count=len(words))
    found = subprocess.run(["bash", "-c", script], capture_output=True, text=True, **environment)
    assert (found.returncode, found.stderr) == (0, "")
    return found.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["so"], ["solve"]),
        (["solve", "con"], ["connect_four", "connect_k"]),
        (["check", "my_"], ["my_game.py"]),
        (["analyze", "nim", "--method", ""], ["search", "proof", "monte-carlo"]),
        (["solve", "nim", "--ver"], ["--verify"]),
        (["probe", ""], []),  # bash completes names of files then
    ],
)
def test_bash(words, offered, environment):
    assert completed(["zermelo", *words], environment) == offered


def asked(shell, line, environment, **more):
    env = {**environment["env"], "_ZERMELO_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": line, **more}
    return subprocess.run(["zermelo"], capture_output=True, text=True, cwd=environment["cwd"], env=env)


def test_zsh(environment):
    found = asked("zsh", "zermelo solve con", environment)
    assert (found.stdout.split(), found.stderr) == (["_arguments", "'*:", ':(("connect_four"', '"connect_k"))\''], "")
    assert asked("zsh", "zermelo probe x", environment).stdout == "_files\n"


@pytest.mark.parametrize(("line", "code"), [("zermelo solve con", 0), ("zermelo probe x", 1)])
def test_fish(line, code, environment):
    found = asked("fish", line, environment, _TYPER_COMPLETE_FISH_ACTION="is-args")
    assert (found.returncode, found.stdout, found.stderr) == (code, "", "")
    found = asked("fish", line, environment, _TYPER_COMPLETE_FISH_ACTION="get-args")
    assert found.stdout.split() == (["connect_four", "connect_k"] if code == 0 else [])


@pytest.mark.parametrize("shell", shell_completion.Shell)
def test_the_scripts(shell, capsys):
    assert run(["completion", shell.value]) == 0
    out = capsys.readouterr().out
    assert "zermelo" in out
    assert f"{shell_completion.VARIABLE}=complete_{shell.value}" in out


def test_a_shell_that_is_not_known_is_a_sentence(capsys):
    assert run(["completion", "tcsh"]) == 2
    assert "'bash', 'zsh', 'fish'" in capsys.readouterr().err


@pytest.mark.parametrize("question", ["nonsense", "complete_tcsh", "complete_bash"])
def test_a_question_that_cannot_be_answered_ends_without_a_traceback(question):
    env = {name: value for name, value in os.environ.items() if not name.startswith("COMP_")}
    command = [sys.executable, "-m", "zermelo"]
    found = subprocess.run(command, capture_output=True, text=True, env={**env, "_ZERMELO_COMPLETE": question})
    assert found.returncode == 1
    assert "Traceback" not in found.stdout + found.stderr


def test_games_and_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nimble.py").touch()
    (tmp_path / "nimble.txt").touch()
    assert shell_completion.games("nim") == ["nim", "nimble.py"]
    assert shell_completion.games("") == list(GAMES)


def test_completion_loads_no_compiler_and_no_arrays():
    code = (
        "import os, sys; from zermelo.app import shell_completion; "
        "os.environ.update(_ZERMELO_COMPLETE='complete_bash', COMP_WORDS='zermelo solve con', COMP_CWORD='2'); "
        "assert shell_completion.answer() == 0; assert not {'numba', 'numpy'} & set(sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "connect_four\nconnect_k\n"), found.stderr
