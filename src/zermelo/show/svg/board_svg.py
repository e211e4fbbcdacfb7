"""SVG documents of a state: the same for a file, a notebook and the page, in light and dark.

Every square is a group of class `square`: its number in `data-square`, its centre in `data-x` and `data-y`, its extent
in `data-width` and `data-height` and the lesser of these in `data-size`, its name in `data-name`, and a title with
its contents. A stack of checkers has its height in `data-stack`, and in `data-top` and `data-next` the y of its topmost
checker and of the next one. Every die is a group of class `die`, with `data-face`. If the sides are white and black,
`data-sides` of the document says which is which.
"""

from __future__ import annotations

from dataclasses import replace

from zermelo.board import Board, Marks, Piece, Tag
from zermelo.game import Game, State
from zermelo.show.scene.board_scene import (
    CELL,
    MAX_DRAWN_MATCHES,
    Die,
    Hand,
    Label,
    Place,
    Plate,
    Scene,
    Stroke,
    board_of,
    scene,
)
from zermelo.show.scene.count_layout import MATCH_STEP, STONE_STEP
from zermelo.show.scene.places import HAND_STEP
from zermelo.show.svg import checker_stacks, emblems, grid_strokes, piece_shapes, theme
from zermelo.show.svg.svg_elements import box, circle, escape, n, text

HAND_RADIUS = 7.0
"""The radius of a stone in a hand."""

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
    board: Board, marks: Marks | None = None, *, title: str = "", interactive: bool = False, size: float = CELL_PIXELS
) -> str:
    """Return a board as an SVG document, with its marks."""
    laid, marks = scene(board), marks or Marks()
    inside = [
        f"<title>{escape(title)}</title>" if title else "",
        f"<style>{theme.style()}</style>",
        f'<rect class="zb-page" width="{n(laid.width)}" height="{n(laid.height)}" rx="8"/>',
        *map(_plate, laid.plates),
        *map(_stroke, (stroke for stroke in laid.strokes if not stroke.kind.startswith("edge"))),
        *(_square(place, marks, interactive) for place in laid.places),
        *map(_stroke, (stroke for stroke in laid.strokes if stroke.kind.startswith("edge"))),
        *map(_label, laid.labels),
        *map(_hand, laid.hands),
        *(_die(number, die) for number, die in enumerate(laid.dice)),
        *_arrows(laid, marks),
    ]
    return f"{_opening(laid, theme.tints(board), interactive, size)}{''.join(inside)}</svg>"


def _opening(laid: Scene, tints: tuple[str, str], interactive: bool, size: float) -> str:
    width, height = (round(side * size / CELL) for side in (laid.width, laid.height))
    sides = "" if tints == theme.DEFAULT_SIDES else f' data-sides="{" ".join(tints)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-board" role="{"group" if interactive else "img"}" '
        f'viewBox="0 0 {n(laid.width)} {n(laid.height)}" width="{width}" height="{height}"{sides}>'
    )


# -- plates, strokes and labels --------------------------------------------------------------------------------------


def _plate(plate: Plate) -> str:
    if plate.kind != "plate":
        corner = 14 if plate.kind == "frame" else 4
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


def _label(label: Label) -> str:
    middle = None if label.middle is None else (label.x + label.middle[0], label.y + label.middle[1])
    return text(label.x, label.y, label.text, f"zb-{label.kind}", anchor=label.anchor, middle=middle)


def _hand(hand: Hand) -> str:
    stones = "".join(
        circle(hand.x + i * HAND_STEP, hand.y, HAND_RADIUS, f"zb-stone{hand.side}") for i in range(hand.count)
    )
    x, y = hand.x + hand.middle[0], hand.y + hand.middle[1]
    return f'<g class="hand" data-x="{n(x)}" data-y="{n(y)}">{stones}</g>'


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


# -- squares ---------------------------------------------------------------------------------------------------------


def _square(place: Place, marks: Marks, interactive: bool) -> str:
    """Return one square: its ground, its marks, its contents and its value."""
    last, target, tag = place.number in marks.last, place.number in marks.targets, marks.values.get(place.number)
    title = escape(f"{place.name}: {_contents(place)}" + (f", {tag.label or tag.text}" if tag else ""))
    inside = [
        f"<title>{title}</title>",
        _ground(place, last),
        _pieces(place),
        _last_ring(place) if last else "",
        _highlight(place) if place.number in marks.highlights else "",
        _target(place) if target else "",
        _tag(place, tag) if tag else "",
    ]
    return f"<g {_attributes(place, title, interactive)}>{''.join(inside)}</g>"


