"""The way back: the entries of one stage, when those of the stages it leads to are known."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.solving.enumeration.reachable_states import tally
from zermelo.solving.enumeration.state_tables import find_all, put_all
from zermelo.solving.enumeration.table_directory import Directory, slots_for
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.entries import DECIDED, MINE, REPEATS, THEIRS, packed, plies_of, unpacked
from zermelo.solving.retrograde.expectation import bound
from zermelo.solving.retrograde.margin import settle_points
from zermelo.solving.retrograde.solver_memory import INNER, MISSING, NO_STAGE, OUTSIDE
from zermelo.solving.retrograde.wdl import BLOCKED, LINK, REACHED, SETTLE, UNDECIDED, VERIFY, settle, spread
from zermelo.solving.retrograde.worker_pool import Crew
from zermelo.solving.storage.stage_records import Solved
from zermelo.value import DECISIVE
from zermelo.word_arrays import Words

ENDLESS = 1 << 30
"""More successors than any state has left: what waits for so many never hears of the last."""

PART, PARTS = 1024, 64
"""How many entries are looked at again together, and how often in a stage."""

SHARE = 1e-4
"""How much of epsilon one stage may use up, since the errors of later ones add to it."""


class Backward:
    """Solves one stage after the other; later ones are in the directory, with their entries."""

    def __init__(self, game: Game, directory: Directory, crew: Crew, progress: Progress) -> None:
        self.game = game
        self.directory = directory
        self.crew = crew
        self.progress = progress
        self.missing: Any = None

    def load_keys(self, stage: int, keys: Any) -> None:
        """Put the sorted keys of a stage into a table of the directory."""
        words = self.directory.packing.words
        slots = slots_for(repr(self.game), len(keys) // words)
        self.directory.set_keys(stage, np.zeros(slots * words, np.int64), slots)
        record, source = self.directory.record(stage), Words(keys)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            put_all(self.game, source, start, stop, self.directory.words, record, memory)
            return stop

        self.crew.sweep(len(keys) // words, job)

    def numbers(self, stage: int, keys: Any) -> Any:
        """The numbers of the sorted keys of a stage, in their order."""
        count = len(keys) // self.directory.packing.words
        record, source, numbers = self.directory.record(stage), Words(keys), int32_words(count)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(find_all(self.game, source, start, stop, self.directory.words, record, numbers, memory))

        self.crew.sweep(count, job)
        return as_int32(numbers)[:count]

    def load(self, stage: int, keys: Any, solved: Solved) -> None:
        """Have a solved stage in the directory, in the order of its table; `keys` are None where a rule numbers it."""
        if keys is None:
            self.directory.set_keys(stage, np.zeros(1, np.int64), solved.length)
            numbers: Any = slice(None)
        else:
            self.load_keys(stage, keys)
            numbers = self.numbers(stage, keys)
        if solved.bits == 64:
            both = [np.zeros(self.directory.slots(stage)) for _ in range(2)]
            both[0][numbers], both[1][numbers] = solved.entries, solved.uppers
            self.directory.set_entries(stage, both[0].view(np.int64), 64, 0, both[1].view(np.int64))
        else:
            entries = np.zeros(self.directory.slots(stage), np.int32)
            entries[numbers] = unpacked(solved.entries, solved.bits, solved.length)
            self.directory.set_entries(stage, packed(entries, solved.bits), solved.bits, solved.base)

    # -- wins, losses and draws --------------------------------------------------------------------------------------

    def outcomes(self, stage: int) -> Words:
        """The entries of all numbers of a stage, as int32."""
        slots = self.directory.slots(stage)
        codes, left = int32_words(slots), int32_words(slots)
        backs = rules.has_predecessors(self.game)
        incoming = int32_words(0 if backs else slots + 1)
        self.crew.reset(INNER)
        self._settle(stage, SETTLE, codes, left, incoming, int32_words(0))
        if self.crew.total(INNER):
            self._check_reached(stage, as_int32(codes), as_int32(left))
            origins = int32_words(0)
            if not backs:
                origins = self._link(stage, codes, left, incoming)
            self._decide(stage, codes, left, incoming, origins)
            self._draw(stage, codes, left, incoming, origins)
        return codes

    def _check_reached(self, stage: int, entries: Any, waiting: Any) -> None:
        """Where a rule numbers the states: a sentence if a move leads to a number that no state has."""
        if rules.has_index(self.game):
            for number in np.flatnonzero((waiting & REACHED != 0) & (entries == 0))[:1]:
                raise no_number(self.game, self.game.at(stage, int(number)))
            waiting &= ~REACHED

    def _settle(self, stage: int, task: int, codes: Words, left: Words, incoming: Words, origins: Words) -> None:
        self.progress.begin("backward", stage, self.directory.slots(stage))

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            words = self.directory.words
            return int(settle(self.game, stage, start, stop, task, words, codes, left, incoming, origins, memory))

        self.crew.sweep(self.directory.slots(stage), job, self._mend(stage), self.progress.advance)

    def _link(self, stage: int, codes: Words, left: Words, incoming: Words) -> Words:
        """The ways back inside a stage, found by going forward once more: `incoming` says where each state's begin."""
        degrees = as_int32(incoming)
        slots, ways = self.directory.slots(stage), int(degrees[: self.directory.slots(stage)].sum(dtype=np.int64))
        if ways >= 1 << 31:
            raise GameError(
                f"solve of {self.game!r}: stage {stage} has {ways:,} moves inside it; write a `predecessors` rule."
            )
        begins = np.concatenate(([0], np.cumsum(degrees[:slots])))
        degrees[: slots + 1] = begins
        origins = int32_words(ways)
        self._settle(stage, LINK, codes, left, incoming, origins)
        degrees[: slots + 1] = begins
        return origins

    def _decide(self, stage: int, codes: Words, left: Words, offsets: Words, origins: Words) -> None:
        """Wins and losses, in the order of their distance."""
        entries = as_int32(codes)
        plies = 0
        while plies <= plies_of(int(entries.max(initial=0))):
            decided = DECIDED + 2 * plies
            frontier = np.flatnonzero((entries | 1) == decided + 1).astype(np.int32)
            news = (entries[frontier] & 1 == 0).astype(np.int32)
            plies += 1
            self._spread(stage, frontier, news, plies, codes, left, offsets, origins)

    def _draw(self, stage: int, codes: Words, left: Words, offsets: Words, origins: Words) -> None:
        """Of the states that are left, who can force a drawn end; the others repeat."""
        entries, waiting = as_int32(codes), as_int32(left)
        open_states = np.flatnonzero(entries < 0)
        before = entries[open_states]
        blocked = before & BLOCKED != 0
        flags = (before & MINE) | np.where((waiting[open_states] == 0) & ~blocked, THEIRS, 0)
        waiting[open_states[blocked]] = ENDLESS
        entries[open_states] = UNDECIDED | flags
        news = np.where(entries < 0, entries & 3, np.where((entries > REPEATS) & (entries < DECIDED), entries & 3, 0))
        frontier = np.flatnonzero(news).astype(np.int32)
        news = news[frontier].astype(np.int32)
        while len(frontier):
            self._spread(stage, frontier, news, 0, codes, left, offsets, origins)
            frontier = np.flatnonzero((entries < 0) & (entries & 12 != 0)).astype(np.int32)
            news = entries[frontier] >> 2 & 3
            entries[frontier] &= ~12
        entries[open_states] = REPEATS | entries[open_states] & 3

    def _spread(self, stage: int, frontier: Any, news: Any, plies: int, *tables: Words) -> None:
        those, what = from_int32(frontier), from_int32(news)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            words = self.directory.words
            codes, left, offsets, origins = tables
            return int(
                spread(self.game, stage, those, what, start, stop, plies, words, codes, left, offsets, origins, memory)
            )

        self.crew.sweep(len(frontier), job)

    # -- points and expectations -------------------------------------------------------------------------------------

    def points(self, stage: int) -> Words:
        """The points of all numbers of a stage, above LOWEST, as int32."""
        codes = int32_words(self.directory.slots(stage))
        self.crew.reset(INNER)
        self.progress.begin("backward", stage, self.directory.slots(stage))

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            words = self.directory.words
            return int(settle_points(self.game, stage, start, stop, SETTLE, words, codes, memory))

        self.crew.sweep(self.directory.slots(stage), job, self._mend(stage), self.progress.advance)
        if self.crew.total(INNER):
            raise GameError(
                f"solve of {self.game!r}: moves stay in stage {stage}, and points are only compared across stages; let "
                "`stage` rise with every move, or leave it out."
            )
        return codes

    def expectations(self, stage: int, numbers: Any, epsilon: float) -> tuple[Any, Any]:
        """Bounds of the expectations of all numbers of a stage, no farther apart than epsilon.

        `numbers` are those of states, in an order that does not depend on threads. Where a state's bounds depend on
        others of the stage, one thread does it, so that they come out the same every time.
        """
        widest = float(max(map(abs, self.game.payoff_bounds)))
        slots = self.directory.slots(stage)
        low, high = np.full(slots, -widest), np.full(slots, widest)
        orders = from_int32(numbers), from_int32(numbers[::-1])
        self.crew.reset(INNER)
        self.bring_nearer(stage, orders[0], len(numbers), low.copy(), high.copy(), self.crew.threads)
        alone = not self.crew.total(INNER)
        gained = [np.inf, np.inf]
        between = float(np.nansum((high - low)[numbers]))  # in an order that does not depend on threads
        while True:
            way = int(gained[1] >= gained[0])  # the way that brought the bounds nearer, once both have been tried
            self.bring_nearer(stage, orders[way], len(numbers), low, high, self.crew.threads if alone else 1)
            gap = float(np.nanmax((high - low)[numbers], initial=0.0))
            before, between = between, float(np.nansum((high - low)[numbers]))
            gained[way] = before - between
            if gap <= epsilon * SHARE or alone or max(gained) <= before * 1e-12:
                break
        if gap > epsilon:
            raise never_ends(self.game, stage, gap)
        self._check_payoffs(stage, low, widest if not alone else math.inf)
        return low, high

    def _check_payoffs(self, stage: int, values: Any, widest: float) -> None:
        """Bounds that begin at the least and the greatest payoff prove nothing if some payoff lies beyond."""
        for number in np.flatnonzero(np.abs(values) > widest)[:1]:
            raise outside_bounds(self.game, self.state(stage, int(number)), values[number])

    def bring_nearer(self, stage: int, order: Words, count: int, low: Any, high: Any, threads: int) -> None:
        self.progress.begin("backward", stage, count)
        lows, highs = Words(low.view("int64")), Words(high.view("int64"))

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(bound(self.game, stage, order, start, stop, lows, highs, self.directory.words, memory))

        self.crew.sweep(count, job, self._mend(stage), self.progress.advance, threads)

    # -- a second look -----------------------------------------------------------------------------------------------

    def look_again(self, stage: int) -> None:
        """Compute some entries of a solved stage once more from their successors: all of a small one, parts of others.

        What `index` and `predecessors` say is believed while a stage is solved; slips in them show here.
        """
        slots, nothing = self.directory.slots(stage), int32_words(0)
        starts = range(0, slots, max(PART, slots // PARTS))

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            for part in starts[start:stop]:
                last = min(part + PART, slots)
                words = self.directory.words
                ways = nothing, nothing, nothing, nothing
                if settle(self.game, stage, part, last, VERIFY, words, *ways, memory) < last:
                    return start
            return stop

        def refuse(why: int, where: int, reached: int) -> None:
            raise GameError(
                f"solve of {self.game!r}: in stage {stage} entries do not follow from their successors, so `index`, "
                "`at` or `predecessors` must be wrong; zermelo check tells more."
            )

        self.crew.sweep(len(starts), job, refuse)

    # -- counting and mending ----------------------------------------------------------------------------------------

    def tally(self, stage: int, codes: Words) -> list[tuple[int, int, int]]:
        """How many states have each entry, and how many positions they stand for."""
        greatest = int(as_int32(codes).max(initial=0))
        counts = [(Words.zeros(greatest + 1), Words.zeros(greatest + 1)) for _ in self.crew.memories]

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(tally(self.game, stage, start, stop, self.directory.words, codes, *counts[number], memory))

        self.crew.sweep(self.directory.slots(stage), job)
        states = np.sum([mine.array for mine, _ in counts], axis=0)
        positions = np.sum([theirs.array for _, theirs in counts], axis=0)
        return [(int(entry), int(states[entry]), int(positions[entry])) for entry in np.flatnonzero(states)]

    def _mend(self, stage: int) -> Any:
        def mend(why: int, where: int, reached: int) -> None:
            if why == NO_STAGE and self.missing is not None and where > stage:
                inside = [memory[INNER] for memory in self.crew.memories]
                done, total = self.progress.done, self.progress.total
                self.missing(where)
                self.progress.begin("backward", stage, total)
                self.progress.done = done
                for memory, count in zip(self.crew.memories, inside, strict=True):
                    memory[INNER] = count
                return
            state = self.state(stage, reached)
            game = self.game
            if why == NO_STAGE:
                raise GameError(
                    f"solve of {game!r}: `stage` goes back from {stage} to {where} after {game.state_text(state)}; a "
                    "move never leads to a lower stage."
                )
            if why == OUTSIDE:
                raise GameError(
                    f"solve of {game!r}: {game.state_text(state)} is worth {where} points, and there is room for less "
                    f"than {DECISIVE}."
                )
            assert why == MISSING, why
            raise no_number(game, state)

        return mend

    def state(self, stage: int, number: int) -> Any:
        """The state with a number."""
        if rules.has_index(self.game):
            return self.game.at(stage, number)
        words = self.directory.packing.words
        return self.directory.packing.state(
            self.game, self.directory.keys(stage)[number * words : (number + 1) * words]
        )


def no_number(game: Game, state: State) -> GameError:
    return GameError(
        f"solve of {game!r}: a move in {game.state_text(state)} leads to a state that `index` gives no number, or one "
        "at which `at` finds no state; every state that can be reached needs one."
    )


def never_ends(game: Game, stage: int, gap: float) -> GameError:
    return GameError(
        f"solve of {game!r}: in stage {stage} the bounds stay {gap:.3g} apart; some play there never ends, or epsilon "
        "is less than floats can tell."
    )


def outside_bounds(game: Game, state: State, payoff: float) -> GameError:
    low, high = game.payoff_bounds
    return GameError(
        f"solve of {game!r}: {game.state_text(state)} is worth {payoff:g}, which is not between the payoff_bounds "
        f"{low:g} and {high:g}; give the class wider ones."
    )


def int32_words(count: int) -> Words:
    """Words with room for so many int32 numbers, all zero."""
    return Words.zeros((count + 1) // 2)


def as_int32(words: Words) -> Any:
    return words.array.view("int32")


def from_int32(numbers: Any) -> Words:
    """Words that hold these int32 numbers."""
    words = int32_words(len(numbers))
    as_int32(words)[: len(numbers)] = numbers
    return words
