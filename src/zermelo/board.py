"""Boards: a declarative description of how a state looks, the same for every front end.

`game.board(state)` returns one of these classes. Text, SVG, notebook, terminal and web page render it without knowing
the rules. The squares of a board are numbered from 0 in the order that its class defines; `game.squares(state, move)`
and clicks use these numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

EMPTY = "."
"""The character of an empty square."""

NOWHERE = " "
"""The character of a cell that is not part of the board; it is numbered all the same."""

PLAYERS = ("first player", "second player")
"""What the players are called in the descriptions of squares and pieces."""

SHAPES = (
    "lion", "elephant", "giraffe", "chick", "hen", "fox", "goose", "hare", "hound", "musketeer", "pin", "chocolate",
    "poison", "tile", "token", "both", "runner",
)  # fmt: skip
"""The pieces that pictures can draw. Words after "token" say how it looks: dark, tall, square, hollow."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The meaning of a character in the cells of a board.

    `side` is the player who owns the piece, None if neither. `glyph` is what is drawn: chess pieces as such, any other
    sign on a stone of that side, or alone if it has no owner; ● and ○ are the stone itself, ◉ and ◎ a crowned one. X
    and O without a glyph are a cross and a ring in the cells of a grid, and plain stones elsewhere; any other piece
    without a glyph is drawn as its character. `label` is its name for screen readers. `shape` is one of SHAPES, a
    drawing that takes the place of the glyph in pictures; text shows the glyph.

    >>> Piece("K", 0, "♚", "white king").label
    'white king'
    """

    mark: str
    side: int | None = None
    glyph: str = ""
    label: str = ""
    shape: str = ""

    def __post_init__(self) -> None:
        _texts("Piece", "mark, glyph, label and shape", (self.mark, self.glyph, self.label, self.shape))
        if self.shape and self.shape.split(" ")[0] not in SHAPES:
            raise ValueError(f"Piece: {self.shape!r} is no shape; {', '.join(SHAPES)} are.")
        if len(self.mark) != 1 or self.mark in (EMPTY, NOWHERE):
            raise ValueError(f"Piece: {self.mark!r} is no mark; one character is, but for {EMPTY!r} and {NOWHERE!r}.")
        if self.side not in (0, 1, None):
            raise ValueError(f"Piece: side is 0 or 1, or None if it is nobody's, not {self.side!r}.")


Pieces = tuple[str | Piece, ...]
"""The pieces of a board; of plain characters, the first is the first player's, and the next the second's."""

STONES: Pieces = ("X", "O")

Sides = tuple[str, str] | None
"""The names of the first and the second player, if they have names."""

Courses = tuple[str, str] | None
"""Where the pieces of the first and of the second player go, such as ("upwards", "downwards"), if it is not plain."""

COLOURS = ("White", "Black")
"""The names of the sides of chess and many other games."""

Colours = tuple[str, str] | None
"""The colours of the first and the second player, each one of PALETTE, if the board gives them."""

PALETTE = ("white", "black", "red", "blue", "green", "yellow", "orange", "purple", "brown", "pink", "grey")
"""The colours that a side can have. A side whose name is one of them has it; other sides are blue and orange."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in rows, the top row first, one character a cell and `.` for an empty one.

    Squares are numbered from 0 at the top left, row by row. `columns` and `rows` label the edges, if the game's
    notation names them; with `drop` pieces fall down a column, so that a move is a column rather than a cell;
    `checkered` colours the squares alternately, the one at the bottom left dark; `sides` name the players, such as
    ("White", "Black"), and `colours` say how their pieces are drawn, such as ("red", "blue"). `courses` are words for
    where they go, such as ("upwards", "downwards").

    >>> print(Grid(("X..", ".O.", "..."), columns=("a", "b", "c")).cells[1])
    .O.
    """

    cells: tuple[str, ...]
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    drop: bool = False
    pieces: Pieces = STONES
    checkered: bool = False
    sides: Sides = None
    colours: Colours = None
    courses: Courses = None

    def __post_init__(self) -> None:
        _texts("Grid", "cells", self.cells)
        _names("Grid", self.courses, "courses are where the pieces of the two players go", differ=False)
        _pieces("Grid", self.pieces)
        width = _width("Grid", self.cells)
        _names("Grid", self.sides)
        _check_colours("Grid", self.colours)
        _labels("columns", self.columns, width)
        _labels("rows", self.rows, len(self.cells))

    def __len__(self) -> int:
        return len(self.cells) * len(self.cells[0])


@dataclass(frozen=True, slots=True)
class Points:
    """Intersections joined by lines, as in morris: a character for each point, and where the points lie.

    `places` are (x, y) in any unit, y downwards; `lines` join points by their numbers; `names` label the points where
    the game's notation does; `sides` and `colours` are those of the players. Squares are the points in their order. An
    `edge` (point, one, other) is a point that stands for the whole line between two others: a stone there is drawn as
    that line in the colour of its player, as in Sim.

    >>> len(Points("X.O", ((0, 0), (1, 0), (2, 0)), ((0, 1), (1, 2))))
    3
    """

    cells: str
    places: tuple[tuple[float, float], ...]
    lines: tuple[tuple[int, int], ...] = ()
    names: tuple[str, ...] = ()
    pieces: Pieces = STONES
    sides: Sides = None
    colours: Colours = None
    edges: tuple[tuple[int, int, int], ...] = ()

    def __post_init__(self) -> None:
        _texts("Points", "cells", self.cells)
        _pieces("Points", self.pieces)
        _pairs("Points", "places", self.places)
        _pairs("Points", "lines", self.lines)
        _names("Points", self.sides)
        _check_colours("Points", self.colours)
        if not self.cells or len(self.cells) != len(self.places):
            raise ValueError(f"Points: {len(self.cells)} cells for {len(self.places)} places.")
        if len(set(self.places)) != len(self.places):
            raise ValueError("Points: two points lie at the same place.")
        if any(not 0 <= end < len(self.cells) for line in self.lines for end in line):
            raise ValueError(f"Points: a line ends at no point; the points are 0 to {len(self.cells) - 1}.")
        if any(len(edge) != 3 or not all(0 <= point < len(self.cells) for point in edge) for edge in self.edges):
            raise ValueError(f"Points: an edge is three points, each from 0 to {len(self.cells) - 1}.")
        _labels("names", self.names, len(self.cells))

    def __len__(self) -> int:
        return len(self.cells)


@dataclass(frozen=True, slots=True)
class Hexes:
    """Hexagonal cells in rows, the top row first, each row half a cell to the right of the one above, as in Hex.

    Squares are numbered row by row. A cell that is not part of the board is a space, so that other outlines can be cut
    from the rhombus. With `edges` the top and the bottom edge are drawn as the first player's, the left and the right
    one as the second's; `sides` and `colours` are those of the players.

    >>> len(Hexes(("X..", ".O.", "...")))
    9
    """

    cells: tuple[str, ...]
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    pieces: Pieces = STONES
    edges: bool = False
    sides: Sides = None
    colours: Colours = None

    def __post_init__(self) -> None:
        _texts("Hexes", "cells", self.cells)
        _pieces("Hexes", self.pieces)
        width = _width("Hexes", self.cells)
        _names("Hexes", self.sides)
        _check_colours("Hexes", self.colours)
        _labels("columns", self.columns, width)
        _labels("rows", self.rows, len(self.cells))

    def __len__(self) -> int:
        return len(self.cells) * len(self.cells[0])


@dataclass(frozen=True, slots=True)
class Pits:
    """Two rows of pits with a number of seeds each, and a store at either end, as in Kalah and Awari.

    The pits of the first player lie below, from left to right in the order of sowing, and that player's store at the
    right; those of the second lie above, from right to left. Squares are numbered in that order: the first player's
    pits, their store, the second player's pits, their store; without stores, the pits alone.

    >>> len(Pits((4, 4, 4), (4, 4, 4), (0, 0))), len(Pits((4, 4), (4, 4)))
    (8, 4)
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    stores: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        for seeds in (self.first, self.second, self.stores or ()):
            _counts("Pits", "first, second and stores", seeds)
        if not self.first or len(self.first) != len(self.second):
            raise ValueError(f"Pits: {len(self.first)} pits of the first player, {len(self.second)} of the second.")

    def __len__(self) -> int:
        return len(self.first) + len(self.second) + (0 if self.stores is None else 2)


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube of backgammon: its value, 0 in Crawford's game, and the player who owns it, or to whom it is
    offered; None where it lies in the middle.

    >>> Cube(2, 0, offered=True).words, Cube(4, 1).words, Cube(1).words
    ('2, offered by second player', '4, owned by second player', '1, in the middle')
    """

    value: int
    owner: int | None = None
    offered: bool = False

    def __post_init__(self) -> None:
        _counts("Cube", "value", (self.value,))
        if self.offered and self.owner is None:
            raise ValueError("Cube: an offered cube needs its owner, the player 0 or 1 to whom it is offered.")
        if self.owner not in (None, 0, 1):
            raise ValueError(f"Cube: the owner is player 0 or 1, or None in the middle, not {self.owner!r}.")

    @property
    def words(self) -> str:
        """The cube in words, for text and for screen readers."""
        if self.value == 0:
            return "none in Crawford's game"
        if self.owner is None:
            return f"{self.value}, in the middle"
        offered = f"offered by {PLAYERS[1 - self.owner]}"
        return f"{self.value}, {offered if self.offered else f'owned by {PLAYERS[self.owner]}'}"


@dataclass(frozen=True, slots=True)
class Tables:
    """Points on which checkers stack, a bar between them and trays for what is borne off, as in backgammon.

    `points` count the checkers on each point: a positive number of the first player's, or a negative one of the
    second's. Point 1 lies at the lower right; the others follow to the left, and back along the upper edge:

        13 14 15 16 17 18 | 19 20 21 22 23 24
        12 11 10  9  8  7 |  6  5  4  3  2  1

    `bar` and `off` are the checkers of the first and of the second player that wait on the bar, and that have left the
    board; `names` label the points, where they are not 1, 2, 3; `dice` lie in the middle, 0 for one not rolled yet.
    A `cube` and the `scores` of both players stand at the left; `courses` are words for where the checkers of either
    player go.

    Squares are the points in their order, then the first player's bar and the second's, and either player's tray. The
    squares of a move are those of its steps, from and to of each; the steps may be clicked in any order.

    >>> small = Tables((-2, 0, 3, 0, 0, -1, 0, 2), off=(0, 2))
    >>> len(small), len(small.points)
    (12, 8)
    """

    points: tuple[int, ...]
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)
    names: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    cube: Cube | None = None
    scores: tuple[str, ...] = ()
    courses: Courses = None

    def __post_init__(self) -> None:
        if self.cube is not None and not isinstance(self.cube, Cube):
            raise ValueError(f"Tables: cube is a Cube, not {self.cube!r}.")
        _labels("scores", self.scores, 2)
        _names("Tables", self.courses, "courses are where the checkers of the two players go", differ=False)
        for checkers in (self.points, self.bar, self.off, self.dice):
            _counts("Tables", "points, bar, off and dice", checkers)
        if not self.points or len(self.points) % 2:
            raise ValueError(f"Tables: {len(self.points)} points do not make two edges of the same length.")
        for name in ("bar", "off"):
            checkers = getattr(self, name)
            if len(checkers) != 2 or min(checkers) < 0:
                raise ValueError(f"Tables: {name} is how many checkers of either player are there, not {checkers!r}.")
        _labels("names", self.names, len(self.points))

    def __len__(self) -> int:
        return len(self.points) + 4


@dataclass(frozen=True, slots=True)
class Piles:
    """Heaps of matches, stones or points, with a name each where they have one. Each pile is a square.

    `owners` are the players whose stones lie in the piles, 0 or 1 each; without them, piles are of matches. With
    `room`, the most that a pile can hold, each match is a square instead: match i of pile p, from 0, is square
    p * room + i. Of equal piles the first stands for the others, if no move begins at them.

    >>> len(Piles((3, 4, 5))), len(Piles((3, 4, 5), room=5))
    (3, 15)
    """

    counts: tuple[int, ...]
    names: tuple[str, ...] = ()
    owners: tuple[int, ...] = ()
    room: int = 0

    def __post_init__(self) -> None:
        _counts("Piles", "counts", self.counts)
        _counts("Piles", "room", (self.room,))
        if self.room and (self.owners or self.room < max(self.counts, default=0)):
            raise ValueError(f"Piles: room is for the largest pile of matches, not {self.room!r}.")
        _labels("names", self.names, len(self.counts))
        _owners("Piles", self.owners, len(self.counts))

    def __len__(self) -> int:
        return len(self.counts) * (self.room or 1)


@dataclass(frozen=True, slots=True)
class Track:
    """A line of spots that the checkers of both players cross in opposite directions, as in Nannon.

    `cells` has a character for each spot, X for the first player's checker and O for the second's, as the first player
    goes: from the left to the right. `homes` and `goals` are how many checkers of either player wait before the track,
    and have left it; `ends` are the words for both. `names` label the spots, `dice` lie beside the track, and `courses`
    are words for where the checkers go.

    Squares are the spots, then the first player's home and goal, and the second's.

    >>> len(Track("XX..OO", (1, 1), (0, 0)))
    10
    """

    cells: str
    homes: tuple[int, int]
    goals: tuple[int, int]
    names: tuple[str, ...] = ()
    ends: tuple[str, str] = ("home", "goal")
    dice: tuple[int, ...] = ()
    courses: Courses = None

    def __post_init__(self) -> None:
        _texts("Track", "cells", self.cells)
        if not self.cells or set(self.cells) - set("XO" + EMPTY):
            raise ValueError(f"Track: cells are made of X, O and {EMPTY}, not {self.cells!r}.")
        _counts("Track", "dice", self.dice)
        for name in ("homes", "goals"):
            _both("Track", name, getattr(self, name))
        _labels("names", self.names, len(self.cells))
        _names("Track", self.ends, "ends are the words for a home and for a goal")
        _names("Track", self.courses, "courses are where the checkers of the two players go", differ=False)

    def __len__(self) -> int:
        return len(self.cells) + 4


@dataclass(frozen=True, slots=True)
class Scores:
    """The points of both players on their way to a `goal`, as in Pig: bars that grow.

    `stakes` are points that either player has not banked yet, and `dice` are what they are won with. Squares are the
    first player's score and the second's, and the dice.

    >>> len(Scores((20, 0), 100, stakes=(0, 14), dice=(0,)))
    3
    """

    points: tuple[int, int]
    goal: int
    stakes: tuple[int, int] = (0, 0)
    dice: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _counts("Scores", "goal and dice", (self.goal, *self.dice))
        if self.goal < 1:
            raise ValueError(f"Scores: the goal is at least 1, not {self.goal}.")
        for name in ("points", "stakes"):
            _both("Scores", name, getattr(self, name))

    def __len__(self) -> int:
        return 2 + bool(self.dice)


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice as they lie; 0 is one that is not rolled yet. They have no squares.

    >>> len(Dice((6, 1)))
    0
    """

    faces: tuple[int, ...]

    def __post_init__(self) -> None:
        _counts("Dice", "faces", self.faces)

    def __len__(self) -> int:
        return 0


