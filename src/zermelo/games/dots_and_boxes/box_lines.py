"""Lines around boxes, as words: which boxes have two, three or four, and which lines it is enough to search.

Lines are numbered row by row, and a box is named by the line above it. So the lines around box b are b, b + width,
b + width + 1 and b + 2 * width + 1, and shifting the word tests all boxes at once.

A box with two free lines is a part of a chain, which goes on through both; a chain ends at the border or at a box with
more free lines, or it closes on itself and is a loop. A line drawn in it opens it: the other player can close all of
its boxes, one after the other.
"""

from functools import cached_property

from zermelo.bits import ones, popcount
from zermelo.game import Game
from zermelo.tuples import replace


class Lines(Game):
    """A board of boxes, and what follows from the lines alone, regardless of who owns the boxes."""

    width: int = 3
    height: int = 3

    @cached_property
    def line_count(self):
        return self.height * (2 * self.width + 1) + self.width

    @cached_property
    def all_lines(self):
        return (1 << self.line_count) - 1

    @cached_property
    def boxes(self):
        return sum((1 << self.width) - 1 << row * (2 * self.width + 1) for row in range(self.height))

    # -- boxes and lines ---------------------------------------------------------------------------------------

    def closed(self, lines):
        """The boxes with all four lines."""
        pairs = lines & lines >> 2 * self.width + 1
        return pairs & lines >> self.width & lines >> self.width + 1 & self.boxes

    def open_boxes(self, lines):
        """The boxes with three lines, which the next one closes."""
        top, bottom = lines, lines >> 2 * self.width + 1
        left, right = lines >> self.width, lines >> self.width + 1
        return (top & bottom & (left ^ right) | (top ^ bottom) & left & right) & self.boxes

    def with_two(self, lines):
        """The boxes with two lines."""
        top, bottom = lines, lines >> 2 * self.width + 1
        left, right = lines >> self.width, lines >> self.width + 1
        return ((top ^ bottom) & (left ^ right) | top & bottom & ~(left | right) | left & right & ~(top | bottom)) & (
            self.boxes
        )

    def around(self, boxes):
        """The lines around some boxes."""
        sides = boxes | boxes << 2 * self.width + 1
        return sides | boxes << self.width | boxes << self.width + 1

    def touching(self, lines):
        """The boxes that some lines touch."""
        return (lines | lines >> 2 * self.width + 1 | lines >> self.width | lines >> self.width + 1) & self.boxes

    def inner(self, boxes):
        """The lines between some boxes."""
        return boxes & boxes << 2 * self.width + 1 | boxes << self.width & boxes << self.width + 1

    def string(self, start, boxes, free):
        """Those of the boxes that free lines join to this one."""
        found, reached = 0, start
        while reached != found:
            found = reached
            reached |= self.touching(self.around(found) & free) & boxes
        return found

    # -- lines that are enough to search -----------------------------------------------------------------------

    def captures(self, lines, opened):
        """The lines to close a box with, and the one to leave boxes with where that may be better.

        A box is closed at once, since whatever is good without it is better after it, unless its line leads into a box
        with two lines, and the turn is to end with the other free line of that one. If this leads out of the chain, two
        boxes are left, which one line closes; if it leads into such a pair again, four are left. In a longer chain the
        same can be done after the box is closed.

        Let v be the value of the rest once a place of n boxes, two or four, is gone: closing them gives n + v to the
        mover, leaving them -(n + v), so that the better of both is never below 0. Hence any line elsewhere that closes
        no box is worse or as good: the other player has the place then. And while there is a second place, v is not
        below 0 either, so that no boxes are left at the first. But which is closed first does matter: where two arms of
        two boxes meet in one box, only four can be left once a third arm of it is closed. So all are searched.
        """
        two, takes, leave, several = self.with_two(lines), 0, 0, False
        for box in ones(opened):
            closing = self.around(1 << box) & ~lines
            second = self.touching(closing) & two
            if second == 0:
                return closing
            onward = self.around(second) & ~lines & ~closing
            third = self.touching(onward) & ~second
            if third & opened:
                return closing
            longer = third & two != 0
            if longer and self.touching(self.around(third) & ~lines & ~onward) & opened == 0:
                return closing
            if onward != leave:  # the other end of four boxes is left with the same line
                takes, leave, several = takes | closing, onward, leave != 0
        return takes if several else takes | leave

    def openings(self, lines):
        """The lines that open no box, and one for each chain or loop, which are boxes with two lines in a row.

        That one lies between two boxes where it can: then both boxes of a chain of two must be closed, and none can be
        left. In longer ones and in loops every line is alike. Chains from border to border come in two kinds, of one
        box or two and of three or more; of either kind, and of loops, only the shortest is opened. For let v be the
        value of the rest once a chain of n boxes is gone: to open it gives the other player n + v if n is one or two,
        n - 2 + |v + 2| from three up, and n - 4 + |v + 4| for a loop. So one more box in it changes the value of a
        state by at most one, by induction over the lines that are left, as all other lines are drawn alike. If the
        longer of two is opened, n is larger by their difference, and v, with the shorter one still in it, differs by no
        more than that.
        """
        free, two = self.all_lines & ~lines, self.with_two(lines)
        chosen = free & ~self.around(two) & ~(self.standing(free) & free)
        least, shortest = (64, 64, 64), (0, 0, 0)
        while two:
            string = self.string(two & -two, two, free)
            two &= ~string
            ends = self.around(string) & free
            opening = self.inner(string) & free
            opening = opening & -opening if opening else ends & -ends
            if self.touching(ends) & ~string:
                chosen |= opening
                continue
            size = popcount(string)
            kind = 2 if popcount(ends) == size else 1 if size > 2 else 0
            if size < least[kind]:
                least, shortest = replace(least, kind, size), replace(shortest, kind, opening)
        return chosen | shortest[0] | shortest[1] | shortest[2]

    # -- the two lines at a corner lead nowhere else, so that one is as good as the other ----------------------

    @cached_property
    def corners(self):
        """The line that lies at each corner; none on a board of one row or column, where three lines are alike."""
        left, right = 1, 1 << self.width - 1
        lowest = self.line_count - self.width
        every = (left, right, left << lowest, right << lowest)
        return every if self.width > 1 and self.height > 1 else (0, 0, 0, 0)

    def standing(self, lines):
        """The lines that stand at corners where these lie."""
        a, b, c, d = self.corners
        upper = (lines & a) << self.width | (lines & b) << self.width + 1
        return upper | (lines & c) >> self.width + 1 | (lines & d) >> self.width

    def lying(self, lines):
        """The lines that lie at corners where these stand."""
        a, b, c, d = self.corners
        upper = lines >> self.width & a | lines >> self.width + 1 & b
        return upper | lines << self.width + 1 & c | lines << self.width & d

    def laid(self, lines):
        """The same with lines that lie, where one of two at a corner is drawn."""
        moved = self.lying(lines) & ~lines
        return lines ^ moved ^ self.standing(moved)

    def stood(self, lines):
        """The same with lines that stand there."""
        moved = self.standing(lines) & ~lines
        return lines ^ moved ^ self.lying(moved)
