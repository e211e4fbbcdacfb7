"""What is found of a game: its cells, its views, its symmetries and its tuples."""

import random
from typing import NamedTuple

import numpy as np
import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, Game, GameError
from zermelo.learning import cell_sources
from zermelo.learning.cell_fields import digit_table
from zermelo.learning.cell_sources import find_cells, state_words
from zermelo.learning.cell_symmetries import cell_symmetries, closure
from zermelo.learning.tuple_choice import choose_shape
from zermelo.networks.learned_game import with_network
from zermelo.networks.network import Network

FOUND = {
    "tic_tac_toe": (9, 3, 2, 8), "breakthrough": (64, 3, 1, 2), "othello": (64, 3, 1, 4), "connect_four": (42, 3, 2, 2),
    "checkers": (32, 5, 1, 1), "hex": (49, 3, 2, 2), "kalah": (14, 34, 1, 1), "dots_and_boxes": (33, 3, 1, 1),
}  # fmt: skip
"""Cells, the most digits, views, and symmetries of the board."""


@pytest.mark.parametrize("name", FOUND)
def test_cells_views_and_symmetries(name):
    game = z.load(name)
    sources = find_cells(game)
    cells, radix, views, symmetries = FOUND[name]
    assert len(sources.cells) == cells
    assert max(max(table) for table in sources.digits) + 1 == radix
    assert sources.views == views
    assert len(closure(cell_symmetries(game, sources))) == symmetries


def test_digits_tell_the_squares_of_the_board():
    """Two states of the first player have the same digits where their boards have the same pieces."""
    game = z.load("connect_four")
    sources = find_cells(game)
    mine = [state for state in sources.samples if game.mover(state) == 0]
    pairs = [random.Random(0).sample(mine, 2) for _ in range(50)]
    width = 7
    for one, two in pairs:
        rows = sources.read(state_words(game, [one, two]))
        boards = [game.board(state).cells for state in (one, two)]
        for cell, place in enumerate(sources.places):
            at = int(place[1]) * width + int(place[0])
            same = boards[0][at // width][at % width] == boards[1][at // width][at % width]
            assert (rows[0, cell] == rows[1, cell]) == same


def test_fields_are_read_whole(monkeypatch):
    """A few random games of backgammon never fill a point; its cells have all bits of both players' counts."""
    monkeypatch.setattr(cell_sources, "SAMPLED_GAMES", 8)
    sources = find_cells(z.load("backgammon"))
    assert sorted(len(cell.parts) for cell in sources.cells) == [1] * 4 + [2] * 24
    assert {(part.bits, part.shift % 4) for cell in sources.cells for part in cell.parts} == {(4, 0)}
    assert len({part for cell in sources.cells for part in cell.parts}) == 52


def test_the_total_of_a_turn_is_seen():
    """The board of Pig shows it as a part of a bar, which is no content of a square."""
    game = z.load("pig")
    seen = {part.word for cell in choose_shape(game).cells for part in cell.parts}
    assert seen >= {word for word, name in enumerate(game.initial()._fields) if name in ("mine", "theirs", "turn")}


def test_what_was_never_seen_is_like_what_was():
    """Of two fields, one of them 0: more checkers than were seen count as the most that were."""
    table = digit_table([0, 1, 2, 3, 16, 32], (4, 4))
    assert table[:16] == (0, 1, 2, *[3] * 13)
    assert [table[theirs << 4] for theirs in range(16)] == [0, 4, *[5] * 14]


def test_lookups_of_a_tuple_are_images_of_each_other():
    game = z.load("tic_tac_toe")
    shape = choose_shape(game)
    group = closure(cell_symmetries(game, find_cells(game)))
    first = {}
    for table, cells in shape.lookups:
        origin = first.setdefault(table, cells)
        assert cells in [tuple(permutation[cell] for cell in origin) for permutation in group]
    assert sum(shape.table_sizes) == shape.set_weights


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "breakthrough"])
def test_equivalent_states_have_the_same_evaluation(name):
    game = z.load(name)
    shape = choose_shape(game)
    weights = np.random.default_rng(0).integers(-999, 999, (shape.sets, shape.set_weights)).astype(np.int16)
    learned = with_network(game, Network(game, shape, weights))
    pairs = 0
    for state in find_cells(game).samples[::40]:
        for image in game.symmetries(state):
            assert learned.evaluate(image) == learned.evaluate(state)
            pairs += 1
    assert pairs > 10


class Heap(NamedTuple):
    left: int
    flags: int


class WithoutBoard(Game):
    """Take one to three, and mark something in a word; there is no board."""

    def initial(self):
        return Heap(12, 0)

    def moves(self, heap):
        yield from range(1, min(heap.left, 3) + 1)

    def play(self, heap, taken):
        return Heap(heap.left - taken, heap.flags ^ 1 << heap.left * 3)

    def result(self, heap):
        return LOSS if heap.left == 0 else ONGOING


def test_without_a_board_numbers_and_bits_are_cells():
    sources = find_cells(WithoutBoard())
    assert sources.cells[0].parts == ((0, 0, 4),)
    assert {cell.parts[0].word for cell in sources.cells[1:]} == {1}
    assert {cell.parts[0].shift for cell in sources.cells[1:]} == {3 * left for left in range(2, 13)}


def test_a_game_without_numbers_gets_a_sentence():
    class Words(Game):
        native = False

        def initial(self):
            return "III"

        def moves(self, heap):
            return (1, 2)[: len(heap)]

        def play(self, heap, taken):
            return heap[taken:]

        def result(self, heap):
            return LOSS if not heap else ONGOING

    with pytest.raises(
        GameError, match=r"a state of .*Words\(\) is 'III', a str; only whole numbers can be learned from"
    ):
        z.learn(Words(), games=1)