@dataclass(frozen=True, slots=True)
class Fields:
    """Names with their values, as a table: scores, hands, the player to move, or a state that has no other board.

    A value with an owner, player 0 or 1, is a number of that player's stones, and pictures draw them.
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    owners: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _texts("Fields", "values", self.values)
        _labels("names", self.names, len(self.values))
        _owners("Fields", self.owners, len(self.values))
        if self.owners and not all(value.isdecimal() for value in self.values):
            raise ValueError(f"Fields: values with owners are numbers of stones, not {self.values!r}.")

    def __len__(self) -> int:
        return 0


@dataclass(frozen=True, slots=True)
class Together:
    """Several boards, one below the other, such as a grid and dice. Squares are numbered through all parts."""

    parts: tuple[Grid | Points | Hexes | Pits | Tables | Piles | Track | Scores | Dice | Fields, ...]

    def __post_init__(self) -> None:
        for part in _each("Together", "parts", "boards", self.parts):
            if not isinstance(part, Board) or isinstance(part, Together):
                raise ValueError(f"Together: parts are boards such as a Grid, not {part!r}.")

    def __len__(self) -> int:
        return sum(map(len, self.parts))


Board = Grid | Points | Hexes | Pits | Tables | Piles | Track | Scores | Dice | Fields | Together


def parts_of(board: Board | None) -> tuple[Board | None, ...]:
    """Return the parts of a Together, or the one board.

    >>> parts_of(Together((Dice((6,)), Dice((1,)))))
    (Dice(faces=(6,)), Dice(faces=(1,)))
    """
    return board.parts if isinstance(board, Together) else (board,)


def sides_of(board: Board | None) -> Sides:
    """Return the names of the players, if the board or a part of it has them.

    >>> sides_of(Together((Dice((6,)), Grid(("X",), sides=("Black", "White"))))), sides_of(Grid(("X",)))
    (('Black', 'White'), None)
    """
    named = (part.sides for part in parts_of(board) if isinstance(part, Grid | Points | Hexes))
    return next((sides for sides in named if sides), None)


def colours_of(board: Board | None) -> tuple[str | None, str | None]:
    """Return the colours of the players: those that the board gives, or that their names are; None for other names.

    >>> colours_of(Grid(("X",), sides=("Red", "Fox"))), colours_of(Grid(("X",), colours=("red", "grey")))
    (('red', None), ('red', 'grey'))
    """
    given = (part.colours for part in parts_of(board) if isinstance(part, Grid | Points | Hexes))
    first, second = next((colours for colours in given if colours), None) or sides_of(board) or ("", "")
    both = _colour(first), _colour(second)
    return both if both[0] != both[1] else (both[0], None)


def _colour(name: str) -> str | None:
    """The colour that a name is, in any case and in either spelling of grey."""
    lower = name.lower().replace("gray", "grey")
    return lower if lower in PALETTE else None


def turns(board: Board | None) -> bool:
    """Return whether a board can be flipped to the other player's view.

    >>> turns(Together((Grid(("..",)), Dice((6,))))), turns(Dice((6,))), turns(Together((Grid(("..",)), Piles((3,)))))
    (True, False, False)
    """
    two_sided, parts = (Grid, Points, Hexes, Pits, Tables), parts_of(board)
    return any(isinstance(part, two_sided) for part in parts) and all(
        isinstance(part, (*two_sided, Dice, Fields)) for part in parts
    )


# -- marks on a board --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tag:
    """A few characters on a square, such as the value of a move there, and their tone: win, draw, loss or estimate.

    `label` is the text for screen readers.
    """

    text: str
    tone: str = "estimate"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks on a board: squares of the last move, targets, arrows, values on squares, and squares to point out.

    `laid` says who has laid the tiles, which are nobody's by themselves, as in Domineering: a player and the squares of
    each. Pictures draw such a tile in one piece and in the colour of its player.
    """

    last: Sequence[int] = ()
    targets: Sequence[int] = ()
    arrows: Sequence[tuple[int, int]] = ()
    values: Mapping[int, Tag] = field(default_factory=dict)
    highlights: Sequence[int] = ()
    laid: Sequence[tuple[int, Sequence[int]]] = ()


