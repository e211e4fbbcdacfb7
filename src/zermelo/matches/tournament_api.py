"""`tournament`: several players, as round robin, gauntlet or Swiss."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from zermelo.arguments import check_choice, check_int
from zermelo.game import Game, GameError
from zermelo.limits import Limit
from zermelo.matches.match_api import MAX_GAMES, Event, new_event
from zermelo.matches.match_result import points_of
from zermelo.matches.openings import DEFAULT_PLIES, Opening
from zermelo.matches.pairings import KINDS_OF_TOURNAMENT, gauntlet, round_robin, swiss_round
from zermelo.matches.single_game import MARGIN, MAX_PLIES, PATIENCE, Task
from zermelo.matches.tournament_result import TournamentResult
from zermelo.play.clock import Clock

DEFAULT_ENCOUNTER = 10
"""Games of two players who meet."""

OnTournamentGame = Callable[[dict[str, Any], TournamentResult], object]


def tournament(
    game: Game,
    players: Sequence[Any],
    *,
    kind: str = "round robin",
    games: int = DEFAULT_ENCOUNTER,
    rounds: int | None = None,
    limit: Limit | None = None,
    clock: Clock | str | None = None,
    openings: int | str | Path = DEFAULT_PLIES,
    seed: int = 0,
    concurrency: int = 1,
    max_plies: int = MAX_PLIES,
    margin: float = MARGIN,
    patience: float = PATIENCE,
    resign: Sequence[float] | None = None,
    draw: Sequence[float] | None = None,
    database: str | Path | None = None,
    record: str | Path | None = None,
    on_game: OnTournamentGame | None = None,
) -> TournamentResult:
    """Play a tournament and return its standings, with ratings and a table of results.

    `kind` is "round robin", where everybody meets everybody; "gauntlet", where the first player meets each of the
    others; or "swiss", where in each of the `rounds` players with as many points meet. Two players who meet play so
    many `games`, in pairs from the same opening with colours swapped. Players and the other arguments are those of
    `match`, and so are records: a tournament that was killed goes on.

    >>> import zermelo as z
    >>> result = z.tournament(z.load("tic_tac_toe"), ["depth=9", "depth=1", "random"], games=2, seed=1)
    >>> [row.name for row in result.standings][0], len(result.games)
    ('depth=9', 6)
    """
    options: dict[str, Any] = {"limit": limit, "clock": clock, "openings": openings, "seed": seed}
    options |= {"concurrency": concurrency, "max_plies": max_plies, "margin": margin, "patience": patience}
    options |= {"resign": resign, "draw": draw}
    where = f"tournament of {game!r}"
    if isinstance(players, str) or len(players) < 2:
        raise GameError(f"{where}: a tournament needs at least two players, not {players!r}.")
    event = new_event("tournament", game, players, database=database, record=record, **options)
    check_choice(where, KINDS_OF_TOURNAMENT, kind=kind)
    check_int(where, least=2, most=MAX_GAMES, games=games)
    if games % 2:
        raise GameError(f"{where}: games must be even, since each opening is played twice, not {games}.")
    check_int(where, least=1, optional=True, rounds=rounds)
    if rounds is not None and kind != "swiss":
        raise GameError(f"{where}: rounds are for a Swiss tournament.")
    return _Tournament(event, kind, games, rounds or _swiss_rounds(len(players))).play(on_game)


def _swiss_rounds(players: int) -> int:
    """Rounds after which one player can be ahead of all: the logarithm of their number."""
    return max((players - 1).bit_length(), 1)


class _Tournament:
    """A tournament that is being played."""

    def __init__(self, event: Event, kind: str, games: int, rounds: int) -> None:
        self.event, self.kind, self.games, self.rounds = event, kind, games, rounds
        self.names = tuple(spec.name for spec in event.players)
        self.done: list[dict[str, Any]] = []
        self.openings: list[tuple[Opening, int]] = []

    def play(self, on_game: OnTournamentGame | None) -> TournamentResult:
        rounds = f", {self.rounds} rounds" if self.kind == "swiss" else ""
        file = self.event.open_record(f"{self.kind} of {self.games} games{rounds}")
        self.done = [] if file is None else [*file.games]
        source = self.event.pairs()
        self.openings = [next(source) for _ in range(self.games // 2)]
        try:
            for encounters in self._encounters():
                for played in self.event.play(self._tasks(*encounters), file, self.done):
                    if on_game is not None:
                        on_game(played, self._result())
            return self._result()
        except KeyboardInterrupt:
            return self._result(stopped=True)
        finally:
            if file is not None:
                file.close()

    def _result(self, stopped: bool = False) -> TournamentResult:
        return TournamentResult(self.kind, self.names, tuple(self.done), stopped)

    def _encounters(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Yield who meets whom, with the number of the first encounter; a Swiss round when the one before is over."""
        count = len(self.names)
        if self.kind != "swiss":
            yield 0, round_robin(count) if self.kind == "round robin" else gauntlet(count)
            return
        met: set[frozenset[int]] = set()
        resting: list[int] = []
        first = 0
        for _ in range(self.rounds):
            pairs, rests = swiss_round(self._points(first, resting), met, resting)
            yield first, pairs
            met |= {frozenset(pair) for pair in pairs}
            resting += [] if rests is None else [rests]
            first += len(pairs)

    def _points(self, encounters: int, resting: list[int]) -> list[float]:
        """The points of each player in the first encounters; a round of rest counts as a win of all its games."""
        played = [game for game in self.done if game["number"] < encounters * self.games]
        return [
            sum(points_of(game, player) for game in played if player in game["seats"]) / 2
            + self.games * resting.count(player)
            for player in range(len(self.names))
        ]

    def _tasks(self, first: int, encounters: list[tuple[int, int]]) -> Iterator[Task]:
        """Yield the games of some encounters, opening by opening, so that an early table compares all."""
        for number, (opening, seed) in enumerate(self.openings):
            for place, (one, other) in enumerate(encounters, first):
                start = place * self.games + 2 * number
                yield Task(start, start // 2, opening, seed, (one, other))
                yield Task(start + 1, start // 2, opening, seed, (other, one))
