"""The layout of backgammon tables: points along two edges, the bar between their halves, and trays at the right.

A checker that is hit lies on the bar at the side of its owner's home, from the middle outwards; one that is borne off
stands in the tray beside that home.
"""

from __future__ import annotations

from zermelo.board import PLAYERS, Tables
from zermelo.show.scene.places import CELL, MARGIN, Die, Label, Place, Plate, Scene, Sign

POINT_LENGTH = 4.5 * CELL
"""The length of a point from its edge."""

MIDDLE_GAP = CELL
"""The gap between the points of both edges, where the dice lie."""

NAME_SPACE = 32.0
"""The space for the names of points along an edge."""

SIDE_WIDTH = 1.5 * CELL
"""The width of the column for the cube and the score, such as 15/15."""

FRAME = 10.0
DIE_SIZE = 0.75 * CELL


def tables_scene(board: Tables) -> Scene:
    beside = _has_side(board)
    left, top = MARGIN + FRAME + beside * (SIDE_WIDTH + FRAME), MARGIN + NAME_SPACE + FRAME
    width, height = _column_x(board, _columns(board)), 2 * POINT_LENGTH + MIDDLE_GAP
    tray = left + width + FRAME
    middle, bar = left + width / 2, left + left_half(board) * CELL
    plates = (
        Plate(MARGIN, MARGIN + NAME_SPACE, tray + CELL + FRAME - MARGIN, height + 2 * FRAME, "frame"),
        Plate(left, top, bar - left, height, "felt"),
        Plate(bar + CELL, top, left + width - bar - CELL, height, "felt"),
        Plate(tray, top, CELL, height, "felt"),
        *((Plate(MARGIN + FRAME, top, SIDE_WIDTH, height, "felt"),) if beside else ()),
    )
    places = [_point(board, point, left, top) for point in range(len(board.points))]
    labels = [_label(board, place, top, height) for place in places]
    places += [
        _aside(len(board.points) + 2 * kind + side, "slot" if kind else "bar", side, checkers, x, top)
        for kind, (x, counts) in enumerate(((bar + CELL / 2, board.bar), (tray + CELL / 2, board.off)))
        for side, checkers in enumerate(counts)
    ]
    dice = _dice(board, (bar + CELL + left + width) / 2 if _columns(board) > 1 else middle, top + height / 2)
    right, bottom = tray + CELL + FRAME + MARGIN, top + height + FRAME + NAME_SPACE + MARGIN
    signs = _signs(board, MARGIN + FRAME + SIDE_WIDTH / 2, (left + bar) / 2, top, height)
    return Scene(right, bottom, plates, (), tuple(labels), tuple(places), dice, signs=signs)


def _has_side(board: Tables) -> bool:
    """Whether there is a column for the cube and the score, at the left."""
    return board.cube is not None or bool(board.scores)


def _signs(board: Tables, x: float, felt: float, top: float, height: float) -> tuple[Sign, ...]:
    """The cube before its owner, on the felt while it is offered or if there is none; the scores at the edges."""
    middle, reach = top + height / 2, height / 2 - 0.4 * CELL
    signs = [
        Sign(x, middle + (reach if side == 0 else -reach), score, "score", f"{PLAYERS[side]}: {score}")
        for side, score in enumerate(board.scores)
    ]
    if board.cube is not None:
        owner, words = board.cube.owner, f"cube: {board.cube.words}"
        away = 0.0 if owner is None or board.cube.offered else (reach - 0.9 * CELL) * (1 - 2 * owner)
        at = felt if board.cube.offered or not board.cube.value else x
        text, kind = (str(board.cube.value), "cube") if board.cube.value else ("Crawford game", "note")
        signs.append(Sign(at, middle + away, text, kind, words))
    return tuple(signs)


def _columns(board: Tables) -> int:
    return len(board.points) // 2


def left_half(board: Tables) -> int:
    """Return how many columns are left of the bar."""
    return (_columns(board) + 1) // 2


def _column_x(board: Tables, column: int) -> float:
    """Return the left end of a column; the bar is as wide as a column."""
    return (column + (column >= left_half(board))) * CELL


def column_of(board: Tables, point: int) -> int:
    """Return the column of a point, from the left: point 0 is the last of the lower edge.

    >>> board = Tables((0,) * 24)
    >>> [column_of(board, point) for point in (0, 11, 12, 23)]
    [11, 0, 0, 11]
    """
    columns = _columns(board)
    return columns - 1 - point if point < columns else point - columns


def point_names(board: Tables) -> tuple[str, ...]:
    return board.names or tuple(str(point + 1) for point in range(len(board.points)))


def _point(board: Tables, point: int, left: float, top: float) -> Place:
    checkers, lower = board.points[point], point < _columns(board)
    x = left + _column_x(board, column_of(board, point)) + CELL / 2
    y = top + POINT_LENGTH / 2 + (POINT_LENGTH + MIDDLE_GAP if lower else 0)
    side = None if checkers == 0 else int(checkers < 0)
    name, shape = f"point {point_names(board)[point]}", f"spike{point % 2}"
    return Place(point, x, y, CELL, POINT_LENGTH, shape, name, None, abs(checkers), side=side, grows=-1 if lower else 1)


def _aside(number: int, shape: str, side: int, checkers: int, x: float, top: float) -> Place:
    """Return one player's half of the bar, which is filled from the middle, or of the trays, filled from the edge.

    The first player's half is the lower one.
    """
    y = top + POINT_LENGTH / 2 + (0 if side else POINT_LENGTH + MIDDLE_GAP)
    outwards = 1 if side == 0 else -1
    name = f"{('first', 'second')[side]} player's {'bar' if shape == 'bar' else 'tray'}"
    grows = outwards if shape == "bar" else -outwards
    return Place(number, x, y, CELL, POINT_LENGTH, shape, name, None, checkers, side=side, grows=grows)


def _label(board: Tables, place: Place, top: float, height: float) -> Label:
    beyond = FRAME + NAME_SPACE / 2 + 1
    y = top - beyond if place.grows > 0 else top + height + beyond
    return Label(place.x, y, point_names(board)[place.number], "tip")


def _dice(board: Tables, x: float, y: float) -> tuple[Die, ...]:
    """The dice in the middle of the right half."""
    step = 1.25 * DIE_SIZE
    start = x - step * (len(board.dice) - 1) / 2
    return tuple(Die(start + step * i, y, face, DIE_SIZE) for i, face in enumerate(board.dice))
