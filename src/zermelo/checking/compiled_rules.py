"""Call compiled rules of a game from Python, one alone or several at once.

One linked kernel calls any of the rules, so that a game costs what its rules cost, which other kernels use as well.

    answers:   NUMBERS words, one for each rule: its answer, or the length of its list
               states, one for each rule of STATES, then lists, LIST_LENGTH words for each of LISTS
               rows, the states of `symmetries` or `predecessors`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo import bits
from zermelo.game import Game, GameError, State
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import (
    candidates_into,
    canonical,
    chances_into,
    features_into,
    moves_into,
    predecessors_into,
    state_length,
    state_to_words,
    symmetries_into,
)
from zermelo.word_arrays import Words

ASKED = (
    "result", "stuck", "mover", "stage", "index", "size", "order", "key", "is_chance", "noisy", "forcing", "evaluate",
    "bounds", "canonical", "skip", "at", "play", "moves", "candidates", "chances", "features", "symmetries",
    "predecessors",
)  # fmt: skip
"""The rules that the kernel calls, by their numbers."""

(
    RESULT, STUCK, MOVER, STAGE, INDEX, SIZE, ORDER, KEY, IS_CHANCE, NOISY, FORCING, EVALUATE, BOUNDS, CANONICAL, SKIP,
    AT, PLAY, MOVES, CANDIDATES, CHANCES, FEATURES, SYMMETRIES, PREDECESSORS,
) = range(len(ASKED))  # fmt: skip

NUMBERS = 32
"""Words for numbers. The last one is the upper bound."""

STATES = ("canonical", "skip", "at", "play")
LISTS = ("moves", "candidates", "chances", "probabilities", "features")
"""Where answers are stored, in this order."""

BOOLS = ("is_chance", "noisy", "forcing")
STATE_GENERATORS = ("symmetries", "predecessors")
"""Rules that yield states. They are asked alone."""

LIST_LENGTH = 4096
"""The longest list; what is beyond it is not compared."""

ROWS = 64
"""Room for states that a rule yields, unless there are more."""


def compiled(game: Game, rule: str, *args: Any) -> Any:
    """The answer of one compiled rule, to compare with the interpreted one.

    >>> import zermelo as z
    >>> from zermelo.checking import compiled
    >>> game = z.load("connect_four")
    >>> compiled(game, "moves", game.initial()) == list(game.moves(game.initial()))
    True
    """
    if game.native_error is not None:
        raise GameError(f"{game!r} is interpreted. {game.native_error}.")
    if rule in ("size", "at"):
        answers = _ask(game, (rule,), game.initial(), args)
    else:
        answers = ask_compiled(game, (rule,), *(args or (game.initial(),)))
    if not answers:
        raise GameError(f"{game!r} is interpreted. {game.native_error}.")
    return answers[0]


def ask_compiled(game: Game, group: tuple[str, ...], state: State, move: int = 0) -> list[Any]:
    """The answers of a group of compiled rules for a state, or for a state and a move, in Python's types.

    Return [] if a rule turns out not to compile.
    """
    if "size" in group or "at" in group:
        place = game.stage(state), game.index(state) if game.has("index") else 0
        return _ask(game, group, state, place)
    return _ask(game, group, state, (move,))


def _ask(game: Game, group: tuple[str, ...], state: State, numbers: tuple[int, ...]) -> list[Any]:
    """The answers of rules that take a state and numbers: a move, a stage, or a stage and an index."""
    first, second = (*(bits.signed(int(number)) for number in numbers), 0)[:2]
    asked = sum(1 << ASKED.index(rule) for rule in group if rule != "initial")
    rows = ROWS
    while True:
        answers = Words.zeros(NUMBERS + len(LISTS) * LIST_LENGTH + (len(STATES) + rows) * state_length(game))
        if not ask_rules.ready(game, state, first, second, asked, answers):
            return []
        ask_rules.call_compiled(game, state, first, second, asked, answers)
        if group[0] not in STATE_GENERATORS or answers[ASKED.index(group[0])] <= rows:
            return [_answer(game, rule, answers) for rule in group]
        rows = answers[ASKED.index(group[0])]


def _answer(game: Game, rule: str, answers: Words) -> Any:
    """The answer of one rule in Python's types."""
    from zermelo.native import compilability

    if rule == "initial":  # a constant of the compiled code
        layout = compilability.layout(game)
        return layout.to_python(layout.to_native(game.initial()))
    word = answers[ASKED.index(rule)]
    if rule in STATES:
        return _states(game, answers, STATES.index(rule), 1)[0]
    if rule in STATE_GENERATORS:
        return _states(game, answers, len(STATES), word, after_lists=True)
    if rule == "chances":
        return list(
            zip(_list(game, answers, "chances", word), _list(game, answers, "probabilities", word), strict=True)
        )
    if rule in LISTS:
        found = _list(game, answers, rule, word)
        return tuple(found) if rule == "features" else found
    if rule == "bounds":
        return answers.reals(BOUNDS, 1)[0], answers.reals(NUMBERS - 1, 1)[0]
    if rule == "evaluate":
        return answers.reals(EVALUATE, 1)[0]
    return bool(word) if rule in BOOLS else bits.unsigned(word) if rule == "key" else word


