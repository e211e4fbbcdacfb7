"""Monte Carlo tree search: the kernel behind `monte_carlo`.

UCT (Kocsis and Szepesvari 2006): select a path from the root to a leaf, each time the child with the best sum of mean
payoff and exploration term; play out from there at random; back the payoff up to every node of the path. A node that is
visited a second time is expanded. Beside its mean each node keeps two bounds of its payoff, which ends of the game and
the `bounds` rule tighten and which are backed up as in minimax (score-bounded MCTS, Cazenave and Saffidine 2010): a
child that cannot be better than another is not visited any more, and a node whose bounds meet is proven. If selection
would choose a proven child, its payoff is backed up, and the playout explores the other children.

A playout that is not over after memory[PLAYOUT_PLIES] plies ends with the static evaluation. With RAVE the kernel
keeps, for each player and move, the last ply of the playout at which it was played, and the children of every node on
the path learn from the moves below it.
"""

from __future__ import annotations

from math import ceil, floor

from zermelo import bits
from zermelo.game import ONGOING
from zermelo.monte_carlo_settings import MonteCarlo
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import candidates_into, chances_into, changes_player, has_distance
from zermelo.searching.mcts.uct_selection import select_child
from zermelo.searching.mcts.uct_tree import (
    COUNT,
    FIRST_CHILD,
    HIGH,
    LOW,
    MOVE,
    NODE,
    RAVE_TOTAL,
    RAVE_VISITS,
    SIGN,
    TOTAL,
    UNIT,
    UNKNOWN_PAYOFF,
    VISITS,
    backup_bounds,
    narrow_bounds,
)
from zermelo.searching.runtime.thread_memory import MAX_NODES, MAX_PLY, NODES, PLY_ROWS, STOP, WIDTH, WIDTH_NEEDED
from zermelo.word_arrays import Words

MAX_PLAYOUT_PLIES = 1000
"""The most plies of a playout."""

RAVE_MOVES = 1024
"""Moves with numbers from 0 to below this one are counted for RAVE."""

MAX_PLIES = 2048
"""More plies than a path and a playout have together."""

# memory: counters (see thread_memory.py), then
UCT_BAD_EVAL = 11  # set once an evaluation was not finite
USED = 12  # words of the tree in use
PAYOFF_SCALE = 13  # the largest absolute payoff so far: the scale of the exploration term
SEED = 14
RANDOM_COUNT = 15  # random numbers used so far
PLAYOUT_PLIES = 16  # plies after which a playout ends with a static evaluation
RAVE = 17  # a real: the visits after which a move's own playouts count as much as RAVE; 0: without RAVE
EVALUATION_SCALE = 18  # a real: the evaluation that counts as half a win
LEAST, GREATEST = 19, 20  # reals: an estimate outside these, seen by the mover of the root, counts as one of them
LAST_PLAYED = 21  # RAVE_MOVES words for each player: number of the playout times MAX_PLIES, and the ply
UCT_PATH = LAST_PLAYED + 2 * RAVE_MOVES  # one word a ply: the nodes of the path
PROVEN_CHILD = UCT_PATH + PLY_ROWS  # one word a ply: the proven child that selection preferred there, or 0
IS_CHANCE = PROVEN_CHILD + PLY_ROWS  # one word a ply: whether chance moves there
UCT_MOVES = IS_CHANCE + PLY_ROWS  # a row of moves or outcomes, then one of probabilities


def new_uct_memory(seed: int, settings: MonteCarlo, payoffs: tuple[float, float], width: int = 64) -> Words:
    """Return new memory for states of at most `width` moves. `payoffs` are the least and the greatest of the root."""
    memory = Words.zeros(UCT_MOVES + 2 * width)
    memory[WIDTH] = width
    memory[PLAYOUT_PLIES] = min(settings.playout_plies, MAX_PLAYOUT_PLIES)
    memory.reals(RAVE, 1)[0] = settings.rave
    memory.reals(EVALUATION_SCALE, 1)[0] = settings.evaluation_scale
    memory.reals(LEAST, 1)[0], memory.reals(GREATEST, 1)[0] = payoffs
    memory[USED] = NODE
    memory[PAYOFF_SCALE] = 1
    memory[SEED] = bits.signed(bits.mix(seed))
    return memory


