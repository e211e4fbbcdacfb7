"""The Numba type of a game: each game has a type of its own.

The type is named by the game's fingerprint. Parameters and class constants of the game are compile-time constants, and
its rules are methods of the type. Nothing of the instance exists at run time: a compiled kernel is specialised to the
game as if its rules were written into it.

States enter compiled code as plain nested tuples and get their NamedTuple classes inside, because a cache cannot refer
to classes of notebooks or of `__main__`. The annotations of the state determine the machine types: `int` is int64;
`np.uint64`, `bool`, `float` and other NumPy scalars are themselves. The result of a rule is cast to them.
"""

from __future__ import annotations

import functools
import inspect
import random
import types as python
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any

from numba import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaTypeSafetyWarning
from numba.extending import (
    NativeValue,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.native.codegen.jit import compilable, jit_options, jitted
from zermelo.native.codegen.link_only import overload_attribute, overload_method
from zermelo.native.codegen.yield_buffers import yields_one_by_one
from zermelo.native.compilability import layout
from zermelo.native.fingerprints import COMPUTED, author_members, fingerprint
from zermelo.native.overloads import array_overloads, bit_overloads, key_overloads  # noqa: F401  (registers them)
from zermelo.native.overloads.rule_overloads import cast_state, check_move
from zermelo.native.state_layout import Layout
from zermelo.state_literals import plain

# A dict in a rule is untyped at first. Numba warns when it infers the types later, in code that Zermelo generates.
warnings.filterwarnings("ignore", category=NumbaTypeSafetyWarning, module="<string>")

_types: dict[str, GameType] = {}

STATE_RULES = ("play", "canonical", "at", "skip")
"""Rules that return a state."""

NUMBER_RULES = {"result": types.int64, "stuck": types.int64, "mover": types.int64, "stage": types.int64,
           "size": types.int64, "index": types.int64, "order": types.int64, "key": types.uint64,
           "is_chance": types.boolean, "noisy": types.boolean, "forcing": types.boolean}  # fmt: skip
"""Rules that return a number, and its machine type."""


SAMPLED_BREADTH_FIRST, SAMPLED_RANDOM = 1000, 100
"""States that are checked before a game is compiled: the nearest to the initial state, and states of random play."""


class GameType(types.Type):  # type: ignore[misc]
    """The Numba type of one game: its class, its parameters, its rules. Each game has a subclass of its own."""

    registered = False

    def __init__(self, name: str, game: Game) -> None:
        self.fingerprint = name
        self.game = game
        super().__init__(name=f"Game[{name}]")

    @property
    def layout(self) -> Layout:
        return layout(self.game)

    @functools.cached_property
    def layout_error(self) -> str | None:
        """Why a state does not fit the layout of the initial state, such as an int beyond 64 bits; None if none was
        found.

        Compiled code would silently truncate such a state. A sample of states is checked in Python before a game is
        compiled; `z.check` checks more.
        """
        for state in self._sample_states():
            try:
                self.layout.to_native(self.layout.wrapped(state))
            except GameError as error:
                return str(error)
        return None

    def _sample_states(self) -> Iterator[State]:
        """Sample reachable states: breadth first and, unless those are all, by random play."""
        first = self.game.initial()
        waiting, seen = deque([first]), {first}
        while waiting and len(seen) < SAMPLED_BREADTH_FIRST:
            for child in self._children(waiting.popleft()):
                if child not in seen and len(seen) < SAMPLED_BREADTH_FIRST:
                    seen.add(child)
                    waiting.append(child)
                    yield child
        dice, state = random.Random(0), first
        for _ in range(SAMPLED_RANDOM if waiting else 0):
            state = next(self._children(state, dice), first)
            yield state

    def _children(self, state: State, dice: random.Random | None = None) -> Iterator[State]:
        """The successors of a state, or a random one. None if a rule raises: the kernel reports that when it runs."""
        try:
            moves = list(islice(rules.legal_actions(self.game, state), SAMPLED_BREADTH_FIRST))
            for move in moves if dice is None else [dice.choice(moves)]:
                yield self.game.play(state, move)
        except Exception:
            return

    def register(self) -> None:
        """Register the rules with Numba. Only compiling needs this; a kernel from the cache does not."""
        with global_compiler_lock:
            if not self.registered:
                _register_rules(type(self), self.game)
                self.registered = True


def numba_type(game: Game) -> GameType:
    """The game's Numba type, stored on the instance: Numba asks at every call of a kernel."""
    typ: GameType | None = game.__dict__.get("_type")
    if typ is None:
        with global_compiler_lock:
            name = fingerprint(game)
            typ = _types.get(name) or _new_type(name, game)
        object.__setattr__(game, "_type", typ)
    return typ


@typeof_impl.register(Game)  # type: ignore[untyped-decorator]
def _typeof(game: Game, context: Any) -> GameType:
    return numba_type(game)


def _new_type(name: str, game: Game) -> GameType:
    cls = type(f"GameType_{name}", (GameType,), {})
    typ: GameType = cls(name, game)
    typ.layout  # noqa: B018  (raises LayoutError here if the state has no layout)
    _types[name] = typ
    return typ


def _register_rules(cls: type[GameType], game: Game) -> None:
    """Register parameters and class constants as attributes of the type, and rules as its methods."""
    register_model(cls)(models.OpaqueModel)
    unbox(cls)(lambda typ, obj, c: NativeValue(c.context.get_dummy_value()))
    for field in fields(game):  # type: ignore[arg-type]
        overload_attribute(cls, field.name)(_constant(getattr(game, field.name)))
    members = {**_default_rules(game), **dict(author_members(type(game)))}
    for rule, member in members.items():
        if rule == "initial":
            overload_method(cls, rule)(_initial(game))
        elif isinstance(member, python.FunctionType):
            overload_method(cls, rule, **jit_options(member))(_method(rule, member))
        elif isinstance(member, staticmethod):
            overload_method(cls, rule)(_static(member.__func__))
        elif isinstance(member, COMPUTED):
            overload_attribute(cls, rule)(_lazy_constant(game, rule))
        elif not isinstance(member, classmethod):
            overload_attribute(cls, rule)(_constant(member))


# -- attributes and methods --------------------------------------------------------------------------------------


def _constant(value: Any) -> Any:
    return lambda self: lambda self: value


def _lazy_constant(game: Game, name: str) -> Any:
    """A property of the game. It depends on the parameters alone, so Python computes it once."""

    def attribute(self: Any) -> Any:
        value = getattr(game, name)
        return lambda self: value

    return attribute


def _initial(game: Game) -> Any:
    """The initial state. It depends on the parameters alone too."""
    state = plain(game.initial())
    return lambda self: lambda self: cast_state(self, state)


def _method(rule: str, function: python.FunctionType) -> Any:
    """An overload of a rule that casts its result to the declared type."""
    if inspect.isgeneratorfunction(function):
        return _overload(function, "implementation", {"implementation": compilable(yields_one_by_one(function))})
    scope: dict[str, Any] = {"rule": jitted(function), "cast_state": cast_state}
    game, *_ = names = list(inspect.signature(function).parameters)
    call = f"rule({', '.join(names)})"
    if rule in STATE_RULES:
        call = f"cast_state({game}, {call})"
    elif rule in NUMBER_RULES:
        scope["number"] = NUMBER_RULES[rule]
        call = f"number({call})"
    _define("implementation", function, call, scope)
    if rule == "play":
        scope["check_move"] = check_move
        return _overload(function, f"check_move({', '.join(names)}) or implementation", scope)
    return _overload(function, "implementation", scope)


def _static(function: Any) -> Any:
    """An overload for a static method: the rule without the game."""
    names = ", ".join(inspect.signature(function).parameters)
    scope: dict[str, Any] = {"rule": jitted(function)}
    _define("implementation", function, f"rule({names})", scope, before=["self"])
    return _define("overload", function, "implementation", scope, before=["self"])


def _overload(function: python.FunctionType, result: str, scope: dict[str, Any]) -> Any:
    """An overload with the rule's own argument names, which Numba requires."""
    return _define("overload", function, result, scope)


def _define(
    name: str, function: python.FunctionType, result: str, scope: dict[str, Any], before: Sequence[str] = ()
) -> Any:
    """Define a function with another one's arguments and defaults that returns one expression."""
    arguments = [*before]
    default = ""
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is not parameter.empty:
            scope[f"default_{parameter.name}"] = parameter.default
            default = f"=default_{parameter.name}"
        elif default:  # behind a `*`, where Python needs none; here it does
            default = "=None"
        arguments.append(parameter.name + default)
    exec(f"def {name}({', '.join(arguments)}):\n    return {result}", scope)
    return scope[name]


def _default_rules(game: Game) -> dict[str, python.FunctionType]:
    """Rules that kernels may call although the author did not write them."""
    simple = ("is_chance", "order", "noisy", "forcing", "skip", "stage", "bounds", "_probe")
    defaults: dict[str, Any] = {rule: getattr(Game, rule) for rule in simple}
    defaults |= {"loops": game.loops, "margin": game.margin, "reductions": game.reductions}
    defaults["stuck"] = _not_stuck
    defaults["chances"] = _no_chance
    defaults["evaluate"] = _weighted_features if game.has("features") else _zero_evaluation
    defaults["candidates"] = type(game).moves
    defaults |= {"index": _no_index, "at": _no_state, "predecessors": _no_predecessors}
    if game.has("features"):
        defaults["weights"] = game.weights
    return defaults


def _not_stuck(self: Any, state: Any) -> int:
    for _ in range(1):  # a loop, so that Numba infers a return of int
        raise GameError("a state is ONGOING and has no moves, and there is no `stuck` rule")
    return 0


def _no_chance(self: Any, state: Any) -> Any:
    yield 0, 1.0  # never called, but a kernel that also serves games of chance needs types


# Never called either: the compiler needs types for branches that a fact of the game excludes.
def _no_index(self: Any, state: Any) -> int:
    return 0


def _no_state(self: Any, stage: Any, index: Any) -> Any:
    return self.initial()


def _no_predecessors(self: Any, state: Any) -> Any:
    yield state


def _zero_evaluation(self: Any, state: Any) -> int:
    return 0


def _weighted_features(self: Any, state: Any) -> float:
    total = 0.0
    features = self.features(state)
    for i in range(len(features)):
        total += self.weights[i] * features[i]
    return total
