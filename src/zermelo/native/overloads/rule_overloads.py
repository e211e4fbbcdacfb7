"""Numba overloads of rules.py, and the casts of states and moves between Python and compiled code."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numba import types
from numba.core.errors import TypingError

from zermelo import keys, rules
from zermelo.game import Game, State
from zermelo.native.codegen.jit import jitted
from zermelo.native.codegen.link_only import overload as plain_overload
from zermelo.native.codegen.yield_buffers import int_move, store_row, yields_to_buffer, yields_to_rows
from zermelo.native.overloads.key_overloads import number_word, numbers
from zermelo.native.overloads.state_types import cast_expression, nested_expression, state_type

if TYPE_CHECKING:
    from zermelo.native.game_type import GameType


def overload(function: Any) -> Callable[[Any], Any]:
    """Register an overload for a game's own type. The game of a linked kernel has overloads in any_game.py."""

    def register(choose: Any) -> Any:
        names = ", ".join(inspect.signature(choose).parameters)
        first = names.partition(",")[0]
        scope = {"choose": choose}
        exec(f"def chooser({names}):\n    return choose({names}) if hasattr({first}, 'game') else None", scope)
        plain_overload(function)(scope["chooser"])
        return choose

    return register


# -- states ----------------------------------------------------------------------------------------------------


def cast_state(game: Game, state: State) -> State:
    """Cast a tuple of the right shape to a state of the game, each part to its machine type."""
    raise NotImplementedError


@overload(cast_state)
def _cast_state(game: GameType, state: Any) -> Any:
    if state == state_type(game.layout):
        return lambda game, state: state
    scope: dict[str, Any] = {}
    expression = cast_expression(game.layout, state, "state", scope)
    exec(f"def implementation(game, state):\n    return {expression}", scope)
    return scope["implementation"]


def plain_state(value: Any) -> Any:
    """A result as Python gets it: NamedTuples become plain tuples."""
    raise NotImplementedError


@plain_overload(plain_state)
def _plain_state(value: Any) -> Any:
    if not _has_namedtuple(value):
        return lambda value: value
    scope: dict[str, Any] = {}
    exec(f"def implementation(value):\n    return {_plain_expression(value, 'value')}", scope)
    return scope["implementation"]


def _has_namedtuple(typ: Any) -> bool:
    if isinstance(typ, types.BaseNamedTuple):
        return True
    return isinstance(typ, types.BaseTuple) and any(_has_namedtuple(part) for part in typ)


def _plain_expression(typ: Any, name: str) -> str:
    if not isinstance(typ, types.BaseTuple):
        return name
    return "(" + "".join(f"{_plain_expression(part, f'{name}[{i}]')}, " for i, part in enumerate(typ)) + ")"


def check_move(game: Any, state: Any, move: Any) -> None:
    """Raise TypingError if the move is not an integer."""
    if not isinstance(move, types.Integer | types.Boolean):
        kind = "tuples" if isinstance(move, types.BaseTuple) else str(move)
        raise TypingError(f"a move is an int where rules are compiled, and these are {kind}")


@plain_overload(int_move)
def _int_move(move: Any) -> Any:
    check_move(None, None, move)
    return lambda move: types.int64(move)


# -- overloads of rules.py ---------------------------------------------------------------------------------------


@overload(rules.changes_player)
def _turns(game: GameType, state: Any, child: Any) -> Any:
    if rules.alternates(game.game):
        return lambda game, state, child: True
    return lambda game, state, child: game.mover(state) != game.mover(child)


def _fact(predicate: Any) -> None:
    """Overload a predicate of the rules with its answer, a constant."""

    def answer(game: GameType) -> Any:
        fact = predicate(game.game)
        return lambda game: fact

    overload(predicate)(answer)


for _predicate in (
    keys.key_is_exact, rules.has_distance, rules.has_skip, rules.has_noise, rules.has_index, rules.has_predecessors,
):  # fmt: skip
    _fact(_predicate)


