"""The plan: the method to solve a game, which follows from its facts, and the reason."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.native.kernel_dispatch import Kernel

WDL, MARGIN, EXPECTATION = "outcomes", "points", "chance"
"""What is stored of a state, under the names that files have had since the first version."""


@dataclass(frozen=True)
class Plan:
    """How a game is solved."""

    method: str
    """'dense', 'reachable' or 'interpreted': how its states are numbered."""
    order: str
    """'acyclic' or 'retrograde' (or 'intervals' where chance takes part): how their values are found."""
    values: str
    """WDL, MARGIN or EXPECTATION: what is stored of each."""
    staged: bool
    """Whether there is a `stage` rule; without it, the stage of an acyclic game is the number of plies played."""
    why: str

    @property
    def step(self) -> int:
        """What a move adds to the stage of a game without a `stage` rule."""
        return 1 if self.order == "acyclic" and not self.staged and self.method == "reachable" else 0

    def __str__(self) -> str:
        return f"{self.method}, {self.order}: {self.why}"


def plan(game: Game, wdl: bool = False) -> Plan:
    """Choose the method to solve a game. Raise GameError if there is none.

    >>> import zermelo as z
    >>> print(plan(z.load("tic_tac_toe")))
    reachable, acyclic: play does not repeat; the rule `stage` gives the stages.
    """
    values = _values(game, wdl)
    if _compile_error(game) is None:
        return plan_if_compiled(game, wdl)
    from zermelo.native.compilability import known_error

    known_error(game)  # an error where it says native = True
    why = "its rules do not compile, so they run interpreted"
    return Plan("interpreted", _order(game, values), values, game.has("stage"), f"{why}.")


def plan_if_compiled(game: Game, wdl: bool = False) -> Plan:
    """Choose the method to solve a game whose rules compile; nothing is compiled to find out."""
    values, staged = _values(game, wdl), game.has("stage")
    order = _order(game, values)
    if _has_fractions(game) and not rules.has_index(game):
        why = "its states hold floats, which do not fit into keys, so its rules run interpreted"
        return Plan("interpreted", order, values, staged, f"{why}.")
    repeats = "play can repeat" if game.loops else "play does not repeat"
    if rules.has_index(game):
        return Plan("dense", order, values, staged, f"its rules number the states (`index`), and {repeats}.")
    stage = "the rule `stage` gives the stages" if staged else "all states are one stage"
    if not staged and not game.loops:
        stage = "stage n holds the states after n plies"
    return Plan("reachable", order, values, staged, f"{repeats}; {stage}.")


def _values(game: Game, wdl: bool) -> str:
    """Return what is stored of each state. Raise GameError if it has no outcome that `wdl` could keep."""
    values = EXPECTATION if rules.has_chance(game) else MARGIN if game.margin else WDL
    if wdl and values != WDL:
        raise GameError(
            f"solve of {game!r}: wdl keeps wins, draws and losses, and this game counts {_counted(values)}."
        )
    return values


def _order(game: Game, values: str) -> str:
    return ("intervals" if values == EXPECTATION else "retrograde") if game.loops else "acyclic"


def solve_kernels(game: Game) -> tuple[Kernel, ...]:
    """Return the kernels that a solve runs, in the order in which it needs them."""
    from zermelo.solving.enumeration.part_sorting import collect_parts, merge_parts
    from zermelo.solving.enumeration.reachable_states import expand
    from zermelo.solving.retrograde.acyclic import gather, look_up, scatter
    from zermelo.solving.retrograde.entry_counts import count_entries
    from zermelo.solving.retrograde.expectation import tighten_bounds
    from zermelo.solving.retrograde.margin import solve_margins
    from zermelo.solving.retrograde.propagation import propagate
    from zermelo.solving.retrograde.wdl import initialise

    if rules.has_chance(game):
        solvers: tuple[Kernel, ...] = (tighten_bounds,)
    elif game.margin:
        solvers = (solve_margins,)
    else:
        solvers = (initialise, propagate) if game.loops else (initialise,)
    if rules.has_index(game):
        return (*solvers, count_entries)
    if solvers == (initialise,):
        merged = () if game.has("stage") else (count_entries,)  # stages of plies become one
        return (expand, merge_parts, collect_parts, scatter, look_up, gather, *merged)
    return (expand, merge_parts, collect_parts, *solvers, count_entries)


def _compile_error(game: Game) -> str | None:
    """Return why the rules that solving takes do not compile; None if they do."""
    from zermelo.native.compilability import error_of

    reason = error_of(game)
    if reason is None and not all(kernel.compile_rules(game) for kernel in solve_kernels(game)):
        reason = error_of(game)
    return reason


def _has_fractions(game: Game) -> bool:
    """Return whether some number of a state is a float."""
    from zermelo.native.compilability import layout

    return any(part.is_float for part in layout(game).numbers())


def _counted(values: str) -> str:
    return "points" if values == MARGIN else "expectations"
