"""The rule interface: every rule and fact of a game that a linked kernel may use.

A kernel is compiled once for all games. It calls the rules of a game as external functions, which are linked in later:

    int32 zermelo.NAME(result..., exception, argument...)

Results are returned through pointers. A state is passed by a pointer to it, ints and bools as 64-bit words, reals as
doubles, and Words and Reals as an address and a length. The function returns 0, or Numba's code of an exception.
"""

from __future__ import annotations

from typing import NamedTuple

STATE, INT, BOOL, REAL, WORDS, REALS = "state", "int", "bool", "real", "words", "reals"
"""Kinds of arguments and results."""

MAX_RESULT_WORDS = 8
"""Words of a kernel's result without states."""

SYMBOL_PREFIX = "zermelo."
"""How the names of external functions begin."""

STATE_TYPE = "zermelo.state"
"""The LLVM type of a state. A kernel never looks inside."""


class RuleSignature(NamedTuple):
    """The kinds of a rule's arguments, without the game, and of its results."""

    arguments: tuple[str, ...]
    results: tuple[str, ...]

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names of the arguments, for generated code."""
        return tuple(f"{kind}{place}" for place, kind in enumerate(self.arguments))


FACTS = (
    "loops", "reductions", "has_distance", "has_skip", "has_noise", "has_index", "has_predecessors", "key_is_exact",
)  # fmt: skip
"""Constants of a game, each a rule without arguments that returns a bool."""

METHODS: dict[str, RuleSignature] = {
    "result": RuleSignature((STATE,), (INT,)),
    "stuck": RuleSignature((STATE,), (INT,)),
    "mover": RuleSignature((STATE,), (INT,)),
    "stage": RuleSignature((STATE,), (INT,)),
    "size": RuleSignature((INT,), (INT,)),
    "index": RuleSignature((STATE,), (INT,)),
    "key": RuleSignature((STATE,), (INT,)),
    "at": RuleSignature((INT, INT), (STATE,)),
    "is_chance": RuleSignature((STATE,), (BOOL,)),
    "noisy": RuleSignature((STATE, INT), (BOOL,)),
    "forcing": RuleSignature((STATE,), (BOOL,)),
    "order": RuleSignature((STATE, INT), (INT,)),
    "evaluate": RuleSignature((STATE,), (REAL,)),
    "play": RuleSignature((STATE, INT), (STATE,)),
    "skip": RuleSignature((STATE,), (STATE,)),
    "bounds": RuleSignature((STATE,), (REAL, REAL)),
    "_probe": RuleSignature((STATE, INT, WORDS), (REAL, REAL)),
}
"""Rules that a kernel calls as methods of the game."""

FUNCTIONS: dict[str, RuleSignature] = {
    "canonical": RuleSignature((STATE,), (STATE,)),
    "changes_player": RuleSignature((STATE, STATE), (BOOL,)),
    "moves_into": RuleSignature((STATE, WORDS), (INT,)),
    "candidates_into": RuleSignature((STATE, WORDS), (INT,)),
    "count_moves": RuleSignature((STATE,), (INT,)),
    "chances_into": RuleSignature((STATE, WORDS, REALS), (INT,)),
    "predecessors_into": RuleSignature((STATE, WORDS), (INT,)),
    "symmetries_into": RuleSignature((STATE, WORDS), (INT,)),
    "features_into": RuleSignature((STATE, REALS), (INT,)),
    "orbit_size": RuleSignature((STATE, WORDS), (INT,)),
    "state_from_words": RuleSignature((WORDS,), (STATE,)),
    "state_to_words": RuleSignature((STATE, WORDS), ()),
    "state_key": RuleSignature((STATE,), (INT,)),
    "state_check": RuleSignature((STATE,), (INT,)),
    "structural_key": RuleSignature((STATE,), (INT,)),
    "structural_check": RuleSignature((STATE,), (INT,)),
    "state_length": RuleSignature((), (INT,)),
    "same_state": RuleSignature((STATE, STATE), (BOOL,)),
}
"""Functions of rules.py and keys.py, and the comparison of states, that a kernel calls on a game."""

RULES: dict[str, RuleSignature] = {
    **METHODS, **FUNCTIONS, **{fact: RuleSignature((), (BOOL,)) for fact in FACTS},
}  # fmt: skip
