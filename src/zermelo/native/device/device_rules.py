"""Functions of Zermelo on a GPU that ask the rules of a game: rewritten for each, so they are as plain as rules."""

from __future__ import annotations

from typing import Any

from zermelo import bits
from zermelo.game import Game
from zermelo.native.device import device_functions


def constant_state() -> Any:
    raise NotImplementedError


def initial(game: Any) -> Any:
    return constant_state()


def moves_into(game: Any, state: Any, buffer: Any) -> int:
    count = 0
    for move in game.moves(state):
        if count < len(buffer):
            buffer[count] = move
        count += 1
    return count


def count_moves(game: Any, state: Any) -> int:
    count = 0
    for _ in game.moves(state):
        count += 1
    return count


def chances_into(game: Any, state: Any, outcomes: Any, probabilities: Any) -> int:
    count = 0
    for outcome, probability in game.chances(state):
        if count < len(outcomes):
            outcomes[count] = outcome
            probabilities[count] = probability
        count += 1
    return count


def no_chances_into(game: Any, state: Any, outcomes: Any, probabilities: Any) -> int:
    return 0


def canonical(game: Any, state: Any) -> Any:
    return game.canonical(state)


def least_image(game: Game) -> Any:
    return least if game.has("symmetries") else same


def least(game: Any, state: Any) -> Any:
    best = state
    for image in game.symmetries(state):
        if image < best:
            best = image
    return best


def same(game: Any, state: Any) -> Any:
    return state


def one(game: Any, state: Any, scratch: Any = None) -> int:
    return 1


def image_word(game: Any, state: Any) -> int:
    """A number that most states of an orbit do not share."""
    raise NotImplementedError


def orbit_size(game: Any, state: Any, scratch: Any = None) -> int:
    """The number of distinct images, which are told apart by their words; compared where two words are equal."""
    words = device_functions.local_ints(32)
    count, room = 0, True
    for image in game.symmetries(state):
        if image != state:
            if count < 32:
                words[count] = image_word(game, image)
                count += 1
            else:
                room = False
    for i in range(1, count):
        for j in range(i):
            if words[i] == words[j]:
                room = False
    return count + 1 if room else distinct_images(game, state)


def distinct_images(game: Any, state: Any) -> int:
    """The number of distinct images: those that no earlier one equals."""
    count, place = 1, 0
    for image in game.symmetries(state):
        new, earlier = image != state, 0
        for another in game.symmetries(state):
            if earlier == place:
                break
            earlier += 1  # noqa: SIM113  (no enumerate over a generator)
            if another == image:
                new = False
                break
        place += 1  # noqa: SIM113
        if new:
            count += 1
    return count


def always(game: Any, state: Any, child: Any) -> bool:
    return True


def changes_player(game: Any, state: Any, child: Any) -> Any:
    return game.mover(state) != game.mover(child)


def not_stuck(game: Any, state: Any) -> int:
    return device_functions.NO_STUCK_RULE


def no_chance(game: Any, state: Any) -> Any:
    for outcome in range(0):
        yield outcome, 1.0


def ones(x: Any) -> Any:
    word = bits.unsigned(x)
    while word:
        yield bits.lsb(word)
        word &= bits.subtract(word, 1)
