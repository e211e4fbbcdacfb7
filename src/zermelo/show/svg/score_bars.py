"""Scores in SVG: a bar that grows towards the goal, and beyond it, paler, what is at stake."""

from __future__ import annotations

from zermelo.show.scene.places import Place
from zermelo.show.svg.svg_elements import box, circle, n

BAR_HEIGHT = 24.0
INSET = 8.0
"""The distance of the bar from the ends of its square."""

QUARTERS = (0.25, 0.5, 0.75)
"""The shares of the goal that are marked."""


def contents(place: Place) -> str:
    """Return a score in words."""
    stake = f", {place.stake} at stake" if place.stake else ""
    return f"{place.count} of {place.most}{stake}"


def ground(place: Place, last: bool) -> str:
    """Return the clickable square and the empty bar."""
    return box(place, "zb-hit") + _bar(place, 1.0, "zb-cell zb-last" if last else "zb-cell")


def bars(place: Place) -> str:
    """Return the stone of the player, the marks of the quarters, what is at stake and what is banked."""
    count, goal = place.count or 0, place.most
    left = place.x - place.width / 2
    stone = circle(left + 16, place.y - 0.24 * place.height, 8, f"zb-stone{place.side}")
    top, reach = _top(place) + 4, BAR_HEIGHT - 8
    marks = "".join(f"M{n(left + INSET + share * _width(place))} {n(top)}v{n(reach)}" for share in QUARTERS)
    stake = _bar(place, (count + place.stake) / goal, f"zb-stake{place.side}") if place.stake else ""
    banked = _bar(place, count / goal, f"zb-stone{place.side}") if count else ""
    return f'{stone}<path class="zb-rule" d="{marks}"/>{stake}{banked}'


def _width(place: Place) -> float:
    return place.width - 2 * INSET


def _top(place: Place) -> float:
    return place.y + place.height / 2 - BAR_HEIGHT - 5


def _bar(place: Place, share: float, kind: str) -> str:
    """Return a bar of a share of the goal; the shortest one is still seen, and none is longer than the goal."""
    width = min(max(share * _width(place), 6.0), _width(place))
    left = place.x - place.width / 2 + INSET
    corner = min(BAR_HEIGHT, width) / 2 if width < BAR_HEIGHT else 9
    return (
        f'<rect class="{kind}" x="{n(left)}" y="{n(_top(place))}" width="{n(width)}" height="{n(BAR_HEIGHT)}" '
        f'rx="{n(min(corner, 9))}"/>'
    )
