"""SVG documents of a state: the same for a file, a notebook and the page, in light and dark.

Every square is a group of class `square`: its number in `data-square`, its centre in `data-x` and `data-y`, its extent
in `data-width` and `data-height` and the lesser of these in `data-size`, its name in `data-name`, and a title with
its contents. A stack of checkers has its height in `data-stack`, and in `data-top` and `data-next` the y of its topmost
checker and of the next one. Every die is a group of class `die`, with `data-face`. If the sides are white and black,
`data-sides` of the document says which is which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from zermelo.board import Board, Marks
from zermelo.game import Game, State
from zermelo.show.laid_tiles import with_owners
from zermelo.show.scene.board_scene import (
    CELL,
    Die,
    Hand,
    Label,
    Place,
    Plate,
    Scene,
    Sign,
    Stroke,
    board_of,
    scene,
)
from zermelo.show.scene.places import HAND_STEP
from zermelo.show.svg import checker_stacks, piece_shapes, theme
from zermelo.show.svg.square_drawing import bare_square, square
from zermelo.show.svg.svg_elements import circle, escape, n, text

HAND_RADIUS = 7.0
"""The radius of a stone in a hand."""

CUBE_SIZE = 46.0

CELL_PIXELS = 48.0
"""The default width of a cell in pixels; a style sheet may scale the picture."""


def svg(
    game: Game, state: State, marks: Marks | None = None, *, interactive: bool = False, size: float = CELL_PIXELS
) -> str:
    """Return the picture of a state as an SVG document.

    With `interactive`, squares are buttons for screen readers, and can take the focus.

    >>> from zermelo.games.registry import load
    >>> game = load("tic_tac_toe")
    >>> picture = svg(game, game.initial())
    >>> picture.startswith("<svg "), picture.count('class="square"')
    (True, 9)
    """
    board, marks = board_of(game, state), marks or Marks()
    if not marks.highlights:
        marks = replace(marks, highlights=tuple(game.highlights(state)))
    return board_svg(board, marks, title=f"{game!r}: {game.state_text(state)}", interactive=interactive, size=size)


def board_svg(
    board: Board,
    marks: Marks | None = None,
    *,
    title: str = "",
    interactive: bool = False,
    size: float = CELL_PIXELS,
    styled: bool = True,
) -> str:
    """Return a board as an SVG document, with its marks; unless `styled`, its page has the style sheet of boards."""
    laid, marks = scene(board), marks or Marks()
    if marks.laid:
        laid = replace(laid, places=tuple(with_owners(laid.places, marks)))
    inside = [
        f"<title>{escape(title)}</title>" if title else "",
        f"<style>{theme.style()}</style>" if styled else "",
        f'<rect class="zb-page" width="{n(laid.width)}" height="{n(laid.height)}" rx="8"/>',
        *map(_plate, laid.plates),
        *map(_stroke, (stroke for stroke in laid.strokes if not stroke.kind.startswith("edge"))),
        *(_die(number, die) for number, die in enumerate(laid.dice)),  # below the squares: dice may be one
        *_heaps((place, square(place, marks, interactive)) for place in _lines_first(laid)),
        *map(_stroke, (stroke for stroke in laid.strokes if stroke.kind.startswith("edge"))),
        *map(_label, laid.labels),
        *map(_hand, laid.hands),
        *map(_sign, laid.signs),
        *_arrows(laid, marks),
    ]
    return f"{_opening(laid, theme.tints(board), interactive, size)}{''.join(inside)}</svg>"


def thumbnail(board: Board) -> tuple[float, float, str]:
    """Return the width and the height of a board and its drawing, without the names of squares.

    The drawing belongs into an element of class `zermelo-board`, in a document with the style of boards.
    """
    laid = scene(board)
    inside = [
        *map(_plate, laid.plates),
        *map(_stroke, (stroke for stroke in laid.strokes if not stroke.kind.startswith("edge"))),
        *map(bare_square, _lines_first(laid)),
        *map(_stroke, (stroke for stroke in laid.strokes if stroke.kind.startswith("edge"))),
        *map(_label, filter(_is_contents, laid.labels)),
        *map(_hand, laid.hands),
        *map(_sign, laid.signs),
        *(_die(number, die) for number, die in enumerate(laid.dice)),
    ]
    return laid.width, laid.height, "".join(inside)


def _opening(laid: Scene, tints: tuple[str, str], interactive: bool, size: float) -> str:
    width, height = (round(side * size / CELL) for side in (laid.width, laid.height))
    sides = "" if tints == theme.DEFAULT_SIDES else f' data-sides="{" ".join(tints)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-board" role="{"group" if interactive else "img"}" '
        f'viewBox="0 0 {n(laid.width)} {n(laid.height)}" width="{width}" height="{height}"{sides}>'
    )


# -- plates, strokes and labels --------------------------------------------------------------------------------------


def _lines_first(laid: Scene) -> list[Place]:
    """Return the places in the order in which they are drawn: lines lie below the points that they join."""
    return sorted(laid.places, key=lambda place: not place.ends)


def _heaps(drawn: Iterable[tuple[Place, str]]) -> Iterator[str]:
    """Return the drawings of squares, the matches of each pile in a group, so that a page can point out several."""
    for heap, group in groupby(drawn, key=lambda pair: pair[0].heap):
        inside = "".join(text for _, text in group)
        yield inside if heap is None else f'<g class="heap">{inside}</g>'


def _plate(plate: Plate) -> str:
    if plate.kind != "plate":
        corner = {"frame": 14, "cell": 8}.get(plate.kind, 4)
        size = f'width="{n(plate.width)}" height="{n(plate.height)}" rx="{corner}"'
        return f'<rect class="zb-{plate.kind}" x="{n(plate.x)}" y="{n(plate.y)}" {size}/>'
    return (
        f'<rect class="zb-plate" x="{n(plate.x - 4)}" y="{n(plate.y - 4)}" width="{n(plate.width + 8)}" '
        f'height="{n(plate.height + 8)}" rx="14"/>'
    )


def _stroke(stroke: Stroke) -> str:
    points = " ".join(f"{n(stroke.x + x)},{n(stroke.y + y)}" for x, y in stroke.points)
    rim = f'<polyline class="zb-rim{stroke.kind[-1]}" points="{points}"/>' if stroke.kind.startswith("edge") else ""
    return f'{rim}<polyline class="zb-{stroke.kind}" points="{points}"/>'


def _is_contents(label: Label) -> bool:
    """Whether a label is a number, a value or the name of one, not that of a square."""
    return label.kind in ("count", "field", "way") or (label.kind == "label" and label.anchor == "start")


def _label(label: Label) -> str:
    middle = None if label.middle is None else (label.x + label.middle[0], label.y + label.middle[1])
    size = None if label.scale == 1 else label.scale * (16 if label.kind == "field" else 14)
    return text(label.x, label.y, label.text, f"zb-{label.kind}", size=size, anchor=label.anchor, middle=middle)


def _hand(hand: Hand) -> str:
    stones = "".join(
        circle(hand.x + i * HAND_STEP, hand.y, HAND_RADIUS, f"zb-stone{hand.side}") for i in range(hand.count)
    )
    x, y = hand.x + hand.middle[0], hand.y + hand.middle[1]
    return f'<g class="hand" data-x="{n(x)}" data-y="{n(y)}">{stones}</g>'


def _sign(sign: Sign) -> str:
    half = CUBE_SIZE / 2
    cube = f'<rect class="zb-die" x="{n(sign.x - half)}" y="{n(sign.y - half)}" width="{n(CUBE_SIZE)}" '
    ground = f'{cube}height="{n(CUBE_SIZE)}" rx="7"/>' if sign.kind == "cube" else ""
    told = f"<title>{escape(sign.words)}</title>{ground}{text(sign.x, sign.y, sign.text, f'zb-{sign.kind}')}"
    return f'<g class="hand {sign.kind}" data-x="{n(sign.x)}" data-y="{n(sign.y)}">{told}</g>'


def _die(number: int, die: Die) -> str:
    half, unit = die.size / 2, die.size / CELL
    face = f"die: {die.face}" if die.face else "a die to be rolled"
    if not die.face:
        inside = text(die.x, die.y, "?", "zb-label", size=26 * unit)
    elif die.face in piece_shapes.PIPS:
        reach, pips = 16 * unit, piece_shapes.PIPS[die.face]
        inside = "".join(circle(die.x + reach * x, die.y + reach * y, 5.5 * unit, "zb-pip") for x, y in pips)
    else:
        inside = text(die.x, die.y, str(die.face), "zb-count", size=24 * unit)
    return (
        f'<g class="die" data-die="{number}" data-face="{die.face}" data-x="{n(die.x)}" data-y="{n(die.y)}" '
        f'data-size="{n(die.size)}"><title>{face}</title>'
        f'<rect class="zb-die" x="{n(die.x - half + 2)}" y="{n(die.y - half + 2)}" width="{n(die.size - 4)}" '
        f'height="{n(die.size - 4)}" rx="{n(11 * unit)}"/>{inside}</g>'
    )


def _arrows(laid: Scene, marks: Marks) -> list[str]:
    where = {place.number: place for place in laid.places}
    arrows = [
        piece_shapes.arrow((where[one].x, _tail(where[one])), (where[two].x, _head(where[two])), 7)
        for one, two in marks.arrows
        if one in where and two in where
    ]
    return [f'<polygon class="zb-arrow" points="{" ".join(f"{n(x)},{n(y)}" for x, y in arrow)}"/>' for arrow in arrows]


def _tail(place: Place) -> float:
    """Return the y at which an arrow from a square begins."""
    return checker_stacks.top_y(place) if checker_stacks.is_stack(place) else place.y


def _head(place: Place) -> float:
    return checker_stacks.next_y(place) if checker_stacks.is_stack(place) else place.y
