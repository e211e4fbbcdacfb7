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
import threading
import types as python
import warnings
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from numba import njit, types
from numba.core.errors import NumbaTypeSafetyWarning, TypingError
from numba.extending import (
    NativeValue,
    models,
    overload,
    overload_attribute,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)
from numba.core.registry import cpu_target

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.native import arithmetic  # noqa: F401  (registers the compiled forms of bits.py)
from zermelo.native.buffers import yields_to_buffer
from zermelo.native.fingerprint import author_members, fingerprint, named_values
from zermelo.native.layout import Layout, layout_of

# A dict in a rule begins without types; Numba warns where it later finds them, in code that Zermelo generated.
warnings.filterwarnings("ignore", category=NumbaTypeSafetyWarning, module="<string>")

_known: dict[str, GameType] = {}
_lock = threading.RLock()

STATES = ("initial", "play", "canonical", "at")
"""Rules that return a state."""

NUMBERS = {"result": types.int64, "stuck": types.int64, "mover": types.int64, "stage": types.int64,
           "size": types.int64, "index": types.int64, "order": types.int64, "key": types.uint64,
           "is_chance": types.boolean, "noisy": types.boolean}  # fmt: skip
"""Rules that return a number, and its machine type."""


class GameType(types.Type):  # type: ignore[misc]
    """The Numba type of one game: its class, its parameters, its rules. Each game has a subclass of its own."""

    registered = False

    def __init__(self, name: str, game: Game | None = None) -> None:
        self.fingerprint = name
        self.game = game
        super().__init__(name=f"Game[{name}]")

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (self.fingerprint,)

    @functools.cached_property
    def layout(self) -> Layout:
        assert self.game is not None
        return layout_of(self.game)

    def register(self) -> None:
        """Tell Numba the rules. Only compiling needs this: a kernel from the cache runs without."""
        with _lock:
            if not self.registered:
                assert self.game is not None
                _register_rules(type(self), self.game)
                self.registered = True


def restore(name: str) -> GameType:
    """The type with this fingerprint; a stand-in where this process has not met the game."""
    return _known.get(name) or GameType(name)


def game_type(game: Game) -> GameType:
    """The game's Numba type, remembered on the instance: Numba asks at every call of a kernel."""
    known: GameType | None = game.__dict__.get("_type")
    if known is None:
        with _lock:
            name = fingerprint(game)
            known = _known.get(name) or _new_type(name, game)
        object.__setattr__(game, "_type", known)
    return known


@typeof_impl.register(Game)
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
        if isinstance(member, python.FunctionType):
            overload_method(cls, rule)(_method(rule, member))
        elif isinstance(member, staticmethod):
            overload_method(cls, rule)(_static(member.__func__))
        elif isinstance(member, property | functools.cached_property):
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

    return attribute


def _method(rule: str, function: python.FunctionType) -> Any:
    """An overload that types a rule: its result is cast to what the house says it returns."""
    if inspect.isgeneratorfunction(function):
        return _overload(function, "implementation", {"implementation": compilable(function)})
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
        scope["check_move"] = _check_move
        return _overload(function, f"check_move({', '.join(names)}) or implementation", scope)
    return _overload(function, "implementation", scope)


def _static(function: Any) -> Any:
    """An overload for a static method: the rule without the game."""
    names = ", ".join(inspect.signature(function).parameters)
    scope: dict[str, Any] = {"rule": jitted(function)}
    exec(f"def implementation(self, {names}):\n    return rule({names})", scope)
    exec(f"def overload(self, {names}):\n    return implementation", scope)
    return scope["overload"]


def _overload(function: python.FunctionType, result: str, scope: dict[str, Any]) -> Any:
    """An overload function with the rule's own argument names, as Numba wants it."""
    return _define("overload", function, result, scope)


def _define(name: str, function: python.FunctionType, result: str, scope: dict[str, Any]) -> Any:
    """Define a function with another one's arguments and defaults that returns one expression."""
    arguments = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is parameter.empty:
            arguments.append(parameter.name)
        else:
            scope[f"default_{parameter.name}"] = parameter.default
            arguments.append(f"{parameter.name}=default_{parameter.name}")
    exec(f"def {name}({', '.join(arguments)}):\n    return {result}", scope)
    return scope[name]


