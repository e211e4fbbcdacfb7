"""GNU Backgammon as judge and opponent: its evaluations of positions, over a pipe to its own Python.

The program is that of Debian's package `gnubg`. Its equities are cubeless, without the Jacoby rule, seen by the player
on roll.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

SERVER = """
import json, sys
gnubg.command("set jacoby off")
cube = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)
base = dict(gnubg.evalcontext(), cubeful=0, deterministic=1, noise=0.0)
for line in sys.stdin:
    plies, boards = json.loads(line)
    context = dict(base, plies=plies)
    values = [gnubg.evaluate((theirs, mine), cube, context)[5] for mine, theirs in boards]
    print("equities " + json.dumps(values), flush=True)
"""
"""Runs inside gnubg: reads plies and boards, a line of JSON each, and answers with equities."""


class Gnubg:
    """A running gnubg. A board is the checkers of the player on roll, then of the other: points 1 to 24, the bar."""

    def __init__(self) -> None:
        program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
        if program is None:
            raise SystemExit("This measurement needs gnubg: apt install gnubg.")
        self.folder = tempfile.TemporaryDirectory()
        script = Path(self.folder.name) / "server.py"
        script.write_text(SERVER)
        self.process = subprocess.Popen(
            [program, "--tty", "--quiet", "--no-rc", "--python", str(script)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip

    def equities(self, boards: list[tuple[list[int], list[int]]], plies: int = 0) -> list[float]:
        """Return the equity of each board at `plies` plies."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([plies, boards]) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("equities "):
                return [float(value) for value in json.loads(line.removeprefix("equities "))]
        raise SystemExit("gnubg ended.")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()