def _attributes(place: Place, title: str, interactive: bool) -> str:
    found = {
        "class": "square",
        "data-square": str(place.number),
        "data-x": n(place.x),
        "data-y": n(place.y),
        "data-size": n(min(place.width, place.height)),
        "data-width": n(place.width),
        "data-height": n(place.height),
        "data-name": escape(place.name),
        "aria-label": title,
    }
    if place.piece is not None:
        found["data-piece"] = escape(place.piece.mark)
    if checker_stacks.is_stack(place):
        ends = {"data-top": n(checker_stacks.top_y(place)), "data-next": n(checker_stacks.next_y(place))}
        found |= {"data-stack": str(place.count or 0), **ends}
    if interactive:
        found |= {"role": "button", "tabindex": "-1"}
    return " ".join(f'{name}="{value}"' for name, value in found.items())


def _contents(place: Place) -> str:
    """Return the contents of a square in words, for screen readers."""
    if checker_stacks.is_stack(place):
        return checker_stacks.contents(place)
    if place.count is not None:
        return str(place.count)
    if place.piece is None:
        return "empty"
    return place.piece.label or place.piece.glyph or place.piece.mark


def _ground(place: Place, last: bool) -> str:
    """Return the square itself; one of the last move is highlighted."""
    if checker_stacks.is_stack(place):
        return checker_stacks.ground(place, last)
    if place.stroke:
        return grid_strokes.ground(place, last)
    owner = "" if place.side is None else f" zb-of{place.side}"
    kind = f"zb-{place.shape}{owner}" + (" zb-last" if last else "")
    if place.shape == "hole":
        return circle(place.x, place.y, 0.42 * CELL, "zb-hole") + box(place, "zb-hit")
    if place.shape == "pit":
        return circle(place.x, place.y, place.width / 2, kind)
    if place.shape == "hex":
        corners = " ".join(f"{n(x)},{n(y)}" for x, y in piece_shapes.hexagon(place.x, place.y, place.width))
        return f'<polygon class="{kind}" points="{corners}"/>'
    if place.shape == "point":
        return box(place, "zb-hit") + circle(place.x, place.y, 6, "zb-point")
    if place.shape == "pile":
        return box(place, "zb-cell zb-last" if last else "zb-cell", 8)
    return box(place, kind, 26 if place.shape == "store" else 0)


def _last_ring(place: Place) -> str:
    """Return the ring of the last move, for squares whose ground is hidden or small."""
    if place.shape in ("hole", "point"):
        return circle(place.x, place.y, 0.45 * CELL, "zb-lastring")
    return ""


def _highlight(place: Place) -> str:
    """Return the ring of a square that is pointed out, with a halo that is seen on every colour."""
    if place.shape in ("cell", "bright", "dark"):
        inner = replace(place, width=place.width - 6, height=place.height - 6)
        return box(inner, "zb-halo", 6) + box(inner, "zb-highlight", 6)
    return circle(place.x, place.y, 0.41 * CELL, "zb-halo") + circle(place.x, place.y, 0.41 * CELL, "zb-highlight")


def _target(place: Place) -> str:
    if checker_stacks.is_stack(place):
        return checker_stacks.target(place)
    if place.piece is None and place.count is None:
        return circle(place.x, place.y, 0.15 * CELL, "zb-target")
    if place.shape in ("pile", "store"):
        return box(place, "zb-targetring", 8)
    return circle(place.x, place.y, 0.44 * CELL, "zb-targetring")


def _pieces(place: Place) -> str:
    """Return the piece, the checkers, the seeds or the matches on a square."""
    if checker_stacks.is_stack(place):
        return checker_stacks.checkers(place)
    if grid_strokes.is_drawn(place):
        return grid_strokes.upon(place)
    if place.shape in ("pit", "store"):
        radius = place.width / 2 - 4
        stretch = place.height / place.width
        spots = piece_shapes.seeds(place.count or 0, radius)
        size = 4.5 if len(spots) <= 12 else 3.2 if len(spots) <= 30 else 2.2
        return "".join(circle(place.x + x, place.y + y * stretch, size, "zb-seed") for x, y in spots)
    if place.shape == "pile":
        return _matches(place)
    return "" if place.piece is None else _piece(place, place.piece)


