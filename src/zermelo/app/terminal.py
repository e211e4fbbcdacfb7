"""Play in the terminal: a board, a prompt, and the engine's answers."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from rich.text import Text

from zermelo.app.commands import opened
from zermelo.app.output import certainty, console, print_json, unicode
from zermelo.board import Grid
from zermelo.game import Game, GameError
from zermelo.games.registry import position
from zermelo.limits import Limit
from zermelo.play import Clock, Engine, Session
from zermelo.play.session import PLAYERS
from zermelo.search import Report
from zermelo.search.threads import in_background
from zermelo.show.text import picture
from zermelo.value import DRAW

HELP = """\
Type a move as it is written in the list of moves{example}, or
  moves    list the legal moves        board    draw the board again
  hint     ask the engine              undo     take your last move back
  resign   give up                     quit     leave (so do q, Ctrl-C and Ctrl-D)"""

MOST_MOVES = 40
"""Longer lists of moves are shown only when asked for."""


class Leave(Exception):
    """The person wants to go."""


@dataclass(frozen=True)
class Manner:
    """How the engine plays: a limit for each move or a clock for the game, its style, its seed,
    its threads, and a database it may ask.
    """

    limit: Limit
    clock: str | None = None
    style: str = "exact"
    seed: int | None = None
    threads: int = 1
    database: Path | None = None

    def engine(self, game: Game) -> Engine:
        """A player of one side, with a clock of his own."""
        limit = Clock.parse(self.clock) if self.clock else self.limit
        return Engine(game, limit, style=self.style, seed=self.seed, threads=self.threads, database=self.database)

    def adviser(self, game: Game) -> Engine:
        """Who answers a person that asks for a hint: no clock runs, and the best move is wanted."""
        return Engine(game, self.limit, threads=self.threads, database=self.database)


def play(text: str, moves: str, sides: tuple[str, str], manner: Manner, *, ascii: bool, as_json: bool) -> None:
    """Play one game between `sides`, each "human" or "engine", and say how it ended."""
    game = opened(text)
    session = Session(game, position(game, moves), manner.seed)
    first, second = (manner.engine(game) if side == "engine" else manner.adviser(game) for side in sides)
    table = Terminal(session, sides, (first, second), ascii=ascii, aside=as_json)
    try:
        table.run()
    except (Leave, EOFError, KeyboardInterrupt):
        table.say("\nGood-bye.")
    if as_json:
        print_json(session.record())


class Terminal:
    """One game at the terminal. With `aside`, talk goes to the error stream and leaves the output to the record."""

    def __init__(
        self, session: Session, sides: tuple[str, str], engines: tuple[Engine, Engine], *, ascii: bool, aside: bool
    ) -> None:
        self.session = session
        self.sides = sides
        self.engines = engines
        self.unicode = unicode() and not ascii
        self.aside = aside
        self.console = console(stderr=aside)
        self.names = _names(session.game, session, sides)

    def say(self, text: str | Text = "") -> None:
        self.console.print(text)

    def run(self) -> None:
        """Play until the game is over; then say the result."""
        for engine in self.engines if "engine" in self.sides else ():
            engine.prepare()
        self.say(f"{self.session.game!r}.{' Type a move, or ? for help.' if 'human' in self.sides else ''}")
        self.draw()
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

    def draw_unless_dice_follow(self) -> None:
        if not self.session.is_chance:
            self.draw()

    def roll(self) -> None:
        _, probability = self.session.roll()
        self.say(f"Chance: {self.session.history[-1].text} ({_odds(probability)})")
        self.draw_unless_dice_follow()

    def answer(self) -> None:
        """The engine's move, and what it thinks of it."""
        name, clock = self.names[self.session.player], self.engines[self.session.player].clock
        report = self.think()
        if clock is not None and clock.flag:
            self.session.resign("on time")
            return
        self.session.play(report.move)
        played = f"{name} {'play' if name == 'You' else 'plays'} {self.session.history[-1].text}"
        self.say(f"{played}: {_thoughts(report, name)}{'' if clock is None else f' ({clock} left)'}")
        self.draw_unless_dice_follow()

    def think(self) -> Report:
        engine = self.engines[self.session.player]
        preparing = any(each.preparing for each in self.engines)
        with self.console.status("Making machine code ..." if preparing else "Thinking ..."):
            return in_background(lambda: engine.choose(self.session.state))

    # -- the person's turn -------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Read one line and do what it says."""
        name = self.names[self.session.player]
        line = self._read("Your move: " if name == "You" else f"{name}, your move: ").strip()
        commands = {
            "?": self.help, "help": self.help, "moves": self.list_moves, "board": self.draw, "hint": self.hint,
            "undo": self.undo, "resign": self.session.resign, "q": self.leave, "quit": self.leave, "exit": self.leave,
        }  # fmt: skip
        if line in commands and line not in self.session.notation:
            commands[line]()
        elif line:
            self.enter(line)

    def _read(self, prompt: str) -> str:
        if not self.aside:
            return input(prompt)
        print(prompt, end="", file=sys.stderr, flush=True)
        return input()

    def enter(self, line: str) -> None:
        try:
            move = self.session.read(line)
        except GameError:
            self.say(f"{line!r} is not a legal move here; ? helps.")
            self.list_moves(MOST_MOVES)
        else:
            self.session.play(move)
            self.draw_unless_dice_follow()

    def help(self) -> None:
        examples = " or ".join(self.session.notation[:2])
        self.say(HELP.format(example=f", for example {examples}" if examples else ""))
        self.list_moves(MOST_MOVES)

    def list_moves(self, most: int | None = None) -> None:
        """The legal moves, or where there are more than `most` the first of them."""
        moves = self.session.notation
        more = f" ... ({len(moves)} in all; `moves` lists them)" if most is not None and len(moves) > most else ""
        self.say(f"Moves: {' '.join(moves[:most])}{more}")

    def hint(self) -> None:
        report = self.think()
        move = self.session.game.move_text(self.session.state, report.move)
        self.say(f"Hint: {move}: {_thoughts(report, self.names[self.session.player])}")

    def undo(self) -> None:
        """Go back to the last state in which a person had to move."""
        back = self._plies_back()
        if back is None:
            self.say("There is no move of yours to take back.")
            return
        for _ in range(back):
            self.session.undo()
        self.draw()

    def _plies_back(self) -> int | None:
        session = self.session
        for back, turn in enumerate(reversed(session.history), 1):
            if not turn.chance and self.sides[turn.player] == "human":
                return back
        return None

    def leave(self) -> None:
        raise Leave


