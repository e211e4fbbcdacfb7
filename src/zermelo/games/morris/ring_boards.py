"""The boards of morris: rings of points, one inside the other, the lines on them, and their images.

Bit 8 * ring + i is a point, ring 0 the outermost, i clockwise from the top left, corners even and middles of sides
odd. With two rings, and with one, which has a centre, bit 8:

    0 ------- 1 ------- 2           0 -- 1 -- 2
    |    8 -- 9 -- 10   |           |    |    |
    |    |         |    |           7 -- 8 -- 3
    7 -- 15        11 - 3           |    |    |
    |    |         |    |           6 -- 5 -- 4
    |    14 - 13 - 12   |
    6 ------- 5 ------- 4

A ring is a byte, so rotating the board rotates bytes, and all rings of both players rotate at once in one word.
"""

from functools import cached_property

from zermelo.bits import has_bit, ones
from zermelo.board import Grid, Points
from zermelo.game import Game

PLAYER_BITS = 24
"""Bits of one player in a word that holds both."""

ONE_PLAYER = (1 << PLAYER_BITS) - 1
BOTH_PLAYERS = 1 | 1 << PLAYER_BITS
RING_BYTES = 0x010101010101
CORNERS = 0x55 * RING_BYTES
MIDDLES = 0xAA * RING_BYTES
CENTRE = 1 << 8


class Rings(Game):
    """The board, without rules: what follows from `rings`, one with a centre, or two or three joined at the middles."""

    rings = 3
    diagonals = False  # corners are next to the centre too, or to those of the next ring

    @cached_property
    def points(self):
        return (1 << 8 * self.rings) - 1 | (CENTRE if self.rings == 1 else 0)

    @cached_property
    def spokes(self):
        """The points next to the centre."""
        return 0xFF if self.diagonals else 0xAA

    @cached_property
    def across(self):
        """The points of rings that are joined to the same points of the next one."""
        return 0xFF * RING_BYTES if self.diagonals else MIDDLES

    def turned(self, stones, steps):
        """Return the stones of each ring rotated by `steps` points."""
        low = (1 << steps) - 1
        return stones << steps & (0xFF ^ low) * RING_BYTES | stones >> 8 - steps & low * RING_BYTES

    # -- lines -------------------------------------------------------------------------------------------------

    def closing(self, stones):
        """The points that these stones would make a mill with: the two others of a line are among them."""
        before, after = self.turned(stones, 1), self.turned(stones, 7)
        closing = before & after & MIDDLES
        closing |= (before & self.turned(stones, 2) | after & self.turned(stones, 6)) & CORNERS
        if self.rings == 3:
            closing |= (stones << 8 | stones >> 16) & (stones << 16 | stones >> 8) & self.across
        if self.rings == 1:
            opposite = self.turned(stones, 4) & 0xFF
            closing |= opposite if stones & CENTRE else 0
            closing |= CENTRE if stones & opposite else 0
        return closing & self.points

    def mills(self, stones):
        """The stones that stand in a mill."""
        return stones & self.closing(stones)

    def neighbours(self, stones):
        """The points next to these stones."""
        beside = self.turned(stones, 1) | self.turned(stones, 7)
        if self.rings == 1:
            beside &= 0xFF
            beside |= self.spokes if stones & CENTRE else 0
            beside |= CENTRE if stones & self.spokes else 0
        else:
            joined = stones & self.across
            beside |= joined << 8 | joined >> 8
        return beside & self.points

    # -- images ------------------------------------------------------------------------------------------------

    def least(self, word):
        """The least of all images of a word."""
        mirrored = self.mirrored(word)
        least = min(self.least_turned(word), self.least_turned(mirrored))
        if self.rings > 1:
            least = min(least, self.least_turned(self.swapped(word)), self.least_turned(self.swapped(mirrored)))
        return least

    def least_turned(self, word):
        return min(word, self.quarters(word, 1), self.quarters(word, 2), self.quarters(word, 3))

    def image(self, word, number):
        """Return an image: number & 3 quarter turns, then mirrored (number & 4), then rings swapped (number & 8)."""
        image = self.quarters(word, number & 3)
        if number & 4:
            image = self.mirrored(image)
        return self.swapped(image) if number & 8 else image

    def quarters(self, word, turns):
        """Return the board after `turns` quarter turns; the centre stays."""
        turned = self.turned(word, 2 * turns)
        return turned & 0xFF * BOTH_PLAYERS | word & CENTRE * BOTH_PLAYERS if self.rings == 1 else turned

    def mirrored(self, word):
        """The mirror image in the diagonal: i becomes 8 - i on every ring, and the centre stays."""
        word = word & 0x11 * RING_BYTES | (word & 0x0E * RING_BYTES) << 4 | word >> 4 & 0x0E * RING_BYTES
        return word & 0x55 * RING_BYTES | (word & 0x22 * RING_BYTES) << 2 | word >> 2 & 0x22 * RING_BYTES

    def swapped(self, word):
        """The outermost and the innermost ring swapped."""
        outer = 0xFF * BOTH_PLAYERS
        if self.rings == 1:
            return word
        shift = 8 * (self.rings - 1)
        return word & ~(outer | outer << shift) | (word & outer) << shift | word >> shift & outer

    @cached_property
    def images(self):
        """The number of images: those of a square, and with several rings also with these swapped."""
        return 8 if self.rings == 1 else 16

    # -- display and notation ----------------------------------------------------------------------------------

    @cached_property
    def places(self):
        """The column and the row of each point, from the bottom left."""
        ways = ((-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))
        far = [self.rings - ring for ring in range(self.rings)]
        places = [(self.rings + right * steps, self.rings + up * steps) for steps in far for right, up in ways]
        return (*places, (1, 1)) if self.rings == 1 else tuple(places)

    def point_text(self, point):
        column, row = self.places[point]
        return f"{'abcdefg'[column]}{row + 1}"

    def square(self, point):
        """The number of the point's square on the picture, from the top left."""
        column, row = self.places[point]
        return (2 * self.rings - row) * (2 * self.rings + 1) + column

    @cached_property
    def points_by_square(self):
        """The points in the order of their squares."""
        return tuple(sorted(range(len(self.places)), key=self.square))

    @cached_property
    def row_lengths(self):
        """The number of points in each row, from the top."""
        rows = [row for _, row in self.places]
        return tuple(rows.count(row) for row in reversed(range(2 * self.rings + 1)))

    def picture(self, first, second):
        """The board with its lines; every place lies on a ring, on a side that runs along or upwards."""
        across = range(2 * self.rings + 1)
        marks = {
            (column, row): "-|"[abs(column - self.rings) > abs(row - self.rings)] for column in across for row in across
        }
        marks[self.rings, self.rings] = " "
        for point, place in enumerate(self.places):
            marks[place] = "X" if has_bit(first, point) else "O" if has_bit(second, point) else "."
        rows = ["".join(marks[column, row] for column in across) for row in reversed(across)]
        return Grid(tuple(rows), tuple("abcdefg"[: len(across)]), tuple(str(row + 1) for row in reversed(across)))


def points_of(rings, first, second):
    """Return the board: its points with the stones on them, joined where stones move."""
    points = range(len(rings.places))
    cells = "".join("X" if has_bit(first, point) else "O" if has_bit(second, point) else "." for point in points)
    places = tuple((float(column), float(2 * rings.rings - row)) for column, row in rings.places)
    lines = tuple((point, other) for point in points for other in ones(rings.neighbours(1 << point)) if point < other)
    return Points(cells, places, lines, tuple(rings.point_text(point) for point in points))
