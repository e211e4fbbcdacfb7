"""Elements of an SVG document: rectangles, circles, text, and coordinates short enough to read."""

from __future__ import annotations

import html
import re

from zermelo.show.scene.places import Place

XML_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not allow."""


def box(place: Place, kind: str, corner: float = 0) -> str:
    left, top = place.x - place.width / 2, place.y - place.height / 2
    return f'<rect class="{kind}" x="{n(left)}" y="{n(top)}" width="{n(place.width)}" height="{n(place.height)}"' + (
        f' rx="{n(corner)}"/>' if corner else "/>"
    )


def circle(x: float, y: float, radius: float, kind: str) -> str:
    return f'<circle class="{kind}" cx="{n(x)}" cy="{n(y)}" r="{n(radius)}"/>'


def text(
    x: float,
    y: float,
    text: str,
    kind: str,
    *,
    size: float | None = None,
    anchor: str = "middle",
    middle: tuple[float, float] | None = None,
) -> str:
    """Return a text element; `middle` is the centre about which it rotates with the board, if not its own position."""
    font = "" if size is None else f' style="font-size:{n(size)}px"'
    about = "" if middle is None else f' data-x="{n(middle[0])}" data-y="{n(middle[1])}"'
    place = f'x="{n(x)}" y="{n(y)}" dy=".35em" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place}{font}{about}>{escape(text)}</text>'


def escape(text: str) -> str:
    """Return the text escaped for XML.

    >>> escape("a < \\x00b")
    'a &lt; b'
    """
    return html.escape(XML_FORBIDDEN.sub("", text))


def n(number: float) -> str:
    """Return a coordinate with at most two decimals.

    >>> n(12.0), n(0.1 + 0.2), n(-0.001)
    ('12', '0.3', '0')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
