"""2048 on small boards: a referee on lists of lists, a published winning chance, and values by the definition."""

import functools
import random

import pytest

import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, WIN, GameError
from zermelo.games.twenty48 import Drop48, State, Twenty48
from zermelo.rules import legal_actions, payoff

GAMES = [Twenty48(), Twenty48(3, 2, 64), Twenty48(3, 3, 128), Drop48(2, 3, 32), Twenty48(1, 4, 16)]
NAMES = ("up", "down", "left", "right")


# -- the referee: rows of numbers --------------------------------------------------------------------------------------


def pushed(row):
    """A row pushed to the left."""
    tiles = [tile for tile in row if tile]
    merged = []
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile += tiles.pop(0)
        merged.append(tile)
    return merged + [0] * (len(row) - len(merged))


def turned(rows):
    return [list(row) for row in zip(*rows, strict=True)]


def slide(rows, name):
    if name in ("up", "down"):
        return turned(slide(turned(rows), {"up": "left", "down": "right"}[name]))
    if name == "right":
        return [pushed(row[::-1])[::-1] for row in rows]
    return [pushed(row) for row in rows]


def slides(rows):
    return [name for name in NAMES if slide(rows, name) != rows]


def rows_of(game, state):
    tiles = [state.tiles >> 4 * cell & 15 for cell in range(game.cells)]
    numbers = [1 << tile if tile else 0 for tile in tiles]
    return [numbers[row * game.width : (row + 1) * game.width] for row in range(game.height)]


def agrees(game, seed):
    dice = random.Random(seed)
    rows, state = [[0] * game.width for _ in range(game.height)], game.initial()
    coming = 2
    while True:
        if rows_of(game, state) != rows:
            return False
        if max(map(max, rows)) >= game.target:
            return game.result(state) == (WIN if game.mover(state) == 0 else LOSS)
        if game.result(state) != ONGOING:
            return False
        texts = {game.move_text(state, move): move for move in legal_actions(game, state)}
        if coming:
            wanted = [
                f"{'abc'[x]}{game.height - y}:{new}"
                for y, row in enumerate(rows) for x, tile in enumerate(row) if not tile for new in (2, 4)
            ]  # fmt: skip
        else:
            wanted = slides(rows)
        if list(texts) != wanted:
            return False
        if not wanted:
            return payoff(game, state) == LOSS
        text = dice.choice(wanted)
        if coming:
            rows[game.height - int(text[1])]["abc".index(text[0])] = int(text[3])
            coming -= 1
        else:
            rows, coming = slide(rows, text), 1
        state = game.play(state, texts[text])


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    assert all(agrees(game, seed) for seed in range(40))


class Twice(Twenty48):
    """A twin in which a tile that was merged merges again."""

    def slid(self, tiles, direction):
        once = super().slid(tiles, direction)
        return super().slid(once, direction)


class Stands(Twenty48):
    """A twin in which a slide that changes nothing is a move."""

    def moves(self, state):
        return super().moves(state) if state.coming else range(4)


@pytest.mark.parametrize("twin", [Twice(3, 3, 128), Stands()], ids=repr)
def test_the_referee_notices_a_broken_twin(twin):
    assert not all(agrees(twin, seed) for seed in range(40))


def test_tiles_merge_once_and_from_the_edge():
    game = Twenty48(4, 1, 32768)
    for text, left, right in (("2 2 2 2", "4 4 . .", ". . 4 4"), ("2 2 2 .", "4 2 . .", ". . 2 4")):
        state = game.parse_state(f"{text} | 0")
        assert game.state_text(game.play(state, 2)) == f"{left} | 1"
        assert game.state_text(game.play(state, 3)) == f"{right} | 1"
    assert game.state_text(game.play(game.parse_state("4 2 2 . | 0"), 2)) == "4 4 . . | 1"


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [Twenty48(), pytest.param(Drop48(), marks=pytest.mark.slow)], ids=repr)
def test_the_contract_holds(game):
    assert z.check(game, states=300, games=10, strict=True).native


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_are_read_back_and_stages_rise(game):
    for state in random_states(game, 150):
        assert game.parse_state(game.state_text(state)) == state
        for move in legal_actions(game, state):
            assert game.stage(game.play(state, move)) > game.stage(state)


