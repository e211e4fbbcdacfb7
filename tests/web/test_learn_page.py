"""Learn in a real browser: stepping through a search, typed trees, the quiz, and the page of `zermelo tree --html`."""

import re

import pytest
from playwright.sync_api import Page, expect

import zermelo as z
from browser import opened
from random_games import tree as random_tree
from zermelo import textbook
from zermelo.app.commands import tree_command as command
from zermelo.show.trees.tree_picture import tree_record
from zermelo.show.trees.tree_words import number
from zermelo.textbook import Trace
from zermelo.textbook.tracing.trace_steps import plain as score_text

LECTURE = "A(B(C(2, 3), D(5, 7)), E(F(0, 1), G(4, 6)))"
DONE = re.compile(r"^(\d+) / \1$")


def learn(page: Page, query: str = "game=game_tree") -> None:
    page.goto(f"/?mode=learn&{query}")
    expect(page.locator(".stepper .zermelo-tree")).to_be_visible()


def node(page: Page, name: str):
    return page.locator(".zt-node", has=page.locator(f'.zt-name:text-is("{name}")'))


def to_the_end(page: Page) -> list[str]:
    """Step forward by the arrow key until nothing is left; what was said on the way."""
    said = []
    page.locator(".stepper .tree").focus()
    for _ in range(300):
        if DONE.match(page.locator("[data-part=place]").inner_text()):
            return said
        page.keyboard.press("ArrowRight")
        said.append(page.locator(".words").inner_text())
    pytest.fail(f"The end was not reached; the last words were {said[-1]!r}.")


def test_the_lecture_tree_is_stepped_to_the_end_with_its_two_cut_offs(page: Page):
    learn(page)
    expect(page.locator(".words")).to_contain_text("Before the search")
    assert page.locator(".zt-pruned").count() == 0
    said = to_the_end(page)
    cuts = [sentence for sentence in said if "cut-off" in sentence]
    assert ["Beta cut-off at D: 5 ≥ 3 = β" in cuts[0], "Alpha cut-off at E: 1 ≤ 3 = α" in cuts[1], len(cuts)] == [
        True,
        True,
        2,
    ]
    assert "D.2 is never visited." in cuts[0]
    expect(node(page, "D").locator(".zt-cut")).to_have_text("5 ≥ 3 = β")
    expect(node(page, "E").locator(".zt-cut")).to_have_text("1 ≤ 3 = α")
    expect(node(page, "A").locator(".zt-value")).to_have_text("3")
    expect(page.locator(".words")).to_have_text("Leave A with 3, the value of the tree.")
    assert page.locator(".counts tr").all_inner_texts() == [
        "nodes visited\t11 of 15", "leaves visited\t5 of 8", "cut-offs\t2", "nodes saved in the end\t4 of 15",
        "leaves of the full tree, bd = 23\t8", "leaves of the minimal tree\t5",
    ]  # fmt: skip


def test_back_undoes_what_forward_did_and_the_ends_can_be_jumped_to(page: Page):
    learn(page)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator("[data-part=place]")).to_have_text(DONE)
    end = page.locator(".zermelo-tree").inner_html()
    page.get_by_role("button", name="Back").click()
    assert page.locator(".zermelo-tree").inner_html() != end
    page.get_by_role("button", name="Forward").click()
    assert page.locator(".zermelo-tree").inner_html() == end
    page.get_by_role("button", name="To the beginning").click()
    expect(node(page, "D").locator(".zt-cut")).to_have_text("")
    expect(page.get_by_role("button", name="Back")).to_be_disabled()


def test_play_runs_by_itself_to_the_end_and_can_be_paused(page: Page):
    learn(page)
    page.get_by_label("Speed").fill("100")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Pause").click()
    place = page.locator("[data-part=place]").inner_text()
    page.wait_for_timeout(200)
    assert page.locator("[data-part=place]").inner_text() == place
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("[data-part=place]")).to_have_text(DONE)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_typed_tree_is_in_the_address_and_survives_a_reload(page: Page):
    learn(page)
    page.get_by_placeholder("A(B(3, 12), C(8, 2))").fill("P(Q(1, 9), R(0, 5))")
    page.get_by_role("button", name="Take this tree").click()
    expect(node(page, "P")).to_be_visible()
    assert "game_tree" in page.url
    page.reload()
    expect(node(page, "R")).to_be_visible()
    expect(page.get_by_role("combobox", name="Search")).to_have_value("typed")