def _into(rule: str) -> Any:
    """An overload of moves_into or candidates_into: the rewritten rule, or a loop over the rule itself."""

    def choose(game: GameType, state: Any, buffer: Any) -> Any:
        rewritten = yields_to_buffer(getattr(type(game.game), rule if game.game.has(rule) else "moves"))
        store = jitted(_LOOPS[rule] if rewritten is None else rewritten)
        return lambda game, state, buffer: store(game, state, buffer)

    return choose


def _store_moves(game: Game, state: State, buffer: Any) -> int:
    count = 0
    for move in game.moves(state):
        if count < len(buffer):
            buffer[count] = int_move(move)
        count += 1
    return count


def _store_candidates(game: Game, state: State, buffer: Any) -> int:
    count = 0
    for move in game.candidates(state):
        if count < len(buffer):
            buffer[count] = int_move(move)
        count += 1
    return count


def _store_chances(game: Game, state: State, outcomes: Any, probabilities: Any) -> int:
    count = 0
    for outcome, probability in game.chances(state):
        if count < len(outcomes):
            outcomes[count] = int_move(outcome)
            probabilities[count] = probability
        count += 1
    return count


_LOOPS = {"moves": _store_moves, "candidates": _store_candidates}
overload(rules.moves_into)(_into("moves"))
overload(rules.candidates_into)(_into("candidates"))


@overload(rules.count_moves)
def _count_moves(game: GameType, state: Any) -> Any:
    rewritten = yields_to_buffer(type(game.game).moves, 0)  # type: ignore[arg-type]
    count = jitted(rules.count_moves if rewritten is None else rewritten)
    return lambda game, state: count(game, state)


@overload(rules.chances_into)
def _chances_into(game: GameType, state: Any, outcomes: Any, probabilities: Any) -> Any:
    rewritten = yields_to_buffer(type(game.game).chances, 2)  # type: ignore[arg-type]
    store = jitted(_store_chances if rewritten is None else rewritten)
    return lambda game, state, outcomes, probabilities: store(game, state, outcomes, probabilities)


@overload(rules.canonical)
def _canonical(game: GameType, state: Any) -> Any:
    if game.game.has("canonical"):
        return lambda game, state: game.canonical(state)
    if not game.game.has("symmetries"):
        return lambda game, state: state
    least = jitted(_least)
    return lambda game, state: least(game, state)


def _least(game: Game, state: State) -> State:
    best = state
    for other in game.symmetries(state):
        image = cast_state(game, other)
        if image < best:
            best = image
    return best


@overload(rules.orbit_size)
def _images(game: GameType, state: Any, scratch: Any) -> Any:
    if not game.game.has("symmetries"):
        return lambda game, state, scratch: 1
    count, compare = jitted(_count_by_keys), jitted(_count_images)
    return lambda game, state, scratch: count(game, state, scratch) or compare(game, state)


def _count_by_keys(game: Game, state: State, scratch: Any) -> int:
    """The number of distinct images; 0 if two of them, or their keys, are equal, or there is no room for the keys."""
    count = 0
    for other in game.symmetries(state):
        image = cast_state(game, other)
        if image != state:
            if count == len(scratch):
                return 0
            scratch[count] = _image_key(game, image)
            count += 1
    for i in range(1, count):
        equal = False
        for j in range(i):
            equal |= scratch[i] == scratch[j]
        if equal:
            return 0
    return count + 1


def _image_key(game: Game, state: State) -> int:
    """A number that most states of an orbit do not share: cheaper than a key that spreads all states evenly."""
    raise NotImplementedError


@overload(_image_key)
def _sum_of_products(game: GameType, state: Any) -> Any:
    terms = (
        f"number_word({number}) * uint64({pow(keys.KEY_MULTIPLIER, place, 1 << 64)})"
        for place, (number, _) in enumerate(numbers(state, "state"), 1)
    )
    scope: dict[str, Any] = {"number_word": number_word, "int64": types.int64, "uint64": types.uint64}
    exec(f"def implementation(game, state):\n    return int64({' + '.join(terms)})", scope)
    return scope["implementation"]


