"""Check a game before any state is visited: its facts, the arguments of its rules, and rules that need others."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterator
from dataclasses import fields
from types import CodeType
from typing import Any

from zermelo.checking.answer_types import described, is_int, is_number, shown
from zermelo.checking.examiner import Examiner
from zermelo.game import OPTIONAL, REQUIRED, Game
from zermelo.monte_carlo_settings import MonteCarlo

FACTS = (
    "loops", "margin", "native", "alternates", "payoff_bounds", "reductions", "futility", "singular", "replies",
    "monte_carlo", "weights",
)  # fmt: skip

NEEDS = {
    "chances": ("is_chance",),
    "is_chance": ("chances", "mover"),
    "index": ("size", "at"),
    "at": ("size", "index"),
    "size": ("index", "at"),
}
"""Rules that require other rules."""


def check_facts(examiner: Examiner) -> None:
    """Check the types of the facts and the arguments of every rule."""
    game = examiner.game
    _check_parameters(examiner)
    _note_misspellings(examiner)
    _note_unused_features(examiner)
    for fact in ("loops", "margin", "reductions"):
        if not isinstance(getattr(game, fact), bool):
            examiner.fail(fact, None, f"is {described(getattr(game, fact))}, not True or False", f"game.{fact}")
    for fact in ("alternates", "native"):
        if getattr(game, fact) not in (None, True, False):
            said = described(getattr(game, fact))
            examiner.fail(fact, None, f"is {said}, not True, False or None", f"game.{fact}")
    if game.alternates is False and not game.has("mover"):
        examiner.fail(
            "alternates", None, "is False, and there is no `mover` rule to say whose turn it is", "game.alternates"
        )
    if not isinstance(game.weights, tuple) or not all(is_number(weight) for weight in game.weights):
        examiner.fail("weights", None, f"is {described(game.weights)}, not a tuple of numbers", "game.weights")
    for fact in ("futility", "singular"):
        number = getattr(game, fact)
        if not is_number(number) or not 0 <= number < float("inf"):
            examiner.fail(fact, None, f"is {described(number)}, not a number of 0 or more", f"game.{fact}")
    if not is_int(game.replies) or game.replies < 0:
        examiner.fail("replies", None, f"is {described(game.replies)}, not a whole number of 0 or more", "game.replies")
    if game.monte_carlo is not None and not isinstance(game.monte_carlo, MonteCarlo):
        said = described(game.monte_carlo)
        examiner.fail("monte_carlo", None, f"is {said}, not a MonteCarlo or None", "game.monte_carlo")
    if not _is_range(game.payoff_bounds):
        said = described(game.payoff_bounds)
        examiner.fail("payoff_bounds", None, f"is {said}, not the least and the greatest payoff", "game.payoff_bounds")
    for rule in written_rules(game):
        _check_arguments(examiner, rule)
        for other in NEEDS.get(rule, ()):
            if not game.has(other):
                examiner.fail(rule, None, f"needs the rule `{other}` beside it", f"game.has({other!r})")


def _check_parameters(examiner: Examiner) -> None:
    """Check that no parameter has the name of a rule: it would replace the rule."""
    for field in fields(examiner.game):  # type: ignore[arg-type]
        if field.name in (*REQUIRED, *OPTIONAL):
            said = shown(getattr(examiner.game, field.name))
            problem = f"is a parameter, {said}, but there is a rule of that name; give the parameter another name"
            examiner.fail(field.name, None, problem, f"game.{field.name}")


def _note_misspellings(examiner: Examiner) -> None:
    """Note functions and facts that nothing reads and whose names are close to the name of a rule."""
    names = (*REQUIRED, *OPTIONAL, *FACTS)
    bases = type(examiner.game).__mro__
    members = {name: member for base in bases[: bases.index(Game)] for name, member in vars(base).items()}
    read = {name for member in members.values() for name in _names_read(member)}
    for name in members:
        if name in names or name in read or name.startswith("_"):
            continue
        for meant in difflib.get_close_matches(name, names, n=1, cutoff=0.8):
            examiner.note(name, None, f"is read by nothing; is it meant to be `{meant}`?", f"game.{name}")


def _note_unused_features(examiner: Examiner) -> None:
    """Note `features` that an `evaluate`, perhaps an inherited one, replaces without reading them."""
    game = examiner.game
    if not game.has("features") or not game.has("evaluate"):
        return
    bases = type(game).__mro__
    owner = next(base for base in bases if "evaluate" in vars(base))
    members = {name: member for base in reversed(bases[: bases.index(Game)]) for name, member in vars(base).items()}
    read, waiting = set(), {"evaluate"}
    while waiting:  # evaluate may read them by another method
        read |= waiting
        waiting = {name for each in waiting for name in _names_read(members.get(each)) if name in members} - read
    if "features" not in read:
        problem = f"is read by nothing, since the `evaluate` of {owner.__name__} takes its place"
        examiner.note("features", None, problem, "game.evaluate(game.initial()), game.features(game.initial())")


def _names_read(member: Any) -> Iterator[str]:
    """The names that a function, a property or a function inside it reads."""
    for part in ("fget", "func", "__func__", "__wrapped__"):
        member = getattr(member, part, member)
    code = getattr(member, "__code__", member)
    if isinstance(code, CodeType):
        yield from code.co_names
        for constant in code.co_consts:
            yield from _names_read(constant)


def _is_range(bounds: Any) -> bool:
    if not isinstance(bounds, tuple) or len(bounds) != 2 or not all(is_number(bound) for bound in bounds):
        return False
    return bool(bounds[0] <= bounds[1])


def written_rules(game: Game) -> tuple[str, ...]:
    """The rules that the author wrote, in the order of the documentation."""
    return tuple(rule for rule in (*REQUIRED, *OPTIONAL) if game.has(rule))


def _check_arguments(examiner: Examiner, rule: str) -> None:
    wanted = list(inspect.signature(getattr(Game, rule)).parameters)[1:]
    member = inspect.getattr_static(type(examiner.game), rule)
    if isinstance(member, property) or not callable(getattr(examiner.game, rule, None)):
        examiner.fail(rule, None, f"is a {type(member).__name__}, not a function", f"game.{rule}")
    bound = getattr(examiner.game, rule)
    function = getattr(bound, "__func__", bound)
    called = wanted if function is bound else ["self", *wanted]
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a callable that does not tell
        return
    try:
        signature.bind(*called)
    except TypeError:
        _refuse_arguments(examiner, rule, list(signature.parameters), called)


def _refuse_arguments(examiner: Examiner, rule: str, takes: list[str], called: list[str]) -> None:
    forgotten = called[:1] == ["self"] and "self" not in takes and len(takes) == len(called) - 1
    hint = " (is `self` missing?)" if forgotten else ""
    problem = f"takes ({', '.join(takes)}), but is called with ({', '.join(called)}){hint}"
    examiner.fail(rule, None, problem, f"import inspect\ninspect.signature(type(game).{rule})")
