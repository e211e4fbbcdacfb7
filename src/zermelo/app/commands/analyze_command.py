"""zermelo analyze: a search of one position, shown while it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.app.commands.game_commands import open_game
from zermelo.app.compile_ahead import compile_for_next
from zermelo.app.output import certainty, console, named, print_json, short
from zermelo.app.time_limit import from_start
from zermelo.game import Game, State
from zermelo.games.registry import TextError, position
from zermelo.limits import Limit
from zermelo.play.session import who_moves
from zermelo.searching import Report, monte_carlo, prove
from zermelo.searching import analyze as reports_on
from zermelo.searching.report import Line
from zermelo.solving.plan import solve_kernels
from zermelo.value import INFINITY, LOWER, UPPER, WIN, number, words

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

HEADER = f"{'depth':>5}  {'value':<14}  {'nodes':>13}  {'nodes/s':>7}  {'growth':>9}  line"
EXACT_HEADER = f"{'value':<14}  {'proven so far':<26}  {'nodes':>13}  {'nodes/s':>7}  line"

LIVE_INTERVAL = 0.25
"""Seconds between two updates of the live table in a terminal."""


class Writer(Protocol):
    """Where reports go."""

    def show(self, report: Report) -> None: ...


OPTIONS = {
    "search": ("exact", "lines", "threads", "table", "database", "weights"),
    "proof": ("at_least", "table"),
    "monte-carlo": ("lines", "seed", "table"),
}
"""The options of each method."""


def analyze(text: str, moves: str, limit: Limit, method: str, options: dict[str, Any], *, as_json: bool) -> None:
    """Search a position, show each report, and print the answer. Ctrl-C ends the search with the answer so far."""
    given = _accepted(method, options)
    game = open_game(text)
    state = position(game, moves)
    limit = from_start(limit)
    with _writer(game, state, as_json, "exact" in given) as writer:
        if method == "search":
            last = _show_reports(game, state, limit, given, writer)
        else:
            last = _single_report(game, state, limit, method, given)
            writer.show(last)
    if as_json:
        print_json(_record(last, final=True), on_one_line=True)
    else:
        console().print(proof_words(last, given.get("at_least", WIN)) if method == "proof" else _answer(last))
    compile_for_next(game, solve_kernels)


def _accepted(method: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given. Raise TextError for one that the method lacks."""
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in OPTIONS[method]:
            raise TextError(f"--method {method} has no option --{name.replace('_', '-')}.")
    return given


def _single_report(game: Game, state: State, limit: Limit, method: str, options: dict[str, Any]) -> Report:
    """The one report of proof-number search or Monte Carlo tree search, with the best lines of the latter."""
    lines = options.pop("lines", 1)
    ask = prove if method == "proof" else monte_carlo
    report = ask(game, state, None if limit.unlimited else limit, **options)
    return replace(report, lines=report.lines[:lines])


def _show_reports(game: Game, state: State, limit: Limit, options: dict[str, Any], writer: Writer) -> Report:
    """Show the reports until they end or Ctrl-C is pressed, and return the last; without one, raise KeyboardInterrupt.

    The search is stopped but not joined: it may still be compiling, which cannot be interrupted.
    """
    last: Report | None = None
    reports = reports_on(game, state, limit, **options)
    try:
        for last in reports.live(LIVE_INTERVAL) if isinstance(writer, LiveTable) else reports:
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


def _writer(game: Game, state: State, as_json: bool, exact: bool) -> AbstractContextManager[Writer]:
    if as_json:
        return nullcontext(JsonLines())
    head = [*_title(game, state), EXACT_HEADER if exact else HEADER]
    return _live(head, exact) if console().is_terminal else nullcontext(PlainLines(head, exact))


def _title(game: Game, state: State) -> list[str]:
    """The game, the position, and the player whose values are shown."""
    return [f"{game!r}, {game.state_text(state)}", f"Values are for {who_moves(game, state)}."]


def _answer(report: Report) -> str:
    """The best move, its value, and how far it is proven.

    >>> import zermelo as z
    >>> game = z.load("tic_tac_toe")
    >>> _answer(z.search(game, z.position(game, "a1 b1 a2 b2"), z.Limit(depth=1)))
    'Best: a3, win in 1 (proven).'
    """
    known = certainty(report.value)
    if not report.value.exact and (bounds := between(report)):
        known = f"{known}; proven: {bounds}"
    return f"Best: {report.pv_text[0]}, {report.value} ({known})."


