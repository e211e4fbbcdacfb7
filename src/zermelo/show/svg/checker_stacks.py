"""Stacks of checkers as parts of an SVG document: where each checker lies, and how it is drawn."""

from __future__ import annotations

from zermelo.show.scene.places import CELL, Place
from zermelo.show.svg.svg_elements import box, circle, n, text

TALLEST = 5
"""Checkers of a stack that are drawn one by one; a number stands on a higher one."""

RADIUS = 0.43 * CELL
THICK = 16.0
"""How much room a checker takes that stands in a tray."""


def is_stack(place: Place) -> bool:
    return place.grows != 0


def checker_y(place: Place, checker: int) -> float:
    """Where a checker of a stack lies, the first being 0; those of a high stack lie on each other."""
    start = place.y - place.grows * place.height / 2
    if place.shape == "slot":
        step = min(THICK, (place.height - 6) / max(place.count or 0, checker + 1))
        return start + place.grows * (3 + (checker + 0.5) * step)
    return start + place.grows * (2 * min(checker, TALLEST - 1) + 1) * RADIUS


def top_y(place: Place) -> float:
    """Where the checker lies that would move next, or where the first would be."""
    return checker_y(place, max((place.count or 0) - 1, 0))


def next_y(place: Place) -> float:
    """Where one more checker would lie."""
    return checker_y(place, place.count or 0)


def said(place: Place) -> str:
    """What stands on a point, in words; of a bar and of a tray one knows whose they are."""
    count = place.count or 0
    if not count:
        return "empty"
    checkers = f"{count} checker{'' if count == 1 else 's'}"
    if place.shape in ("bar", "slot") or place.side is None:
        return checkers
    return f"{checkers} of the {('first', 'second')[place.side]} player"


def ground(place: Place, last: bool) -> str:
    """The whole strip of a point answers to a click, and the triangle is seen."""
    strip = box(place, "zb-hit")
    marked = " zb-last" if last else ""
    if place.shape in ("bar", "slot"):
        return box(place, f"zb-hit{marked}", 6)
    half, edge = 0.46 * place.width, place.y - place.grows * place.height / 2
    tip = edge + place.grows * (place.height - 4)
    corners = f"{n(place.x - half)},{n(edge)} {n(place.x + half)},{n(edge)} {n(place.x)},{n(tip)}"
    return f'{strip}<polygon class="zb-{place.shape}{marked}" points="{corners}"/>'


def checkers(place: Place) -> str:
    """The checkers themselves, and their number where not all of them are seen."""
    count, side = place.count or 0, place.side or 0
    if place.shape == "slot":
        return "".join(_slab(place, checker, side) for checker in range(count))
    drawn = [_stone(place, checker, side) for checker in range(min(count, TALLEST))]
    number = text(place.x, top_y(place), str(count), f"zb-on{side}", size=26) if count > TALLEST else ""
    return "".join(drawn[:-1]) + f'<g class="zb-top">{drawn[-1]}{number}</g>' if drawn else ""


def target(place: Place) -> str:
    """A mark where one more checker would lie: around the uppermost of a stack that grows no higher."""
    if place.shape != "slot" and (place.count or 0) >= TALLEST:
        return circle(place.x, next_y(place), RADIUS + 1, "zb-targetring")
    return circle(place.x, next_y(place), 0.15 * CELL, "zb-target")


def _stone(place: Place, checker: int, side: int) -> str:
    y = checker_y(place, checker)
    ring = circle(place.x, y, 0.58 * RADIUS, "zb-ring1") if side == 1 else ""
    return circle(place.x, y, RADIUS - 1, f"zb-stone{side}") + ring


def _slab(place: Place, checker: int, side: int) -> str:
    """A checker seen from its edge."""
    high = abs(checker_y(place, 1) - checker_y(place, 0)) - 2 if (place.count or 0) > 1 else THICK - 2
    width, y = place.width - 14, checker_y(place, checker) - high / 2
    return (
        f'<rect class="zb-stone{side}" x="{n(place.x - width / 2)}" y="{n(y)}" width="{n(width)}" '
        f'height="{n(high)}" rx="3"/>'
    )
