"""The bridge: to Numba, a Game instance is a value of a type of its own.

The type is named by the game's fingerprint. Its parameters and class constants are compile-time constants, its rules
are methods of the type. Nothing of the instance exists at run time: a compiled kernel is specialised to the game
as if its rules had been written into it.

States cross from Python to machine code as plain nested tuples and are given their NamedTuple classes inside, because
classes of notebooks and of `__main__` cannot be named in a cache. The annotations of the state decide the machine types
(`int` is int64; `np.uint64`, `bool`, `float` and other NumPy scalars are themselves), and whatever a rule returns is
cast to them.
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
from zermelo.game import Game, GameError, State, plain
from zermelo.native.codegen.jit import bare, compilable, jitted, options
from zermelo.native.codegen.link_only import overload_attribute, overload_method
from zermelo.native.codegen.yield_buffers import yields_one_by_one
from zermelo.native.fingerprints import COMPUTED, author_members, fingerprint
from zermelo.native.overloads import array_overloads, bit_overloads, key_overloads  # noqa: F401  (registers them)
from zermelo.native.overloads.rule_overloads import cast_state, check_move
from zermelo.native.state_layout import Layout, layout_of

# A dict in a rule begins without types; Numba warns where it later finds them, in code that Zermelo generated.
warnings.filterwarnings("ignore", category=NumbaTypeSafetyWarning, module="<string>")

_known: dict[str, GameType] = {}

STATES = ("play", "canonical", "at", "skip")
"""Rules that return a state."""

NUMBERS = {"result": types.int64, "stuck": types.int64, "mover": types.int64, "stage": types.int64,
           "size": types.int64, "index": types.int64, "order": types.int64, "key": types.uint64,
           "is_chance": types.boolean, "noisy": types.boolean, "forcing": types.boolean}  # fmt: skip
"""Rules that return a number, and its machine type."""


NEAREST, PLAYED = 1000, 100
"""States that are looked at before a game is compiled: the nearest to the initial one, and some of random play."""


class GameType(types.Type):  # type: ignore[misc]
    """The Numba type of one game: its class, its parameters, its rules. Each game has a subclass of its own."""

    registered = False

    def __init__(self, name: str, game: Game) -> None:
        self.fingerprint = name
        self.game = game
        super().__init__(name=f"Game[{name}]")

    @functools.cached_property
    def layout(self) -> Layout:
        return layout_of(self.game)

    @functools.cached_property
    def misfit(self) -> str | None:
        """Where and why play leaves the layout of the initial state, as ints beyond 64 bits do; None if it was not
        seen to.

        Compiled, such a state would silently be another. So many are looked at in Python before a game is compiled;
        `z.check` looks at more.
        """
        for state in self._met():
            try:
                self.layout.to_native(self.layout.wrapped(state))
            except GameError as error:
                return str(error)
        return None

    def _met(self) -> Iterator[State]:
        """States that can be reached: the nearest, and where that is not all, some of random play."""
        first = self.game.initial()
        waiting, seen = deque([first]), {first}
        while waiting and len(seen) < NEAREST:
            for child in self._children(waiting.popleft()):
                if child not in seen and len(seen) < NEAREST:
                    seen.add(child)
                    waiting.append(child)
                    yield child
        dice, state = random.Random(0), first
        for _ in range(PLAYED if waiting else 0):
            state = next(self._children(state, dice), first)
            yield state

    def _children(self, state: State, dice: random.Random | None = None) -> Iterator[State]:
        """The states after a state, or one of them; a rule that raises has its own sentence where it is asked."""
        try:
            moves = list(islice(rules.successors(self.game, state), NEAREST))
            for move in moves if dice is None else [dice.choice(moves)]:
                yield self.game.play(state, move)
        except Exception:
            return

    def register(self) -> None:
        """Tell Numba the rules. Only compiling needs this: a kernel from the cache runs without."""
        with global_compiler_lock:
            if not self.registered:
                _register_rules(type(self), self.game)
                self.registered = True


def game_type(game: Game) -> GameType:
    """The game's Numba type, remembered on the instance: Numba asks at every call of a kernel."""
    known: GameType | None = game.__dict__.get("_type")
    if known is None:
        with global_compiler_lock:
            name = fingerprint(game)
            known = _known.get(name) or _new_type(name, game)
        object.__setattr__(game, "_type", known)
    return known


