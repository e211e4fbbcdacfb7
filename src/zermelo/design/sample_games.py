"""Self-play: games of engines of given strength, with the win probability after each move."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from zermelo import rules
from zermelo.game import ONGOING, Game, State
from zermelo.limits import Limit
from zermelo.play.engine import Engine
from zermelo.play.session import Session
from zermelo.play.win_probability import win_probability

MAX_PLIES = 400
"""Plies after which a game counts as endless."""

OPENING_PLIES = 2
"""Random plies before the engines begin, so that their games differ."""

COMPILE_SECONDS = 60.0
"""Seconds for the compiler, which are no time of the report; after them the search is interpreted."""


@dataclass(frozen=True)
class PlayedGame:
    """A game: its moves, who won (None for a draw), and the first player's win probability after each of the moves that
    an engine chose. `endless` says that it was given up.
    """

    moves: tuple[str, ...]
    winner: int | None
    chances: tuple[float, ...]
    endless: bool = False
    repeated: bool = False

    @property
    def points(self) -> float:
        """The score of the first player."""
        return 0.5 if self.winner is None else float(self.winner == 0)


def engine_of(game: Game, nodes: int) -> Engine:
    """An engine with these nodes for a move, compiled where that does not take too long; without a book."""
    engine = Engine(game, Limit(nodes=nodes), book=False, table=8)
    if game.native is not False:
        engine.prepare()
        engine.wait_for_compiler(COMPILE_SECONDS)
    return engine


def play_game(game: Game, engines: Sequence[Engine], opening: Sequence[str], seed: int) -> PlayedGame:
    """Play a game: `engines` are those of the first and the second player."""
    session = Session(game, seed=seed)
    for text in opening:
        session.enter(text)
    chances: list[float] = []
    while session.outcome is None and len(session.history) < MAX_PLIES:
        if session.is_chance:
            session.roll()
            continue
        player = session.player
        report = engines[player].choose(session.state, history=session.states)
        chances.append(win_probability(game, report.value, player))
        session.play(report.move)
    outcome = session.outcome
    moves = tuple(turn.text for turn in session.history)
    repeated = outcome is not None and rules.payoff(game, session.state) == ONGOING
    return PlayedGame(moves, None if outcome is None else outcome.winner, tuple(chances), outcome is None, repeated)


def random_opening(game: Game, seed: int, plies: int = OPENING_PLIES) -> list[str]:
    """Random moves from the start that do not end the game; rolls count as well."""
    dice, state, texts = random.Random(seed), rules.initial_state(game), list[str]()
    for _ in range(plies):
        move = _random_move(game, state, dice)
        after = rules.checked_play(game, state, move)
        if rules.payoff(game, after) != ONGOING:
            break
        texts.append(game.move_text(state, move))
        state = after
    return texts


def _random_move(game: Game, state: State, dice: random.Random) -> object:
    if game.is_chance(state):
        outcomes, weights = zip(*game.chances(state), strict=True)
        return dice.choices(outcomes, weights)[0]
    return dice.choice(rules.legal_actions(game, state))


def play_level(game: Game, nodes: int, seconds: float, seed: int, most: int = 200) -> list[PlayedGame]:
    """Games of an engine against itself, for this number of seconds, two at least."""
    engine = engine_of(game, nodes)
    return list(_until(seconds, most, lambda n: play_game(game, (engine, engine), random_opening(game, seed + n), n)))


def _until(seconds: float, most: int, play: Callable[[int], PlayedGame]) -> Iterator[PlayedGame]:
    end = time.monotonic() + seconds
    for number in range(most):
        if number >= 2 and time.monotonic() > end:
            return
        yield play(number)


def play_pairs(
    game: Game, nodes: tuple[int, int], seconds: float, seed: int, most: int = 100
) -> list[tuple[float, float]]:
    """The points of a stronger engine in pairs of games against a weaker one, each opening with both colours."""
    strong, weak = engine_of(game, nodes[0]), engine_of(game, nodes[1])
    end, pairs = time.monotonic() + seconds, list[tuple[float, float]]()
    for number in range(most):
        if pairs and time.monotonic() > end:
            break
        opening = random_opening(game, seed + number)
        first = play_game(game, (strong, weak), opening, number).points
        second = 1 - play_game(game, (weak, strong), opening, number).points
        pairs.append((first, second))
    return pairs
