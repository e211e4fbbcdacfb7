"""Signs: what one square shows in a terminal, and in which style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from zermelo.board import NOWHERE, Marks, Piece, Sides
from zermelo.show.svg.theme import SIDES, tints

PLAYERS = ("bold dodger_blue1", "bold dark_orange")
"""The colours of the first and of the second player: those of the other pictures."""

INKS = dict(zip(SIDES, PLAYERS, strict=True)) | {"white": "bold #ffffff on #757575", "black": "bold #000000 on #757575"}
"""White and black are seen in any terminal on a ground that is neither."""

TONES = {"win": "bold green", "draw": "bold", "loss": "bold red", "estimate": "cyan"}
LABELS = "dim"
LAST = "reverse"
TARGET = "bold green"


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of a board with these marks. With `round_stones`, X and O are discs where Unicode has them."""

    marks: Marks
    unicode: bool
    round_stones: bool = False
    sides: Sides = None

    def at(self, square: int, piece: Piece | None, mark: str = ".") -> Text:
        """A piece, or the value of an empty square, or the sign of one."""
        if mark == NOWHERE:
            return Text(" ")
        if piece is not None:
            style = "" if piece.side is None else INKS[tints(self.sides)[piece.side]]
            return Text(self._sign(piece), f"{style} {LAST if square in self.marks.last else ''}".strip())
        return self.mark(square) or self.empty(square)

    def empty(self, square: int) -> Text:
        """The sign of a square where nothing stands."""
        return Text("·" if self.unicode else ".", LAST if square in self.marks.last else LABELS)

    def mark(self, square: int) -> Text:
        """What is written on a square, or that one can go there; nothing where neither is so."""
        if square in self.marks.values:
            return self.value(square)
        return Text("+", TARGET) if square in self.marks.targets else Text()

    def value(self, square: int, before: str = "") -> Text:
        """What is written on a square, if anything is, after these characters."""
        tag = self.marks.values.get(square)
        return Text() if tag is None else Text(before).append(tag.text, TONES.get(tag.tone, ""))

    def number(self, square: int, count: int, brackets: str = "") -> Text:
        """A number of seeds; what is written on the square follows it."""
        sign = f"{brackets[:1]}{count}{brackets[1:]}"
        return Text(sign, LAST if square in self.marks.last else "bold").append_text(self.value(square, ":"))

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
