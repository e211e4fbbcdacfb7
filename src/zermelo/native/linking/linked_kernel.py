"""A kernel that is compiled once and linked with the rules of each game.

    kernel, for any game   ->  IR   \\
                                      link, optimise, emit  ->  machine code   ->  load and call
    rules of the game      ->  IR   /

Each arrow reads its result from the cache if it is there. Only the IR needs Numba. While another process optimises a
kernel, quick code that it has made before is called.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import math
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from typing import Any

from zermelo.game import Game
from zermelo.native.cache.cache_maintenance import entry_name
from zermelo.native.cache.entry_format import pack, unpack
from zermelo.native.cache.kernel_cache import load_entry, save_entry
from zermelo.native.compilability import layout, versions
from zermelo.native.compile_process import is_compiling, wait_for
from zermelo.native.compile_timing import compiling
from zermelo.native.fingerprints import fingerprint, function_fingerprint
from zermelo.native.linking import default_rules
from zermelo.native.linking.opaque_state import with_state
from zermelo.native.linking.prebuilt import kernel_code
from zermelo.native.linking.quick_code import is_quick
from zermelo.native.linking.rule_code import linked_rules, source_digest
from zermelo.native.linking.weights import code_fingerprint, data_digest, data_ir, data_weights, network_words

KERNEL_SOURCES = ("native", "networks", "simulation", "searching", "solving", "learning", "checking", "games/support")
"""Packages that hold kernels, and what compiles them. The modules beside them hold what kernels call."""

C_FUNCTIONS = {
    "memcpy", "memmove", "memset", "memcmp", "bcmp", "strlen", "pow", "exp", "exp2", "expm1", "log", "log2",
    "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh",
    "acosh", "atanh", "sqrt", "cbrt", "fmod", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "ldexp",
    "frexp", "hypot", "fabs", "fmin", "fmax", "copysign", "erf", "erfc", "tgamma", "lgamma", "__powidf2",
}  # fmt: skip
"""Functions of the C library that every process has."""

MAX_LOADED = 64
"""How many games of a kernel stay in memory. A program may search thousands, and each takes a megabyte."""

TIERS = (False, True)
"""Optimised code and quick code."""

LOOK_SECONDS = 0.1
"""Seconds between two looks for the optimised code of a kernel that runs as quick code."""

_lock = threading.RLock()
"""Held while one thread compiles. Numba and LLVM run in one thread at a time."""


class LinkedKernel:
    """A kernel over any game, with arguments of fixed kinds (see rule_interface.py)."""

    def __init__(self, name: str, function: Any, kinds: tuple[str, ...]) -> None:
        self.name = name
        self.function = function
        self.kinds = kinds
        self.reads_game = reads_first_argument(function)
        """Whether the code depends on the game. If not, all games share it."""
        self._loaded: OrderedDict[str, Any] = OrderedDict()
        """The kernels in memory, by game; the one that was used last comes last."""
        self._looked: dict[str, float] = {}
        """When it was last looked for better code, by game: for kernels in memory that another process optimises."""
        self.hits = self.misses = 0
        """How many games were found in the cache, and how many not."""

    def load(self, game: Game) -> Any:
        """The kernel for this game, ready to be called; compiled if it is in no cache."""
        name = self._name(game)
        found = self._loaded.get(name)
        if found is None:
            self.wait(game)
            found = self._load(game)
            if found is None:
                with _lock:
                    found = self._loaded.get(name) or self._load(game) or self._compile(game)
            self._loaded[name] = found
            with suppress(KeyError):  # another thread was faster
                while len(self._loaded) > MAX_LOADED:
                    self._loaded.popitem(last=False)
        elif time.monotonic() - self._looked.get(name, math.inf) > LOOK_SECONDS:
            found = self._loaded[name] = self._load(game) or found
        with suppress(KeyError):
            self._loaded.move_to_end(name)
        return found

    def wait(self, game: Game) -> None:
        """Wait for another process, if one compiles the kernel."""
        if self._name(game) not in self._loaded:
            with compiling():
                wait_for(game, self.name, lambda: self.has_code(game))

    def is_cached(self, game: Game) -> bool:
        """Whether the kernel is in memory or in the cache for this game, optimised."""
        name = self._name(game)
        in_memory = name in self._loaded and name not in self._looked
        return in_memory or self._cached(game, is_quick())[2] is not None

    def has_code(self, game: Game) -> bool:
        """Whether the kernel is in memory or in the cache for this game, optimised or not."""
        return self._name(game) in self._loaded or any(self._cached(game, quick)[2] is not None for quick in TIERS)

    def compile_rules(self, game: Game) -> None:
        """Compile the rules that the kernel calls, into the cache."""
        if not self.has_code(game):
            self.wait(game)
            with _lock, compiling():
                if not self.has_code(game):
                    linked_rules(game, self._kernel_ir()[0]["rules"])

    def compile_quickly(self, game: Game) -> None:
        """Put quick code of the kernel into the cache."""
        with _lock, compiling():
            if not self.has_code(game):
                self._save(game, True, *self._build(game, True))

    def _name(self, game: Game) -> str:
        """Under what the kernel of a game is kept in memory."""
        name = fingerprint(game) + data_digest(game) if self.reads_game else ""
        return f"{name} quick" if is_quick() else name

    def _cached(self, game: Game, quick: bool) -> tuple[str, str, Any]:
        """The key and the file of the kernel in the cache, and what is there, or None."""
        key = self._code_key(game, quick)
        file = entry_name(self.name, type(game).__name__ if self.reads_game else "", key[:32], "kernel")
        return key, file, unpack(load_entry(file), key)

    def _load(self, game: Game) -> Any:
        """The kernel from the cache; quick code only while another process optimises it. None if it is not there."""
        name, quick = self._name(game), is_quick()
        improves = not quick and is_compiling(game, self.name)
        found = self._cached(game, quick)[2]
        self._looked.pop(name, None)
        if found is None and improves:
            self._looked[name] = time.monotonic()
            if name not in self._loaded:
                found = self._cached(game, True)[2]
        if found is None:
            return None
        self.hits += 1
        return self._loaded_code(game, *found)

    def _compile(self, game: Game) -> Any:
        """Compile the kernel, put it into the cache, and load it."""
        self.misses += 1
        self._looked.pop(self._name(game), None)
        with compiling():
            header, code = self._build(game, is_quick())
        self._save(game, is_quick(), header, code)
        return self._loaded_code(game, header, code)

    def _save(self, game: Game, quick: bool, header: dict[str, Any], code: bytes) -> None:
        if header["cacheable"]:
            key, file, _ = self._cached(game, quick)
            save_entry(file, pack(key, header, code))

    def _loaded_code(self, game: Game, header: dict[str, Any], code: bytes) -> Any:
        from zermelo.native.linking.loader import LoadedKernel

        return LoadedKernel(code, header, self.kinds, layout(game), data_weights(game), network_words(game))

    @functools.cached_property
    def _digest(self) -> str:
        """A hash of the sources of the kernel; of its function too if it is not one of Zermelo's."""
        own = self.function.__module__.startswith("zermelo.")
        return (
            source_digest(*KERNEL_SOURCES)
            if own
            else source_digest(*KERNEL_SOURCES) + function_fingerprint(self.function)
        )

    def _code_key(self, game: Game, quick: bool) -> str:
        from zermelo.native.linking.linker import host

        rules = code_fingerprint(game) if self.reads_game else ""
        parts = (self._digest, self.name, self.kinds, rules, host(), versions(), quick)
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def _build(self, game: Game, quick: bool) -> tuple[dict[str, Any], bytes]:
        """Compile the rules, link them with the kernel, and return header and machine code."""
        from zermelo.native.linking import linker

        kernel, ir = self._kernel_ir()
        rules = linked_rules(game, kernel["rules"])
        state = default_rules.state_ir(layout(game))
        parts = [*data_ir(game), *(rule.ir for rule in rules)]
        module = linker.link(with_state(ir, state), parts, kernel["entry"])
        (linker.inline if quick else linker.optimise)(module)
        constants = {name: value for rule in rules for name, value in rule.environments.items()}
        environments = {name: constants.get(name, []) for name in linker.environments(module)}
        symbols = linker.undefined_symbols(module)
        needs_numba = bool(environments) or any(is_runtime_symbol(name) for name in symbols)
        header = {
            "entry": kernel["entry"], "result": kernel["result"], "environments": environments,
            "needs_numba": needs_numba, "symbols": symbols, "cacheable": all(rule.cacheable for rule in rules),
        }  # fmt: skip
        return header, linker.machine_code(module, 0 if quick else linker.OPTIMISATION)

    def _kernel_ir(self) -> tuple[dict[str, Any], str]:
        """The kernel for any game: its header and its IR."""
        return kernel_code(self.name, self.function, self.kinds)


def is_runtime_symbol(name: str) -> bool:
    """Whether a symbol may belong to Numba's run-time library or to Python: it is none of C's own."""
    return name.removesuffix("f") not in C_FUNCTIONS and name not in C_FUNCTIONS


def reads_first_argument(function: Any) -> bool:
    """Whether a function ever uses its first argument.

    >>> reads_first_argument(lambda game, n: n + 1), reads_first_argument(lambda game, n: game.play(n))
    (False, True)
    """
    return any(each.argval == function.__code__.co_varnames[0] for each in dis.get_instructions(function))
