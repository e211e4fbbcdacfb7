"""Pictures of a state, for notebooks and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zermelo import rules
from zermelo.board import Marks
from zermelo.files import write_text
from zermelo.game import Game, GameError, Move, State
from zermelo.show.svg import board_svg as drawing
from zermelo.show.text.board_text import picture as text_picture
from zermelo.show.value_marks import value_marks
from zermelo.value import Value


@dataclass(frozen=True)
class Picture:
    """A state of a game with its marks. A notebook shows it as SVG; `print` shows it as text."""

    game: Game
    state: State
    marks: Marks

    def svg(self, *, size: float = drawing.CELL_PIXELS) -> str:
        """Return the picture as an SVG document, a cell `size` pixels wide."""
        return drawing.svg(self.game, self.state, self.marks, size=size)

    def text(self, *, unicode: bool = False) -> str:
        """Return the picture as plain text."""
        marks = self.marks
        drawn = text_picture(
            self.game, self.state, squares=marks.last, targets=marks.targets, values=marks.values, unicode=unicode
        )
        return drawn.plain

    def save(self, path: str | Path, *, size: float = drawing.CELL_PIXELS) -> Path:
        """Write the picture to a file, in the format of its suffix, .svg or .txt. Raise GameError for any other."""
        path = Path(path)
        if path.suffix not in (".svg", ".txt"):
            raise GameError(f"A picture of {self.game!r} is saved as .svg or .txt, not as {path.name!r}.")
        write_text(path, self.svg(size=size) if path.suffix == ".svg" else f"{self.text(unicode=True)}\n")
        return path

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Picture of {self.game!r}: {self.game.state_text(self.state)}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return self.svg()


def picture(
    game: Game,
    state: State = None,
    *,
    last: Sequence[int] = (),
    values: Mapping[Move, Value] | None = None,
    marks: Marks | None = None,
) -> Picture:
    """Return the picture of a state, of the initial one by default.

    `last` are the squares of the last move, `values` the values of moves (`report.moves`, or `solution.moves(state)`),
    and `marks` any other highlights.

    >>> import zermelo as z
    >>> game = z.load("tic_tac_toe")
    >>> print(z.picture(game, z.position(game, "b2 a1"), values={8: z.Value.win(5)}))
    3  .  . W5
    2  .  X  .
    1  O  .  .
       a  b  c
    """
    state = rules.given_state(game, state)
    chosen = marks or Marks()
    if values:
        found = value_marks(game, state, values)
        chosen = replace(chosen, values={**found.values, **chosen.values}, arrows=(*found.arrows, *chosen.arrows))
    return Picture(game, state, replace(chosen, last=(*chosen.last, *last)))
