"""Look for collisions of a `key` rule: it promises distinct keys for all reachable states.

The search treats states with one key as one state. So the key of every visited state is stored beside a hash of the
whole canonical state, computed without the rule. Two hashes with one key are a collision. The exploration is compiled:
it expands a random waiting state until the time is over, the table is full or no state is waiting.
"""

from __future__ import annotations

from typing import Any

from zermelo import bits, rules
from zermelo.checking.check_report import CheckError
from zermelo.checking.examiner import Examiner
from zermelo.game import ONGOING, State
from zermelo.keys import state_key, structural_check, structural_key
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, chances_into, moves_into, state_from_words, state_to_words
from zermelo.state_literals import plain
from zermelo.word_arrays import Words

TABLE_SLOTS = 1 << 22
"""Slots of the hash table, two words each: 64 MB. At most three quarters are used."""

MAX_WAITING = 1 << 15
"""States that wait to be expanded. When there are more, a new one replaces a random one."""

STEPS_PER_CLOCK_CHECK = 1000
"""States that are expanded between two checks of the clock."""

# info, in words
WAITING, SEED, SEEN, FOUND, LENGTH = range(5)


def check_key_collisions(examiner: Examiner, compiled: bool) -> int:
    """The number of states with distinct keys. Raise CheckError for two states with one key."""
    game = examiner.game
    if not game.has("key"):
        return 0
    numbers = list(rules.numbers(plain(game.initial())))
    if not compiled or any(isinstance(number, float) for number in numbers):
        return len(examiner.visits)  # symmetry.py has compared them
    search = _Search(examiner, len(numbers))
    search.step(0, 0)
    examiner.restart_clock()  # so that compiling does not count
    found = search.run(0)
    if found is not None:
        key = state_key(game, found)
        other = _Search(examiner, len(numbers)).run(key)
        raise _collision(examiner, found, other)
    return max(int(search.info[SEEN]), len(examiner.visits))


class _Search:
    """One exploration; every run visits the same states."""

    def __init__(self, examiner: Examiner, length: int) -> None:
        self.examiner = examiner
        self.table, self.waiting = Words.zeros(2 * TABLE_SLOTS), Words.zeros(MAX_WAITING * length)
        self.moves, self.weights, self.info = Words.zeros(4096), Words.zeros(4096), Words.zeros(8)
        self.info[LENGTH] = length

    def step(self, steps: int, target: int) -> State:
        arguments = target, self.table, self.waiting, self.moves, self.weights, self.info
        return compare_keys(self.examiner.game, self.examiner.game.initial(), steps, *arguments)

    def run(self, target: int) -> State | None:
        """The first state whose key another state has, or is `target` unless that is 0; None if there is none."""
        from zermelo.native import compilability

        game, known = self.examiner.game, -1
        while target or not self.examiner.late:
            state = self.step(STEPS_PER_CLOCK_CHECK, target)
            if self.info[FOUND]:
                return compilability.layout(game).to_python(state)
            if self.info[WAITING] == 0 or self.info[SEEN] == known:
                return None
            known = self.info[SEEN]
        return None


def _collision(examiner: Examiner, one: State, other: State | None) -> CheckError:
    game, key = examiner.game, examiner.game.key(one)
    texts = [examiner.text(state) for state in (one, other)]
    code = f"""game = {game!r}
from zermelo.state_literals import shaped
[game.key(shaped(state, game.initial())) for state in ({plain(one)!r}, {plain(other)!r})]"""
    sentence = (
        f"{game!r}: `key` returns {key} in {texts[0]}, which is also the key of the different state {texts[1]}; a "
        "state that does not fit 64 bits is better off without the rule."
    )
    return CheckError(sentence, "key", one, code)


@kernel(kinds="state int int words words words words words")
def compare_keys(game, state, steps, target, table, waiting, moves, weights, info):
    """Expand `steps` states. Return the state that was found, or any state."""
    length = info[LENGTH]
    if info[SEEN] == 0:
        here = canonical(game, state)
        if meets_another(game, here, target, table, waiting, info):
            return here
    for _ in range(steps):
        if info[WAITING] == 0 or info[SEEN] >= TABLE_SLOTS // 4 * 3:
            break
        place = chosen(info, info[WAITING])
        here = state_from_words(game, waiting.part(place * length, length))
        info[WAITING] -= 1
        for i in range(length):
            waiting[place * length + i] = waiting[info[WAITING] * length + i]
        if game.is_chance(here):
            count = chances_into(game, here, moves, weights.reals(0, len(weights)))
        else:
            count = moves_into(game, here, moves)
        for i in range(min(count, len(moves))):
            child = canonical(game, game.play(here, moves[i]))
            if meets_another(game, child, target, table, waiting, info):
                return child
    return state


@kernel
def meets_another(game, state, target, table, waiting, info):
    """Whether a state has the key of another one, or the target. A new state is stored, and waits if it is ongoing."""
    key = state_key(game, state)
    whole = bits.signed(bits.mix(structural_key(game, state)) ^ bits.unsigned(structural_check(game, state))) | 1
    if target != 0 and key == target:
        info[FOUND] = 1
        return True
    slot = key & TABLE_SLOTS - 1
    while table[2 * slot + 1] != 0:
        if table[2 * slot] == key:
            if table[2 * slot + 1] != whole:
                info[FOUND] = 1
                return True
            return False
        slot = slot + 1 & TABLE_SLOTS - 1
    table[2 * slot] = key
    table[2 * slot + 1] = whole
    info[SEEN] += 1
    if game.result(state) == ONGOING:
        place = info[WAITING]
        if place < MAX_WAITING:
            info[WAITING] += 1
        else:
            place = chosen(info, MAX_WAITING)
        state_to_words(game, state, waiting.part(place * info[LENGTH], info[LENGTH]))
    return False


def chosen(info: Any, count: int) -> int:
    """A random number below `count`."""
    info[SEED] = bits.signed(bits.mix(info[SEED]))
    return bits.signed(bits.remainder(info[SEED], count))
