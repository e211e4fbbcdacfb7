"""Awari: a game played seed by seed on a ring of pits as referee, open_spiel as another, and values of small boards."""

import random

import pytest

import zermelo as z
from random_games import random_states
from zermelo import ONGOING, GameError
from zermelo.board import Pits
from zermelo.games.awari import GRAND_SLAM_RULES, Awari, State
from zermelo.rules import legal_actions, payoff
from zermelo.textbook import backward_induction

GAMES = [
    *(Awari(grand_slam=slam) for slam in GRAND_SLAM_RULES),
    *(Awari(3, 3, slam, 20) for slam in GRAND_SLAM_RULES),
    Awari(2, 15, patience=0),
    Awari(1, 4, "captures", 5),
    Awari(4, 30),
]


class Slow(Awari):
    """Awari as Python runs it: small games are solved sooner than compiled."""

    native = False


# -- the referee: a ring of pits, the first player's before the second's -----------------------------------------------


class Table:
    def __init__(self, game):
        self.game = game
        self.ring = [game.seeds] * (2 * game.pits)
        self.stores, self.player, self.quiet = [0, 0], 0, 0

    def copy(self):
        other = object.__new__(Table)
        other.__dict__ = {**self.__dict__, "ring": list(self.ring), "stores": list(self.stores)}
        return other

    def side(self, player):
        return range(player * self.game.pits, (player + 1) * self.game.pits)

    def seeds(self, player):
        return sum(self.ring[place] for place in self.side(player))

    def sow(self, place):
        """The ring after sowing, and what would be captured there."""
        ring, hand, here = list(self.ring), self.ring[place], place
        ring[place] = 0
        while hand:
            here = (here + 1) % len(ring)
            if here != place:
                ring[here] += 1
                hand -= 1
        captured = []
        while here in self.side(1 - self.player) and ring[here] in (2, 3):
            captured.append(here)
            here -= 1
        return ring, captured

    def slam(self, ring, captured):
        return bool(captured) and sum(ring[place] for place in captured) == sum(
            ring[place] for place in self.side(1 - self.player)
        )

    def moves(self):
        if self.game.patience and self.quiet >= self.game.patience:
            return []
        found = []
        for pit, place in enumerate(self.side(self.player)):
            if self.ring[place]:
                ring, captured = self.sow(place)
                feeds = any(ring[other] for other in self.side(1 - self.player))
                if feeds and not (self.game.grand_slam == "forbidden" and self.slam(ring, captured)):
                    found.append(pit)
        return found

    def move(self, pit):
        """Whether it was a grand slam."""
        ring, captured = self.sow(self.side(self.player)[pit])
        slam = self.slam(ring, captured)
        captured = [] if slam and self.game.grand_slam == "nothing" else captured
        self.stores[self.player] += sum(ring[place] for place in captured)
        self.ring = [0 if place in captured else seeds for place, seeds in enumerate(ring)]
        self.quiet = 0 if captured or not self.game.patience else self.quiet + 1
        self.player = 1 - self.player
        return slam

    def state(self):
        mine, theirs = (tuple(self.ring[place] for place in self.side(self.player ^ other)) for other in (0, 1))
        return State(
            mine, theirs, self.stores[self.player], self.stores[1 - self.player], self.quiet, self.player
        )  # fmt: skip

    def margin(self):
        totals = [self.stores[player] + self.seeds(player) for player in (0, 1)]
        return totals[self.player] - totals[1 - self.player]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    dice, slams = random.Random(7), 0
    for _ in range(60):
        table, state = Table(game), game.initial()
        for _ in range(400):
            assert table.state() == state
            moves = table.moves()
            if not moves:
                assert payoff(game, state) == table.margin()
                break
            assert legal_actions(game, state) == moves
            move = dice.choice(moves)
            slams += table.move(move)
            state = game.play(state, move)
    if game.pits == 3:
        assert (slams > 0) == (game.grand_slam != "forbidden")


class Greedy(Awari):
    """Broken: a grand slam is never seen."""

    def slams(self, theirs, pit, seeds):
        return False


@pytest.mark.parametrize("slam", ["nothing", "forbidden"])
def test_the_referee_sees_a_broken_game(slam):
    with pytest.raises(AssertionError):
        test_play_is_that_of_the_referee(Greedy(3, 3, slam, 20))


def test_play_is_that_of_open_spiel():
    """Where a grand slam captures nothing, and a game ends once a player has more than half, or play repeats."""
    pyspiel = pytest.importorskip("pyspiel")
    dice, game, positions = random.Random(3), Awari(), 10_000
    while positions > 0:
        state, theirs = game.initial(), pyspiel.load_game("oware").new_initial_state()
        while not theirs.is_terminal():
            assert theirs.current_player() == state.player
            assert theirs.legal_actions() == legal_actions(game, state)
            move = dice.choice(theirs.legal_actions())
            theirs.apply_action(move)
            state, positions = game.play(state, move), positions - 1
        lead = game.stuck(state)  # each with the seeds on their own side, as open_spiel counts them then
        assert theirs.returns()[state.player] == (lead > 0) - (lead < 0)


# -- rules -------------------------------------------------------------------------------------------------------------


