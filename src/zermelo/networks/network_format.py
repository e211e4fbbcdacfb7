"""The words of a learned evaluation, as kernels read them.

An evaluation sees a state as *cells*: small numbers, its digits, that are read from bits of the state's words.

    state words  --parts-->  raw code of a cell  --digit table-->  digit, 0 to radix - 1

A *tuple* is a sequence of cells. Its digits, as a number of mixed radix, are the place of a weight in the table of the
tuple. A *lookup* is a tuple, or its image under a symmetry of the board, which reads the same table. The sum over all
lookups is the evaluation. A layered network has a row of weights for each digit of each cell instead, one for each of
the game's own features, and one hidden layer. It sees a feature as a *level*, in 255 steps. There is a set of weights
for each view (player to move) and each phase: by the number of cells that are not 0, or by the stage of the state.

    HEADER | parts, 4 words each | starts of cells | digit tables | phases | starts of inputs | scales of levels
    | starts of stages | starts of lookups | places | weights | table

The table holds exact values of endings, which only the game itself can read (see learned_game.py).
"""

from __future__ import annotations

KIND, CELLS, PARTS, CELL_STARTS, DIGITS, DIGIT_STARTS = range(6)
LOOKUPS, LOOKUP_STARTS, LOOKUP_TABLES, PLACES, VIEWS, PHASES, SET_WEIGHTS, WEIGHTS = range(6, 14)
PAYOFF_SCALE, HIDDEN, INPUT_STARTS, LEVELS, LEVEL_SCALES, STAGES, STAGE_STARTS, TABLE = range(14, 22)
WEIGHT_UNIT = 22
"""Words of the header. Those with plural names hold where an array begins, or how long it is (see network_words)."""

HEADER = 24

TUPLES, LAYERS = 0, 1
"""Kinds of networks."""

PART_WORDS = 4
"""A part of a cell: word of the state, shift to the right, mask, and shift to the left inside the raw code."""

CELL_BITS = 12
"""Bits of a place that number the cell; the others are the factor of its digit."""

EVEN_LEVEL = 128
"""The level of a feature that is 0; a level less this, divided by it, is the feature as a share of its scale."""

MAX_CELLS, MAX_HIDDEN, MAX_RAW_BITS, MAX_RADIX = 512, 128, 12, 64
"""Bounds of a network; the first two are those of scratch memory. Levels count as cells, and as hidden units."""

DIGIT_WORDS, HIDDEN_WORDS = MAX_CELLS // 8, MAX_HIDDEN
"""Words of scratch memory for the digits and the sums of the hidden layer."""

MAX_SET_WEIGHTS, MAX_SETS = 1 << 26, 32
"""Bounds of the weights of a set, and of the sets."""

MAX_SCALE = float(1 << 40)
"""The largest scale of a feature; the smallest is 1 divided by it, lest a level becomes infinite."""

UNIT = 4096
"""A weight of 1, as weights are stored: whole numbers. Evaluations are sums of weights. Tuples may have finer units."""

MAX_UNIT = 1 << 20

MAX_WEIGHT = (1 << 15) - 1
"""The largest stored weight: sixteen bits with a sign."""
