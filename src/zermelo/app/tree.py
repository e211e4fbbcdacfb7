"""zermelo tree: a textbook algorithm run on a game, with its trace and its tree as text."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable
from typing import Any

from zermelo import textbook
from zermelo.app.commands import opened
from zermelo.app.output import console, print_json, unicode
from zermelo.game import GameError
from zermelo.games.registry import TextError, name_of, position
from zermelo.limits import Limit
from zermelo.textbook import Trace
from zermelo.textbook.node import Repeats


class ShownTrace(Trace):
    """A trace that ends the search once it has more nodes than anybody wants to read."""

    def __init__(self, game: str, most: int) -> None:
        super().__init__()
        self.game = game
        self.most = most
        self.entered = 0

    def enter(self, *args: Any, **named: Any) -> None:
        self._count()
        super().enter(*args, **named)

    def set(self, *args: Any, **named: Any) -> None:
        self._count()
        super().set(*args, **named)

    def _count(self) -> None:
        self.entered += 1
        if self.entered > self.most:
            raise GameError(
                f"{self.game}: the tree has more than {self.most} nodes; give a smaller --depth, a later position, "
                "or a larger --max-nodes."
            )


def show(
    text: str, moves: str, algorithm: str, options: dict[str, Any], most: int, *, ascii: bool, as_json: bool
) -> None:
    """Run the algorithm on a position and print trace, tree and result."""
    function = _algorithm(algorithm)
    given = _accepted(algorithm, function, options)
    game = opened(text)
    state = position(game, moves)
    trace = ShownTrace(repr(game), most)
    try:
        result = function(game, state=state, trace=trace, **given)
    except Repeats as loop:
        ways = f"--algorithm {loop.method}, which copes with loops, or --repetition draw, or a --depth"
        raise GameError(f"{loop.problem}; use {ways}.") from None
    if as_json:
        record = {"game": name_of(game), "state": game.state_text(state), "result": result.to_dict()}
        print_json({**record, "trace": trace.to_dict()})
        return
    for part in (str(trace), trace.tree_text(), str(result)):
        console().print((in_ascii(part) if ascii or not unicode() else part).rstrip() + "\n")


def in_ascii(text: str) -> str:
    """The text for a terminal that knows no lines and no ∞; columns of numbers keep their width where they have room.

    >>> in_ascii("├─ 1 min    -∞ ✂")
    '|- 1 min  -inf x'
    """
    text = re.sub(r"(?<= )  ([-+]?)∞", r"\1inf", text).replace("∞", "inf")
    return text.translate(str.maketrans("├└│─✂", "|`|-x"))


def algorithms() -> dict[str, Callable[..., Any]]:
    """The textbook algorithms by name: the functions that take a trace."""
    public = {name: getattr(textbook, name) for name in textbook.__all__}
    return {name: each for name, each in public.items() if inspect.isfunction(each) and "trace" in _parameters(each)}


def _algorithm(name: str) -> Callable[..., Any]:
    known = algorithms()
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known)}."
    raise TextError(f"There is no algorithm called {name or repr(name)}; {hint}")


def _accepted(algorithm: str, function: Callable[..., Any], options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given; one that the algorithm does not know is an error."""
    given = {name: value for name, value in options.items() if value is not None}
    if "depth" in given and "limit" in _parameters(function):
        given["limit"] = Limit(depth=given.pop("depth"))
    for name in given:
        if name not in _parameters(function):
            raise TextError(f"{algorithm} has no option --{name}.")
    return given


def _parameters(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(function).parameters)
