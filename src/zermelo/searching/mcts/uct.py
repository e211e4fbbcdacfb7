"""Monte Carlo tree search: the kernel behind `monte_carlo`.

UCT (Kocsis and Szepesvari 2006): walk down the tree to a leaf, each time to the child with the best sum of mean payoff
and exploration term; play on from there at random; add the payoff to every node on the way. A node that is met a second
time gets children. Beside its mean each node keeps two bounds of its payoff, which ends of the game and the `bounds`
rule tighten and which are passed up as in minimax (Cazenave and Saffidine 2010): a child that cannot be better than
another is not visited any more, and a node whose bounds meet is proven. Where a proven child would be the choice, the
node is worth what is proven, and the playout looks for better elsewhere: means would else be those of the attempts.
"""

from __future__ import annotations

from math import ceil, floor

from zermelo import bits
from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import candidates_into, changes_player, has_distance
from zermelo.searching.mcts.uct_tree import (
    ANYTHING,
    COUNT,
    FIRST,
    HIGH,
    LOW,
    MOVE,
    NODE,
    SIGN,
    TOTAL,
    UNIT,
    VISITS,
    chosen,
    narrow,
    tighten,
)
from zermelo.searching.runtime.thread_memory import DEEPEST, MOST, NODES, ROWS, STOP, WIDEST, WIDTH
from zermelo.value import DECISIVE
from zermelo.word_arrays import Words

LONGEST = 1000
"""Plies after which a playout is judged and not played on."""

# memory: counters (see thread_memory.py), then
UNJUDGED = 11  # set once an evaluation was no finite number
USED = 12  # words of the tree in use
SPREAD = 13  # the largest payoff met, either way: what the exploration term is measured by
SEED = 14
DRAWN = 15  # random numbers used so far
PATH = 16  # one word a ply: the nodes from the root to the leaf
KNOWN = PATH + ROWS  # one word a ply: the proven child that was the best choice there, or 0
CHANCE = KNOWN + ROWS  # one word a ply: whether chance moves there
MOVES = CHANCE + ROWS  # one row of moves


def new_sampling_memory(seed: int, width: int = 64) -> Words:
    """Fresh memory for states of at most `width` moves."""
    memory = Words.zeros(MOVES + width)
    memory[WIDTH] = width
    memory[USED] = NODE
    memory[SPREAD] = 1
    memory[SEED] = bits.signed(bits.mix(seed))
    return memory


@kernel
def uct(game, state, exploration, tree, memory):
    """Playouts from `state` until it is proven, or memory[MOST] of them were made, or memory[STOP] is set."""
    while tree[LOW] < tree[HIGH] and memory[NODES] < memory[MOST] and not memory[STOP]:
        walk(game, state, exploration, tree, memory)


