"""One square of a board as SVG: its ground, its pieces, its marks and its value."""

from __future__ import annotations

from dataclasses import replace

from zermelo.board import Marks, Piece, Tag
from zermelo.show.scene.board_scene import CELL, MAX_DRAWN_MATCHES, Place
from zermelo.show.scene.count_layout import MATCH_STEP, STONE_STEP
from zermelo.show.svg import checker_stacks, emblems, grid_strokes, piece_shapes, score_bars
from zermelo.show.svg.svg_elements import box, circle, escape, n, text


def square(place: Place, marks: Marks, interactive: bool) -> str:
    """Return one square: its ground, its marks, its contents and its value."""
    last, target, tag = place.number in marks.last, place.number in marks.targets, marks.values.get(place.number)
    title = escape(f"{place.name}: {_contents(place)}" + (f", {tag.label or tag.text}" if tag else ""))
    framed = last and not (place.shape == "cell" and place.number in marks.highlights)
    marked = _highlight(place) if place.number in marks.highlights else ""
    drawn = [_pieces(place), _last_ring(place) if last else "", marked]
    if place.ends:  # the line keeps its colour between two edges
        drawn.reverse()
    inside = [
        f"<title>{title}</title>",
        _ground(place, framed),
        *drawn,
        _target(place) if target else "",
        _tag(place, tag) if tag else "",
    ]
    return f"<g {_attributes(place, title, interactive)}>{''.join(inside)}</g>"


def bare_square(place: Place) -> str:
    """Return a square with what is on it and nothing for people who click or hear: for small pictures."""
    piece = "" if place.piece is None else f' data-piece="{escape(place.piece.mark)}"'
    return f'<g class="square"{piece}>{_ground(place, last=False)}{_pieces(place)}</g>'


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
    if place.shape == "match":
        found["data-next"] = n(_below(place))
    if interactive:
        found |= {"role": "button", "tabindex": "-1"}
    return " ".join(f'{name}="{value}"' for name, value in found.items())


def _contents(place: Place) -> str:
    """Return the contents of a square in words, for screen readers."""
    if checker_stacks.is_stack(place):
        return checker_stacks.contents(place)
    if place.shape == "score":
        return score_bars.contents(place)
    if place.shape == "dice":
        return "to be rolled"
    if place.shape == "match":
        return f"one of {place.count}"
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
    if place.ends:
        return _line(place, "zb-along") + (_line(place, "zb-lastline") if last else "")
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
    if place.shape == "score":
        return score_bars.ground(place, last)
    if place.shape in ("dice", "match"):
        return box(place, "zb-hit")
    if last and place.shape == "cell":  # the frame lies within, since the next square is drawn over what is beyond
        inner = replace(place, width=place.width - 3, height=place.height - 3)
        return box(place, "zb-cell") + box(inner, kind)
    return box(place, kind, 26 if place.shape == "store" else 0)


def _line(place: Place, kind: str) -> str:
    """Return the line between two points for which a place stands."""
    points = " ".join(f"{n(x)},{n(y)}" for x, y in place.ends)
    return f'<polyline class="{kind}" points="{points}"/>'


def _last_ring(place: Place) -> str:
    """Return the ring of the last move, for squares whose ground is hidden or small."""
    if place.shape in ("hole", "point") and not place.ends:
        return circle(place.x, place.y, 0.45 * CELL, "zb-lastring")
    return ""


def _highlight(place: Place) -> str:
    """Return the ring of a square that is pointed out, with a halo that is seen on every colour; on a line, a line."""
    if place.ends:
        return _line(place, "zb-highline")
    if place.shape in ("cell", "bright", "dark"):
        inner = replace(place, width=place.width - 6, height=place.height - 6)
        return box(inner, "zb-halo", 6) + box(inner, "zb-highlight", 6)
    return circle(place.x, place.y, 0.41 * CELL, "zb-halo") + circle(place.x, place.y, 0.41 * CELL, "zb-highlight")


def _target(place: Place) -> str:
    if checker_stacks.is_stack(place):
        return checker_stacks.target(place)
    if place.shape == "match":
        return circle(place.x, _below(place), 0.1 * place.width, "zb-target")
    if place.piece is None and place.count is None:
        return circle(place.x, place.y, 0.15 * CELL, "zb-target")
    if place.shape in ("pile", "store", "score", "dice"):
        return box(place, "zb-targetring", 8)
    return circle(place.x, place.y, 0.44 * CELL, "zb-targetring")


def _pieces(place: Place) -> str:
    """Return the piece, the checkers, the seeds or the matches on a square."""
    if checker_stacks.is_stack(place):
        return checker_stacks.checkers(place)
    if grid_strokes.is_drawn(place):
        return grid_strokes.upon(place)
    if place.ends:
        return "" if place.piece is None else _line(place, f"zb-owned{place.piece.side or 0}")
    if place.shape in ("pit", "store"):
        radius = place.width / 2 - 4
        stretch = place.height / place.width
        spots = piece_shapes.seeds(place.count or 0, radius)
        size = 4.5 if len(spots) <= 12 else 3.2 if len(spots) <= 30 else 2.2
        return "".join(circle(place.x + x, place.y + y * stretch, size, "zb-seed") for x, y in spots)
    if place.shape == "pile":
        return _matches(place)
    if place.shape == "score":
        return score_bars.bars(place)
    if place.shape == "match":
        top, length = place.y - 0.36 * place.height, 0.56 * place.height
        head = circle(place.x, top, 5, "zb-head")
        return f'<path class="zb-match" d="M{n(place.x)} {n(top)}v{n(length)}"/>{head}'
    return "" if place.piece is None else _piece(place, place.piece)


def _matches(place: Place) -> str:
    left = place.x - place.width / 2
    count = place.count or 0
    if place.most > MAX_DRAWN_MATCHES:
        length = (place.width - 20) * count / place.most
        return f'<rect class="zb-bar" x="{n(left + 10)}" y="{n(place.y - 8)}" width="{n(length)}" height="16" rx="3"/>'
    if place.side is not None:
        centres = [left + 29 + STONE_STEP * i for i in range(count)]
        rings = [circle(x, place.y, 8.7, "zb-ring1") if place.side == 1 else "" for x in centres]
        stones = [circle(x, place.y, 15, f"zb-stone{place.side}") for x in centres]
        return "".join(stone + ring for stone, ring in zip(stones, rings, strict=True))
    reach = 0.28 * place.height
    across = [left + 20 + MATCH_STEP * i for i in range(count)]
    sticks = "".join(f"M{n(x)} {n(place.y - reach)}v{n(2 * reach)}" for x in across)
    heads = "".join(circle(x, place.y - reach, 4, "zb-head") for x in across)
    return f'<path class="zb-match" d="{sticks}"/>{heads}' if sticks else ""


def _below(place: Place) -> float:
    """Return the y below a match, where its marks are."""
    return place.y + 0.36 * place.height


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
    if place.shape == "match":
        y = _below(place)
    x = place.x if place.shape != "pile" else place.x + place.width / 2 - width / 2 - 6
    corner = {"win": height / 2, "loss": 1.0}.get(tag.tone, 5.0)
    return (
        f'<g class="zb-tag" data-tone="{escape(tag.tone)}"><rect class="zb-{escape(tag.tone)}" x="{n(x - width / 2)}" '
        f'y="{n(y - height / 2)}" width="{n(width)}" height="{n(height)}" rx="{n(corner)}"/>'
        f"{text(x, y, tag.text, 'zb-value', size=size)}</g>"
    )
