"""What the compiled code of a rule depends on: the members of the game's class that it can reach, and their values.

A rule is compiled again only after an edit of something that it uses. The names and texts that a rule and the functions
it calls mention are a superset of the members they use, since compiled code has no other way to a member. A member that
the author did not write leads to those that its default uses.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from typing import Any

from zermelo.game import OPTIONAL, Game
from zermelo.native.fingerprints import COMPUTED, INTERPRETED_RULES, Digest, author_members, named_values
from zermelo.native.state_layout import Layout

DEFAULT_MEMBERS = {
    "candidates": ("moves",), "evaluate": ("features", "weights"), "canonical": ("symmetries",),
    "orbit_size": ("symmetries",), "state_key": ("key",), "changes_player": ("mover", "alternates"),
    "moves_into": ("moves",), "candidates_into": ("candidates", "moves"), "chances_into": ("chances",),
    "count_moves": ("moves",), "predecessors_into": ("predecessors",), "symmetries_into": ("symmetries",),
    "features_into": ("features",),
}  # fmt: skip
"""The members that defaults of Game and functions of rules.py use, by the names that lead to them."""


def rule_fingerprint(game: Game, layout: Layout, name: str, exclude: tuple[str, ...] = ()) -> str:
    """A hash of everything that the compiled code of a rule depends on in the game, without members in `exclude`."""
    digest = Digest()
    digest.add(name)
    _add_layout(digest, layout)
    members = {**{each.name: None for each in fields(game)}, **dict(author_members(type(game)))}  # type: ignore[arg-type]
    for member in sorted(_reachable(members, name) - {*exclude}):
        digest.add(member)
        value = members[member]
        with suppress(Exception):  # a property that raises is reported where it is used
            digest.add(getattr(game, member) if value is None or isinstance(value, COMPUTED) else value)
    for constant in ("loops", "margin", "reductions", "native", "payoff_bounds"):
        digest.add(getattr(game, constant))
    digest.add([rule for rule in OPTIONAL if rule not in INTERPRETED_RULES and game.has(rule)])
    return digest.hex()


def _add_layout(digest: Digest, layout: Layout) -> None:
    digest.add((layout.name, layout.dtype, len(layout.parts)))
    digest.add(layout.cls)
    for part in layout.parts:
        _add_layout(digest, part)


def _reachable(members: dict[str, Any], first: str) -> set[str]:
    """The members that can be reached from a name by the names in their code."""
    seen: set[str] = set()
    waiting = [first]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += names_in(members[name]) if name in members else DEFAULT_MEMBERS.get(name, ())
    return seen & {*members}


def names_in(value: Any) -> set[str]:
    """All names and texts in the code of a function and of the functions it names."""
    return set(_names(value, set()))


def _names(value: Any, seen: set[int]) -> Iterator[str]:
    function = value
    for wrapped in ("__func__", "python", "py_func", "__wrapped__"):
        function = getattr(function, wrapped, function)
    if isinstance(function, tuple | list):
        for each in function:
            yield from _names(each, seen)
    elif isinstance(function, types.FunctionType) and id(function) not in seen:
        seen.add(id(function))
        yield from _names_in_code(function.__code__)
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            yield from _names(default, seen)
        for _, named in named_values(function):
            yield from _names(named, seen)


def _names_in_code(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in_code(constant)
        elif isinstance(constant, str):
            yield constant
