"""Openings of a match: short random sequences of legal moves, or lines of a file.

Each opening is played twice, with colours swapped. Openings are distinct as far as the game has so many. Those after
which a short search proves who wins are left out: their games would only repeat the proof.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zermelo import rules
from zermelo.files import file_errors, read_file
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.games.registry import position
from zermelo.limits import Limit
from zermelo.searching import search

DEFAULT_PLIES = 4
"""Random plies of an opening."""

BALANCE_LIMIT = Limit(depth=4, nodes=1000)
"""The search that looks for openings which are already decided. It is reproducible, since it has no time limit."""

TRIES = 40
"""Attempts to find an opening that is new, and not decided; the last one is taken then as it is."""


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a state, and moves from it in the game's notation."""

    start: str
    moves: tuple[str, ...] = ()


def random_openings(game: Game, plies: int = DEFAULT_PLIES, seed: int = 0, balanced: bool = True) -> Iterator[Opening]:
    """Yield openings without end: the same for the same seed.

    >>> from zermelo.games.registry import load
    >>> openings = random_openings(load("tic_tac_toe"), plies=2, seed=1)
    >>> [" ".join(next(openings).moves) for _ in range(3)]
    ['a1 a2', 'a1 c1', 'a3 c3']
    """
    first = rules.initial_state(game)
    start = game.state_text(first)
    seen: set[State] = set()
    decided: dict[State, bool] = {}  # a small game has few openings, which come again and again
    dice = random.Random(f"openings {seed}")
    while True:
        for attempt in range(TRIES):
            moves, state = _random_line(game, first, plies, dice)
            if attempt == TRIES - 1 or plies == 0:
                break
            if state in seen:
                continue
            if balanced and state not in decided:
                decided[state] = _decided(game, state)
            if not decided.get(state, False):
                break
        seen.add(state)
        yield Opening(start, tuple(moves))


def _random_line(game: Game, state: State, plies: int, dice: random.Random) -> tuple[list[str], State]:
    """Random moves that do not end the game, as many as asked for or fewer; chance plays by its probabilities."""
    moves: list[str] = []
    while len(moves) < plies:
        if game.is_chance(state):
            outcomes, probabilities = zip(*game.chances(state), strict=True)
            ways = dice.choices(outcomes, probabilities)
        else:
            ways = rules.legal_actions(game, state)
            dice.shuffle(ways)
        for move in ways:
            child = rules.checked_play(game, state, move)
            if rules.payoff(game, child) == ONGOING:
                break
        else:
            break
        moves.append(game.move_text(state, move))
        state = child
    return moves, state


def _decided(game: Game, state: State) -> bool:
    """Whether a short search proves a winner."""
    if game.is_chance(state):
        return False
    value = search(game, state, BALANCE_LIMIT).value
    return bool(value.outcome) and rules.has_distance(game)


def openings_of_file(game: Game, path: str | Path) -> list[Opening]:
    """The openings of a file: a position in each line, as moves or as a state. Raise GameError for a bad line."""
    with file_errors(path, "read"):
        content = read_file(Path(path))
    try:
        lines = [line.strip() for line in content.decode().splitlines()]
    except UnicodeDecodeError:
        raise GameError(f"{path} holds no openings: it is not UTF-8.") from None
    openings = []
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        try:
            state = position(game, line)
        except GameError as error:
            raise GameError(f"{path}, line {number}: {error}") from None
        if rules.payoff(game, state) != ONGOING:
            raise GameError(f"{path}, line {number}: the game is over in {game.state_text(state)}.")
        openings.append(Opening(game.state_text(state)))
    if not openings:
        raise GameError(f"{path} holds no openings: write a position in each line.")
    return openings
