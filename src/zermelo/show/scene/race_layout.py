"""The layout of races: a track with homes and goals, and scores on their way to a goal."""

from __future__ import annotations

from dataclasses import replace

from zermelo.board import PLAYERS, Piece, Scores, Track
from zermelo.show.scene.count_layout import MAX_HAND, STONE_STEP
from zermelo.show.scene.places import CELL, LABEL_SPACE, MARGIN, Die, Label, Place, Plate, Scene

CHECKERS = {"X": Piece("X", 0, "●", "first player's checker"), "O": Piece("O", 1, "○", "second player's checker")}

SPOT_HEIGHT = 1.55 * CELL
"""The height of a spot: its checker, and its name below."""

TRAY_HEIGHT, TRAY_GAP = 0.8 * CELL, 10.0
FRAME = 10.0

SCORE_WIDTH, SCORE_HEIGHT = 6.5 * CELL, 1.1 * CELL
SCORE_STEP = SCORE_HEIGHT + 10
NAME_SHARE = 0.24
"""How far above the middle of a score its name stands, as a share of the height."""

LARGE_DIE = 1.4 * CELL


def track_scene(board: Track) -> Scene:
    """The spots in a row; the first player's home and goal above their ends, the second's below them."""
    most = max(3, *map(sum, zip(board.homes, board.goals, map(board.cells.count, CHECKERS), strict=True)))
    tray = STONE_STEP * min(most, MAX_HAND) + 24
    width = max(CELL * len(board.cells), 2 * tray + CELL)
    left, top = MARGIN + FRAME, MARGIN + LABEL_SPACE + FRAME
    spots = top + TRAY_HEIGHT + TRAY_GAP
    below = spots + SPOT_HEIGHT + TRAY_GAP
    bottom = below + TRAY_HEIGHT + FRAME
    start = left + (width - CELL * len(board.cells)) / 2
    xs = [start + CELL * (spot + 0.5) for spot in range(len(board.cells))]
    names = board.names or tuple(str(spot + 1) for spot in range(len(xs)))
    places = [
        Place(spot, x, spots + SPOT_HEIGHT / 2, CELL, SPOT_HEIGHT, "cell", f"spot {name}", CHECKERS.get(mark))
        for spot, (x, name, mark) in enumerate(zip(xs, names, board.cells, strict=True))
    ]
    labels = [Label(x, spots + SPOT_HEIGHT - 11, name) for x, name in zip(xs, board.names, strict=bool(board.names))]
    ends = (left + tray / 2, left + width - tray / 2)
    for side, (y, name_y) in enumerate(((top, MARGIN + 10), (below, bottom + 14))):
        for kind, (word, count) in enumerate(zip(board.ends, (board.homes[side], board.goals[side]), strict=True)):
            x, number = ends[side ^ kind], len(xs) + 2 * side + kind
            name = f"{PLAYERS[side]}'s {word}"
            place = Place(number, x, y + TRAY_HEIGHT / 2, tray, TRAY_HEIGHT, "pile", name, None, count, most, side)
            places.append(place)
            labels.append(Label(x, name_y, f"{word} {count}"))
        labels.append(Label(left + width / 2, y + TRAY_HEIGHT / 2, "→←"[side], "way"))
    right, middle = left + width + FRAME + MARGIN, left + width / 2
    dice, down = _dice(board.dice, middle, bottom + LABEL_SPACE + 6, CELL)
    plates = (Plate(MARGIN, top - FRAME, width + 2 * FRAME, bottom - top + FRAME, "frame"),)
    return Scene(right, down + MARGIN, plates, (), tuple(labels), tuple(places), dice)


def scores_scene(board: Scores) -> Scene:
    """A bar for each player, with the name and the points above it; the dice below both of them."""
    width, middle = SCORE_WIDTH + 2 * MARGIN, MARGIN + SCORE_WIDTH / 2
    places, labels = [], []
    for side, (name, points, stake) in enumerate(zip(PLAYERS, board.points, board.stakes, strict=True)):
        y = MARGIN + SCORE_HEIGHT / 2 + side * SCORE_STEP
        place = Place(side, middle, y, SCORE_WIDTH, SCORE_HEIGHT, "score", name, None, points, board.goal, side)
        places.append(place if not stake else replace(place, stake=stake))
        line = y - NAME_SHARE * SCORE_HEIGHT
        labels.append(Label(MARGIN + 34, line, name, anchor="start"))
        said = f"{points} + {stake}" if stake else str(points)
        labels.append(Label(width - MARGIN - 8, line, f"{said} of {board.goal}", "count", "end"))
    top = MARGIN + 2 * SCORE_STEP + 4
    dice, bottom = _dice(board.dice, middle, top, LARGE_DIE)
    if dice:
        across = dice[-1].x - dice[0].x + LARGE_DIE
        places.append(Place(2, middle, dice[0].y, across + 8, LARGE_DIE + 8, "dice", "the dice"))
    return Scene(width, bottom + MARGIN, (), (), tuple(labels), tuple(places), dice)


def _dice(faces: tuple[int, ...], middle: float, top: float, size: float) -> tuple[tuple[Die, ...], float]:
    """Return a row of dice about the middle, and where it ends below."""
    step = 1.2 * size
    start = middle - step * (len(faces) - 1) / 2
    dice = tuple(Die(start + step * i, top + size / 2, face, size) for i, face in enumerate(faces))
    return dice, top + (size if faces else 0)
