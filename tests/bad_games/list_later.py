"""A game whose first states can be stored in a table, and whose last ones cannot."""

from zermelo import LOSS, ONGOING, Game


class ListLater(Game):
    """Take one match from a pile."""

    def initial(self):
        return (1, 2)

    def moves(self, state):
        return [pile for pile, count in enumerate(state) if count]

    def play(self, state, pile):
        left = [count - (number == pile) for number, count in enumerate(state)]
        return tuple(left) if sum(left) > 1 else left

    def result(self, state):
        return ONGOING if any(state) else LOSS

    def parse_state(self, text):
        return [int(count) for count in text.split("+")]
