"""Hare and Hounds: a referee that knows the points by name, and the value of every position by plain iteration."""

import random

import pytest

import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, WIN, GameError
from zermelo.board import sides_of
from zermelo.games.hare_and_hounds import HARE, HOUNDS, HareAndHounds, State
from zermelo.play.session import Outcome, Session, who_moves
from zermelo.rules import legal_actions, payoff
from zermelo.show.svg.board_svg import svg
from zermelo.textbook import backward_induction, retrograde

GAMES = [HareAndHounds(), HareAndHounds(0), HareAndHounds(3)]


class Slow(HareAndHounds):
    """Hare and Hounds as Python runs it: it is solved sooner than compiled."""

    native = False


# -- the referee: points by name ---------------------------------------------------------------------------------------

JOINED = {
    "a2": "b1 b2 b3", "b1": "a2 b2 c1 c2", "b2": "a2 b1 b3 c2", "b3": "a2 b2 c2 c3", "c1": "b1 c2 d1",
    "c2": "b1 b2 b3 c1 c3 d1 d2 d3", "c3": "b3 c2 d3", "d1": "c1 c2 d2 e2", "d2": "c2 d1 d3 e2", "d3": "c2 c3 d2 e2",
    "e2": "d1 d2 d3",
}  # fmt: skip


def steps(hounds, hare, player):
    """The moves as they are written."""
    taken = {*hounds, hare}
    if player == HARE:
        return {f"{hare}-{to}" for to in JOINED[hare].split() if to not in taken}
    return {f"{hound}-{to}" for hound in hounds for to in JOINED[hound].split() if to >= hound[0] and to not in taken}


def named(game, state):
    """Hounds and hare as the picture shows them."""
    board = game.board(state)
    marks = dict(zip(board.names, board.cells, strict=True))
    return {name for name, mark in marks.items() if mark == "H"}, next(name for name in marks if marks[name] == "r")


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    dice, ends = random.Random(5), set()
    for _ in range(150):
        state, hounds, hare, stalls, player = game.initial(), {"a2", "b1", "b3"}, "e2", 0, HOUNDS
        for _ in range(100):
            assert named(game, state) == (hounds, hare)
            passed = all(hound[0] >= hare[0] for hound in hounds)
            texts = steps(hounds, hare, player)
            tired = 0 < game.stalling == stalls
            if passed or tired or (player == HARE and not texts):
                assert payoff(game, state) == (WIN if (player == HARE) == (passed or tired) else LOSS)
                ends.add((passed, tired))
                break
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert set(moves) == texts
            text = dice.choice(sorted(texts))
            assert [game.board(state).names[square] for square in game.squares(state, moves[text])] == text.split("-")
            state = game.play(state, moves[text])
            from_point, to = text.split("-")
            if player == HARE:
                hare = to
            else:
                hounds = hounds - {from_point} | {to}
                stalls = stalls + 1 if from_point[0] == to[0] else 0
            player = 1 - player
    assert {(True, False), (False, False)} <= ends
    assert (game.stalling == 3) <= ((False, True) in ends)


class Retreat(HareAndHounds):
    """Broken: hounds may go back."""

    @property
    def forward_neighbours(self):
        return self.neighbours


def test_the_referee_sees_a_broken_game():
    with pytest.raises(AssertionError):
        test_play_is_that_of_the_referee(Retreat())


# -- values ------------------------------------------------------------------------------------------------------------


def test_the_hounds_win():
    """In 23 plies, whether they may move up and down for ever or ten times in a row, but not if only three times."""
    table = retrograde(Slow(0))
    assert str(table.value) == "win in 23"
    assert str(backward_induction(Slow(10)).value) == "win in 23"
    assert [backward_induction(Slow(times)).value.outcome for times in (1, 2, 3, 4, 5)] == [-1, -1, -1, 1, 1]


def test_every_value_is_that_of_the_referee():
    """Who wins, by looking at all positions again and again until nothing is new; the rest is drawn."""
    game = Slow(0)
    table = retrograde(game)
    positions = {(frozenset(named(game, state)[0]), named(game, state)[1], state.player): state for state in table}
    won = {}
    new = True
    while new:
        new = False
        for hounds, hare, player in positions.keys() - won.keys():
            winner = decided(won, hounds, hare, player)
            if winner is not None:
                won[hounds, hare, player] = winner
                new = True
    for key, state in positions.items():
        winner = won.get(key)
        assert table[state].outcome == (0 if winner is None else 1 if winner == state.player else -1), key


