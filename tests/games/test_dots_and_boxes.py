"""Dots and Boxes: published values, a referee that knows dots by their coordinates, and open_spiel as another."""

import random
import re

import numpy as np
import pytest

import zermelo as z
from random_games import random_states
from zermelo import ONGOING, GameError
from zermelo.bits import ones, popcount
from zermelo.games.dots_and_boxes.dots_and_boxes_rules import DotsAndBoxes, State
from zermelo.rules import legal_actions
from zermelo.textbook import alphabeta

GAMES = [DotsAndBoxes(), DotsAndBoxes(2, 4), DotsAndBoxes(5, 1), DotsAndBoxes(1, 1), DotsAndBoxes(5, 5)]


class Slow(DotsAndBoxes):
    """Dots and Boxes as Python runs it: small boards are searched sooner than compiled."""

    native = False


# -- the referee: lines as pairs of dots (x, y) ------------------------------------------------------------------------


class Table:
    def __init__(self, width, height):
        dots = [(x, y) for x in range(width + 1) for y in range(height + 1)]
        self.free = {((x, y), (x + 1, y)) for x, y in dots if x < width} | {
            ((x, y), (x, y + 1)) for x, y in dots if y < height
        }
        self.boxes = [(x, y) for x in range(width) for y in range(height)]
        self.owner = {}
        self.player = 0

    def name(self, line):
        return "".join(f"{chr(97 + x)}{y + 1}" for x, y in line)

    def draw(self, name):
        line = next(line for line in self.free if self.name(line) == name)
        self.free.remove(line)
        closed = [box for box in self.boxes if box not in self.owner and not self.sides(box) & self.free]
        self.owner |= dict.fromkeys(closed, self.player)
        self.player = self.player if closed else 1 - self.player

    def sides(self, box):
        x, y = box
        return {
            ((x, y), (x + 1, y)), ((x, y + 1), (x + 1, y + 1)), ((x, y), (x, y + 1)), ((x + 1, y), (x + 1, y + 1)),
        }  # fmt: skip

    def lead(self):
        mine = sum(owner == self.player for owner in self.owner.values())
        return 2 * mine - len(self.owner)


def owners(game, state):
    """Whose box is which, read off the picture."""
    rows = game.board(state).cells
    places = {(x, y): rows[2 * y + 1][2 * x + 1] for x in range(game.width) for y in range(game.height)}
    return {place: "XO".index(mark) for place, mark in places.items() if mark != " "}


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    dice = random.Random(4)
    for _ in range(20):
        state, table = game.initial(), Table(game.width, game.height)
        while table.free:
            assert game.result(state) == ONGOING
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert set(moves) == {table.name(line) for line in table.free}
            assert (game.mover(state), owners(game, state)) == (table.player, table.owner)
            text = dice.choice(sorted(moves))
            table.draw(text)
            state = game.play(state, moves[text])
        assert owners(game, state) == table.owner
        assert game.result(state) == table.lead()


class InTurn(DotsAndBoxes):
    """Broken: who closes a box does not draw again."""

    def play(self, state, line):
        lines, mine, theirs, player = super().play(state, line)
        return State(lines, mine, theirs, player) if player != state.player else State(lines, theirs, mine, 1 - player)


def test_the_referee_sees_a_broken_game():
    with pytest.raises(AssertionError):
        test_play_is_that_of_the_referee(InTurn(2, 2))


def test_play_is_that_of_open_spiel():
    pyspiel = pytest.importorskip("pyspiel")
    dice = random.Random(6)
    game = DotsAndBoxes(3, 2)
    for _ in range(100):
        state, theirs = game.initial(), pyspiel.load_game("dots_and_boxes(num_rows=2,num_cols=3)").new_initial_state()
        while not theirs.is_terminal():
            assert game.mover(state) == theirs.current_player()
            number = {move: spiel_action(game, move) for move in legal_actions(game, state)}
            assert sorted(number.values()) == theirs.legal_actions()
            move = dice.choice(list(number))
            theirs.apply_action(number[move])
            state = game.play(state, move)
        winner = game.result(state) * (1 - 2 * game.mover(state))
        assert theirs.returns()[0] == (winner > 0) - (winner < 0)


def spiel_action(game, line):
    """Lines that lie first, row by row, then those that stand."""
    row, column = game.places[line]
    if row % 2 == 0:
        return row // 2 * game.width + column // 2
    return (game.height + 1) * game.width + row // 2 * (game.width + 1) + column // 2


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    report = z.check(Slow(2, 2), states=400, games=8, seconds=30, strict=True)
    assert report.solved > 100


