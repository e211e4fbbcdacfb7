"""Teeko: published values, a referee that knows cells by column and row, and numbers that name one position each."""

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, GameError
from zermelo.games.teeko import State, Teeko
from zermelo.rules import legal_actions

GAMES = [Teeko(), Teeko(advanced=True), Teeko(centre=False)]


class Slow(Teeko):
    """Teeko as Python runs it."""

    native = False


# -- the referee: cells are (column, row), men are sets of them --------------------------------------------------------

CELLS = [(x, y) for y in range(5) for x in range(5)]


def wins(men, advanced=False):
    """Whether four men stand in a row or in a square, by looking at how far they are from each other."""
    if len(men) < 4:
        return False
    a, b, c, d = sorted(men)
    steps = {(q[0] - p[0], q[1] - p[1]) for p, q in ((a, b), (b, c), (c, d))}
    if len(steps) == 1 and steps <= {(0, 1), (1, 0), (1, 1), (1, -1)}:
        return True
    size = d[0] - a[0]
    square = {a, (a[0], a[1] + size), (a[0] + size, a[1]), (a[0] + size, a[1] + size)} == men
    return square and (size == 1 or (advanced and size > 1))


def options(mine, theirs, centre=True):
    """The moves as they are written, and my men after each."""
    free = [cell for cell in CELLS if cell not in mine | theirs]
    if len(mine) < 4:
        first = not mine | theirs
        return {named(cell): mine | {cell} for cell in free if centre or not first or cell != (2, 2)}
    return {f"{named(man)}-{named(cell)}": mine - {man} | {cell} for man in mine for cell in free if nearby(man, cell)}


def nearby(cell, other):
    return max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) <= 1


def named(cell):
    return "abcde"[cell[0]] + str(cell[1] + 1)


