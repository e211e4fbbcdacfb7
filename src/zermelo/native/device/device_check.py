"""Whether the rules of a game compile for a GPU; if not, which rule, which line and why."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game import Game, GameError
from zermelo.native.codegen.syntax_trees import NotPlain
from zermelo.native.device.cuda import CudaGame
from zermelo.native.device.device_functions import store_state
from zermelo.native.device.device_platform import arrays, compiles, missing_device
from zermelo.native.fingerprints import fingerprint

_errors: dict[str, str | None] = {}


def check_device(where: str, game: Game) -> None:
    """Raise GameError if there is no GPU, or the rules do not compile for it."""
    reason = missing_device()
    if reason is not None:
        raise GameError(f'{where}: on="cuda" needs an NVIDIA GPU, and {reason}.')
    reason = cuda_error(game)
    if reason is not None:
        raise GameError(f'{where}: on="cuda" needs rules that compile for a GPU, and these do not. {reason}.')


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
            if compiles():
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
        store_state(game, game.play(game.initial(), out[place]), out, place)


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
            store_state(game, image, out, place)


def _probe_canonical(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        store_state(game, game.canonical(game.initial()), out, place)


def _probe_stage(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        out[place] = game.stage(game.initial())


def _probe_index(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        out[place] = game.index(game.initial())


def _probe_at(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        store_state(game, game.at(out[place], out[place]), out, place)


def _probe_predecessors(game: Any, place: int, out: Any) -> None:
    if out[place] != 0:
        for before in game.predecessors(game.initial()):
            store_state(game, before, out, place)
