"""Positions by their text: one by one and many at once, against a reader that tries every prefix in turn."""

import ast
import random
import re
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from zermelo import bits, rules
from zermelo.app.web.position_parsing import parse_session
from zermelo.games.chess.chess_state import flipped
from zermelo.games.chess.fen_placement import SETS, parse_bitboards, parse_placement
from zermelo.games.chess.pins_and_checks import can_take_king, in_check
from zermelo.games.registry import TextError, load, position, positions
from zermelo.games.support import compiled_reading, move_reading, position_text
from zermelo.games.support.compiled_reading import CompiledReader, read_lines
from zermelo.games.support.move_reading import MoveReader
from zermelo.state_literals import PLAIN_NUMBERS, _literal, read_literal, shaped


class Words(z.Game):
    """Moves whose names begin alike, have spaces in them, or are said twice; one is met only at the end."""

    names: tuple = ("a", "ab", "abc", "b", "b c", "c d e", "d", "ab", "last one")

    def initial(self):
        return (0, 0)

    def moves(self, state):
        total, _ = state
        return range(8 if total < 20 else 9)

    def play(self, state, move):
        total, checksum = state
        return (total + 1, (checksum * 31 + move + 1) % (1 << 40))

    def result(self, state):
        return z.ONGOING if state[0] < 24 else z.DRAW

    def move_text(self, state, move):
        return self.names[move]


class Pairs(Words):
    """Names with commas and spaces, as str writes tuples; some are alike but for them."""

    names: tuple = ("(0, 1)", "(0, 1, 2, 3, 4)", "a b", "a,b", "a", " c ", "(0,2)", "(0, 1)", "last, one")

    def state_text(self, state):
        return f"at {state[0]} {state[1]}"

    def parse_state(self, text):
        word, total, checksum = text.split()
        if word != "at":
            raise ValueError(text)
        return (int(total), int(checksum))


class SpokenPairs(Pairs):
    """The same names, read by a parser of its own."""

    names: tuple = ("(0, 1)", "(0, 1, 2, 3, 4)", "b", "a, b", "(1)", "c", "(0,2)", "d", "last, one")

    def parse_move(self, state, text):
        return self.names.index(text)


class Spoken(Words):
    """The same names, read by a parser of its own that is more liberal."""

    def parse_move(self, state, text):
        return self.names.index(text.lower().rstrip("!"))


class Numbered(Words):
    """The name of a move depends on the state."""

    def move_text(self, state, move):
        return f"{self.names[move]}{state[0] % 3}"


class Wide(z.Game):
    """Words of 64 bits: in Python they are positive, in compiled code they may look negative."""

    def initial(self):
        return (0, 0)

    def moves(self, state):
        return range(4)

    def play(self, state, move):
        return (state[0] + 1, bits.mix(state[1] + move))

    def result(self, state):
        return z.ONGOING if state[0] < 40 else z.DRAW


class Dice(z.Game):
    """Two dice by turns, thrown as often as one likes."""

    def initial(self):
        return (0, 0, 0)

    def moves(self, state):
        return (10, 11)

    def is_chance(self, state):
        return state[2] == 10

    def chances(self, state):
        return [(number, 1 / 6) for number in range(1, 7)]

    def play(self, state, move):
        mine, theirs, last = state
        return (mine + move, theirs, move) if last == 10 else (theirs, mine, move)

    def result(self, state):
        return z.ONGOING if state[0] + state[1] < 30 else z.DRAW

    def move_text(self, state, move):
        return {10: "throw", 11: "stop"}.get(move, str(move))


def naive_after_moves(game, text):
    """The state after a line of moves, by trying every prefix with `parse_move`; None if it is none."""
    state, line = game.initial(), spaced(text)
    while line:
        words = line.split(" ")
        tries = (_longest(game, state, " ".join(words[:count])) for count in range(1, len(words) + 1))
        move, length = next((found for found in tries if found[1]), (None, 0))
        if not length:
            return None
        state, line = game.play(state, move), line[length:].removeprefix(" ")
    return state


def spaced(text):
    return " ".join(re.split(r"[\s,]+", text.strip(" ,\n")))


