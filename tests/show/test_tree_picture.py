"""Trees as pictures: what is drawn, where it stands, how large trees collapse, and the files of the command line."""

import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from random_games import RandomGame
from random_games import tree as random_tree
from zermelo import textbook
from zermelo.app.commands import tree_command as command
from zermelo.show.trees import tree_nodes
from zermelo.show.trees.drawn_node import Detail
from zermelo.show.trees.tree_drawing import width_of
from zermelo.show.trees.tree_layout import Box, layout
from zermelo.show.trees.tree_nodes import MAX_LEAVES_ON_PAGE
from zermelo.show.trees.tree_picture import game_tree_svg, tree_record, tree_svg
from zermelo.show.trees.tree_search import tree_size
from zermelo.show.trees.tree_style import TREE_DARK, TREE_LIGHT
from zermelo.show.trees.tree_words import words
from zermelo.textbook import Trace, alphabeta, minimax, star2

LECTURE = z.GameTree("A(B(C(2, 3), D(5, 7)), E(F(0, 1), G(4, 6)))")
SVG = "{http://www.w3.org/2000/svg}"


def traced(search, game, **options):
    trace = Trace()
    search(game, trace=trace, **options)
    return trace


class Drawing:
    """A picture taken apart."""

    def __init__(self, svg):
        self.root = ElementTree.fromstring(svg)
        self.nodes = [g for g in self.root.iter(f"{SVG}g") if "zt-node" in g.get("class", "").split()]
        self.by_number = {int(g.get("data-node")): g for g in self.nodes if g.get("data-node")}

    def classes(self, number):
        return set(self.by_number[number].get("class").split())

    def kinds(self):
        names = [name for g in self.nodes for name in g.get("class").split()]
        return Counter(name.removeprefix("zt-") for name in names if name != "zt-node")

    def texts(self, number, name):
        return [t.text for t in self.by_number[number].iter(f"{SVG}text") if t.get("class") == f"zt-{name}"]

    def marked(self, part, state, attribute="data-to-node"):
        """The numbers of the lines (or snips) in this state."""
        found = [p for p in self.root.iter(f"{SVG}path") if part in p.get("class").split()]
        return {int(p.get(attribute)) for p in found if state in p.get("class").split() and p.get(attribute)}


def numbers(trace, *names):
    return {node.number for node in trace.nodes if node.name in names}


# -- the picture -----------------------------------------------------------------------------------------------------


def test_the_lecture_tree_has_its_shapes_values_bounds_and_inequalities():
    trace = traced(alphabeta, LECTURE)
    drawing = Drawing(tree_svg(trace))
    assert drawing.kinds() == {"max": 5, "min": 2, "leaf": 8, "pv": 4, "pruned": 4}
    (d,), (e,), (a,) = numbers(trace, "D"), numbers(trace, "E"), numbers(trace, "A")
    assert (drawing.texts(d, "cut"), drawing.texts(e, "cut")) == (["5 ≥ 3 = β"], ["1 ≤ 3 = α"])
    assert (drawing.texts(d, "value"), drawing.texts(e, "value"), drawing.texts(a, "value")) == (["≥5"], ["≤1"], ["3"])
    assert drawing.texts(e, "bound") == ["α 3", "β 1"]
    assert drawing.texts(a, "bound") == ["α 3", "β ∞"]
    assert drawing.texts(next(iter(numbers(trace, "C.2"))), "bound") == ["(2, ∞)"]


def test_the_principal_variation_is_bold_and_what_was_cut_off_is_grey():
    trace = traced(alphabeta, LECTURE)
    drawing = Drawing(tree_svg(trace))
    assert drawing.marked("zt-edge", "zt-pv") == numbers(trace, "B", "C", "C.2")
    assert drawing.marked("zt-edge", "zt-pruned") == drawing.marked("zt-snip", "zt-snip") == numbers(trace, "D.2", "G")
    below = [node for node in drawing.nodes if node.get("data-under")]
    assert {int(node.get("data-under")) for node in below} == numbers(trace, "G")
    assert ["".join(node.itertext()) for node in below] == ["G.1: leaf, value 44", "G.2: leaf, value 66"]
    assert all("zt-pruned" in node.get("class") for node in below)


