"""Fanorona: a referee that keeps a dictionary of stones, and the values of small boards."""

import random
import re
from itertools import pairwise, product

import pytest

import zermelo as z
from random_games import random_states
from zermelo import DRAW, LOSS, ONGOING, WIN, GameError
from zermelo.bits import ones
from zermelo.games.fanorona import fanorona_notation
from zermelo.games.fanorona.fanorona_rules import NO_WAY, PASS, Fanorona
from zermelo.rules import legal_actions, payoff
from zermelo.show.clicks import Clicks
from zermelo.textbook import retrograde

SIZES = [(5, 9), (3, 3), (5, 5), (3, 5), (5, 3)]


class Slow(Fanorona):
    """Fanorona as Python runs it."""

    native = False


# -- the referee: stones by column and row, from the bottom left -------------------------------------------------------

START = {
    (3, 3): "OOO O.X XXX",
    (3, 5): "OOOOO OX.OX XXXXX",
    (5, 3): "OOO OOO O.X XXX XXX",
    (5, 5): "OOOOO OOOOO OX.OX XXXXX XXXXX",
    (5, 9): "OOOOOOOOO OOOOOOOOO OXOX.OXOX XXXXXXXXX XXXXXXXXX",
}


def beginning(size):
    rows = START[size].split()[::-1]
    cells = {(column, row): mark for row, marks in enumerate(rows) for column, mark in enumerate(marks)}
    return {point: mark for point, mark in cells.items() if mark != "."}


def name(point):
    return f"{'abcdefghi'[point[0]]}{point[1] + 1}"


def beyond(point, way):
    return point[0] + way[0], point[1] + way[1]


def line(stones, point, way, mark):
    """The stones with this mark from a point on, without a gap."""
    found = []
    while stones.get(point) == mark:
        found.append(point)
        point = beyond(point, way)
    return found


def steps(size, stones, mark, trail):
    """(from_point, goal, letter, what is taken) for every step that is not a pass; the trail is that of this turn."""
    other, takes, quiet = "XO"["OX".index(mark)], [], []
    for from_point in [trail[-1]] if trail else [point for point in stones if stones[point] == mark]:
        for way in product((-1, 0, 1), repeat=2):
            goal, back = beyond(from_point, way), (-way[0], -way[1])
            weak = sum(from_point) % 2 == 1
            if way == (0, 0) or (weak and 0 not in way) or goal in stones or goal in trail:
                continue
            if not (0 <= goal[0] < size[1] and 0 <= goal[1] < size[0]):
                continue
            if len(trail) > 1 and beyond(trail[-2], way) == trail[-1]:
                continue
            ahead, behind = (
                line(stones, beyond(goal, way), way, other),
                line(stones, beyond(from_point, back), back, other),
            )
            takes += [(from_point, goal, "A", ahead)] * bool(ahead) + [(from_point, goal, "W", behind)] * bool(behind)
            quiet.append((from_point, goal, "", []))
    return takes if takes or trail else quiet


def turns_of(size, stones, mark, trail):
    """What every move leads to, by its text: stones, whose turn it is, and the trail; with the squares it touches."""
    other, found = "XO"["OX".index(mark)], {}
    for from_point, goal, letter, taken in steps(size, stones, mark, trail):
        left = {point: each for point, each in stones.items() if point != from_point and point not in taken}
        left[goal] = mark
        path = [*(trail or [from_point]), goal]
        again = letter and steps(size, left, mark, path)
        after = (left, mark, path) if again else (left, other, [])
        found[f"{name(from_point)}-{name(goal)}{letter}"] = after, [name(point) for point in (from_point, goal, *taken)]
    if trail:
        found["pass"] = (stones, other, []), [name(trail[-1])] * 2
    return found


def written(size, stones, mark, trail):
    """The position as text."""
    down, across = range(size[0])[::-1], range(size[1])
    board = "/".join("".join(stones.get((column, row), ".") for column in across) for row in down)
    before = sorted(trail[:-2], key=lambda point: (-point[1], point[0]))
    turn = f" {','.join(map(name, (*before, trail[-2])))}-{name(trail[-1])}" if trail else ""
    return f"{board} {mark}{turn}"


