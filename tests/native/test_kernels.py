"""The native door: one class, compiled and interpreted, with the same answers."""

import enum
import functools
import math
import re
import sys
import threading
from typing import NamedTuple

import numpy as np
import pytest

import zermelo as z
from taking import Takes
from zermelo import DRAW, LOSS, ONGOING, WIN, Game, GameError, bits
from zermelo.games.registry import load
from zermelo.native import Kernel, cache_statistics, fingerprint, kernel, kernels
from zermelo.native.codegen.yield_buffers import yields_to_buffer
from zermelo.rules import chances_into, changes_player, count_moves, moves_into
from zermelo.simulation import perft_divide

LIMIT = 9
STEPS = (1, 2, 3)
TABLE = np.array([[0, 1, 2], [2, 1, 0]], dtype=np.int64)


class Pair(NamedTuple):
    mine: int
    theirs: int


def halves(n):
    return n // 2


def even_or_odd(n):
    return True if n == 0 else odd_or_even(n - 1)


def odd_or_even(n):
    return False if n == 0 else even_or_odd(n - 1)


class Race(Game):
    """A counting race that touches every kind of name a rule may use."""

    goal: int = 7
    steps: tuple[int, ...] = (1, 2)
    label: str = "race"
    BONUS = 1
    WEIGHTS = (3, 1, 2)

    def initial(self):
        return Pair(0, 0)

    def moves(self, state):
        for step in self.steps:
            if self.allowed(state, step):
                yield step
        if even_or_odd(state.mine):
            yield self.lift(3)

    def allowed(self, state, step, slack=2):
        return state.mine + step <= self.goal + slack + math.gcd(4, 6) + TABLE[1, 2]

    @staticmethod
    def lift(step):
        return step + halves(2)

    @property
    def last(self):
        return max(range(self.goal), key=lambda n: n)  # not compilable, and need not be: a constant

    @functools.cached_property
    def squares_of(self):
        return np.array([n * n for n in range(self.goal + 1)])

    def play(self, state, step):
        return Pair(state.theirs, min(state.mine + step * self.BONUS, LIMIT))

    def result(self, state):
        if state.theirs > self.last or self.squares_of[min(state.theirs, self.goal)] > self.goal**2:
            return LOSS
        return ONGOING

    def order(self, state, step):
        return self.WEIGHTS[step % len(STEPS)] if self.label == "race" else 0


class Derived(Race):
    """Inherits its rules and changes one."""

    def result(self, state):
        return DRAW if state.theirs == 3 else LOSS if state.theirs > 5 else ONGOING


class Word(NamedTuple):
    bits: np.uint64
    flag: bool
    share: float
    inner: tuple[int, int]


class Mixed(Game):
    """A state of every machine type, one of them beyond 63 bits."""

    def initial(self):
        return Word(1 << 63, False, 0.5, (0, 1))

    def moves(self, state):
        return range(1, 3)

    def play(self, state, move):
        return Word(
            bits.rotate_left(state.bits, move), not state.flag, state.share / 2, (state.inner[1], state.inner[0] + move)
        )

    def result(self, state):
        return WIN if bits.lsb(state.bits) == 5 and state.flag else ONGOING


class Number(Game):
    """The state is a bare int, the moves a list."""

    def initial(self):
        return 10

    def moves(self, left):
        return [take for take in (1, 2, 3) if take <= left]

    def play(self, left, take):
        return left - take

    def result(self, left):
        return LOSS if left == 0 else ONGOING


class Plain(Game):
    """The state is a plain tuple of tuples."""

    def initial(self):
        return ((2, 2), (1, 1))

    def moves(self, state):
        for pile in range(2):
            if state[0][pile] > 0:
                yield pile

    def play(self, state, pile):
        a, b = state[0]
        return ((a - 1, b), state[1]) if pile == 0 else ((a, b - 1), state[1])

    def result(self, state):
        return ONGOING

    def stuck(self, state):
        return LOSS