def test_twos_and_threes_are_captured_back_to_the_first_gap():
    game = Awari()
    state = game.parse_state("0 0 0 0 0 4 [0] 1 2 3 2 4 0 [32] first 7")
    after = game.play(state, 5)  # 2 3 4 3: the last is captured, the one before it is a gap
    assert after == State((2, 3, 4, 0, 4, 0), (0,) * 6, 32, 3, 0, 1)
    state = game.parse_state("0 0 0 0 0 3 [0] 1 2 1 2 4 0 [35] first 0")
    assert game.play(state, 5) == State((0, 0, 0, 2, 4, 0), (0,) * 6, 35, 7, 0, 1)


def test_twelve_seeds_leave_out_the_pit_they_come_from():
    game = Awari()
    state = game.parse_state("12 0 0 0 0 0 [0] 0 0 0 0 0 0 [36] first 0")
    assert game.play(state, 0) == State((1, 1, 1, 1, 1, 1), (0, 2, 1, 1, 1, 1), 36, 0, 1, 1)


@pytest.mark.parametrize(
    ("slam", "moves", "store"), [("nothing", [4, 5], 0), ("captures", [4, 5], 5), ("forbidden", [4], 0)]
)
def test_grand_slams(slam, moves, store):
    game = Awari(grand_slam=slam)
    state = game.parse_state("0 0 0 0 1 2 [0] 1 2 0 0 0 0 [42] first 0")
    assert legal_actions(game, state) == moves
    if 5 in moves:
        assert game.play(state, 5).their_store == store


def test_who_can_must_feed():
    game = Awari()
    state = game.parse_state("1 0 0 0 2 0 [20] 0 0 0 0 0 0 [25] first 0")
    assert legal_actions(game, state) == [4]
    ended = game.parse_state("1 0 0 0 1 0 [20] 0 0 0 0 0 0 [26] first 0")
    assert (legal_actions(game, ended), game.result(ended), payoff(game, ended)) == ([], ONGOING, 22 - 26)


def test_patience_ends_the_game():
    game = Awari(2, 1, patience=3)
    assert game.result(State((1, 0), (2, 1), 0, 0, 2, 0)) == ONGOING
    assert game.result(State((1, 0), (2, 1), 0, 0, 3, 0)) == 1 - 3
    assert (Awari(patience=0).loops, Awari().loops) == (True, False)


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [Slow(2, 2, patience=6), Slow(3, 2, "forbidden", 0), Slow(2, 3, "captures", 9)], ids=repr
)
def test_the_contract_holds(game):
    report = z.check(game, states=200, games=6)
    assert not report.notes


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_stages_and_texts(game):
    for state in random_states(game, 150):
        assert game.parse_state(game.state_text(state)) == state
        board = game.board(state)
        assert sum(board.first + board.second + board.stores) == game.all_seeds
        for move in legal_actions(game, state):
            rise = game.stage(game.play(state, move)) - game.stage(state)
            assert rise > 0 if game.patience else rise >= 0
            assert game.noisy(state, move) == (game.play(state, move).quiet == 0 and rise > 0)


def leaves(table, depth):
    """Perft as the referee counts it."""
    if depth == 0:
        return 1
    total = 0
    for move in table.moves():
        child = table.copy()
        child.move(move)
        total += leaves(child, depth - 1)
    return total


@pytest.mark.slow
def test_perft_is_that_of_the_referee():
    game = Awari()
    assert [z.perft(game, depth) for depth in range(6)] == [leaves(Table(game), depth) for depth in range(6)]


def test_a_board_has_pits_and_stores():
    game = Awari(2, 3)
    state = z.position(game, "B")
    assert game.board(state) == Pits((4, 0), (4, 4), (0, 0))
    assert [game.squares(state, pit) for pit in game.moves(state)] == [(3,), (4,)]
    assert [game.move_text(state, pit) for pit in game.moves(state)] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3 3 [0] 3 3 3 [0] first 0", r"one looks like '3 3 3 \[0\]"),
        ("3 3 3 [0] 3 3 3 [0] first 101", "one looks like"),
        ("3 3 4 [0] 3 3 3 [0] first 0", "not 18 seeds"),
    ],
)
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        Awari(3, 3).parse_state(text)


@pytest.mark.parametrize("sizes", [(0, 4), (6, 0), (21, 1), (True, 4), (6, 4, "all"), (6, 4, "nothing", -1)])
def test_parameters_that_make_no_game(sizes):
    with pytest.raises(GameError, match="must be"):
        Awari(*sizes)


# -- values ------------------------------------------------------------------------------------------------------------


def referee_value(table, memory):
    """The margin for the player to move, from the rules of the referee alone."""
    key = table.state()
    if key not in memory:
        moves = table.moves()
        margins = []
        for move in moves:
            child = table.copy()
            child.move(move)
            margins.append(-referee_value(child, memory))
        memory[key] = max(margins) if moves else table.margin()
    return memory[key]


SMALL = [Slow(1, 3, patience=8), Slow(2, 2, patience=8), Slow(2, 2, "captures", 8), Slow(3, 1, "forbidden", 8)]


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_values_of_small_boards(game):
    value = referee_value(Table(game), {})
    assert backward_induction(game).value.score == value
    assert z.search(game, exact=True).value.score == value
