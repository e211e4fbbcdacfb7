"""Dobutsu shogi: a referee that moves named animals on named squares, and positions whose end can be seen."""

import random
from copy import deepcopy

import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, WIN, GameError
from zermelo.games.dobutsu_shogi.dobutsu_board import CHICK
from zermelo.games.dobutsu_shogi.dobutsu_rules import DobutsuShogi, State
from zermelo.rules import legal_actions, payoff

GAME = DobutsuShogi()


class Slow(DobutsuShogi):
    """Dobutsu shogi as Python runs it."""

    native = False


# -- the referee: a dictionary from squares to (player, animal), always seen by the first player -----------------------

STEPS = {
    "chick": "N", "elephant": "NE SE SW NW", "giraffe": "N E S W", "hen": "N NE E S W NW", "lion": "N NE E SE S SW W NW"
}  # fmt: skip


class Table:
    def __init__(self):
        row = ["elephant", "lion", "giraffe"]
        self.at = {f"{column}4": (0, animal) for column, animal in zip("abc", row, strict=True)}
        self.at |= {f"{column}1": (1, animal) for column, animal in zip("cba", row, strict=True)}
        self.at |= {"b3": (0, "chick"), "b2": (1, "chick")}
        self.hands, self.player, self.won = [[], []], 0, None

    def reached(self, square):
        player, animal = self.at[square]
        up = -1 if player == 0 else 1
        for way in STEPS[animal].split():
            row = int(square[1]) + up * (("N" in way) - ("S" in way))
            column = ord(square[0]) + up * (("W" in way) - ("E" in way))
            to = f"{chr(column)}{row}"
            if to[0] in "abc" and 1 <= row <= 4 and self.at.get(to, (1 - player, ""))[0] != player:
                yield to

    def moves(self):
        """The moves as they are written."""
        if self.won is not None:
            return set()
        mine = [square for square, (player, _) in self.at.items() if player == self.player]
        found = {square + to for square in mine for to in self.reached(square)}
        free = [f"{column}{row}" for column in "abc" for row in range(1, 5) if f"{column}{row}" not in self.at]
        return found | {f"{animal[0].upper()}*{to}" for animal in self.hands[self.player] for to in free}

    def move(self, text):
        to = text[2:]
        if "*" in text:
            animal = next(animal for animal in self.hands[self.player] if animal[0].upper() == text[0])
            self.hands[self.player].remove(animal)
        else:
            _, animal = self.at.pop(text[:2])
            taken = self.at.get(to, (None, None))[1]
            if taken == "lion":
                self.won = self.player
            elif taken:
                self.hands[self.player].append("chick" if taken == "hen" else taken)
            if animal == "chick" and to[1] == "14"[self.player]:
                animal = "hen"
        self.at[to] = self.player, animal
        self.player = 1 - self.player
        if self.won is None:
            self.judge()

    def judge(self):
        """A lion on the other side has won if it stayed there, or cannot be taken."""
        lions = {player: square for square, (player, animal) in self.at.items() if animal == "lion"}
        home = {player: square[1] == "14"[player] for player, square in lions.items()}
        if home[self.player]:
            self.won = self.player
        elif home[1 - self.player]:
            mine = [square for square, (player, _) in self.at.items() if player == self.player]
            if not any(lions[1 - self.player] in self.reached(square) for square in mine):
                self.won = 1 - self.player

    def text(self):
        letters = {square: (animal[0].upper(), animal[0])[player] for square, (player, animal) in self.at.items()}
        rows = ["".join(letters.get(f"{column}{row}", ".") for column in "abc") for row in range(1, 5)]
        hands = "".join(sorted(animal[0].upper() for animal in self.hands[0]))
        hands += "".join(sorted(animal[0] for animal in self.hands[1]))
        return f"{'/'.join(rows)} {'bw'[self.player]} {hands or '-'}"


def agree(game):
    """Random play of a game and the referee's."""
    dice, ends, drops, hens = random.Random(1), [], 0, 0
    for _ in range(120):
        table, state = Table(), game.initial()
        for _ in range(200):
            assert game.state_text(state) == table.text()
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert set(moves) == table.moves()
            if not moves:
                assert payoff(game, state) == (WIN if table.won == table.player else LOSS)
                ends.append(table.won)
                break
            text = dice.choice(sorted(moves))
            drops += "*" in text
            table.move(text)
            state = game.play(state, moves[text])
            hens += "H" in table.text().upper().split()[0]
    assert len(ends) > 100
    assert drops > 100
    assert hens > 50


def test_play_is_that_of_the_referee():
    agree(GAME)


class Young(DobutsuShogi):
    """Broken: chicks stay chicks."""

    def play(self, state, move):
        chick = state.board >> 4 * (move & 15) & 15 == CHICK
        child = super().play(state, move)
        return child._replace(board=child.board & ~(4 << 4 * (11 - (move >> 4)))) if chick else child


