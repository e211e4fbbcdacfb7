"""One game of a match: two players, a referee who measures time and knows the rules, and how the game ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.formatting import exception_text, plain_repr, shortened
from zermelo.game import Game, GameError, State
from zermelo.games.registry import name_of
from zermelo.limits import Limit
from zermelo.matches.adjudication import Adjudication, DrawAgreement, Resignation
from zermelo.matches.openings import Opening
from zermelo.matches.players import Forfeit, Player
from zermelo.play.clock import Clock, MoveTime
from zermelo.play.record import replayed
from zermelo.play.session import Session
from zermelo.value import UNKNOWN, Value

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution

MAX_PLIES = 1000
"""Plies after which a game is drawn, where the match sets no other number."""

PATIENCE = 60.0
"""Seconds for a move where neither a clock nor a limit of time is set; for Zermelo itself there is no end."""

MARGIN = 0.2
"""Seconds by which a player may exceed its time: pipes, and a machine with more programs than cores."""

START_PATIENCE = 300.0
"""Seconds for a player to start, and for a compiler."""


@dataclass(frozen=True)
class Conditions:
    """What holds for every game of a match: time, and when the referee ends a game."""

    limit: Limit | None = None
    clock: str | None = None
    max_plies: int = MAX_PLIES
    margin: float = MARGIN
    patience: float = PATIENCE
    resign: Resignation | None = None
    draw: DrawAgreement | None = None

    def clocks(self) -> tuple[Clock, Clock] | None:
        return None if self.clock is None else (Clock.parse(self.clock), Clock.parse(self.clock))


@dataclass(frozen=True)
class Task:
    """A game to play: its number, its pair, its opening, the seed of its dice, and who sits where."""

    number: int
    pair: int
    opening: Opening
    seed: int
    seats: tuple[int, int]
    """The numbers of the players who have the first and the second side."""


@dataclass
class Seat:
    """One side of a game: a player, what it is called, its own limit, and whether it may take any time it wants."""

    player: Player
    name: str
    limit: Limit | None
    trusted: bool


@dataclass(frozen=True)
class Ending:
    """How a game ended: the side that wins, None for a draw; in words; and whether a player was at fault."""

    winner: int | None
    words: str
    fault: bool = False


OnTurn = Callable[[int, "float | None", list[str]], object]
"""Called before each move: the side, the seconds it has before it is taken for dead, and the moves so far."""


class Referee:
    """Plays one game to its end."""

    def __init__(
        self, game: Game, seats: Sequence[Seat], conditions: Conditions, database: Solution | None = None
    ) -> None:
        self.game, self.seats, self.conditions, self.database = game, seats, conditions, database
        self.clocks = conditions.clocks()
        self.adjudication = Adjudication(conditions.resign, conditions.draw)
        self.seconds = [0.0, 0.0]
        self.notes: dict[str, dict[str, float]] = {}
        """What is noted of each move, by its number: the player's evaluation, and its clock after it."""

    def play(self, task: Task, on_turn: OnTurn = lambda *_: None) -> dict[str, Any]:
        """Play a game and return its record. What goes wrong with a player loses it the game."""
        record = {"start": task.opening.start, "moves": task.opening.moves, "seed": task.seed}
        session = replayed(self.game, record)
        ending = self._ending(session, task, on_turn)
        played = session.record() | ({"notes": self.notes} if self.notes else {})
        return game_record(played, task, [seat.name for seat in self.seats], ending, self.seconds)

    def _ending(self, session: Session, task: Task, on_turn: OnTurn) -> Ending:
        for side, seat in enumerate(self.seats):
            on_turn(side, START_PATIENCE, [turn.text for turn in session.history])
            try:
                seat.player.begin(task.seed)
            except Exception as error:
                return _lost_by(side, seat, error)
        while True:
            if (outcome := session.outcome) is not None:
                return Ending(outcome.winner, outcome.words(session.names))
            if len(session.history) >= self.conditions.max_plies:
                return Ending(None, f"Draw by the rule of the match: {self.conditions.max_plies} plies.")
            if (early := self._proven(session) or self._agreed(session)) is not None:
                return early
            if session.is_chance:
                session.roll()
            elif (lost := self._move(session, on_turn)) is not None:
                return lost

    def _move(self, session: Session, on_turn: OnTurn) -> Ending | None:
        """Let the player move; return how it lost the game without a move, None if it did not."""
        side = session.player
        seat = self.seats[side]
        allowed = self._allowed(side)
        on_turn(side, None if seat.trusted else allowed.patience, [turn.text for turn in session.history])
        start = time.monotonic()
        try:
            choice = seat.player.choose(session, allowed)
        except Exception as error:
            return _lost_by(side, seat, error)
        spent = time.monotonic() - start
        self.seconds[side] += spent
        if (late := self._late(side, spent)) is not None:
            return Ending(1 - side, f"{seat.name} {late}.", fault=True)
        try:
            session.play(choice.move)
        except (GameError, TypeError, ValueError):
            where = self.game.state_text(session.state)
            words = f"{seat.name} answers {shortened(plain_repr(choice.move))}, which is no legal move in {where}."
            return Ending(1 - side, words, fault=True)
        self._note(len(session.history) - 1, side, choice.value)
        return None

    def _note(self, number: int, side: int, value: Value | None) -> None:
        """Note what a player said of its move, and what its clock shows."""
        evaluation = None if value is None or value.bound == UNKNOWN else value.score * (1 - 2 * side)
        self.adjudication.note(side, evaluation)
        note = {} if evaluation is None else {"evaluation": round(evaluation, 3)}
        if self.clocks is not None and self.seats[side].limit is None:
            note["clock"] = round(self.clocks[side].left, 3)
        if note:
            self.notes[str(number)] = note

    def _allowed(self, side: int) -> MoveTime:
        """What the next move of a side may take."""
        own = self.seats[side].limit
        limit = own or self.conditions.limit
        if self.clocks is not None and own is None:
            return MoveTime(clocks=self.clocks, patience=self.clocks[side].left + self.conditions.margin)
        if limit is not None and limit.seconds is not None:
            return MoveTime(limit, patience=limit.seconds + max(limit.seconds, 1.0) + self.conditions.margin)
        return MoveTime(limit, patience=self.conditions.patience)

    def _late(self, side: int, spent: float) -> str | None:
        """Count a move's time; return how a player that used too much of it lost, None if it did not."""
        if self.clocks is None:
            return None
        clock = self.clocks[side]
        late = spent - clock.left
        clock.spend(min(spent, clock.left))
        own_limit = self.seats[side].limit is not None
        return None if own_limit or late <= self.conditions.margin else f"loses on time, by {late:.2f} s"

    def _proven(self, session: Session) -> Ending | None:
        """The result that a database gives the state; None if it does not have it."""
        state: State = session.state
        if self.database is None or session.is_chance or state not in self.database:
            return None
        value = self.database.value(state)
        if value.outcome is None:
            return None
        winner = None if value.outcome == 0 else session.player if value.outcome > 0 else 1 - session.player
        words = "Draw" if winner is None else f"{session.names[winner]} wins"
        return Ending(winner, f"{words} by the database: {value}.")

    def _agreed(self, session: Session) -> Ending | None:
        """The result that both players foresee; None if they do not agree on one."""
        winner = self.adjudication.winner
        if winner is not None:
            return Ending(winner, f"{session.names[winner]} wins by agreement: both expect it.")
        return Ending(None, "Draw by agreement.") if self.adjudication.drawn(len(session.history)) else None