@kernel(kinds="state real words words")
def uct(game, state, exploration, tree, memory):
    """Simulate from `state` until it is proven, or memory[MAX_NODES] playouts are made, or memory[STOP] is set."""
    while tree[LOW] < tree[HIGH] and memory[NODES] < memory[MAX_NODES] and not memory[STOP]:
        simulate(game, state, exploration, tree, memory)


@kernel
def simulate(game, state, exploration, tree, memory):
    """Select a leaf, play out from it and back the payoff up to the root; not if the search is stopped."""
    rave = memory.reals(RAVE, 1)[0]
    node = ply = player = 0  # the player to move, 0 for the mover of the root
    while True:
        # Step 1. A new node gets static bounds; one that is visited again is expanded
        memory[UCT_PATH + ply] = node
        memory[PROVEN_CHILD + ply] = 0
        memory[IS_CHANCE + ply] = 0
        met = tree[node + VISITS] > 0 or node == 0
        if not met:
            bound_node(game, state, node, tree)
        if met and tree[node + FIRST_CHILD] == 0 and tree[node + LOW] < tree[node + HIGH] and ply < MAX_PLY:
            expand(game, state, node, tree, memory)
        if tree[node + LOW] == tree[node + HIGH]:
            payoff = tree[node + SIGN] * tree[node + LOW] * UNIT
            break
        if tree[node + FIRST_CHILD] == 0:
            payoff = playout(game, state, player, ply, memory)
            break

        # Step 2. Selection
        if game.is_chance(state):
            place, child = sample_outcome(game, state, memory)
            memory[IS_CHANCE + ply] = 1
            node = tree[node + FIRST_CHILD] + place * NODE
        else:
            best = select_child(node, True, exploration, rave, memory[PAYOFF_SCALE], tree)
            if tree[best + LOW] == tree[best + HIGH]:
                memory[PROVEN_CHILD + ply] = best
                best = select_child(node, False, exploration, rave, memory[PAYOFF_SCALE], tree)
            node = best
            note_move(tree[node + MOVE], player, ply, memory)
            child = game.play(state, tree[node + MOVE])
        tree[node + SIGN] = 1
        if changes_player(game, state, child):
            tree[node + SIGN] = -1
            player = 1 - player
        state = child
        ply += 1
    if memory[STOP]:
        return

    # Step 3. Backpropagation. Where selection preferred a proven child, its payoff is backed up
    memory[NODES] += 1
    memory[PAYOFF_SCALE] = max(memory[PAYOFF_SCALE], abs(payoff) // UNIT)
    while ply >= 0:
        node = memory[UCT_PATH + ply]
        proven = memory[PROVEN_CHILD + ply]
        if proven > 0:
            payoff = tree[proven + LOW] * UNIT
            tree[proven + VISITS] += 1
            tree[proven + TOTAL] += payoff
        if rave > 0.0 and memory[IS_CHANCE + ply] == 0:
            learn_moves(node, player, ply, payoff, tree, memory)
        if tree[node + SIGN] < 0:
            payoff = -payoff
            player = 1 - player
        tree[node + VISITS] += 1
        tree[node + TOTAL] += payoff
        if tree[node + FIRST_CHILD] > 0 and tree[node + LOW] < tree[node + HIGH]:
            backup_bounds(node, memory[IS_CHANCE + ply] != 0, tree)
        ply -= 1


def note_move(move, player, ply, memory):
    """Note for RAVE that a player makes a move at this ply of the playout."""
    if 0 <= move < RAVE_MOVES:
        memory[LAST_PLAYED + player * RAVE_MOVES + move] = (memory[NODES] + 1) * MAX_PLIES + ply


def learn_moves(node, player, ply, payoff, tree, memory):
    """Add a payoff to the RAVE sums of the children of a node whose moves the player made from this ply on."""
    first = tree[node + FIRST_CHILD]
    since = memory[NODES] * MAX_PLIES + ply  # the playout is counted by now
    for child in range(first, first + tree[node + COUNT] * NODE, NODE):
        move = tree[child + MOVE]
        if 0 <= move < RAVE_MOVES and memory[LAST_PLAYED + player * RAVE_MOVES + move] >= since:
            tree[child + RAVE_VISITS] += 1
            tree[child + RAVE_TOTAL] += payoff


@kernel
def bound_node(game, state, node, tree):
    """Set the bounds of a new node: its payoff if the game is over, else those of the `bounds` rule."""
    result = game.result(state)
    if result != ONGOING:
        narrow_bounds(node, result, result, tree)
        return
    low, high = game.bounds(state)
    if has_distance(game):  # scores of wins and losses, whatever their distance
        low = max(-1.0, min(1.0, low))
        high = max(-1.0, min(1.0, high))
    # the tree keeps whole payoffs, and an expectation may lie between two of them
    narrow_bounds(node, floor(max(low, -UNKNOWN_PAYOFF)), ceil(min(high, UNKNOWN_PAYOFF)), tree)


@kernel
def expand(game, state, node, tree, memory):
    """Give a node its children, if the tree has room for them; a node without moves gets the payoff of `stuck`."""
    width = memory[WIDTH]
    moves = memory.part(UCT_MOVES, width)
    if game.is_chance(state):
        count = chances_into(game, state, moves, memory.reals(UCT_MOVES + width, width))
    else:
        count = candidates_into(game, state, moves)
        if count == 0:
            payoff = game.stuck(state)
            narrow_bounds(node, payoff, payoff, tree)
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
        tree[child + LOW] = -UNKNOWN_PAYOFF
        tree[child + HIGH] = UNKNOWN_PAYOFF
    tree[node + FIRST_CHILD] = first
    tree[node + COUNT] = count
    memory[USED] = first + count * NODE


@kernel
def playout(game, state, player, ply, memory):
    """The payoff of a random playout for `player`, the mover of `state`, in units of 1 / UNIT."""
    sign = UNIT
    moves = memory.part(UCT_MOVES, memory[WIDTH])
    for step in range(memory[PLAYOUT_PLIES]):
        if memory[STOP]:  # interpreted, a playout may take a second
            return 0
        result = game.result(state)
        if result != ONGOING:
            return sign * result
        if game.is_chance(state):
            _, child = sample_outcome(game, state, memory)
        else:
            count = candidates_into(game, state, moves)
            if count == 0:
                return sign * game.stuck(state)
            if too_wide(count, memory):
                return 0
            move = moves[int(bits.remainder(random_word(memory), count))]
            note_move(move, player, ply + step, memory)
            child = game.play(state, move)
        if changes_player(game, state, child):
            sign = -sign
            player = 1 - player
        state = child
    result = game.result(state)
    if result != ONGOING:
        return sign * result
    estimate = float(game.evaluate(state))
    if estimate - estimate != 0.0:  # infinite, or not a number
        memory[UCT_BAD_EVAL] = 1
        memory[STOP] = 1
        return 0
    least, greatest = memory.reals(LEAST, 1)[0], memory.reals(GREATEST, 1)[0]
    if player:
        least, greatest = -greatest, -least
    estimate = min(max(estimate, least), greatest)
    if has_distance(game):  # an evaluation of any size, mapped between a loss and a win
        estimate = estimate / (memory.reals(EVALUATION_SCALE, 1)[0] + abs(estimate))
    return int(estimate * sign)


@kernel
def sample_outcome(game, state, memory):
    """Draw an outcome by its probability: return its index among the outcomes and the state it leads to."""
    left = float(bits.shift_right(random_word(memory), 11)) / 9007199254740992.0  # 2**53: from 0 to just below 1
    width = memory[WIDTH]
    outcomes = memory.part(UCT_MOVES, width)
    probabilities = memory.reals(UCT_MOVES + width, width)
    count = chances_into(game, state, outcomes, probabilities)
    if too_wide(count, memory):
        count = width
    place = 0
    while place < count - 1 and left >= probabilities[place]:
        left -= probabilities[place]
        place += 1
    return place, game.play(state, outcomes[place])


def too_wide(count, memory):
    """Whether there are more moves than the row holds; if so, stop the search, which resumes with a wider memory."""
    if count <= memory[WIDTH]:
        return False
    memory[WIDTH_NEEDED] = max(count, memory[WIDTH_NEEDED])
    memory[STOP] = 1
    return True


def random_word(memory):
    """The next pseudorandom word of 64 bits."""
    memory[RANDOM_COUNT] += 1
    return bits.mix(bits.add(memory[SEED], memory[RANDOM_COUNT]))
