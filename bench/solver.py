"""A Connect Four solver that a user built: lines of moves go in, lines with a score come out."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worker import BenchError


@dataclass(frozen=True)
class CommandSolver:
    """Runs the command once a set: one line of columns (1 to 7) a position, one line of answer each, in order.

    `score_field` and `nodes_field` count the fields of an answer from 1; 0 means that there is none. A line that
    starts with a blank has an empty first field, which is how a solver repeats the empty board.
    """

    command: str
    score_field: int = 2
    nodes_field: int = 0

    @property
    def name(self) -> str:
        """The command without the folders."""
        return " ".join(Path(word).name for word in shlex.split(self.command))

    def solve(self, positions: list[str]) -> dict[str, Any]:
        """Scores, nodes and CPU seconds; what the command takes without any position stands apart as its set-up."""
        _, setup = self._run("")
        output, cpu = self._run("".join(f"{position}\n" for position in positions))
        lines = [line for line in output.splitlines() if line.strip()]
        if len(lines) != len(positions):
            raise BenchError(
                f"--solver {self.command}: {len(positions)} positions went in, {len(lines)} lines came out."
            )
        scores = [self.field(line, self.score_field) for line in lines]
        nodes = sum(self.field(line, self.nodes_field) for line in lines) if self.nodes_field else None
        return {"scores": scores, "cpu": max(cpu - setup, 0.0), "setup": setup, "nodes": nodes}

    def field(self, line: str, number: int) -> int:
        """The whole number in a field of an answer.

        >>> CommandSolver("solver").field("4453 -2 1171 93", 2)
        -2
        """
        fields = line.split()
        if line[:1].isspace():
            fields.insert(0, "")
        try:
            return int(fields[number - 1])
        except (IndexError, ValueError):
            raise BenchError(
                f"--solver {self.command}: field {number} of {line!r} is not a whole number; --score-field says where "
                "the score stands."
            ) from None

    def _run(self, text: str) -> tuple[str, float]:
        """What the command prints, and the CPU seconds of its process."""
        before = _children()
        try:
            done = subprocess.run(shlex.split(self.command), input=text, capture_output=True, text=True, check=True)
        except (OSError, ValueError) as error:
            raise BenchError(f"--solver {self.command}: it cannot be run ({error}).") from error
        except subprocess.CalledProcessError as error:
            said = (error.stderr.strip().splitlines() or ["nothing"])[-1]
            raise BenchError(
                f"--solver {self.command}: it left with exit code {error.returncode}, saying {said!r}."
            ) from None
        return done.stdout, _children() - before


def _children() -> float:
    """CPU seconds of the processes that have ended."""
    try:
        import resource
    except ImportError:
        raise BenchError("--solver needs a system that tells the CPU time of its processes.") from None
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