def test_settings_survive_a_reload(page: Page):
    learn(page)
    page.get_by_role("combobox", name="Algorithm").select_option("minimax")
    expect(page.locator('.zermelo-tree[aria-label*="minimax"]')).to_be_visible()
    expect(page).to_have_url(re.compile("algorithm=minimax"))
    page.reload()
    expect(page.locator('.zermelo-tree[aria-label*="minimax"]')).to_be_visible()


def test_a_link_leads_to_a_step_of_a_search(page: Page):
    learn(page, "game=game_tree&algorithm=alphabeta&order=worst&fail=hard&window=0,9&step=16")
    expect(page.locator("[data-part=place]")).to_have_text(re.compile(r"^16 / "))
    fields = {"Algorithm": "alphabeta", "Moves are tried": "worst", "Fail": "hard", "Cut off": "equal"}
    for name, value in fields.items():
        expect(page.get_by_role("combobox", name=name)).to_have_value(value)
    expect(page.get_by_label("α, β at the root")).to_have_value("0,9")
    page.get_by_role("button", name="Forward").click()
    expect(page).to_have_url(re.compile("order=worst.*step=17"))
    page.reload()
    expect(page.locator("[data-part=place]")).to_have_text(re.compile(r"^17 / "))
    page.get_by_role("button", name="Quiz").click()
    expect(page).to_have_url(re.compile("quiz=mixed"))
    page.reload()
    expect(page.locator(".quiz")).to_be_visible()
    page.goto("/?mode=learn&game=tic_tac_toe&moves=a1+b2+c3+a3&depth=2")
    expect(page.locator(".counts")).to_contain_text("of 26")
    page.get_by_label("Depth in plies").fill("")
    page.get_by_label("Depth in plies").press("Tab")
    expect(page).to_have_url(re.compile("depth=end"))
    page.goto("/?mode=learn&game=game_tree&algorithm=guessing&step=-7")
    expect(page.locator("[data-part=place]")).to_have_text(re.compile(r"^0 / "))
    expect(page.locator(".learn .problem")).to_contain_text("algorithm=guessing is unknown here")
    expect(page.locator(".learn .problem")).to_contain_text("step=-7 is no number")


def test_an_address_with_a_tree_that_cannot_be_read_has_a_way_out(page: Page):
    page.goto("/?mode=learn&game=game_tree(A(B(3")
    expect(page.get_by_role("alert").filter(has_text="brackets")).to_have_count(1)
    page.get_by_role("combobox", name="Search").select_option(label="Minimax on four leaves")
    expect(page.locator('.zermelo-tree[aria-label*="minimax"]')).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="brackets")).to_have_count(0)
    page.goto("/?mode=learn&game=croquet")
    page.get_by_placeholder("A(B(3, 12), C(8, 2))").fill("P(Q(1, 9), R(0, 5))")
    page.get_by_role("button", name="Take this tree").click()
    expect(node(page, "P")).to_be_visible()


def test_a_tree_that_cannot_be_read_is_a_sentence(page: Page):
    learn(page)
    page.get_by_placeholder("A(B(3, 12), C(8, 2))").fill("P(Q(1, 9)")
    page.get_by_role("button", name="Take this tree").click()
    expect(page.get_by_role("alert").filter(has_text="where")).to_be_visible()
    assert page.evaluate("new URLSearchParams(location.search).get('game')") == "game_tree"
    expect(node(page, "D")).to_be_visible()  # what was shown is still there


def test_algorithms_and_their_settings_change_the_search(page: Page):
    learn(page)
    expect(page.locator(".counts")).to_contain_text("4 of 15")
    page.get_by_role("combobox", name="Algorithm").select_option("minimax")
    expect(page.locator(".counts")).to_contain_text("0 of 15")
    expect(page.get_by_role("combobox", name="Fail")).to_be_hidden()
    page.get_by_role("combobox", name="Algorithm").select_option("alphabeta")
    page.get_by_role("combobox", name="Fail").select_option("hard")
    page.get_by_role("button", name="To the end").click()
    expect(node(page, "F").locator(".zt-value")).to_have_text("≤3")
    page.get_by_role("combobox", name="Moves are tried").select_option("worst")
    expect(page.locator(".counts")).to_contain_text("0 of 15")


