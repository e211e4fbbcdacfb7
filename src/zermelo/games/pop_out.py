"""Pop Out: Connect Four in which stones also leave the board at the bottom.

Instead of dropping a stone, a player may pop one of their own out of the bottom row; what stands above it falls by one.
Four in a row win. If a pop makes four for both, the player who popped wins. Play can cycle. A full board is no draw
while the player to move has a stone to pop.

The board is that of `connect_four`: bit column * (height + 1) + row, and the row above stays empty. A move below
`width` drops a stone into that column; from `width` on it pops one out of column move - width.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import has_bit, popcount
from zermelo.board import Grid
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.connect_four import RACK_COLOURS
from zermelo.games.support.grid_notation import PLAYERS, read_cells
from zermelo.games.support.parameters import check_types
from zermelo.games.support.winning_lines import lines_in
from zermelo.value import DRAW, LOSS, WIN


class State(NamedTuple):
    mine: int  # stones of the player to move
    theirs: int  # stones of the other player
    player: int  # 0 or 1: who is to move


class PopOut(Game):
    """Drop a stone into a column, or pop one of yours out of the bottom row; four in a row win."""

    width: int = 7
    height: int = 6

    alternates = True
    loops = True

    def __post_init__(self) -> None:
        check_types(self)
        if self.width < 1 or self.height < 1 or self.width * (self.height + 1) > 63:
            raise GameError(
                f"{self!r}: width and height must be at least 1 and width * (height + 1) at most 63, to fit in a word."
            )

    def initial(self):
        return State(0, 0, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        mask = state.mine | state.theirs
        for column in range(self.width):
            if not mask >> (column * (self.height + 1) + self.height - 1) & 1:
                yield column
        for column in range(self.width):
            if state.mine >> column * (self.height + 1) & 1:
                yield self.width + column

    def play(self, state, move):
        if move < self.width:
            mask = state.mine | state.theirs
            cell = mask + (1 << move * (self.height + 1)) & self.column(move) & ~mask
            return State(state.theirs, state.mine | cell, 1 - state.player)
        column = self.column(move - self.width)
        return State(self.popped(state.theirs, column), self.popped(state.mine, column), 1 - state.player)

    def popped(self, stones, column):
        """The stones after the lowest of a column has gone and the others have fallen."""
        return stones & ~column | (stones & column) >> 1 & column

    def column(self, number):
        return (1 << self.height) - 1 << number * (self.height + 1)

    def result(self, state):
        if self.four(state.theirs):
            return LOSS
        return WIN if self.four(state.mine) else ONGOING

    def stuck(self, state):
        return DRAW

    def four(self, stones):
        for step in (1, self.height, self.height + 1, self.height + 2):
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    # -- evaluation and symmetry -------------------------------------------------------------------------------

    def evaluate(self, state):
        """Four for each open line of four, three for a stone in the middle, one for a stone in the bottom row."""
        open_lines = self.lines(self.cells & ~state.theirs) - self.lines(self.cells & ~state.mine)
        middle = popcount(state.mine & self.middle) - popcount(state.theirs & self.middle)
        return 4 * open_lines + 3 * middle + popcount(state.mine & self.bottom) - popcount(state.theirs & self.bottom)

    def lines(self, cells):
        """Return how many fours fit into these cells."""
        count = 0
        for step in (1, self.height, self.height + 1, self.height + 2):
            pairs = cells & cells >> step
            count += popcount(pairs & pairs >> 2 * step)
        return count

    def order(self, state, move):
        """Drops before pops, and the middle first."""
        return (self.width if move < self.width else 0) - abs(2 * (move % self.width) - (self.width - 1))

    def symmetries(self, state):
        yield State(self.mirrored(state.mine), self.mirrored(state.theirs), state.player)

    def canonical(self, state):
        """The position or its mirror image, the same for both players."""
        mine, theirs = self.mirrored(state.mine), self.mirrored(state.theirs)
        if (mine, theirs) < (state.mine, state.theirs):
            return State(mine, theirs, 0)
        return State(state.mine, state.theirs, 0)

    def mirrored(self, stones):
        image = 0
        for column in range(self.width):
            moved = stones >> column * (self.height + 1) & (1 << self.height) - 1
            image |= moved << (self.width - 1 - column) * (self.height + 1)
        return image

    # -- constants of the board --------------------------------------------------------------------------------

    @cached_property
    def bottom(self):
        return sum(1 << column * (self.height + 1) for column in range(self.width))

    @cached_property
    def cells(self):
        return self.bottom * ((1 << self.height) - 1)

    @cached_property
    def middle(self):
        """The middle column, or the two of them."""
        return sum(self.column(number) for number in {(self.width - 1) // 2, self.width // 2})

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        first, second = (state.theirs, state.mine) if state.player else (state.mine, state.theirs)
        rows = []
        for row in range(self.height - 1, -1, -1):
            cells = [column * (self.height + 1) + row for column in range(self.width)]
            rows.append("".join("X" if has_bit(first, i) else "O" if has_bit(second, i) else "." for i in cells))
        return Grid(
            tuple(rows), tuple(str(column + 1) for column in range(self.width)), drop=True, colours=RACK_COLOURS
        )

    def squares(self, state, move):
        """Where the stone lands; of a pop, the cell from which it goes."""
        stones = (state.mine | state.theirs) & self.column(move % self.width)
        landing = popcount(stones) if move < self.width else 0
        return ((self.height - 1 - landing) * self.width + move % self.width,)

    def highlights(self, state):
        return lines_in(self.board(state).cells, 4)

    def move_text(self, state, move):
        return f"{move + 1}" if move < self.width else f"p{move - self.width + 1}"

    def state_text(self, state):
        return f"{'/'.join(self.board(state).cells)} {PLAYERS[state.player]}"

    def parse_state(self, text):
        *sides, player = read_cells(self, text, self.width, self.height)
        first, second = (
            sum(1 << self.bit(cell) for cell in range(self.width * self.height) if side >> cell & 1) for side in sides
        )
        mask = first | second
        if mask & ~(mask << 1 | self.bottom):
            raise GameError(f"{self!r}: {text!r} cannot arise, since a stone hangs in the air.")
        return State(second, first, 1) if player else State(first, second, 0)

    def bit(self, cell):
        """The bit of a cell that is counted row by row from the top left."""
        return cell % self.width * (self.height + 1) + self.height - 1 - cell // self.width