def test_perft_compiled_and_interpreted():
    game = DotsAndBoxes(2, 1)
    assert [z.perft(game, depth) for depth in range(8)] == [1, 7, 42, 210, 840, 2520, 5040, 5040]
    assert z.perft(Slow(2, 1), 5) == 2520


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_and_pictures(game):
    for state in random_states(game, 60):
        assert game.parse_state(game.state_text(state)) == state
        before = "".join(game.board(state).cells)
        for move in legal_actions(game, state)[:5]:
            after = "".join(game.board(game.play(state, move)).cells)
            (square,) = game.squares(state, move)
            assert (before[square], after[square]) in {(".", "-"), (".", "|")}
            drawn = [i for i in range(len(before)) if before[i] != after[i] and after[i] in "-|"]
            assert drawn == [square]


def test_drawn_lines_reach_from_dot_to_dot():
    game = DotsAndBoxes(2, 2)
    state = z.position(game, "a1b1 a1a2 b1b2 c2c3 a2b2")
    picture = z.picture(game, state, last=(1,)).svg()
    dots = set(re.findall(r'<circle class="zb-point" cx="([\d.]+)" cy="([\d.]+)"', picture))
    lines = re.findall(r'<path class="zb-drawn" d="M([\d.]+) ([\d.]+)([hv])([\d.]+)"/>', picture)
    assert (len(dots), len(lines), picture.count('<path class="zb-free"')) == (9, 5, 7)
    for x, y, way, length in lines:
        end = (float(x) + float(length), y) if way == "h" else (x, float(y) + float(length))
        assert {(float(x), float(y)), tuple(map(float, end))} <= {tuple(map(float, dot)) for dot in dots}
    assert picture.count('class="zb-lastline"') == picture.count('class="zb-inside"') == 1


def candidates(game, text):
    state = z.position(game, text)
    return {game.move_text(state, move) for move in game.candidates(state)}


def test_boxes_are_closed_at_once_or_the_last_of_them_left():
    game = DotsAndBoxes(2, 1)
    assert candidates(game, "a1b1 a1a2 a2b2 b1c1 b2c2 c1c2") == {"b1b2"}  # both
    assert candidates(game, "a1b1 b1b2 a2b2") == {"a1a2"}  # at the border
    assert candidates(game, "a1b1 a1a2 a2b2") == {"b1b2"}  # next to a box with three free lines
    assert candidates(game, "a1b1 a1a2 a2b2 b1c1 b2c2") == {"b1b2", "c1c2"}  # two at the end of a chain
    row = DotsAndBoxes(3, 1)
    assert candidates(row, "a1b1 a1a2 a2b2 b1c1 b2c2 c1d1 c2d2") == {"b1b2"}  # but not three
    assert candidates(row, "a1b1 a2b2 b1c1 b2c2 c1d1 c2d2") == {"b1b2"}  # of a chain of three any line


def test_four_boxes_of_a_loop_may_be_left():
    loop = DotsAndBoxes(2, 2)
    border = "a1b1 b1c1 a3b3 b3c3 a1a2 a2a3 c1c2 c2c3"
    assert len(candidates(loop, border)) == 1
    assert candidates(loop, f"{border} a2b2") in ({"b1b2", "b2c2"}, {"b2b3", "b2c2"})


def test_one_line_of_two_at_a_corner():
    game = DotsAndBoxes(2, 2)
    assert candidates(game, "") == {"a1b1", "b1c1", "a3b3", "b3c3", "a2b2", "b2c2", "b1b2", "b2b3"}
    for one, other in (("a1b1", "a1a2"), ("b1c1", "c1c2"), ("a3b3", "a2a3"), ("b3c3", "c2c3")):
        assert game.canonical(z.position(game, one)) == game.canonical(z.position(game, other))


def rests(game, drawn=0):
    """By how many boxes the mover wins what is left of the game, by the referee's boxes.

    The values of all sets of lines with these drawn, in the order of their words; `words` gives them.
    """
    table = Table(game.width, game.height)
    free = [line for line in range(game.line_count) if not drawn >> line & 1]
    numbers = {game.move_text(None, line): place for place, line in enumerate(free)}
    sets = np.arange(1 << len(free))
    closed = np.zeros(len(sets), np.int8)
    for box in table.boxes:
        sides = sum(1 << numbers[name] for name in map(table.name, table.sides(box)) if name in numbers)
        closed += sets & sides == sides
    count = sum(sets >> line & 1 for line in range(len(free)))
    values = np.full(len(sets), -100, np.int8)
    values[-1] = 0
    for size in range(len(free) - 1, -1, -1):
        layer = sets[count == size]
        for line in range(len(free)):
            before = layer[layer >> line & 1 == 0]
            after = before | 1 << line
            gain = closed[after] - closed[before]
            values[before] = np.maximum(values[before], np.where(gain > 0, gain + values[after], -values[after]))
    return values


