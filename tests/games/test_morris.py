"""Morris: published counts and values, a referee that knows points by name, and numbers that name one position each."""

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, GameError
from zermelo.games.morris.morris_games import (
    LaskerMorris,
    Morris,
    NineMensMorris,
    SixMensMorris,
    State,
    ThreeMensMorris,
    TwelveMensMorris,
)
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import legal_actions
from zermelo.textbook import retrograde

FOUR = Morris(men=4, rings=2, flying=True)
GAMES = [ThreeMensMorris(), ThreeMensMorris(flying=True, diagonals=True), FOUR, SixMensMorris(), NineMensMorris()]
UNNUMBERED = [LaskerMorris(), TwelveMensMorris(), LaskerMorris(men=5, flying=False)]


def random_states(game, count, seed=1):
    """States met in random play from the start, the ends included; a long game is given up."""
    dice = random.Random(seed)
    state, plies = game.initial(), 0
    for _ in range(count):
        yield state
        moves = legal_actions(game, state) if plies < 80 else []
        state, plies = (game.play(state, dice.choice(moves)), plies + 1) if moves else (game.initial(), 0)


def random_positions(game, count, seed=2):
    """Stones thrown on the board, as many as a stage has that is not the last."""
    dice = random.Random(seed)
    while count:
        hands, mine, theirs = dice.choice(game.subspaces[:-1].tolist())
        if hands == 0 and dice.random() < 0.5:
            mine, theirs = theirs, mine
        points = dice.sample(range(game.point_count), mine + theirs)
        mine, theirs = (sum(1 << point for point in part) for part in (points[:mine], points[mine:]))
        state = State(mine, theirs, (hands + 1) // 2, hands // 2, hands & 1)
        if game.index(state) >= 0:
            count -= 1
            yield state


def thrown(game, count, seed=3):
    """Stones thrown on the board of a game without numbers, and others in hand."""
    dice = random.Random(seed)
    for _ in range(count):
        hand = dice.choice([0, dice.randrange(game.men)])
        their_hand = dice.randrange(game.men) if hand and game.early else hand
        mine, theirs = (dice.randint(max(3 - left, 0), game.men - left) for left in (hand, their_hand))
        points = dice.sample(range(24), mine + theirs)
        mine, theirs = (sum(1 << point for point in part) for part in (points[:mine], points[mine:]))
        yield State(mine, theirs, hand, their_hand, 0)


# -- the referee: points by name, lines as one would read them off a board ---------------------------------------------

LINES = {
    1: "a3 b3 c3, a2 b2 c2, a1 b1 c1, a3 a2 a1, b3 b2 b1, c3 c2 c1",
    2: "a5 c5 e5, e5 e3 e1, e1 c1 a1, a1 a3 a5, b4 c4 d4, d4 d3 d2, d2 c2 b2, b2 b3 b4",
    3: "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1, "
    "a7 a4 a1, b6 b4 b2, c5 c4 c3, d7 d6 d5, d3 d2 d1, e5 e4 e3, f6 f4 f2, g7 g4 g1",
}
SPOKES = {1: "", 2: "a3 b3, c5 c4, e3 d3, c1 c2", 3: ""}
DIAGONALS = {1: "a3 b2 c1, a1 b2 c3", 2: "", 3: "a7 b6 c5, g7 f6 e5, a1 b2 c3, g1 f2 e3"}


class Table:
    def __init__(self, game):
        self.men, self.flying, self.early = game.men, game.flying, game.early
        self.lines = [line.split() for line in LINES[game.rings].split(", ")]
        ways = [*self.lines, *(spoke.split() for spoke in SPOKES[game.rings].split(", ") if spoke)]
        diagonals = [line.split() for line in DIAGONALS[game.rings].split(", ")]
        ways += diagonals if game.diagonals else []
        self.lines += diagonals if game.rings == 1 or game.diagonals else []
        self.pairs = {frozenset(pair) for way in ways for pair in pairwise(way)}
        self.points = {point for line in self.lines for point in line}

    def in_mill(self, stones, point):
        return any(point in line and stones.issuperset(line) for line in self.lines)

    def over(self, mine, theirs, hand):
        return len(mine) + hand < 3 or (self.men == 3 and any(self.in_mill(theirs, point) for point in theirs))

    def moves(self, mine, theirs, hand):
        """The moves as they are written."""
        if self.over(mine, theirs, hand):
            return []
        free = self.points - mine - theirs
        steps = [(None, to) for to in free] if hand else []
        steps += [] if hand and not self.early else [
            (from_point, to) for from_point in mine for to in free
            if (self.flying and not hand and len(mine) == 3) or frozenset((from_point, to)) in self.pairs
        ]  # fmt: skip
        return [text for from_point, to in steps for text in self.texts(mine, theirs, from_point, to)]

    def texts(self, mine, theirs, from_point, to):
        step = f"{from_point}-{to}" if from_point else to
        if self.men == 3 or not theirs or not self.in_mill(mine - {from_point} | {to}, to):
            return [step]
        loose = [stone for stone in theirs if not self.in_mill(theirs, stone)]
        return [f"{step}x{taken}" for taken in loose or theirs]

    def after(self, mine, theirs, hand, their_hand, text):
        step, _, taken = text.partition("x")
        from_point, _, to = step.rpartition("-")
        return theirs - {taken}, mine - {from_point} | {to}, their_hand, hand - (not from_point)

    def leaves(self, mine, theirs, hand, their_hand, depth):
        moves = self.moves(mine, theirs, hand)
        if depth <= 1:
            return len(moves) if depth else 1
        return sum(
            self.leaves(*self.after(mine, theirs, hand, their_hand, move), depth - 1) for move in moves
        )  # fmt: skip


def named(game, state):
    """A state as the referee knows it."""
    mine, theirs = (
        frozenset(game.point_text(point) for point in range(len(game.places)) if stones >> point & 1)
        for stones in (state.mine, state.theirs)
    )
    return mine, theirs, state.hand, state.their_hand


@pytest.mark.parametrize("game", [*GAMES, *UNNUMBERED], ids=repr)
def test_moves_are_those_of_the_referee(game):
    table, phases = Table(game), Counter()
    assert {game.point_text(point) for point in range(len(game.places))} == table.points
    others = thrown(game, 300) if game in UNNUMBERED else random_positions(game, 200)
    for state in [*random_states(game, 400), *others]:
        here = named(game, state)
        moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
        assert sorted(moves) == sorted(table.moves(*here[:3]))
        for text, move in moves.items():
            assert named(game, game.play(state, move)) == table.after(*here, text)
            phases["-" in text, "x" in text] += 1
    assert len(phases) == (2 if game.men == 3 else 4)


@pytest.mark.parametrize(("game", "depth"), [(GAMES[0], 7), (GAMES[3], 5), (GAMES[4], 3)], ids=repr)
def test_perft_is_that_of_the_referee(game, depth):
    table = Table(game)
    for plies in range(depth + 1):
        assert z.perft(game, plies) == table.leaves(*named(game, game.initial()), plies)
    for state in random_positions(game, 12):
        assert z.perft(game, 2, state) == table.leaves(*named(game, state), 2)


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [ThreeMensMorris(), *(pytest.param(game, marks=pytest.mark.slow) for game in (SixMensMorris(), NineMensMorris()))],
    ids=repr,
)
def test_the_contract_holds(game):
    report = z.check(game, states=300, games=4)
    assert report.native, report.native_error
    assert not report.notes


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_and_pictures(game):
    for state in random_states(game, 150, seed=3):
        assert game.parse_state(game.state_text(state)) == state
        before = game.board(state).parts[0].cells
        for move in legal_actions(game, state):
            after = game.board(game.play(state, move)).parts[0].cells
            squares = game.squares(state, move)
            assert sorted(squares) == [i for i in range(len(before)) if before[i] != after[i]]
            if "-" in game.move_text(state, move):  # where from, then where to
                assert before[squares[0]] != "." == after[squares[0]]
                assert before[squares[1]] == "." != after[squares[1]]


