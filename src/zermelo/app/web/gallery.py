"""The gallery of games: the category of each, what it has to offer, and a small picture of its board."""

from __future__ import annotations

from typing import Any

from zermelo import rules
from zermelo.board import Marks
from zermelo.game import Game
from zermelo.games.registry import GAMES, Entry, load
from zermelo.play.books.opening_lines import SUFFIX
from zermelo.play.books.proven_book import own_file
from zermelo.play.session import Session
from zermelo.show.laid_tiles import tiles_laid
from zermelo.show.scene.board_scene import board_of
from zermelo.show.svg.board_svg import board_svg

OWN_CATEGORY = "Your games"
"""The category of a game that is not Zermelo's own; it comes first."""

CATEGORIES = {
    "In a row": ("tic_tac_toe", "connect_four", "connect_k", "pop_out", "gomoku", "quarto", "teeko"),
    "Chess and checkers": (
        "chess", "chess_endgame", "checkers", "dobutsu_shogi", "breakthrough", "hexapawn", "fanorona",
    ),
    "Territory and connection": ("othello", "hex", "y", "dots_and_boxes", "domineering", "sim"),
    "Dice and chance": (
        "backgammon", "hypergammon", "cube_backgammon", "nannon", "einstein", "pig", "cant_stop", "2048", "twenty48",
        "drop48",
    ),
    "Sowing": ("kalah", "awari"),
    "Mills": (
        "three_mens_morris", "six_mens_morris", "nine_mens_morris", "lasker_morris", "twelve_mens_morris",
    ),
    "Hunts and blockades": ("fox_and_geese", "hare_and_hounds", "three_musketeers", "mu_torere", "l_game"),
    "Taking away": ("nim", "kayles", "dawsons_kayles", "chomp"),
    "Trees for lectures": ("game_tree", "random_tree"),
}  # fmt: skip
"""The games of Zermelo's own by their kind, in the order of the gallery."""

OPENINGS = {
    "tic_tac_toe": "b2 a1 c1 a3 a2",
    "connect_four": "4 4 4 4 3 5 5 3 3 5 2",
    "connect_k": "4 4 4 5 3 5 6 6",
    "pop_out": "4 4 3 5 3 3 5 2",
    "gomoku": "h8 i9 h9 h7 i8 g8 h10 h11 j7 g10 k6",
    "othello": "d3 c3 c4 e3 f4 c5 b4 f5",
    "hex": "d4 c5 e3 c3 d5 b5 e4 b4",
    "y": "c3 d2 b4 b3 d3 c4",
    "domineering": "b1-b2 d3-e3 c5-c6",
    "dots_and_boxes": "b1b2 c3c4 c1d1 b2c2 a2a3 c1c2 b1c1",
    "sim": "ad ce ef ac bf be",
    "quarto": "4 c1 5 b2 9 c3 E",
    "teeko": "c3 b3 d3 c2",
    "three_mens_morris": "b2 a1 c3",
    "six_mens_morris": "e1 b4 b2 c5",
    "nine_mens_morris": "d2 f4 g7 d6",
    "lasker_morris": "d2 f4 g7 d6",
    "twelve_mens_morris": "d2 f4 g7 d6",
    "pig": "roll 6 roll 5 roll 6 roll 6 roll 5 hold roll 4 roll 5 roll 6 hold roll 6 roll 6 roll 4",
    "2048": "a4:2 b4:2 left d1:2 up b2:4 left c3:2",
    "twenty48": "b2:2 b1:2 up a1:2",
    "drop48": "b2:2 b1:2 up a1:2",
}
"""Moves from the start to the position of a picture; without any, the board begins with enough on it."""

PICTURE_CELL = 24.0
"""The width of a cell of a small picture, in pixels."""


def gallery_facts(entry: Entry) -> dict[str, Any]:
    """The category of a game, its rank in the gallery, and whether it has chance and a book.

    A game that is not Zermelo's own has the first rank.
    """
    place = f"{entry.game.__module__}:{entry.game.__qualname__}"
    own = next((name for name, home in GAMES.items() if home == place), None)
    ranked = [(name, category) for category, names in CATEGORIES.items() for name in names]
    rank = next((rank for rank, (name, _) in enumerate(ranked, 1) if name == own), 0)
    return {
        "category": ranked[rank - 1][1] if rank else OWN_CATEGORY,
        "rank": rank,
        "chance": entry.game.is_chance is not Game.is_chance,
        "book": own is not None and any(own_file(own, kind) for kind in (".json", SUFFIX)),
    }


def picture(session: Session) -> dict[str, Any]:
    """A small picture of a game in progress; of one that has not begun, of its board with some pieces on it."""
    begun = session.history or session.start != rules.initial_state(session.game)
    shown = session if begun else opened(session.game)
    board = board_of(shown.game, shown.state)
    laid = tiles_laid(shown.game, board, shown.history)
    return {"svg": board_svg(board, Marks(laid=laid), size=PICTURE_CELL, styled=False)}


def opened(game: Game) -> Session:
    """A session after the opening of a game of Zermelo's own, as it usually is; of another, at its initial state."""
    session = Session(game)
    name = next((name for name in OPENINGS if game == load(name)), "")
    for text in OPENINGS.get(name, "").split():
        session.enter(text)
    return session
