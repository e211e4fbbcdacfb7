"""The plain games as OpenSpiel games in Python: on ints, as in plain_games, and one on an array, as its own are.

OpenSpiel's Python games keep an array of NumPy and look at it cell by cell or line by line. On ints it is faster, so
that what remains of the difference is the system's and not the board's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

COLUMNS, TOP = 7, 5
CELLS = sum(63 << 7 * column for column in range(COLUMNS))
WIDTH = 6
FAR = ((1 << WIDTH) - 1 << WIDTH * (WIDTH - 1), (1 << WIDTH) - 1)
"""The rows at which the first and the second player's pawns win."""
LINES = (
    *(15 << 4 * row for row in range(4)),
    *(0x1111 << column for column in range(4)),
    0x8421,
    0x1248,
)


class IntState(pyspiel.State):
    """A state on two ints; the cells of `mine` are those of the player to move."""

    def __init__(self, game: pyspiel.Game, mine: int = 0, theirs: int = 0) -> None:
        super().__init__(game)
        self.mine, self.theirs, self.player, self.over, self.won = mine, theirs, 0, False, 0.0

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.over else self.player

    def is_terminal(self) -> bool:
        return self.over

    def returns(self) -> list[float]:
        return [self.won, -self.won]

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def __str__(self) -> str:
        return f"{self.mine:x} {self.theirs:x} {self.player}"


class InARow(IntState):
    """The rules of plain_games.InARow."""

    def _legal_actions(self, player: int) -> list[int]:
        marked = self.mine | self.theirs
        return [cell for cell in range(16) if not marked >> cell & 1]

    def _apply_action(self, cell: int) -> None:
        marks = self.mine | 1 << cell
        for line in LINES:
            if marks & line == line:
                self.over, self.won = True, -1.0 if self.player else 1.0
                break
        else:
            self.over = marks | self.theirs == 0xFFFF
        self.mine, self.theirs = self.theirs, marks
        self.player = 1 - self.player


class FourInAColumn(IntState):
    """The rules of plain_games.FourInAColumn."""

    def _legal_actions(self, player: int) -> list[int]:
        stones = self.mine | self.theirs
        return [column for column in range(COLUMNS) if not stones >> (7 * column + TOP) & 1]

    def _apply_action(self, column: int) -> None:
        stones = self.mine | self.theirs
        ours = self.mine | stones + (1 << 7 * column) & ~stones
        for step in (1, 6, 7, 8):
            pairs = ours & ours >> step
            if pairs & pairs >> 2 * step:
                self.over, self.won = True, -1.0 if self.player else 1.0
                break
        else:
            self.over = ours | self.theirs == CELLS
        self.mine, self.theirs = self.theirs, ours
        self.player = 1 - self.player


class Breakthrough(IntState):
    """The rules of plain_games.Breakthrough, with its numbers of moves."""

    def __init__(self, game: pyspiel.Game) -> None:
        pawns = (1 << 2 * WIDTH) - 1
        super().__init__(game, pawns, pawns << WIDTH * (WIDTH - 2))

    def _legal_actions(self, player: int) -> list[int]:
        forward = -WIDTH if player else WIDTH
        mine, pawns, found = self.mine, self.mine | self.theirs, []
        for cell in range(WIDTH * WIDTH):
            if mine >> cell & 1:
                column, ahead = cell % WIDTH, cell + forward
                if column and not mine >> ahead - 1 & 1:
                    found.append(3 * cell)
                if not pawns >> ahead & 1:
                    found.append(3 * cell + 1)
                if column < WIDTH - 1 and not mine >> ahead + 1 & 1:
                    found.append(3 * cell + 2)
        return found

    def _apply_action(self, move: int) -> None:
        cell, side = divmod(move, 3)
        target = 1 << cell + (-WIDTH if self.player else WIDTH) + side - 1
        left = self.theirs & ~target
        if target & FAR[self.player] or not left:
            self.over, self.won = True, -1.0 if self.player else 1.0
        self.mine, self.theirs = left, self.mine ^ 1 << cell | target
        self.player = 1 - self.player


class InARowOnAnArray(pyspiel.State):
    """The rules of plain_games.InARow, written as OpenSpiel's own Python game of tic-tac-toe is."""

    def __init__(self, game: pyspiel.Game) -> None:
        super().__init__(game)
        self.player, self.over, self.won = 0, False, 0.0
        self.board = np.full((4, 4), ".")

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.over else self.player

    def _legal_actions(self, player: int) -> list[int]:
        return [cell for cell in range(16) if self.board[divmod(cell, 4)] == "."]

    def _apply_action(self, cell: int) -> None:
        mark = "o" if self.player else "x"
        self.board[divmod(cell, 4)] = mark
        if has_line(self.board, mark):
            self.over, self.won = True, -1.0 if self.player else 1.0
        elif all(self.board.ravel() != "."):
            self.over = True
        else:
            self.player = 1 - self.player

    def is_terminal(self) -> bool:
        return self.over

    def returns(self) -> list[float]:
        return [self.won, -self.won]

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{'o' if player else 'x'}{divmod(action, 4)}"

    def __str__(self) -> str:
        return "\n".join("".join(row) for row in self.board)


def has_line(board: Any, mark: str) -> bool:
    """Only the mark of the move is looked for, which is half of what OpenSpiel's own game does."""
    return (
        any(all(board[row] == mark) for row in range(4))
        or any(all(board[:, column] == mark) for column in range(4))
        or all(board.diagonal() == mark)
        or all(np.fliplr(board).diagonal() == mark)
    )


def register(name: str, state: type[pyspiel.State], actions: int, length: int) -> None:
    """Make the game known to OpenSpiel under the name."""
    kind = pyspiel.GameType(
        short_name=name,
        long_name=state.__doc__,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=length,
    )

    class PlainGame(pyspiel.Game):
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> pyspiel.State:
            return state(self)

    pyspiel.register_game(kind, PlainGame)


register("python_in_a_row", InARow, 16, 16)
register("python_in_a_row_array", InARowOnAnArray, 16, 16)
register("python_four_in_a_column", FourInAColumn, COLUMNS, 42)
register("python_breakthrough", Breakthrough, 3 * WIDTH * WIDTH, 2 * 2 * WIDTH * (WIDTH - 1))
