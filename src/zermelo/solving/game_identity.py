"""Game identity: which game and rules a database or a book was made for."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
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
"""Rules and facts that guide a search, and do not change values."""

FINGERPRINT_GAMES, FINGERPRINT_PLIES = 50, 300
"""Random games, and plies of each, of the fingerprint of behaviour."""


@dataclass(frozen=True)
class GameIdentity:
    """The game that a file was made for, in the terms that the file stores."""

    game: str
    rules: str
    """Fingerprint of the bytecode of the rules."""
    python: str
    """The version of Python that made the bytecode."""
    behaviour: str
    """Fingerprint of what the rules do in random games."""

    @classmethod
    def of(cls, game: Game) -> GameIdentity:
        """Return the identity of a game."""
        return cls(repr(game), rules_fingerprint(game, HEURISTIC_RULES), python_version(), behaviour(game))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GameIdentity:
        """Return the identity that the JSON of a file has, among other things; an absent part matches no game."""
        return cls(*(str(data.get(field.name)) for field in fields(cls)))

    def to_dict(self) -> dict[str, str]:
        """Return a record for JSON."""
        return asdict(self)

    def check(self, game: Game, path: Any, make: str = "solve", *, own: bool = False) -> None:
        """Raise GameError if a file was made for another game, or for other rules of this one; `make` is the remedy.

        Under the same version of Python, bytecode distinguishes two versions of the rules. Under another version,
        behaviour is compared. So it is for Zermelo's own games and for files that ship with them (`own`): a renamed
        variable changes bytecode, and the rules are the same.
        """
        own = own or is_own_game(game)
        if self.game != repr(game):
            raise GameError(f"{path} was made for {self.game}, not for {game!r}.")
        if self.python == python_version() and not own:
            same = self.rules == rules_fingerprint(game, HEURISTIC_RULES)
        else:
            same = self.behaviour == behaviour(game)
        if not same:
            raise GameError(f"{path} was made for other rules of {game!r}; {make} it anew.")


def is_own_game(game: Game) -> bool:
    """Return whether a game is one of Zermelo's own, whose rules are compared by behaviour."""
    return type(game).__module__.startswith("zermelo.games.")


def ignored_parts(game: Game) -> tuple[str, ...]:
    """Return the parts of an identity that may differ in a checkpoint: bytecode, for Zermelo's own games."""
    return ("rules", "python") if is_own_game(game) else ()


def python_version() -> str:
    """Return the version of Python, which determines bytecode."""
    return "{}.{}".format(*sys.version_info)


def behaviour(game: Game) -> str:
    """Return a fingerprint of what the rules do in some random games."""
    digest = hashlib.sha256()
    for states in random_games(game, FINGERPRINT_GAMES, FINGERPRINT_PLIES, seed=0):
        for state, moves in states:
            facts: tuple[Any, ...] = (state, moves, game.result(state), game.stage(state), rules.mover(game, state))
            if game.is_chance(state):
                facts += (list(game.chances(state)),)
            digest.update(plain_repr(facts).encode())
    return digest.hexdigest()[:20]
