"""What the compiled code of a rule depends on: the members of the game's class that it can reach, and their values.

A rule is compiled again only after an edit of something that it uses. The names that a rule and the functions it calls
mention are a superset of the members they use, since compiled code has no other way to a member.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from zermelo.game import Game
from zermelo.native.fingerprints import COMPUTED, Digest, author_members, named_values
from zermelo.native.state_layout import Layout

FIRST_MEMBERS = {
    "candidates_into": ("candidates", "moves"), "moves_into": ("moves",), "count_moves": ("moves",),
    "chances_into": ("chances",), "predecessors_into": ("predecessors",), "state_key": ("key",),
    "canonical": ("canonical", "symmetries"), "orbit_size": ("symmetries",), "changes_player": ("mover", "alternates"),
    "evaluate": ("evaluate", "features", "weights"),
}  # fmt: skip
"""The members that a function of the rule interface calls, where they do not have its name."""


def rule_fingerprint(game: Game, layout: Layout, name: str, exclude: tuple[str, ...] = ()) -> str:
    """A hash of everything that the compiled code of a rule depends on in the game, without members in `exclude`."""
    digest = Digest()
    digest.add(name)
    _add_layout(digest, layout)
    members = {**{each.name: None for each in fields(game)}, **dict(author_members(type(game)))}  # type: ignore[arg-type]
    for member in sorted(_reachable(members, FIRST_MEMBERS.get(name, (name,))) - {*exclude}):
        digest.add(member)
        value = members[member]
        digest.add(getattr(game, member) if value is None or isinstance(value, COMPUTED) else value)
    for constant in ("loops", "margin", "reductions", "native", "payoff_bounds"):
        digest.add(getattr(game, constant))
    digest.add((game.has("key"), game.has("symmetries"), game.has("candidates"), game.has("features")))
    return digest.hex()


def _add_layout(digest: Digest, layout: Layout) -> None:
    digest.add((layout.name, layout.dtype, len(layout.parts)))
    digest.add(layout.cls)
    for part in layout.parts:
        _add_layout(digest, part)


def _reachable(members: dict[str, Any], first: tuple[str, ...]) -> set[str]:
    """The members that can be reached from some of them by the names in their code."""
    found: set[str] = set()
    waiting = [name for name in first if name in members]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [other for other in names_in(members[name]) if other in members]
    return found


def names_in(value: Any) -> set[str]:
    """All names in the code of a function and of the functions it names."""
    return set(_names(value, set()))


def _names(value: Any, seen: set[int]) -> Iterator[str]:
    function = getattr(value, "__func__", value)
    if isinstance(function, types.FunctionType) and id(function) not in seen:
        seen.add(id(function))
        yield from _names_in_code(function.__code__)
        for _, named in named_values(function):
            yield from _names(getattr(named, "py_func", named), seen)


def _names_in_code(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in_code(constant)
