"""The layout of pits, piles, dice and fields."""

from __future__ import annotations

from zermelo.board import Dice, Fields, Piles, Pits
from zermelo.show.scene.places import (
    CELL,
    HAND_STEP,
    LABEL_SPACE,
    MARGIN,
    MAX_DRAWN_MATCHES,
    Die,
    Hand,
    Label,
    Place,
    Plate,
    Scene,
    line_between,
)

MATCH_STEP, STONE_STEP = 16.0, 34.0
"""The distance between two matches, or two stones, of a pile."""

WIDE_PILE = 400.0
"""The width of a pile that is clicked match by match, unless its matches would be too far from each other."""

MAX_HAND = 12
"""Stones of a hand that are drawn; a larger one is a number alone."""

DIGIT = 10.0
"""The width of a digit of a value."""

MAX_VALUE_LENGTH = 60
"""Characters of a field's value; longer ones are shortened."""


def pits_scene(board: Pits) -> Scene:
    """The second player's row above, read from right to left, the first player's below."""
    pits = len(board.first)
    stores = 0.0 if board.stores is None else 1.25 * CELL
    left, top = MARGIN + stores + 8, MARGIN + LABEL_SPACE + 8
    pitch = 1.15 * CELL
    size = 0.95 * CELL
    places, labels = [], []
    for side, counts in enumerate((board.first, board.second)):
        for pit, count in enumerate(counts):
            x = left + ((pit if side == 0 else pits - 1 - pit) + 0.5) * pitch
            y = top + (1.5 if side == 0 else 0.5) * pitch
            number = pit + side * (pits + (board.stores is not None))
            name = f"{('first', 'second')[side]} player's pit {pit + 1}"
            places.append(Place(number, x, y, size, size, "pit", name, count=count, side=side))
            labels.append(Label(x, top + (2 * pitch + 20 if side == 0 else -20), str(count), "count"))
        if board.stores is not None:
            x = left + pits * pitch + stores / 2 if side == 0 else left - stores / 2
            number, name = (side + 1) * pits + side, f"{('first', 'second')[side]} player's store"
            seeds = board.stores[side]
            places.append(Place(number, x, top + pitch, CELL, 1.9 * CELL, "store", name, count=seeds, side=side))
            labels.append(Label(x, top + (2 * pitch + 20 if side == 0 else -20), str(board.stores[side]), "count"))
    places.sort(key=lambda place: place.number)
    width, height = 2 * stores + pits * pitch + 16, 2 * pitch
    return Scene(
        width + 2 * MARGIN,
        height + 2 * (MARGIN + LABEL_SPACE + 8),
        (Plate(MARGIN, top, width, height),),
        (),
        tuple(labels),
        tuple(places),
    )


def piles_scene(board: Piles) -> Scene:
    """A row for each pile: its name, its matches or a bar, and their number. A match may be a square itself."""
    names = board.names or tuple(f"pile {number + 1}" for number in range(len(board.counts)))
    margin = MARGIN + 8.5 * max(map(len, board.names), default=0) + (12 if board.names else 0)
    most = board.room or max(board.counts, default=0)
    step = STONE_STEP if board.owners else MATCH_STEP
    if board.room:
        step = min(STONE_STEP, max(MATCH_STEP, WIDE_PILE / most))
    width = max(step * min(most, MAX_DRAWN_MATCHES) + 24, 2 * CELL)
    height = CELL if board.room else 0.85 * CELL
    places, labels, plates = [], [], []
    for number, count in enumerate(board.counts):
        y = MARGIN + (number + 0.5) * (height + 6)
        side = board.owners[number] if board.owners else None
        pile = Place(number, margin + width / 2, y, width, height, "pile", names[number], None, count, most, side)
        if board.room:
            plates.append(Plate(margin, y - height / 2, width, height, "cell"))
            places += _matches(pile, step)
        else:
            places.append(pile)
        labels.append(Label(margin + width + 26, y, str(count), "count"))
    labels += [
        Label(margin - 10, MARGIN + (number + 0.5) * (height + 6), name, "label", "end")
        for number, name in enumerate(board.names)
    ]
    total = 2 * MARGIN + len(board.counts) * (height + 6)
    return Scene(margin + width + 52 + MARGIN, total, tuple(plates), (), tuple(labels), tuple(places))


def _matches(pile: Place, step: float) -> list[Place]:
    """The matches of a pile as squares, which touch each other."""
    left, first, count = pile.x - pile.width / 2 + 12, pile.number * pile.most, pile.count or 0
    return [
        Place(
            first + i,
            left + (i + 0.5) * step,
            pile.y,
            step,
            pile.height,
            "match",
            f"match {i + 1} of {pile.name}",
            count=count,
            heap=pile.number,
        )
        for i in range(count)
    ]


def dice_scene(board: Dice) -> Scene:
    step = CELL + 14
    dice = tuple(Die(MARGIN + CELL / 2 + i * step, MARGIN + CELL / 2, face) for i, face in enumerate(board.faces))
    return Scene(2 * MARGIN + max(len(dice) * step - 14, 0), 2 * MARGIN + CELL, dice=dice)


def fields_scene(board: Fields, scale: float = 1.0) -> Scene:
    """A table of two columns, its rows divided by thin lines; letters are larger by `scale`."""
    values = [shortened(value) for value in board.values]
    margin = MARGIN + 8.8 * scale * max(map(len, board.names), default=0) + 22
    width = margin + 9.6 * scale * max(map(len, values), default=0) + MARGIN
    width += HAND_STEP * (MAX_HAND + 1) if board.owners else 0
    row = 30.0 * scale
    height = 2 * MARGIN + row * len(values)
    labels, strokes = [], []
    for number, (name, value) in enumerate(zip(board.names, values, strict=True)):
        y = MARGIN + (number + 0.5) * row
        for x, text, kind in ((MARGIN, name, "label"), (margin, value, "field")):
            labels.append(Label(x, y, text, kind, "start", (width / 2 - x, height / 2 - y), scale))
        if number:
            strokes.append(line_between((MARGIN, y - row / 2), (width - MARGIN, y - row / 2), "rule"))
    return Scene(
        width,
        height,
        (),
        tuple(strokes),
        tuple(labels),
        hands=_hands(board, margin + (scale - 1) * DIGIT, row, width, height),
    )


def _hands(board: Fields, left: float, row: float, width: float, height: float) -> tuple[Hand, ...]:
    """The stones of values that have owners, beside their numbers, which begin at `left`."""
    x = left + 18 + DIGIT * max((len(value) for _, value in zip(board.owners, board.values, strict=False)), default=0)
    rows = enumerate(zip(board.owners, board.values, strict=False))
    placed = [(MARGIN + (number + 0.5) * row, int(value), side) for number, (side, value) in rows]
    return tuple(
        Hand(x, y, count, side, (width / 2 - x, height / 2 - y)) for y, count, side in placed if count <= MAX_HAND
    )


def shortened(value: str, most: int = MAX_VALUE_LENGTH) -> str:
    """Return the text on one line, cut off with an ellipsis if it is too long.

    >>> shortened("a long\\nvalue", 8)
    'a long …'
    """
    line = " ".join(value.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()} …"