def test_every_node_has_a_title_that_says_what_it_is():
    trace = traced(alphabeta, LECTURE)
    titles = [node.find(f"{SVG}title").text for node in Drawing(tree_svg(trace)).nodes]
    assert "D: max node, value at least 5; beta cut-off, 5 ≥ 3 = β" in titles
    assert "D.2: never visited" in titles
    assert len(titles) == 15


def test_minimax_has_no_bounds_to_draw():
    svg = tree_svg(traced(minimax, LECTURE))
    assert "α" not in svg
    assert Drawing(svg).kinds() == {"max": 5, "min": 2, "leaf": 8, "pv": 4}


def test_chance_nodes_are_circles_with_probabilities_and_known_values_are_marked():
    game = z.GameTree("A(B[1/2: 0, 1/2: 10], C[1/3: D(8, 9), 2/3: E(7, 6)])")
    trace = traced(star2, game)
    assert any(step.action == "known" for step in trace)
    drawing = Drawing(tree_svg(trace))
    assert drawing.kinds()["chance"] == 2
    texts = [text.text for text in drawing.root.iter(f"{SVG}text")]
    assert {"1/2", "1/3", "2/3", "known"} <= set(texts)


def test_the_moves_of_successors_do_not_touch_and_lie_above_all_lines():
    game = z.GameTree("A(" + ", ".join(f"outcome{i}[1/18: 1, 17/18: 2]" for i in range(12)) + ")")
    drawn = ElementTree.fromstring(tree_svg(traced(textbook.expectiminimax, game)))
    edges = next(group for group in drawn.iter(f"{SVG}g") if group.find(f"{SVG}path") is not None)
    assert [each.tag for each in edges] == sorted(each.tag for each in edges)  # paths, then texts
    moves = [each for each in edges if each.get("class") == "zt-move"]
    assert len(moves) == 36
    for one, other in pairwise(sorted(moves, key=lambda move: (move.get("y"), float(move.get("x"))))):
        if one.get("y") == other.get("y"):
            reach = (width_of(one.text) + width_of(other.text)) / 2
            assert float(other.get("x")) - float(one.get("x")) >= reach


def test_outcomes_that_are_equally_likely_say_it_once():
    die = z.GameTree("die[1/6: 1, 1/6: 2, 1/6: 3, 1/6: 4, 1/6: 5, 1/6: 6]")
    svg = tree_svg(traced(textbook.expectiminimax, die))
    assert svg.count("1/6") == 1
    assert 'class="zt-each"' in svg  # apart from alpha and beta, which a page writes again at each step
    assert "each 1/6" in svg


def test_wins_and_losses_are_short():
    game = z.load("tic_tac_toe")
    svg = tree_svg(traced(alphabeta, game, state=z.position(game, "a1 b2 c3 a3")))
    assert ">W3<" in svg
    assert "win in" not in re.sub(r"<title>.*?</title>", "", svg)


@pytest.mark.parametrize("search", [textbook.aspiration, textbook.iterative_deepening])
def test_several_searches_stand_side_by_side(search):
    trace = traced(search, LECTURE)
    drawing = Drawing(tree_svg(trace))
    places = [drawing.by_number[root].get("transform") for root in trace.roots]
    assert len(set(places)) == len(trace.roots)


def test_a_trace_without_a_tree_is_a_sentence():
    with pytest.raises(z.GameError, match="has no tree to draw"):
        tree_svg(traced(textbook.backward_induction, LECTURE))


def test_a_bare_game_tree_has_leaves_and_no_search():
    svg = game_tree_svg(LECTURE)
    assert Drawing(svg).kinds() == {"max": 5, "min": 2, "leaf": 8}
    assert "α" not in svg
    drawing = Drawing(game_tree_svg(z.load("tic_tac_toe"), depth=1))
    assert drawing.kinds() == {"max": 1, "leaf": 9}


