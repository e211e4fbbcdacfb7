"""zermelo plot: pictures of what searches cost, of a solution, and of a search under way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.app.options import GameText, Position, limited

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution

app = typer.Typer(help="Draw a plot to an .svg, .png or .pdf file.")

PICTURES = (b"<?xml", b"<svg", b"\x89PNG", b"%PDF", b"%!PS", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"RIFF", b"GIF8")
"""How the files begin that Matplotlib writes: SVG, PNG, PDF, PostScript, JPEG, TIFF, WebP and GIF."""

Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where the plot is written.")]


@app.command()
def nodes(
    game: GameText,
    position: Position = "",
    depth: Annotated[int, typer.Option(min=1, help="Plies of the deepest search.")] = 6,
    output: Output = Path("nodes.svg"),
) -> None:
    """Nodes by depth of minimax, alpha-beta and ordered alpha-beta, beside the full and the minimal tree."""
    from zermelo.app.commands.game_commands import open_game
    from zermelo.games.registry import position as position_of
    from zermelo.searching.runtime.search_threads import in_background
    from zermelo.show import plots

    loaded = open_game(game)
    state = position_of(loaded, position)
    figure = _figure(output)
    in_background(lambda: plots.nodes_by_depth(loaded, state, depth, axes=figure.subplots()))
    _write(figure, output)


@app.command()
def distances(
    solution: Annotated[str, typer.Argument(metavar="FILE", help="A solution's file, or a game, which is solved now.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="The game, where it is not one of Zermelo's own.")] = "",
    output: Output = Path("distances.svg"),
) -> None:
    """Wins and losses of a solution by their distance from the end."""
    from zermelo.show import plots

    found = _solution(solution, game)
    figure = _figure(output)
    plots.distances(found, axes=figure.subplots())
    _write(figure, output)


@app.command()
def progress(
    game: GameText,
    position: Position = "",
    seconds: Annotated[float | None, typer.Option(help="Time for the search; 5 by default.")] = None,
    depth: Annotated[int | None, typer.Option(help="Plies to look ahead.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes to visit.")] = None,
    output: Output = Path("progress.svg"),
) -> None:
    """Value, depth and nodes of a search over time."""
    from zermelo.app.commands.game_commands import open_game
    from zermelo.games.registry import position as position_of
    from zermelo.show import plots

    limit = limited(seconds, depth, nodes)
    loaded = open_game(game)
    state = position_of(loaded, position)
    figure = _figure(output)
    limit = plots.PROGRESS_LIMIT if limit.unlimited else limit
    plots.progress(loaded, state, limit, axes=figure.subplots(3, sharex=True))
    _write(figure, output)


@app.command()
def learning(
    game: GameText,
    weights: Annotated[Path, typer.Argument(metavar="FILE", help="A file of `zermelo learn`.")],
    output: Output = Path("learning.svg"),
) -> None:
    """The learning curve of an evaluation against fixed opponents."""
    from zermelo.app.commands.game_commands import open_game
    from zermelo.networks.network_file import open_weights
    from zermelo.show import plots

    learned = open_weights(weights, open_game(game))
    figure = _figure(output)
    plots.learning_curve(learned, axes=figure.subplots())
    _write(figure, output)


def _solution(text: str, game: str) -> Solution:
    """The solution in a file, or that of a game, found now."""
    from zermelo.app.commands.game_commands import hint_to_name_game, open_game
    from zermelo.searching.runtime.search_threads import in_background
    from zermelo.solving import solve
    from zermelo.solving.solution import Solution

    path = Path(text)
    if path.is_file() and path.suffix != ".py":
        known = open_game(game) if game else None
        with hint_to_name_game("with --game my_game.py:MyGame"):
            return in_background(lambda: Solution.open(path, known, check=False))
    loaded = open_game(text)
    return in_background(lambda: solve(loaded))


def _figure(output: Path) -> Any:
    """A figure that needs no display, for a file of a kind that can be written."""
    import logging

    from zermelo.files import check_replaceable, check_writable, no_such_content
    from zermelo.game import GameError

    check_writable(output)
    check_replaceable(output, no_such_content("picture", *PICTURES))
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise GameError("plots are drawn with Matplotlib: pip install 'zermelo[plot]'") from None
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # another font will do, without a word
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    kinds = figure.canvas.get_supported_filetypes()
    if output.suffix[1:].lower() not in kinds:
        raise GameError(f"{output} cannot be written as a plot; its name should end in .svg, .png or .pdf.")
    return figure


def _write(figure: Any, output: Path) -> None:
    from zermelo.app.output import console
    from zermelo.files import file_errors

    with file_errors(output, "written"):
        figure.savefig(output, dpi=150)
    console().print(f"Wrote {output}.")