@pytest.mark.parametrize(
    ("preset", "leaf", "algorithm"),
    [
        ("Chance: Star2 probes first", "7", "star2"),
        ("A deep cut-off", "99", "alphabeta"),
        ("Chance: expected values", "10", "expectiminimax"),
    ],
)
def test_presets_bring_their_algorithm(page: Page, preset: str, leaf: str, algorithm: str):
    learn(page, "game=tic_tac_toe&moves=a1+b2+c3+a3")
    page.get_by_role("combobox", name="Search").select_option(label=preset)
    expect(page.locator(f'.zt-leaf .zt-value:text-is("{leaf}")')).to_be_visible()
    expect(page.locator(f'.zermelo-tree[aria-label*="{algorithm}"]')).to_be_visible()
    assert to_the_end(page)[-1].endswith("the value of the tree.")


def test_a_position_of_a_game_is_searched_and_its_boards_are_shown(page: Page):
    learn(page, "game=tic_tac_toe&moves=a1+b2+c3+a3")
    page.get_by_label("Depth in plies").fill("2")
    page.get_by_label("Depth in plies").press("Tab")
    expect(page.locator(".counts")).to_contain_text("of 26")
    page.locator(".stepper .tree").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".node-board .zermelo-board")).to_be_visible()
    page.get_by_role("combobox", name="Search").select_option(label="Minimax on four leaves")
    expect(node(page, "A")).to_be_visible()
    page.get_by_role("combobox", name="Search").select_option("position")
    expect(page).to_have_url(re.compile("tic_tac_toe.*a1"))


def test_a_game_of_chance_gets_an_algorithm_that_copes_with_it(page: Page):
    refused = []
    page.on("response", lambda response: refused.append(response.url) if response.status >= 400 else None)
    learn(page, "game=pig(target=6)")
    expect(page.get_by_role("combobox", name="Algorithm")).to_have_value("star1")
    assert refused == []


def test_what_stands_beside_a_chance_node(page: Page):
    """The probability of its outcomes always, alpha and beta once it is entered, and each of them once."""
    learn(page, "game=pig&algorithm=star1&depth=3")
    chance = page.locator(".zt-chance").first
    expect(chance.locator(".zt-each")).to_have_text("each 1/6")
    assert [text for text in chance.locator(".zt-bound").all_text_contents() if text] == []
    page.locator(".stepper .tree").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(chance).to_have_class(re.compile("zt-open"))
    assert [text[0] for text in chance.locator(".zt-bound").all_text_contents()] == ["α", "β"]
    expect(chance.locator(".zt-each")).to_have_text("each 1/6")


WIDTH = "document.querySelector('.stepper .tree svg').getBoundingClientRect().width"
IN_VIEW = """(selector) => {
  const [box, frame] = [selector, ".tree"].map((one) => document.querySelector(one).getBoundingClientRect());
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
}"""


def test_a_wide_tree_is_zoomed_and_panned_and_has_a_map(page: Page):
    learn(page, "game=connect_four&depth=2&algorithm=minimax")
    expect(page.locator(".tree-map")).to_be_visible()
    assert page.evaluate(IN_VIEW, ".zt-node")  # the root
    fitted = page.evaluate(WIDTH)
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate(WIDTH) == pytest.approx(1.25 * fitted, rel=0.01)
    page.locator(".stepper .tree").focus()
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert page.evaluate(WIDTH) == pytest.approx(fitted / 1.25, rel=0.01)
    page.keyboard.press("0")
    assert page.evaluate(WIDTH) == pytest.approx(fitted, rel=0.01)
    box = page.locator(".stepper .tree").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 100)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.wait_for_function(f"() => {WIDTH} > {1.5 * fitted}")
    scrolled = "document.querySelector('.stepper .tree').scrollLeft"
    at = page.evaluate(scrolled)
    page.mouse.down()
    page.mouse.move(box["x"] + 50, box["y"] + 100, steps=3)
    page.mouse.up()
    assert page.evaluate(scrolled) == pytest.approx(at + 150, abs=12)
    page.locator(".stepper .tree").focus()
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate(scrolled) == pytest.approx(at + 230, abs=12)
    assert page.locator("[data-part=place]").inner_text().startswith("0 ")  # which is no step
    page.locator(".tree-map").click(position={"x": 3, "y": 5})
    assert page.evaluate(scrolled) == 0
    learn(page)
    expect(page.locator(".tree-map")).to_be_hidden()


