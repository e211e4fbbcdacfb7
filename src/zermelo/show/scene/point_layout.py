"""The layout of points and lines."""

from __future__ import annotations

import math
import re

from zermelo.board import Points, piece_at
from zermelo.show.scene.places import (
    CELL,
    LABEL_SPACE,
    LETTER,
    MARGIN,
    Label,
    Place,
    Scene,
    letter_scale,
    line_between,
    margin_for,
)

NAME_REACH = 14.0
"""The space that names of one letter around a board take."""

BESIDE = math.sin(math.pi / 8)
"""How far to the left or to the right of the middle a name lies, for 1 in its direction, that grows away from it."""


def points_scene(board: Points) -> Scene:
    scale = 1.1 * CELL / nearest(board.places)
    across, down = zip(*board.places, strict=True)
    left, top = min(across), min(down)
    edges = edge_names(board)
    around = edges is None and bool(board.names) and _has_loop(board)
    margin = MARGIN + CELL / 2 + (NAME_REACH if around else 0)
    width, height = (max(across) - left) * scale + 2 * margin, (max(down) - top) * scale + 2 * margin
    larger = letter_scale(width, height) if edges else 1.0
    longer = LETTER * (max(map(len, board.names)) - 1) if around else 0
    start = margin + (margin_for(tuple(edges[1].values()), larger) if edges else longer)
    width += start - margin + longer
    spots = [(start + (x - left) * scale, margin + (y - top) * scale) for x, y in board.places]
    names = board.names or tuple(f"point {number + 1}" for number in range(len(board)))
    ends = {point: (spots[one], spots[other]) for point, one, other in board.edges}
    places = tuple(
        Place(number, x, y, CELL, CELL, "point", name, piece_at(board.pieces, mark), ends=ends.get(number, ()))
        for number, ((x, y), name, mark) in enumerate(zip(spots, names, board.cells, strict=True))
    )
    strokes = tuple(line_between(spots[one], spots[two]) for one, two in board.lines)
    if edges is None:
        names_at = _around(board, places, (width / 2, height / 2)) if around else _beside(board, places)
        return Scene(width, height + (0 if around else LABEL_SPACE), (), strokes, names_at, places)
    labels = [Label(start + (x - left) * scale, height + 4, name, scale=larger) for x, name in edges[0].items()]
    labels += [
        Label(start - CELL / 2 - 8, margin + (y - top) * scale, name, anchor="end", scale=larger)
        for y, name in edges[1].items()
    ]
    return Scene(width, height + LABEL_SPACE, (), strokes, tuple(labels), places)


def edge_names(board: Points) -> tuple[dict[float, str], dict[float, str]] | None:
    """Return the labels of columns and rows if the names of all points consist of them, as a7 and d6 do; else None.

    >>> edge_names(Points("...", ((0, 0), (1, 0), (1, 1)), names=("a2", "b2", "b1")))
    ({0: 'a', 1: 'b'}, {0: '2', 1: '1'})
    >>> edge_names(Points("..", ((0, 0), (1, 0)), names=("top", "right")))
    """
    columns: dict[float, str] = {}
    rows: dict[float, str] = {}
    for (x, y), name in zip(board.places, board.names, strict=False):
        parts = re.fullmatch(r"([A-Za-z]+)(\d+)", name)
        if not parts or columns.setdefault(x, parts[1]) != parts[1] or rows.setdefault(y, parts[2]) != parts[2]:
            return None
    distinct = len(set(columns.values())) == len(columns) and len(set(rows.values())) == len(rows)
    return (dict(sorted(columns.items())), dict(sorted(rows.items()))) if board.names and distinct else None


def _has_loop(board: Points) -> bool:
    """Whether lines lead back to a point, as in no tree."""
    trees = {point: {point} for point in range(len(board))}
    for one, other in {(min(line), max(line)) for line in board.lines}:
        if other in trees[one]:
            return True
        joined = trees[one] | trees[other]
        trees.update(dict.fromkeys(joined, joined))
    return False


def _around(board: Points, places: tuple[Place, ...], middle: tuple[float, float]) -> tuple[Label, ...]:
    """Return names on the far sides of their points, seen from the middle, where no line and no mark is."""
    labels = []
    for place, name in zip(places, board.names, strict=False):
        if place.ends:  # its name is that of its ends
            continue
        x, y = place.x - middle[0], place.y - middle[1]
        away = math.hypot(x, y)
        x, y = (x / away, y / away) if away > CELL / 2 else (math.sin(math.pi / 8), -math.cos(math.pi / 8))
        reach = (0.4 if board.edges else 0.75) * CELL
        anchor = "start" if x > BESIDE else "end" if x < -BESIDE else "middle"
        labels.append(Label(place.x + reach * x, place.y + reach * y, name, "name", anchor))
    return tuple(labels)


def _beside(board: Points, places: tuple[Place, ...]) -> tuple[Label, ...]:
    """Return names beside their points: below if no line goes down, else above, away from the line that comes down."""
    ends = [sorted(line, key=lambda point: board.places[point][1]) for line in board.lines]
    above, parents = {high for high, _ in ends}, {low: high for high, low in ends}
    labels = []
    for place, name in zip(places, board.names, strict=False):
        if place.ends:  # its name is that of its ends
            continue
        if place.number not in above:
            labels.append(Label(place.x, place.y + (0.36 if place.piece is None else 0.6) * CELL, name, "name"))
            continue
        away = -1 if board.places[parents.get(place.number, place.number)][0] > board.places[place.number][0] else 1
        x = place.x + away * (0.18 if place.piece is None else 0.52) * CELL
        labels.append(Label(x, place.y - 0.2 * CELL, name, "name", "start" if away > 0 else "end"))
    return tuple(labels)


def nearest(places: tuple[tuple[float, float], ...]) -> float:
    """Return the least distance between two points."""
    distances = [math.dist(one, two) for i, one in enumerate(places) for two in places[:i]]
    return min((distance for distance in distances if distance > 0), default=1.0)
