"""States on a GPU: functions that cast, load and store them, generated from their layout."""

from __future__ import annotations

from typing import Any

from zermelo import keys, rules
from zermelo.game import Game
from zermelo.native.compilability import layout
from zermelo.native.device.device_numbers import machine_casts
from zermelo.native.state_layout import Layout


def state_cast(game: Game) -> Any:
    """A function that casts a tuple of the right shape to a state, each number to its machine type."""
    scope: dict[str, Any] = machine_casts()
    text = _cast_text(layout(game), "state", scope)
    exec(f"def cast_state(state):\n    return {text}", scope)
    return scope["cast_state"]


def state_loader(game: Game) -> Any:
    text, scope = state_text(game, [f"rows[at + {i}]" for i in range(rules.state_length(game))])
    exec(f"def load_state(game, rows, at):\n    return {text}", scope)
    return scope["load_state"]


def state_storer(game: Game) -> Any:
    scope: dict[str, Any] = machine_casts()
    stores = (f"    rows[at + {i}] = cast_int64({text})" for i, text in enumerate(number_texts(game, "state")))
    exec("\n".join(["def store_state(game, state, rows, at):", *stores]), scope)
    return scope["store_state"]


def image_word_function(game: Game) -> Any:
    scope: dict[str, Any] = machine_casts()
    terms = (
        f"cast_uint64({text}) * cast_uint64({pow(keys.KEY_MULTIPLIER, place, 1 << 64)})"
        for place, text in enumerate(number_texts(game, "state"), 1)
    )
    exec(f"def image_word(game, state):\n    return cast_int64({' + '.join(terms)})", scope)
    return scope["image_word"]


def initial_state_function(game: Game) -> Any:
    scope: dict[str, Any] = machine_casts()
    numbers = iter(rules.numbers(game.initial()))
    text = _constant_text(layout(game), numbers, scope)
    exec(f"def initial_state():\n    return {text}", scope)
    return scope["initial_state"]


def state_text(game: Game, numbers: list[str]) -> tuple[str, dict[str, Any]]:
    """An expression of a state whose numbers are these expressions, and the names it uses."""
    scope: dict[str, Any] = machine_casts()
    return _filled_text(layout(game), iter(numbers), scope), scope


def number_texts(game: Game, name: str) -> list[str]:
    """Expressions of all numbers of a state, depth first."""

    def inside(part: Layout, text: str) -> list[str]:
        if part.cls is None:
            return [text]
        return [each for i, inner in enumerate(part.parts) for each in inside(inner, f"{text}[{i}]")]

    return inside(layout(game), name)


def _cast_text(part: Layout, name: str, scope: dict[str, Any]) -> str:
    if part.cls is None:
        return f"cast_{part.dtype}({name})"
    inside = [_cast_text(inner, f"{name}[{i}]", scope) for i, inner in enumerate(part.parts)]
    return _tuple_text(part, inside, scope)


def _constant_text(part: Layout, numbers: Any, scope: dict[str, Any]) -> str:
    if part.cls is None:
        return f"cast_{part.dtype}({next(numbers)!r})".replace("np.", "")
    return _tuple_text(part, [_constant_text(inner, numbers, scope) for inner in part.parts], scope)


def _filled_text(part: Layout, numbers: Any, scope: dict[str, Any]) -> str:
    if part.cls is None:
        return f"cast_{part.dtype}({next(numbers)})"
    return _tuple_text(part, [_filled_text(inner, numbers, scope) for inner in part.parts], scope)


def _tuple_text(part: Layout, inside: list[str], scope: dict[str, Any]) -> str:
    if part.cls is tuple:
        return f"({''.join(f'{each}, ' for each in inside)})"
    name = f"cls{id(part.cls)}"
    scope[name] = part.cls
    return f"{name}({', '.join(inside)})"
