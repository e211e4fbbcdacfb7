"""What a position of backgammon looks like: shots, escapes and blockades, as sets of points.

A set of points has a bit for each place from 0 (off) to 25 (the bar), as the player to move counts them: that player's
checkers move from high bits to low ones. `closed` are the points on which the other player has two or more checkers,
`blots` those with one. Shots and escapes are estimates for an evaluation: they let a player on the bar move other
checkers too, and count four steps of a doublet as two.
"""

from zermelo.bits import lsb, msb, popcount
from zermelo.games.backgammon.backgammon_checkers import BAR, count

HOME, OUTER, BACK = 0b111_1110, 0b11_1000_0000, 0b1_1111_1000_0000_0000_0000_0000
"""The points 1 to 6, 7 to 9, and 19 to 24, with the bar beyond them left out."""

ON_BOARD = (1 << BAR) - 2
"""The points 1 to 24."""


def outlines(near, far):
    """Return the places with checkers and those with two or more, as sets, and the pips to go."""
    held = made = pips = 0
    for place in range(1, BAR + 1):
        here = count(near, far, place)
        pips += here * place
        held |= (here > 0) << place
        made |= (here > 1) << place
    return held, made, pips


def reversed_places(places):
    """Return a set of places as the other player counts them; the bar becomes place 0."""
    found = 0
    for place in range(BAR + 1):
        found |= (places >> place & 1) << BAR - place
    return found


def longest_prime(made):
    """Return how many points in a row are made."""
    length, run = 0, made & ON_BOARD
    while run:
        run &= run >> 1
        length += 1
    return length


def shots(held, closed, blots):
    """Return how many of the 36 rolls hit, and the sum over them of the pips that the farthest blot loses."""
    hits = loss = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            first, second = held >> high & ~closed, held >> low & ~closed
            found = (first | second | first >> low | second >> high) & blots
            weight = 1 if high == low else 2
            if found:
                hits += weight
                loss += weight * msb(found)
    return hits, loss


def escaping_places(closed, high, low):
    """Return the places from which one checker can move by both numbers of a roll."""
    return ~(closed << high + low | closed << high & closed << low)


def escapes(closed, place):
    """Return with how many of the 36 rolls a checker can move by both numbers."""
    rolls = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            rolls += (escaping_places(closed, high, low) >> place & 1) * (1 if high == low else 2)
    return rolls


def fewest_escapes(closed):
    """Return the fewest rolls with which a checker on the bar or on points 19 to 24 escapes: a blockade's strength.

    The seven places are counted side by side, a byte for each.
    """
    rolls = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            places = escaping_places(closed, high, low) >> 19 & 0x7F
            spread = places * 0x2040810204081 & 0x1010101010101
            rolls += spread if high == low else 2 * spread
    fewest = 36
    for number in range(7):
        fewest = min(fewest, rolls >> 8 * number & 255)
    return fewest


def traits(near, far, mine, theirs, checkers):
    """Return 14 traits of one player's checkers. `mine` and `theirs` are outlines, theirs as this player counts them.

    Pips to go, the share borne off, points made at home, in front of it and behind, the longest prime, what blots have
    to lose, and checkers on the bar by the points that are closed to them; then the rolls that hit, and what they take,
    the rolls with which the last checker escapes, the strength of the blockade, the pips until contact is over, and
    where the last checker is.
    """
    held, made, pips = mine
    rear = lsb(theirs[0])  # the other player's last checker: what is below can no longer be hit
    their_held, their_made = theirs[0] & ON_BOARD, theirs[1] & ON_BOARD
    contact = blots = 0
    for place in range(rear + 1, BAR):
        here = count(near, far, place)
        contact += here * (place - rear)
        blots += BAR - place if here == 1 else 0
    bar, last, closed = count(near, far, BAR), msb(held | 1), popcount(their_made & BACK)
    hits, loss = shots(held, their_made, their_held & ~their_made)
    free = 36 if last < rear else escapes(their_made, last)
    blockade = 0 if last < rear else 36 - fewest_escapes(reversed_places(made))
    return (
        pips / 100, count(near, far, 0) / checkers, float(popcount(made & HOME)), float(popcount(made & OUTER)),
        float(popcount(made & BACK)), float(longest_prime(made)), blots / 100, bar * (1 + closed) / 10,
        hits / 36, loss / 900, free / 36, blockade / 36, contact / 100, last / BAR,
    )  # fmt: skip
