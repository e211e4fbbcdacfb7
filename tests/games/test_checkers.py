"""Checkers: published counts, and a referee that walks over the squares of a chessboard."""

import random

import pytest

import zermelo as z
from equal_time import points_of_engine
from zermelo import LOSS, ONGOING, GameError
from zermelo.games.checkers.checkers_rules import Checkers, State
from zermelo.rules import legal_actions, payoff
from zermelo.textbook import retrograde


class Slow(Checkers):
    """Checkers as Python runs it."""

    native = False


KINGS = "W:W9,14,K23,K31:B2,K7,18,K22"


def random_states(game, count, seed=1, plies=120):
    """States met in random play from the start; a long game is given up."""
    dice = random.Random(seed)
    state, left = game.initial(), plies
    for _ in range(count):
        yield state
        moves = legal_actions(game, state) if left else []
        state, left = (game.play(state, dice.choice(moves)), left - 1) if moves else (game.initial(), plies)


# -- the referee: pieces by column and row of a chessboard, as letters ------------------------------------------------


NUMBERS = {}
for row in range(8):
    for column in range(8):
        if (row + column) % 2:
            NUMBERS[column, row] = len(NUMBERS) + 1
"""The squares from the top left, as the notation counts them."""


class Table:
    """b and w are men, B and W kings; Black goes down."""

    def __init__(self, pieces, player):
        self.pieces, self.player = pieces, player

    @classmethod
    def read(cls, text):
        player, *sides = text.split(":")
        squares = {number: place for place, number in NUMBERS.items()}
        pieces = {}
        for side in sides:
            for part in side[1:].split(",") if side[1:] else ():
                letter = side[0] if part[0] == "K" else side[0].lower()
                pieces[squares[int(part.lstrip("K"))]] = letter
        return cls(pieces, player.lower())

    def text(self):
        sides = {"W": [], "B": []}
        for place, number in NUMBERS.items():
            if piece := self.pieces.get(place):
                sides[piece.upper()].append(f"K{number}" if piece.isupper() else str(number))
        return f"{self.player.upper()}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"

    def ways(self, piece):
        rows = (1, -1) if piece.isupper() else (1,) if piece == "b" else (-1,)
        return [(column, row) for row in rows for column in (-1, 1)]

    def jumps(self, piece, path, taken):
        """Every capture that goes on from the end of the path, complete."""
        x, y = path[-1]
        found = []
        for dx, dy in self.ways(piece):
            over, to = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            theirs = self.pieces.get(over, self.player).lower() != self.player
            free = to in NUMBERS and (to not in self.pieces or to == path[0])
            if theirs and free and over not in taken:
                found += self.jumps(piece, [*path, to], [*taken, over])
        return found or ([(path, taken)] if taken else [])

    def moves(self):
        """Each move as it is written, with the table after it."""
        own = {place: piece for place, piece in self.pieces.items() if piece.lower() == self.player}
        found = [jump for place, piece in own.items() for jump in self.jumps(piece, [place], [])]
        if not found:
            for (x, y), piece in own.items():
                steps = [(x + dx, y + dy) for dx, dy in self.ways(piece)]
                found += [([(x, y), to], []) for to in steps if to in NUMBERS and to not in self.pieces]
        return {("x" if taken else "-").join(str(NUMBERS[place]) for place in path): self.after(path, taken)
                for path, taken in found}  # fmt: skip

    def after(self, path, taken):
        pieces = {place: piece for place, piece in self.pieces.items() if place not in (*taken, path[0])}
        piece = self.pieces[path[0]]
        pieces[path[-1]] = piece.upper() if path[-1][1] == (7 if piece.lower() == "b" else 0) else piece
        return Table(pieces, "w" if self.player == "b" else "b")


def thrown(count, seed=2):
    """Positions with a few pieces thrown on the board, many of them kings: where long captures are."""
    dice = random.Random(seed)
    for _ in range(count):
        places = dice.sample(sorted(NUMBERS), dice.randint(3, 12))
        pieces = {place: dice.choice("bwBWW" if place[1] in range(1, 7) else "BW") for place in places}
        yield Table(pieces, dice.choice("bw"))


def compare(game, table):
    """The moves here and the states they lead to; how many pieces the longest capture takes."""
    state = game.parse_state(table.text())
    assert game.state_text(state) == table.text()
    moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
    expected = table.moves()
    assert sorted(moves) == sorted(expected)
    assert len(moves) == len(legal_actions(game, state))
    for text, after in expected.items():
        assert game.state_text(game.play(state, moves[text])) == after.text()
    return max((text.count("x") for text in moves), default=0)


def test_play_is_that_of_the_referee():
    game = Checkers()
    for state in random_states(game, 2500):
        compare(game, Table.read(game.state_text(state)))


def test_captures_are_those_of_the_referee():
    game = Checkers()
    assert max(compare(game, table) for table in thrown(2500)) >= 4


class OneJump(Slow):
    """A capture that stops after one jump: a mistake that the referee must see."""

    def moves(self, state):
        for move in super().moves(state):
            yield move if move < 1 << 9 else move >> 6 >> 2 * (move.bit_length() - 9 >> 1) << 6 | move & 63


def test_the_referee_sees_a_mistake():
    with pytest.raises(AssertionError):
        max(compare(OneJump(), table) for table in thrown(200))