def proof_words(report: Report, goal: int) -> str:
    """The answer of a proof, in words.

    >>> import zermelo as z
    >>> game = z.load("tic_tac_toe")
    >>> proof_words(z.prove(game, z.position(game, "a1 b1 a2 b2")), z.WIN)
    'Yes, proven: the player to move wins, by a3.'
    >>> proof_words(z.prove(game, z.position(game, "b2")), z.WIN)
    'No, proven: the player to move does not win.'
    """
    move, value = report.pv_text[0], report.value
    get = "win" if goal == WIN else "reach a draw"
    gets = "wins" if goal == WIN else "reaches at least a draw"
    if report.game.margin:
        get = f"get at least {number(goal)}"
        gets = f"gets at least {number(goal)}"
    if value.bound == LOWER:
        return f"Yes, proven: the player to move {gets}, by {move}."
    if value.bound == UPPER:
        return f"No, proven: the player to move does not {get}."
    return f"Not proven within the limit: whether the player to move can {get}; most promising is {move}."


def between(report: Report) -> str:
    """The scores between which the value is proven to lie; empty where nothing is."""
    low, high = report.bounds
    return "" if -low >= INFINITY and high >= INFINITY else f"{words(low)} to {words(high)}"


# -- JSON ------------------------------------------------------------------------------------------------------------


class JsonLines:
    """One record a line: those of `Report.to_dict`, with the game, the state, and whether it is the final one."""

    def show(self, report: Report) -> None:
        print_json(_record(report, final=False), on_one_line=True)


def _record(report: Report, *, final: bool) -> dict[str, object]:
    about = {"game": named(report.game), "state": report.game.state_text(report.state), "final": final}
    return {**about, **report.to_dict()}


# -- tables ----------------------------------------------------------------------------------------------------------


class PlainLines:
    """A table that grows by a row for each report with news, with the other lines below the first."""

    def __init__(self, head: list[str], exact: bool) -> None:
        self.head = head
        self.exact = exact
        self.last: Report | None = None

    def show(self, report: Report) -> None:
        if is_news(report, self.last):
            for row in [*self.head, *rows(report, self.exact)]:
                console().print(row)
            self.head, self.last = [], report


class LiveTable:
    """The same in a terminal: the first lines of the last rounds, and under them all lines of the last one."""

    def __init__(self, live: Live, head: list[str], exact: bool) -> None:
        self.live = live
        self.head = head
        self.exact = exact
        self.firsts: list[str] = []
        self.last: Report | None = None

    def show(self, report: Report) -> None:
        first, *others = rows(report, self.exact)
        if not is_news(report, self.last):
            self.firsts.pop()
        self.firsts.append(first)
        self.last = report
        room = max(self.live.console.height - len(self.head) - len(others) - 1, 1)
        self.live.update(self._cropped([*self.head, *self.firsts[-room:], *others]), refresh=True)

    def _cropped(self, lines: list[str]) -> RenderableType:
        """The lines as far as they fit."""
        from rich.text import Text

        return Text("\n".join(lines), no_wrap=True, overflow="ellipsis")


@contextmanager
def _live(head: list[str], exact: bool) -> Iterator[LiveTable]:
    from rich.live import Live

    with Live("Thinking ...", console=console(), auto_refresh=False) as live:
        yield LiveTable(live, head, exact)


def is_news(report: Report, last: Report | None) -> bool:
    """Whether a report says more than the one before: another depth, bound, or move or value of a line."""
    return last is None or _said(report) != _said(last)


def _said(report: Report) -> tuple[object, ...]:
    return report.depth, report.bounds, *((line.value.to_dict(), line.pv[0]) for line in report.lines)


def rows(report: Report, exact: bool = False) -> list[str]:
    """The row of a report, and one for each line after the first; a proof has bounds in place of rounds."""
    rate = short(report.nodes / report.seconds).rstrip() if report.seconds > 0 else ""
    first, *others = (_texts(report, line) for line in report.lines)
    if exact:
        row = f"{first[0]:<14}  {between(report):<26}  {report.nodes:>13,}  {rate:>7}  {first[1]}"
        return [row, *(f"{value:<14}  {'':>50}  {line}" for value, line in others)]
    growth = "" if report.growth is None else f"{report.growth:.2f}"
    row = f"{report.depth or '':>5}  {first[0]:<14}  {report.nodes:>13,}  {rate:>7}  {growth:>9}  {first[1]}"
    return [row, *(f"{'':>5}  {value:<14}  {'':>33}  {line}" for value, line in others)]


def _texts(report: Report, line: Line) -> tuple[str, str]:
    """A line's value and its moves in the game's notation."""
    return str(line.value), " ".join(replace(report, lines=(line,)).pv_text)