class Awkward(z.Game):
    """A game whose notation is full of signs that mean something in XML."""

    def initial(self):
        return 0

    def moves(self, state):
        return range(2)

    def play(self, state, move):
        return 2 * state + move + 1

    def result(self, state):
        return z.DRAW if state > 2 else z.ONGOING

    def move_text(self, state, move):
        return ("<script>", "&\"'")[move]

    def state_text(self, state):
        return f"]]><b>{state}"


def test_what_a_game_writes_is_escaped():
    trace = traced(alphabeta, Awkward())
    assert "<script" not in tree_svg(trace)
    assert "<b>" not in tree_svg(trace)
    assert "&lt;script&gt;" in tree_svg(trace)
    Drawing(tree_svg(trace))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from(["alphabeta", "minimax", "aspiration", "star1", "star2"]))
def test_any_trace_is_drawn_well_and_twice_the_same(seed, interactive, name):
    game = z.GameTree(random_tree(seed, chance=name.startswith("star")))
    trace = traced(getattr(textbook, name), game)
    svg = tree_svg(trace, interactive=interactive)
    assert svg == tree_svg(trace, interactive=interactive)
    drawing = Drawing(svg)
    visited = {node.number for node in trace.nodes if not node.pruned}
    if "more<" not in svg:
        assert set(drawing.by_number) >= visited
        assert all(("zt-pruned" in drawing.classes(n)) == trace.nodes[n].pruned for n in drawing.by_number)


# -- large trees -----------------------------------------------------------------------------------------------------


def counted(svg):
    """How many nodes are drawn, and how many others are counted."""
    drawing = Drawing(svg)
    more = [int(re.search(r"\d+", text).group()) for text in re.findall(r'class="zt-more"[^>]*>([^<]*)<', svg)]
    return len(drawing.nodes) - len(more), sum(more)


@pytest.mark.parametrize("limits", [{}, {"depth": 2}, {"width": 2}, {"depth": 3, "width": 2}, {"depth": 1}])
def test_what_is_left_out_is_counted(limits):
    trace = traced(minimax, z.RandomTree(branching=4, depth=5))
    shown, more = counted(tree_svg(trace, **limits))
    assert shown + more == len(trace.nodes) == 1365
    assert more > 0
    assert shown <= tree_nodes.DEFAULT_MAX_NODES


def test_limits_are_kept_and_never_hide_the_principal_variation():
    trace = traced(minimax, z.RandomTree(branching=5, depth=4, seed=3))
    drawing = Drawing(tree_svg(trace, width=1))
    assert drawing.kinds() == {"max": 2, "min": 2, "leaf": 1, "pv": 5}
    plies = [trace.nodes[number].ply for number in Drawing(tree_svg(trace, depth=2)).by_number]
    assert Counter(plies) == {0: 1, 1: 5, 2: 25}


def test_many_moves_that_were_cut_off_are_drawn_as_one():
    trace = traced(alphabeta, z.load("connect_four"), depth=3)
    svg = tree_svg(trace)
    assert "cut off<" in svg
    shown, more = counted(svg)
    assert shown + more == len(trace.nodes)


# -- where things stand ------------------------------------------------------------------------------------------------


def boxes():
    sizes = st.integers(1, 30)
    leaf = st.builds(lambda left, right: Box(left, right), sizes, sizes)
    return st.recursive(
        leaf,
        lambda below: st.builds(lambda left, right, c: Box(left, right, c), sizes, sizes, st.lists(below, max_size=4)),
    )


def by_level(box, levels=None):
    levels = {} if levels is None else levels
    levels.setdefault(box.level, []).append(box)
    for child in box.children:
        by_level(child, levels)
    return levels


@settings(max_examples=60, deadline=None)
@given(boxes(), st.integers(0, 20))
def test_boxes_never_overlap_and_parents_stand_in_the_middle(root, gap):
    width, levels = layout([root], gap)
    found = by_level(root)
    assert len(found) == levels
    for row in found.values():
        for one, other in pairwise(row):
            assert one.x + one.right + gap <= other.x - other.left + 1e-6
        for box in row:
            assert box.x - box.left >= -1e-6
            assert box.x + box.right <= width + 1e-6
            if box.children:
                assert box.x == pytest.approx((box.children[0].x + box.children[-1].x) / 2)


