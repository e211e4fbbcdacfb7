"""zermelo tree: a textbook algorithm run on a game, with its trace and its tree as text, as a picture or as a page."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.app.commands.game_commands import open_game
from zermelo.app.output import console, named, plain, print_json, unicode
from zermelo.files import check_replaceable, no_such_content, write_text
from zermelo.game import Game, GameError, State
from zermelo.games.registry import position
from zermelo.show.trees.tree_picture import record_of, tree_svg
from zermelo.show.trees.tree_search import TooLarge, searched
from zermelo.textbook import Result, Trace
from zermelo.textbook.tree_node import RepetitionError

LEARN = Path(__file__).parent.parent / "web" / "static" / "learn"

SCRIPTS = ("replay.js", "tree_map.js", "tree_view.js", "search_tree.js", "code_listing.js", "stepper.js")
"""The scripts of the page, each after those that it imports."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body class="alone">
<h1>{title}</h1>
<main id="tree"></main>
<script type="application/json" id="record">{record}</script>
<script type="module">
{script}
alone(document.getElementById("tree"), JSON.parse(document.getElementById("record").textContent));
</script>
</body>
</html>
"""


@dataclass(frozen=True)
class Pictures:
    """Where the tree is to be drawn, and how much of it."""

    svg: Path | None = None
    html: Path | None = None
    depth: int | None = None
    width: int | None = None

    def check(self) -> None:
        """Raise FileError if a file would be replaced that holds something else."""
        if self.svg is not None:
            check_replaceable(self.svg, no_such_content("picture", b"<svg", b"<?xml"))
        if self.html is not None:
            check_replaceable(self.html, no_such_content("page", b"<!doctype html"))


def show(
    text: str,
    moves: str,
    algorithm: str,
    options: dict[str, Any],
    most: int,
    *,
    pictures: Pictures,
    ascii: bool,
    as_json: bool,
) -> None:
    """Run the algorithm on a position; draw its tree where that is asked for, else print trace, tree and result."""
    game = open_game(text)
    state = position(game, moves)
    pictures.check()
    result, trace = _searched(game, state, algorithm, options, most)
    drawn = _draw(game, state, result, trace, pictures, options.get("depth"))
    if as_json:
        record = {"game": named(game), "state": game.state_text(state), "result": result.to_dict()}
        print_json({**record, "trace": trace.to_dict()})
        return
    for part in [str(result)] if drawn else [str(trace), trace.tree_text(), str(result)]:
        console().print((in_ascii(part) if ascii or not unicode() else part).rstrip() + "\n")


def _searched(game: Game, state: State, algorithm: str, options: dict[str, Any], most: int) -> tuple[Result, Trace]:
    """Run the search. Its errors name the options of the command line that help."""
    try:
        return searched(game, state, algorithm, options, most)
    except RepetitionError as loop:
        ways = f"--algorithm {loop.method}, which copes with loops, or --repetition draw, or a --depth"
        raise GameError(f"{loop.problem}; use {ways}.") from None
    except TooLarge as large:
        raise TooLarge(
            large.game, large.most, "give a smaller --depth, a later position, or a larger --max-nodes"
        ) from None


def _draw(game: Game, state: State, result: Result, trace: Trace, pictures: Pictures, plies: int | None) -> bool:
    """Write the pictures that were asked for; return whether there were any."""
    depth, width = pictures.depth, pictures.width
    if pictures.svg is not None:
        write_text(pictures.svg, tree_svg(trace, depth=depth, width=width))
    if pictures.html is not None:
        record = record_of(game, state, result, trace, plies, depth=depth, width=width)
        write_text(pictures.html, page(game, record))
    return pictures.svg is not None or pictures.html is not None


def page(game: Game, record: dict[str, Any]) -> str:
    """A self-contained page: the tree, its steps, and the scripts that step through them."""
    data = json.dumps(plain(record), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    return PAGE.format(
        title=html.escape(f"{record['result']['algorithm']} on {named(game)}"),
        style=(LEARN / "stepper.css").read_text(encoding="utf-8"),
        script="\n".join(map(_script, SCRIPTS)),
        record=data,
    )


def _script(name: str) -> str:
    """A script without its imports, which stand above it in the page."""
    return re.sub(r"^import .*;\n", "", (LEARN / name).read_text(encoding="utf-8"), flags=re.MULTILINE)


def in_ascii(text: str) -> str:
    """The text for a terminal that knows no lines and no ∞; columns of numbers keep their width where they have room.

    >>> in_ascii("├─ 1 min    -∞ ✂")
    '|- 1 min  -inf x'
    """
    text = re.sub(r"(?<= )  ([-+]?)∞", r"\1inf", text).replace("∞", "inf")
    return text.translate(str.maketrans("├└│─✂", "|`|-x"))