# -- cells -------------------------------------------------------------------------------------------------------------


def piece_at(pieces: Pieces, mark: str) -> Piece | None:
    """Return the piece of a character; None if the square is empty or not part of the board.

    >>> piece_at(STONES, "O"), piece_at(STONES, "."), piece_at(STONES, "#").side
    (Piece(mark='O', side=1, glyph='', label='', shape=''), None, None)
    """
    if mark in (EMPTY, NOWHERE):
        return None
    side = 0
    for piece in pieces:
        if isinstance(piece, Piece):
            if piece.mark == mark:
                return piece
            continue
        if piece == mark:
            return Piece(mark, side if side < 2 else None)
        side += 1
    return Piece(mark)


def _width(kind: str, cells: tuple[str, ...]) -> int:
    widths = {len(row) for row in cells}
    if len(widths) != 1 or 0 in widths:
        lengths = ", ".join(map(str, sorted(widths))) or "no"
        raise ValueError(f"{kind}: the rows have different lengths, or none ({lengths} cells).")
    return widths.pop()


def _each(kind: str, name: str, things: str, values: Any) -> Iterable[Any]:
    """The values, if there are several: a single one where a tuple belongs is a frequent slip."""
    if not isinstance(values, Iterable):
        raise ValueError(f"{kind}: {name} are {things} in a tuple, not {values!r}.")
    return values