def compare(game, games, plies=80):
    """Random games beside the referee; how they ended, and how long the longest turn was."""
    dice, size = random.Random(7), (game.rows, game.columns)
    ends, longest = set(), 0
    for _ in range(games):
        state, stones, mark, trail = game.initial(), beginning(size), "X", []
        for _ in range(plies):
            text = written(size, stones, mark, trail)
            assert game.state_text(state) == text
            assert game.parse_state(text) == state
            board = game.board(state)
            visited = {at for at, cell in zip(board.names, board.cells, strict=True) if cell == "*"}
            assert visited == {name(point) for point in trail[:-1]}
            found = turns_of(size, stones, mark, trail) if mark in stones.values() else {}
            assert (payoff(game, state) == ONGOING) == bool(found)
            if not found:
                assert payoff(game, state) == LOSS
                ends.add(mark in stones.values())
                break
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert set(moves) == set(found)
            text = dice.choice(sorted(found))
            (stones, mark, trail), touched = found[text]
            assert [board.names[square] for square in game.squares(state, moves[text])] == touched
            state = game.play(state, moves[text])
            longest = max(longest, len(trail))
    return ends, longest


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_play_is_that_of_the_referee(size):
    ends, longest = compare(Slow(*size), 12 if size == (5, 9) else 40)
    assert False in ends
    assert longest >= 3


def test_the_stones_at_first():
    assert Slow().state_text(Slow().initial()) == f"{START[5, 9].replace(' ', '/')} X"
    seven = Slow(5, 7).state_text(Slow(5, 7).initial())
    assert seven == "OOOOOOO/OOOOOOO/OXO.XOX/XXXXXXX/XXXXXXX X"


class OneByOne(Slow):
    """Broken: no more than one stone is taken."""

    def taken(self, theirs, move):
        taken = super().taken(theirs, move)
        return taken & -taken


class Straight(Slow):
    """Broken: a stone may go on in the same direction."""

    def moves(self, state):
        return super().moves(state._replace(way=NO_WAY))


class Forgetful(Slow):
    """Broken: a stone may return to a point of the same turn."""

    def moves(self, state):
        return super().moves(state._replace(path=state.path and 1 << state.at))


class Choosy(Slow):
    """Broken: captures are not compulsory."""

    def moves(self, state):
        yield from super().moves(state)
        free = self.points & ~(state.mine | state.theirs)
        for way in range(0 if state.path else 8):
            yield from (way << 6 | from_point for from_point in ones(state.mine & self.stepped(free, 7 - way)))


@pytest.mark.parametrize("broken", [OneByOne(), Straight(), Forgetful(), Choosy(3, 3)], ids=repr)
def test_the_referee_sees_a_broken_game(broken):
    with pytest.raises(AssertionError):
        compare(broken, 40)


def leaves(size, depth, stones, mark="X", trail=()):
    """Perft by the referee."""
    if depth == 0:
        return 1
    found = turns_of(size, stones, mark, list(trail)) if mark in stones.values() else {}
    return sum(leaves(size, depth - 1, *after) for after, _ in found.values())


PERFT = {
    (5, 9): [1, 5, 17, 64, 337, 1496, 6884, 33162],
    (3, 3): [1, 4, 7, 13, 28, 63, 110, 291, 522, 1239, 2190, 4272, 6500, 11287],
    (5, 5): [1, 5, 12, 35, 126, 413, 1442, 4822, 15918, 51922],
}
"""Counted by the referee; a step of a turn is a ply, and so is a pass."""


@pytest.mark.parametrize("size", PERFT, ids=str)
def test_perft(size):
    for depth, count in enumerate(PERFT[size][:5]):
        assert leaves(size, depth, beginning(size)) == count
        assert z.perft(Slow(*size), depth) == count


# -- values ------------------------------------------------------------------------------------------------------------
# Schadd, Winands, Uiterwijk, van den Herik and Bergsma, Best play in Fanorona leads to draw, 2008: a draw on 5x9 and on
# 5x5; White, who begins, wins wherever a side has three points, and on 7x5 (rows times columns). On 5x7 they have a win
# for Black, which these rules do not bear out: see docs/games/fanorona.md.


