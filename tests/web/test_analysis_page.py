"""Analysis in a real browser: values, variations, previews, and what has answered."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser import opened

SHARE = "() => parseFloat(document.querySelector('#eval-bar').style.getPropertyValue('--share'))"


def square(page: Page, number: int):
    return page.locator(f'.square[data-square="{number}"]')


def given(page: Page, name: str) -> list[str]:
    """The values of a parameter of the address."""
    return page.evaluate(f"new URLSearchParams(location.search).getAll('{name}')")


def listed(page: Page) -> list[str]:
    """The moves of the list, without their numbers and values."""
    inside = (
        "buttons => buttons.map(one => [...one.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join(''))"
    )
    return page.eval_on_selector_all(".played button", inside)


# -- values ------------------------------------------------------------------------------------------------------------


def test_the_values_of_the_whole_game_are_those_of_the_first_player(page: Page):
    """After a1 b1 the first player wins, whoever is to move; the bar, the list, the board and the words say so."""
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=a1 b1 b2 c3 a2")
    expect(page.locator("#value")).to_have_text(re.compile("^First player wins in"))
    expect(page.locator("#convention")).to_have_text(re.compile("seen by the first player"))
    page.click("#whole")
    expect(page.locator(".played .tag")).to_have_count(5)
    tags = page.locator(".played .tag").all_inner_texts()
    assert tags[0] == "D"
    assert all(tag.startswith("W") for tag in tags[1:]), tags
    assert page.locator(".played .mark").all_inner_texts() == ["??"]  # b1 gave the draw away
    expect(page.locator("#accuracy")).to_have_text(re.compile("^Accuracy: First 100 %, Second [1-9]?[0-9] %$"))
    assert page.evaluate(SHARE) == 100
    expect(page.locator("#legal .tag.win").first).to_be_visible()  # for the first player, though the second moves
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2")
    expect(page.locator("#proof")).to_have_text("proven")
    assert page.evaluate(SHARE) == 50


def test_numbers_have_true_signs_and_no_false_precision(page: Page):
    page.goto("/")
    found = page.evaluate("""async () => {
        const { number, short, words } = await import("/lib/value_text.js");
        const board = { sides: ["White", "Black"] };
        const value = (score, player, outcome = null, bound = "estimate") =>
          ({ score, player, outcome, bound, tone: outcome ?? "estimate" });
        const values = [value(0.5, 1), value(999_993, 1, "win", "exact"), value(900_000, 0, "win", "lower"),
          value(-999_996, 0, "loss", "upper"), value(0, 1, "draw", "exact")];
        return [[0, 3, -3, 0.83, -0.83, 0.002, -0.002, 0.006].map(number),
          values.map((one) => [short(one), words(one, board)])];
    }""")
    assert found == [
        ["0", "+3", "−3", "+0.83", "−0.83", "0.00", "0.00", "+0.01"],
        [
            ["−0.50", "−0.50"],
            ["L7", "Black wins in 7"],
            ["W", "White wins"],
            ["L≤4", "Black wins in at most 4"],
            ["D", "draw"],
        ],
    ]


def test_the_bar_moves_smoothly_and_stands_with_its_player(chromium, server):
    with opened(chromium, server, reduced_motion="no-preference") as page:
        page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2")
        expect(page.locator("#proof")).to_have_text("proven")
        moving = page.evaluate("""() => {
            const bar = document.querySelector("#eval-bar");
            getComputedStyle(bar).getPropertyValue("--share");
            bar.style.setProperty("--share", "90%");
            return bar.getAnimations().map((one) => one.transitionProperty);
        }""")
        assert moving == ["--share"]
        for query, top in (("game=checkers", True), ("game=checkers&flip=1", False), ("game=chess_endgame", False)):
            page.goto(f"/?{query}&mode=analyze")
            bar = page.locator("#eval-bar")
            expect(bar).to_be_visible()  # Black, who begins, sits at the top of checkers
            assert ("from-top" in (bar.get_attribute("class") or "")) is top, query


# -- what has answered -------------------------------------------------------------------------------------------------


def test_analyze_and_play_ask_the_book_and_say_so(page: Page):
    page.goto("/?game=connect_four&mode=analyze")
    expect(page.locator("#value")).to_have_text("First player wins")
    expect(page.locator("#source")).to_have_text("From the opening book.")
    expect(page.locator("#proof")).to_have_text("proven")
    expect(page.locator(".overlay .ring.best")).to_have_count(1)
    page.goto("/?game=connect_four&mode=explore")
    expect(page.locator("#value")).to_have_text("First player wins")
    expect(page.locator("#source")).to_contain_text("from the opening book")
    page.goto("/?game=connect_four&side=second")
    expect(page.locator("#thought")).to_have_text("Zermelo: First player wins, from the opening book")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "false")
    page.goto("/?game=chess&side=second")
    expect(page.locator("#thought")).to_have_text("Zermelo: from the opening book")  # such lines have no values


def test_a_move_before_the_engine_is_ready_is_not_played_in_silence(page: Page):
    waits = []

    def engine(route):
        waits.append(1)
        route.fulfill(json={"compiling": True})

    def move(route):
        while len(waits) < 2:
            page.wait_for_timeout(20)
        answer = route.fetch()
        found = answer.json()
        found["report"]["compiling"] = True
        route.fulfill(json=found)

    page.route("**/api/engine?*", engine)
    page.route("**/api/move?*", move)
    page.goto("/?game=tic_tac_toe&level=2")
    square(page, 4).click()
    expect(page.locator("#status")).to_contain_text("Preparing the fast engine")
    expect(page.locator("#status progress")).to_be_visible()
    expect(page.locator("#thought")).to_contain_text("not yet at its full strength")


# -- after the game ----------------------------------------------------------------------------------------------------


def test_after_the_game_there_is_another_one_or_its_analysis(page: Page):
    page.goto("/?game=tic_tac_toe&moves=a1 b1 b2 c3 a3 c1 a2")
    expect(page.locator("#status")).to_have_text("You win.")
    expect(page.locator("#resign")).to_be_hidden()
    page.click("#review")
    expect(page.locator("#accuracy")).to_be_visible()
    page.go_back()
    page.click("#swap")
    expect(page.locator("#side")).to_have_value("second")
    expect(page.locator(".played li")).to_have_count(2)  # Zermelo begins
    page.click("#resign")
    expect(page.locator("#status")).to_have_text("You resign. Zermelo wins.")
    expect(page.locator(".square.open")).to_have_count(0)
    page.click("#rematch")
    expect(page.locator("#status")).to_have_text("Your move.")
    expect(page.locator("#side")).to_have_value("second")


def test_a_game_without_mistakes_is_said_to_have_none_and_the_search_ends_with_another_game(page: Page):
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2 a1")
    page.click("#whole")
    expect(page.locator("#mistakes")).to_have_text("No mistakes were found.")
    page.click("#legal [data-move='a3']")
    expect(page.locator("#mistakes")).to_have_count(0)  # of the longer game, nothing is known yet
    page.route("**/api/engine?*", lambda route: route.fulfill(json={"compiling": True}))
    page.click("#whole")
    expect(page.locator("#whole")).to_have_text("Stop looking")
    page.click("#new")
    page.click("#legal [data-move='b2']")
    expect(page.locator("#whole")).to_have_text("Find the mistakes")
    expect(page.locator("#looking")).to_have_count(0)


def test_a_mistake_by_an_estimate_beside_a_proven_value_is_searched_again(page: Page):
    asked = []

    def analyze(route) -> None:
        question = parse_qs(urlsplit(route.request.url).query)
        moves, seconds = (question.get(name, [""])[0] for name in ("moves", "seconds"))
        lines = [json.loads(line) for line in route.fetch().text().splitlines()]
        if (moves, seconds) == ("b2 a1", "0.3"):  # a short search takes the draw for a loss
            last = lines[-1]
            lines = [{**last, "proven": False, "value": {**last["value"], "share": 0.9, "exact": False}}]
        asked.append((moves, seconds))
        route.fulfill(body="\n".join(map(json.dumps, lines)), content_type="application/x-ndjson")

    page.route("**/api/analyze?*", analyze)
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2 a1 c3")
    expect(page.locator("#proof")).to_have_text("proven")
    page.click("#whole")
    expect(page.locator("#mistakes")).to_have_text("No mistakes were found.")
    assert asked[-1] == ("b2 a1", "3")
    assert [seconds for _, seconds in asked].count("3") == 1


def test_the_best_move_that_is_known_is_no_mistake_even_if_the_search_after_it_says_less(page: Page):
    def analyze(route) -> None:
        moves = parse_qs(urlsplit(route.request.url).query).get("moves", [""])[0]
        last = json.loads(route.fetch().text().splitlines()[-1])
        last |= {"proven": False, "move": {"b2": "a1", "b2 a1": "c3"}.get(moves, last["move"])}
        last["value"] |= {"share": 0.9 if moves == "b2 a1" else 0.5, "exact": False}
        route.fulfill(body=json.dumps(last), content_type="application/x-ndjson")

    page.route("**/api/analyze?*", analyze)
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2 a1 c3")  # the last position is searched live
    page.click("#whole")
    expect(page.locator("#mistakes")).to_have_text("No mistakes were found.")


def test_values_are_compared_where_both_searches_have_seen_the_same_plies(page: Page):
    page.goto("/")
    found = page.evaluate("""async () => {
        const { compared } = await import("/lib/move_quality.js");
        const at = (proven, ...shares) => ({ proven, depth: shares.length - 1, share: shares.at(-1), shares });
        const over = { proven: true, depth: 0, share: 0, shares: [] };
        const known = (...pair) => compared(...pair).map((share) => share ?? null);
        return [
          known(at(false, 0.5, 0.6, 0.7, 0.8), at(false, 0.4, 0.3)),  // one ply of the reply, so two before it
          known(at(false, 0.5, 0.6), at(false, 0.4, 0.3, 0.2)),
          known(at(true, 0.5, 1), at(true, 0.5, 0.6, 0.7, 0)),
          known(at(true, 0.5, 0.6, 1), at(false, 0.4, 0.3, 0.2)),  // which went as far as the proof
          known(at(true, 0.5, 0.6, 0.7, 0.8, 1), at(false, 0.4, 0.3)),
          known(at(false, 0.5, 0.6), at(true, 0.4, 0.3, 0)),
          known(at(false, 0.5, 0.6), over),
          known(at(false, 0.5), at(false, 0.4)),  // playouts
          known(at(false, 0.5), over),
          known(undefined, over),
        ];
    }""")
    final, first = [0.7, 0.3], [0.6, 0.4]
    assert found == [final, first, [1, 0], [1, 0.2], final, first, [0.6, 0], [0.5, 0.4], [0.5, 0], []]


def test_a_shallow_search_after_a_deep_one_makes_no_mistake(page: Page):
    """On a busy machine the search after a1 ends at its first ply, where the one before it was as wrong."""
    shares = {"b2": [0.5, 0.5, 0.9, 0.5], "b2 a1": [0.5, 0.9]}

    def analyze(route) -> None:
        moves = parse_qs(urlsplit(route.request.url).query).get("moves", [""])[0]
        last = json.loads(route.fetch().text().splitlines()[-1])
        lines = [
            {**last, "proven": False, "move": "c3", "depth": depth, "value": {**last["value"], "share": share}}
            for depth, share in enumerate(shares.get(moves, [0.5] * 9))
        ]
        route.fulfill(body="\n".join(map(json.dumps, lines)), content_type="application/x-ndjson")

    page.route("**/api/analyze?*", analyze)
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2 a1 c3")
    page.click("#whole")
    expect(page.locator("#mistakes")).to_have_text("No mistakes were found.")


# -- variations --------------------------------------------------------------------------------------------------------


def test_another_move_in_the_middle_begins_a_variation(page: Page):
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2 a1 c3&at=1")
    page.click("#legal [data-move='a3']")
    expect(page.locator(".played .variation button")).to_have_count(1)
    assert listed(page) == ["Start", "b2", "a1", "a3", "c3"]
    expect(page.locator("[aria-current]")).to_contain_text("a3")
    page.click("#legal [data-move='c1']")
    expect(page.locator(".played .variation button")).to_have_count(2)
    assert given(page, "moves") == ["b2 a3 c1"]
    assert given(page, "line") == ["b2 a1 c3", "b2 a3 c1"]
    page.reload()
    expect(page.locator(".played .variation button")).to_have_count(2)
    page.click("#promote")
    expect(page.locator("#promote")).to_have_count(0)
    assert listed(page) == ["Start", "b2", "a3", "a1", "c3", "c1"]
    page.locator(".played .variation button").first.click()
    expect(page.locator("[aria-current]")).to_contain_text("a1")
    assert given(page, "moves") == ["b2 a1 c3"]  # the rest of the line comes with it
    page.click("#delete")
    expect(page.locator(".played .variation")).to_have_count(0)
    assert listed(page) == ["Start", "b2", "a3", "c1"]
    assert given(page, "line") == []
    page.go_back()
    expect(page.locator(".played .variation")).to_have_count(1)


def test_a_line_of_the_engine_is_a_preview_until_it_is_played(page: Page):
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2 b1 a1&at=1")
    expect(page.locator("#proof")).to_have_text("proven")
    before = page.url
    line = page.locator(".lines li").first.locator(".step")
    first, second = line.all_inner_texts()[:2]
    line.nth(1).click()
    expect(page.locator("#status")).to_contain_text(f"Preview: {first} {second}")
    expect(page.locator('.square[data-piece]:not([data-piece=""])')).to_have_count(3)
    assert page.url == before
    page.keyboard.press("Escape")
    expect(page.locator("#status")).to_contain_text("to move")
    expect(page.locator(".played li")).to_have_count(4)
    expect(page.locator("#proof")).to_have_text("proven")
    line.nth(1).click()
    page.click("#play-preview")
    expect(page.locator("[aria-current]")).to_contain_text(second)
    assert given(page, "line") == ["b2 b1 a1", f"b2 {first} {second}"]


def test_moves_with_spaces_keep_together_in_variations(page: Page):
    page.goto("/?game=backgammon&mode=analyze&moves=31 8/5 6/5 66&at=1")
    page.click("#legal [data-move='24/20']")
    expect(page.locator(".played .variation")).to_have_count(1)
    page.reload()
    expect(page.locator(".played .variation")).to_have_count(1)
    page.get_by_role("button", name="1. 8/5 6/5").click()
    expect(page.locator("[aria-current]")).to_contain_text("8/5 6/5")
    assert given(page, "moves") == ["31 8/5 6/5 66"]
    expect(page.locator(".played .variation")).to_have_count(1)


def test_keys_walk_through_the_game(page: Page):
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2 a1 c3")
    expect(page.locator("[aria-current]")).to_contain_text("c3")
    for key, there in (("ArrowLeft", "a1"), ("Home", "Start"), ("ArrowRight", "b2"), ("End", "c3")):
        page.keyboard.press(key)
        expect(page.locator("[aria-current]")).to_contain_text(there)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("one move back")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_have_count(0)


def test_a_game_leaves_as_text_and_comes_back_with_its_variations(page: Page, tmp_path: Path):
    page.goto("/?game=chess&mode=explore&moves=e4 e5 Nf3 Nc6&at=1")
    page.click("#legal [data-move='c5']")
    expect(page.locator(".played .variation")).to_have_count(1)
    page.click("#exchange")
    expect(page.locator("#save-text")).to_have_text("Save as PGN")
    with page.expect_download() as downloading:
        page.click("#save-text")
    page.keyboard.press("Escape")
    text = Path(downloading.value.path()).read_text()
    assert downloading.value.suggested_filename == "chess.pgn"
    assert text.rstrip().endswith("1. e4 e5 (1... c5) 2. Nf3 Nc6 *")
    file = tmp_path / "game.pgn"
    file.write_text(text.replace("2. Nf3", "{a comment} 2. Nf3!? $1 (2.f4 exf4 3.Bc4) (2. Nc3)"))
    page.click("#new")
    page.set_input_files("#file", file)
    expect(page.locator(".played .variation")).to_have_count(3)
    expect(page.locator(".played .comment")).to_have_text("a comment")
    assert listed(page) == ["Start", "e4", "e5", "c5", "Nf3", "f4", "exf4", "Bc4", "Nc3", "Nc6"]
    page.click("#exchange")
    expect(page.locator("#moves-text")).to_have_value(re.compile(r"\{a comment\}"))
    page.keyboard.press("Escape")
    before = page.url
    file.write_text("1. e4 e5 2. Ke3 *")
    page.set_input_files("#file", file)
    expect(page.locator("#notice")).to_contain_text("Ke3")
    assert page.url == before


def test_a_game_or_a_position_is_pasted_and_copied(page: Page):
    def load(text: str) -> None:
        page.click("#exchange")
        page.fill("#pasted", text)
        page.click("#load-text")

    page.goto("/?game=chess&mode=explore")
    load("1. e4 e5 (1... c5) 2. Nf3 *")
    expect(page.locator(".played .variation")).to_have_count(1)
    expect(page.locator("#exchange-dialog")).to_have_count(0)
    load("4k3/8/8/8/8/8/4p3/K7 b - - 0 1")
    expect(page.locator(".played li")).to_have_count(1)
    expect(page.locator("#status")).to_have_text("Black to move.")
    before = page.url
    load("nonsense")
    expect(page.locator("#wrong")).to_contain_text("nonsense")
    expect(page.locator("#wrong")).not_to_contain_text("Chess(")  # no Python in what people read
    assert page.url == before
    page.keyboard.press("Escape")
    page.goto("/?game=kalah&mode=explore")
    load("3 6")
    expect(page.locator(".played li")).to_have_count(3)
    page.click("#exchange")
    state = page.locator("#position-text").input_value()
    expect(page.locator("#moves-text")).to_have_value(re.compile(r"1\. 3 6 \*"))
    page.keyboard.press("Escape")
    page.click("#new")
    load(state)
    expect(page).to_have_url(re.compile("start="))
    load("(;FF[4]GM[2]SZ[8];B[dc];W[cc])")
    expect(page.locator("#game-name")).to_have_value("othello")
    expect(page.locator(".played li")).to_have_count(3)


def test_texts_of_games_are_read_as_they_are_written(page: Page):
    page.goto("/")
    found = page.evaluate("""async () => {
        const { read, write } = await import("/lib/movetext.js");
        const { GameTree } = await import("/lib/game_tree.js");
        const position = { outcome: null, source: 'x("y")', start: 'a "b"', title: "X" };
        const games = [[["31", "8/5 6/5", "66", "24/18(2) 13/7(2)"]],
          [["1", "2", "3"], ["1", "4"], ["1", "5", "6"], ["7"]], [["a(b)", "(c)"], ["a(b)", "d"]]];
        return games.map((lines) => {
          const { tags, lines: again } = read(write(position, new GameTree(lines)));
          return [JSON.stringify(again) === JSON.stringify(lines) || again, tags.Game === position.source, tags.Start];
        });
    }""")
    assert found[:2] == [[True, True, 'a "b"']] * 2
    found = page.evaluate("""async () => {
        const { read, write } = await import("/lib/movetext.js");
        const { GameTree } = await import("/lib/game_tree.js");
        const comments = [{ moves: ["1", "2"], text: "one; two" }, { moves: ["1", "4", "5"], text: "(three)" }];
        const position = { outcome: null, source: "x", start: "", title: "X" };
        return read(write(position, new GameTree([["1", "2"], ["1", "4", "5"]]), comments));
    }""")
    assert found["lines"] == [["1", "2"], ["1", "4", "5"]]
    assert found["comments"] == [
        {"moves": ["1", "2"], "text": "one; two"},
        {"moves": ["1", "4", "5"], "text": "(three)"},
    ]


# -- boards ------------------------------------------------------------------------------------------------------------


def test_a_finger_drags_a_piece(chromium, server):
    with opened(chromium, server, has_touch=True, is_mobile=True, viewport={"width": 400, "height": 700}) as page:
        page.goto("/?game=hexapawn&side=both")
        expect(page.locator(".square.travels").first).to_be_visible()
        start = int(page.locator(".square.travels").first.get_attribute("data-square"))
        boxes = [square(page, number).bounding_box() for number in (start, start - 3)]
        points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2} for box in boxes]
        touch = page.context.new_cdp_session(page)

        def send(kind: str, *at: dict) -> None:
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(at)})

        send("touchStart", points[0])
        for part in (0.2, 0.4, 0.6, 0.8, 1):
            send("touchMove", {way: points[0][way] + part * (points[1][way] - points[0][way]) for way in ("x", "y")})
        send("touchEnd")
        expect(page.locator(".played li")).to_have_count(2)


def test_a_move_glides_and_a_stone_falls_unless_motion_is_reduced(chromium, server):
    count = "document.querySelector('#board svg').getAnimations({ subtree: true }).length"
    for motion, flying in (("no-preference", 1), ("reduce", 0)):
        with opened(chromium, server, reduced_motion=motion) as page:
            for game, move in (("hexapawn", "a1-a2"), ("connect_four(5, 4)", "3")):
                page.goto(f"/?game={game}&side=both")
                expect(page.locator("#legal [data-move]").first).to_be_visible()
                counted = page.evaluate(f"""() => new Promise((resolve) => {{
                    const picture = document.querySelector(".picture");
                    new MutationObserver((_, observer) => {{
                        observer.disconnect();
                        resolve({count});
                    }}).observe(picture, {{ childList: true }});
                    document.querySelector("#legal [data-move='{move}']").click();
                }})""")
                assert counted == flying, (game, motion)
                expect(page.locator(".flying")).to_have_count(0)  # nothing is left behind


def test_the_lines_of_sim_have_the_colours_of_their_players(page: Page):
    page.goto("/?game=sim&side=both&moves=df bd")
    expect(page.locator("#board .zb-owned0")).to_have_count(1)
    expect(page.locator("#board .zb-owned1")).to_have_count(1)


def test_dice_and_points_are_seen_as_across_a_table(page: Page):
    page.goto("/?game=pig&side=both&moves=roll 4")
    expect(page.locator("#board .die")).to_have_attribute("data-face", "4")
    page.goto("/?game=pig&side=both&moves=roll 4 hold")
    expect(page.locator("#board .die")).to_have_attribute("data-face", "0")
    names = []
    for moves in ("31", "31 8/5 6/5 66"):
        page.goto(f"/?game=backgammon&side=both&moves={moves}")
        expect(page.locator(".played li")).to_have_count(len(moves.split(" ")) - (1 if " " in moves else 0) + 1)
        names.append([square(page, number).get_attribute("data-name") for number in (0, 23)])
    assert names == [["point 1", "point 24"]] * 2  # whoever is to move


# -- accessibility -----------------------------------------------------------------------------------------------------

FAULTS = """() => {
  const faults = [];
  const text = (element) => element.innerText?.replace(/\\s+/g, " ").trim().toLowerCase() ?? "";
  for (const element of document.querySelectorAll("button[aria-label], a[aria-label], [role=tab][aria-label]")) {
    const label = element.getAttribute("aria-label").toLowerCase();
    const seen = text(element);
    if (/[a-z0-9]/.test(seen) && !label.includes(seen)) faults.push(`name: ${label} / ${seen}`);
  }
  for (const element of document.querySelectorAll("button, [role=button], [role=img], [role=tab], [role=option]")) {
    const inner = element.querySelector("button, a[href], input, select, [tabindex], [role=button]");
    if (inner && element.checkVisibility()) faults.push(`nested: ${element.className?.baseVal ?? element.className}`);
  }
  return faults;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_hold_what_is_seen_and_no_control_stands_in_another(page: Page, scheme: str):
    page.emulate_media(color_scheme=scheme)
    for query in ("", "&mode=analyze", "&mode=explore", "&mode=learn"):
        page.goto(f"/?game=tic_tac_toe&moves=b2 a1 c3&side=both{query}")
        if query == "&mode=learn":
            page.get_by_role("button", name="Forward").click(click_count=2)  # to the first node
        ready = {"&mode=learn": ".node-board svg", "&mode=analyze": "#whole"}.get(query, ".played li:nth-child(4)")
        expect(page.locator(ready)).to_be_visible()
        assert page.evaluate(FAULTS) == [], query


# -- learn -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["chess", "nine_mens_morris", "backgammon", "hex"])
def test_learn_begins_with_a_tree_that_fits(page: Page, game: str):
    page.goto(f"/?game={game}&mode=learn")
    expect(page.locator(".stepper .zermelo-tree")).to_be_visible()
    expect(page.locator(".problem").first).to_be_hidden()
    assert int(page.locator("[data-field=depth] input").input_value()) >= 1
    assert given(page, "depth") == []


# -- quality, mates, threads -------------------------------------------------------------------------------------------


def test_mates_are_counted_in_moves(page: Page):
    page.goto("/?game=chess_endgame&mode=analyze&start=8/8/8/8/8/1k6/7r/K7 b - - 0 1")
    expect(page.locator("#proof")).to_have_text("proven")
    expect(page.locator("#value")).to_have_text("Black mates in 1")
    expect(page.locator(".lines .tag").first).to_have_text("−#1")
    expect(page.locator("#convention")).to_contain_text("+ and # are good for White")


def test_squares_are_tinted_by_the_quality_of_their_moves_and_threads_are_shown(page: Page):
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2 b1")
    expect(page.locator("#proof")).to_have_text("proven")
    expect(page.locator(".overlay .tint.best").first).to_be_visible()
    expect(page.locator(".overlay .tint")).to_have_count(7)
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=b2")
    expect(page.locator(".overlay .tint.best")).to_have_count(4)  # the corners draw
    expect(page.locator(".overlay .tint.blunder")).to_have_count(4)  # the edges lose
    assert "Threads" in page.locator(".figures dt").all_inner_texts()
    page.select_option("#lines", "2")
    expect(page.locator(".lines > li")).to_have_count(2)


def test_the_mistakes_of_a_game_are_listed_with_better_moves(page: Page):
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=a1 b1 b2 c3 a2")
    page.click("#whole")
    expect(page.locator("#mistakes li")).to_have_count(1)
    expect(page.locator("#mistakes li")).to_have_text(re.compile(r"^2\. b1\?\?better: b2$"))
    page.click("#mistakes button")
    expect(page.locator("[aria-current=step]")).to_contain_text("b1")
