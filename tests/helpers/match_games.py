"""Small interpreted games and players for matches; functions here are players as well."""

import os
import random
import time

from zermelo import DRAW, LOSS, ONGOING, Game


class Countdown(Game):
    """Take one to three; the player who takes the last one wins."""

    native = False
    start: int = 21

    def initial(self):
        return self.start

    def moves(self, left):
        return range(1, min(left, 3) + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else ONGOING


class Turning(Game):
    """A wheel with three places, which never stops."""

    native = False
    loops = True

    def initial(self):
        return 0

    def moves(self, place):
        return (1, 2)

    def play(self, place, step):
        return (place + step) % 3

    def result(self, place):
        return ONGOING


class Endless(Turning):
    """The same with a counter, so that nothing repeats."""

    loops = False

    def play(self, place, step):
        return place + step


class Rolling(Game):
    """Each player adds a die, six times in all; an even sum is a draw."""

    native = False

    def initial(self):
        return (0, 0, False)

    def is_chance(self, state):
        return state[2]

    def chances(self, state):
        return [(face, 1 / 6) for face in range(1, 7)]

    def moves(self, state):
        return (1,)

    def play(self, state, move):
        total, turns, rolling = state
        return (total + move, turns + 1, False) if rolling else (total, turns, True)

    def mover(self, state):
        return state[1] % 2

    def result(self, state):
        if state[1] < 6:
            return ONGOING
        return DRAW if state[0] % 2 == 0 else LOSS


class Perfect:
    """The winning strategy of Countdown."""

    def __init__(self, game):
        del game

    def choose(self, left):
        return left % 4 or 1


def drawing_lots(game, state):
    return random.choice(list(game.moves(state)))


def slow(game, state):
    time.sleep(0.3)
    return 1


def raising(game, state):
    raise KeyError("no such thing")


def lying(game, state):
    return "nine"


def leaving(game, state):
    os._exit(7)


def hanging(game, state):
    while True:
        pass