def int_move(move: Any) -> int:
    """A move as compiled code wants it: an int."""
    raise NotImplementedError


def _check_move(game: Any, state: Any, move: Any) -> None:
    if not isinstance(move, types.Integer | types.Boolean):
        kind = "tuples" if isinstance(move, types.BaseTuple) else str(move)
        raise TypingError(f"a move is an int where rules are compiled, and these are {kind}")


def _default_rules(game: Game) -> dict[str, python.FunctionType]:
    """What kernels may call although the author did not write it."""
    defaults: dict[str, Any] = {rule: getattr(Game, rule) for rule in ("is_chance", "order", "noisy", "stage")}
    defaults["stuck"] = _not_stuck
    defaults["evaluate"] = _weighted if game.has("features") else _level
    defaults["candidates"] = type(game).moves
    if game.has("features"):
        defaults["weights"] = game.weights
    return defaults


def _not_stuck(self: Any, state: Any) -> int:
    for _ in range(1):  # a loop, so that Numba sees a way to an int
        raise GameError("a state is ONGOING and has no moves, and there is no `stuck` rule")
    return 0


def _level(self: Any, state: Any) -> int:
    return 0


def _weighted(self: Any, state: Any) -> float:
    total = 0.0
    features = self.features(state)
    for i in range(len(features)):
        total += self.weights[i] * features[i]
    return total


# -- functions: the author's plain Python, made ready for Numba -----------------------------------------------------


_jitted: dict[python.FunctionType, Any] = {}


def jitted(function: python.FunctionType) -> Any:
    """A plain function as a Numba function; not cached on disk, since the kernels that call it are."""
    with _lock:
        if function not in _jitted:
            copy, link = _copy(function)
            _jitted[function] = njit(nogil=True)(copy)
            link()  # after remembering: functions may call each other in a circle
        return _jitted[function]


def compilable(function: python.FunctionType) -> python.FunctionType:
    """A copy of the function in which every plain function it names is a jitted one."""
    copy, link = _copy(function)
    link()
    return copy


def _copy(function: python.FunctionType) -> tuple[python.FunctionType, Callable[[], None]]:
    """A copy of the function, and the call that links it to the compilable forms of what it names.

    The copy's module is this one: compiled code must not ask another process to import the author's file.
    """
    scope = {**function.__globals__, "__name__": __name__}
    cells = tuple(python.CellType() for _ in function.__code__.co_freevars)
    copy = python.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells or None)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    return copy, lambda: _link(function, scope, cells)


def _link(function: python.FunctionType, scope: dict[str, Any], cells: tuple[python.CellType, ...]) -> None:
    """Fill the copy's globals and closure with the compilable forms of what the function names."""
    free = function.__code__.co_freevars
    for name, cell in zip(free, cells, strict=True):
        original = function.__closure__[free.index(name)]  # type: ignore[index]
        try:
            cell.cell_contents = _counterpart(original.cell_contents)
        except ValueError:  # a variable that its enclosing function has not set yet
            continue
    paths = dict(named_values(function))
    for path, value in paths.items():
        name, *attributes = path.split(".")
        if not attributes and name not in free:
            scope[name] = _counterpart(value)
    for path, value in paths.items():
        name, *attributes = path.split(".")
        if attributes and _counterpart(value) is not value:
            scope[name] = _shadow(scope[name], attributes, _counterpart(value))


def _counterpart(value: Any) -> Any:
    """What compiled code sees in place of a global: a jitted function for a plain one, an inner kernel for a kernel."""
    if hasattr(value, "inner") and hasattr(value, "python"):  # a Kernel
        return value.inner
    if isinstance(value, python.FunctionType) and not _numba_knows(value):
        return jitted(value)
    return value


def _shadow(module: python.ModuleType, attributes: list[str], value: Any) -> python.ModuleType:
    """A stand-in for a module in which one attribute, perhaps of a module inside it, is replaced."""
    name, *rest = attributes
    shadow = python.ModuleType(module.__name__)
    shadow.__dict__.update(module.__dict__)
    shadow.__dict__[name] = _shadow(getattr(module, name), rest, value) if rest else value
    return shadow


def _numba_knows(function: Any) -> bool:
    context = cpu_target.typing_context
    context.refresh()
    return context._lookup_global(function) is not None