def test_boards_show_their_lines():
    game = SixMensMorris()
    points, hands = game.board(z.position(game, "a5 d4 c5 b2")).parts
    assert points.cells == "XX........O...O."
    assert points.names[:3] == ("a5", "c5", "e5")
    assert len(points.lines) == 20
    assert {(0, 1), (1, 9)} < set(points.lines)
    assert (0, 8) not in points.lines
    assert hands.values == ("4", "4")
    assert game.state_text(z.position(game, "a5 d4 c5 b2")) == "XX./..O/..../O../... 4 4 X"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (".../.../.. 3 3 X", "one looks like '.../.../... 3 3 X'"),
        ("XXX/OO./... 0 1 X", "the players place their men in turn"),
        ("XX./OO./... 2 2 X", "a player has 4 men"),
        ("XXX/OO./..O 0 0 X", "has won already"),
        ("X../OO./O.. 0 0 O", "more stones are gone than can have been taken"),
    ],
)
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        ThreeMensMorris().parse_state(text)


@pytest.mark.parametrize("sizes", [(3, 0), (3, 4), (4, 1), (7, 2), (10, 3), (2, 2), (True, 3), (6, 2, True, True)])
def test_parameters_that_make_no_game(sizes):
    with pytest.raises(GameError, match=r"must be|only on one ring"):
        Morris(*sizes)