def test_two_fingers_zoom(chromium, server):
    with opened(chromium, server, has_touch=True, viewport={"width": 400, "height": 800}) as page:
        learn(page, "game=connect_four&depth=2&algorithm=minimax")
        fitted = page.evaluate(WIDTH)
        box = page.locator(".stepper .tree").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + 60
        touch = page.context.new_cdp_session(page)
        for kind, reach in (("touchStart", 20), ("touchMove", 40), ("touchMove", 60)):
            points = [{"x": x - reach, "y": y, "id": 0}, {"x": x + reach, "y": y, "id": 1}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_function(f"() => {WIDTH} > {2 * fitted}")


def test_boards_stand_in_the_nodes_and_symmetric_ones_are_folded(page: Page):
    learn(page, "game=tic_tac_toe&depth=1&algorithm=minimax")
    expect(page.locator(".zt-card .zermelo-board")).to_have_count(4)  # the root, a corner, an edge and the middle
    expect(page.locator(".zt-node[data-folds]")).to_have_count(2)
    to_the_end(page)
    page.get_by_role("button", name="Show 3 symmetric positions").first.click()
    expect(page.locator(".zt-card .zermelo-board")).to_have_count(10)
    expect(page).to_have_url(re.compile("unfold=0"))
    page.reload()
    expect(page.locator(".zt-card .zermelo-board")).to_have_count(10)
    page.get_by_role("button", name="Fold 3 symmetric positions").first.press("Enter")
    expect(page.locator(".zt-card .zermelo-board")).to_have_count(4)
    page.get_by_role("combobox", name="Symmetric").select_option("show")
    expect(page.locator(".zt-card .zermelo-board")).to_have_count(10)
    page.get_by_role("combobox", name="Nodes show").select_option("shapes")
    expect(page.locator(".zt-card")).to_have_count(0)
    expect(page).to_have_url(re.compile("nodes=shapes&symmetry=show"))


def test_the_lit_line_of_the_pseudo_code_follows_the_search(page: Page):
    learn(page)
    lit = page.locator(".code .lit")
    assert lit.count() == 0
    for step, line in ((2, "function max_value(node, α, β):"), (5, "if node is a leaf: return payoff(node)")):
        while not page.locator("[data-part=place]").inner_text().startswith(f"{step} "):
            page.get_by_role("button", name="Forward").click()
        expect(lit).to_have_text(line)
    page.get_by_role("slider", name="Step").fill("14")
    expect(page.locator(".words")).to_contain_text("Beta cut-off at D")
    expect(lit).to_have_text(re.compile(r"if best ≥ β: break"))
    assert lit.get_attribute("aria-current") == "step"
    page.get_by_role("combobox", name="Cut off").select_option("beyond")
    expect(page.locator(".code")).to_contain_text("if best > β: break")
    page.get_by_role("combobox", name="Algorithm").select_option("negamax")
    expect(page.locator(".code")).to_contain_text("v ← −value(successor)")


def test_terms_explain_themselves_to_mouse_and_keyboard(page: Page):
    learn(page, "game=game_tree&step=14")
    term = page.locator(".words .term").first
    tip = page.locator(f"#{term.get_attribute('aria-describedby')}")
    expect(tip).to_be_hidden()
    term.focus()
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.locator(".legend .term", has_text="principal variation").hover()
    expect(page.get_by_role("tooltip")).to_contain_text("best play of both sides")
    page.get_by_role("button", name="What is: move ordering").hover()
    expect(page.get_by_role("tooltip")).to_contain_text("the more is cut off")
    page.locator(".glossary summary").click()
    expect(page.locator(".glossary dt", has_text="quiescence")).to_be_visible()


def quiz(page: Page, query: str) -> None:
    page.goto(f"/?mode=learn&game=game_tree&{query}")
    expect(page.locator(".quiz .choices button").first).to_be_visible()


def answers(page: Page) -> list[str]:
    return [text.partition("\n")[2].strip() for text in page.locator(".quiz .choices button").all_inner_texts()]


def test_a_quiz_has_choices_a_hint_a_score_and_the_next_question(page: Page):
    quiz(page, "quiz=value")
    expect(page.locator(".asked .words")).to_contain_text("With which value will it leave?")
    assert "exactly 3" in answers(page)
    assert page.locator(".quiz svg title").count() == 0  # which would have the values
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".judged")).to_contain_text("Max takes the greatest")
    page.get_by_role("button", name="exactly 3").click()
    expect(page.locator(".judged")).to_contain_text("Right.")
    expect(page.locator(".score")).to_have_text("Question 1 of 3 · 1 of 1 right")
    page.keyboard.press("Enter")  # the button Next has the focus
    expect(page.locator(".score")).to_contain_text("Question 2 of 3")
    assert "at least 5" in answers(page)
    page.keyboard.press(str(answers(page).index("exactly 7") + 1))
    expect(page.locator(".judged")).to_contain_text("Not quite. The answer is: at least 5.")
    expect(page.locator(".score")).to_contain_text("1 of 2 right")
    expect(page).to_have_url(re.compile("quiz=value&question=2"))
    page.get_by_role("button", name="Next").click()
    page.locator(".choices button").first.click()
    page.get_by_role("button", name="Finish").click()
    expect(page.locator(".asked .words")).to_contain_text("The quiz is over: ")
    page.get_by_role("button", name="Next tree").click()
    expect(page).to_have_url(re.compile("game_tree%28.*quiz=value$"))


