"""Scene: a board laid out in the plane, each square a place with its number, its shape and its coordinates.

Renderers draw scenes, and clicks are looked up in them; neither knows the rules.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from zermelo.board import Board, Dice, Fields, Grid, Hexes, Piles, Pits, Points, Scores, Tables, Together, Track
from zermelo.formatting import plain_repr
from zermelo.game import Game, GameError, State
from zermelo.show.scene.cell_layout import grid_scene, hexes_scene
from zermelo.show.scene.count_layout import dice_scene, fields_scene, piles_scene, pits_scene
from zermelo.show.scene.places import (
    CELL,
    MARGIN,
    MAX_DRAWN_MATCHES,
    Die,
    Hand,
    Label,
    Place,
    Plate,
    Scene,
    Sign,
    Stroke,
    letter_scale,
)
from zermelo.show.scene.point_layout import points_scene
from zermelo.show.scene.race_layout import scores_scene, track_scene
from zermelo.show.scene.table_layout import tables_scene

__all__ = [
    "CELL",
    "MAX_DRAWN_MATCHES",
    "Die",
    "Hand",
    "Label",
    "Place",
    "Plate",
    "Scene",
    "Sign",
    "Stroke",
    "board_of",
    "scene",
]


def board_of(game: Game, state: State) -> Board:
    """Return the board of a state; without a `board` rule, the names and values of the state.

    Raise GameError if the rule returns no valid board.

    >>> from zermelo.games.registry import load
    >>> game = load("nim")
    >>> board_of(game, game.initial())
    Piles(counts=(3, 4, 5), names=(), owners=(), room=5)
    """
    try:
        board = game.board(state)
    except GameError:
        raise
    except ValueError as error:  # raised by a board with inconsistent numbers
        raise GameError(f"{game!r}: `board` of {game.state_text(state)}: {error}") from None
    if board is None:
        return _fields_of(game, state)
    if not isinstance(board, Board):
        raise GameError(
            f"{game!r}: `board` of {game.state_text(state)} is a {type(board).__name__}, not a board of zermelo.board."
        )
    return board


def _fields_of(game: Game, state: State) -> Fields:
    if game.has("state_text") or not getattr(state, "_fields", ()):
        return Fields(("state",), (game.state_text(state),))
    return Fields(tuple(state._fields), tuple(map(plain_repr, state)))


def scene(board: Board) -> Scene:
    """Return the layout of a board.

    >>> [(place.number, place.name, place.x, place.y) for place in scene(Grid((".X",), ("a", "b"), ("1",))).places]
    [(0, 'a1', 69.0, 44.0), (1, 'b1', 129.0, 44.0)]
    """
    match board:
        case Grid():
            return grid_scene(board)
        case Points():
            return points_scene(board)
        case Hexes():
            return hexes_scene(board)
        case Pits():
            return pits_scene(board)
        case Tables():
            return tables_scene(board)
        case Piles():
            return piles_scene(board)
        case Track():
            return track_scene(board)
        case Scores():
            return scores_scene(board)
        case Dice():
            return dice_scene(board)
        case Fields():
            return fields_scene(board)
        case Together():
            return _together(board)


# -- together --------------------------------------------------------------------------------------------------------

Thing = TypeVar("Thing", bound=Any)
SCENE_PARTS = ("plates", "strokes", "labels", "places", "dice", "hands", "signs")


def _together(board: Together) -> Scene:
    """Return the parts below each other, centred, with their squares numbered through."""
    others = {number: scene(part) for number, part in enumerate(board.parts) if not isinstance(part, Fields)}
    across = max((part.width for part in others.values()), default=0.0)
    scale = letter_scale(across, sum(part.height for part in others.values()))
    scenes = [
        fields_scene(part, scale) if isinstance(part, Fields) else others[number]
        for number, part in enumerate(board.parts)
    ]
    width = max((part.width for part in scenes), default=2 * MARGIN)
    starts = [0, *(sum(map(len, board.parts[: i + 1])) for i in range(len(board.parts)))]
    tops = [0.0]
    for part in scenes:
        tops.append(tops[-1] + part.height - MARGIN)
    moved = [
        _moved(part, (width - part.width) / 2, top, start)
        for part, top, start in zip(scenes, tops, starts, strict=False)
    ]
    return Scene(
        width,
        tops[-1] + MARGIN,
        *(tuple(thing for part in moved for thing in getattr(part, kind)) for kind in SCENE_PARTS),
    )


def _moved(part: Scene, right: float, down: float, start: int) -> Scene:
    kinds = {kind: tuple(_shifted(thing, right, down) for thing in getattr(part, kind)) for kind in SCENE_PARTS}
    kinds["places"] = tuple(replace(place, number=place.number + start) for place in kinds["places"])
    return Scene(part.width, part.height, **kinds)


def _shifted(thing: Thing, right: float, down: float) -> Thing:
    return replace(thing, x=thing.x + right, y=thing.y + down)
