"""Connect-k: Connect Four with rows of any length.

Everything is as in `connect_four`, the board and the state included; only the length of a row differs: `in_a_row`
stones along a row, a column or a diagonal. Any cell of it may be the missing one, but in a column only the highest.
"""

from zermelo.game import GameError
from zermelo.games.connect_four import ConnectFour
from zermelo.games.support.winning_lines import lines_in


class ConnectK(ConnectFour):
    """Drop a stone into a column; enough in a row, in any direction, win."""

    width: int = 9
    height: int = 6
    in_a_row: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        longest = max(self.width, self.height)
        if not 2 <= self.in_a_row <= longest:
            raise GameError(f"{self!r}: in_a_row must be a whole number from 2 to the longer side, {longest}.")

    def four(self, stones):
        """Return whether `in_a_row` of the stones are in a row."""
        for step in (1, self.height, self.height + 1, self.height + 2):
            rows = stones
            for i in range(1, self.in_a_row):
                rows &= stones >> i * step
            if rows:
                return True
        return False

    def highlights(self, state):
        return lines_in(self.board(state).cells, self.in_a_row)

    def threats(self, stones, mask):
        """The empty cells that would complete a row of these stones, whether they can be played yet or not."""
        threats = self.completing(stones, 1, 0)
        for step in (self.height, self.height + 1, self.height + 2):
            for above in range(self.in_a_row):
                threats |= self.completing(stones, step, above)
        return threats & (self.cells ^ mask)

    def completing(self, stones, step, above):
        """The cells with `above` of the stones after them, a step apart, and the rest of a row before them."""
        cells = self.cells
        for i in range(1, above + 1):
            cells &= stones >> i * step
        for i in range(1, self.in_a_row - above):
            cells &= stones << i * step
        return cells