def local_game(step):
    def bump(n):
        return n + step

    class Local(Game):
        """Its rules use variables of the function around it."""

        def initial(self):
            return 0

        def moves(self, n):
            yield step
            yield bump(step)

        def play(self, n, move):
            return n + move

        def result(self, n):
            return WIN if n > 12 else ONGOING

    return Local()


GAMES = [Race(), Race(goal=5, steps=(1, 2, 3)), Derived(), Mixed(), Number(), Plain(), local_game(2), local_game(3)]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_compiled_perft_equals_interpreted(game):
    assert game.native_error is None
    for depth in range(7):
        assert z.perft(game, depth) == z.perft(game, depth, interpreted=True)


@kernel
def leaves(game, state, depth):
    """Perft as an author may write it: a kernel that calls itself and loops over the moves."""
    if depth == 0:
        return 1
    if game.result(state) != ONGOING:
        return 0
    total = 0
    for move in game.moves(state):
        total += leaves(game, game.play(state, move), depth - 1)
    return total


@pytest.mark.parametrize("game", [Mixed(), local_game(2)], ids=repr)
def test_a_kernel_of_ones_own_may_call_itself(game):
    assert leaves.ready(game, game.initial(), 3)
    for depth in range(7):
        assert leaves(game, game.initial(), depth) == z.perft(game, depth, interpreted=True)


class Many(Game):
    """Counts down from `top`, with as many moves as are left."""

    top: int = 300

    def initial(self):
        return self.top

    def moves(self, left):
        return range(1, left + 1)

    def play(self, left, move):
        return left - move

    def result(self, left):
        return LOSS if left == 0 else ONGOING


@pytest.mark.parametrize("room", [1, 2, 30, 64])
def test_perft_finds_room_for_all_moves(monkeypatch, room):
    monkeypatch.setattr(perft_divide, "SEQUENCE_MOVES", room)
    for game in (Many(7), Coin()):
        assert game.native_error is None
        for depth in range(8):
            assert z.perft(game, depth) == z.perft(game, depth, interpreted=True)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.slow] * (game != Mixed())) for game in GAMES], ids=repr
)
def test_compiled_search_equals_interpreted_node_for_node(game, monkeypatch):
    compiled = z.search(game, limit=z.Limit(depth=6))
    monkeypatch.setattr(Kernel, "__call__", lambda self, game, *args: self.interpreted(game, *args))
    interpreted = z.search(game, limit=z.Limit(depth=6))
    assert (compiled.value, compiled.pv, compiled.nodes) == (interpreted.value, interpreted.pv, interpreted.nodes)


@kernel
def one_step(game, state, move):
    return game.play(state, move)


@kernel
def passes(game, state, move):
    return changes_player(game, state, game.play(state, move))


def test_a_state_leaves_a_kernel_as_plain_numbers():
    game = Mixed()
    assert one_step(game, game.initial(), 1) == (1, True, 0.25, (1, 1))
    assert game.play(game.initial(), 1) == (1, True, 0.25, (1, 1))


def test_turns_follow_the_mover_rule():
    class Again(Number):
        """Taking one gives another turn."""

        def initial(self):
            return (10, 0)

        def moves(self, state):
            yield 1
            yield 2

        def play(self, state, take):
            return (state[0] - take, state[1] if take == 1 else 1 - state[1])

        def mover(self, state):
            return state[1]

        def result(self, state):
            return WIN if state[0] <= 0 else ONGOING

    for game in (Again(), Number()):
        assert [passes(game, game.initial(), take) for take in (1, 2)] == [
            passes.interpreted(game, game.initial(), take) for take in (1, 2)
        ]
    assert [passes(Again(), (10, 0), take) for take in (1, 2)] == [False, True]


def test_interpreted_kernels_never_enter_compiled_code(monkeypatch):
    def fail(self, *args):
        raise AssertionError("compiled code was asked for")

    monkeypatch.setattr(Kernel, "__call__", fail)
    assert leaves.interpreted(Number(), 10, 3) == 27