def decided(won, hounds, hare, player):
    """Who wins here, if that is known by now."""
    if all(hound[0] >= hare[0] for hound in hounds):
        return HARE
    winners = set()
    for text in steps(hounds, hare, player):
        from_point, to = text.split("-")
        child = (hounds, to, HOUNDS) if player == HARE else (hounds - {from_point} | {to}, hare, HARE)
        winners.add(won.get(child))
    return player if player in winners else 1 - player if winners <= {1 - player} else None


@pytest.mark.slow
@pytest.mark.parametrize("stalling", [0, 10])
def test_solved(stalling):
    game = HareAndHounds(stalling)
    solution, table = z.solve(game), (backward_induction if stalling else retrograde)(Slow(stalling))
    assert str(solution.value()) == "win in 23"
    assert solution.positions == len(table)
    for state in table:
        assert str(solution.value(state)) == str(table[state])


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stalling", [0, 4])
def test_the_contract_holds(stalling):
    report = z.check(Slow(stalling), states=300, games=6)
    assert not report.notes


def test_perft():
    game = HareAndHounds()
    assert [z.perft(game, depth) for depth in range(6)] == [z.perft(Slow(), depth) for depth in range(6)]
    assert [z.perft(Slow(), depth) for depth in range(3)] == [1, 7, 21]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_images_and_stages(game):
    for state in random_states(game, 300):
        assert game.parse_state(game.state_text(state)) == state
        (image,) = game.symmetries(state)
        assert list(game.symmetries(image)) == [state]
        hounds, hare = named(game, state)
        upside_down = str.maketrans("13", "31")
        assert named(game, image) == ({name.translate(upside_down) for name in hounds}, hare.translate(upside_down))
        for move in legal_actions(game, state):
            rise = game.stage(game.play(state, move)) - game.stage(state)
            assert rise > 0 if game.stalling else rise >= 0
    assert game.state_text(game.initial()) == "H/H.H/.../.../r hounds 0"
    assert game.play(State(0b1011, 10, 0, HARE), 10 | 8 << 4) == State(0b1011, 8, 0, HOUNDS)
    assert game.result(State(0b1011, 0, 0, HOUNDS)) == LOSS
    assert game.result(State(0b1011, 4, 0, HOUNDS)) == ONGOING


@pytest.mark.parametrize(
    "text", ["H/H.H/.../.../r", "H/H.H/.../.../r hounds 11", "H/HHH/.../.../r hare 0", "HH.H/.../.../r hare 0", "x y z"]
)
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match=r"such as 'H/H\.H/"):
        HareAndHounds().parse_state(text)


@pytest.mark.parametrize("stalling", [-1, True, 101, 2.0])
def test_parameters_that_make_no_game(stalling):
    with pytest.raises(GameError, match="must be a whole number"):
        HareAndHounds(stalling)


# -- sides -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sides", "marks"),
    [("hare_and_hounds", ("Hounds", "Hare"), "Hr"), ("fox_and_geese", ("Fox", "Geese"), "Fg"),
     ("three_musketeers", ("Musketeers", "Enemies"), "Mo")],
)  # fmt: skip
def test_sides_have_names_and_the_colours_of_their_pieces(name, sides, marks):
    """Pieces are stones of the two players' colours: chessmen would be white and black, and the rest of a page not."""
    game = z.load(name)
    board, drawn = game.board(game.initial()), svg(game, game.initial())
    assert sides_of(board) == sides
    assert [piece.mark for piece in board.pieces] == list(marks)
    assert [piece.side for piece in board.pieces] == [0, 1]
    assert 'class="zb-stone0"' in drawn
    assert 'class="zb-stone1"' in drawn
    assert 'class="zb-man' not in drawn


@pytest.mark.parametrize(
    ("name", "words"),
    [("hare_and_hounds", ("Hounds win.", "Hare wins.")), ("fox_and_geese", ("Fox wins.", "Geese win.")),
     ("three_musketeers", ("Musketeers win.", "Enemies win.")), ("hexapawn", ("White wins.", "Black wins."))],
)  # fmt: skip
def test_a_side_wins_and_several_win(name, words):
    session = Session(z.load(name))
    assert tuple(Outcome(winner).words(session.names) for winner in (0, 1)) == words


def test_whose_turn_it_is():
    for name, words in (("hare_and_hounds", "Hounds, who are to move"), ("fox_and_geese", "Fox, who is to move")):
        assert who_moves(z.load(name), z.load(name).initial()) == words
