"""Quarto: a referee that writes pieces out in words, symmetry by brute force, and values of small boards."""

import random
from copy import deepcopy
from itertools import permutations, product

import pytest

import zermelo as z
from random_games import random_states
from zermelo import DRAW, ONGOING, WIN, GameError
from zermelo.board import Together
from zermelo.games.quarto import Quarto, State
from zermelo.rules import legal_actions
from zermelo.textbook import backward_induction

GAMES = [Quarto(), Quarto(3, 3), Quarto(3, 2), Quarto(2, 2), Quarto(4, 3), Quarto(3, 4)]


class Slow(Quarto):
    """Quarto as Python runs it."""

    native = False


# -- the referee: a dictionary from (column, row) to what a piece is, in letters ---------------------------------------


class Table:
    def __init__(self, side, attributes):
        self.side = side
        self.left = {"".join(letters) for letters in product("aA", "bB", "cC", "dD")}
        self.left = {piece[:attributes] for piece in self.left}
        self.at, self.hand, self.player, self.won = {}, None, 0, False
        span = range(side)
        self.lines = [[(x, y) for x in span] for y in span] + [[(x, y) for y in span] for x in span]
        self.lines += [[(i, i) for i in span], [(i, side - 1 - i) for i in span]]

    def moves(self):
        full = len(self.at) == self.side**2
        if self.won or (self.hand is None and (full or not self.left)):
            return []
        if self.hand is None:
            return sorted(self.left)
        return [(x, y) for x in range(self.side) for y in range(self.side) if (x, y) not in self.at]

    def move(self, move):
        if self.hand is None:
            self.left.remove(move)
            self.hand, self.player = move, 1 - self.player
        else:
            self.at[move], self.hand = self.hand, None
            for line in self.lines:
                pieces = [set(self.at.get(place, "")) for place in line]
                self.won = self.won or bool(set.intersection(*pieces))


def number(piece):
    return sum(1 << i for i, letter in enumerate(piece) if letter.isupper())


def numbered(game, state, move):
    """A move as the game counts it."""
    return number(move) if state.hand == game.pieces else move[1] * game.side + move[0]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    dice, ends = random.Random(1), set()
    for _ in range(60):
        state, table = game.initial(), Table(game.side, game.attributes)
        while moves := table.moves():
            assert game.mover(state) == table.player
            assert legal_actions(game, state) == sorted(numbered(game, state, move) for move in moves)
            assert {number(piece) for piece in table.left} == {i for i in range(game.pieces) if state.left >> i & 1}
            move = dice.choice(moves)
            state, _ = game.play(state, numbered(game, state, move)), table.move(move)
        assert game.mover(state) == table.player
        assert game.result(state) == (WIN if table.won else DRAW)
        ends.add(table.won)
    assert (True in ends) == (game.pieces // 2 >= game.side)  # this many pieces share an attribute


class Square(Quarto):
    """Broken: diagonals do not count."""

    @property
    def lines(self):
        return super().lines[:-2]


def test_the_referee_sees_a_broken_game():
    with pytest.raises(AssertionError):
        test_play_is_that_of_the_referee(Square(3, 3))


# -- how pieces look ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_pieces_look_as_they_are(game):
    """By what one sees: filled, two signs, with corners, with something in the middle."""
    seen = {}
    for number, piece in enumerate(game.marks):
        sign = set(piece.glyph)
        looks = bool(sign & set("●■◉▣")), len(piece.glyph) == 2, bool(sign & set("□■⊡▣")), bool(sign & set("⊙◉⊡▣"))
        assert looks == tuple(bool(number >> i & 1) for i in range(4))
        words = [("light", "dark"), ("short", "tall"), ("round", "square"), ("solid", "hollow")][: game.attributes]
        assert piece.label == " ".join(word[look] for word, look in zip(words, looks, strict=False))
        seen[piece.glyph] = piece.label
    assert len(seen) == game.pieces


def test_the_piece_that_was_given_lies_among_the_others_until_it_is_placed():
    game = z.load("quarto")
    positions = [z.position(game, moves) for moves in ("", "2", "2 a1", "2 a1 F")]
    trays = [[tray.cells[0] for tray in game.board(state).parts[1:3]] for state in positions]
    assert trays == [["01234567", "89ABCDEF"]] * 2 + [["01.34567", "89ABCDEF"]] * 2
    small = z.load("quarto(2, 2)")
    assert small.board(z.position(small, "0 a1 1 b1")).parts[-1].values == ("none",)  # all is over


# -- symmetry ----------------------------------------------------------------------------------------------------------


def disguised(game, state, dice):
    """The same position with the board turned, attributes exchanged, and having exchanged for not having."""
    turn, order = dice.randrange(8), list(range(game.attributes))
    dice.shuffle(order)
    flip = dice.randrange(game.pieces)

    def piece(old):
        return sum((old >> order[i] & 1 ^ flip >> i & 1) << i for i in range(game.attributes))

    cells = {}
    for cell in range(game.side**2):
        if state.filled >> cell & 1:
            x, y = cell % game.side, cell // game.side
            x, y = (game.side - 1 - x if turn & 1 else x), (game.side - 1 - y if turn & 2 else y)
            cells[(y, x) if turn & 4 else (x, y)] = piece(game.piece_on(state, cell))
    having = tuple(
        sum(1 << y * game.side + x for (x, y), mark in cells.items() if mark >> i & 1) for i in range(game.attributes)
    )
    hand = state.hand if state.hand == game.pieces else piece(state.hand)
    filled = sum(1 << y * game.side + x for x, y in cells)
    return game.with_pieces_left(State(having, filled, hand, 0))


@pytest.mark.parametrize("game", [Quarto(), Quarto(3, 3), Quarto(2, 2)], ids=repr)
def test_disguises_have_one_representative(game):
    dice = random.Random(9)
    for state in random_states(game, 150):
        chosen = game.canonical(state)
        assert game.canonical(disguised(game, state, dice)) == game.canonical(chosen) == chosen
        assert (game.result(chosen), game.stage(chosen)) == (game.result(state), game.stage(state))


def test_representatives_are_as_few_as_can_be():
    """Of all states of a board of two by two with two attributes, as many as there are classes under every disguise."""
    game = Quarto(2, 2)
    states = list(backward_induction(Slow(2, 2)))
    classes = {min(every_disguise(game, state)) for state in states}
    assert len({game.canonical(state) for state in states}) == len(classes)


def every_disguise(game, state):
    for turn in range(8):
        for order in permutations(range(game.attributes)):
            for flip in range(game.pieces):
                yield disguised(game, state, Fixed(turn, order, flip))


class Fixed:
    """Dice that fall as they are told."""

    def __init__(self, turn, order, flip):
        self.faces, self.order = [turn, flip], order

    def randrange(self, _):
        return self.faces.pop(0)

    def shuffle(self, items):
        items[:] = self.order


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [Slow(2, 2), Slow(3, 2), Slow()], ids=repr)
def test_the_contract_holds(game):
    report = z.check(game, states=200, games=6)
    assert not report.notes
    assert report.solved > 10