# -- any hashable state and move still work ------------------------------------------------------------------------


class Letters(Game):
    """States are frozensets of strings, moves are strings."""

    def initial(self):
        return frozenset("abc")

    def moves(self, left):
        return sorted(left)

    def play(self, left, letter):
        return left - {letter}

    def result(self, left):
        return LOSS if not left else ONGOING


class Coordinates(Game):
    """Moves are tuples."""

    def initial(self):
        return 0

    def moves(self, n):
        yield (1, 0)
        yield (0, 2)

    def play(self, n, move):
        return n + move[0] + move[1]

    def result(self, n):
        return LOSS if n > 5 else ONGOING


def test_games_that_do_not_compile_are_interpreted():
    assert z.perft(Letters(), 3) == 6
    assert "frozenset" in Letters().native_error
    assert str(z.search(Letters()).value) == "win in 3"
    assert z.perft(Coordinates(), 3) == 8
    assert Coordinates().native_error.startswith("Coordinates.moves, line ")
    assert "tuples" in Coordinates().native_error
    assert z.search(Coordinates()).move in ((1, 0), (0, 2))


def _errors(**rules):
    return type("Odd", (Number,), rules)().native_error


def test_native_error_names_the_rule_the_line_and_the_reason():
    def result(self, left):
        return LOSS if left.missing else ONGOING

    line = result.__code__.co_firstlineno + 1
    error = _errors(result=result)
    assert error.startswith(f"Odd.result, line {line}: ")
    assert "missing" in error
    assert "\n" not in error


def test_native_error_of_typical_mistakes():
    def floats(self, left, take):
        return left / take

    def forgets(self, left):  # noqa: RET503
        if left == 0:
            return LOSS

    def formats(self, left):
        return LOSS if f"{left:>3}" == "  0" else ONGOING

    def imports(self, left):
        import math

        return LOSS if math.sqrt(left) == 0 else ONGOING

    def names(self, left):
        return nonsense(left)  # noqa: F821

    def extra(self, left, more):
        return LOSS

    assert "//" in _errors(play=floats)
    assert "return" in _errors(result=forgets)
    assert "text" in _errors(result=formats)
    assert "import inside a rule" in _errors(result=imports)
    assert "nonsense" in _errors(result=names)
    assert "takes 2 arguments" in _errors(result=extra)
    assert "list" in _errors(initial=lambda self: [1, 2])


def test_native_true_makes_it_an_error_at_once():
    class Must(Coordinates):
        native = True

    for _ in range(2):
        with pytest.raises(GameError, match=r"native = True.*Must\.moves"):
            z.perft(Must(), 2)
    assert "Must.moves" in Must().native_error


def test_a_game_that_begins_with_a_number_that_does_not_fit_says_what_to_write_and_is_interpreted():
    class Big(Number):
        def initial(self):
            return 1 << 63

    assert re.search(r"Big\.initial: the state is 9223372036854775808, .*annotate it np\.uint64", Big().native_error)
    assert z.perft(Big(), 2) == 9

    class Must(Big):
        native = True

    with pytest.raises(GameError, match=r"np\.uint64"):
        z.perft(Must(), 1)


# -- fingerprints ------------------------------------------------------------------------------------------------


def test_equal_games_have_one_fingerprint_and_parameters_tell_them_apart():
    assert fingerprint(Race()) == fingerprint(Race(7, (1, 2)))
    assert len({fingerprint(game) for game in GAMES}) == len(GAMES)


def test_a_rule_may_name_the_class_of_all_games():
    """`load` does, in its annotations and its code, and Game is no dataclass."""

    def play(self, state, move):
        load("nim")
        return Game and Takes.play(self, state, move)

    loading = type("Loading", (Takes,), {"play": play, "__module__": __name__})
    assert fingerprint(loading()) == fingerprint(loading()) != fingerprint(Takes())
    assert z.search(loading()).value == z.search(Takes()).value


