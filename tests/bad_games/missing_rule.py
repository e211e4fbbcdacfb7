"""A game without `play`."""

from zermelo import LOSS, ONGOING, Game


class Unplayable(Game):
    """Take one or two."""

    def initial(self):
        return 5

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def result(self, left):
        return LOSS if left == 0 else ONGOING
