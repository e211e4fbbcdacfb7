"""The short commands: games, check and perft."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import zermelo
from zermelo.app.compile_ahead import compile_for_next
from zermelo.app.output import console, named, print_json, say_error, short
from zermelo.checking import glance
from zermelo.formatting import one_line
from zermelo.game import Game, GameError, State
from zermelo.games.registry import catalog, load, position
from zermelo.rules import checked_play, legal_actions
from zermelo.searching.runtime.search_threads import in_background
from zermelo.searching.runtime.search_worker import search_kernel
from zermelo.simulation.perft_divide import count_leaves
from zermelo.simulation.perft_divide import divide as leaves_by_move
from zermelo.simulation.perft_divide import perft as leaves_at

DEFAULT_GAME = "connect_four"
"""The game that is played or shown first where none is named."""

MAX_REASON_LENGTH = 200
"""Characters of the reason why rules are interpreted."""


def games(as_json: bool) -> None:
    """List the catalogue."""
    entries = catalog()
    if as_json:
        print_json([entry.to_dict() for entry in entries])
        return
    width = max(len(entry.usage) for entry in entries)
    for entry in entries:
        console().print(f"{entry.usage:<{width}}  {entry.description}")


def open_game(text: str) -> Game:
    """Load a game after a glance at its rules: a `result` of None would else be taken for an end."""
    game = load(text)
    with report_rule_on_interrupt():
        glance(game)
    return game


@contextmanager
def report_rule_on_interrupt() -> Iterator[None]:
    """On Ctrl-C, say which rule was running: it may be one that does not end."""
    try:
        yield
    except KeyboardInterrupt as stop:
        for note in getattr(stop, "__notes__", ()):
            say_error(note)
        raise


@contextmanager
def hint_to_name_game(how: str) -> Iterator[None]:
    """Where a file belongs to a user's own game, add to the error how this command takes that game."""
    from zermelo.solving.storage.database import Unlisted  # imports numpy

    try:
        yield
    except Unlisted as error:
        raise Unlisted(error.path, error.game, f"name the game {how}") from None


def check(text: str, options: dict[str, Any], *, as_json: bool) -> None:
    """Check a game with these options of `z.check`, and print the report; a broken contract is an error."""
    game = load(text)
    with report_rule_on_interrupt():
        report = zermelo.check(game, **options)
    if as_json:
        print_json(report.to_dict())
    else:
        console().print(str(report))
    compile_for_next(game, lambda game: [search_kernel(game)])


# -- perft -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Count:
    """One perft: the leaves, by move where that was asked for, and how they were counted."""

    leaves: int
    seconds: float
    reason: str | None  # why the rules were interpreted; None where they ran compiled
    moves: dict[str, int] | None = None
    on: str = "cpu"

    @property
    def rate(self) -> float:
        """Leaves a second."""
        return self.leaves / self.seconds if self.seconds > 0 else 0.0

    @property
    def how(self) -> str:
        if self.on == "cuda":
            return "on a GPU"
        return "compiled" if self.reason is None else f"interpreted: {self.reason}"


def perft(text: str, depth: int, moves: str, *, divide: bool, interpreted: bool, on: str, as_json: bool) -> None:
    """Count leaves and print the count, the time and the speed."""
    game = open_game(text)
    state = position(game, moves)
    if divide and depth < 1:
        raise GameError(f"{game!r}: --divide counts after each move and needs a depth of at least 1.")
    count = in_background(lambda: _count(game, state, depth, divide=divide, interpreted=interpreted, on=on))
    if as_json:
        print_json(_record(game, state, depth, count))
        return
    for move, leaves in (count.moves or {}).items():
        console().print(f"{move}: {leaves:,}")
    total = f"{count.leaves:,} {'leaf' if count.leaves == 1 else 'leaves'}"
    console().print(f"{total} at depth {depth}, {count.seconds:.3f} s, {speed(count.rate)} ({count.how})")


def _count(game: Game, state: State, depth: int, *, divide: bool, interpreted: bool, on: str) -> Count:
    """Count with the clock started after compilation."""
    for move in legal_actions(game, state):
        checked_play(game, state, move)  # counting stores no state, and would not notice one that cannot be stored
    if on == "cuda":
        leaves_at(game, min(depth, 3), state, on=on)
    elif not interpreted:
        count_leaves.prepare(game)
    start = time.perf_counter()
    by_move = leaves_by_move(game, depth, state, interpreted=interpreted, on=on) if divide else None
    leaves = leaves_at(game, depth, state, interpreted=interpreted, on=on) if by_move is None else sum(by_move.values())
    seconds = time.perf_counter() - start
    return Count(leaves, seconds, "as asked" if interpreted else why_interpreted(game), by_move, on)


def _record(game: Game, state: State, depth: int, count: Count) -> dict[str, object]:
    record: dict[str, object] = {
        "game": named(game),
        "state": game.state_text(state),
        "depth": depth,
        "leaves": count.leaves,
        "seconds": count.seconds,
        "leaves_per_second": count.rate,
        "compiled": count.reason is None,
        "reason": count.reason,
    }
    return record if count.moves is None else {**record, "moves": count.moves}


def why_interpreted(game: Game) -> str | None:
    """Why kernels run this game as Python, in one line; None where they run it compiled."""
    from zermelo.native import compilability

    reason = compilability.known_error(game)
    if reason is None:
        return None
    reason = one_line(reason)
    return reason if len(reason) <= MAX_REASON_LENGTH else reason[: MAX_REASON_LENGTH - 4] + " ..."


def speed(rate: float) -> str:
    """Leaves a second in words.

    >>> speed(650_000_000), speed(150_000), speed(12)
    ('650 M leaves/s', '150 k leaves/s', '12 leaves/s')
    """
    return f"{short(rate)}leaves/s"
