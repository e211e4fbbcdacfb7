"""Whether an error is one of the system, such as memory that ran out: no fault of a game's rules."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator

from zermelo.formatting import exception_text

MESSAGES = "failed to map segment|[Cc]annot allocate memory"
"""What the system says where a library does not fit into memory; the libraries pass it on in errors of their own."""


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether memory ran out, also while a library was loaded, or in what this error came of."""
    return any(
        isinstance(each, MemoryError) or (isinstance(each, ImportError | OSError) and _is_of_memory(each))
        for each in _with_causes(error)
    )


def is_of_the_system(error: BaseException | None) -> bool:
    """Whether the system refused something, in this error or in what it came of."""
    return any(isinstance(each, OSError | MemoryError) for each in _with_causes(error))


def _with_causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, and those that it came of."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_of_memory(error: ImportError | OSError) -> bool:
    return getattr(error, "errno", None) == errno.ENOMEM or bool(re.search(MESSAGES, exception_text(error, 100_000)))