def test_who_cannot_move_loses():
    game = SixMensMorris()
    state = game.parse_state("XOX/.../O..O/.../.OX 0 0 X")
    assert (legal_actions(game, state), game.result(state), game.stuck(state)) == ([], ONGOING, LOSS)


def test_a_full_board_is_a_draw():
    game = TwelveMensMorris()
    state = game.parse_state("XOX/OXO/XOX/OXOXOX/OXO/XOX/OXO 0 0 X")
    assert (legal_actions(game, state), game.result(state), game.stuck(state)) == ([], ONGOING, DRAW)


def test_stones_move_along_diagonals_and_make_mills_there():
    game = TwelveMensMorris()
    state = game.parse_state("X../XOO/.../....O./.../.../... 9 9 X")
    assert "c5xd6" in z.divide(game, 1, state)
    assert "c5xd6" not in z.divide(NineMensMorris(), 1, state._replace(hand=6, their_hand=6))
    state = game.parse_state("X../.../.../...OOO/.../.../..X 0 0 X")._replace(mine=1 | 1 << 3 | 1 << 20 | 1 << 21)
    assert "a7-b6" in z.divide(game, 1, state)


def test_in_lasker_morris_a_stone_may_be_moved_at_once():
    game = LaskerMorris()
    state = z.position(game, "d7 d6 d7-g7")
    assert (state.hand, state.their_hand, state.player) == (9, 9, 1)
    assert "d6-d5" in z.divide(game, 1, state)
    assert game.parse_state(game.state_text(state)) == state
    assert game.impossible(state._replace(hand=10)) == "a player has 11 men"


@pytest.mark.parametrize("game", UNNUMBERED, ids=repr)
def test_stages_without_numbers(game):
    assert not game.has("index")
    for state in [*random_states(game, 300), *thrown(game, 100)]:
        for move in legal_actions(game, state):
            child = game.play(state, move)
            placed, taken = move >> 5 & 31 == 31, move >> 10 != 31
            lost = game.result(child) == LOSS  # in one way only, at the end of all stages
            assert game.stage(child) == (4 * game.men if lost else game.stage(state) + placed + taken)
            assert game.stage(game.canonical(child)) == game.stage(child)
            assert game.canonical(child) == game.canonical(dict(enumerate(game.symmetries(child)))[5])


