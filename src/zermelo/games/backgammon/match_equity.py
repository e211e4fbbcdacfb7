"""Match equities: the probability of winning a match at each score, by dynamic programming from the last game back.

Before a game, both players are as likely to win it, and a share GAMMONS of all games won are gammons. A game is worth
what `cube_equity` says, with a cube in the middle; the equities of the scores to which it can lead are known by then.

    Crawford      in the first game that a player begins one point away from winning the match, nobody doubles
    after it      the player who is behind doubles at once, and the other one takes or passes, whichever is better

Equities are numbers from -1 to 1, twice the probability less 1, of the player who needs `away` points, when the other
player needs `their_away`. They are in one tuple, rows of `size` + 1: at `away` * (size + 1) + `their_away`, and in
another for games after Crawford's, at the number of points that the player who is behind needs.
"""

from functools import cache

from zermelo.games.backgammon.cube_equity import CENTRED, cube_equity

GAMMONS = 0.26
"""The share of gammons among the games that are won when both play on to the end: about one in four."""

MOST_POINTS = 15
"""The longest match: its table is a constant of the compiled rules, which compile slowly with more."""


class _Score:
    """A score while the table is made, for `cube_equity`."""

    def __init__(self, rows, away, their_away):
        self.rows, self.away, self.their_away = rows, away, their_away

    def worth(self, state, points):
        won, lost = max(points, 0), max(-points, 0)
        return self.rows[max(self.away - won, 0)][max(self.their_away - lost, 0)]

    def may_turn(self, state, cube, mine):
        return cube < (self.away if mine else self.their_away)

    def counts_gammons(self, owner):
        return True


@cache
def match_equities(size):
    """Return the equities of all scores of a match to `size` points, by rows."""
    later = equities_after_crawford(size)
    rows = [[0.0] * (size + 1) for _ in range(size + 1)]
    for away in range(1, size + 1):
        rows[0][away], rows[away][0] = 1.0, -1.0
    for away in range(2, size + 1):  # nobody doubles, and a gammon wins two
        behind = (1 - GAMMONS) * later[away - 1] + GAMMONS * later[away - 2]
        rows[away][1] = (behind - 1) / 2
        rows[1][away] = -rows[away][1]
    for total in range(4, 2 * size + 1):
        for away in range(max(2, total - size), min(size, total - 2) + 1):
            score = _Score(rows, away, total - away)
            rows[away][total - away] = cube_equity(score, None, 1, CENTRED, 0.5, GAMMONS, GAMMONS)
    return tuple(equity for row in rows for equity in row)


def equities_after_crawford(size):
    """Return the equity of the player who is behind, by the points needed, when the other player needs one."""
    found = [1.0, 0.0]
    for away in range(2, size + 1):
        won, gammon = found[max(away - 2, 0)], found[max(away - 4, 0)]
        taken = ((1 - GAMMONS) * won + GAMMONS * gammon - 1) / 2
        found.append(min(found[away - 1], taken))
    return tuple(found[: size + 1])
