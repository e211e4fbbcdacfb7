"""2048 on a small board: slide the tiles, equal ones merge, and a new tile appears (Gabriele Cirulli, 2014).

The first player slides all tiles up, down, left or right, as far as they go. Two equal tiles that meet become one of
twice the number, and a tile merges once in a slide. A slide must change the board. Then a 2 or a 4 appears on an
empty cell. The player wins with a tile of the `target`, and loses if no slide is possible. Two tiles come at first.

    Twenty48      the new tile falls anywhere with the same chance, and is a 4 once in ten times
    Drop48        the second player chooses its cell, and whether it is a 2 or a 4: the worst case for the first player

The game for points is in points_2048.py.

A tile is written as its power of two, in four bits; cell 0, at the top left, is the lowest. The board is a word with a
sign, which sixteen cells fill. Two tiles of 32768, which four bits cannot double, do not merge. A move of the first
player is UP, DOWN, LEFT or RIGHT, a new tile is 2 * cell, and one more for a 4.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import signed
from zermelo.board import Grid, Piece
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.parameters import check_types, check_whole
from zermelo.games.support.position_text import NoState
from zermelo.value import LOSS, WIN

UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3
COLUMN_LETTERS = "abcdefghijklmno"
FOUR_PROBABILITY = 0.1
"""The probability that a new tile is a 4."""

LARGEST = 15
"""The largest tile, as a power of two."""


class State(NamedTuple):
    tiles: int  # powers of two, four bits a cell
    coming: int  # new tiles to come before the next slide: two at first


class Sliding(Game):
    """What all games share: the slides, and how the board looks."""

    width: int = 2
    height: int = 2

    def __post_init__(self) -> None:
        check_whole(self, width=(1, 15), height=(1, 15))
        if not 2 <= self.cells <= 16:
            raise GameError(f"{self!r}: the board must have 2 to 16 cells, to fit in a word.")
        check_types(self)

    @property
    def cells(self):
        return self.width * self.height

    def initial(self):
        return State(0, 2)

    def moves(self, state):
        if state.coming:
            for cell in range(self.cells):
                if not state.tiles >> 4 * cell & 15:
                    yield 2 * cell
                    yield 2 * cell + 1
        elif not self.reached(state.tiles):
            for direction in range(4):
                if self.slid(state.tiles, direction) != state.tiles:
                    yield direction

    def play(self, state, move):
        if state.coming:
            return State(signed(state.tiles | 1 + move % 2 << 4 * (move // 2)), state.coming - 1)
        return State(self.slid(state.tiles, move), 1)

    def slid(self, tiles, direction):
        """The board after a slide, which may change nothing."""
        across = direction >= LEFT
        lines, length = (self.height, self.width) if across else (self.width, self.height)
        result = 0
        for line in range(lines):
            place, merging = 0, 0  # where the next tile comes to lie, and what the one before it may merge with
            for i in range(length):
                tile = tiles >> 4 * self.cell(line, i, direction) & 15
                if tile and tile == merging and tile < LARGEST:
                    result += 1 << 4 * self.cell(line, place - 1, direction)
                    merging = 0
                elif tile:
                    result |= tile << 4 * self.cell(line, place, direction)
                    place, merging = place + 1, tile
        return signed(result)

    def cell(self, line, i, direction):
        """The i-th cell of a row or column, counted from the edge that tiles slide to."""
        if direction == LEFT:
            return line * self.width + i
        if direction == RIGHT:
            return line * self.width + self.width - 1 - i
        return (i if direction == UP else self.height - 1 - i) * self.width + line

    def reached(self, tiles):
        """Whether the game is over with this board."""
        return False

    def empty_cells(self, tiles):
        """How many cells have no tile."""
        empty = 0
        for cell in range(self.cells):
            empty += not tiles >> 4 * cell & 15
        return empty

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def total(self, tiles):
        total = 0
        for cell in range(self.cells):
            tile = tiles >> 4 * cell & 15
            total += 1 << tile if tile else 0
        return total

    def stage(self, state):
        """The total grows with every new tile, and a slide keeps it."""
        return self.total(state.tiles) + (state.coming > 0)

    def symmetries(self, state):
        """The board mirrored left to right, top to bottom, both, and on a square board also in the diagonal."""
        for image in range(8 if self.width == self.height else 4):
            tiles = 0
            for cell in range(self.cells):
                row, column = cell // self.width, cell % self.width
                if image & 1:
                    column = self.width - 1 - column
                if image & 2:
                    row = self.height - 1 - row
                if image & 4:
                    row, column = column, row
                tiles |= (state.tiles >> 4 * cell & 15) << 4 * (row * self.width + column)
            yield State(signed(tiles), state.coming)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        pieces = tuple(Piece(f"{power:X}", None, str(1 << power), f"{1 << power}") for power in range(1, 16))
        marks = [f"{state.tiles >> 4 * cell & 15:X}".replace("0", ".") for cell in range(self.cells)]
        text = "".join(marks)
        rows = tuple(text[row * self.width : (row + 1) * self.width] for row in range(self.height))
        columns, labels = (
            tuple(COLUMN_LETTERS[: self.width]),
            tuple(str(self.height - row) for row in range(self.height)),
        )
        return Grid(rows, columns, labels, pieces=pieces)

    def squares(self, state, move):
        """The cell of a new tile; for a slide two ends of a line, from where to where."""
        if state.coming:
            return (move // 2,)
        lines, length = (self.height, self.width) if move >= LEFT else (self.width, self.height)
        return self.cell((lines - 1) // 2, length - 1, move), self.cell((lines - 1) // 2, 0, move)

    def move_text(self, state, move):
        """A slide by its name, and a new tile by its cell and number, such as `a2:4`."""
        if not state.coming:
            return ("up", "down", "left", "right")[move]
        row, column = divmod(move // 2, self.width)
        return f"{COLUMN_LETTERS[column]}{self.height - row}:{4 if move % 2 else 2}"

    def state_text(self, state):
        """The tiles row by row, and how many are to come: `2 . / 4 2 1`."""
        numbers = [1 << (state.tiles >> 4 * cell & 15) for cell in range(self.cells)]
        tiles = ["." if number == 1 else str(number) for number in numbers]
        rows = [" ".join(tiles[row * self.width : (row + 1) * self.width]) for row in range(self.height)]
        return f"{' / '.join(rows)} | {state.coming}"

    def parse_state(self, text):
        board, _, coming = text.partition("|")
        rows = [row.split() for row in board.split("/")]
        numbers = {".": 0, **{str(1 << power): power for power in range(1, 16)}}
        fits = [len(row) for row in rows] == [self.width] * self.height and coming.strip() in ("0", "1", "2")
        if not fits or any(tile not in numbers for row in rows for tile in row):
            example = self.state_text(State(0x21, 0))
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.")
        tiles = [numbers[tile] for row in rows for tile in row]
        if tiles.count(0) < int(coming):
            raise GameError(f"{self!r}: {text!r} cannot arise, since there is no room for the tiles to come.")
        return State(signed(sum(power << 4 * cell for cell, power in enumerate(tiles))), int(coming))


class RandomTiles(Sliding):
    """What the games of one player share: chance places the new tiles."""

    def mover(self, state):
        return 0

    def is_chance(self, state):
        return state.coming > 0

    def chances(self, state):
        """Each empty cell alike, and a 4 once in ten times."""
        empty = self.empty_cells(state.tiles)
        for cell in range(self.cells):
            if not state.tiles >> 4 * cell & 15:
                yield 2 * cell, (1 - FOUR_PROBABILITY) / empty
                yield 2 * cell + 1, FOUR_PROBABILITY / empty


class Reaching(Sliding):
    """What the games for a target share: who reaches it wins, and who can no longer slide loses."""

    target: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.target not in [1 << power for power in range(3, 16)]:
            raise GameError(f"{self!r}: target must be a power of two from 8 to 32768.")

    @cached_property
    def target_power(self):
        """The target as a power of two."""
        return self.target.bit_length() - 1

    def reached(self, tiles):
        highest = 0
        for cell in range(self.cells):
            highest = max(highest, tiles >> 4 * cell & 15)
        return highest >= self.target_power

    def result(self, state):
        if not self.reached(state.tiles):
            return ONGOING
        return WIN if self.mover(state) == 0 else LOSS

    def stuck(self, state):
        return LOSS

    def evaluate(self, state):
        """The total of the tiles as a share of the target, and the empty cells."""
        room = self.empty_cells(state.tiles)
        estimate = -0.9 + 1.2 * self.total(state.tiles) / self.target + 0.3 * room / self.cells
        estimate = max(-0.95, min(0.95, estimate))
        return estimate if self.mover(state) == 0 else -estimate


class Twenty48(RandomTiles, Reaching):
    """Slide the tiles of a small board, merge equal ones, and reach the target before the board is full."""


class Drop48(Reaching):
    """2048 against somebody: one player slides the tiles, the other says where the next one falls."""

    def mover(self, state):
        return 1 if state.coming else 0
