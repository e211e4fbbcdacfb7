"""The referee: plain and slow, and written without looking at the algorithms it judges.

Everything is counted from player 0's side, who maximizes while player 1 minimizes; only the answers are turned to the
player to move. A position is a state together with the player to move; games without a `mover` rule alternate.

    value(game, state)          the score of a state: win_in(n), loss_in(n), 0, a margin, or an expectation
    best_moves(game, state)     the moves that reach it
    expectations(game, state)   for games of chance with loops: the expected payoff of every state
    outcomes(game, state)       for games with loops: WIN, DRAW, LOSS or "repetition", and the distance, of every state

Scores are those of `zermelo.value`, which is the only thing the referee shares with the library.
"""

import itertools

import numpy

from zermelo import DRAW, LOSS, ONGOING, WIN
from zermelo.game import Game


def value(game, state=None):
    """The score of a state, seen by the player to move."""
    state = game.initial() if state is None else state
    player = player_at(game, state)
    if game.loops:
        return loop_score(outcomes(game, state)[state, player])
    return sign(player) * tree_value(game, state, player, {})


def best_moves(game, state=None):
    """Every move that keeps the state's value; none where the game is over or chance moves."""
    state = game.initial() if state is None else state
    if is_over(game, state) or is_chance(game, state):
        return []
    player, known = player_at(game, state), {}
    if game.loops:
        known = loop_values(game, state)
    target = tree_value(game, state, player, known)
    return [move for move in game.moves(state) if step_value(game, state, player, move, known) == target]


def tree_value(game, state, player, known):
    """What player 0 gets from here with best play, by walking the whole tree once."""
    if (state, player) in known:
        return known[state, player]
    if is_over(game, state):
        answer = sign(player) * end_score(game, state)
    elif is_chance(game, state):
        answer = sum(p * step_value(game, state, player, outcome, known) for outcome, p in game.chances(state))
    else:
        values = [step_value(game, state, player, move, known) for move in game.moves(state)]
        answer = max(values) if player == 0 else min(values)
    known[state, player] = answer
    return answer


def step_value(game, state, player, move, known):
    child = game.play(state, move)
    return one_ply_later(tree_value(game, child, player_after(game, player, child), known))


def end_score(game, state):
    """What the player to move gets at the end: a million for a win that is worth its distance, else the payoff."""
    payoff = game.result(state)
    if payoff == ONGOING:
        payoff = game.stuck(state)
    return payoff if game.margin or has_chance(game) else 1_000_000 * payoff


def one_ply_later(score):
    """A win or loss is one ply farther away from one ply earlier."""
    if score > 900_000:
        return score - 1
    if score < -900_000:
        return score + 1
    return score


# -- games with loops --------------------------------------------------------------------------------------------------


def outcomes(game, state=None):
    """{(state, player): (outcome for the player to move, distance)} of all reachable positions, by brute force.

    The outcome is WIN, LOSS, DRAW (a player can force a drawn end) or "repetition" (nobody can force any end).
    """
    positions = reachable(game, state)
    table = {}
    for distance in range(len(positions) + 1):
        found = {}
        for position, children in positions.items():
            if position not in table:
                outcome = decided(game, position, children, table, distance)
                if outcome is not None:
                    found[position] = (outcome, distance)
        table.update(found)
    forced = [can_force_draw(game, positions, table, player) for player in (0, 1)]
    for position in positions:
        if position not in table:
            table[position] = (DRAW if position in forced[0] or position in forced[1] else "repetition", None)
    return table


def loop_values(game, state):
    """What player 0 gets from every position of a game with loops."""
    return {position: sign(position[1]) * loop_score(entry) for position, entry in outcomes(game, state).items()}


def loop_score(entry):
    """The score of an outcome with its distance."""
    outcome, distance = entry
    return {WIN: 1_000_000 - (distance or 0), LOSS: (distance or 0) - 1_000_000}.get(outcome, 0)


def decided(game, position, children, table, distance):
    """WIN or LOSS for the player to move if that follows from the table so far."""
    state, player = position
    if is_over(game, state):
        payoff = end_score(game, state)
        return WIN if payoff > 0 else LOSS if payoff < 0 else None
    if distance == 0:
        return None
    won_for = [winner(child, table) for child in children]
    if player in won_for:
        return WIN
    return LOSS if all(who == 1 - player for who in won_for) else None


