"""Doctests in docstrings become fenced blocks, so that Markdown does not take `>>>` for a quotation."""

from __future__ import annotations

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"^[ ]*>>> .*(?:\n[ ]*\S.*)*", re.MULTILINE)


class DoctestBlocks(griffe.Extension):
    """Fence the doctests of every object."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with each doctest in a fenced block of its own."""
    return DOCTEST.sub(lambda block: f"```pycon\n{block[0]}\n```", text)