def outcomes(size):
    """Who wins each position that can be reached, by looking at all of them again and again; None where nobody does."""
    after, ahead = {}, [(beginning(size), "X", [])]
    while ahead:
        position = ahead.pop()
        text = written(size, *position)
        if text not in after:
            found = turns_of(size, *position) if position[1] in position[0].values() else {}
            after[text] = [written(size, *each) for each, _ in found.values()]
            ahead += [each for each, _ in found.values()]
    winners, known = dict.fromkeys(after), -1
    while known < sum(1 for winner in winners.values() if winner):
        known = sum(1 for winner in winners.values() if winner)
        for text in after:
            mark, other = text.split()[1], "XO"["OX".index(text.split()[1])]
            ways = {winners[each] for each in after[text]}
            winners[text] = mark if mark in ways else other if ways <= {other} else None
    return winners


def test_every_value_of_three_by_three_is_that_of_the_referee():
    game, winners = Slow(3, 3), outcomes((3, 3))
    table = retrograde(game)
    assert {game.state_text(state) for state in table} == set(winners)
    for state in table:
        winner = winners[game.state_text(state)]
        assert table[state].outcome == (DRAW if winner is None else WIN if winner == "XO"[state.player] else LOSS)
    assert str(table.value) == "win in 12"


@pytest.mark.parametrize("size", [(3, 3), (3, 5), (5, 3)], ids=str)
def test_white_wins_where_a_side_has_three_points(size):
    assert str(z.prove(Slow(*size)).value) == "win"


@pytest.mark.slow
@pytest.mark.parametrize("size", [(3, 5), (5, 3)], ids=str)
def test_solved(size):
    solution = z.solve(Fanorona(*size))
    assert str(solution.value()) == "win in 15"
    z.verify(solution)


@pytest.mark.slow
def test_proofs_are_those_of_the_solution():
    """Of states on the way through random games, with their loops."""
    game = Fanorona(3, 5)
    solution, seen = z.solve(game), set()
    for state in random_states(game, 150, seed=3):
        if payoff(game, state) == ONGOING:
            outcome = solution.value(state).outcome
            assert str(z.prove(game, state, table=1).value) == ("win" if outcome == WIN else "<= 0")
            held = z.prove(game, state, at_least=DRAW, table=1)
            assert str(held.value) == ("loss" if outcome == LOSS else ">= 0")
            seen.add(outcome)
    assert seen == {WIN, DRAW, LOSS}


@pytest.mark.slow
@pytest.mark.parametrize("size", [(3, 7), (7, 3), (3, 9), (9, 3), (7, 5)], ids=str)
def test_white_wins(size):
    assert str(z.prove(Fanorona(*size)).value) == "win"


@pytest.mark.slow
def test_five_by_five_is_a_draw():
    game = Fanorona(5, 5)
    assert str(z.prove(game).value) == "<= 0"
    assert str(z.prove(game, at_least=DRAW).value) == ">= 0"


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(3, 3), (3, 5)], ids=str)
def test_the_contract_holds(size):
    report = z.check(Slow(*size), states=150, games=4)
    assert not report.notes


@pytest.mark.slow
@pytest.mark.parametrize("size", PERFT, ids=str)
def test_compiled(size):
    game = Fanorona(*size)
    z.check(game)
    assert [z.perft(game, depth) for depth in range(len(PERFT[size]))] == PERFT[size]


@pytest.mark.parametrize("size", [(5, 9), (3, 3)], ids=str)
def test_images(size):
    """The board mirrored left to right, top to bottom, both, and if it is a square along the diagonals."""
    game = Slow(*size)
    for state in random_states(game, 60):
        board = game.state_text(state).split()[0].split("/")
        flipped = [board, board[::-1], [row[::-1] for row in board], [row[::-1] for row in board[::-1]]]
        if size == (3, 3):
            flipped += [["".join(column) for column in zip(*rows, strict=True)] for rows in flipped]
        images = [game.state_text(image).split()[0] for image in game.symmetries(state)]
        assert sorted(images) == sorted("/".join(rows) for rows in flipped)


