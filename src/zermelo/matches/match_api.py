"""`match`: two players against each other, from paired openings, until the games are played or a test has decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import Any

from zermelo.arguments import check_int, check_number, checked_game
from zermelo.formatting import shortened
from zermelo.game import Game, GameError
from zermelo.games.registry import name_of
from zermelo.limits import Limit
from zermelo.matches.adjudication import checked_draw, checked_resignation
from zermelo.matches.game_worker import Setup
from zermelo.matches.match_record import MatchRecord
from zermelo.matches.match_result import MatchResult
from zermelo.matches.match_runner import play_all
from zermelo.matches.openings import DEFAULT_PLIES, Opening, openings_of_file, random_openings
from zermelo.matches.player_spec import PlayerSpec, player_spec
from zermelo.matches.players import check_player
from zermelo.matches.single_game import MARGIN, MAX_PLIES, PATIENCE, Conditions, Task
from zermelo.matches.statistics import Sprt, Verdict
from zermelo.play.clock import Clock

DEFAULT_GAMES = 100
MAX_GAMES, MAX_CONCURRENCY = 1 << 30, 256

OnGame = Callable[[dict[str, Any], MatchResult], object]
"""Called with the record of each game as it ends, and the result so far."""


@dataclass(frozen=True)
class Event:
    """What matches and tournaments share: the game, the players, the conditions, and where games begin."""

    game: Game
    players: tuple[PlayerSpec, ...]
    conditions: Conditions
    openings: int | str | Path
    seed: int
    concurrency: int
    database: Path | None
    record: str | Path | None

    def pairs(self) -> Iterator[tuple[Opening, int]]:
        """Yield openings without end, each with the seed of its dice."""
        if isinstance(self.openings, int):
            openings = random_openings(self.game, self.openings, self.seed)
        else:
            openings = openings_of_file(self.game, self.openings, self.seed)
        for number, opening in zip(count(), openings, strict=False):
            yield opening, (self.seed * 1_000_003 + number) % (1 << 32)

    def header(self, event: str) -> dict[str, Any]:
        """The first line of the record: what must be the same where a match goes on."""
        conditions = asdict(self.conditions)
        return {
            "event": event,
            "game": name_of(self.game, folder=""),
            "players": [spec.identity for spec in self.players],
            "openings": self.openings if isinstance(self.openings, int) else Path(self.openings).name,
            "seed": self.seed,
            **{name: conditions[name] for name in ("limit", "clock", "max_plies", "resign", "draw")},
        }

    def open_record(self, event: str) -> MatchRecord | None:
        return None if self.record is None else MatchRecord(self.record, self.header(event))

    def play(
        self, tasks: Sequence[Task] | Iterator[Task], record: MatchRecord | None, done: list[dict[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        """Play the tasks that are not done, and yield each game when it is on record."""
        numbers = {game["number"] for game in done}
        left = (task for task in tasks if task.number not in numbers)
        setup = Setup(self.game, self.players, self.conditions, self.database)
        unused = [] if record is None else [record.fileno()]
        for game in play_all(setup, left, self.concurrency, unused):
            if record is not None:
                record.append(game)
            done.append(game)
            yield game


def new_event(
    verb: str,
    game: Game,
    players: Sequence[Any],
    *,
    limit: Limit | None,
    clock: Clock | str | None,
    openings: int | str | Path,
    seed: int,
    concurrency: int,
    max_plies: int,
    margin: float,
    patience: float,
    resign: Sequence[float] | None,
    draw: Sequence[float] | None,
    database: str | Path | None,
    record: str | Path | None,
) -> Event:
    """Check the arguments of a match or a tournament. Raise GameError for the first that is wrong."""
    checked_game(verb, game)
    where = f"{verb} of {game!r}"
    check_int(where, least=1, most=MAX_CONCURRENCY, concurrency=concurrency)
    check_int(where, least=1, max_plies=max_plies)
    check_int(where, seed=seed)
    check_number(where, least=0, margin=margin)
    check_number(where, above_zero=True, patience=patience)
    if not isinstance(openings, str | Path):
        check_int(where, least=0, most=max_plies, openings=openings)
    if limit is not None and not isinstance(limit, Limit):
        raise GameError(f"{where}: limit must be a Limit, not {limit!r}.")
    if limit is not None and clock is not None:
        raise GameError(f"{where}: a clock is for the whole game; it excludes a limit for each move.")
    if isinstance(clock, str):
        Clock.parse(clock)
    elif clock is not None and not isinstance(clock, Clock):
        raise GameError(f'{where}: clock must be a Clock or a text such as "1+0.5", not {shortened(repr(clock))}.')
    specs = _distinct([player_spec(player) for player in players])
    for spec in specs:
        check_player(spec, game)
    agreed = checked_resignation(where, resign), checked_draw(where, draw)
    conditions = Conditions(limit, clock_text(clock), max_plies, margin, patience, *agreed)
    path = None if database is None else Path(database)
    return Event(game, specs, conditions, openings, seed, concurrency, path, record)


def clock_text(clock: Clock | str | None) -> str | None:
    """The text that `Clock.parse` reads.

    >>> clock_text(Clock(90, 0.5)), clock_text("5+3")
    ('1.5+0.5', '5+3')
    """
    if clock is None or isinstance(clock, str):
        return clock
    moves = "" if clock.moves is None else f"{clock.moves}/"
    return f"{moves}{clock.seconds / 60:.12g}+{clock.increment:.12g}"


def _distinct(specs: list[PlayerSpec]) -> tuple[PlayerSpec, ...]:
    """The players with names that differ."""
    names: dict[str, int] = {}
    made = []
    for spec in specs:
        names[spec.name] = names.get(spec.name, 0) + 1
        made.append(replace(spec, name=f"{spec.name} #{names[spec.name]}") if names[spec.name] > 1 else spec)
    return tuple(made)


def match(
    game: Game,
    first: Any,
    second: Any,
    *,
    games: int = DEFAULT_GAMES,
    limit: Limit | None = None,
    clock: Clock | str | None = None,
    openings: int | str | Path = DEFAULT_PLIES,
    seed: int = 0,
    concurrency: int = 1,
    sprt: tuple[float, float] | Sprt | None = None,
    max_plies: int = MAX_PLIES,
    margin: float = MARGIN,
    patience: float = PATIENCE,
    resign: Sequence[float] | None = None,
    draw: Sequence[float] | None = None,
    database: str | Path | None = None,
    record: str | Path | None = None,
    on_game: OnGame | None = None,
) -> MatchResult:
    """Play a match and return its result, which prints and draws itself.

    A player is a text such as "depth=4", "seconds=0.1,style=trickiest", "monte_carlo,nodes=500", "random" or
    "uci:stockfish" (see `matches/player_spec.py` for all of them); a mapping of the same settings; a Game, which is how
    to compare two evaluations; a class that is made with the game and has a method `choose(state)`; an object with that
    method; or a function of game and state. A player that raises, does not answer, ends or breaks the rules loses its
    game, and the match goes on.

    The games come in pairs: an opening (`openings` random plies, or a file of positions, of games, or a
    book) is played twice with colours swapped. Without a limit of their own, players have `limit` for a move or `clock`
    for the game. With `sprt=(elo0, elo1)` the match ends as soon as a sequential test tells which difference holds.
    `margin` are the seconds by which a clock may be exceeded, and `patience` the seconds for a move that has no time
    limit.

    After `max_plies` a game is drawn, and a game whose state is in the `database` ends with its value. With
    `resign=(points, moves)` a player has lost who is behind by `points` in the last `moves` evaluations of both
    players; with `draw=(points, moves, ply)` a game is drawn where none of these is above `points`, from that ply
    on.

    With a `record` file every game is written as it ends, and the same call goes on from there. `concurrency` games are
    played at once, each in a process of its own. Ctrl-C ends the match with the result so far.

    >>> import zermelo as z
    >>> result = z.match(z.load("tic_tac_toe"), "depth=9", "random", games=4, seed=1)
    >>> result.counts[2], len(result.games)
    (0, 4)
    """
    options: dict[str, Any] = {
        "limit": limit,
        "clock": clock,
        "openings": openings,
        "seed": seed,
        "concurrency": concurrency,
    }
    options |= {"max_plies": max_plies, "margin": margin, "patience": patience, "resign": resign, "draw": draw}
    event = new_event("match", game, (first, second), database=database, record=record, **options)
    check_int(f"match of {game!r}", least=1, most=MAX_GAMES, games=games)
    test = _checked_test(f"match of {game!r}", sprt)
    file = event.open_record("match")
    done = [] if file is None else [*file.games]
    names = (event.players[0].name, event.players[1].name)

    def result(stopped: bool = False) -> MatchResult:
        return MatchResult(names, tuple(done), test, stopped)

    try:
        if result().verdict in (Verdict.ACCEPTED, Verdict.REJECTED):
            return result()
        for played in event.play(islice(_tasks(event), games), file, done):
            if on_game is not None:
                on_game(played, result())
            if result().verdict in (Verdict.ACCEPTED, Verdict.REJECTED):
                return result()
        return result()
    except KeyboardInterrupt:
        return result(stopped=True)
    finally:
        if file is not None:
            file.close()


def _checked_test(where: str, sprt: Any) -> Sprt | None:
    if sprt is None or isinstance(sprt, Sprt):
        return sprt
    if not isinstance(sprt, tuple | list) or len(sprt) != 2:
        raise GameError(f"{where}: sprt must be two Elo differences or an Sprt, not {shortened(repr(sprt))}.")
    return Sprt(*sprt)


def _tasks(event: Event) -> Iterator[Task]:
    """Yield games without end: each opening twice."""
    for pair, (opening, seed) in enumerate(event.pairs()):
        yield Task(2 * pair, pair, opening, seed, (0, 1))
        yield Task(2 * pair + 1, pair, opening, seed, (1, 0))
