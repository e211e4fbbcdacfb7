"""Tiles that players lay, as in Domineering: who laid each, which a state does not say but its history does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zermelo.board import PLAYERS, Board, Grid, Marks, Piece, parts_of
from zermelo.game import Game
from zermelo.play.session import Turn
from zermelo.show.scene.places import Place


def tiles_laid(game: Game, board: Board | None, history: Sequence[Turn]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the player and the squares of each tile that was laid; none if the board has no tiles.

    >>> from zermelo.games.registry import load
    >>> from zermelo.play.session import Session
    >>> session = Session(load("domineering(2, 3)"))
    >>> session.play(0)
    >>> tiles_laid(session.game, session.game.board(session.state), session.history)
    ((0, (0, 3)),)
    """
    if not any(isinstance(part, Grid) and any(map(_is_tile, part.pieces)) for part in parts_of(board)):
        return ()
    return tuple((turn.player, tuple(game.squares(turn.state, turn.move))) for turn in history if not turn.chance)


def with_owners(places: Sequence[Place], marks: Marks) -> list[Place]:
    """Return the places, each tile that was laid with its player and with the sides at which it goes on."""
    where = {place.number: place for place in places}
    found = dict(where)
    for player, squares in marks.laid:
        for square in squares:
            place = where.get(square)
            if place is not None and place.piece is not None and _is_tile(place.piece):
                joined = [_side(place, where[other]) for other in squares if other in where and other != square]
                label = f"{place.piece.label} by the {PLAYERS[player]}"
                tile = replace(place.piece, side=player, label=label, shape=" ".join(["tile", *filter(None, joined)]))
                found[square] = replace(place, piece=tile)
    return list(found.values())


def _is_tile(piece: str | Piece) -> bool:
    return isinstance(piece, Piece) and piece.shape == "tile"


def _side(place: Place, other: Place) -> str:
    """The side of a place at which its neighbour lies; "" if they do not touch."""
    right, down = other.x - place.x, other.y - place.y
    sides = {(1, 0): "right", (-1, 0): "left", (0, 1): "below", (0, -1): "above"}
    return sides.get((round(right / place.width), round(down / place.height)), "")