@pytest.mark.parametrize("game", [LaskerMorris(), pytest.param(TwelveMensMorris(), marks=pytest.mark.slow)], ids=repr)
def test_contract_of_games_without_numbers(game):
    assert z.check(game, states=200, games=5)


def test_of_stones_in_a_mill_none_is_taken_while_others_stand_free():
    game = SixMensMorris()
    state = game.parse_state("XX./OOO/..../..O/... 1 1 X")
    assert {text for text in z.divide(game, 1, state) if "x" in text} == {"e5xd2"}
    state = game.parse_state("XX./OOO/..../.../... 1 1 X")
    assert {text for text in z.divide(game, 1, state) if "x" in text} == {"e5xb4", "e5xc4", "e5xd4"}


# -- numbers -----------------------------------------------------------------------------------------------------------

SIX_MEN = {
    "3-3": 10112, "3-4": 25190, "3-5": 45270, "3-6": 60320, "4-4": 56748, "4-5": 90420, "4-6": 105700, "5-5": 126516,
    "5-6": 126516, "6-6": 105700,
}  # fmt: skip
"""Positions up to the 16 symmetries by the stones of either side on two rings, by Burnside's lemma."""

NINE_MEN = {"3-3": 169626, "3-4": 760398, "4-4": 3225597}
"""And on three rings."""

SETS = (1, 4, 30, 158, 757, 2830, 8774, 22188, 46879, 82880)
"""Sets of 0 to 9 of the 24 points up to the 16 symmetries."""


@kernel
def count_positions(game, stage, first, after):
    """How many numbers from `first` on name a position."""
    count = 0
    for index in range(first, after):
        count += game.index(game.at(stage, index)) == index
    return count


@pytest.mark.parametrize(("game", "counts"), [(SixMensMorris(), SIX_MEN), (NineMensMorris(), NINE_MEN)], ids=repr)
def test_as_many_numbers_as_positions(game, counts):
    for name, count in counts.items():
        less, more = map(int, name.split("-"))
        stage, size = game.stage_of(more, less), game.subspace_size(more, less)
        assert game.size(stage) == (size if less == more else 2 * size)
        for first in range(0, game.size(stage), size):
            assert count_positions(game, stage, first, first + size) == count


def test_gassers_total():
    """Gasser, Solving Nine Men's Morris (1996): 9,074,932,579 numbers for all positions after placing."""
    game = NineMensMorris()
    assert tuple(np.diff(game.firsts).tolist()) == SETS
    assert (
        sum(size for size, (hands, *_) in zip(game.sizes[:-1], game.subspaces, strict=False) if hands == 0)
        == 9074932579
    )


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_equivalent_positions_have_one_number_and_others_have_others(game):
    owners = {}
    for state in [*random_positions(game, 300), *random_states(game, 100)]:
        stage, index = game.stage(state), game.index(state)
        found = game.at(stage, index)
        assert 0 <= index < game.size(stage)
        assert (game.stage(found), game.index(found)) == (stage, index)
        assert found == game.canonical(state)
        assert owners.setdefault((stage, index), found) == found
        assert len(set(game.symmetries(state))) in (1, 2, 4, 8, 16)
        if stage != game.last_stage:
            assert {(game.stage(image), game.index(image)) for image in game.symmetries(state)} == {(stage, index)}
            assert found in {image._replace(player=found.player) for image in game.symmetries(state)}


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_stages(game):
    assert game.stage(game.initial()) == 0
    assert len(set(map(tuple, game.subspaces.tolist()))) == game.last_stage + 1
    for state in [*random_states(game, 300), *random_positions(game, 100)]:
        for move in legal_actions(game, state):
            child = game.play(state, move)
            quiet = state.hand == 0 and state.their_hand == 0 and move >> 10 == 31
            assert game.stage(child) == game.stage(state) if quiet else game.stage(child) > game.stage(state)