def cells_of(word):
    """The cells of a word, the first of which is at the top left."""
    return frozenset((cell % 5, 4 - cell // 5) for cell in range(25) if word >> cell & 1)


def soonest(mine, theirs, plies):
    """Plies to a forced end within a limit: positive for a win, negative or 0 for a loss, None if there is none."""
    if wins(theirs):
        return 0
    if plies == 0:
        return None
    after = [soonest(theirs, men, plies - 1) for men in options(mine, theirs).values()]
    lost = [plies for plies in after if plies is not None and plies <= 0]
    if lost:
        return 1 - max(lost)
    return None if None in after else -1 - max(after)


def test_goals():
    """Scarne's 44, and 58 with the larger squares (Steele, Summary of the solving of the game of Teeko, 1999)."""
    for game, count in zip(GAMES, (44, 58, 44), strict=True):
        assert len(set(game.goals)) == len(game.goals) == count
        goals = {cells_of(goal) for goal in game.goals}
        assert goals == {frozenset(men) for men in combinations(CELLS, 4) if wins(set(men), game.advanced)}
        assert all(game.is_goal(goal) and not game.is_goal(goal & goal - 1) for goal in game.goals)


def agree(game, games=50):
    """Random play of a game and the referee's."""
    dice, ends = random.Random(6), 0
    for _ in range(games):
        state, mine, theirs, player = game.initial(), frozenset(), frozenset(), 0
        for _ in range(40):
            assert (cells_of(state.mine), cells_of(state.theirs), state.player) == (mine, theirs, player)
            assert game.result(state) == (LOSS if wins(theirs, game.advanced) else ONGOING)
            if game.result(state) == LOSS:
                ends += 1
                break
            texts = options(mine, theirs, game.centre)
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert moves.keys() == texts.keys()
            goals = [text for text in texts if wins(texts[text], game.advanced)]
            text = goals[0] if goals else dice.choice(sorted(moves))
            assert goals == [text for text in texts if game.noisy(state, moves[text])]
            squares = game.squares(state, moves[text])
            assert [named((square % 5, 4 - square // 5)) for square in squares] == text.split("-")
            state = game.play(state, moves[text])
            mine, theirs, player = theirs, texts[text], 1 - player
    assert ends


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    agree(game)


class Straight(Teeko):
    """Broken: men move along rows and columns only."""

    @property
    def neighbours(self):
        around = ((0, 1), (1, 0), (0, -1), (-1, 0))
        near = [
            [5 * (y + v) + x + u for u, v in around if 0 <= x + u < 5 > y + v >= 0] for y in range(5) for x in range(5)
        ]
        return [sum(1 << cell for cell in cells) for cells in near]


class Small(Teeko):
    """Broken: no squares."""

    @property
    def shapes(self):
        return super().shapes[:4]


@pytest.mark.parametrize("game", [Straight(), Small()], ids=repr)
def test_the_referee_sees_a_broken_game(game):
    with pytest.raises(AssertionError):
        agree(game)


def test_four_men_cannot_be_locked_in():
    beside = {cell: {other for other in CELLS if other != cell and nearby(cell, other)} for cell in CELLS}
    assert min(len(set().union(*map(beside.get, men)) - set(men)) for men in combinations(CELLS, 4)) == 5


# -- numbers -----------------------------------------------------------------------------------------------------------


def thrown(dice, men):
    """So many men of both players, thrown on the board."""
    cells = [1 << cell for cell in dice.sample(range(25), men)]
    return State(sum(cells[: men // 2]), sum(cells[men // 2 :]), men & 1)


def test_there_are_75710250_placements_of_all_men():
    """Up to symmetry 9,971,010 numbers, a few of them without a meaning."""
    game = Slow()
    assert comb(25, 4) * comb(21, 4) == 75_710_250
    assert game.size(8) == 1666 * comb(21, 4) == 9_971_010
    assert sum(map(game.size, range(-1, 10))) == 12_765_414


def test_the_largest_sets_are_the_most_numerous():
    """As wide as they are the tables of `square_orbits` are."""
    sizes = [len(words) for words, _ in Slow().orbits]
    assert sizes == [comb(25, count) for count in range(5)] == sorted(sizes)


def test_few_men_are_numbered_one_by_one():
    """Every placement of up to three men: images share a number, and nothing else does."""
    game = Slow()
    for men in range(4):
        numbers = {}
        for cells in combinations(range(25), men):
            for mine in combinations(cells, men // 2):
                theirs = set(cells) - set(mine)
                state = State(sum(1 << cell for cell in mine), sum(1 << cell for cell in theirs), men & 1)
                numbers.setdefault(game.index(state), set()).add(game.canonical(state))
        assert all(len(same) == 1 for same in numbers.values())
        assert len(numbers) == len(set.union(*numbers.values()))
        meant = [number for number in range(game.size(men)) if game.index(game.at(men, number)) == number]
        assert sorted(numbers) == meant


def test_numbers_lead_to_positions_and_back():
    game, dice = Slow(), random.Random(3)
    for men in [*range(9), *[7] * 20, *[8] * 60]:
        state = thrown(dice, men)
        if game.is_goal(state.mine):
            assert game.index(state) == -1
            continue
        number = game.index(state)
        assert 0 <= number < game.size(men)
        assert game.at(men, number) == game.canonical(state)
        assert {game.index(image) for image in game.symmetries(state)} == {number}
        assert game.canonical(state) in {image._replace(player=men & 1) for image in game.symmetries(state)}


def test_predecessors_are_the_moves_backward():
    game, dice = Slow(), random.Random(8)
    for _ in range(40):
        state = thrown(dice, 8)
        if game.result(state) == LOSS or game.is_goal(state.mine):
            continue
        for move in game.moves(state):
            assert state in game.predecessors(game.play(state, move))
        for before in game.predecessors(state):
            assert state in [game.play(before, move) for move in game.moves(before)]
    assert not list(game.predecessors(thrown(dice, 7)))


# -- values ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_standard_teeko_is_a_draw():
    """Steele, Summary of the solving of the game of Teeko, 1999: wherever the first man is placed."""
    game, dice = Teeko(), random.Random(9)
    solution = z.solve(game)
    assert str(solution.value()) == "draw by repetition"
    assert {str(value) for value in solution.moves().values()} == {"draw by repetition"}
    placed = sum(comb(25, men + 1 >> 1) * comb(25 - (men + 1 >> 1), men >> 1) for men in range(8))
    over = 44 * comb(21, 4)  # all men placed, and the player to move has a goal
    assert solution.positions - placed + over == 75_710_250
    assert solution.counts() == {"win": 4_158_614, "draw by repetition": 6_820_938, "loss": 1_084_395}
    assert len(solution) == 12_063_947
    assert {str(solution.value(state)) for state in solution.longest()} == {"win in 39"}
    found = Counter()
    for _ in range(60):
        state = thrown(dice, 8)
        if not game.is_goal(state.mine):
            plies, value = soonest(cells_of(state.mine), cells_of(state.theirs), 3), solution.value(state)
            if plies is None:
                assert value.outcome == 0 or value.plies > 3
            else:
                assert (value.plies, value.outcome) == (abs(plies), 1 if plies > 0 else -1)
            found[plies] += 1
    assert found[None]
    assert found[1]
    assert found[3]


@pytest.mark.slow
def test_advanced_teeko_is_won_from_the_centre_alone():
    """In 13 turns; a draw if the first man may not be placed there (Steele, the same; MathWorld, Teeko)."""
    solution = z.solve(Teeko(advanced=True))
    game = solution.game
    values = {game.move_text(game.initial(), move): str(value) for move, value in solution.moves().items()}
    assert values.pop("c3") == str(solution.value()) == "win in 13"
    assert set(values.values()) == {"draw by repetition"}
    assert solution.counts() == {"win": 6_052_678, "draw by repetition": 4_142_010, "loss": 1_858_564}
    assert len(solution) == 12_053_252
    assert {str(solution.value(state)) for state in solution.longest()} == {"loss in 60"}


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    assert z.check(Slow(centre=False), states=30, games=1).states >= 30


def test_perft():
    assert [z.perft(Slow(), depth) for depth in range(4)] == [1, 25, 25 * 24, 25 * 24 * 23]
    assert z.perft(Slow(centre=False), 2) == 24 * 24


def test_texts_and_estimates():
    game = Slow()
    state = z.position(game, "c3 b2 d4")
    assert game.state_text(state) == "...../...X./..X../.O.../..... O"
    assert game.parse_state("...../...x./..x../.o.../..... o") == state
    assert game.evaluate(state) == -game.evaluate(State(state.theirs, state.mine, 0)) < 0
    whole = z.position(game, "c3 b2 d4 c4 d3 b4 e1 a2 d3-e4")
    assert game.state_text(whole) == "...../.OOXX/..X../OO.../....X O"
    assert game.move_text(whole, next(iter(game.moves(whole)))) == "b4-a5"


@pytest.mark.parametrize(
    ("text", "why"),
    [("...../...../...../..... X", "does not describe"), ("XX.../...../...../...../..... O", "place their men in turn"),
     ("XXXXX/OOOO./...../...../..... O", "a player has 5 men"), ("X..../...../...../...../..... X", "in turn"),
     ("XX.../XX.../..O../...../OOO.. X", "won already")],
)  # fmt: skip
def test_boards_that_cannot_be(text, why):
    with pytest.raises(GameError, match=why):
        Teeko().parse_state(text)


@pytest.mark.parametrize("parameter", ["advanced", "centre"])
def test_parameters_that_make_no_game(parameter):
    with pytest.raises(GameError, match=f"{parameter} must be True or False"):
        Teeko(**{parameter: 1})


def test_the_men_that_have_won_are_pointed_out():
    game = Slow()
    over = game.parse_state("XX.OO/XX.../..O../O..../..... O")
    assert [game.move_text(over, cell | 31 << 5) for cell in game.highlights(over)] == ["a5", "b5", "a4", "b4"]
    assert game.highlights(game.parse_state("XX.OO/X.X../..O../O..../..... O")) == ()
