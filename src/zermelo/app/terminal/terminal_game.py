"""Play in the terminal: a board, a prompt, and the engine's answers."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rich.text import Text

from zermelo.app.output import certainty, console, odds, print_json, unicode, visible
from zermelo.app.terminal.game_dialogue import EngineOptions, names_of, people, thoughts
from zermelo.formatting import count_text
from zermelo.game import GameError
from zermelo.play import Engine, Session
from zermelo.play.move_search import OnReport
from zermelo.play.record import resume, save
from zermelo.searching import Report
from zermelo.searching.runtime.search_threads import in_background
from zermelo.show.scene.board_scene import board_of
from zermelo.show.text.board_text import picture
from zermelo.show.text.side_words import whose

HELP = """\
Type a move as it is written in the list of moves{example}, or
  moves      list the legal moves      board      draw the board again
  hint       ask the engine            values     what every move is worth
  undo       take your last move back  redo       play it again
  save FILE  keep the game in a file   load FILE  take one up again
  resign     give up                   quit       leave (so do q, Ctrl-C and Ctrl-D)"""

MAX_LISTED_MOVES = 40
"""Moves of a list that is not asked for; longer ones are cut."""


class Quit(Exception):
    """The player quits."""


def play(session: Session, sides: tuple[str, str], options: EngineOptions, *, ascii: bool, as_json: bool) -> None:
    """Play one game between `sides`, each "human" or "engine", and say how it ended."""
    game = session.game
    first, second = (options.engine(game) if side == "engine" else options.adviser(game) for side in sides)
    options.prepare((first, second), sides)
    table = Terminal(session, sides, (first, second), ascii=ascii, aside=as_json)
    try:
        table.run()
    except (Quit, EOFError, KeyboardInterrupt):
        table.say("\nGood-bye.")
    if as_json:
        print_json(table.session.record())


class Terminal:
    """One game at the terminal. With `aside`, everything but the record goes to the error stream."""

    def __init__(
        self, session: Session, sides: tuple[str, str], engines: tuple[Engine, Engine], *, ascii: bool, aside: bool
    ) -> None:
        self.session = session
        self.sides = sides
        self.engines = engines
        self.unicode = unicode() and not ascii
        self.aside = aside
        self.console = console(stderr=aside)
        self.names = names_of(session, sides)

    def say(self, text: str | Text = "") -> None:
        self.console.print(text)

    def run(self) -> None:
        """Play until the game is over; then say the result."""
        self.say(f"{self.session.game!r}.{' Type a move, or ? for help.' if 'human' in self.sides else ''}")
        self.draw()
        self.say_whose()
        while self.session.outcome is None:
            if self.session.is_chance:
                self.roll()
            elif self.sides[self.session.player] == "engine":
                self.answer()
            else:
                self.ask()
        self.say(Text(self.session.outcome.words(self.names), "bold"))

    def draw(self) -> None:
        """The board, with the squares of the last move standing out."""
        session = self.session
        last = session.history[-1] if session.history else None
        squares = session.game.squares(last.state, last.move) if last else ()
        self.say()
        self.say(picture(session.game, session.state, squares=squares, unicode=self.unicode))
        self.say()

    def say_whose(self) -> None:
        """Say which side of the board is yours, where only one side is a person's."""
        board, own = board_of(self.session.game, self.session.state), people(self.sides)
        if len(own) == 1 and (words := whose(board, own[0], unicode=self.unicode)):
            self.say(f"{words}\n")

    def show_board(self) -> None:
        self.draw()
        self.say_whose()

    def draw_unless_dice_follow(self) -> None:
        if not self.session.is_chance:
            self.draw()

    def roll(self) -> None:
        _, probability = self.session.roll()
        self.say(f"Chance: {self.session.history[-1].text} ({odds(probability)})")
        self.draw_unless_dice_follow()

    def answer(self) -> None:
        """The engine's move, and what it thinks of it."""
        engine = self.engines[self.session.player]
        name, clock = self.names[self.session.player], engine.clock
        report = self.think()
        interpreted = engine.compiling and report.nodes  # a book needs no search
        compiling = "; still compiling" if interpreted else ""
        if clock is not None and clock.flag:
            self.session.resign("on time")
            return
        self.session.play(report.move)
        played = f"{name} {'play' if name == 'You' else 'plays'} {self.session.history[-1].text}"
        self.say(f"{played}: {thoughts(report, name)}{'' if clock is None else f' ({clock} left)'}{compiling}")
        self.draw_unless_dice_follow()

    def think(self) -> Report:
        engine = self.engines[self.session.player]
        return self._searching(lambda on_report: engine.choose(self.session.state, on_report, self.session.states))

    def _searching(self, search: Callable[[OnReport | None], Report]) -> Report:
        """The last report of a search; a terminal shows the ones before it."""
        compiling = any(each.compiling for each in self.engines)
        with self.console.status("Compiling ..." if compiling else "Thinking ...") as status:

            def on_report(report: Report) -> None:
                status.update(Text(str(report), "dim", no_wrap=True, overflow="ellipsis"))

            return in_background(lambda: search(on_report if self.console.is_terminal else None))

    # -- the person's turn -------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Read one line and do what it says."""
        name = self.names[self.session.player]
        line = self._read("Your move: " if name == "You" else f"{name}, your move: ").strip()
        commands = {
            "?": self.help, "help": self.help, "moves": self.list_moves, "board": self.show_board, "hint": self.hint,
            "values": self.values, "undo": self.undo, "redo": self.redo, "resign": self.session.resign,
            "q": self.leave, "quit": self.leave, "exit": self.leave,
        }  # fmt: skip
        with_a_file = {"save": self.save, "load": self.load}
        word, _, rest = line.partition(" ")
        if line in commands and line not in self.session.notation:
            commands[line]()
        elif word in with_a_file and line not in self.session.notation:
            with_a_file[word](rest.strip())
        elif line:
            self.enter(line)

    def _read(self, prompt: str) -> str:
        prompt = visible(prompt)
        if not self.aside:
            return input(prompt)
        print(prompt, end="", file=sys.stderr, flush=True)
        return input()

    def enter(self, line: str) -> None:
        try:
            move = self.session.read(line)
        except GameError:
            self.say(f"{line!r} is not a legal move here; ? helps.")
            self.list_moves(MAX_LISTED_MOVES)
        else:
            self.session.play(move)
            self.draw_unless_dice_follow()

    def help(self) -> None:
        examples = " or ".join(self.session.notation[:2])
        self.say_whose()
        self.say(HELP.format(example=f", for example {examples}" if examples else ""))
        self.list_moves(MAX_LISTED_MOVES)

    def list_moves(self, most: int | None = None) -> None:
        """The legal moves, or where there are more than `most` the first of them."""
        moves = self.session.notation
        more = f" ... ({len(moves)} in all; `moves` lists them)" if most is not None and len(moves) > most else ""
        between = ", " if any(" " in move for move in moves) else " "  # a play of backgammon is several words
        self.say(f"Moves: {between.join(moves[:most])}{more}")

    def hint(self) -> None:
        report = self.think()
        move = self.session.game.move_text(self.session.state, report.move)
        self.say(f"Hint: {move}: {thoughts(report, self.names[self.session.player])}")

    def values(self) -> None:
        """Every legal move with its value, best first; then those that a short search did not come to."""
        engine = self.engines[self.session.player]
        report = self._searching(lambda on_report: engine.compare(self.session.state, on_report))
        game, needed = self.session.game, list(self.session.game.candidates(report.state))
        said = {move: f"{value} ({certainty(value)})" for move, value in report.moves.items()}
        for move in self.session.moves:  # one that is no candidate is never searched
            said.setdefault(move, "not searched yet" if move in needed else "not searched, since another is as good")
        texts = [game.move_text(report.state, move) for move in said]
        width = max(map(len, texts))
        for text, words in zip(texts, said.values(), strict=True):
            self.say(f"  {text:<{width}}  {words}")

    def undo(self) -> None:
        """Go back to the last state in which a person had to move."""
        if self.session.undo_to(people(self.sides)):
            self.draw()
        else:
            self.say("There is no move of yours to take back.")

    def redo(self) -> None:
        """Go forward to the next state in which a person had to move."""
        if self.session.redo_to(people(self.sides)):
            self.draw()
        else:
            self.say("There is no move of yours to play again.")

    # -- files ---------------------------------------------------------------------------------------------------------

    def save(self, path: str) -> None:
        self._with_file("save", path, lambda: save(self.session, path))

    def load(self, path: str) -> None:
        def resume_game() -> None:
            self.session = resume(path, self.session.game)
            self.draw()

        self._with_file("load", path, resume_game)

    def _with_file(self, word: str, path: str, work: Callable[[], None]) -> None:
        """Save or load a file; report an error, and continue the game."""
        if not path:
            self.say(f"Name a file: {word} game.json")
            return
        try:
            work()
            self.say(
                f"{path}: {count_text(len(self.session.history), 'move')} {'saved' if word == 'save' else 'loaded'}."
            )
        except GameError as error:
            self.say(str(error))

    def leave(self) -> None:
        raise Quit
