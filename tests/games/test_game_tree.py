"""GameTree and RandomTree: reading, writing, refusing, and running the same compiled and interpreted."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from random_games import tree
from zermelo.games.game_tree import tree_text
from zermelo.native import kernel

LECTURE = "A(B(C(2, 3), D(5, 7)), E(F(0, 1), G(4, 6)))"


def test_nested_lists_names_and_text_are_the_same_tree():
    lists = ["A", ["B", ["C", 2, 3], ["D", 5, 7]], ["E", ["F", 0, 1], ["G", 4, 6]]]
    assert z.GameTree(lists) == z.GameTree(LECTURE) == z.GameTree(LECTURE.replace(" ", ""))
    assert z.GameTree(json.loads(json.dumps(lists))).tree == LECTURE
    assert hash(z.GameTree(lists)) == hash(z.GameTree(LECTURE))
    assert z.GameTree() == z.GameTree(LECTURE)


def test_the_tree_can_be_loaded_again():
    for game in (z.GameTree([[3, 12], [8, 2]]), z.GameTree("R[1/2: 3, 1/2: S(1, -2)]")):
        assert eval(repr(game), {"GameTree": z.GameTree}) == game
        assert z.load(z.games.registry.name_of(game)) == game


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_writing_and_parsing_are_inverse(seed, chance):
    branch = tree_text.read(tree(seed, chance))
    assert tree_text.parse(tree_text.write(branch)) == branch


def test_nodes_without_a_name_are_called_by_their_path():
    assert z.GameTree([[3, 12], [8, 2]]).names == ("root", "1", "2", "1.1", "1.2", "2.1", "2.2")
    assert z.GameTree("A(B(1, 2), (3, 4))").names == ("A", "B", "A.2", "B.1", "B.2", "A.2.1", "A.2.2")


def test_moves_and_states_have_texts():
    game = z.GameTree("A(B(1, 2), (3, 4))")
    assert [game.move_text(game.initial(), move) for move in game.moves(game.initial())] == ["B", "2"]
    assert game.parse_move(game.initial(), "2") == 1
    for node in range(len(game.nodes)):
        state = type(game.initial())(node)
        assert game.parse_state(game.state_text(state)) == state
    with pytest.raises(z.GameError, match="there is no node called 'X'"):
        game.parse_state("X")


def test_chance_does_not_take_a_turn():
    game = z.GameTree("A(R[1/2: B(1, 2), 1/2: 3], C(4, 5))")
    movers = {game.state_text(state): game.mover(state) for state in map(type(game.initial()), range(len(game.nodes)))}
    assert movers == {"A": 0, "R": 1, "C": 1, "B": 1, "R.2": 1, "C.1": 0, "C.2": 0, "B.1": 0, "B.2": 0}
    assert list(game.chances(game.parse_state("R"))) == [(0, 0.5), (1, 0.5)]
    assert game.result(game.parse_state("R.2")) == -3
    assert game.payoff_bounds == (1, 5)


def test_a_tree_without_chance_has_no_chance_rules():
    assert not z.GameTree([1, 2]).has("is_chance")
    assert z.GameTree("R[1: 2]").has("chances")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([], r"the node \[\] is empty"),
        (["A"], "the node A is empty"),
        ([[1, 2], []], "is empty"),
        ([1, 2.5], r"2\.5 is not a payoff; payoffs are whole numbers"),
        ([1, True], "True is not a payoff"),
        ([1, None], "None is not a payoff"),
        ([1, 10**7], "10000000 is not a payoff"),
        ([1, float("nan")], "nan is not a payoff"),
        ([1, float("inf")], "inf is not a payoff"),
        (["1A", 1, 2], "'1A' is not a name"),
        (["A", ["A", 1], 2], "two nodes are called A"),
        ({"chance": [[0.5, 1], [0.4, 2]]}, r"the probabilities 0\.5, 0\.4 of a chance node sum to 0\.9, not to 1"),
        ({"name": "R", "chance": [["1/3", 1], ["1/3", 2]]}, "of the node R sum to 0.666667, not to 1"),
        ({"chance": [[1.5, 1], [-0.5, 2]]}, r"1\.5 is not a probability"),
        ({"chance": [[-0.5, 1], [1, 2]]}, r"-0\.5 is not a probability"),
        ({"chance": [["x", 1]]}, "x is not a probability"),
        ({"chance": [["1/0", 1]]}, "1/0 is not a probability"),
        ({"chance": []}, "must be pairs of a probability and a subtree"),
        ({"chance": [1, 2]}, "must be pairs of a probability and a subtree"),
        ({"luck": 1}, "is no chance node"),
        ("", "has the end at character 1, where a payoff, a name or a bracket should be"),
        ("A", r"where '\(' or '\[' after A should be"),
        ("A(1, 2", r"has the end at character 7, where '\)' should be"),
        ("A(1, 2))", "at character 8, where the end should be"),
        ("A(1,, 2)", "', 2\\)' at character 5"),
        ("A()", "at character 3, where a payoff, a name or a bracket should be"),
        ("R[3, 4]", "where ':' should be"),
        ("R[a: 4]", "where a probability such as 1/6 should be"),
        ("R[1/2: 1, 1/3: 2]", "of the node R sum to 0.833333, not to 1"),
        ("A(1/2, 3)", "1/2 is not a payoff"),
        ("A(1000000, 3)", "GameTree: 1000000 is not a payoff"),
        ("A(1e400, 3)", "GameTree: 1e400 is not a payoff"),
        ("A(1/0, 3)", "1/0 is not a payoff"),
        ("A(" * 5000 + "1" + ")" * 5000, "nested too deeply"),
        ("R[1e999999: 1]", "where ':' should be"),
        ("R[1e400: 1, 1/2: 2]", "1e400 is not a probability; write 1/6 or 0.5, above zero and at most 1"),
        ("R[1e-400: 1, 1: 2]", "1e-400 is not a probability"),
        ("R[3/2: 1]", "3/2 is not a probability"),
        ({"chance": [["1e999999999", 1]]}, "1e999999999 is not a probability"),
    ],
)
def test_bad_trees_get_a_sentence(given, sentence):
    with pytest.raises(z.GameError, match=sentence) as error:
        z.GameTree(given)
    assert "\n" not in str(error.value)


def test_whole_floats_are_payoffs():
    assert z.GameTree([1.0, 2]).tree == "(1, 2)"


@kernel
def digest(game, state):
    """A number that depends on every rule at every node below a state."""
    total = 17 * game.mover(state) + 3
    result = game.result(state)
    if result != z.ONGOING:
        return total + 31 * result
    weight = 1.0
    if game.is_chance(state):
        for outcome, probability in game.chances(state):
            weight += 1
            total += weight * probability * digest(game, game.play(state, outcome))
        return total
    for move in game.moves(state):
        weight += 1
        total += weight * digest(game, game.play(state, move))
    return total


@pytest.mark.parametrize(
    "game",
    [
        z.GameTree(LECTURE),
        z.GameTree("A(R[1/2: B(1, 2), 1/2: 3], C(4, 5), S[0.25: 7, 3/4: (1, -9)])"),
        z.RandomTree(3, 4),
        z.RandomTree(2, 6, 12345, True),
        z.RandomTree(2, 3, (1 << 63) - 1),
    ],
    ids=str,
)
def test_trees_compile_and_agree_with_themselves(game):
    assert game.native_error is None
    assert digest(game, game.initial()) == pytest.approx(digest.interpreted(game, game.initial()), rel=1e-12)


# -- RandomTree --------------------------------------------------------------------------------------------------------


def leaves(game):
    states = [game.initial()]
    for _ in range(game.depth):
        states = [game.play(state, move) for state in states for move in game.moves(state)]
    return [game.result(state) for state in states]


def test_random_leaves_are_spread_and_differ_by_seed():
    one, other = leaves(z.RandomTree(4, 5, 1)), leaves(z.RandomTree(4, 5, 2))
    assert one == leaves(z.RandomTree(4, 5, 1))
    assert one != other
    assert len(one) == 4**5
    assert min(one) < -900 < 900 < max(one)
    assert abs(sum(one)) / len(one) < 60
    assert max(Counter(one).values()) < 8


@pytest.mark.parametrize("seed", range(5))
def test_in_an_ordered_tree_the_first_move_is_the_best_everywhere(seed):
    table = z.textbook.backward_induction(z.RandomTree(3, 4, seed, ordered=True))
    for state in table:
        assert table[state].score == state.value
        assert table.best(state) == ([0] if state.ply < 4 else [])


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"branching": 0}, "branching must be a whole number above zero"),
        ({"depth": 2.5}, "depth must be a whole number above zero"),
        ({"seed": -1}, "seed must be a whole number from 0 to"),
        ({"branching": 10, "depth": 19}, r"branching \*\* depth must be below 2\*\*63"),
    ],
)
def test_bad_parameters_get_a_sentence(parameters, sentence):
    with pytest.raises(z.GameError, match=sentence):
        z.RandomTree(**parameters)


def test_the_contract_holds():
    for game in (z.GameTree(LECTURE), z.GameTree("A(R[1/2: B(1, 2), 1/2: 3], C(4, 5))"), z.RandomTree(3, 3)):
        z.check(game)


def test_a_random_tree_is_drawn_along_the_path_and_a_large_one_is_described():
    game = z.RandomTree(3, 2)
    drawings = [z.position(game, moves) for moves in ("", "2", "2 3")]
    boards = [game.board(state) for state in drawings]
    assert [board.cells for board in boards] == ["^...", "..v....", "......="]
    assert boards[1].lines == ((0, 1), (0, 2), (0, 3), (2, 4), (2, 5), (2, 6))
    assert game.squares(drawings[0], 1) == (2,)  # where the piece is after it
    assert game.squares(drawings[1], 2) == (6,)
    large = z.RandomTree(10, 10)
    assert large.board(large.initial()).values == ("0 of 10", "1 of 1")
    assert large.squares(large.initial(), 1) == ()


@pytest.mark.parametrize("text", ["(1000000000000, 0, 0)", "(5, 0, 0)", "(-1, 0, 0)", "(1, 3, 0)", "(1, -1, 0)"])
def test_only_nodes_of_a_random_tree_are_read(text):
    """Whoever asks about a node a million million plies deep would wait for its number for ever."""
    with pytest.raises(z.GameError, match="is no node of the tree"):
        z.RandomTree(3, 4).parse_state(text)


def test_a_node_of_a_random_tree_is_read_as_it_was_written():
    game = z.RandomTree(3, 4)
    state = game.play(game.play(game.initial(), 2), 1)
    assert game.parse_state(game.state_text(state)) == state
