"""Boards: a declarative picture of a state, the same for every front end.

`game.board(state)` returns one of these; text, SVG and the web page are drawn from it, and know no rules.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in rows, the top row first, one character a cell and `.` for an empty one.

    Squares are numbered from 0 at the top left, row by row: `game.squares(state, move)` speaks of these. `columns`
    and `rows` label the edges where the game's notation names them; `drop` says that pieces fall down a column,
    so that a move is a column rather than a cell. `pieces` are the characters of the first and of the second player.

    >>> print(Grid(("X..", ".O.", "..."), columns=("a", "b", "c")).cells[1])
    .O.
    """

    cells: tuple[str, ...]
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    drop: bool = False
    pieces: tuple[str, str] = ("X", "O")

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.cells}
        if len(widths) != 1:
            raise ValueError(f"Grid: the rows have different lengths ({', '.join(map(str, sorted(widths)))} cells).")
        _labels("columns", self.columns, widths.pop())
        _labels("rows", self.rows, len(self.cells))


@dataclass(frozen=True, slots=True)
class Piles:
    """Heaps of matches, stones or points, with a name each where they have one."""

    counts: tuple[int, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _labels("names", self.names, len(self.counts))


Board = Grid | Piles


def _labels(name: str, labels: tuple[str, ...], count: int) -> None:
    if labels and len(labels) != count:
        raise ValueError(f"{name}: {len(labels)} labels for {count} places.")