def _longest(game, state, text):
    legal = rules.legal_actions(game, state)
    for length in range(min(len(text), 100), 0, -1):
        try:
            move = game.parse_move(state, text[:length])
        except (ValueError, LookupError):
            move = next((move for move in legal if spaced(game.move_text(state, move)) == text[:length]), None)
        if move in legal:
            return move, length
    return None, 0


def naive_position(game, text):
    """The state that a text describes, moves first; None if it describes none."""
    after = naive_after_moves(game, text)
    if after is not None:
        return after
    try:
        return game.parse_state(text)
    except (ValueError, LookupError, TypeError):
        return None


def random_lines(game, count, plies, seed=0):
    """Texts of random games: separated, joined, cut off, damaged, and the states they lead to."""
    source, lines = random.Random(seed), []
    for _ in range(count):
        state, names = game.initial(), []
        for _ in range(source.randint(0, plies)):
            moves = rules.legal_actions(game, state)
            if not moves:
                break
            move = source.choice(moves)
            names.append(game.move_text(state, move))
            state = game.play(state, move)
        separated = source.choice([" ", ", ", ",", "\n"]).join(names)
        joined = "".join(names)
        place = source.randrange(len(joined) + 1)
        broken = joined[:place] + source.choice("1a#7 ") + joined[place + 1 :]
        lines += [separated, joined, broken, game.state_text(state)]
    return lines


def read(game, text):
    try:
        return position(game, text)
    except z.GameError:
        return None


EXACT = ["tic_tac_toe", "connect_four(4,4)", "othello(4)", "nim", "three_mens_morris", "kalah(2,2)", "pig", "hex(3)"]


@pytest.mark.parametrize(
    "game", [*map(load, EXACT), Words(), Numbered(), Pairs()], ids=lambda game: type(game).__name__
)
def test_reading_agrees_with_trying_every_prefix(game) -> None:
    for text in random_lines(game, 12, 14):
        assert read(game, text) == naive_position(game, text), text


@pytest.mark.parametrize("name", ["checkers", "chess", "hypergammon"])
def test_games_with_a_parser_read_words_and_states(name) -> None:
    game = load(name)
    for text in random_lines(game, 2, 5)[::4]:
        assert read(game, text) == naive_position(game, text) is not None, text


def test_a_parser_is_asked_about_parts_of_words_when_nothing_else_is_left() -> None:
    game = Spoken()
    for text in ("abcab!B", "ABC ab! b", "abcd", "abc!!!!!!!!!!!!!!", "c d e b", "c d e!"):
        assert position(game, text) == naive_after_moves(game, text), text
    chess = load("chess")
    assert position(chess, "e2e4e7e5") == position(chess, "e4 e5") == position(chess, "e2-e4 e7-e5")


class Steps(z.Game):
    """Moves are pairs of numbers, with the texts that str gives them."""

    native = False

    def initial(self):
        return 0

    def moves(self, state):
        return [(state, state + 4), (state + 1, state + 5)]

    def play(self, state, move):
        return state + 1

    def result(self, state):
        return z.ONGOING if state < 9 else z.DRAW


class ParsedSteps(Steps):
    """The same moves, read as Python does."""

    def parse_move(self, state, text):
        try:
            return ast.literal_eval(text)
        except SyntaxError as error:
            raise ValueError(text) from error


@pytest.mark.parametrize("game", [Steps(), ParsedSteps()])
@pytest.mark.parametrize(
    "text",
    ["(0, 4) (1, 5) (3, 7)", "(0, 4), (1, 5), (3, 7)", "(0,4),(1,5),(3,7)", "(0, 4) (1,5)\n(3 7)"],
)
def test_texts_of_moves_may_have_commas(game, text) -> None:
    assert position(game, text) == naive_after_moves(game, text) == 3
    assert z.positions(game, [text]) == [3]
    assert [turn.text for turn in parse_session(game, "", text).history] == ["(0, 4)", "(1, 5)", "(3, 7)"]