def leaves(table, depth):
    """Perft as the referee counts it."""
    if depth == 0:
        return 1
    total = 0
    for move in table.moves():
        child = deepcopy(table)
        child.move(move)
        total += leaves(child, depth - 1)
    return total


def test_perft():
    game = Quarto(2, 2)
    assert [z.perft(game, depth) for depth in range(7)] == [leaves(Table(2, 2), depth) for depth in range(7)]
    assert [z.perft(Slow(), depth) for depth in range(4)] == [1, 16, 256, 3840]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_and_pictures(game):
    for state in random_states(game, 60):
        assert game.parse_state(game.state_text(state)) == state
        board = game.board(state)
        assert isinstance(board, Together)
        cells = "".join(row for part in board.parts[:-1] for row in part.cells)
        for move in legal_actions(game, state):
            (square,) = game.squares(state, move)
            assert (cells[square] == ".") == (state.hand != game.pieces)


def test_in_writing():
    game = Quarto()
    state = z.position(game, "5 a1 F b2 0")
    assert game.state_text(state) == "5.../.F../..../.... 0"
    assert game.mover(state) == 1
    given = game.board(state).parts[1:-1]
    assert [row.cells for row in given] == [("01234.67",), ("89ABCDE.",)]  # the given piece stays among the others
    assert "".join(name for row in given for name in row.columns) == "0123456789ABCDEF"
    assert game.board(state).parts[0].pieces[5].label == "dark short square solid"


def test_winning_pieces_are_not_given_away():
    game = Quarto(3, 3)
    state = game.parse_state("01./.../... -")  # neither has attribute 1 or 2: c1 is won by any that lacks one of them
    assert [piece for piece in range(2, 8) if game.winning(state, piece)] == [2, 3, 4, 5]
    assert list(game.candidates(state)) == [6, 7]
    placing = game.parse_state("01./.../... 2")
    assert [game.move_text(placing, move) for move in game.candidates(placing)] == ["c1"]
    assert game.result(game.play(placing, 2)) == WIN
    assert game.result(game.play(game.parse_state("01./.../... 7"), 2)) == ONGOING


@pytest.mark.parametrize("text", [".../.../...", "00./.../... -", "9../.../... -", "..././.... -", ".../.../... 8", ""])
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match=r"with no piece twice, such as '\.\.\./"):
        Quarto(3, 3).parse_state(text)


@pytest.mark.parametrize("sizes", [(1, 2), (5, 4), (4, 0), (4, 5), (True, 2)])
def test_sizes_that_make_no_game(sizes):
    with pytest.raises(GameError, match="must be a whole number"):
        Quarto(*sizes)


# -- values ------------------------------------------------------------------------------------------------------------


class Plain(Slow):
    """Without what the rules prove."""

    def bounds(self, state):
        return z.loss_in(0), z.win_in(0)

    def candidates(self, state):
        return self.moves(state)

    def canonical(self, state):
        return state


@pytest.mark.parametrize(("sizes", "value"), [((2, 2), "loss in 6"), ((2, 3), "loss in 6"), ((3, 2), "draw")])
def test_values_of_small_boards(sizes, value):
    assert str(backward_induction(Plain(*sizes)).value) == value
    assert str(z.search(Slow(*sizes), exact=True).value).startswith(value)


@pytest.mark.slow
def test_three_attributes_on_three_by_three():
    """The first player, who begins by giving a piece, loses; every value follows from those of its successors."""
    game = Quarto(3, 3)
    solution = z.solve(game)
    assert str(solution.value()) == str(z.search(game, exact=True).value) == "loss in 10"
    assert solution.counts() == {"win": 16913, "draw": 89, "loss": 4165}
    assert z.verify(solution).checked == len(solution) == 21167


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "value"), [((4, 3), "draw"), ((3, 4), "loss in 10")])
def test_values_of_other_boards(sizes, value):
    assert str(z.search(Quarto(*sizes), exact=True).value).startswith(value)
