"""The report of a game as a page that needs no other file: tables and plots, for one version or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from zermelo.design.game_report import GameReport, Level
from zermelo.files import write_text
from zermelo.show.svg.report_plots import curves, histogram, outcome_bars
from zermelo.show.svg.svg_elements import escape

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --paper: #fff; --soft: #59636e; --line: #d1d9e0;
  --first: #0072b2; --draw: #8c959f; --second: #d55e00; --bar: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --ink: #f0f6fc; --paper: #0d1117; --soft: #9198a1; --line: #3d444d;
  --first: #56b4e9; --draw: #7d8590; --second: #e69f00; --bar: #56b4e9; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem; }
main { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); max-width: 84rem; }
article { max-width: 44rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .3rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
p, figcaption { color: var(--soft); margin: .2rem 0; font-size: .9rem; }
figure { margin: 0; }
code { overflow-wrap: anywhere; }
svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
svg text.on { fill: #fff; }
.bar { fill: var(--bar); } .first { fill: var(--first); } .draw { fill: var(--draw); } .second { fill: var(--second); }
.axis { stroke: var(--line); }
.curve { fill: none; stroke: var(--first); stroke-opacity: .45; }
"""

SHOWN_CURVES = 12
"""Games whose win probability is drawn."""

MOST_DEAD = 30
"""Lines of dead rules that are listed."""


def save_page(path: str | Path, reports: Sequence[GameReport]) -> None:
    """Write the page of some reports: all of it, or nothing if that fails."""
    write_text(Path(path), page(reports))


def page(reports: Sequence[GameReport]) -> str:
    """The page as HTML."""
    title = escape(" and ".join(repr(report.game) for report in reports))
    parts = "".join(f"<article>{''.join(_article(report))}</article>" for report in reports)
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{view}<title>{title}</title><style>{STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body><main>{parts}</main></body></html>\n'


def _article(report: GameReport) -> Iterator[str]:
    yield f"<h1>{escape(repr(report.game))}</h1>"
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in report.rows)
    yield f"<table>{rows}</table>"
    play = report.playouts
    yield _figure("Length of random games", histogram(play.lengths, "plies"), f"{play.n:,} games, in plies.")
    yield _figure("Moves to choose from", histogram(play.branching, "moves"), "States of random games by their moves.")
    yield _figure("Who wins", outcome_bars(_outcomes(report)), "First player, draws, second player; by nodes a move.")
    if report.levels:
        yield from _drama(report.levels[-1])
    if report.skill:
        yield _skill(report)
    if report.pie is not None:
        yield _pie(report)
    if report.estimate is not None and len(report.estimate.stages) > 1:
        stages = dict(report.estimate.stage_ranges())
        yield _figure("Positions by stage", histogram(stages, "stage"), report.estimate.states_text)
    yield from _dead(report)
    for note in report.notes:
        yield f"<p>{escape(note)}</p>"
    yield f"<p>Measured in {report.seconds:.0f} s.</p>"


def _figure(title: str, drawing: str, caption: str) -> str:
    return f"<h2>{escape(title)}</h2><figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


def _outcomes(report: GameReport) -> list[tuple[str, tuple[int, int, int]]]:
    play = report.playouts
    rows = [("random", (play.wins, play.draws, play.losses))]
    return rows + [(f"{level.nodes:,}", level.counts) for level in report.levels]


def _drama(level: Level) -> Iterator[str]:
    games = [game.chances for game in level.games[:SHOWN_CURVES] if len(game.chances) > 1]
    if games:
        caption = f"The first player's win probability along {len(games)} games at {level.nodes:,} nodes a move."
        yield _figure("How games go", curves(games), caption)


def _skill(report: GameReport) -> str:
    rows = []
    for step in report.skill:
        low, high = step.sample.interval()
        games = 2 * len(step.pairs)
        rows.append(
            f"<tr><td>{2 * step.nodes:,} against {step.nodes:,}</td><td>{games}</td><td>{step.sample.elo:+.0f}</td>"
            f"<td>{low:+.0f} to {high:+.0f}</td></tr>"
        )
    head = "<tr><th>nodes a move</th><th>games</th><th>Elo</th><th>95 %</th></tr>"
    return f"<h2>Skill: twice the nodes</h2><table>{head}{''.join(rows)}</table>"


def _pie(report: GameReport) -> str:
    assert report.pie is not None
    rows = "".join(
        f"<tr><td><code>{escape(text)}</code></td><td>{chance:.0%}</td></tr>" for text, chance in report.pie.moves[:20]
    )
    head = "<tr><th>first move</th><th>win probability of the first player</th></tr>"
    return f"<h2>First moves and the pie rule</h2><table>{head}{rows}</table>"


def _dead(report: GameReport) -> Iterator[str]:
    if report.dead:
        rows = "".join(
            f"<tr><td>{escape(line.rule)}, line {line.number}</td><td><code>{escape(line.text)}</code></td></tr>"
            for line in report.dead[:MOST_DEAD]
        )
        yield f"<h2>Rules that never fire</h2><table>{rows}</table>"
        yield "<p>No game of self-play and no random game reached these lines.</p>"