def form_of(function: Any) -> Any:
    """Declare the compiled form of a function: Numba's overload, for choosers that carry annotations."""

    def declare(choose: Any) -> Any:
        choose.__annotations__ = {}  # Numba compares signatures to the letter
        return overload(function)(choose)

    return declare


# -- states ----------------------------------------------------------------------------------------------------


def cast_state(game: Game, state: State) -> State:
    """Any tuple of the right shape as a state of the game, each part in its machine type."""
    raise NotImplementedError


@form_of(cast_state)
def _cast_state(game: GameType, state: Any) -> Any:
    layout = game.layout
    if state == layout.type:
        return lambda game, state: state
    scope: dict[str, Any] = {}
    expression = layout.cast_expression(state, "state", scope)
    exec(f"def implementation(game, state):\n    return {expression}", scope)
    return scope["implementation"]


def plain_state(value: Any) -> Any:
    """A result on its way out to Python: NamedTuples as plain tuples."""
    raise NotImplementedError


@form_of(plain_state)
def _plain_state(value: Any) -> Any:
    if not _has_namedtuple(value):
        return lambda value: value
    exec(f"def implementation(value):\n    return {_plain_expression(value, 'value')}", scope := {})  # type: ignore[var-annotated]
    return scope["implementation"]


def _has_namedtuple(typ: Any) -> bool:
    if isinstance(typ, types.BaseNamedTuple):
        return True
    return isinstance(typ, types.BaseTuple) and any(_has_namedtuple(part) for part in typ)


def _plain_expression(typ: Any, name: str) -> str:
    if not isinstance(typ, types.BaseTuple):
        return name
    return "(" + "".join(f"{_plain_expression(part, f'{name}[{i}]')}, " for i, part in enumerate(typ)) + ")"


@form_of(int_move)
def _int_move(move: Any) -> Any:
    _check_move(None, None, move)
    return lambda move: types.int64(move)


# -- what follows from the rules: the compiled forms of rules.py --------------------------------------------------


@form_of(rules.turns)
def _turns(game: GameType, state: Any, child: Any) -> Any:
    assert game.game is not None
    if rules.alternates(game.game):
        return lambda game, state, child: True
    return lambda game, state, child: game.mover(state) != game.mover(child)


@form_of(rules.has_distance)
def _has_distance(game: GameType) -> Any:
    assert game.game is not None
    distance = rules.has_distance(game.game)
    return lambda game: distance


def _into(rule: str) -> Any:
    """The compiled form of moves_into and candidates_into: the rewritten rule, or a loop over the rule itself."""

    def choose(game: GameType, state: Any, buffer: Any) -> Any:
        assert game.game is not None
        function = getattr(type(game.game), rule if game.game.has(rule) else "moves")
        rewritten = yields_to_buffer(function)
        if rewritten is not None:
            store = jitted(rewritten)
            return lambda game, state, buffer: store(game, state, buffer)
        store = jitted(_LOOPS[rule])
        return lambda game, state, buffer: store(game, state, buffer)

    return choose


def _store_moves(game: Game, state: State, buffer: Any) -> int:
    count = 0
    for move in game.moves(state):
        if count < len(buffer):
            buffer[count] = move
        count += 1
    return count


def _store_candidates(game: Game, state: State, buffer: Any) -> int:
    count = 0
    for move in game.candidates(state):
        if count < len(buffer):
            buffer[count] = move
        count += 1
    return count


def _store_chances(game: Game, state: State, outcomes: Any, probabilities: Any) -> int:
    count = 0
    for outcome, probability in game.chances(state):
        if count < len(outcomes):
            outcomes[count] = outcome
            probabilities[count] = probability
        count += 1
    return count


_LOOPS = {"moves": _store_moves, "candidates": _store_candidates}
form_of(rules.moves_into)(_into("moves"))
form_of(rules.candidates_into)(_into("candidates"))


@form_of(rules.chances_into)
def _chances_into(game: GameType, state: Any, outcomes: Any, probabilities: Any) -> Any:
    assert game.game is not None
    rewritten = yields_to_buffer(type(game.game).chances, ("_outcomes", "_probabilities"))  # type: ignore[arg-type]
    store = jitted(_store_chances if rewritten is None else rewritten)
    return lambda game, state, outcomes, probabilities: store(game, state, outcomes, probabilities)
