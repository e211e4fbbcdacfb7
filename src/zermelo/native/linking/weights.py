"""Weights as data: compiled code reads them at run time, so that new weights need no compiler.

The code of a linked kernel has a global array for the weights, and the loader fills it. They are constants, as any
other member, where the author's own rules use them.

A learned evaluation (networks/learned_game.py) is an array of words that a game carries. The code has a global for its
address and length, which the loader sets.
"""

from __future__ import annotations

import types
from typing import Any

from zermelo.game import Game
from zermelo.native.fingerprints import author_members, fingerprint, fingerprint_without
from zermelo.native.linking.rule_dependencies import names_in
from zermelo.word_arrays import Words

WEIGHTS_SYMBOL = "zermelo.weights"

NETWORK_SYMBOL = "zermelo.network"
"""The global with address and length of a learned evaluation."""


def data_weights(game: Game) -> list[float] | None:
    """The weights of a game if they are data, else None."""
    if not game.has("features") or game.has("evaluate") or _is_named(game):
        return None
    try:
        weights, features = [float(weight) for weight in game.weights], game.features(game.initial())
        # compiled, a tuple has the same length in every state
        return weights if isinstance(features, tuple) and len(weights) == len(features) else None
    except Exception:  # rules of any kind; what is wrong is reported where they are called
        return None


def _is_named(game: Game) -> bool:
    """Whether a rule of the author names the weights, or the evaluation, which has them as constants then."""
    members: list[Any] = [getattr(member, "__func__", member) for _, member in author_members(type(game))]
    named = (names_in(each) for each in members if isinstance(each, types.FunctionType))
    return any(names & {"weights", "evaluate"} for names in named)


def code_fingerprint(game: Game) -> str:
    """The fingerprint of what compiled code depends on: without weights that are data."""
    name: str | None = game.__dict__.get("_code_fingerprint")
    if name is None:
        name = fingerprint(game) if data_weights(game) is None else fingerprint_without(game, "weights")
        object.__setattr__(game, "_code_fingerprint", name)
    return name


def network_words(game: Game) -> Words | None:
    """The words of a learned evaluation that a game carries; None without one."""
    return game.__dict__.get("_network_words")


def data_digest(game: Game) -> str:
    """A hash of a learned evaluation: kernels with different data are different ones in memory, with the same code."""
    return str(game.__dict__.get("_network_digest", ""))


def data_ir(game: Game) -> list[str]:
    """The definitions of the globals that a game's data need."""
    weights = data_weights(game)
    found = [] if weights is None else [f"@{WEIGHTS_SYMBOL} = global [{len(weights)} x double] zeroinitializer\n"]
    return found if network_words(game) is None else [*found, f"@{NETWORK_SYMBOL} = global [2 x i64] zeroinitializer\n"]