@kernel
def walk(game, state, exploration, tree, memory):
    """Go down to a leaf, play on from there, and take the payoff back to the root; nothing if the search is stopped."""
    node = 0
    ply = 0
    while True:
        # Step 1. A new node is settled by the rules where they can; one that is met again gets children
        memory[PATH + ply] = node
        memory[KNOWN + ply] = 0
        memory[CHANCE + ply] = 0
        met = tree[node + VISITS] > 0 or node == 0
        if not met:
            settle(game, state, node, tree)
        if met and tree[node + FIRST] == 0 and tree[node + LOW] < tree[node + HIGH] and ply < DEEPEST:
            grow(game, state, node, tree, memory)
        if tree[node + LOW] == tree[node + HIGH]:
            payoff = tree[node + SIGN] * tree[node + LOW] * UNIT
            break
        if tree[node + FIRST] == 0:
            payoff = playout(game, state, memory)
            break

        # Step 2. Go down
        if game.is_chance(state):
            place, child = outcome(game, state, memory)
            memory[CHANCE + ply] = 1
            node = tree[node + FIRST] + place * NODE
        else:
            best = chosen(node, True, exploration, memory[SPREAD], tree)
            if tree[best + LOW] == tree[best + HIGH]:
                memory[KNOWN + ply] = best
                best = chosen(node, False, exploration, memory[SPREAD], tree)
            node = best
            child = game.play(state, tree[node + MOVE])
        tree[node + SIGN] = -1 if changes_player(game, state, child) else 1
        state = child
        ply += 1
    if memory[STOP]:
        return

    # Step 3. Back to the root. Where a proven child was the best, its payoff goes up; the playout was for the others
    memory[NODES] += 1
    memory[SPREAD] = max(memory[SPREAD], abs(payoff) // UNIT)
    while ply >= 0:
        node = memory[PATH + ply]
        known = memory[KNOWN + ply]
        if known > 0:
            payoff = tree[known + LOW] * UNIT
            tree[known + VISITS] += 1
            tree[known + TOTAL] += payoff
        payoff *= tree[node + SIGN]
        tree[node + VISITS] += 1
        tree[node + TOTAL] += payoff
        if tree[node + FIRST] > 0 and tree[node + LOW] < tree[node + HIGH]:
            tighten(node, memory[CHANCE + ply] != 0, tree)
        ply -= 1


@kernel
def settle(game, state, node, tree):
    """The bounds of a new node: its payoff if the game is over, or what the `bounds` rule says."""
    result = game.result(state)
    if result != ONGOING:
        narrow(node, result, result, tree)
        return
    low, high = game.bounds(state)
    if has_distance(game):  # scores of wins and losses, whatever their distance
        low = max(-1, min(1, low))
        high = max(-1, min(1, high))
    # the tree keeps whole payoffs, and an expectation may lie between two of them
    narrow(node, floor(max(low, -ANYTHING)), ceil(min(high, ANYTHING)), tree)


@kernel
def grow(game, state, node, tree, memory):
    """Give a node its children, if there is room for them; without any it is settled by `stuck`."""
    width = memory[WIDTH]
    moves = memory.part(MOVES, width)
    count = 0
    if game.is_chance(state):
        for _ in game.chances(state):
            count += 1
    else:
        count = candidates_into(game, state, moves)
        if count == 0:
            payoff = game.stuck(state)
            narrow(node, payoff, payoff, tree)
            return
        if too_wide(count, memory):
            return
    first = memory[USED]
    if first + count * NODE > len(tree):
        return
    for i in range(count):
        child = first + i * NODE
        if not game.is_chance(state):
            tree[child + MOVE] = moves[i]
        tree[child + LOW] = -ANYTHING
        tree[child + HIGH] = ANYTHING
    tree[node + FIRST] = first
    tree[node + COUNT] = count
    memory[USED] = first + count * NODE


@kernel
def playout(game, state, memory):
    """What the mover of `state` gets if both players move at random, in units of 1 / UNIT."""
    sign = UNIT
    moves = memory.part(MOVES, memory[WIDTH])
    for _ in range(LONGEST):
        if memory[STOP]:  # interpreted, a playout may take a second
            return 0
        result = game.result(state)
        if result != ONGOING:
            return sign * result
        if game.is_chance(state):
            _, child = outcome(game, state, memory)
        else:
            count = candidates_into(game, state, moves)
            if count == 0:
                return sign * game.stuck(state)
            if too_wide(count, memory):
                return 0
            child = game.play(state, moves[int(bits.remainder(random_word(memory), count))])
        if changes_player(game, state, child):
            sign = -sign
        state = child
    guess = float(game.evaluate(state))
    if guess - guess != 0.0:  # infinite, or not a number
        memory[UNJUDGED] = 1
        memory[STOP] = 1
        return 0
    guess = min(max(guess, 1.0 - DECISIVE), DECISIVE - 1.0)
    if has_distance(game):  # a judgement of any size, between a loss and a win
        guess = guess / (1.0 + abs(guess))
    return int(guess * sign)


@kernel
def outcome(game, state, memory):
    """An outcome drawn by its probability: its place among the outcomes, and the state it leads to."""
    left = float(bits.shift_right(random_word(memory), 11)) / 9007199254740992.0  # 2**53: from 0 to just below 1
    place = -1
    drawn = 0
    for move, probability in game.chances(state):
        if left >= 0.0:
            left -= probability
            place += 1
            drawn = move
    return place, game.play(state, drawn)


def too_wide(count, memory):
    """Whether there are more moves than the row holds: then the search stops, to go on with a longer one."""
    if count <= memory[WIDTH]:
        return False
    memory[WIDEST] = max(count, memory[WIDEST])
    memory[STOP] = 1
    return True


def random_word(memory):
    """The next random number of 64 bits."""
    memory[DRAWN] += 1
    return bits.mix(bits.add(memory[SEED], memory[DRAWN]))
