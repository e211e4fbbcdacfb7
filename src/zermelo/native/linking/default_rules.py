"""The rules that an author need not write, as a few lines of LLVM IR each. Numba is not needed for them."""

from __future__ import annotations

import hashlib
from typing import Any

from zermelo import keys, rules
from zermelo.game import Game, GameError
from zermelo.native.linking.rule_interface import (
    BOOL,
    FACTS,
    INT,
    REAL,
    REALS,
    RULES,
    STATE,
    SYMBOL_PREFIX,
    WORDS,
)
from zermelo.native.state_layout import Layout
from zermelo.value import INFINITY, loss_in, win_in

NO_STUCK_RULE = "a state is ONGOING and has no moves, and there is no `stuck` rule"

ZERO_RULES = (
    "is_chance", "noisy", "forcing", "order", "stage", "size", "index", "key", "mover", "predecessors_into",
    "symmetries_into", "features_into",
)  # fmt: skip
"""Rules whose default is 0 or False. Some of them no kernel calls where the author did not write them."""


def state_ir(layout: Layout) -> str:
    """The LLVM type of a state in memory: the one that Numba gives it."""
    if layout.cls is None:
        named = {"bool": "i8", "float32": "float", "float64": "double"}
        return named.get(layout.dtype) or f"i{layout.dtype.strip('uint')}"
    inside = [state_ir(part) for part in layout.parts]
    if inside and all(part == layout.parts[0] or _same_type(part, layout.parts[0]) for part in layout.parts):
        return f"[{len(inside)} x {inside[0]}]"
    return "{" + ", ".join(inside) + "}"


def _same_type(one: Layout, other: Layout) -> bool:
    """Whether two parts have the same Numba type; their names do not matter."""
    same = one.dtype == other.dtype and one.cls is other.cls and len(one.parts) == len(other.parts)
    return same and all(_same_type(a, b) for a, b in zip(one.parts, other.parts, strict=True))


def default_rule(game: Game, layout: Layout, name: str) -> str | None:
    """The IR of a rule that the game does not write; None if it does."""
    if name in FACTS:
        return external_function(name, _store(INT, 0, int(bool(_fact(game, name)))))
    if name == "state_length":
        return external_function(name, _store(INT, 0, sum(1 for _ in layout.numbers())))
    if name == "same_state" and not game.has("skip"):
        return external_function(name, _store(INT, 0, 1))
    if name == "candidates_into" and not game.has("candidates"):
        return _calls(name, "moves_into")
    if name == "stuck" and not game.has("stuck"):
        return _raises(name, GameError, NO_STUCK_RULE)
    if name == "state_check" and keys.key_is_exact(game):
        return external_function(name, _store(INT, 0, 0))
    if name == "changes_player" and rules.alternates(game):
        return external_function(name, _store(INT, 0, 1))
    if name == "orbit_size" and not game.has("symmetries"):
        return external_function(name, _store(INT, 0, 1))
    if name == "canonical" and not (game.has("canonical") or game.has("symmetries")):
        return external_function(name, _copy_state(layout))
    if name == "skip" and not game.has("skip"):
        return external_function(name, _copy_state(layout))
    if name == "evaluate" and not (game.has("evaluate") or game.has("features")):
        return external_function(name, _store(REAL, 0, 0.0))
    if name == "bounds" and not game.has("bounds"):
        return external_function(name, _store(REAL, 0, float(loss_in(0))) + _store(REAL, 1, float(win_in(0))))
    if name == "_probe" and type(game)._probe is Game._probe:
        return external_function(name, _store(REAL, 0, float(-INFINITY)) + _store(REAL, 1, float(INFINITY)))
    if name == "chances_into" and not game.has("chances"):
        return external_function(name, _store(INT, 0, 0))
    if name == "at" and not game.has("at"):
        return external_function(name, f"  store {state_ir(layout)} zeroinitializer, ptr %r0\n")
    if name in ZERO_RULES and not game.has(name.removesuffix("_into")):
        return external_function(name, _store(INT, 0, 0))
    return None


def _fact(game: Game, name: str) -> Any:
    """The value of a fact."""
    predicate = getattr(rules, name, None) or getattr(keys, name, None)
    return predicate(game) if predicate else getattr(game, name)


def _store(kind: str, at: int, value: float) -> str:
    typ = "double" if kind == REAL else "i64"
    return f"  store {typ} {value!r}, ptr %r{at}\n"


def _copy_state(layout: Layout) -> str:
    state = state_ir(layout)
    return f"  %copy = load {state}, ptr %a0\n  store {state} %copy, ptr %r0\n"


def _parameters(name: str) -> list[str]:
    """The parameters of the external function of a rule."""
    signature = RULES[name]
    results = [f"ptr %r{at}" for at in range(len(signature.results))]
    given = {STATE: "ptr %a{0}", INT: "i64 %a{0}", BOOL: "i64 %a{0}", REAL: "double %a{0}"}
    given |= dict.fromkeys((WORDS, REALS), "ptr %a{0}, i64 %length{0}")
    return [*results, "ptr %exception", *(given[kind].format(at) for at, kind in enumerate(signature.arguments))]


def external_function(name: str, body: str) -> str:
    """The external function of a rule that never fails."""
    head = f"define i32 @{SYMBOL_PREFIX}{name}({', '.join(_parameters(name))}) alwaysinline"
    return f"{head} {{\n{body}  ret i32 0\n}}\n"


def _calls(name: str, other: str) -> str:
    """A rule that is another one."""
    parameters = ", ".join(_parameters(name))
    types = ", ".join(each.split()[0] for each in parameters.split(", "))
    head = f"declare i32 @{SYMBOL_PREFIX}{other}({types})\ndefine i32 @{SYMBOL_PREFIX}{name}({parameters}) alwaysinline"
    return f"{head} {{\n  %code = call i32 @{SYMBOL_PREFIX}{other}({parameters})\n  ret i32 %code\n}}\n"


def _raises(name: str, kind: type[Exception], message: str) -> str:
    """A rule that raises an exception, in the form that Numba gives it."""
    import pickle

    data = pickle.dumps((kind, (message,), None))
    digest = hashlib.sha1(data).digest()
    info = f"{{ ptr @{name}.data, i32 {len(data)}, ptr @{name}.hash, ptr null, i32 0 }}"
    return (
        f"@{name}.data = internal constant {_bytes(data)}\n@{name}.hash = internal constant {_bytes(digest)}\n"
        f"@{name}.info = internal constant {{ ptr, i32, ptr, ptr, i32 }} {info}\n"
        f"define i32 @{SYMBOL_PREFIX}{name}({', '.join(_parameters(name))}) alwaysinline {{\n"
        f"  store ptr @{name}.info, ptr %exception\n  ret i32 1\n}}\n"
    )


def _bytes(data: bytes) -> str:
    return f'[{len(data)} x i8] c"' + "".join(f"\\{byte:02x}" for byte in data) + '"'
