"""A match of two engines for the page: every move is a record with the game so far and the score."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from zermelo import rules
from zermelo.app.web.handlers import PositionRequest, SearchStopped, require_native
from zermelo.app.web.pools.search_pool import Job, SearchControl
from zermelo.game import ONGOING
from zermelo.limits import Limit
from zermelo.matches.match_result import MatchResult, elo_text
from zermelo.play.engine import Engine
from zermelo.play.levels import FULL_STRENGTH
from zermelo.play.session import Session
from zermelo.play.win_probability import win_probability

MATCH_MOVE_SECONDS = 1.0
"""Seconds for a move of the highest level; the others need less."""

COMPILE_WAIT = 10.0
"""Seconds for which a match waits for the compiler."""

MAX_MATCH_SECONDS = 1800.0
"""Seconds after which a match ends, finished or not: a page that was left open must not keep the server busy."""

OUT_OF_TIME = "The match ends here: it may take half an hour."

MAX_MATCH_PLIES = 400
"""Plies after which a game is drawn."""

OPENING_PLIES = 2
"""Random plies of each pair of games but the first, so that they differ."""


@dataclass
class _Score:
    """The games that are over, as `MatchResult` knows them."""

    games: list[dict[str, Any]] = field(default_factory=list)

    def record(self) -> dict[str, Any]:
        result = MatchResult(("first", "second"), tuple(self.games))
        low, high = result.interval
        between = f"{elo_text(result.elo)}, between {elo_text(low)} and {elo_text(high)}" if self.games else ""
        return {"counts": list(result.counts), "elo": between}


def play_match(request: PositionRequest, first: int, second: int, games: int, seed: int) -> Job:
    """Play games of two levels from a position, with colours swapped; yield a record after each move."""

    def job(control: SearchControl) -> Iterator[Any]:
        limit = Limit(seconds=MATCH_MOVE_SECONDS)
        engines = [Engine(request.game, limit, level=level, book=False) for level in (first, second)]
        require_native(engines[0], control)
        if request.loaded.compiling:
            control.announce_duration(COMPILE_WAIT)
            request.loaded.wait_for_compiler(COMPILE_WAIT, lambda: control.stopped)
        score, end = _Score(), time.monotonic() + MAX_MATCH_SECONDS
        for number in range(games):
            seats = (0, 1) if number % 2 == 0 else (1, 0)
            head = {"number": number + 1, "games": games, "seats": list(seats)}
            session = _opening(request, seed, number // 2)
            for engine in engines:
                engine.seed = seed + number // 2 if engine.level < FULL_STRENGTH else None
            yield {**head, **_shown(session, 0.5), **score.record()}
            share = 0.5
            while session.outcome is None and len(session.history) < MAX_MATCH_PLIES:
                if time.monotonic() > end:
                    yield {**head, **_shown(session, share), **score.record(), "result": OUT_OF_TIME}
                    return
                share = _move(session, engines[seats[session.player]], control, share)
                yield {**head, **_shown(session, share), **score.record()}
            winner = None if session.outcome is None else session.outcome.winner
            score.games.append({"seats": seats, "winner": winner, "pair": number // 2})
            yield {**head, **_shown(session, share), **score.record()}

    return job


def _move(session: Session, engine: Engine, control: SearchControl, share: float) -> float:
    """Play the next move or roll; return the first player's win probability."""

    def stop_if_asked(_: object) -> None:
        if control.stopped:
            raise SearchStopped

    stop_if_asked(None)
    if session.is_chance:
        session.roll()
        return share
    control.announce_duration(MATCH_MOVE_SECONDS)
    player = session.player
    report = engine.choose(session.state, stop_if_asked, session.states)
    session.play(report.move)
    return win_probability(session.game, report.value, player)


def _opening(request: PositionRequest, seed: int, pair: int) -> Session:
    """The position of the request, after some random plies from the second pair on; both games of a pair have them."""
    made = request.session
    session = Session(request.game, made.start, seed + pair)
    for turn in made.history:
        session.play(turn.move)
    dice = random.Random(f"{seed}:{pair}")
    for _ in range(OPENING_PLIES if pair else 0):
        if session.is_chance:
            session.roll()
            continue
        moves = [m for m in session.moves if _goes_on(session, m)]
        if not moves:
            break
        session.play(dice.choice(moves))
    return session


def _goes_on(session: Session, move: Any) -> bool:
    return rules.payoff(session.game, session.game.play(session.state, move)) == ONGOING


def _shown(session: Session, share: float) -> dict[str, Any]:
    """The game so far."""
    outcome = session.outcome
    endless = len(session.history) >= MAX_MATCH_PLIES
    words = outcome.words(session.names) if outcome else "Draw: the game does not end." if endless else ""
    return {"moves": [turn.text for turn in session.history], "share": share, "result": words}