def test_a_link_carries_the_question(page: Page):
    quiz(page, "quiz=cut&question=2")
    expect(page.locator(".score")).to_contain_text("Question 2 of")
    asked = page.locator(".asked .words").inner_text()
    page.reload()
    expect(page.locator(".asked .words")).to_have_text(asked)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share question").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert "quiz=cut&question=2" in page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("combobox", name="Kind of question").select_option("alpha")
    expect(page.locator(".asked .words")).to_contain_text("What is α there")
    page.get_by_role("button", name="Show the search").click()
    expect(page.locator("[data-part=place]")).to_have_text(re.compile("^[1-9][0-9]* / 28$"))
    page.goto("/?mode=learn&game=game_tree&quiz=riddle&question=99")
    expect(page.locator(".learn .problem")).to_contain_text("There is no quiz riddle")
    expect(page.locator(".score")).to_have_text("Question 10 of 10")


QUESTIONS = """
async ([address, record, kind]) => {
  const { Tree } = await import(`${address}learn/search_tree.js`);
  const { questionsOf } = await import(`${address}learn/questions.js`);
  const root = document.createElement("div");
  return questionsOf(record, new Tree(root, record), kind);
}
"""


@pytest.mark.parametrize("algorithm", ["alphabeta", "star1"])
def test_the_answers_of_all_questions_are_those_of_the_search(page: Page, server: str, algorithm: str):
    """Each answer is looked up in Python's trace; wrong choices are others, and every kind occurs."""
    page.goto("/")
    kinds = set()
    for seed in range(6):
        game = z.GameTree(random_tree(seed, chance=algorithm == "star1"))
        record = tree_record(game, None, algorithm)
        steps = record["trace"]["steps"]
        for asked in page.evaluate(QUESTIONS, [server, record, "mixed"]):
            kinds.add(asked["kind"])
            assert len(set(asked["choices"])) == len(asked["choices"]) >= 2, asked
            step, right = steps[asked["after"] - 1], asked["choices"][asked["right"]]
            if asked["kind"] in ("alpha", "beta"):
                assert right == step[f"{asked['kind']}_text"].replace("-", "−")
            elif asked["kind"] == "value":
                bound = {"lower": "at least", "upper": "at most"}.get(step["note"], "exactly")
                assert right == f"{bound} {step['value_text'].replace('-', '−')}"
            elif asked["kind"] == "next":
                later = [one for one in steps[asked["before"] :] if one["action"] == "enter"]
                assert right == (later[0]["name"] if later else "None: the search is over")
            else:
                cut = steps[asked["before"]]["cut"]
                assert right.startswith("Yes" if cut else "No")
                assert not cut or right.endswith({"alpha": "α", "beta": "β"}[cut["name"]])
    assert kinds == {"value", "alpha", "beta", "next", "cut"}
    record = tree_record(z.load("connect_four"), None, "alphabeta", {"depth": 3})
    (asked, *_) = page.evaluate(QUESTIONS, [server, record, "next"])
    assert asked["choices"][0].startswith("the node after 1")  # "1 1" alone is a riddle


