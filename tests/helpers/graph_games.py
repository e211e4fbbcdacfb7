"""Random graphs as games, thousands in one compiled class: the number of the game is part of the state.

Where moves lead, who moves and how it ends follows from the place by hashing. `Ladders` goes up only, and its wins are
long and forced; in `Circles` and `Whirls` play may come round again. `solved` is their referee: plain retrograde
analysis, which shares no code with what it judges.
"""

from typing import NamedTuple

from zermelo import ONGOING, Game, bits


class Seat(NamedTuple):
    game: int
    place: int
    player: int


def roll(seat, salt, sides):
    """A number below `sides` that only chance seems to choose."""
    mixed = bits.mix(bits.add(bits.multiply(seat.game + 1, 0x9E3779B97F4A7C15), seat.place * 64 + salt))
    return bits.signed(bits.remainder(bits.shift_right(mixed, 7), sides))


def trait(game, salt, sides):
    """A number below `sides` that the whole game has in common."""
    return roll(Seat(game, -1, 0), salt, sides)


class Graph(Game):
    """One to four moves, to places by chance; in every second game players may move again."""

    def initial(self):
        return Seat(0, 0, 0)

    def places(self, game):
        return 10 + trait(game, 1, 51)

    def moves(self, seat):
        if seat.place == 0 or roll(seat, 1, 16) > 0:  # else nobody can move
            for move in range(1 + roll(seat, 2, 2 + trait(seat.game, 2, 3))):
                yield move

    def play(self, seat, move):
        again = seat.game % 2 == 1 and roll(seat, 20 + move, 3) == 0
        return Seat(seat.game, self.target(seat, move), seat.player if again else 1 - seat.player)

    def target(self, seat, move):
        return roll(seat, 4 + move, self.places(seat.game))

    def result(self, seat):
        if seat.place == 0 or roll(seat, 12, 5 + trait(seat.game, 3, 12)) > 0:
            return ONGOING
        return self.payoff(seat)

    def payoff(self, seat):
        ends = roll(seat, 13, 6)  # draws are one end in six
        return 0 if ends == 0 else 1 if ends == 1 else -1

    def stuck(self, seat):
        return roll(seat, 14, 3) - 1

    def mover(self, seat):
        return seat.player

    def evaluate(self, seat):
        return roll(seat, 15, 201) - 100


class Circles(Graph):
    """Moves lead anywhere."""

    loops = True


class Whirls(Circles):
    """The same with all that lets a search look farther or less far; in half the games the players are alike."""

    reductions = True
    futility = 0.5
    singular = 0.01

    def symmetries(self, seat):
        yield Seat(seat.game, seat.place, 1 - seat.player if seat.game % 4 < 2 else seat.player)

    def noisy(self, seat, move):
        return roll(seat, 40 + move, 3) == 0

    def forcing(self, seat):
        return roll(seat, 16, 5) == 0

    def skip(self, seat):
        return Seat(seat.game, seat.place, 1 - seat.player)


class Ladders(Graph):
    """Moves lead up, and the top is the end."""

    def target(self, seat, move):
        return min(seat.place + 1 + roll(seat, 4 + move, 3), self.places(seat.game))

    def result(self, seat):
        top = self.places(seat.game)
        if seat.place == top or (seat.place > top - 6 and roll(seat, 12, 4) == 0):
            return self.payoff(seat)
        return ONGOING


def solved(game, start):
    """{state: score} of every state that can be reached, seen by its mover: plain retrograde analysis."""
    after, waiting = {}, [start]
    while waiting:
        seat = waiting.pop()
        if seat not in after:
            over = game.result(seat) != ONGOING
            after[seat] = [] if over else [game.play(seat, move) for move in game.moves(seat)]
            waiting += after[seat]
    scores = {}
    for seat, children in after.items():
        if not children:
            payoff = game.result(seat)
            scores[seat] = 1_000_000 * (game.stuck(seat) if payoff == ONGOING else payoff)
    changed, plies = True, 0
    while changed or plies == 1:
        plies, changed, found = plies + 1, False, {}
        for seat, children in after.items():
            if seat not in scores:
                won = [seen(seat, child, scores) for child in children]
                if max(won) == 1:
                    found[seat] = 1_000_000 - plies
                elif max(won) == -1:
                    found[seat] = plies - 1_000_000
        changed = bool(found)
        scores |= found
    return {seat: scores.get(seat, 0) for seat in after}


def seen(seat, child, scores):
    """1, -1 or 0 as the child is won, lost or not known to be either, for the mover of `seat`."""
    score = scores.get(child, 0)
    sign = (score > 0) - (score < 0)
    return sign if child.player == seat.player else -sign


def by_move(game, seat, move, scores):
    """What a move is worth, by the solution."""
    child = game.play(seat, move)
    score = scores[child]
    score = score - 1 if score > 0 else score + 1 if score < 0 else 0
    return score if child.player == seat.player else -score


def complaint(game, start, line, scores, ends=True):
    """What is wrong with an exact line: a move that gives something away, or an end that is not the one claimed."""
    value, seat = line.value, start
    if value.score != by_move(game, start, line.pv[0], scores):
        return f"{value} by {line.pv[0]} is {by_move(game, start, line.pv[0], scores)}"
    for ply, move in enumerate(line.pv):
        best = scores[seat] if ply else value.score
        if by_move(game, seat, move, scores) != best:
            return f"ply {ply} of {line.pv}: {move} gives {best} away for {by_move(game, seat, move, scores)}"
        seat = game.play(seat, move)
    over = game.result(seat) != ONGOING or not list(game.moves(seat))
    if ends and (value.plies is not None or not game.loops) and not over:
        return f"{value}: the line {line.pv} does not end"
    if value.plies is not None and over and len(line.pv) != value.plies:
        return f"{value}: the line {line.pv} has another length"
    return None


def doubtful(report, scores):
    """What is wrong with what a report says is proven."""
    game, start = report.game, report.state
    true = scores[start]
    for at, line in enumerate(report.lines):
        value = line.value
        if value.exact and at == 0 and value.score != true:
            return f"{value}, and the truth is {true}"
        if value.exact and (wrong := complaint(game, start, line, scores)):
            return wrong
        worth = by_move(game, start, line.pv[0], scores)
        if value.bound == "lower" and (worth if at else true) < value.score:
            return f"{value} by {line.pv[0]}, and the truth is {worth}"
        if value.bound == "upper" and worth > value.score:
            return f"{value} by {line.pv[0]}, and the truth is {worth}"
    low, high = report.bounds
    return None if low <= true <= high else f"bounds {report.bounds}, and the truth is {true}"


def starts(game, count, first=0):
    """The first places of so many games in which there is something to choose."""
    seats = (Seat(number, 0, 0) for number in range(first, first + count))
    return [seat for seat in seats if len(list(game.moves(seat))) > 1]