def _list(game: Game, answers: Words, name: str, length: int) -> list[Any]:
    start = NUMBERS + len(STATES) * state_length(game) + LISTS.index(name) * LIST_LENGTH
    words = answers.array[start : start + min(length, LIST_LENGTH)]
    found: list[Any] = (words.view("float64") if name in ("probabilities", "features") else words).tolist()
    return found


def _states(game: Game, answers: Words, place: int, count: int, *, after_lists: bool = False) -> list[State]:
    """States that are stored one after the other."""
    from zermelo.native import compilability
    from zermelo.native.linking.loader import StateFormat

    layout, length = compilability.layout(game), state_length(game)
    form: Callable[[Any], Any] = StateFormat(layout).unpack
    start = NUMBERS + place * length + (len(LISTS) * LIST_LENGTH if after_lists else 0)
    parts = (answers.array[start + i * length : start + (i + 1) * length] for i in range(count))
    return [layout.to_python(form(part.tobytes())) for part in parts]


# -- the kernel ------------------------------------------------------------------------------------------------


@kernel(kinds="state int int int words")
def ask_rules(game, state, first, second, asked, answers):
    """Call the rules whose bits are set in `asked`; a move, or a stage and an index, are the numbers that they take."""
    ask_numbers(game, state, first, asked, answers)
    ask_states(game, state, first, second, asked, answers)
    ask_lists(game, state, asked, answers)


@kernel
def ask_numbers(game, state, first, asked, answers):
    """Call rules that return a number or two."""
    if asked >> RESULT & 1:
        answers[RESULT] = game.result(state)
    if asked >> STUCK & 1:
        answers[STUCK] = game.stuck(state)
    if asked >> MOVER & 1:
        answers[MOVER] = game.mover(state)
    if asked >> STAGE & 1:
        answers[STAGE] = game.stage(state)
    if asked >> INDEX & 1:
        answers[INDEX] = game.index(state)
    if asked >> SIZE & 1:
        answers[SIZE] = game.size(first)
    if asked >> ORDER & 1:
        answers[ORDER] = game.order(state, first)
    if asked >> KEY & 1:
        answers[KEY] = game.key(state)
    if asked >> IS_CHANCE & 1:
        answers[IS_CHANCE] = 1 if game.is_chance(state) else 0
    if asked >> NOISY & 1:
        answers[NOISY] = 1 if game.noisy(state, first) else 0
    if asked >> FORCING & 1:
        answers[FORCING] = 1 if game.forcing(state) else 0
    if asked >> EVALUATE & 1:
        answers.reals(EVALUATE, 1)[0] = game.evaluate(state)
    if asked >> BOUNDS & 1:
        low, high = game.bounds(state)
        answers.reals(BOUNDS, 1)[0] = low
        answers.reals(NUMBERS - 1, 1)[0] = high


@kernel
def ask_states(game, state, first, second, asked, answers):
    """Call rules that return a state."""
    length = state_length(game)
    if asked >> CANONICAL & 1:
        state_to_words(game, canonical(game, state), answers.part(NUMBERS, length))
    if asked >> SKIP & 1:
        state_to_words(game, game.skip(state), answers.part(NUMBERS + length, length))
    if asked >> AT & 1:
        state_to_words(game, game.at(first, second), answers.part(NUMBERS + 2 * length, length))
    if asked >> PLAY & 1:
        state_to_words(game, game.play(state, first), answers.part(NUMBERS + 3 * length, length))


@kernel
def ask_lists(game, state, asked, answers):
    """Call rules that return several moves, numbers or states."""
    at = NUMBERS + 4 * state_length(game)
    if asked >> MOVES & 1:
        answers[MOVES] = moves_into(game, state, answers.part(at, LIST_LENGTH))
    if asked >> CANDIDATES & 1:
        answers[CANDIDATES] = candidates_into(game, state, answers.part(at + LIST_LENGTH, LIST_LENGTH))
    if asked >> CHANCES & 1:
        outcomes = answers.part(at + 2 * LIST_LENGTH, LIST_LENGTH)
        answers[CHANCES] = chances_into(game, state, outcomes, answers.reals(at + 3 * LIST_LENGTH, LIST_LENGTH))
    if asked >> FEATURES & 1:
        answers[FEATURES] = features_into(game, state, answers.reals(at + 4 * LIST_LENGTH, LIST_LENGTH))
    at += 5 * LIST_LENGTH
    if asked >> SYMMETRIES & 1:
        answers[SYMMETRIES] = symmetries_into(game, state, answers.part(at, len(answers) - at))
    if asked >> PREDECESSORS & 1:
        answers[PREDECESSORS] = predecessors_into(game, state, answers.part(at, len(answers) - at))
