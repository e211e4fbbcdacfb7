"""The opponent as a player of a level: which move sets the hardest task, and what may be hoped for after it.

A move is worth what the opponent's replies leave, each with the probability that the model plays it (play/levels.py):

    hope(move) = sum over the replies r of   P(r) * left(r)

A reply that gives the win away leaves its loss. A reply that keeps it leaves a hope too, since the opponent must find
more moves until the end. It is estimated first: each of these moves is missed with the probability that the model gives
away in this position, on average over the player's moves; the last move, which wins on the spot, is never missed. Then
the most promising moves are followed, turn by turn: a likely reply leaves the best hope of the player's next moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from zermelo import rules
from zermelo.game import ONGOING, Game, Move, State
from zermelo.limits import Limit
from zermelo.play.levels import move_probabilities, thoughts
from zermelo.play.win_probability import win_probability
from zermelo.searching import Report
from zermelo.value import WIN, Value

OPPONENT_LEVEL = 5
"""The level of the model."""

PROMISING = 3
"""Moves that are followed further."""

LIKELY = 0.1
"""The probability of a reply that is followed."""

FURTHER_LOOKS = 60
"""States of the opponent that are asked further on, at most."""

MAX_TURNS = 12
"""Turns of the opponent that are followed, at most."""

SearchReplies = Callable[[State, "Limit | None", int], Report]
"""Searches a state with a line for each move: as well as it can, or as a player does who looks so far. The number says
how many searches share the time, at most."""


class Reply(NamedTuple):
    """A reply of the opponent: its true value for the opponent, and the probability that it is played."""

    move: Move
    value: Value
    probability: float


@dataclass
class OpponentModel:
    """What the opponent will reply, and what that leaves."""

    game: Game
    search_replies: SearchReplies
    level: int = OPPONENT_LEVEL
    _looks: int = FURTHER_LOOKS
    """States that may still be asked."""
    _searches: int = 1
    """Searches that share the time."""
    _known: dict[State, list[Reply]] = field(default_factory=dict)

    def replies(self, state: State) -> list[Reply]:
        """The replies in a state of the opponent."""
        true = self.search_replies(state, None, self._searches)
        played = dict.fromkeys(true.moves, 0.0)
        for share, thought in thoughts(self.level):
            seen = self.search_replies(state, thought.limit, self._searches)
            for line, probability in zip(seen.lines, move_probabilities(seen, thought.temperature), strict=True):
                played[line.pv[0]] = played.get(line.pv[0], 0.0) + share * probability
        return [Reply(move, value, played[move]) for move, value in true.moves.items()]

    def hopes(self, states: Sequence[State]) -> list[float]:
        """What may be hoped for in each of several states of the opponent; 1 is a win of the player."""
        self._looks, self._searches = FURTHER_LOOKS, (1 + len(thoughts(self.level))) * (len(states) + FURTHER_LOOKS)
        self._known = {state: self.replies(state) for state in states}
        slip = sum(self._given_away(each) for each in self._known.values()) / len(self._known)
        found = [self._hope(state, slip, 0) for state in states]
        for turns in range(1, MAX_TURNS):
            if self._looks <= 0:
                break
            for number in sorted(range(len(found)), key=lambda number: -found[number])[:PROMISING]:
                found[number] = self._hope(states[number], slip, turns)
        return found

    def _hope(self, state: State, slip: float, turns: int) -> float:
        """What may be hoped for in a state of the opponent, by following likely replies for some turns."""
        hope = 0.0
        for reply in self._known[state]:
            left = self._left(reply.value, slip)
            if turns and reply.probability >= LIKELY and self._tasks(reply.value):
                left = self._best_hope(self.game.play(state, reply.move), slip, turns - 1, left)
            hope += reply.probability * left
        return hope

    def _best_hope(self, state: State, slip: float, turns: int, otherwise: float) -> float:
        """The best hope of the player's moves in a state; `otherwise` where they are too many, or one ends the game."""
        children = [self.game.play(state, move) for move in rules.legal_actions(self.game, state)]
        unknown = [child for child in children if child not in self._known]
        if len(unknown) > self._looks or not all(self._is_asked(state, child) for child in unknown):
            return otherwise
        self._looks -= len(unknown)
        self._known |= {child: self.replies(child) for child in unknown}
        return max(self._hope(child, slip, turns) for child in children)

    def _is_asked(self, state: State, child: State) -> bool:
        """Whether a move lets the opponent move."""
        turned = rules.changes_player(self.game, state, child) and not self.game.is_chance(child)
        return turned and rules.payoff(self.game, child) == ONGOING

    def _given_away(self, asked: Sequence[Reply]) -> float:
        """The win probability that the opponent loses in a state, on average."""
        best = max(win_probability(self.game, reply.value) for reply in asked)
        return sum(reply.probability * (best - win_probability(self.game, reply.value)) for reply in asked)

    def _left(self, value: Value, slip: float) -> float:
        """What a reply leaves to the player: the loss of the opponent, or the hope for a later slip."""
        tasks = self._tasks(value)
        return 1 - win_probability(self.game, value) if tasks is None else 1.0 - (1.0 - slip) ** tasks

    def _tasks(self, value: Value) -> int | None:
        """The moves that the opponent must still find for a win, without the last; None where it is no proven win."""
        if value.outcome != WIN or value.plies is None or not rules.has_distance(self.game):
            return None
        return max((value.plies - 1) // 2 - 1, 0)
