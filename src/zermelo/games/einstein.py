"""EinStein würfelt nicht! Numbered stones cross the board, and a die says which of them moves (Ingo Althöfer, 2004).

The players begin in opposite corners with as many stones as the die has faces. A stone moves one cell towards the other
corner: across, along or diagonally. It takes whatever stands there, also a stone of one's own. The die names the stone
that must move; if that one is off the board, the next higher or the next lower one that is left moves. A player
wins by reaching the opposite corner, or by taking the last stone of the other.

Either player counts the cells from their own corner, row by row, so cell 0 is where one begins and the last cell is the
goal. With six stones on five by five cells:

    1 2 3 . .        the stones of the first player, from the corner outwards; the second player's stand likewise
    4 5 . . .        in the opposite corner, seen from there
    6 . . . .

A move is 3 * stone + direction, the stone counted from 0.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.board import Dice, Grid, Piece, Together
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.parameters import check_types, check_whole
from zermelo.games.support.position_text import NoState
from zermelo.tuples import replace
from zermelo.value import LOSS

CAPTURED = -1
"""The cell of a stone that was taken."""

ACROSS, ALONG, DIAGONAL = 0, 1, 2
STONE_LETTERS = "abcdefghi"
"""Columns of the board, and stones of the second player."""
COURSES = ("from the top left corner, to the right and down", "from the bottom right corner, to the left and up")
"""The stones of both players are drawn as numbers, so that only these words tell them apart without colours."""


class State(NamedTuple):
    mine: tuple[int, ...]  # the cell of each stone of the player to move, counted from that player's corner
    theirs: tuple[int, ...]  # of the other player's stones, counted from the opposite corner
    die: int  # 0 before the roll
    player: int  # 0 or 1: who is to move


class EinStein(Game):
    """Reach the opposite corner, or take every stone; the die says which of your stones moves."""

    side: int = 5
    stones: int = 6
    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_whole(self, side=(2, 9), stones=(1, 9))
        check_types(self)
        for name in ("first", "second"):
            if tuple(sorted(getattr(self, name))) not in ((), tuple(range(1, self.stones + 1))):
                raise GameError(f"{self!r}: {name} must hold every number from 1 to {self.stones} once, or be empty.")
        if {*self.corner} & {self.last - cell for cell in self.corner}:
            raise GameError(f"{self!r}: the stones of both players do not fit into their corners.")

    @cached_property
    def last(self):
        """The goal."""
        return self.side * self.side - 1

    @cached_property
    def corner(self):
        """The cells nearest to a corner: one diagonal after the other until there is room for all, then row by row."""
        cells = sorted(range(self.side * self.side), key=lambda cell: sum(divmod(cell, self.side)))
        return tuple(sorted(cells[: self.stones]))

    def initial(self):
        return State(*self.begins, 0, 0)

    @cached_property
    def begins(self):
        """Where the stones of both players start."""
        numbers = range(1, self.stones + 1)
        orders = (order or tuple(numbers) for order in (self.first, self.second))
        return tuple(tuple(self.corner[order.index(number)] for number in numbers) for order in orders)

    def mover(self, state):
        return state.player

    def is_chance(self, state):
        return state.die == 0

    def chances(self, state):
        for number in range(1, self.stones + 1):
            yield number, 1 / self.stones

    def moves(self, state):
        if state.die > 0:
            lower, higher = state.die - 1, state.die - 1
            while lower >= 0 and state.mine[lower] == CAPTURED:
                lower -= 1
            while higher < self.stones and state.mine[higher] == CAPTURED:
                higher += 1
            for stone in range(max(lower, 0), min(higher, self.stones - 1) + 1):
                cell = state.mine[stone]
                for direction in range(3):
                    if cell != CAPTURED and self.next_cell(cell, direction) >= 0:
                        yield 3 * stone + direction

    def next_cell(self, cell, direction):
        """The next cell in a direction; -1 beyond the edge."""
        across, along = direction != ALONG, direction != ACROSS
        if (across and cell % self.side == self.side - 1) or (along and cell // self.side == self.side - 1):
            return -1
        return cell + across + self.side * along

    def play(self, state, move):
        if state.die == 0:
            return State(state.mine, state.theirs, move, state.player)
        stone = move // 3
        cell = self.next_cell(state.mine[stone], move % 3)
        mine, theirs = state.mine, state.theirs
        for i in range(self.stones):
            if mine[i] == cell:
                mine = replace(mine, i, CAPTURED)
            if theirs[i] == self.last - cell:
                theirs = replace(theirs, i, CAPTURED)
        return State(theirs, replace(mine, stone, cell), 0, 1 - state.player)

    def result(self, state):
        left = 0
        for i in range(self.stones):
            if state.theirs[i] == self.last:
                return LOSS
            left += state.mine[i] != CAPTURED
        return ONGOING if left else LOSS

    # -- evaluation, symmetry and solving ----------------------------------------------------------------------

    def evaluate(self, state):
        """The lead in distance to the goal and in the chance to move the right stone: an estimate of the payoff."""
        lead = self.strength(state.mine) - self.strength(state.theirs) + (0.05 if state.die == 0 else 0.1)
        return max(-0.95, min(0.95, lead))

    def strength(self, stones):
        """Return a sum over the stones: the nearest counts most, the more so the more numbers let it move."""
        best = 0.0
        for i in range(self.stones):
            if stones[i] != CAPTURED:
                gap = 1
                while i + gap < self.stones and stones[i + gap] == CAPTURED:
                    gap += 1
                before = 1
                while i - before >= 0 and stones[i - before] == CAPTURED:
                    before += 1
                far = max(self.side - 1 - stones[i] % self.side, self.side - 1 - stones[i] // self.side)
                best = max(best, (1 - far / self.side) * (0.7 + 0.3 * (gap + before - 1) / self.stones))
        return best

    def order(self, state, move):
        """Moves to the goal, then captures of the other player's stones, then advances; captures of own stones last."""
        cell = self.next_cell(state.mine[move // 3], move % 3)
        guess = 100 if cell == self.last else 2 * (move % 3 == DIAGONAL)
        for i in range(self.stones):
            guess += 10 * (state.theirs[i] == self.last - cell) - 5 * (state.mine[i] == cell)
        return guess

    def symmetries(self, state):
        """Rows and columns may be exchanged, and either player's stones be numbered the other way round."""
        for image in range(8):
            mine, theirs, die = state.mine, state.theirs, state.die
            for i in range(self.stones):
                number = self.stones - 1 - i if image & 1 else i
                mine = replace(mine, i, self.turned(state.mine[number], image >> 2))
                number = self.stones - 1 - i if image >> 1 & 1 else i
                theirs = replace(theirs, i, self.turned(state.theirs[number], image >> 2))
            if image & 1 and die > 0:
                die = self.stones + 1 - die
            yield State(mine, theirs, die, state.player)

    def turned(self, cell, across):
        """Return the cell, with its row and column exchanged if `across`."""
        return cell % self.side * self.side + cell // self.side if across and cell != CAPTURED else cell

    def stage(self, state):
        """Stones never move back, and what is taken stays away."""
        progress = 0
        for i in range(self.stones):
            progress += self.progress(state.mine[i]) + self.progress(state.theirs[i])
        return 2 * progress + (state.die > 0)

    def progress(self, cell):
        return 2 * self.side if cell == CAPTURED else cell % self.side + cell // self.side

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        pieces = [Piece(str(number), 0, "", f"stone {number} of the first player") for number in self.numbers]
        pieces += [
            Piece(STONE_LETTERS[number - 1], 1, str(number), f"stone {number} of the second player")
            for number in self.numbers
        ]
        columns, rows = tuple(STONE_LETTERS[: self.side]), tuple(str(self.side - row) for row in range(self.side))
        grid = Grid(self.rows(state), columns, rows, pieces=tuple(pieces), courses=COURSES)
        return Together((grid, Dice((state.die,))))

    @property
    def numbers(self):
        return range(1, self.stones + 1)

    def rows(self, state):
        """The board as text, the first player's corner at the top left; the second player's stones are letters."""
        first, second = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        cells = ["."] * (self.last + 1)
        for number in self.numbers:
            if first[number - 1] != CAPTURED:
                cells[first[number - 1]] = str(number)
            if second[number - 1] != CAPTURED:
                cells[self.last - second[number - 1]] = STONE_LETTERS[number - 1]
        text = "".join(cells)
        return tuple(text[row * self.side : (row + 1) * self.side] for row in range(self.side))

    def squares(self, state, move):
        if state.die == 0:
            return ()
        cell = state.mine[move // 3]
        cells = cell, self.next_cell(cell, move % 3)
        return cells if state.player == 0 else tuple(self.last - cell for cell in cells)

    def move_text(self, state, move):
        """The stone and where it goes: `3-b4`, or `3xb4` if it takes something there."""
        if state.die == 0:
            return str(move)
        square = self.squares(state, move)[1]
        takes = "".join(self.rows(state))[square] != "."
        column, row = STONE_LETTERS[square % self.side], self.side - square // self.side
        return f"{move // 3 + 1}{'x' if takes else '-'}{column}{row}"

    def state_text(self, state):
        return f"{'/'.join(self.rows(state))} {('first', 'second')[state.player]} {state.die}"

    def parse_state(self, text):
        board, _, rest = " ".join(text.split()).partition(" ")
        player, _, die = rest.partition(" ")
        rows = board.split("/")
        marks = [str(number) for number in self.numbers] + list(STONE_LETTERS[: self.stones])
        cells = "".join(rows)
        fits = [len(row) for row in rows] == [self.side] * self.side and set(cells) <= {*marks, "."}
        once = all(cells.count(mark) <= 1 for mark in marks)
        known = player in ("first", "second") and die in [str(number) for number in range(self.stones + 1)]
        if not (fits and once and known):
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.")
        first = tuple(cells.find(mark) for mark in marks[: self.stones])
        second = tuple(self.last - cells.find(mark) if mark in cells else CAPTURED for mark in marks[self.stones :])
        sides = (first, second) if player == "first" else (second, first)
        return State(*sides, int(die), ("first", "second").index(player))
