"""Boards: a declarative picture of a state, the same for every front end.

`game.board(state)` returns one of these; text, SVG and the web page are drawn from it, and know no rules.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in rows, the top row first, one character a cell and `.` for an empty one.

    `columns` and `rows` label the edges where the game's notation names them; `drop` says that pieces fall
    down a column, so that a move is a column rather than a cell.
    """

    cells: tuple[str, ...]
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    drop: bool = False


@dataclass(frozen=True, slots=True)
class Piles:
    """Heaps of matches, stones or points, with a name each where they have one."""

    counts: tuple[int, ...]
    names: tuple[str, ...] = ()


Board = Grid | Piles
