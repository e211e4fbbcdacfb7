"""A sound game that is not for the compiler: its states are texts."""

from zermelo import LOSS, ONGOING, Game


class Interpreted(Game):
    """Take one or two letters; the player who takes the last one wins."""

    def initial(self):
        return "abcde"

    def moves(self, word):
        return range(1, min(len(word), 2) + 1)

    def play(self, word, taken):
        return word[taken:]

    def result(self, word):
        return ONGOING if word else LOSS
