"""The terminal as Rich writes to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from zermelo.app.output import visible


class PlainConsole(Console):
    """A console that interprets its own styles, and nothing in a text."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))

    def on_broken_pipe(self) -> NoReturn:
        """Raise the error: Rich would discard what is printed from then on, though another stream may have broken."""
        raise