def _texts(kind: str, name: str, values: Any) -> None:
    for value in _each(kind, name, "texts", values):
        if not isinstance(value, str):
            raise ValueError(f"{kind}: {name} are texts, not {value!r} (str makes a text of it).")


def _counts(kind: str, name: str, values: Any) -> None:
    for value in _each(kind, name, "ints", values):
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise ValueError(f"{kind}: {name} are ints, not {value!r}.")


def _both(kind: str, name: str, counts: Any) -> None:
    _counts(kind, name, counts)
    if len(counts) != 2 or min(counts) < 0:
        raise ValueError(f"{kind}: {name} are a number for either player, not {counts!r}.")


def _pairs(kind: str, name: str, values: Any) -> None:
    for value in _each(kind, name, "pairs of numbers", values):
        if not isinstance(value, tuple | list) or len(value) != 2 or not all(isinstance(x, Real) for x in value):
            raise ValueError(f"{kind}: {name} are pairs of numbers, not {value!r}.")


def _pieces(kind: str, pieces: Any) -> None:
    for piece in _each(kind, "pieces", "characters or Pieces", pieces):
        if not isinstance(piece, str | Piece):
            raise ValueError(f"{kind}: pieces are characters or Pieces, not {piece!r}.")


def _names(kind: str, two: Sides, are: str = "sides are the names of the two players", differ: bool = True) -> None:
    if two is not None and (len(two) != 2 or not all(two) or (differ and two[0] == two[1])):
        raise ValueError(f"{kind}: {are}, not {two!r}.")


def _check_colours(kind: str, colours: Colours) -> None:
    if colours is None:
        return
    known = [_colour(each) for each in colours if isinstance(each, str)]
    if len(colours) != 2 or len(known) != 2 or None in known or known[0] == known[1]:
        raise ValueError(f"{kind}: colours are two of {', '.join(PALETTE)}, not {colours!r}.")


def _owners(kind: str, owners: Any, count: int) -> None:
    _counts(kind, "owners", owners)
    if owners and (len(owners) != count or not set(owners) <= {0, 1}):
        raise ValueError(f"{kind}: owners are a player for each value, 0 or 1, not {owners!r}.")


def _labels(name: str, labels: tuple[str, ...], count: int) -> None:
    _texts("Board", name, labels)
    if labels and len(labels) != count:
        raise ValueError(f"{name}: {len(labels)} labels for {count} places.")
