"""zermelo analyze: a search of one position, shown while it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import Any, Protocol

from rich.live import Live
from rich.text import Text

from zermelo import rules
from zermelo.app.commands import opened
from zermelo.app.output import certainty, console, print_json, short
from zermelo.game import Game, State
from zermelo.games.registry import TextError, name_of, position
from zermelo.limits import Limit
from zermelo.play.session import PLAYERS
from zermelo.search import Report, monte_carlo, prove
from zermelo.search import analyze as reports_on
from zermelo.search.report import Line
from zermelo.search.threads import in_background

HEADER = f"{'depth':>5}  {'value':<14}  {'nodes':>13}  {'nodes/s':>7}  {'branching':>9}  line"


class Writer(Protocol):
    """Where reports go."""

    def show(self, report: Report) -> None: ...


OPTIONS = {
    "search": ("exact", "lines", "threads", "table"),
    "proof": ("at_least", "table"),
    "monte-carlo": ("lines", "seed", "table"),
}
"""The options of each method."""


def analyze(text: str, moves: str, limit: Limit, method: str, options: dict[str, Any], *, as_json: bool) -> None:
    """Search a position of the game and show each report; then say the answer, which Ctrl-C has at once."""
    given = _accepted(method, options)
    game = opened(text)
    state = position(game, moves)
    with _writer(game, state, as_json) as writer:
        if method == "search":
            last = _follow(game, state, limit, given, writer)
        else:
            last = in_background(lambda: _asked(game, state, limit, method, given))
            writer.show(last)
    if as_json:
        print_json(_record(last, final=True), on_one_line=True)
    else:
        console().print(_answer(last))


def _accepted(method: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given; one that the method does not know is an error."""
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in OPTIONS[method]:
            raise TextError(f"--method {method} has no option --{name.replace('_', '-')}.")
    return given


def _asked(game: Game, state: State, limit: Limit, method: str, options: dict[str, Any]) -> Report:
    """The one report of proof-number search or Monte Carlo tree search, with the best lines of the latter."""
    lines = options.pop("lines", 1)
    ask = prove if method == "proof" else monte_carlo
    report = ask(game, state, None if limit.unlimited else limit, **options)
    return replace(report, lines=report.lines[:lines])


def _follow(game: Game, state: State, limit: Limit, options: dict[str, Any], writer: Writer) -> Report:
    """Show the reports until they end or somebody presses Ctrl-C, and return the last; without one, Ctrl-C goes on.

    The search is stopped and not waited for: it may still be with the compiler, which does not listen.
    """
    last: Report | None = None
    reports = reports_on(game, state, limit, **options)
    try:
        for last in reports:
            writer.show(last)
    except KeyboardInterrupt:
        reports.stop()
        if last is None:
            raise
        for last in reports:
            writer.show(last)
    finally:
        reports.stop()
    assert last is not None
    return last


def _writer(game: Game, state: State, as_json: bool) -> AbstractContextManager[Writer]:
    if as_json:
        return nullcontext(JsonLines())
    head = [*_title(game, state), HEADER]
    return _live(head) if console().is_terminal else nullcontext(PlainLines(head))


def _title(game: Game, state: State) -> list[str]:
    """The game, the position and whose eyes the values are."""
    mover = rules.mover(game, state)
    whose = "the player to move" if mover is None else f"the {PLAYERS[mover].lower()}, who is to move"
    return [f"{game!r}, {game.state_text(state)}", f"Values are for {whose}."]


def _answer(report: Report) -> str:
    """The best move and what is known of it.

    >>> import zermelo as z
    >>> game = z.load("tic_tac_toe")
    >>> _answer(z.search(game, z.position(game, "a1 b1 a2 b2"), z.Limit(depth=1)))
    'Best: a3, win in 1 (proven).'
    """
    return f"Best: {report.pv_text[0]}, {report.value} ({certainty(report.value)})."


# -- JSON ------------------------------------------------------------------------------------------------------------


class JsonLines:
    """One record a line: those of `Report.to_dict`, with the game, the state, and whether it is the final one."""

    def show(self, report: Report) -> None:
        print_json(_record(report, final=False), on_one_line=True)


def _record(report: Report, *, final: bool) -> dict[str, object]:
    about = {"game": name_of(report.game), "state": report.game.state_text(report.state), "final": final}
    return {**about, **report.to_dict()}


# -- tables ----------------------------------------------------------------------------------------------------------


class PlainLines:
    """A table that grows by a row for each report with news, with the other lines below the first."""

    def __init__(self, head: list[str]) -> None:
        self.head = head
        self.last: Report | None = None

    def show(self, report: Report) -> None:
        if is_news(report, self.last):
            for row in [*self.head, *rows(report)]:
                console().print(row)
            self.head, self.last = [], report


class LiveTable:
    """The same in a terminal: the first lines of the last rounds, and under them all lines of the last one."""

    def __init__(self, live: Live, head: list[str]) -> None:
        self.live = live
        self.head = head
        self.firsts: list[str] = []
        self.last: Report | None = None

    def show(self, report: Report) -> None:
        first, *others = rows(report)
        if not is_news(report, self.last):
            self.firsts.pop()
        self.firsts.append(first)
        self.last = report
        room = max(self.live.console.height - len(self.head) - len(others) - 1, 1)
        self.live.update(_cropped([*self.head, *self.firsts[-room:], *others]), refresh=True)


@contextmanager
def _live(head: list[str]) -> Iterator[LiveTable]:
    with Live(Text("Thinking ..."), console=console(), auto_refresh=False) as live:
        yield LiveTable(live, head)


def _cropped(lines: list[str]) -> Text:
    return Text("\n".join(lines), no_wrap=True, overflow="ellipsis")


def is_news(report: Report, last: Report | None) -> bool:
    """Whether a report says more than the one before: another depth, move or value."""
    return last is None or (report.depth, report.move, report.value) != (last.depth, last.move, last.value)


def rows(report: Report) -> list[str]:
    """The row of a report, and one for each line after the first."""
    rate = short(report.nodes / report.seconds).rstrip() if report.seconds > 0 else ""
    branching = "" if report.branching is None else f"{report.branching:.2f}"
    first, *others = (_texts(report, line) for line in report.lines)
    figures = f"{report.nodes:>13,}  {rate:>7}  {branching:>9}"
    row = f"{report.depth or '':>5}  {first[0]:<14}  {figures}  {first[1]}"
    return [row, *(f"{'':>5}  {value:<14}  {'':>33}  {line}" for value, line in others)]


def _texts(report: Report, line: Line) -> tuple[str, str]:
    """A line's value and its moves in the game's notation."""
    return str(line.value), " ".join(replace(report, lines=(line,)).pv_text)