# -- the contract and the numbers --------------------------------------------------------------------------------------

LEAVES = (1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564)
"""Move sequences from the start, as many programs have them."""


def test_published_counts():
    assert tuple(z.perft(Checkers(), depth) for depth in range(9)) == LEAVES[:9]


@pytest.mark.slow
def test_published_counts_further_on():
    assert tuple(z.perft(Checkers(), depth) for depth in (9, 10)) == LEAVES[9:]


@pytest.mark.parametrize("game", [Checkers(), pytest.param(Checkers(KINGS), marks=pytest.mark.slow)], ids=repr)
def test_the_contract_holds(game):
    report = z.check(game, states=300, games=4, strict=True)
    assert report.native, report.native_error


def test_stages_rise_unless_a_king_steps():
    game = Checkers()
    for state in random_states(game, 600):
        for move in legal_actions(game, state):
            after = game.play(state, move)
            step = state.kings >> (move & 31) & 1 and "-" in game.move_text(state, move)
            assert game.stage(after) == game.stage(state) if step else game.stage(after) > game.stage(state)


def test_pictures():
    game = Checkers()
    for state in random_states(game, 400):
        before = "".join(game.board(state).cells)
        for move in legal_actions(game, state):
            after = "".join(game.board(game.play(state, move)).cells)
            from_square, goal, *others = game.squares(state, move)
            between = game.move_text(state, move).count("x") - 1
            changed = [i for i in range(64) if before[i] != after[i]]
            assert sorted({from_square, goal, *others[max(between, 0) :]}) == sorted({*changed, from_square})
            assert "." not in (before[from_square], after[goal])


def test_either_player_sees_the_board_alike():
    game = Checkers()
    for state in random_states(game, 100):
        other = state._replace(player=1 - state.player)
        assert legal_actions(game, other) == legal_actions(game, state)
        assert game.canonical(other) == game.canonical(state)
        assert game.evaluate(other) == game.evaluate(state)
    assert game.evaluate(game.initial()) == 0
    ahead = game.parse_state("B:W32:B10,K15")
    assert game.evaluate(ahead) > 140
    assert game.evaluate(game.parse_state("W:W32:B10,K15")) < -140


# -- rules one by one --------------------------------------------------------------------------------------------------


def texts(text):
    game = Checkers()
    return sorted(z.divide(game, 1, game.parse_state(text), interpreted=True))


def test_captures_are_forced_and_go_on():
    assert texts("B:W18,19,27:B15,1") == ["15x22", "15x24x31"]
    assert texts("B:W18,26:B15,1") == ["15x22x31"]


def test_a_new_king_stops():
    assert texts("B:W26,27:B22") == ["22x31"]
    game = Checkers()
    after = game.play(game.parse_state("B:W26,27:B22"), game.parse_move(game.parse_state("B:W26,27:B22"), "22x31"))
    assert game.state_text(after) == "W:W27:BK31"


def test_a_king_may_take_in_a_circle_either_way():
    assert texts("W:WK22:B17,18,9,10") == ["22x13x6x15x22", "22x15x6x13x22"]


def test_a_short_text_will_do_where_it_names_one_move():
    game = Checkers()
    state = game.parse_state("B:W18,26:B15,1")
    assert game.parse_move(state, "15x31") == game.parse_move(state, "15x22x31")
    circle = game.parse_state("W:WK22:B17,18,9,10")
    with pytest.raises(GameError, match="'22x22' is not a legal move"):
        game.parse_move(circle, "22x22")


def test_who_cannot_move_loses():
    game = Checkers()
    for text in ("B:W32:B", "B:W9,14:B5"):
        state = game.parse_state(text)
        assert (legal_actions(game, state), game.result(state), payoff(game, state)) == ([], ONGOING, LOSS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("B:W1-12", "one looks like 'B:W21-32:B1-12'"),
        ("B:W21-32:Bx", "one looks like"),
        ("R:W21-32:B1-12", "one looks like"),
        ("B:W32-21:B1-12", "one looks like"),
        ("B:W21,21:B1-12", "one looks like"),
        ("B:W21-33:B1-12", "from 1 to 32"),
        ("B:W12:B1-12", "a square of its own"),
        ("B:W20-32:B1-12", "more than 12 pieces"),
        ("B:W4:B1", "a man on the last row"),
    ],
)
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        Checkers().parse_state(text)
    with pytest.raises(GameError, match=words):
        Checkers(text)


def test_positions_are_read_as_they_are_written_elsewhere():
    game = Checkers()
    assert game.parse_state("b : b1-12 : w21-32 .") == game.initial()
    assert game.initial() == State(0xFFF, 0xFFF00000, 0, 0)


# -- values ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_kings_against_one():
    """The solver and the textbook agree on every position that can be reached; two kings win from the open board."""
    game = Checkers("B:WK32:BK1,K2")
    solution = z.solve(game)
    table = retrograde(Slow(game.setup), symmetric=True)
    assert len(solution) == len(table)
    assert all(str(solution.value(state)) == str(table[state]) for state in table)
    assert solution.value().outcome == 1


@pytest.mark.slow
def test_the_engine_beats_minimax_at_equal_time():
    z.warm_up(Checkers())
    assert points_of_engine(Checkers(), Slow(), depth=4, games=4) > 4 / 2
