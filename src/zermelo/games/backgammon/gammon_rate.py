"""How many of the games that a player wins are gammons: an estimate from what the loser has to go, and the expectation.

A player who has borne off a checker loses no gammon. Otherwise the share is logistic in two numbers: the pips that the
loser's checkers have to go until all are at home, and what the winner can expect without a cube, where that is above 0.
The weights were fitted to 542 games of the engine against itself, 27.9 % of which were gammons. In games that were not
fitted the estimate takes 0.457 nats a position, and the best constant 0.600.
"""

import math

from zermelo.games.backgammon.backgammon_checkers import BAR, count

CONSTANT, EXPECTATION, PIPS, PIPS_SQUARED = -4.51, 1.16, 7.89, -3.61


def gammon_rate(near, far, points):
    """Return the share of gammons among the games won against a player with these checkers."""
    if count(near, far, 0) > 0:
        return 0.0
    pips = 0
    for place in range(7, BAR + 1):
        pips += (place - 6) * count(near, far, place)
    to_go, hope = min(pips / 100, 1.0), max(points, 0.0)
    logit = CONSTANT + EXPECTATION * hope * hope + (PIPS + PIPS_SQUARED * to_go) * to_go
    return 1.0 / (1.0 + math.exp(-logit))
