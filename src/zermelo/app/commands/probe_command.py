"""zermelo probe: what a solution says of a position."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo import rules
from zermelo.app.commands.game_commands import hint_to_name_game, open_game
from zermelo.app.output import console, named, odds, print_json
from zermelo.game import ONGOING, Game, State
from zermelo.games.registry import position
from zermelo.play.session import name_in_sentence, who_moves
from zermelo.searching.runtime.search_threads import in_background
from zermelo.solving.solution import Solution
from zermelo.value import Value


def probe(file: Path, text: str, moves: str, *, as_json: bool) -> None:
    """Look a position up in a file: its value, those of its moves, and a perfect game from there."""
    game = open_game(text) if text else None
    with hint_to_name_game("with --game my_game.py:MyGame"):
        solution = in_background(lambda: Solution.open(file, game, check=False))
    state = position(solution.game, moves)
    solution.check(state)  # compares the state's value with those of its successors
    if as_json:
        print_json(_probed(solution, state))
        return
    for line in _answers(solution, state):
        console().print(line)


def _probed(solution: Solution, state: State) -> dict[str, Any]:
    game = solution.game
    values = solution.moves(state)
    return {
        "game": named(game),
        "state": game.state_text(state),
        "value": solution.value(state).to_dict(),
        "moves": {game.move_text(state, move): value.to_dict() for move, value in values.items()},
        "best": [game.move_text(state, move) for move in solution.best(state)],
        "line": _line(solution, state),
    }


def _answers(solution: Solution, state: State) -> Iterator[str]:
    game = solution.game
    mover = rules.mover(game, state)
    whose = who_moves(game, state)
    if mover is not None and (game.is_chance(state) or game.result(state) != ONGOING):
        whose = name_in_sentence(game, state, mover)
    yield f"{game!r}, {game.state_text(state)}"
    yield f"Value for {whose}: {value_text(solution, solution.value(state))}"
    values = {game.move_text(state, move): value for move, value in solution.moves(state).items()}
    width = max(map(len, values), default=0)
    chances = _chances(game, state)
    for move, value in values.items():
        yield f"  {move:<{width}}  {value_text(solution, value)}{chances.get(move, '')}"
    if line := _line(solution, state):
        yield f"Line: {' '.join(line)}"


def _chances(game: Game, state: State) -> dict[str, str]:
    """What is said of each outcome where chance moves: how probable it is."""
    if game.result(state) != ONGOING or not game.is_chance(state):
        return {}
    return {game.move_text(state, outcome): f"  ({odds(share)})" for outcome, share in game.chances(state)}


def _line(solution: Solution, state: State) -> list[str]:
    """A perfect game, in the game's notation."""
    texts = []
    for move in solution.line(state):
        texts.append(solution.game.move_text(state, move))
        state = rules.checked_play(solution.game, state, move)
    return texts


def value_text(solution: Solution, value: Value) -> str:
    """A value in words; an expectation with as many digits as are proven."""
    error = solution.header.error
    return f"{value.score:+.{round(-math.log10(error))}f}" if error else str(value)
