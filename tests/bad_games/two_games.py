"""A file with two games: which one is meant must be said."""

from zermelo import LOSS, ONGOING, Game


class One(Game):
    """Take one."""

    def initial(self):
        return 1

    def moves(self, left):
        return range(1, left + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else ONGOING


class Two(One):
    """Take two."""

    def initial(self):
        return 2
