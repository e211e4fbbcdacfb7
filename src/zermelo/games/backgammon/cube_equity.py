"""What a position is worth with the doubling cube, from what it is worth without: Janowski's take points and live cube.

The equity of a player grows with the probability p of winning the game. With a dead cube, which nobody turns again, it
is a straight line from what a loss is worth to what a win is worth. With a live cube, which is turned at the best
moment, it bends where a turn makes the other player pass (R. Janowski, Take-Points in Money Games, 1993):

    at the take point         the player to move just takes: passing and playing on are worth the same
    at the cash point         the other player just takes

Turning the cube gives it to the other player, so that the take point of one cube follows from the cash point of the
cube of twice its value, and the other way round. Real cubes are in between: EFFICIENCY of the live one.

`game` says by `worth(state, points)` what it is worth to the player to move to win so many points, or to lose them
where they are negative; by `may_turn(state, cube, mine)` whether a cube of that value may be turned by the player to
move, or by the other one; and by `counts_gammons(owner)` whether gammons count twice with the cube where it is.
`gammons` and `losses` are the shares of gammons among the games won and lost.
"""

EFFICIENCY = 0.68
"""How much of the difference between a live and a dead cube a real one is worth; GNU Backgammon has the same number."""

CENTRED, MINE, THEIRS = 0, 1, -1
"""Who may turn the cube: both players, the player to move, or the other one."""


def win(game, state, cube, gammons):
    """Return what a game won is worth: a gammon counts twice."""
    return (1.0 - gammons) * game.worth(state, cube) + gammons * game.worth(state, 2 * cube)


def loss(game, state, cube, losses):
    """Return what a game lost is worth."""
    return (1.0 - losses) * game.worth(state, -cube) + losses * game.worth(state, -2 * cube)


def turning_points(game, state, cube, gammons, losses):
    """Return the take point and the cash point of the player to move, with a live cube of this value.

    They are 0 and 1 where the cube is turned no more.
    """
    last = cube
    while game.may_turn(state, last, True) or game.may_turn(state, last, False):
        last *= 2
    take, cash = 0.0, 1.0
    while last > cube:
        turned, last = last, last // 2
        most, least = win(game, state, turned, gammons), loss(game, state, turned, losses)
        # the other player turns, and the cube is ours: from a loss up to where we would turn it on
        far, there = 1.0, most
        if game.may_turn(state, turned, True):
            far, there = cash, game.worth(state, turned)
        # we turn, and the cube is theirs: from where they would turn it on up to a win
        near, here = 0.0, least
        if game.may_turn(state, turned, False):
            near, here = take, game.worth(state, -turned)
        take = far * (game.worth(state, -last) - least) / (there - least)
        cash = near + (1.0 - near) * (game.worth(state, last) - here) / (most - here)
        take, cash = min(max(take, 0.0), 1.0), min(max(cash, 0.0), 1.0)
    return take, cash


def live_equity(game, state, cube, owner, p, gammons, losses):
    """Return the equity with a live cube."""
    take, cash = turning_points(game, state, cube, gammons, losses)
    counted = 1.0 if game.counts_gammons(owner) else 0.0
    most, least = win(game, state, cube, counted * gammons), loss(game, state, cube, counted * losses)
    low, here, high, there = 0.0, least, 1.0, most
    if owner != MINE and game.may_turn(state, cube, False):
        low, here = take, game.worth(state, -cube)
    if owner != THEIRS and game.may_turn(state, cube, True):
        high, there = cash, game.worth(state, cube)
    if p < low:
        return least + (here - least) * p / low
    if p > high:
        return most - (most - there) * (1.0 - p) / (1.0 - high)
    if high <= low:
        return here
    return here + (there - here) * (p - low) / (high - low)


def dead_equity(game, state, cube, p, gammons, losses):
    """Return the equity if the cube is turned no more."""
    return p * win(game, state, cube, gammons) + (1.0 - p) * loss(game, state, cube, losses)


def cube_equity(game, state, cube, owner, p, gammons, losses):
    """Return the equity of the player to move, who does not turn the cube this time."""
    counted = 1.0 if game.counts_gammons(owner) else 0.0
    dead = dead_equity(game, state, cube, p, counted * gammons, counted * losses)
    mine = owner != THEIRS and game.may_turn(state, cube, True)
    theirs = owner != MINE and game.may_turn(state, cube, False)
    if not mine and not theirs:
        return dead
    # the other player, who loses the match with this game, has nothing to lose by turning the cube, and does it next
    if theirs and game.worth(state, cube) >= game.worth(state, 2 * cube):
        turned = dead_equity(game, state, 2 * cube, p, gammons, losses)
        dead = min(dead, max(turned, game.worth(state, -cube)))
    return dead + EFFICIENCY * (live_equity(game, state, cube, owner, p, gammons, losses) - dead)


def take_equity(game, state, cube, p, gammons, losses):
    """Return the equity of the player to move, who has turned the cube from this value, if the other player takes."""
    return cube_equity(game, state, 2 * cube, THEIRS, p, gammons, losses)


def turn_equity(game, state, cube, p, gammons, losses):
    """Return the equity of the player to move, who turns the cube from this value, if the other player answers best."""
    return min(game.worth(state, cube), take_equity(game, state, cube, p, gammons, losses))
