"""Singular extensions: a move without an alternative is searched deeper."""

import zermelo as z
from zermelo import LOSS, ONGOING, Game, Limit

END = 13


class Corridor(Game):
    """Whoever leaves the corridor looks lost from then on. The second player would have to leave before its end."""

    native = False

    def initial(self):
        return 0

    def moves(self, place):
        return (0, 1) if place >= 0 else (0,)

    def play(self, place, move):
        if place < 0:
            return place - 1
        return -1 if move else place + 1

    def result(self, place):
        return LOSS if place == END else ONGOING

    def evaluate(self, place):
        return 0 if place >= 0 else 50 if place % 2 else -50


class Singular(Corridor):
    singular = 1.0


def test_a_move_without_alternative_is_searched_to_the_end():
    values = [str(z.search(game, limit=Limit(depth=9)).value) for game in (Corridor(), Singular())]
    assert values == ["0", "+50"]
