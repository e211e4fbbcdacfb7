"""A sound game: the bad ones beside it differ from it in one thing each."""

from zermelo import LOSS, ONGOING, Game


class Countdown(Game):
    """Take one or two; the player who takes the last one wins."""

    start: int = 5

    def initial(self):
        return self.start

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else ONGOING