def test_learn_is_not_clipped_where_code_stands_beside_the_tree(chromium, server):
    with opened(chromium, server, viewport={"width": 1000, "height": 800}) as page:
        page.goto("/?game=game_tree&mode=learn")
        expect(page.locator(".code li").first).to_be_visible()
        code = page.locator(".code")
        assert code.evaluate("code => code.scrollWidth") <= code.evaluate("code => code.clientWidth")


def test_the_quiz_says_right_with_the_inequality(page: Page):
    learn(page, "game=game_tree&quiz=branches")
    assert page.locator(".quiz .zt-pruned, .quiz .zt-snip, .quiz .zt-cut").count() == 0
    expect(page.locator(".quiz > .words")).to_contain_text("Which branches will Alpha-beta never visit?")
    named = page.locator(".quiz .zt-node[role=button]").evaluate_all("nodes => nodes.map((one) => one.ariaLabel)")
    assert sorted(named) == [
        "B", "C", "C.1, leaf 2", "C.2, leaf 3", "D", "D.1, leaf 5", "D.2, leaf 7", "E", "F", "F.1, leaf 0",
        "F.2, leaf 1", "G", "G.1, leaf 4", "G.2, leaf 6",
    ]  # fmt: skip
    page.get_by_role("button", name="D.2, leaf 7").click()
    page.get_by_role("button", name="G", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Check").click()
    verdict = page.locator(".quiz-verdict")
    expect(verdict).to_contain_text("All right.")
    expect(verdict).to_contain_text("D.2 is never visited, since 5 ≥ 3 = β at D; the bound is that of B.")
    expect(verdict).to_contain_text("G is never visited, since 1 ≤ 3 = α at E; the bound is that of A.")
    page.get_by_role("button", name="Show the search").click()
    expect(page.locator("[data-part=place]")).to_contain_text("0 /")


def test_the_quiz_says_wrong_and_what_was_missed(page: Page):
    learn(page, "game=game_tree&quiz=branches")
    page.get_by_role("button", name="F", exact=True).click()
    page.get_by_role("button", name="Check").click()
    verdict = page.locator(".quiz-verdict")
    expect(verdict).to_contain_text("0 of 3 right.")
    expect(verdict).to_contain_text("Wrong: F is visited. When its turn comes, α = 3 and β = ∞")
    expect(verdict).to_contain_text("Missed: D.2 is never visited")


def test_a_tree_too_large_to_be_seen_is_no_quiz(page: Page):
    page.goto("/?mode=learn&game=connect_four&quiz=branches")
    expect(page.locator(".learn .problem").filter(has_text="too large for the quiz")).to_be_visible()


def place(page: Page, number: int) -> None:
    expect(page.locator("[data-part=place]")).to_have_text(re.compile(f"^{number} / "))


def test_a_lecture_is_driven_by_a_presenters_remote(page: Page):
    learn(page, "game=game_tree&lecture=1")
    expect(page.locator("header")).to_be_hidden()
    expect(page.locator(".setup form").first).to_be_hidden()
    keys = ["PageDown", "PageDown", " ", "ArrowRight", "PageUp", "ArrowLeft", "End", "Home", "n", "PageDown"]
    for key, at in zip(keys, (1, 2, 3, 4, 3, 2, 28, 0, 1, 2), strict=True):
        page.keyboard.press(key)
        place(page, at)
    page.keyboard.press("b")
    expect(page.locator(".blank")).to_be_visible()
    page.keyboard.press("PageDown")  # which only ends the blank screen
    expect(page.locator(".blank")).to_be_hidden()
    place(page, 2)
    assert page.locator(".words").evaluate("words => parseFloat(getComputedStyle(words).fontSize)") >= 19
    page.keyboard.press("Escape")
    expect(page.locator("header")).to_be_visible()
    expect(page.locator(".setup form").first).to_be_visible()
    expect(page).not_to_have_url(re.compile("lecture"))
    page.keyboard.press("PageDown")
    place(page, 2)


def test_a_lecture_begins_by_a_button_in_full_screen_and_is_in_the_address(page: Page):
    page.set_viewport_size({"width": 1280, "height": 800})  # that of a small projector
    learn(page)
    tree = page.locator(".stepper .tree svg")
    before = tree.bounding_box()["width"]
    page.get_by_role("button", name="Lecture").click()
    page.wait_for_function("() => document.fullscreenElement")
    expect(page).to_have_url(re.compile("lecture=1"))
    page.wait_for_function(f"() => document.querySelector('.tree svg').getBoundingClientRect().width > {1.1 * before}")
    page.get_by_role("button", name="End lecture").click()
    page.wait_for_function("() => !document.fullscreenElement")
    expect(page.locator("header")).to_be_visible()


def test_a_quiz_in_a_lecture(page: Page):
    quiz(page, "quiz=value&lecture=1")
    page.keyboard.press("PageDown")  # the answer without a guess, which does not count
    expect(page.locator(".judged")).to_contain_text("The answer is: exactly 3.")
    page.keyboard.press("PageDown")
    expect(page.locator(".score")).to_have_text("Question 2 of 3")
    page.locator(".tree").focus()
    page.keyboard.press("h")
    expect(page.locator(".judged .hint")).to_be_visible()
    page.keyboard.press(str(answers(page).index("at least 5") + 1))
    expect(page.locator(".score")).to_have_text("Question 2 of 3 · 1 of 1 right")
    page.keyboard.press("PageUp")
    expect(page.locator(".score")).to_contain_text("Question 1 of 3")


def test_a_narrow_dark_screen(chromium, server):
    with opened(chromium, server, color_scheme="dark") as page:
        page.set_viewport_size({"width": 360, "height": 740})
        learn(page)
        page.get_by_role("button", name="To the end").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        ground = page.locator(".zermelo-tree .zt-page").evaluate("element => getComputedStyle(element).fill")
        assert ground == "rgb(21, 24, 29)"


# -- the same as in Python ---------------------------------------------------------------------------------------------

PICTURES = """
async ([address, record]) => {
  const { nodesOf, pictureAt } = await import(`${address}learn/replay.js`);
  const nodes = nodesOf(record.trace);
  return record.trace.steps.map((_, index) => {
    const { nodes: seen, path } = pictureAt(record.trace, nodes, index + 1);
    const having = (name) => [...seen].filter(([, one]) => one.state === name);
    const state = (name) => having(name).map(([number]) => number).sort((a, b) => a - b);
    const open = path.map((number) => [number, seen.get(number).alpha, seen.get(number).beta, seen.get(number).value]);
    return { path: open, done: state("done"), pruned: state("pruned") };
  });
}
"""


@pytest.mark.parametrize("name", ["alphabeta", "minimax", "star1", "aspiration"])
def test_the_page_replays_a_trace_as_python_does(page: Page, server: str, name: str):
    page.goto("/")
    for seed in range(4):
        game = z.GameTree(random_tree(seed, chance=name == "star1"))
        trace = Trace()
        getattr(textbook, name)(game, trace=trace)
        found = page.evaluate(PICTURES, [server, {"trace": trace.to_dict()}])
        for count, picture in enumerate(found, 1):
            wanted = trace.at(count)
            words = [[one.node, score_text(one.alpha), score_text(one.beta), number(one.value)] for one in wanted.path]
            assert picture["path"] == words
            assert picture["done"] == sorted(wanted.closed)
            assert picture["pruned"] == sorted(wanted.pruned)


# -- the page of the command line --------------------------------------------------------------------------------------


def test_the_written_page_works_from_a_file(chromium, tmp_path):
    game = z.GameTree(LECTURE)
    file = tmp_path / "tree.html"
    file.write_text(command.page(game, tree_record(game, None)), encoding="utf-8")
    with opened(chromium, file.as_uri(), offline=True) as page:
        page.goto(file.as_uri())
        for _ in range(14):
            page.keyboard.press("ArrowRight")
        expect(page.locator(".words")).to_contain_text("Beta cut-off at D: 5 ≥ 3 = β")
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".words")).to_contain_text("D is worth at least 5 so far")
        page.get_by_role("button", name="To the end").click()
        expect(page.locator("[data-part=place]")).to_have_text(DONE)
        expect(page.locator(".counts")).to_contain_text("5 of 8")


def test_a_tree_that_is_too_large_is_refused_without_python(page: Page):
    page.goto("/?game=chess&mode=learn&depth=4")
    expect(page.locator(".problem")).to_have_text(re.compile("^The tree has more than"))
