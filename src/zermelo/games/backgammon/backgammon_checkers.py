"""Checkers on the 26 places of a backgammon board: counts of four bits in two words, and steps by one die.

    near    places 0 (off) to 12
    far     places 13 to 25 (the bar)

`closed` and `blots` have a bit for each point, as the mover counts them: those on which the other player has two or
more checkers, and those with one.
"""

from zermelo.bits import msb

PLACES_PER_WORD = 13
"""How many places a word holds."""

BAR = 25


def count(near, far, place):
    """Return how many checkers are on a place."""
    return (near >> 4 * place if place < PLACES_PER_WORD else far >> 4 * (place - PLACES_PER_WORD)) & 15


def placed(near, far, place, checkers):
    """Return the words with this many checkers added to a place."""
    if place < PLACES_PER_WORD:
        return near + (checkers << 4 * place), far
    return near, far + (checkers << 4 * (place - PLACES_PER_WORD))


def moved(near, far, source, die):
    """Return the words after a step, without checking that it is legal."""
    near, far = placed(near, far, source, -1)
    return placed(near, far, max(source - die, 0), 1)


def moved_back(near, far, source, die):
    """Return the words before a step: the inverse of `moved`."""
    near, far = placed(near, far, source, 1)
    return placed(near, far, max(source - die, 0), -1)


def highest_place(near, far):
    """Return the highest place with a checker."""
    return PLACES_PER_WORD + msb(far) // 4 if far else msb(near) // 4


def can_step(near, far, closed, source, die):
    """Return whether a checker may move from a place by the number on a die."""
    if count(near, far, source) == 0:
        return False
    to = source - die
    if to > 0:
        return not closed >> to & 1 and (source == BAR or count(near, far, BAR) == 0)
    return highest_place(near, far) <= (6 if to == 0 else source)


def both_playable(near, far, closed, first, high, second, low):
    """Return whether both steps can be played, in one order or the other."""
    if can_step(near, far, closed, first, high):
        after = moved(near, far, first, high)
        if can_step(after[0], after[1], closed, second, low):
            return True
    if can_step(near, far, closed, second, low):
        after = moved(near, far, second, low)
        return can_step(after[0], after[1], closed, first, high)
    return False


def is_duplicate(near, far, closed, blots, first, high, second, low):
    """Return whether another pair of steps leads to the same position and is generated instead.

    Two checkers that are both borne off may exchange their dice. One checker may move by the lower number first, or by
    the higher, unless it hits a blot on one of the two paths.
    """
    if first <= high and second <= low:
        return first < second
    through = second - high
    if first != second - low or through < 1 or (blots >> first | blots >> through) & 1:
        return False
    return both_playable(near, far, closed, second, high, through, low)


# -- plays -------------------------------------------------------------------------------------------------------------


def two_dice_plays(near, far, closed, blots, high, low):
    """Yield the plays of both numbers: the place that moves by the higher, and from bit 5 on that by the lower."""
    for first in range(BAR, 0, -1):
        if count(near, far, first) or count(near, far, min(first + low, BAR)):
            for second in range(BAR, 0, -1):
                if (
                    (count(near, far, second) or second == first - high)
                    and both_playable(near, far, closed, first, high, second, low)
                    and not is_duplicate(near, far, closed, blots, first, high, second, low)
                ):
                    yield first | second << 5


def one_die_plays(near, far, closed, die):
    """Yield the places from which a checker may move by one number."""
    for source in range(BAR, 0, -1):
        if can_step(near, far, closed, source, die):
            yield source


def doublet_plays(near, far, closed, die):
    """Yield the plays of a doublet: every choice of places from the highest down, with as many steps as possible.

    No order of steps allows more steps than this one, and no two choices lead to the same position.
    """
    most = max_steps(near, far, closed, die)
    play, depth, source = 0, 0, BAR if most else 0
    while source > 0 or depth > 0:
        while source > 0 and not can_step(near, far, closed, source, die):
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


def max_steps(near, far, closed, die):
    """Return how many steps of a doublet can be played: moving the highest checker first never costs a step."""
    steps = 0
    for source in range(BAR, 0, -1):
        while steps < 4 and can_step(near, far, closed, source, die):
            near, far = moved(near, far, source, die)
            steps += 1
    return steps


def points_held(near, far, least, most):
    """Return the points with `least` to `most` checkers, as the other player counts them: a bit for each."""
    points = 0
    for place in range(1, BAR):
        if least <= count(near, far, place) <= most:
            points |= 1 << BAR - place
    return points
