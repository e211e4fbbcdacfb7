"""An application of Textual in which an engine thinks while the screen goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable

from textual.app import App
from textual.message import Message

from zermelo.play.engine import Tell
from zermelo.searching import Report


class Left(Exception):
    """Nobody waits for this search any more."""


class Thinker(App[None]):
    """Searches run in threads, and post what they find.

    Whatever changes the position counts `turn` up; what was found for an earlier turn is not heard any more. What the
    rules raise ends the application, and is its `failure`.
    """

    class Found(Message):
        """What a search has found for a turn: on the way, or in the end."""

        def __init__(self, turn: int, report: Report, then: Callable[[Report], None] | None = None) -> None:
            super().__init__()
            self.turn, self.report, self.then = turn, report, then

    class Failed(Message):
        """A rule raised, or the search of a game that insists on compiling."""

        def __init__(self, error: Exception) -> None:
            super().__init__()
            self.error = error

    def __init__(self) -> None:
        super().__init__()
        self.turn = 0
        self.failure: Exception | None = None

    def told(self, text: str) -> None:
        """Show what the engine thinks."""
        raise NotImplementedError

    def guarded(self, work: Callable[[], None]) -> None:
        """Do something that asks the rules; what they raise ends the game, and is said when the screen is left."""
        try:
            work()
        except Exception as error:
            self.fail(error)

    def fail(self, error: Exception) -> None:
        self.failure = error
        self.exit()

    def think(self, search: Callable[[Tell], Report], then: Callable[[Report], None]) -> None:
        """Search in a thread for this turn, show what is found on the way, and do something with the end of it."""
        turn = self.turn

        def tell(report: Report) -> None:
            if turn != self.turn or not self.is_running:
                raise Left
            self.post_message(self.Found(turn, report))

        def work() -> None:
            try:
                self.post_message(self.Found(turn, search(tell), then))
            except Left:
                return
            except Exception as error:
                self.post_message(self.Failed(error))

        self.told("Thinking ...")
        threading.Thread(target=work, daemon=True, name="thinking").start()

    def on_thinker_found(self, found: Found) -> None:
        if found.turn != self.turn:
            return
        then = found.then
        if then is None:
            self.told(str(found.report))
        else:
            self.guarded(lambda: then(found.report))

    def on_thinker_failed(self, failed: Failed) -> None:
        self.fail(failed.error)
