"""CUDA: the third way to run a kernel. Everything that knows numba-cuda and CuPy is in this file.

A kernel for a GPU is a plain function of a game, a place and arrays: it does the work of one place. Kernel and rules
are rewritten into plain functions of numbers (codegen/plain_rules.py), which numba-cuda compiles. CuPy has the arrays,
and sorts and adds them. Where NUMBA_ENABLE_CUDASIM is set, Numba's simulator runs the same functions as Python and
NumPy has the arrays, so that the tests need no GPU.
"""

from __future__ import annotations

import functools
import inspect
import os
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np

from zermelo import bits, keys, rules, tuples
from zermelo.game import Game, GameError
from zermelo.native.codegen.plain_rules import Library, NotPlain, PlainRules
from zermelo.native.compilability import layout
from zermelo.native.device import device_functions
from zermelo.native.fingerprints import fingerprint
from zermelo.native.state_layout import Layout

STATE_RULES = ("play", "canonical", "at", "skip")
INT_RULES = ("result", "stuck", "mover", "stage", "size", "index", "order")
TRUTH_RULES = ("is_chance", "noisy", "forcing")

BLOCK_THREADS = 256
SIMULATED_THREADS = 64
"""Threads of a block, on a GPU and in the simulator."""

SEGMENT_BYTES, COPY_THREADS = 1 << 24, 8
"""Large arrays are copied to the host in segments of this size, by so many threads."""

_devices: dict[Any, CudaGame] = {}
_errors: dict[str, str | None] = {}


# -- what there is -----------------------------------------------------------------------------------------------------


def is_simulated() -> bool:
    """Whether Numba's simulator stands in for a GPU."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


@functools.cache
def _compiles() -> bool:
    """Whether functions are compiled: without a GPU they are only rewritten."""
    return not is_simulated() and missing_device() is None


@functools.cache
def missing_device() -> str | None:
    """Why this process has no GPU to run on, as a sentence; None if it has one."""
    if is_simulated():
        return None
    for package in ("cupy", "numba_cuda"):
        if find_spec(package) is None:
            return f"{package.replace('_', '-')} is not installed (pip install 'zermelo[cuda]')"
    try:
        with _quiet():
            found = bool(_cuda().is_available())
    except Exception as error:
        return f"CUDA does not start here ({type(error).__name__}: {str(error).strip().splitlines()[0]})"
    return None if found else "this machine has no NVIDIA GPU, or its driver is missing"


def check_device(where: str, game: Game) -> None:
    """Raise GameError if there is no GPU, or the rules do not compile for it."""
    reason = missing_device()
    if reason is not None:
        raise GameError(f'{where}: on="cuda" needs an NVIDIA GPU, and {reason}.')
    reason = cuda_error(game)
    if reason is not None:
        raise GameError(f'{where}: on="cuda" needs rules that compile for a GPU, and these do not. {reason}.')


@functools.cache
def _cuda() -> Any:
    """numba.cuda. NumPy 2.4 removed names that some versions of numba-cuda ask for."""
    for name in ("row_stack", "trapz", "in1d"):
        if not hasattr(np, name):
            setattr(np, name, np.vstack)
    with _quiet():
        from numba import cuda
    return cuda


@contextmanager
def _quiet() -> Iterator[None]:
    """Ignore warnings of numba-cuda, such as those of grids that do not fill the GPU."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@functools.cache
def arrays() -> Any:
    """The module that has arrays where kernels can reach them: CuPy, or NumPy in the simulator."""
    if is_simulated():
        return np
    import cupy

    return cupy


def to_host(array: Any) -> Any:
    """A copy of an array in the memory of the host."""
    if is_simulated():
        return np.array(array)
    return array.get() if array.nbytes < 4 * SEGMENT_BYTES else _copy_in_segments(array)


def _copy_in_segments(array: Any) -> Any:
    """Copy a large array through pinned memory, in several threads."""
    cupy = arrays()
    source = cupy.ascontiguousarray(array).reshape(-1)
    copy = np.empty(len(source), source.dtype)
    size = SEGMENT_BYTES // source.itemsize
    starts = list(range(0, len(source), size))
    device = cupy.cuda.Device()
    synchronize()

    def work(_: int) -> None:
        with device, cupy.cuda.Stream(non_blocking=True) as stream:
            pinned = cupy.cuda.alloc_pinned_memory(SEGMENT_BYTES)
            while starts:
                try:
                    start = starts.pop()
                except IndexError:
                    break
                part = source[start : start + size]
                staged = np.frombuffer(pinned, source.dtype, len(part))
                part.get(stream=stream, out=staged)
                stream.synchronize()
                copy[start : start + size] = staged

    with ThreadPoolExecutor(COPY_THREADS) as pool:
        list(pool.map(work, range(COPY_THREADS)))
    return copy.reshape(array.shape)