def _count_images(game: Game, state: State) -> int:
    count = 1
    for place, other in enumerate(game.symmetries(state)):
        image = cast_state(game, other)
        new = image != state
        for earlier, another in enumerate(game.symmetries(state)):
            if earlier == place:
                break
            if cast_state(game, another) == image:
                new = False
        count += new
    return count


@overload(rules.predecessors_into)
def _predecessors_into(game: GameType, state: Any, rows: Any) -> Any:
    store = jitted(yields_to_rows(type(game.game).predecessors) or _store_predecessors)  # type: ignore[arg-type]
    return lambda game, state, rows: store(game, state, rows)


@overload(rules.symmetries_into)
def _symmetries_into(game: GameType, state: Any, rows: Any) -> Any:
    store = jitted(yields_to_rows(type(game.game).symmetries) or _store_symmetries)  # type: ignore[arg-type]
    return lambda game, state, rows: store(game, state, rows)


@overload(store_row)
def _store_row(game: GameType, state: Any, rows: Any, place: Any) -> Any:
    put = jitted(_put_row)
    return lambda game, state, rows, place: put(game, state, rows, place)


def _put_row(game: Game, state: State, rows: Any, place: int) -> None:
    length = rules.state_length(game)
    if (place + 1) * length <= len(rows):
        rules.state_to_words(game, cast_state(game, state), rows.part(place * length, length))


def _store_predecessors(game: Game, state: State, rows: Any) -> int:
    count = 0
    for before in game.predecessors(state):
        store_row(game, before, rows, count)
        count += 1
    return count


def _store_symmetries(game: Game, state: State, rows: Any) -> int:
    count = 0
    for image in game.symmetries(state):
        store_row(game, image, rows, count)
        count += 1
    return count


@overload(rules.features_into)
def _features_into(game: GameType, state: Any, buffer: Any) -> Any:
    return lambda game, state, buffer: store_reals(game.features(state), buffer)


def store_reals(values: Any, buffer: Any) -> int:
    """Store numbers of any types in Reals and return how many there are."""
    raise NotImplementedError


@plain_overload(store_reals)
def _store_reals(values: Any, buffer: Any) -> Any:
    if not isinstance(values, types.BaseTuple):
        raise TypingError("features are a tuple of numbers where rules are compiled")
    lines = ["def implementation(values, buffer):"]
    lines += [f"    if len(buffer) > {i}:\n        buffer[{i}] = float64(values[{i}])" for i in range(len(values))]
    scope: dict[str, Any] = {"float64": types.float64}
    exec("\n".join([*lines, f"    return {len(values)}"]), scope)
    return scope["implementation"]


@overload(rules.state_length)
def _state_length(game: GameType) -> Any:
    length = sum(1 for _ in game.layout.numbers())
    return lambda game: length


@overload(rules.state_from_words)
def _state_from(game: GameType, row: Any) -> Any:
    scope: dict[str, Any] = {"cast_state": cast_state}
    parts = enumerate(game.layout.numbers())
    text = nested_expression(
        game.layout, (f"row.reals({at}, 1)[0]" if part.is_float else f"row[{at}]" for at, part in parts)
    )
    exec(f"def implementation(game, row):\n    return cast_state(game, {text})", scope)
    return scope["implementation"]


@overload(rules.state_to_words)
def _state_into(game: GameType, state: Any, row: Any) -> Any:
    lines = ["def implementation(game, state, row):"]
    for at, (number, typ) in enumerate(numbers(state, "state")):
        whole = not isinstance(typ, types.Float)
        lines.append(f"    row[{at}] = int64({number})" if whole else f"    row.reals({at}, 1)[0] = float64({number})")
    lines.append("    return None")
    scope: dict[str, Any] = {"int64": types.int64, "float64": types.float64}
    exec("\n".join(lines), scope)
    return scope["implementation"]
