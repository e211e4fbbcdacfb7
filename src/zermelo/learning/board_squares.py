"""The squares of a board as data: what stands on each, where it lies, and which squares are neighbours."""

from __future__ import annotations

from zermelo.board import NOWHERE, Board, Grid, Hexes, Piles, Pits, Points, Tables, Track, parts_of

Place = tuple[float, float]

NEAR = 1.6
"""How much farther than the nearest square a neighbour may lie: diagonal neighbours of a grid are 1.41 times as far."""


def square_contents(board: Board | None) -> list[str | int]:
    """Return what stands on each square: a character, or a number of seeds, matches or checkers."""
    found: list[str | int] = []
    for part in parts_of(board):
        if isinstance(part, Grid | Hexes):
            found += [mark for row in part.cells for mark in row]
        elif isinstance(part, Points):
            found += [*part.cells]
        elif isinstance(part, Pits):
            stores = part.stores or ()
            found += [*part.first, *stores[:1], *part.second, *stores[1:]]
        elif isinstance(part, Tables):
            found += [*part.points, *part.bar, *part.off]
        elif isinstance(part, Piles):
            found += [*part.counts]
        elif isinstance(part, Track):
            found += [*part.cells, part.homes[0], part.goals[0], part.homes[1], part.goals[1]]
    return found


def square_places(board: Board | None) -> list[Place]:
    """Return where each square lies, as (column, row); the parts of a board lie far from each other."""
    found: list[Place] = []
    for number, part in enumerate(parts_of(board)):
        places: list[Place] = []
        if isinstance(part, Grid | Hexes):
            places = [
                (float(column), float(row)) for row, marks in enumerate(part.cells) for column in range(len(marks))
            ]
        elif isinstance(part, Points):
            places = [(float(x), float(y)) for x, y in part.places]
        elif isinstance(part, Pits):
            places = _pit_places(len(part.first), part.stores is not None)
        elif isinstance(part, Tables):
            half = len(part.points) // 2
            places = [(float(half - i), 1.0) if i < half else (float(i - half + 1), 0.0) for i in range(2 * half)]
            places += [(0.0, 0.0), (0.0, 1.0), (half + 1.0, 0.0), (half + 1.0, 1.0)]
        elif isinstance(part, Piles):
            places = [(float(i), 0.0) for i in range(len(part.counts))]
        elif isinstance(part, Track):
            places = [(float(i), 0.0) for i in range(len(part.cells))] + [(float(i), 1000.0) for i in range(4)]
        found += [(x, y + 1000.0 * number) for x, y in places]
    return found


def _pit_places(pits: int, stores: bool) -> list[Place]:
    first, second = [(1.0 + i, 1.0) for i in range(pits)], [(float(pits - i), 0.0) for i in range(pits)]
    return [*first, (pits + 1.0, 1.0), *second, (0.0, 0.0)] if stores else first + second


def is_hexagonal(board: Board | None) -> bool:
    """Return whether the cells are hexagons: of the diagonal neighbours of a grid, two are none."""
    return any(isinstance(part, Hexes) for part in parts_of(board))


def off_board(board: Board | None) -> set[int]:
    """Return the numbers of squares that are not part of the board."""
    return {number for number, content in enumerate(square_contents(board)) if content == NOWHERE}


def neighbours(places: list[Place], hexagonal: bool) -> list[list[int]]:
    """Return the neighbours of each place: those not much farther than the nearest one.

    >>> neighbours([(0, 0), (1, 0), (0, 1), (5, 5)], False)
    [[1, 2], [0, 2], [0, 1], [0, 1, 2]]
    """
    found: list[list[int]] = []
    for one, (x, y) in enumerate(places):
        distances = sorted((abs(x - u) ** 2 + abs(y - v) ** 2, two) for two, (u, v) in enumerate(places) if two != one)
        limit = distances[0][0] * NEAR**2 if distances else 0.0
        close = [two for distance, two in distances if distance <= limit]
        if hexagonal:
            close = [two for two in close if (places[two][0] - x) * (places[two][1] - y) <= 0]
        found.append(sorted(close))
    return found
