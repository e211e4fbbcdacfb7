"""The result of a check: a report if the contract holds, an error if it is broken."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from zermelo.formatting import Pretty, count_text
from zermelo.game import GameError, State

if TYPE_CHECKING:
    from zermelo.checking.measures.noise_cost import NoiseCost
    from zermelo.checking.measures.playout_statistics import RandomPlay


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

    `complete` says that `states` are all that can be reached, and `hurried` that time ran out before the number asked
    for was visited. In `ends` of them the game is over. `play` has the outcomes and lengths of random games. At
    `compared` states the compiled rules agreed with the interpreted ones. At `solved` states the minimax value was
    computed, if a rule promises to keep it. `noise` is the cost of a `noisy` rule; `keys` is the number of states whose
    keys, by the author's `key` rule, are distinct. `notes` are oddities that do not break the contract.
    """

    game: str
    native: bool
    native_error: str | None
    states: int
    complete: bool
    hurried: bool
    ends: int
    play: RandomPlay
    margin: bool
    max_moves: int
    compared: int
    solved: int
    rules: tuple[str, ...]
    notes: tuple[str, ...] = ()
    keys: int = 0
    noise: NoiseCost | None = None

    def __str__(self) -> str:
        return "\n".join([self._headline(), *(f"  {name:<9} {text}" for name, text in self._lines())])

    def _headline(self) -> str:
        """That the contract is kept, and how much of the game was seen."""
        states = "all of its states" if self.complete else count_text(self.states, "state")
        ended = self.play.ended
        games = "one random game" if ended == 1 else f"{ended} random games"
        if ended:
            return f"{self.game} keeps the contract on {states} and in {games} to the end."
        never = "no random game came to an end" if self.ends else "the end of a game was never seen"
        return f"{self.game} keeps the contract on {states}; {never}."

    def _lines(self) -> list[tuple[str, str]]:
        compared = count_text(self.compared, "state")
        lines = [
            ("rules", ", ".join(self.rules)),
            ("states", self._states_text()),
            ("games", self.play.length_text()),
        ]
        if self.play.ended:
            lines.append(("outcomes", self.play.outcome_text(self.margin)))
        lines.append(("compiled", f"as interpreted, on {compared}" if self.native else f"no: {self.native_error}"))
        if self.noise:
            lines.append(("noisy", str(self.noise)))
        if self.solved:
            lines.append(("values", f"kept, on {count_text(self.solved, 'state')} with small enough trees"))
        if self.keys:
            lines.append(("keys", f"different, on {count_text(self.keys, 'state')}"))
        return lines + [("note", note) for note in self.notes]

    def _states_text(self) -> str:
        text = f"{self.states}, with at most {count_text(self.max_moves, 'move')}; the game is over in {self.ends}"
        return text + ("; more took too long (z.check(game, seconds=10) waits for them)" if self.hurried else "")

    def to_dict(self) -> dict[str, Any]:
        """A record for JSON."""
        return {**asdict(self), "rules": list(self.rules), "notes": list(self.notes)}
