"""A small game that is right, for tests that need some game, and for those that change one thing about it."""

from zermelo import LOSS, ONGOING, Game


class Takes(Game):
    """Take one or two of six; the player who takes the last one wins. Interpreted."""

    native = False

    def initial(self):
        return 6

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else ONGOING


class Countdown(Takes):
    """The same with any number, compiled."""

    native = None
    start: int = 6

    def initial(self):
        return self.start