def test_a_fingerprint_covers_globals_functions_and_constants(monkeypatch):
    names = [fingerprint(Race())]
    for name, value in [("LIMIT", 8), ("TABLE", TABLE + 1), ("halves", lambda n: n // 3), ("STEPS", (1, 2))]:
        with monkeypatch.context() as patch:
            patch.setattr(sys.modules[__name__], name, value)
            names.append(fingerprint(Race()))
    with monkeypatch.context() as patch:
        patch.setattr(Race, "BONUS", 2)
        names.append(fingerprint(Race()))
    assert len(set(names)) == len(names)


def test_looking_and_writing_do_not_change_a_fingerprint(monkeypatch):
    before = fingerprint(Race())
    monkeypatch.setattr(Race, "move_text", lambda self, state, move: "x", raising=False)
    assert fingerprint(Race()) == before


# -- move buffers -------------------------------------------------------------------------------------------------


@kernel
def store(game, state, buffer):
    return moves_into(game, state, buffer)


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("room", [0, 1, 8])
def test_moves_into_stores_what_fits_and_counts_the_rest(game, room):
    moves = list(game.moves(game.initial()))
    for run in (store, store.interpreted):
        buffer = np.full(room, -1)
        assert run(game, game.initial(), buffer) == len(moves)
        assert buffer.tolist() == (moves + [-1] * room)[:room]


@kernel
def counted(game, state):
    return count_moves(game, state)


@pytest.mark.parametrize("game", [*GAMES, *[Race(goal=g) for g in (2, 3)]], ids=repr)
def test_moves_are_counted_as_they_are_listed(game):
    assert counted(game, game.initial()) == len(list(game.moves(game.initial())))
    assert counted.ready(game, game.initial())


class Awkward(Game):
    """Yields in every way: in branches, after a return, from another iterable."""

    def initial(self):
        return 3

    def moves(self, n):
        if n == 0:
            return
        for i in range(n):
            if i == 1:
                continue
            yield i * 10
        yield from range(100, 100 + n)
        if n == 2:
            yield 7
            return
        yield -1

    def play(self, n, move):
        return n - 1

    def result(self, n):
        return ONGOING

    def stuck(self, n):
        return LOSS


def test_the_yield_rewrite_keeps_every_branch():
    rewritten = yields_to_buffer(Awkward.moves)
    for n in range(5):
        buffer = np.zeros(32, np.int64)
        count = rewritten(Awkward(), n, buffer)
        assert buffer[:count].tolist() == list(Awkward().moves(n))
        compiled = np.zeros(32, np.int64)
        assert store(Awkward(), n, compiled) == count
        assert (compiled == buffer).all()


def test_yield_from_compiles_like_any_yield():
    game = Awkward()
    assert game.native_error is None
    for depth in range(5):
        assert z.perft(game, depth) == z.perft(game, depth, interpreted=True)


class Handed(Awkward):
    """Hands on the generator of another method."""

    def moves(self, n):
        return self.free(n)

    def free(self, n):
        for i in range(n):
            yield i


def test_a_rule_may_return_another_methods_generator():
    game = Handed()
    assert game.native_error is None
    assert [z.perft(game, depth, 4) for depth in range(5)] == [1, 4, 12, 24, 24]
    assert game.native_error is None


def test_rules_whose_yields_are_expressions_are_left_alone():
    def moves(self, state):
        got = yield 1
        yield got

    assert yields_to_buffer(moves) is None


class Coin(Number):
    def mover(self, left):
        return left & 1

    def is_chance(self, left):
        return left % 3 == 0

    def chances(self, left):
        yield 1, 0.25
        yield 2, 0.75


@kernel
def store_chances(game, state, outcomes, probabilities):
    return chances_into(game, state, outcomes, probabilities)


@pytest.mark.parametrize("room", [1, 4])
def test_chances_into_two_buffers(room):
    for run in (store_chances, store_chances.interpreted):
        outcomes, probabilities = np.zeros(room, np.int64), np.zeros(room)
        assert run(Coin(), 9, outcomes, probabilities) == 2
        assert outcomes.tolist() == [1, 2, 0, 0][:room]
        assert probabilities.tolist() == [0.25, 0.75, 0, 0][:room]


# -- threads, warm_up ---------------------------------------------------------------------------------------------


def test_many_threads_meet_a_new_game_at_once():
    game = local_game(11)
    answers, errors = [], []

    def work():
        try:
            answers.append(z.perft(game, 5))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert answers == [z.perft(game, 5, interpreted=True)] * 8


def test_warm_up_compiles_what_is_needed_later():
    game = local_game(5)
    z.warm_up(game, background=True).join()
    for each in kernels:
        if each.example is not None:
            before = cache_statistics()
            assert each.ready(game, *each.example(game))
            assert cache_statistics() == before


def test_warm_up_in_the_background_reports_what_it_raises(monkeypatch):
    class Required(Letters):
        native = True

    reported = []
    monkeypatch.setattr(threading, "excepthook", reported.append)
    z.warm_up(Required(), background=True).join()
    assert [type(each.exc_value) for each in reported] == [z.GameError]


def test_warm_up_of_an_interpreted_game_is_harmless():
    assert z.warm_up(Letters()) is None


# -- what the machine code is made from, and nothing else -------------------------------------------------------------

STEP = 2
CHANGING = np.array([2])


class Kind(enum.IntEnum):
    STEP = 2


def changing():
    return CHANGING[0]


class Few(Number):
    """As many moves as a global says, directly, through a function, a property or an enum."""

    way: int = 0

    @property
    def table(self):
        return tuple(range(hidden_constant()))

    def initial(self):
        return 30

    def moves(self, left):
        count = STEP
        if self.way == 1:
            count = changing()
        elif self.way == 2:
            count = len(self.table)
        elif self.way == 3:
            count = Kind.STEP
        for move in range(1, count + 1):
            yield move


@functools.cache
def hidden_constant():
    return 2


def _agree(game, depth=3):
    """The number of leaves, counted in every way: linked, by a kernel of one's own, and interpreted."""
    compiled = z.perft(game, depth)
    assert leaves.ready(game, game.initial(), depth)
    assert compiled == leaves(game, game.initial(), depth) == z.perft(game, depth, interpreted=True)
    assert game.native_error is None
    return compiled


def test_a_changed_global_is_another_game(monkeypatch):
    assert _agree(Few()) == 8
    monkeypatch.setattr(sys.modules[__name__], "STEP", 3)
    assert _agree(Few()) == 27


def test_an_array_changed_in_place_is_another_game():
    assert _agree(Few(1)) == 8
    CHANGING[0] = 3
    try:
        assert _agree(Few(1)) == 27
    finally:
        CHANGING[0] = 2


def test_a_property_counts_by_its_value(monkeypatch):
    assert _agree(Few(2)) == 8
    monkeypatch.setattr(sys.modules[__name__], "hidden_constant", functools.cache(lambda: 3))
    assert _agree(Few(2)) == 27


def test_an_enum_counts_by_its_members(monkeypatch):
    assert _agree(Few(3)) == 8
    monkeypatch.setattr(sys.modules[__name__], "Kind", enum.IntEnum("Kind", {"STEP": 3}))
    assert _agree(Few(3)) == 27


@kernel
def stepped(game, state, factor=1):
    return STEP * factor


def test_a_kernel_sees_changed_globals_defaults_and_keywords(monkeypatch):
    assert (stepped(Number(), 10), stepped(Number(), 10, 5), stepped(Number(), 10, factor=7)) == (2, 10, 14)
    monkeypatch.setattr(sys.modules[__name__], "STEP", 3)
    assert (stepped(Number(), 10), stepped.interpreted(Number(), 10)) == (3, 3)
    assert stepped.ready(Number(), 10)


def test_classes_that_claim_a_library_are_told_apart():
    source = "class Odd(Number):\n    def moves(self, left):\n        return range(1, {})"
    games = []
    for moves in (3, 4, 5):
        scope = {"Number": Number}
        exec(source.format(moves), scope)
        scope["Odd"].__module__ = "builtins"
        games.append(scope["Odd"]())
    assert [_agree(game, 2) for game in games] == [4, 9, 16]


def test_source_that_is_newer_than_the_code_is_not_used(tmp_path, monkeypatch):
    text = "from test_kernels import Number\n\n\nclass Edited(Number):\n    def moves(self, left):\n        yield 1\n"
    (tmp_path / "edited_game.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    import edited_game

    (tmp_path / "edited_game.py").write_text(text + "        yield 2\n")
    buffer = np.zeros(4, np.int64)
    assert store(edited_game.Edited(), 9, buffer) == 1
    assert yields_to_buffer(edited_game.Edited.moves) is None


def doubled(rule):
    @functools.wraps(rule)
    def wrapped(self, left):
        for move in rule(self, left):
            yield 2 * move

    return wrapped


class Wrapped(Number):
    @doubled
    def moves(self, left):
        yield 1
        yield 2


class Names(Number):
    """Uses names that a rewrite might use, and private ones."""

    def moves(self, left):
        _n, _out = 0, 3
        for _n in range(1, _out + 1):
            if self.__fits(left, _n):
                yield _n

    def __fits(self, left, take):
        return take <= left


class StaticDefault(Number):
    @staticmethod
    def most(extra=1):
        return 2 + extra

    def moves(self, left):
        yield from range(1, min(left, self.most()) + 1)


class Pile(NamedTuple):
    left: int = 10
    spare: int = 0


class Defaults(Game):
    """A NamedTuple with defaults, and a state that Python computes as it likes."""

    def initial(self):
        return Pile(spare=sum([1, 2]))

    def moves(self, state):
        yield 1

    def play(self, state, move):
        return Pile(state.left - move, state.spare)

    def result(self, state):
        return LOSS if state.left == 0 else ONGOING


class ArrayMoves(Number):
    """Moves come out of a NumPy array."""

    def moves(self, left):
        for take in TABLE[1]:
            if 0 < take <= left:
                yield take


@pytest.mark.parametrize("game", [Wrapped(), Names(), StaticDefault(), Defaults(), ArrayMoves()], ids=repr)
def test_odd_ways_to_write_rules(game):
    assert game.native_error is None
    assert _agree(game, 3) > 0
    buffer = np.zeros(8, np.int64)
    count = store(game, game.initial(), buffer)
    assert buffer[:count].tolist() == [int(move) for move in game.moves(game.initial())]


ODD = [
    Wrapped(),
    *(pytest.param(game, marks=pytest.mark.slow) for game in (Names(), StaticDefault(), Defaults(), ArrayMoves())),
]


@pytest.mark.parametrize("game", ODD, ids=repr)
def test_odd_ways_to_write_rules_are_searched(game):
    z.search(game, limit=z.Limit(depth=2))
    assert game.native_error is None


def test_what_is_no_state_gets_a_sentence():
    for wrong in ("foo", (1, 2, 3), (1.5, 2), 7, ((1, 2), 3)):
        with pytest.raises(GameError, match="cannot be a state"):
            z.perft(Race(), 2, wrong)


@pytest.mark.parametrize("depth", [-1, 1_000_000, "2", 2.5, True])
def test_depths_that_cannot_be_counted(depth):
    for count in (z.perft, z.divide):
        with pytest.raises(GameError, match="depth must be a whole number"):
            count(Race(), depth)


class Beyond(Number):
    """Reads beyond the end of an array after a few moves."""

    def play(self, left, take):
        return left - take if left > 4 else left - TABLE[1, left + 95]


def test_indices_of_authors_are_checked():
    game = Beyond()
    assert game.native_error is None
    with pytest.raises(IndexError):
        z.perft(game, 6)