@typeof_impl.register(Game)  # type: ignore[untyped-decorator]
def _typeof(game: Game, context: Any) -> GameType:
    return game_type(game)


def _new_type(name: str, game: Game) -> GameType:
    cls = type(f"GameType_{name}", (GameType,), {})
    known: GameType = cls(name, game)
    known.layout  # noqa: B018  (a state that cannot be laid out is refused here, with its sentence)
    _known[name] = known
    return known


def _register_rules(cls: type[GameType], game: Game) -> None:
    """Parameters and class constants become attributes of the type, rules its methods."""
    register_model(cls)(models.OpaqueModel)
    unbox(cls)(lambda typ, obj, c: NativeValue(c.context.get_dummy_value()))
    for field in fields(game):  # type: ignore[arg-type]
        overload_attribute(cls, field.name)(_constant(getattr(game, field.name)))
    members = {**_default_rules(game), **dict(author_members(type(game)))}
    for rule, member in members.items():
        if rule == "initial":
            overload_method(cls, rule)(_initial(game))
        elif isinstance(member, python.FunctionType):
            overload_method(cls, rule, **options(member))(_method(rule, member))
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
    """A property of the game: it depends on the parameters alone, so it is computed once, in Python."""

    def attribute(self: Any) -> Any:
        value = getattr(game, name)
        return lambda self: value

    return bare(attribute)


def _initial(game: Game) -> Any:
    """The initial state depends on the parameters alone too."""
    state = plain(game.initial())
    return bare(lambda self: lambda self: cast_state(self, state))


def _method(rule: str, function: python.FunctionType) -> Any:
    """An overload that types a rule: its result is cast to what the house says it returns."""
    if inspect.isgeneratorfunction(function):
        return _overload(function, "implementation", {"implementation": compilable(yields_one_by_one(function))})
    scope: dict[str, Any] = {"rule": jitted(function), "cast_state": cast_state}
    game, *_ = names = list(inspect.signature(function).parameters)
    call = f"rule({', '.join(names)})"
    if rule in STATES:
        call = f"cast_state({game}, {call})"
    elif rule in NUMBERS:
        scope["number"] = NUMBERS[rule]
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
    """An overload function with the rule's own argument names, as Numba wants it."""
    return _define("overload", function, result, scope)


def _define(
    name: str, function: python.FunctionType, result: str, scope: dict[str, Any], before: Sequence[str] = ()
) -> Any:
    """Define a function with another one's arguments and defaults that returns one expression."""
    arguments = [*before]
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is parameter.empty:
            arguments.append(parameter.name)
        else:
            scope[f"default_{parameter.name}"] = parameter.default
            arguments.append(f"{parameter.name}=default_{parameter.name}")
    exec(f"def {name}({', '.join(arguments)}):\n    return {result}", scope)
    return scope[name]


def _default_rules(game: Game) -> dict[str, python.FunctionType]:
    """What kernels may call although the author did not write it."""
    simple = ("is_chance", "order", "noisy", "forcing", "skip", "stage", "bounds", "_probe")
    defaults: dict[str, Any] = {rule: getattr(Game, rule) for rule in simple}
    defaults |= {"loops": game.loops, "margin": game.margin, "reductions": game.reductions}
    defaults["stuck"] = _not_stuck
    defaults["chances"] = _no_chance
    defaults["evaluate"] = _weighted if game.has("features") else _level
    defaults["candidates"] = type(game).moves
    defaults |= {"index": _no_index, "at": _no_state, "predecessors": _no_predecessors}
    if game.has("features"):
        defaults["weights"] = game.weights
    return defaults


def _not_stuck(self: Any, state: Any) -> int:
    for _ in range(1):  # a loop, so that Numba sees a way to an int
        raise GameError("a state is ONGOING and has no moves, and there is no `stuck` rule")
    return 0


def _no_chance(self: Any, state: Any) -> Any:
    yield 0, 1.0  # never asked for, but a kernel that serves games of chance too must have types


# Never asked for either: the compiler wants types of what a fact of the game rules out.
def _no_index(self: Any, state: Any) -> int:
    return 0


def _no_state(self: Any, stage: Any, index: Any) -> Any:
    return self.initial()


def _no_predecessors(self: Any, state: Any) -> Any:
    yield state


def _level(self: Any, state: Any) -> int:
    return 0


def _weighted(self: Any, state: Any) -> float:
    total = 0.0
    features = self.features(state)
    for i in range(len(features)):
        total += self.weights[i] * features[i]
    return total
