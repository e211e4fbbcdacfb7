"""The identity of a solved game: what a database must have been made of to be believed."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

from zermelo import rules
from zermelo.formatting import plain_repr
from zermelo.game import Game, GameError
from zermelo.native.fingerprints import rules_fingerprint
from zermelo.solving.random_play import random_games

HEURISTIC_RULES = (
    "evaluate", "features", "weights", "order", "noisy", "forcing", "skip", "reductions", "bounds", "candidates", "key",
    "native", "payoff_bounds",
)  # fmt: skip
"""Rules and facts that change how a value is found, not what it is."""

FINGERPRINT_GAMES, FINGERPRINT_PLIES = 50, 300
"""How much play the fingerprint of a game's behaviour covers."""


def identity(game: Game) -> dict[str, Any]:
    """What a database says of the game it was made for."""
    return {
        "game": repr(game),
        "rules": rules_fingerprint(game, HEURISTIC_RULES),
        "python": python_version(),
        "behaviour": behaviour(game),
    }


def python_version() -> str:
    """The version of Python whose bytecode the fingerprint of rules is made of."""
    return "{}.{}".format(*sys.version_info)


def check_identity(game: Game, header: dict[str, Any], path: Any, make: str = "solve", *, own: bool = False) -> None:
    """Raise GameError if a file was made for another game, or for other rules of this one; `make` names the remedy.

    Under one version of Python, bytecode tells two versions of the rules apart. Under another one behaviour must do.
    So it must for Zermelo's own games and for files that ship with them (`own`): a renamed variable changes bytecode,
    and the rules are the same.
    """
    own = own or type(game).__module__.startswith("zermelo.games.")
    if header.get("game") != repr(game):
        raise GameError(f"{path} was made for {header.get('game')}, not for {game!r}.")
    if header.get("python") == python_version() and not own:
        same = header.get("rules") == rules_fingerprint(game, HEURISTIC_RULES)
    else:
        same = header.get("behaviour") == behaviour(game)
    if not same:
        raise GameError(f"{path} was made for other rules of {game!r}; {make} it anew.")


def behaviour(game: Game) -> str:
    """A name for what the rules do in some games played at random."""
    digest = hashlib.sha256()
    for states in random_games(game, FINGERPRINT_GAMES, FINGERPRINT_PLIES, seed=0):
        for state, moves in states:
            facts: tuple[Any, ...] = (state, moves, game.result(state), game.stage(state), rules.mover(game, state))
            if game.is_chance(state):
                facts += (list(game.chances(state)),)
            digest.update(plain_repr(facts).encode())
    return digest.hexdigest()[:20]