def _names(game: Game, session: Session, sides: tuple[str, str]) -> tuple[str, str]:
    """What the players are called: by their kind where these differ, else by their pieces."""
    if sides[0] != sides[1]:
        return ("You", "Zermelo") if sides[0] == "human" else ("Zermelo", "You")
    board = game.board(session.state)
    if not isinstance(board, Grid):
        return PLAYERS
    return f"{PLAYERS[0]} ({board.pieces[0]})", f"{PLAYERS[1]} ({board.pieces[1]})"


def _thoughts(report: Report, name: str) -> str:
    """What the engine says of its choice: its value for `name`, whether it is proven, depth, nodes, time and line."""
    whom = "" if report.value.outcome == DRAW else f" for {'you' if name == 'You' else name}"
    return (
        f"value {report.value}{whom} ({certainty(report.value)}), depth {report.depth}, {report.nodes:,} "
        f"{'node' if report.nodes == 1 else 'nodes'}, {report.seconds:.2f} s, line {' '.join(report.pv_text)}"
    )


def _odds(probability: float) -> str:
    """A probability as people write it on dice, or in per cent.

    >>> _odds(1 / 6), _odds(0.123456)
    ('1/6', '12.3 %')
    """
    simple = Fraction(probability).limit_denominator(100)
    return str(simple) if abs(simple - probability) < 1e-9 else f"{100 * probability:.1f} %"
