"""The way out of a command: nothing that was printed is lost, and nobody waits in silence."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import NoReturn

PATIENCE = 5
"""Tenths of a second that are not worth a sentence."""


def leave(code: int) -> NoReturn:
    """End the process with this exit code."""
    _flush()
    if code == 0 and "zermelo.search.meanwhile" in sys.modules:
        _wait_for_machine_code()
    if any(thread is not threading.main_thread() for thread in threading.enumerate()):
        os._exit(code)  # a compiler still at work in the background would hold the door
    sys.exit(code)


def forget_output() -> None:
    """The reader has gone: keep the interpreter from flushing to it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _flush() -> None:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        forget_output()


def _wait_for_machine_code() -> None:
    """Stay until machine code that is being made is in the cache, for the next command; say so, since it takes long."""
    from zermelo.app.output import say
    from zermelo.search.meanwhile import COMPILING

    waited = 0
    try:
        while any(thread.name.startswith(COMPILING) for thread in threading.enumerate()):
            if waited == PATIENCE:
                say("Keeping the machine code for the next time ... (Ctrl-C leaves at once)")
            time.sleep(0.1)
            waited += 1
    except KeyboardInterrupt:
        return
