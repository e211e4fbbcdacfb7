"""The layout of a tree: subtrees side by side, as close as their outlines allow, each parent above its middle.

The rules are those of Reingold and Tilford (1981): nodes of one level are on one line, a subtree looks the same
wherever it occurs, and a tree and its mirror image are mirror images. Subtrees are pushed together once from the left
and once from the right, and the mean of both is taken: small ones between large ones are in the middle of their gap.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Box:
    """A node as the layout sees it: how far it reaches to the left and to the right of its middle, and its subtrees.

    `x` is its middle, from the left edge of the drawing; `level` counts from the root.
    """

    left: float
    right: float
    children: list[Box] = field(default_factory=list)
    x: float = 0.0
    level: int = 0


Outline = list[tuple[float, float]]
"""The leftmost and the rightmost place of a subtree on each level, from the middle of its root."""


def layout(roots: list[Box], gap: float) -> tuple[float, int]:
    """Set `x` and `level` of every box; returns the width of the drawing and its number of levels.

    >>> tree = Box(10, 10, [Box(10, 10), Box(10, 10), Box(10, 10)])
    >>> layout([tree], gap=5)
    (70.0, 2)
    >>> tree.x, [child.x for child in tree.children]
    (35.0, [10.0, 35.0, 60.0])
    """
    outlines = [_outline(root, gap) for root in roots]
    places = _places(outlines, gap)
    least = min(
        (left + place for outline, place in zip(outlines, places, strict=True) for left, _ in outline), default=0
    )
    most = max(
        (right + place for outline, place in zip(outlines, places, strict=True) for _, right in outline), default=0
    )
    for root, place in zip(roots, places, strict=True):
        _set_positions(root, place - least, 0)
    return most - least, max(map(len, outlines), default=0)


def _outline(box: Box, gap: float) -> Outline:
    """Place the subtrees of a box, each `x` for now counted from the box's own middle; returns the outline of all."""
    outlines = [_outline(child, gap) for child in box.children]
    for child, place in zip(box.children, _places(outlines, gap), strict=True):
        child.x = place
    below: Outline = []
    for child, outline in zip(box.children, outlines, strict=True):
        below = _joined(below, _moved(outline, child.x))
    return [(-box.left, box.right), *below]


def _places(outlines: list[Outline], gap: float) -> list[float]:
    """The middles of neighbouring subtrees, around 0."""
    mirrored = [[(-right, -left) for left, right in outline] for outline in reversed(outlines)]
    from_left = _packed(outlines, gap)
    from_right = [-place for place in reversed(_packed(mirrored, gap))]
    return [(left + right) / 2 for left, right in zip(_centred(from_left), _centred(from_right), strict=True)]


def _packed(outlines: list[Outline], gap: float) -> list[float]:
    """The middles of subtrees that are pushed together one after the other."""
    places: list[float] = []
    so_far: Outline = []
    for outline in outlines:
        place = max((done[1] - new[0] + gap for done, new in zip(so_far, outline, strict=False)), default=0.0)
        places.append(place)
        so_far = _joined(so_far, _moved(outline, place))
    return places


def _centred(places: list[float]) -> list[float]:
    middle = (places[0] + places[-1]) / 2 if places else 0.0
    return [place - middle for place in places]


def _moved(outline: Outline, by: float) -> Outline:
    return [(left + by, right + by) for left, right in outline]


def _joined(first: Outline, second: Outline) -> Outline:
    """The outline of two subtrees, the second at the right of the first; below the shallower one, that of the other."""
    both = [(left, right) for (left, _), (_, right) in zip(first, second, strict=False)]
    return both + first[len(both) :] + second[len(both) :]


def _set_positions(box: Box, x: float, level: int) -> None:
    """Convert positions relative to the parent into positions on the drawing."""
    box.x, box.level = x, level
    for child in box.children:
        _set_positions(child, x + child.x, level + 1)