def test_moves_alike_but_for_commas_are_told_apart_by_the_text_as_it_is() -> None:
    game = Pairs()
    assert position(game, "(0, 1, 2, 3, 4)") == game.play(game.initial(), 1)
    assert position(game, "c") == game.play(game.initial(), 5)
    assert position(game, "(0 1)(0 2)") == position(game, "(0, 1) (0,2)") == naive_after_moves(game, "(0, 1), (0,2)")
    for names, found in ((("a b", "a,b"), 0), (("a,b", "a b"), 1)):
        assert position(Pairs(names + ("x",) * 7), "a b") == game.play(game.initial(), found)
    with pytest.raises(TextError, match=r"'\(9' begins with no legal move \(\(0, 4\), \(1, 5\)\)"):
        position(Steps(), "(9, 9)")


class PairsOfPairs(Steps):
    """A state looks like a move."""

    def initial(self):
        return (0, 0)

    def moves(self, state):
        return [(state[0], 4)]

    def play(self, state, move):
        return (state[0] + 1, 4)

    def result(self, state):
        return z.ONGOING if state[0] < 9 else z.DRAW


def test_a_text_with_commas_that_describes_a_state_stays_a_state(monkeypatch) -> None:
    game = PairsOfPairs()
    assert position(game, "(0, 4)") == (0, 4)
    assert position(game, "(0 4)") == (1, 4)
    assert position(game, "(0, 4) (1, 4)") == (2, 4)
    (note,) = [note for note in z.check(game, games=1).notes if "z.position" in note]
    assert "writes '(0, 4)', in which z.position reads a state" in note
    compiled = interpreted_reader(Pairs(), monkeypatch)
    assert position(Pairs(), "(0 1) a") == position(compiled.reader.game, "(0 1) a")
    assert compiled.read(["(0 1)"]) == [None]


def test_a_parser_is_not_shown_the_commas_of_a_line() -> None:
    game = SpokenPairs()
    line = "(0, 1) b a, b (0, 1, 2, 3, 4) (0,2)"
    state = game.initial()
    for move in (0, 2, 3, 1, 6):
        state = game.play(state, move)
    assert position(game, line) == position(game, line.replace(" ", ", ")) == state


def interpreted_reader(game, monkeypatch):
    """The reader of many lines, its kernel run as plain Python."""
    monkeypatch.setattr(read_lines, "call_compiled", read_lines.interpreted)
    return CompiledReader(MoveReader.of(game))


FIXED = ["tic_tac_toe", "connect_four(4,4)", "othello(4)", "three_mens_morris", "kalah(2,2)", "hex(3)"]


@pytest.mark.parametrize("game", [*map(load, FIXED), Words(), Dice(), Wide()], ids=lambda game: type(game).__name__)
def test_the_kernel_reads_what_the_reader_reads(game, monkeypatch) -> None:
    compiled, found = interpreted_reader(game, monkeypatch), 0
    for _ in range(2):  # the second time with the texts that the reader has met meanwhile
        for text in random_lines(game, 12, 14):
            (state,) = compiled.read([move_reading.joined_words(text)])
            assert move_reading.joined_words(text) == spaced(text)
            should = naive_after_moves(game, text)
            assert state in (should, None), text
            assert state is None or type(state) is type(should)
            found += state is not None
            if (state := read(game, text)) is not None:
                compiled.learn(state)
    assert found > 12


def test_a_line_whose_moves_are_not_known_is_left_to_the_reader(monkeypatch) -> None:
    game = Words()
    compiled = interpreted_reader(game, monkeypatch)
    assert compiled.read(["a"]) == [None]
    position(game, "a")
    assert compiled.read(["a", "", "a x"]) == [(1, 1), (0, 0), None]
    line = " ".join(["a"] * 20 + ["last one"])
    assert compiled.read([line]) == [None]
    state = position(game, line)
    assert compiled.read([line]) == [state]


@pytest.mark.parametrize("game", [load("tic_tac_toe"), Wide(), Spoken()], ids=lambda game: type(game).__name__)
def test_many_positions_compiled(game, monkeypatch) -> None:
    monkeypatch.setattr(position_text, "COMPILE_SECONDS", 0)
    monkeypatch.setattr(position_text, "TEXTS_AT_A_TIME", 40)
    monkeypatch.setattr(compiled_reading, "LINES_AT_A_TIME", 50)
    texts = [text for text in random_lines(game, 60, 12) if read(game, text) is not None]
    assert len(texts) > 100
    assert positions(game, iter(texts)) == [position(game, text) for text in texts]
    with pytest.raises(TextError, match=r"'\?!' cannot be read as moves"):
        positions(game, [*texts, "?!", "!?"])


