"""The arrays that the kernels of learning share.

A record is a state that was visited, and what it is to be evaluated as:

    SET, TARGET, BEST, FLAGS | inputs: digits, eight to a word, or features, one to a word | words of the state

Weights are reals. Three of them belong together, in three arrays of the same length: the weight, the sum of its errors
and the sum of their sizes (temporal coherence).
"""

from __future__ import annotations

SET, TARGET, BEST, FLAGS, RECORD_HEAD = range(5)
"""Words of a record; SET is NO_SET in a state that is not learned."""

NO_SET = -1

EXPLORED, TURNED, CHANCE, LAST = 1, 2, 4, 8
"""Flags: the move was drawn by lot and not the best; the player changes; chance moved; the game ended."""

ROWS, RECORDS_HEAD = 0, 1
"""Records begin with their number."""

EXPLORATION, TRACE, RATE, MAX_GAME_PLIES, OPENING_PLIES, RECORD_WORDS, ROOM, PLAYED_PLIES, RETURNS, SETTINGS = range(10)
"""Settings: the share of moves drawn by lot, lambda, the step size; plies of a game and of its random opening; words of
a record; moves of a state; a counter; and whether an update computes the targets anew."""

FEATURES = 2
"""The kind of a network that weighs the game's own `features`, beside those of networks/network_format.py."""