def _matches(place: Place) -> str:
    left = place.x - place.width / 2
    count = place.count or 0
    if place.most > MAX_DRAWN_MATCHES:
        length = (place.width - 20) * count / place.most
        return f'<rect class="zb-bar" x="{n(left + 10)}" y="{n(place.y - 8)}" width="{n(length)}" height="16" rx="3"/>'
    if place.side is not None:
        stones = (circle(left + 29 + STONE_STEP * i, place.y, 15, f"zb-stone{place.side}") for i in range(count))
        return "".join(stones)
    reach = 0.28 * place.height
    across = [left + 20 + MATCH_STEP * i for i in range(count)]
    sticks = "".join(f"M{n(x)} {n(place.y - reach)}v{n(2 * reach)}" for x in across)
    heads = "".join(circle(x, place.y - reach, 4, "zb-head") for x in across)
    return f'<path class="zb-match" d="{sticks}"/>{heads}' if sticks else ""


def _piece(place: Place, piece: Piece) -> str:
    """Return a chess piece, a cross or a ring, a stone with or without a sign on it, or a sign alone."""
    if piece.shape:
        return emblems.drawing(place, piece)
    side, sign = piece.side, piece.glyph or piece.mark
    if sign in piece_shapes.PIECE_OUTLINES:
        return _chess_piece(place, piece_shapes.PIECE_OUTLINES[sign], 0 if side is None else side)
    if not piece.glyph and piece.mark in "XO" and place.shape in ("cell", "bright", "dark"):
        return _cross_or_ring(place, piece.mark)
    if side is None:
        width = sum(0.62 if letter.isalnum() else 1.0 for letter in sign)  # in units of its height
        return text(place.x, place.y, sign, "zb-sign", size=min(30.0, 0.8 * CELL / width))
    stone = circle(place.x, place.y, 0.38 * CELL, f"zb-stone{side}")
    if sign in piece_shapes.DISC_GLYPHS or (not piece.glyph and piece.mark in "XO"):
        return stone + (circle(place.x, place.y, 0.22 * CELL, "zb-ring1") if side == 1 else "")
    if sign in piece_shapes.CROWNED_GLYPHS:
        at = f'transform="translate({n(place.x)} {n(place.y)}) scale({n(CELL / 100)})"'
        return f'{stone}<path class="zb-on{side}" {at} d="{piece_shapes.CROWN_PATH}"/>'
    return stone + text(place.x, place.y, sign, f"zb-on{side}", size=26)


def _chess_piece(place: Place, outline: str, side: int) -> str:
    scale = CELL / 92
    lines = piece_shapes.PIECE_DETAILS[outline]
    return (
        f'<g transform="translate({n(place.x)} {n(place.y)}) scale({n(scale)})"><path class="zb-man{side}" '
        f'd="{outline}"/><path class="zb-detail{side}" d="{lines}"/></g>'
    )


def _cross_or_ring(place: Place, mark: str) -> str:
    reach = 0.24 * CELL
    if mark == "O":
        return circle(place.x, place.y, reach + 2, "zb-ring")
    x, y, far = place.x - reach, place.y - reach, n(2 * reach)
    return f'<path class="zb-cross" d="M{n(x)} {n(y)}l{far} {far}m-{far} 0l{far} -{far}"/>'


def _tag(place: Place, tag: Tag) -> str:
    """Return the value on a square: below the middle if the square is occupied. Wins are round, losses have corners."""
    size = min(16.0, (min(place.width, 2 * CELL) - 8) / (0.62 * max(len(tag.text), 1)))
    width, height = 0.62 * size * len(tag.text) + 12, size + 8
    free = place.shape in ("hole", "pile") or (place.piece is None and not place.count)
    y = place.y if free else place.y + place.height / 2 - height / 2
    if checker_stacks.is_stack(place):
        y = checker_stacks.next_y(place)
    x = place.x if place.shape != "pile" else place.x + place.width / 2 - width / 2 - 6
    corner = {"win": height / 2, "loss": 1.0}.get(tag.tone, 5.0)
    return (
        f'<g class="zb-tag" data-tone="{escape(tag.tone)}"><rect class="zb-{escape(tag.tone)}" x="{n(x - width / 2)}" '
        f'y="{n(y - height / 2)}" width="{n(width)}" height="{n(height)}" rx="{n(corner)}"/>'
        f"{text(x, y, tag.text, 'zb-value', size=size)}</g>"
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
