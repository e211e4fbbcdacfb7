"""`report`: the figures that designers ask for, within a given time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from zermelo import rules
from zermelo.arguments import check_int, check_number, checked_game
from zermelo.design.game_report import GameReport, Level, PieRule, SkillStep
from zermelo.design.rule_coverage import dead_lines
from zermelo.design.sample_games import PlayedGame, engine_of, play_level, play_pairs
from zermelo.game import Game, State
from zermelo.limits import Limit
from zermelo.play.books.proven_book import Book, own_book
from zermelo.play.win_probability import win_probability
from zermelo.searching import search
from zermelo.simulation.playouts_api import playouts
from zermelo.simulation.playouts_result import Playouts
from zermelo.solving import solve
from zermelo.solving.estimation.size_estimate import Estimate, estimate
from zermelo.value import Value

LEVELS = (30, 300, 3000, 30_000)
"""Nodes a move of the engines that play against themselves."""

SKILL_NODES = (100, 400, 1600)
"""Nodes a move of the weaker players, against those with twice as many."""

SHARES = {"playouts": 0.08, "levels": 0.38, "skill": 0.28, "pie": 0.06, "dead": 0.05, "proven": 0.15}
"""What the parts of a report may take of its time."""

FIRST_PLAYOUTS, MOST_PLAYOUTS = 200, 1_000_000
PLAYOUT_PLIES = 1000
"""Plies after which a random game counts as endless."""

LEAST_SEARCH = 1.0
"""Seconds for a search, however short the report; small games are proven sooner."""

SOLVE_MARGIN = 0.5
"""The part of the time for proofs that the estimate of a solve may fill, since estimates err."""


def report(game: Game, minutes: float = 1.0, seed: int = 0) -> GameReport:
    """Measure a game: branching and length, first-player advantage, draws, drama, skill, pie rule, dead rules.

    It takes about `minutes`, without the time of the compiler. The games follow from the seed; how many there are
    depends on the machine. The result prints as a table, `save` writes a page with plots, and `save(path, other)` sets
    two versions of a game side by side.

    >>> import zermelo as z
    >>> made = z.report(z.load("tic_tac_toe"), minutes=0.005)
    >>> made.proven, max(made.playouts.branching)
    ('draw', 9)
    """
    checked_game("report", game)
    where = f"report of {game!r}"
    check_number(where, above_zero=True, minutes=minutes)
    check_int(where, seed=seed)
    engine_of(game, 1)  # so that no part of the report waits for the compiler
    start, total = time.monotonic(), 60.0 * minutes
    notes: list[str] = []
    random_games = _playouts(game, SHARES["playouts"] * total, seed)
    levels = _levels(game, SHARES["levels"] * total, seed)
    size = _estimate(game, notes)
    proven, known = _proven(game, size, SHARES["proven"] * total)
    return GameReport(
        game=game,
        playouts=random_games,
        levels=levels,
        skill=_skill(game, SHARES["skill"] * total, seed),
        pie=_pie(game, SHARES["pie"] * total, known),
        proven=proven,
        estimate=size,
        dead=_dead(game, levels, SHARES["dead"] * total, seed, notes),
        notes=tuple(notes),
        seconds=time.monotonic() - start,
    )


def _playouts(game: Game, seconds: float, seed: int) -> Playouts:
    """Random games, as many as fit in the time."""
    start = time.monotonic()
    found = playouts(game, n=FIRST_PLAYOUTS, seed=seed, limit=PLAYOUT_PLIES)
    took = max(min(found.seconds, time.monotonic() - start), 1e-6)
    n = min(int(FIRST_PLAYOUTS * seconds / took), MOST_PLAYOUTS)
    return playouts(game, n=n, seed=seed, limit=PLAYOUT_PLIES) if n > 2 * FIRST_PLAYOUTS else found


def _levels(game: Game, seconds: float, seed: int) -> tuple[Level, ...]:
    """Self-play at growing strength; a level that takes too long is the last."""
    made: list[Level] = []
    end = time.monotonic() + seconds
    for at, nodes in enumerate(LEVELS):
        left = end - time.monotonic()
        if made and left <= 0:
            break
        games = play_level(game, nodes, left / (len(LEVELS) - at), seed)
        made.append(Level(nodes, tuple(games)))
    return tuple(made)


def _skill(game: Game, seconds: float, seed: int) -> tuple[SkillStep, ...]:
    made: list[SkillStep] = []
    end = time.monotonic() + seconds
    for at, nodes in enumerate(SKILL_NODES):
        left = end - time.monotonic()
        if made and left <= 0:
            break
        pairs = play_pairs(game, (2 * nodes, nodes), left / (len(SKILL_NODES) - at), seed)
        made.append(SkillStep(nodes, tuple(pairs)))
    return tuple(made)


def _pie(game: Game, seconds: float, known: Known) -> PieRule | None:
    """The win probability of each first move, as far as it is known and else by a search.

    None where chance begins, or there is only one.
    """
    state = rules.initial_state(game)
    moves = rules.legal_actions(game, state)
    if game.is_chance(state) or len(moves) < 2:
        return None
    found = search(game, state, Limit(seconds=max(seconds, LEAST_SEARCH)), lines=len(moves))
    player = rules.mover(game, state) or 0
    lines = []
    for line in found.lines:
        child = game.play(state, line.pv[0])
        value, mover = known(child), rules.mover(game, child)
        seen = (line.value, player) if value is None else (value, 1 - player if mover is None else mover)
        lines.append((game.move_text(state, line.pv[0]), win_probability(game, *seen)))
    return PieRule(tuple(sorted(lines, key=lambda move: -move[1])))


def _estimate(game: Game, notes: list[str]) -> Estimate | None:
    try:
        return estimate(game, quick=True)
    except Exception as error:
        notes.append(f"The number of positions could not be estimated: {error}")
        return None


Known = Callable[[State], Value | None]
"""What is proven of a state, for the player to move there; None for nothing."""


def _proven(game: Game, size: Estimate | None, seconds: float) -> tuple[str | None, Known]:
    """The value of the game by a solve that fits in the time, by its book or by a search; and what they know of states.

    The value is None if neither has it.
    """
    if size is not None and size.high is not None and size.seconds < SOLVE_MARGIN * seconds:
        solution = solve(game)
        return str(solution.value()), lambda state: solution.value(state) if state in solution else None
    state = rules.initial_state(game)
    if game.is_chance(state):
        return None, _nothing
    book = own_book(game)
    if book is not None and (known := book.report(state)) is not None:
        return f"{known.value}, by the opening book", lambda state: _value_in_book(book, state)
    value = search(game, state, Limit(seconds=max(seconds, LEAST_SEARCH))).value
    return str(value) if value.exact else None, _nothing


def _nothing(state: State) -> None:
    """Nothing is proven."""


def _value_in_book(book: Book, state: State) -> Value | None:
    found = book.report(state)
    return None if found is None else found.value


def _dead(game: Game, levels: tuple[Level, ...], seconds: float, seed: int, notes: list[str]) -> tuple[Any, ...]:
    """Lines of the rules that no game reaches."""
    records = [_record(game, each) for level in levels for each in level.games[:5]]
    try:
        return tuple(dead_lines(game, records, seconds, seed))
    except Exception as error:  # rules that need machine code
        notes.append(f"The rules could not be traced: {error}")
        return ()


def _record(game: Game, played: PlayedGame) -> dict[str, Any]:
    return {"start": game.state_text(rules.initial_state(game)), "moves": list(played.moves), "seed": 0}
