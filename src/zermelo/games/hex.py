"""Hex: join your two edges of the rhombus with a chain of stones (Piet Hein, 1942, and John Nash).

The first player joins top and bottom, the second left and right. A full board joins exactly one pair of edges, so there
is no draw. With the swap rule the second player may answer the first stone by taking it over: it becomes a stone of the
second player's, mirrored in the diagonal from a1, as the edges are.

A state is two bitboards, of two words each (support/wide_cells.py). Cells are numbered row by row from the top left,
where a1 is; each row lies half a cell to the right of the one above, so that a cell has six neighbours. With side 3:

    0 1 2            4 lies beside 3 and 5, below 1 and 2, above 6 and 7
     3 4 5
      6 7 8

A move is a cell, or the number of cells for a swap.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.board import Hexes
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.grid_notation import COLUMN_LETTERS, PLAYERS, read_cells, rows_of
from zermelo.games.support.parameters import check_types
from zermelo.games.support.wide_cells import (
    Cells,
    both,
    cells_in,
    count,
    either,
    first_cell,
    half_turn,
    is_empty,
    is_less,
    meet,
    moved_down,
    moved_up,
    number_of,
    one_cell,
    without,
    words_of,
)
from zermelo.value import LOSS, loss_in, win_in

MAX_SIDE = 11


class State(NamedTuple):
    mine: Cells  # stones of the player to move
    theirs: Cells  # stones of the other player
    player: int  # 0 or 1: who is to move


class Hex(Game):
    """Join your two edges with a chain of stones; there is no draw."""

    side: int = 7
    swap: bool = False

    alternates = True

    def __post_init__(self) -> None:
        check_types(self)
        if not 1 <= self.side <= MAX_SIDE:
            raise GameError(f"{self!r}: side must be a whole number from 1 to {MAX_SIDE}.")

    def initial(self):
        return State((0, 0), (0, 0), 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        free = without(self.cells, either(state.mine, state.theirs))
        for cell in cells_in(free):
            yield cell
        if self.swap and state.player == 1 and is_empty(state.mine) and count(state.theirs) == 1:
            yield self.swapping

    def play(self, state, cell):
        if cell == self.swapping:
            return State(state.mine, self.mirrored(state.theirs), 0)
        return State(state.theirs, either(state.mine, one_cell(cell)), 1 - state.player)

    def mirrored(self, stone):
        """The cell of a stone, mirrored in the diagonal from a1."""
        cell = first_cell(stone)
        return one_cell(cell % self.side * self.side + cell // self.side)

    def result(self, state):
        return LOSS if self.joined(state.theirs, 1 - state.player) else ONGOING

    def joined(self, stones, player):
        """Return whether the stones join the edges of this player."""
        begin, end = self.edges(player)
        return meet(self.flood(both(stones, begin), stones), end)

    def edges(self, player):
        """The cells of a player's two edges."""
        if player:
            return both(self.left, self.cells), both(self.right, self.cells)
        return both(self.top, self.cells), both(self.bottom, self.cells)

    def flood(self, reached, stones):
        """Return all stones connected to those reached (flood fill)."""
        more = reached
        while not is_empty(more):
            more = without(both(self.neighbours(reached), stones), reached)
            reached = either(reached, more)
        return reached

    def neighbours(self, cells):
        """The neighbours of some cells, in six directions."""
        left, right = without(cells, self.right), without(cells, self.left)
        near = either(moved_up(left, 1), moved_down(right, 1))
        near = either(near, either(moved_up(cells, self.side), moved_down(cells, self.side)))
        near = either(near, either(moved_up(right, self.side - 1), moved_down(left, self.side - 1)))
        return both(near, self.cells)

    # -- constants of the board --------------------------------------------------------------------------------

    @cached_property
    def swapping(self):
        """The swap move."""
        return self.side * self.side

    @cached_property
    def cells(self):
        return words_of((1 << self.side * self.side) - 1)

    @cached_property
    def top(self):
        return words_of((1 << self.side) - 1)

    @cached_property
    def bottom(self):
        return words_of((1 << self.side) - 1 << self.side * (self.side - 1))

    @cached_property
    def left(self):
        return words_of(sum(1 << row * self.side for row in range(self.side)))

    @cached_property
    def right(self):
        return words_of(sum(1 << (row + 1) * self.side - 1 for row in range(self.side)))

    # -- evaluation --------------------------------------------------------------------------------------------

    def distance(self, stones, others, player):
        """Return how many more stones would join this player's edges if the other player passed."""
        begin, end = self.edges(player)
        free = without(self.cells, others)
        reached, missing = self.flood(both(stones, begin), stones), 0
        while not meet(reached, end):
            near = either(either(reached, self.neighbours(reached)), begin)
            more = self.flood(both(near, free), stones)
            if is_empty(without(more, reached)):
                return self.swapping
            reached = more
            missing += 1
        return missing

    def evaluate(self, state):
        """Ten for each stone that the other player needs more, and five for the move."""
        mine = self.distance(state.mine, state.theirs, state.player)
        return 10 * (self.distance(state.theirs, state.mine, 1 - state.player) - mine) + 5

    def bounds(self, state):
        """A player needs as many moves to win as stones are missing."""
        mine = self.distance(state.mine, state.theirs, state.player)
        theirs = self.distance(state.theirs, state.mine, 1 - state.player)
        if mine == 1:
            return win_in(1), win_in(1)
        return loss_in(2 * theirs), win_in(2 * mine - 1)

    def order(self, state, cell):
        """From the centre to the edge, and beside stones before others; a swap comes first."""
        if cell == self.swapping:
            return 100
        row, column = cell // self.side, cell % self.side
        near = count(both(self.neighbours(one_cell(cell)), either(state.mine, state.theirs)))
        return 2 * near - abs(2 * row - self.side + 1) - abs(2 * column - self.side + 1)

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def symmetries(self, state):
        """Half a turn keeps the edges."""
        yield State(half_turn(state.mine, self.swapping), half_turn(state.theirs, self.swapping), state.player)

    def canonical(self, state):
        mine, theirs = half_turn(state.mine, self.swapping), half_turn(state.theirs, self.swapping)
        if is_less(mine, state.mine) or (mine == state.mine and is_less(theirs, state.theirs)):
            return State(mine, theirs, state.player)
        return state

    def stage(self, state):
        """Stones are never removed; a swap keeps their number and changes the player to move."""
        stones = count(state.mine) + count(state.theirs)
        return 2 * stones + (stones & 1 != state.player)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        first, second = (state.theirs, state.mine) if state.player else (state.mine, state.theirs)
        rows = rows_of(number_of(first), number_of(second), self.side, self.side)
        return Hexes(
            rows, tuple(COLUMN_LETTERS[: self.side]), tuple(str(row + 1) for row in range(self.side)), edges=True
        )

    def squares(self, state, cell):
        """The cell; of a swap, that of the stone and the one where it goes."""
        if cell != self.swapping:
            return (cell,)
        return tuple(dict.fromkeys((first_cell(state.theirs), first_cell(self.mirrored(state.theirs)))))

    def highlights(self, state):
        """The stones that join the edges of the player who has won."""
        if self.result(state) == ONGOING:
            return ()
        begin, _ = self.edges(1 - state.player)
        return tuple(cells_in(self.flood(both(state.theirs, begin), state.theirs)))

    def move_text(self, state, cell):
        return "swap" if cell == self.swapping else f"{COLUMN_LETTERS[cell % self.side]}{cell // self.side + 1}"

    def state_text(self, state):
        return f"{'/'.join(self.board(state).cells)} {PLAYERS[state.player]}"

    def parse_state(self, text):
        first, second, player = read_cells(self, text, self.side, self.side)
        ahead = first.bit_count() - second.bit_count()
        if ahead != player and not (self.swap and ahead == player - 1):
            raise GameError(f"{self!r}: {text!r} cannot arise, since the players take turns and X moves first.")
        mine, theirs = words_of(second if player else first), words_of(first if player else second)
        state = State(mine, theirs, player)
        if self.joined(state.mine, player):
            raise GameError(f"{self!r}: {text!r} cannot arise, since the player to move has won already.")
        return state
