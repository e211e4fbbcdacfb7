"""Boards as text, plain or in colour, in ASCII or Unicode."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rich.cells import cell_len
from rich.text import Text

from zermelo.board import (
    PLAYERS,
    Board,
    Dice,
    Fields,
    Grid,
    Hexes,
    Marks,
    Piles,
    Pits,
    Points,
    Scores,
    Tables,
    Tag,
    Together,
    Track,
    piece_at,
)
from zermelo.game import Game, State
from zermelo.show.scene.board_scene import MAX_DRAWN_MATCHES, board_of
from zermelo.show.scene.race_layout import CHECKERS
from zermelo.show.svg.theme import DEFAULT_SIDES, tints
from zermelo.show.text.square_text import LABEL_STYLE, LAST_MOVE_STYLE, Signs, dice
from zermelo.show.text.text_points import drawn_points
from zermelo.show.text.text_tables import drawn_tables


def text(game: Game, state: State, *, squares: Collection[int] = (), unicode: bool = False) -> str:
    """Return the board of a state as plain text.

    >>> from zermelo.games.registry import load, position
    >>> game = load("connect_four(4, 4)")
    >>> print(text(game, position(game, "2 2 3")))
      . . . .
      . . . .
      . O . .
      . X X .
      1 2 3 4
    """
    return picture(game, state, squares=squares, unicode=unicode).plain


def picture(
    game: Game,
    state: State,
    *,
    squares: Collection[int] = (),
    targets: Collection[int] = (),
    values: Mapping[int, Tag] | None = None,
    unicode: bool = True,
) -> Text:
    """Return the board of a state as Rich text for a terminal.

    `squares`, those of the last move, and `targets` are highlighted; `values` are written on squares. Without a `board`
    rule, the fields of the state are shown.
    """
    return drawn(board_of(game, state), Marks(tuple(squares), tuple(targets), (), values or {}), unicode=unicode)


def drawn(board: Board, marks: Marks, *, unicode: bool) -> Text:
    """Return a board with its marks as Rich text."""
    match board:
        case Grid():
            stones = board.drop or tints(board) != DEFAULT_SIDES
            return _grid(board, Signs(marks, unicode, round_stones=stones, tints=tints(board)))
        case Points():
            return drawn_points(board, Signs(marks, unicode, round_stones=True, tints=tints(board)))
        case Hexes():
            return _hexes(board, Signs(marks, unicode, round_stones=True, tints=tints(board)))
        case Pits():
            return _pits(board, Signs(marks, unicode))
        case Tables():
            return drawn_tables(board, Signs(marks, unicode))
        case Piles():
            return _piles(board, Signs(marks, unicode))
        case Track():
            return _together(_parts_of_track(board), marks, unicode)
        case Scores():
            return _together(_parts_of_scores(board), marks, unicode)
        case Dice():
            return dice(board.faces)
        case Fields():
            return _fields(board)
        case Together():
            return _together(board, marks, unicode)


# -- grids and hexagons ----------------------------------------------------------------------------------------------


def _grid(board: Grid, signs: Signs) -> Text:
    """Rows of cells with labels at the left and below, framed in Unicode."""
    rows = _cells(board, signs)
    cell = max([1, *map(len, board.columns), *(cell_len(sign.plain) for row in rows for sign in row)])
    margin = max([1, *map(len, board.rows)])
    blank, bar = " " * margin, "─" * ((cell + 1) * len(board.cells[0]) + 1)
    lines = []
    for row, label in zip(rows, board.rows or [""] * len(rows), strict=True):
        line = Text.assemble((f"{label:>{margin}} ", LABEL_STYLE), "│ " if signs.unicode else "")
        line.append_text(Text(" ").join(_padded(sign, cell) for sign in row))
        lines.append(line.append(" │" if signs.unicode else ""))
    if signs.unicode:
        lines = [Text(f"{blank} ┌{bar}┐"), *lines, Text(f"{blank} └{bar}┘")]
    if board.columns:
        labels = " ".join(f"{label:>{cell}}" for label in board.columns)
        lines.append(Text(f"{blank} {'  ' if signs.unicode else ''}{labels}", LABEL_STYLE))
    return _joined(lines)


def _cells(board: Grid | Hexes, signs: Signs) -> list[list[Text]]:
    width = len(board.cells[0])
    return [
        [signs.at(row * width + column, piece_at(board.pieces, mark), mark) for column, mark in enumerate(cells)]
        for row, cells in enumerate(board.cells)
    ]


def _hexes(board: Hexes, signs: Signs) -> Text:
    """Each row half a cell to the right of the one above."""
    rows = _cells(board, signs)
    cell = max([1, *map(len, board.columns), *(cell_len(sign.plain) for row in rows for sign in row)])
    cell += 1 - cell % 2  # half of a cell and its gap is a whole character
    margin = max([1, *map(len, board.rows)])
    lines = []
    if board.columns:
        labels = " ".join(f"{label:>{cell}}" for label in board.columns)
        lines.append(Text(f"{' ' * margin} {labels}", LABEL_STYLE))
    for number, (row, label) in enumerate(zip(rows, board.rows or [""] * len(rows), strict=True)):
        line = Text(" " * (number * (cell + 1) // 2)).append(f"{label:>{margin}} ", LABEL_STYLE)
        line.append_text(Text(" ").join(_padded(sign, cell) for sign in row)).rstrip()  # of cells that are not there
        lines.append(line)
    return _joined(lines)


def _padded(sign: Text, width: int) -> Text:
    return Text(" " * (width - cell_len(sign.plain))).append_text(sign)


# -- pits, piles and fields ------------------------------------------------------------------------------------------


def _pits(board: Pits, signs: Signs) -> Text:
    """The second player's pits above, from right to left, the first player's below, and a store at either end."""
    pits = len(board.first)
    start = pits + (board.stores is not None)
    first = [signs.number(pit, count) for pit, count in enumerate(board.first)]
    second = [signs.number(start + pit, count) for pit, count in enumerate(board.second)]
    cell = max(2, *(len(sign.plain) for sign in first + second))
    margin = max([len("second"), *(len(f"[{store}]") for store in board.stores or ())]) + 1
    names = [Text(f"{pit + 1:>{cell}}", LABEL_STYLE) for pit in range(pits)]
    rows = [("", names[::-1]), ("second", second[::-1]), ("first", first), ("", names)]
    lines = [
        Text(f"{name:<{margin}} ", LABEL_STYLE).append_text(Text(" ").join(_padded(sign, cell) for sign in row))
        for name, row in rows
    ]
    if board.stores is not None:
        mine, theirs = (signs.number((side + 1) * pits + side, board.stores[side], "[]") for side in (0, 1))
        between = Text(" " * ((cell + 1) * pits + 1))
        lines.insert(2, _padded(theirs, margin).append_text(between).append_text(mine))
    return _joined(lines)


def _piles(board: Piles, signs: Signs) -> Text:
    """Return a row for each pile: its name, its matches one by one if they are few, and their number."""
    names = board.names or ("",) * len(board.counts)
    margin = max(map(len, names), default=0)
    longest = max(board.counts, default=0)
    lines = []
    for number, (name, count) in enumerate(zip(names, board.counts, strict=True)):
        line = Text()
        line.append(f"{name:>{margin}}  ", LABEL_STYLE)
        if longest <= MAX_DRAWN_MATCHES:
            matches = " ".join(("┃" if signs.unicode else "|") * count).ljust(2 * longest)
            last = not board.room and number in signs.marks.last  # which match was taken, nobody sees
            line.append(matches, LAST_MOVE_STYLE if last else "").append(" ")
        line.append(str(count), "bold")
        first = number * (board.room or 1)
        for square in range(first, first + (count if board.room else 1)):
            line.append_text(signs.value(square, "  "))
        lines.append(line)
    return _joined(lines)


def _parts_of_track(board: Track) -> Together:
    """The spots in a row, and the homes and goals as piles below them, with the same squares."""
    spots = Grid((board.cells,), board.names, pieces=tuple(CHECKERS.values()))
    names = tuple(f"{player} {end}" for player in ("first", "second") for end in board.ends)
    counts = [board.homes[0], board.goals[0], board.homes[1], board.goals[1]]
    return Together((spots, Piles(tuple(counts), names, (0, 0, 1, 1)), Dice(board.dice)))


def _parts_of_scores(board: Scores) -> Together:
    values = (*board.points, sum(board.stakes), board.goal)
    table = Fields((*PLAYERS, "turn total", "target"), tuple(map(str, values)))
    return Together((table, Dice(board.dice)))


def _fields(board: Fields) -> Text:
    width = max(map(len, board.names), default=0)
    lines = [
        Text.assemble((f"{name:<{width}}", LABEL_STYLE), f"  {value}")
        for name, value in zip(board.names, board.values, strict=True)
    ]
    return _joined(lines)


# -- together --------------------------------------------------------------------------------------------------------


def _together(board: Together, marks: Marks, unicode: bool) -> Text:
    """Return the parts below each other, each with the marks of its own squares."""
    pictures, start = [], 0
    for part in board.parts:
        pictures.append(drawn(part, _of_part(marks, start, len(part)), unicode=unicode))
        start += len(part)
    return Text("\n\n").join(pictures)


def _of_part(marks: Marks, start: int, count: int) -> Marks:
    """The marks of the squares from `start` on, numbered from 0."""
    own = range(start, start + count)
    return Marks(
        tuple(square - start for square in marks.last if square in own),
        tuple(square - start for square in marks.targets if square in own),
        (),
        {square - start: tag for square, tag in marks.values.items() if square in own},
    )


def _joined(lines: list[Text]) -> Text:
    return Text("\n").join(lines)
