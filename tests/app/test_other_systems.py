"""Windows and macOS: commands do without the modules and functions that these systems lack.

A process pretends to be on such a system: what is missing there is removed before Zermelo is imported. Paths stay those
of this machine.
"""

import json
import os
import subprocess
import sys

import pytest

PRETEND = """
import builtins, ctypes, os, sys, types

SYSTEM = {system!r}
MISSING = {{
    "win32": "fcntl resource pwd grp termios tty pty",
    "darwin": "",
}}[SYSTEM].split()
FUNCTIONS = {{
    "win32": "geteuid getegid getuid getgid fork killpg sched_getaffinity pread sysconf mkfifo O_NONBLOCK O_NOFOLLOW",
    "darwin": "sched_getaffinity",
}}[SYSTEM].split()

# Libraries read the name of the system when they are imported, and are those of this one.
import multiprocessing.connection, subprocess, tempfile
import numba.core.registry, numpy, rich.live, typer.completion, xxhash, zstandard

real_import, real_open, real_library = builtins.__import__, builtins.open, ctypes.CDLL

def imported(name, *rest, **named):
    if name.partition(".")[0] in MISSING:
        raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
    return real_import(name, *rest, **named)

def opened(path, *rest, **named):
    if str(path).startswith("/proc/"):
        raise FileNotFoundError(2, "No such file or directory", path)
    return real_open(path, *rest, **named)

class Library(real_library):
    def __init__(self, name, *rest, **named):
        if name is None and SYSTEM == "win32":
            raise TypeError("LoadLibrary() argument 1 must be str, not None")
        super().__init__(name, *rest, **named)

    def __getattr__(self, name):
        if name == "sysv_signal":
            raise AttributeError(name)
        return super().__getattr__(name)

sys.platform = SYSTEM
builtins.__import__, builtins.open, ctypes.CDLL = imported, opened, Library
for name in MISSING:
    sys.modules.pop(name, None)
for name in FUNCTIONS:
    delattr(os, name)
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda handle, kind, count: None)
if SYSTEM == "win32":
    import zermelo.native.cache.private_folder as private_folder

    class Windows:
        name = "nt"
        __getattr__ = staticmethod(lambda name: getattr(os, name))

    private_folder.os = Windows()
"""

GAME = """
from zermelo import LOSS, ONGOING, Game

class Countdown(Game):
    native = False

    def initial(self):
        return 7

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else ONGOING
"""

COMMANDS = (
    (["games"], "connect_four("),
    (["cache"], "0 entries"),
    (["check", "countdown.py"], "Countdown"),
    (["perft", "countdown.py", "4"], "leaves at depth 4"),
    (["analyze", "countdown.py"], "win in"),
    (["solve", "countdown.py", "-o", "countdown.zermelo"], "win in"),
    (["probe", "countdown.zermelo", "--game", "countdown.py"], "win in"),
    (["completion", "bash"], "_ZERMELO_COMPLETE"),
)
"""Commands, and a part of what each prints."""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "countdown.py").write_text(GAME, "utf-8")
    return tmp_path


def call(system, code, folder):
    """What a process prints that pretends to be on another system."""
    env = {**os.environ, "ZERMELO_CACHE": str(folder / "cache"), "LOCALAPPDATA": str(folder / "local")}
    script = PRETEND.format(system=system) + code
    found = subprocess.run([sys.executable, "-c", script], cwd=folder, env=env, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "Traceback" not in found.stderr, found.stderr
    return found.stdout


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_the_program_starts_and_ends(system, folder):
    code = "sys.argv[1:] = ['--version']\nfrom zermelo.app.cli import main\nmain()\n"
    assert call(system, code, folder).startswith("zermelo ")


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_commands(system, folder):
    code = f"""
import contextlib, io, json
from zermelo.app.cli import run
said = {{}}
for arguments in {[arguments for arguments, _ in COMMANDS]!r}:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = run(arguments)
    said[arguments[0]] = [code, out.getvalue()]
print(json.dumps(said))
"""
    said = json.loads(call(system, code, folder))
    for (command, *_), expected in COMMANDS:
        assert said[command][0] == 0, said[command]
        assert expected in said[command][1], command


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_a_saved_solution_is_opened_and_a_session_is_played(system, folder):
    code = """
import zermelo as z
from zermelo.play import Session
game = z.load("countdown.py")
z.solve(game).save("countdown.zermelo")
print(z.Solution.open("countdown.zermelo", game).value())
session = Session(game)
session.play(1)
print(session.state)
"""
    assert call(system, code, folder) == "win in 5\n6\n"


@pytest.mark.parametrize(
    ("system", "expected"),
    [("win32", ("local", "zermelo")), ("darwin", ("Library", "Caches", "zermelo"))],
)
def test_the_folder_of_the_cache(system, expected, folder):
    code = """
from pathlib import Path
del os.environ["ZERMELO_CACHE"]
from zermelo.native.cache.cache_maintenance import cache_folder
print(*cache_folder().parts)
"""
    assert tuple(call(system, code, folder).split()[-len(expected) :]) == expected
