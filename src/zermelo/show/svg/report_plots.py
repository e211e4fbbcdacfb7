"""Plots of a game's report as SVG: histograms, outcomes, and win probabilities along games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zermelo.show.svg.svg_elements import escape, n

WIDTH, HEIGHT = 420, 150
LEFT, BOTTOM, TOP = 8, 20, 8
MOST_COLUMNS = 60
"""Columns of a histogram; more values share them."""

ROW_HEIGHT = 22
NAME_WIDTH = 70


def histogram(counts: Mapping[int, int] | Mapping[str, int], unit: str) -> str:
    """Bars of how often each value occurs, from the least to the greatest.

    >>> drawing = histogram({3: 1, 5: 2}, "plies")
    >>> drawing.count("<rect"), "5 plies: 2" in drawing
    (2, True)
    """
    columns = _columns(counts)
    most = max((count for _, count in columns), default=1) or 1
    step = (WIDTH - 2 * LEFT) / max(len(columns), 1)
    bars = []
    for at, (name, count) in enumerate(columns):
        height = (HEIGHT - BOTTOM - TOP) * count / most
        box = f'x="{n(LEFT + at * step)}" y="{n(HEIGHT - BOTTOM - height)}" width="{n(max(step - 1, 0.5))}"'
        if count:
            title = f"<title>{escape(f'{name} {unit}: {count:,}')}</title>"
            bars.append(f'<rect class="bar" {box} height="{n(height)}">{title}</rect>')
    ends = [(LEFT, "start", columns[0][0]), (WIDTH - LEFT, "end", columns[-1][0])] if columns else []
    labels = "".join(
        f'<text x="{n(x)}" y="{HEIGHT - 5}" text-anchor="{anchor}">{escape(name)}</text>' for x, anchor, name in ends
    )
    axis = f'<line class="axis" x1="{LEFT}" x2="{WIDTH - LEFT}" y1="{HEIGHT - BOTTOM}" y2="{HEIGHT - BOTTOM}"/>'
    return _svg(HEIGHT, f"Histogram, {unit}", "".join(bars) + axis + labels)


def _columns(counts: Mapping[int, int] | Mapping[str, int]) -> list[tuple[str, int]]:
    """Names and counts of the columns; numbers that are missing have columns too, and many share one."""
    if not all(isinstance(value, int) for value in counts):
        return [(str(name), count) for name, count in counts.items()]
    values = {int(value): count for value, count in counts.items()}
    if not values:
        return []
    low, high = min(values), max(values)
    size = -(-(high - low + 1) // MOST_COLUMNS)
    columns = []
    for first in range(low, high + 1, size):
        last = min(first + size - 1, high)
        count = sum(values.get(value, 0) for value in range(first, last + 1))
        columns.append((f"{first}" if size == 1 else f"{first}-{last}", count))
    return columns


def outcome_bars(rows: Sequence[tuple[str, tuple[int, int, int]]]) -> str:
    """A bar for each row, divided into wins of the first player, draws and wins of the second.

    >>> outcome_bars([("random", (5, 3, 2))]).count("<rect")
    3
    """
    parts = []
    for at, (name, counts) in enumerate(rows):
        total, x, y = max(sum(counts), 1), float(NAME_WIDTH), at * ROW_HEIGHT
        parts.append(f'<text x="{NAME_WIDTH - 8}" y="{y + 15}" text-anchor="end">{escape(name)}</text>')
        for kind, count in zip(("first", "draw", "second"), counts, strict=True):
            width = (WIDTH - NAME_WIDTH - LEFT) * count / total
            if count:
                title = f"<title>{escape(f'{name}: {kind} {count / total:.1%}')}</title>"
                place = f'x="{n(x)}" y="{y + 3}" width="{n(width)}" height="{ROW_HEIGHT - 6}"'
                parts.append(f'<rect class="{kind}" {place}>{title}</rect>')
                if width > 40:
                    where = f'x="{n(x + width / 2)}" y="{y + 15}" text-anchor="middle"'
                    parts.append(f'<text class="on" {where}>{count / total:.0%}</text>')
            x += width
    return _svg(len(rows) * ROW_HEIGHT, "Outcomes by strength", "".join(parts))


def curves(games: Sequence[Sequence[float]]) -> str:
    """The win probabilities along games, each from left to right, with a line at one half.

    >>> curves([[0.5, 0.7, 1.0]]).count("<polyline")
    1
    """
    high = HEIGHT - BOTTOM - TOP
    longest = max(len(game) for game in games)
    parts = []
    for game in games:
        points = " ".join(
            f"{n(LEFT + (WIDTH - 2 * LEFT) * at / max(longest - 1, 1))},{n(TOP + high * (1 - chance))}"
            for at, chance in enumerate(game)
        )
        parts.append(f'<polyline class="curve" points="{points}"/>')
    middle = TOP + high / 2
    axis = f'<line class="axis" x1="{LEFT}" x2="{WIDTH - LEFT}" y1="{n(middle)}" y2="{n(middle)}"/>'
    labels = f'<text x="{LEFT}" y="{HEIGHT - 5}">move 1</text>'
    labels += f'<text x="{WIDTH - LEFT}" y="{HEIGHT - 5}" text-anchor="end">{longest}</text>'
    return _svg(HEIGHT, "Win probability along games", axis + "".join(parts) + labels)


def _svg(height: float, label: str, content: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {n(height)}" role="img" aria-label="{escape(label)}">{content}</svg>'
