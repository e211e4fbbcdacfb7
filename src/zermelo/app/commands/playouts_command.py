"""zermelo playouts: random games by the million, and what they tell of a game."""

from __future__ import annotations

from zermelo.app.commands.game_commands import open_game
from zermelo.app.output import console, named, print_json
from zermelo.games.registry import position
from zermelo.searching.runtime.search_threads import in_background
from zermelo.simulation.playouts_api import playouts as play_random_games


def playouts(
    text: str, moves: str, number: int, on: str, seed: int, limit: int, threads: int | None, *, as_json: bool
) -> None:
    """Play random games and print their statistics."""
    game = open_game(text)
    state = position(game, moves)
    found = in_background(
        lambda: play_random_games(game, state, number, on=on, seed=seed, limit=limit, threads=threads)
    )
    if as_json:
        print_json({"name": named(game), **found.to_dict()})
    else:
        console().print(str(found))
