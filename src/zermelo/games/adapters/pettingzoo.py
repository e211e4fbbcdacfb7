"""PettingZoo: any Game as an environment of two agents who take turns (AEC), with action masks.

>>> from zermelo.games.connect_four import ConnectFour
>>> env = environment(ConnectFour(), actions=7)
>>> env.reset(seed=1)
>>> env.step(3)
>>> observation, reward, termination, truncation, info = env.last()
>>> env.agent_selection, observation["action_mask"].tolist(), observation["observation"].shape
('player_1', [1, 1, 1, 1, 1, 1, 1], (2, 64))

An observation has the bits of the state, a row of 64 for each of its numbers (see `encoding.observation`), and the mask
of the legal actions, all zeros for the agent who is not to move. The bits are the player's who is to move, as the state
is. Chance moves inside a step, from the seed of `reset`. Rewards come at the end: what the rules pay. A game that has
gone on for `longest` moves is truncated, and both rewards are 0.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from zermelo.game import Game, GameError
from zermelo.games.adapters.encoding import WORD_BITS, Actions, Course, observation, width

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError:
    raise GameError("PettingZoo is not installed; install it with: pip install 'zermelo[pettingzoo]'.") from None

AGENTS = ("player_0", "player_1")


def environment(
    game: Game, actions: int | None = None, longest: int = 1000, render_mode: str | None = None
) -> Environment:
    """The environment of a game; `actions` and `longest` are those of `to_open_spiel`."""
    return Environment(game, actions, longest, render_mode)


class Environment(AECEnv):  # type: ignore[misc]
    """A Game between the agents player_0 and player_1."""

    def __init__(
        self, game: Game, actions: int | None = None, longest: int = 1000, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.game = game
        self.actions = Actions(game, actions, longest)
        self.longest = longest
        self.render_mode = render_mode
        self.metadata = {"name": "zermelo_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = list(AGENTS)
        shape = width(game), WORD_BITS
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.int8),
                    "action_mask": spaces.Box(0, 1, (self.actions.count,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(self.actions.count) for agent in AGENTS}
        self.dice = random.Random()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        if seed is not None:
            self.dice = random.Random(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.course = Course(self.game)
        self.moves = 0
        self._go_on()

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        mask = np.zeros(self.actions.count, np.int8)
        if agent == self.agent_selection and not self._over():
            mask[self.actions.legal(self.course.state)] = 1
        return {"observation": observation(self.game, self.course.state), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or action not in self.actions.legal(self.course.state):
            where = self.game.state_text(self.course.state)
            raise GameError(f"{self.game!r}: {action} is not a legal action in {where}; the action mask has those.")
        self._cumulative_rewards[agent] = 0
        self.course.play(self.actions.move(self.course.state, action))
        self.moves += 1
        self._go_on()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The state in the game's notation."""
        return self.game.state_text(self.course.state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def _over(self) -> bool:
        return any(self.terminations.values()) or any(self.truncations.values())

    def _go_on(self) -> None:
        """Let chance move until a player is to move or the game is over, and update the agents."""
        game, course = self.game, self.course
        while course.payoffs() is None and game.is_chance(course.state):
            outcomes, chances = zip(*game.chances(course.state), strict=True)
            course.play(self.dice.choices(outcomes, chances)[0])
        payoffs = course.payoffs()
        self.rewards = dict(zip(AGENTS, payoffs or (0, 0), strict=True))
        self.terminations = dict.fromkeys(AGENTS, payoffs is not None)
        self.truncations = dict.fromkeys(AGENTS, payoffs is None and self.moves >= self.longest)
        self.agent_selection = AGENTS[course.player]
