"""Call compiled rules of a game from Python, one alone or several in one kernel."""

from __future__ import annotations

import functools
from typing import Any

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.native import Kernel

RULE_CALLS = {
    "initial": "game.initial()",
    "size": "game.size(game.stage(state))",
    "at": "game.at(game.stage(state), game.index(state))",
    "moves": "moves_into(game, state, moves)",
    "candidates": "candidates_into(game, state, candidates)",
    "chances": "chances_into(game, state, chances, probabilities)",
    **{rule: f"game.{rule}(state, move)" for rule in ("play", "order", "noisy")},
}
"""How a kernel calls a rule; any other rule is called as `game.rule(state)`."""

BUFFERS = {"moves": ("moves",), "candidates": ("candidates",), "chances": ("chances", "probabilities")}
"""The arrays that store the answers of a rule."""

BUFFER_LENGTH = 4096
"""The length of those arrays."""

STATE_GENERATORS = ("symmetries", "predecessors")
"""Rules that yield states, which fit no array. The states are fetched one at a time."""

FETCH_SOURCE = """
def fetch_{rule}(game, state, number):
    count = 0
    found = state
    for each in game.{rule}(state):
        if count == number:
            found = cast_state(game, each)
        count += 1
    return count, found
"""


def compiled(game: Game, rule: str, *args: Any) -> Any:
    """The answer of one compiled rule, to compare with the interpreted one.

    >>> import zermelo as z
    >>> from zermelo.checking import compiled
    >>> game = z.load("connect_four")
    >>> compiled(game, "moves", game.initial()) == list(game.moves(game.initial()))
    True
    """
    if game.native_error is not None:
        raise GameError(f"{game!r} is interpreted. {game.native_error}.")
    if rule in BUFFERS or rule in STATE_GENERATORS:
        return ask_compiled(game, (rule,), *args)[0]
    names = (("stage", "index") if rule in ("size", "at") else ("state", "move"))[: len(args)]
    source = f"def ask_{rule}({', '.join(('game', *names))}):\n    return game.{rule}({', '.join(names)})"
    return _python(game, rule, _kernel(source)(game, *args))


def ask_compiled(game: Game, group: tuple[str, ...], *args: Any) -> list[Any]:
    """The answers of a group of compiled rules for a state, or for a state and a move, in Python's types."""
    if group[0] in STATE_GENERATORS:
        return [_fetch(game, group[0], *args)]
    arrays = {name: _array(name) for rule in group for name in BUFFERS.get(rule, ())}
    answers = _group_kernel(group, len(args) == 2)(game, *args, *arrays.values())
    return [_answer(game, rule, answer, arrays) for rule, answer in zip(group, answers, strict=True)]


def _answer(game: Game, rule: str, answer: Any, arrays: dict[str, Any]) -> Any:
    """The answer itself, or a list from its arrays."""
    if rule not in BUFFERS:
        return _python(game, rule, answer)
    listed = [arrays[name][: min(answer, BUFFER_LENGTH)].tolist() for name in BUFFERS[rule]]
    return listed[0] if len(listed) == 1 else list(zip(*listed, strict=True))


def _fetch(game: Game, rule: str, state: Any) -> list[Any]:
    """All states that a rule yields."""
    kernel = _kernel(FETCH_SOURCE.format(rule=rule).strip())
    count, _ = kernel(game, state, -1)
    return [_python(game, "play", kernel(game, state, number)[1]) for number in range(count)]


def _python(game: Game, rule: str, answer: Any) -> Any:
    """A compiled answer in Python's own types."""
    from zermelo.native import compilability

    if rule in ("initial", "play", "canonical", "at", "skip"):
        return compilability.layout(game).to_python(answer)
    return answer.item() if hasattr(answer, "item") else answer


def _array(name: str) -> Any:
    import numpy as np

    return np.zeros(BUFFER_LENGTH, np.float64 if name == "probabilities" else np.int64)


# -- kernels ---------------------------------------------------------------------------------------------------


@functools.cache
def _group_kernel(group: tuple[str, ...], with_move: bool) -> Kernel:
    """A kernel that calls all rules of a group and returns their answers as a tuple."""
    arrays = [name for rule in group for name in BUFFERS.get(rule, ())]
    names = ["game", "state", *(["move"] if with_move else []), *arrays]
    calls = "".join(f"{RULE_CALLS.get(rule, f'game.{rule}(state)')}, " for rule in group)
    return _kernel(f"def ask_{'_'.join(group)}({', '.join(names)}):\n    return ({calls})")


@functools.cache
def _kernel(source: str) -> Kernel:
    """The kernel that this text defines."""
    from zermelo.native.overloads.rule_overloads import cast_state

    scope: dict[str, Any] = {
        "__name__": __name__, "moves_into": rules.moves_into, "candidates_into": rules.candidates_into,
        "chances_into": rules.chances_into, "cast_state": cast_state,
    }  # fmt: skip
    exec(source, scope)
    return Kernel(scope[source[4 : source.index("(")]])
