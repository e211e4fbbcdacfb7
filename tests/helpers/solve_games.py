"""Random games for the solver, hundreds in one: the first move chooses the game, and a compiled class serves them all.

A spot is a place in one of the games. Where moves lead, who moves and how it ends follows from the spot by hashing.
"""

from typing import NamedTuple

import numpy as np

from zermelo import DRAW, LOSS, ONGOING, Game, bits


class Spot(NamedTuple):
    game: int  # 0 before the first move has chosen one
    place: int


def roll(spot, salt, sides):
    """A number below `sides` that only chance seems to choose."""
    mixed = bits.mix(bits.add(bits.multiply(spot.game + 1, 0x9E3779B97F4A7C15), spot.place * 64 + salt))
    return bits.signed(bits.remainder(bits.shift_right(mixed, 7), sides))


class Stairs(Game):
    """Every move leads up, one to three places; each place is a stage."""

    games = 100
    places = 20

    def initial(self):
        return Spot(0, 0)

    def moves(self, spot):
        for move in range(self.games if spot.game == 0 else roll(spot, 1, 4) + (spot.place <= 1)):
            yield move

    def play(self, spot, move):
        if spot.game == 0:
            return Spot(move + 1, 0)
        return Spot(spot.game, self.target(spot, move))

    def target(self, spot, move):
        return min(spot.place + 1 + roll(spot, 2 + move, 3), self.places)

    def result(self, spot):
        return self.ended(spot)

    def ended(self, spot):
        if spot.game == 0 or spot.place == 0 or (spot.place < self.places and roll(spot, 10, 8) > 0):
            return ONGOING
        return roll(spot, 11, 3) - 1

    def stuck(self, spot):
        return roll(spot, 12, 3) - 1

    def stage(self, spot):
        return 0 if spot.game == 0 else spot.place + 1


class Spread(NamedTuple):
    mine: int
    theirs: int


class Sparse(Game):
    """Remove a stone from either board; who takes the last one of all wins, if both boards had stones the turn before.

    Of each board, every thirteenth bit is a cell. With all bits between them a state takes two words, without one.
    """

    cells = 5

    def initial(self):
        board = sum(1 << 13 * cell for cell in range(self.cells))
        return Spread(board, board)

    def moves(self, spread):
        for place in range(2 * self.cells):
            board = spread.mine if place < self.cells else spread.theirs
            if board >> 13 * (place % self.cells) & 1:
                yield place

    def play(self, spread, place):
        bit = 1 << 13 * (place % self.cells)
        if place < self.cells:
            return Spread(spread.theirs, spread.mine ^ bit)
        return Spread(spread.theirs ^ bit, spread.mine)

    def result(self, spread):
        if spread.mine == 0 and spread.theirs == 0:
            return -1
        return 0 if spread.mine == 0 and spread.theirs & 1 else ONGOING


class Stakes(Game):
    """Three stones on 33 cells; the last one loses if the number of its cell is divisible by that of another stone.

    The stones of the two players take more than a word. They never share a cell, so that a number in base 3 has both.
    """

    cells = 33
    last = 3

    def initial(self):
        return Spread(0, 0)

    def moves(self, spread):
        for cell in range(self.cells):
            if not (spread.mine | spread.theirs) >> cell & 1:
                yield cell

    def play(self, spread, cell):
        return Spread(spread.theirs, spread.mine | 1 << cell)

    def stones(self, spread):
        return bits.popcount(spread.mine) + bits.popcount(spread.theirs)

    def stage(self, spread):
        return self.stones(spread)

    def result(self, spread):
        if self.stones(spread) < self.last:
            return ONGOING
        return self.payoff(spread.mine, spread.theirs)

    def payoff(self, mine, theirs):
        last = bits.lsb(mine)
        low, high = bits.lsb(theirs), bits.msb(theirs)
        return 1 if (low + 1) % (last + 1) == 0 else -1 if (high + 1) % (last + 1) == 0 else 0


class Layers(Stakes):
    """The same game with the stones of the player to move, and all stones, as the numbers of a state."""

    def moves(self, spread):
        for cell in range(self.cells):
            if not spread.theirs >> cell & 1:
                yield cell

    def play(self, spread, cell):
        return Spread(spread.theirs ^ spread.mine, spread.theirs | 1 << cell)

    def stones(self, spread):
        return bits.popcount(spread.theirs)

    def result(self, spread):
        if self.stones(spread) < self.last:
            return ONGOING
        return self.payoff(spread.mine, spread.theirs ^ spread.mine)