def words(game, drawn):
    free = [line for line in range(game.line_count) if not drawn >> line & 1]
    sets = np.arange(1 << len(free))
    return drawn | sum((sets >> place & 1) << line for place, line in enumerate(free))


def value_of_candidates(game, state, values):
    lead = popcount(state.mine)
    children = [game.play(state, move) for move in game.candidates(state)]
    kept = [popcount(child.mine) - lead + values[child.lines] for child in children if child.player == 0]
    lost = [-values[child.lines] for child in children if child.player == 1]
    return max(kept + lost)


def compare_values(game, sample):
    """Candidates, bounds and images against the values of this many sets of lines."""
    values, dice = rests(game), random.Random(8)
    for _ in range(sample):
        lines = dice.getrandbits(game.line_count) | dice.choice((0, dice.getrandbits(game.line_count)))
        if lines == game.all_lines:
            continue
        state, value = State(lines, game.closed(lines), 0, 0), values[lines]
        lead = popcount(state.mine)
        low, high = game.bounds(state)
        assert low - lead <= value <= high - lead
        assert value_of_candidates(game, state, values) == value, game.state_text(state)
        assert {values[image.lines] for image in (*game.symmetries(state), game.canonical(state))} == {value}
        assert game.canonical(game.canonical(state)) == game.canonical(state)


@pytest.mark.parametrize(
    ("width", "height", "sample"),
    [(2, 2, 3000), (3, 2, 3000), (5, 1, 1000), pytest.param(3, 3, 30_000, marks=pytest.mark.slow)],
)
def test_candidates_bounds_and_images_keep_every_value(width, height, sample):
    compare_values(Slow(width, height), sample)


# -- larger boards, where many lines are drawn already -----------------------------------------------------------------


def compare_rests(game, drawn, few=None):
    """Candidates against the values of all sets of lines with these drawn, or of the first few."""
    values = dict(zip(words(game, drawn).tolist(), rests(game, drawn).tolist(), strict=True))
    for lines in list(values)[:-1][:few]:
        state = State(lines, game.closed(lines), 0, 0)
        assert value_of_candidates(game, state, values) == values[lines], game.state_text(state)


def quiet(game, dice, left):
    """Lines that open no box, until few are left; if there are none, another one, and all boxes it opens closed."""
    lines = 0
    while popcount(lines) < game.line_count - left:
        free = list(ones(game.all_lines & ~lines))
        lines |= 1 << dice.choice([line for line in free if not game.open_boxes(lines | 1 << line)] or free)
        while opened := game.open_boxes(lines):
            lines |= game.around(opened)
    return lines


def arms(game, dice):
    """All lines but those of three arms that meet in one box, and of chains in the other boxes."""
    free, boxes = 0, set(ones(game.boxes))

    def walk(box, length):
        nonlocal free
        boxes.discard(box)
        for _ in range(length):
            ways = [(line, to) for line in ones(game.around(1 << box)) for to in ones(game.touching(1 << line))]
            line, to = dice.choice([way for way in ways if way[1] in boxes] or [(None, box)])
            if line is not None:
                boxes.discard(to)
                free, box = free | 1 << line, to
        return box

    joint = dice.choice(sorted(boxes))
    for _ in range(3):
        walk(joint, 2)
    while boxes:
        start = dice.choice(sorted(boxes))
        for end in {start, walk(start, dice.randrange(5))}:
            outer = [line for line in ones(game.around(1 << end)) if popcount(game.touching(1 << line)) == 1]
            free |= 1 << dice.choice(outer) if outer and dice.random() < 0.7 else 0
    return game.all_lines & ~free


def compare_arms(game, boards):
    """Candidates against values where no box can be closed without a choice, on a number of boards."""
    dice, compared = random.Random(8), 0
    while compared < boards:
        drawn = arms(game, dice)
        two, opened = game.with_two(drawn), list(ones(game.open_boxes(drawn)))
        leads = all(game.touching(game.around(1 << box) & ~drawn) & two for box in opened)
        if opened and leads and popcount(drawn) >= game.line_count - 13:
            compare_rests(game, drawn, 1)
            compared += 1


@pytest.mark.parametrize(
    ("width", "height", "left", "boards"),
    [
        (3, 4, 14, 8),
        (4, 4, 14, 8),
        pytest.param(3, 4, 16, 20, marks=pytest.mark.slow),
        pytest.param(4, 4, 16, 20, marks=pytest.mark.slow),
    ],
)
def test_candidates_keep_the_values_of_larger_boards(width, height, left, boards):
    game, dice = Slow(width, height), random.Random(8)
    for _ in range(boards):
        compare_rests(game, quiet(game, dice, left))


