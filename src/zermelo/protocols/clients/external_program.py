"""An external program on the other end of two pipes.

What it prints is not to be trusted: lines have a greatest length, every wait has an end, and nothing is evaluated. A
program that breaks the rules raises ProgramError, whose text is a sentence without its subject: "prints nothing for
5 s".
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, Queue

from zermelo.formatting import one_line, shortened
from zermelo.game import GameError

MAX_LINE = 1 << 16
"""Bytes of a line; the longest that programs print are principal variations."""

MAX_UNREAD = 1000
"""Lines that wait to be read; while there are more, the program waits."""

QUIT_SECONDS = 0.3
"""Seconds after `quit` until a program is killed."""


class ProgramError(GameError):
    """A program has ended, does not answer, or answers what it must not. The text is said of the program."""


class NoAnswer(ProgramError):
    """A program has not answered in time."""


class Resignation(ProgramError):
    """A program gives its game up; it can play another."""


class ExternalProgram:
    """A running program that reads and writes lines.

    >>> program = ExternalProgram([sys.executable, "-c", "print(input()[::-1])"])
    >>> program.send("stressed")
    >>> program.read(seconds=20)
    'desserts'
    >>> program.close()
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is ours, and what it starts ends with it
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ProgramError(f"cannot be started: {reason[:1].lower()}{reason[1:]}") from None
        self._lines: Queue[str | ProgramError] = Queue(MAX_UNREAD)
        self._closed = False
        threading.Thread(target=self._collect, daemon=True, name=f"lines of {self.command[0]}").start()

    def send(self, line: str) -> None:
        """Write a line. Raise ProgramError if the program has ended."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.replace("\n", " ").encode() + b"\n")
        except (OSError, ValueError):
            raise self._ending() from None

    def read(self, seconds: float) -> str:
        """The next line. Raise ProgramError if there is none within `seconds`, or the program has ended."""
        try:
            line = self._lines.get(timeout=max(seconds, 0.001))
        except Empty:
            raise NoAnswer(f"does not answer within {seconds:.3g} s") from None
        if isinstance(line, ProgramError):
            with suppress(Exception):
                self._lines.put_nowait(line)  # for who reads on
            raise line
        return line

    def read_until(self, wanted: Callable[[str], bool], seconds: float) -> str:
        """The next line that is wanted; others are ignored. Raise ProgramError as `read` does."""
        end = time.monotonic() + seconds
        with suppress(NoAnswer):  # it is said of the whole time below
            while (left := end - time.monotonic()) > 0:
                line = self.read(left)
                if wanted(line):
                    return line
        raise NoAnswer(f"does not answer within {seconds:.3g} s")

    @property
    def running(self) -> bool:
        return self._process.poll() is None and not self._closed

    def close(self, farewell: str = "") -> None:
        """End the program: by its own command if there is one, by force if that does not help."""
        if self._closed:
            return
        self._closed = True
        if farewell and self._process.poll() is None:
            with suppress(ProgramError):
                self.send(farewell)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(QUIT_SECONDS)
        self._kill()
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        self._process.wait()

    def _kill(self) -> None:
        """Kill the program and what it has started."""
        with suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _ending(self) -> ProgramError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)
        code = self._process.poll()
        if code is None:
            return ProgramError("has closed its input or output")
        return ProgramError(f"has ended with exit code {code}")

    def _collect(self) -> None:
        """Cut the output into lines, in a thread of its own."""
        assert self._process.stdout is not None
        rest = b""
        while True:
            try:
                part = os.read(self._process.stdout.fileno(), MAX_LINE)
            except (OSError, ValueError):
                part = b""
            if not part:
                self._lines.put(self._ending())
                return
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                self._lines.put(line.decode("utf-8", "replace").strip())
            if len(rest) > MAX_LINE:
                self._lines.put(ProgramError(f"prints a line of more than {MAX_LINE} bytes"))
                return


def quoted(line: str, most: int = 60) -> str:
    """A program's line as a sentence shows it.

    >>> quoted("bestmove \\x07e9")
    "'bestmove \ufffde9'"
    """
    return repr(shortened(one_line(line), most))
