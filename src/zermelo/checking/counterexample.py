"""Visited states and their description: the state, the path to it, and code that reproduces it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.checking.answer_types import same, shown
from zermelo.game import ONGOING, Game, Move, State
from zermelo.state_literals import plain

LIST_RULES = ("moves", "chances", "candidates", "symmetries", "predecessors")
"""Rules that return or yield several values."""


@dataclass(eq=False, slots=True)
class Visit:
    """A visited state, its path, and the answers of the basic rules."""

    state: State
    parent: Visit | None = None
    move: Move = None
    plies: int = 0
    result: int = ONGOING
    chance: bool = False
    mover: int | None = None
    moves: list[Move] = field(default_factory=list)  # or the outcomes of chance
    children: list[tuple[Move, Visit]] = field(default_factory=list)
    expanded: bool = False

    @property
    def ongoing(self) -> bool:
        return self.result == ONGOING

    def path(self) -> list[Move]:
        """The moves that lead here from the initial state."""
        moves: list[Move] = []
        visit = self
        while visit.parent is not None:
            moves.append(visit.move)
            visit = visit.parent
        return moves[::-1]


class Describer:
    """Describes the states of one game in messages and in code."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def where(self, visit: Visit | None) -> str:
        """The state and the path to it, as the beginning of a sentence."""
        if visit is None:
            return ""
        if visit.parent is None:
            return f"in the initial state {self.text(visit.state)}, "
        moves = self.move_texts(visit)
        way = f"{' '.join(moves[:20])} … ({len(moves)} moves)" if len(moves) > 20 else " ".join(moves)
        return f"in {self.text(visit.state)} (after {way}), "

    def text(self, state: State) -> str:
        """The state in the game's notation, or its `repr` if there is none or it fails."""
        if not self.game.has("state_text"):
            return shown(state)
        try:
            return " ".join(str(self.game.state_text(state)).split()) or "''"
        except Exception:
            return shown(plain(state))

    def move_texts(self, visit: Visit) -> list[str]:
        try:
            steps = self._steps(visit)
            return [str(self.game.move_text(state, move)) for state, move in steps]
        except Exception:
            return [str(move) for move in visit.path()]

    def _steps(self, visit: Visit) -> list[tuple[State, Move]]:
        steps = []
        while visit.parent is not None:
            steps.append((visit.parent.state, visit.move))
            visit = visit.parent
        return steps[::-1]

    def code(self, rule: str, visit: Visit | None, args: tuple[Any, ...]) -> str:
        """The call, as the author would type it."""
        told = is_visited_state(rule, visit, args)
        inside = ["state"] * told + [repr(arg) for arg in args[told:]]
        call = f"game.{rule}({', '.join(inside)})"
        return f"list({call})" if rule in LIST_RULES else call

    def reproduction(self, visit: Visit | None, code: str) -> str:
        """Python code that creates the game, plays to the state and runs `code`."""
        lines = [f"game = {self.game!r}"]
        if visit is not None and "state" in code:
            path = visit.path()
            lines += ["from functools import reduce"] if path or "reduce(" in code else []
            lines += [f"state = reduce(game.play, {path!r}, game.initial())" if path else "state = game.initial()"]
        return "\n".join([*lines, code])


def is_visited_state(rule: str, visit: Visit | None, args: tuple[Any, ...]) -> bool:
    """Whether the first argument is the visited state."""
    if visit is None or not args or rule in ("size", "at", "parse_state"):
        return False
    return type(args[0]) is type(visit.state) and same(args[0], visit.state)
