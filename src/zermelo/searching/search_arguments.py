"""The arguments that the verbs of search share: checks, defaults, and what they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo import rules
from zermelo.arguments import check_int, check_number, checked_game
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.limits import Limit

if TYPE_CHECKING:
    from zermelo.networks.weight_files import Weights
    from zermelo.searching.chance.chance_sampling import ChanceSampling

DEFAULT_MEGABYTES = 64
"""Megabytes of the transposition table, unless the caller chooses."""

SEARCH_RULES = (
    "mover", "stuck", "is_chance", "chances", "evaluate", "features", "order", "noisy", "forcing", "skip", "bounds",
    "candidates", "symmetries", "canonical", "key",
)  # fmt: skip
"""The optional rules that searches ask."""


def checked_state(game: Game, state: State, verb: str) -> State:
    """Return the state, the initial one for None. Raise GameError if there is no move to choose in it."""
    checked_game(verb, game)
    if isinstance(state, Limit):
        raise GameError(f"{game!r}: the second argument of {verb} is a state; write limit={state!r}.")
    state = rules.given_state(game, state)
    payoff = rules.payoff(game, state)
    if payoff is None or isinstance(payoff, str):  # anything but ONGOING would pass for an end
        raise rules.rule_error(game, "result", state, payoff, "a whole number")
    if payoff != ONGOING:
        raise GameError(f"{game!r}: the game is over in {game.state_text(state)}; there is nothing to search.")
    if game.is_chance(state):
        outcome = game.move_text(state, rules.legal_actions(game, state)[0])
        raise GameError(
            f"{game!r}: chance moves in {game.state_text(state)}, so there is no move to choose; search a state "
            f"after an outcome, such as {outcome}, or ask textbook.expectiminimax or textbook.value_iteration for its "
            "value."
        )
    return state


def checked_history(where: str, game: Game, history: Any) -> list[State]:
    """Return the states played before the root, if play can repeat; else none. Raise GameError for other things."""
    if isinstance(history, str) or not isinstance(history, Sequence):
        raise GameError(f"{where}: history must be a list of states, not {history!r}.")
    if not game.loops or rules.has_chance(game):
        return []
    return [rules.given_state(game, state) for state in history]


def with_data(
    verb: str, game: Game, limit: Limit | None, exact: bool, database: Any = None, weights: Weights = None
) -> Game:
    """Return the game to search: it probes the database and evaluates by the weights, where they are given.

    Raise GameError for a wrong argument.
    """
    check_limit(verb, game, limit, exact, database is not None)
    if database is not None:
        from zermelo.searching.runtime.tablebase_probing import with_tablebase

        game = with_tablebase(game, database)
    if weights is not None:
        from zermelo.networks.weight_files import with_weights

        game = with_weights(game, weights)
    return game


def check_limit(verb: str, game: Game, limit: Limit | None, exact: bool = False, has_database: bool = False) -> None:
    """Raise GameError if the game or the limit cannot be searched with."""
    checked_game(verb, game)
    for rule in SEARCH_RULES:
        if not callable(getattr(game, rule)):
            raise GameError(
                f"{game!r}: `{rule}` is {getattr(game, rule)!r}, and not a rule; leave it out or define it."
            )
    check_number(f"{verb} of {game!r}", least=0, futility=game.futility, singular=game.singular)
    check_int(f"{verb} of {game!r}", least=0, replies=game.replies)
    if limit is not None and not isinstance(limit, Limit):
        raise GameError(f"{verb} of {game!r}: limit must be a Limit, as in Limit(seconds=1), not {limit!r}.")
    if exact and (rules.has_chance(game) or (game.loops and not has_database)):
        what = "chance" if rules.has_chance(game) else "loops"
        hint = "" if rules.has_chance(game) else ", unless a database has the part that repeats"
        raise GameError(
            f"{game!r} has {what}; exact search proves values only of games without loops and chance{hint}."
        )
    if exact and limit is not None and limit.depth is not None:
        raise GameError(f"{verb} of {game!r}: exact search has no depth; give seconds or nodes.")


def check_no_depth(verb: str, game: Game, limit: Limit | None) -> None:
    """Raise GameError for a limit of depth, which this verb does not have."""
    check_limit(verb, game, limit)
    if limit is not None and limit.depth is not None:
        raise GameError(f"{verb} of {game!r} has no depth; give seconds or nodes.")


def clock_start(game: Game, limit: Limit | None, called: float) -> float | None:
    """Return when the clock of a search starts, `called`; None if it waits until the kernels are compiled.

    A game that insists on compiling is never interpreted, so its clock waits too: whether an answer or the compiler's
    refusal comes first must not depend on which of them is faster.
    """
    return called if limit is not None and limit.seconds is not None and not game.native else None


def chance_sampling(verb: str, game: Game, samples: int | None, seed: int) -> ChanceSampling:
    """Return which outcomes of chance are searched. Raise GameError for a wrong argument."""
    from zermelo.searching.chance.chance_sampling import ALL_OUTCOMES, ChanceSampling

    check_int(f"{verb} of {game!r}", seed=seed)
    if samples is None:
        return ALL_OUTCOMES
    if not rules.has_chance(game):
        raise GameError(f"{verb} of {game!r}: samples are drawn where chance moves, and it never does.")
    check_int(f"{verb} of {game!r}", least=1, samples=samples)
    return ChanceSampling(samples, seed)