def _lost_by(side: int, seat: Seat, error: Exception) -> Ending:
    """How the player of a side lost by what it raised."""
    if isinstance(error, Forfeit):
        return Ending(1 - side, f"{seat.name} {error}.", error.fault)
    return Ending(1 - side, f"{seat.name} raises {type(error).__name__}: {exception_text(error, 200)}.", fault=True)


def game_record(
    record: dict[str, Any],
    task: Task,
    names: Sequence[str],
    ending: Ending,
    seconds: Sequence[float] = (0.0, 0.0),
) -> dict[str, Any]:
    """The record of a game that was played or lost: that of a session, with what a match adds."""
    return {
        **record,
        "winner": ending.winner,
        "result": ending.words,
        "fault": ending.fault,
        "number": task.number,
        "pair": task.pair,
        "players": list(names),
        "seats": list(task.seats),
        "opening": len(task.opening.moves),
        "seconds": [round(each, 3) for each in seconds],
    }


def lost_record(game: Game, task: Task, names: Sequence[str], side: int, moves: list[str], why: str) -> dict[str, Any]:
    """The record of a game whose process ended with it, as far as it was played."""
    record = {"game": name_of(game, folder=""), "start": task.opening.start, "seed": task.seed, "moves": moves}
    return game_record(record, task, names, Ending(1 - side, f"{names[side]} {why}.", fault=True))
