"""Checkers on the 26 places of a backgammon board: counts of four bits in two words, and steps by one die.

    near    places 0 (off) to 12
    far     places 13 to 25 (the bar)

`closed` and `blots` have a bit for each point, as the mover counts them: those on which the other player has two or
more checkers, and those with one.
"""

from zermelo.bits import msb

HALF = 13
"""How many places a word holds."""

BAR = 25


def count(near, far, place):
    """How many checkers stand on a place."""
    return (near >> 4 * place if place < HALF else far >> 4 * (place - HALF)) & 15


def placed(near, far, place, checkers):
    """The words with so many checkers more on a place."""
    if place < HALF:
        return near + (checkers << 4 * place), far
    return near, far + (checkers << 4 * (place - HALF))


def moved(near, far, source, die):
    """The words after a step; whether it is legal is not asked."""
    near, far = placed(near, far, source, -1)
    return placed(near, far, max(source - die, 0), 1)


def moved_back(near, far, source, die):
    near, far = placed(near, far, source, 1)
    return placed(near, far, max(source - die, 0), -1)


def highest(near, far):
    """The highest place with a checker."""
    return HALF + msb(far) // 4 if far else msb(near) // 4


def step(near, far, closed, source, die):
    """Whether a checker may move from a place by the number on a die."""
    if count(near, far, source) == 0:
        return False
    to = source - die
    if to > 0:
        return not closed >> to & 1 and (source == BAR or count(near, far, BAR) == 0)
    return highest(near, far) <= (6 if to == 0 else source)


def both(near, far, closed, first, high, second, low):
    """Whether both steps can be made, in one order or the other."""
    if step(near, far, closed, first, high):
        after = moved(near, far, first, high)
        if step(after[0], after[1], closed, second, low):
            return True
    if step(near, far, closed, second, low):
        after = moved(near, far, second, low)
        return step(after[0], after[1], closed, first, high)
    return False


def listed(near, far, closed, blots, first, high, second, low):
    """Whether another pair of steps leads to the same position, and stands for both.

    Two checkers that are both borne off may change their dice. One checker may run by the lower number first, or by the
    higher, unless it hits something on one of the ways.
    """
    if first <= high and second <= low:
        return first < second
    through = second - high
    if first != second - low or through < 1 or (blots >> first | blots >> through) & 1:
        return False
    return both(near, far, closed, second, high, through, low)


# -- plays -------------------------------------------------------------------------------------------------------------


def pairs(near, far, closed, blots, high, low):
    """The plays of both numbers: the place that moves by the higher, and above it the one that moves by the lower."""
    for first in range(BAR, 0, -1):
        if count(near, far, first) or count(near, far, min(first + low, BAR)):
            for second in range(BAR, 0, -1):
                if (
                    (count(near, far, second) or second == first - high)
                    and both(near, far, closed, first, high, second, low)
                    and not listed(near, far, closed, blots, first, high, second, low)
                ):
                    yield first | second << 5


def singles(near, far, closed, die):
    """The places from which a checker may move by one number."""
    for source in range(BAR, 0, -1):
        if step(near, far, closed, source, die):
            yield source


def doublets(near, far, closed, die):
    """The plays of a doublet: every way to choose places from the highest down, as many as can be played.

    No order of steps allows more than this one, and no two choices lead to the same position.
    """
    most = longest(near, far, closed, die)
    play, depth, source = 0, 0, BAR if most else 0
    while source > 0 or depth > 0:
        while source > 0 and not step(near, far, closed, source, die):
            source -= 1
        if source > 0:
            play |= source << 5 * depth
            near, far = moved(near, far, source, die)
            depth += 1
            if depth == most:
                yield play
        if source == 0 or depth == most:
            depth -= 1
            if depth < 0:
                break
            source = play >> 5 * depth & 31
            play ^= source << 5 * depth
            near, far = moved_back(near, far, source, die)
            source -= 1


def longest(near, far, closed, die):
    """How many steps of a doublet can be played: the highest checker that can move never spoils another's step."""
    steps = 0
    for source in range(BAR, 0, -1):
        while steps < 4 and step(near, far, closed, source, die):
            near, far = moved(near, far, source, die)
            steps += 1
    return steps


def towards(near, far, least, most):
    """The points on which a player has so many checkers, as the other player counts them: a bit for each."""
    points = 0
    for place in range(1, BAR):
        if least <= count(near, far, place) <= most:
            points |= 1 << BAR - place
    return points
