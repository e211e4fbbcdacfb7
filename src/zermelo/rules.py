"""What follows from a game's rules: the few questions every algorithm asks.

They are functions, not methods, so that authors may name their own helpers as they like. Each works interpreted,
and inside a `@kernel` compiled (the compiled versions are in `native/overloads/rule_overloads.py`, those of keys in
`native/overloads/key_overloads.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sized
from contextlib import suppress
from itertools import chain, islice
from typing import Any

from zermelo import bits
from zermelo.game import ONGOING, Game, GameError, Move, State, shaped
from zermelo.value import DECISIVE, Score

MANY = 100_000
"""More moves than any state has: a rule that yields more does not end."""


def alternates(game: Game) -> bool:
    """Whether the players strictly take turns."""
    return not game.has("mover") if game.alternates is None else game.alternates


def has_chance(game: Game) -> bool:
    """Whether chance takes part in the game."""
    return game.has("is_chance")


def has_skip(game: Game) -> bool:
    """Whether the rules say what passing would lead to."""
    return game.has("skip")


def has_noise(game: Game) -> bool:
    """Whether the rules tell noisy moves from quiet ones."""
    return game.has("noisy")


def has_index(game: Game) -> bool:
    """Whether the rules number the states of a stage, both ways."""
    return game.has("index") and game.has("at") and game.has("size")


def has_predecessors(game: Game) -> bool:
    """Whether the rules know how to unmove."""
    return game.has("predecessors")


def has_distance(game: Game) -> bool:
    """Whether a win in three plies beats a win in five: not where points or expectations are compared."""
    return not game.margin and not has_chance(game)


def start(game: Game) -> State:
    """The initial state, seen to be a value that can be stored and compared."""
    return checked_state(game, "initial", game.initial())


def given_state(game: Game, state: State) -> State:
    """The state that a caller gave, the initial one for None; a sentence for what the rules can make nothing of."""
    first = start(game)
    if state is None or type(state) is type(first):
        return first if state is None else state
    try:
        with suppress(TypeError, ValueError):
            state = shaped(state, first)  # plain tuples may stand for NamedTuples
        hash(state)
        payoff(game, state)
        for move in successors(game, state)[:1]:
            game.play(state, move)
    except Exception as error:
        raise GameError(
            f"{game!r}: {state!r} cannot be a state; one looks like {first!r}, and z.position makes one from text."
        ) from error
    return state


def after(game: Game, state: State, move: Move) -> State:
    """The state after `move`, seen to be a value that can be stored and compared."""
    return checked_state(game, "play", game.play(state, move), state)


def checked_state(game: Game, rule: str, made: State, asked: State = None) -> State:
    """What `rule` made (of the state `asked`, where it was given one), or a sentence where that cannot be a state."""
    try:
        hash(made)
    except TypeError as error:
        where = "" if asked is None else f" in {game.state_text(asked)}"
        raise GameError(
            f"{game!r}: `{rule}` returned {made!r}{where}, which cannot be a state ({error}); use tuples in place of "
            "lists."
        ) from None
    return made


def turns(game: Game, state: State, child: State) -> bool:
    """Whether the other player sees `child`, a successor of `state`: then its value changes sign."""
    return alternates(game) or game.mover(state) != game.mover(child)


def mover(game: Game, state: State) -> int | None:
    """Who is to move, 0 or 1; None where the states do not tell."""
    return game.mover(state) if game.has("mover") else None


def successors(game: Game, state: State) -> list[Move]:
    """The moves of a state, or the outcomes where chance moves; none once the game is over."""
    if game.result(state) != ONGOING:
        return []
    if game.is_chance(state):
        return [outcome for outcome, _ in game.chances(state)]
    return list(ended(game, "moves", state, game.moves(state)))


def ended(game: Game, rule: str, state: State, values: Iterable[Any]) -> Iterable[Any]:
    """What a rule yields, seen to come to an end: nothing can stop one that goes on for ever from outside."""
    if isinstance(values, Sized):
        return values
    values = iter(values)
    return chain(islice(values, MANY), _endless(game, rule, state, values))


def _endless(game: Game, rule: str, state: State, values: Iterable[Any]) -> Iterable[Any]:
    """Nothing, where nothing is left of the values."""
    for _ in values:
        raise GameError(
            f"{game!r}: `{rule}` yields more than {MANY} things in {game.state_text(state)} and may never end."
        )
    yield from ()


def payoff(game: Game, state: State) -> int:
    """ONGOING, or what the mover gets here: `result`, and `stuck` where no move is left."""
    result = game.result(state)
    if result == ONGOING and not game.is_chance(state) and not any(True for _ in game.moves(state)):
        return game.stuck(state)
    return result


def estimate(game: Game, state: State) -> Score:
    """The mover's evaluation of an unfinished state, kept below every proven win and above every proven loss."""
    judged = finite(game, state, game.evaluate(state))
    return max(1 - DECISIVE, min(DECISIVE - 1, judged))


