"""Stacks of checkers in SVG: the position of each checker, and its drawing."""

from __future__ import annotations

from zermelo.show.scene.places import CELL, Place
from zermelo.show.svg.svg_elements import box, circle, n, text

MAX_DRAWN_STACK = 5
"""Checkers of a stack that are drawn one by one; a higher stack shows its number."""

CHECKER_RADIUS = 0.43 * CELL
CHECKER_THICKNESS = 16.0
"""The thickness of a checker in a tray."""


def is_stack(place: Place) -> bool:
    return place.grows != 0


def checker_y(place: Place, checker: int) -> float:
    """Return the y of a checker of a stack, counted from 0; checkers beyond the limit overlap."""
    start = place.y - place.grows * place.height / 2
    if place.shape == "slot":
        step = min(CHECKER_THICKNESS, (place.height - 6) / max(place.count or 0, checker + 1))
        return start + place.grows * (3 + (checker + 0.5) * step)
    return start + place.grows * (2 * min(checker, MAX_DRAWN_STACK - 1) + 1) * CHECKER_RADIUS


def top_y(place: Place) -> float:
    """Return the y of the topmost checker, or that of the first if the stack is empty."""
    return checker_y(place, max((place.count or 0) - 1, 0))


def next_y(place: Place) -> float:
    """Return the y of one more checker."""
    return checker_y(place, place.count or 0)


def contents(place: Place) -> str:
    """Return the contents of a point in words; the name of a bar or a tray has the owner already."""
    count = place.count or 0
    if not count:
        return "empty"
    checkers = f"{count} checker{'' if count == 1 else 's'}"
    if place.shape in ("bar", "slot") or place.side is None:
        return checkers
    return f"{checkers} of the {('first', 'second')[place.side]} player"


def ground(place: Place, last: bool) -> str:
    """Return the clickable strip of a point and its visible triangle."""
    strip = box(place, "zb-hit")
    marked = " zb-last" if last else ""
    if place.shape in ("bar", "slot"):
        return box(place, f"zb-hit{marked}", 6)
    half, edge = 0.46 * place.width, place.y - place.grows * place.height / 2
    tip = edge + place.grows * (place.height - 4)
    corners = f"{n(place.x - half)},{n(edge)} {n(place.x + half)},{n(edge)} {n(place.x)},{n(tip)}"
    return f'{strip}<polygon class="zb-{place.shape}{marked}" points="{corners}"/>'


def checkers(place: Place) -> str:
    """Return the checkers, and their number if not all of them are visible."""
    count, side = place.count or 0, place.side or 0
    if place.shape == "slot":
        return "".join(_slab(place, checker, side) for checker in range(count))
    drawn = [_stone(place, checker, side) for checker in range(min(count, MAX_DRAWN_STACK))]
    number = text(place.x, top_y(place), str(count), f"zb-on{side}", size=26) if count > MAX_DRAWN_STACK else ""
    return "".join(drawn[:-1]) + f'<g class="zb-top">{drawn[-1]}{number}</g>' if drawn else ""


def target(place: Place) -> str:
    """Return the target mark where one more checker would lie: around the topmost of a full stack."""
    if place.shape != "slot" and (place.count or 0) >= MAX_DRAWN_STACK:
        return circle(place.x, next_y(place), CHECKER_RADIUS + 1, "zb-targetring")
    return circle(place.x, next_y(place), 0.15 * CELL, "zb-target")


def _stone(place: Place, checker: int, side: int) -> str:
    y = checker_y(place, checker)
    ring = circle(place.x, y, 0.58 * CHECKER_RADIUS, "zb-ring1") if side == 1 else ""
    return circle(place.x, y, CHECKER_RADIUS - 1, f"zb-stone{side}") + ring


def _slab(place: Place, checker: int, side: int) -> str:
    """Return a checker seen from its edge."""
    high = abs(checker_y(place, 1) - checker_y(place, 0)) - 2 if (place.count or 0) > 1 else CHECKER_THICKNESS - 2
    width, y = place.width - 14, checker_y(place, checker) - high / 2
    return (
        f'<rect class="zb-stone{side}" x="{n(place.x - width / 2)}" y="{n(y)}" width="{n(width)}" '
        f'height="{n(high)}" rx="3"/>'
    )
