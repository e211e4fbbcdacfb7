"""A process that measures itself, and the line to it. Needs no package: every system's own Python runs it.

A request is a line of JSON that names a task, an answer is a line of JSON. The CPU time in it is that of the process,
taken around the one call that is measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


class BenchError(ValueError):
    """A sentence for the person who runs the bench."""


class Worker:
    """One system in a process of its own, which ends with the `with` block."""

    def __init__(self, name: str, python: str, script: str) -> None:
        self.name = name
        self.errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  (it lives as long as the process)
        self.process = subprocess.Popen(
            [python, str(HERE / script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )

    def ask(self, task: str, **request: Any) -> dict[str, Any]:
        """The answer of the task; BenchError with what the process said last where there is none."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            print(json.dumps({"task": task, **request}), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise BenchError(f"{self.name} stopped before it answered: {self._last_words()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise BenchError(f"{self.name} cannot do this: {answer['error']}")
        return answer

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate()
        self.errors.close()

    def _last_words(self) -> str:
        self.process.wait()
        self.errors.seek(0)
        lines = self.errors.read().strip().splitlines()
        return lines[-1] if lines else f"it left with exit code {self.process.returncode}."


def serve(**tasks: Callable[..., dict[str, Any]]) -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is not an answer
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = tasks[request.pop("task")](**request)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """What the call returns, and the CPU seconds that it took."""
    start = time.process_time()
    answer = call()
    return answer, time.process_time() - start


def counted(module: Any, function: str, call: Callable[[], Any]) -> int:
    """How often the module's function runs during the call; it looks itself up by that name where it recurs."""
    inner, count = getattr(module, function), 0

    def counting(*args: Any, **options: Any) -> Any:
        nonlocal count
        count += 1
        return inner(*args, **options)

    setattr(module, function, counting)
    try:
        call()
    finally:
        setattr(module, function, inner)
    return count


def sign(number: float) -> int:
    return (number > 0) - (number < 0)
