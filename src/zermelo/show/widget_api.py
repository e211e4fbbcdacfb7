"""z.widget: a board in a notebook that can be played on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo import rules
from zermelo.arguments import checked_game
from zermelo.game import Game, GameError, State
from zermelo.limits import Limit

if TYPE_CHECKING:
    from zermelo.show.board_widget import BoardWidget


def widget(game: Game, state: State = None, opponent: Limit | None = None, *, seed: int | None = None) -> BoardWidget:
    """Return a board to play on in a notebook, from `state` (the initial one by default).

    With a Limit as `opponent` the engine plays against the player to move; without one, both sides are played by hand.
    Dice are rolled from the `seed`. Raise GameError if anywidget is not installed.

    >>> import zermelo as z
    >>> board = z.widget(z.load("tic_tac_toe"), opponent=z.Limit(depth=9))
    >>> board.play("b2")
    >>> len(board.moves), board.session.player
    (2, 0)
    """
    checked_game("widget", game)
    if opponent is not None and not isinstance(opponent, Limit):
        raise GameError(f"widget of {game!r}: opponent must be a Limit, as in Limit(seconds=1), not {opponent!r}.")
    try:
        from zermelo.show.board_widget import BoardWidget
    except ImportError:
        raise GameError("z.widget shows its board through anywidget: pip install 'zermelo[notebook]'") from None
    return BoardWidget(game, rules.given_state(game, state), opponent, seed)