def test_the_referee_sees_a_broken_game():
    with pytest.raises(AssertionError):
        agree(Young())


def leaves(table, depth):
    """Perft as the referee counts it."""
    if depth == 0:
        return 1
    total = 0
    for text in table.moves():
        child = deepcopy(table)
        child.move(text)
        total += leaves(child, depth - 1)
    return total


def test_perft_is_that_of_the_referee():
    assert [z.perft(GAME, depth) for depth in range(5)] == [leaves(Table(), depth) for depth in range(5)]
    assert z.perft(Slow(), 3) == leaves(Table(), 3)


# -- ends --------------------------------------------------------------------------------------------------------------


def test_a_lion_on_the_last_row_wins_unless_it_is_taken():
    arrived = GAME.parse_state("L../.../..l/... w -")
    assert GAME.result(arrived) == LOSS
    attacked = GAME.parse_state("Lg./.../..l/... w -")
    assert GAME.result(attacked) == ONGOING
    assert [GAME.move_text(attacked, move) for move in GAME.candidates(attacked)] == ["b1a1"]
    assert GAME.result(z.position(GAME, "Lg./.../..l/... w -")) == ONGOING
    moves = {GAME.move_text(attacked, move): move for move in GAME.moves(attacked)}
    assert GAME.result(GAME.play(attacked, moves["b1a1"])) == LOSS
    assert GAME.result(GAME.play(attacked, moves["c3c4"])) == WIN  # it was left there


def test_only_a_chick_that_moves_becomes_a_hen():
    state = GAME.parse_state("..l/C../.../L.. b C")
    texts = {GAME.move_text(state, move): GAME.play(state, move) for move in GAME.moves(state)}
    assert GAME.state_text(texts["a2a1"]) == "H.l/.../.../L.. w C"
    assert GAME.state_text(texts["C*b1"]) == ".Cl/C../.../L.. w -"


def test_a_hen_is_taken_as_a_chick():
    state = GAME.parse_state("Hl./.../.../L.. w -")
    child = GAME.play(state, GAME.parse_move(state, "b1a1"))
    assert GAME.state_text(child) == "l../.../.../L.. b c"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("l../..L/.../... b -", "win in 1"),
        ("l../.C./L../... b G", "win in 3"),
        ("l../C../.../..L b G", "win in 1"),
    ],
)
def test_values_of_a_few_positions(text, value):
    found = z.search(Slow(), GAME.parse_state(text), z.Limit(depth=4))
    assert str(found.value) == value


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    report = z.check(Slow(), states=200, games=6)
    assert not report.notes


def random_states(count, seed=4):
    dice, state = random.Random(seed), GAME.initial()
    for ply in range(count):
        yield state
        moves = legal_actions(GAME, state)
        state = GAME.play(state, dice.choice(moves)) if moves and ply % 90 < 89 else GAME.initial()


def test_texts_pictures_and_images():
    for state in random_states(300):
        assert GAME.parse_state(GAME.state_text(state)) == state
        (image,) = GAME.symmetries(state)
        assert list(GAME.symmetries(image)) == [state]
        assert [row[::-1] for row in GAME.board(state).parts[1].cells] == list(GAME.board(image).parts[1].cells)
        before = "".join("".join(part.cells) for part in GAME.board(state).parts)
        for move in legal_actions(GAME, state):
            from_square, to = GAME.squares(state, move)
            assert before[from_square].isupper() == (state.player == 0)
            after = "".join("".join(part.cells) for part in GAME.board(GAME.play(state, move)).parts)
            assert (after[from_square], after[to].upper().replace("H", "C")) == (
                ".",
                before[from_square].upper().replace("H", "C"),
            )


def test_the_start():
    assert GAME.state_text(GAME.initial()) == "gle/.c./.C./ELG b -"
    assert sorted(z.divide(Slow(), 1)) == ["b3b2", "b4a3", "b4c3", "c4c3"]
    assert GAME.play(GAME.initial(), 7 | 4 << 4).their_hand == 1
    assert GAME.evaluate(GAME.initial()) == 0
    assert GAME.canonical(State(GAME.initial().board, 0, 0, 1)).player == 0


UNREADABLE = (
    "gle/.c./.C./ELG b", "gle/.c./.C./ELG x -", "gle/.c./.C./ELG b CC", "gle/ccc/.C./ELG b -", "g.e/.../.../E.G b -",
    "..L/.../.../... b -", "..l/.../.../... w -",
)  # fmt: skip


@pytest.mark.parametrize("text", UNREADABLE)
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match="at most two of each animal, such as 'gle/"):
        GAME.parse_state(text)
