"""Expectimax over any game's rules, as a kernel, for games in which chance takes part. Scores are floats."""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel import kernel
from zermelo.rules import moves_into, turns
from zermelo.search.alphabeta import keep_line
from zermelo.search.memory import HORIZON, LENGTH, MOST, MOVES, NODES, STOP, WIDEST, WIDTH
from zermelo.value import DECISIVE, INFINITY


@kernel
def expectimax(game, state, depth, ply, memory):
    """The expectation of `state` for its mover. Nothing is pruned.

    Outcomes of chance count as a ply. The principal variation ends where chance begins.
    """
    memory[LENGTH + ply] = 0
    memory[NODES] += 1
    if memory[NODES] >= memory[MOST]:
        memory[STOP] = 1
    if memory[STOP]:
        return 0.0
    result = game.result(state)
    if result != ONGOING:
        return float(result)
    if depth == 0:
        memory[HORIZON] += 1
        return min(max(float(game.evaluate(state)), 1.0 - DECISIVE), DECISIVE - 1.0)
    if game.is_chance(state):
        total = 0.0
        for outcome, probability in game.chances(state):
            child = game.play(state, outcome)
            score = expectimax(game, child, depth - 1, ply + 1, memory)
            if memory[STOP]:
                return 0.0
            total += -probability * score if turns(game, state, child) else probability * score
        memory[LENGTH + ply] = 0
        return total
    width = memory[WIDTH]
    moves = memory.part(MOVES + 2 * ply * width, width)
    count = moves_into(game, state, moves)
    if count == 0:
        return float(game.stuck(state))
    if count > width:
        memory[WIDEST] = max(count, memory[WIDEST])
        memory[STOP] = 1
        return 0.0
    best = -float(INFINITY)
    for i in range(count):
        move = moves[i]
        child = game.play(state, move)
        score = expectimax(game, child, depth - 1, ply + 1, memory)
        if turns(game, state, child):
            score = -score
        if memory[STOP]:
            return 0.0
        if score > best:
            best = score
            keep_line(memory, ply, move)
    return best
