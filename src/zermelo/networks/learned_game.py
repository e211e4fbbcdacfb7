"""A game with a learned evaluation: a copy of the game whose `evaluate` asks a network.

The code of `evaluate` is the same for every network. Compiled, it gets the words of the network from a global that the
loader sets (native/linking/weights.py), so that another network needs no compiler.

A game may know some endings exactly: its `ending_table` is an array of words, and `ending_value(state, words, start)`
what it says of a state, nan where it does not. The table stands behind the weights of a network, and comes before them.

A game may use the networks of another one, whose states its own begin with: `evaluation_game()` is that game,
`evaluation_state(state)` the state that the network evaluates, at the stage `evaluation_stage(state)`, and
`from_evaluation(state, value)` what the value means for the state.
"""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from zermelo.game import Game
from zermelo.networks.network import Network, has_endings
from zermelo.networks.network_evaluation import evaluate_row, read_levels
from zermelo.networks.network_format import DIGIT_WORDS, HIDDEN_WORDS, MAX_CELLS, MAX_HIDDEN, TABLE
from zermelo.rules import evaluation_game, features_into, state_length, state_to_words
from zermelo.word_arrays import Words

KEPT_ATTRIBUTES = ("_original", "_solution", "_state_tables", "native")
"""What a game may carry that is set for it alone: its tablebase, and whether it insists on compiling."""


def with_network(game: Game, network: Network) -> Game:
    """Return a copy of the game that evaluates states by the network."""
    cls = type(game)
    shape = network.shape
    borrowed = network.game != game.__dict__.get("_original", game) and network.game == evaluation_game(game)
    inside = {
        "evaluate": _evaluate,
        "_evaluate_network": _evaluate_borrowed if borrowed else _evaluate_network,
        "_view": _view_of_mover if game.has("mover") else _view_of_nobody,
        "_phase": (_phase_borrowed if borrowed else _phase_of_stage) if shape.stages else _phase_of_cells,
        "_ending_value": _value_in_table if has_endings(game) else _no_value,
        "_read_levels": _read_levels if shape.levels else _read_no_levels,
        "__module__": cls.__module__,
    }
    if borrowed:
        inside["_network_value"] = _evaluate_network
    learned = type(cls.__name__, (cls,), {**inside, "__qualname__": f"<locals>.{cls.__name__}"})
    copy: Game = learned(**{each.name: getattr(game, each.name) for each in fields(game) if each.init})  # type: ignore[arg-type]
    keep_attributes(copy, game)
    attributes: dict[str, Any] = {"_original": game.__dict__.get("_original", game), "_network": network}
    attributes |= {"_network_words": network.words, "_network_digest": network.digest}
    for name, value in attributes.items():
        object.__setattr__(copy, name, value)
    return copy


def keep_attributes(copy: Game, game: Game) -> None:
    """Give the copy of a game what the game carries for itself; `_probe` of a copy with a tablebase relies on it."""
    for name in KEPT_ATTRIBUTES:
        if name in game.__dict__:
            object.__setattr__(copy, name, game.__dict__[name])


def network_of(game: Game) -> Network | None:
    """Return the network of a game that `with_network` made; None for any other game."""
    found: Network | None = game.__dict__.get("_network")
    return found


# -- the rules of the copy -----------------------------------------------------------------------------------------


def _evaluate(self: Any, state: Any) -> Any:
    """The evaluation where rules are interpreted; compiled code calls `_evaluate_network` at once."""
    scratch = Words.zeros(state_length(self) + DIGIT_WORDS + HIDDEN_WORDS)
    return self._evaluate_network(state, self._network_words, scratch)


def _evaluate_network(self: Any, state: Any, network: Any, scratch: Any) -> Any:
    """The evaluation by a network, with scratch memory."""
    known = self._ending_value(state, network)
    if known == known:  # not nan
        return known
    length = state_length(self)
    row = scratch.part(0, length)
    state_to_words(self, state, row)
    digits, sums = scratch.octets(length, MAX_CELLS), scratch.ints(length + DIGIT_WORDS, MAX_HIDDEN)
    self._read_levels(state, network, digits, scratch.reals(length + DIGIT_WORDS, MAX_HIDDEN))
    return evaluate_row(network, row, self._view(state), self._phase(state), digits, sums)  # type: ignore[no-untyped-call]


def _evaluate_borrowed(self: Any, state: Any, network: Any, scratch: Any) -> Any:
    """The evaluation by the network of another game."""
    return self.from_evaluation(state, self._network_value(self.evaluation_state(state), network, scratch))


def _value_in_table(self: Any, state: Any, network: Any) -> Any:
    return self.ending_value(state, network, network[TABLE])


def _no_value(self: Any, state: Any, network: Any) -> Any:
    return math.nan


def _view_of_mover(self: Any, state: Any) -> Any:
    return self.mover(state)


def _view_of_nobody(self: Any, state: Any) -> Any:
    return 0


def _phase_of_stage(self: Any, state: Any) -> Any:
    return self.stage(state)


def _phase_borrowed(self: Any, state: Any) -> Any:
    return self.evaluation_stage(state)


def _phase_of_cells(self: Any, state: Any) -> Any:
    return 0


def _read_levels(self: Any, state: Any, network: Any, digits: Any, features: Any) -> Any:
    features_into(self, state, features)
    read_levels(network, features, digits)  # type: ignore[no-untyped-call]
    return 0


def _read_no_levels(self: Any, state: Any, network: Any, digits: Any, features: Any) -> Any:
    return 0
