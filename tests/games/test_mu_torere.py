"""Mu torere: published counts, a referee that knows the points by name, and the value of every position."""

import random
from collections import Counter
from itertools import combinations

import pytest

import zermelo as z
from zermelo import LOSS, GameError
from zermelo.games.mu_torere import MuTorere, State
from zermelo.rules import legal_actions, payoff
from zermelo.textbook import retrograde


class Slow(MuTorere):
    """Mu torere as Python runs it: so few positions are solved sooner than compiled."""

    native = False


# -- the referee: a board is a text of nine marks, the putahi last -----------------------------------------------------

EDGE = "12345678"
START = "XXXXOOOO."


def options(board, player, bound=True):
    """The moves as they are written, and the board after each."""
    marks = dict(zip(EDGE + "p", board, strict=True))
    mine, theirs = "XO"[player], "XO"[1 - player]
    free = next(name for name in marks if marks[name] == ".")
    found = {}
    for origin in (name for name in marks if marks[name] == mine):
        neighbours = around(origin)
        if free == "p":
            legal = not bound or theirs in [marks[name] for name in neighbours]
        else:
            legal = origin == "p" or free in neighbours
        if legal:
            found[f"{origin}-{free}"] = "".join({**marks, origin: ".", free: mine}.values())
    return found


def around(name):
    """The two neighbours on the edge."""
    place = EDGE.find(name)
    return () if place < 0 else (EDGE[place - 1], EDGE[(place + 1) % 8])


def images(board):
    """The board turned and mirrored."""
    rings = [board[i:8] + board[:i] for i in range(8)]
    return [ring + board[8] for ring in rings + [ring[::-1] for ring in rings]]


def exchanged(board):
    return board.translate(str.maketrans("XO", "OX"))


def boards():
    """Every way to put four X and four O on nine points."""
    for first in combinations(range(9), 4):
        for free in set(range(9)) - set(first):
            yield "".join("X" if i in first else "." if i == free else "O" for i in range(9))


def reached():
    """Every position that play leads to, as a board and who is to move."""
    seen, new = {(START, 0)}, [(START, 0)]
    while new:
        board, player = new.pop()
        for after in options(board, player).values():
            if (after, 1 - player) not in seen:
                seen.add((after, 1 - player))
                new.append((after, 1 - player))
    return seen


def plies_to_the_end(positions):
    """Positive for a win, negative or 0 for a loss, by looking at all positions again and again; the rest is drawn."""
    value, plies = {}, 0
    while True:
        found = {}
        for board, player in positions - value.keys():
            after = [value.get((child, 1 - player)) for child in options(board, player).values()]
            if any(each is not None and each <= 0 for each in after):
                found[board, player] = plies
            elif all(each is not None for each in after):
                found[board, player] = -plies
        if not found:
            return value
        value |= found
        plies += 1


def state_of(game, board, player):
    return game.parse_state(f"{board[:8]}/{board[8]} {'XO'[player]}")


# -- play --------------------------------------------------------------------------------------------------------------


def agree(game, games=120):
    """Random play of a game and the referee's."""
    dice, ends = random.Random(5), 0
    for _ in range(games):
        state, board, player, plies = game.initial(), START, 0, 0
        for _ in range(40):
            assert game.marks(state) == board
            assert game.mover(state) == player
            texts = options(board, player, bound=game.restricted == 0 or plies < 2 * game.restricted)
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert moves.keys() == texts.keys()
            if not moves:
                assert payoff(game, state) == LOSS
                ends += 1
                break
            text = dice.choice(sorted(moves))
            picture = game.board(state)
            assert [picture.names[square] for square in game.squares(state, moves[text])] == text.split("-")
            state, board, player, plies = game.play(state, moves[text]), texts[text], 1 - player, plies + 1
    assert ends


@pytest.mark.parametrize("restricted", [0, 1, 2, 5])
def test_play_is_that_of_the_referee(restricted):
    agree(MuTorere(restricted))


class Free(MuTorere):
    """Broken: a stone may go to the putahi from anywhere."""

    def movable(self, mine, theirs, plies):
        return super().movable(mine, theirs, 2 * self.restricted) if self.restricted else mine


def test_the_referee_sees_a_broken_game():
    for game in (Free(), Free(2)):
        with pytest.raises(AssertionError):
            agree(game)


# -- counts and values -------------------------------------------------------------------------------------------------


def test_there_are_46_positions():
    """Up to symmetry, with either player to move: 8 with a free putahi, 19 with a stone of either player there.

    With colours exchanged they are 26 (Jelliss, Mu Torere, Games and Puzzles Journal 17). Ascher's graph
    (Ethnomathematics, 1991) has 92: each with either player to move.
    """
    every = list(boards())
    different = {min(images(board)) for board in every}
    assert len(every) == 630
    assert Counter(board[8] for board in different) == {".": 8, "X": 19, "O": 19}
    assert len({min(images(board) + images(exchanged(board))) for board in every}) == 26
    game = MuTorere()
    assert game.size(0) == len(different) == 46
    numbers = {}
    for board in every:
        state = state_of(game, board, 0)
        assert game.at(0, game.index(state)) == game.canonical(state)
        numbers.setdefault(game.index(state), set()).add(min(images(board)))
    assert sorted(numbers) == list(range(46))
    assert all(len(same) == 1 for same in numbers.values())