@kernel
def list_moves(game, stage, edges):
    """Every move inside the stage as from * size + to; how many."""
    count = 0
    for index in range(game.size(stage)):
        state = game.at(stage, index)
        if game.index(state) == index and game.result(state) == ONGOING:
            for move in game.moves(state):
                child = game.play(state, move)
                if game.stage(child) == stage:
                    edges[count] = index * game.size(stage) + game.index(child)
                    count += 1
    return count


@kernel
def list_unmoves(game, stage, edges):
    """The same, backward."""
    count = 0
    for index in range(game.size(stage)):
        state = game.at(stage, index)
        if game.index(state) == index:
            for before in game.predecessors(state):
                edges[count] = game.index(before) * game.size(stage) + index
                count += 1
    return count


@pytest.mark.parametrize(
    ("game", "stones"),
    [
        (GAMES[0], (3, 3)),
        pytest.param(GAMES[1], (3, 3), marks=pytest.mark.slow),
        (FOUR, (4, 3)),
        pytest.param(SixMensMorris(), (4, 3), marks=pytest.mark.slow),
    ],
    ids=repr,
)
def test_predecessors_are_the_moves_backward(game, stones):
    stage = game.stage_of(*stones)
    lists = []
    for listed in (list_moves, list_unmoves):
        call = listed.interpreted if game.men == 3 else listed
        edges = np.zeros(40 * game.size(stage), np.int64)
        lists.append(np.unique(edges[: call(game, stage, edges)]))
    assert len(lists[0]) > game.size(stage)
    assert np.array_equal(*lists)


def test_nothing_precedes_a_placed_stone_or_a_lost_position_in_its_stage():
    game = SixMensMorris()
    assert list(game.predecessors(z.position(game, "a5 d4 c5 b2"))) == []
    assert list(game.predecessors(State(3, 0xF0, 0, 0, 1))) == []


# -- values ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "won", "lost", "drawn", "start"),
    [
        (ThreeMensMorris(), 2121, 769, 980, "win in 9"),
        (ThreeMensMorris(diagonals=True), 2161, 773, 936, "win in 9"),
        (ThreeMensMorris(flying=True), 2278, 820, 772, "draw by repetition"),
        (ThreeMensMorris(flying=True, diagonals=True), 2278, 820, 772, "draw by repetition"),
    ],
    ids=repr,
)
def test_three_mens_morris_solved(game, won, lost, drawn, start):
    """Won, lost and drawn for the mover among the 3870 positions, as another program has them too."""
    table = retrograde(game)
    outcomes = {state._replace(player=0): table[state].outcome for state in table}
    assert Counter(outcomes.values()) == {1: won, -1: lost, 0: drawn}
    assert str(table.value) == start


def test_three_mens_morris_is_won_in_the_centre_only():
    game = ThreeMensMorris()
    table = retrograde(game)
    first = {}
    for move in legal_actions(game, game.initial()):
        first[game.move_text(game.initial(), move)] = -table[game.play(game.initial(), move)].outcome
    assert first == {
        "b2": 1,
        **dict.fromkeys(("a3", "c3", "c1", "a1"), 0),
        **dict.fromkeys(("b3", "c2", "b1", "a2"), -1),
    }


@kernel
def decide(game, stage, offsets, plies, known, found):
    """One pass over a stage: what is won or lost by what is known, as plus or minus `plies`; how many positions."""
    count = 0
    for index in range(game.size(stage)):
        state = game.at(stage, index)
        if known[offsets[stage] + index] == 0 and game.index(state) == index:
            lost, won = True, False
            for move in game.moves(state):
                child = game.play(state, move)
                over = game.result(child) != ONGOING
                value = -1 if over else known[offsets[game.stage(child)] + game.index(child)]
                won = won or value < 0
                lost = lost and value > 0
            if won or lost:
                found[offsets[stage] + index] = plies if won else -plies
                count += 1
    return count


