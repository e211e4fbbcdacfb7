"""A Game as a Python game of open_spiel: what `to_open_spiel` makes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyspiel

from zermelo import rules
from zermelo.arguments import checked_game
from zermelo.game import Game, GameError
from zermelo.games.adapters.encoding import WORD_BITS, Actions, Course, observation, width
from zermelo.games.registry import name_of

MAX_OUTCOMES = 1 << 10
"""The most outcomes that a chance state may have."""


def made(game: Game, actions: int | None, longest: int) -> pyspiel.Game:
    """The game of open_spiel, registered under a name of its own."""
    numbered = Actions(checked_game("to_open_spiel", game), actions, longest)
    kind, info = _type(game), _info(game, numbered, longest)

    class ThisState(SpielState):
        """Facts are class attributes, since open_spiel copies objects."""

    ThisState.game, ThisState.actions, ThisState.longest = game, numbered, longest

    class ThisGame(SpielGame):
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})

    ThisGame.state = ThisState
    pyspiel.register_game(kind, ThisGame)
    return ThisGame()


def _type(game: Game) -> pyspiel.GameType:
    name = re.sub(r"\W+", "_", name_of(game)).strip("_").lower()
    chance = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=f"zermelo_{name}",
        long_name=f"Zermelo: {game!r}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if rules.has_chance(game) else chance.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=_observed(game),
        parameter_specification={},
    )


def _info(game: Game, actions: Actions, longest: int) -> pyspiel.GameInfo:
    low, high = game.payoff_bounds
    most = max(-low, high)  # a game cut short is a draw, and either player may be the first
    return pyspiel.GameInfo(
        num_distinct_actions=actions.count,
        max_chance_outcomes=MAX_OUTCOMES if rules.has_chance(game) else 0,
        num_players=2,
        min_utility=float(-most),
        max_utility=float(most),
        utility_sum=0.0,
        max_game_length=longest,
    )


def _observed(game: Game) -> bool:
    try:
        width(game)
    except GameError:
        return False
    return True


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of open_spiel that asks a Game."""

    state: type[SpielState]

    def new_initial_state(self, state: Any = None) -> SpielState:
        return self.state(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.state.longest

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.state.game)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of open_spiel that plays by the rules of a Game."""

    game: Game
    actions: Actions
    longest: int

    def __init__(self, spiel: SpielGame) -> None:
        super().__init__(spiel)
        self.course = Course(self.game)

    @property
    def position(self) -> Any:
        """The state as Zermelo has it."""
        return self.course.state

    def is_chance(self) -> bool:
        return bool(self.game.is_chance(self.position))

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.is_chance() else self.course.player

    def is_terminal(self) -> bool:
        return self.course.plies >= self.longest or self.course.payoffs() is not None

    def returns(self) -> list[float]:
        return [float(payoff) for payoff in self.course.payoffs() or (0, 0)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The places of the outcomes with their probabilities."""
        return [(place, chance) for place, (_, chance) in enumerate(self.game.chances(self.position))]

    def _legal_actions(self, player: int) -> list[int]:
        return self.actions.legal(self.position)

    def _apply_action(self, action: int) -> None:
        self.course.play(self._move(action))

    def _move(self, action: int) -> Any:
        if self.is_chance():
            return rules.legal_actions(self.game, self.position)[action]
        return self.actions.move(self.position, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.game.move_text(self.position, self._move(action))

    def __str__(self) -> str:
        return self.game.state_text(self.position)


class Observer:
    """What both players see: the bits of the state, and its text."""

    def __init__(self, game: Game) -> None:
        self.game = game
        shape = (width(game), WORD_BITS) if _observed(game) else (0, WORD_BITS)
        self.tensor = np.zeros(shape[0] * WORD_BITS, np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        if len(self.tensor):
            self.dict["observation"][:] = observation(self.game, state.position)

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state)