def test_a_small_subtree_between_large_ones_stands_in_the_middle_of_their_gap():
    def large():
        return Box(5, 5, [Box(50, 50)])

    small = Box(5, 5)
    root = Box(5, 5, [large(), small, large()])
    layout([root], 4)
    assert small.x == pytest.approx(root.x)


def mirrored(box):
    return Box(box.right, box.left, [mirrored(child) for child in reversed(box.children)])


@settings(max_examples=40, deadline=None)
@given(boxes())
def test_the_mirror_image_of_a_tree_is_drawn_as_a_mirror_image(root):
    twin = mirrored(root)
    width, _ = layout([root], 5)
    assert layout([twin], 5)[0] == pytest.approx(width)
    for level, row in by_level(root).items():
        other = reversed(by_level(twin)[level])
        assert [box.x for box in row] == pytest.approx([width - box.x for box in other])


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("colours", [TREE_LIGHT, TREE_DARK], ids=["light", "dark"])
def test_texts_and_shapes_have_contrast(colours):
    def contrast(one, other):
        dark, light = sorted(luminance(colours[name]) for name in (one, other))
        return (light + 0.05) / (dark + 0.05)

    for ink, ground in [("ink", "page"), ("soft", "page"), ("faint", "page"), ("cut", "page"), ("ink", "now")]:
        assert contrast(ink, ground) >= 4.5, (ink, ground)
    for kind in ("max", "min", "chance", "leaf"):
        assert contrast("ink", f"{kind}-fill") >= 4.5
        assert contrast(kind, "page") >= 3


# -- the record --------------------------------------------------------------------------------------------------------


def test_the_record_has_a_sentence_for_each_step_and_the_counters():
    record = tree_record(LECTURE, None)
    assert len(record["words"]) == len(record["trace"]["steps"])
    assert record["counts"] == {
        "nodes": 11, "leaves": 5, "cutoffs": 2, "all_nodes": 15, "all_leaves": 8, "depth": 3, "branching": 2.0,
        "full": 8.0, "minimal": 5.0, "saved": 4,
    }  # fmt: skip
    json.dumps(record, allow_nan=False)
    assert "Beta cut-off at D: 5 ≥ 3 = β. Min already has 3 at B and will not come here" in " ".join(record["words"])


def test_a_leaf_of_a_game_without_evaluation_says_so():
    said = " ".join(tree_record(z.load("nim"), None, options={"depth": 1})["words"])
    assert "counts 0: the depth is reached, and the game has no static evaluation" in said
    assert "the static evaluation is used" not in said
    said = " ".join(tree_record(z.load("connect_four"), None, options={"depth": 1})["words"])
    assert "the static evaluation is used" in said


def test_a_picture_for_a_sheet_is_no_wider_than_it():
    trace = traced(textbook.minimax, z.load("connect_four"), depth=2)
    sheet, page = Drawing(tree_svg(trace)), Drawing(tree_svg(trace, interactive=True))
    assert sheet.kinds()["leaf"] <= MAX_LEAVES_ON_PAGE < page.kinds()["leaf"] == 49
    assert "more<" in tree_svg(trace)
    assert Drawing(tree_svg(trace, width=7)).kinds()["leaf"] == 49


def test_the_best_first_visits_the_minimal_tree_and_the_worst_first_more():
    game = z.RandomTree(branching=3, depth=4, seed=1)
    leaves = {
        order: tree_record(game, None, options={"order": order})["counts"]["leaves"] for order in ("best", "worst")
    }
    minimal = tree_record(game, None)["counts"]["minimal"]
    assert leaves["best"] == minimal == 17
    assert leaves["worst"] > tree_record(game, None)["counts"]["leaves"] > minimal


def test_an_order_that_there_is_not_is_a_sentence():
    with pytest.raises(z.GameError, match="order must be game, best or worst, not 'fair'"):
        tree_record(LECTURE, None, options={"order": "fair"})


