"""The result of a check: a report if the contract holds, an error if it is broken."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, dataclass
from typing import Any

from zermelo.formatting import Pretty, count_text
from zermelo.game import GameError, State


class CheckError(GameError):
    """A game breaks the contract, in one sentence: its name, the state, the rule and what is wrong.

    `rule` and `state` are the parts of that sentence, and `reproduction` is Python code that shows the failure again.
    A traceback prints the code below the sentence.
    """

    def __init__(self, sentence: str, rule: str = "", state: State = None, reproduction: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.rule = rule
        self.state = state
        self.reproduction = reproduction
        if reproduction:
            self.add_note("See it again:\n" + textwrap.indent(reproduction, "    "))


@dataclass(frozen=True, slots=True)
class CheckReport(Pretty):
    """What was checked, in a game that keeps the contract.

    At `compared` states the compiled rules agreed with the interpreted ones. At `solved` states the minimax value was
    computed, if a rule promises to keep it. `notes` are oddities that do not break the contract.
    """

    game: str
    native: bool
    native_error: str | None
    states: int
    games: int
    longest: int
    max_moves: int
    compared: int
    solved: int
    rules: tuple[str, ...]
    notes: tuple[str, ...] = ()
    keys: int = 0
    """States whose keys, by the author's `key` rule, are distinct."""

    def __str__(self) -> str:
        return "\n".join([f"{self.game} keeps the contract.", *(f"  {name:<9} {text}" for name, text in self._lines())])

    def _lines(self) -> list[tuple[str, str]]:
        compared = count_text(self.compared, "state")
        lines = [
            ("rules", ", ".join(self.rules)),
            ("states", f"{self.states}, with at most {count_text(self.max_moves, 'move')}"),
            ("games", f"{self.games} at random, the longest of {count_text(self.longest, 'ply', 'plies')}"),
            ("compiled", f"as interpreted, on {compared}" if self.native else f"no: {self.native_error}"),
        ]
        if self.solved:
            lines.append(("values", f"kept, on {count_text(self.solved, 'state')} with small enough trees"))
        if self.keys:
            lines.append(("keys", f"different, on {count_text(self.keys, 'state')}"))
        return lines + [("note", note) for note in self.notes]

    def to_dict(self) -> dict[str, Any]:
        """A record for JSON."""
        return {**asdict(self), "rules": list(self.rules), "notes": list(self.notes)}
