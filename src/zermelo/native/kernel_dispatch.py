"""@kernel: a function over a game that runs compiled or interpreted.

A kernel is a plain function whose first argument is a game. If the rules of the game compile, the kernel runs as
machine code specialised to that game; otherwise it runs as plain Python. Kernels may call each other and themselves.
Compiled kernels call compiled ones, interpreted kernels interpreted ones. An argument named `state` is a state of the
game.

A kernel that declares the kinds of its arguments is *linked*: it uses nothing of a game but the rule interface
(linking/rule_interface.py), so it is compiled once for all games. Any other kernel may use every member of a game's
class and take arguments of any type that Numba knows; it is compiled with each game.
"""

from __future__ import annotations

import functools
import inspect
import sys
import threading
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.game import Game, GameError
from zermelo.native.background_compiler import BackgroundCompilation
from zermelo.native.fingerprints import named_values

if TYPE_CHECKING:
    from zermelo.native.linking.linked_kernel import LinkedKernel

kernels: list[Kernel] = []
"""Every kernel of this process, in order of definition."""


class Kernel:
    """A function over a game, compiled if possible. See the module's docstring."""

    def __init__(
        self,
        function: types.FunctionType,
        example: Callable[[Game], tuple[Any, ...]] | None = None,
        kinds: tuple[str, ...] | None = None,
    ) -> None:
        functools.update_wrapper(self, function)
        self.name = function.__name__
        self.python = function
        self.example = example
        self.signature = inspect.signature(function)
        self.parameters = list(self.signature.parameters)
        self._ready: set[Any] = set()
        self._globals: list[tuple[dict[str, Any], str, Any]] = []
        self._lock = threading.RLock()
        self.kinds = kinds
        kernels.append(self)

    def __call__(self, game: Game, *args: Any, **named: Any) -> Any:
        from zermelo.native.compilability import known_error

        args = self._complete(game, args, named)
        if known_error(game):
            return self.interpreted(game, *args)
        native = self._to_native(game, args)
        if native is None or not self._compile(game, native):
            return self.interpreted(game, *args)
        return self._run(game, native)

    def ready(self, game: Game, *args: Any, **named: Any) -> bool:
        """Compile for this game and arguments of these types; return False if the kernel must be interpreted."""
        from zermelo.native.compilability import known_error

        args = self._complete(game, args, named)
        if known_error(game):
            return False
        native = self._to_native(game, args)
        return native is not None and self._compile(game, native)

    def call_compiled(self, game: Game, *args: Any) -> Any:
        """Run the compiled kernel without the checks of `__call__`; `ready` must have returned True."""
        return self._run(game, self._native_arguments(game, args))

    @property
    def is_linked(self) -> bool:
        """Whether the kernel is compiled once for all games."""
        return self.kinds is not None

    @functools.cached_property
    def _linked(self) -> LinkedKernel | None:
        from zermelo.native.linking.linked_kernel import LinkedKernel

        return None if self.kinds is None else LinkedKernel(self.name, self.python, self.kinds)

    def is_cached(self, game: Game) -> bool:
        """Whether this linked kernel need not be compiled for the game."""
        return self._linked is not None and self._linked.is_cached(game)

    def has_code(self, game: Game) -> bool:
        """Whether this linked kernel is compiled for the game, optimised or not."""
        return self._linked is not None and self._linked.has_code(game)

    def prepare(self, game: Game) -> bool:
        """Compile a linked kernel for a game; return False if it must be interpreted."""
        from zermelo.native.compilability import known_error

        return known_error(game) is None and self._link(game)

    def compile_rules(self, game: Game) -> bool:
        """Compile the rules that a linked kernel calls; return False if it must be interpreted."""
        from zermelo.native.compilability import known_error

        return known_error(game) is None and self._succeeds(game, lambda linked: linked.compile_rules(game))

    def compile_quickly(self, game: Game) -> bool:
        """Put quick code of a linked kernel into the cache; return False if it must be interpreted."""
        from zermelo.native.compilability import known_error

        return known_error(game) is None and self._succeeds(game, lambda linked: linked.compile_quickly(game))

    def _run(self, game: Game, native: tuple[Any, ...]) -> Any:
        return self.compiled(game, *native) if self._linked is None else self._linked.load(game)(*native)

    def _complete(self, game: Game, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """All arguments but the game, in order. Compiled code takes neither keywords nor defaults."""
        if not named and len(args) == len(self.parameters) - 1:
            return args
        bound = self.signature.bind(game, *args, **named)
        bound.apply_defaults()
        return bound.args[1:]

    @functools.cached_property
    def interpreted(self) -> Callable[..., Any]:
        """The kernel as plain Python, for any game; the kernels it calls are interpreted too."""
        scope = dict(self.python.__globals__)
        copy = types.FunctionType(
            self.python.__code__, scope, self.python.__name__, self.python.__defaults__, self.python.__closure__
        )
        self.__dict__["interpreted"] = copy  # before the loop: a kernel may call itself
        for name in self.python.__code__.co_names:
            if isinstance(scope.get(name), Kernel):
                scope[name] = scope[name].interpreted
        return copy

    @functools.cached_property
    def inner(self) -> Any:
        """The kernel as compiled kernels call it, with states of the game's own class."""
        from zermelo.native.codegen.jit import jitted

        return jitted(self.python)

    @functools.cached_property
    def compiled(self) -> Any:
        """The kernel as Python calls it: it takes and returns plain tuples and is stored in the disk cache."""
        from numba import njit

        from zermelo.native.cache.numba_cache import DiskCache
        from zermelo.native.fingerprints import function_fingerprint
        from zermelo.native.overloads.rule_overloads import cast_state, plain_state

        game, *rest = self.parameters
        inside = ", ".join([game, *(f"cast_state({game}, state)" if name == "state" else name for name in rest)])
        scope: dict[str, Any] = {"__name__": __name__, "cast_state": cast_state, "plain_state": plain_state}
        exec(f"def entry({', '.join(self.parameters)}):\n    return plain_state(inner({inside}))", scope)

        def prepare(signature: Any) -> None:
            signature[0].register()
            if signature[0].layout_error is not None:
                raise GameError(signature[0].layout_error)
            scope["inner"] = self.inner

        dispatcher = njit(nogil=True)(scope["entry"])
        dispatcher._cache = DiskCache(self.name, function_fingerprint(self.python), prepare)
        return dispatcher

    def _to_native(self, game: Game, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The arguments for compiled code; None if a state does not fit and the game is interpreted."""
        from zermelo.native.compilability import StateMismatch, raise_unless_interpreted

        try:
            return self._native_arguments(game, args)
        except StateMismatch as mismatch:
            raise_unless_interpreted(game, mismatch)
            return None

    def _native_arguments(self, game: Game, args: tuple[Any, ...]) -> tuple[Any, ...]:
        from zermelo.native.compilability import to_native

        names = self.parameters[1:]
        return tuple(
            to_native(game, value) if name == "state" else value for name, value in zip(names, args, strict=True)
        )

    def _compile(self, game: Game, args: tuple[Any, ...]) -> bool:
        """Compile for these types. On failure record the reason and return False."""
        if self._linked is not None:
            return self._link(game)
        from numba import typeof
        from numba.core.compiler_lock import global_compiler_lock

        from zermelo.native import diagnostics

        self._discard_if_changed()
        signature = tuple(typeof(value) for value in (game, *args))
        if signature in self._ready:
            return True
        with global_compiler_lock:
            if signature not in self._ready:
                try:
                    self.compiled.compile(signature)
                except Exception as error:
                    diagnostics.record_failure(game, error)
                    return False
                self._ready.add(signature)
        return True

    def _link(self, game: Game) -> bool:
        """Link the kernel with the rules of a game. On failure record the reason and return False."""
        from zermelo.native.compilability import known_error

        if self._linked is not None:
            self._linked.wait(game)
        # another process may have found that a rule does not compile
        return known_error(game) is None and self._succeeds(game, lambda linked: linked.load(game))

    def _succeeds(self, game: Game, compile: Callable[[LinkedKernel], object]) -> bool:
        try:
            compile(self._linked)  # type: ignore[arg-type]
        except Exception as error:
            from zermelo.native import diagnostics

            diagnostics.record_failure(game, error)
            return False
        return True

    def _discard_if_changed(self) -> None:
        """Discard the compiled code if a global that the kernel names, directly or through functions, has changed."""
        if all(scope.get(name) is value for scope, name, value in self._globals) and self._globals:
            return
        with self._lock:
            for version in ("compiled", "inner", "interpreted"):
                self.__dict__.pop(version, None)
            self._ready.clear()
            self._globals = _named_globals(self.python, set()) or [({}, "", None)]


def cache_statistics() -> tuple[int, int]:
    """How often a kernel of this process was found in the disk cache, and how often it was compiled."""
    hits = misses = 0
    for each in kernels:
        if "compiled" in vars(each):
            hits += sum(each.compiled.stats.cache_hits.values())
            misses += sum(each.compiled.stats.cache_misses.values())
        linked = vars(each).get("_linked")
        if linked is not None:
            hits += linked.hits
            misses += linked.misses
    return hits, misses


def _named_globals(function: types.FunctionType, seen: set[Any]) -> list[tuple[dict[str, Any], str, Any]]:
    """The globals that a function and the functions it calls name, with their current values."""
    found: list[tuple[dict[str, Any], str, Any]] = []
    seen.add(function)
    for path, value in named_values(function):
        name = path.partition(".")[0]
        if path == name and name in function.__globals__:
            found.append((function.__globals__, name, value))
        called = value.python if isinstance(value, Kernel) else value
        if isinstance(called, types.FunctionType) and called not in seen:
            found += _named_globals(called, seen)
    return found


def kernel(
    function: Any = None, *, example: Callable[[Game], tuple[Any, ...]] | None = None, kinds: str | None = None
) -> Any:
    """Turn a function into a Kernel. `example` returns arguments with which `warm_up` compiles it ahead of time.

    `kinds` are those of the arguments after the game, separated by spaces; they make it a linked kernel.
    """
    if function is None:
        return lambda function: Kernel(function, example, None if kinds is None else tuple(kinds.split()))
    return Kernel(function, example)


def _report_errors(function: Callable[[], object]) -> object:
    """Call a function in a thread whose result nobody reads; report what it raises as threads report exceptions."""
    try:
        return function()
    except Exception:
        threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
        return None


def warm_up(game: Game, background: bool = False) -> threading.Thread | None:
    """Compile every kernel for this game, or load it from the cache, before it is needed.

    With `background` a thread does the work and is returned. Calls in the meantime wait only for the kernel they need.
    """
    if background:
        return BackgroundCompilation(game, lambda: _report_errors(lambda: warm_up(game))).thread
    for each in list(kernels):
        if each.example is not None:
            try:
                each.ready(game, *each.example(game))
            except GameError:
                if game.native:
                    raise
    return None
