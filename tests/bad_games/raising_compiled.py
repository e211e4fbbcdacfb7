"""A game that compiles, and whose `play` divides by zero once three are left."""

from zermelo import LOSS, ONGOING, Game


class RaisingCompiled(Game):
    """Take one or two."""

    def initial(self):
        return 5

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def play(self, left, taken):
        return left - taken + 0 // (left - 3)

    def result(self, left):
        return LOSS if left == 0 else ONGOING