def winner(position, table):
    """The player who wins from here, or None as far as the table knows."""
    outcome, _ = table.get(position, (None, None))
    return {WIN: position[1], LOSS: 1 - position[1]}.get(outcome)


def can_force_draw(game, positions, table, player):
    """The undecided positions from which this player can bring about a drawn end, come what may."""
    forced = {position for position in positions if position not in table and is_over(game, position[0])}
    for _ in positions:
        for position, children in positions.items():
            if position in table or position in forced:
                continue
            ways = [child for child in children if winner(child, table) != 1 - position[1]]
            enough = any if position[1] == player else all
            if enough(child in forced for child in ways):
                forced.add(position)
    return forced


def reachable(game, state=None):
    """{(state, player): [positions one move or outcome away]}."""
    state = game.initial() if state is None else state
    positions, waiting = {}, [(state, player_at(game, state))]
    while waiting:
        state, player = waiting.pop()
        if (state, player) in positions:
            continue
        children = [] if is_over(game, state) else [game.play(state, move) for move in all_moves(game, state)]
        positions[state, player] = [(child, player_after(game, player, child)) for child in children]
        waiting.extend(positions[state, player])
    return positions


def expectations(game, state=None):
    """{(state, player): expected payoff of the player to move} in a small game of chance with loops, by all plans.

    A plan has one move for each state of a player; each plan of player 0 meets each of player 1, and play without end
    is worth 0. That no other plans are needed is a theorem (Gillette 1957; Liggett and Lippman 1969).
    """
    positions = reachable(game, state)
    plans = [list(all_plans(game, positions, player)) for player in (0, 1)]
    worst = [
        numpy.min([chain_values(game, positions, mine | theirs) for theirs in plans[1]], axis=0) for mine in plans[0]
    ]
    gains = numpy.max(worst, axis=0)
    return {position: sign(position[1]) * gain for position, gain in zip(positions, gains, strict=True)}


def all_plans(game, positions, player):
    """Every choice of one successor in each unfinished position of a player."""
    choices = {
        position: children for position, children in positions.items()
        if position[1] == player and not is_over(game, position[0]) and not is_chance(game, position[0])
    }  # fmt: skip
    for chosen in itertools.product(*choices.values()):
        yield dict(zip(choices, chosen, strict=True))


def chain_values(game, positions, plan):
    """What player 0 expects from each position once both plans are fixed and only chance is left."""
    numbers = {position: number for number, position in enumerate(positions)}
    ways, gains = numpy.zeros((len(positions), len(positions))), numpy.zeros(len(positions))
    for position, number in numbers.items():
        state, player = position
        if is_over(game, state):
            gains[number] = sign(player) * end_score(game, state)
        elif is_chance(game, state):
            for child, (_, p) in zip(positions[position], game.chances(state), strict=True):
                ways[number, numbers[child]] += p
        else:
            ways[number, numbers[plan[position]]] = 1
    ending = numpy.array([is_over(game, state) for state, _ in positions])
    for _ in positions:
        ending |= (ways[:, ending] > 0).any(axis=1)
    ways[~ending] = 0  # who never gets to an end has 0
    return numpy.linalg.solve(numpy.eye(len(positions)) - ways, gains)


# -- the rules ---------------------------------------------------------------------------------------------------------


def is_over(game, state):
    return game.result(state) != ONGOING or (not is_chance(game, state) and not list(game.moves(state)))


def has_chance(game):
    return type(game).is_chance is not Game.is_chance


def is_chance(game, state):
    return game.result(state) == ONGOING and bool(game.is_chance(state))


def all_moves(game, state):
    return [outcome for outcome, _ in game.chances(state)] if is_chance(game, state) else list(game.moves(state))


def player_at(game, state):
    """Who moves in the state the question is about: player 0 where the game does not say."""
    return game.mover(state) if type(game).mover is not Game.mover else 0


def player_after(game, player, child):
    return game.mover(child) if type(game).mover is not Game.mover else 1 - player


def sign(player):
    return 1 if player == 0 else -1
