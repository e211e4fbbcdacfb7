"""Play in the whole terminal, with mouse and keys, on the board of any game. Needs Textual, an extra."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from zermelo.app.output import odds, print_json
from zermelo.app.terminal.game_dialogue import EngineOptions, file_for, names_of, people, thoughts
from zermelo.board import Marks
from zermelo.files import FileError
from zermelo.formatting import count_text
from zermelo.game import GameError, Move
from zermelo.native.interpretation import why_interpreted
from zermelo.play import Session
from zermelo.play.record import save
from zermelo.searching import Report
from zermelo.show.clicks import Clicks
from zermelo.show.value_marks import value_marks
from zermelo.value import Value

try:
    from textual.app import ComposeResult
    from textual.binding import Binding, BindingType
    from textual.containers import Horizontal, Vertical, VerticalScroll
    from textual.widgets import Footer, OptionList, Static
except ImportError:
    raise GameError("--full-screen is drawn with Textual: pip install 'zermelo[terminal]'") from None

from zermelo.app.terminal.board_view import BoardView
from zermelo.app.terminal.engine_app import EngineApp
from zermelo.show.scene.board_scene import board_of
from zermelo.show.text.mosaic import Look

ROLL_SECONDS = 0.7
"""Seconds between a chance state and its outcome."""


def play(session: Session, sides: tuple[str, str], options: EngineOptions, *, ascii: bool, as_json: bool) -> None:
    """Play one game between `sides`, each "human" or "engine", until the person leaves."""
    if ascii:
        raise GameError("--full-screen draws boards from blocks; --ascii is for the game without it.")
    if not sys.stdout.isatty():
        raise GameError("--full-screen needs a terminal; without it the game can be played through a pipe.")
    table = FullScreen(session, sides, options)
    table.run()
    if table.failure is not None:
        raise table.failure
    if as_json:
        print_json(table.session.record())


class FullScreen(EngineApp):
    """One game after the other, on the whole screen."""

    TITLE = "Zermelo"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #board { width: 1fr; height: 1fr; padding: 1 2; }
    #side { width: 38; padding: 1 2 0 1; border-left: solid $panel; }
    #game { color: $text-muted; }
    #status { text-style: bold; padding: 1 0; }
    #thinking { color: $text-muted; height: 4; }
    .heading { color: $text-muted; padding-top: 1; }
    #moves { height: 1fr; min-height: 4; border: none; padding: 0; background: $background; }
    #past { height: 1fr; min-height: 3; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("h", "hint", "Hint"),
        ("v", "values", "Values"),
        ("u", "undo", "Undo"),
        ("r", "redo", "Redo"),
        ("n", "new", "New game"),
        ("f", "flip", "Change sides"),
        ("s", "save", "Save"),
        ("q", "quit", "Quit"),
        Binding("escape", "clear", "Begin the move anew", show=False),
    ]

    def __init__(self, session: Session, sides: tuple[str, str], options: EngineOptions) -> None:
        super().__init__()
        self.session, self.sides, self.options = session, sides, options
        self.engines = (options.engine(session.game), options.engine(session.game))
        self.adviser = options.adviser(session.game)
        self.clicks = Clicks(None, ())
        self.shown: list[Move] = []
        self.values: dict[Move, Value] = {}
        self.remark = ""
        self.file: Path | None = None

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield BoardView(board_of(self.session.game, self.session.state), Look())
            with Vertical(id="side"):
                yield Static(repr(self.session.game), id="game", markup=False)
                yield Static(id="status", markup=False)
                yield Static(id="thinking", markup=False)
                yield Static("Moves", classes="heading")
                yield OptionList(id="moves", markup=False)
                yield Static("Played", classes="heading")
                with VerticalScroll(id="past"):
                    yield Static(id="history", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self.options.prepare((*self.engines, self.adviser), self.sides)
        self.query_one(BoardView).focus()
        self.go_on()

    # -- the game ------------------------------------------------------------------------------------------------------

    def go_on(self, remark: str = "") -> None:
        """Show the new position, and start the engine or the dice if it is their turn."""
        self.turn += 1
        self.values, self.remark = {}, remark
        self.guarded(self._next)

    def _next(self) -> None:
        session = self.session
        human = session.outcome is None and not session.is_chance and self.sides[session.player] == "human"
        self.clicks = Clicks.on(session.game, session.state, session.moves if human else [])
        self.show()
        if session.outcome is None and session.is_chance:
            turn = self.turn
            self.set_timer(ROLL_SECONDS, lambda: self.guarded(self._roll) if turn == self.turn else None)
        elif session.outcome is None and not human:
            engine = self.engines[session.player]
            self.think(lambda on_report: engine.choose(session.state, on_report, session.states), self._answer)

    def _roll(self) -> None:
        _, probability = self.session.roll()
        self.go_on(f"Chance: {self.session.history[-1].text} ({odds(probability)})")

    def _answer(self, report: Report) -> None:
        name, clock = self.names[self.session.player], self.engines[self.session.player].clock
        if clock is not None and clock.flag:
            self.session.resign("on time")
            self.go_on()
            return
        self.session.play(report.move)
        reason = why_interpreted(self.session.game)  # the screen hides the warning
        slow = "" if reason is None else f"\nInterpreted, which is far slower than compiled. {reason}."
        self.go_on(f"{name}: {self.session.history[-1].text}, {thoughts(report, name)}{slow}")

    def enter(self, move: Move) -> None:
        """Play a person's move."""
        self.session.play(move)
        self.go_on()

    @property
    def names(self) -> tuple[str, str]:
        return names_of(self.session, self.sides)

    def show_thinking(self, text: str) -> None:
        self.query_one("#thinking", Static).update(text)

    # -- what is shown -------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Everything, as it is now."""
        session, clicks = self.session, self.clicks
        last = session.history[-1] if session.history else None
        squares = tuple(session.game.squares(last.state, last.move)) if last else ()
        targets = clicks.targets if clicks.squares else []
        values = value_marks(session.game, session.state, self.values).values
        marks = Marks(last=squares, targets=targets, values=values)
        self.query_one(BoardView).show(board_of(session.game, session.state), Look(marks, clicks.squares))
        self.query_one("#status", Static).update(self._status())
        self.query_one("#thinking", Static).update(self.remark)
        self.shown = clicks.candidates
        self.query_one(OptionList).clear_options().add_options(self._listed())
        self.query_one("#history", Static).update(self._past())
        self.query_one("#past").scroll_end(animate=False)

    def _status(self) -> str:
        session = self.session
        if session.outcome is not None:
            return session.outcome.words(self.names)
        if session.is_chance:
            return "The dice are rolling ..."
        name = self.names[session.player]
        if self.clicks.choices:
            return "Which one?"
        return f"{name} to move." if name != "You" else "Your move."

    def _listed(self) -> list[str]:
        """The moves of the list, with their values where these were asked for."""
        texts = [self.session.game.move_text(self.session.state, move) for move in self.shown]
        width = max(map(len, texts), default=0)
        values = [str(self.values.get(move, "")) for move in self.shown]
        return [f"{text:<{width}}  {value}".rstrip() for text, value in zip(texts, values, strict=True)]

    def _past(self) -> str:
        """What was played, two plies a line."""
        texts = [turn.text for turn in self.session.history]
        pairs = [texts[i : i + 2] for i in range(0, len(texts), 2)]
        return "\n".join(f"{number:>3}  {'  '.join(pair)}" for number, pair in enumerate(pairs, 1))

    # -- what a person does --------------------------------------------------------------------------------------------

    def on_board_view_picked(self, picked: BoardView.Picked) -> None:
        self.clicks = self.clicks.click(picked.square)
        move = self.clicks.move
        if move is not None:
            self.guarded(lambda: self.enter(move))
            return
        self.show()
        if self.clicks.choices:
            self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, chosen: OptionList.OptionSelected) -> None:
        moves, index = chosen.option_list, chosen.option_index
        if index >= moves.option_count or moves.get_option_at_index(index) is not chosen.option:
            return  # a second Enter, after the list has changed
        move = self.shown[index]
        self.guarded(lambda: self.enter(move))
        self.query_one(BoardView).focus()

    def action_hint(self) -> None:
        def say(report: Report) -> None:
            name = self.names[self.session.player]
            self.remark = f"Hint: {report.pv_text[0]}, {thoughts(report, name)}"
            self.show()

        if self._waits():
            self.think(lambda on_report: self.adviser.choose(self.session.state, on_report, self.session.states), say)

    def action_values(self) -> None:
        """What every move is worth, on the squares that the moves lead to and in the list."""

        def say(report: Report) -> None:
            self.values, self.remark = report.moves, str(report)
            self.show()

        if self._waits():
            self.think(lambda on_report: self.adviser.compare(self.session.state, on_report), say)

    def _waits(self) -> bool:
        """Whether a person is to move."""
        return bool(self.clicks.moves)

    def action_clear(self) -> None:
        """Discard the squares of an unfinished move."""
        if self.clicks.squares:
            self.clicks = self.clicks.anew()
            self.show()
            self.query_one(BoardView).focus()

    def action_undo(self) -> None:
        plies = self.session.undo_to(people(self.sides))
        self.go_on("" if plies else "There is no move of yours to take back.")

    def action_redo(self) -> None:
        plies = self.session.redo_to(people(self.sides))
        self.go_on("" if plies else "There is no move of yours to play again.")

    def action_new(self) -> None:
        self.session = Session(self.session.game, self.session.start)
        self.engines = (self.options.engine(self.session.game), self.options.engine(self.session.game))
        self.options.prepare(self.engines, self.sides)
        self.file = None
        self.go_on()

    def action_save(self) -> None:
        """Save the game in a new file; again, in the same one."""
        self.guarded(self._save)

    def _save(self) -> None:
        file = self.file or file_for(self.session)
        try:
            save(self.session, file)
        except FileError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        where = ", in place of what was saved before" if self.file else f" in {Path.cwd()}"
        self.notify(f"{count_text(len(self.session.history), 'move')} saved: {file}{where}.", markup=False)
        self.file = file

    def action_flip(self) -> None:
        self.sides = self.sides[::-1]
        self.go_on()
