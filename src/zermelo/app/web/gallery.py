"""The gallery of games: the category of each, what it has to offer, and a small picture of its board."""

from __future__ import annotations

import random
from importlib.resources import files
from typing import Any

from zermelo import rules
from zermelo.game import Game, State
from zermelo.games.registry import GAMES, Entry
from zermelo.show.scene.board_scene import board_of, scene
from zermelo.show.svg.board_svg import board_svg

OWN_CATEGORY = "Your games"
"""The category of a game that is not Zermelo's own."""

CATEGORIES = {
    "In a row": ("tic_tac_toe", "connect_four", "connect_k", "pop_out", "gomoku", "quarto", "teeko"),
    "Chess and checkers": (
        "chess", "chess_endgame", "checkers", "dobutsu_shogi", "breakthrough", "hexapawn", "fanorona",
    ),
    "Territory and connection": ("othello", "hex", "y", "dots_and_boxes", "domineering", "sim"),
    "Dice and chance": (
        "backgammon", "hypergammon", "nannon", "einstein", "pig", "cant_stop", "2048", "twenty48", "drop48",
    ),
    "Sowing": ("kalah", "awari"),
    "Mills": (
        "three_mens_morris", "six_mens_morris", "nine_mens_morris", "lasker_morris", "twelve_mens_morris",
    ),
    "Hunts and blockades": ("fox_and_geese", "hare_and_hounds", "three_musketeers", "mu_torere", "l_game"),
    "Taking away": ("nim", "kayles", "dawsons_kayles", "chomp"),
    "Trees for lectures": ("game_tree", "random_tree"),
}  # fmt: skip
"""The games of Zermelo's own by their kind, as the gallery shows them."""

PICTURE_PLIES = 8
"""Random plies that are played before the picture of a board that begins empty."""

PICTURE_CELL = 24.0
"""The width of a cell of a small picture, in pixels."""


def gallery_facts(entry: Entry) -> dict[str, Any]:
    """The category of a game, and whether it has chance and a book."""
    place = f"{entry.game.__module__}:{entry.game.__qualname__}"
    own = next((name for name, home in GAMES.items() if home == place), None)
    category = next((kind for kind, names in CATEGORIES.items() if own in names), OWN_CATEGORY)
    book = own is not None and (files("zermelo.games") / "books" / f"{own}.json").is_file()
    return {"category": category, "chance": entry.game.is_chance is not Game.is_chance, "book": book}


def picture(game: Game) -> dict[str, Any]:
    """A small picture of the board, with some pieces on it."""
    return {"svg": board_svg(board_of(game, _lively_state(game)), size=PICTURE_CELL)}


def _lively_state(game: Game) -> State:
    """The initial state if it has pieces of both players, else one after a few random plies, always the same."""
    state, dice = rules.initial_state(game), random.Random(1)
    places = scene(board_of(game, state)).places
    if {place.piece.side for place in places if place.piece} >= {0, 1} or any(place.count for place in places):
        return state
    most = 0 if rules.has_chance(game) else len(rules.legal_actions(game, state))
    for _ in range(PICTURE_PLIES):
        actions = rules.legal_actions(game, state)
        after = game.play(state, dice.choice(actions)) if actions else state
        left = len(rules.legal_actions(game, after)) if actions else 0
        if not left or 3 * left < most:  # most of the board is gone: chomp
            break
        state = after
    return state
