"""Compiled games with loops, chance and points: `Rounds`, `Tallies`, `Scores`, `Bundle`, `Rings`, `Throws`,
`Picks` and `Lots`.

As in acyclic_families.py, the number of the game is part of the state. Where a rule numbers the states, the stage has
the number of the game in it too, so that `solve(game, stage=...)` solves one game and not all.
"""

from typing import NamedTuple

from acyclic_families import PLACES, roll
from zermelo import LOSS, ONGOING, Game


class Seat(NamedTuple):
    game: int
    place: int
    player: int


class Seats(Game):
    """What the games of seats share: moves, ends, and players who may move again."""

    def initial(self):
        return Seat(0, 0, 0)

    def moves(self, seat):
        count = roll(seat.game, seat.place, 1, 5)
        for move in range(max(count, 1) if seat.place == 0 else count):
            yield move

    def stuck(self, seat):
        return roll(seat.game, seat.place, 33, 3) - 1

    def mover(self, seat):
        return seat.player


class Blocks(Seats):
    """Blocks of six places, in which play may cycle; each is a stage, with numbers that name no state."""

    loops = True

    def stage(self, seat):
        return seat.game * 4 + seat.place // 6

    def size(self, stage):
        return 14

    def index(self, seat):
        return seat.place % 6 * 2 + seat.player if seat.place >= 0 else -1

    def at(self, stage, index):
        return Seat(stage // 4, stage % 4 * 6 + index // 2 if index < 12 else -1, index % 2)


class Rounds(Blocks):
    """A move stays in its block or leads to the next; there are un-moves."""

    def play(self, seat, move):
        block = seat.place // 6 * 6
        ahead = block + 6 if roll(seat.game, seat.place, 2 + move, 5) == 0 else block
        place = min(ahead + roll(seat.game, seat.place, 10 + move, 6), PLACES - 1)
        return Seat(seat.game, place, seat.player ^ (roll(seat.game, seat.place, 20 + move, 4) > 0))

    def result(self, seat):
        if seat.place == 0 or roll(seat.game, seat.place, 30, 7) > 0:
            return ONGOING
        return LOSS if roll(seat.game, seat.place, 31, 3) else roll(seat.game, seat.place, 32, 2)

    def evaluate(self, seat):
        return roll(seat.game, seat.place * 2 + seat.player, 34, 9) - 4

    def predecessors(self, seat):
        for place in range(min(seat.place // 6 * 6 + 6, PLACES)):
            for player in range(2):
                before = Seat(seat.game, place, player)
                if self.result(before) == ONGOING and self.leads_to(before, seat):
                    yield before

    def leads_to(self, before, seat):
        found = False
        for move in self.moves(before):
            after = self.play(before, move)
            found = found or (after.place == seat.place and after.player == seat.player)
        return found


class Tallies(Rounds):
    """The same for points, many of which are rare and worth a long way."""

    margin = True
    payoff_bounds = (-50, 50)

    def result(self, seat):
        if seat.place == 0 or roll(seat.game, seat.place, 30, 7) > 0:
            return ONGOING
        return roll(seat.game, seat.place, 31, 101) - 50


class Spot(NamedTuple):
    game: int
    place: int


class Scores(Game):
    """Points, counted by the place; the players take turns."""

    margin = True
    payoff_bounds = (-50, 50)

    def initial(self):
        return Spot(0, 0)

    def moves(self, spot):
        count = roll(spot.game, spot.place, 1, 5)
        for move in range(max(count, 1) if spot.place == 0 else count):
            yield -move

    def play(self, spot, move):
        return Spot(spot.game, min(spot.place + 1 + roll(spot.game, spot.place, 2 - move, 4), PLACES))

    def result(self, spot):
        if spot.place == 0 or (spot.place < PLACES and roll(spot.game, spot.place, 10, 9) > 0):
            return ONGOING
        return roll(spot.game, spot.place, 11, 101) - 50

    def stuck(self, spot):
        return roll(spot.game, spot.place, 12, 7) - 3

    def evaluate(self, spot):
        return roll(spot.game, spot.place, 13, 101) - 50


class Bundle(Game):
    """A thousand games in one, for a solver that goes forward from the first state: the first move chooses the game.

    A place and its double are equivalent.
    """

    volume: int = 0
    games = 1000

    def initial(self):
        return Spot(-1, 0)

    def moves(self, spot):
        count = self.games
        if spot.game >= 0:
            count = roll(spot.game, spot.place % 64, 1, 5) + (spot.place == 0)
        for move in range(count):
            yield move

    def play(self, spot, move):
        if spot.game < 0:
            return Spot(self.volume * self.games + move, 0)
        place = min(spot.place % 64 + 1 + roll(spot.game, spot.place % 64, 2 + move, 4), PLACES)
        return Spot(spot.game, place + 64 * roll(spot.game, spot.place, 8 + move, 2))

    def result(self, spot):
        place = spot.place % 64
        if spot.game < 0 or place == 0 or (place < PLACES and roll(spot.game, place, 20, 9) > 0):
            return ONGOING
        return roll(spot.game, place, 21, 3) - 1

    def stuck(self, spot):
        return roll(spot.game, spot.place % 64, 22, 3) - 1

    def symmetries(self, spot):
        if spot.place > 0:
            yield Spot(spot.game, spot.place + 64 if spot.place < 64 else spot.place - 64)


class Rings(Bundle):
    """The same for points, and play goes on from anywhere to anywhere."""

    loops = True
    margin = True
    payoff_bounds = (-50, 50)

    def play(self, spot, move):
        if spot.game < 0:
            return Spot(self.volume * self.games + move, 0)
        place = roll(spot.game, spot.place % 64, 2 + move, PLACES + 1)
        return Spot(spot.game, place + 64 * roll(spot.game, spot.place, 8 + move, 2) if place else 0)

    def result(self, spot):
        place = spot.place % 64
        if spot.game < 0 or place == 0 or roll(spot.game, place, 20, 9) > 0:
            return ONGOING
        return roll(spot.game, place, 21, 101) - 50


class Throws(Seats):
    """Chance in a third of the places; moves lead up."""

    def play(self, seat, move):
        place = min(seat.place + 1 + roll(seat.game, seat.place, 10 + move, 4), PLACES)
        return Seat(seat.game, place, seat.player ^ (roll(seat.game, seat.place, 20 + move, 3) > 0))

    def result(self, seat):
        if seat.place == 0 or (seat.place < PLACES and roll(seat.game, seat.place, 30, 7) > 0):
            return ONGOING
        return roll(seat.game, seat.place, 31, 3) - 1

    def is_chance(self, seat):
        return seat.place > 0 and roll(seat.game, seat.place, 40, 3) == 0

    def chances(self, seat):
        count = 1 + roll(seat.game, seat.place, 41, 4)
        for outcome in range(count):
            yield outcome, 1 / count

    def evaluate(self, seat):
        return roll(seat.game, seat.place, 34, 9) / 4 - 1


class Picks(Throws):
    """Only the move that the evaluation likes best is searched deeply, which is not to be trusted here."""

    replies = 1


class Lots(Blocks):
    """Chance in every second place, which now and then ends the game."""

    def is_chance(self, seat):
        return seat.place % 2 == 1

    def chances(self, seat):
        yield 4, 0.1
        yield 0, 0.5
        yield 1, 0.25
        yield 2, 0.15

    def play(self, seat, move):
        chance = seat.place % 2 == 1
        if chance and move == 4:
            return Seat(seat.game, PLACES, seat.player ^ roll(seat.game, seat.place, 7, 2))
        block = seat.place // 6 * 6
        ahead = block + 6 if roll(seat.game, seat.place, 2 + move, 6) == 0 else block
        place = min(ahead + roll(seat.game, seat.place, 10 + move, 6), PLACES)
        if not chance:
            place = min(place | 1, PLACES)
        return Seat(seat.game, place, seat.player ^ (roll(seat.game, seat.place, 20 + move, 3) > 0))

    def result(self, seat):
        return roll(seat.game, 0, 31, 3) - 1 if seat.place == PLACES else ONGOING

    def evaluate(self, seat):
        return roll(seat.game, seat.place, 34, 9) / 4 - 1
