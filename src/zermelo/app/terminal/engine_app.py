"""A Textual application whose engine searches in threads while the screen stays responsive."""

from __future__ import annotations

import threading
from collections.abc import Callable

from textual.app import App
from textual.message import Message

from zermelo.play.move_search import OnReport
from zermelo.searching import Report


class SearchAbandoned(Exception):
    """Raised in a search whose turn is over."""


class EngineApp(App[None]):
    """Searches run in threads, and post their reports.

    Each change of the position increments `turn`; reports on an earlier turn are ignored. What the rules raise ends the
    application, and is its `failure`.
    """

    class Found(Message):
        """A report on a turn: an intermediate one, or the last."""

        def __init__(self, turn: int, report: Report, then: Callable[[Report], None] | None = None) -> None:
            super().__init__()
            self.turn, self.report, self.then = turn, report, then

    class Failed(Message):
        """A rule raised, or a game that requires compilation cannot be compiled."""

        def __init__(self, error: Exception) -> None:
            super().__init__()
            self.error = error

    def __init__(self) -> None:
        super().__init__()
        self.turn = 0
        self.failure: Exception | None = None

    def show_thinking(self, text: str) -> None:
        """Show the engine's present line."""
        raise NotImplementedError

    def guarded(self, work: Callable[[], None]) -> None:
        """Call the rules; what they raise ends the game, and is reported when the screen is closed."""
        try:
            work()
        except Exception as error:
            self.fail(error)

    def fail(self, error: Exception) -> None:
        self.failure = error
        self.exit()

    def think(self, search: Callable[[OnReport], Report], then: Callable[[Report], None]) -> None:
        """Search in a thread for this turn, show intermediate reports, and call `then` with the last one."""
        turn = self.turn

        def on_report(report: Report) -> None:
            if turn != self.turn or not self.is_running:
                raise SearchAbandoned
            self.post_message(self.Found(turn, report))

        def work() -> None:
            try:
                self.post_message(self.Found(turn, search(on_report), then))
            except SearchAbandoned:
                return
            except Exception as error:
                self.post_message(self.Failed(error))

        self.show_thinking("Thinking ...")
        threading.Thread(target=work, daemon=True, name="search").start()

    def on_engine_app_found(self, found: Found) -> None:
        if found.turn != self.turn:
            return
        then = found.then
        if then is None:
            self.show_thinking(str(found.report))
        else:
            self.guarded(lambda: then(found.report))

    def on_engine_app_failed(self, failed: Failed) -> None:
        self.fail(failed.error)
