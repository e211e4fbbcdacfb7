"""Exit handling: flush the output, wait for the compiler with a message, and react to a second Ctrl-C."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import NoReturn, TextIO

QUIET_WAIT = 0.5
"""Seconds of waiting for the compiler that need no message."""

STILL_COMPILING = "Finishing the compilation for the next run ... (Ctrl-C exits at once)"

POLL_INTERVAL = 0.1
"""Seconds between two looks at the threads of the compiler."""


_leaves_at_once = False
"""Whether the process is not to wait for the compiler."""


def leave_at_once() -> None:
    """Have this process end without waiting for the compiler: a person has said that it is to end."""
    global _leaves_at_once
    _leaves_at_once = True


def exit_process(code: int) -> NoReturn:
    """End the process with this exit code, or that of a failure if the output cannot be written."""
    code = _flushed(code)
    if code == 0 and not _leaves_at_once and "zermelo.searching.runtime.background_compilation" in sys.modules:
        _wait_for_compiler()
    if any(thread is not threading.main_thread() and "idle" not in thread.name for thread in threading.enumerate()):
        os._exit(code)  # interpreter shutdown would wait for a background compiler
    sys.exit(code)


def end_at_second_ctrl_c() -> None:
    """Install a handler such that a second Ctrl-C ends the process where Python has not handled the first.

    Python handles signals between its own instructions, and a rule that holds its lock executes none. So the handler is
    installed for one signal: after it the system's default is in place, which ends the process. Python's handler, when
    it runs, installs both again.
    """
    if signal.getsignal(signal.SIGINT) not in (signal.default_int_handler, _interrupted):
        return  # it is ignored, or has another handler
    signal.signal(signal.SIGINT, _interrupted)
    with contextlib.suppress(AttributeError, OSError, TypeError):  # macOS has no sysv_signal, Windows no such library
        library = ctypes.CDLL(None)
        once = library.sysv_signal  # installs a handler for one signal
        library.signal.restype = once.restype = ctypes.c_void_p
        library.signal.argtypes = once.argtypes = [ctypes.c_int, ctypes.c_void_p]
        pythons = library.signal(signal.SIGINT, None)
        once(signal.SIGINT, pythons)


def _interrupted(number: int, frame: FrameType | None) -> NoReturn:
    end_at_second_ctrl_c()
    signal.default_int_handler(number, frame)
    raise KeyboardInterrupt


def discard_output(stream: TextIO | None = None) -> None:
    """Redirect output that cannot be written to nowhere, so that the interpreter's last flush does not fail."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())


def open_streams() -> None:
    """Open the standard streams that were closed when the process was started.

    Else a file that is opened later would get the descriptor of one. Such an input is empty; writing to such an output
    fails, and is reported as for a full disk.
    """
    for number, name, mode in ((0, "stdin", os.O_RDONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            found = os.open(os.devnull, mode)
            if found != number and not _open(number):
                os.dup2(found, number)
            setattr(sys, name, os.fdopen(found, "w" if number else "r", encoding="utf-8", closefd=False))


def _open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _flushed(code: int) -> int:
    """Flush the output. Return the exit code, or that of a failure if the output cannot be written."""
    from zermelo.app import error_messages, output

    try:
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
    except (OSError, ValueError) as error:
        discard_output()
        found = error_messages.describe_error(error)
        output.say_error(found.sentence)
        code = code or found.code
    try:
        sys.stderr.flush()
    except (OSError, ValueError):  # the sentence above, or what the command has said
        discard_output(sys.stderr)
    return code


def _wait_for_compiler() -> None:
    """Wait until what is compiling is in the cache, for the next command; say so if it takes long."""
    from zermelo.app.output import say
    from zermelo.native.background_compiler import compiling_threads
    from zermelo.native.cache.kernel_cache import is_writable

    if not is_writable():
        return
    started, silent = time.monotonic(), True
    try:
        while compiling_threads():
            if silent and time.monotonic() - started >= QUIET_WAIT:
                say(STILL_COMPILING)
                silent = False
            time.sleep(POLL_INTERVAL)
    except KeyboardInterrupt:
        return
