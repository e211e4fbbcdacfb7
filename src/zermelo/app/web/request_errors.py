"""Sentences: what is wrong with a request, in the place of what its parser says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from zermelo.app.error_messages import PLAINLY

PARSED = (
    (r"String should have at most (\d+) characters?", r"it may have \1 characters at most"),
    (r"Input should be greater than (.*)", r"it must be above \1"),
    (r"Input should be a finite number", "it must be a finite number"),
    (r"Extra inputs are not permitted", "there is no such parameter here"),
    (r"Input should be a valid boolean.*", "it must be true or false"),
    (r"Input should be (.*)", r"it must be \1"),
)


def about(errors: Sequence[Any]) -> str:
    """The first complaint of the parser as a sentence.

    >>> about([{"loc": ("query", "depth"), "msg": "Input should be less than or equal to 200"}])
    'depth: it must be at most 200.'
    """
    first = errors[0]
    names = [str(part) for part in first["loc"] if part not in ("query", "body", "path")]
    said = str(first["msg"])
    for pattern, plainly in (*PLAINLY, *PARSED):
        said = re.sub(pattern, plainly, said)
    return f"{names[0] if names else 'The request'}: {said.rstrip('.')}."