ARMS = [(3, 4, 300), (4, 4, 300), *(pytest.param(w, 4, 3000, marks=pytest.mark.slow) for w in (3, 4))]


@pytest.mark.parametrize(("width", "height", "boards"), ARMS)
def test_candidates_keep_the_values_where_arms_meet(width, height, boards):
    compare_arms(Slow(width, height), boards)


def test_of_several_places_to_leave_boxes_at_each_may_be_closed_first():
    game = Slow(3, 4)
    rows = "+-+-+-+ |.|.|.. +.+.+.+ ..|.|.| +-+.+.+ |...|.. +.+.+-+ |.|...| +-+-+-+"
    state = game.parse_state(rows.replace(" ", "/") + " X")
    assert {"b2c2", "a4b4", "c4c5"} & {game.move_text(state, move) for move in game.candidates(state)}
    assert rests(game, state.lines)[0] == z.search(game, state, exact=True).value.score == 8


class Greedy(Slow):
    """Broken: boxes are never left."""

    def captures(self, lines, opened):
        found = super().captures(lines, opened)
        return found & self.around(opened)


class Rash(Slow):
    """Broken: of several places to leave boxes at, the first is closed."""

    def captures(self, lines, opened):
        found = super().captures(lines, opened)
        takes = found & self.around(opened)
        return takes & -takes | found & ~takes


class Hasty(Slow):
    """Broken: where no box can be closed, the first line is as good as any."""

    def openings(self, lines):
        found = super().openings(lines)
        return found & -found


@pytest.mark.parametrize("broken", [Greedy, Hasty])
def test_candidates_that_lose_a_value_are_seen(broken):
    with pytest.raises(AssertionError):
        compare_values(broken(3, 2), 3000)


def test_candidates_that_lose_a_value_where_arms_meet_are_seen():
    with pytest.raises(AssertionError):
        compare_arms(Rash(3, 4), 300)


def test_images_are_eight_on_a_square_and_four_on_an_oblong():
    assert len(set(DotsAndBoxes(3, 3).symmetries(z.position(DotsAndBoxes(3, 3), "a1b1 b2b3 a3b3")))) == 8
    oblong = DotsAndBoxes(3, 2)
    state = z.position(oblong, "a1b1 b2b3")
    assert sorted(oblong.symmetries(state)) == sorted(
        z.position(oblong, text) for text in ("a1b1 b2b3", "c1d1 c2c3", "a3b3 b1b2", "c3d3 c1c2")
    )


def test_owners_do_not_matter_but_their_number_does():
    game = DotsAndBoxes(2, 1)
    one = State(game.all_lines, 0b01, 0b10, 0)
    other = State(game.all_lines, 0b10, 0b01, 0)
    assert game.canonical(one) == game.canonical(other) == one
    assert game.canonical(State(game.all_lines, 0b11, 0, 0)) != one


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("+-+/|X|/+-+ Z", "one looks like '\\+.\\+/...."),
        ("+-+/|X|/+-+/+ X", "one looks like"),
        ("+-+/|.|/+-+ X", "if and only if it is closed"),
        ("+-+/|X./+-+ X", "if and only if it is closed"),
    ],
)
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        DotsAndBoxes(1, 1).parse_state(text)


@pytest.mark.parametrize("sides", [(0, 2), (True, 2), (6, 5), (2, 13)])
def test_sides_that_make_no_board(sides):
    with pytest.raises(GameError, match=r"must be a whole number|at most 63 lines"):
        DotsAndBoxes(*sides)


# -- values ------------------------------------------------------------------------------------------------------------

ROWS = {1: -1, 2: 0, 3: -1, 4: 0, 5: -1}
"""The margin of the first player by the number of boxes in one row."""

BOARDS = {(6, 1): 0, (2, 3): -2, (2, 4): 2, (3, 3): -3}
"""And on larger boards; 2 by 2 is won by 2. Computed by independent programs, and published by Wilson."""


@pytest.mark.parametrize(("width", "margin"), ROWS.items())
def test_values_of_a_row(width, margin):
    assert z.search(Slow(width, 1), exact=True).value.score == margin


def test_values_of_four_boxes():
    assert z.search(Slow(2, 2), exact=True).value.score == 2
    assert alphabeta(Slow(2, 1)).value.score == 0


@pytest.mark.slow
@pytest.mark.parametrize(("board", "margin"), BOARDS.items())
def test_values_of_larger_boards(board, margin):
    found = z.search(DotsAndBoxes(*board), exact=True)
    assert (found.value.score, found.value.exact) == (margin, True)
