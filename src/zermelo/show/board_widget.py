"""The notebook widget: a session in Python whose traits the page displays, and which handles its clicks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from zermelo.board import Marks
from zermelo.game import Game, GameError, Move, State
from zermelo.limits import Limit
from zermelo.play import Engine, Session
from zermelo.show.clicks import Clicks, stepwise
from zermelo.show.laid_tiles import tiles_laid
from zermelo.show.move_steps import steps_of
from zermelo.show.svg.board_svg import svg
from zermelo.show.value_marks import value_marks
from zermelo.value import Value

HERE = Path(__file__).parent


class BoardWidget(anywidget.AnyWidget):
    """A game in progress. `state` and `moves` are texts, and can be observed; `session` is the game itself."""

    _esm = HERE / "widget.js"
    _css = HERE / "widget.css"

    state = traitlets.Unicode().tag(sync=True)
    moves = traitlets.List(traitlets.Unicode()).tag(sync=True)
    legal = traitlets.List(traitlets.Unicode()).tag(sync=True)
    picture = traitlets.Unicode().tag(sync=True)
    clicked = traitlets.List(traitlets.Int()).tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)
    remark = traitlets.Unicode().tag(sync=True)

    def __init__(self, game: Game, state: State, opponent: Limit | None, seed: int | None) -> None:
        super().__init__()
        self.session = Session(game, state, seed)
        self.engine = Engine(game, opponent or Limit(seconds=1))
        self.people = [0, 1] if opponent is None else [self.session.player]
        self.clicks = Clicks(None, ())
        self.on_msg(self._on_message)
        self._go_on()

    # -- user actions --------------------------------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """Play a move in the game's notation; the opponent answers."""
        self.session.enter(text)
        self._go_on()

    def click(self, square: int) -> None:
        """Click on a square of the board."""
        self.clicks = self.clicks.click(square)
        move = self.clicks.move
        if move is None:
            self._show()
            return
        self.session.play(move)
        self._go_on()

    def undo(self) -> None:
        """Take back the last move of a person and everything after it."""
        self.session.undo_to(self.people)
        self._show_anew()

    def redo(self) -> None:
        """Replay the move of a person that was taken back last and everything after it."""
        self.session.redo_to(self.people)
        self._go_on()

    def new(self) -> None:
        """Start a new game."""
        self.session = Session(self.session.game, self.session.start)
        self._go_on()

    def hint(self) -> None:
        """Show the value of every move."""
        if self._waits():
            report = self.engine.compare(self.session.state)
            self._show(report.moves, f"Best is {report.pv_text[0]}: {report.value}.")

    # -- the course of the game ----------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Let the dice and the opponent play until a person is to move, or the game is over."""
        remark = ""
        while self.session.outcome is None and not self._waits():
            self._show_anew(remark)
            if self.session.is_chance:
                self.session.roll()
                remark = f"Chance: {self.session.history[-1].text}."
            else:
                report = self.engine.choose(self.session.state, history=self.session.states)
                self.session.play(report.move)
                remark = f"Zermelo plays {self.session.history[-1].text}: {report.value}."
        self._show_anew(remark)

    def _waits(self) -> bool:
        """Return whether a person is to move."""
        session = self.session
        return session.outcome is None and not session.is_chance and session.player in self.people

    def _show_anew(self, remark: str = "") -> None:
        """Update the clicks and the display after the position has changed."""
        moves = self.session.moves if self._waits() else []
        self.clicks = Clicks.on(self.session.game, self.session.state, moves)
        self._show(remark=remark)

    def _show(self, values: dict[Move, Value] | None = None, remark: str = "") -> None:
        session, clicks = self.session, self.clicks
        last = session.history[-1] if session.history else None
        marks = Marks(
            last=tuple(session.game.squares(last.state, last.move)) if last else (),
            targets=clicks.targets if clicks.squares else (),
            arrows=steps_of(clicks.squares) if stepwise(clicks.board) else (),
            values=value_marks(session.game, session.state, values or {}).values,
            laid=tiles_laid(session.game, clicks.board, session.history),
        )
        with self.hold_sync():
            self.picture = svg(session.game, session.state, marks, interactive=True)
            self.state = session.game.state_text(session.state)
            self.moves = [turn.text for turn in session.history]
            self.legal = [session.game.move_text(session.state, move) for move in clicks.candidates]
            self.clicked = list(clicks.squares)
            self.status, self.remark = self._status(), remark

    def _status(self) -> str:
        session = self.session
        names = session.names
        if len(self.people) == 1:
            names = ("You", "Zermelo") if self.people == [0] else ("Zermelo", "You")
        if session.outcome is not None:
            return session.outcome.words(names)
        if self.clicks.choices:
            return "Which one?"
        name = names[session.player]
        return "Your move." if name == "You" else f"{name} to move."

    def _on_message(self, _: object, message: Any, buffers: object) -> None:
        """Handle a message of the page: {"click": 4}, {"play": "b2"}, or {"do": "undo"}."""
        try:
            match message:
                case {"click": int(square)}:
                    self.click(square)
                case {"play": str(text)}:
                    self.play(text)
                case {"do": "undo" | "redo" | "new" | "hint" as what}:
                    getattr(self, what)()
        except GameError as error:
            self.remark = str(error)
