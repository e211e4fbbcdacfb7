"""Can't Stop notation: what the first player, the second and the runners have climbed, and the dice.

6:4 7:13 / 8:2 / O 6:2 8:1 1124     the first player stands on step 4 of column 6 and has taken column 7, the second
                                    stands on step 2 of column 8; O is to move, whose runners have climbed 2 steps in
                                    column 6 and 1 in column 8 this turn, and the dice show 1, 1, 2 and 4

In place of dice stands `rolls` while they are in the air, and `decides` between rolling again and stopping. A player
who has climbed nothing is a dash: the game begins as `- / - / X rolls`.
"""

import re

from zermelo.games.cant_stop.cant_stop_columns import unpacked
from zermelo.games.support.grid_notation import PLAYERS
from zermelo.games.support.position_text import NoState

RUNNERS = 3
IN_THE_AIR = -1
"""The dice before they fall; they are 0 while the player decides whether to roll again."""

DICE_WORDS = {IN_THE_AIR: "rolls", 0: "decides"}

PATTERN = re.compile(r"([^/]*)/([^/]*)/\s*([XO])\s+((?:\S+\s+)*)(rolls|decides|\d{4})", re.IGNORECASE)


def state_text(game, state) -> str:
    runners = _climbed(unpacked(state.turn, game.columns))
    turn = [PLAYERS[state.player], *runners, DICE_WORDS.get(state.dice, str(state.dice))]
    return " / ".join([*(" ".join(_climbed(side)) or "-" for side in sides(game, state)), " ".join(turn)])


def sides(game, state):
    """What the first player has climbed, column by column, and the second."""
    mine, theirs = unpacked(state.mine, game.columns), unpacked(state.theirs, game.columns)
    return (mine, theirs) if state.player == 0 else (theirs, mine)


def _climbed(steps) -> list[str]:
    return [f"{column}:{step}" for column, step in enumerate(steps, 2) if step]


def read_state(game, text: str):
    """What the mover, the other player and the runners have climbed, the dice, and who is to move."""
    found = PATTERN.fullmatch(text.strip())
    parts = [_read_climbed(game, found[group]) for group in (1, 2, 4)] if found else [None]
    if found is None or None in parts:
        example = game.state_text(game.initial())
        raise NoState(f"{game!r}: {text!r} does not describe a state; one looks like {example!r}.")
    first, second, turn = parts
    player, dice = PLAYERS.index(found[3].upper()), found[5].lower()
    number = int(dice) if dice.isdecimal() else {word: number for number, word in DICE_WORDS.items()}[dice]
    return (second, first, turn, number, player) if player else (first, second, turn, number, player)


def _read_climbed(game, text: str):
    """Return the steps in each column; None if the text is malformed or names a column twice."""
    steps = [0] * game.columns
    for word in text.split() if text.strip() != "-" else ():
        found = re.fullmatch(r"(\d{1,2}):(\d{1,2})", word)
        if found is None or not 2 <= int(found[1]) < game.columns + 2 or int(found[2]) == 0 or steps[int(found[1]) - 2]:
            return None
        steps[int(found[1]) - 2] = int(found[2])
    return tuple(steps)


def impossible_steps(game, mine, theirs, turn) -> str:
    """Return why these steps are impossible, or an empty text."""
    for column, top in enumerate(game.heights, 2):
        here, other, climbed = mine[column - 2], theirs[column - 2], mine[column - 2] + turn[column - 2]
        if climbed > top or other > top:
            return f"column {column} has {top} steps"
        if (other == top and climbed) or (here == top and other):
            return f"in column {column}, which one player has taken, the other has nothing any more"
    if sum(map(bool, turn)) > RUNNERS:
        return f"there are {RUNNERS} runners only"
    if sum(map(int.__eq__, mine, game.heights)) >= game.to_win:
        return "the player to move has won already"
    return ""


def impossible_turn(game, state) -> str:
    """Return what is wrong with the dice, the runners or a game that should be over, or an empty text."""
    taken = game.taken(state.theirs)
    if state.dice == 0 and not state.turn:
        return "who has not rolled yet does not decide"
    if state.dice != 0 and game.wins(state):
        return "a player who has won by stopping rolls no more"
    if state.dice > 0 and state.dice not in dict(game.rolls):
        return f"dice with {game.faces} faces, put in order, do not show {state.dice}"
    if state.dice > 0 and not game.has_step(state):
        return "these dice allow no step, and the turn is over"
    if max(taken, game.taken(state.mine + state.turn)) > game.to_win + 1:
        return f"who has {game.to_win} columns has won, and the last roll takes two at most"
    if taken >= game.to_win and (state.turn or not game.is_chance(state)):
        return "the other player has won, and nobody rolls any more"
    return ""
