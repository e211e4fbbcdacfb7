"""OpenSpiel's alpha-beta, on its own games in C++ and on the same game written in Python."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import pyspiel
from open_spiel.python.algorithms import minimax
from worker import counted, serve, sign, timed

SIZE = 4
FULL = (1 << SIZE * SIZE) - 1
LINES = (
    *(15 << 4 * row for row in range(4)),
    *(0x1111 << column for column in range(4)),
    0x8421,
    0x1248,
)

TYPE = pyspiel.GameType(
    short_name="python_in_a_row",
    long_name="Four in a row on a board of four by four",
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
INFO = pyspiel.GameInfo(
    num_distinct_actions=16,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=16,
)


class InARowGame(pyspiel.Game):
    """The rules of plain_games.InARow, on ints as there, so that the difference is the system's and not the board's."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self) -> InARowState:
        return InARowState(self)


class InARowState(pyspiel.State):
    def __init__(self, game: InARowGame) -> None:
        super().__init__(game)
        self.mine, self.theirs, self.player, self.over, self.won = 0, 0, 0, False, 0.0

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.over else self.player

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
            self.over = marks | self.theirs == FULL
        self.mine, self.theirs = self.theirs, marks
        self.player = 1 - self.player

    def is_terminal(self) -> bool:
        return self.over

    def returns(self) -> list[float]:
        return [self.won, -self.won]

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def __str__(self) -> str:
        return f"{self.mine:x} {self.theirs:x} {self.player}"


pyspiel.register_game(TYPE, InARowGame)


def versions() -> dict[str, Any]:
    return {"open_spiel": version("open_spiel")}


def search(game: str, starts: list[list[int]], depth: int) -> dict[str, Any]:
    states = [after(game, start) for start in starts]
    values, cpu = timed(lambda: [alphabeta(state, depth) for state in states])
    return {"values": [sign(value) for value in values], "cpu": cpu}


def nodes(game: str, starts: list[list[int]], depth: int) -> dict[str, Any]:
    """How many states the same searches visit, counted in a run of its own."""
    states = [after(game, start) for start in starts]
    calls = counted(minimax, "_alpha_beta", lambda: [alphabeta(state, depth) for state in states])
    return {"nodes": calls}


def alphabeta(state: Any, depth: int) -> float:
    value, _ = minimax.alpha_beta_search(
        state.get_game(), state=state, value_function=lambda _: 0.0, maximum_depth=depth
    )
    return float(value)


def leaves(game: str, start: list[int], depth: int) -> dict[str, Any]:
    return {"leaves": count_leaves(after(game, start), depth)}


def count_leaves(state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count_leaves(state.child(action), depth - 1) for action in state.legal_actions())


def after(game: str, moves: list[int]) -> Any:
    state = pyspiel.load_game(game).new_initial_state()
    for move in moves:
        state.apply_action(action(game, state, move))
    return state


def action(game: str, state: Any, move: int) -> int:
    """OpenSpiel's number of a move of plain_games: its own in Breakthrough, where the text says the squares."""
    if not game.startswith("breakthrough"):
        return move
    size = 6
    cell, side = divmod(move, 3)
    ahead = -1 if state.current_player() else 1
    row, column = divmod(cell, size)
    text = square(row, column, size) + square(row + ahead, column + side - 1, size)
    texts = {state.action_to_string(each).rstrip("*"): each for each in state.legal_actions()}
    return int(texts[text])


def square(row: int, column: int, size: int) -> str:
    """OpenSpiel's first player starts at the highest rank."""
    return f"{chr(ord('a') + column)}{size - row}"


if __name__ == "__main__":
    serve(versions=versions, search=search, nodes=nodes, leaves=leaves)
