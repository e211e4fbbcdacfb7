"""Whether an error is one of the system, such as memory that ran out: no fault of a game's rules."""

from __future__ import annotations

import errno
import re

from zermelo.formatting import exception_text

MESSAGES = "failed to map segment|[Cc]annot allocate memory"
"""What the system says where a library does not fit into memory; the libraries pass it on in errors of their own."""


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether memory ran out, also while a library was loaded, or in what this error came of."""
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, ImportError | OSError) and _is_of_memory(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


def is_of_the_system(error: BaseException | None) -> bool:
    """Whether the system refused something, in this error or in what it came of."""
    while error is not None:
        if isinstance(error, OSError | MemoryError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _is_of_memory(error: ImportError | OSError) -> bool:
    return getattr(error, "errno", None) == errno.ENOMEM or bool(re.search(MESSAGES, exception_text(error, 100_000)))