def test_a_tree_too_large_to_show_is_a_sentence_and_one_too_large_to_count_has_no_figures():
    game = z.load("connect_four")
    with pytest.raises(z.GameError, match="more than 50 nodes; give a smaller depth"):
        tree_record(game, None, options={"depth": 4}, most=50)
    assert tree_size(game, None, 3, 399) is None
    assert tree_size(game, None, 3, 400) == (400, 343, 3)


@pytest.mark.parametrize("name", ["minimax", "negamax", "alphabeta", "expectiminimax", "star1", "star2", "aspiration"])
def test_every_step_of_every_search_has_words(name):
    chance = name in ("expectiminimax", "star1", "star2")
    game = z.GameTree("A(B[1/2: 0, 1/2: 10], C[1/2: D(8, 2), 1/2: E(1, 7)])") if chance else LECTURE
    for sentence in words(traced(getattr(textbook, name), game)):
        assert sentence.endswith(".")
        assert "None" not in sentence


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def zermelo(capsys):
    from zermelo.app import cli

    def run(*args):
        code = cli.run([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_the_command_draws_a_picture_and_prints_the_result(zermelo, tmp_path):
    code, out, _ = zermelo("tree", "game_tree", "--svg", tmp_path / "tree.svg")
    assert (code, out.strip()) == (0, "alphabeta: +3 by B C 2 (11 nodes, 5 leaves, 2 cut-offs)")
    assert Drawing((tmp_path / "tree.svg").read_text()).kinds()["pruned"] == 4
    assert [path.name for path in tmp_path.iterdir()] == ["tree.svg"]


def test_the_page_holds_all_it_needs(zermelo, tmp_path):
    assert zermelo("tree", "tic_tac_toe", "a1 b2 c3 a3", "--html", tmp_path / "tree.html")[0] == 0
    page = (tmp_path / "tree.html").read_text()
    assert not re.search(r"(src|href)=|@import|https?://(?!www\.w3\.org/2000/svg)", page)
    record = json.loads(re.search(r'id="record">(.*?)</script>', page, re.DOTALL).group(1))
    assert record["result"]["algorithm"] == "alphabeta"
    assert len(record["words"]) == len(record["trace"]["steps"])


def test_what_a_game_writes_cannot_end_the_script_of_the_page():
    game = Awkward()
    page = command.page(game, tree_record(game, None))
    assert "<script>" not in page.split('id="record">')[1].split("</script>")[0]


def test_the_size_of_the_picture_can_be_limited(zermelo, tmp_path):
    zermelo("tree", "random_tree", "--svg", tmp_path / "a.svg", "--max-depth", 1, "--max-width", 2)
    kinds = Drawing((tmp_path / "a.svg").read_text()).kinds()
    assert kinds["max"] + kinds["min"] == 3
    code, _, error = zermelo("tree", "game_tree", "--max-depth", 1)
    assert (code, "are for --svg and --html" in error) == (2, True)


def test_a_place_that_cannot_be_written_is_a_sentence_and_nothing_is_left(zermelo, tmp_path, monkeypatch):
    code, _, error = zermelo("tree", "game_tree", "--svg", tmp_path / "nowhere" / "tree.svg")
    assert code == 1
    assert "tree.svg cannot be written" in error
    assert "Traceback" not in error
    (tmp_path / "kept.svg").write_text("<svg>before</svg>")

    def refuse(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", refuse)
    code, _, error = zermelo("tree", "game_tree", "--svg", tmp_path / "kept.svg")
    assert (code, "no space left on device" in error) == (1, True)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("kept.svg", "<svg>before</svg>")]


def test_a_page_names_the_file_of_a_game_and_not_its_folder(zermelo, tmp_path):
    (tmp_path / "mine.py").write_text(
        "import zermelo as z\n\n\nclass Mine(z.Game):\n"
        "    def initial(self): return 3\n    def moves(self, left): return [1]\n"
        "    def play(self, left, taken): return left - taken\n"
        "    def result(self, left): return z.ONGOING if left else z.LOSS\n"
    )
    code, _, _ = zermelo(
        "tree", f"{tmp_path}/mine.py", "--html", tmp_path / "tree.html", "--svg", tmp_path / "tree.svg"
    )
    page = (tmp_path / "tree.html").read_text("utf-8")
    assert code == 0
    assert "<title>alphabeta on mine.py:Mine</title>" in page
    assert str(tmp_path) not in page + (tmp_path / "tree.svg").read_text("utf-8")


# -- boards in nodes, and symmetric siblings ---------------------------------------------------------------------------


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_folded_siblings_are_symmetric_and_nothing_is_lost(search):
    """Every class of symmetric siblings has one node, which names the others; all of them have its value in minimax."""
    game = z.load("tic_tac_toe")
    trace = traced(search, game, depth=2)
    folded = Drawing(tree_svg(trace, interactive=True, detail=Detail(fold=True)))
    whole = Drawing(tree_svg(trace, interactive=True, depth=2))
    named = {int(number): folded.by_number[keeper] for keeper, g in folded.by_number.items()
             for number in (g.get("data-folds") or "").split()}  # fmt: skip
    assert named
    assert not set(named) & set(folded.by_number)
    for number, keeper in named.items():
        one, other = trace.nodes[number], trace.nodes[int(keeper.get("data-node"))]
        assert one.parent == other.parent
        assert one.pruned or game.canonical(one.state) == game.canonical(other.state)
        assert search is alphabeta or one.value == other.value
    for parent in {trace.nodes[number].parent for number in folded.by_number}:
        if parent is not None:
            drawn = [number for number in folded.by_number if trace.nodes[number].parent == parent]
            visited = [trace.nodes[number].state for number in drawn if not trace.nodes[number].pruned]
            assert len(set(map(game.canonical, visited))) == len(visited)
    top = {number for number in whole.by_number if trace.nodes[number].parent == 0}
    assert top == {n for n in (*folded.by_number, *named) if trace.nodes[n].parent == 0}


def test_folding_can_be_undone_below_a_node_and_needs_symmetries():
    game = z.load("tic_tac_toe")
    trace = traced(minimax, game, depth=1)
    assert len(Drawing(tree_svg(trace, detail=Detail(fold=True))).nodes) == 4
    opened = Drawing(tree_svg(trace, detail=Detail(fold=True, unfold=frozenset({0}))))
    assert len(opened.nodes) == 10
    marks = [g for g in opened.root.iter(f"{SVG}g") if g.get("class") == "zt-fold"]
    assert {g.get("aria-label") for g in marks} == {"Fold 3 symmetric positions"}
    plain = traced(minimax, LECTURE)
    assert tree_svg(plain, detail=Detail(fold=True)) == tree_svg(plain)


@pytest.mark.parametrize("name", ["tic_tac_toe", "chess", "kalah", "hex", "pig", "sim", "backgammon"])
def test_nodes_have_the_boards_of_their_positions(name):
    """The drawing is well-formed, boards do not overlap, and large boards leave room for fewer nodes."""
    game = z.load(name)
    trace = traced(textbook.expectiminimax, game, depth=1)
    drawing = Drawing(tree_svg(trace, interactive=True, detail=Detail(boards=True)))
    cards = [g for g in drawing.nodes if "zt-card" in g.get("class").split()]
    assert len(cards) == len(drawing.by_number)
    assert all(any(part.get("class") == "zermelo-board" for part in card.iter(f"{SVG}g")) for card in cards)
    frames = {}
    for card in cards:
        x, y = (float(part) for part in re.findall(r"-?[\d.]+", card.get("transform")))
        (shape,) = [part for part in card.iter(f"{SVG}rect") if part.get("class") == "zt-shape"]
        left = x + float(shape.get("x"))
        frames.setdefault(y, []).append((left, left + float(shape.get("width"))))
    for row in frames.values():
        assert all(one[1] <= two[0] for one, two in pairwise(sorted(row)))
    squares = sum(len(list(card.iter(f"{SVG}rect"))) for card in cards)
    assert squares < 3 * 5000


def test_a_game_without_boards_has_none_in_its_nodes():
    trace = traced(minimax, RandomGame(size=9))
    assert tree_svg(trace, detail=Detail(boards=True)).count("zt-card") == 0
