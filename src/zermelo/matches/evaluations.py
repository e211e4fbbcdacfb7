"""Other evaluations of a game: players that search the same game and judge its states differently."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from zermelo.arguments import is_number
from zermelo.files import file_errors, read_file
from zermelo.formatting import shortened
from zermelo.game import Game, GameError
from zermelo.games.registry import load


def evaluating(game: Game, evaluation: Game | str | None, weights: Any) -> Game:
    """The game that is searched: the one that is played, or the same with another evaluation."""
    searched = load(evaluation) if isinstance(evaluation, str) else evaluation or game
    if type(searched.initial()) is not type(game.initial()):
        raise GameError(f"{searched!r} cannot evaluate states of {game!r}: its states are of another kind.")
    return searched if weights is None else with_weights(searched, weights)


def with_weights(game: Game, weights: Any) -> Game:
    """The same game with other weights: a file of numbers, numbers with colons between them, or a sequence."""
    numbers = _numbers(weights) if isinstance(weights, str | Path) else list(weights)
    if not game.has("features"):
        raise GameError(f"{game!r} has no `features`, so it has no weights to change.")
    if len(numbers) != len(game.weights) or not all(map(is_number, numbers)):
        raise GameError(
            f"{game!r} has {len(game.weights)} weights, and these are {len(numbers)}: {shortened(str(weights))}."
        )
    values = tuple(float(number) for number in numbers)
    parameters = {each.name: getattr(game, each.name) for each in fields(game) if each.init}  # type: ignore[arg-type]
    if "weights" in parameters:
        return replace(game, weights=values)  # type: ignore[type-var]
    cls = type(game)
    inside = {"weights": values, "__module__": cls.__module__, "__qualname__": f"<locals>.{cls.__name__}"}
    made: Game = type(cls.__name__, (cls,), inside)(**parameters)
    return made


def _numbers(weights: str | Path) -> list[Any]:
    """The numbers that a text holds or a file names."""
    text = str(weights)
    try:
        return [float(part) for part in text.split(":")]
    except ValueError:
        pass
    with file_errors(text, "read"):
        content = read_file(Path(text))
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise GameError(f"{text} holds no weights: it must be a JSON list of numbers.")
    return found
