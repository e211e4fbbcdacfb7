"""zermelo match, tournament and tune: players against each other, with a table that grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zermelo.app.commands.game_commands import open_game
from zermelo.app.error_messages import FAILURE, INTERRUPTED
from zermelo.app.output import console, print_json, say, visible
from zermelo.files import check_replaceable, check_writable, no_such_content, write_text
from zermelo.game import Game
from zermelo.matches.match_api import match as play_match
from zermelo.matches.match_record import recorded
from zermelo.matches.tournament_api import tournament as play_tournament
from zermelo.matches.tuning import match_row
from zermelo.matches.tuning import tune as find_better_search
from zermelo.records.pgn import check_game as check_pgn
from zermelo.records.pgn import write as pgn_text

Show = Callable[[dict[str, Any], Any], None]
"""Shows the result so far, after a game."""


def match(text: str, first: str, second: str, options: dict[str, Any], pgn: Path | None, *, as_json: bool) -> int:
    """Play a match, show the result as it grows, and print it. Return the exit code."""
    game = open_game(text)
    if pgn is not None:
        check_pgn_output(game, pgn)
    with showing(as_json) as show:
        result = play_match(game, first, second, on_game=show, **options)
    if pgn is not None:
        write_pgn(game, result.games, pgn)
    return print_result(result, as_json)


def tournament(text: str, players: Sequence[str], options: dict[str, Any], pgn: Path | None, *, as_json: bool) -> int:
    """Play a tournament, show the standings as they change, and print them. Return the exit code."""
    game = open_game(text)
    if pgn is not None:
        check_pgn_output(game, pgn)
    with showing(as_json) as show:
        result = play_tournament(game, players, on_game=show, **options)
    if pgn is not None:
        write_pgn(game, result.games, pgn)
    return print_result(result, as_json)


def tune(text: str, options: dict[str, Any], *, as_json: bool) -> int:
    """Find the better search of a game by matches; print each match as it ends. Return the exit code."""
    game = open_game(text)
    tuning = find_better_search(game, on_match=None if as_json else lambda result: say(match_row(result)), **options)
    if as_json:
        print_json(tuning.to_dict())
    else:
        console().print(visible(tuning.verdict))
    return INTERRUPTED if any(result.stopped for result in tuning.matches) else 0


def check_pgn_output(game: Game, path: Path) -> None:
    """Raise GameError if the games cannot be written as PGN, or would replace something else."""
    check_pgn(game)
    check_writable(path)
    check_replaceable(path, no_such_content("PGN", b"["))


def write_pgn(game: Game, games: Sequence[dict[str, Any]], path: Path) -> None:
    """Write the games to a file in the order of their numbers: all of them, or nothing if that fails."""
    check_pgn(game)
    ordered = sorted(games, key=lambda record: record["number"])
    write_text(path, "\n".join(pgn_text(recorded(each), game) for each in ordered))


def print_result(result: Any, as_json: bool) -> int:
    """Print the result of a match or a tournament, and return the exit code: a failure if a player never played."""
    if as_json:
        print_json(result.to_dict())
    else:
        console().print(visible(str(result)))
    if result.stopped:
        return INTERRUPTED
    return FAILURE if result.failed else 0


@contextmanager
def showing(as_json: bool) -> Iterator[Show | None]:
    """What shows the result so far: a live table in a terminal, nothing elsewhere."""
    if as_json or not console().is_terminal:
        yield None
        return
    from rich.live import Live
    from rich.text import Text

    with Live("Playing ...", console=console(), auto_refresh=False, transient=True) as live:

        def show(game: dict[str, Any], result: Any) -> None:
            last = f"\n\nGame {game['number'] + 1}: {' - '.join(game['players'])}: {game['result']}"
            live.update(Text(visible(str(result) + last), no_wrap=True, overflow="ellipsis"), refresh=True)

        yield show
