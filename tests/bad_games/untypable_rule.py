"""A game that is sound but not for the compiler: a variable of `moves` is a number or a text."""

from zermelo import LOSS, ONGOING, Game


class Untypable(Game):
    """Take one or two."""

    native = True

    def initial(self):
        return 5

    def moves(self, left):
        most = "two"
        if left < 2:
            most = 1
        for taken in (1, 2):
            if most == "two" or taken == most:
                yield taken

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else ONGOING