def free_memory() -> int:
    """Bytes of the device that can be allocated."""
    if is_simulated():
        return 1 << 30
    cupy = arrays()
    pool = cupy.get_default_memory_pool()
    return int(cupy.cuda.runtime.memGetInfo()[0]) + int(pool.free_bytes())


def release_memory() -> None:
    """Give memory that no array uses back to the device."""
    if not is_simulated():
        arrays().get_default_memory_pool().free_all_blocks()


def synchronize() -> None:
    """Wait until the device has done all its work."""
    if not is_simulated():
        _cuda().synchronize()


# -- the rules of one game ---------------------------------------------------------------------------------------------


class CudaGame:
    """A game whose rules and kernels run on the GPU."""

    def __init__(self, game: Game, known: dict[Any, Callable[..., Any]] | None = None) -> None:
        self.game = game
        library = _library(game)
        for stub, function in (known or {}).items():
            library.known[stub] = library.compile(function)  # type: ignore[arg-type]
        self.rules = PlainRules(game, library)
        self._entries: dict[Any, Any] = {}
        self._tables: tuple[Any, ...] = ()

    def run(self, kernel: Callable[..., None], count: int, *arguments: Any) -> None:
        """Run `kernel(game, place, *arguments)` for every place below `count`, each in a thread of its own."""
        if count <= 0:
            return
        entry = self._entries.get(kernel)
        if entry is None:
            entry = self._entries[kernel] = self._entry(kernel)
        threads = min(count, SIMULATED_THREADS) if is_simulated() else BLOCK_THREADS
        if is_simulated():
            from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

            # as arrays of a device: those of the host would be copied, and two views of one array come apart
            arguments = tuple(FakeCUDAArray(each) if isinstance(each, np.ndarray) else each for each in arguments)
        with _quiet():
            entry[-(-count // threads), threads](self.tables, count, *arguments)

    @property
    def tables(self) -> tuple[Any, ...]:
        """The arrays of the game on the device. There is always one, since an empty tuple has no type."""
        new = self.rules.tables[len(self._tables) :]
        self._tables += tuple(arrays().asarray(np.ascontiguousarray(table)) for table in new)
        return self._tables or (arrays().zeros(1, np.int64),)

    def _entry(self, kernel: Any) -> Any:
        body = self.rules.function(kernel, (0,))
        names = ", ".join(list(inspect.signature(kernel).parameters)[2:])
        scope: dict[str, Any] = {"_body": body, "cuda": _cuda()}
        text = f"def {kernel.__name__}(_tables, _count, {names}):\n    _place = cuda.grid(1)\n"
        exec(text + f"    if _place < _count:\n        _body(_tables, _place, {names})", scope)
        return _cuda().jit(scope[kernel.__name__])


def cuda_game(game: Game, made_for: Any = None, known: Callable[[], dict[Any, Any]] = dict) -> CudaGame:
    """The game on the GPU, with functions that are `made_for` something, such as a packing. Its kernels are kept."""
    name = fingerprint(game), made_for
    if name not in _devices:
        _devices[name] = CudaGame(game, known())
    return _devices[name]


def cuda_error(game: Game) -> str | None:
    """The rule that does not compile for a GPU, its line and the reason; None if every rule compiles.

    Without a GPU only what the rewriting finds is known.
    """
    name = fingerprint(game)
    if name not in _errors:
        _errors[name] = game.native_error or _diagnose(game)
    return _errors[name]


def _diagnose(game: Game) -> str | None:
    from zermelo.native.diagnostics import _rules_in_order, _short_message

    device = CudaGame(game)
    needed = ("moves", "play", "result", "mover", "stuck", "is_chance", "chances", "symmetries", "canonical", "stage",
              "index", "at", "predecessors")  # fmt: skip
    for rule, function in _rules_in_order(game):
        if rule not in needed:
            continue
        try:
            device.rules.function(_probe(rule), (0,))
            if _compiles():
                device.run(_probe(rule), 1, arrays().zeros(1, np.int64))
        except NotPlain as error:
            place = "" if error.function is function else f" of {error.function.__name__}"
            return f"{type(game).__name__}.{rule}, line {error.line}{place}: {error.reason}"
        except Exception as error:
            return f"{type(game).__name__}.{rule}, {_short_message(error, function)}"
    return None


def _probe(rule: str) -> Any:
    return {
        "moves": _probe_moves, "play": _probe_play, "result": _probe_result, "mover": _probe_mover,
        "stuck": _probe_stuck, "is_chance": _probe_is_chance, "chances": _probe_chances,
        "symmetries": _probe_symmetries, "canonical": _probe_canonical, "stage": _probe_stage, "index": _probe_index,
        "at": _probe_at, "predecessors": _probe_predecessors,
    }[rule]  # fmt: skip


# Kernels that call one rule each, to find the one that does not compile. They run in one thread, which does nothing.


def _probe_moves(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        for move in game.moves(game.initial()):
            out[place] += move


def _probe_play(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        state = game.initial()
        state = game.play(state, out[place])
        out[place] = game.result(state)


def _probe_result(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        out[place] = game.result(game.initial())


def _probe_mover(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        out[place] = game.mover(game.initial())


def _probe_stuck(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        out[place] = game.stuck(game.initial())


def _probe_is_chance(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        out[place] = 1 if game.is_chance(game.initial()) else 0


def _probe_chances(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        for outcome, probability in game.chances(game.initial()):
            out[place] += outcome if probability > 0 else 0


def _probe_symmetries(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        for image in game.symmetries(game.initial()):
            out[place] += game.result(image)


def _probe_canonical(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        out[place] = game.result(game.canonical(game.initial()))


def _probe_stage(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        out[place] = game.stage(game.initial())


def _probe_index(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        out[place] = game.index(game.initial())


def _probe_at(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        out[place] = game.result(game.at(out[place], out[place]))


def _probe_predecessors(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        for before in game.predecessors(game.initial()):
            out[place] += game.result(before)


# -- the library: what functions of Zermelo are on a GPU ---------------------------------------------------------------


def _library(game: Game) -> Library:
    compile = _device_function
    cast_state = compile(_state_cast(game))
    number = _functions()
    results = {**dict.fromkeys(STATE_RULES, cast_state), **dict.fromkeys(INT_RULES, number["int64"])}
    results |= {**dict.fromkeys(TRUTH_RULES, number["truth"]), "key": number["uint64"]}
    items = {"moves": number["int64"], "candidates": number["int64"], "symmetries": cast_state,
             "predecessors": cast_state, "chances": (number["int64"], number["float64"])}  # fmt: skip
    constants = (
        keys.key_is_exact, rules.has_distance, rules.has_skip, rules.has_noise, rules.has_index,
        rules.has_predecessors, rules.has_chance, rules.alternates, rules.state_length,
    )  # fmt: skip
    chosen: dict[Any, Callable[[Game], Any]] = {fact: fact for fact in constants}
    chosen[rules.moves_into] = lambda game: _moves_into
    chosen[rules.count_moves] = lambda game: _count_moves
    chosen[rules.chances_into] = lambda game: _chances_into if rules.has_chance(game) else _no_chances_into
    chosen[rules.canonical] = lambda game: _canonical if game.has("canonical") else _least_image(game)
    chosen[rules.orbit_size] = lambda game: _orbit_size if game.has("symmetries") else _one
    chosen[rules.changes_player] = lambda game: _always if rules.alternates(game) else _changes_player
    chosen[Game.stuck] = lambda game: _not_stuck
    chosen[Game.chances] = lambda game: _no_chance
    chosen[Game.canonical] = _least_image
    chosen[bits.ones] = lambda game: _ones
    for base in type(game).__mro__:  # the initial state is a constant
        if "initial" in vars(base):
            chosen[vars(base)["initial"]] = lambda game: _initial
    known = {getattr(bits, name): function for name, function in number["bits"].items()}
    known |= {
        device_functions.load_state: compile(_state_loader(game)),
        device_functions.store_state: compile(_state_storer(game)),
        image_word: compile(_image_word(game)),
    }
    known |= {_constant_state: compile(_initial_state(game)), tuples.replace: number["replace"]}
    return Library(
        compile, known, chosen, lambda game, rule: results.get(rule), lambda game, rule: items.get(rule),
        _SPELLED if _compiles() or is_simulated() else {},
        {"cuda": _cuda() if _compiles() else _SimulatedModule(), "np": np},
    )  # fmt: skip


_SPELLED = {
    device_functions.local_ints: "cuda.local.array({0}, np.int64)",
    device_functions.local_reals: "cuda.local.array({0}, np.float64)",
    device_functions.local_counts: "cuda.local.array({0}, np.uint32)",
    device_functions.atomic_add: "cuda.atomic.add({0}, {1}, {2})",
    device_functions.atomic_sub: "cuda.atomic.sub({0}, {1}, {2})",
    device_functions.atomic_max: "cuda.atomic.max({0}, {1}, {2})",
    device_functions.atomic_or: "cuda.atomic.or_({0}, {1}, {2})",
    device_functions.atomic_and: "cuda.atomic.and_({0}, {1}, {2})",
    device_functions.thread_count: "cuda.gridsize(1)",
    device_functions.word32: "np.uint32({0})",
}


class _SimulatedModule:
    """What `cuda` is in a function that a simulated kernel calls. The simulator's own device functions are not safe in
    several threads: each replaces the module for a time, and puts it back while others run."""

    def __getattr__(self, name: str) -> Any:
        from numba.cuda.simulator.kernel import _get_kernel_context

        return getattr(_get_kernel_context(), name)


def _device_function(function: Any) -> Any:
    if not _compiles():
        return function
    with _quiet():
        return _cuda().jit(device=True)(function)


# The functions below are rewritten for each game, so they are as plain as rules.


def _constant_state() -> Any:
    raise NotImplementedError


def _initial(game: Any) -> Any:
    return _constant_state()


def _moves_into(game: Any, state: Any, buffer: Any) -> int:
    count = 0
    for move in game.moves(state):
        if count < len(buffer):
            buffer[count] = move
        count += 1
    return count


def _count_moves(game: Any, state: Any) -> int:
    count = 0
    for _ in game.moves(state):
        count += 1
    return count


def _chances_into(game: Any, state: Any, outcomes: Any, probabilities: Any) -> int:
    count = 0
    for outcome, probability in game.chances(state):
        if count < len(outcomes):
            outcomes[count] = outcome
            probabilities[count] = probability
        count += 1
    return count


def _no_chances_into(game: Any, state: Any, outcomes: Any, probabilities: Any) -> int:
    return 0


def _canonical(game: Any, state: Any) -> Any:
    return game.canonical(state)


def _least_image(game: Game) -> Any:
    return _least if game.has("symmetries") else _same


def _least(game: Any, state: Any) -> Any:
    best = state
    for image in game.symmetries(state):
        if image < best:
            best = image
    return best


def _same(game: Any, state: Any) -> Any:
    return state


def _one(game: Any, state: Any, scratch: Any = None) -> int:
    return 1


def image_word(game: Any, state: Any) -> int:
    """A number that most states of an orbit do not share."""
    raise NotImplementedError


def _orbit_size(game: Any, state: Any, scratch: Any = None) -> int:
    """The number of distinct images, which are told apart by their words; compared where two words are equal."""
    words = device_functions.local_ints(32)
    count, room = 0, True
    for image in game.symmetries(state):
        if image != state:
            if count < 32:
                words[count] = image_word(game, image)
                count += 1
            else:
                room = False
    for i in range(1, count):
        for j in range(i):
            if words[i] == words[j]:
                room = False
    return count + 1 if room else _distinct_images(game, state)


def _distinct_images(game: Any, state: Any) -> int:
    """The number of distinct images: those that no earlier one equals."""
    count, place = 1, 0
    for image in game.symmetries(state):
        new, earlier = image != state, 0
        for another in game.symmetries(state):
            if earlier == place:
                break
            earlier += 1  # noqa: SIM113  (no enumerate over a generator)
            if another == image:
                new = False
                break
        place += 1  # noqa: SIM113
        if new:
            count += 1
    return count


def _always(game: Any, state: Any, child: Any) -> bool:
    return True


def _changes_player(game: Any, state: Any, child: Any) -> Any:
    return game.mover(state) != game.mover(child)


def _not_stuck(game: Any, state: Any) -> int:
    return device_functions.NO_STUCK_RULE


def _no_chance(game: Any, state: Any) -> Any:
    for outcome in range(0):
        yield outcome, 1.0


def _ones(x: Any) -> Any:
    word = bits.unsigned(x)
    while word:
        yield bits.lsb(word)
        word &= bits.subtract(word, 1)


# -- casts of states ---------------------------------------------------------------------------------------------------


def _state_cast(game: Game) -> Any:
    """A function that casts a tuple of the right shape to a state, each number to its machine type."""
    scope: dict[str, Any] = {**_casts()}
    text = _cast_text(layout(game), "state", scope)
    exec(f"def cast_state(state):\n    return {text}", scope)
    return scope["cast_state"]


def _state_loader(game: Game) -> Any:
    text, scope = state_text(game, [f"rows[at + {i}]" for i in range(rules.state_length(game))])
    exec(f"def load_state(game, rows, at):\n    return {text}", scope)
    return scope["load_state"]


def _state_storer(game: Game) -> Any:
    scope: dict[str, Any] = {**_casts()}
    stores = (f"    rows[at + {i}] = cast_int64({text})" for i, text in enumerate(number_texts(game, "state")))
    exec("\n".join(["def store_state(game, state, rows, at):", *stores]), scope)
    return scope["store_state"]


def _image_word(game: Game) -> Any:
    scope: dict[str, Any] = {**_casts()}
    terms = (
        f"cast_uint64({text}) * cast_uint64({pow(keys.KEY_MULTIPLIER, place, 1 << 64)})"
        for place, text in enumerate(number_texts(game, "state"), 1)
    )
    exec(f"def image_word(game, state):\n    return cast_int64({' + '.join(terms)})", scope)
    return scope["image_word"]


def _initial_state(game: Game) -> Any:
    scope: dict[str, Any] = {**_casts()}
    numbers = iter(rules.numbers(game.initial()))
    text = _constant_text(layout(game), numbers, scope)
    exec(f"def initial_state():\n    return {text}", scope)
    return scope["initial_state"]


def state_text(game: Game, numbers: list[str]) -> tuple[str, dict[str, Any]]:
    """An expression of a state whose numbers are these expressions, and the names it uses."""
    scope: dict[str, Any] = {**_casts()}
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


# -- numbers and bits --------------------------------------------------------------------------------------------------


def machine_casts() -> dict[str, Any]:
    """Casts to machine types, by the names that generated functions use."""
    return dict(_casts())


@functools.cache
def _casts() -> dict[str, Any]:
    """Casts to machine types, by their names in the texts above."""
    from zermelo.native.state_layout import MACHINE_TYPES

    if not _compiles():
        casts: dict[str, Any] = {f"cast_{name}": np.dtype(name).type for name in MACHINE_TYPES}
        casts |= {f"cast_int{width}": _wrapping(width) for width in (8, 16, 32, 64)}
        return casts | {"cast_uint64": lambda x: bits.unsigned(int(x)), "cast_bool": bool, "cast_float64": float}
    casts = {f"cast_{name}": getattr(np, name) for name in MACHINE_TYPES if name != "bool"}
    return casts | {"cast_bool": bool}


def _wrapping(width: int) -> Any:
    half = 1 << width - 1
    return lambda x: (int(x) + half) % (2 * half) - half


@functools.cache
def _functions() -> dict[str, Any]:
    """Device functions of numbers: casts, those of bits.py, and tuples.replace."""
    if not _compiles():
        names = [name for name in vars(bits) if not name.startswith("_") and callable(getattr(bits, name))]
        plain = {
            name: getattr(bits, name)
            for name in names
            if getattr(getattr(bits, name), "__module__", "") == "zermelo.bits"
        }
        plain.pop("ones")
        return {
            "bits": plain, "replace": tuples.replace, "truth": bool, "float64": float,
            "int64": _casts()["cast_int64"], "uint64": _casts()["cast_uint64"],
        }  # fmt: skip
    return _compiled_functions()


def _compiled_functions() -> dict[str, Any]:
    cuda, device = _cuda(), _device_function

    @device
    def int64(x):  # type: ignore[no-untyped-def]
        return np.int64(x)

    @device
    def uint64(x):  # type: ignore[no-untyped-def]
        return np.uint64(x)

    @device
    def float64(x):  # type: ignore[no-untyped-def]
        return np.float64(x)

    @device
    def truth(x):  # type: ignore[no-untyped-def]
        return bool(x)

    @device
    def popcount(x):  # type: ignore[no-untyped-def]
        return np.int64(cuda.popc(np.uint64(x)))

    @device
    def lsb(x):  # type: ignore[no-untyped-def]
        found = np.int64(cuda.ffs(np.uint64(x)))
        return found - 1 if found != 0 else np.int64(64)

    @device
    def msb(x):  # type: ignore[no-untyped-def]
        return 63 - np.int64(cuda.clz(np.uint64(x)))

    @device
    def bit(i):  # type: ignore[no-untyped-def]
        return np.uint64(1) << np.uint64(i) if 0 <= i < 64 else np.uint64(0)

    @device
    def has_bit(x, i):  # type: ignore[no-untyped-def]
        return 0 <= i < 64 and np.uint64(x) >> np.uint64(i) & np.uint64(1) != np.uint64(0)

    @device
    def shift_left(x, count):  # type: ignore[no-untyped-def]
        if 0 <= count < 64:
            return np.uint64(x) << np.uint64(count)
        if -64 < count < 0:
            return np.uint64(x) >> np.uint64(-np.int64(count))
        return np.uint64(0)

    @device
    def shift_right(x, count):  # type: ignore[no-untyped-def]
        if 0 <= count < 64:
            return np.uint64(x) >> np.uint64(count)
        if -64 < count < 0:
            return np.uint64(x) << np.uint64(-np.int64(count))
        return np.uint64(0)

    @device
    def rotate_left(x, count):  # type: ignore[no-untyped-def]
        up, down = np.uint64(count) & np.uint64(63), np.uint64(-np.int64(count)) & np.uint64(63)
        return np.uint64(x) << up | np.uint64(x) >> down

    @device
    def reverse(x):  # type: ignore[no-untyped-def]
        return np.uint64(cuda.brev(np.uint64(x)))

    @device
    def byte_swap(x):  # type: ignore[no-untyped-def]
        word = np.uint64(x)
        word = (word & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8) | word >> np.uint64(8) & np.uint64(
            0x00FF00FF00FF00FF
        )
        word = (word & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16) | word >> np.uint64(16) & np.uint64(
            0x0000FFFF0000FFFF
        )
        return word << np.uint64(32) | word >> np.uint64(32)

    @device
    def add(a, b):  # type: ignore[no-untyped-def]
        return np.uint64(a) + np.uint64(b)

    @device
    def subtract(a, b):  # type: ignore[no-untyped-def]
        return np.uint64(a) - np.uint64(b)

    @device
    def multiply(a, b):  # type: ignore[no-untyped-def]
        return np.uint64(a) * np.uint64(b)

    @device
    def remainder(a, b):  # type: ignore[no-untyped-def]
        return np.uint64(a) % np.uint64(b) if np.uint64(b) != np.uint64(0) else np.uint64(0)

    @device
    def mix(x):  # type: ignore[no-untyped-def]
        word = np.uint64(x) + np.uint64(0x9E3779B97F4A7C15)
        word = (word ^ word >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ word >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return word ^ word >> np.uint64(31)

    words = {
        "unsigned": uint64, "signed": int64, "popcount": popcount, "lsb": lsb, "msb": msb, "bit": bit,
        "has_bit": has_bit, "shift_left": shift_left, "shift_right": shift_right, "rotate_left": rotate_left,
        "byte_swap": byte_swap, "reverse": reverse, "add": add, "subtract": subtract, "multiply": multiply,
        "remainder": remainder, "mix": mix,
    }  # fmt: skip
    return {
        "bits": words,
        "replace": _tuple_replace(),
        "truth": truth,
        "float64": float64,
        "int64": int64,
        "uint64": uint64,
    }


def _tuple_replace() -> Any:
    """tuples.replace: each part is chosen by comparing its place, since the length is known when it compiles."""
    from numba.cuda.extending import overload

    def replace(parts, i, part):  # type: ignore[no-untyped-def]
        raise NotImplementedError

    @overload(replace)
    def _replace(parts, i, part):  # type: ignore[no-untyped-def]
        chosen = "".join(f"(part if i == {at} else parts[{at}]), " for at in range(len(parts)))
        scope: dict[str, Any] = {}
        exec(f"def implementation(parts, i, part):\n    return ({chosen})", scope)
        return scope["implementation"]

    return replace