def finite(game: Game, state: State, judged: Any) -> Score:
    """What `evaluate` says of a state, seen to be a number that can be compared with others."""
    try:
        number: Score = judged if isinstance(judged, int | float) else float(judged)
    except (TypeError, ValueError):
        raise wrong_answer(game, "evaluate", state, judged, "a number") from None
    if isinstance(number, float) and not math.isfinite(number):
        raise wrong_answer(game, "evaluate", state, judged, "a finite number")
    return number


def wrong_answer(game: Game, rule: str, state: State, answer: Any, wanted: str) -> GameError:
    """The sentence for a rule that answers with something else than is asked for."""
    missing = " (is a `return` missing?)" if answer is None else ""
    return GameError(f"{game!r}: `{rule}` returned {answer!r}{missing} in {game.state_text(state)}, not {wanted}.")


def moves_into(game: Game, state: State, buffer: Any) -> int:
    """Store the moves in `buffer` and return how many there are; those beyond its length are only counted."""
    return _into(ended(game, "moves", state, game.moves(state)), buffer)


def count_moves(game: Game, state: State) -> int:
    """How many moves there are, without keeping any; this is also what the compiler makes machine code of."""
    count = 0
    for _ in game.moves(state):
        count += 1
    return count


def candidates_into(game: Game, state: State, buffer: Any) -> int:
    """Store the moves that matter in `buffer` and return how many there are."""
    return _into(ended(game, "candidates", state, game.candidates(state)), buffer)


def chances_into(game: Game, state: State, outcomes: Any, probabilities: Any) -> int:
    """Store the outcomes of a chance state and their probabilities, and return how many there are."""
    chances = list(game.chances(state))
    _into((outcome for outcome, _ in chances), outcomes)
    return _into((probability for _, probability in chances), probabilities)


def _into(values: Iterable[Any], buffer: Any) -> int:
    count = 0
    for value in values:
        if count < len(buffer):
            buffer[count] = value
        count += 1
    return count


def canonical(game: Game, state: State) -> State:
    """The state that stands for all equivalent to this one."""
    return game.canonical(state)


def images(game: Game, state: State) -> int:
    """How many different states are equivalent to this one, itself included, as far as `symmetries` tells."""
    return len({state, *game.symmetries(state)})


def like_state(game: Game, state: State) -> State:
    """What a rule yields in place of a state, as a state."""
    return state


def state_from(game: Game, row: Any) -> State:
    """The state whose numbers stand in a row of int64 words, one after the other."""
    return _filled(game.initial(), iter(row))


def state_into(game: Game, state: State, row: Any) -> None:
    """Write the numbers of a state into a row of int64 words, one after the other: what `state_from` reads."""
    for i, number in enumerate(numbers(state)):
        row[i] = bits.signed(number) if number >= 1 << 63 else int(number)


def numbers(part: Any) -> Iterable[Any]:
    """The numbers of a state, one after the other."""
    if isinstance(part, tuple):
        for inner in part:
            yield from numbers(inner)
    else:
        yield part


def _filled(example: State, numbers: Any) -> State:
    if not isinstance(example, tuple):
        word = int(next(numbers))
        return type(example)(word) if isinstance(example, bool) else word
    parts = [_filled(part, numbers) for part in example]
    return tuple(parts) if type(example) is tuple else type(example)(*parts)
