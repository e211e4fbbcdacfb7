"""Game identity: which game and rules a database or a book was made for."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from zermelo import rules
from zermelo.formatting import plain_repr
from zermelo.game import Game, GameError
from zermelo.native.fingerprints import rules_fingerprint
from zermelo.solving.random_play import random_games

HEURISTIC_RULES = (
    "evaluate", "features", "weights", "order", "noisy", "forcing", "skip", "reductions", "futility", "singular",
    "replies", "monte_carlo",
    "bounds", "candidates", "key", "native", "payoff_bounds",
)  # fmt: skip
"""Rules and facts that guide a search, and do not change values."""

FINGERPRINT_GAMES, FINGERPRINT_PLIES = 50, 300
"""Random games, and plies of each, of the fingerprint of behaviour."""

NUMBERING_GAMES, NUMBERING_PLIES = 5, 60
"""The same of the fingerprint of numbering: `canonical` of a game with hundreds of symmetries takes a millisecond."""


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
    numbering: str = ""
    """Fingerprint of `canonical` and `index` in the same games; empty in files that were made before it was stored."""

    @classmethod
    def of(cls, game: Game) -> GameIdentity:
        """Return the identity of a game."""
        bytecode = rules_fingerprint(game, HEURISTIC_RULES)
        return cls(repr(game), bytecode, python_version(), behaviour(game), numbering(game))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GameIdentity:
        """Return the identity that the JSON of a file has, among other things; an absent part matches no game."""
        required = {name: str(data.get(name)) for name in ("game", "rules", "python", "behaviour")}
        return cls(**required, numbering=str(data.get("numbering", "")))

    def to_dict(self) -> dict[str, str]:
        """Return a record for JSON."""
        return asdict(self)

    def check(self, game: Game, path: Any, make: str = "solve", *, own: bool = False) -> None:
        """Raise GameError if a file was made for another game, or for other rules of this one; `make` is the remedy.

        Equal bytecode means equal rules. Under the same version of Python other bytecode means other rules, except for
        Zermelo's own games and files that ship with them (`own`): there a renamed variable changes the bytecode and not
        the rules. In these cases, and under another version of Python, behaviour and numbering are compared.
        """
        if self.game != repr(game):
            raise GameError(f"{path} was made for {self.game}, not for {game!r}.")
        if self.python == python_version() and self.rules == rules_fingerprint(game, HEURISTIC_RULES):
            return
        own = own or type(game).__module__.startswith("zermelo.games.")
        comparable = own or self.python != python_version()
        if not comparable or self.behaviour != behaviour(game) or self.numbering not in ("", numbering(game)):
            raise GameError(f"{path} was made for other rules of {game!r}; {make} it anew.")


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


def numbering(game: Game) -> str:
    """Return a fingerprint of the states, and of their numbers, that a database stores for those of random games."""
    digest = hashlib.sha256()
    for states in random_games(game, NUMBERING_GAMES, NUMBERING_PLIES, seed=0):
        for state, moves in states:
            if moves:
                stored = rules.canonical(game, state)
                digest.update(plain_repr((stored, game.index(stored) if game.has("index") else None)).encode())
    return digest.hexdigest()[:20]
