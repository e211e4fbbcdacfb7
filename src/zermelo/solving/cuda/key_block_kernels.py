"""Kernels of compressed keys, a thread for each block: how long its steps are, writing and reading them.

The format is that of enumeration/compressed_keys.py.
"""

from __future__ import annotations

from zermelo.bits import msb, signed
from zermelo.native.device.device_functions import word32
from zermelo.solving.enumeration.compressed_keys import FOLLOWED, GROUP_BITS, KEYS_PER_HEAD

GROUPS_PER_WORD = 8
"""Groups of four bits in a word of the stream."""


def measure_block(game, block, count, shift, keys, lengths):
    """Write how many words the steps of a block take."""
    groups = 0
    for i in range(block * KEYS_PER_HEAD + 1, min((block + 1) * KEYS_PER_HEAD, count)):
        groups += msb(int(keys[i] - keys[i - 1] >> shift)) // GROUP_BITS + 1
    lengths[block] = (groups + GROUPS_PER_WORD - 1) // GROUPS_PER_WORD


def write_block(game, block, count, shift, keys, heads, starts, stream):
    """Write the first key and the steps of a block."""
    first = block * KEYS_PER_HEAD
    heads[block] = keys[first]
    at, word, filled = starts[block], 0, 0
    for i in range(first + 1, min(first + KEYS_PER_HEAD, count)):
        step = keys[i] - keys[i - 1] >> shift
        while step > 0:
            group = step & FOLLOWED - 1
            step >>= GROUP_BITS
            if step > 0:
                group |= FOLLOWED
            word |= group << filled
            filled += 4
            if filled == 32:
                stream[at] = word32(word)
                at, word, filled = at + 1, 0, 0
    if filled > 0:
        stream[at] = word32(word)


def read_block(game, block, count, shift, heads, starts, stream, keys):
    """Write the keys of a block; `count` is how many keys there are in all."""
    key = heads[block]
    at, word, left = starts[block], 0, 0
    here = block * KEYS_PER_HEAD
    keys[here] = key
    for i in range(1, min(KEYS_PER_HEAD, count - block * KEYS_PER_HEAD)):
        step, bit, group = 0, 0, FOLLOWED
        while group >= FOLLOWED:
            if left == 0:
                word = signed(int(stream[at]))
                at, left = at + 1, GROUPS_PER_WORD
            group = word & 15
            word >>= 4
            left -= 1
            step |= (group & FOLLOWED - 1) << bit
            bit += GROUP_BITS
        key += step << shift
        keys[here + i] = key