class Meeting(Stakes):
    """Two stones on the cells; the second one may stand on the first one if that is in the last cell."""

    def moves(self, spread):
        for cell in range(self.cells):
            if not spread.theirs >> cell & 1 or cell == self.cells - 1:
                yield cell

    def result(self, spread):
        return ONGOING if self.stones(spread) < 2 else -1 if spread.mine & spread.theirs else 1


class Vast(NamedTuple):
    code: np.uint64  # of the game, and all its bits
    depth: int  # below zero, far below
    odd: bool


class Depths(Game):
    """Without stages: a place can be reached after few plies and after many. Keys of two words; players by chance."""

    games = 100
    places = 20
    scale = 123_456_789_012

    def initial(self):
        return Vast(0, 0, False)

    def spot(self, vast):
        return Spot(bits.signed(bits.shift_right(vast.code, 1)), vast.depth // -self.scale)

    def moves(self, vast):
        for move in range(self.games if vast.code == 0 else roll(self.spot(vast), 1, 4) + (vast.depth == 0)):
            yield move

    def play(self, vast, move):
        if vast.code == 0:
            return Vast(bits.mix(move + 1), 0, move % 2 == 1)
        spot = self.spot(vast)
        place = min(spot.place + 1 + roll(spot, 2 + move, 3), self.places)
        return Vast(vast.code, -place * self.scale, place % 2 == 1)

    def result(self, vast):
        spot = self.spot(vast)
        if vast.code == 0 or spot.place == 0 or (spot.place < self.places and roll(spot, 10, 8) > 0):
            return ONGOING
        return roll(spot, 11, 3) - 1

    def stuck(self, vast):
        return roll(self.spot(vast), 12, 3) - 1

    def mover(self, vast):
        return 1 if vast.odd else roll(self.spot(vast), 13, 2)


class Landings(Stairs):
    """Stages of several places, so that moves may stay in one; a place and its double are equivalent."""

    def play(self, spot, move):
        if spot.game == 0:
            return Spot(move + 1, 0)
        place = self.target(single(spot), move)
        double = roll(spot, 20 + move, 2) if place < self.places else 0
        return Spot(spot.game, place + double * (self.places + 1))

    def moves(self, spot):
        for move in range(self.games if spot.game == 0 else roll(single(spot), 1, 4) + (spot.place == 0)):
            yield move

    def result(self, spot):
        return self.ended(single(spot))

    def stuck(self, spot):
        return roll(single(spot), 12, 3) - 1

    def stage(self, spot):
        return single(spot).place // 6

    def symmetries(self, spot):
        yield Spot(spot.game, (spot.place + self.places + 1) % (2 * self.places + 2)) if spot.game else spot


def single(spot):
    """The spot or the one that it doubles."""
    return Spot(spot.game, spot.place % 21)


class Rounds(Stairs):
    """Moves lead anywhere, so play may repeat."""

    loops = True
    stage = Game.stage

    def target(self, spot, move):
        return roll(spot, 2 + move, self.places)


class Seat(NamedTuple):
    game: int
    place: int
    player: int


class Rooms(Game):
    """Play repeats within a room, and leads on to the next; a player may move again, and players are alike."""

    loops = True
    games = 150
    places = 18

    def initial(self):
        return Seat(0, 0, 0)

    def moves(self, seat):
        for move in range(self.games if seat.game == 0 else 1 + roll(seat, 1, 4)):
            yield move

    def play(self, seat, move):
        if seat.game == 0:
            return Seat(move + 1, 0, seat.player ^ move % 2)
        first = seat.place // 6 * 6
        ahead = first + 6 if roll(seat, 8 + move, 6) == 0 else first
        place = min(ahead + roll(seat, 2 + move // 2, 6), self.places)  # two moves may differ in the player alone
        return Seat(seat.game, place, seat.player ^ roll(seat, 20 + move, 3) % 2)

    def result(self, seat):
        if seat.place == 0 or (seat.place < self.places and roll(seat, 10, 6) > 0):
            return ONGOING
        return roll(seat, 11, 3) - 1

    def mover(self, seat):
        return seat.player

    def stage(self, seat):
        return -1 if seat.game == 0 else seat.place // 6 * 1000  # with gaps

    def symmetries(self, seat):
        yield Seat(seat.game, seat.place, 1 - seat.player)


class Scores(Stairs):
    """For points."""

    margin = True
    payoff_bounds = (-900, 900)

    def result(self, spot):
        if spot.game == 0 or spot.place == 0 or (spot.place < self.places and roll(spot, 10, 8) > 0):
            return ONGOING
        return roll(spot, 11, 1801) - 900

    def stuck(self, spot):
        return roll(spot, 12, 7) - 3


class Turns(Scores):
    """For points, without stages, with players who may move again."""

    stage = Game.stage

    def mover(self, spot):
        return roll(spot, 13, 2)


class Throws(Turns):
    """With chance in a third of the spots."""

    def is_chance(self, spot):
        return spot.game > 0 and spot.place > 0 and roll(spot, 14, 3) == 0

    def chances(self, spot):
        for outcome in range(1 + roll(spot, 15, 3)):
            yield outcome, 1 / (1 + roll(spot, 15, 3))


class Lots(Rooms):
    """Chance moves in every second place, and ends the game now and then, so all play ends some time."""

    def is_chance(self, seat):
        return seat.game > 0 and seat.place % 2 == 1

    def moves(self, seat):
        for move in range(self.games if seat.game == 0 else 1 + roll(seat, 1, 4)):
            yield move

    def chances(self, seat):
        yield 4, 0.1
        yield 0, 0.5
        yield 1, 0.25
        yield 2, 0.15

    def play(self, seat, move):
        if seat.game == 0:
            return Seat(move + 1, 0, seat.player ^ move % 2)
        if seat.place % 2 == 1 and move == 4:
            return Seat(seat.game, self.places, seat.player ^ roll(seat, 7, 2))
        first = seat.place // 6 * 6
        ahead = first + 6 if roll(seat, 8 + move, 6) == 0 else first
        place = min(ahead + roll(seat, 2 + move, 6), self.places)
        if seat.place % 2 == 0:
            place = min(place | 1, self.places)  # a player's move leads to a throw
        return Seat(seat.game, place, seat.player ^ roll(seat, 20 + move, 3) % 2)


class Squares(Rounds):
    """States that a rule numbers, by stages, with holes: spots with a number divisible by 7 are none."""

    games = 60
    places = 20

    def target(self, spot, move):
        place = spot.place // 7 * 7 + roll(spot, 2 + move, 12)
        return min(place + (place % 7 == 0), self.places)

    def result(self, spot):
        return ONGOING if spot.place <= 1 else self.ended(spot)

    def play(self, spot, move):
        if spot.game == 0:
            return Spot(move + 1, 1)
        return Spot(spot.game, self.target(spot, move))

    def stage(self, spot):
        return 0 if spot.game == 0 else 1 + spot.place // 7

    def size(self, stage):
        return 1 if stage == 0 else self.games * 7

    def index(self, spot):
        if spot.game == 0:
            return 0 if spot.place == 0 else -1
        return (spot.game - 1) * 7 + spot.place % 7 if spot.place % 7 else -1

    def at(self, stage, index):
        if stage == 0:
            return Spot(0, 0)
        return Spot(index // 7 + 1, (stage - 1) * 7 + index % 7)


class Ways(Squares):
    """The same with a rule that goes back."""

    def predecessors(self, spot):
        if spot.game > 0:
            for place in range(max(1, spot.place // 7 * 7), min(self.places, spot.place // 7 * 7 + 7)):
                before = Spot(spot.game, place)
                if place % 7 and self.result(before) == ONGOING:
                    for move in self.moves(before):
                        if self.target(before, move) == spot.place:
                            yield before


class Boxes(Lots):
    """Chance and loops where a rule numbers the states; two thirds of the numbers name none."""

    def size(self, stage):
        return 1 if stage < 0 else 36 * self.games

    def index(self, seat):
        if seat.game == 0:
            return 0
        return ((seat.game - 1) * 6 + seat.place % 6) * 6 + 3 * seat.player

    def at(self, stage, index):
        if stage < 0:
            return Seat(0, 0, 0)
        return Seat(index // 36 + 1, stage // 1000 * 6 + index // 6 % 6, index % 6 // 3)

    symmetries = Game.symmetries


class Tank(NamedTuple):
    rising: int
    falling: int
    sinking: int


class Overflow(Game):
    """Of many moves one goes on, so that no game played at random shows how large the numbers become."""

    def initial(self):
        return Tank(0, 30_000, 0)

    def moves(self, tank):
        for move in range(300):
            yield move

    def play(self, tank, move):
        if move == 77:
            return Tank(7 * tank.rising + 1, tank.falling // 2, 5 * tank.sinking - 1)
        return Tank(tank.rising, 10_001, tank.sinking)

    def result(self, tank):
        if tank.falling == 10_001:
            return LOSS if tank.rising % 3 == 2 else DRAW
        return ONGOING if tank.falling > 99 else LOSS