def test_many_positions_are_texts() -> None:
    game = load("connect_four")
    assert z.positions(game, []) == []
    assert z.positions(game, ["4453", ""]) == [position(game, "4453"), game.initial()]
    with pytest.raises(TextError, match=r"`positions` takes many texts, not the one text '4453'\."):
        z.positions(game, "4453")
    with pytest.raises(TextError, match=r"a position is given as text, not as \[4, 4\]; write '4 4'\."):
        z.positions(game, ["1", [4, 4]])
    with pytest.raises(z.GameError, match="positions takes a game"):
        z.positions("nim", ["1"])


def closure_over_state():
    def move_text(self, state, move):
        return str(move) if any(state for _ in range(1)) else ""

    return move_text


@pytest.mark.parametrize(
    ("rule", "fixed"),
    [
        (lambda self, state, move: str(move), True),
        (lambda self, state, move: str(state), False),
        (lambda self, state, move: str(move) if move else f"{state}", False),
        (lambda self, state, move: (lambda: state)(), False),
        (lambda self, state, move: locals()["state"], False),
        (lambda self, *given: str(given), False),
        (closure_over_state(), False),
        (str, False),
        (z.Game.move_text, True),
    ],
)
def test_whether_the_text_of_a_move_depends_on_the_state(rule, fixed) -> None:
    assert move_reading._is_fixed(rule) is fixed


# -- states ------------------------------------------------------------------------------------------------------


class Nested(NamedTuple):
    number: int
    pair: tuple[int, int]


NUMBERS = st.text("0123456789-, ()", max_size=12)


@given(NUMBERS, st.sampled_from([0, (0, 0), (0,), (), Nested(0, (1, 2)), ((0, 0), 0)]))
def test_plain_numbers_are_read_as_python_reads_them(text, example) -> None:
    assert PLAIN_NUMBERS.fullmatch(text) or not text

    def slow():
        return shaped(_literal(ast.parse(text.strip(), mode="eval").body, example), example)

    try:
        should = slow()
    except (ValueError, LookupError, SyntaxError, TypeError):
        with pytest.raises((ValueError, LookupError, SyntaxError, TypeError)):
            read_literal(text, example)
    else:
        state = read_literal(text, example)
        assert state == should
        assert type(state) is type(should)


ROWS = st.one_of(st.text("KQRBNPkqrbnp12345678", max_size=9), st.sampled_from(["8", "PPPPPPPP", "r3k2r", "1p1P4"]))


@given(st.lists(ROWS, min_size=7, max_size=9), st.booleans())
def test_bitboards_of_a_fen_are_those_of_its_pieces(rows, flip) -> None:
    text = "/".join(rows)
    try:
        pieces = parse_placement(text)
    except ValueError:
        with pytest.raises(ValueError):
            parse_bitboards(text, flip)
        return
    found = parse_bitboards(text, flip)
    for letters, bitboard in zip(SETS, found, strict=True):
        assert bitboard == sum(1 << (square ^ 56 * flip) for square, letter in pieces if letter in letters)


def test_a_king_that_can_be_taken_is_in_check() -> None:
    game, source, checks = load("chess"), random.Random(2), 0
    for _ in range(4):
        state = game.initial()
        for _ in range(60):
            moves = rules.legal_actions(game, state)
            if not moves:
                break
            other = flipped(state)._replace(ply=state.ply + 1)
            assert can_take_king(other) is in_check(state)
            checks += in_check(state)
            state = game.play(state, source.choice(moves))
    assert checks


CATALOG_STATES = [
    "connect_four",
    "tic_tac_toe(4,3,3)",
    "gomoku(6)",
    "hex(4)",
    "y(4)",
    "checkers",
    "nine_mens_morris",
    "chess",
]


@pytest.mark.parametrize("name", CATALOG_STATES)
def test_states_read_back_whatever_the_case_and_spaces(name) -> None:
    game = load(name)
    for text in random_lines(game, 3, 20)[3::4]:
        state = position(game, text)
        assert game.state_text(state) == text
        if name != "chess":
            assert position(game, f" {text.lower()} ") == state
