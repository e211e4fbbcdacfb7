"""Runs of keys: the successors of a stage are divided into parts, by ranges of their keys.

A thread appends the keys that belong to a part to a chain of blocks in its own arena. Threads share nothing while they
do so. Afterwards one thread visits each part, in the chains of all threads.

    arena:     next free word | end of the free words | blocks | free words | what else a kernel notes
    block:     offset of the block before it in its chain, 0 for none | keys
    targets:   FIRST_TARGET | TARGET_COUNT | (address, length) of the target of each stage
    target:    least key | shift | (address, length) of index, splitters and cursors | number of the first part
    cursors:   (next word, end of block) of each part

The part of a key is found by its leading bits in the index, and by binary search among the splitters that are left.
The index has four numbers in a word, so that it fits the first-level cache. While a block is read, the next one of its
chain is fetched: blocks are anywhere in an arena, and each would be waited for.
"""

from __future__ import annotations

FIRST_TARGET, TARGET_COUNT, TARGET_TABLE = range(3)
LEAST_KEY, KEY_SHIFT, INDEX, SPLITTERS, CURSORS, FIRST_PART, TARGET_SIZE = 0, 1, 2, 4, 6, 8, 9

BLOCK_KEYS = 127
"""Keys of a block, which takes a word more."""

NEXT_BLOCK, ARENA_END, ARENA_START = range(3)
"""Offsets in an arena; blocks begin at ARENA_START."""


def target_of(targets, stage):
    """Return the offset of the pointer to a stage's target in `targets`; 0 if the stage has none."""
    place = stage - targets[FIRST_TARGET]
    if place < 0 or place >= targets[TARGET_COUNT]:
        return 0
    at = TARGET_TABLE + 2 * place
    return at if targets[at] != 0 else 0


def part_of(target, first):
    """Return the part to which keys with this first word belong."""
    words = target.follow(INDEX)
    index = words.shorts(0, 4 * len(words))
    place = (first - target[LEAST_KEY]) >> target[KEY_SHIFT]
    place = max(0, min(place, len(index) - 2))
    low, high = index[place], index[place + 1]
    splitters = target.follow(SPLITTERS)
    while low < high:
        middle = (low + high) >> 1
        if splitters[middle] <= first:
            low = middle + 1
        else:
            high = middle
    return target[FIRST_PART] + low


def block_size(words: int) -> int:
    """Return the words of a block of keys of `words` words."""
    return 1 + BLOCK_KEYS * words


def append_key(cursors, part, arena, key, words):
    """Append a key, as tables store it, to the run of a part. Return False if the arena has no room for a block."""
    at = cursors[2 * part]
    if at == cursors[2 * part + 1]:
        block, size = arena[NEXT_BLOCK], block_size(words)
        if block + size > arena[ARENA_END]:
            return False
        arena[NEXT_BLOCK] = block + size
        arena[block] = at - size if at else 0
        at = block + 1
        cursors[2 * part + 1] = block + size
    arena[at] = key[0]
    for word in range(1, words):
        arena[at + word] = key[word]
    cursors[2 * part] = at + words
    return True


def prefetch_block(arena, block, size):
    """Fetch a block of `size` words, eight of which are in a line of the cache."""
    for word in range(0, size, 8):
        arena.prefetch(block + word)


def copy_run(runs, part, words, keys, limit, gather):
    """Copy up to `limit` keys from the runs of a part to `keys`, or back where `gather` is False. Return how many.

    `runs` has for each thread the address and length of its cursors, and of its arena.
    """
    size, done = block_size(words), 0
    for thread in range(0, len(runs), 4):
        cursors, arena = runs.follow(thread), runs.follow(thread + 2)
        at, end = cursors[2 * part], cursors[2 * part + 1]
        while end != 0 and done < limit * words:
            block = end - size
            before = arena[block]
            prefetch_block(arena, before, size)
            for place in range(block + 1, min(at, block + 1 + limit * words - done)):
                if gather:
                    keys[done] = arena[place]
                else:
                    arena[place] = keys[done]
                done += 1
            at = end = before + size if before != 0 else 0
    return done // words


def run_length(runs, part, words):
    """Return the number of keys in the runs of a part."""
    size, count = block_size(words), 0
    for thread in range(0, len(runs), 4):
        cursors, arena = runs.follow(thread), runs.follow(thread + 2)
        at, end = cursors[2 * part], cursors[2 * part + 1]
        while end != 0:
            count += at - (end - size) - 1
            block = arena[end - size]
            at = end = block + size if block != 0 else 0
    return count // words
