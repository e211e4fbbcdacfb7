"""The `weights` that searches, engines and commands take: numbers for the game's features, or a learned network."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from zermelo.arguments import is_number
from zermelo.files import file_errors, read_file
from zermelo.formatting import shortened
from zermelo.game import Game, GameError
from zermelo.networks.feature_weights import FeatureWeights
from zermelo.networks.learned_game import keep_attributes, with_network
from zermelo.networks.network import Network
from zermelo.networks.network_file import is_weights_file, read_weights
from zermelo.rules import evaluation_game

Weights = Network | FeatureWeights | str | Path | Iterable[float] | None
"""What an argument `weights` may be: what `learn` returned or its file, numbers, or a text with colons between them."""


def with_weights(game: Game, weights: Weights) -> Game:
    """Return the game that is searched: the same with these weights, or the game itself for None.

    Raise GameError for weights that are none of this game.
    """
    if weights is None:
        return game
    found = weights if isinstance(weights, Network | FeatureWeights) else _opened(game, weights)
    if isinstance(found, list):
        return _with_numbers(game, found, weights)
    if found.game not in (_passed(game), evaluation_game(_passed(game))):
        raise GameError(f"{game!r}: the weights are of {found.game!r}.")
    return with_network(game, found) if isinstance(found, Network) else _with_numbers(game, [*found.weights], weights)


def _passed(game: Game) -> Game:
    """The game without its database."""
    passed: Game = game.__dict__.get("_original", game)
    return passed


def _opened(game: Game, weights: Any) -> Network | FeatureWeights | list[Any]:
    """What was learned and stands in a file, or the numbers that a file, a text or a sequence holds."""
    if not isinstance(weights, str | Path):
        try:
            return list(weights)
        except TypeError:
            raise GameError(f"{game!r}: weights must be a file, a network or numbers, not {weights!r}.") from None
    text = str(weights)
    try:
        return [float(part) for part in text.split(":")]
    except ValueError:
        pass
    with file_errors(text, "read"):
        content = read_file(Path(text))
    if is_weights_file(content):
        return _read(content, text, _passed(game))
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise GameError(f"{text} holds no weights: it must be a file of `zermelo learn`, or a JSON list of numbers.")
    return found


def _read(content: bytes, text: str, game: Game) -> Network | FeatureWeights:
    """What a file holds: weights of the game, or of the one whose evaluation it uses."""
    other = evaluation_game(game)
    try:
        return read_weights(content, text, game)
    except GameError:
        if other == game:
            raise
    return read_weights(content, text, other)


def _with_numbers(game: Game, numbers: list[Any], given: Any) -> Game:
    """The same game with other weights of its features."""
    if not game.has("features"):
        raise GameError(f"{game!r} has no `features`, so it has no weights to change.")
    if len(numbers) != len(game.weights) or not all(map(is_number, numbers)):
        raise GameError(
            f"{game!r} has {len(game.weights)} weights, and these are {len(numbers)}: {shortened(str(given))}."
        )
    values = tuple(float(number) for number in numbers)
    parameters = {each.name: getattr(game, each.name) for each in fields(game) if each.init}  # type: ignore[arg-type]
    if "weights" in parameters:
        made: Game = replace(game, weights=values)  # type: ignore[type-var]
    else:
        cls = type(game)
        inside = {"weights": values, "__module__": cls.__module__, "__qualname__": f"<locals>.{cls.__name__}"}
        made = type(cls.__name__, (cls,), inside)(**parameters)
    keep_attributes(made, game)
    return made
