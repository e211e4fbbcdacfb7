"""Nodes of a search tree, and checks of the options that searches share."""

from __future__ import annotations

from dataclasses import dataclass, field

from zermelo.arguments import check_int, checked_game
from zermelo.game import Game, GameError, Move, State
from zermelo.textbook.tracing.trace import Trace

NAME_LENGTH = 16
"""A state with a longer text is named in a trace by the moves that lead to it."""


class LimitReached(Exception):
    """The search reached the limit named here and stops."""


class RepetitionError(GameError):
    """A state repeats on the path, and the caller did not say how that is scored."""

    def __init__(self, problem: str, method: str) -> None:
        super().__init__(f"{problem}; use {method}, which copes with loops, or repetition='draw', or a `depth`.")
        self.problem = problem
        self.method = method


@dataclass(slots=True)
class Node:
    """A state in the tree: how it was reached, and who is to move (sign +1: Max, -1: Min)."""

    state: State
    sign: int = 1
    ply: int = 0
    move: Move | None = None
    best: Node | None = None
    rest: list[Move] = field(default_factory=list)  # successors not tried yet
    chance: bool = False
    leaf: str = ""
    on_pv: bool = True

    @property
    def kind(self) -> str:
        return "chance" if self.chance else "max" if self.sign > 0 else "min"


def check_game(algorithm: str, game: Game, trace: Trace | None) -> None:
    """Refuse what is no game, and what is no trace."""
    checked_game(algorithm, game)
    if trace is not None and not isinstance(trace, Trace):
        raise GameError(
            f"{algorithm} of {game!r}: trace must be a Trace, not {trace!r}: write trace = z.Trace() and give it that."
        )


def check_options(algorithm: str, game: Game, depth: int | None, repetition: str | None) -> None:
    check_int(f"{algorithm} of {game!r}", least=0, optional=True, depth=depth)
    if repetition not in (None, "draw"):
        raise GameError(f"{algorithm} of {game!r}: repetition must be 'draw' or None, not {repetition!r}.")


def check_choice(algorithm: str, game: Game, option: str, value: str, allowed: tuple[str, ...]) -> None:
    """Raise GameError if the value of an option is not allowed."""
    if value not in allowed:
        names = " or ".join(repr(name) for name in allowed)
        raise GameError(f"{algorithm} of {game!r}: {option} must be {names}, not {value!r}.")
