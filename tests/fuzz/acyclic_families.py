"""Compiled games without loops and with every optional rule of a search: `Steps`, and `Leaps` with null moves.

The number of the game is part of the state; everything else is a hash of it and the place. Bounds and candidates
look one ply ahead, which is little and sound; evaluations are worthless, and in some games no numbers at all.
"""

from typing import NamedTuple

import numpy as np

from zermelo import ONGOING, Game, bits, loss_in, win_in

PLACES = 18
TINY = 2.0**-40
PRIME = (1 << 61) - 1
"""Python's hash of a number is taken modulo this."""


def roll(game, place, salt, sides):
    """A number below `sides` that only chance seems to choose."""
    mixed = bits.mix(bits.add(bits.multiply(game + 1, 0x9E3779B97F4A7C15), place * 64 + salt))
    return bits.signed(bits.remainder(bits.shift_right(mixed, 7), sides))


class Odd(NamedTuple):
    game: int
    pair: tuple[int, int]
    close: float
    word: np.uint64
    flag: bool
    player: int


class Steps(Game):
    """Moves lead to higher places; a player may move again."""

    def initial(self):
        return Odd(0, (0, 0), 0.5, 0, False, 0)

    def odd(self, game, place, player):
        """The state in which this place is told by one part alone; which one, depends on the game."""
        mode = game % 4
        pair = (place % 4, -1 - place // 4) if mode == 0 else (0, place // 2 if mode == 3 else 0)
        close = 0.5 + (place * TINY if mode == 1 else 0.0)
        word = bits.multiply(place if mode == 2 else 0, PRIME)
        return Odd(game, pair, close, word, mode == 3 and place % 2 == 1, player)

    def place(self, odd):
        mode = odd.game % 4
        if mode == 0:
            return odd.pair[0] + 4 * (-1 - odd.pair[1])
        if mode == 1:
            return int((odd.close - 0.5) / TINY)
        if mode == 2:
            for place in range(PLACES + 1):
                if bits.multiply(place, PRIME) == odd.word:
                    return place
            return 0
        return 2 * odd.pair[1] + int(odd.flag)

    def moves(self, odd):
        place = self.place(odd)
        count = roll(odd.game, place, 1, 5)
        for move in range(max(count, 1) if place == 0 else count):
            yield move * 511 - 3

    def play(self, odd, move):
        place, which = self.place(odd), (move + 3) // 511
        target = min(place + 1 + roll(odd.game, place, 2 + which, 4), PLACES)
        again = roll(odd.game, place, 10 + which, 4) == 0
        return self.odd(odd.game, target, odd.player if again else 1 - odd.player)

    def result(self, odd):
        place = self.place(odd)
        if place == 0 or (place < PLACES and roll(odd.game, place, 20, 9) > 0):
            return ONGOING
        return roll(odd.game, place, 21, 3) - 1

    def stuck(self, odd):
        return roll(odd.game, self.place(odd), 22, 3) - 1

    def mover(self, odd):
        return odd.player

    def evaluate(self, odd):
        place = self.place(odd)
        wild = roll(odd.game, 0, 30, 12)  # one game in six has evaluations that are no numbers
        if wild < 2 and roll(odd.game, place, 31, 4) == 0:
            return (np.inf if place % 2 else -np.inf) if wild else np.nan
        return roll(odd.game, place, 32, 41) / 4 - 5

    def order(self, odd, move):
        return roll(odd.game, self.place(odd), 33 + (move + 3) // 511, 3)

    def noisy(self, odd, move):
        return roll(odd.game, self.place(odd), 40 + (move + 3) // 511, 3) == 0

    def forcing(self, odd):
        return roll(odd.game, self.place(odd), 50, 4) == 0

    def wins(self, odd, move):
        """1 where the move wins at once, -1 where it loses at once, else 0."""
        child = self.play(odd, move)
        result = self.result(child)
        if result == ONGOING:
            for _ in self.moves(child):
                return 0
            result = self.stuck(child)
        return result if child.player == odd.player else -result

    def candidates(self, odd):
        """A move that wins at once, alone; else no move that loses at once, if there is another."""
        better, won = 0, 0
        for move in self.moves(odd):
            won += self.wins(odd, move) == 1
            better += self.wins(odd, move) == 0
        for move in self.moves(odd):
            kept = self.wins(odd, move)
            if (won > 0 and kept == 1) or (won == 0 and (better == 0 or kept == 0)):
                yield move

    def bounds(self, odd):
        """Whether it can end within a ply."""
        count, lost = 0, 0
        for move in self.moves(odd):
            count += 1
            lost += self.wins(odd, move) == -1
            if self.wins(odd, move) == 1:
                return win_in(1), win_in(1)
        if count == 0:
            return loss_in(0), win_in(0)
        return loss_in(1 if lost == count else 2), win_in(2)


class Leaps(Steps):
    """With every selective fact on, and null moves, none of which is to be trusted here."""

    reductions = True
    futility = 0.5
    singular = 0.05

    def skip(self, odd):
        place = self.place(odd)
        if roll(odd.game, place, 51, 3) == 0:
            return odd
        return self.odd(odd.game, min(place + 1, PLACES - 1), 1 - odd.player)
