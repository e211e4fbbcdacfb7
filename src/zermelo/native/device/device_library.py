"""The library of a GPU: what becomes of the functions of Zermelo that kernels and rules call there."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo import bits, keys, rules, tuples
from zermelo.game import Game
from zermelo.native.codegen.device_limits import call_limit
from zermelo.native.codegen.plain_rules import Library
from zermelo.native.device import device_functions, device_rules
from zermelo.native.device.device_numbers import number_functions
from zermelo.native.device.device_platform import compiled_for_device, compiles, is_simulated, numba_cuda
from zermelo.native.device.device_states import (
    image_word_function,
    initial_state_function,
    state_cast,
    state_loader,
    state_storer,
)

STATE_RULES = ("play", "canonical", "at", "skip")
INT_RULES = ("result", "stuck", "mover", "stage", "size", "index", "order")
TRUTH_RULES = ("is_chance", "noisy", "forcing")


def library_of(game: Game) -> Library:
    compile = compiled_for_device
    cast_state = compile(state_cast(game))
    number = number_functions()
    results = {**dict.fromkeys(STATE_RULES, cast_state), **dict.fromkeys(INT_RULES, number["int64"])}
    results |= {**dict.fromkeys(TRUTH_RULES, number["truth"]), "key": number["uint64"]}
    items = {"moves": number["int64"], "candidates": number["int64"], "symmetries": cast_state,
             "predecessors": cast_state, "chances": (number["int64"], number["float64"])}  # fmt: skip
    constants = (
        keys.key_is_exact, rules.has_distance, rules.has_skip, rules.has_noise, rules.has_index,
        rules.has_predecessors, rules.has_chance, rules.alternates, rules.state_length,
    )  # fmt: skip
    chosen: dict[Any, Callable[[Game], Any]] = {fact: fact for fact in constants}
    chosen[rules.moves_into] = lambda game: device_rules.moves_into
    chosen[rules.count_moves] = lambda game: device_rules.count_moves
    chosen[rules.chances_into] = lambda game: (
        device_rules.chances_into if rules.has_chance(game) else device_rules.no_chances_into
    )
    chosen[rules.canonical] = lambda game: (
        device_rules.canonical if game.has("canonical") else device_rules.least_image(game)
    )
    chosen[rules.orbit_size] = lambda game: device_rules.orbit_size if game.has("symmetries") else device_rules.one
    chosen[rules.changes_player] = lambda game: (
        device_rules.always if rules.alternates(game) else device_rules.changes_player
    )
    chosen[Game.stuck] = lambda game: device_rules.not_stuck
    chosen[Game.chances] = lambda game: device_rules.no_chance
    chosen[Game.canonical] = device_rules.least_image
    chosen[bits.ones] = lambda game: device_rules.ones
    for base in type(game).__mro__:  # the initial state is a constant
        if "initial" in vars(base):
            chosen[vars(base)["initial"]] = lambda game: device_rules.initial
    known = {getattr(bits, name): function for name, function in number["bits"].items()}
    known |= {
        device_functions.load_state: compile(state_loader(game)),
        device_functions.store_state: compile(state_storer(game)),
        device_rules.image_word: compile(image_word_function(game)),
    }
    known |= {device_rules.constant_state: compile(initial_state_function(game)), tuples.replace: number["replace"]}
    runs = compiles() or is_simulated()
    known |= {} if runs else {function: function for function in _SPELLED}
    return Library(
        compile, known, chosen, lambda game, rule: results.get(rule), lambda game, rule: items.get(rule),
        _SPELLED if runs else {},
        {**_modules(), "np": np}, call_limit,
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
    device_functions.product: "libdevice.dmul_rn({0}, {1})",
}


def _modules() -> dict[str, Any]:
    """The modules of the functions above."""
    if not compiles():
        return {"cuda": _SimulatedModule(), "libdevice": _SimulatedArithmetic}
    from numba.cuda import libdevice

    return {"cuda": numba_cuda(), "libdevice": libdevice}


class _SimulatedArithmetic:
    """What the simulator has in place of the device's arithmetic."""

    dmul_rn = staticmethod(operator.mul)


class _SimulatedModule:
    """What `cuda` is in a function that a simulated kernel calls. The simulator's own device functions are not safe in
    several threads: each replaces the module for a time, and puts it back while others run."""

    def __getattr__(self, name: str) -> Any:
        from numba.cuda.simulator.kernel import _get_kernel_context

        return getattr(_get_kernel_context(), name)
