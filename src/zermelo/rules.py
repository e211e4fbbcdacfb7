"""Functions that every algorithm calls on a game: facts, legal actions, payoffs, symmetries, conversions.

They are functions, not methods, so that authors can name their own helpers freely. Each works interpreted, and
compiled inside a `@kernel` (native/overloads/rule_overloads.py has the compiled versions).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sized
from contextlib import suppress
from itertools import chain, islice
from typing import Any

from zermelo import bits
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.state_literals import shaped
from zermelo.value import DECISIVE, Score

MAX_YIELDED = 100_000
"""More moves than any state has: a rule that yields more is assumed never to end."""


def alternates(game: Game) -> bool:
    """Whether the players strictly take turns."""
    return not game.has("mover") if game.alternates is None else game.alternates


def has_chance(game: Game) -> bool:
    """Whether the game has chance nodes."""
    return game.has("is_chance")


def has_skip(game: Game) -> bool:
    """Whether the game defines `skip`, the state after passing: the null move."""
    return game.has("skip")


def is_full_width(game: Game) -> bool:
    """Whether a search to some depth tries every move to that depth: nothing is reduced, pruned or passed."""
    return not (game.reductions or game.futility or game.replies or has_skip(game))


def has_noise(game: Game) -> bool:
    """Whether the game tells noisy moves from quiet ones."""
    return game.has("noisy")


def has_index(game: Game) -> bool:
    """Whether the game numbers the states of a stage: `index`, `at` and `size`."""
    return game.has("index") and game.has("at") and game.has("size")


def has_predecessors(game: Game) -> bool:
    """Whether the game generates predecessors."""
    return game.has("predecessors")


def has_distance(game: Game) -> bool:
    """Whether a win in three plies beats a win in five: not if margins or expectations are compared."""
    return not game.margin and not has_chance(game)


def evaluation_game(game: Game) -> Game:
    """The game whose learned evaluations a game uses: its own, unless it names another."""
    found: Game = game.evaluation_game() if hasattr(type(game), "evaluation_game") else game  # type: ignore[attr-defined]
    return found


def initial_state(game: Game) -> State:
    """The initial state. Raise GameError if it is not hashable."""
    return checked_state(game, "initial", game.initial())


def given_state(game: Game, state: State) -> State:
    """The state that a caller gave, the initial one for None; a sentence for what the rules can make nothing of."""
    first = initial_state(game)
    if state is None or type(state) is type(first):
        return first if state is None else state
    try:
        with suppress(TypeError, ValueError):
            state = shaped(state, first)  # plain tuples may stand for NamedTuples
        hash(state)
        payoff(game, state)
        for move in legal_actions(game, state)[:1]:
            game.play(state, move)
    except Exception as error:
        raise GameError(
            f"{game!r}: {state!r} cannot be a state; one looks like {first!r}, and z.position makes one from text."
        ) from error
    return state


def checked_play(game: Game, state: State, move: Move) -> State:
    """The state after `move`. Raise GameError if it is not hashable."""
    return checked_state(game, "play", game.play(state, move), state)


def checked_state(game: Game, rule: str, made: State, asked: State = None) -> State:
    """The state `made` that `rule` returned, perhaps for a state `asked`. Raise GameError if it is not hashable."""
    try:
        hash(made)
    except TypeError as error:
        where = "" if asked is None else f" in {game.state_text(asked)}"
        raise GameError(
            f"{game!r}: `{rule}` returned {made!r}{where}, which cannot be a state ({error}); use tuples in place of "
            "lists."
        ) from None
    return made


def changes_player(game: Game, state: State, child: State) -> bool:
    """Whether the other player is to move in `child`, a successor of `state`: then its value changes sign."""
    return alternates(game) or game.mover(state) != game.mover(child)


def mover(game: Game, state: State) -> int | None:
    """The player to move, 0 or 1; None if the game has no `mover`."""
    return game.mover(state) if game.has("mover") else None


def legal_actions(game: Game, state: State) -> list[Move]:
    """The moves of a state, or the outcomes of a chance node; empty once the game is over."""
    if game.result(state) != ONGOING:
        return []
    if game.is_chance(state):
        return [outcome for outcome, _ in listed_chances(game, state)]
    return listed_moves(game, state)


def listed_moves(game: Game, state: State) -> list[Move]:
    """The moves that the rule `moves` lists. Raise GameError if it lists none, or never ends."""
    return list(bounded(game, "moves", state, game.moves(state)))


def listed_chances(game: Game, state: State) -> list[tuple[Move, float]]:
    """The outcomes of a chance node and their probabilities. Raise GameError if `chances` lists anything else."""
    pairs = list(bounded(game, "chances", state, game.chances(state)))
    for pair in pairs:
        try:
            _, probability = pair
            right = 0 <= probability < math.inf
        except (TypeError, ValueError):
            right = False
        if not right:
            raise rule_error(game, "chances", state, pair, "an outcome and its probability")
    return pairs


def bounded(game: Game, rule: str, state: State, values: Iterable[Any]) -> Iterable[Any]:
    """The values that a rule yields. Raise GameError after MAX_YIELDED: nothing else could stop an endless rule."""
    try:
        iterator = iter(values)
    except TypeError:
        raise rule_error(game, rule, state, values, "things to choose from") from None
    if isinstance(values, Sized):
        return values
    return chain(islice(iterator, MAX_YIELDED), _check_exhausted(game, rule, state, iterator))


def _check_exhausted(game: Game, rule: str, state: State, values: Iterable[Any]) -> Iterable[Any]:
    """Yield nothing. Raise GameError if the values go on."""
    for _ in values:
        raise GameError(
            f"{game!r}: `{rule}` yields more than {MAX_YIELDED} things in {game.state_text(state)} and may never end."
        )
    yield from ()


def payoff(game: Game, state: State) -> int:
    """ONGOING, or the payoff of the player to move: `result`, or `stuck` if no move is left."""
    result = game.result(state)
    if result != ONGOING or game.is_chance(state):
        return whole_number(game, "result", state, result)
    if any(True for _ in bounded(game, "moves", state, game.moves(state))):
        return ONGOING
    found = whole_number(game, "stuck", state, game.stuck(state))
    if found == ONGOING:
        raise GameError(f"{game!r}: `stuck` returned ONGOING in {game.state_text(state)}, where no move is left.")
    return found


def whole_number(game: Game, rule: str, state: State, answer: Any) -> int:
    """What a rule returned, as an int. Raise GameError unless it is a whole number of 64 bits."""
    if type(answer) is not int:
        try:
            number = int(answer)
        except (TypeError, ValueError, OverflowError):
            number = None
        if number is None or number != answer:
            raise rule_error(game, rule, state, answer, "a whole number")
        answer = number
    if not -1 << 63 <= answer < 1 << 63:
        raise rule_error(game, rule, state, answer, "a number of 64 bits")
    return int(answer)


def static_eval(game: Game, state: State) -> Score:
    """The static evaluation of an unfinished state, clamped between every proven loss and every proven win."""
    value = checked_evaluation(game, state, game.evaluate(state))
    return max(1 - DECISIVE, min(DECISIVE - 1, value))


def checked_evaluation(game: Game, state: State, value: Any) -> Score:
    """The value that `evaluate` returned. Raise GameError unless it is a finite number."""
    try:
        number: Score = value if isinstance(value, int | float) else float(value)
    except (TypeError, ValueError):
        raise rule_error(game, "evaluate", state, value, "a number") from None
    if isinstance(number, float) and not math.isfinite(number):
        raise rule_error(game, "evaluate", state, value, "a finite number")
    return number


def rule_error(game: Game, rule: str, state: State, answer: Any, wanted: str) -> GameError:
    """The error of a rule that returned something other than what is `wanted`."""
    missing = " (is a `return` missing?)" if answer is None else ""
    return GameError(f"{game!r}: `{rule}` returned {answer!r}{missing} in {game.state_text(state)}, not {wanted}.")


def moves_into(game: Game, state: State, buffer: Any) -> int:
    """Store the moves in `buffer` and return their number. Moves beyond its length are only counted."""
    return _into(bounded(game, "moves", state, game.moves(state)), buffer)


def count_moves(game: Game, state: State) -> int:
    """The number of moves, without storing them. Compiled as it is if the rule cannot be rewritten."""
    count = 0
    for _ in game.moves(state):
        count += 1
    return count


def candidates_into(game: Game, state: State, buffer: Any) -> int:
    """Store the candidate moves in `buffer` and return their number."""
    return _into(bounded(game, "candidates", state, game.candidates(state)), buffer)


def chances_into(game: Game, state: State, outcomes: Any, probabilities: Any) -> int:
    """Store the outcomes of a chance node and their probabilities, and return their number."""
    pairs = listed_chances(game, state)
    _into((outcome for outcome, _ in pairs), outcomes)
    return _into((probability for _, probability in pairs), probabilities)


def _into(values: Iterable[Any], buffer: Any) -> int:
    count = 0
    for value in values:
        if count < len(buffer):
            buffer[count] = value
        count += 1
    return count


def canonical(game: Game, state: State) -> State:
    """The canonical representative of all states equivalent to this one."""
    return game.canonical(state)


def orbit_size(game: Game, state: State, scratch: Any = None) -> int:
    """The number of distinct states that `symmetries` maps this one to, itself included.

    Compiled code tells them apart by their keys, which it writes to `scratch`.
    """
    return len({state, *game.symmetries(state)})


def predecessors_into(game: Game, state: State, rows: Any) -> int:
    """Store the words of each predecessor in `rows` and return their number. Those beyond its length are counted."""
    return _rows_into(game, bounded(game, "predecessors", state, game.predecessors(state)), rows)


def symmetries_into(game: Game, state: State, rows: Any) -> int:
    """Store the words of each symmetric state in `rows`, as `predecessors_into` does, and return their number."""
    return _rows_into(game, bounded(game, "symmetries", state, game.symmetries(state)), rows)


def _rows_into(game: Game, states: Iterable[State], rows: Any) -> int:
    length, count = state_length(game), 0
    for each in states:
        if (count + 1) * length <= len(rows):
            state_to_words(game, each, rows.part(count * length, length))
        count += 1
    return count


def features_into(game: Game, state: State, buffer: Any) -> int:
    """Store the features in `buffer` and return their number."""
    return _into(game.features(state), buffer)


def state_length(game: Game) -> int:
    """The number of words that `state_to_words` writes: one for each number of a state."""
    return sum(1 for _ in numbers(game.initial()))


def state_from_words(game: Game, row: Any) -> State:
    """The state whose numbers are stored in a row of words, floats by their bits."""
    return _fill(game.initial(), iter(row[i] for i in range(len(row))))


def state_to_words(game: Game, state: State, row: Any) -> None:
    """Write the numbers of a state into a row of int64 words, for `state_from_words`."""
    for i, number in enumerate(numbers(state)):
        row[i] = _float_word(number) if isinstance(number, float) else bits.signed(int(number))


def numbers(part: Any) -> Iterable[Any]:
    """The numbers of a state, depth first."""
    if isinstance(part, tuple):
        for inner in part:
            yield from numbers(inner)
    else:
        yield part


def _float_word(number: float) -> int:
    """The bits of a float, as a signed word."""
    word: int = struct.unpack("<q", struct.pack("<d", number))[0]
    return word


def _fill(example: State, numbers: Any) -> State:
    if not isinstance(example, tuple):
        word = int(next(numbers))
        if isinstance(example, float):
            return struct.unpack("<d", struct.pack("<q", word))[0]
        return type(example)(word) if isinstance(example, bool) else word
    parts = [_fill(part, numbers) for part in example]
    return tuple(parts) if type(example) is tuple else type(example)(*parts)
