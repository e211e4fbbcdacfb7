"""Properties of a game are computed once for each instance: they depend on its parameters alone.

Compiled rules treat a property as a constant. Interpreted rules read it as often, so `Game` replaces each read-only
property of a class by one that remembers its value. The value belongs to the function that computed it: a subclass
that overrides a property and asks `super()` for the old one gets both right. Nothing else of the class changes, and
copies, pickles, comparisons and hashes of an instance go by its parameters as before.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

PROPERTY_VALUES = "_properties"
"""The attribute of an instance that holds the values of its properties, by the functions that computed them."""


NO_VALUES: dict[Callable[[Any], Any], Any] = {}


def remember_properties(cls: type, base: type) -> None:
    """Make the read-only properties of a subclass of `base` compute their values once for each instance.

    A property of a mixin, which may serve other classes as well, is replaced in `cls` alone.
    """
    settled = {*dir(base), *inspect.get_annotations(cls)}  # an annotated name is a parameter
    for owner in cls.__mro__:
        for name, member in [*vars(owner).items()]:
            if name in settled or _is_borrowed(member):
                continue
            settled.add(name)
            if _is_read_only(member) and (owner is cls or not issubclass(owner, base)):
                setattr(cls, name, _remembered(member, borrowed=owner is not cls))
    if "__post_init__" in vars(cls):
        cls.__post_init__ = _forgetting(cls.__post_init__)  # type: ignore[attr-defined]


def _is_read_only(member: Any) -> bool:
    """Whether this is a plain property without a setter: one that can be set is no constant."""
    return type(member) is property and member.fget is not None and member.fset is None and member.fdel is None


def _is_borrowed(member: Any) -> bool:
    """Whether this property stands for one of a mixin, which another mixin may override further down."""
    return type(member) is property and getattr(member.fget, "borrowed", False)


def _remembered(member: property, borrowed: bool) -> property:
    compute: Callable[[Any], Any] = member.fget  # type: ignore[assignment]

    @functools.wraps(compute)
    def read(game: Any) -> Any:
        memo = game.__dict__.get(PROPERTY_VALUES, NO_VALUES)
        if compute in memo:
            return memo[compute]
        value = compute(game)
        if not isinstance(value, Iterator):  # it can be read once only
            game.__dict__.setdefault(PROPERTY_VALUES, {})[compute] = value
        return value

    read.borrowed = borrowed  # type: ignore[attr-defined]
    return property(read, doc=member.__doc__)


def _forgetting(post_init: Callable[..., None]) -> Callable[..., None]:
    """`__post_init__`, which may read a property and then change a parameter on which it depends."""

    @functools.wraps(post_init)
    def forget(game: Any, *args: Any) -> None:
        post_init(game, *args)
        game.__dict__.pop(PROPERTY_VALUES, None)

    return forget
