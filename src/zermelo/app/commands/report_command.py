"""zermelo report: figures for the designers of games."""

from __future__ import annotations

from pathlib import Path

from zermelo.app.commands.game_commands import open_game
from zermelo.app.output import console, print_json, say, visible
from zermelo.design.report_api import report as measure
from zermelo.files import check_replaceable, check_writable, no_such_content
from zermelo.searching.runtime.search_threads import in_background
from zermelo.show.report_page import save_page


def report(text: str, versus: str, minutes: float, seed: int, file: Path | None, *, as_json: bool) -> None:
    """Measure a game, or two versions of one, and print the figures; with a file, write them as a page."""
    games = [open_game(each) for each in (text, versus) if each]
    if file is not None:
        check_writable(file)
        check_replaceable(file, no_such_content("page", b"<!doctype html"))
    made = []
    for game in games:
        if console().is_terminal:
            say(f"Measuring {game!r} for about {minutes:g} min ...")
        made.append(in_background(lambda game=game: measure(game, minutes, seed)))  # type: ignore[misc]
    if as_json:
        print_json(made[0].to_dict() if len(made) == 1 else [each.to_dict() for each in made])
    else:
        console().print(visible("\n\n".join(map(str, made))))
    if file is not None:
        save_page(file, made)
        say(f"{file}: a page with plots.")