def test_new_tiles_have_their_odds():
    game = Twenty48()
    odds = dict(game.chances(State(0x1, 1)))
    assert odds == pytest.approx({2: 0.3, 3: 0.1 / 3, 4: 0.3, 5: 0.1 / 3, 6: 0.3, 7: 0.1 / 3})


@pytest.mark.parametrize("text", ["2 2 / 2 2", "2 3 / . . | 0", "2 2 2 / . . | 0", "2 2 / . . | 3"])
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match="does not describe a state"):
        Twenty48().parse_state(text)


def test_a_tile_to_come_needs_room():
    assert Twenty48().parse_state("2 4 / 4 . | 1") == State(0x221, 1)
    with pytest.raises(GameError, match="no room"):
        Twenty48().parse_state("2 4 / 4 2 | 1")


@pytest.mark.parametrize("sizes", [(0, 2), (1, 1), (4, 5), (2, 2, 4), (2, 2, 48), (True, 3)])
def test_sizes_that_make_no_game(sizes):
    with pytest.raises(GameError, match="must"):
        Twenty48(*sizes)


# -- values ------------------------------------------------------------------------------------------------------------


def winning_chance(width, height, target):
    """The best chance to reach the target, by the definition and the referee alone."""

    @functools.cache
    def fall(board, tiles):
        """So many tiles are about to fall."""
        empty = [(y, x) for y, row in enumerate(board) for x, tile in enumerate(row) if not tile]
        total = 0.0
        for y, x in empty:
            for new, odds in ((2, 0.9), (4, 0.1)):
                rows = [list(row) for row in board]
                rows[y][x] = new
                there = tuple(map(tuple, rows))
                total += odds / len(empty) * (fall(there, tiles - 1) if tiles > 1 else best(there))
        return total

    @functools.cache
    def best(board):
        if max(map(max, board)) >= target:
            return 1.0
        rows = [list(row) for row in board]
        ends = [tuple(map(tuple, slide(rows, name))) for name in slides(rows)]
        return max((1.0 if max(map(max, end)) >= target else fall(end, 1) for end in ends), default=0.0)

    return fall(((0,) * width,) * height, 2)


@pytest.mark.parametrize(("sizes", "published"), [((2, 2, 16), None), ((2, 2, 32), 0.08), ((3, 2, 16), None)])
def test_winning_chances(sizes, published):
    """To 32 on 2x2 cells best play wins about 8 games in 100 (Lees-Miller, The mathematics of 2048, jdlm.info 2018)."""
    game = Twenty48(*sizes)
    found = (1 + z.textbook.backward_induction(game).value.score) / 2
    assert found == pytest.approx(winning_chance(*sizes))
    if published:
        assert found == pytest.approx(published, abs=0.005)


@functools.cache
def sure(game, state):
    """What the first player gets whatever falls, by the definition."""
    result = game.result(state)
    if result != ONGOING:
        return result if game.mover(state) == 0 else -result
    values = (sure(game, game.play(state, move)) for move in game.moves(state))
    return max(values, default=LOSS) if game.mover(state) == 0 else min(values)


@pytest.mark.parametrize(("target", "wins"), [(8, True), (16, False), (32, False)])
def test_what_the_first_player_can_be_sure_of(target, wins):
    game = Drop48(2, 2, target)
    assert sure(game, game.initial()) == (WIN if wins else LOSS)
    assert z.textbook.backward_induction(game).value.for_player(0).outcome == (WIN if wins else LOSS)


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "wins"), [((3, 2, 16), True), ((3, 2, 32), False), ((3, 3, 32), True)])
def test_what_the_first_player_can_be_sure_of_on_larger_boards(sizes, wins):
    assert z.search(Drop48(*sizes), exact=True).value.for_player(0).outcome == (WIN if wins else LOSS)


@pytest.mark.slow
def test_values_by_the_solver():
    for sizes in ((2, 2, 32), (3, 2, 64)):
        assert (1 + z.solve(Twenty48(*sizes)).value().score) / 2 == pytest.approx(winning_chance(*sizes))


def test_a_slide_goes_from_one_edge_to_the_other():
    game = Twenty48(3, 3, 64)
    assert [game.squares(State(0x21, 0), move) for move in range(4)] == [(7, 1), (1, 7), (5, 3), (3, 5)]
    assert game.squares(State(0, 2), 9) == (4,)