def test_every_position_is_worth_what_the_referee_says():
    """Draw; 1180 positions are reached, 208 won, 128 lost and 844 drawn (GamesCrafters, Berkeley; in Wikipedia).

    Up to symmetry 86 are: 40 boards with either player to move, and 6 where one has lost (scientificgems, 2018).
    """
    positions, game = reached(), Slow()
    values, table = plies_to_the_end(positions), retrograde(game)
    assert str(table.value) == "draw by repetition"
    assert len(positions) == len(table) == 1180
    won = sum(plies > 0 for plies in values.values())
    assert (won, len(values) - won, len(positions) - len(values)) == (208, 128, 844)
    turns = Counter(min(images(board)) for board, player in {(min(images(board)), who) for board, who in positions})
    assert Counter(turns.values()) == {2: 40, 1: 6}
    for board, player in positions:
        value, plies = table[state_of(game, board, player)], values.get((board, player))
        assert value.plies == (None if plies is None else abs(plies))
        assert value.outcome == (0 if plies is None else 1 if plies > 0 else -1)
    assert (max(values.values()), min(values.values())) == (5, -4)


@pytest.mark.slow
def test_solved():
    """All 46 positions, of which 43 are reached, as the referee values them."""
    game, values = MuTorere(), plies_to_the_end({(board, player) for board in boards() for player in (0, 1)})
    solution = z.solve(game)
    assert str(solution.value()) == "draw by repetition"
    assert (len(solution), solution.positions) == (46, 630)
    assert len({game.index(state_of(game, *position)) for position in reached()}) == 43
    for board in boards():
        value, plies = solution.value(state_of(game, board, 0)), values.get((board, 0))
        assert value.plies == (None if plies is None else abs(plies))
        assert value.outcome == (0 if plies is None else 1 if plies > 0 else -1)
    assert z.solve(MuTorere(1)).value().outcome == -1


def test_a_rule_for_the_first_move_alone_loses():
    """The second player wins at once if only the first moves are restricted; with two it is a draw again."""
    assert [str(retrograde(Slow(moves)).value) for moves in (1, 2, 3)] == [
        "loss in 4", "draw by repetition", "draw by repetition",
    ]  # fmt: skip


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restricted", [0, 2])
def test_the_contract_holds(restricted):
    report = z.check(Slow(restricted), states=30, games=1, strict=True)
    assert report.states >= 30


def test_perft_and_symmetries():
    game = Slow()
    here = [(START, 0)]
    for depth in range(9):
        assert z.perft(game, depth) == len(here)
        here = [(after, 1 - player) for board, player in here for after in options(board, player).values()]
    state = z.position(game, "1-p 8-1")
    assert len(set(game.symmetries(state))) == 16
    assert {game.canonical(image) for image in game.symmetries(state)} == {game.canonical(state)}


def test_the_big_trap():
    """One position is won in five plies, and there the loser has no choice (scientificgems, 2018)."""
    game = Slow()
    table = retrograde(game)
    (trap,) = {game.canonical(state) for state in table if table[state].plies == 5}
    children = [game.play(trap, move) for move in game.moves(trap)]
    (lost,) = [child for child in children if table[child].outcome == LOSS]
    assert len(legal_actions(game, lost)) == 1


def test_texts():
    game, counted = Slow(), Slow(2)
    assert game.state_text(game.initial()) == "XXXXOOOO/. X"
    assert counted.state_text(counted.initial()) == "XXXXOOOO/. X 0"
    assert z.position(game, "4-p") == game.parse_state("xxx.oooo/x o") == State(0xF0, 0x107, 0, 1)
    assert z.position(counted, "4-p 5-4") == State(0x107, 0xE8, 2, 0)


@pytest.mark.parametrize(
    "text", ["XXXXOOOO/.", "XXXXOOOO. X", "XXXOOOOO/. X", "XXXXOOOO/. Z", "XXXXOOOO/. X 3", "XXXXOOO/. X", ""]
)
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match="such as 'XXXXOOOO"):
        MuTorere().parse_state(text)


@pytest.mark.parametrize("text", ["XXXXOOOO/. X", "XXXXOOOO/. X 5", "XXXXOOOO/. X x"])
def test_moves_that_are_counted_are_written(text):
    with pytest.raises(GameError, match=r"such as 'XXXXOOOO/\. X 0'"):
        MuTorere(2).parse_state(text)


def test_the_moves_so_far_say_who_is_to_move():
    game = Slow(2)
    for text in ("XXXXOOOO/. X 1", "XXXXOOOO/. O 0", "XXXXOOOO/. O 2"):
        with pytest.raises(GameError, match="cannot arise, since X moves first"):
            game.parse_state(text)
    for text in ("XXX.OOOO/X O 1", "XXXXOOOO/. X 4", "XXXXOOOO/. O 4"):
        assert game.state_text(game.parse_state(text)) == text
    for stage in range(5):
        state = game.at(stage, 7)
        assert game.parse_state(game.state_text(state)) == state


@pytest.mark.parametrize("restricted", [-1, 21, True, 1.5])
def test_parameters_that_make_no_game(restricted):
    with pytest.raises(GameError, match="restricted must be a whole number from 0 to 20"):
        MuTorere(restricted)
