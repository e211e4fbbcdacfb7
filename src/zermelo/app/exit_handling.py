"""The way out of a command: nothing that was printed is lost, and nobody waits in silence."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import NoReturn

PATIENCE = 5
"""Tenths of a second that are not worth a sentence."""


def leave(code: int) -> NoReturn:
    """End the process with this exit code."""
    code = _flushed(code)
    if code == 0 and "zermelo.searching.runtime.background_compilation" in sys.modules:
        _wait_for_machine_code()
    if any(thread is not threading.main_thread() for thread in threading.enumerate()):
        os._exit(code)  # a compiler still at work in the background would hold the door
    sys.exit(code)


def heed_second_ctrl_c() -> None:
    """Have a second Ctrl-C end the process where Python has not come round to the first.

    Python hears signals between its own steps, and a rule that keeps its lock takes none. So the system's own answer to
    Ctrl-C, which is to end the process, stands behind Python's: each Ctrl-C that Python hears puts it back there.
    """
    if signal.getsignal(signal.SIGINT) not in (signal.default_int_handler, _interrupted):
        return  # somebody ignores it, or has other plans
    signal.signal(signal.SIGINT, _interrupted)
    with contextlib.suppress(AttributeError, OSError):  # systems whose library cannot do this
        library = ctypes.CDLL(None)
        once = library.sysv_signal  # installs a handler for one signal, after which the system's own is back
        library.signal.restype = once.restype = ctypes.c_void_p
        library.signal.argtypes = once.argtypes = [ctypes.c_int, ctypes.c_void_p]
        pythons = library.signal(signal.SIGINT, None)
        once(signal.SIGINT, pythons)


def _interrupted(number: int, frame: FrameType | None) -> NoReturn:
    heed_second_ctrl_c()
    signal.default_int_handler(number, frame)
    raise KeyboardInterrupt


def forget_output() -> None:
    """Nobody reads it, or it cannot be written: keep the interpreter from flushing once more."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_streams() -> None:
    """Have an input, an output and an error stream, though the process was started with some of them closed.

    Else a file that is opened later would take the place of one. From such an input there is nothing to read; such an
    output cannot be written to, which is said where it is tried, as it is said of a full disk.
    """
    for number, name, way in ((0, "stdin", os.O_RDONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            found = os.open(os.devnull, way)
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
    """The exit code, once everything is printed; that of a failure where it cannot be."""
    from zermelo.app import error_messages, output

    try:
        sys.stdout.flush()
    except BrokenPipeError:
        forget_output()
    except (OSError, ValueError) as error:
        forget_output()
        found = error_messages.complaint(error)
        output.say_error(found.sentence)
        code = code or found.code
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    return code


def _wait_for_machine_code() -> None:
    """Stay until machine code that is being made is in the cache, for the next command; say so, since it takes long."""
    from zermelo.app.output import say
    from zermelo.searching.runtime.background_compilation import COMPILING

    waited = 0
    try:
        while any(thread.name.startswith(COMPILING) for thread in threading.enumerate()):
            if waited == PATIENCE:
                say("Keeping the machine code for the next time ... (Ctrl-C leaves at once)")
            time.sleep(0.1)
            waited += 1
    except KeyboardInterrupt:
        return