def test_a_turn():
    game = Slow(3, 5)
    state = z.position(game, "b2-c2W c3-b2A")
    assert game.state_text(state) == "OO.OO/.OXOX/.XXXX O c3-b2"
    assert [game.move_text(state, move) for move in game.moves(state)] == ["b2-a2W", "pass"]
    assert game.play(state, PASS) == game.parse_state("OO.OO/.OXOX/.XXXX X")
    after = z.position(game, "b2-c2W c3-b2A b2-a2W")
    assert game.state_text(after) == "OO.OO/O..OX/.XXXX X"
    assert [game.stage(each) for each in (game.initial(), state, game.play(state, PASS), after)] == [1, 4, 5, 7]


def test_the_turns_that_the_source_shows():
    """The states in the docstring are such as play leads to, and are read as they are written."""
    game = Slow(3, 3)
    shown = re.findall(r"^ *(\S+ [XO](?: \S+-\S+)?)  ", fanorona_notation.__doc__, re.MULTILINE)
    played = ["", "c1-b2A a2-a3W b2-a1W", "a1-b2A a2-a1 b2-c3W b3-b2A b2-a1W"]
    assert shown == [game.state_text(z.position(game, moves)) for moves in played]
    assert [game.state_text(game.parse_state(text)) for text in shown] == shown


def test_a_turn_that_is_refused_is_told_of_turns_that_are_not():
    """The examples are turns that play leads to, along lines that every board has."""
    with pytest.raises(GameError) as refusal:
        Slow(3, 3).parse_state("O../..X/O.X O b3")
    examples = re.findall(r"'([^']*-[^']*)'", str(refusal.value))
    played = [z.position(Slow(3, 3), moves) for moves in ("c1-b2A a2-a3W b2-a1W", "a1-b2A a2-a1 b2-c3W b3-b2A b2-a1W")]
    assert examples == [Slow(3, 3).state_text(state).split()[-1] for state in played]
    for game in (Slow(*size) for size in SIZES):
        for example in examples:
            points = [game.names.index(name) for name in re.split("[,-]", example)]
            assert all((one, other) in game.pairs or (other, one) in game.pairs for one, other in pairwise(points))


def test_clicks():
    """Where a step takes either way, a third click says what; the stone clicked twice ends the turn."""
    game = Slow(3, 5)
    clicks = Clicks.on(game, game.initial(), legal_actions(game, game.initial())).click(6).click(7)
    assert (clicks.move, clicks.targets) == (None, [5, 8])
    assert game.move_text(game.initial(), clicks.click(5).move) == "b2-c2W"
    state = z.position(game, "b2-c2W c3-b2A")
    assert Clicks.on(game, state, legal_actions(game, state)).click(6).click(6).move == PASS


def test_who_has_no_move_loses():
    game = Slow(3, 3)
    state = game.parse_state(".../OO./XO. X")
    assert (game.result(state), payoff(game, state)) == (ONGOING, LOSS)
    assert payoff(game, game.parse_state(".../OO./.O. X")) == LOSS


@pytest.mark.parametrize(
    ("text", "words"),
    [("OOO/O.X X", "one looks like"), ("OOO/O.X/XXX", "one looks like"), ("OOO/OOX/X.. X", "more than 4 stones"),
     ("..X/.../... X", "has won already"), ("O../.X./... X c1-b2", "last step"), ("O../.X./... X z9-b2", "last step"),
     ("O../.X./... X b2", "last step"), ("O../X../... O a1-b2", "last step"), ("O.../.../..X X", "one looks like"),
     ("O../.../..X X a1-c1", "last step"), ("O../.X./... X b1,b1-b2", "last step")],
)  # fmt: skip
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        Slow(3, 3).parse_state(text)


@pytest.mark.parametrize("parameters", [(4, 9), (5, 8), (1, 9), (9, 9), (5, True), (3, 23), (5, 9.0)])
def test_parameters_that_make_no_game(parameters):
    with pytest.raises(GameError, match="must be"):
        Slow(*parameters)