@kernel
def reach(game, stage, offsets, seen, done):
    """Mark what a move leads to from the positions seen, by player (1 and 2, or both); how many were new."""
    count = 0
    for index in range(game.size(stage)):
        here = offsets[stage] + index
        for player in range(2):
            if (seen[here] & ~done[here]) >> player & 1:
                done[here] |= 1 << player
                count += 1
                state = game.at(stage, index)
                for move in game.moves(state):
                    child = game.play(state, move)
                    if game.result(child) == ONGOING:
                        seen[offsets[game.stage(child)] + game.index(child)] |= 2 >> player
    return count


@kernel
def weigh(game, stage, offsets, seen, values, totals):
    """Add up the lost, drawn and won positions: all images, and for both players where both can be to move."""
    for index in range(game.size(stage)):
        here, same = offsets[stage] + index, 0
        state = game.at(stage, index)
        if game.index(state) == index:
            for image in game.symmetries(state):
                same += image.mine == state.mine and image.theirs == state.theirs
            players = (seen[here] & 1) + (seen[here] >> 1)
            totals[1 + (values[here] > 0) - (values[here] < 0)] += players * game.images // same
    return totals.sum()


@pytest.mark.slow
def test_three_stones_against_three_on_three_rings():
    """Lost, drawn and won of all 2,691,920 positions, and the longest win and loss, as another program has them."""
    game = NineMensMorris()
    stage, offsets = game.stage_of(3, 3), np.zeros(len(game.sizes), np.int64)
    known, ones = np.zeros(game.size(stage), np.int64), np.ones(game.size(stage), np.int64)
    plies, new = 1, 1
    while new:
        found = known.copy()
        new = decide(game, stage, offsets, plies, known, found)
        known, plies = found, plies + 1
    totals = np.zeros(3, np.int64)
    assert weigh(game, stage, offsets, ones, known, totals) == 2691920
    assert totals.tolist() == [455648, 4112, 2232160]
    assert (known.max(), known.min()) == (25, -26)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("men", "flying", "won", "drawn"),
    [
        (4, False, 2338718, 500801),
        (4, True, 261928, 3826291),
        (5, False, 10070264, 1724637),
        (6, False, 23392364, 3459385),
        (6, True, 10137394, 27311113),
    ],
)
def test_two_rings_solved(men, flying, won, drawn):
    """What can be reached on two rings, who is to move told apart, is won and drawn so often, and the start is drawn.

    So says another program, whose numbers of positions are those published at github.com/brianhliou/game-solver
    (release tablebase-v1).
    """
    game = Morris(men=men, rings=2, flying=flying)
    offsets = np.cumsum([0, *game.sizes])
    values, seen, done = (np.zeros(offsets[-1], np.int64) for _ in range(3))
    seen[0] = 1
    for stage in range(game.last_stage):
        while reach(game, stage, offsets, seen, done):
            pass
    for stage in range(game.last_stage - 1, -1, -1):
        while decide(game, stage, offsets, 1, values, values):
            pass
    totals = np.zeros(3, np.int64)
    for stage in range(game.last_stage):
        weigh(game, stage, offsets, seen, values, totals)
    assert totals[1:].tolist() == [drawn, won]
    assert values[0] == 0


def test_the_mill_that_has_won_is_pointed_out():
    game = ThreeMensMorris()
    state = game.initial()
    for text in ("a1", "b2", "a2", "c1", "a3"):
        assert game.highlights(state) == ()
        state = game.play(state, game.parse_move(state, text))
    assert game.result(state) == LOSS
    assert {game.point_text(point) for point in game.highlights(state)} == {"a1", "a2", "a3"}
    nine = NineMensMorris()
    dice, won = random.Random(3), 0
    while won < 3:
        state = nine.initial()
        for _ in range(200):
            moves = legal_actions(nine, state)
            if not moves:
                break
            assert nine.highlights(state) == ()
            state = nine.play(state, dice.choice([move for move in moves if nine.noisy(state, move)] or moves))
        if nine.result(state) == LOSS:
            won += 1
            mill = nine.highlights(state)
            assert len(mill) >= 3
            assert all(state.theirs >> point & 1 for point in mill)
