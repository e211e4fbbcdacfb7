"""The characters of one square in a terminal, and their style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from zermelo.board import NOWHERE, PALETTE, Marks, Piece
from zermelo.show.svg.theme import BOARD_DARK, DEFAULT_SIDES

PLAYER_STYLES = ("bold dodger_blue1", "bold dark_orange")
"""The styles of the first and of the second player, in the colours of the SVG theme."""

SIDE_STYLES = (
    dict(zip(DEFAULT_SIDES, PLAYER_STYLES, strict=True))
    | {colour: f"bold {BOARD_DARK[colour]}" for colour in PALETTE}
    | {"white": "bold #ffffff on #757575", "black": "bold #000000 on #757575"}
)
"""White and black have a grey ground, on which both are visible in any terminal."""

TONE_STYLES = {"win": "bold green", "draw": "bold", "loss": "bold red", "estimate": "cyan"}
LABEL_STYLE = "dim"
LAST_MOVE_STYLE = "reverse"
TARGET_STYLE = "bold green"


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of a board with these marks. With `round_stones`, X and O are discs where Unicode has them."""

    marks: Marks
    unicode: bool
    round_stones: bool = False
    tints: tuple[str, str] = DEFAULT_SIDES

    def at(self, square: int, piece: Piece | None, mark: str = ".") -> Text:
        """Return a piece, or the value or the sign of an empty square."""
        if mark == NOWHERE:
            return Text(" ")
        if piece is not None:
            style = "" if piece.side is None else SIDE_STYLES[self.tints[piece.side]]
            return Text(self._sign(piece), f"{style} {LAST_MOVE_STYLE if square in self.marks.last else ''}".strip())
        return self.mark(square) or self.empty(square)

    def empty(self, square: int) -> Text:
        """Return the sign of an empty square."""
        return Text("·" if self.unicode else ".", LAST_MOVE_STYLE if square in self.marks.last else LABEL_STYLE)

    def mark(self, square: int) -> Text:
        """Return the value of a square, or the target mark, or nothing."""
        if square in self.marks.values:
            return self.value(square)
        return Text("+", TARGET_STYLE) if square in self.marks.targets else Text()

    def value(self, square: int, before: str = "") -> Text:
        """Return the value of a square after these characters, or nothing."""
        tag = self.marks.values.get(square)
        return Text() if tag is None else Text(before).append(tag.text, TONE_STYLES.get(tag.tone, ""))

    def number(self, square: int, count: int, brackets: str = "") -> Text:
        """Return a number of seeds, followed by the value of the square."""
        sign = f"{brackets[:1]}{count}{brackets[1:]}"
        return Text(sign, LAST_MOVE_STYLE if square in self.marks.last else "bold").append_text(self.value(square, ":"))

    def _sign(self, piece: Piece) -> str:
        if not self.unicode:
            return piece.mark
        if piece.glyph:
            return piece.glyph
        return {"X": "●", "O": "○"}.get(piece.mark, piece.mark) if self.round_stones else piece.mark


def dice(faces: Sequence[int]) -> Text:
    """Dice as they lie.

    >>> dice((6, 0)).plain
    '[6] [?]'
    """
    return Text(" ".join(f"[{face or '?'}]" for face in faces), "bold")
