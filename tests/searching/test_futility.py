"""Futility pruning: what it may not skip."""

import zermelo as z
from zermelo import LOSS, ONGOING, Game, Limit


class QuietWin(Game):
    """After the move 2 the opponent looks lost, but the last of a hundred quiet moves wins."""

    native = False
    futility = 1.0

    def initial(self):
        return -1

    def moves(self, state):
        if state < 0:
            return (0,)
        if state == 0:
            return (1, 2)
        return range(10, 110) if state < 3 else (1,) if state > 999 else ()

    def play(self, state, move):
        if state <= 0:
            return move
        return 1000 * state + move if state < 3 else 3

    def result(self, state):
        return LOSS if state == 2109 else ONGOING

    def stuck(self, state):
        return 0

    def evaluate(self, state):
        return {1: -100, 2: -50}.get(state, 50 if state >= 2000 else 0)

    def forcing(self, state):
        assert state != 2109, "the game is over"
        return False


def test_a_quiet_move_that_ends_the_game_is_not_futile():
    report = z.search(QuietWin(), limit=Limit(depth=3))
    assert report.pv[:2] == (0, 1)
    assert str(report.value) == "0"
