"""Notebook display of reports, solutions, traces, playouts and matches; a notebook shows the text of anything else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from zermelo.matches.match_result import MatchResult
from zermelo.matches.tournament_result import TournamentResult
from zermelo.searching.report import Report
from zermelo.show.board_picture import picture
from zermelo.show.svg.theme import BOARD_LIGHT
from zermelo.show.trees.tree_picture import tree_svg
from zermelo.simulation.playouts_result import Playouts
from zermelo.solving.solution import Solution
from zermelo.textbook.tracing.trace import Trace

CELL_STYLE = "text-align:left;padding:2px 14px 2px 0;vertical-align:top"
TONE_COLOURS = {
    "win": BOARD_LIGHT["win"],
    "draw": BOARD_LIGHT["draw"],
    "draw by repetition": "#8c959f",
    "loss": BOARD_LIGHT["loss"],
    "unfinished": "#8c959f",
}


def html(thing: object) -> str | None:
    """Return the HTML of a Report, a Solution, a Trace, Playouts or a MatchResult; None for anything else.

    >>> import zermelo as z
    >>> report = z.search(z.load("tic_tac_toe"), limit=z.Limit(depth=1))
    >>> html(report).startswith("<div"), html("text")
    (True, None)
    """
    match thing:
        case Report():
            return _report(thing)
        case Solution():
            return _solution(thing)
        case Trace():
            return tree_svg(thing)
        case Playouts():
            return _playouts(thing)
        case MatchResult():
            return _match(thing)
        case TournamentResult():
            head, *rows = thing.rows()
            return f"<div>{_table(head, rows)}</div>"
    return None


def _report(report: Report) -> str:
    """Return the board with the values of its moves, and the lines beside it."""
    lines = report.to_dict()["lines"]
    assert isinstance(lines, list)
    rows = [(line["value"]["text"], " ".join(line["pv"])) for line in lines]
    speed = f", {report.nodes / report.seconds / 1e6:.2f} M/s" if report.seconds > 0 else ""
    below = f"depth {report.depth}, {report.nodes:,} nodes, {report.seconds:.2f} s{speed}"
    board = picture(report.game, report.state, values=report.moves).svg()
    return (
        f'<div style="display:flex;flex-wrap:wrap;gap:24px;align-items:flex-start">{board}'
        f"<div>{_table(('value', 'line'), rows)}<p>{escape(below)}</p></div></div>"
    )


def _solution(solution: Solution) -> str:
    """Return the facts of a solution as a table, and a bar of wins, draws and losses."""
    record = solution.to_dict()
    rows = [
        ("game", record["game"]),
        ("value", "" if record["value"] is None else record["value"]["text"]),
        ("states", f"{record['states']:,} ({record['positions']:,} positions)"),
        ("method", f"{record['method']}: {record['why']}"),
    ]
    if farthest := solution.longest(1):
        state = solution.game.state_text(farthest[0])
        rows.append(("farthest from the end", f"{state}, {solution.value(farthest[0])}"))
    counts = solution.outcomes()
    return f"<div>{_table((), rows)}{_bar(counts) if set(counts) <= set(TONE_COLOURS) else ''}</div>"


def _playouts(games: Playouts) -> str:
    """Return the rates of random games as a bar, and the distributions of their lengths and of the numbers of moves."""
    rows = [
        ("game", repr(games.game)),
        ("games", f"{games.n:,}"),
        ("plies", f"{games.mean_length:.2f} on average"),
        ("moves", f"{games.mean_branching:.2f} on average"),
    ]
    charts = _histogram("games by plies", games.lengths) + _histogram("states by moves", games.branching)
    return f"<div>{_table((), rows)}{_bar(games.outcomes())}{charts}</div>"


def _histogram(title: str, counts: dict[int, int]) -> str:
    """A distribution as bars side by side; each says in words what it is."""
    if not counts:
        return ""
    low, high, total, most = min(counts), max(counts), sum(counts.values()), max(counts.values())
    width = 600 / (high - low + 1)
    bars = "".join(
        f'<rect x="{(value - low) * width:.2f}" y="{100 - 100 * count / most:.1f}" width="{max(width - 0.5, 0.5):.2f}" '
        f'height="{100 * count / most:.1f}" fill="{BOARD_LIGHT["draw"]}">'
        f"<title>{value}: {count / total:.2%}</title></rect>"
        for value, count in sorted(counts.items())
    )
    name = f"{escape(title)}, from {low} to {high}"
    return (
        f'<p>{name}</p><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 100" width="600" height="100" '
        f'role="img" style="max-width:100%" aria-label="{name}">{bars}</svg>'
    )


def _match(result: MatchResult) -> str:
    """Return the figures of a match as a table, and a bar of wins, draws and losses."""
    wins, draws, losses = result.counts
    counts = {"win": wins, "draw": draws, "loss": losses}
    title = escape(" against ".join(result.players))
    return f"<div><p>{title}</p>{_table((), result.rows())}{_bar(counts)}</div>"


def _bar(counts: dict[str, int]) -> str:
    """The counts as parts of one bar; each says in words what it is."""
    total, start, parts = sum(counts.values()) or 1, 0.0, []
    for name, count in counts.items():
        width = 600 * count / total
        parts.append(
            f'<rect x="{start:.1f}" width="{width:.1f}" height="18" fill="{TONE_COLOURS[name]}" stroke="#fff" '
            f'stroke-width="1"><title>{name}: {count:,} ({100 * count / total:.1f} %)</title></rect>'
        )
        start += width
    said = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 18" width="600" height="18" role="img" '
        f'style="max-width:100%" aria-label="{escape(said)}">{"".join(parts)}</svg><p>{_legend(counts)}</p>'
    )


def _legend(counts: dict[str, int]) -> str:
    """The names of the parts with their colours and numbers."""
    return "&emsp;".join(
        f'<span style="color:{TONE_COLOURS[name]}">&#9632;</span> {count:,} {name}' for name, count in counts.items()
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    names = "".join(f'<th style="{CELL_STYLE}">{escape(name)}</th>' for name in head)
    cells = ([f'<td style="{CELL_STYLE}">{escape(cell)}</td>' for cell in row] for row in rows)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    top = f"<thead><tr>{names}</tr></thead>" if names else ""
    return f"<table>{top}<tbody>{body}</tbody></table>"
